/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.c - jobs from records.
 *
 * One pass over the chosen records in order of submission: repair or drop,
 * then draw.  All counts describe the chosen records, those of repairs the
 * jobs that were kept.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "sim/workload/workload.h"

enum { MAX_REDRAWS = 10000 };

void sim_scenario_init(struct sim_scenario *sc)
{
	*sc = (struct sim_scenario){
		.size = SIM_SIZE_REQUESTED,
		.arrival_delay = 1.0,
		.inaccuracy_pct = 100.0,
		.high_urgency_pct = 20.0,
		.deadline_mean = 4.0,
		.deadline_ratio = 4.0,
		.deadline_cv = 0.25,
		.deadline_bias = 1.0,
		.budget_mean = 4.0,
		.budget_ratio = 4.0,
		.budget_cv = 0.25,
		.budget_bias = 1.0,
		.penalty_mean = 4.0,
		.penalty_ratio = 4.0,
		.penalty_cv = 0.25,
		.penalty_bias = 1.0,
		.budget_base = SIM_BUDGET_RUN_PROCS,
		.penalty_base = SIM_PENALTY_PROCS,
		.deadline_model = SIM_DEADLINE_RUN,
		.execution = SIM_INDEPENDENT,
		.seed = 1,
	};
}

static const char *const model_names[] = {
	[SIM_DEADLINE_RUN] = "run",
	[SIM_DEADLINE_ESTIMATE] = "estimate",
	[SIM_DEADLINE_USER] = "user",
};

const char *sim_deadline_model_name(enum sim_deadline_model model)
{
	return model_names[model];
}

enum sim_deadline_model sim_deadline_model_find(const char *name)
{
	for (int i = SIM_DEADLINE_RUN; i <= SIM_DEADLINE_USER; i++)
		if (strcmp(model_names[i], name) == 0)
			return (enum sim_deadline_model)i;
	return 0;
}

void sim_scenario_deadlines(struct sim_scenario *sc,
			    enum sim_deadline_model model)
{
	bool estimate = model == SIM_DEADLINE_ESTIMATE;

	sc->deadline_model = model;
	sc->deadline_mean = estimate ? 1.5 : 4;
	sc->deadline_ratio = estimate ? 4 / 1.5 : 4;
}

#define FIELD(field) offsetof(struct sim_scenario, field)

const struct sim_scenario_field sim_scenario_fields[] = {
	{"arrival-delay", "F", "", FIELD(arrival_delay), 0, 1e6,
	 "multiply the times between arrivals"},
	{"inaccuracy", "PCT", "%", FIELD(inaccuracy_pct), 0, 100,
	 "estimates: 0 = the real run time, 100 = the user's"},
	{"high-urgency", "PCT", "%", FIELD(high_urgency_pct), 0, 100,
	 "jobs of the high urgency class"},
	{"deadline-mean", "X", "", FIELD(deadline_mean), 0.01, 1e6,
	 "mean of deadline / run time, high urgency class"},
	{"deadline-ratio", "R", "", FIELD(deadline_ratio), 0.01, 1e6,
	 "the low urgency class's mean is R times that"},
	{"deadline-cv", "C", "", FIELD(deadline_cv), 0, 10,
	 "coefficient of variation of deadline / run time"},
	{"deadline-bias", "B", "", FIELD(deadline_bias), 0.01, 1e6,
	 "divide the deadlines of jobs longer than the mean by B, multiply "
	 "those of shorter ones"},
	{"budget-mean", "X", "", FIELD(budget_mean), 0, 1e6,
	 "mean of budget / its base, low urgency class"},
	{"budget-ratio", "R", "", FIELD(budget_ratio), 0.01, 1e6,
	 "the high urgency class's mean is R times that"},
	{"budget-cv", "C", "", FIELD(budget_cv), 0, 10,
	 "coefficient of variation of budget / its base"},
	{"budget-bias", "B", "", FIELD(budget_bias), 0.01, 1e6,
	 "as --deadline-bias, of budgets"},
	{"penalty-mean", "X", "", FIELD(penalty_mean), 0, 1e6,
	 "mean of penalty rate / its base, low urgency class"},
	{"penalty-ratio", "R", "", FIELD(penalty_ratio), 0.01, 1e6,
	 "the high urgency class's mean is R times that"},
	{"penalty-cv", "C", "", FIELD(penalty_cv), 0, 10,
	 "coefficient of variation of penalty rate / its base"},
	{"penalty-bias", "B", "", FIELD(penalty_bias), 0.01, 1e6,
	 "as --deadline-bias, of penalty rates"},
};

