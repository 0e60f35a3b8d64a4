/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ends.c - every simulation ends, and every accepted job ends in it.
 *
 * Rounding decides where a part has a millionth of a second left: the workloads
 * have instants up to 1e9 s and deadlines near or before the end of the run
 * time, most of them in whole seconds, so that events coincide.  An alarm stops
 * a simulation that does not end, which is a failure.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "core/policy/policies.h"
#include "tests/property/workloads.h"

/* Many times what the longest simulation here takes, on a busy machine. */
#define PATIENCE_S 60
#define WORKLOADS  520

/* Rows that the simulator may still read before they look idle; < 0 = all. */
static int rows_shown = -1;

const struct libra_row *__real_libra_engine_row(const struct libra_engine *e,
						uint32_t row);
const struct libra_row *__wrap_libra_engine_row(const struct libra_engine *e,
						uint32_t row);

const struct libra_row *__wrap_libra_engine_row(const struct libra_engine *e,
						uint32_t row)
{
	static const struct libra_row idle;

	if (rows_shown == 0)
		return &idle;
	rows_shown -= rows_shown > 0;
	return __real_libra_engine_row(e, row);
}

/* The simulation under way, for the alarm. */
static char under_way[160];

static void give_up(int signum)
{
	static const char text[] = "Bail out! endless: ";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ||
	    write(STDOUT_FILENO, under_way, strlen(under_way)) < 0)
		_exit(2);
	_exit(1);
}

/* The ranges of one workload. */
struct ranges {
	double begin_s, longest_s;
	double gap;		  /* mean between arrivals / longest */
	double tightest, loosest; /* deadline / estimate */
	bool whole, exact, narrow;
};

static struct ranges draw_ranges(struct rng_stream *s)
{
	static const double begins_s[] = {0, 1e5, 1e6, 1e6, 1e6, 1e9};
	static const double longest_s[] = {20, 20, 50, 200, 2e4, 1e9};

	return (struct ranges){
		.begin_s = floor(begins_s[pick(s, 6)] * draw(s, 0.5, 1)),
		.longest_s = longest_s[pick(s, 6)],
		.gap = exp(draw(s, -5, -2)),
		.tightest = draw(s, 0.5, 0.9),
		.loosest = draw(s, 1.1, 4),
		.whole = pick(s, 4) > 0,
		.exact = pick(s, 2),
		.narrow = pick(s, 3) > 0,
	};
}

static double rounded(const struct ranges *r, double x_s)
{
	return r->whole ? ceil(x_s) : x_s;
}

static struct sim_job draw_near(struct rng_stream *s, const struct ranges *r,
				uint32_t procs, double now_s)
{
	double run_s = rounded(r, r->longest_s * exp(draw(s, -6, 0)));
	double estimate_s = r->exact ? run_s : run_s * draw(s, 0.5, 3);
	struct sim_job j = {.runtime_s = run_s};

	j.job.submit_s = rounded(r, now_s);
	j.job.estimate_s = rounded(r, estimate_s);
	j.job.nprocs = r->narrow ? 1 : 1 + pick(s, procs);
	j.job.user = pick(s, 3);
	j.deadline_rel_s =
		rounded(r, j.job.estimate_s * draw(s, r->tightest, r->loosest));
	j.job.deadline_s = j.job.submit_s + j.deadline_rel_s;
	j.job.budget = run_s * draw(s, 1, 10);
	j.job.penalty_rate = draw(s, 0, 2);
	return j;
}

/* One workload, and processors that go and come back while it runs. */
struct near {
	struct sim_workload w;
	struct sim_job jobs[MAX_JOBS];
	struct sim_capacity capacity;
	struct sim_change changes[2];
	uint32_t part_procs[2];
};

/* A third of the processors closes as one job arrives, until another does. */
static void draw_capacity(struct rng_stream *s, struct near *n)
{
	size_t at = 1 + pick(s, n->w.njobs / 2);

	n->part_procs[0] = n->w.procs / 3;
	n->part_procs[1] = n->w.procs - n->part_procs[0];
	n->changes[0] = (struct sim_change){.at_s = n->jobs[at].job.submit_s};
	at += pick(s, n->w.njobs / 2);
	n->changes[1] = (struct sim_change){.at_s = n->jobs[at].job.submit_s,
					    .opens = true};
	n->capacity = (struct sim_capacity){
		.part_procs = n->part_procs,
		.nparts = 2,
		.changes = n->changes,
		.nchanges = 2,
	};
	n->w.capacity = &n->capacity;
}

