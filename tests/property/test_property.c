/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_property.c - what must hold on any workload.
 *
 * Random workloads with fixed seeds.  The engine and the simulator are
 * compared with programs that do the same in the plainest way: one list of
 * tasks per processor, every sum from scratch, no rows, bounds or forecasts.
 */
#include "core/engine_impl.h"
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"
#include "sim/base/rng.h"
#include "sim/run/run.h"
#include "tests/unit/host.h"

#define MAX_JOBS  240
#define MAX_PROCS 16

/* ---- Workloads ---- */

struct recipe {
	size_t njobs;
	uint32_t procs;
	double gap_s;  /* mean between arrivals */
	double exact;  /* part of jobs whose estimate is right */
	bool grid;     /* few deadlines: equal ones, equal delays */
	double factor; /* deadlines: 1 + up to so many run times */
};

static double draw(struct rng_stream *s, double from, double to)
{
	return from + (to - from) * rng_uniform(s);
}

static uint32_t pick(struct rng_stream *s, uint32_t n)
{
	return (uint32_t)(rng_uniform(s) * n);
}

/* Estimates are right, up to 20 times too long, or too short by up to half. */
static double draw_estimate(struct rng_stream *s, const struct recipe *r,
			    double run_s)
{
	if (rng_uniform(s) < r->exact)
		return run_s;
	if (rng_uniform(s) < 0.25)
		return run_s * draw(s, 0.5, 1);
	return run_s * exp(draw(s, 0, 3));
}

static struct sim_job draw_job(struct rng_stream *s, const struct recipe *r,
			       double now_s)
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

static void make(struct sim_workload *w, const struct recipe *r, uint64_t seed)
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

static void simulate(const struct sim_workload *w,
		     const struct libra_policy_type *policy,
		     struct sim_outcome *outcomes, struct sim_result *result)
{
	struct sim_result unused;
	struct libra_error err = {""};

	if (sim_run(w, policy, NULL, result ? result : &unused, outcomes,
		    &err) < 0)
		fail_msg("%s", err.text);
}

/* ---- Time-shared processors, one by one ---- */

/* What is left of the work is est_left_s and what run time and estimate differ
 * by.
 */
struct task {
	size_t job;
	double est_left_s, rate;
};

struct proc {
	struct task tasks[MAX_JOBS];
	size_t n;
	double since_s;
};

struct shared {
	const struct sim_workload *w;
	struct proc procs[MAX_PROCS];
	struct sim_outcome outcomes[MAX_JOBS];
	uint32_t parts[MAX_JOBS];
	bool librarisk;
};

static double share_of(const struct sim_job *j, double est_left_s, double now_s)
{
	if (now_s >= j->job.deadline_s)
		return 1;
	if (est_left_s <= 0)
		return j->job.estimate_s / j->deadline_rel_s;
	return est_left_s / (j->job.deadline_s - now_s);
}

static void advance(struct proc *p, double now_s)
{
	for (size_t k = 0; k < p->n; k++)
		p->tasks[k].est_left_s -=
			p->tasks[k].rate * (now_s - p->since_s);
	p->since_s = now_s;
}

static double work_left(const struct shared *s, const struct task *t)
{
	const struct sim_job *j = &s->w->jobs[t->job];

	return j->runtime_s - (j->job.estimate_s - t->est_left_s);
}

static void renew(const struct shared *s, struct proc *p)
{
	double sum = 0;

	for (size_t k = 0; k < p->n; k++) {
		struct task *t = &p->tasks[k];

		t->rate = share_of(&s->w->jobs[t->job], t->est_left_s,
				   p->since_s);
		sum += t->rate;
	}
	for (size_t k = 0; k < p->n; k++)
		p->tasks[k].rate /= sum;
}

static double next_end(const struct shared *s, const struct proc *p)
{
	double soonest_s = INFINITY;

	for (size_t k = 0; k < p->n; k++)
		if (work_left(s, &p->tasks[k]) < soonest_s * p->tasks[k].rate)
			soonest_s =
				work_left(s, &p->tasks[k]) / p->tasks[k].rate;
	return p->since_s + fmax(soonest_s, 0);
}

static void end_part(struct shared *s, size_t job, double now_s)
{
	struct sim_outcome *o = &s->outcomes[job];

	assert_true(s->parts[job] > 0);
	if (--s->parts[job] > 0)
		return;
	o->finish_s = now_s;
	o->fulfilled = now_s <= s->w->jobs[job].job.deadline_s + 1e-6;
}

