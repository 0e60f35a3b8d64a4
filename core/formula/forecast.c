/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.c - see forecast.h.
 */
#include "core/formula/forecast.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/log.h"
#include "core/history.h"
#include "core/timeline.h"

#define FIRST_ASK_S 60
#define AGAIN	    16
#define LAST_S	    1e9	 /* longest wait and limit that are told apart */
#define QUEUE	    2000 /* jobs of the queue that are planned */
#define WINDOW	    1000
#define OLDEST	    (3 * WINDOW)
#define RANK	    96
#define MISSES	    ((100 - LIBRA_FORECAST_PERCENT) / 100.)

/* The factor's step.  With ten times this step as many bounds hold, and on four
 * logs the median bound is 6 to 101 % longer: a late job is known only when
 * its bound has passed, so the jobs of one burst raise the factor together.
 */
#define STEP 0.005

enum { FEATURES = 7 };

/* How much each feature counts. */
static const double weights[FEATURES] = {1, 1, 1, 0.5, 0.5, 0.5, 0.3};

struct question {
	double at_s, wait_s; /* from then on */
	double plan_s;	     /* planned wait, and FIRST_ASK_S */
	double bound_s;	     /* as a wait; 0 = none */
	double known_s;	     /* instant at which it is kept or missed */
	double features[FEATURES];
	uint32_t job;
};

struct alike {
	double distance;
	double wait_s;	 /* INFINITY: the job still waits */
	double scaled_s; /* the wait, longer or shorter as the plan is */
};

struct walk {
	const struct libra_forecast_job *jobs;
	size_t n;
	uint32_t procs;
	double now_s;
	libra_forecast_f *answer;
	void *context;
	struct libra_history *history;
	struct libra_timeline plan;
	struct question *questions; /* in order of time */
	size_t nquestions;
	uint32_t *starts, *ends;    /* jobs by start and end */
	uint32_t *queue, *running;  /* in order of submission, of start */
	double *by_limit, *by_past; /* planned starts, by place in the queue */
	struct alike *near;
	uint32_t *pending; /* questions, a heap by known_s */
	size_t nqueue, nrunning, npending, submitted, started, ended;
	double factor; /* of the bounds */
};

/* ---- orders ---- */

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b, void *arg)
{
	const struct libra_forecast_job *jobs = arg;

	return compare(jobs[*(const uint32_t *)a].start_s,
		       jobs[*(const uint32_t *)b].start_s);
}

static int by_end(const void *a, const void *b, void *arg)
{
	const struct libra_forecast_job *jobs = arg;

	return compare(jobs[*(const uint32_t *)a].end_s,
		       jobs[*(const uint32_t *)b].end_s);
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct libra_forecast_job *jobs = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	int order = compare(jobs[i].place, jobs[k].place);

	return order ? order : (i > k) - (i < k);
}

static int by_time(const void *a, const void *b)
{
	const struct question *x = a, *y = b;
	int order = compare(x->at_s, y->at_s);

	return order ? order : (x->job > y->job) - (x->job < y->job);
}

static int by_scaled(const void *a, const void *b)
{
	return compare(((const struct alike *)a)->scaled_s,
		       ((const struct alike *)b)->scaled_s);
}

static int by_wait(const void *a, const void *b)
{
	return compare(((const struct alike *)a)->wait_s,
		       ((const struct alike *)b)->wait_s);
}

/* Move the k least distances to the front. */
static void select_nearest(struct alike *list, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double middle = list[low + (high - low) / 2].distance;
		size_t i = low, j = high;

		for (;;) {
			struct alike swap;

			while (list[i].distance < middle)
				i++;
			while (list[j].distance > middle)
				j--;
			if (i >= j)
				break;
			swap = list[i];
			list[i++] = list[j];
			list[j--] = swap;
		}
		if (k <= j + 1)
			high = j;
		else
			low = j + 1;
	}
}

/* ---- bounds that are decided ---- */

