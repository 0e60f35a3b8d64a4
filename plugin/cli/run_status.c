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
		((struct cli_output *)state->input)->json = true;
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
	struct cli_output o = {.out = stdout, .name = argv[0]};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	struct cli_offers *offers = NULL;
	int rc;

	cli_parse(&argp, argc, argv, &o);
	if (cli_cluster_load(&cluster, &err) < 0) {
		rc = cli_fail(&o, &err);
	} else {
		offers = read_offers(&cluster);
		rc = cli_print_status(&cluster, offers, &o);
	}
	rc = cli_finish(&o, &cluster, rc);
	for (size_t i = 0; offers && i < cluster.groups.n; i++)
		cli_offers_fini(&offers[i]);
	free(offers);
	cli_cluster_fini(&cluster);
	return rc;
}

/* ---- settings ---- */

struct settings_options {
	const char *tokens;
	struct cli_output output;
};

static const struct argp_option settings_options[] = {
	{"json", CLI_OPT_JSON, NULL, 0, "Write JSON", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_settings(int key, char *arg, struct argp_state *state)
{
	struct settings_options *o = state->input;

	if (key == CLI_OPT_JSON) {
		o->output.json = true;
		return 0;
	}
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (o->tokens)
		cli_usage(state, "unexpected argument '%s': give one list",
			  arg);
	o->tokens = arg;
	return 0;
}

int cli_run_settings(int argc, char **argv)
{
	static const struct argp argp = {
		.options = settings_options,
		.parser = parse_settings,
		.args_doc = "[SCHEDULERPARAMETERS]",
		.doc = "Check the libra_ settings of slurm.conf: those given, "
		       "or the ones that slurmctld has.",
	};
	struct settings_options o = {
		.output = {.out = stdout, .name = argv[0]},
	};
	struct cli_cluster cluster = {0};
	struct libra_error err = {""};
	char *loaded = NULL;
	int rc;

	cli_parse(&argp, argc, argv, &o);
	if (!o.tokens)
		loaded = cli_load_settings(&cluster, &err);
	if (o.tokens || loaded)
		rc = cli_check_settings(o.tokens ? o.tokens : loaded,
					&o.output);
	else
		rc = cli_fail(&o.output, &err);
	rc = cli_finish(&o.output, &cluster, rc);
	free(loaded);
	cli_cluster_fini(&cluster);
	return rc;
}
