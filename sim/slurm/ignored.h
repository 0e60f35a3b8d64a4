/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ignored.h - what the model does not follow, and how often it was asked for.
 */
#ifndef SIM_SLURM_IGNORED_H
#define SIM_SLURM_IGNORED_H

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

/* Count one more; what lives as long as the list.  A full list counts no new
 * names.
 */
void sched_ignore(struct sched_ignored_list *list, const char *what);

#endif
