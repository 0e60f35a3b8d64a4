/* SPDX-License-Identifier: GPL-2.0-or-later */
/* risk.c - delay, deadline delay, and its deviation. */
#include "core/formula/risk.h"

#include <math.h>

#include "core/formula/need.h"
#include "core/formula/share.h"

double libra_delay_s(double finish_s, double deadline_s)
{
	return finish_s > deadline_s ? finish_s - deadline_s : 0;
}

double libra_deadline_delay(double delay_s, double remaining_s)
{
	return (delay_s + remaining_s) / remaining_s;
}

/* Return the population standard deviation of n values, stride doubles apart.
 */
static double deviation(const double *x, size_t n, size_t stride)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i * stride];
	mean /= (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = x[i * stride] - mean;

		squares += d * d;
	}
	return sqrt(squares / (double)n);
}

double libra_risk(const double *deadline_delay, size_t n)
{
	return deviation(deadline_delay, n, 1);
}

static void begin(struct libra_forecast *tasks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tasks[i].work_s = tasks[i].est_left_s > 0
					  ? tasks[i].est_left_s
					  : LIBRA_OVERRUN_WORK_S;
}

static double share_of(const struct libra_forecast *task, double now_s)
{
	return libra_share(task->est_left_s > 0 ? task->work_s : 0,
			   task->initial_share, task->deadline_s, now_s);
}

/* Advance to the next finish among tasks[done..n-1], and move the tasks that
 * end there to the front.
 * Result: how many tasks are done; *now_s is the instant.
 */
static size_t next_finish(struct libra_forecast *tasks, size_t n, size_t done,
			  double *now_s)
{
	double sum = 0, elapsed_s = INFINITY;
	size_t soonest = done;

	for (size_t i = done; i < n; i++) {
		tasks[i].finish_s = share_of(&tasks[i], *now_s);
		sum += tasks[i].finish_s;
	}
	for (size_t i = done; i < n; i++) {
		/* Until a task is done its finish_s holds its rate. */
		tasks[i].finish_s /= sum;
		if (tasks[i].work_s < elapsed_s * tasks[i].finish_s) {
			elapsed_s = tasks[i].work_s / tasks[i].finish_s;
			soonest = i;
		}
	}
	*now_s += elapsed_s;
	for (size_t i = done; i < n; i++)
		tasks[i].work_s -= tasks[i].finish_s * elapsed_s;
	tasks[soonest].work_s = 0; /* whatever rounding left of it */
	for (size_t i = done; i < n; i++) {
		struct libra_forecast task = tasks[i];

		if (!libra_is_done(task.work_s))
			continue;
		task.finish_s = *now_s;
		tasks[i] = tasks[done];
		tasks[done++] = task;
	}
	return done;
}

void libra_project(struct libra_forecast *tasks, size_t n, double now_s)
{
	size_t done = 0;

	begin(tasks, n);
	while (done < n)
		done = next_finish(tasks, n, done, &now_s);
}

/* Return true if the deadline delays certainly differ.  In closed form, for
 * tasks that are neither late nor over their estimates and whose shares sum to
 * S > 1. The first to end is one with the least remaining time R, at S R: its
 * deadline delay is S. If all deadline delays were S, the last to end would be
 * one with the greatest R, at S R; but it ends when all the work is done.
 */
static bool delays_differ(const struct libra_forecast *tasks, size_t n,
			  double now_s, double share, double apart)
{
	double longest_s = 0, work_s = 0;

	if (share - 1 <= apart)
		return false;
	for (size_t i = 0; i < n; i++) {
		double remaining_s = tasks[i].deadline_s - now_s;

		if (tasks[i].est_left_s <= 0)
			return false;
		work_s += tasks[i].est_left_s;
		longest_s = remaining_s > longest_s ? remaining_s : longest_s;
	}
	return share * longest_s - work_s > apart * longest_s;
}

bool libra_risk_free(struct libra_forecast *tasks, size_t n, double now_s,
		     double share)
{
	double at_s = now_s, first = 0;
	/* Two values that differ by d deviate by at least d / sqrt(2 n). */
	double apart = 2 * LIBRA_RISK_TOLERANCE * sqrt((double)n);
	size_t done = 0, seen = 0;

	if (delays_differ(tasks, n, now_s, share, 2 * apart))
		return false;
	begin(tasks, n);
	while (done < n) {
		done = next_finish(tasks, n, done, &at_s);
		for (; seen < done; seen++) {
			struct libra_forecast *task = &tasks[seen];
			double delay_s =
				libra_delay_s(task->finish_s, task->deadline_s);

			/* From here on work_s holds the deadline delay. */
			task->work_s = libra_deadline_delay(
				delay_s, task->deadline_s - now_s);
			if (seen == 0)
				first = task->work_s;
			else if (fabs(task->work_s - first) > apart)
				return false;
		}
	}
	return deviation(&tasks[0].work_s, n,
			 sizeof(*tasks) / sizeof(double)) <=
	       LIBRA_RISK_TOLERANCE;
}
