/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the market paper: its experiments and their results.  For the
 * files of this folder alone.
 *
 * Configurations of load and values run under best effort (BE), statistical
 * (SAC) and capacity admission (CAC), and one of them also under random
 * rejection (RAC).  Every seed is a repetition with a work plan that all models
 * get.  The paper made five repetitions; claims that depend on this use the
 * first five seeds.  All runs are repeated with other options, with some of the
 * seeds.
 */
#ifndef SIM_CCGRID2008_H
#define SIM_CCGRID2008_H

#include "sim/market/market.h"
#include "sim/model/stats.h"
#include "sim/paper/ccgrid2008/models.h"
#include "sim/paper/steps.h"

enum cc_config { CC_PARETO_LOW, CC_PARETO_HIGH, CC_EQUAL, CC_NORMAL };
#define CC_NCONFIGS 4

/* RAC runs in CC_PARETO_HIGH alone. */
enum cc_model { CC_BE, CC_SAC, CC_CAC, CC_RAC };
#define CC_NMODELS 4

#define CC_PAPER_SEEDS 5

enum cc_metric {
	CC_VIOLATIONS,	    /* not fulfilled / admitted */
	CC_UTILIZATION,	    /* CPU time used / CPU time until the last end */
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

/* All repetitions with the same options. */
struct cc_runs {
	const uint64_t *seeds;
	size_t nseeds; /* 0 = these options cannot be combined */
	double options[MARKET_NOPTIONS];
	double *values;	   /* see cc_value(); and the offered load by seed */
	double reject_pct; /* of RAC */
	double load[2];	   /* offered: work / CPU time until the last submission
			      and one mean gap more */
};

/* The report's own options with all seeds, with some, and other options. */
#define CC_NREADINGS 30

struct cc_study {
	struct sim_paper_study
		common; /* the first member, for the common steps */
	struct cc_models models;
	struct cc_runs runs[CC_NREADINGS];
};

/* The titles are options and their values: "ends 2, promise 0.6". */
extern const struct design_level cc_readings[CC_NREADINGS];

/* experiment.c.  measure: run all repetitions in worker processes; 0, or -1
 * with err.  value: the place of one metric of one run, in r->values.
 */
int cc_measure(void *study, struct libra_error *err);
void cc_fini(void *study);
double *cc_value(const struct cc_runs *r, size_t config, size_t model,
		 size_t metric, size_t seed);

/* points.c */
#define CC_NDESIGNS 9
extern const struct design cc_designs[CC_NDESIGNS];

/* models.c.  Functions values() (study/design.h) of its designs; measure: 0, or
 * -1 with err.
 */
size_t cc_fit_values(const void *owner, const struct design_place *p,
		     const char *column, double *value);
size_t cc_model_values(const void *owner, const struct design_place *p,
		       const char *column, double *value);
size_t cc_size_values(const void *owner, const struct design_place *p,
		      const char *column, double *value);
extern const struct design_level cc_samples[CC_NSAMPLES];
int cc_models_measure(struct cc_study *s, const struct sim_trace_series *series,
		      const double *options, struct libra_error *err);
claim_check_f cc_on_trace, cc_draws, cc_tolerances;

/* formulas.c.  The errors are differences from the formulas, for claims. */
#define CC_NCASES 4
extern const struct design_level cc_cases[CC_NCASES];
size_t cc_case_values(const void *owner, const struct design_place *p,
		      const char *column, double *value);
double cc_rates_error(void);
double cc_eq18_error(void);

#endif
