/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the least of a host, for tests that drive the engine by hand.
 *
 * Each step fails the test where a host would have to give up.
 */
#ifndef TESTS_UNIT_HOST_H
#define TESTS_UNIT_HOST_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "tests/unit/test.h"

/* An engine of equal nodes. */
static inline struct libra_engine *host_engine_ttl(const char *policy,
						   uint32_t nnodes,
						   uint32_t node_procs,
						   double offer_ttl_s)
{
	struct libra_error err = {""};
	uint32_t *procs = calloc(nnodes, sizeof(*procs));
	struct libra_engine_conf conf = {
		.policy = libra_policy_find(policy, &err),
		.node_procs = procs,
		.nnodes = nnodes,
		.offer_ttl_s = offer_ttl_s,
	};
	struct libra_engine *e;

	assert_non_null(conf.policy);
	for (uint32_t i = 0; i < nnodes; i++)
		procs[i] = node_procs;
	e = libra_engine_create(&conf, &err);
	free(procs);
	if (!e)
		fail_msg("%s", err.text);
	return e;
}

static inline struct libra_engine *host_engine(const char *policy,
					       uint32_t nnodes,
					       uint32_t node_procs)
{
	return host_engine_ttl(policy, nnodes, node_procs, INFINITY);
}

/* The value of a policy's parameter, in params as the engine takes them. */
static inline double *host_param(const struct libra_policy_type *policy,
				 double *params, const char *name)
{
	int i = libra_param_find(policy->params, policy->nparams, name, NULL);

	assert_true(i >= 0);
	return &params[i];
}

/* The value of a parameter in "name=value name=value", or NULL. */
static inline const char *host_setting(const char *settings, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = settings; (at = strstr(at, name)); at++)
		if ((at == settings || at[-1] == ' ') && at[n] == '=')
			return at + n + 1;
	return NULL;
}

/* An engine whose parameters are those by default, but for the settings. */
static inline struct libra_engine *host_engine_with(
	struct libra_engine_conf conf, const char *settings)
{
	const struct libra_policy_type *policy = conf.policy;
	uint32_t unknown = 0;
	struct libra_engine *e;
	double params[32];

	assert_true(policy && policy->nparams <= 32);
	for (const char *at = settings; (at = strchr(at, '=')); at++)
		unknown++;
	for (size_t i = 0; i < policy->nparams; i++) {
		const char *value =
			host_setting(settings, policy->params[i].name);

		params[i] = value ? atof(value) : policy->params[i].value;
		unknown -= value != NULL;
	}
	assert_int_equal(unknown, 0);
	conf.params = params;
	e = libra_engine_create(&conf, NULL);
	assert_non_null(e);
	return e;
}

/* Policy band, with so many jobs on a processor at the most; 0 = any number. */
static inline struct libra_engine *host_band_engine(const uint32_t *procs,
						    uint32_t nnodes,
						    uint32_t max_jobs,
						    const char *settings)
{
	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("band", NULL),
			.node_procs = procs,
			.nnodes = nnodes,
			.max_jobs = max_jobs,
			.offer_ttl_s = INFINITY,
		},
		settings);
}

/* Plans by node; of each node so much of each resource, if there are any. */
static inline struct libra_engine *host_rooms_engine(const uint32_t *procs,
						     uint32_t nnodes,
						     const uint64_t *resources,
						     uint32_t nresources,
						     const char *settings)
{
	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("planned", NULL),
			.node_procs = procs,
			.nnodes = nnodes,
			.offer_ttl_s = INFINITY,
			.by_node = true,
			.nresources = nresources,
			.node_resources = resources,
		},
		settings);
}

