/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_log.h - the engine's calls, each written to the decision log.
 *
 * Same arguments and results as in core/engine.h.  Whoever calls the engine by
 * these alone has a log that replays to the same decisions.
 */
#ifndef LIBRA_ENGINE_ENGINE_LOG_H
#define LIBRA_ENGINE_ENGINE_LOG_H

#include "core/engine.h"
#include "plugin/base/conf.h"
#include "plugin/engine/decision_log.h"

struct libra_engine_log {
	struct libra_engine *engine;
	struct libra_declog out;
	struct libra_range *ranges; /* placement last read */
	size_t nranges, cap;
	uint64_t epoch;	  /* names this run of the engine */
	uint64_t changes; /* times that something may have become free */
	bool turn;	  /* whose turn it is may have changed */
	bool filling;	  /* from records: nothing is decided yet */
	const uint32_t *node_procs;
	const char *const *node_names;
	/* Of policies that plan: of each node, and what they are; or none. */
	uint32_t nresources;
	const uint64_t *node_resources;
	char (*resources)[64];
	uint32_t nnodes;
	uint32_t max_jobs; /* on one processor; 0 = any number */
	const struct libra_host_conf *conf;
};

/* Make the engine of log->conf and the nodes. */
int libra_engine_log_create(struct libra_engine_log *log, double now_s,
			    struct libra_error *err);
void libra_engine_log_destroy(struct libra_engine_log *log);

/* Gang policies, and those that plan: decide whose turn it is, if that may have
 * changed.
 */
void libra_engine_log_turn(struct libra_engine_log *log, double now_s);

/* The opening line again, after the log was rotated. */
void libra_engine_log_opening(struct libra_engine_log *log, double now_s);

/* The fields of a job, and of the verdict if rc is 0. */
void libra_engine_log_job(struct libra_declog *out,
			  const struct libra_job *job);
void libra_engine_log_verdict(struct libra_declog *out, int rc,
			      const struct libra_verdict *verdict);

int libra_engine_log_offer(struct libra_engine_log *log,
			   const struct libra_job *job, double now_s,
			   struct libra_verdict *verdict,
			   struct libra_error *err);
double libra_engine_log_earliest(struct libra_engine_log *log,
				 const struct libra_job *job, uint32_t njobs,
				 double now_s);
int libra_engine_log_modify(struct libra_engine_log *log, uint64_t ticket,
			    const struct libra_job *changed, double now_s,
			    struct libra_verdict *verdict,
			    struct libra_error *err);
/* The field parts of a line. */
void libra_engine_log_parts(struct libra_engine_log *log,
			    const struct libra_part *parts, uint32_t nparts);
int libra_engine_log_restore(struct libra_engine_log *log,
			     const struct libra_job *job,
			     const struct libra_part *parts, uint32_t nparts,
			     bool running, double now_s, uint64_t *ticket,
			     struct libra_error *err);
/* now_s: for the log alone. */
int libra_engine_log_relearn(struct libra_engine_log *log, const double *values,
			     size_t n, double now_s, struct libra_error *err);
int libra_engine_log_commit(struct libra_engine_log *log, uint64_t ticket,
			    uint64_t id, double now_s);
int libra_engine_log_withdraw(struct libra_engine_log *log, uint64_t ticket,
			      double now_s);
/* id: of the job as Slurm has it now; a task of an array got its own. */
int libra_engine_log_started(struct libra_engine_log *log, uint64_t ticket,
			     uint64_t id, double now_s);
int libra_engine_log_progress(struct libra_engine_log *log, uint64_t ticket,
			      double executed_s, double now_s);
/* Only where jobs take turns; elsewhere nothing is called. */
void libra_engine_log_suspend(struct libra_engine_log *log, uint64_t ticket,
			      bool suspended, double now_s);
int libra_engine_log_reestimate(struct libra_engine_log *log, uint64_t ticket,
				double estimate_s, double now_s);
int libra_engine_log_departed(struct libra_engine_log *log, uint64_t ticket,
			      double now_s);
int libra_engine_log_node(struct libra_engine_log *log, uint32_t node,
			  enum libra_node_state state, double now_s);
void libra_engine_log_schedule(struct libra_engine_log *log, double now_s);
int libra_engine_log_clock(struct libra_engine_log *log, double was_s,
			   double now_s);
bool libra_engine_log_next_action(struct libra_engine_log *log,
				  struct libra_action *action);

/* Read a placement into log->ranges.
 * Result: their number, or -1 with ENOENT or ENOMEM.
 */
int64_t libra_engine_log_placement(struct libra_engine_log *log,
				   uint64_t ticket);

#endif
