/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.c - promises of the scenarios, and what they cost the other jobs. */
#include <inttypes.h>
#include <math.h>

#include "sim/output/text.h"
#include "sim/report/report.h"
#include "sim/site/slurm/cells.h"
#include "sim/site/slurm/promises.h"
#include "sim/slurm/result.h"

static bool makes(const struct slurm_study *s, size_t run)
{
	return s->runs[run].share > 0;
}

bool slurm_study_promises(const struct slurm_study *s)
{
	size_t run = 0;

	while (run < s->plan->n && !makes(s, run))
		run++;
	return run < s->plan->n;
}

/* Return true if the costs of a group are shown. */
static bool is_shown(const struct slurm_study *s, size_t group, size_t run)
{
	return s->groups[group].others[run].with.n > 0;
}

/* ---- CSV and JSON ---- */

void slurm_study_write_promises(FILE *fp, const struct slurm_study *s)
{
	fputs("scenario,share_pct,within,unable,asked,given,kept,overran,"
	      "broken,cancelled,expired,kind,name,others,mean_s,p50_s,p90_s,was_mean_s,"
	      "was_p50_s,was_p90_s\n",
	      fp);
	for (size_t run = 0; run < s->plan->n; run++)
		for (size_t g = 0; makes(s, run) && g < s->ngroups; g++) {
			const struct slurm_study_run *r = &s->runs[run];
			const struct sched_promise_counts *c = &r->promises;
			const struct slurm_study_others *o =
				&s->groups[g].others[run];

			/* the counts are told even if no other job is left */
			if (g > 0 && !is_shown(s, g, run))
				continue;
			out_csv_text(fp, s->plan->list[run].name);
			fprintf(fp, ",%g,%g", 100 * r->share, r->within);
			fprintf(fp,
				",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
				",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
				",%s,",
				c->unable, c->asked, c->given, c->kept,
				c->overran, c->broken, c->cancelled, c->expired,
				slurm_study_kind_name(s->groups[g].kind));
			out_csv_text(fp, s->groups[g].name);
			fprintf(fp, ",%zu", o->with.n);
			slurm_study_csv_waits(fp, &o->with);
			slurm_study_csv_waits(fp, &o->without);
			fputc('\n', fp);
		}
}

void slurm_study_json_promises(struct out_json *j, const struct slurm_study *s,
			       size_t run)
{
	if (!makes(s, run))
		return;
	sched_json_promises(j, &s->runs[run].promises, &s->runs[run].unable);
	out_json_array(j, "others");
	for (size_t g = 0; g < s->ngroups; g++) {
		const struct slurm_study_others *o = &s->groups[g].others[run];

		if (!is_shown(s, g, run))
			continue;
		out_json_object(j, NULL);
		out_json_text(j, "kind",
			      slurm_study_kind_name(s->groups[g].kind));
		out_json_text(j, "name", s->groups[g].name);
		slurm_study_json_waits(j, "with", &o->with);
		slurm_study_json_waits(j, "without", &o->without);
		out_json_end(j);
	}
	out_json_end(j);
}

/* ---- the page ---- */

static int counts_table(FILE *fp, const struct slurm_study *s)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	      {"of the jobs, %", OUT_RIGHT},
		{"within", OUT_RIGHT},	      {"asked", OUT_RIGHT},
		{"given", OUT_RIGHT},	      {"kept", OUT_RIGHT},
		{"broken", OUT_RIGHT},	      {"overran", OUT_RIGHT},
		{"cancelled", OUT_RIGHT},     {"expired", OUT_RIGHT},
		{"could not ask", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t run = 0; run < s->plan->n; run++) {
		const struct slurm_study_run *r = &s->runs[run];
		const struct sched_promise_counts *c = &r->promises;

		if (!makes(s, run))
			continue;
		out_table_cell(&t, "%s", s->plan->list[run].name);
		out_table_cell(&t, "%g", 100 * r->share);
		out_table_cell(&t, "%g limits", r->within);
		out_table_cell(&t, "%" PRIu64, c->asked);
		out_table_cell(&t, "%" PRIu64, c->given);
		out_table_cell(&t, "%" PRIu64, c->kept);
		out_table_cell(&t, "%" PRIu64, c->broken);
		out_table_cell(&t, "%" PRIu64, c->overran);
		out_table_cell(&t, "%" PRIu64, c->cancelled);
		out_table_cell(&t, "%" PRIu64, c->expired);
		out_table_cell(&t, "%" PRIu64, c->unable);
	}
	return report_end_table(fp, "Promises", &t, true);
}

