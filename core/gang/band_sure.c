/* SPDX-License-Identifier: GPL-2.0-or-later */
/* band_sure.c - how many equal jobs blocks take: see band.h. */
#include "core/gang/band.h"

/* Return the most residents of one of the candidate's processors. */
static uint32_t most_bound(const struct libra_band *b)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < b->m->nchosen; i++) {
		uint32_t p = b->m->chosen[i].first;
		uint32_t end = p + b->m->chosen[i].count;

		for (; p < end; p = libra_gang_run_end(b->g, p, end)) {
			uint32_t n = b->g->runs.nbound[libra_gang_run(b->g, p)];

			most = n > most ? n : most;
		}
	}
	return most;
}

/* Return how many jobs the first n processors of a block take; they are the
 * candidate.  Each new job there waits for those before it, which need need_s
 * each, and for no other job that is new.
 */
static uint64_t takes(const struct libra_band *b, double need_s, uint64_t most)
{
	struct libra_tally t = {0};
	struct libra_trial trial;
	uint32_t before;
	double more;

	b->m->stamp++;
	libra_band_count_chosen(b, &t);
	trial = (struct libra_trial){
		.deadline_s = b->deadline_s,
		.need_s = b->least_s,
		.earlier = b->m->earlier,
		.nearlier = t.nearlier,
		.nidle = t.nidle,
		.later = b->m->later,
		.nlater = t.later,
	};
	if (!libra_finishes_try(&b->m->finishes, b->g, &trial, INFINITY,
				b->now_s))
		return 0;
	/* New jobs on other blocks may delay the jobs after this one. */
	if (t.later > 0)
		return most == 1;
	before = t.nearlier + t.nidle;
	more = floor((b->deadline_s - trial.finish_s) / need_s);
	more = fmin(1 + fmax(more, 0), (double)most);
	/* A crowded job waits for the last gone of all earlier jobs, not only
	 * for their needs.
	 */
	if (before <= b->g->listed)
		more = fmin(more, b->g->listed + 1 - before);
	if (b->limit > 0)
		more = fmin(more, b->limit - most_bound(b));
	return (uint64_t)more;
}

bool libra_band_surely_takes(const struct libra_band *b, double need_s,
			     uint64_t njobs)
{
	uint32_t nprocs = b->g->nprocs;
	uint64_t size = 1, taken = 0, next;

	while (size < b->n)
		size *= 2;
	for (uint64_t s = 0; s + b->n <= nprocs && taken < njobs; s = next) {
		uint64_t end = s + size < nprocs ? s + size : nprocs, most;
		struct libra_range block = {(uint32_t)s, (uint32_t)(end - s)};

		next = libra_band_next_block(b, s, size);
		b->m->nchosen = 0;
		if (libra_band_choose_first(b, block, b->n) < b->n)
			continue;
		/* The blocks up to the next are like this one. */
		most = takes(b, need_s, njobs - taken);
		taken += most * ((next - s) / size);
	}
	return taken >= njobs;
}
