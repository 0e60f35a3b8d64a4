/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - the libra_* tokens of SchedulerParameters.
 *
 * A wrong token never stops slurmctld: it is reported with the value that is
 * used instead.  Callers: the host under its lock; the libra command without
 * one.  All functions depend only on their arguments.
 */
#ifndef LIBRA_BASE_CONF_H
#define LIBRA_BASE_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "core/policy.h"
#include "plugin/base/types.h"

enum {
	LIBRA_HOST_MAX_PARAMS = 32,
	LIBRA_HOST_MAX_PARTS = 64,
};

/* The treatment of a job without a deadline, if the policy needs one. */
enum libra_host_no_deadline {
	LIBRA_NO_DEADLINE_STOCK = 1,
	LIBRA_NO_DEADLINE_BEST_EFFORT,
	LIBRA_NO_DEADLINE_REJECT,
};

struct libra_host_conf {
	const struct libra_policy_type *policy;
	double params[LIBRA_HOST_MAX_PARAMS];
	char *partitions[LIBRA_HOST_MAX_PARTS]; /* owned */
	size_t npartitions; /* 0 = all partitions are managed */
	enum libra_host_no_deadline no_deadline;
	/* Owned: "NAME:VALUE+NAME:VALUE", checked; NULL = none. */
	char *targets;		 /* of QOS: seconds from submission on */
	char *default_deadlines; /* of partitions, or one number for all: time
				    limits from submission on */
	bool queue_refused;	 /* a refused job joins Slurm's queue, without a
				    promise */
	double grace_s; /* after the deadline; INFINITY = no time limit; NAN =
			   the limit is the estimate */
	double offer_ttl_s; /* until an uncommitted offer expires */
	double correct; /* quantile for the correction of estimates; 0 = none */
	char *log_path; /* owned; NULL = no decision log */
	char *label; /* owned; the first partition, if there are several groups;
			else NULL */
};

/* Report one line about a wrong token; the text is valid for the call. */
typedef void (*libra_host_report_f)(void *arg, const char *text);

/* Read the tokens; other keys of SchedulerParameters are ignored.
 * Result: 0, or -1 with ENOMEM; then nothing has to be freed.
 * Owner:  after 0 the caller calls libra_host_conf_fini().
 */
int libra_host_conf_init(struct libra_host_conf *conf, const char *sched_params,
			 libra_host_report_f report, void *arg);
void libra_host_conf_fini(struct libra_host_conf *conf);

bool libra_host_conf_manages(const struct libra_host_conf *conf,
			     const char *partition);

/* Return the time from its submission until the deadline that a job without one
 * gets by a setting; limit_s is its time limit, and may be NAN or INFINITY.
 * Result: seconds, or INFINITY = none.  *setting: which one, for users; static.
 */
double libra_host_conf_due_s(const struct libra_host_conf *conf,
			     const char *qos, const char *partition,
			     double limit_s, const char **setting);

/* Return true if the policy plans starts, on processors of each job's own. */
bool libra_host_conf_plans(const struct libra_host_conf *conf);

/* Return true if jobs get whole processors in turn, by their deadlines. */
bool libra_host_conf_in_turn(const struct libra_host_conf *conf);

/* Return how nodes divide processors among the policy's jobs. */
enum libra_host_rule libra_host_conf_rule(const struct libra_host_conf *conf);

/* Return true if engines made from a and b make the same decisions. */
bool libra_host_conf_same_engine(const struct libra_host_conf *a,
				 const struct libra_host_conf *b);

/* Read a duration in seconds ("90"), or as [days-]hours:minutes:seconds.
 * Result: 0, or -1 with EINVAL.
 */
int libra_host_parse_duration(const char *text, double *duration_s);

#endif
