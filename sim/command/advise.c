/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advise.c - librasim advise: which market to use, or to offer more of.
 *
 * Reads the numbers of one case, calls advise() (market/advise.h), and prints
 * the answer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/command/command.h"
#include "sim/market/advise.h"
#include "sim/output/json.h"

struct options {
	struct advise_case c; /* NAN = not given */
	bool provider;
	enum cmd_format format;
};

enum {
	OPT_PRICE = 256,
	OPT_VALUE,
	OPT_PA,
	OPT_PW,
	OPT_PD,
	OPT_ALPHA,
	OPT_PROVIDER,
};

static const struct argp_option option_table[] = {
	{"price", OPT_PRICE, "C", 0, "What the run costs", 0},
	{"value", OPT_VALUE, "V", 0,
	 "What the work is worth, in the same unit (default: 1)", 0},
	{"pa", OPT_PA, "P", 0,
	 "Probability that a reservation is granted: 1 - rejections", 0},
	{"pw", OPT_PW, "P", 0,
	 "Probability that all work is done on the spot market", 0},
	{"pd", OPT_PD, "P", 0,
	 "Part of the work that is done on the spot market", 0},
	{"alpha", OPT_ALPHA, "A", 0,
	 "1: only complete work counts (needs --pw); 0: every part of it does "
	 "(needs --pd); in between: a mixture. By default 1, or 0 if only --pd "
	 "is given",
	 0},
	{"provider", OPT_PROVIDER, NULL, 0,
	 "Answer for a provider with users of both kinds: alpha is 0.5", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Return the number of an option, or exit. */
static double read_number(const struct argp_state *state, const char *option,
			  const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || !isfinite(value))
		cmd_usage(state, "%s takes a number, not '%s'", option, text);
	return value;
}

/* Report missing options, and set options that follow from the others. */
static void complete(struct options *o, const struct argp_state *state)
{
	struct advise_case *c = &o->c;

	if (o->provider) {
		if (!isnan(c->alpha))
			cmd_usage(
				state,
				"--provider sets alpha to 0.5: give it without --alpha");
		c->alpha = 0.5;
	}
	if (isnan(c->alpha))
		c->alpha = isnan(c->works) && !isnan(c->done) ? 0 : 1;
	if (isnan(c->price))
		cmd_usage(state, "--price is missing: what the run costs");
	if (isnan(c->admitted))
		cmd_usage(state, "--pa is missing: how often reservations are "
				 "granted");
	if (c->alpha != 0 && isnan(c->works))
		cmd_usage(state, "--pw is missing: how often all work is done "
				 "on the spot market");
	if (c->alpha != 1 && isnan(c->done))
		cmd_usage(state,
			  "--pd is missing: how much of the work is done "
			  "on the spot market");
	/* Not needed: alpha gives it no weight. */
	if (isnan(c->works))
		c->works = 0;
	if (isnan(c->done))
		c->done = 0;
}

/* The parser of the options (argp). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case OPT_PRICE:
		o->c.price = read_number(state, "--price", arg);
		break;
	case OPT_VALUE:
		o->c.value = read_number(state, "--value", arg);
		break;
	case OPT_PA:
		o->c.admitted = read_number(state, "--pa", arg);
		break;
	case OPT_PW:
		o->c.works = read_number(state, "--pw", arg);
		break;
	case OPT_PD:
		o->c.done = read_number(state, "--pd", arg);
		break;
	case OPT_ALPHA:
		o->c.alpha = read_number(state, "--alpha", arg);
		break;
	case OPT_PROVIDER:
		o->provider = true;
		break;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->format;
		break;
	case ARGP_KEY_ARG:
		cmd_no_argument(state, arg);
	case ARGP_KEY_END:
		complete(o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {
	{&cmd_format_no_csv_argp, 0, NULL, 0},
	{NULL, 0, NULL, 0},
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse,
	.children = children,
	.doc = "Choose between a spot market, which admits every job but may "
	       "not finish its work, and reservations, which may be refused "
	       "but are kept."
	       "\vThe reservation is better exactly if pa > (p - q) / (1 - q), "
	       "where q is price / value and p is pw, pd or their mixture "
	       "(CCGrid 2008, section 5). 'librasim reproduce ccgrid2008' "
	       "measures such probabilities.",
};

/* Print the answer as one JSON object. */
static void print_json(const struct options *o, const struct advise_answer *a)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_text(&j, "choice", advise_choice_name(a->choice));
	out_json_number(&j, "price_to_value", a->q);
	out_json_number(&j, "pa", o->c.admitted);
	out_json_number(&j, "pa_needed", a->threshold);
	out_json_number(&j, "utility_spot", a->spot);
	out_json_number(&j, "utility_reservation", a->reserve);
	out_json_number(&j, "alpha", o->c.alpha);
	out_json_end(&j);
}

/* Print the answer for people. */
static void print_text(const struct options *o, const struct advise_answer *a)
{
	if (o->provider)
		printf("%s\n", a->choice == ADVISE_RESERVE
				       ? "offer more reservations"
			       : a->choice == ADVISE_SPOT
				       ? "offer more on the spot market"
				       : "neither is worth its price");
	else
		printf("%s\n", advise_choice_name(a->choice));
	printf("  price / value        %.4f\n", a->q);
	if (isnan(a->threshold))
		printf("  reservations pay     never: the price is not below the "
		       "value\n");
	else
		printf("  reservations pay     if granted with more than %.4f "
		       "(here %.4f)\n",
		       a->threshold, o->c.admitted);
	printf("  expected utility     spot market %.4f, reservation %.4f\n",
	       a->spot, a->reserve);
}

int cmd_advise(int argc, char **argv)
{
	struct options o = {.c = {.price = NAN,
				  .value = 1,
				  .admitted = NAN,
				  .works = NAN,
				  .done = NAN,
				  .alpha = NAN},
			    .format = CMD_TABLE};
	struct libra_error err = {.text = ""};
	struct advise_answer answer;

	cmd_parse(&argp, argc, argv, 0, NULL, &o);
	if (advise(&o.c, &answer, &err) < 0)
		return cmd_fail(argv[0], &err);
	if (o.format == CMD_JSON)
		print_json(&o, &answer);
	else
		print_text(&o, &answer);
	return CMD_DONE;
}
