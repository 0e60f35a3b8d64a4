/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - librasim replay: does the engine decide as a log says?
 *
 * Feeds the files of a decision log to one replay (sim/replay) and prints its
 * differences, gaps and counts.  The exit status is 1 if there is a difference
 * or a gap.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/output/json.h"
#include "sim/replay/replay.h"

/* Mostly the first difference causes the later ones. */
enum { MAX_SHOWN = 20 };

struct options {
	enum cmd_format format;
	char **files;
	int nfiles;
};

/* The first differences, kept for JSON; each owns the name of its call. */
struct shown {
	bool json;
	size_t n;
	struct sim_replay_difference list[MAX_SHOWN];
};

/* Print a difference, and keep the first ones for JSON. */
static void report(void *arg, const struct sim_replay_difference *d)
{
	struct shown *shown = arg;

	if (shown->n == MAX_SHOWN)
		return;
	if (!shown->json)
		printf("%s:%" PRIu64 ": %s: %s: logged %s, replayed %s\n",
		       d->file, d->line, d->call, d->field, d->logged,
		       d->replayed);
	shown->list[shown->n] = *d;
	/* The name of an action is freed with its line. */
	shown->list[shown->n].call = strdup(d->call);
	shown->n++;
}

/* Print a gap of the log. */
static void report_gap(void *arg, const char *file, uint64_t line,
		       const char *why)
{
	const struct shown *shown = arg;

	if (!shown->json)
		printf("%s:%" PRIu64 ": %s; the lines from here to the next "
		       "start of the engine are not compared\n",
		       file, line, why);
}

/* Return the number of compared calls; the line "engine" is none. */
static uint64_t ncalls(const struct sim_replay_counts *c)
{
	uint64_t n = 0;

	for (int i = 1; i < SIM_REPLAY_NCALLS; i++)
		n += c->calls[i];
	return n;
}

/* "12 calls and 3 actions in 1 run of the engine: ..." */
static void print_text(const struct sim_replay_counts *c)
{
	if (c->differences > MAX_SHOWN)
		printf("... and %" PRIu64 " more\n",
		       c->differences - MAX_SHOWN);
	printf("%" PRIu64 " calls and %" PRIu64 " actions in %" PRIu64
	       " run%s of the engine: ",
	       ncalls(c), c->actions, c->runs, c->runs == 1 ? "" : "s");
	if (ncalls(c) == 0)
		fputs("nothing could be compared", stdout);
	else if (c->differences > 0)
		printf("%" PRIu64 " difference%s", c->differences,
		       c->differences == 1 ? "" : "s");
	else
		fputs(c->gaps ? "no difference in what was compared"
			      : "all decided alike",
		      stdout);
	if (c->gaps)
		printf("; %" PRIu64 " gap%s, %" PRIu64
		       " line%s after %s not compared",
		       c->gaps, c->gaps == 1 ? "" : "s", c->passed_over,
		       c->passed_over == 1 ? "" : "s",
		       c->gaps == 1 ? "it" : "them");
	putchar('\n');
}

/* Print counts and differences as one JSON object. */
static void print_json(const struct sim_replay_counts *c,
		       const struct shown *shown)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_bool(&j, "identical", c->differences == 0 && c->gaps == 0);
	out_json_count(&j, "lines", c->lines);
	out_json_count(&j, "runs", c->runs);
	out_json_object(&j, "calls");
	for (int i = 1; i < SIM_REPLAY_NCALLS; i++)
		out_json_count(&j, sim_replay_calls[i], c->calls[i]);
	out_json_end(&j);
	out_json_count(&j, "actions", c->actions);
	out_json_count(&j, "gaps", c->gaps);
	out_json_count(&j, "passed_over", c->passed_over);
	out_json_count(&j, "ndifferences", c->differences);
	out_json_array(&j, "differences");
	for (size_t i = 0; i < shown->n; i++) {
		const struct sim_replay_difference *d = &shown->list[i];

		out_json_object(&j, NULL);
		out_json_text(&j, "file", d->file);
		out_json_count(&j, "line", d->line);
		out_json_text(&j, "call", d->call ? d->call : "");
		out_json_text(&j, "field", d->field);
		out_json_text(&j, "logged", d->logged);
		out_json_text(&j, "replayed", d->replayed);
		out_json_end(&j);
	}
	out_json_end(&j);
	out_json_end(&j);
}

/* Replay one file, or standard input. */
static int replay_path(struct sim_replay *r, const char *path,
		       struct libra_error *err)
{
	bool input = strcmp(path, "-") == 0;
	FILE *fp = input ? stdin : fopen(path, "r");
	int rc;

	if (!fp)
		return libra_errf(err, errno, "%s: %s", path, strerror(errno));
	rc = sim_replay_file(r, fp, input ? "standard input" : path, err);
	if (!input)
		fclose(fp);
	return rc;
}

/* Replay all files in order, and print the counts. */
static int replay_all(const struct options *o, const char *argv0)
{
	struct shown shown = {.json = o->format == CMD_JSON};
	struct sim_replay *r = sim_replay_create(report, report_gap, &shown);
	struct sim_replay_counts counts = {0};
	struct libra_error err = {""};
	int rc = r ? 0 : sim_no_memory(&err);

	for (int i = 0; rc == 0 && i < o->nfiles; i++)
		rc = replay_path(r, o->files[i], &err);
	if (rc == 0) {
		sim_replay_count(r, &counts);
		if (shown.json)
			print_json(&counts, &shown);
		else
			print_text(&counts);
	}
	sim_replay_destroy(r);
	for (size_t i = 0; i < shown.n; i++)
		free((char *)shown.list[i].call);
	if (rc < 0)
		return cmd_fail(argv0, &err);
	if (ferror(stdout) || fflush(stdout)) {
		libra_errf(&err, errno, "standard output: %s", strerror(errno));
		return cmd_fail(argv0, &err);
	}
	return counts.differences || counts.gaps ? CMD_FAILED : CMD_DONE;
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->format;
		break;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nfiles = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS:
		cmd_usage(state, "no decision log is given (the file that "
				 "libra_log names; '-' is standard input)");
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int cmd_replay(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_no_csv_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.parser = parse,
		.children = children,
		.args_doc = "LOG...",
		.doc = "Feed the decision log of the Slurm plugins to the "
		       "engine again and compare every decision, bit for bit."
		       "\vLOG is what libra_log names; - is standard input.  "
		       "Of a rotated log, name the oldest file first.",
	};
	struct options o = {.format = CMD_TABLE};

	cmd_parse(&argp, argc, argv, 0, NULL, &o);
	return replay_all(&o, argv[0]);
}
