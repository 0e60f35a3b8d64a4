/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_cost.c - the most that one call looks at, for each policy of slurmctld.
 *
 * Steps are counted (struct libra_engine, work and upkeep), never time, so that
 * the worst of these sequences is the same on every machine.  The jobs are
 * those that an enemy would send: of the whole machine, of one processor or of
 * both, due ever earlier, ever later, at one instant or at random.  Some become
 * late, some are restored late, some are cancelled or changed, and the
 * deadlines of some are searched for.  Most sequences are short; for each kind
 * of them one has LIBRA_CALL_JOBS jobs.
 */
#include <inttypes.h>
#include <time.h>

#include "core/engine_impl.h"
#include "core/gang/ops.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define SEQUENCES  10000
#define SHORT_JOBS 12
#define LONG_EVERY (SEQUENCES / (NDUES * NWIDTHS)) /* each kind of them */
#define PROCS	   LIBRA_CALL_PROCS
#define MOST_JOBS  LIBRA_CALL_JOBS

enum dues { FALLING, RISING, EQUAL, RANDOM, NDUES };
enum widths { WHOLE, ONE, MIXED, ANY, NWIDTHS };

struct world {
	struct libra_engine *e;
	enum dues dues;
	enum widths widths;
	bool late; /* estimates are exceeded, and some are restored late */
	uint32_t njobs;
	uint64_t random;
	double now_s;
	uint64_t tickets[MOST_JOBS];
	uint32_t ntickets;
	uint64_t most, all; /* steps of a call, and of all */
};

static double draw(struct world *w)
{
	return random_unit(&w->random);
}