/* An event of one processor. */
static void end_tasks(struct shared *s, struct proc *p, double now_s)
{
	advance(p, now_s);
	for (size_t k = 0; k < p->n;) {
		if (work_left(s, &p->tasks[k]) > 1e-6) {
			k++;
			continue;
		}
		end_part(s, p->tasks[k].job, now_s);
		p->n--;
		memmove(&p->tasks[k], &p->tasks[k + 1],
			(p->n - k) * sizeof(*p->tasks));
	}
	renew(s, p);
}

/* The deviation of the deadline delays of all tasks and the new one, each
 * carried to its end by its estimate.
 */
static double sigma(const struct shared *s, const struct proc *p, size_t job,
		    double now_s)
{
	static struct task left[MAX_JOBS];
	static double work_s[MAX_JOBS], delay[MAX_JOBS];
	size_t n = p->n + 1, done = 0;
	double at_s = now_s, mean = 0, squares = 0;

	for (size_t k = 0; k < p->n; k++) {
		left[k] = p->tasks[k];
		left[k].est_left_s -= p->tasks[k].rate * (now_s - p->since_s);
	}
	left[p->n] = (struct task){job, s->w->jobs[job].job.estimate_s, 0};
	for (size_t k = 0; k < n; k++) {
		work_s[k] = left[k].est_left_s > 0 ? left[k].est_left_s : 1;
		delay[k] = NAN;
	}
	while (done < n) {
		double sum = 0, step_s = INFINITY;

		for (size_t k = 0; k < n; k++) {
			if (!isnan(delay[k]))
				continue;
			left[k].rate = share_of(
				&s->w->jobs[left[k].job],
				left[k].est_left_s > 0 ? work_s[k] : 0, at_s);
			sum += left[k].rate;
		}
		for (size_t k = 0; k < n; k++)
			if (isnan(delay[k]))
				step_s = fmin(step_s,
					      work_s[k] * sum / left[k].rate);
		at_s += step_s;
		for (size_t k = 0; k < n; k++) {
			double due_s = s->w->jobs[left[k].job].job.deadline_s;

			if (!isnan(delay[k]))
				continue;
			work_s[k] -= step_s * left[k].rate / sum;
			if (work_s[k] > 1e-6)
				continue;
			delay[k] = (fmax(0, at_s - due_s) + due_s - now_s) /
				   (due_s - now_s);
			done++;
		}
	}
	for (size_t k = 0; k < n; k++)
		mean += delay[k] / (double)n;
	for (size_t k = 0; k < n; k++)
		squares += (delay[k] - mean) * (delay[k] - mean);
	return sqrt(squares / (double)n);
}

/* S_j, and whether a task of the processor is late. */
static double sum_shares(const struct shared *s, const struct proc *p,
			 size_t job, double now_s, bool *late)
{
	const struct sim_job *new = &s->w->jobs[job];
	double sum = 0;

	*late = false;
	for (size_t k = 0; k < p->n; k++) {
		const struct task *t = &p->tasks[k];
		const struct sim_job *j = &s->w->jobs[t->job];

		sum += share_of(j,
				t->est_left_s - t->rate * (now_s - p->since_s),
				now_s);
		*late |= now_s >= j->job.deadline_s;
	}
	return new->job.estimate_s / new->deadline_rel_s + sum;
}

static bool suits(const struct shared *s, const struct proc *p, size_t job,
		  double now_s, double *sum)
{
	bool late;

	*sum = sum_shares(s, p, job, now_s, &late);
	if (!s->librarisk)
		return *sum <= 1 + 1e-9;
	if (p->n == 0)
		return true;
	if (late || *sum <= 1 + 1e-9)
		return !late;
	return sigma(s, p, job, now_s) <= 1e-9;
}

static void add_task(struct shared *s, struct proc *p, size_t job, double now_s)
{
	const struct sim_job *j = &s->w->jobs[job];

	advance(p, now_s);
	p->tasks[p->n++] = (struct task){job, j->job.estimate_s, 0};
	renew(s, p);
}

static void arrive(struct shared *s, size_t job, double now_s)
{
	uint32_t need = s->w->jobs[job].job.nprocs, n = 0;
	long long key[MAX_PROCS];
	double sum;

	s->outcomes[job] =
		(struct sim_outcome){.start_s = NAN, .finish_s = NAN};
	for (uint32_t i = 0; i < s->w->procs; i++) {
		bool fits = suits(s, &s->procs[i], job, now_s, &sum);

		key[i] = !fits ? -1 : s->librarisk ? 0 : llround(sum * 1e9);
		n += fits;
	}
	if (n < need)
		return;
	s->outcomes[job].accepted = true;
	s->outcomes[job].start_s = now_s;
	s->parts[job] = need;
	while (need-- > 0) {
		uint32_t best = 0;

		for (uint32_t i = 1; i < s->w->procs; i++)
			best = key[i] > key[best] ? i : best;
		add_task(s, &s->procs[best], job, now_s);
		key[best] = -1;
	}
}

