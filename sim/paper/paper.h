/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paper.h - the papers that `librasim reproduce` knows.
 *
 * A paper is a row: its name, what it is, the log it uses, and the steps of its
 * study.  Options, the search for the log, progress and the final summary are
 * the command's.
 */
#ifndef SIM_PAPER_H
#define SIM_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/param.h"
#include "sim/report/report.h"
#include "sim/study/grid.h"

struct sim_paper;
struct sim_paper_steps; /* steps.h */

/* What the user asked for. */
struct sim_paper_run {
	const struct sim_paper *paper;
	const char *dir;	  /* the report's folder */
	const char *trace_option; /* --trace, or NULL */
	const uint64_t *seeds;
	size_t nseeds;
	unsigned workers;
	const double *params;	  /* of the paper's table */
	bool figures;		  /* draw them, if gnuplot is there */
	const char *command;	  /* how to get the same report again: without
				     what has no influence on it */
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
	FILE *summary; /* for the lines at the end, or NULL */
};

struct sim_paper {
	const char *name;		  /* as typed: "icpp2006" */
	const char *title;		  /* of the paper */
	const char *citation;		  /* authors, where, year */
	const char *trace;		  /* file name of the log it used */
	size_t seeds;			  /* how many by default */
	const struct libra_param *params; /* what --set sets */
	size_t nparams;
	const struct sim_paper_steps *steps; /* of its study */
};

/* Ends with NULL. */
extern const struct sim_paper *const sim_papers[];

extern const struct sim_paper sim_paper_icpp2006;
extern const struct sim_paper sim_paper_ipdps2007;
extern const struct sim_paper sim_paper_beyond;
extern const struct sim_paper sim_paper_ccgrid2008;
extern const struct sim_paper sim_paper_sc2015;

/* A log, or what stands for it. */
struct sim_paper_log {
	struct swf_trace trace;
	bool synthetic;	 /* there is no such log on this machine */
	char sha256[65]; /* of the file; "" if synthetic */
};

/* The log of a paper, or, if there is none on this machine, a synthetic one.
 * Result: 0, or -1 with errno (the log that --trace names must exist).
 * Owner:  the caller calls sim_paper_log_fini(); after an error it need not.
 */
int sim_paper_log_read(const struct sim_paper_run *run, const char *basename,
		       struct sim_paper_log *log, struct libra_error *err);
void sim_paper_log_fini(struct sim_paper_log *log);

/* What a report says of its origin. */
struct report_source sim_paper_source(const struct sim_paper_run *run,
				      const struct sim_paper_log *log);

#endif
