/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.c - messages of all commands, and options of a workload.
 *
 * The options of a scenario are made from its tables (workload/scenario.h,
 * workload/prediction.h), so that a new field needs no code here.  Defaults
 * that depend on other options are set when the line has been read.
 */
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

static const char *command_name; /* as "librasim model fit" */

/* Add the name of the manual page to --help: the first two words. */
static char *add_page(int key, const char *text, void *input)
{
	const char *word = strchr(command_name, ' ');
	char *line = NULL;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA || !word)
		return (char *)text;
	if (asprintf(&line, "Manual page: librasim-%.*s(1)",
		     (int)strcspn(word + 1, " "), word + 1) < 0)
		return NULL;
	return line;
}

void cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
	       int *rest, void *input)
{
	struct argp with_page = *argp;

	command_name = argv[0];
	with_page.help_filter = add_page;
	if (argp_parse(&with_page, argc, argv, flags, rest, input) == 0)
		return;
	cmd_no_memory(argv[0]);
}

void cmd_no_memory(const char *name)
{
	fprintf(stderr, "%s: out of memory\n", name);
	exit(CMD_FAILED);
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

void cmd_bad_value(const struct argp_state *state,
		   const struct libra_error *err)
{
	if (errno == ENOMEM)
		cmd_no_memory(state->name);
	cmd_usage(state, "%s", err->text);
}

void cmd_add_text(const struct argp_state *state, struct cmd_texts *texts,
		  const char *text)
{
	const char **more = realloc(texts->of, (texts->n + 1) * sizeof(*more));

	if (!more)
		cmd_no_memory(state->name);
	more[texts->n++] = text;
	texts->of = more;
}

void cmd_note_odd(const char *argv0, const struct swf_trace *trace)
{
	if (trace->no_submit > 0)
		fprintf(stderr,
			"%s: %s: %zu records without a submit time (below 0) "
			"are left out\n",
			argv0, trace->name, trace->no_submit);
	if (trace->negative > 0)
		fprintf(stderr,
			"%s: %s: %zu negative values are read as unknown; the "
			"first is in line %zu\n",
			argv0, trace->name, trace->negative, trace->odd_line);
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

enum sim_size cmd_size(const struct argp_state *state, const char *text)
{
	enum sim_size size = sim_size_find(text);

	if (!size)
		cmd_usage(state,
			  "--size takes requested or allocated, not '%s'",
			  text);
	return size;
}

void cmd_argument(const struct argp_state *state, const char **taken,
		  char *text)
{
	if (*taken)
		cmd_no_argument(state, text);
	*taken = text;
}

error_t cmd_one_trace(const struct argp_state *state, int key, char *arg,
		      const char **trace)
{
	if (key == ARGP_KEY_ARG)
		cmd_argument(state, trace, arg);
	else if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	else if (!*trace)
		cmd_usage(state, "no trace is given ('-' is standard input)");
	return 0;
}

void cmd_no_argument(const struct argp_state *state, const char *text)
{
	cmd_usage(state, "unexpected argument '%s'", text);
}

/* ---- formats ---- */

enum {
	OPT_FORMAT = 0x900,
	OPT_JSON,
};

/* Read --format or --json. */
static error_t read_format(int key, const char *arg, struct argp_state *state,
			   bool csv)
{
	enum cmd_format *format = state->input;

	if (key == OPT_JSON)
		*format = CMD_JSON;
	else if (key != OPT_FORMAT)
		return ARGP_ERR_UNKNOWN;
	else if (strcmp(arg, "table") == 0)
		*format = CMD_TABLE;
	else if (csv && strcmp(arg, "csv") == 0)
		*format = CMD_CSV;
	else if (strcmp(arg, "json") == 0)
		*format = CMD_JSON;
	else
		cmd_usage(state, "--format takes table%s or json, not '%s'",
			  csv ? ", csv" : "", arg);
	return 0;
}

/* The parser of --format with table, csv and json. */
static error_t parse_format(int key, char *arg, struct argp_state *state)
{
	return read_format(key, arg, state, true);
}

/* The parser of --format without csv. */
static error_t parse_no_csv(int key, char *arg, struct argp_state *state)
{
	return read_format(key, arg, state, false);
}

#define JSON_ROW                                                               \
	{                                                                      \
		"json", OPT_JSON, NULL, 0, "The same as --format=json", 0      \
	}

static const struct argp_option format_options[] = {
	{"format", OPT_FORMAT, "FORMAT", 0, "table (default), csv or json", 0},
	JSON_ROW,
	{NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp_option no_csv_options[] = {
	{"format", OPT_FORMAT, "FORMAT", 0, "table (default) or json", 0},
	JSON_ROW,
	{NULL, 0, NULL, 0, NULL, 0},
};

const struct argp cmd_format_argp = {
	.options = format_options,
	.parser = parse_format,
};

const struct argp cmd_format_no_csv_argp = {
	.options = no_csv_options,
	.parser = parse_no_csv,
};

/* ---- options of a workload ---- */

enum {
	OPT_PROCS = 0x100,
	OPT_LAST,
	OPT_SEED,
	OPT_KEEP_UNRUN,
	OPT_KILL,
	OPT_ORDINARY,
	OPT_SIZE,
	OPT_MODEL,
	OPT_EXECUTION,
	OPT_CORRECT,
	OPT_BUDGET_BASE,
	OPT_PENALTY_BASE,
	OPT_NAMES, /* + enum sim_names */
	OPT_FIELD =
		OPT_NAMES + SIM_NNAMES, /* + index into sim_scenario_fields */
};

#define MAX_FIELDS 48

/* make_options() adds those of sim_scenario_fields. */
static const struct argp_option plain_options[] = {
	{"procs", OPT_PROCS, "N", 0,
	 "Processors of the machine (default: MaxProcs of the trace)", 0},
	{"last", OPT_LAST, "N", 0,
	 "Only the last N records, counted before any are dropped", 0},
	{"seed", OPT_SEED, "N", 0, "Seed of all random draws (default 1)", 0},
	{"keep-unrun", OPT_KEEP_UNRUN, NULL, 0,
	 "Give records with run time <= 0 one second instead of dropping them",
	 0},
	{"kill-at-estimate", OPT_KILL, NULL, 0,
	 "End each job at its estimate in the trace", 0},
	{"ordinary", OPT_ORDINARY, "PCT", 0,
	 "Jobs that have no deadline; they, and jobs that are refused, wait in "
	 "an ordinary queue, under policies that have one (0: only the "
	 "refused; default: no such queue)",
	 0},
	{"size", OPT_SIZE, "WHICH", 0,
	 "Processors of a job: requested (default) or allocated; where one is "
	 "missing, the other is used",
	 0},
	{"deadline-model", OPT_MODEL, "MODEL", 0,
	 "What deadlines are multiples of: run (the real run time; default, as "
	 "in the papers), estimate, or user (the mean run time of the user's "
	 "jobs)",
	 0},
	{"execution", OPT_EXECUTION, "MODEL", 0,
	 "How the parts of a job on time-shared processors run: independent "
	 "(default, as in the papers), coupled, or spinning",
	 0},
	{"correct", OPT_CORRECT, "QUANTILE", OPTION_ARG_OPTIONAL,
	 "Correct estimates by this quantile of run time / estimate over the "
	 "user's own past jobs (default 0.9; without this option estimates are "
	 "used as they are)",
	 0},
	{"budget-base", OPT_BUDGET_BASE, "F", 0,
	 "What budgets are multiples of: run-procs (run time x processors, "
	 "default) or run",
	 0},
	{"penalty-base", OPT_PENALTY_BASE, "G", 0,
	 "What penalty rates, per second, are multiples of: procs (default), "
	 "one, run-hours or run",
	 0},
	{"predictor", OPT_NAMES + SIM_NAMES_PREDICTOR, "NAME", 0,
	 "Predict run times: requested (the user's request, default), "
	 "clairvoyant (the run time), last-two (the mean of the user's last "
	 "two jobs), quantile (of the user's past ratios of run time to "
	 "request), or leader (of two quantiles the better one so far)",
	 0},
	{"correction", OPT_NAMES + SIM_NAMES_CORRECTION, "NAME", 0,
	 "Predict anew when a job outlives its prediction: request (default), "
	 "increments, double, or likes (with --predictor quantile)",
	 0},
	{"event-order", OPT_NAMES + SIM_NAMES_EVENT_ORDER, "NAME", 0,
	 "Order of the events of one instant: librasim (default) or sc15", 0},
	{"filter", OPT_NAMES + SIM_NAMES_FILTER, "NAME", 0,
	 "Records to simulate: none (default; the other options say), or sc15 "
	 "(requested processors, whole seconds, run time and request > 0, the "
	 "run time cut to the request)",
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

/* Set a field of the scenario from its option. */
static void set_field(struct argp_state *state, struct sim_scenario *sc,
		      size_t field, const char *text)
{
	struct sim_scenario alone;
	struct libra_error err = {""};
	double v;

	if (!plain_number(text, &v))
		cmd_usage(state, "--%s takes a number, not '%s'",
			  sim_scenario_fields[field].name, text);
	/* Checked alone: other fields may not have their defaults yet. */
	sim_scenario_init(&alone);
	sim_scenario_set(&alone, field, v);
	if (sim_scenario_check(&alone, &err) < 0)
		cmd_usage(state, "--%s", err.text);
	sim_scenario_set(sc, field, v);
}

/* Set --deadline-model, or exit. */
static void set_model(const struct argp_state *state, struct sim_scenario *sc,
		      const char *name)
{
	sc->deadline_model = sim_deadline_model_find(name);
	if (!sc->deadline_model)
		cmd_usage(state,
			  "--deadline-model takes run, estimate or user, "
			  "not '%s'",
			  name);
}

/* Set --execution, or exit. */
static void set_execution(const struct argp_state *state,
			  struct sim_scenario *sc, const char *name)
{
	sc->execution = sim_execution_find(name);
	if (!sc->execution)
		cmd_usage(state,
			  "--execution takes independent, coupled or "
			  "spinning, "
			  "not '%s'",
			  name);
}

/* Set --ordinary, or exit. */
static void set_ordinary(const struct argp_state *state,
			 struct sim_scenario *sc, const char *text)
{
	if (!plain_number(text, &sc->ordinary_pct) ||
	    !(sc->ordinary_pct >= 0 && sc->ordinary_pct <= 100))
		cmd_usage(state, "--ordinary must be from 0 to 100, not '%s'",
			  text);
}

/* Set --correct; without a value the usual quantile. */
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

/* Set an option whose values are names (workload/prediction.h), or exit. */
static void set_name(const struct argp_state *state, struct sim_prediction *p,
		     enum sim_names names, const char *name)
{
	struct libra_error err = {""};
	int value = sim_names_find(names, name, &err);

	if (value < 0)
		cmd_usage(state, "--%s", err.text);
	sim_prediction_set(p, names, value);
}

/* Defaults that depend on the deadline model, which may come last. */
static void set_defaults(struct sim_scenario *sc)
{
	struct sim_scenario model = *sc;

	sim_scenario_deadlines(&model, sc->deadline_model);
	if (isnan(sc->deadline_mean))
		sc->deadline_mean = model.deadline_mean;
	if (isnan(sc->deadline_ratio))
		sc->deadline_ratio = model.deadline_ratio;
}

/* The parser of the options that make a workload (argp). */
static error_t parse_scenario(int key, char *arg, struct argp_state *state)
{
	struct sim_scenario *sc = state->input;
	struct libra_error err = {""};

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
	case OPT_ORDINARY:
		set_ordinary(state, sc, arg);
		return 0;
	case OPT_SIZE:
		sc->size = cmd_size(state, arg);
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
		if (sim_scenario_check(sc, &err) < 0)
			cmd_bad_value(state, &err);
		return 0;
	case OPT_BUDGET_BASE:
		sc->budget_base = sim_budget_base_find(arg);
		if (!sc->budget_base)
			cmd_usage(state,
				  "--budget-base takes run-procs or run, not "
				  "'%s'",
				  arg);
		return 0;
	case OPT_PENALTY_BASE:
		sc->penalty_base = sim_penalty_base_find(arg);
		if (!sc->penalty_base)
			cmd_usage(
				state,
				"--penalty-base takes procs, one, run-hours or "
				"run, not '%s'",
				arg);
		return 0;
	default:
		if (key >= OPT_NAMES && key < OPT_FIELD) {
			set_name(state, &sc->prediction,
				 (enum sim_names)(key - OPT_NAMES), arg);
			return 0;
		}
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
