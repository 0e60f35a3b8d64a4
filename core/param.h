/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * param.h - the parameters of policies, as tables.
 *
 * The configuration check, `librasim policies`, the manual and the comments of
 * slurm.conf.example all read the same table.  Values are doubles; a switch is
 * 0 or 1, and an integer is a whole number.
 */
#ifndef LIBRA_PARAM_H
#define LIBRA_PARAM_H

#include <stddef.h>

#include "core/error.h"

enum libra_param_type {
	LIBRA_PARAM_NUMBER = 1,
	LIBRA_PARAM_INTEGER,
	LIBRA_PARAM_SWITCH, /* yes or no */
};

struct libra_param {
	const char *name;
	enum libra_param_type type;
	const char *unit; /* "s", "%", "" */
	double value;	  /* default */
	double min, max;  /* both inclusive */
	const char *help; /* one sentence */
};

/* Return the printable name of a type: "number", "integer", "switch". */
const char *libra_param_type_name(enum libra_param_type type);

/* Find a parameter by name in a table of n.
 * Result: index, or -1 with ENOENT; err suggests the nearest name.
 */
int libra_param_find(const struct libra_param *table, size_t n,
		     const char *name, struct libra_error *err);

/* Parse a value and check its type and range.
 * Result: 0 and *value, or -1 with EINVAL (not of the type) or ERANGE.
 */
int libra_param_parse(const struct libra_param *param, const char *text,
		      double *value, struct libra_error *err);

/* Return the name nearest to a mistyped one, by edit distance.
 * Result: one of names[0..n-1] (NULL elements are skipped), or NULL if none is
 *         near enough.
 */
const char *libra_nearest_name(const char *typed, const char *const *names,
			       size_t n);

#endif
