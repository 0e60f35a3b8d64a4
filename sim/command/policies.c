/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policies.c - librasim policies: print the tables of the core.
 *
 * Names, modes and parameters come from core/policy; nothing is written twice.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/policy.h"
#include "sim/command/command.h"
#include "sim/output/json.h"

/* Print a parameter with its defaults. */
static void print_param_text(const struct libra_policy_type *type, size_t k)
{
	const struct libra_param *p = &type->params[k];
	double cluster = libra_policy_cluster_value(type, k);

	printf("%-10s  --set %s=%g%s  %s", "", p->name, p->value, p->unit,
	       p->help);
	if (cluster != p->value)
		printf(" (in slurmctld: %g%s)", cluster, p->unit);
	putchar('\n');
}

/* Print all policies for people. */
static void print_text(void)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		const struct libra_policy_type *type = libra_policies[i];

		printf("%-10s  %s\n", type->name, type->summary);
		printf("%-10s  %s%s%s%s\n", "", libra_mode_name(type->mode),
		       type->needs_deadline ? ", needs deadlines" : "",
		       type->source[0] ? "; " : "", type->source);
		for (size_t k = 0; k < type->nparams; k++)
			print_param_text(type, k);
	}
}

/* Write a parameter as an object. */
static void print_param(struct out_json *j,
			const struct libra_policy_type *type, size_t k)
{
	const struct libra_param *p = &type->params[k];

	out_json_object(j, NULL);
	out_json_text(j, "name", p->name);
	out_json_text(j, "type", libra_param_type_name(p->type));
	out_json_text(j, "unit", p->unit);
	out_json_number(j, "default", p->value);
	out_json_number(j, "cluster_default",
			libra_policy_cluster_value(type, k));
	out_json_number(j, "min", p->min);
	out_json_number(j, "max", p->max);
	out_json_text(j, "help", p->help);
	out_json_end(j);
}

/* Print all policies as a JSON array. */
static void print_json(void)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_array(&j, NULL);
	for (size_t i = 0; libra_policies[i]; i++) {
		const struct libra_policy_type *type = libra_policies[i];

		out_json_object(&j, NULL);
		out_json_text(&j, "name", type->name);
		out_json_text(&j, "summary", type->summary);
		out_json_text(&j, "source", type->source);
		out_json_text(&j, "mode", libra_mode_name(type->mode));
		out_json_bool(&j, "plans", type->plans);
		out_json_bool(&j, "needs_deadline", type->needs_deadline);
		out_json_bool(&j, "needs_budget", type->needs_budget);
		out_json_array(&j, "params");
		for (size_t k = 0; k < type->nparams; k++)
			print_param(&j, type, k);
		out_json_end(&j);
		out_json_end(&j);
	}
	out_json_end(&j);
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = state->input;
	else if (key == ARGP_KEY_ARG)
		cmd_no_argument(state, arg);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int cmd_policies(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&cmd_format_no_csv_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	static const struct argp argp = {
		.parser = parse,
		.children = children,
		.doc = "List the policies and their parameters.",
	};
	enum cmd_format format = CMD_TABLE;

	cmd_parse(&argp, argc, argv, 0, NULL, &format);
	if (format == CMD_JSON)
		print_json();
	else
		print_text();
	return CMD_DONE;
}
