/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection.c - see selection.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/cli/selection.h"

/* Is a name in a list with ',' between? */
static bool listed(const char *list, const char *name, size_t len)
{
	for (; list; list = *list ? list + 1 : NULL) {
		size_t n = strcspn(list, ",");

		if (n == len && strncmp(list, name, n) == 0)
			return true;
		list += n;
	}
	return false;
}

static bool selects(const char *list, const char *name, size_t len)
{
	return !list || listed(list, name, len);
}

bool cli_selects_group(const struct cli_cluster *cluster,
		       const struct cli_selection *s)
{
	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed &&
		    selects(s->partitions, cluster->parts[i].name,
			    strlen(cluster->parts[i].name)))
			return true;
	return !s->partitions;
}

bool cli_selects_node(const struct cli_cluster *cluster,
		      const struct cli_selection *s, uint32_t node)
{
	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed &&
		    cluster->parts[i].nodes[node] &&
		    selects(s->partitions, cluster->parts[i].name,
			    strlen(cluster->parts[i].name)))
			return true;
	return false;
}

enum {
	BY_JOB = 1,
	BY_USER,
	BY_PARTITION,
	BY_STATE,
	BY_PROCS,
	BY_START,
	BY_DEADLINE,
	BY_SLACK
};

static const char *const key_names[] = {
	[BY_JOB] = "job",
	[BY_USER] = "user",
	[BY_PARTITION] = "partition",
	[BY_STATE] = "state",
	[BY_PROCS] = "procs",
	[BY_START] = "start",
	[BY_DEADLINE] = "deadline",
	[BY_SLACK] = "slack",
};

const char cli_sort_keys[] =
	"job, user, partition, state, procs, start, deadline, slack";

static int find_key(const char *name, size_t len)
{
	for (int i = BY_JOB; i <= BY_SLACK; i++)
		if (strlen(key_names[i]) == len &&
		    strncmp(key_names[i], name, len) == 0)
			return i;
	return 0;
}

int cli_sort_parse(const char *text, struct cli_selection *s)
{
	int n = 0;

	memset(s->sort, 0, sizeof(s->sort));
	for (;; text++) {
		bool reverse = *text == '-';
		size_t len;
		int key;

		text += reverse || *text == '+';
		len = strcspn(text, ",");
		key = find_key(text, len);
		if (key == 0 || n == CLI_SORT_KEYS - 1) {
			errno = EINVAL;
			return -1;
		}
		s->sort[n++] = reverse ? -key : key;
		text += len;
		if (!*text)
			return 0;
	}
}

/* The first number behind the label's '_', "12_[4-7]" too; 0 for a job. */
static unsigned long task_of(const struct cli_job *job)
{
	const char *at = strchr(job->label, '_');

	return at ? strtoul(at + 1 + (at[1] == '['), NULL, 10) : 0;
}

/* By job, tasks of an array by their index. */
static int by_job(const struct cli_job *x, const struct cli_job *y)
{
	uint32_t i = x->array_id ? x->array_id : x->id;
	uint32_t k = y->array_id ? y->array_id : y->id;
	unsigned long s = task_of(x), t = task_of(y);

	if (i != k)
		return i < k ? -1 : 1;
	return s < t ? -1 : s > t;
}

static int by_partition(const struct libra_promise *x,
			const struct libra_promise *y)
{
	size_t n = x->part.len < y->part.len ? x->part.len : y->part.len;
	int order = n ? strncmp(x->part.text, y->part.text, n) : 0;

	return order ? order
		     : (x->part.len > y->part.len) -
			       (x->part.len < y->part.len);
}

/* Unknown numbers come last. */
static int by_number(double x, double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x > y) - (x < y);
}

static int by_key(const struct cli_row *x, const struct cli_row *y, int key)
{
	const struct libra_promise *p = &x->job->promise;
	const struct libra_promise *q = &y->job->promise;

	switch (key) {
	case BY_USER:
		return strcmp(x->job->user, y->job->user);
	case BY_PARTITION:
		return by_partition(p, q);
	case BY_STATE:
		return strcmp(x->job->state_name, y->job->state_name);
	case BY_PROCS:
		return by_number(p->nprocs, q->nprocs);
	case BY_START:
		return by_number(x->start_s, y->start_s);
	case BY_DEADLINE:
		return by_number(p->deadline_s, q->deadline_s);
	case BY_SLACK:
		return by_number(x->now.slack_s, y->now.slack_s);
	default:
		return by_job(x->job, y->job);
	}
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct cli_selection *s = arg;
	int order = 0;

	for (int i = 0; order == 0 && s->sort[i]; i++)
		order = s->sort[i] > 0 ? by_key(a, b, s->sort[i])
				       : by_key(b, a, -s->sort[i]);
	return order ? order : by_key(a, b, BY_JOB);
}

static void set_row(const struct cli_cluster *cluster,
		    const struct cli_job *job, struct cli_row *row)
{
	struct cli_part *parts;
	int64_t n = cli_job_parts(cluster, job, &parts);

	row->job = job;
	row->now = cli_job_progress(cluster, job, parts, n > 0 ? (size_t)n : 0);
	row->start_s = job->state == CLI_JOB_WAITING
			       ? cli_planned_start(&job->promise)
			       : NAN;
	row->late_s = cli_late_now_s(cluster, job);
	free(parts);
}

uint32_t cli_select_rows(const struct cli_cluster *cluster,
			 const struct cli_selection *s, struct cli_row **rows)
{
	uint32_t n = 0;

	*rows = calloc(cluster->njobs + 1u, sizeof(**rows));
	if (!*rows)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];

		if (job->promised && job->state != CLI_JOB_OVER &&
		    cli_cluster_has(cluster, job) &&
		    selects(s->users, job->user, strlen(job->user)) &&
		    selects(s->partitions, job->promise.part.text,
			    job->promise.part.len))
			set_row(cluster, job, &(*rows)[n++]);
	}
	qsort_r(*rows, n, sizeof(**rows), compare, (void *)s);
	return n;
}