const size_t sim_scenario_nfields =
	sizeof(sim_scenario_fields) / sizeof(sim_scenario_fields[0]);

static const char *const budget_bases[] = {
	[SIM_BUDGET_RUN_PROCS] = "run-procs",
	[SIM_BUDGET_RUN] = "run",
};

static const char *const penalty_bases[] = {
	[SIM_PENALTY_PROCS] = "procs",
	[SIM_PENALTY_ONE] = "one",
	[SIM_PENALTY_RUN_HOURS] = "run-hours",
	[SIM_PENALTY_RUN] = "run",
};

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

/* The place of a name in a table that begins at 1, or 0. */
static size_t find_name(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return 0;
}

const char *sim_budget_base_name(enum sim_budget_base base)
{
	return budget_bases[base];
}

const char *sim_penalty_base_name(enum sim_penalty_base base)
{
	return penalty_bases[base];
}

enum sim_budget_base sim_budget_base_find(const char *name)
{
	return (enum sim_budget_base)find_name(budget_bases,
					       COUNT(budget_bases), name);
}

enum sim_penalty_base sim_penalty_base_find(const char *name)
{
	return (enum sim_penalty_base)find_name(penalty_bases,
						COUNT(penalty_bases), name);
}

/* The comparison is written so that it refuses NAN. */
int sim_scenario_check(const struct sim_scenario *sc, struct libra_error *err)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];
		double v = *(const double *)((const char *)sc + f->offset);

		if (!(v >= f->min && v <= f->max))
			return libra_errf(err, EINVAL,
					  "%s must be from %g to %g, not %g",
					  f->name, f->min, f->max, v);
	}
	if (sc->size != SIM_SIZE_REQUESTED && sc->size != SIM_SIZE_ALLOCATED)
		return libra_errf(err, EINVAL,
				  "no such choice of processors: %d",
				  (int)sc->size);
	if (sc->budget_base < 1 || sc->budget_base >= COUNT(budget_bases))
		return libra_errf(err, EINVAL, "no such base of budgets: %d",
				  (int)sc->budget_base);
	if (sc->penalty_base < 1 || sc->penalty_base >= COUNT(penalty_bases))
		return libra_errf(err, EINVAL, "no such base of penalties: %d",
				  (int)sc->penalty_base);
	if (sc->execution < SIM_INDEPENDENT || sc->execution > SIM_SPINNING)
		return libra_errf(err, EINVAL, "no such execution model: %d",
				  (int)sc->execution);
	if (sc->correct != 0 &&
	    !(sc->correct >= SIM_CORRECT_MIN && sc->correct <= SIM_CORRECT_MAX))
		return libra_errf(
			err, EINVAL, "correct must be from %g to %g, not %g",
			SIM_CORRECT_MIN, SIM_CORRECT_MAX, sc->correct);
	if (sc->deadline_model < SIM_DEADLINE_RUN ||
	    sc->deadline_model > SIM_DEADLINE_USER)
		return libra_errf(err, EINVAL, "no such deadline model: %d",
				  (int)sc->deadline_model);
	return 0;
}

/* The chosen records in order of submission. */

struct choice {
	const struct swf_record *records; /* the first chosen one */
	size_t n;
	size_t *order; /* places in records[], by submission */
};

static int by_submission(const void *a, const void *b, void *arg)
{
	const struct swf_record *records = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	double x = records[i].submit_s, y = records[j].submit_s;

	if (x != y)
		return x < y ? -1 : 1;
	return (i > j) - (i < j);
}

/* Result: how many records were submitted before their predecessor, or -1. */
static int64_t choose(struct choice *c, const struct swf_trace *trace,
		      size_t last, struct libra_error *err)
{
	int64_t unsorted = 0;

	c->n = trace->nrecords;
	if (last > 0 && last < c->n)
		c->n = last;
	c->records = trace->records + (trace->nrecords - c->n);
	c->order = calloc(c->n + 1, sizeof(*c->order));
	if (!c->order)
		return libra_errf(err, ENOMEM, "out of memory for %zu records",
				  c->n);
	for (size_t i = 0; i < c->n; i++) {
		c->order[i] = i;
		unsorted += i > 0 &&
			    c->records[i].submit_s < c->records[i - 1].submit_s;
	}
	if (unsorted > 0)
		qsort_r(c->order, c->n, sizeof(*c->order), by_submission,
			(void *)c->records);
	return unsorted;
}

