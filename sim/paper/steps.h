/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - what the studies of all papers have in common.
 *
 * A study is a struct of its paper that begins with struct sim_paper_study,
 * and a table of its steps.  The steps are taken here: set up, read the log,
 * measure, judge the claims, draw the figures, write the report, say it in
 * short.  So are the parts of a report that do not depend on the paper:
 * claims.json, manifest.json, and the frame of index.html.
 */
#ifndef SIM_PAPER_STUDY_H
#define SIM_PAPER_STUDY_H

#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/paper/paper.h"
#include "sim/report/claims.h"

/* The figures of a report: all of them, or none. */
struct sim_paper_pictures {
	char **svg; /* in the order of the step that draws them */
	bool any;
	char why[300]; /* there are none */
};

/* A paper's study begins with it. */
struct sim_paper_study {
	const struct sim_paper_run *run;
	struct sim_paper_log source;
	const struct claim *claims;
	struct claim_result *results; /* nclaims */
	size_t nclaims;
	struct sim_paper_pictures pictures;
};

struct sim_paper_file {
	const char *name;
	void (*write)(FILE *fp, const void *study);
};

/* What a paper does in each step; study is the paper's own struct.  Those that
 * return something: 0, or -1 with errno and text.
 */
struct sim_paper_steps {
	size_t size; /* of the study, which is all zero at first */

	/* The points to run; the log is not read yet. */
	int (*set_up)(void *study, struct libra_error *err);
	int (*measure)(void *study, struct libra_error *err);

	/* Judged on the study; or, where the claims are about more than one
	 * thing, a step that sets claims, results and nclaims (results are
	 * freed here).
	 */
	const struct claim *claims;
	size_t nclaims;
	int (*judge)(void *study, struct libra_error *err);

	size_t npictures;
	int (*draw)(const void *study, size_t picture, char **svg,
		    struct libra_error *err);

	/* In this order, before those that every report has. */
	const struct sim_paper_file *files;
	size_t nfiles;

	/* index.html: the page's title, what stands on it, and below its
	 * origin how it was made.
	 */
	const char *headline;
	void (*write_page)(FILE *fp, const void *study);
	void (*write_readings)(FILE *fp, const void *study);

	/* The report is on disk; NULL = nothing to do. */
	void (*written)(void *study);

	/* For the terminal: what a missing log means (NULL = not said), and
	 * the rows of a table.
	 */
	const char *without_log;
	const struct out_column *columns;
	size_t ncolumns;
	void (*summarize)(const void *study, struct out_table *table);

	void (*fini)(void *study); /* also of one that is not complete */
};

/* Take all steps.
 * Result: 0, also if claims do not hold; or -1 with errno and text, and then no
 *         file of the report was touched.
 */
int sim_paper_study_run(const struct sim_paper_run *run,
			const struct sim_paper_steps *steps,
			struct libra_error *err);

/* What without_log says where the log is all there is. */
#define SIM_PAPER_SYNTHETIC "the workload is SYNTHETIC, made to resemble it."

/* ---- for the pages ---- */

/* If so, that the numbers come from a workload that stands for the log. */
void sim_paper_notice_synthetic(FILE *fp, const struct sim_paper_study *s);

/* The section on the paper's claims: how many hold. */
void sim_paper_score(FILE *fp, const struct sim_paper_study *s);

/* The section of all claims; text comes before them, NULL = none. */
void sim_paper_all_claims(FILE *fp, const struct sim_paper_study *s,
			  const char *text);

#endif