static void push_pending(struct walk *w, uint32_t question)
{
	size_t i = w->npending++;

	while (i > 0 && w->questions[w->pending[(i - 1) / 2]].known_s >
				w->questions[question].known_s) {
		w->pending[i] = w->pending[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->pending[i] = question;
}

static uint32_t pop_pending(struct walk *w)
{
	uint32_t top = w->pending[0], last = w->pending[--w->npending];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->npending) {
		if (child + 1 < w->npending &&
		    w->questions[w->pending[child + 1]].known_s <
			    w->questions[w->pending[child]].known_s)
			child++;
		if (w->questions[w->pending[child]].known_s >=
		    w->questions[last].known_s)
			break;
		w->pending[i] = w->pending[child];
		i = child;
	}
	w->pending[i] = last;
	return top;
}

static void learn_bounds(struct walk *w, double at_s)
{
	while (w->npending > 0 && w->questions[w->pending[0]].known_s < at_s) {
		const struct question *q = &w->questions[pop_pending(w)];

		w->factor *= 1 + STEP * ((q->wait_s > q->bound_s) - MISSES);
	}
}

/* ---- the machine at an instant ---- */

/* Remove the jobs whose start (else their end) is before an instant. */
static size_t keep(uint32_t *list, size_t n, const struct walk *w, bool starts,
		   double at_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct libra_forecast_job *job = &w->jobs[list[i]];

		if ((starts ? job->start_s : job->end_s) >= at_s)
			list[kept++] = list[i];
	}
	return kept;
}

/* Result: 0, or -1 with ENOMEM. */
static int go_on(struct walk *w, double at_s)
{
	size_t started = w->started, ended = w->ended;

	while (w->submitted < w->n && w->jobs[w->submitted].submit_s < at_s)
		w->queue[w->nqueue++] = (uint32_t)w->submitted++;
	for (; w->started < w->n; w->started++) {
		uint32_t i = w->starts[w->started];

		if (w->jobs[i].start_s >= at_s)
			break;
		w->running[w->nrunning++] = i;
	}
	for (; w->ended < w->n; w->ended++) {
		const struct libra_forecast_job *job =
			&w->jobs[w->ends[w->ended]];
		double ran_s = job->end_s - job->start_s;

		if (job->end_s >= at_s)
			break;
		if (libra_history_add(w->history, job->user,
				      fmin(ran_s, job->limit_s),
				      job->limit_s) < 0)
			return -1;
	}
	if (w->started > started)
		w->nqueue = keep(w->queue, w->nqueue, w, true, at_s);
	if (w->ended > ended)
		w->nrunning = keep(w->running, w->nrunning, w, false, at_s);
	return 0;
}

static double duration(const struct walk *w,
		       const struct libra_forecast_job *job, double ran_s,
		       bool by_limit)
{
	double all_s = by_limit ? job->limit_s
				: libra_history_correct(w->history, job->user,
							job->limit_s, ran_s);

	/* The job is over its limit.  By the limit Slurm ends it within a
	 * minute; by the past it takes a tenth more than it ran.
	 */
	if (all_s <= ran_s)
		all_s = ran_s + (by_limit ? 60 : fmax(60, ran_s / 10));
	return all_s;
}

/* Plan n jobs of the queue, each at its earliest fit.
 * Result: 0, or -1 with ENOMEM.
 */
static int plan_queue(struct walk *w, double at_s, size_t n, bool by_limit,
		      double *starts_s)
{
	struct libra_timeline *plan = &w->plan;

	if (libra_timeline_reserve(plan, 2 * (w->nrunning + n) + 1) < 0)
		return -1;
	libra_timeline_reset(plan, at_s, w->procs);
	for (size_t i = 0; i < w->nrunning; i++) {
		const struct libra_forecast_job *job = &w->jobs[w->running[i]];
		double all_s = duration(w, job, at_s - job->start_s, by_limit);

		libra_timeline_add(plan, at_s, job->start_s + all_s,
				   -(int64_t)job->procs);
	}
	for (size_t i = 0; i < n; i++) {
		const struct libra_forecast_job *job = &w->jobs[w->queue[i]];
		double run_s = duration(w, job, 0, by_limit);

		starts_s[i] = libra_timeline_find(plan, job->procs, run_s);
		if (starts_s[i] < INFINITY)
			libra_timeline_add(plan, starts_s[i],
					   starts_s[i] + run_s,
					   -(int64_t)job->procs);
	}
	return 0;
}

/* ---- answers ---- */

static double bounded(double wait_s)
{
	return fmin(fmax(wait_s, 0), LAST_S);
}

static void set_features(const struct walk *w, struct question *q, size_t at,
			 double limits_s, double planned_s)
{
	const struct libra_forecast_job *job = &w->jobs[q->job];
	double before = 0;

	for (size_t i = 0; i < at; i++)
		before += w->jobs[w->queue[i]].procs;
	q->plan_s = bounded(planned_s - q->at_s) + FIRST_ASK_S;
	q->features[0] = libra_log(q->plan_s);
	q->features[1] = libra_log(bounded(limits_s - q->at_s) + 60);
	q->features[2] = libra_log(fmax(q->at_s - job->submit_s, FIRST_ASK_S));
	q->features[3] = libra_log(job->procs);
	q->features[4] = libra_log(fmin(job->limit_s, LAST_S) + 60);
	q->features[5] = libra_log(10 * before / w->procs + 1);
	q->features[6] = libra_log((double)w->nqueue + 1);
}

