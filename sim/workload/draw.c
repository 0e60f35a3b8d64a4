/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.c - random deadlines and money.
 *
 * Deadlines, budgets and penalties are factors from a normal distribution,
 * drawn again while they are too small.  The first draw of each stream is
 * computed for blocks of jobs, which is faster (rng.h); only the rare second
 * draw starts the stream.
 */
#include "sim/workload/draw.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/base/rng.h"

enum { MAX_REDRAWS = 10000 };

/* The families of streams of all jobs, one for each kind of draw. */
struct families {
	uint64_t class, deadline, budget, penalty, ordinary;
};

/* Compute the family of streams of each kind of draw. */
static struct families families_of(uint64_t seed)
{
	return (struct families){
		.class = rng_family(seed, "class"),
		.deadline = rng_family(seed, "deadline"),
		.budget = rng_family(seed, "budget"),
		.penalty = rng_family(seed, "penalty"),
		.ordinary = rng_family(seed, "ordinary"),
	};
}

/* The first draws of a job, which are mostly accepted. */
struct firsts {
	double deadline, budget, penalty;
};

/* So many jobs at a time. */
enum { BLOCK = 64 };

/* Draw the first numbers of a block of jobs. */
static void draw_firsts(struct firsts firsts[BLOCK],
			const struct families *families,
			const struct sim_job *jobs, size_t n)
{
	double deadlines[BLOCK], budgets[BLOCK], penalties[BLOCK];
	uint64_t places[BLOCK];

	n = n < BLOCK ? n : BLOCK;
	for (size_t i = 0; i < n; i++)
		places[i] = jobs[i].place;
	rng_normals(families->deadline, places, deadlines, n);
	rng_normals(families->budget, places, budgets, n);
	rng_normals(families->penalty, places, penalties, n);
	for (size_t i = 0; i < n; i++)
		firsts[i] =
			(struct firsts){deadlines[i], budgets[i], penalties[i]};
}

/* Normal; drawn again until > 1.
 * Result: 0, or -1 if that would (nearly) never happen.
 */
static int draw_factor(double *factor, const struct sim_scenario *sc,
		       uint64_t family, double mean, size_t place, double first,
		       struct libra_error *err)
{
	struct rng_stream stream;

	*factor = mean * (1 + sc->deadline_cv * first);
	if (*factor > 1)
		return 0;
	rng_stream_begin(&stream, family, place);
	for (int i = 0; i < MAX_REDRAWS; i++) {
		double z = rng_normal(&stream);

		*factor = mean * (1 + sc->deadline_cv * z);
		if (*factor > 1)
			return 0;
		if (sc->deadline_cv == 0)
			break;
	}
	return libra_errf(err, EINVAL,
			  "deadlines with mean %g run times and cv %g are "
			  "(almost) never longer than the run time: raise "
			  "--deadline-mean, --deadline-ratio or --deadline-cv",
			  mean, sc->deadline_cv);
}

/* Treat long and short jobs differently: longer or shorter than the mean run
 * time of the chosen records.
 */
static double biased(const struct sim_workload *w, const struct sim_job *job,
		     double value, double bias)
{
	if (job->runtime_s > w->mean_run_s)
		return value / bias;
	return job->runtime_s < w->mean_run_s ? value * bias : value;
}

/* Normal, drawn again until > 0. */
static double draw_money(uint64_t family, size_t place, double mean, double cv,
			 double first)
{
	struct rng_stream stream;
	double factor = 1 + cv * first;

	if (factor > 0)
		return mean * factor;
	rng_stream_begin(&stream, family, place);
	do
		factor = 1 + cv * rng_normal(&stream);
	while (factor <= 0);
	return mean * factor;
}

static double budget_base(const struct sim_job *job, enum sim_budget_base base)
{
	if (base == SIM_BUDGET_RUN)
		return job->runtime_s;
	return job->runtime_s * job->job.nprocs;
}

/* Return what a penalty rate is a multiple of. */
static double penalty_base(const struct sim_job *job,
			   enum sim_penalty_base base)
{
	switch (base) {
	case SIM_PENALTY_PROCS:
		return job->job.nprocs;
	case SIM_PENALTY_ONE:
		return 1;
	case SIM_PENALTY_RUN_HOURS:
		return job->runtime_s / 3600;
	case SIM_PENALTY_RUN:
		return job->runtime_s;
	}
	return 0;
}