/* Write why jobs could not ask, and how many for each reason. */
static int unable_table(FILE *fp, const struct slurm_study *s)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},
		{"could not ask", OUT_LEFT},
		{"jobs", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t run = 0; run < s->plan->n; run++) {
		const struct sched_ignored_list *unable = &s->runs[run].unable;

		for (size_t i = 0; i < unable->n; i++) {
			out_table_cell(&t, "%s", s->plan->list[run].name);
			out_table_cell(&t, "%s", unable->of[i].what);
			out_table_cell(&t, "%" PRIu64, unable->of[i].n);
		}
	}
	return report_end_table(fp, "Jobs that could not ask", &t, true);
}

/* Waits of the jobs without a promise, by group: with promises and as it was.
 */
static int others_table(FILE *fp, const struct slurm_study *s,
			enum slurm_study_kind kind)
{
	const struct out_column columns[] = {
		{kind == STUDY_ALL ? "jobs without a promise"
				   : slurm_study_kind_name(kind),
		 OUT_LEFT},
		{"scenario", OUT_LEFT},
		{"jobs", OUT_RIGHT},
		{"half below, without", OUT_RIGHT},
		{"with promises", OUT_RIGHT},
		{"90 % below, without", OUT_RIGHT},
		{"with promises", OUT_RIGHT},
	};
	struct out_table t;
	char title[64];
	size_t n = 0;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t g = 0; g < s->ngroups && n < STUDY_GROUPS_SHOWN; g++) {
		if (s->groups[g].kind != kind)
			continue;
		n++;
		for (size_t run = 0; run < s->plan->n; run++) {
			const struct slurm_study_others *o =
				&s->groups[g].others[run];

			if (!is_shown(s, g, run))
				continue;
			out_table_cell(&t, "%s", s->groups[g].name);
			out_table_cell(&t, "%s", s->plan->list[run].name);
			out_table_cell(&t, "%zu", o->with.n);
			slurm_study_wait_cell(&t, o->without.p50_s, NAN);
			slurm_study_wait_cell(&t, o->with.p50_s,
					      o->without.p50_s);
			slurm_study_wait_cell(&t, o->without.p90_s, NAN);
			slurm_study_wait_cell(&t, o->with.p90_s,
					      o->without.p90_s);
		}
	}
	snprintf(title, sizeof(title), "Waits of the others%s%s",
		 kind == STUDY_ALL ? "" : ", by ",
		 kind == STUDY_ALL ? "" : slurm_study_kind_name(kind));
	return report_end_table(fp, title, &t, true);
}

int slurm_study_show_promises(FILE *fp, const struct slurm_study *s)
{
	int rc;

	if (!slurm_study_promises(s))
		return 0;
	report_section(fp, "promises", "Promises");
	report_text(fp,
		    "A share of the jobs asks at submission for an end within "
		    "so many times the limit; the planner of slurmctld's "
		    "policy planned answers. Given promises count against the "
		    "limits of QOS and associations, and are kept if the job "
		    "ends by its deadline. A job that overran ended late "
		    "because it ran longer than its limit. A refused job "
		    "waits as an ordinary one. A job with a dependency or a "
		    "begin time asks when it may start, and expires if it is "
		    "refused until too late.");
	rc = counts_table(fp, s);
	if (rc == 0)
		rc = unable_table(fp, s);
	report_text(fp,
		    "The others are the jobs without a promise: their waits in "
		    "this scenario, and the waits of the same jobs as it was.");
	for (int k = STUDY_ALL; rc == 0 && k <= STUDY_PARTITION; k++)
		rc = others_table(fp, s, (enum slurm_study_kind)k);
	return rc;
}
