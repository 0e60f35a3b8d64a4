/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_figures.c - the figures of a what-if page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"
#include "sim/report/axis.h"
#include "sim/report/plot.h"
#include "sim/report/report.h"
#include "sim/site/gantt.h"
#include "sim/site/pictures.h"
#include "sim/site/what_parts.h"

enum { GANTT_DAYS = 7, TIME_TICKS = 6 };

static int figure(FILE *fp, const struct plot *plot, const char *caption,
		  struct libra_error *err)
{
	char *svg = NULL;

	if (plot_svg(plot, &svg, err) < 0)
		return -1;
	report_figure(fp, caption, svg);
	free(svg);
	return 0;
}

/* A picture that can be enlarged. */
static int drawn(char **svg, FILE *mem, int rc, FILE *fp, const char *caption)
{
	if (mem && fclose(mem) != 0)
		rc = -1;
	if (rc == 0 && *svg && **svg)
		report_wide_figure(fp, "gantt", caption, *svg);
	free(*svg);
	return rc;
}

/* The last days as they ran. */
static int gantt_figure(FILE *fp, const struct what_page *p,
			const struct site_jobs *jobs, struct libra_error *err)
{
	const struct swf_trace *t = p->trace;
	struct gantt g = {
		.jobs = jobs,
		.to_s = t->records[t->nrecords - 1].submit_s,
		.colour = jobs->users ? GANTT_USER : GANTT_SIZE,
	};
	struct libra_error none;
	char *svg = NULL;
	size_t size;
	FILE *mem = out_memory(&svg, &size);

	g.from_s = fmax(g.to_s - GANTT_DAYS * 86400, t->records[0].submit_s);
	if (!mem)
		return sim_no_memory(err);
	/* A log whose last days are empty has no such picture. */
	if (gantt_svg(&g, mem, &none) < 0 && errno == ENOMEM)
		return drawn(&svg, mem, sim_no_memory(err), fp, "");
	return drawn(&svg, mem, 0, fp,
		     "The last days of the log: processors by time, jobs drawn "
		     "where they could have been");
}

static int picture(FILE *fp, enum picture_kind kind,
		   const struct site_jobs *jobs, const char *caption,
		   struct libra_error *err)
{
	struct picture *p = malloc(sizeof(*p));
	int rc = p ? picture_make(p, kind, jobs, NAN, NAN, err)
		   : sim_no_memory(err);

	if (rc == 0)
		rc = figure(fp, &p->plot, caption, err);
	free(p);
	return rc;
}

int what_log_figures(FILE *fp, const struct what_page *p,
		     struct libra_error *err)
{
	struct site_jobs jobs;
	int rc;

	if (p->what->measured_jobs == 0)
		return 0;
	rc = site_jobs_of_log(&jobs, p->trace, p->what->measured.procs, err);
	if (rc < 0)
		return -1;
	rc = gantt_figure(fp, p, &jobs, err);
	report_figures_begin(fp);
	if (rc == 0)
		rc = picture(fp, PICTURE_WAITS, &jobs,
			     "Waits by size (below a second: one second)", err);
	if (rc == 0)
		rc = picture(fp, PICTURE_SLOWDOWN, &jobs,
			     "Slowdown by size, of runs of 10 s or more", err);
	report_figures_end(fp);
	if (rc == 0 && jobs.users) {
		fputs("<div style=\"max-width:36rem;margin:auto\">\n", fp);
		rc = picture(fp, PICTURE_USERS, &jobs, "Who had the processors",
			     err);
		fputs("</div>\n", fp);
	}
	site_jobs_fini(&jobs);
	return rc;
}

/* Figures of what was measured, and what was simulated. */
static int over_time(FILE *fp, const struct what_page *p, const char *id,
		     const char *ylabel, const double *measured,
		     const double *simulated, const char *caption,
		     struct libra_error *err)
{
	const struct what *w = p->what;
	const struct swf_trace *t = p->trace;
	struct axis_time time = {INFINITY, NAN, t->unix_start > 0,
				 (double)t->unix_start};
	struct axis axis;
	double day[WHAT_BUCKETS];
	const struct plot_series series[] = {
		{"simulated", day, simulated, NULL, WHAT_BUCKETS, 1, 0},
		{"measured", day, measured, NULL, WHAT_BUCKETS, 0, 0},
	};
	struct plot plot = {
		.id = id,
		.title = caption,
		.xlabel = axis.title,
		.ticks = axis.ticks,
		.ylabel = ylabel,
		.kind = PLOT_STEPS,
		.xmin = 0,
		.xmax = w->span_s / 86400,
		.ymin = 0,
		.ymax = NAN,
		.series = series,
		.nseries = w->measured_jobs > 0 ? 2 : 1,
		.key = w->measured_jobs > 0,
		.width = 560,
		.height = 270,
	};