/* Find the questions most like the one at an index, by wait.
 * Result: how many.
 */
static size_t find_alike(struct walk *w, size_t index)
{
	const struct question *q = &w->questions[index];
	size_t n = 0;

	for (size_t i = index; i > 0 && n < WINDOW && index - i < OLDEST;) {
		const struct question *old = &w->questions[--i];
		double wait_s = old->wait_s, waited_s = q->at_s - old->at_s;
		double distance = 0;

		if (wait_s >= waited_s) {
			if (waited_s + FIRST_ASK_S < old->plan_s)
				continue;
			wait_s = INFINITY;
		}
		for (int k = 0; k < FEATURES; k++) {
			double d = (old->features[k] - q->features[k]) *
				   weights[k];

			distance += d * d;
		}
		w->near[n++] =
			(struct alike){distance, wait_s,
				       (fmin(wait_s, waited_s) + FIRST_ASK_S) /
						       old->plan_s * q->plan_s -
					       FIRST_ASK_S};
	}
	if (n < LIBRA_FORECAST_ALIKE)
		return n;
	select_nearest(w->near, n, LIBRA_FORECAST_ALIKE);
	qsort(w->near, LIBRA_FORECAST_ALIKE, sizeof(*w->near), by_wait);
	return LIBRA_FORECAST_ALIKE;
}

/* Return the median wait of the near jobs that have started, which are first;
 * INFINITY if none has.
 */
static double median_wait(const struct walk *w)
{
	size_t n = LIBRA_FORECAST_ALIKE;

	while (n > 1 && !isfinite(w->near[n - 1].wait_s))
		n--;
	return w->near[(n - 1) / 2].wait_s;
}

/* Answer a question for the job at a place of the queue. */
static int give_answer(struct walk *w, size_t index, size_t at)
{
	struct question *q = &w->questions[index];
	struct libra_start_forecast answer = {
		.job = q->job,
		.asked_s = q->at_s,
		.limits_s = w->by_limit[at],
		.planned_s = w->by_past[at],
		.estimate_s = w->by_past[at],
		.bound_s = NAN,
	};

	set_features(w, q, at, answer.limits_s, answer.planned_s);
	if (isfinite(answer.planned_s) &&
	    find_alike(w, index) == LIBRA_FORECAST_ALIKE) {
		double wait_s = median_wait(w);

		qsort(w->near, LIBRA_FORECAST_ALIKE, sizeof(*w->near),
		      by_scaled);
		q->bound_s = fmax(w->near[RANK - 1].scaled_s, 1) * w->factor;
		answer.estimate_s = q->at_s + fmin(wait_s, q->bound_s);
		answer.bound_s = q->at_s + q->bound_s;
		q->known_s = q->at_s + fmin(q->wait_s, q->bound_s);
		push_pending(w, (uint32_t)index);
	}
	return w->answer(w->context, &answer);
}

/* The place of a job in the queue, which is in order of submission. */
static size_t find_place(const struct walk *w, uint32_t job)
{
	size_t low = 0, high = w->nqueue;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->queue[middle] < job)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Plan the first n jobs of the queue both ways.  Jobs behind the first QUEUE
 * count as the last of them.
 */
static int plan_both(struct walk *w, double at_s, size_t n)
{
	size_t most = n < QUEUE ? n : QUEUE;

	if (plan_queue(w, at_s, most, true, w->by_limit) < 0 ||
	    plan_queue(w, at_s, most, false, w->by_past) < 0)
		return -1;
	for (size_t i = most; i < n; i++) {
		w->by_limit[i] = w->by_limit[most - 1];
		w->by_past[i] = w->by_past[most - 1];
	}
	return 0;
}

static int ask_past(struct walk *w)
{
	for (size_t i = 0; i < w->nquestions; i++) {
		const struct question *q = &w->questions[i];
		size_t at;

		learn_bounds(w, q->at_s);
		if (go_on(w, q->at_s) < 0)
			return -1;
		at = find_place(w, q->job);
		if (plan_both(w, q->at_s, at + 1) < 0 ||
		    give_answer(w, i, at) < 0)
			return -1;
	}
	return 0;
}

