/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - what an engine takes for sensible numbers.
 *
 * Each check gives 0, or -1 with EINVAL and what is wrong.
 */
#ifndef LIBRA_CHECK_H
#define LIBRA_CHECK_H

#include "core/engine.h"

/* Is this a number that an instant or a duration may have? */
bool libra_is_time(double seconds);

/* Are these some of the processors from..nprocs-1? */
static inline bool libra_is_range(struct libra_range range, uint32_t from,
				  uint32_t nprocs)
{
	return range.count > 0 && range.first >= from && range.first < nprocs &&
	       range.count <= nprocs - range.first;
}

int libra_check_conf(const struct libra_engine_conf *conf,
		     struct libra_error *err);
int libra_check_job(const struct libra_job *job, double now_s,
		    struct libra_error *err);
int libra_check_parts(const struct libra_engine *e, const struct libra_job *job,
		      const struct libra_part *parts, uint32_t nparts,
		      struct libra_error *err);

#endif
