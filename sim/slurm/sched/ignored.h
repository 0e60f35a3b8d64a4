/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ignored.h - options and settings that the model ignores, and how often the
 * log or the site has each.
 */
#ifndef SIM_SCHED_IGNORED_H
#define SIM_SCHED_IGNORED_H

#include <stddef.h>
#include <stdint.h>

struct sched_ignored {
	const char *what;
	uint64_t n;
};

struct sched_ignored_list {
	struct sched_ignored of[96];
	size_t n;
	uint64_t all; /* counted, of whatever name */
};

/* Count one more use of an option or setting.  what must outlive the list.  A
 * full list counts new names only in `all`.
 */
void sched_ignore(struct sched_ignored_list *list, const char *what);

#endif
