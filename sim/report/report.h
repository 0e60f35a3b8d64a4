/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - HTML reports on one page, and their manifest.
 *
 * A page is written from top to bottom and needs no other file: style and
 * figures are inside, and there is no script.  It follows the reader's light or
 * dark setting and can be printed.  All text is escaped here.
 *
 * Callers: sim/paper and sim/site, in one process.  Only functions that return
 * int can fail; the caller checks fp for errors of writing.  Arguments are read
 * during the call and stay the caller's.
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

/* Write the manifest as an object under key, and as a table for people. */
void report_manifest(struct out_json *j, const char *key,
		     const struct report_source *source);
void report_provenance(FILE *fp, const struct report_source *source);

/* Begin and end the page of a paper. */
void report_begin(FILE *fp, const struct report_source *source,
		  const char *headline);
void report_end(FILE *fp, const struct report_source *source);

/* Begin and end another page.  kicker: a line above the headline; command: the
 * command that made the page.
 */
void report_open(FILE *fp, const char *kicker, const char *headline);
void report_close(FILE *fp, const char *command);

/* A line of the answer at the top of a page. */
struct report_lead {
	const char *title;
	/* Write the text after the title as plain text; it is escaped later. */
	void (*write)(FILE *fp, const void *answer);
};

/* Write the n lines of an answer, which the functions of leads get as argument.
 * Result: 0, or -1 with ENOMEM.
 */
int report_leads(FILE *fp, const struct report_lead *leads, size_t n,
		 const void *answer, struct libra_error *err);

/* Write a prominent box, for text that a reader must see first. */
void report_notice(FILE *fp, const char *title, const char *text);

/* Begin a section with an anchor; write a paragraph, formatted as printf(). */
void report_section(FILE *fp, const char *id, const char *title);
void report_text(FILE *fp, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Write key numbers in a row.  A tile has a value from 0 to 100 % and, beside
 * it, the value that it is compared with.
 */
void report_tiles_begin(FILE *fp);
void report_tile(FILE *fp, const char *colour, const char *name, double value,
		 const char *value_text, double other, const char *other_text);
void report_tiles_end(FILE *fp);

/* Write the counts of passes and fails, and a bar of both. */
void report_score(FILE *fp, const struct claim_result *results, size_t n);

/* Write some claims by id (the list ends with NULL): the paper's words and the
 * measured values.
 */
void report_excerpt(FILE *fp, const struct claim *claims,
		    const struct claim_result *results, size_t n,
		    const char *const *ids);

/* Write all claims, with a filter by status. */
void report_claims(FILE *fp, const struct claim *claims,
		   const struct claim_result *results, size_t n);

/* Write the key of figures of a kind, for n names and styles; see plot_key().
 */
void report_legend(FILE *fp, const char *const *names, const int *styles,
		   size_t n, enum plot_kind kind);

/* Write figures side by side.  svg is markup that is not escaped, or NULL.  A
 * click makes a figure as wide as the page, without a script.
 */
void report_figures_begin(FILE *fp);
void report_figure(FILE *fp, const char *caption, const char *svg);
void report_figures_end(FILE *fp);

/* Write a figure as wide as the page, which a reader can enlarge two and four
 * times.  id is unique in the page.
 */
void report_wide_figure(FILE *fp, const char *id, const char *caption,
			const char *svg);

/* Write a table, folded under its title unless open. */
void report_table(FILE *fp, const char *title, const struct out_table *table,
		  bool open);

/* Write a table as report_table(), and free it with out_table_fini().
 * Result: 0, or -1 with ENOMEM if the table lacks cells.
 */
int report_end_table(FILE *fp, const char *title, struct out_table *table,
		     bool open);

#endif
