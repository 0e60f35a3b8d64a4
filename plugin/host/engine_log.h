/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_log.h - the engine's calls, each written to the decision log.
 *
 * Same arguments and results as in core/engine.h.  Whoever calls the engine by
 * these alone has a log that replays to the same decisions.
 */
#ifndef LIBRA_HOST_CALLS_H
#define LIBRA_HOST_CALLS_H

#include "core/engine.h"
#include "plugin/host/conf.h"
#include "plugin/host/decision_log.h"

struct libra_calls {
	struct libra_engine *engine;
	struct libra_declog log;
	struct libra_range *ranges; /* placement last read */
	size_t nranges, cap;
	uint64_t epoch;	  /* names this run of the engine */
	uint64_t changes; /* times that something may have become free */
	bool turn;	  /* whose turn it is may have changed */
	const uint32_t *node_procs;
	const char *const *node_names;
	uint32_t nnodes;
	uint32_t max_jobs; /* on one processor; 0 = any number */
	const struct libra_host_conf *conf;
};

/* Make the engine of calls->conf and the nodes. */
int libra_calls_create(struct libra_calls *calls, double now_s,
		       struct libra_error *err);
void libra_calls_destroy(struct libra_calls *calls);

/* Gang policies: decide whose turn it is, if that may have changed. */
void libra_calls_turn(struct libra_calls *calls, double now_s);

/* The opening line again, after the log was rotated. */
void libra_calls_log_engine(struct libra_calls *calls, double now_s);

int libra_calls_offer(struct libra_calls *calls, const struct libra_job *job,
		      double now_s, struct libra_verdict *verdict,
		      struct libra_error *err);
double libra_calls_earliest(struct libra_calls *calls,
			    const struct libra_job *job, double now_s);
int libra_calls_modify(struct libra_calls *calls, uint64_t ticket,
		       const struct libra_job *changed, double now_s,
		       struct libra_verdict *verdict, struct libra_error *err);
int libra_calls_restore(struct libra_calls *calls, const struct libra_job *job,
			const struct libra_part *parts, uint32_t nparts,
			bool running, double now_s, uint64_t *ticket,
			struct libra_error *err);
int libra_calls_commit(struct libra_calls *calls, uint64_t ticket, uint64_t id,
		       double now_s);
int libra_calls_withdraw(struct libra_calls *calls, uint64_t ticket,
			 double now_s);
int libra_calls_started(struct libra_calls *calls, uint64_t ticket,
			double now_s);
int libra_calls_progress(struct libra_calls *calls, uint64_t ticket,
			 double executed_s, double now_s);
int libra_calls_reestimate(struct libra_calls *calls, uint64_t ticket,
			   double estimate_s, double now_s);
int libra_calls_departed(struct libra_calls *calls, uint64_t ticket,
			 double now_s);
int libra_calls_node(struct libra_calls *calls, uint32_t node,
		     enum libra_node_state state, double now_s);
void libra_calls_schedule(struct libra_calls *calls, double now_s);
bool libra_calls_next_action(struct libra_calls *calls,
			     struct libra_action *action);

/* Read a placement into calls->ranges.
 * Result: their number, or -1 with ENOENT or ENOMEM.
 */
int64_t libra_calls_placement(struct libra_calls *calls, uint64_t ticket);

#endif
