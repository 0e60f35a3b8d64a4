/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the users' options --estimate, --budget and --penalty-rate.
 *
 * Used in sbatch, salloc and srun, and to register the options in slurmstepd.
 */
#ifndef LIBRA_SPANK_OPTIONS_H
#define LIBRA_SPANK_OPTIONS_H

#include "core/error.h"

enum { LIBRA_NOPTIONS = 3 };

struct libra_option {
	char *name, *arg, *help; /* as in struct spank_option */
	const char *variable;	 /* in the job control environment */
	double least;		 /* least value */
	int above;		 /* 1 = the value must be above least */
	int duration;		 /* 1 = a time, 0 = a number */
};

extern const struct libra_option libra_options[LIBRA_NOPTIONS];

/* Read a value; a time in seconds.
 * Result: 0, or -1 with EINVAL, and err names the option and its valid values.
 */
int libra_option_parse(const struct libra_option *option, const char *text,
		       double *value, struct libra_error *err);

#endif
