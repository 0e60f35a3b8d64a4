/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args.c - see args.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

static const struct argp_option output_options[] = {
	{"json", CLI_OPT_JSON, NULL, 0, "Write JSON", 0},
	{"parsable2", 'P', NULL, 0, "Write columns between '|'", 0},
	{"noheader", 'h', NULL, 0, "Leave out the headings", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_output(int key, char *arg, struct argp_state *state)
{
	struct cli_output *o = state->input;

	(void)arg;
	switch (key) {
	case CLI_OPT_JSON:
		o->json = true;
		break;
	case 'P':
		o->parsable = true;
		break;
	case 'h':
		o->no_header = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp output_argp = {
	.options = output_options,
	.parser = parse_output,
};

const struct argp_child cli_output_options[] = {
	{&output_argp, 0, NULL, 0},
	{NULL, 0, NULL, 0},
};

static const char *command_name; /* as "libra status" */

/* Add the name of the manual page to --help. */
static char *add_page(int key, const char *text, void *input)
{
	const char *word = strchr(command_name, ' ');
	char *line = NULL;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA || !word)
		return (char *)text;
	if (asprintf(&line, "Manual page: libra-%s(1)", word + 1) < 0)
		return NULL;
	return line;
}

void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
	       void *input)
{
	struct argp with_page = *argp;

	command_name = argv[0];
	with_page.help_filter = add_page;
	if (argp_parse(&with_page, argc, argv, flags, NULL, input) != 0)
		cli_no_memory();
}

int cli_fail(struct cli_output *o, const struct libra_error *err)
{
	int code = errno;
	const char *text = err->text[0] ? err->text : strerror(code);

	fprintf(stderr, "%s: %s\n", o->name, text);
	cli_error(o, text);
	return code == CLI_NO_ANSWER ? CLI_AWAY : CLI_FAILED;
}

void cli_usage(const struct argp_state *state, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", state->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(CLI_USAGE);
}

uint32_t cli_count(const struct argp_state *state, const char *option,
		   const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || n < 1 || n > 1000000)
		cli_usage(state,
			  "%s takes a whole number from 1 to 1000000, not "
			  "'%s'",
			  option, text);
	return (uint32_t)n;
}
