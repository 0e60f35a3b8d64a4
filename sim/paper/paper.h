/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paper.h - the papers that `librasim reproduce` knows, and their description.
 *
 * A paper is data: the log it uses, designs, claims, figures, files, and the
 * template of its page; and functions for the steps that only this paper has.
 * Its study is a struct that begins with struct sim_paper_study (study.h),
 * which sim_paper_run() allocates and frees.  Tables and texts are constants.
 * Options, the search for the log, progress and the final summary are the
 * command's.
 *
 * The files of a paper's folder:
 *   experiment.c  designs (factors and levels, sim/study/design.h), figures
 *                 (figures.h), files of the report (tables.h), and the struct
 *                 sim_paper that holds them.  Its names, trace, seeds, designs,
 *                 claims, page and summary are a must.  A factor's
 *                 field sets a number of the scenario by the name of its
 *                 option; last cuts the log.  A measured number gets its name
 *                 by sim_paper_set() (steps.h).  New formulas have files of
 *                 their own.
 *   claims.txt    a row for each claim (claim_rows.h; the ways to ask: steps.h)
 *   page.html     the report below its headline, with the places of claims,
 *                 figures and tables (page.h, text.h)
 *   local.mk      its sources, and both texts in EXTRA_DIST
 * A new paper needs no logs, values and asks: those of sc2015 are for what that
 * paper publishes.  A word that no claim, design or text knows is an error,
 * which names it.
 */
#ifndef SIM_PAPER_H
#define SIM_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/param.h"
#include "sim/paper/claim_rows.h"
#include "sim/paper/figures.h"
#include "sim/paper/tables.h"
#include "sim/report/report.h"
#include "sim/study/grid.h"

/* A log beside the paper's own. */
struct sim_paper_other_log {
	const char *file;
	int unit; /* this many of its processors count as one; 0 = 1 */
};

/* A file of the report: a table of designs (over, columns), a table with a
 * function that fills it (table), or the output of write().
 */
struct sim_paper_file {
	const char *name;
	const char *over, *columns; /* see paper_csv() */
	const struct paper_table *table;
	void (*write)(FILE *fp, const void *study);
};

/* index.html: its title, its template (page.h), its tables by name, and a
 * function that writes the paper's own words of the template; false: an unknown
 * word.
 */
struct sim_paper_page {
	const char *headline;
	const char *text;
	const struct paper_table *const *tables; /* ends with NULL */
	bool (*word)(FILE *fp, const struct design_place *p, const char *word,
		     const void *study);
};

/* Functions that return int: 0, or -1 with errno and text.  study is the
 * paper's own struct.  All are called in one process; only runs are done by
 * workers.
 */
struct sim_paper {
	const char *name;		  /* as typed: "icpp2006" */
	const char *title;		  /* of the paper */
	const char *citation;		  /* authors, where, year */
	const char *trace;		  /* file name of the log it used */
	size_t seeds;			  /* how many by default */
	const struct libra_param *params; /* the parameters of --set */
	size_t nparams;
	size_t size; /* of the study's struct, which is all zeros at first; 0 =
			struct sim_paper_study */

	const struct design *designs;
	size_t ndesigns;
	const struct sim_paper_other_log *logs; /* the traces from 1 on */
	size_t nlogs;
	const char *given; /* see struct design_results */
	size_t last;	   /* records of the log that the base scenario uses */

	/* NULL = run the cells of each trace whose log is there. */
	int (*measure)(void *study, struct libra_error *err);
	bool resumes; /* keep results in the report's folder until it is
			 written, so that a stopped study can go on */
	/* Called after the runs of a trace; NULL = nothing. */
	void (*ran)(void *study, size_t trace, const struct swf_trace *log);
	/* Called after all runs, to compute numbers; NULL = nothing. */
	int (*derive)(void *study, struct libra_error *err);

	const char *claims;	      /* see claim_rows.h */
	const struct paper_ask *asks; /* of its own; ends with NULL */

	const struct paper_plot *plots;
	size_t nplots;
	const struct sim_paper_file *files;
	size_t nfiles;

	struct sim_paper_page page;

	/* For the terminal: a text if the log is missing (NULL = none), and a
	 * table (paper_block_read()).
	 */
	const char *without_log;
	const char *summary;

	void (*fini)(void *study); /* of an incomplete study, too */
};

/* without_log of a paper that uses no other log. */
#define SIM_PAPER_SYNTHETIC "the workload is SYNTHETIC, made to resemble it."

/* Ends with NULL. */
extern const struct sim_paper *const sim_papers[];

extern const struct sim_paper sim_paper_icpp2006;
extern const struct sim_paper sim_paper_ipdps2007;
extern const struct sim_paper sim_paper_beyond;
extern const struct sim_paper sim_paper_ccgrid2008;
extern const struct sim_paper sim_paper_sc2015;

/* The user's options. */
struct sim_paper_run {
	const struct sim_paper *paper;
	const char *dir;	  /* the report's folder */
	const char *trace_option; /* --trace, or NULL */
	const uint64_t *seeds;
	size_t nseeds;
	unsigned workers;
	const double *params;	  /* of the paper's table */
	bool figures;		  /* draw them, if gnuplot is there */
	const char *command;	  /* gives the same report again; without
				     options that have no influence on it */
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
	FILE *summary; /* for the lines at the end, or NULL */
};

/* Set up a study, read its logs, run and judge it, and write its report.
 * Result: 0, even if claims do not hold; or -1 with errno and text, and no file
 *         of the report is changed.
 */
int sim_paper_run(const struct sim_paper_run *run, struct libra_error *err);

#endif
