/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - HTML reports on one page, and their manifest.
 *
 * A page is written from top to bottom and needs no other file: style and
 * figures are inside, and there is no script.  It follows the reader's light or
 * dark setting and can be printed.  All text is escaped here.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "sim/log/swf.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/report/claims.h"
#include "sim/report/plot.h"

/* A log beside the paper's own. */
struct report_log {
	const char *name;   /* of its file */
	const char *sha256; /* "" if the log is not there */
};

#define REPORT_LOGS 8

/* The origin of the numbers, for the manifest and the end of the page.  It is
 * the same in every run of the same command.
 */
struct report_source {
	const char *paper; /* "icpp2006" */
	const char *title; /* of the paper */
	const char *citation;
	const char *command; /* gives the same files again */
	const uint64_t *seeds;
	size_t nseeds;
	const struct swf_trace *trace;
	const char *sha256; /* of its file; "" if synthetic */
	bool synthetic;
	struct report_log others[REPORT_LOGS];
	size_t nothers;
};

/* manifest.json, and the same for people. */
void report_manifest(struct out_json *j, const char *key,
		     const struct report_source *source);
void report_provenance(FILE *fp, const struct report_source *source);

void report_begin(FILE *fp, const struct report_source *source,
		  const char *headline);
void report_end(FILE *fp, const struct report_source *source);

/* The same for a page that is no paper's: a line above the headline. */
void report_open(FILE *fp, const char *kicker, const char *headline);
void report_close(FILE *fp, const char *command);

/* A line of the answer at the top of a page. */
struct report_lead {
	const char *title;
	/* Write the text behind the title, which is escaped later. */
	void (*write)(FILE *fp, const void *answer);
};

/* Write the lines of an answer.  Result: 0, or -1 with ENOMEM. */
int report_leads(FILE *fp, const struct report_lead *leads, size_t n,
		 const void *answer, struct libra_error *err);

/* A prominent box for what a reader must know first. */
void report_notice(FILE *fp, const char *title, const char *text);

void report_section(FILE *fp, const char *id, const char *title);
void report_text(FILE *fp, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Key numbers in a row: a value from 0 to 100 %, beside the value that it is
 * compared with.
 */
void report_tiles_begin(FILE *fp);
void report_tile(FILE *fp, const char *colour, const char *name, double value,
		 const char *value_text, double other, const char *other_text);
void report_tiles_end(FILE *fp);

/* Counts of passes and fails, and the bar between them. */
void report_score(FILE *fp, const struct claim_result *results, size_t n);

/* Some claims by id (the list ends with NULL): the paper's words beside what
 * was measured.
 */
void report_excerpt(FILE *fp, const struct claim *claims,
		    const struct claim_result *results, size_t n,
		    const char *const *ids);

/* All of them, with a filter by status. */
void report_claims(FILE *fp, const struct claim *claims,
		   const struct claim_result *results, size_t n);

/* The key of figures of a kind; see plot_key(). */
void report_legend(FILE *fp, const char *const *names, const int *styles,
		   size_t n, enum plot_kind kind);

/* Figures side by side; svg is trusted markup or NULL.  A click makes one as
 * wide as the page, without a script.
 */
void report_figures_begin(FILE *fp);
void report_figure(FILE *fp, const char *caption, const char *svg);
void report_figures_end(FILE *fp);

/* A figure as wide as the page, which can be enlarged two and four times; id is
 * unique in the page.
 */
void report_wide_figure(FILE *fp, const char *id, const char *caption,
			const char *svg);

/* A table; folded under its title unless open. */
void report_table(FILE *fp, const char *title, const struct out_table *table,
		  bool open);

/* The same, and end the table.
 * Result: 0, or -1 with ENOMEM: the table lacks cells.
 */
int report_end_table(FILE *fp, const char *title, struct out_table *table,
		     bool open);

#endif
