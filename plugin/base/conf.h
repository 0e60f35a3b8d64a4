/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - the libra_* tokens of SchedulerParameters.
 *
 * A wrong token never stops slurmctld: it is reported with the value that is
 * used instead.
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

/* What becomes of a job without a deadline, where the policy needs one. */
enum libra_host_no_deadline {
	LIBRA_NO_DEADLINE_STOCK = 1,
	LIBRA_NO_DEADLINE_BEST_EFFORT,
	LIBRA_NO_DEADLINE_REJECT,
};

struct libra_host_conf {
	const struct libra_policy_type *policy;
	double params[LIBRA_HOST_MAX_PARAMS];
	char *partitions[LIBRA_HOST_MAX_PARTS]; /* owned */
	size_t npartitions;			/* 0 = all are managed */
	enum libra_host_no_deadline no_deadline;
	bool queue_refused; /* a refused job is Slurm's, without a promise */
	double grace_s;	    /* after the deadline; INFINITY = runs on; NAN = a
			       job's limit is its estimate */
	double offer_ttl_s; /* an offer nobody commits lives so long */
	double correct; /* quantile of estimates from users' past; 0 = off */
	char *log_path; /* owned; NULL = no decision log */
	char *label;	/* owned; the first partition, where other partitions
			   have another policy; else NULL */
};

/* One line about a wrong token. */
typedef void (*libra_host_report_f)(void *arg, const char *text);

/* Read the tokens; other keys of SchedulerParameters are skipped.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller ends it with libra_host_conf_fini().
 */
int libra_host_conf_init(struct libra_host_conf *conf, const char *sched_params,
			 libra_host_report_f report, void *arg);
void libra_host_conf_fini(struct libra_host_conf *conf);

bool libra_host_conf_manages(const struct libra_host_conf *conf,
			     const char *partition);

/* Does the policy plan starts, on processors of each job's own? */
bool libra_host_conf_plans(const struct libra_host_conf *conf);

/* Does the policy serve jobs in turn, by their deadlines? */
bool libra_host_conf_in_turn(const struct libra_host_conf *conf);

/* How do nodes serve its jobs? */
enum libra_host_rule libra_host_conf_rule(const struct libra_host_conf *conf);

/* Would an engine made from b decide as one made from a? */
bool libra_host_conf_same_engine(const struct libra_host_conf *a,
				 const struct libra_host_conf *b);

/* A duration: seconds ("90"), or Slurm's [days-]hours:minutes:seconds.
 * Result: 0, or -1 with EINVAL.
 */
int libra_host_parse_duration(const char *text, double *duration_s);

#endif
