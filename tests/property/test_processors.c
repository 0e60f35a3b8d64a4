/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_processors.c - processors in time-sharing, one by one.
 *
 * The engine's rows are compared with a program that does the same in the
 * plainest way: one list of tasks per processor, every sum from scratch.
 */
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "tests/property/workloads.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_equal_processors_one_by_one),
		cmocka_unit_test(rows_equal_processors_with_equal_deadlines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
