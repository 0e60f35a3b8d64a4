/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.c - the fluid bound.
 *
 * struct fluid holds the amounts accepted so far and the orders of jobs.  For
 * each job a bisection finds the largest part that fits, and a simulation of
 * earliest deadline first tests each part.
 */
#include "sim/run/bound.h"

#include <math.h>
#include <stdlib.h>

/* Precision of the part of a job that fits. */
#define EXACT 1e-3

/* The amounts accepted so far, and scratch of the simulation that tests them.
 */
struct fluid {
	const struct sim_workload *w;
	double *amount;	  /* of each job, in seconds of the whole machine */
	uint32_t *by_due; /* jobs by deadline */
	uint32_t *rank;	  /* of each job there */
	double *left;	  /* by rank: released and not done */
	uint64_t *waits;  /* a bit for each rank with something left */
	size_t words;
};

static double work_s(const struct sim_workload *w, size_t i)
{
	return w->jobs[i].runtime_s * w->jobs[i].job.nprocs / w->procs;
}

static int by_deadline(const void *a, const void *b, void *arg)
{
	const struct sim_workload *w = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	double x = w->jobs[i].job.deadline_s, y = w->jobs[k].job.deadline_s;

	return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

static int by_work(const void *a, const void *b, void *arg)
{
	const struct sim_workload *w = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	double x = work_s(w, i), y = work_s(w, k);

	return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

/* Serve the earliest deadlines from *now_s to until_s.
 * Result: false if a deadline is missed.
 */
static bool serve(struct fluid *f, double *now_s, double until_s, size_t *word)
{
	for (; *word < f->words && *now_s < until_s; ++*word) {
		while (f->waits[*word] && *now_s < until_s) {
			size_t rank = *word * 64 +
				      (size_t)__builtin_ctzll(f->waits[*word]);
			double due_s =
				f->w->jobs[f->by_due[rank]].job.deadline_s;

			if (*now_s + f->left[rank] > until_s) {
				f->left[rank] -= until_s - *now_s;
				*now_s = until_s;
				return libra_in_time(*now_s, due_s);
			}
			*now_s += f->left[rank];
			if (!libra_in_time(*now_s, due_s))
				return false;
			f->left[rank] = 0;
			f->waits[*word] &= f->waits[*word] - 1;
		}
		if (f->waits[*word])
			break;
	}
	*now_s = until_s < INFINITY ? until_s : *now_s;
	return true;
}

/* Do all amounts fit? */
static bool fits(struct fluid *f)
{
	double now_s = 0;
	size_t first = 0; /* words before it have no bit */
	bool ok = true;

	for (size_t k = 0; k < f->words; k++)
		f->waits[k] = 0;
	for (size_t i = 0; ok && i < f->w->njobs; i++) {
		size_t rank = f->rank[i];

		if (f->amount[i] == 0)
			continue;
		ok = serve(f, &now_s, f->w->jobs[i].job.submit_s, &first);
		f->left[rank] = f->amount[i];
		f->waits[rank / 64] |= (uint64_t)1 << rank % 64;
		first = rank / 64 < first ? rank / 64 : first;
	}
	return ok && serve(f, &now_s, INFINITY, &first);
}

/* The part of a job that still fits, rounded up. */
static double part_that_fits(struct fluid *f, size_t job)
{
	double whole_s = work_s(f->w, job), low = 0, high = 1;

	f->amount[job] = whole_s;
	if (fits(f))
		return 1;
	while (high - low > EXACT) {
		/* In most cases nothing fits, or nearly nothing. */
		double middle =
			low == 0 && high == 1 ? EXACT : (low + high) / 2;

		f->amount[job] = middle * whole_s;
		if (fits(f))
			low = middle;
		else
			high = middle;
	}
	f->amount[job] = low * whole_s;
	return high;
}

/* Sort the jobs, and sum the parts that fit, least work first. */
static double bound_pct(struct fluid *f, uint32_t *order)
{
	const struct sim_workload *w = f->w;
	double sum = 0;

	for (uint32_t i = 0; i < w->njobs; i++)
		f->by_due[i] = order[i] = i;
	qsort_r(f->by_due, w->njobs, sizeof(*order), by_deadline, (void *)w);
	for (uint32_t i = 0; i < w->njobs; i++)
		f->rank[f->by_due[i]] = i;
	qsort_r(order, w->njobs, sizeof(*order), by_work, (void *)w);
	for (size_t i = 0; i < w->njobs; i++)
		sum += part_that_fits(f, order[i]);
	return 100 * sum / (double)w->njobs;
}

double sim_fluid_bound_pct(const struct sim_workload *w)
{
	size_t n = w->njobs;
	uint32_t *order = calloc(n, sizeof(*order));
	struct fluid f = {
		.w = w,
		.amount = calloc(n, sizeof(double)),
		.by_due = calloc(n, sizeof(uint32_t)),
		.rank = calloc(n, sizeof(uint32_t)),
		.left = calloc(n, sizeof(double)),
		.words = (n + 63) / 64,
	};
	double pct = NAN;

	f.waits = calloc(f.words, sizeof(uint64_t));
	if (order && f.amount && f.by_due && f.rank && f.left && f.waits)
		pct = bound_pct(&f, order);
	free(order);
	free(f.amount);
	free(f.by_due);
	free(f.rank);
	free(f.left);
	free(f.waits);
	return pct;
}
