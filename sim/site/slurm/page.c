/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - a study of a site as a page: first the proof, then the scenarios. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"
#include "sim/report/report.h"
#include "sim/site/slurm/cells.h"
#include "sim/site/slurm/promises.h"
#include "sim/site/slurm/tables.h"

enum { DISTRUST_SHOWN = 8 };

struct page {
	const struct slurm_study *s;
	const char *command;
};

/* Write the date (UTC) of an instant. */
static void day(FILE *fp, int64_t at_s)
{
	time_t at = (time_t)at_s;
	struct tm tm;
	char buf[32];

	if (gmtime_r(&at, &tm) && strftime(buf, sizeof(buf), "%Y-%m-%d", &tm))
		fputs(buf, fp);
}

/* Return n in % of another number; NAN if that is 0. */
static double share(size_t n, size_t of)
{
	return of ? 100 * (double)n / (double)of : NAN;
}

/* ---- the answer, in three lines ---- */

/* Write the line of the answer that names the site and the question. */
static void asked_line(FILE *fp, const void *answer)
{
	const struct slurm_study *s = ((const struct page *)answer)->s;

	fprintf(fp, "how long would the %" PRIu64 " jobs of %s, submitted ",
		s->jobs,
		*s->site.config.cluster ? s->site.config.cluster : "the log");
	day(fp, s->first_s);
	fputs(" to ", fp);
	day(fp, s->last_s);
	fprintf(fp,
		", have waited on its %zu nodes under Slurm's own scheduler, "
		"if one thing had been different? %zu scenario%s simulated.",
		s->site.nnodes, s->plan->n - 1,
		s->plan->n == 2 ? " is" : "s are");
}

/* Name the groups that are not to be trusted. */
static void distrusted(FILE *fp, const struct slurm_study *s)
{
	size_t n = 0;
	char a[SLURM_DURATION], b[SLURM_DURATION];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];

		if (!slurm_study_distrusts(g) || ++n > DISTRUST_SHOWN)
			continue;
		fputs(n == 1 ? " Do not trust it for " : ", ", fp);
		if (g->kind == STUDY_ALL)
			fputs("waits in general", fp);
		else if (g->kind == STUDY_SIZE)
			fprintf(fp, "jobs of %s CPUs", g->name);
		else
			fprintf(fp, "%s %s", slurm_study_kind_name(g->kind),
				g->name);
		fprintf(fp, " (%s simulated, %s measured)",
			slurm_study_duration(a, g->simulated.mean_s),
			slurm_study_duration(b, g->measured.mean_s));
	}
	if (n > DISTRUST_SHOWN)
		fprintf(fp, ", and %zu others below", n - DISTRUST_SHOWN);
	if (n > 0)
		fputs(".", fp);
}

/* Write the line of the answer that compares the first scenario with the log.
 */
static void proof_line(FILE *fp, const void *answer)
{
	const struct slurm_study *s = ((const struct page *)answer)->s;
	const struct slurm_study_group *all = &s->groups[0];
	char a[SLURM_DURATION], b[SLURM_DURATION];

	if (all->measured.n == 0) {
		fputs("no job of the log has both a logged and a simulated "
		      "start, so nothing shows how far to trust this.",
		      fp);
		return;
	}
	fprintf(fp,
		"simulated mean wait %s, measured %s; %.0f %% of %zu jobs "
		"start within 10 minutes of their logged start.",
		slurm_study_duration(a, all->simulated.mean_s),
		slurm_study_duration(b, all->measured.mean_s),
		share(all->within[1], all->measured.n), all->measured.n);
	fprintf(fp,
		" The moving mean of the waits is off by %.0f %% on average.",
		s->waits.moving.error_pct);
	distrusted(fp, s);
}

/* The scenario with the lowest or the highest mean wait; 0: as it was. */
static size_t extreme(const struct slurm_study *s, int sign)
{
	const struct what_waits *runs = s->groups[0].runs;
	size_t found = 0;

	for (size_t i = 1; i < s->plan->n; i++)
		if (sign * (runs[i].mean_s - runs[found].mean_s) > 0)
			found = i;
	return found;
}

/* Write the line of the answer that names the best and the worst scenario. */
static void answer_line(FILE *fp, const void *answer)
{
	const struct slurm_study *s = ((const struct page *)answer)->s;
	const struct what_waits *runs = s->groups[0].runs;
	size_t best = extreme(s, -1), worst = extreme(s, 1);
	char a[SLURM_DURATION], b[SLURM_DURATION];

	if (best > 0)
		fprintf(fp,
			"most is gained by %s: a mean wait of %s instead of "
			"%s. Jobs that wait at least ten minutes less: %zu, "
			"as much longer: %zu.",
			s->plan->list[best].name,
			slurm_study_duration(a, runs[best].mean_s),
			slurm_study_duration(b, runs[0].mean_s),
			s->runs[best].shorter, s->runs[best].longer);
	else
		fputs("no scenario lowers the mean wait.", fp);
	if (worst > 0)
		fprintf(fp, " Most is lost by %s: %s.",
			s->plan->list[worst].name,
			slurm_study_duration(a, runs[worst].mean_s));
}

