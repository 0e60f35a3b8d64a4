/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection.h - which jobs and nodes libra status shows, and in which order.
 */
#ifndef LIBRA_CLI_SELECTION_H
#define LIBRA_CLI_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/cli/cli.h"

enum { CLI_SORT_KEYS = 8 };

/* The jobs to show, and how: --user, --partition, --sort and --long. */
struct cli_selection {
	const char *users;	/* "ada,bob"; NULL = all */
	const char *partitions; /* "main,short"; NULL = all */
	/* Numbers of keys, from 1; negative: in reverse; 0 ends the list. */
	int sort[CLI_SORT_KEYS];
	bool all_lines; /* --long: a line for each node and job, not cut */
};

/* Read --sort: names of keys, separated by ','; '-' before a name reverses that
 * key.
 * Result: 0, or -1 with EINVAL.
 */
int cli_sort_parse(const char *text, struct cli_selection *selection);

/* The names of the keys, for people: "a, b, c". */
extern const char cli_sort_keys[];

/* A job with a promise, as of now. */
struct cli_row {
	const struct cli_job *job;
	struct cli_progress now;
	double start_s; /* earliest planned start; NAN = none */
	double late_s;	/* cli_late_now_s() */
};

/* Select jobs of the present group and sort them.  Without memory the command
 * ends.
 * Result: their number.
 * Owner:  the caller frees *rows.
 */
uint32_t cli_select_rows(const struct cli_cluster *cluster,
			 const struct cli_selection *selection,
			 struct cli_row **rows);

/* Return true if a partition of the present group is selected (_group); if a
 * node is in such a partition (_node).
 */
bool cli_selects_group(const struct cli_cluster *cluster,
		       const struct cli_selection *selection);
bool cli_selects_node(const struct cli_cluster *cluster,
		      const struct cli_selection *selection, uint32_t node);

#endif
