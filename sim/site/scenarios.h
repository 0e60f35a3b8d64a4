/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenarios.h - the scenarios of a what-if study; a plan is a list of them.
 *
 * A scenario is a list of changes of the log and of the machine.  A file has
 * one scenario in each line: the name, a colon, and the changes:
 *
 *     ten more in a hundred: processors=+10%
 *     short limits: limits=24:00:00    # longer jobs are ended there
 *     who knows: limits=exact
 *     learned: correct=0.9
 *     busier: load=1.2 policy=conservative
 *
 * A plan for Slurm's own scheduler has changes of the site instead, which
 * slurm_site_change() reads; here they are text.
 */
#ifndef LIBRA_SITE_SCENARIOS_H
#define LIBRA_SITE_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/policy.h"

enum plan_limits {
	PLAN_LIMITS_LOGGED = 0,
	PLAN_LIMITS_EXACT,  /* each job's limit is its run time */
	PLAN_LIMITS_CAPPED, /* cap_s */
};

struct plan_scenario {
	char name[64];
	uint32_t procs;	  /* of the machine; 0 = by procs_pct */
	double procs_pct; /* more processors, in % of the log's */
	enum plan_limits limits;
	double cap_s; /* largest limit; a job that runs longer is ended */
	/* Estimates are this quantile of what the user's last jobs took of
	 * their limits; 0 = the limits.
	 */
	double correct;
	double load; /* factor of the arrival rate */
	const struct libra_policy_type *policy;
	char *changes; /* of a site, separated by blanks; NULL = none */
};

struct plan {
	struct plan_scenario *list;
	size_t n;
};

/* Make the default plan: the unchanged log ("as it was"), 10 % more and 10 %
 * fewer processors, exact limits, limits of at most a day, limits learned from
 * past jobs, EASY-SJBF, and 10 % more load.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls plan_fini().
 */
int plan_default(struct plan *plan, struct libra_error *err);

/* Make a plan of the unchanged log, and of n scenarios: changes[i] has the name
 * and the changes of the site.  Texts are copied.
 * Result and owner: as of plan_default().
 */
int plan_site(struct plan *plan, const char *const changes[][2], size_t n,
	      struct libra_error *err);

/* Make a plan of the unchanged log, and of the scenarios of a file.  site: they
 * are changes of the site, and are not checked here.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EINVAL (the text names
 *         file and line).
 * Owner:  the caller calls plan_fini() after success, and need not after an
 *         error.
 */
int plan_read(struct plan *plan, const char *path, bool site,
	      struct libra_error *err);
void plan_fini(struct plan *plan);

#endif
