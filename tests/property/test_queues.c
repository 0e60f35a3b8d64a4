/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_queues.c - space-shared processors, one by one: the queues of the engine
 * against a full search at each pass.
 */
#include "core/policy/policies.h"
#include "tests/property/workloads.h"

enum { WAITING = 1, RUNNING, DONE, REFUSED };

struct space {
	const struct sim_workload *w;
	const struct libra_policy_type *policy;
	int state[MAX_JOBS];
	double start_s[MAX_JOBS];
	int owner[MAX_PROCS]; /* job, or -1 */
	bool closed[MAX_PROCS];
	size_t arrived;
};

static uint32_t count_free(const struct space *s)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < MAX_PROCS; p++)
		n += s->owner[p] < 0 && !s->closed[p];
	return n;
}

/* The waiting job that comes next after (key, job); -1 if none. */
static int next_waiting(const struct space *s, int after)
{
	bool by_deadline = s->policy == &libra_policy_edf;
	int best = -1;
	double best_key = INFINITY, last = -INFINITY;

	if (after >= 0)
		last = by_deadline ? s->w->jobs[after].job.deadline_s : 0;
	for (int i = 0; i < (int)s->arrived; i++) {
		double key = by_deadline ? s->w->jobs[i].job.deadline_s : 0;

		if (s->state[i] != WAITING)
			continue;
		if (key < last || (key == last && i <= after))
			continue;
		if (key < best_key) {
			best = i;
			best_key = key;
		}
	}
	return best;
}

static void take(struct space *s, int job, double now_s)
{
	const struct libra_job *j = &s->w->jobs[job].job;
	uint32_t need = j->nprocs;

	if (s->policy == &libra_policy_edf &&
	    now_s + j->estimate_s > j->deadline_s + 1e-6) {
		s->state[job] = REFUSED;
		return;
	}
	s->state[job] = RUNNING;
	s->start_s[job] = now_s;
	for (uint32_t p = 0; p < MAX_PROCS && need > 0; p++)
		if (s->owner[p] < 0 && !s->closed[p]) {
			s->owner[p] = job;
			need--;
		}
}

static double expected_end(const struct space *s, int job, double now_s)
{
	double end_s = s->start_s[job] + s->w->jobs[job].job.estimate_s;

	return end_s > now_s ? end_s : now_s;
}

/* Free processors at an instant, if running jobs end by their estimates. */
static uint32_t free_at(const struct space *s, double at_s, double now_s)
{
	uint32_t n = count_free(s);

	for (int i = 0; i < (int)s->arrived; i++)
		if (s->state[i] == RUNNING && expected_end(s, i, now_s) <= at_s)
			n += s->w->jobs[i].job.nprocs;
	return n;
}

/* The job behind the head that is asked after another: by submission, or by
 * estimates and then by submission.
 */
static int next_other(const struct space *s, int head, int after)
{
	const struct sim_job *jobs = s->w->jobs;
	double last_s = after == head ? 0 : jobs[after].job.estimate_s;
	int best = -1;

	if (s->policy == &libra_policy_easy)
		return next_waiting(s, after);
	for (int i = 0; i < (int)s->arrived; i++) {
		double key_s = jobs[i].job.estimate_s;

		if (s->state[i] != WAITING || i == head || key_s < last_s ||
		    (key_s == last_s && i <= after))
			continue;
		if (best < 0 || key_s < jobs[best].job.estimate_s)
			best = i;
	}
	return best;
}

static void backfill(struct space *s, int head, double now_s)
{
	uint32_t need = s->w->jobs[head].job.nprocs, extra = 0;
	double shadow_s = INFINITY;

	for (int i = 0; i < (int)s->arrived; i++)
		if (s->state[i] == RUNNING &&
		    expected_end(s, i, now_s) < shadow_s &&
		    free_at(s, expected_end(s, i, now_s), now_s) >= need)
			shadow_s = expected_end(s, i, now_s);
	if (shadow_s < INFINITY)
		extra = free_at(s, shadow_s, now_s) - need;
	for (int i = next_other(s, head, head); i >= 0;
	     i = next_other(s, head, i)) {
		const struct libra_job *j = &s->w->jobs[i].job;
		bool in_time = now_s + j->estimate_s <= shadow_s;

		if (j->nprocs > count_free(s) ||
		    (!in_time && j->nprocs > extra))
			continue;
		if (!in_time)
			extra -= j->nprocs;
		take(s, i, now_s);
	}
}

static void pass(struct space *s, double now_s)
{
	int head = next_waiting(s, -1);

	while (head >= 0 && s->w->jobs[head].job.nprocs <= count_free(s)) {
		take(s, head, now_s);
		head = next_waiting(s, -1);
	}
	if (head >= 0 && (s->policy == &libra_policy_easy ||
			  s->policy == &libra_policy_easy_sjbf))
		backfill(s, head, now_s);
}

/* The same workload through the engine and one processor at a time: whole
 * seconds, so that events fall together; nodes of 2 processors come and go.
 */
