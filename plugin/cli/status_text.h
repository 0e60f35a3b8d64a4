/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_text.h - libra status for people.
 */
#ifndef LIBRA_CLI_STATUS_TEXT_H
#define LIBRA_CLI_STATUS_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/cli/selection.h"

/* Return "up", "drain" or "down". */
const char *cli_node_state_name(enum libra_node_state state);

/* The present group, as libra status shows it. */
struct cli_group {
	const struct cli_cluster *cluster;
	const struct cli_selection *selection;
	const double *shares;		 /* cli_cluster_shares() */
	const struct cli_offers *offers; /* NULL = not known */
	const struct cli_row *rows;	 /* cli_select_rows() */
	uint32_t nrows;
};

/* Print the group for people. */
void cli_print_group(const struct cli_group *group, bool no_header, FILE *out);

/* Write a sentence that says how many nodes are hidden; "" if none is. */
void cli_hidden_nodes(const struct cli_cluster *cluster, char text[192]);

#define CLI_NOT_ENABLED                                                        \
	"JobSubmitPlugins does not name libra: no promise is given"
#define CLI_WRONG_SETTING                                                       \
	"A libra_ value in SchedulerParameters is wrong (see libra settings): " \
	"slurmctld's log says what holds instead"
#define CLI_OTHERS_HIDDEN                                                      \
	"Jobs of other users are hidden (PrivateData): only your own are "     \
	"counted"

#endif
