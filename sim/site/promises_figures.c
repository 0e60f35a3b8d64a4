/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_figures.c - the figures of a report on promises. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/memory_file.h"
#include "sim/report/axis.h"
#include "sim/report/plot.h"
#include "sim/report/report.h"
#include "sim/site/gantt.h"
#include "sim/site/promises_parts.h"

enum { POINTS = 200, DAY_S = 86400, DAYS = 4000 };

/* ---- estimates ---- */

/* The figure has at most POINTS points, at equal steps of the part of the jobs.
 */
int promises_estimates_figure(FILE *fp, const struct promise_counts *c,
			      struct libra_error *err)
{
	double part[POINTS], ratio[POINTS];
	size_t n = c->nratios < POINTS ? c->nratios : POINTS;
	const struct plot_series series = {"jobs", ratio, part, NULL, n, 0, 0};
	const struct plot plot = {
		.id = "estimates",
		.title = "Run times in parts of the estimate",
		.xlabel = "run time / estimate",
		.ylabel = "% of the jobs",
		.kind = PLOT_STEPS,
		.xmin = 0,
		.xmax = NAN,
		.ymin = 0,
		.ymax = 100,
		.series = &series,
		.nseries = 1,
		.width = 560,
		.height = 270,
	};
	char *svg = NULL;

	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++) {
		part[i] = 100 * ((double)i + 0.5) / (double)n;
		ratio[i] =
			c->ratios[(size_t)(part[i] / 100 * (double)c->nratios)];
	}
	if (plot_svg(&plot, &svg, err) < 0)
		return -1;
	/* Alone in its row it would be small, or as wide as the page. */
	fputs("<div style=\"max-width:36rem;margin:auto\">\n", fp);
	report_figure(fp,
		      "Jobs that ran for at most this part of their estimate",
		      svg);
	fputs("</div>\n", fp);
	free(svg);
	return 0;
}

/* ---- a day ---- */

/* Return the begin of the day with most work, in the time of the report; NAN if
 * no job ran.
 */
static double busiest_day(const struct site_jobs *jobs, double from_s,
			  double to_s)
{
	double first_s = INFINITY, last_s = -INFINITY, best_s = NAN, most = 0;

	for (size_t i = 0; i < jobs->n; i++) {
		first_s = fmin(first_s, jobs->list[i].start_s);
		last_s = fmax(last_s, jobs->list[i].end_s);
	}
	first_s = DAY_S * floor(fmax(first_s, from_s) / DAY_S);
	last_s = fmin(fmin(last_s, to_s), first_s + (double)DAYS * DAY_S);
	for (double day_s = first_s; day_s < last_s; day_s += DAY_S) {
		double work = 0;

		for (size_t i = 0; i < jobs->n; i++)
			work += site_work(&jobs->list[i], day_s, day_s + DAY_S);
		if (work > most) {
			most = work;
			best_s = day_s;
		}
	}
	return best_s;
}

/* Draw one day of the jobs of a log.  number: makes the id of the figure
 * unique.
 * Result: 0, or -1 with ENOMEM.
 */
static int day_figure(FILE *fp, const struct promises_page *page,
		      const struct site_jobs *jobs, size_t number,
		      const char *where, struct libra_error *err)
{
	double day_s = isnan(page->day_s)
			       ? busiest_day(jobs, page->from_s, page->to_s)
			       : page->day_s;
	const struct gantt g = {
		.jobs = jobs,
		.from_s = day_s,
		.to_s = day_s + DAY_S - 1, /* no name at the edge */
		.colour = GANTT_PROMISE,
	};
	const struct axis_time time = {day_s, day_s + DAY_S, true, 0};
	struct libra_error none = {""};
	char *svg = NULL, date[64], caption[256], id[32];
	FILE *mem;
	size_t size;
	int rc, saved;

	if (isnan(day_s))
		return 0;
	mem = out_memory(&svg, &size);
	if (!mem)
		return sim_no_memory(err);
	rc = gantt_svg(&g, mem, &none);
	saved = errno;
	if (fclose(mem) != 0 || (rc < 0 && saved == ENOMEM)) {
		free(svg);
		return sim_no_memory(err);
	}
	axis_instant(date, sizeof(date), &time, day_s);
	snprintf(caption, sizeof(caption), "%s, %.10s (UTC): %s", jobs->name,
		 date, where);
	snprintf(id, sizeof(id), "day%zu", number);
	if (rc == 0)
		report_wide_figure(fp, id, caption, svg);
	else
		report_text(fp, "%s: no promised job ran on %.10s (UTC).",
			    jobs->name, date);
	free(svg);
	return 0;
}

/* Jobs that ended unseen end where accounting says. */
static void set_ends(struct site_jobs *jobs, const struct promises *p)
{
	for (size_t i = 0; i < jobs->n; i++) {
		struct site_job *job = &jobs->list[i];

		for (size_t k = 0; job->promise == SITE_OPEN && k < p->n; k++) {
			const struct promise *q = &p->list[k];

			if (q->id != (uint64_t)job->number ||
			    !(q->end_s > job->start_s))
				continue;
			job->end_s = q->end_s;
			job->promise = q->outcome == PROMISE_KEPT ? SITE_KEPT
								  : SITE_LATE;
		}
	}
}

/* Jobs as accounting has them: their processors are not known. */
static int accounted_jobs(struct site_jobs *jobs, const struct promises *p,
			  struct libra_error *err)
{
	int64_t most;

	*jobs = (struct site_jobs){.promises = true, .dated = true};
	jobs->name = strdup("Promised jobs");
	if (!jobs->name)
		return sim_no_memory(err);
	for (size_t i = 0; i < p->n; i++) {
		const struct promise *q = &p->list[i];
		const struct site_job job = {
			.number = (int64_t)q->id,
			.submit_s = q->given_s,
			.start_s = q->start_s,
			.end_s = q->end_s,
			.deadline_s = q->deadline_s,
			.procs = q->procs,
			.promise = q->outcome == PROMISE_KEPT	? SITE_KEPT
				   : q->outcome == PROMISE_LATE ? SITE_LATE
								: SITE_OPEN,
		};

		if (q->end_s > q->start_s && q->procs > 0 &&
		    site_jobs_add(jobs, &job, err) < 0)
			return -1;
	}
	most = site_most_procs(jobs);
	jobs->procs = (uint32_t)most;
	return most < 0 ? sim_no_memory(err) : 0;
}

int promises_gantt_figures(FILE *fp, const struct promises_page *page,
			   struct libra_error *err)
{
	const struct promises *p = page->promises;
	struct site_jobs jobs = {0};
	int rc = 0;

	if (p->nlogs == 0) {
		rc = accounted_jobs(&jobs, p, err);
		if (rc == 0)
			rc = day_figure(fp, page, &jobs, 0,
					"processors by time, jobs drawn where "
					"they could have been",
					err);
		site_jobs_fini(&jobs);
		return rc;
	}
	for (size_t i = 0; rc == 0 && i < p->nlogs; i++) {
		const struct promise_log *log = &p->logs[i];

		rc = site_jobs_of_decisions(&jobs, log->files, log->nfiles,
					    err);
		/* No job of the log started, or it is damaged. */
		if (rc < 0 && errno == EINVAL) {
			report_text(fp, "No chart: %s.", err->text);
			libra_error_clear(err);
			rc = 0;
			continue;
		}
		if (rc < 0)
			return -1;
		set_ends(&jobs, p);
		rc = day_figure(fp, page, &jobs, i,
				"processors by time, each job on its own", err);
		site_jobs_fini(&jobs);
	}
	return rc;
}
