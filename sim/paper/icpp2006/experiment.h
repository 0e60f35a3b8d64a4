/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the LibraRisk paper: its experiments, and what they gave.
 *
 * For the files icpp2006*.c alone.  Four figures sweep one value each, for
 * three policies and two variants (exact estimates and the log's; in figure 4
 * 20 and 80 % urgent jobs); every point is a cell of a study.
 */
#ifndef SIM_ICPP2006_H
#define SIM_ICPP2006_H

#include "sim/log/trace_stats.h"
#include "sim/paper/steps.h"
#include "sim/report/claims.h"
#include "sim/report/report.h"
#include "sim/study/experiment.h"

enum icpp_policy { ICPP_EDF, ICPP_LIBRA, ICPP_LIBRARISK, ICPP_NPOLICIES };

enum icpp_figure_id {
	ICPP_LOAD,	 /* figure 1: arrival delay factor */
	ICPP_RATIO,	 /* figure 2: deadline high:low ratio */
	ICPP_URGENCY,	 /* figure 3: % of high urgency jobs */
	ICPP_INACCURACY, /* figure 4: inaccuracy of the estimates */
	ICPP_NFIGURES
};

enum { ICPP_EXACT, ICPP_TRACE }; /* variants of figures 1 to 3 */
enum { ICPP_HU20, ICPP_HU80 };	 /* variants of figure 4 */

#define ICPP_MAX_X 13

struct icpp_figure {
	const char *title;	      /* "Varying workload" */
	const char *xlabel;	      /* for the axis */
	const char *short_x;	      /* for a claim's text: "delay" */
	const char *variant_column;   /* of the CSV */
	const char *variant_value[2]; /* in the CSV */
	const char *variant_title[2]; /* in captions */
	size_t nx;
	double x[ICPP_MAX_X];
	void (*set)(struct sim_scenario *sc, int variant, double x);
};

extern const struct icpp_figure icpp_figures[ICPP_NFIGURES];

/* Names as typed, and as written in the paper. */
extern const char *const icpp_policy_names[ICPP_NPOLICIES];
extern const char *const icpp_policy_titles[ICPP_NPOLICIES];

/* Workloads as generated, over all seeds; L8 to L13. */
struct icpp_jobs {
	size_t jobs; /* of all seeds together */
	size_t per_seed;
	double urgent_share, urgent_se;
	double mean[2], expected[2], se[2]; /* factor: low urgency, high */
	double ratio8_to_4; /* low urgency means at ratio 8 and 4 */
	/* Jobs whose estimate is longer than their deadline, in % of all:
	 * how many there are, how many of them LibraRisk fulfils, and how
	 * many of the others.
	 */
	double beyond_pct, beyond_fulfilled_pct, within_fulfilled_pct;
	double least_factor;  /* deadline / run time */
	double delay_600_s;   /* a gap of 600 s at arrival delay 0.1 */
	double delay_error_s; /* largest difference over the whole log */
	double exact_error_s; /* |estimate - run time| at 0 % */
	double trace_error_s; /* |estimate - the log's| at 100 % */
};

struct icpp_study {
	struct sim_paper_study paper; /* first: its steps see no more */
	struct sim_scenario base;
	const struct libra_policy_type *policy[ICPP_NPOLICIES];
	struct study study;
	long cell[ICPP_NFIGURES][2][ICPP_MAX_X][ICPP_NPOLICIES];
	double *no_admission; /* EDF's parameters for L58; NULL if it has
				 no such switch */
	long no_admission_cell[2][2]; /* estimates; 20 and 100 % urgent */
	const struct sim_result_column *fulfilled, *slowdown, *wait;
	struct trace_stats log; /* of the chosen records */
	struct icpp_jobs jobs;
};

#define ICPP_NCLAIMS 58
extern const struct claim icpp_claims[ICPP_NCLAIMS];

/* Means over the seeds. */
double icpp_fulfilled(const struct icpp_study *s, enum icpp_figure_id f,
		      int variant, size_t x, enum icpp_policy p);
double icpp_slowdown(const struct icpp_study *s, enum icpp_figure_id f,
		     int variant, size_t x, enum icpp_policy p);
/* The index of a swept value. */
size_t icpp_at(enum icpp_figure_id f, double x);

/* icpp2006_facts.c */
int icpp_measure_log(struct icpp_study *s, struct libra_error *err);
int icpp_measure_jobs(struct icpp_study *s, struct libra_error *err);
claim_check_f icpp_l1, icpp_l2, icpp_l3, icpp_l4, icpp_l5, icpp_l6, icpp_l7,
	icpp_l8, icpp_l9, icpp_l10, icpp_l11, icpp_l12, icpp_l13, icpp_l14,
	icpp_l15, icpp_l16, icpp_l17, icpp_l18;

/* icpp2006_overview.c */
claim_check_f icpp_l20, icpp_l21, icpp_l22, icpp_l23, icpp_l24, icpp_l25,
	icpp_l26, icpp_l27, icpp_l28, icpp_l29, icpp_l30, icpp_l57, icpp_l58,
	icpp_l59;

/* icpp2006_sweeps.c */
claim_check_f icpp_l31, icpp_l32, icpp_l33, icpp_l34, icpp_l35, icpp_l36,
	icpp_l37, icpp_l38, icpp_l39, icpp_l40, icpp_l41, icpp_l42, icpp_l43,
	icpp_l44, icpp_l45, icpp_l46, icpp_l47, icpp_l48, icpp_l49, icpp_l50,
	icpp_l51, icpp_l52, icpp_l53, icpp_l54, icpp_l55, icpp_l56;

/* icpp2006_page.c: the steps of the report */
#define ICPP_NPANELS   4 /* of a figure */
#define ICPP_NPICTURES ((size_t)ICPP_NFIGURES * ICPP_NPANELS)
int icpp_draw(const void *study, size_t picture, char **svg,
	      struct libra_error *err);
void icpp_write_page(FILE *fp, const void *study);
void icpp_write_readings(FILE *fp, const void *study);

/* icpp2006_files.c: CSV and JSON */
#define ICPP_NFILES 6
extern const struct sim_paper_file icpp_files[ICPP_NFILES];

/* The statistics of the log, beside the paper's. */
struct icpp_log_row {
	const char *name, *unit, *paper;
	int decimals;
	double value;
};

#define ICPP_NLOG_ROWS 15
void icpp_log_rows(const struct icpp_study *s, struct icpp_log_row *row);

#endif
