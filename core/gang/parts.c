/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.c - see parts.h. */
#include "core/gang/parts.h"

#include "core/array.h"

int libra_gang_set_parts(struct libra_gang *g, uint32_t slot,
			 const uint64_t *set)
{
	struct libra_gang_job *job = &g->jobs[slot];
	uint32_t n = 0, end = 0, cap;
	bool ok = true;

	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		end = libra_bits_next_not(set, p, g->nprocs);
		if (n == job->parts_cap) {
			cap = libra_doubled(n, 1, (uint64_t)n + 1);
			job->parts = libra_grown(job->parts, cap,
						 sizeof(*job->parts), &ok);
			if (!ok)
				return -1;
			job->parts_cap = cap;
		}
		job->parts[n++] = (struct libra_range){p, end - p};
	}
	job->nparts = n;
	g->spans[slot] = (struct libra_gang_span){
		.first = n > 0 ? job->parts[0].first / 64 : 0,
		.last = end / 64,
	};
	return 0;
}
