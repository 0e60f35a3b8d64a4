/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_promise.c - the promise of band that nobody who keeps to the
 * estimate is late, looked at after every event of random workloads.
 */
#include "tests/gang_check.h"
#include "tests/unit/band_host.h"

/* Result: how many were accepted. */
static size_t assert_promises(const struct sim_workload *w, const char *policy,
			      uint64_t seed)
{
	struct sim_outcome outcomes[MOST_JOBS];
	struct sim_result result;
	size_t accepted = 0;

	assert_int_equal(sim_run(w, libra_policy_find(policy, NULL), NULL,
				 &result, outcomes, NULL),
			 0);
	for (size_t i = 0; i < w->njobs; i++) {
		accepted += outcomes[i].accepted;
		if (outcomes[i].accepted == outcomes[i].fulfilled)
			continue;
		print_error("%s, seed %llu: job %zu ends at %.9f, promised "
			    "%.9f\n",
			    policy, (unsigned long long)seed, i + 1,
			    outcomes[i].finish_s, w->jobs[i].job.deadline_s);
		fail();
	}
	return accepted;
}

static void who_keeps_to_the_estimate_is_in_time(void **state)
{
	size_t accepted = 0, jobs = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;

		random_workload(&w, seed);
		for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
			w.execution = (enum sim_execution)x;
			accepted += assert_promises(&w, "band", seed);
			jobs += w.njobs;
		}
		/* demand promises for independent parts alone. */
		w.execution = SIM_INDEPENDENT;
		assert_promises(&w, "demand", seed);
		free(w.jobs);
	}
	/* Neither trivial nor hopeless. */
	assert_true(accepted > jobs / 4 && accepted < jobs);
}

/* The same jobs driven here, to look inside after every event. */
struct watched {
	struct host h;
	const struct sim_workload *w;
	uint32_t job_of[MOST_JOBS];
	double left_s[MOST_JOBS];
	uint64_t ticket[MOST_JOBS];
	bool runs[MOST_JOBS];
	double previous_s[MOST_JOBS]; /* finish, by slot */
	uint64_t owner[MOST_JOBS];    /* of that finish */
	struct libra_finishes kept;   /* from look to look */
	size_t crowded;		      /* looks at a crowd */
};

static void obey(struct watched *d)
{
	struct libra_action action;

	while (libra_engine_next_action(d->h.e, &action)) {
		uint32_t i = d->job_of[libra_ticket_slot(action.ticket)];

		d->runs[i] = action.kind != LIBRA_ACTION_HOLD;
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(d->h.e, action.ticket, d->h.now_s);
	}
}

/* What is left of a look is no other than all of it anew, to the last bit. */
static void compare_kept(struct watched *d, const struct libra_gang *g,
			 struct libra_finishes *anew)
{
	struct libra_finishes *kept = &d->kept;

	assert_int_equal(libra_finishes_reserve(kept, g->cap, g->nprocs), 0);
	libra_finishes_project(kept, g, d->h.now_s);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		const struct libra_finish *a, *b;

		assert_int_equal(kept->of[slot].rank, anew->of[slot].rank);
		if (g->jobs[slot].late)
			continue;
		a = libra_finishes_of(kept, g, slot);
		b = libra_finishes_of(anew, g, slot);
		assert_true(a->finish_s == b->finish_s);
		assert_true(a->gone_s == b->gone_s);
		assert_int_equal(a->in_time, b->in_time);
	}
}

/* The invariant of finish.h.  falls: nothing was admitted since last time. */
static void look_inside(struct watched *d, bool falls)
{
	static struct libra_finishes f;
	const struct libra_gang *g = &libra_gang_state(d->h.e)->gang;
	const char *wrong;

	d->crowded += g->ncrowded > 0;
	libra_gang_touch((struct libra_gang *)g, d->h.now_s);
	wrong = gang_check(g, d->h.now_s);
	if (wrong)
		print_error("at %.9f: %s\n", d->h.now_s, wrong);
	assert_null(wrong);
	assert_null(find_out_of_time(g, d->h.now_s, &f));
	compare_kept(d, g, &f);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		double finish_s =
			g->jobs[slot].late
				? 0
				: libra_finishes_of(&f, g, slot)->finish_s;

		if (falls && d->owner[slot] == g->jobs[slot].order)
			assert_true(finish_s <= d->previous_s[slot] + 1e-7);
		d->previous_s[slot] = finish_s;
		d->owner[slot] = g->jobs[slot].order;
	}
	libra_finishes_fini(&f);
}

static double next_end_s(const struct watched *d, uint32_t *which)
{
	double soonest_s = INFINITY;

	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i] && d->left_s[i] < soonest_s) {
			soonest_s = d->left_s[i];
			*which = i;
		}
	return d->h.now_s + soonest_s;
}

static void pass(struct watched *d, double until_s)
{
	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i])
			d->left_s[i] -= until_s - d->h.now_s;
	d->h.now_s = until_s;
}

static void arrive(struct watched *d, uint32_t i)
{
	const struct sim_job *job = &d->w->jobs[i];

	d->ticket[i] = submit(&d->h, job->job.nprocs, job->job.estimate_s,
			      job->job.deadline_s - d->h.now_s);
	if (d->ticket[i])
		d->job_of[libra_ticket_slot(d->ticket[i])] = i;
	d->left_s[i] = job->runtime_s;
}

static void drive(struct watched *d)
{
	uint32_t next = 0, which = 0;

	for (;;) {
		double end_s = next_end_s(d, &which);
		bool ends = next == d->w->njobs ||
			    end_s <= d->w->jobs[next].job.submit_s;

		if (ends && end_s == INFINITY)
			return;
		pass(d, ends ? end_s : d->w->jobs[next].job.submit_s);
		look_inside(d, true);
		if (ends) {
			d->runs[which] = false;
			libra_engine_departed(d->h.e, d->ticket[which],
					      d->h.now_s);
		} else {
			arrive(d, next++);
		}
		libra_engine_schedule(d->h.e, d->h.now_s);
		obey(d);
		look_inside(d, ends);
	}
}

static void no_finish_rises_but_by_admission(void **state)
{
	size_t crowded = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;
		struct watched d = {.w = &w};

		random_workload(&w, seed);
		open_host(&d.h, "band", w.procs, seed % 2 ? "reserve" : NULL);
		/* In some worlds few make a crowd. */
		if (seed % 3 > 0)
			libra_gang_state(d.h.e)->gang.listed =
				(uint32_t)(seed % 5);
		drive(&d);
		crowded += d.crowded;
		libra_finishes_fini(&d.kept);
		assert_int_equal(libra_engine_free_procs(d.h.e), w.procs);
		libra_engine_destroy(d.h.e);
		free(w.jobs);
	}
	assert_true(crowded > 20 * WORKLOADS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_keeps_to_the_estimate_is_in_time),
		cmocka_unit_test(no_finish_rises_but_by_admission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
