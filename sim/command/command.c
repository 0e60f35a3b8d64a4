/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - what the commands share: messages, and options of a workload. */
#include "sim/command/command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cmd_fail(const char *argv0, const struct libra_error *err)
{
	fprintf(stderr, "%s: %s\n", argv0,
		err->text[0] ? err->text : strerror(errno));
	return CMD_FAILED;
}

void cmd_usage(const struct argp_state *state, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", state->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(CMD_USAGE);
}

void cmd_note_extra(const char *argv0, const struct swf_trace *trace)
{
	if (trace->extra_fields > 0)
		fprintf(stderr,
			"%s: %s: records have up to %zu fields after the 18 of "
			"the format; they are ignored\n",
			argv0, trace->name, trace->extra_fields);
}

uint64_t cmd_count(const struct argp_state *state, const char *option,
		   const char *text, uint64_t min, uint64_t max)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0')
		cmd_usage(state, "--%s takes a whole number, not '%s'", option,
			  text);
	if (errno == ERANGE || n < min || n > max)
		cmd_usage(state, "--%s must be from %llu to %llu, not '%s'",
			  option, (unsigned long long)min,
			  (unsigned long long)max, text);
	return n;
}

/* ---- options of a workload ---- */

enum {
	OPT_PROCS = 0x100,
	OPT_LAST,
	OPT_SEED,
	OPT_KEEP_UNRUN,
	OPT_KILL,
	OPT_SIZE,
	OPT_MODEL,
	OPT_EXECUTION,
	OPT_CORRECT,
	OPT_BUDGET_BASE,
	OPT_PENALTY_BASE,
	OPT_FIELD, /* + index into sim_scenario_fields */
};

#define MAX_FIELDS 48

/* The rows behind these come from sim_scenario_fields (see make_options). */
static const struct argp_option plain_options[] = {
	{"procs", OPT_PROCS, "N", 0,
	 "Processors of the machine (default: the "
	 "trace's MaxProcs)",
	 0},
	{"last", OPT_LAST, "N", 0, "Only the last N records, unfiltered", 0},
	{"seed", OPT_SEED, "N", 0, "Seed of all random draws (default 1)", 0},
	{"keep-unrun", OPT_KEEP_UNRUN, NULL, 0,
	 "Give records with run time "
	 "<= 0 one second instead of dropping them",
	 0},
	{"kill-at-estimate", OPT_KILL, NULL, 0,
	 "No job runs longer than its "
	 "estimate in the trace",
	 0},
	{"size", OPT_SIZE, "WHICH", 0,
	 "Processors of a job: requested "
	 "(default) or allocated; the other where one is missing",
	 0},
	{"deadline-model", OPT_MODEL, "MODEL", 0,
	 "What deadlines are multiples "
	 "of: run (the real run time, the papers' and default), estimate, or "
	 "user (the mean run time of the user's jobs)",
	 0},
	{"execution", OPT_EXECUTION, "MODEL", 0,
	 "How the parts of a job on time-shared processors run: independent "
	 "(the papers' and default), coupled, or spinning",
	 0},
	{"correct", OPT_CORRECT, "QUANTILE", OPTION_ARG_OPTIONAL,
	 "Correct estimates by this quantile of run time / estimate of the "
	 "user's own past jobs (default 0.9; without the option estimates "
	 "stay as they are)",
	 0},
	{"budget-base", OPT_BUDGET_BASE, "F", 0,
	 "What budgets are multiples of: run-procs (run time x processors, "
	 "default) or run",
	 0},
	{"penalty-base", OPT_PENALTY_BASE, "G", 0,
	 "What penalty rates, per second, are multiples of: procs (default), "
	 "one, run-hours or run",
	 0},
};

#define NPLAIN (sizeof(plain_options) / sizeof(plain_options[0]))

static struct argp_option scenario_options[NPLAIN + MAX_FIELDS + 1];

__attribute__((constructor)) static void make_options(void)
{
	memcpy(scenario_options, plain_options, sizeof(plain_options));
	for (size_t i = 0; i < sim_scenario_nfields && i < MAX_FIELDS; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];

		scenario_options[NPLAIN + i] = (struct argp_option){
			.name = f->name,
			.key = OPT_FIELD + (int)i,
			.arg = f->arg,
			.doc = f->help,
		};
	}
}

/* A decimal number and nothing else: no blanks, no hexadecimal. */
static bool plain_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && *end == '\0' && !strpbrk(text, " \t\nxX");
}