static void run_shared(struct shared *s)
{
	size_t next = 0;

	for (;;) {
		double now_s = INFINITY;

		if (next < s->w->njobs)
			now_s = s->w->jobs[next].job.submit_s;
		for (uint32_t i = 0; i < s->w->procs; i++)
			now_s = fmin(now_s, next_end(s, &s->procs[i]));
		if (now_s == INFINITY)
			return;
		for (uint32_t i = 0; i < s->w->procs; i++)
			while (next_end(s, &s->procs[i]) <= now_s)
				end_tasks(s, &s->procs[i], now_s);
		for (; next < s->w->njobs &&
		       s->w->jobs[next].job.submit_s <= now_s;
		     next++)
			arrive(s, next, now_s);
	}
}

static size_t compare_shared(const struct sim_workload *w,
			     const struct libra_policy_type *policy)
{
	static struct shared s;
	struct sim_outcome *o = calloc(w->njobs, sizeof(*o));
	size_t accepted = 0;

	memset(&s, 0, sizeof(s));
	s.w = w;
	s.librarisk = policy == &libra_policy_librarisk;
	run_shared(&s);
	simulate(w, policy, o, NULL);
	for (size_t i = 0; i < w->njobs; i++) {
		if (o[i].accepted != s.outcomes[i].accepted)
			fail_msg("%s: job %zu of %zu", policy->name, i,
				 w->njobs);
		accepted += o[i].accepted;
		if (!o[i].accepted)
			continue;
		assert_near(o[i].start_s, s.outcomes[i].start_s, 0);
		assert_near(o[i].finish_s, s.outcomes[i].finish_s,
			    1e-9 * o[i].finish_s);
		assert_int_equal(o[i].fulfilled, s.outcomes[i].fulfilled);
	}
	free(o);
	return accepted;
}

/* 200 jobs on 16 processors, 50 seeds, both policies. */
static void rows_equal_processors_one_by_one(void **state)
{
	size_t accepted = 0;

	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct sim_workload w;

		make(&w, &loaded, seed);
		accepted += compare_shared(&w, &libra_policy_libra);
		accepted += compare_shared(&w, &libra_policy_librarisk);
		free(w.jobs);
	}
	/* Neither all nor none: the workloads are no trifle. */
	assert_true(accepted > 6000 && accepted < 16000);
}

static void rows_equal_processors_with_equal_deadlines(void **state)
{
	for (uint64_t seed = 1; seed <= 25; seed++) {
		struct sim_workload w;

		make(&w, &grid, seed);
		compare_shared(&w, &libra_policy_libra);
		compare_shared(&w, &libra_policy_librarisk);
		free(w.jobs);
	}
}

/* ---- Outcomes of whole runs ---- */

/* Each job is decided once, and each accepted one ends once, after it began,
 * not before its work can be done.
 */
static void check_outcomes(const struct sim_workload *w,
			   const struct sim_outcome *o,
			   const struct sim_result *r)
{
	size_t accepted = 0, fulfilled = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *j = &w->jobs[i];

		accepted += o[i].accepted;
		fulfilled += o[i].fulfilled;
		assert_int_equal(o[i].accepted, isfinite(o[i].finish_s));
		assert_int_equal(o[i].accepted,
				 o[i].reason == LIBRA_REASON_NONE);
		if (!o[i].accepted)
			continue;
		assert_true(o[i].start_s >= j->job.submit_s);
		assert_true(o[i].finish_s >=
			    o[i].start_s + j->runtime_s - 2e-6);
		assert_int_equal(o[i].fulfilled,
				 o[i].finish_s <= j->job.deadline_s + 1e-6);
	}
	assert_int_equal(r->submitted, w->njobs);
	assert_int_equal(r->accepted, accepted);
	assert_int_equal(r->fulfilled, fulfilled);
}

static void every_job_is_decided_and_departs_once(void **state)
{
	static struct sim_outcome o[MAX_JOBS];
	struct sim_result r;

	for (uint64_t seed = 100; seed < 120; seed++) {
		struct sim_workload w;

		make(&w, &loaded, seed);
		for (size_t i = 0; libra_policies[i]; i++) {
			simulate(&w, libra_policies[i], o, &r);
			check_outcomes(&w, o, &r);
			if (libra_policies[i] == &libra_policy_easy ||
			    libra_policies[i] == &libra_policy_easy_sjbf ||
			    libra_policies[i] == &libra_policy_fcfs)
				assert_int_equal(r.accepted, w.njobs);
		}
		free(w.jobs);
	}
}

