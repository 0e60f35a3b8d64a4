/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the market paper: its experiments, and what they gave.  For
 * the files of this folder alone.
 *
 * Configurations of load and values, each under best effort (BE), statistical
 * (SAC) and capacity admission (CAC), and one of them under random rejection
 * (RAC); every seed is a repetition with a work plan that all models see.  The
 * paper made five repetitions: the first five seeds stand for them where it
 * matters.
 */
#ifndef SIM_CCGRID2008_H
#define SIM_CCGRID2008_H

#include "sim/market/market.h"
#include "sim/model/stats.h"
#include "sim/paper/ccgrid2008/claims_models.h"
#include "sim/paper/steps.h"

enum cc_config { CC_PARETO_LOW, CC_PARETO_HIGH, CC_EQUAL, CC_NORMAL };
#define CC_NCONFIGS 4

/* RAC runs in CC_PARETO_HIGH alone. */
enum cc_model { CC_BE, CC_SAC, CC_CAC, CC_RAC };
#define CC_NMODELS 4

#define CC_PAPER_SEEDS 5

enum cc_metric {
	CC_VIOLATIONS,	    /* not fulfilled / admitted */
	CC_UTILIZATION,	    /* CPU time used / there until the last end */
	CC_REJECTIONS,	    /* rejected / submitted */
	CC_CORRELATION,	    /* of the price with BE's */
	CC_INELASTIC,	    /* efficiency, alpha 1: sum / sum of the optimum */
	CC_ELASTIC,	    /* efficiency, alpha 0 */
	CC_RATIO_INELASTIC, /* the same, mean of the ratios job by job */
	CC_RATIO_ELASTIC,
	CC_PW,	    /* fulfilled / admitted */
	CC_PA,	    /* admitted / submitted */
	CC_PD,	    /* mean part of the work done, admitted jobs */
	CC_Q,	    /* mean price / value, admitted jobs */
	CC_OPT_GAP, /* how far the optimum used may be below the true one */
	CC_NMETRICS
};

/* Values of options, other than the defaults, that are tried together. */
#define CC_NSETTINGS 5
struct cc_variant {
	struct cc_setting {
		enum market_option option;
		double value;
	} settings[CC_NSETTINGS];
	size_t n;
};

#define CC_NCLAIMS	   18 /* M20 to M37 */
#define CC_FIRST_SIMULATED 2  /* M22: the first that the options decide */
#define CC_NSIMULATED	   13 /* to M34 */

/* What M22 to M25 are about, for the table over the options. */
#define CC_NSUMMARY 13
extern const char *const cc_summary[CC_NSUMMARY];

/* One point of that table. */
struct cc_sensitivity {
	const struct cc_variant *variant; /* NULL = as it is */
	struct claim_result results[CC_NCLAIMS];
	double values[CC_NSUMMARY];
	unsigned positive; /* cells of table 2 */
};

/* "ends 2, promise 0.6"; NULL is the report's own point. */
void cc_variant_name(const struct cc_variant *variant, char *name, size_t size);

/* Numbers of all repetitions. */
struct cc_study {
	/* Of the report's own study alone, as what stands at the end. */
	struct sim_paper_study paper;
	double options[MARKET_NOPTIONS];
	size_t nseeds;	   /* of the run's */
	double *values;	   /* see cc_value(); and what each seed offered */
	double reject_pct; /* of RAC */
	double load[2];	   /* offered: work / CPU time, until the last
			      submission and on average a gap more */

	struct model_study models;
	struct cc_sensitivity *sensitivity;
	size_t nsensitivity;
};

extern const struct paper_ask cc_asks[];

/* experiment.c */
int cc_measure(void *study, struct libra_error *err);
double *cc_value(const struct cc_study *s, size_t config, size_t model,
		 size_t metric, size_t seed);

/* points.c */
#define CC_NDESIGNS 3
extern const struct design cc_designs[CC_NDESIGNS];
extern const struct paper_number cc_numbers[];
extern const struct design_level cc_configs[CC_NCONFIGS];

/* Table 2: three pairs of models x two metrics x four configurations. */
#define CC_NPAIRS 3
extern const char *const cc_pairs[CC_NPAIRS][2];
extern const double cc_paper_t[CC_NPAIRS][2][CC_NCONFIGS];
/* The paired t of the first n seeds; NAN if there is none. */
double cc_t(const struct cc_study *s, size_t pair, bool utilization,
	    size_t config, size_t n);
/* How many of the 24 are positive with all seeds. */
unsigned cc_positive(const struct cc_study *s);
/* The first five seeds, or as many as there are. */
size_t cc_first_five(const struct cc_study *s);

#endif
