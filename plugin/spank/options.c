/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.c - see options.h.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/options.h"

const struct libra_option libra_options[LIBRA_NOPTIONS] = {
	{"estimate", "TIME",
	 "how long the job runs on whole processors: minutes, "
	 "minutes:seconds, [days-]hours:minutes:seconds, or NUMBERs for "
	 "seconds (default: --time)",
	 "LIBRA_ASK_ESTIMATE", 0, 1, 1},
	{"budget", "CREDITS",
	 "what an end by the deadline is worth, in credits (>= 0)",
	 "LIBRA_ASK_BUDGET", 0, 0, 0},
	{"penalty-rate", "CREDITS",
	 "what each second after the deadline takes off the budget, in "
	 "credits per second (>= 0)",
	 "LIBRA_ASK_PENALTY_RATE", 0, 0, 0},
};

/* Plain digits, so that no sign, exponent or hexadecimal slips through. */
static bool decimal(const char *text, const char *end)
{
	size_t digits = strspn(text, "0123456789"), more = 0;

	if (text + digits < end && text[digits] == '.') {
		more = strspn(text + digits + 1, "0123456789");
		return digits + more > 0 && text + digits + 1 + more == end;
	}
	return digits > 0 && digits <= 15 && text + digits == end;
}

/* Slurm's forms of a time, and seconds: "90s", "1.5s". */
static bool parse_time(const char *text, double *value_s)
{
	unsigned d = 0, part[3] = {0};
	const char *end = text + strlen(text), *dash = strchr(text, '-');
	int n = 0, at;

	if (end > text && end[-1] == 's' && decimal(text, end - 1)) {
		*value_s = strtod(text, NULL);
		return true;
	}
	if (dash) {
		if (sscanf(text, "%5u%n", &d, &at) != 1 || text + at != dash ||
		    !decimal(text, dash))
			return false;
		text = dash + 1;
	}
	for (; n < 3; n++) {
		const char *stop = strchrnul(text, ':');

		if (!decimal(text, stop) || stop - text > 9 ||
		    sscanf(text, "%9u%n", &part[n], &at) != 1 ||
		    text + at != stop)
			return false;
		text = stop;
		if (*text++ == '\0')
			break;
	}
	n++;
	if (n > 3 || (n > 1 && part[1] > 59) || (n > 2 && part[2] > 59))
		return false;
	if (dash) /* days-hours[:minutes[:seconds]] */
		*value_s = d * 86400.0 + part[0] * 3600.0 + part[1] * 60.0 +
			   part[2];
	else if (n == 3)
		*value_s = part[0] * 3600.0 + part[1] * 60.0 + part[2];
	else
		*value_s = part[0] * 60.0 + part[1];
	return true;
}

int libra_option_parse(const struct libra_option *option, const char *text,
		       double *value, struct libra_error *err)
{
	bool good =
		text && (option->duration ? parse_time(text, value)
					  : decimal(text, text + strlen(text)));

	if (good && !option->duration)
		*value = strtod(text, NULL);
	if (good && *value >= option->least && *value < 1e12 &&
	    !(option->above && *value == option->least))
		return 0;
	return libra_errf(
		err, EINVAL, "--%s=%.80s: %s", option->name, text ? text : "",
		option->duration
			? "must be a time above 0: minutes, minutes:seconds, "
			  "[days-]hours:minutes:seconds, or NUMBERs for seconds"
			: "must be a number of credits >= 0, as 250 or 0.5");
}
