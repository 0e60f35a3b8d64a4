/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.c - see parts.h. */
#include "core/gang/parts.h"

#include "core/array.h"

int libra_gang_set_parts(const struct libra_gang *g, struct libra_gang_job *job,
			 const uint64_t *set)
{
	uint32_t n = 0, end, cap;
	bool ok = true;

	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		end = libra_bits_next_not(set, p, g->nprocs);
		if (n == job->parts_cap) {
			cap = libra_doubled(n, 1, n + 1);
			job->parts = libra_grown(job->parts, cap,
						 sizeof(*job->parts), &ok);
			if (!ok)
				return -1;
			job->parts_cap = cap;
		}
		job->parts[n++] = (struct libra_range){p, end - p};
	}
	job->nparts = n;
	return 0;
}

void libra_gang_note_change(struct libra_gang *g,
			    const struct libra_gang_job *job)
{
	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t first = job->parts[i].first;
		uint32_t end = first + job->parts[i].count;

		for (uint32_t w = first / 64; w <= end / 64; w++)
			g->changes[w]++;
	}
}