static uint32_t draw_below(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static struct libra_engine *open_engine(const struct libra_policy_type *policy,
					uint64_t seed)
{
	if (strcmp(policy->name, "band") == 0 && seed % 4 == 0)
		return host_band_engine((const uint32_t[]){PROCS}, 1, 0,
					seed % 8 ? "residents=3"
						 : "machine_reserve=1");
	return host_cluster_engine(policy->name, PROCS);
}

static void open_world(struct world *w, const struct libra_policy_type *policy,
		       uint64_t seed)
{
	*w = (struct world){
		.e = open_engine(policy, seed),
		.random = seed * 0x9e3779b97f4a7c15 + 1,
		.now_s = 1000,
	};
	w->dues = (enum dues)draw_below(w, NDUES);
	w->widths = (enum widths)draw_below(w, NWIDTHS);
	w->late = draw_below(w, 4) == 0;
	w->njobs =
		seed % LONG_EVERY ? 2 + draw_below(w, SHORT_JOBS) : MOST_JOBS;
	/* The long ones take each kind in turn. */
	if (seed % LONG_EVERY == 0) {
		w->dues = (enum dues)(seed / LONG_EVERY % NDUES);
		w->widths = (enum widths)(seed / LONG_EVERY / NDUES % NWIDTHS);
		w->late = seed / LONG_EVERY % 3 == 0;
	}
}

static uint32_t width(struct world *w, uint32_t i)
{
	switch (w->widths) {
	case WHOLE:
		return PROCS;
	case ONE:
		return 1;
	case MIXED:
		return i % 2 ? 1 : PROCS;
	default:
		return 1 + draw_below(w, PROCS);
	}
}

static double due_s(struct world *w, uint32_t i)
{
	double all_s = 20.0 * w->njobs;

	switch (w->dues) {
	case FALLING:
		return w->now_s + 2 * all_s - 10.0 * i;
	case RISING:
		return w->now_s + 20 + 12.0 * i;
	case EQUAL:
		return 1000 + 2 * all_s;
	default:
		return w->now_s + 20 + all_s * draw(w);
	}
}

/* What a call has looked at since begin(). */
static void begin(struct world *w)
{
	w->e->work = w->e->upkeep = 0;
}

static void end(struct world *w)
{
	uint64_t steps = w->e->work + w->e->upkeep;

	w->all += steps;
	w->most = steps > w->most ? steps : w->most;
}

static void pass(struct world *w, double by_s)
{
	w->now_s += by_s;
	begin(w);
	host_pass(w->e, w->now_s);
	end(w);
}

static struct libra_job job_of(struct world *w, uint32_t i)
{
	struct libra_job job =
		host_job(w->now_s, 2 + floor(16 * draw(w)), 1, width(w, i));

	job.deadline_s = due_s(w, i);
	return job;
}

static void offer(struct world *w, uint32_t i)
{
	struct libra_job job = job_of(w, i);
	uint64_t ticket;

	begin(w);
	ticket = host_submit(w->e, job, w->now_s);
	end(w);
	if (ticket && w->ntickets < MOST_JOBS)
		w->tickets[w->ntickets++] = ticket;
	if (ticket || draw_below(w, 8))
		return;
	begin(w);
	libra_engine_earliest_deadline(w->e, &job, w->now_s);
	end(w);
}

static void restore(struct world *w, uint32_t i)
{
	struct libra_job job = job_of(w, i);
	struct libra_part part = {{0, job.nprocs}, 5, NULL};
	uint64_t ticket;

	job.deadline_s = w->now_s - 5;
	begin(w);
	if (libra_engine_restore(w->e, &job, &part, 1, true, w->now_s, &ticket,
				 NULL) == 0 &&
	    w->ntickets < MOST_JOBS)
		w->tickets[w->ntickets++] = ticket;
	end(w);
}

static void change(struct world *w)
{
	uint64_t ticket = w->tickets[draw_below(w, w->ntickets)];
	const struct libra_job *job = libra_engine_job(w->e, ticket);
	struct libra_verdict v;
	struct libra_job with;

	if (!job)
		return;
	with = *job;
	with.deadline_s = w->now_s + 1 + 40.0 * w->njobs * draw(w);
	begin(w);
	libra_engine_modify(w->e, ticket, &with, w->now_s, &v, NULL);
	end(w);
}

/* It ends, or is cancelled. */
static void remove_one(struct world *w)
{
	uint32_t i = draw_below(w, w->ntickets);
	uint64_t ticket = w->tickets[i];

	w->tickets[i] = w->tickets[--w->ntickets];
	begin(w);
	if (libra_engine_departed(w->e, ticket, w->now_s) < 0)
		libra_engine_withdraw(w->e, ticket, w->now_s);
	host_pass(w->e, w->now_s);
	end(w);
}

static void step(struct world *w, uint32_t i)
{
	offer(w, i);
	if (draw_below(w, 4) == 0)
		pass(w, draw(w));
	if (w->late && draw_below(w, 4) == 0)
		restore(w, i);
	if (w->ntickets > 0 && draw_below(w, 12) == 0)
		change(w);
	if (w->ntickets > 0 && draw_below(w, 12) == 0)
		remove_one(w);
	if (w->late && draw_below(w, 50) == 0)
		pass(w, 10.0 * w->njobs * draw(w));
}

static bool is_of_slurmctld(const struct libra_policy_type *policy)
{
	return policy->mode != LIBRA_SPACE || policy->plans;
}

static void no_call_looks_at_more(void **state)
{
	static struct world w;

	for (size_t p = 0; libra_policies[p]; p++) {
		uint64_t most = 0, all = 0, worst = 0;
		clock_t began = clock();

		if (!is_of_slurmctld(libra_policies[p]))
			continue;
		for (uint64_t seed = 0; seed < SEQUENCES; seed++) {
			open_world(&w, libra_policies[p], seed);
			for (uint32_t i = 0; i < w.njobs; i++)
				step(&w, i);
			libra_engine_destroy(w.e);
			if (w.most > most)
				worst = seed;
			most = w.most > most ? w.most : most;
			all += w.all;
		}
		print_message("%-13s %9" PRIu64 " steps at the most (sequence "
			      "%" PRIu64 "), %.1f ns each\n",
			      libra_policies[p]->name, most, worst,
			      1e9 * (double)(clock() - began) / CLOCKS_PER_SEC /
				      (double)all);
		assert_true(most < LIBRA_CALL_STEPS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_call_looks_at_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
