/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - what users may say of a job beyond Slurm's own options.
 */
#ifndef LIBRA_SPANK_OPTIONS_H
#define LIBRA_SPANK_OPTIONS_H

#include "core/error.h"

enum { LIBRA_NOPTIONS = 3 };

struct libra_option {
	char *name, *arg, *help; /* as in struct spank_option */
	const char *variable;	 /* of the job control environment */
	double least;		 /* values may not be below, */
	int above;		 /* nor be just that */
	int duration;		 /* a time, not a number */
};

extern const struct libra_option libra_options[LIBRA_NOPTIONS];

/* Read a value; times are in seconds.
 * Result: 0, or -1 with EINVAL and a text that says what is right.
 */
int libra_option_parse(const struct libra_option *option, const char *text,
		       double *value, struct libra_error *err);

#endif
