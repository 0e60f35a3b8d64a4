/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest.h - for messages about a name that is not known: which one may have
 * been meant.
 */
#ifndef SIM_SUGGEST_H
#define SIM_SUGGEST_H

/* The nearer of two names to a mistyped one: call it for each known name in
 * turn, with the last result, which is NULL at first.
 * Result: nearest or name; NULL if neither is near enough to be meant.
 */
const char *sim_nearer_name(const char *typed, const char *nearest,
			    const char *name);

#define SIM_SUGGESTION_SIZE 96

/* What to append to the message.
 * Result: buf: " (did you mean 'NEAREST'?)", or otherwise if nearest is NULL.
 */
const char *sim_suggestion(char buf[SIM_SUGGESTION_SIZE], const char *nearest,
			   const char *otherwise);

#endif