static void accepted_with_exact_estimates_means_fulfilled(void **state)
{
	static const struct libra_policy_type *const policies[] = {
		&libra_policy_libra, &libra_policy_librarisk,
		&libra_policy_edf};
	static struct sim_outcome o[MAX_JOBS];
	struct sim_result r;

	for (uint64_t seed = 200; seed < 240; seed++) {
		struct sim_workload w;

		make(&w, &exact, seed);
		for (int i = 0; i < 3; i++) {
			simulate(&w, policies[i], o, &r);
			assert_true(r.accepted > 20 && r.accepted < w.njobs);
			assert_int_equal(r.fulfilled, r.accepted);
		}
		free(w.jobs);
	}
}

/* Jobs of one processor whose estimates are exact. */
struct kept {
	struct libra_engine *e;
	uint64_t ticket[MAX_JOBS];
	double end_s[MAX_JOBS]; /* at the latest; INFINITY for a bet */
	size_t n;
};

/* End the jobs that end until then, in their order. */
static void end_until(struct kept *k, double *now_s, double to_s)
{
	for (;;) {
		double first_s = INFINITY;
		size_t first = 0;

		for (size_t i = 0; i < k->n; i++) {
			double rate, left_s = libra_engine_left_s(
					     k->e, k->ticket[i], *now_s, &rate);

			if (*now_s + fmax(left_s, 0) / rate < first_s) {
				first_s = *now_s + fmax(left_s, 0) / rate;
				first = i;
			}
		}
		if (first_s > to_s)
			break;
		*now_s = first_s;
		assert_true(first_s <= k->end_s[first] + 1e-6);
		assert_int_equal(
			libra_engine_departed(k->e, k->ticket[first], *now_s),
			0);
		k->ticket[first] = k->ticket[--k->n];
		k->end_s[first] = k->end_s[k->n];
	}
	*now_s = to_s;
}

/* Jobs in time by their verdicts are in time, whoever comes after them; bets
 * are best effort. Result: how many were bets.
 */
static size_t check_verdicts_come_true(const char *policy, uint64_t seed)
{
	struct kept k = {.e = host_cluster_engine(policy, MAX_PROCS)};
	double now_s = 0;
	struct rng_stream s;
	size_t bets = 0;

	rng_stream_init(&s, seed, "verdicts", 0);
	for (int i = 0; i < 500; i++) {
		struct libra_job job = {.nprocs = 1};
		struct libra_verdict v;

		end_until(&k, &now_s, now_s + pick(&s, 12));
		job.submit_s = now_s;
		job.estimate_s = 1 + pick(&s, 200);
		job.deadline_s = now_s + job.estimate_s * draw(&s, 0.4, 4);
		job.deadline_s = ceil(job.deadline_s / 100) * 100;
		if (job.deadline_s <= now_s || k.n == MAX_JOBS)
			continue;
		v = host_offer(k.e, job, now_s);
		if (v.answer != LIBRA_ACCEPT)
			continue;
		bets += v.late_s > 0;
		libra_engine_commit(k.e, v.ticket, 1, now_s);
		host_obey(k.e, now_s);
		k.ticket[k.n] = v.ticket;
		k.end_s[k.n++] = v.late_s > 0 ? INFINITY : job.deadline_s;
	}
	libra_engine_destroy(k.e);
	return bets;
}

static void what_verdicts_say_comes_true(void **state)
{
	size_t bets = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		assert_int_equal(check_verdicts_come_true("libra", seed), 0);
		bets += check_verdicts_come_true("librarisk", seed);
	}
	assert_true(bets > 20);
}

/* As many equal jobs as there are processors: each has one where the paper's
 * rule would put all on the first.
 */
static void equal_jobs_are_spread(void **state)
{
	for (int cluster = 0; cluster < 2; cluster++) {
		struct libra_engine *e =
			cluster ? host_cluster_engine("librarisk", MAX_PROCS)
				: host_engine("librarisk", 1, MAX_PROCS);

		for (uint32_t i = 0; i < MAX_PROCS; i++) {
			uint64_t ticket =
				host_submit(e, host_job(0, 540, 600, 1), 0);

			assert_placed(e, ticket, cluster ? i : 0, 1);
		}
		libra_engine_destroy(e);
	}
}