static const struct report_lead leads[] = {
	{"Asked:", asked_line},
	{"Proof:", proof_line},
	{"Answer:", answer_line},
};

/* ---- tables ---- */

/* Write the table of measured and simulated waits of a kind of groups; nothing
 * if no group was measured.
 * Result of all tables: 0, or -1 with ENOMEM.
 */
static int proof_table(FILE *fp, const struct slurm_study *s,
		       enum slurm_study_kind kind)
{
	const struct out_column columns[] = {
		{slurm_study_kind_name(kind), OUT_LEFT},
		{"jobs", OUT_RIGHT},
		{"mean wait measured", OUT_RIGHT},
		{"simulated", OUT_RIGHT},
		{"90 % below, measured", OUT_RIGHT},
		{"simulated", OUT_RIGHT},
		{"within 10 min, %", OUT_RIGHT},
		{"60 min, %", OUT_RIGHT},
		{"trust", OUT_LEFT},
	};
	struct out_table t;
	size_t n = 0;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];

		if (g->kind != kind || g->measured.n == 0 ||
		    ++n > STUDY_GROUPS_SHOWN)
			continue;
		out_table_cell(&t, "%s", g->name);
		out_table_cell(&t, "%zu", g->measured.n);
		slurm_study_wait_cell(&t, g->measured.mean_s, NAN);
		slurm_study_wait_cell(&t, g->simulated.mean_s, NAN);
		slurm_study_wait_cell(&t, g->measured.p90_s, NAN);
		slurm_study_wait_cell(&t, g->simulated.p90_s, NAN);
		out_table_number(&t, 0, share(g->within[1], g->measured.n));
		out_table_number(&t, 0, share(g->within[2], g->measured.n));
		out_table_cell(&t, "%s",
			       slurm_study_distrusts(g) ? "no" : "yes");
	}
	if (n > 0)
		return report_end_table(fp, slurm_study_kind_name(kind), &t,
					kind != STUDY_ACCOUNT);
	out_table_fini(&t);
	return 0;
}

/* Write the table of scenarios: waits, use, and the jobs that wait less or
 * more.
 */
static int scenarios_table(FILE *fp, const struct slurm_study *s)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	   {"change", OUT_LEFT},
		{"mean wait", OUT_RIGHT},  {"half below", OUT_RIGHT},
		{"90 % below", OUT_RIGHT}, {"CPUs used, %", OUT_RIGHT},
		{"sooner", OUT_RIGHT},	   {"later", OUT_RIGHT},
	};
	const struct what_waits *was = &s->groups[0].runs[0];
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->plan->n; i++) {
		const struct what_waits *w = &s->groups[0].runs[i];
		const struct slurm_study_run *r = &s->runs[i];
		const char *changes = s->plan->list[i].changes;

		out_table_cell(&t, "%s", s->plan->list[i].name);
		out_table_cell(&t, "%s", changes ? changes : "-");
		slurm_study_wait_cell(&t, w->mean_s, i ? was->mean_s : NAN);
		slurm_study_wait_cell(&t, w->p50_s, i ? was->p50_s : NAN);
		slurm_study_wait_cell(&t, w->p90_s, i ? was->p90_s : NAN);
		out_table_number(&t, 1, r->utilization_pct);
		out_table_cell(&t, "%zu", r->shorter);
		out_table_cell(&t, "%zu", r->longer);
	}
	return report_end_table(fp, "Scenarios", &t, true);
}

/* A row for each group and scenario. */
static int waits_table(FILE *fp, const struct slurm_study *s,
		       enum slurm_study_kind kind)
{
	const struct out_column columns[] = {
		{slurm_study_kind_name(kind), OUT_LEFT},
		{"scenario", OUT_LEFT},
		{"jobs", OUT_RIGHT},
		{"half below", OUT_RIGHT},
		{"90 % below", OUT_RIGHT},
	};
	struct out_table t;
	char title[64];
	size_t n = 0;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];

		if (g->kind != kind || ++n > STUDY_GROUPS_SHOWN)
			continue;
		for (size_t run = 0; run < s->plan->n; run++) {
			const struct what_waits *w = &g->runs[run];

			out_table_cell(&t, "%s", run ? "" : g->name);
			out_table_cell(&t, "%s", s->plan->list[run].name);
			out_table_cell(&t, "%zu", w->n);
			slurm_study_wait_cell(&t, w->p50_s,
					      run ? g->runs->p50_s : NAN);
			slurm_study_wait_cell(&t, w->p90_s,
					      run ? g->runs->p90_s : NAN);
		}
	}
	snprintf(title, sizeof(title), "Waits by %s",
		 slurm_study_kind_name(kind));
	return report_end_table(fp, title, &t, kind == STUDY_PARTITION);
}

