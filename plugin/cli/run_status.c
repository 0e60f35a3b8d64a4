/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_status.c - libra status and libra settings: their command lines.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/log_lines.h"
#include "plugin/cli/print.h"

/* ---- status ---- */

static const struct argp_option status_options[] = {
	{"json", CLI_OPT_JSON, NULL, 0, "Write JSON", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_status(int key, char *arg, struct argp_state *state)
{
	if (key == CLI_OPT_JSON)
		*(bool *)state->input = true;
	else if (key == ARGP_KEY_ARG)
		cli_usage(state, "unexpected argument '%s'", arg);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* Of each group, from its log; who may not read that is told nothing. */
static struct cli_offers *read_offers(struct cli_cluster *cluster)
{
	struct cli_offers *offers =
		calloc(cluster->groups.n + 1, sizeof(*offers));
	const char *path;
	FILE *log;

	if (!offers)
		cli_no_memory();
	for (size_t i = 0; i < cluster->groups.n; i++) {
		cli_cluster_choose(cluster, i);
		path = cluster->conf.log_path;
		log = path ? cli_log_open(path) : NULL;
		if (!log)
			continue;
		cli_offers_read(log, cluster, &offers[i]);
		fclose(log);
	}
	return offers;
}

int cli_run_status(int argc, char **argv)
{
	static const struct argp argp = {
		.options = status_options,
		.parser = parse_status,
		.doc = "Show the promised shares of each node and the jobs "
		       "with a deadline.",
	};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	struct cli_offers *offers = NULL;
	bool json = false;
	int rc;

	cli_parse(&argp, argc, argv, &json);
	if (cli_cluster_load(&cluster, &err) < 0) {
		rc = cli_fail(argv[0], &err);
	} else {
		offers = read_offers(&cluster);
		rc = cli_print_status(&cluster, offers, json, stdout);
	}
	for (size_t i = 0; offers && i < cluster.groups.n; i++)
		cli_offers_fini(&offers[i]);
	free(offers);
	cli_cluster_fini(&cluster);
	return rc;
}

/* ---- settings ---- */

static error_t parse_settings(int key, char *arg, struct argp_state *state)
{
	const char **tokens = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (*tokens)
		cli_usage(state, "unexpected argument '%s': give one list",
			  arg);
	*tokens = arg;
	return 0;
}

int cli_run_settings(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_settings,
		.args_doc = "[SCHEDULERPARAMETERS]",
		.doc = "Check the libra_ settings of slurm.conf: those given, "
		       "or the ones that slurmctld has.",
	};
	struct libra_error err = {""};
	const char *tokens = NULL;
	char *loaded = NULL;
	int rc;

	cli_parse(&argp, argc, argv, &tokens);
	if (!tokens) {
		loaded = cli_load_settings(&err);
		if (!loaded)
			return cli_fail(argv[0], &err);
	}
	rc = cli_check_settings(tokens ? tokens : loaded, stdout);
	free(loaded);
	return rc;
}