static void same_inputs_give_the_same_bytes(void **state)
{
	static struct sim_outcome a[MAX_JOBS], b[MAX_JOBS];
	struct sim_result ra, rb;

	for (size_t i = 0; libra_policies[i]; i++) {
		struct sim_workload w, again;

		memset(a, 0, sizeof(a));
		memset(b, 0, sizeof(b));
		memset(&ra, 0, sizeof(ra));
		memset(&rb, 0, sizeof(rb));
		make(&w, &loaded, 300 + i);
		make(&again, &loaded, 300 + i);
		simulate(&w, libra_policies[i], a, &ra);
		simulate(&again, libra_policies[i], b, &rb);
		assert_memory_equal(&ra, &rb, sizeof(ra));
		assert_memory_equal(a, b, sizeof(a));
		free(w.jobs);
		free(again.jobs);
	}
}

/* ---- Decisions of the engine, one by one ---- */

#define LIVE 64

/* A host that ends jobs when it likes, and what it knows of each processor. */
struct driver {
	struct libra_engine *e;
	struct rng_stream s;
	double now_s;
	uint64_t live[LIVE];
	double work_s[LIVE]; /* when the job will be ended, in work done */
	uint32_t n;
	double busy_s[MAX_PROCS], done_s[MAX_PROCS];
	uint64_t rows_asked, differing;
};

static const struct libra_ledger_row *row_of(const struct driver *d,
					     uint32_t proc)
{
	const struct libra_ledger *l = &libra_share_state(d->e)->ledger;

	return &l->rows[libra_procmap_label(&l->map, proc)];
}

static bool row_has(const struct libra_ledger_row *row, uint32_t slot)
{
	for (uint32_t k = 0; k < row->pub.ntasks; k++)
		if (row->tasks[k].slot == slot)
			return true;
	return false;
}

/* The rates of a processor with running tasks sum to 1. */
static void check_rates(const struct driver *d)
{
	for (uint32_t i = 0; i < libra_engine_nrows(d->e); i++) {
		const struct libra_row *g = libra_engine_row(d->e, i);
		double sum = 0;
		uint32_t running = 0;

		for (uint32_t k = 0; g->nprocs > 0 && k < g->ntasks; k++) {
			sum += g->tasks[k].rate;
			running += g->tasks[k].running;
			assert_true(g->tasks[k].running
					    ? g->tasks[k].rate > 0
					    : g->tasks[k].rate == 0);
		}
		if (running > 0)
			assert_near(sum, 1, 1e-12);
		if (g->nprocs > 0 && g->ntasks > 0)
			assert_true(g->since_s <= d->now_s);
	}
}

/* Time goes on; a processor with tasks is busy meanwhile. */
static void pass_time(struct driver *d, double to_s)
{
	for (uint32_t p = 0; p < MAX_PROCS; p++)
		if (row_of(d, p)->pub.ntasks > 0)
			d->busy_s[p] += to_s - d->now_s;
	d->now_s = to_s;
}

/* Work that a job has got on a processor so far. */
static double work_done(const struct driver *d, uint32_t proc, uint32_t slot)
{
	const struct libra_ledger_row *row = row_of(d, proc);

	for (uint32_t k = 0; k < row->pub.ntasks; k++)
		if (row->tasks[k].slot == slot)
			return row->tasks[k].estimate_s -
			       libra_row_est_left(row, &row->tasks[k],
						  d->now_s);
	return 0;
}

/* End the parts of one job, row by row, or all at once. */
static void end_job(struct driver *d, uint32_t which)
{
	uint64_t ticket = d->live[which];
	uint32_t slot = libra_ticket_slot(ticket);

	for (uint32_t p = 0; p < MAX_PROCS; p++)
		d->done_s[p] += work_done(d, p, slot);
	if (pick(&d->s, 2)) {
		assert_int_equal(libra_engine_departed(d->e, ticket, d->now_s),
				 0);
	} else {
		int64_t left = 1;

		for (uint32_t i = 0; left > 0; i++)
			if (row_has(&libra_share_state(d->e)->ledger.rows[i],
				    slot))
				left = libra_engine_part_departed(d->e, ticket,
								  i, d->now_s);
		assert_int_equal(left, 0);
	}
	assert_fails(ENOENT, libra_engine_departed(d->e, ticket, d->now_s));
	d->live[which] = d->live[--d->n];
	d->work_s[which] = d->work_s[d->n];
}

