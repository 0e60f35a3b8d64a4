/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the paper on integrated risk analysis: its experiments, and
 * what they gave.
 *
 * For the files ipdps2007*.c alone.  Two sets of five scenarios vary one value
 * each, six times, for five policies.  All of it is repeated for other
 * readings of what the paper leaves open, so that each claim can say on what
 * it depends.  Money follows two functions f and g of the run time, which the
 * paper does not give.
 */
#ifndef SIM_IPDPS2007_H
#define SIM_IPDPS2007_H

#include "sim/log/trace_stats.h"
#include "sim/paper/steps.h"
#include "sim/report/claims.h"
#include "sim/report/report.h"
#include "sim/study/experiment.h"
#include "sim/study/risk_analysis.h"

enum ipdps_policy {
	IPDPS_FCFS_BF,
	IPDPS_EDF_BF,
	IPDPS_LIBRA,
	IPDPS_LIBRARISK,
	IPDPS_FIRSTREWARD,
	IPDPS_NPOLICIES
};

enum ipdps_set { IPDPS_A, IPDPS_B, IPDPS_NSETS };

enum ipdps_scenario_id {
	IPDPS_WORKLOAD,
	IPDPS_MIX,
	IPDPS_DEADLINE,
	IPDPS_BUDGET,
	IPDPS_PENALTY,
	IPDPS_NSCENARIOS
};

enum ipdps_objective {
	IPDPS_SLA,
	IPDPS_RELIABILITY,
	IPDPS_PROFIT,
	IPDPS_NOBJECTIVES
};

#define IPDPS_NVALUES 6
#define IPDPS_ALL                                                              \
	(1u << IPDPS_SLA | 1u << IPDPS_RELIABILITY | 1u << IPDPS_PROFIT)

struct ipdps_scenario {
	const char *name;  /* in CSV files */
	const char *title; /* "deadline bias" */
	double value[IPDPS_NSETS][IPDPS_NVALUES];
	size_t offset; /* of what it varies in struct sim_scenario */
};

/* A reading of what the paper leaves open. */
struct ipdps_reading {
	const char *name;  /* in CSV files */
	const char *title; /* to follow "with" */
	bool keep_unrun;
	enum sim_budget_base f;
	enum sim_penalty_base g;
	double discount_unit_s; /* of FirstReward */
};

#define IPDPS_NREADINGS 7 /* the first one is the adopted one */

extern const struct ipdps_scenario ipdps_scenarios[IPDPS_NSCENARIOS];
extern const struct ipdps_reading ipdps_readings[IPDPS_NREADINGS];
extern const char *const ipdps_policy_names[IPDPS_NPOLICIES];
extern const char *const ipdps_policy_titles[IPDPS_NPOLICIES];
extern const char *const ipdps_objective_titles[IPDPS_NOBJECTIVES];

/* R11: FirstReward's parameters, one varied at a time. */
struct ipdps_tuning {
	const char *param;
	double value;
	bool hours; /* discount per hour, else per second */
	long cell[IPDPS_NSETS];
};

#define IPDPS_NTUNINGS 46

/* R12: the backfilling policies without their test. */
struct ipdps_untested {
	enum ipdps_policy policy;
	enum ipdps_set set;
	double urgent; /* % */
	long with, without;
};

#define IPDPS_NUNTESTED 8

struct ipdps_study {
	struct sim_paper_study paper; /* first: its steps see no more */
	struct sim_scenario base;
	const struct libra_policy_type *policy[IPDPS_NPOLICIES];
	const struct sim_result_column *column[IPDPS_NOBJECTIVES];
	struct study study;
	double hourly[8], no_admission[4]; /* parameters */
	double tuned[IPDPS_NTUNINGS][8];
	long cell[IPDPS_NREADINGS][IPDPS_NSETS][IPDPS_NSCENARIOS][IPDPS_NVALUES]
		 [IPDPS_NPOLICIES];
	/* From the cells' means over the seeds. */
	struct risk_point point[IPDPS_NREADINGS][IPDPS_NSETS][IPDPS_NSCENARIOS]
			       [IPDPS_NPOLICIES][IPDPS_NOBJECTIVES];
	struct ipdps_tuning tuning[IPDPS_NTUNINGS];
	struct ipdps_untested untested[IPDPS_NUNTESTED];
	struct trace_stats log, whole_log; /* the last 5000 records; all */
	size_t jobs;			   /* simulated, of each seed */
};

#define IPDPS_NCLAIMS 33
extern const struct claim ipdps_claims[IPDPS_NCLAIMS];

/* The mean over the seeds of one objective. */
double ipdps_value(const struct ipdps_study *s, size_t cell,
		   enum ipdps_objective o);
/* At the default point of a set, by the adopted reading. */
double ipdps_default(const struct ipdps_study *s, int reading,
		     enum ipdps_set set, enum ipdps_policy p,
		     enum ipdps_objective o);
/* Integrated analysis of the objectives in a bit mask, equal weights: in one
 * scenario, and averaged over all of them.
 */
struct risk_point ipdps_integrated(const struct ipdps_study *s, int reading,
				   enum ipdps_set set,
				   enum ipdps_scenario_id sc,
				   enum ipdps_policy p, unsigned objectives);
struct risk_point ipdps_mean(const struct ipdps_study *s, int reading,
			     enum ipdps_set set, enum ipdps_policy p,
			     unsigned objectives);

/* ipdps2007_facts.c: the log, the formulas, and the parameters */
claim_check_f ipdps_r1, ipdps_r2, ipdps_r3, ipdps_r4, ipdps_r5, ipdps_r6,
	ipdps_r7, ipdps_r8, ipdps_r9, ipdps_r10, ipdps_r33;

/* ipdps2007_judges.c: claims about results, by one reading */
struct ipdps_view {
	const struct ipdps_study *s;
	int reading;
};

typedef void ipdps_judge_f(const struct ipdps_view *v, struct claim_result *r);

ipdps_judge_f ipdps_judge_r11, ipdps_judge_r12, ipdps_judge_r13,
	ipdps_judge_r14, ipdps_judge_r15, ipdps_judge_r16, ipdps_judge_r17,
	ipdps_judge_r18, ipdps_judge_r19, ipdps_judge_r20, ipdps_judge_r21,
	ipdps_judge_r22, ipdps_judge_r23, ipdps_judge_r24, ipdps_judge_r25,
	ipdps_judge_r26, ipdps_judge_r27, ipdps_judge_r28, ipdps_judge_r29,
	ipdps_judge_r30, ipdps_judge_r31, ipdps_judge_r32;

/* ipdps2007_claims.c: does a claim hold by a reading?  CLAIM_INFO if it does
 * not depend on one.
 */
enum claim_status ipdps_judge(const struct ipdps_study *s, size_t claim,
			      int reading);

/* ipdps2007_page.c: the steps of the report */
#define IPDPS_NPICTURES 14
int ipdps_draw(const void *study, size_t picture, char **svg,
	       struct libra_error *err);
void ipdps_write_page(FILE *fp, const void *study);
void ipdps_write_readings(FILE *fp, const void *study);

/* ipdps2007_files.c: CSV and JSON */
#define IPDPS_NFILES 12
extern const struct sim_paper_file ipdps_files[IPDPS_NFILES];

#endif
