/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_property.c - decisions of the engine, one by one: against the rules to
 * the letter, without rows, bounds or forecasts; and what is advised.
 */
#include "core/engine_impl.h"
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"
#include "tests/property/workloads.h"

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
	static struct libra_forecast t[LIVE + 1];
	static double delay[LIVE + 1];
	const struct libra_ledger_row *row = row_of(d, proc);
	double rel_s = job->deadline_s - job->submit_s, sum = 0;
	uint32_t n = row->pub.ntasks;

	if (librarisk && n == 0)
		return true;
	t[n] = (struct libra_forecast){job->estimate_s, job->estimate_s / rel_s,
				       job->deadline_s, 0, 0};
	for (uint32_t k = 0; k < n; k++) {
		const struct libra_task *task = &row->tasks[k];

		t[k] = (struct libra_forecast){
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
	uint32_t far;		 /* said to be no nearest one */
	uint32_t bound, unknown; /* where little work was allowed */
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

/* What a search says that may look at no more than so much: an upper bound, or
 * that it does not know; "none" only if a whole search says so.
 */
static void check_search(struct libra_engine *e, struct libra_job job,
			 uint32_t njobs, double now_s, struct told *told)
{
	static const uint64_t works[] = {1, 1000, LIBRA_SEARCH_WORK,
					 UINT64_MAX};
	double at_s, try_s, none_s = 0;

	for (int i = 4; i-- > 0;) {
		libra_engine_allow_search(e, works[i]);
		at_s = libra_engine_earliest_together(e, &job, njobs, now_s);
		try_s = libra_engine_advise(e, &job, njobs, at_s, 60, now_s);
		libra_engine_allow_search(e, UINT64_MAX);
		if (i == 3)
			none_s = at_s;
		if (at_s == INFINITY)
			assert_true(none_s == INFINITY);
		told->unknown += isnan(at_s) && i < 3;
		if (!isfinite(at_s))
			continue;
		told->bound += i < 3;
		job.deadline_s = at_s;
		assert_true(libra_engine_would_accept(e, &job, njobs, now_s));
		job.deadline_s = now_s + try_s;
		if (isfinite(try_s))
			assert_true(libra_engine_would_accept(e, &job, njobs,
							      now_s));
	}
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
	if (pick(s, 4) == 0)
		check_search(e, job, njobs, now_s, told);
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
					       "band", "planned"};

	for (int p = 0; p < 5; p++) {
		struct libra_engine *e =
			host_cluster_engine(policies[p], MAX_PROCS);
		uint32_t advised = 0, bounds = 0;
		struct told told = {0};
		/* band's trials cost most of this file's time. */
		uint32_t n = p < 3 ? 1000 : 250;
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
			      "told to try %u, %u far, %u nothing; "
			      "searched little: %u bounds, %u unknown\n",
			      policies[p], advised, n, bounds, told.n, told.far,
			      told.nothing, told.bound, told.unknown);
		assert_true(told.bound > 0);
		assert_true(told.far < told.n / 10);
		/* planned's reserve comes and goes with deadlines. */
		assert_true(p == 4 || told.nothing < told.n / 10);
		assert_true(advised > n / 10);
		assert_true(bounds < advised / 10);
		libra_engine_destroy(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			fast_paths_of_librarisk_equal_the_literal_sigma),
		cmocka_unit_test(bounds_of_libra_equal_the_literal_sum),
		cmocka_unit_test(the_earliest_deadline_is_kept),
		cmocka_unit_test(advice_for_several_jobs_is_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
