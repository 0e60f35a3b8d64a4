/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the options for users: --estimate, --budget, --penalty-rate.
 */
#ifndef LIBRA_SPANK_OPTIONS_H
#define LIBRA_SPANK_OPTIONS_H

#include "core/error.h"

enum { LIBRA_NOPTIONS = 3 };

struct libra_option {
	char *name, *arg, *help; /* as in struct spank_option */
	const char *variable;	 /* of the job control environment */
	double least;		 /* of values */
	int above;		 /* 1 = and the least itself is refused */
	int duration;		 /* 1 = a time, 0 = a number */
};

extern const struct libra_option libra_options[LIBRA_NOPTIONS];

/* Read a value; times in seconds.
 * Result: 0, or -1 with EINVAL and a text that says what would be right.
 */
int libra_option_parse(const struct libra_option *option, const char *text,
		       double *value, struct libra_error *err);

#endif