	for (size_t i = 0; i < t->nrecords; i++)
		time.from_s = fmin(time.from_s, t->records[i].submit_s);
	time.to_s = time.from_s + w->span_s;
	axis_of_days(&axis, &time, TIME_TICKS);
	plot.nticks = axis.n;
	for (size_t i = 0; i < WHAT_BUCKETS; i++)
		day[i] = ((double)i + 0.5) * w->bucket_s / 86400;
	return figure(fp, &plot, caption, err);
}

static int waits_figure(FILE *fp, const struct what *w, struct libra_error *err)
{
	const struct what_run *m = &w->replay->measured;
	const struct picture_waits waits = {
		.simulated_s = what_simulated(w)->cdf_wait_s,
		.measured_s = w->measured_jobs > 0 ? m->cdf_wait_s : NULL,
		.n = WHAT_POINTS,
		.width = 560,
	};
	char *svg = NULL;

	if (picture_draw_waits(&waits, &svg, err) < 0)
		return -1;
	report_figure(fp,
		      m->waits.n > 0
			      ? "Waits: measured, and simulated with EASY "
				"(waits below a second are shown as one)"
			      : "Waits, simulated with EASY (waits below a "
				"second are shown as one)",
		      svg);
	free(svg);
	return 0;
}

int what_replay_figures(FILE *fp, const struct what_page *p,
			struct libra_error *err)
{
	const struct what_run *m = &p->what->replay->measured;
	const struct what_run *r = what_simulated(p->what);
	int rc;

	report_figures_begin(fp);
	rc = over_time(fp, p, "busy", "% of the processors", m->busy_pct,
		       r->busy_pct, "Processors in use", err);
	if (rc == 0)
		rc = over_time(fp, p, "queue", "jobs", m->waiting, r->waiting,
			       "Jobs that wait", err);
	report_figures_end(fp);
	/* Alone in its row it would be small, or as wide as the page. */
	fputs("<div style=\"max-width:36rem;margin:auto\">\n", fp);
	if (rc == 0)
		rc = waits_figure(fp, p->what, err);
	fputs("</div>\n", fp);
	return rc;
}

/* The distribution of waits, as the figure has it. */
static void waits_csv(FILE *fp, const char *series, const double *wait_s)
{
	for (size_t i = 0; i < WHAT_POINTS; i++) {
		const double point[] = {fmax(wait_s[i], 1) / 60,
					100 * ((double)i + 0.5) / WHAT_POINTS};

		fprintf(fp, "waits by part,%s", series);
		out_csv_numbers(fp, point, 2);
		fputc('\n', fp);
	}
}

/* All pictures that can be made of the jobs. */
static int pictures_csv(FILE *fp, const struct site_jobs *jobs,
			struct libra_error *err)
{
	struct picture *p = malloc(sizeof(*p));
	int rc = p ? 0 : sim_no_memory(err);
	struct libra_error none;

	for (int k = PICTURE_WAITS; rc == 0 && picture_name(k); k++)
		if (picture_make(p, k, jobs, NAN, NAN, &none) == 0)
			picture_csv(fp, p);
		else if (errno == ENOMEM)
			rc = sim_no_memory(err);
	free(p);
	return rc;
}

int what_figures_csv(FILE *fp, const struct what_page *page,
		     struct libra_error *err)
{
	struct site_jobs jobs;
	int rc;

	fputs("figure,series,x,y\n", fp);
	if (page->what->measured_jobs == 0)
		return 0;
	if (site_jobs_of_log(&jobs, page->trace, page->what->measured.procs,
			     err) < 0)
		return -1;
	rc = pictures_csv(fp, &jobs, err);
	site_jobs_fini(&jobs);
	waits_csv(fp, "measured", page->what->replay->measured.cdf_wait_s);
	waits_csv(fp, "simulated", what_simulated(page->what)->cdf_wait_s);
	return rc;
}
