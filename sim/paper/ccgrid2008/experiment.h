/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the market paper: its experiments, and what they gave.
 *
 * For the files ccgrid2008*.c alone.  Configurations of load and values, each
 * under best effort (BE), statistical (SAC) and capacity admission (CAC), and
 * one of them under random rejection (RAC); every seed is a repetition with a
 * work plan that all models see.  The paper made five repetitions: the first
 * five seeds stand for them where it matters.
 */
#ifndef SIM_CCGRID2008_H
#define SIM_CCGRID2008_H

#include "sim/market/market.h"
#include "sim/model/stats.h"
#include "sim/paper/ccgrid2008/claims_models.h"
#include "sim/paper/steps.h"
#include "sim/report/claims.h"
#include "sim/report/report.h"

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

struct cc_column {
	const char *name; /* of the CSV */
	const char *help;
};
extern const struct cc_column cc_columns[CC_NMETRICS];

struct cc_config_type {
	const char *name, *title;
	enum market_load load;
	enum market_values values;
};
extern const struct cc_config_type cc_configs[CC_NCONFIGS];
extern const char *const cc_model_titles[CC_NMODELS];

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

/* One point of the table over the options. */
struct cc_sensitivity {
	const struct cc_variant *variant; /* NULL = as it is */
	struct claim_result results[CC_NCLAIMS];
	/* What M22 to M25 are about. */
	double be_low, be_high, be_inelastic, be_elastic, cac_low, cac_high;
	double be_violations, sac_violations, cac_violations;
	double be_equal, sac_equal;	   /* the same with equal values */
	double rejections, low_rejections; /* of CAC, Pareto */
	unsigned positive;		   /* cells of table 2 */
};

extern const struct cc_variant cc_variants[];
extern const size_t cc_nvariants;

/* "ends 2, promise 0.6"; NULL is the report's own point. */
void cc_variant_name(const struct cc_variant *variant, char *name, size_t size);

/* Numbers of all repetitions. */
struct cc_study {
	/* Of the report's own study alone, as what stands at the end: its
	 * claims are M1 to M37.
	 */
	struct sim_paper_study paper;
	double options[MARKET_NOPTIONS];
	const uint64_t *seeds;
	size_t nseeds;
	double *values;	   /* see cc_value(); and what each seed offered */
	double reject_pct; /* of RAC */
	double load[2];	   /* offered: work / CPU time, until the last
			      submission and on average a gap more */

	struct model_study models;
	struct cc_sensitivity *sensitivity;
	size_t nsensitivity;
	struct claim *claims;
};

extern const struct claim cc_claims[CC_NCLAIMS];

double *cc_value(const struct cc_study *s, int config, int model, int metric,
		 size_t seed);

/* Over the first n seeds; those without a number are left out. */
struct cc_stat {
	double mean, sd, ci; /* half of the 95 % interval of the mean */
	size_t n;
};

struct cc_stat cc_stat(const struct cc_study *s, int config, int model,
		       int metric, size_t n);
/* The mean over all seeds. */
double cc_mean(const struct cc_study *s, int config, int model, int metric);
double cc_efficiency(const struct cc_study *s, int config, int model,
		     double alpha);

/* The efficiency at one weight of inelastic utility, over the first n seeds. */
struct cc_stat cc_efficiency_stat(const struct cc_study *s, int config,
				  int model, double alpha, size_t n);

/* Does a model run in a configuration? */
bool cc_runs(int config, int model);

/* Table 2: three pairs of models x two metrics x four configurations. */
#define CC_NPAIRS 3
extern const enum cc_model cc_pairs[CC_NPAIRS][2];
extern const double cc_paper_t[CC_NPAIRS][2][CC_NCONFIGS];
/* The paired t of the first n seeds; NAN if there is none. */
double cc_t(const struct cc_study *s, int pair, bool utilization, int config,
	    size_t n);

/* ccgrid2008_page.c: the steps of the report */
#define CC_NPICTURES 10
int cc_draw(const void *study, size_t picture, char **svg,
	    struct libra_error *err);
void cc_write_page(FILE *fp, const void *study);
void cc_write_readings(FILE *fp, const void *study);

/* ccgrid2008_tables.c: CSV */
#define CC_NFILES 9
extern const struct sim_paper_file cc_files[CC_NFILES];

#endif
