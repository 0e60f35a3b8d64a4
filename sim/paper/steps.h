/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - what the studies of all papers have in common.
 *
 * A paper is data: designs, claims, figures, files, and the template of its
 * page; and functions for what is its own.  The steps are taken here: set up,
 * read the log, measure, judge the claims, draw the figures, write the report,
 * say it in short.  All texts know {{file}} and {{sha256}}, the log's at a
 * place.  A study is a struct of its paper that begins with struct
 * sim_paper_study.
 */
#ifndef SIM_PAPER_STEPS_H
#define SIM_PAPER_STEPS_H

#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/paper/claim_rows.h"
#include "sim/paper/figures.h"
#include "sim/paper/paper.h"
#include "sim/paper/tables.h"
#include "sim/report/claims.h"

/* The log in numbers: names for texts, see paper_log_numbers. */
struct sim_paper_log_numbers {
	double records, span_days, span_months; /* of 30.4 days */
	double gap_s, run_s, procs, largest;	/* means; the largest request */
	double utilization_pct;			/* of the whole log */
	double ran, over_pct, over_4_pct, over_16_pct;
	double ratio_median, ratio_75, ratio_90, ratio_most;
	double overruns, overruns_pct, overrun_s, overrun_ratio;
	double machine;	  /* processors */
	double synthetic; /* 1 = not the log */
	double figures;	  /* 1 = they are drawn */
};

/* A log beside the paper's own. */
struct sim_paper_other_log {
	const char *file;
	int unit; /* so many processors of it are one; 0 = 1 */
};

/* A paper's study begins with it. */
struct sim_paper_study {
	const struct sim_paper_run *run;
	const struct sim_paper_steps *steps;
	struct sim_paper_log source;
	struct sim_paper_log_numbers log;
	struct sim_scenario base; /* of all designs */
	struct design_results designs;
	struct libra_error wrong; /* a name that a text or a claim invents */
	struct paper_text text;
	struct paper_claims claims;
	struct claim_result *results;
	struct paper_pictures pictures;
	char (*sha256)[65]; /* of each trace's log; "" = it was not run */
	double missing;	    /* other logs that are not on this machine */
};

/* A file of the report, one of these: a table of designs, a table filled by
 * hand, or what write() makes of the study.
 */
struct sim_paper_file {
	const char *name;
	const char *over, *columns; /* see paper_csv() */
	const struct paper_table *table;
	void (*write)(FILE *fp, const void *study);
};

/* Those that return something: 0, or -1 with errno and text.  study is the
 * paper's own struct.
 */
struct sim_paper_steps {
	size_t size; /* of the study, which is all zero at first */

	const struct design *designs;
	size_t ndesigns;
	const struct sim_paper_other_log *logs; /* the traces from 1 on */
	size_t nlogs;
	const char *given; /* see struct design_results */
	const struct paper_number *numbers;
	size_t last; /* records of the log; the base scenario has as many */

	/* Before the designs' cells are added; NULL = nothing to do.  The log
	 * is not read yet.
	 */
	int (*set_up)(void *study, struct libra_error *err);
	/* Before the designs are run; NULL = nothing. */
	int (*prepare)(void *study, struct libra_error *err);
	/* NULL = run the cells of each trace whose log is there. */
	int (*measure)(void *study, struct libra_error *err);
	bool resumes; /* results so far stay in the report's folder until it is
			 written */
	/* After those of a trace; NULL = nothing. */
	void (*ran)(void *study, size_t trace, const struct swf_trace *log);
	/* After that; NULL = nothing. */
	int (*derive)(void *study, struct libra_error *err);

	const char *claims;	      /* see claim_rows.h */
	const struct paper_ask *asks; /* of its own; ends with NULL */

	const struct paper_plot *plots;
	size_t nplots;
	const struct sim_paper_file *files;
	size_t nfiles;

	/* index.html: its title and its template (page.h), tables by name and
	 * words of its own.
	 */
	const char *headline;
	const char *page;
	const struct paper_table *const *tables; /* ends with NULL */
	bool (*word)(FILE *fp, const struct design_place *p, const char *word,
		     const void *study);

	/* For the terminal: what a missing log means (NULL = not said), and a
	 * table (paper_block_read()).
	 */
	const char *without_log;
	const char *summary;

	void (*fini)(void *study); /* also of one that is not complete */
};

/* Take all steps.
 * Result: 0, also if claims do not hold; or -1 with errno and text, and then no
 *         file of the report was touched.
 */
int sim_paper_study_run(const struct sim_paper_run *run,
			const struct sim_paper_steps *steps,
			struct libra_error *err);

/* For who asks a part of a paper's claims, of a study with steps and source:
 * names for its texts and claims; then the verdicts on them.
 * Result: 0, or -1 with errno and text.
 */
int sim_paper_names(struct sim_paper_study *s, const uint64_t *seeds,
		    size_t nseeds, struct libra_error *err);
int sim_paper_judge(struct sim_paper_study *s, struct libra_error *err);
void sim_paper_study_destroy(struct sim_paper_study *s);

/* What without_log says where the log is all there is. */
#define SIM_PAPER_SYNTHETIC "the workload is SYNTHETIC, made to resemble it."

/* A value, or a text, at a place in words. */
double sim_paper_value(const struct sim_paper_study *s, const char *at,
		       const char *expression);
void sim_paper_format(char *buf, size_t size, const struct sim_paper_study *s,
		      const char *at, const char *text);

/* Of one number: */
#define PAPER_NUMBER(type, name_, field)                                       \
	{                                                                      \
		.name = name_, .offset = offsetof(type, field)                 \
	}

/* ---- how a claim is asked ---- */

/* range: one number, held against its bound; log: the same, of the log; scan:
 * many points, the extremes are told; all: all bounds have to be kept;
 * parameter: are they as they should be? report: for information.
 */
extern const struct paper_ask paper_asks[];
claim_check_f paper_ask_range, paper_ask_scan, paper_ask_all, paper_report;

/* scan, all or report, by what the row has: points, values, or neither. */
claim_check_f paper_ask_row;

/* A claim asked with other levels of what choices leave open, and with the
 * first so many seeds.
 */
enum claim_status paper_judge_given(const struct sim_paper_study *s,
				    const struct claim *c, claim_check_f *ask,
				    const char *given, size_t nseeds);

/* The parts of these that odd claims need. */
void paper_tell(const struct claim *c, const struct sim_paper_study *s,
		struct claim_result *r);
void paper_say_why(const struct claim *c, const struct sim_paper_study *s,
		   struct claim_result *r);
double paper_asked(const struct claim *c, const struct sim_paper_study *s,
		   size_t bound);

/* What --set can set, as it is. */
extern const struct paper_table sim_paper_options;

/* results.json: an object that begins with the manifest and ends with the
 * claims.
 */
void sim_paper_json_begin(struct out_json *j, FILE *fp,
			  const struct sim_paper_study *s);
void sim_paper_json_end(struct out_json *j, const struct sim_paper_study *s);

#endif
