/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.c - see print.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

void cli_no_memory(void)
{
	fputs("libra: out of memory\n", stderr);
	exit(CLI_FAILED);
}

static void *json_memory(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		cli_no_memory();
	return memory;
}

void cli_json_begin(void)
{
	json_set_alloc_funcs(json_memory, free);
}

void cli_clock_text(double at_s, char text[32])
{
	time_t t;
	struct tm tm;

	strcpy(text, "none");
	if (!(fabs(at_s) < 1e15))
		return;
	t = (time_t)ceil(at_s);
	if (localtime_r(&t, &tm))
		strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
}

void cli_duration_text(double duration_s, char text[32])
{
	long long s;
	const char *sign = duration_s <= -0.5 ? "-" : "";

	strcpy(text, "none");
	if (!(fabs(duration_s) < 1e12))
		return;
	s = llround(fabs(duration_s));
	if (s >= 86400)
		snprintf(text, 32, "%s%lld-%02lld:%02lld:%02lld", sign,
			 s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
	else
		snprintf(text, 32, "%s%02lld:%02lld:%02lld", sign, s / 3600,
			 s / 60 % 60, s % 60);
}

bool cli_in_turn(const char *name)
{
	const struct libra_policy_type *policy = libra_policy_find(name, NULL);

	return policy && (policy->mode == LIBRA_GANG || policy->ranked);
}

json_t *cli_json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

int cli_json_print(json_t *json, FILE *out)
{
	char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));

	json_decref(json);
	if (!text)
		return CLI_FAILED;
	fprintf(out, "%s\n", text);
	free(text);
	return ferror(out) || fflush(out) ? CLI_FAILED : CLI_DONE;
}

double cli_json_double(const json_t *line, const char *name)
{
	const json_t *v = json_object_get(line, name);

	return json_is_number(v) ? json_number_value(v) : INFINITY;
}

const char *cli_json_text(const json_t *line, const char *name)
{
	const char *text = json_string_value(json_object_get(line, name));

	return text ? text : "";
}
