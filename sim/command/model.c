/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - `librasim model`: its subcommands, and the list of models.
 *
 * The parser stops at the name of the subcommand, which parses the rest of the
 * line.
 */
#include <stdio.h>
#include <string.h>
#include <gsl/gsl_errno.h>

#include "sim/base/suggest.h"
#include "sim/command/model_common.h"
#include "sim/model/fit.h"

/* Run `librasim model list`. */
static int cmd_model_list(int argc, char **argv)
{
	static const struct argp argp = {
		.doc = "List the models, their parameters and defaults."};

	cmd_parse(&argp, argc, argv, 0, NULL, NULL);
	for (size_t i = 0; i < model_ntypes; i++) {
		const struct model_type *t = &model_types[i];

		printf("%s%s (%s): %s\n", i ? "\n" : "", t->name,
		       model_series_name(t->series), t->summary);
		printf("  fitted by");
		for (int m = FIT_ML; m <= FIT_HISTOGRAM; m++)
			if (fit_has_method(t, m))
				printf(" %s%s", fit_method_name(m),
				       m == (int)fit_first_method(t)
					       ? " (default)"
					       : "");
		printf("\n");
		for (size_t k = 0; k < t->nparams; k++) {
			const struct libra_param *p = &t->params[k];

			printf("  %-10s %-10g %-5s %s\n", p->name, p->value,
			       p->unit, p->help);
		}
	}
	return CMD_DONE;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	char *usage; /* argv[0] for argp */
} subcommands[] = {
	{"fit", cmd_model_fit, "librasim model fit"},
	{"check", cmd_model_check, "librasim model check"},
	{"list", cmd_model_list, "librasim model list"},
};

#define NSUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static error_t parse_model(int key, char *arg, struct argp_state *state)
{
	int *at = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		/* The subcommand parses the rest. */
		*at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cmd_usage(state, "no subcommand is given (fit, check or list)");
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp model_argp = {
	.parser = parse_model,
	.args_doc = "fit TRACE\ncheck [TRACE]\nlist",
	.doc = "Workload models: inter-arrival times, run times and sizes.\v"
	       "fit    find the parameters of models on a trace\n"
	       "check  compare the models of CCGrid 2008 with a trace\n"
	       "list   show models and parameters\n\n"
	       "`librasim model fit --help` and so on show the options of "
	       "each.",
};

int cmd_model(int argc, char **argv)
{
	char suggestion[SIM_SUGGESTION_SIZE];
	const char *near = NULL;
	int at = 0;

	argp_err_exit_status = CMD_USAGE;
	gsl_set_error_handler_off(); /* the default one aborts */
	cmd_parse(&model_argp, argc, argv, ARGP_IN_ORDER, NULL, &at);
	for (size_t i = 0; i < NSUBCOMMANDS; i++) {
		near = sim_nearer_name(argv[at], near, subcommands[i].name);
		if (strcmp(argv[at], subcommands[i].name) != 0)
			continue;
		argv[at] = subcommands[i].usage;
		return subcommands[i].run(argc - at, argv + at);
	}
	fprintf(stderr, "librasim model: unknown subcommand '%s'%s\n", argv[at],
		sim_suggestion(suggestion, near, " (fit, check or list)"));
	return CMD_USAGE;
}
