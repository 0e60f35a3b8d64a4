/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ignored.c - what the model does not follow. */
#include <string.h>

#include "sim/slurm/sched/ignored.h"

void sched_ignore(struct sched_ignored_list *list, const char *what)
{
	const size_t room = sizeof(list->of) / sizeof(list->of[0]);

	list->all++;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->of[i].what, what) == 0) {
			list->of[i].n++;
			return;
		}
	if (list->n < room) {
		list->of[list->n].what = what;
		list->of[list->n++].n = 1;
	}
}
