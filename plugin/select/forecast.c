/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.c - see forecast.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/clock.h"
#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/forecast.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/pending.h"

#pragma weak job_list

/* Later than any start. */
#define FAR_S (20 * 365 * 86400L)

/* No time limit counts as a year, as in Slurm. */
#define MOST_MINUTES (365.0 * 24 * 60)

bool libra_is_test_only(const job_record_t *job, uint16_t mode, bool preempts)
{
	return SELECT_IS_MODE_WILL_RUN(mode) && preempts &&
	       !(job->bit_flags & BACKFILL_TEST) && IS_JOB_PENDING(job);
}

/* --- the ends of what runs --------------------------------------------------
 */

struct end {
	job_record_t *job;
	time_t limit; /* Slurm's */
	time_t at;
};

struct ends {
	struct end *of;
	size_t n;
};

static bool holds_cores(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       job->node_bitmap && job->end_time;
}

static int by_end(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Result: SLURM_SUCCESS, or ENOMEM; then the start cannot be known. */
static int read_ends(struct ends *ends, time_t now)
{
	LIBRA_LIST_ITERATOR it;
	job_record_t *job;
	struct end *end;
	double at_s;

	*ends = (struct ends){0};
	ends->of = calloc((size_t)list_count(job_list) + 1, sizeof(*end));
	if (!ends->of) {
		error("libra: out of memory: no start is told");
		return ENOMEM;
	}
	it = list_iterator_create(job_list);
	while ((job = list_next(it))) {
		if (!holds_cores(job))
			continue;
		at_s = libra_host_ends_s(libra_host_shared(), job->job_id);
		end = &ends->of[ends->n++];
		*end = (struct end){job, job->end_time, job->end_time};
		if (!isnan(at_s))
			end->at = (time_t)ceil(fmin(at_s, 1e11));
		if (end->at <= now)
			end->at = now + 1;
	}
	list_iterator_destroy(it);
	qsort(ends->of, ends->n, sizeof(*end), by_end);
	return SLURM_SUCCESS;
}

/* Let running jobs that end by an instant end now, and all others never.  Slurm
 * itself tests from end to end, but merges ends that are near each other.
 */
static void pretend(const struct ends *ends, time_t until, time_t now)
{
	for (size_t i = 0; i < ends->n; i++)
		ends->of[i].job->end_time =
			ends->of[i].at <= until ? now + 1 : now + FAR_S;
}

static void put_back(const struct ends *ends)
{
	for (size_t i = 0; i < ends->n; i++)
		ends->of[i].job->end_time = ends->of[i].limit;
}

static int fits_at(job_record_t *job, const struct libra_forecast_test *test,
		   const struct ends *ends, bool ordinary, time_t until,
		   time_t now)
{
	bitstr_t *full;
	time_t start = 0;
	int rc;

	pretend(ends, until, now);
	full = ordinary ? libra_shared_full_after(job, now + 1) : NULL;
	rc = test->test(test->arg, full, &start);
	FREE_NULL_BITMAP(full);
	put_back(ends);
	if (rc == SLURM_SUCCESS && start > now + FAR_S / 2)
		rc = ESLURM_NODES_BUSY;
	return rc;
}

int libra_forecast(job_record_t *job, const struct libra_forecast_test *test,
		   bool ordinary, time_t *start)
{
	double until_s =
		libra_host_read_clock(CLOCK_MONOTONIC) + LIBRA_OUTLOOK_S;
	time_t now = time(NULL);
	size_t from = 0, to, mid;
	unsigned halvings = 0;
	struct ends ends;
	int rc;

	*start = now;
	rc = read_ends(&ends, now);
	if (rc != SLURM_SUCCESS)
		return rc;
	rc = fits_at(job, test, &ends, ordinary, now, now);
	if (rc == SLURM_SUCCESS || ends.n == 0)
		goto out;
	rc = fits_at(job, test, &ends, ordinary, now + FAR_S, now);
	if (rc != SLURM_SUCCESS)
		goto out;
	to = ends.n - 1;
	while (from < to && halvings++ < LIBRA_OUTLOOK_HALVINGS &&
	       libra_host_read_clock(CLOCK_MONOTONIC) < until_s) {
		mid = from + (to - from) / 2;
		if (fits_at(job, test, &ends, ordinary, ends.of[mid].at, now) ==
		    SLURM_SUCCESS)
			to = mid;
		else
			from = mid + 1;
	}
	*start = ends.of[to].at;
	rc = fits_at(job, test, &ends, ordinary, *start, now);
out:
	free(ends.of);
	return rc;
}

int libra_forecast_empty(const struct libra_forecast_test *test)
{
	time_t now = time(NULL);
	struct ends ends;
	int rc = read_ends(&ends, now);

	if (rc == SLURM_SUCCESS)
		rc = fits_at(NULL, test, &ends, false, now + FAR_S, now);
	free(ends.of);
	return rc;
}

/* --- what waits -------------------------------------------------------------
 */

/* Return true if an ordinary job waits only for processors, with at least the
 * priority of another.
 */
static bool is_ahead(const job_record_t *other, const job_record_t *job)
{
	return other != job && libra_waits_for_place(other) &&
	       other->priority >= job->priority &&
	       other->details->begin_time <= time(NULL) &&
	       !(other->admin_comment &&
		 strncmp(other->admin_comment, "libra:", 6) == 0);
}

static bool is_before(const job_record_t *x, const job_record_t *y)
{
	return x->priority != y->priority ? x->priority > y->priority
					  : x->job_id < y->job_id;
}

/* Insert a job into a sorted list of at most cap; the last one falls out. */
static size_t insert(const job_record_t **list, size_t n, size_t cap,
		     const job_record_t *job)
{
	size_t at = n < cap ? n : cap;

	if (at == cap && (cap == 0 || !is_before(job, list[cap - 1])))
		return n;
	at -= at == cap;
	for (; at > 0 && is_before(job, list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = job;
	return n < cap ? n + 1 : n;
}

size_t libra_forecast_ahead(const job_record_t *job, const job_record_t **ahead,
			    size_t cap)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *other;
	size_t n = 0;

	while ((other = list_next(it)))
		if (is_ahead(other, job))
			n = insert(ahead, n, cap, other);
	list_iterator_destroy(it);
	return n;
}

double libra_forecast_queue_s(const job_record_t *job)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const part_record_t *part = job->part_ptr;
	const job_record_t *other;
	double work = 0, minutes;
	uint32_t on_core = 1;

	while ((other = list_next(it))) {
		if (other->part_ptr != part || !is_ahead(other, job))
			continue;
		minutes = other->time_limit == NO_VAL ? part->max_time
						      : other->time_limit;
		work += fmin(minutes, MOST_MINUTES) * other->details->min_cpus *
			fmax(1, LIBRA_ARRAY_WAITING(other));
	}
	list_iterator_destroy(it);
	if (part->max_share & SHARED_FORCE)
		on_core = (part->max_share & ~SHARED_FORCE) / 2;
	return floor(work * 60 /
		     (fmax(1, part->total_cpus) * fmax(1, on_core)));
}

/* --- the answer -------------------------------------------------------------
 */

/* The work that a waiting job is to Slurm, in minutes of a CPU.  Slurm counts
 * in 32 bits: the work of a job without a limit wraps around.
 */
static uint32_t slurm_work(const job_record_t *waiting, uint32_t cpus_per_node)
{
	uint32_t nodes = waiting->details->min_nodes;
	uint32_t cpus = waiting->details->min_cpus;
	uint32_t minutes = waiting->time_limit;

	nodes = (nodes == NO_VAL ? 1 : nodes) * cpus_per_node;
	cpus = cpus == NO_VAL ? 1 : cpus;
	if (minutes == NO_VAL)
		minutes = waiting->part_ptr->max_time;
	return (cpus > nodes ? cpus : nodes) * minutes;
}

static bool slurm_counts(const job_record_t *waiting, const job_record_t *job)
{
	return IS_JOB_PENDING(waiting) && waiting->details &&
	       waiting->part_ptr == job->part_ptr &&
	       waiting->priority >= job->priority &&
	       waiting->job_id != job->job_id && !IS_JOB_REVOKED(waiting);
}

/* The seconds that Slurm adds to the start of a job after the test: the work of
 * all jobs that wait in its partition with at least its priority, spread over
 * the partition's CPUs.  The rule is the same in 22.05 to 26.05.
 */
static uint64_t slurm_adds_s(const job_record_t *job)
{
	uint32_t nodes = job->part_ptr->total_nodes;
	uint32_t cpus = job->part_ptr->total_cpus;
	uint32_t cpus_per_node = 1;
	LIBRA_LIST_ITERATOR it;
	const job_record_t *waiting;
	uint64_t work = 0;

	if (nodes == 0 || cpus == 0)
		return 0;
	if (cpus > nodes)
		cpus_per_node = cpus / nodes;
	it = list_iterator_create(job_list);
	while ((waiting = list_next(it)))
		if (slurm_counts(waiting, job))
			work += slurm_work(waiting, cpus_per_node);
	list_iterator_destroy(it);
	return work / cpus * 60;
}

/* Unsigned, as Slurm adds: a sum that overflows gives the start all the same.
 */
void libra_forecast_tell(job_record_t *job, time_t start)
{
	uint64_t told = (uint64_t)start;

	if (job->part_ptr &&
	    libra_host_manages(libra_host_shared(), job->part_ptr->name))
		told -= slurm_adds_s(job);
	job->start_time = (time_t)told;
}