/* One class for all three: jobs with short deadlines have much money. */
static void set_money(const struct sim_workload *w, struct sim_job *job,
		      const struct sim_scenario *sc,
		      const struct families *families,
		      const struct firsts *first)
{
	double budget = sc->budget_mean, penalty = sc->penalty_mean;

	if (job->high_urgency) {
		budget *= sc->budget_ratio;
		penalty *= sc->penalty_ratio;
	}
	budget = draw_money(families->budget, job->place, budget, sc->budget_cv,
			    first->budget);
	penalty = draw_money(families->penalty, job->place, penalty,
			     sc->penalty_cv, first->penalty);
	job->job.budget =
		biased(w, job, budget * budget_base(job, sc->budget_base),
		       sc->budget_bias);
	job->job.penalty_rate =
		biased(w, job, penalty * penalty_base(job, sc->penalty_base),
		       sc->penalty_bias);
}

/* The mean run time of each user's jobs, for deadlines that depend on it. */

/* The jobs of a user, for deadlines by mean run times. */
struct user {
	uint32_t number;
	size_t njobs;
	double run_s; /* sum */
};

static int by_number(const void *a, const void *b)
{
	uint32_t x = ((const struct user *)a)->number;
	uint32_t y = ((const struct user *)b)->number;

	return (x > y) - (x < y);
}

/* Result: one row per user in order of numbers, or NULL. */
static struct user *sum_users(const struct sim_workload *w, size_t *nusers)
{
	struct user *users = calloc(w->njobs, sizeof(*users));
	size_t n = 0;

	if (!users)
		return NULL;
	for (size_t i = 0; i < w->njobs; i++)
		users[i] = (struct user){w->jobs[i].job.user, 1,
					 w->jobs[i].runtime_s};
	qsort(users, w->njobs, sizeof(*users), by_number);
	for (size_t i = 1; i < w->njobs; i++) {
		if (users[i].number != users[n].number) {
			users[++n] = users[i];
			continue;
		}
		users[n].njobs++;
		users[n].run_s += users[i].run_s;
	}
	*nusers = n + 1;
	return users;
}

/* Return the mean run time of a user. */
static double user_mean_s(const struct user *users, size_t nusers,
			  uint32_t number)
{
	struct user key = {.number = number};
	const struct user *user =
		bsearch(&key, users, nusers, sizeof(key), by_number);

	return user->run_s / (double)user->njobs;
}

/* factor x base, but at least least_s. */
static int set_deadline(const struct sim_workload *w, struct sim_job *job,
			const struct sim_scenario *sc,
			const struct families *families,
			const struct firsts *first, double base_s,
			double least_s, struct libra_error *err)
{
	struct rng_stream stream;
	double mean = sc->deadline_mean, factor;

	rng_stream_begin(&stream, families->class, job->place);
	job->high_urgency = rng_uniform(&stream) * 100 < sc->high_urgency_pct;
	if (!job->high_urgency)
		mean *= sc->deadline_ratio;
	if (draw_factor(&factor, sc, families->deadline, mean, job->place,
			first->deadline, err) < 0)
		return -1;
	job->deadline_rel_s = fmax(
		biased(w, job, factor * base_s, sc->deadline_bias), least_s);
	job->job.deadline_s = job->job.submit_s + job->deadline_rel_s;
	return 0;
}

/* Some have none; the others are as they would be without these. */
static void drop_deadline(struct sim_job *job, const struct sim_scenario *sc,
			  uint64_t family)
{
	struct rng_stream stream;

	rng_stream_begin(&stream, family, job->place);
	job->ordinary = rng_uniform(&stream) * 100 < sc->ordinary_pct;
	if (job->ordinary)
		job->job.deadline_s = job->deadline_rel_s = INFINITY;
}

int sim_workload_draw(struct sim_workload *w, const struct sim_scenario *sc,
		      struct libra_error *err)
{
	bool by_user = sc->deadline_model == SIM_DEADLINE_USER;
	bool by_estimate = sc->deadline_model == SIM_DEADLINE_ESTIMATE;
	struct families families = families_of(sc->seed);
	struct firsts firsts[BLOCK];
	struct user *users = NULL;
	size_t nusers = 0;
	int rc = 0;

	if (by_user && !(users = sum_users(w, &nusers)))
		return sim_no_memory(err);
	for (size_t i = 0; rc == 0 && i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];
		double base_s =
			by_estimate ? job->job.estimate_s
			: by_user   ? user_mean_s(users, nusers, job->job.user)
				    : job->runtime_s;

		if (i % BLOCK == 0)
			draw_firsts(firsts, &families, job, w->njobs - i);
		rc = set_deadline(w, job, sc, &families, &firsts[i % BLOCK],
				  base_s, by_user ? job->runtime_s : 0, err);
		set_money(w, job, sc, &families, &firsts[i % BLOCK]);
		if (sc->ordinary_pct > 0)
			drop_deadline(job, sc, families.ordinary);
	}
	free(users);
	return rc;
}