/* An engine of one node as slurmctld has it, with a policy's defaults there. */
static inline struct libra_engine *host_nodes_engine(const char *policy,
						     const uint32_t *procs,
						     uint32_t nnodes)
{
	struct libra_engine_conf conf = {
		.policy = libra_policy_find(policy, NULL),
		.node_procs = procs,
		.nnodes = nnodes,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e;
	double params[32];

	assert_true(conf.policy && conf.policy->nparams <= 32);
	for (size_t i = 0; i < conf.policy->nparams; i++)
		params[i] = libra_policy_cluster_value(conf.policy, i);
	conf.params = params;
	e = libra_engine_create(&conf, NULL);
	assert_non_null(e);
	return e;
}

static inline struct libra_engine *host_cluster_engine(const char *policy,
						       uint32_t nprocs)
{
	return host_nodes_engine(policy, &nprocs, 1);
}

/* A job submitted at an instant; the deadline is a duration. */
static inline struct libra_job host_job(double submit_s, double estimate_s,
					double deadline_rel_s, uint32_t nprocs)
{
	return (struct libra_job){
		.submit_s = submit_s,
		.estimate_s = estimate_s,
		.deadline_s = submit_s + deadline_rel_s,
		.budget = 1e4, /* for policies that sell */
		.nprocs = nprocs,
	};
}

static inline struct libra_verdict host_offer(struct libra_engine *e,
					      struct libra_job job,
					      double now_s)
{
	struct libra_verdict verdict;
	struct libra_error err = {""};

	if (libra_engine_offer(e, &job, now_s, &verdict, &err) < 0)
		fail_msg("%s", err.text);
	return verdict;
}

/* Start what is to start; forget the other actions. */
static inline void host_obey(struct libra_engine *e, double now_s)
{
	struct libra_action action;

	while (libra_engine_next_action(e, &action))
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(
				libra_engine_started(e, action.ticket, now_s),
				0);
}

/* Offer, commit, and start if the policy says so at once.
 * Result: the ticket, 0 if refused.
 */
static inline uint64_t host_submit(struct libra_engine *e, struct libra_job job,
				   double now_s)
{
	struct libra_verdict verdict = host_offer(e, job, now_s);

	if (verdict.answer == LIBRA_REJECT)
		return 0;
	assert_int_equal(libra_engine_commit(e, verdict.ticket, 1, now_s), 0);
	host_obey(e, now_s);
	return verdict.ticket;
}

static inline void host_pass(struct libra_engine *e, double now_s)
{
	libra_engine_schedule(e, now_s);
	host_obey(e, now_s);
}

/* How often a job is said to be late; nobody else may be. */
static inline uint32_t host_nlate(struct libra_engine *e, uint64_t ticket)
{
	struct libra_action action;
	uint32_t n = 0;

	while (libra_engine_next_action(e, &action))
		if (action.kind == LIBRA_ACTION_LATE) {
			assert_int_equal(action.ticket, ticket);
			assert_int_equal(action.reason,
					 LIBRA_REASON_WOULD_MISS);
			n++;
		}
	return n;
}

/* Does the job run?  (Or is it promised its processors.) */
static inline bool host_runs(const struct libra_engine *e, uint64_t ticket)
{
	return libra_engine_placement(e, ticket, NULL, 0) > 0;
}

/* Fail unless a job is on exactly one range. */
#define assert_placed(e, ticket, first_, count_)                               \
	do {                                                                   \
		struct libra_range at_ = {0, 0};                               \
		assert_int_equal(libra_engine_placement(e, ticket, &at_, 1),   \
				 1);                                           \
		assert_int_equal(at_.first, first_);                           \
		assert_int_equal(at_.count, count_);                           \
	} while (0)

/* Fail unless a call gives -1 and this errno. */
#define assert_fails(code, call)                                               \
	do {                                                                   \
		errno = 0;                                                     \
		assert_int_equal(call, -1);                                    \
		assert_int_equal(errno, code);                                 \
	} while (0)

/* Where a job is: "0-3,8". */
static inline const char *host_placed(const struct libra_engine *e,
				      uint64_t ticket)
{
	static char text[256];
	struct libra_range range[32];
	int64_t n = libra_engine_placement(e, ticket, range, 32);
	size_t at = 0;

	text[0] = '\0';
	assert_in_range(n, 0, 32);
	for (int64_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       range[i].count > 1 ? "%s%u-%u" : "%s%u",
				       i ? "," : "", range[i].first,
				       range[i].first + range[i].count - 1);
	return text;
}

#endif