/* Names and counts of a list; nothing if it is empty. */
static int counts_table(FILE *fp, const char *title,
			const struct slurm_study *s, bool unknown)
{
	const struct out_column columns[] = {{title, OUT_LEFT},
					     {"times", OUT_RIGHT}};
	size_t n = unknown ? s->site.nunknown : s->ignored.n;
	struct out_table t;

	if (n == 0)
		return 0;
	out_table_init(&t, columns, 2);
	for (size_t i = 0; i < n; i++) {
		out_table_cell(&t, "%s",
			       unknown ? s->site.unknown[i].what
				       : s->ignored.of[i].what);
		out_table_cell(&t, "%" PRIu64,
			       unknown ? s->site.unknown[i].n
				       : s->ignored.of[i].n);
	}
	return report_end_table(fp, title, &t, true);
}

/* ---- the page ---- */

/* Write a notice if so many jobs are not modelled that the study is doubtful.
 */
static void warning(FILE *fp, const struct slurm_study *s)
{
	double pct = slurm_study_unmodelled_pct(s);
	char text[300];

	if (pct < STUDY_WARN_PCT)
		return;
	snprintf(text, sizeof(text),
		 "%.0f %% of the jobs ask for what is not simulated, or are in "
		 "no partition of the site (see the end of the page). Their "
		 "starts, and those of the jobs behind them, are not to be "
		 "trusted.",
		 pct);
	report_notice(fp, "Much is not modelled:", text);
}

static void never_text(FILE *fp, const struct slurm_study *s)
{
	for (size_t i = 0; i < s->plan->n; i++)
		if (s->runs[i].never > 0)
			report_text(fp,
				    "Jobs that never start with %s: %" PRIu64
				    ".",
				    s->plan->list[i].name, s->runs[i].never);
}

static int write_page(FILE *fp, const struct page *p, struct libra_error *err)
{
	const struct slurm_study *s = p->s;
	const char *cluster = s->site.config.cluster;
	int rc;

	report_open(fp, *cluster ? cluster : "A site",
		    "Slurm's own scheduler: what happened, and what if");
	rc = report_leads(fp, leads, sizeof(leads) / sizeof(leads[0]), p, err);
	if (rc < 0)
		return -1;
	warning(fp, s);
	report_section(fp, "proof", "The proof: the log as it was");
	report_text(fp,
		    "The site's settings and jobs, simulated without a change, "
		    "beside the log. %.1f %% of the CPUs were used until the "
		    "last submission, %.1f %% in the simulation. No trust: a "
		    "group of at least %d jobs whose two mean waits, each at "
		    "least a minute, differ by more than half of the smaller "
		    "one.",
		    s->measured_pct, s->runs[0].utilization_pct,
		    STUDY_LEAST_JOBS);
	for (int k = 0; rc == 0 && k < STUDY_KINDS; k++)
		rc = proof_table(fp, s, (enum slurm_study_kind)k);
	if (rc == 0 && slurm_study_figures(fp, s, err) < 0)
		return -1;
	report_section(fp, "scenarios", "What if");
	report_text(fp,
		    "The simulation again, with what the column change "
		    "names. Brackets compare with the log as it was. Sooner "
		    "and later count the jobs that wait at least ten "
		    "minutes less, or more, than then.");
	if (rc == 0)
		rc = scenarios_table(fp, s);
	never_text(fp, s);
	for (int k = STUDY_QOS; rc == 0 && k <= STUDY_ACCOUNT; k++)
		rc = waits_table(fp, s, (enum slurm_study_kind)k);
	if (rc == 0)
		rc = slurm_study_show_promises(fp, s);
	report_section(fp, "limits", "What is not in it");
	report_text(
		fp,
		"%.1f %% of the jobs ask for what is not modelled; "
		"librasim-slurm(7) has the rules. Jobs left out, which have "
		"no submission, or are in no partition of the site: "
		"%" PRIu64 ".",
		slurm_study_unmodelled_pct(s), s->skipped);
	if (rc == 0)
		rc = counts_table(fp, "not modelled", s, false);
	if (rc == 0)
		rc = counts_table(fp, "not understood", s, true);
	report_close(fp, p->command);
	return rc < 0 ? sim_no_memory(err) : 0;
}

int slurm_study_write(const struct slurm_study *s, const char *folder,
		      const char *command, struct libra_error *err)
{
	static const struct {
		const char *name;
		void (*write)(FILE *fp, const struct slurm_study *s);
	} files[] = {
		{"proof.csv", slurm_study_write_proof},
		{"waits.csv", slurm_study_write_waits},
		{"scenarios.csv", slurm_study_write_scenarios},
		{"figures.csv", slurm_study_write_figures},
		{"what-if.json", slurm_study_write_json},
		{"promises.csv", slurm_study_write_promises},
	};
	const struct page page = {s, command};
	struct out_set set;
	FILE *fp = NULL;
	size_t n;
	int rc = out_set_init(&set, folder, err);

	if (rc < 0)
		return -1;
	/* the last is of promises */
	n = sizeof(files) / sizeof(files[0]) - !slurm_study_promises(s);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		fp = out_set_open(&set, files[i].name, err);
		if (fp)
			files[i].write(fp, s);
		rc = fp ? 0 : -1;
	}
	if (rc == 0) {
		fp = out_set_open(&set, "index.html", err);
		rc = fp ? write_page(fp, &page, err) : -1;
	}
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}