/* One job. */

static int32_t record_procs(const struct swf_record *r, enum sim_size size)
{
	int32_t first = r->req_procs, second = r->alloc_procs;

	if (size == SIM_SIZE_ALLOCATED) {
		first = r->alloc_procs;
		second = r->req_procs;
	}
	return first > 0 ? first : second;
}

/* Result: whether the record becomes a job; if not it is counted. */
static bool is_kept(struct sim_workload *w, const struct swf_record *r,
		    const struct sim_scenario *sc)
{
	int32_t nprocs = record_procs(r, sc->size);

	if (r->run_s <= 0 && !sc->keep_unrun)
		w->dropped_unrun++;
	else if (nprocs <= 0)
		w->dropped_procs++;
	else if ((uint32_t)nprocs > w->procs)
		w->dropped_large++;
	else
		return true;
	return false;
}

static void set_times(struct sim_workload *w, struct sim_job *job,
		      const struct swf_record *r, const struct sim_scenario *sc)
{
	double run_s = r->run_s, estimate_s = r->request_s;

	if (run_s <= 0) {
		run_s = 1;
		w->given_one_second++;
	}
	if (estimate_s <= 0) {
		estimate_s = run_s;
		w->estimate_from_run++;
	}
	if (sc->kill_at_estimate && run_s > estimate_s) {
		run_s = estimate_s;
		w->run_clipped++;
	}
	job->runtime_s = run_s;
	job->job.estimate_s = estimate_s;
	if (sc->inaccuracy_pct < 100)
		job->job.estimate_s =
			run_s + sc->inaccuracy_pct / 100 * (estimate_s - run_s);
}

/* Normal, drawn again until > 1.  Result: 0, or -1 if that (nearly) never
 * comes.
 */
static int draw_factor(double *factor, const struct sim_scenario *sc,
		       double mean, size_t place, struct libra_error *err)
{
	struct rng_stream stream;

	rng_stream_init(&stream, sc->seed, "deadline", place);
	for (int i = 0; i < MAX_REDRAWS; i++) {
		double z = gsl_ran_ugaussian(&stream.gsl);

		*factor = mean * (1 + sc->deadline_cv * z);
		if (*factor > 1)
			return 0;
		if (sc->deadline_cv == 0)
			break;
	}
	return libra_errf(err, EINVAL,
			  "deadlines of mean %g run times and cv %g are "
			  "(nearly) never longer than the run time: raise the "
			  "mean, the ratio or the cv",
			  mean, sc->deadline_cv);
}

/* Long and short jobs apart: by the mean run time of the chosen records. */
static double biased(const struct sim_workload *w, const struct sim_job *job,
		     double value, double bias)
{
	if (job->runtime_s > w->mean_run_s)
		return value / bias;
	return job->runtime_s < w->mean_run_s ? value * bias : value;
}

/* Normal, drawn again until > 0. */
static double draw_money(const struct sim_scenario *sc, const char *what,
			 size_t place, double mean, double cv)
{
	struct rng_stream stream;
	double factor;

	rng_stream_init(&stream, sc->seed, what, place);
	do
		factor = 1 + cv * gsl_ran_ugaussian(&stream.gsl);
	while (factor <= 0);
	return mean * factor;
}

static double budget_base(const struct sim_job *job, enum sim_budget_base base)
{
	if (base == SIM_BUDGET_RUN)
		return job->runtime_s;
	return job->runtime_s * job->job.nprocs;
}

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

/* The class rules all three: a short deadline goes with much money. */
static void set_money(const struct sim_workload *w, struct sim_job *job,
		      const struct sim_scenario *sc, size_t place)
{
	double budget = sc->budget_mean, penalty = sc->penalty_mean;

	if (job->high_urgency) {
		budget *= sc->budget_ratio;
		penalty *= sc->penalty_ratio;
	}
	budget = draw_money(sc, "budget", place, budget, sc->budget_cv);
	penalty = draw_money(sc, "penalty", place, penalty, sc->penalty_cv);
	job->job.budget =
		biased(w, job, budget * budget_base(job, sc->budget_base),
		       sc->budget_bias);
	job->job.penalty_rate =
		biased(w, job, penalty * penalty_base(job, sc->penalty_base),
		       sc->penalty_bias);
}

/* The mean run time of each user's jobs, for deadlines that hang on it. */

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

