/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_only.c - see test_only.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/limits.h"
#include "plugin/select/forecast.h"
#include "plugin/select/test_only.h"
#include "plugin/select/shared_capacity.h"

#pragma weak node_record_count

/* A question, and the state of the search for its answer. */
struct search {
	struct libra_test_only q;
	bitstr_t *all;	    /* the nodes of the question */
	bitstr_t *promised; /* cores that the job must not use; NULL = none */
};

static int test_once(void *arg, bitstr_t *cores, time_t *start)
{
	const struct search *s = arg;
	int rc;

	bit_copybits(s->q.nodes, s->all);
	rc = s->q.test(&s->q, cores ? cores : s->promised);
	*start = s->q.job->start_time;
	return rc;
}

/* Return the earliest fit beside reservations; NAN if there are none, INFINITY
 * if none is known.
 */
static double hole_s(const struct search *s, const struct libra_host_job *seen)
{
	const job_record_t *jobs[LIBRA_FIT_AHEAD];
	struct libra_host_job ahead[LIBRA_FIT_AHEAD];
	uint32_t n = (uint32_t)node_record_count;
	uint8_t *nodes = calloc(n + 1, sizeof(*nodes));
	double start_s;
	size_t nahead;

	if (!nodes)
		return INFINITY;
	nahead = libra_forecast_ahead(s->q.job, jobs, LIBRA_FIT_AHEAD);
	for (size_t i = 0; i < nahead; i++)
		ahead[i] = libra_view(jobs[i], true);
	for (uint32_t i = 0; i < n; i++)
		nodes[i] = bit_test(s->all, (int)i) != 0;
	start_s = libra_host_earliest_fit_s(libra_host_shared(), seen, nodes, n,
					    ahead, (uint32_t)nahead);
	free(nodes);
	return start_s;
}

/* Find the start of an ordinary job.  If the nodes without promised memory do
 * not suffice, the job may have to wait until all promised jobs have ended.
 */
static int start_ordinary(struct search *s, const struct libra_host_job *seen,
			  time_t *start)
{
	const struct libra_forecast_test test = {test_once, s};
	job_record_t *job = s->q.job;
	double planned_s = hole_s(s, seen), last_s = 0;
	bitstr_t *whole = bit_copy(s->all);
	int rc;

	libra_shared_memory(job, seen, s->all);
	rc = libra_forecast(job, &test, true, start);
	if (rc != SLURM_SUCCESS && !bit_equal(whole, s->all)) {
		bit_copybits(s->all, whole);
		last_s = libra_host_last_end_s(libra_host_shared());
		rc = libra_forecast(job, &test, true, start);
	}
	FREE_NULL_BITMAP(whole);
	if (isinf(planned_s))
		rc = ESLURM_NODES_BUSY;
	else if (planned_s > last_s)
		last_s = planned_s;
	if (last_s > *start)
		*start = (time_t)ceil(last_s);
	if (isnan(planned_s) &&
	    libra_host_manages(libra_host_shared(), job->part_ptr->name))
		*start += (time_t)libra_forecast_queue_s(job);
	return rc;
}

/* Find the start of a waiting job: the host's for a promised job.  Slurm knows
 * when a job asks later for a promise.  For a job that got no promise there is
 * no start.
 */
static int start_waiting(struct search *s, const struct libra_host_job *seen,
			 time_t *start)
{
	const struct libra_forecast_test test = {test_once, s};
	double start_s = libra_host_starts_s(libra_host_shared(), seen);

	*start = time(NULL);
	if (isnan(start_s) ? !seen->look_only : isinf(start_s))
		return ESLURM_NODES_BUSY;
	if (start_s > *start)
		*start = (time_t)ceil(start_s);
	return libra_forecast_empty(&test);
}

static int start_here(struct search *s, const struct libra_host_placement *here,
		      time_t *start)
{
	const struct libra_forecast_test test = {test_once, s};
	int rc;

	if (!libra_cores_nodes(here, s->all, &s->q.min_nodes, &s->q.max_nodes,
			       &s->q.req_nodes))
		return ESLURM_NODES_BUSY;
	s->promised = libra_cores_but(here);
	rc = libra_forecast(s->q.job, &test, false, start);
	FREE_NULL_BITMAP(s->promised);
	return rc;
}

static int find_start(struct search *s, const struct libra_host_job *seen,
		      enum libra_host_place where,
		      const struct libra_host_placement *here, time_t *start)
{
	switch (where) {
	case LIBRA_PLACE_STOCK:
	case LIBRA_PLACE_LOST:
		return start_ordinary(s, seen, start);
	case LIBRA_PLACE_HERE:
		return start_here(s, here, start);
	case LIBRA_PLACE_WAIT:
		return start_waiting(s, seen, start);
	case LIBRA_PLACE_END:
		break;
	}
	return ESLURM_NODES_BUSY;
}

/* A job that begins later asks for its promise then.  If the host did not know
 * the job, the promise that was made for the answer is released, and the job's
 * record stays as it is.
 */
int libra_test_only_answer(const struct libra_test_only *question,
			   struct libra_host_placement *room)
{
	struct search s = {.q = *question};
	job_record_t *job = s.q.job;
	bool later =
		libra_limits_hold(job) ||
		libra_slurm_ops.job_state(job->job_id) == LIBRA_JOB_BLOCKED;
	struct libra_host_job seen = libra_view(job, later);
	bool tracked = libra_host_tracks(libra_host_shared(), &seen);
	enum libra_host_place where =
		libra_host_place(libra_host_shared(), &seen, room);
	char *comment = NULL;
	time_t start = 0, was;
	int rc;

	if (tracked) {
		libra_take_record(job, room);
		seen = libra_view(job, later);
	} else if (room->record.comment) {
		comment = room->record.comment;
		seen.comment = comment;
		room->record.comment = NULL;
	}
	was = job->start_time;
	s.all = bit_copy(s.q.nodes);
	rc = find_start(&s, &seen, where, room, &start);
	FREE_NULL_BITMAP(s.all);
	if (rc == SLURM_SUCCESS)
		libra_forecast_tell(job, start);
	else
		job->start_time = was;
	if (!tracked)
		libra_host_forget(libra_host_shared(), &seen);
	free(comment);
	libra_host_flush_records(libra_host_shared());
	return rc;
}

int libra_test_only_ever(const struct libra_test_only *question,
			 const struct libra_host_placement *place)
{
	struct libra_test_only q = *question;
	int rc = SLURM_ERROR;
	bitstr_t *all;

	if (place->nparts == 0)
		return q.test(&q, NULL);
	all = bit_copy(q.nodes);
	if (libra_cores_nodes(place, q.nodes, &q.min_nodes, &q.max_nodes,
			      &q.req_nodes))
		rc = q.test(&q, NULL);
	if (rc != SLURM_SUCCESS) {
		bit_copybits(q.nodes, all);
		rc = question->test(question, NULL);
	}
	FREE_NULL_BITMAP(all);
	return rc;
}
