/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_parts.h - what the files of a what-if page share. */
#ifndef SIM_WHAT_PARTS_H
#define SIM_WHAT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/site/what_page.h"

/* Write the name that a log's header gives a number, or the number itself; "-"
 * if the number is negative.  Result: buf.
 */
const char *what_name(const struct swf_names *names, int32_t number,
		      char buf[40]);

/* Return the run of the simulated jobs whose wait the log knows; of all
 * simulated jobs if the log has no waits.
 */
const struct what_run *what_simulated(const struct what *w);

/* Write the figures of the log, and those of the log beside its simulation.
 * Result: 0, or -1 with ENOMEM or EIO (gnuplot failed).
 */
int what_log_figures(FILE *fp, const struct what_page *p,
		     struct libra_error *err);
int what_replay_figures(FILE *fp, const struct what_page *p,
			struct libra_error *err);

/* Write a table of the page, with its explanation; nothing if the table would
 * be empty.
 * Result: 0, or -1 with ENOMEM.
 */
int what_groups_table(FILE *fp, const char *title, const struct what_groups *g,
		      const struct swf_names *names, bool open);
int what_trust_table(FILE *fp, const struct what *w);
int what_sizes_table(FILE *fp, const struct what *w);
int what_scenarios_table(FILE *fp, const struct what_page *p);
int what_promises_table(FILE *fp, const struct what *w);
int what_when_table(FILE *fp, const struct what_page *p);

/* Write a table beside the page; the caller tests fp for errors of writing. */
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
