/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait_check.h - ask of each waiting job of a log when it will start, and
 * compare the answers with what happened (core/formula/forecast.h).
 */
#ifndef LIBRA_SITE_WAIT_CHECK_H
#define LIBRA_SITE_WAIT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

struct wait_check {
	size_t jobs;	  /* with a wait and a run time */
	size_t unlimited; /* of them: they have the largest limit of the log */
	size_t asked;	  /* questions with a bound */
	size_t kept;	  /* the job started by then */
	int percent;	  /* of the bounds are to hold */
	/* Medians over these questions, in seconds. */
	double wait_s, bound_s; /* from the question on */
	double error_s;		/* of the estimate */
	double planned_error_s; /* of the plan by what past jobs took */
	double limits_error_s;	/* of the plan by limits */
};

/* Ask about all jobs of a log on a machine of procs processors.
 * Result: 0, or -1 with ENOMEM, or EINVAL (no record has a wait and a limit).
 */
int wait_check(struct wait_check *check, const struct swf_trace *trace,
	       uint32_t procs, struct libra_error *err);

#endif