static double user_mean_s(const struct user *users, size_t nusers,
			  uint32_t number)
{
	struct user key = {.number = number};
	const struct user *user =
		bsearch(&key, users, nusers, sizeof(key), by_number);

	return user->run_s / (double)user->njobs;
}

/* factor x base, and not below the least. */
static int set_deadline(const struct sim_workload *w, struct sim_job *job,
			const struct sim_scenario *sc, double base_s,
			double least_s, struct libra_error *err)
{
	struct rng_stream stream;
	double mean = sc->deadline_mean, factor;

	rng_stream_init(&stream, sc->seed, "class", job->place);
	job->high_urgency = rng_uniform(&stream) * 100 < sc->high_urgency_pct;
	if (!job->high_urgency)
		mean *= sc->deadline_ratio;
	if (draw_factor(&factor, sc, mean, job->place, err) < 0)
		return -1;
	job->deadline_rel_s = fmax(
		biased(w, job, factor * base_s, sc->deadline_bias), least_s);
	job->job.deadline_s = job->job.submit_s + job->deadline_rel_s;
	return 0;
}

static int set_deadlines(struct sim_workload *w, const struct sim_scenario *sc,
			 struct libra_error *err)
{
	bool by_user = sc->deadline_model == SIM_DEADLINE_USER;
	bool by_estimate = sc->deadline_model == SIM_DEADLINE_ESTIMATE;
	struct user *users = NULL;
	size_t nusers = 0;
	int rc = 0;

	if (by_user && !(users = sum_users(w, &nusers)))
		return libra_errf(err, ENOMEM, "out of memory for users");
	for (size_t i = 0; rc == 0 && i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];
		double base_s =
			by_estimate ? job->job.estimate_s
			: by_user   ? user_mean_s(users, nusers, job->job.user)
				    : job->runtime_s;

		rc = set_deadline(w, job, sc, base_s,
				  by_user ? job->runtime_s : 0, err);
		set_money(w, job, sc, job->place);
	}
	free(users);
	return rc;
}

static void add_job(struct sim_workload *w, const struct choice *c,
		    size_t place, const struct sim_scenario *sc)
{
	const struct swf_record *r = &c->records[place];
	double begin_s = c->records[c->order[0]].submit_s;
	struct sim_job *job = &w->jobs[w->njobs];

	if (!is_kept(w, r, sc))
		return;
	w->njobs++;
	job->place = place;
	job->job.id = (uint64_t)r->number;
	job->job.submit_s = sc->arrival_delay * (r->submit_s - begin_s);
	job->job.nprocs = (uint32_t)record_procs(r, sc->size);
	job->job.user = r->user > 0 ? (uint32_t)r->user : 0;
	set_times(w, job, r, sc);
}

static int fail_empty(const struct sim_workload *w, struct libra_error *err)
{
	return libra_errf(err, EINVAL,
			  "no job is left of %zu records: %zu never ran, %zu "
			  "have no processors, %zu need more than the %u "
			  "processors of the machine",
			  w->records, w->dropped_unrun, w->dropped_procs,
			  w->dropped_large, w->procs);
}

static int add_jobs(struct sim_workload *w, const struct choice *c,
		    const struct sim_scenario *sc, struct libra_error *err)
{
	w->jobs = calloc(c->n + 1, sizeof(*w->jobs));
	if (!w->jobs)
		return libra_errf(err, ENOMEM, "out of memory for %zu jobs",
				  c->n);
	for (size_t i = 0; i < c->n; i++)
		w->mean_run_s += c->records[i].run_s / (double)c->n;
	for (size_t i = 0; i < c->n; i++)
		add_job(w, c, c->order[i], sc);
	if (w->njobs == 0)
		return fail_empty(w, err);
	return set_deadlines(w, sc, err);
}

int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err)
{
	struct choice c;
	int64_t unsorted;
	int rc, saved;

	memset(w, 0, sizeof(*w));
	if (sim_scenario_check(sc, err) < 0)
		return -1;
	unsorted = choose(&c, trace, sc->last, err);
	if (unsorted < 0)
		return -1;
	w->procs = sc->procs ? sc->procs : swf_procs(trace);
	w->execution = sc->execution;
	w->correct = sc->correct;
	w->records = c.n;
	w->reordered = (size_t)unsorted;
	rc = add_jobs(w, &c, sc, err);
	saved = errno;
	free(c.order);
	if (rc < 0)
		sim_workload_fini(w);
	errno = saved;
	return rc;
}

void sim_workload_fini(struct sim_workload *w)
{
	free(w->jobs);
	memset(w, 0, sizeof(*w));
}
