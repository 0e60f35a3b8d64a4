/* SPDX-License-Identifier: GPL-2.0-or-later */
/* param.c - checks and name suggestions for parameter tables. */
#include "core/param.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_LEN 48 /* longer names are never suggested */

const char *libra_param_type_name(enum libra_param_type type)
{
	switch (type) {
	case LIBRA_PARAM_NUMBER:
		return "number";
	case LIBRA_PARAM_INTEGER:
		return "integer";
	case LIBRA_PARAM_SWITCH:
		return "switch";
	}
	return "unknown";
}

int libra_param_find(const struct libra_param *table, size_t n,
		     const char *name, struct libra_error *err)
{
	const char *near = NULL;

	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return (int)i;
	/* Decisions look for parameters that a policy may not have, without
	 * err: no suggestion is needed then.
	 */
	for (size_t i = 0; err && i < n; i++) {
		const char *names[2] = {near, table[i].name};
		const char *better = libra_nearest_name(name, names, 2);

		if (better)
			near = better;
	}
	if (near)
		return libra_errf(err, ENOENT,
				  "unknown parameter '%s' (did you mean '%s'?)",
				  name, near);
	return libra_errf(err, ENOENT, "unknown parameter '%s'", name);
}

static int parse_switch(const char *text, double *value)
{
	static const char *const yes[] = {"yes", "true", "on", "1"};
	static const char *const no[] = {"no", "false", "off", "0"};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (strcasecmp(text, yes[i]) == 0)
			*value = 1;
		else if (strcasecmp(text, no[i]) == 0)
			*value = 0;
		else
			continue;
		return 0;
	}
	return -1;
}

int libra_param_parse(const struct libra_param *param, const char *text,
		      double *value, struct libra_error *err)
{
	char *end;
	double x;

	if (param->type == LIBRA_PARAM_SWITCH) {
		if (parse_switch(text, value) == 0)
			return 0;
		return libra_errf(err, EINVAL, "%s takes yes or no, not '%s'",
				  param->name, text);
	}
	x = strtod(text, &end);
	if (end == text || *end != '\0' || isnan(x))
		return libra_errf(err, EINVAL, "%s takes a number, not '%s'",
				  param->name, text);
	if (param->type == LIBRA_PARAM_INTEGER && x != floor(x))
		return libra_errf(err, EINVAL,
				  "%s takes a whole number, not '%s'",
				  param->name, text);
	if (x < param->min || x > param->max)
		return libra_errf(err, ERANGE,
				  "%s must be from %g to %g, not '%s'",
				  param->name, param->min, param->max, text);
	*value = x;
	return 0;
}

/* Return the edit distance (insert, delete, change), one row at a time. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_MAX_LEN + 1], na = strlen(a), nb = strlen(b);

	if (nb > NAME_MAX_LEN || na > NAME_MAX_LEN)
		return SIZE_MAX;
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t up = row[j], least = diagonal;

			if (a[i - 1] != b[j - 1]) {
				least = up < row[j - 1] ? up : row[j - 1];
				least = least < diagonal ? least : diagonal;
				least++;
			}
			diagonal = up;
			row[j] = least;
		}
	}
	return row[nb];
}

const char *libra_nearest_name(const char *typed, const char *const *names,
			       size_t n)
{
	size_t limit = strlen(typed) / 3 + 1, best = limit + 1;
	const char *near = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d = names[i] ? distance(typed, names[i]) : SIZE_MAX;

		if (d < best) {
			best = d;
			near = names[i];
		}
	}
	return near;
}
