/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - the known name that is nearest to a mistyped one.
 *
 * For messages about unknown policies, options and columns.  Nothing is
 * allocated.
 */
#ifndef SIM_SUGGEST_H
#define SIM_SUGGEST_H

/* Compare two names with a mistyped one.  Call it for each known name in turn,
 * with the last result as nearest, and NULL at first.
 * Result: nearest or name; NULL if neither is near enough.
 */
const char *sim_nearer_name(const char *typed, const char *nearest,
			    const char *name);

#define SIM_SUGGESTION_SIZE 96

/* Write the end of a message about a mistyped name.
 * Result: buf, with " (did you mean 'NEAREST'?)", or with the text `otherwise`
 *         if nearest is NULL.
 */
const char *sim_suggestion(char buf[SIM_SUGGESTION_SIZE], const char *nearest,
			   const char *otherwise);

#endif