/* The rule to the letter: (a), (b), (c) of LibraRisk, or Libra's. */
static bool literal(struct driver *d, uint32_t proc,
		    const struct libra_job *job, bool librarisk)
{
	static struct libra_outlook t[LIVE + 1];
	static double delay[LIVE + 1];
	const struct libra_ledger_row *row = row_of(d, proc);
	double rel_s = job->deadline_s - job->submit_s, sum = 0;
	uint32_t n = row->pub.ntasks;

	if (librarisk && n == 0)
		return true;
	t[n] = (struct libra_outlook){job->estimate_s, job->estimate_s / rel_s,
				      job->deadline_s, 0, 0};
	for (uint32_t k = 0; k < n; k++) {
		const struct libra_task *task = &row->tasks[k];

		t[k] = (struct libra_outlook){
			libra_row_est_left(row, task, d->now_s),
			task->initial_share, task->deadline_s, 0, 0};
		if (librarisk && d->now_s >= task->deadline_s)
			return false;
		sum += libra_share(t[k].est_left_s, t[k].initial_share,
				   t[k].deadline_s, d->now_s);
	}
	if (job->estimate_s / rel_s + sum <= 1 + 1e-9 || !librarisk)
		return job->estimate_s / rel_s + sum <= 1 + 1e-9;
	libra_project(t, n + 1, d->now_s);
	for (uint32_t k = 0; k <= n; k++)
		delay[k] = libra_deadline_delay(
			libra_delay_s(t[k].finish_s, t[k].deadline_s),
			t[k].deadline_s - d->now_s);
	return libra_risk(delay, n + 1) <= 1e-9;
}

/* What libra accepts leaves the shares of tasks in time at 1 at the most. */
static void check_bound(struct driver *d, uint64_t ticket, bool librarisk)
{
	uint32_t slot = libra_ticket_slot(ticket);

	for (uint32_t p = 0; p < MAX_PROCS && !librarisk; p++) {
		const struct libra_ledger_row *row = row_of(d, p);
		double sum = 0;

		if (!row_has(row, slot))
			continue;
		for (uint32_t k = 0; k < row->pub.ntasks; k++) {
			const struct libra_task *t = &row->tasks[k];
			double left_s = libra_row_est_left(row, t, d->now_s);

			if (left_s > 0 && t->deadline_s > d->now_s)
				sum += left_s / (t->deadline_s - d->now_s);
		}
		assert_true(sum <= 1 + 1e-9 + 1e-13);
	}
}

static struct libra_job draw_offer(struct driver *d)
{
	struct libra_job job = {.submit_s = d->now_s,
				.nprocs = 1 + pick(&d->s, 6)};

	job.estimate_s = exp(draw(&d->s, 1, 5));
	job.deadline_s = d->now_s + job.estimate_s * draw(&d->s, 0.8, 5);
	/* Now and then a deadline that others have, too. */
	if (pick(&d->s, 3) == 0)
		job.deadline_s = ceil(job.deadline_s / 300) * 300;
	return job;
}

static void make_offer(struct driver *d, bool librarisk)
{
	struct libra_job job = draw_offer(d);
	uint32_t expected[MAX_PROCS], n = 0, at = 0;
	struct libra_range ranges[MAX_PROCS];
	struct libra_verdict v;
	int64_t nranges;

	for (uint32_t p = 0; p < MAX_PROCS; p++) {
		d->rows_asked++;
		if (literal(d, p, &job, librarisk))
			expected[n++] = p;
	}
	v = host_offer(d->e, job, d->now_s);
	assert_int_equal(v.answer,
			 n >= job.nprocs ? LIBRA_ACCEPT : LIBRA_REJECT);
	if (v.answer == LIBRA_REJECT)
		return;
	nranges = libra_engine_placement(d->e, v.ticket, ranges, MAX_PROCS);
	for (int64_t i = 0; i < nranges; i++)
		for (uint32_t k = 0; k < ranges[i].count; k++, at++)
			if (librarisk)
				assert_int_equal(ranges[i].first + k,
						 expected[at]);
	assert_int_equal(at, job.nprocs);
	if (pick(&d->s, 10) == 0 || d->n == LIVE) {
		assert_int_equal(
			libra_engine_withdraw(d->e, v.ticket, d->now_s), 0);
		return;
	}
	assert_int_equal(libra_engine_commit(d->e, v.ticket, 1, d->now_s), 0);
	host_obey(d->e, d->now_s);
	check_bound(d, v.ticket, librarisk);
	d->live[d->n] = v.ticket;
	d->work_s[d->n++] = job.estimate_s * exp(draw(&d->s, -2, 0.5));
}

/* End the jobs that have got their work on some processor. */
static void end_some(struct driver *d)
{
	for (uint32_t i = 0; i < d->n;) {
		uint32_t slot = libra_ticket_slot(d->live[i]);
		double most_s = 0;

		for (uint32_t p = 0; p < MAX_PROCS; p++)
			most_s = fmax(most_s, work_done(d, p, slot));
		if (most_s >= d->work_s[i])
			end_job(d, i);
		else
			i++;
	}
}

