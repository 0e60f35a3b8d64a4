/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ignored.h - options and settings that the model ignores, and how often the
 * log or the site has each.
 *
 * A list is a plain value, {0} when empty; nothing is allocated or locked.
 */
#ifndef SIM_SCHED_IGNORED_H
#define SIM_SCHED_IGNORED_H

#include <stddef.h>
#include <stdint.h>

struct sched_ignored {
	const char *what; /* an option such as "--licenses"; not owned */
	uint64_t n;	  /* uses */
};

struct sched_ignored_list {
	struct sched_ignored of[96];
	size_t n;
	uint64_t all; /* all uses, also of names that found no room */
};

/* Count one more use of an option or setting.  Equal texts share an entry.  The
 * text `what` must live as long as the list.  If the list is full, a new name
 * counts in `all` only.
 */
void sched_ignore(struct sched_ignored_list *list, const char *what);

#endif
