/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_status.c - libra status and libra settings: their command lines.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/log_lines.h"
#include "plugin/cli/print.h"
#include "plugin/cli/selection.h"

/* ---- status ---- */

struct status_options {
	struct cli_selection selection;
	struct cli_output output;
};

static const struct argp_option status_options[] = {
	{"user", 'u', "NAME[,...]", 0, "Only the jobs of these users", 0},
	{"partition", 'p', "NAME[,...]", 0,
	 "Only the nodes and jobs of these partitions", 0},
	{"sort", 'S', "KEY[,...]", 0,
	 "Order of the jobs, with - before a key in reverse: job (the "
	 "default), user, partition, state, procs, start, deadline, slack",
	 0},
	{"long", 'l', NULL, 0, "A line for each node and job, of any width", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_status(int key, char *arg, struct argp_state *state)
{
	struct status_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->output;
		break;
	case 'u':
		o->selection.users = arg;
		break;
	case 'p':
		o->selection.partitions = arg;
		break;
	case 'S':
		if (cli_sort_parse(arg, &o->selection) < 0)
			cli_usage(state,
				  "--sort takes keys out of %s, not '%s'",
				  cli_sort_keys, arg);
		break;
	case 'l':
		o->selection.all_lines = true;
		break;
	case ARGP_KEY_ARG:
		cli_usage(state, "unexpected argument '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Is there each partition that is named? */
static int check_partitions(const struct cli_cluster *cluster,
			    const struct cli_selection *selection,
			    struct libra_error *err)
{
	const char *at = selection->partitions;
	char name[256];

	for (; at; at = *at ? at + 1 : NULL) {
		size_t n = strcspn(at, ",");

		snprintf(name, sizeof(name), "%.*s", (int)n, at);
		if (!cli_cluster_partition(cluster, name))
			return libra_errf(err, ENOENT,
					  "there is no partition %s", name);
		at += n;
	}
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
		.children = cli_output_options,
		.doc = "Show the promised shares of each node and the jobs "
		       "with a deadline.",
	};
	struct status_options o = {
		.output = {.out = stdout, .name = argv[0]},
	};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	struct cli_offers *offers = NULL;
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	if (cli_cluster_load(&cluster, &err) < 0 ||
	    check_partitions(&cluster, &o.selection, &err) < 0) {
		rc = cli_fail(&o.output, &err);
	} else {
		offers = read_offers(&cluster);
		rc = cli_print_status(&cluster, offers, &o.selection,
				      &o.output);
	}
	/* Leave the answer to the end of the process: to free 5,000 jobs takes
	 * a tenth of the time.
	 */
	json_incref(o.output.data);
	rc = cli_finish(&o.output, &cluster, rc);
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

	cli_parse(&argp, argc, argv, 0, &o);
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
