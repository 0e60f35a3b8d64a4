/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.c - a waiting task of an array, which Slurm shows as "12_[4-7,9]".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

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

struct start {
	double at_s;
	const char *text;
	size_t len;
};

static int by_time(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

/* Read the planned starts of a record, in order.
 * Result: their number; *starts is the caller's to free.
 */
static size_t read_starts(const struct libra_promise *p, struct start **starts)
{
	const char *at = p->start.text, *end = at ? at + p->start.len : NULL;
	size_t n = 0;

	*starts = calloc(p->start.len / 2 + 1, sizeof(**starts));
	if (!*starts)
		cli_no_memory();
	while (at < end) {
		const char *stop = memchr(at, ';', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);

		(*starts)[n++] = (struct start){strtod(at, NULL), at, len};
		at += len + (stop != NULL);
	}
	if (n > 0)
		qsort(*starts, n, sizeof(**starts), by_time);
	return n;
}

double cli_planned_start(const struct libra_promise *p)
{
	struct start *starts;
	size_t n = read_starts(p, &starts);
	double start_s = n > 0 ? starts[0].at_s : NAN;

	free(starts);
	return start_s;
}

json_t *cli_planned_starts(const struct cli_job *job)
{
	json_t *list = json_array();
	struct start *starts = NULL;
	size_t n = 0;

	if (job->state == CLI_JOB_WAITING)
		n = read_starts(&job->promise, &starts);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_real(starts[i].at_s));
	free(starts);
	return list;
}

/* Tasks start in order of their indices, so the first planned start is that of
 * the first task that waits.  The record may list starts of tasks that have
 * begun since: the earliest.
 */
static void take_start(const struct cli_job *array, uint32_t before,
		       struct libra_promise *p)
{
	struct start *starts;
	size_t n = read_starts(p, &starts);
	size_t begun = n > array->tasks ? n - array->tasks : 0;

	p->start.len = 0;
	if (before + begun < n) {
		p->start.text = starts[before + begun].text;
		p->start.len = starts[before + begun].len;
	}
	free(starts);
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
	take_start(array, (uint32_t)before, &task->promise);
	for (; before >= 0 && listed; before--)
		listed = libra_promise_task(&array->promise, &at,
					    &task->promise);
	task->promise.tasks = 1;
	if (!listed)
		task->promise.on.len = 0;
	return true;
}

const struct cli_job *cli_find_job(const struct cli_cluster *cluster,
				   const char *text, struct cli_job *task,
				   uint32_t *id)
{
	const struct cli_job *found = NULL;
	char *end;
	uint32_t index = 0;

	*id = (uint32_t)strtoul(text, &end, 10);
	if (*end == '_')
		index = (uint32_t)strtoul(end + 1, NULL, 10);
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];

		if (strcmp(job->label, text) == 0)
			found = job;
		else if (!found && *end == '\0' &&
			 (job->id == *id || job->array_id == *id))
			found = job;
		else if (!found && *end == '_' && job->array_id == *id &&
			 cli_job_task(job, index, task))
			found = task;
	}
	if (found)
		*id = found->id;
	return found;
}

bool cli_is_job_id(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n > 9)
		return false;
	if (text[n] == '_')
		n += 1 + strspn(text + n + 1, "0123456789");
	return text[n] == '\0' && text[n - 1] != '_';
}
