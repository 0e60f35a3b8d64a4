/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenarios.h - what could be different: the scenarios of a what-if study.
 *
 * A scenario says what changes against the log as it was.  A file has one in a
 * line, a name, a colon and what changes:
 *
 *     ten more in a hundred: processors=+10%
 *     short limits: limits=24:00:00    # longer jobs are ended there
 *     who knows: limits=exact
 *     learned: correct=0.9
 *     busier: load=1.2 policy=conservative
 *
 * In a plan for Slurm's own scheduler the words are changes of the site, which
 * are not looked at here (slurm_site_change()).
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
	double load;	/* arrivals come so much faster */
	const struct libra_policy_type *policy;
	char *changes; /* of a site, with blanks between; NULL = none */
};

struct plan {
	struct plan_scenario *list;
	size_t n;
};

/* The first scenario of every plan: nothing changes. */
void plan_scenario_init(struct plan_scenario *s, const char *name);

/* The plan of who has none: the log itself, 10 % more and fewer processors,
 * exact limits, limits of at most a day, limits learned from past jobs,
 * EASY-SJBF, and 10 % more load.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls plan_fini().
 */
int plan_default(struct plan *plan, struct libra_error *err);

/* The log itself, and scenarios of one change of the site each.
 * Result and owner: as of plan_default().
 */
int plan_site(struct plan *plan, const char *const changes[][2], size_t n,
	      struct libra_error *err);

/* The log itself, and the scenarios of a file; site: words are its changes.
 * Result: 0, or -1 with errno of the system, or EINVAL; the text names file and
 *         line.
 */
int plan_read(struct plan *plan, const char *path, bool site,
	      struct libra_error *err);
void plan_fini(struct plan *plan);

#endif