static void drive(const char *policy, uint64_t seed, int steps)
{
	bool librarisk = strcmp(policy, "librarisk") == 0;
	struct driver d = {.e = host_engine(policy, MAX_PROCS, 1)};

	rng_stream_init(&d.s, seed, "drive", 0);
	for (int i = 0; i < steps; i++) {
		pass_time(&d, d.now_s - 8 * log(1 - rng_uniform(&d.s)));
		end_some(&d);
		make_offer(&d, librarisk);
		check_rates(&d);
		/* A clock set back changes nothing. */
		libra_engine_schedule(d.e, d.now_s - 100);
	}
	while (d.n > 0)
		end_job(&d, 0);
	assert_true(d.rows_asked >= 16 * (uint64_t)steps);
	for (uint32_t p = 0; p < MAX_PROCS; p++)
		assert_near(d.done_s[p], d.busy_s[p], 1e-10 * d.now_s);
	assert_int_equal(libra_engine_free_procs(d.e), MAX_PROCS);
	libra_engine_destroy(d.e);
}

/* 8 x 1000 x 16 = 128,000 answers, and no processor time lost or invented. */
static void fast_paths_of_librarisk_equal_the_literal_sigma(void **state)
{
	for (uint64_t seed = 1; seed <= 8; seed++)
		drive("librarisk", seed, 1000);
}

static void bounds_of_libra_equal_the_literal_sum(void **state)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		drive("libra", seed, 1000);
}

/* A job refused is accepted with the earliest deadline, and, by libra, refused
 * with one a little earlier.
 */
static void check_earliest(struct driver *d, bool librarisk)
{
	struct libra_job job = draw_offer(d);
	struct libra_verdict v = host_offer(d->e, job, d->now_s);
	double earliest_s;

	if (v.answer == LIBRA_REJECT) {
		earliest_s =
			libra_engine_earliest_deadline(d->e, &job, d->now_s);
		if (earliest_s == INFINITY)
			return;
		if (!librarisk) {
			assert_true(earliest_s > job.deadline_s);
			job.deadline_s =
				d->now_s + (earliest_s - d->now_s) * (1 - 1e-6);
			assert_int_equal(host_offer(d->e, job, d->now_s).answer,
					 LIBRA_REJECT);
		}
		job.deadline_s = earliest_s;
		v = host_offer(d->e, job, d->now_s);
		assert_int_equal(v.answer, LIBRA_ACCEPT);
		d->differing++;
	}
	if (d->n == LIVE) {
		libra_engine_withdraw(d->e, v.ticket, d->now_s);
		return;
	}
	libra_engine_commit(d->e, v.ticket, 1, d->now_s);
	host_obey(d->e, d->now_s);
	d->live[d->n] = v.ticket;
	d->work_s[d->n++] = job.estimate_s * exp(draw(&d->s, -2, 0.5));
}

static void the_earliest_deadline_is_kept(void **state)
{
	for (int librarisk = 0; librarisk < 2; librarisk++) {
		struct driver d = {0};

		d.e = host_engine(librarisk ? "librarisk" : "libra", MAX_PROCS,
				  1);
		rng_stream_init(&d.s, 4, "earliest", 0);
		for (int i = 0; i < 6000; i++) {
			pass_time(&d, d.now_s - 8 * log(1 - rng_uniform(&d.s)));
			end_some(&d);
			check_earliest(&d, librarisk);
		}
		assert_true(d.differing > 200);
		libra_engine_destroy(d.e);
	}
}

/* What users were told to try. */
struct told {
	uint32_t n, nothing;
	uint32_t far; /* said to be no nearest one */
};

/* It is accepted at once and some seconds later, counted from then; and one
 * that is 1 % (at least 60 s) nearer is refused, unless the earliest is nearer:
 * then the message says that a nearer one may do.
 */
static void check_try(struct libra_engine *e, struct libra_job job,
		      uint32_t njobs, double earliest_s, double now_s,
		      struct told *told)
{
	bool formula = libra_engine_earliest_is_exact(e, njobs);
	double try_s =
		libra_engine_advise(e, &job, njobs, earliest_s, 60, now_s);
	double nearer_s = try_s - fmax(60, try_s / 100);

	if (try_s == INFINITY) {
		told->nothing++;
		return;
	}
	told->n++;
	job.deadline_s = now_s + try_s;
	assert_true(libra_engine_would_accept(e, &job, njobs, now_s));
	if (!formula)
		return;
	job.deadline_s = now_s + nearer_s;
	if (job.deadline_s >= earliest_s)
		told->far++;
	else if (nearer_s >= job.estimate_s)
		assert_false(libra_engine_would_accept(e, &job, njobs, now_s));
}