/* Ask about all jobs that wait now, in the order of the queue. */
static int ask_now(struct walk *w)
{
	if (!isfinite(w->now_s))
		return 0;
	learn_bounds(w, w->now_s);
	if (go_on(w, w->now_s) < 0)
		return -1;
	if (w->nqueue)
		qsort_r(w->queue, w->nqueue, sizeof(*w->queue), by_place,
			(void *)w->jobs);
	if (plan_both(w, w->now_s, w->nqueue) < 0)
		return -1;
	for (size_t at = 0; at < w->nqueue; at++) {
		size_t index = w->nquestions;

		w->questions[index] = (struct question){
			.at_s = w->now_s,
			.wait_s = INFINITY,
			.job = w->queue[at],
		};
		/* The next question takes the place of this one, and compares
		 * with the same past.
		 */
		if (give_answer(w, index, at) < 0)
			return -1;
		w->npending = 0;
	}
	return 0;
}

/* ---- all of it ---- */

static int check_jobs(const struct libra_forecast_job *jobs, size_t n,
		      struct libra_error *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct libra_forecast_job *job = &jobs[i];

		if (!(job->limit_s > 0 && job->limit_s < INFINITY) ||
		    job->procs == 0 || !isfinite(job->submit_s) ||
		    !(job->start_s >= job->submit_s) ||
		    !(job->end_s >= job->start_s) ||
		    (i > 0 && jobs[i - 1].submit_s > job->submit_s))
			return libra_errf(err, EINVAL,
					  "job %zu of the past has times out "
					  "of order, no limit or no "
					  "processors",
					  i);
	}
	return 0;
}

/* List the questions about all jobs, by job; questions NULL: only count.
 * Result: how many.
 */
static size_t list_questions(const struct walk *w, struct question *questions)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct libra_forecast_job *job = &w->jobs[i];
		double end_s = fmin(job->start_s, w->now_s);

		for (double age_s = FIRST_ASK_S; job->submit_s + age_s < end_s;
		     age_s *= AGAIN) {
			if (questions)
				questions[n] = (struct question){
					.at_s = job->submit_s + age_s,
					.wait_s = job->start_s - job->submit_s -
						  age_s,
					.job = (uint32_t)i,
				};
			n++;
		}
	}
	return n;
}

static int prepare(struct walk *w, struct libra_error *err)
{
	struct libra_history_conf conf = libra_history_usual(0.5);

	w->nquestions = list_questions(w, NULL);
	w->questions = calloc(w->nquestions + 1, sizeof(*w->questions));
	w->pending = calloc(w->nquestions + 1, sizeof(*w->pending));
	w->starts = calloc(w->n + 1, sizeof(*w->starts));
	w->ends = calloc(w->n + 1, sizeof(*w->ends));
	w->queue = calloc(w->n + 1, sizeof(*w->queue));
	w->running = calloc(w->n + 1, sizeof(*w->running));
	w->by_limit = calloc(w->n + 1, sizeof(*w->by_limit));
	w->by_past = calloc(w->n + 1, sizeof(*w->by_past));
	w->near = calloc(WINDOW, sizeof(*w->near));
	w->history = libra_history_create(&conf, err);
	if (!w->questions || !w->pending || !w->starts || !w->ends ||
	    !w->queue || !w->running || !w->by_limit || !w->by_past ||
	    !w->near || !w->history)
		return -1;
	list_questions(w, w->questions);
	if (w->nquestions)
		qsort(w->questions, w->nquestions, sizeof(*w->questions),
		      by_time);
	for (size_t i = 0; i < w->n; i++)
		w->starts[i] = w->ends[i] = (uint32_t)i;
	if (w->n) {
		qsort_r(w->starts, w->n, sizeof(*w->starts), by_start,
			(void *)w->jobs);
		qsort_r(w->ends, w->n, sizeof(*w->ends), by_end,
			(void *)w->jobs);
	}
	return 0;
}

int libra_forecast_all(const struct libra_forecast_job *jobs, size_t n,
		       uint32_t procs, double now_s, libra_forecast_f *answer,
		       void *context, struct libra_error *err)
{
	struct walk w = {
		.jobs = jobs,
		.n = n,
		.procs = procs,
		.now_s = now_s,
		.answer = answer,
		.context = context,
		.factor = 1,
	};
	int rc = check_jobs(jobs, n, err);

	if (rc == 0 && n >= UINT32_MAX / 8)
		rc = libra_errf(err, EINVAL, "%zu jobs are too many", n);
	if (rc == 0 &&
	    (prepare(&w, err) < 0 || ask_past(&w) < 0 || ask_now(&w) < 0))
		rc = errno == ENOMEM ? libra_no_memory(err, "the forecast")
				     : -1;
	libra_history_destroy(w.history);
	libra_timeline_fini(&w.plan);
	free(w.questions);
	free(w.pending);
	free(w.starts);
	free(w.ends);
	free(w.queue);
	free(w.running);
	free(w.by_limit);
	free(w.by_past);
	free(w.near);
	return rc;
}
