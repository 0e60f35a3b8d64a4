/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_log.h - call the engine, and write each call to the decision log.
 *
 * Arguments and results are those of core/engine.h.  A host that calls the
 * engine only through these functions has a log that replays to the same
 * decisions.
 *
 * Callers: plugin/host and all below it, under the host's lock.
 */
#ifndef LIBRA_ENGINE_ENGINE_LOG_H
#define LIBRA_ENGINE_ENGINE_LOG_H

#include "core/engine.h"
#include "plugin/base/conf.h"
#include "plugin/engine/decision_log.h"

struct libra_engine_log {
	struct libra_engine *engine;
	struct libra_declog out;
	struct libra_range *ranges; /* the placement read last */
	size_t nranges, cap;
	uint64_t epoch;	  /* number of this run of the engine */
	uint64_t changes; /* counts calls that may have freed capacity */
	/* Calls of compress since the last other call.  The log has one line
	 * for all of them.
	 */
	struct {
		double now_s;
		uint64_t budget;
		uint32_t n;
	} slices;
	/* Searches for the field "ahead" (the jobs that end before a planned
	 * start), at one instant.  Their number is bounded, as an array has one
	 * for each task.
	 */
	struct {
		double now_s;
		uint32_t n;
	} ahead;
	bool turn;    /* libra_engine_log_turn() has to call schedule */
	bool filling; /* jobs are being restored: decide nothing yet */
	const uint32_t *node_procs;
	const char *const *node_names;
	/* Policies that plan: amounts per node, and names; otherwise none. */
	uint32_t nresources;
	const uint64_t *node_resources;
	char (*resources)[64];
	uint32_t nnodes;
	uint32_t max_jobs; /* per processor; 0 = any number */
	const struct libra_host_conf *conf;
};

/* Create the engine of log->conf and the nodes.
 * Result: 0, or -1 with errno and *err.
 */
int libra_engine_log_create(struct libra_engine_log *log, double now_s,
			    struct libra_error *err);
void libra_engine_log_destroy(struct libra_engine_log *log);

/* Gang policies and policies that plan: call schedule if a call since the last
 * one may have changed its result.
 */
void libra_engine_log_turn(struct libra_engine_log *log, double now_s);

/* Write the line "engine" again, after the log was rotated, or with the same
 * engine after a reconfigure.
 */
void libra_engine_log_opening(struct libra_engine_log *log, double now_s);

/* job:     write the fields of a job.
 * verdict: write the fields of a verdict; if rc is -1, only "rc".
 */
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
/* Write the field "parts" of a line; the engine is not called. */
void libra_engine_log_parts(struct libra_engine_log *log,
			    const struct libra_part *parts, uint32_t nparts);
int libra_engine_log_restore(struct libra_engine_log *log,
			     const struct libra_job *job,
			     const struct libra_part *parts, uint32_t nparts,
			     bool running, double now_s, uint64_t *ticket,
			     struct libra_error *err);
/* now_s is used only for the log. */
int libra_engine_log_relearn(struct libra_engine_log *log, const double *values,
			     size_t n, double now_s, struct libra_error *err);
int libra_engine_log_commit(struct libra_engine_log *log, uint64_t ticket,
			    uint64_t id, double now_s);
int libra_engine_log_withdraw(struct libra_engine_log *log, uint64_t ticket,
			      double now_s);
/* id: Slurm's present id; a task of an array got one of its own. */
int libra_engine_log_started(struct libra_engine_log *log, uint64_t ticket,
			     uint64_t id, double now_s);
int libra_engine_log_progress(struct libra_engine_log *log, uint64_t ticket,
			      double executed_s, double now_s);
/* Gang policies only; otherwise nothing is called or logged. */
void libra_engine_log_suspend(struct libra_engine_log *log, uint64_t ticket,
			      bool suspended, double now_s);
int libra_engine_log_reestimate(struct libra_engine_log *log, uint64_t ticket,
				double estimate_s, double now_s);
int libra_engine_log_departed(struct libra_engine_log *log, uint64_t ticket,
			      double now_s);
int libra_engine_log_node(struct libra_engine_log *log, uint32_t node,
			  enum libra_node_state state, double now_s);
void libra_engine_log_schedule(struct libra_engine_log *log, double now_s);
bool libra_engine_log_compress(struct libra_engine_log *log, uint64_t budget,
			       double now_s);
int libra_engine_log_clock(struct libra_engine_log *log, double was_s,
			   double now_s);
bool libra_engine_log_next_action(struct libra_engine_log *log,
				  struct libra_action *action);

/* Read a placement into log->ranges, valid until the next call.
 * Result: the number of ranges, or -1 with ENOENT or ENOMEM.
 */
int64_t libra_engine_log_placement(struct libra_engine_log *log,
				   uint64_t ticket);

#endif
