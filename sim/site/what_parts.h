/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_parts.h - the parts of a what-if page.  Only what_*.c include this. */
#ifndef SIM_WHAT_PARTS_H
#define SIM_WHAT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/site/what_page.h"

/* Return replay->simulated; if the log has no waits, runs[0]. */
const struct what_run *what_simulated(const struct what *w);

/* Write figures into the page: of the log alone, and of the log beside the
 * replay.
 * Result: 0, or -1 with ENOMEM or EIO (gnuplot failed).
 */
int what_log_figures(FILE *fp, const struct what_page *p,
		     struct libra_error *err);
int what_replay_figures(FILE *fp, const struct what_page *p,
			struct libra_error *err);

/* Write a table of the page with its explanation; nothing if the table would be
 * empty.  open: the reader need not unfold the table.
 * Result: 0, or -1 with ENOMEM.
 */
int what_groups_table(FILE *fp, const char *title, const struct what_groups *g,
		      const struct swf_names *names, bool open);
int what_trust_table(FILE *fp, const struct what *w);
int what_sizes_table(FILE *fp, const struct what *w);
int what_scenarios_table(FILE *fp, const struct what_page *p);
int what_promises_table(FILE *fp, const struct what *w);
int what_when_table(FILE *fp, const struct what_page *p);

/* Write a file beside the page (CSV, JSON).  The caller tests fp for errors of
 * writing.  what_figures_csv() returns 0, or -1 with ENOMEM.
 */
int what_figures_csv(FILE *fp, const struct what_page *p,
		     struct libra_error *err);
void what_write_waits(FILE *fp, const struct what_page *p);
void what_write_usage(FILE *fp, const struct what *w);
void what_write_limits(FILE *fp, const struct what *w);
void what_write_scenarios(FILE *fp, const struct what_page *p);
void what_write_promises(FILE *fp, const struct what *w);
void what_write_when(FILE *fp, const struct when *when);
void what_write_json(FILE *fp, const struct what_page *p);

#endif