static void set_field(struct argp_state *state, struct sim_scenario *sc,
		      size_t field, const char *text)
{
	struct sim_scenario alone;
	struct libra_error err = {""};
	double v;

	if (!plain_number(text, &v))
		cmd_usage(state, "--%s takes a number, not '%s'",
			  sim_scenario_fields[field].name, text);
	/* The others may still wait for their defaults. */
	sim_scenario_init(&alone);
	sim_scenario_set(&alone, field, v);
	if (sim_scenario_check(&alone, &err) < 0)
		cmd_usage(state, "--%s", err.text);
	sim_scenario_set(sc, field, v);
}

static void set_model(const struct argp_state *state, struct sim_scenario *sc,
		      const char *name)
{
	sc->deadline_model = sim_deadline_model_find(name);
	if (!sc->deadline_model)
		cmd_usage(state,
			  "--deadline-model is run, estimate or user, "
			  "not '%s'",
			  name);
}

static void set_execution(const struct argp_state *state,
			  struct sim_scenario *sc, const char *name)
{
	sc->execution = sim_execution_find(name);
	if (!sc->execution)
		cmd_usage(state,
			  "--execution is independent, coupled or spinning, "
			  "not '%s'",
			  name);
}

static void set_correct(const struct argp_state *state, struct sim_scenario *sc,
			const char *text)
{
	double v = SIM_CORRECT_USUAL;

	if (text && !plain_number(text, &v))
		cmd_usage(state, "--correct takes a number, not '%s'", text);
	if (!(v >= SIM_CORRECT_MIN && v <= SIM_CORRECT_MAX))
		cmd_usage(state, "--correct must be from %g to %g, not %g",
			  SIM_CORRECT_MIN, SIM_CORRECT_MAX, v);
	sc->correct = v;
}

/* What was not said depends on the deadline model, wherever that stands. */
static void set_defaults(struct sim_scenario *sc)
{
	struct sim_scenario model = *sc;

	sim_scenario_deadlines(&model, sc->deadline_model);
	if (isnan(sc->deadline_mean))
		sc->deadline_mean = model.deadline_mean;
	if (isnan(sc->deadline_ratio))
		sc->deadline_ratio = model.deadline_ratio;
}

static error_t parse_scenario(int key, char *arg, struct argp_state *state)
{
	struct sim_scenario *sc = state->input;

	switch (key) {
	case OPT_PROCS:
		sc->procs = (uint32_t)cmd_count(state, "procs", arg, 1,
						UINT32_MAX / 2);
		return 0;
	case OPT_LAST:
		sc->last = cmd_count(state, "last", arg, 1, SIZE_MAX);
		return 0;
	case OPT_SEED:
		sc->seed = cmd_count(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	case OPT_KEEP_UNRUN:
		sc->keep_unrun = true;
		return 0;
	case OPT_KILL:
		sc->kill_at_estimate = true;
		return 0;
	case OPT_SIZE:
		if (strcmp(arg, "requested") == 0)
			sc->size = SIM_SIZE_REQUESTED;
		else if (strcmp(arg, "allocated") == 0)
			sc->size = SIM_SIZE_ALLOCATED;
		else
			cmd_usage(state,
				  "--size is requested or allocated, "
				  "not '%s'",
				  arg);
		return 0;
	case OPT_MODEL:
		set_model(state, sc, arg);
		return 0;
	case OPT_EXECUTION:
		set_execution(state, sc, arg);
		return 0;
	case OPT_CORRECT:
		set_correct(state, sc, arg);
		return 0;
	case ARGP_KEY_INIT:
		sc->deadline_mean = sc->deadline_ratio = NAN;
		return 0;
	case ARGP_KEY_END:
		set_defaults(sc);
		return 0;
	case OPT_BUDGET_BASE:
		sc->budget_base = sim_budget_base_find(arg);
		if (!sc->budget_base)
			cmd_usage(state,
				  "--budget-base is run-procs or run, not "
				  "'%s'",
				  arg);
		return 0;
	case OPT_PENALTY_BASE:
		sc->penalty_base = sim_penalty_base_find(arg);
		if (!sc->penalty_base)
			cmd_usage(state,
				  "--penalty-base is procs, one, run-hours or "
				  "run, not '%s'",
				  arg);
		return 0;
	default:
		if (key < OPT_FIELD ||
		    key >= OPT_FIELD + (int)sim_scenario_nfields)
			return ARGP_ERR_UNKNOWN;
		set_field(state, sc, (size_t)(key - OPT_FIELD), arg);
		return 0;
	}
}

const struct argp cmd_scenario_argp = {
	.options = scenario_options,
	.parser = parse_scenario,
};
