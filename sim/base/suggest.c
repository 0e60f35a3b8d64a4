/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.c - the nearest name.
 *
 * The core measures the distance of names (libra_nearest_name); here it is
 * called for one more name at a time, so that a caller needs no array of names.
 */
#include "sim/base/suggest.h"

#include <stdio.h>

#include "core/param.h"

const char *sim_nearer_name(const char *typed, const char *nearest,
			    const char *name)
{
	const char *names[2] = {nearest, name};
	const char *better = libra_nearest_name(typed, names, 2);

	return better ? better : nearest;
}

const char *sim_suggestion(char buf[SIM_SUGGESTION_SIZE], const char *nearest,
			   const char *otherwise)
{
	if (nearest)
		snprintf(buf, SIM_SUGGESTION_SIZE, " (did you mean '%s'?)",
			 nearest);
	else
		snprintf(buf, SIM_SUGGESTION_SIZE, "%s", otherwise);
	return buf;
}