static void make_near(struct near *n, uint64_t seed)
{
	struct sim_workload *w = &n->w;
	struct sim_job *jobs = n->jobs;
	struct rng_stream s;
	struct ranges r;
	double now_s;

	rng_stream_init(&s, seed, "ends", 0);
	r = draw_ranges(&s);
	*w = (struct sim_workload){
		.jobs = jobs,
		.njobs = 20 + pick(&s, 120),
		.procs = 1 + pick(&s, pick(&s, 2) ? 12 : 2),
		.has_ordinary = pick(&s, 4) == 0,
		.correct = pick(&s, 4) ? 0 : 0.9,
		.seed = seed,
	};
	now_s = r.begin_s;
	for (size_t i = 0; i < w->njobs; i++) {
		jobs[i] = draw_near(&s, &r, w->procs, now_s);
		jobs[i].job.id = i + 1;
		now_s -= r.gap * r.longest_s * log(1 - rng_uniform(&s));
	}
	if (w->procs >= 3 && pick(&s, 3) == 0)
		draw_capacity(&s, n);
}

static void check_ends(const struct sim_workload *w,
		       const struct libra_policy_type *policy,
		       const double *params, const char *whose, uint64_t seed)
{
	struct sim_outcome o[MAX_JOBS];
	struct libra_error err = {""};
	struct sim_result r;
	int rc;

	snprintf(under_way, sizeof(under_way),
		 "%s, %s, %s parameters, workload %llu\n", policy->name,
		 sim_execution_name(w->execution), whose,
		 (unsigned long long)seed);
	alarm(PATIENCE_S);
	rc = sim_run(w, policy, params, &r, o, &err);
	alarm(0);
	if (rc < 0)
		fail_msg("%s: %s", err.text, under_way);
	for (size_t i = 0; i < w->njobs; i++) {
		if ((o[i].accepted || o[i].ordinary) != isfinite(o[i].finish_s))
			fail_msg("job %zu has no end: %s", i + 1, under_way);
	}
}

/* Some parameters are as in slurmctld, switches are drawn, and numbers are
 * small ones within their ranges.
 */
static void draw_params(struct rng_stream *s,
			const struct libra_policy_type *policy, double *params)
{
	for (size_t i = 0; i < policy->nparams; i++) {
		const struct libra_param *p = &policy->params[i];

		params[i] = libra_policy_cluster_value(policy, i);
		if (pick(s, 2))
			continue;
		if (p->type == LIBRA_PARAM_SWITCH)
			params[i] = pick(s, 2);
		else if (p->type == LIBRA_PARAM_INTEGER)
			params[i] = fmin(fmax(pick(s, 5), p->min), p->max);
		else
			params[i] = fmin(fmax(draw(s, 0, 5), p->min), p->max);
	}
}

/* By the parameters of librasim, those of slurmctld, and drawn ones. */
static void check_policy(const struct sim_workload *w,
			 const struct libra_policy_type *policy, uint64_t seed)
{
	struct rng_stream s;
	double params[32];

	assert_true(policy->nparams <= 32);
	check_ends(w, policy, NULL, "default", seed);
	for (size_t i = 0; i < policy->nparams; i++)
		params[i] = libra_policy_cluster_value(policy, i);
	check_ends(w, policy, params, "slurmctld's", seed);
	rng_stream_init(&s, seed, policy->name, 0);
	draw_params(&s, policy, params);
	check_ends(w, policy, params, "drawn", seed);
}

static void every_simulation_ends(void **state)
{
	static const enum sim_execution executions[] = {
		SIM_INDEPENDENT, SIM_COUPLED, SIM_SPINNING};
	static struct near n;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		make_near(&n, seed);
		for (size_t i = 0; libra_policies[i]; i++) {
			for (int x = 0; x < 3; x++) {
				n.w.execution = executions[x];
				check_policy(&n.w, libra_policies[i], seed);
			}
		}
	}
}

/* An end is due, and the row of its task looks idle by then. */
static void no_progress_is_an_error(void **state)
{
	struct sim_job job = {
		.job = {.id = 1,
			.nprocs = 1,
			.estimate_s = 10,
			.deadline_s = 20},
		.runtime_s = 10,
		.deadline_rel_s = 20,
	};
	struct sim_workload w = {.jobs = &job, .njobs = 1, .procs = 1};
	struct libra_error err = {""};
	struct sim_result r;

	strcpy(under_way, "a row that looks idle\n");
	rows_shown = 1;
	alarm(PATIENCE_S);
	assert_int_equal(
		sim_run(&w, &libra_policy_demand, NULL, &r, NULL, &err), -1);
	alarm(0);
	rows_shown = -1;
	assert_non_null(strstr(err.text, "internal error"));
	assert_null(strchr(err.text, '\n'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_simulation_ends),
		cmocka_unit_test(no_progress_is_an_error),
	};

	signal(SIGALRM, give_up);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
