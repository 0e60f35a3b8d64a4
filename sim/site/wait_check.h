/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait_check.h - forecast the start of each waiting job of a log
 * (core/formula/forecast.h), and compare the forecasts with the logged starts.
 */
#ifndef LIBRA_SITE_WAIT_CHECK_H
#define LIBRA_SITE_WAIT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

struct wait_check {
	size_t jobs;	  /* with a wait, a run time and processors */
	size_t unlimited; /* of these, jobs without a limit: they count with the
			     largest limit of the log */
	size_t asked;	  /* forecasts with a bound */
	size_t kept;	  /* of these, forecasts whose bound held */
	int percent;	  /* of the bounds that should hold */
	/* Medians over the forecasts with a bound, in seconds. */
	double wait_s, bound_s; /* from the forecast to start and bound */
	double error_s;		/* |estimate - start| */
	double planned_error_s; /* likewise: the plan by the users' past jobs */
	double limits_error_s;	/* likewise: the plan by limits */
};

/* Forecast the starts of all jobs of a log on a machine of procs processors.
 * Nothing is to be freed.
 * Result: 0, or -1 with ENOMEM, or EINVAL (no record has a wait and a limit).
 */
int wait_check(struct wait_check *check, const struct swf_trace *trace,
	       uint32_t procs, struct libra_error *err);

#endif
