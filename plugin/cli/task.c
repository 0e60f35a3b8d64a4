/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - a waiting task of an array, which Slurm shows as "12_[4-7,9]".
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cluster.h"

/* FIRST, FIRST-LAST or FIRST-LAST:STEP at *s, which moves behind it. */
static void read_range(char **s, unsigned long *first, unsigned long *last,
		       unsigned long *step)
{
	*first = *last = strtoul(*s, s, 10);
	*step = 1;
	if (**s == '-')
		*last = strtoul(*s + 1, s, 10);
	if (**s == ':')
		*step = strtoul(*s + 1, s, 10);
	if (*step == 0)
		*step = 1;
}

/* How many tasks of a label are before this one; -1: it is none of them. */
static int64_t tasks_before(const char *label, uint32_t index)
{
	const char *open = strstr(label, "_[");
	unsigned long first, last, step;
	int64_t before = 0;
	char *s;

	for (s = open ? (char *)open + 2 : NULL; s && *s >= '0' && *s <= '9';
	     s += *s == ',') {
		read_range(&s, &first, &last, &step);
		if (index >= first && index <= last &&
		    (index - first) % step == 0)
			return before + (int64_t)((index - first) / step);
		if (last >= first)
			before += (int64_t)((last - first) / step) + 1;
	}
	return -1;
}

bool cli_job_task(const struct cli_job *array, uint32_t index,
		  struct cli_job *task)
{
	int64_t before = tasks_before(array->label, index);
	size_t at = 0;
	bool listed = true;

	if (before < 0)
		return false;
	*task = *array;
	task->tasks = 1;
	if (!array->promised)
		return true;
	for (; before >= 0 && listed; before--)
		listed = libra_promise_task(&array->promise, &at,
					    &task->promise);
	task->promise.tasks = 1;
	if (!listed)
		task->promise.on_len = 0;
	return true;
}
