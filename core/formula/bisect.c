/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.c - halve the interval while its upper end is accepted. */
#include "core/formula/bisect.h"

#include <math.h>

#define MOST_STEPS 64
#define EXACT_S	   1.0

double libra_bisect_deadline(struct libra_engine *e,
			     const struct libra_job *job, double high_s,
			     libra_accepts_f *accepts)
{
	struct libra_job with = *job;
	double low_s = e->now_s;

	with.deadline_s = high_s;
	if (!accepts(e, &with))
		return INFINITY;
	for (int i = 0; i < MOST_STEPS && high_s - low_s > EXACT_S; i++) {
		with.deadline_s = low_s + (high_s - low_s) / 2;
		if (accepts(e, &with))
			high_s = with.deadline_s;
		else
			low_s = with.deadline_s;
	}
	return high_s;
}
