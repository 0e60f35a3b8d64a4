/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.c - the LibraRisk paper: which points are run.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/icpp2006/experiment.h"

#define LAST_JOBS 3000

const char *const icpp_policy_names[ICPP_NPOLICIES] = {"edf", "libra",
						       "librarisk"};
const char *const icpp_policy_titles[ICPP_NPOLICIES] = {"EDF", "Libra",
							"LibraRisk"};

/* ---- what the figures sweep ---- */

static void set_estimates(struct sim_scenario *sc, int variant)
{
	sc->inaccuracy_pct = variant == ICPP_EXACT ? 0 : 100;
}

static void set_load(struct sim_scenario *sc, int variant, double x)
{
	set_estimates(sc, variant);
	sc->arrival_delay = x;
}

static void set_ratio(struct sim_scenario *sc, int variant, double x)
{
	set_estimates(sc, variant);
	sc->deadline_ratio = x;
}

static void set_urgency(struct sim_scenario *sc, int variant, double x)
{
	set_estimates(sc, variant);
	sc->high_urgency_pct = x;
}

static void set_inaccuracy(struct sim_scenario *sc, int variant, double x)
{
	sc->high_urgency_pct = variant == ICPP_HU20 ? 20 : 80;
	sc->inaccuracy_pct = x;
}

#define ESTIMATES                                                              \
	.variant_column = "estimates", .variant_value = {"exact", "trace"},    \
	.variant_title = {"exact estimates", "the log's estimates"}

const struct icpp_figure icpp_figures[ICPP_NFIGURES] = {
	[ICPP_LOAD] = {.title = "Varying workload",
		       .xlabel = "arrival delay factor",
		       .short_x = "delay",
		       ESTIMATES,
		       .nx = 13,
		       .x = {0.02, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7,
			     0.75, 0.8, 0.9, 1},
		       .set = set_load},
	[ICPP_RATIO] = {.title = "Varying deadline high:low ratio",
			.xlabel = "deadline high:low ratio",
			.short_x = "ratio",
			ESTIMATES,
			.nx = 10,
			.x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
			.set = set_ratio},
	[ICPP_URGENCY] = {.title = "Varying high urgency jobs",
			  .xlabel = "high urgency jobs (%)",
			  .short_x = "urgent",
			  ESTIMATES,
			  .nx = 11,
			  .x = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
			  .set = set_urgency},
	[ICPP_INACCURACY] = {.title = "Varying inaccurate run time estimates",
			     .xlabel = "inaccuracy (%)",
			     .short_x = "inaccuracy",
			     .variant_column = "high_urgency_pct",
			     .variant_value = {"20", "80"},
			     .variant_title = {"20 % high urgency jobs",
					       "80 % high urgency jobs"},
			     .nx = 11,
			     .x = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
			     .set = set_inaccuracy},
};

size_t icpp_at(enum icpp_figure_id f, double x)
{
	const struct icpp_figure *figure = &icpp_figures[f];
	size_t i = 0;

	while (i + 1 < figure->nx && figure->x[i] != x)
		i++;
	return i;
}

double icpp_fulfilled(const struct icpp_study *s, enum icpp_figure_id f,
		      int variant, size_t x, enum icpp_policy p)
{
	return study_stat(&s->study, (size_t)s->cell[f][variant][x][p],
			  s->fulfilled)
		.mean;
}

double icpp_slowdown(const struct icpp_study *s, enum icpp_figure_id f,
		     int variant, size_t x, enum icpp_policy p)
{
	return study_stat(&s->study, (size_t)s->cell[f][variant][x][p],
			  s->slowdown)
		.mean;
}

/* ---- the experiment ---- */

static int add_figure(struct icpp_study *s, int f, struct libra_error *err)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	for (int v = 0; v < 2; v++)
		for (size_t i = 0; i < figure->nx; i++)
			for (int p = 0; p < ICPP_NPOLICIES; p++) {
				struct sim_scenario sc = s->base;
				long cell;

				figure->set(&sc, v, figure->x[i]);
				cell = study_add(&s->study, &sc, s->policy[p],
						 NULL, err);
				if (cell < 0)
					return -1;
				s->cell[f][v][i][p] = cell;
			}
	return 0;
}

