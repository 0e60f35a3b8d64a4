/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest.h - which known name an unknown one may have been meant as. */
#ifndef SIM_SUGGEST_H
#define SIM_SUGGEST_H

/* The nearer of two names to a mistyped one.  Call it for each known name in
 * turn with the last result, NULL at first.
 * Result: nearest or name; NULL if neither is near enough.
 */
const char *sim_nearer_name(const char *typed, const char *nearest,
			    const char *name);

#define SIM_SUGGESTION_SIZE 96

/* What to append to the message.
 * Result: buf: " (did you mean 'NEAREST'?)", or otherwise where nearest is
 *         NULL.
 */
const char *sim_suggestion(char buf[SIM_SUGGESTION_SIZE], const char *nearest,
			   const char *otherwise);

#endif
