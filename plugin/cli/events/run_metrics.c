/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_metrics.c - libra metrics: its command line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/events/metrics.h"
#include "plugin/cli/print.h"

enum { OPT_OPENMETRICS = 0x200 };

struct options {
	const char *textfile; /* NULL = standard output */
	const char *log;
	const char *waits; /* NULL = none are counted */
	bool openmetrics;
};

static const struct argp_option options[] = {
	{"log", 'l', "FILE", 0,
	 "Read this decision log (default: libra_log of slurm.conf)", 0},
	{"openmetrics", OPT_OPENMETRICS, NULL, 0,
	 "Write OpenMetrics instead of Prometheus' text format", 0},
	{"textfile", 't', "FILE", 0,
	 "Write FILE for node_exporter, and read only what the log has got "
	 "since the last time (default: standard output, from the whole log)",
	 0},
	{"waits", 'w', "FILE", 0,
	 "Count waits by partition, too, of all jobs in FILE: Slurm's job "
	 "completion log (jobcomp/filetxt), or output of sacct -P that grows",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'l':
		o->log = arg;
		break;
	case 't':
		o->textfile = arg;
		break;
	case 'w':
		o->waits = arg;
		break;
	case OPT_OPENMETRICS:
		o->openmetrics = true;
		break;
	case ARGP_KEY_ARG:
		cli_usage(state, "unexpected argument '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int read_logs(json_t *counts, const struct options *o,
		     struct libra_error *err)
{
	struct cli_followed logs[LIBRA_HOST_MAX_GROUPS];
	int n = cli_followed_init(logs, o->log, err), rc;
	const char *path;
	json_t *log;

	/* A site without promises has waits. */
	if (n < 0 && o->waits && errno == ENOENT) {
		libra_error_clear(err);
		n = 0;
	}
	rc = n < 0 ? -1 : 0;
	/* A log that is no longer written keeps its place. */
	json_object_foreach(json_object_get(counts, "logs"), path, log)
	{
		json_object_del(log, "current");
	}
	for (int i = 0; rc == 0 && i < n; i++)
		rc = cli_metrics_read(counts, &logs[i], err);
	if (rc == 0 && o->waits)
		rc = cli_metrics_read_waits(counts, o->waits, err);
	cli_followed_fini(logs, n);
	return rc;
}

/* node_exporter must not see half a file: write another, and rename it. */
static int write_textfile(const struct options *o, const json_t *counts,
			  struct libra_error *err)
{
	char *next;
	FILE *out;
	int rc = -1;

	if (asprintf(&next, "%s.next", o->textfile) < 0)
		cli_no_memory();
	errno = 0;
	out = fopen(next, "we");
	if (out) {
		cli_metrics_print(counts, o->openmetrics, out);
		rc = ferror(out) || fchmod(fileno(out), 0644) < 0 ? -1 : 0;
		if (fclose(out) != 0)
			rc = -1;
	}
	if (rc == 0)
		rc = rename(next, o->textfile);
	if (rc < 0)
		libra_errf(err, errno, "%s: %s", o->textfile, strerror(errno));
	if (rc < 0 && out)
		unlink(next);
	free(next);
	return rc;
}

static int metrics(const struct options *o, struct libra_error *err)
{
	char *saved = NULL;
	json_t *counts;
	int rc = -1;

	if (o->textfile && asprintf(&saved, "%s.state", o->textfile) < 0)
		cli_no_memory();
	counts = saved ? cli_saved_read(saved, CLI_METRICS_VERSION, err)
		       : json_pack("{s:{}}", "logs");
	if (counts && read_logs(counts, o, err) == 0) {
		rc = 0;
		/* If the second file cannot be written, the next call writes
		 * these counts.
		 */
		if (saved)
			rc = cli_saved_write(saved, counts, err) < 0
				     ? -1
				     : write_textfile(o, counts, err);
		else
			cli_metrics_print(counts, o->openmetrics, stdout);
	}
	json_decref(counts);
	free(saved);
	return rc;
}

int cli_run_metrics(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Write counts of promises and decisions for "
		       "Prometheus, from the decision log.",
	};
	struct options o = {0};
	struct libra_error err = {""};
	struct cli_output output = {.name = argv[0]};
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	rc = metrics(&o, &err) < 0 ? cli_fail(&output, &err) : CLI_DONE;
	json_decref(output.errors); /* there is no envelope */
	return rc;
}
