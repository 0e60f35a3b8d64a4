/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_log.c - see plan_log.h.
 */
#include <errno.h>
#include <inttypes.h>

#include "plugin/engine/plan_log.h"

int libra_plan_log_restore_waiting(struct libra_engine_log *log,
				   const struct libra_job *job, double start_s,
				   double now_s, uint64_t *ticket,
				   struct libra_error *err)
{
	int rc = libra_engine_restore_waiting(log->engine, job, start_s, now_s,
					      ticket, err);
	int saved = errno;

	log->turn = true;
	libra_declog_begin(&log->out, "restore_waiting", now_s);
	libra_engine_log_job(&log->out, job);
	libra_declog_number(&log->out, "start_s", start_s);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	if (rc == 0)
		libra_declog_whole(&log->out, "ticket", *ticket);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

static void log_gone(struct libra_declog *out,
		     const struct libra_start_query *query)
{
	libra_declog_raw(out, ",\"gone\":[");
	for (uint32_t i = 0; i < query->ngone; i++)
		libra_declog_raw(out, "%s%" PRIu64, i ? "," : "",
				 query->gone[i]);
	libra_declog_raw(out, "],\"stops\":%s",
			 query->stops ? "true" : "false");
	libra_declog_number(out, "delay_s", query->delay_s);
}

bool libra_plan_log_may_start(struct libra_engine_log *log,
			      const struct libra_job *job,
			      const struct libra_start_query *query,
			      double now_s)
{
	bool may = libra_engine_may_start(log->engine, job, query, now_s);

	libra_declog_begin(&log->out, "may_start", now_s);
	libra_engine_log_job(&log->out, job);
	libra_engine_log_parts(log, query->parts, query->nparts);
	if (query->ngone > 0)
		log_gone(&log->out, query);
	libra_declog_raw(&log->out, ",\"may\":%s", may ? "true" : "false");
	libra_declog_end(&log->out);
	return may;
}

void libra_plan_log_forgo(struct libra_engine_log *log, uint64_t job_id,
			  double now_s)
{
	libra_engine_forgo(log->engine, job_id, now_s);
	log->changes++;
	log->turn = true;
	libra_declog_begin(&log->out, "forgo", now_s);
	libra_declog_whole(&log->out, "id", job_id);
	libra_declog_end(&log->out);
}

int libra_plan_log_restore_place(struct libra_engine_log *log,
				 const struct libra_job *job,
				 const struct libra_start_query *query,
				 double now_s, struct libra_error *err)
{
	int rc =
		libra_engine_restore_place(log->engine, job, query, now_s, err);
	int saved = errno;

	log->turn = true;
	libra_declog_begin(&log->out, "restore_place", now_s);
	libra_engine_log_job(&log->out, job);
	libra_engine_log_parts(log, query->parts, query->nparts);
	log_gone(&log->out, query);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_plan_log_plan_ordinary(struct libra_engine_log *log,
				 const struct libra_job *job, double now_s,
				 struct libra_verdict *verdict,
				 struct libra_error *err)
{
	int rc = libra_engine_plan_ordinary(log->engine, job, now_s, verdict,
					    err);
	int saved = errno;

	libra_declog_begin(&log->out, "plan_ordinary", now_s);
	libra_engine_log_job(&log->out, job);
	libra_engine_log_verdict(&log->out, rc, verdict);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_plan_log_outages(struct libra_engine_log *log,
			   const struct libra_outage *list, uint32_t n,
			   double now_s, struct libra_error *err)
{
	int rc = libra_engine_outages(log->engine, list, n, now_s, err);
	int saved = errno;

	log->changes++;
	log->turn = true;
	libra_declog_begin(&log->out, "outages", now_s);
	libra_declog_raw(&log->out, ",\"list\":[");
	for (uint32_t i = 0; i < n; i++)
		libra_declog_raw(&log->out, "%s[%u,%.17g,%.17g]", i ? "," : "",
				 list[i].node, list[i].from_s, list[i].to_s);
	libra_declog_raw(&log->out, "],\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}
