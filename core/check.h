/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - validate the arguments of an engine's callers.
 *
 * Each libra_check_ function returns 0, or -1 with EINVAL; err says what is
 * wrong.
 */
#ifndef LIBRA_CHECK_H
#define LIBRA_CHECK_H

#include "core/engine.h"

/* Return true if a number is valid as an instant or a duration, in seconds. */
bool libra_is_time(double seconds);

/* Return true if the range is not empty and within from..nprocs-1. */
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
