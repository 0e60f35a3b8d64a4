/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band_host.h - the least of a host for gangs, and random workloads: what the
 * tests of band have in common.
 */
#ifndef TESTS_UNIT_BAND_HOST_H
#define TESTS_UNIT_BAND_HOST_H

#include <errno.h>

#include "core/gang/finish.h"
#include "core/gang/ops.h"
#include "sim/run/run.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORKLOADS 1000
#define MOST_JOBS 60

struct host {
	struct libra_engine *e;
	double now_s;
};

static inline void open_nodes(struct host *h, const char *policy,
			      const uint32_t *node_procs, uint32_t nnodes,
			      const char *other)
{
	const struct libra_policy_type *type = libra_policy_find(policy, NULL);
	double params[16];
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = node_procs,
		.nnodes = nnodes,
		.offer_ttl_s = INFINITY,
	};

	assert_non_null(type);
	for (size_t i = 0; i < type->nparams; i++)
		params[i] = other && strstr(other, type->params[i].name)
				    ? !type->params[i].value
				    : type->params[i].value;
	h->e = libra_engine_create(&conf, NULL);
	h->now_s = 0;
	assert_non_null(h->e);
}

static inline void open_host(struct host *h, const char *policy,
			     uint32_t nprocs, const char *other)
{
	open_nodes(h, policy, &nprocs, 1, other);
}

/* Result: the ticket, 0 if refused; dispatched and started. */
static inline uint64_t submit_where(struct host *h, uint32_t n,
				    double estimate_s, double deadline_s,
				    const struct libra_where *where)
{
	struct libra_job job = {
		.submit_s = h->now_s,
		.estimate_s = estimate_s,
		.deadline_s = h->now_s + deadline_s,
		.nprocs = n,
		.where = where,
	};
	struct libra_verdict verdict;

	assert_int_equal(
		libra_engine_offer(h->e, &job, h->now_s, &verdict, NULL), 0);
	if (verdict.answer == LIBRA_ACCEPT)
		assert_int_equal(
			libra_engine_commit(h->e, verdict.ticket, 1, h->now_s),
			0);
	return verdict.ticket;
}

static inline uint64_t submit(struct host *h, uint32_t n, double estimate_s,
			      double deadline_s)
{
	return submit_where(h, n, estimate_s, deadline_s, NULL);
}

/* Write the actions as "S1 H2 ": kind and number of the ticket's offer. */
static inline const char *actions(struct host *h)
{
	static char text[256];
	static const char letters[] = "?SR?HG";
	struct libra_action action;

	text[0] = '\0';
	libra_engine_schedule(h->e, h->now_s);
	while (libra_engine_next_action(h->e, &action)) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "%c%u ",
			 letters[action.kind], (unsigned)(action.ticket >> 32));
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(libra_engine_started(
						 h->e, action.ticket, h->now_s),
					 0);
	}
	return text;
}

/* "0-3,8", "" for no ticket */
static inline const char *placed(const struct host *h, uint64_t ticket)
{
	return ticket ? host_placed(h->e, ticket) : "";
}

static inline uint32_t first_proc(const struct host *h, uint64_t ticket)
{
	struct libra_range range;

	assert_true(libra_engine_placement(h->e, ticket, &range, 1) >= 1);
	return range.first;
}

/* ---- random workloads ---- */

/* Nobody overruns; estimates are often far too long, deadlines sometimes
 * shorter than the estimate, never than the run time.
 */
static inline void random_workload(struct sim_workload *w, uint64_t seed)
{
	double now_s = 0, load;

	memset(w, 0, sizeof(*w));
	w->procs = 1 + (uint32_t)random_between(&seed, 0, 40);
	w->njobs = (size_t)random_between(&seed, 5, MOST_JOBS);
	w->jobs = calloc(w->njobs, sizeof(*w->jobs));
	assert_non_null(w->jobs);
	load = random_between(&seed, 1, 60);
	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];
		double size = random_between(&seed, 0, 1);

		if (random_between(&seed, 0, 1) < 0.8)
			now_s += random_between(&seed, 0, load);
		job->job.id = i + 1;
		job->job.submit_s = now_s;
		job->job.nprocs = 1 + (uint32_t)(size * size * (w->procs - 1));
		job->runtime_s = random_between(&seed, 1, 100);
		job->job.estimate_s = job->runtime_s;
		if (random_between(&seed, 0, 1) < 0.8)
			job->job.estimate_s *= random_between(&seed, 1, 10);
		job->deadline_rel_s =
			job->runtime_s * random_between(&seed, 1, 12);
		job->job.deadline_s = now_s + job->deadline_rel_s;
	}
}

/* All finishes anew.  Result: NULL, or who would not be in time. */
static inline const struct libra_gang_job *find_out_of_time(
	const struct libra_gang *g, double now_s, struct libra_finishes *f)
{
	assert_int_equal(libra_finishes_reserve(f, g->cap, g->nprocs), 0);
	f->version = g->version + 1; /* none of it is known */
	libra_finishes_project(f, g, now_s);
	for (uint32_t i = 0; i < g->njobs; i++)
		if (g->jobs[g->order[i]].late ||
		    !libra_finishes_of(f, g, g->order[i])->in_time)
			return &g->jobs[g->order[i]];
	return NULL;
}

#endif