struct pair {
	struct space s;
	struct libra_engine *e;
	struct rng_stream rng;
	uint64_t ticket[MAX_JOBS];
	bool nodes;
};

static void check_same(const struct pair *p, size_t job)
{
	struct libra_range r[MAX_PROCS];
	int64_t n = libra_engine_placement(p->e, p->ticket[job], r, MAX_PROCS);

	switch (p->s.state[job]) {
	case WAITING:
		assert_int_equal(n, 0);
		break;
	case RUNNING:
		for (int64_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < r[i].count; k++)
				assert_int_equal(p->s.owner[r[i].first + k],
						 job);
		assert_true(n > 0);
		break;
	default:
		assert_int_equal(n, -1);
	}
}

static bool step_departures(struct pair *p, double now_s)
{
	bool any = false;

	for (size_t i = 0; i < p->s.arrived; i++) {
		if (p->s.state[i] != RUNNING ||
		    p->s.start_s[i] + p->s.w->jobs[i].runtime_s > now_s)
			continue;
		p->s.state[i] = DONE;
		for (uint32_t k = 0; k < MAX_PROCS; k++)
			if (p->s.owner[k] == (int)i)
				p->s.owner[k] = -1;
		assert_int_equal(
			libra_engine_departed(p->e, p->ticket[i], now_s), 0);
		any = true;
	}
	return any;
}

static bool step_nodes(struct pair *p, double now_s)
{
	uint32_t node = pick(&p->rng, MAX_PROCS / 2);
	bool closed = !p->s.closed[2 * node];

	if (!p->nodes || pick(&p->rng, 6) > 0)
		return false;
	p->s.closed[2 * node] = p->s.closed[2 * node + 1] = closed;
	assert_int_equal(
		libra_engine_node(p->e, node,
				  closed ? LIBRA_NODE_DRAIN : LIBRA_NODE_UP,
				  now_s),
		0);
	return true;
}

static bool step_arrivals(struct pair *p, double now_s)
{
	bool any = false;

	for (; p->s.arrived < p->s.w->njobs; p->s.arrived++) {
		size_t i = p->s.arrived;

		if (p->s.w->jobs[i].job.submit_s > now_s)
			break;
		p->s.state[i] = WAITING;
		p->ticket[i] = host_submit(p->e, p->s.w->jobs[i].job, now_s);
		any = true;
	}
	return any;
}

static void compare_space(const struct sim_workload *w,
			  const struct libra_policy_type *policy, uint64_t seed)
{
	static struct pair p;
	double now_s = 0;
	bool open = true;

	memset(&p, 0, sizeof(p));
	p.s.w = w;
	p.s.policy = policy;
	p.nodes = seed % 2;
	p.e = host_engine(policy->name, MAX_PROCS / 2, 2);
	rng_stream_init(&p.rng, seed, "nodes", 0);
	memset(p.s.owner, -1, sizeof(p.s.owner));
	for (now_s = 0; open && now_s < 4000; now_s++) {
		bool any = step_departures(&p, now_s);

		any |= step_nodes(&p, now_s);
		any |= step_arrivals(&p, now_s);
		if (any || pick(&p.rng, 10) == 0) {
			host_pass(p.e, now_s);
			pass(&p.s, now_s);
		}
		open = p.s.arrived < w->njobs;
		for (size_t i = 0; any && i < p.s.arrived; i++)
			check_same(&p, i);
		for (size_t i = 0; i < p.s.arrived; i++)
			open |= p.s.state[i] <= RUNNING;
		assert_int_equal(libra_engine_free_procs(p.e),
				 count_free(&p.s));
	}
	if (!p.nodes)
		assert_false(open);
	libra_engine_destroy(p.e);
}

/* Run times of 1 to 12 s, estimates in fives: overruns, and ties of all kinds.
 */
static void make_whole(struct sim_workload *w, uint64_t seed)
{
	struct recipe r = loaded;
	struct rng_stream s;
	double now_s = 0;

	r.njobs = 60;
	make(w, &r, seed);
	rng_stream_init(&s, seed, "whole", 0);
	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job *j = &w->jobs[i];

		now_s += pick(&s, 4);
		j->runtime_s = 1 + pick(&s, 12);
		j->job.estimate_s =
			pick(&s, 3) ? 5 * (1 + pick(&s, 3)) : j->runtime_s;
		j->deadline_rel_s = 10 * (1 + pick(&s, 8));
		j->job.submit_s = now_s;
		j->job.deadline_s = now_s + j->deadline_rel_s;
		j->job.nprocs = 1 + pick(&s, pick(&s, 3) ? 6 : MAX_PROCS);
	}
}

static void queues_equal_a_full_search_at_each_pass(void **state)
{
	static const struct libra_policy_type *const policies[] = {
		&libra_policy_easy, &libra_policy_easy_sjbf, &libra_policy_fcfs,
		&libra_policy_edf};

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct sim_workload w;

		make_whole(&w, seed);
		for (int i = 0; i < 4; i++)
			compare_space(&w, policies[i], seed);
		free(w.jobs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queues_equal_a_full_search_at_each_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
