/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the comparison of all deadline policies, from inside.
 *
 * Not a paper but this project's own study: policies x execution models x
 * deadline models x loads, with the bound that nobody can exceed, what each
 * part of band is worth, and other logs.
 */
#ifndef SIM_BEYOND_H
#define SIM_BEYOND_H

#include "sim/paper/steps.h"
#include "sim/study/experiment.h"

enum beyond_policy {
	BEYOND_EDF,
	BEYOND_LIBRA,
	BEYOND_LIBRARISK,
	BEYOND_DEMAND,
	BEYOND_BAND,
	BEYOND_NPOLICIES
};

enum {
	BEYOND_NEXECUTIONS = 3, /* independent, coupled, spinning */
	BEYOND_NMODELS = 3,	/* run, estimate, user */
	BEYOND_NDELAYS = 3,
	BEYOND_NURGENT = 2,
	BEYOND_NVARIANTS = 8, /* of band */
	BEYOND_NLOGS = 5,
	BEYOND_NLOG_DELAYS = 2,
	BEYOND_NLOG_RUNS = 3, /* librarisk twice, band */
	BEYOND_NCORRECTED = 4,
	BEYOND_NCLAIMS = 20,
};

extern const char *const beyond_policies[BEYOND_NPOLICIES];
extern const char *const beyond_titles[BEYOND_NPOLICIES];
extern const char *const beyond_models[BEYOND_NMODELS]; /* "(a) ..." */
extern const double beyond_delays[BEYOND_NDELAYS];
extern const double beyond_urgent[BEYOND_NURGENT];

/* band without a part of it: a parameter and its value. */
struct beyond_variant {
	const char *title;
	const char *param; /* NULL: as it is */
	double value;
};
extern const struct beyond_variant beyond_variants[BEYOND_NVARIANTS];

/* A policy that is offered corrected estimates, parts coupled. */
struct beyond_corrected {
	enum beyond_policy policy;
	double quantile;
};
extern const struct beyond_corrected beyond_corrected[BEYOND_NCORRECTED];

/* Another log: its last 5000 records. */
struct beyond_log {
	const char *name, *file;
	int unit;			     /* processors that are one here */
	double expected[BEYOND_NLOG_DELAYS]; /* of band, in an earlier study;
						NAN = none */
};
extern const struct beyond_log beyond_logs[BEYOND_NLOGS];

struct beyond_point {
	int execution, model, delay, urgent; /* indices */
};

struct beyond_study {
	struct sim_paper_study paper; /* first: its steps see no more */
	struct study study;
	long cell[BEYOND_NPOLICIES][BEYOND_NEXECUTIONS][BEYOND_NMODELS]
		 [BEYOND_NDELAYS][BEYOND_NURGENT];
	double *params[BEYOND_NVARIANTS];
	long variant[BEYOND_NVARIANTS][BEYOND_NMODELS][BEYOND_NDELAYS];
	long corrected[BEYOND_NCORRECTED][BEYOND_NMODELS][BEYOND_NDELAYS];
	double bound[BEYOND_NMODELS][BEYOND_NDELAYS][BEYOND_NURGENT];
	struct study logs[BEYOND_NLOGS];
	bool have_log[BEYOND_NLOGS];
	long log_cell[BEYOND_NLOGS][BEYOND_NLOG_RUNS][BEYOND_NLOG_DELAYS];
	char log_sha256[BEYOND_NLOGS][65];
	double cost_us[2]; /* of an offer: SDSC SP2 at 0.1, CTC at 0.3 */
};

/* Of a table with one column for each deadline model and load. */
/* clang-format off */
#define BEYOND_COLUMNS                                                         \
	{"(a) 1", OUT_RIGHT}, {"0.3", OUT_RIGHT}, {"0.1", OUT_RIGHT},          \
	{"(b) 1", OUT_RIGHT}, {"0.3", OUT_RIGHT}, {"0.1", OUT_RIGHT},          \
	{"(c) 1", OUT_RIGHT}, {"0.3", OUT_RIGHT}, {"0.1", OUT_RIGHT}
/* clang-format on */

/* What is reported, as offsets into struct sim_result. */
enum beyond_column {
	BEYOND_FULFILLED,
	BEYOND_RELIABILITY,
	BEYOND_SLOWDOWN,
	BEYOND_MEDIAN,
	BEYOND_WORK,
	BEYOND_QUINTILE, /* and the four behind it */
	BEYOND_NCOLUMNS = BEYOND_QUINTILE + SIM_QUINTILES
};
extern const struct sim_result_column beyond_columns[BEYOND_NCOLUMNS];

/* Means over the seeds. */
double beyond_value(const struct beyond_study *s, enum beyond_policy p,
		    struct beyond_point at, enum beyond_column column);
double beyond_variant_value(const struct beyond_study *s, int variant,
			    int model, int delay, enum beyond_column column);
double beyond_corrected_value(const struct beyond_study *s, int corrected,
			      int model, int delay, enum beyond_column column);
double beyond_log_value(const struct beyond_study *s, int log, int run,
			int delay, enum beyond_column column);

extern const struct claim beyond_claims[BEYOND_NCLAIMS];

/* beyond_page.c: the steps of the report */
int beyond_draw(const void *study, size_t picture, char **svg,
		struct libra_error *err);
void beyond_write_page(FILE *fp, const void *study);
void beyond_write_readings(FILE *fp, const void *study);

#define BEYOND_NFILES 6
extern const struct sim_paper_file beyond_files[BEYOND_NFILES];

#endif
