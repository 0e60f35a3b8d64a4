/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - the numbers of a study, as CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "sim/base/version.h"
#include "sim/output/json.h"
#include "sim/output/text.h"
#include "sim/site/slurm/cells.h"
#include "sim/site/slurm/promises.h"
#include "sim/site/slurm/tables.h"

/* Return a part of the compared jobs in %. */
static double part(const struct slurm_study_group *g, size_t k)
{
	return g->measured.n
		       ? 100 * (double)g->within[k] / (double)g->measured.n
		       : NAN;
}

void slurm_study_write_proof(FILE *fp, const struct slurm_study *s)
{
	fputs("kind,name,jobs,measured_mean_s,measured_p50_s,measured_p90_s,"
	      "simulated_mean_s,simulated_p50_s,simulated_p90_s,nearness,"
	      "within_1min_pct,within_10min_pct,within_60min_pct,trust\n",
	      fp);
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];
		const double values[] = {g->nearness, part(g, 0), part(g, 1),
					 part(g, 2)};

		fprintf(fp, "%s,", slurm_study_kind_name(g->kind));
		out_csv_text(fp, g->name);
		fprintf(fp, ",%zu", g->measured.n);
		slurm_study_csv_waits(fp, &g->measured);
		slurm_study_csv_waits(fp, &g->simulated);
		out_csv_numbers(fp, values, 4);
		fprintf(fp, ",%s\n", slurm_study_distrusts(g) ? "no" : "yes");
	}
}

void slurm_study_write_waits(FILE *fp, const struct slurm_study *s)
{
	fputs("scenario,kind,name,jobs,mean_s,p50_s,p90_s\n", fp);
	for (size_t run = 0; run < s->plan->n; run++)
		for (size_t i = 0; i < s->ngroups; i++) {
			const struct slurm_study_group *g = &s->groups[i];

			out_csv_text(fp, s->plan->list[run].name);
			fprintf(fp, ",%s,", slurm_study_kind_name(g->kind));
			out_csv_text(fp, g->name);
			fprintf(fp, ",%zu", g->runs[run].n);
			slurm_study_csv_waits(fp, &g->runs[run]);
			fputc('\n', fp);
		}
}

void slurm_study_write_scenarios(FILE *fp, const struct slurm_study *s)
{
	fputs("scenario,changes,started,never_started,preemptions,mean_s,p50_s,"
	      "p90_s,utilization_pct,shorter,longer\n",
	      fp);
	for (size_t run = 0; run < s->plan->n; run++) {
		const struct slurm_study_run *r = &s->runs[run];
		const char *changes = s->plan->list[run].changes;

		out_csv_text(fp, s->plan->list[run].name);
		fputc(',', fp);
		out_csv_text(fp, changes ? changes : "");
		fprintf(fp, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, r->started,
			r->never, r->preempted);
		slurm_study_csv_waits(fp, &s->groups[0].runs[run]);
		out_csv_numbers(fp, &r->utilization_pct, 1);
		fprintf(fp, ",%zu,%zu\n", r->shorter, r->longer);
	}
}

void slurm_study_write_figures(FILE *fp, const struct slurm_study *s)
{
	static const char *const sides[] = {"measured", "simulated"};
	const struct slurm_study_waits *w = &s->waits;

	fputs("figure,series,x,y\n", fp);
	for (size_t k = 0; k < APART_SIDES; k++)
		for (size_t i = 0; i < APART_POINTS; i++) {
			const double point[] = {w->moving.at_s[i] / 86400,
						w->moving.mean_s[k][i] / 3600};

			fprintf(fp, "mean wait over time,%s", sides[k]);
			out_csv_numbers(fp, point, 2);
			fputc('\n', fp);
		}
	for (size_t k = 0; k < APART_SIDES; k++)
		for (size_t i = 0; i < STUDY_POINTS; i++) {
			const double point[] = {w->sorted_s[k][i],
						100 * ((double)i + 0.5) /
							STUDY_POINTS};

			fprintf(fp, "waits by part,%s", sides[k]);
			out_csv_numbers(fp, point, 2);
			fputc('\n', fp);
		}
}

/* ---- JSON ---- */

static void json_proof(struct out_json *j, const struct slurm_study *s)
{
	out_json_array(j, "proof");
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];

		out_json_object(j, NULL);
		out_json_text(j, "kind", slurm_study_kind_name(g->kind));
		out_json_text(j, "name", g->name);
		slurm_study_json_waits(j, "measured", &g->measured);
		slurm_study_json_waits(j, "simulated", &g->simulated);
		out_json_number(j, "nearness", g->nearness);
		out_json_number(j, "within_1min_pct", part(g, 0));
		out_json_number(j, "within_10min_pct", part(g, 1));
		out_json_number(j, "within_60min_pct", part(g, 2));
		out_json_bool(j, "trust", !slurm_study_distrusts(g));
		out_json_end(j);
	}
	out_json_end(j);
}

static void json_scenario(struct out_json *j, const struct slurm_study *s,
			  size_t run)
{
	const struct slurm_study_run *r = &s->runs[run];

	out_json_object(j, NULL);
	out_json_text(j, "name", s->plan->list[run].name);
	out_json_text(j, "changes", s->plan->list[run].changes);
	out_json_count(j, "started", r->started);
	out_json_count(j, "never_started", r->never);
	out_json_count(j, "preemptions", r->preempted);
	out_json_number(j, "utilization_pct", r->utilization_pct);
	out_json_count(j, "shorter", r->shorter);
	out_json_count(j, "longer", r->longer);
	out_json_array(j, "waits");
	for (size_t i = 0; i < s->ngroups; i++) {
		const struct slurm_study_group *g = &s->groups[i];

		out_json_object(j, NULL);
		out_json_text(j, "kind", slurm_study_kind_name(g->kind));
		out_json_text(j, "name", g->name);
		slurm_study_json_wait_members(j, &g->runs[run]);
		out_json_end(j);
	}
	out_json_end(j);
	slurm_study_json_promises(j, s, run);
	out_json_end(j);
}

void slurm_study_write_json(FILE *fp, const struct slurm_study *s)
{
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "version", sim_version());
	out_json_text(&j, "cluster", s->site.config.cluster);
	out_json_count(&j, "jobs", s->jobs);
	out_json_count(&j, "skipped", s->skipped);
	out_json_number(&j, "unmodelled_pct", slurm_study_unmodelled_pct(s));
	out_json_number(&j, "measured_utilization_pct", s->measured_pct);
	out_json_number(&j, "moving_error_pct", s->waits.moving.error_pct);
	json_proof(&j, s);
	out_json_array(&j, "scenarios");
	for (size_t run = 0; run < s->plan->n; run++)
		json_scenario(&j, s, run);
	out_json_end(&j);
	out_json_object(&j, "not_modelled");
	for (size_t i = 0; i < s->ignored.n; i++)
		out_json_count(&j, s->ignored.of[i].what, s->ignored.of[i].n);
	out_json_end(&j);
	out_json_object(&j, "not_understood");
	for (size_t i = 0; i < s->site.nunknown; i++)
		out_json_count(&j, s->site.unknown[i].what,
			       s->site.unknown[i].n);
	out_json_end(&j);
	out_json_end(&j);
}
