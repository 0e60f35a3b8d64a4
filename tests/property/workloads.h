/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workloads.h - random workloads with fixed seeds, for properties that must
 * hold on any.
 */
#ifndef TESTS_PROPERTY_WORKLOADS_H
#define TESTS_PROPERTY_WORKLOADS_H

#include "sim/base/rng.h"
#include "sim/run/run.h"
#include "tests/unit/host.h"

#define MAX_JOBS  240
#define MAX_PROCS 16

struct recipe {
	size_t njobs;
	uint32_t procs;
	double gap_s;  /* mean between arrivals */
	double exact;  /* part of jobs whose estimate is right */
	bool grid;     /* few deadlines: equal ones, equal delays */
	double factor; /* deadlines: 1 + up to so many run times */
};

static inline double draw(struct rng_stream *s, double from, double to)
{
	return from + (to - from) * rng_uniform(s);
}

static inline uint32_t pick(struct rng_stream *s, uint32_t n)
{
	return (uint32_t)(rng_uniform(s) * n);
}

/* Estimates are right, up to 20 times too long, or too short by up to half. */
static inline double draw_estimate(struct rng_stream *s, const struct recipe *r,
				   double run_s)
{
	if (rng_uniform(s) < r->exact)
		return run_s;
	if (rng_uniform(s) < 0.25)
		return run_s * draw(s, 0.5, 1);
	return run_s * exp(draw(s, 0, 3));
}

static inline struct sim_job draw_job(struct rng_stream *s,
				      const struct recipe *r, double now_s)
{
	struct sim_job j = {.runtime_s = exp(draw(s, 1, 6))};
	uint32_t widest = pick(s, 4) ? 4 : r->procs;

	j.job.estimate_s = draw_estimate(s, r, j.runtime_s);
	j.deadline_rel_s = j.runtime_s * (1 + draw(s, 0.01, r->factor));
	j.job.nprocs = 1 + pick(s, widest);
	j.job.submit_s = now_s;
	j.job.deadline_s = now_s + j.deadline_rel_s;
	if (r->grid) {
		j.job.deadline_s = ceil(j.job.deadline_s / 200) * 200;
		j.deadline_rel_s = j.job.deadline_s - now_s;
	}
	return j;
}

static inline void make(struct sim_workload *w, const struct recipe *r,
			uint64_t seed)
{
	struct rng_stream s;
	double now_s = 0;

	rng_stream_init(&s, seed, "property", 0);
	*w = (struct sim_workload){.njobs = r->njobs, .procs = r->procs};
	w->jobs = calloc(r->njobs, sizeof(*w->jobs));
	assert_non_null(w->jobs);
	for (size_t i = 0; i < r->njobs; i++) {
		w->jobs[i] = draw_job(&s, r, now_s);
		w->jobs[i].job.id = i + 1;
		now_s -= r->gap_s * log(1 - rng_uniform(&s));
	}
}

static const struct recipe loaded = {200, MAX_PROCS, 30, 0.2, false, 6};
static const struct recipe grid = {200, MAX_PROCS, 30, 0.2, true, 6};
static const struct recipe exact = {200, MAX_PROCS, 30, 1, false, 6};

static inline void simulate(const struct sim_workload *w,
			    const struct libra_policy_type *policy,
			    struct sim_outcome *outcomes,
			    struct sim_result *result)
{
	struct sim_result unused;
	struct libra_error err = {""};

	if (sim_run(w, policy, NULL, result ? result : &unused, outcomes,
		    &err) < 0)
		fail_msg("%s", err.text);
}

#endif