/* Requests of one or several equal jobs, refused: with the earliest deadline
 * all are accepted.  A little earlier (1 %, at least 60 s) a single job is
 * refused by a policy that has a formula for it; elsewhere the deadline is an
 * upper bound, and *bounds counts where a nearer one would have done.
 * Result: whether it was refused, and a deadline would do.
 */
static bool check_advice(struct libra_engine *e, struct rng_stream *s,
			 double now_s, bool formula, uint32_t *bounds,
			 struct told *told)
{
	uint32_t njobs = 1 + pick(s, 2) * pick(s, 12);
	struct libra_job job = host_job(now_s, 60 + pick(s, 600),
					60 + pick(s, 1200), 1 + pick(s, 5));
	double earliest_s, nearer_s;
	struct libra_verdict v;

	if (libra_engine_would_accept(e, &job, njobs, now_s))
		return false;
	earliest_s = libra_engine_earliest_together(e, &job, njobs, now_s);
	if (earliest_s == INFINITY)
		return false;
	assert_int_equal(libra_engine_earliest_is_exact(e, njobs),
			 formula && njobs == 1);
	check_try(e, job, njobs, earliest_s, now_s, told);
	/* A nearer one could be a bet, never a promise of its time. */
	assert_true(earliest_s >= now_s + job.estimate_s);
	nearer_s = earliest_s - fmax(60, (earliest_s - now_s) * 0.01);
	job.deadline_s = nearer_s;
	if (nearer_s >= now_s + job.estimate_s &&
	    libra_engine_would_accept(e, &job, njobs, now_s)) {
		assert_false(formula && njobs == 1);
		++*bounds;
	}
	job.deadline_s = earliest_s;
	assert_true(libra_engine_would_accept(e, &job, njobs, now_s));
	/* And so it is when they are really offered. */
	for (uint32_t i = 0; i < njobs; i++) {
		v = host_offer(e, job, now_s);
		assert_int_equal(v.answer, LIBRA_ACCEPT);
		assert_near(v.late_s, 0, 0);
		libra_engine_commit(e, v.ticket, 1, now_s);
	}
	return true;
}

static void advice_for_several_jobs_is_accepted(void **state)
{
	static const char *const policies[] = {"libra", "librarisk", "demand",
					       "band"};

	for (int p = 0; p < 4; p++) {
		struct libra_engine *e =
			host_cluster_engine(policies[p], MAX_PROCS);
		uint32_t advised = 0, bounds = 0;
		struct told told = {0};
		/* band's trials cost most of this file's time. */
		uint32_t n = p < 3 ? 1000 : 400;
		struct rng_stream s;
		double now_s = 0;

		rng_stream_init(&s, 7, "advice", (uint64_t)p);
		for (uint32_t i = 0; i < n; i++) {
			advised += check_advice(e, &s, now_s, p < 2, &bounds,
						&told);
			now_s += pick(&s, 200);
			host_pass(e, now_s);
			for (uint32_t k = 0; k < libra_engine_nslots(e); k++) {
				uint64_t ticket = libra_engine_ticket(e, k);
				double left_s = libra_engine_left_s(
					e, ticket, now_s, NULL);

				if (ticket && left_s <= 0)
					libra_engine_departed(e, ticket, now_s);
			}
		}
		print_message("%s: %u of %u advised, %u not the earliest; "
			      "told to try %u, %u far, %u nothing\n",
			      policies[p], advised, n, bounds, told.n, told.far,
			      told.nothing);
		assert_true(told.far < told.n / 10);
		assert_true(told.nothing < told.n / 10);
		assert_true(advised > n / 10);
		assert_true(bounds < advised / 10);
		libra_engine_destroy(e);
	}
}

/* ---- Space-shared processors, one by one ---- */

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
		cmocka_unit_test(rows_equal_processors_one_by_one),
		cmocka_unit_test(rows_equal_processors_with_equal_deadlines),
		cmocka_unit_test(every_job_is_decided_and_departs_once),
		cmocka_unit_test(accepted_with_exact_estimates_means_fulfilled),
		cmocka_unit_test(what_verdicts_say_comes_true),
		cmocka_unit_test(equal_jobs_are_spread),
		cmocka_unit_test(same_inputs_give_the_same_bytes),
		cmocka_unit_test(
			fast_paths_of_librarisk_equal_the_literal_sigma),
		cmocka_unit_test(bounds_of_libra_equal_the_literal_sum),
		cmocka_unit_test(the_earliest_deadline_is_kept),
		cmocka_unit_test(advice_for_several_jobs_is_accepted),
		cmocka_unit_test(queues_equal_a_full_search_at_each_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
