/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_log.h - call the engine's functions that only policies with planned
 * starts have, and write each call to the decision log.
 *
 * Arguments and results are those of core/engine.h; log->out composes the line.
 * Callers: plugin/host, under the host's lock.
 */
#ifndef LIBRA_ENGINE_PLAN_LOG_H
#define LIBRA_ENGINE_PLAN_LOG_H

#include "plugin/engine/engine_log.h"

int libra_plan_log_restore_waiting(struct libra_engine_log *log,
				   const struct libra_job *job, double start_s,
				   double now_s, uint64_t *ticket,
				   struct libra_error *err);
bool libra_plan_log_may_start(struct libra_engine_log *log,
			      const struct libra_job *job,
			      const struct libra_start_query *query,
			      double now_s);
void libra_plan_log_forgo(struct libra_engine_log *log, uint64_t job_id,
			  double now_s);
int libra_plan_log_restore_place(struct libra_engine_log *log,
				 const struct libra_job *job,
				 const struct libra_start_query *query,
				 double now_s, struct libra_error *err);
int libra_plan_log_plan_ordinary(struct libra_engine_log *log,
				 const struct libra_job *job, double now_s,
				 struct libra_verdict *verdict,
				 struct libra_error *err);
int libra_plan_log_outages(struct libra_engine_log *log,
			   const struct libra_outage *list, uint32_t n,
			   double now_s, struct libra_error *err);

#endif