/* L58 needs an EDF that never rejects: its switch "admission", turned off. */
static int add_no_admission(struct icpp_study *s, struct libra_error *err)
{
	const struct libra_policy_type *edf = s->policy[ICPP_EDF];
	int at = libra_param_find(edf->params, edf->nparams, "admission", NULL);

	if (at < 0)
		return 0;
	s->no_admission = calloc(edf->nparams, sizeof(double));
	if (!s->no_admission)
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < edf->nparams; i++)
		s->no_admission[i] = edf->params[i].value;
	s->no_admission[at] = 0;
	for (int k = 0; k < 4; k++) {
		struct sim_scenario sc = s->base;
		long cell;

		set_urgency(&sc, k / 2, k % 2 ? 100 : 20);
		cell = study_add(&s->study, &sc, edf, s->no_admission, err);
		if (cell < 0)
			return -1;
		s->no_admission_cell[k / 2][k % 2] = cell;
	}
	return 0;
}

static int set_up(void *study, struct libra_error *err)
{
	struct icpp_study *s = study;

	sim_scenario_init(&s->base);
	s->base.last = LAST_JOBS;
	for (int p = 0; p < ICPP_NPOLICIES; p++) {
		s->policy[p] = libra_policy_find(icpp_policy_names[p], err);
		if (!s->policy[p])
			return -1;
	}
	s->fulfilled = study_column("fulfilled_pct");
	s->slowdown = study_column("mean_slowdown");
	s->wait = study_column("mean_wait_s");
	study_init(&s->study, s->paper.run->seeds, s->paper.run->nseeds);
	for (int f = 0; f < ICPP_NFIGURES; f++)
		if (add_figure(s, f, err) < 0)
			return -1;
	return add_no_admission(s, err);
}

static int measure(void *study, struct libra_error *err)
{
	struct icpp_study *s = study;

	if (icpp_measure_log(s, err) < 0 || icpp_measure_jobs(s, err) < 0)
		return -1;
	return study_run(&s->study, &s->paper.source.trace,
			 s->paper.run->workers, s->paper.run->progress,
			 s->paper.run->progress_arg, err);
}

static void summarize(const void *study, struct out_table *t)
{
	const struct icpp_study *s = study;
	size_t one = icpp_at(ICPP_LOAD, 1), all = icpp_at(ICPP_URGENCY, 100);

	for (int p = 0; p < ICPP_NPOLICIES; p++) {
		out_table_cell(t, "%s", icpp_policy_titles[p]);
		out_table_number(
			t, 1, icpp_fulfilled(s, ICPP_LOAD, ICPP_EXACT, one, p));
		out_table_number(
			t, 1, icpp_fulfilled(s, ICPP_LOAD, ICPP_TRACE, one, p));
		out_table_number(
			t, 1,
			icpp_fulfilled(s, ICPP_URGENCY, ICPP_TRACE, all, p));
	}
}

static void fini(void *study)
{
	struct icpp_study *s = study;

	study_fini(&s->study);
	free(s->no_admission);
}

static const struct out_column columns[] = {
	{"fulfilled, % of jobs", OUT_LEFT},
	{"exact estimates", OUT_RIGHT},
	{"the log's", OUT_RIGHT},
	{"the log's, all urgent", OUT_RIGHT},
};

static const struct sim_paper_steps steps = {
	.size = sizeof(struct icpp_study),
	.set_up = set_up,
	.measure = measure,
	.claims = icpp_claims,
	.nclaims = ICPP_NCLAIMS,
	.npictures = ICPP_NPICTURES,
	.draw = icpp_draw,
	.files = icpp_files,
	.nfiles = ICPP_NFILES,
	.headline = "LibraRisk: deadlines kept in spite of inaccurate run "
		    "time estimates",
	.write_page = icpp_write_page,
	.write_readings = icpp_write_readings,
	.without_log = SIM_PAPER_SYNTHETIC,
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.summarize = summarize,
	.fini = fini,
};

const struct sim_paper sim_paper_icpp2006 = {
	.name = "icpp2006",
	.title = "Managing Risk of Inaccurate Runtime Estimates for Deadline "
		 "Constrained Job Admission Control in Clusters",
	.citation = "C. S. Yeo and R. Buyya, Managing Risk of Inaccurate "
		    "Runtime Estimates for Deadline Constrained Job Admission "
		    "Control in Clusters, ICPP 2006",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.steps = &steps,
};
