/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenarios.h - the scenarios of a what-if study.
 *
 * A scenario is a list of changes of the log.  A file has a scenario in each
 * line: its name, a colon, and its changes:
 *
 *     ten more in a hundred: processors=+10%
 *     short limits: limits=24:00:00    # longer jobs are ended there
 *     who knows: limits=exact
 *     learned: correct=0.9
 *     busier: load=1.2 policy=conservative
 *
 * In a plan (a list of scenarios) for Slurm's own scheduler the words are
 * changes of the site.  They are stored here, and read by slurm_site_change().
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
	PLAN_LIMITS_EXACT, /* the real run time */
	PLAN_LIMITS_CAPPED,
};

struct plan_scenario {
	char name[64];
	double procs_pct; /* more processors, in % of the log's ... */
	uint32_t procs;	  /* ... or so many; 0 = see procs_pct */
	enum plan_limits limits;
	double cap_s;	/* no job has more, or runs longer */
	double correct; /* quantile of corrected estimates; 0 = none */
	double load;	/* factor of the arrival rate */
	const struct libra_policy_type *policy;
	char *changes; /* of a site, with blanks between; NULL = none */
};

struct plan {
	struct plan_scenario *list;
	size_t n;
};

/* Make the default plan: the log itself, 10 % more and fewer processors,
 * exact limits, limits of at most a day, limits learned from past jobs,
 * EASY-SJBF, and 10 % more load.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls plan_fini().
 */
int plan_default(struct plan *plan, struct libra_error *err);

/* Make a plan of the log itself, and of a scenario for each change of the site.
 * Result and owner: as of plan_default().
 */
int plan_site(struct plan *plan, const char *const changes[][2], size_t n,
	      struct libra_error *err);

/* Make a plan of the log itself, and of the scenarios of a file.  site: the
 * words of a scenario are changes of the site.
 * Result: 0, or -1 with errno of the system, or EINVAL; the text names file and
 *         line.
 */
int plan_read(struct plan *plan, const char *path, bool site,
	      struct libra_error *err);
void plan_fini(struct plan *plan);

#endif
