/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_options.c - the part of a log that a command takes.
 *
 * A child parser of argp fills struct cmd_log.  The side table is read only if
 * an option needs it, and is freed when the records are chosen.
 */
#include "sim/command/log_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/command.h"
#include "sim/import/values.h"

enum {
	OPT_SIDE = 0x500,
	OPT_PARTITION,
	OPT_QOS,
	OPT_UNIT,
	OPT_CAPACITY,
	OPT_STRICT
};

static const struct argp_option options[] = {
	{"side", OPT_SIDE, "FILE", 0,
	 "The side table that librasim import wrote beside the log", 0},
	{"partition", OPT_PARTITION, "NAME", 0, "Only the jobs of a partition",
	 0},
	{"qos", OPT_QOS, "NAME", 0, "Only the jobs of a QOS (queue)", 0},
	{"unit", OPT_UNIT, "WHAT", 0,
	 "What a processor is: cpus (default), gpus, nodes or memory (a "
	 "gigabyte), by the side table",
	 0},
	{"capacity", OPT_CAPACITY, "FILE", 0,
	 "Take processors out of service as they were: what sacctmgr show event "
	 "-P printed, or a table of from_s,to_s,procs",
	 0},
	{"strict", OPT_STRICT, NULL, 0,
	 "Refuse a log with records without a submit time, or with negative "
	 "values",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cmd_log *log = state->input;

	switch (key) {
	case OPT_SIDE:
		log->side = arg;
		return 0;
	case OPT_PARTITION:
		log->partition = arg;
		return 0;
	case OPT_QOS:
		log->qos = arg;
		return 0;
	case OPT_CAPACITY:
		log->capacity = arg;
		return 0;
	case OPT_STRICT:
		log->strict = true;
		return 0;
	case OPT_UNIT:
		log->unit = side_unit_find(arg);
		if (!log->unit)
			cmd_usage(state,
				  "--unit is cpus, gpus, nodes or memory, not "
				  "'%s'",
				  arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp cmd_log_argp = {
	.options = options,
	.parser = parse,
};

/* Is no record left out? */
static bool is_whole(const struct cmd_log *log)
{
	return !log->side && !log->partition && !log->qos && !log->unit;
}

/* Keep the records of a partition and QOS, counted in a unit. */
static int choose(struct swf_trace *trace, const struct cmd_log *log,
		  struct libra_error *err)
{
	enum side_unit unit = log->unit ? log->unit : SIDE_CPUS;
	struct side_table table;
	int rc, saved;

	if (is_whole(log))
		return 0;
	if (!log->side)
		return side_choose(NULL, trace, log->partition, log->qos, unit,
				   err);
	if (side_read(&table, log->side, err) < 0)
		return -1;
	rc = side_check(&table, trace, log->side, err);
	if (rc == 0)
		rc = side_choose(&table, trace, log->partition, log->qos, unit,
				 err);
	saved = errno;
	side_fini(&table);
	errno = saved;
	return rc;
}

static int check_strict(const struct swf_trace *trace, struct libra_error *err)
{
	if (trace->odd_line == 0)
		return 0;
	return libra_errf(err, EINVAL, "%s:%zu: a negative value, and --strict",
			  trace->name, trace->odd_line);
}

int cmd_log_read(struct swf_trace *trace, const char *path,
		 const struct cmd_log *log, const char *argv0,
		 struct libra_error *err)
{
	int saved;

	if (swf_read_last(trace, path, is_whole(log) ? log->last : 0, err) < 0)
		return -1;
	if (!log->strict || check_strict(trace, err) == 0) {
		cmd_note_odd(argv0, trace);
		if (choose(trace, log, err) == 0)
			return 0;
	}
	saved = errno;
	swf_fini(trace);
	errno = saved;
	return -1;
}

int cmd_log_capacity(struct sim_capacity *capacity, struct sim_workload *w,
		     const struct swf_trace *trace, const struct cmd_log *log,
		     const struct sim_scenario *sc, struct libra_error *err)
{
	struct sim_capacity_conf conf = {
		.procs = w->procs,
		.unix_start = trace->unix_start,
		.begin_s = w->begin_s,
		.factor = sc->arrival_delay,
	};

	memset(capacity, 0, sizeof(*capacity));
	if (!log->capacity)
		return 0;
	if (trace->max_nodes > 0)
		conf.node_procs =
			(uint32_t)((double)w->procs / (double)trace->max_nodes +
				   0.5);
	if (sim_capacity_read(capacity, log->capacity, &conf, err) < 0)
		return -1;
	w->capacity = capacity;
	return 0;
}

int cmd_instant(const char *option, const char *text, const char *zone,
		int64_t *at_s, struct libra_error *err)
{
	struct import_clock *clock;
	enum import_read read;
	bool twice;

	if (!text)
		return 0;
	clock = malloc(sizeof(*clock));
	if (!clock)
		return sim_no_memory(err);
	if (import_clock_init(clock, zone ? zone : "UTC", err) < 0) {
		free(clock);
		return -1;
	}
	read = import_time(clock, (struct import_text){text, strlen(text)},
			   at_s, &twice);
	free(clock);
	if (read != IMPORT_OK)
		return libra_errf(err, EINVAL,
				  "--%s takes a time like 2026-01-31 or "
				  "2026-01-31T12:00:00, not '%s'",
				  option, text);
	return 0;
}
