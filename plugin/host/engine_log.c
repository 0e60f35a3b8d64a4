/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_log.c - see calls.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "plugin/host/engine_log.h"

/* Of what the log's lines mean, for whoever reads them. */
#define LOG_VERSION 1

void libra_calls_log_engine(struct libra_calls *c, double now_s)
{
	const struct libra_policy_type *policy = c->conf->policy;
	struct libra_declog *log = &c->log;

	libra_declog_begin(log, "engine", now_s);
	libra_declog_whole(log, "version", LOG_VERSION);
	libra_declog_whole(log, "epoch", c->epoch);
	libra_declog_text(log, "policy", policy->name);
	libra_declog_raw(log, ",\"params\":{");
	for (size_t i = 0; i < policy->nparams; i++)
		libra_declog_raw(log, "%s\"%s\":%.17g", i ? "," : "",
				 policy->params[i].name, c->conf->params[i]);
	libra_declog_raw(log, "},\"nodes\":[");
	for (uint32_t i = 0; i < c->nnodes; i++)
		libra_declog_raw(log, "%s[\"%s\",%u]", i ? "," : "",
				 c->node_names[i], c->node_procs[i]);
	libra_declog_raw(log, "]");
	libra_declog_number(log, "offer_ttl_s", c->conf->offer_ttl_s);
	if (c->max_jobs)
		libra_declog_whole(log, "max_jobs", c->max_jobs);
	if (log->lines)
		libra_declog_whole(log, "continues", log->lines);
	libra_declog_end(log);
}

int libra_calls_create(struct libra_calls *c, double now_s,
		       struct libra_error *err)
{
	struct libra_engine_conf conf = {
		.policy = c->conf->policy,
		.params = c->conf->params,
		.node_procs = c->node_procs,
		.nnodes = c->nnodes,
		.offer_ttl_s = c->conf->offer_ttl_s,
		.max_jobs = c->max_jobs,
	};

	c->changes++;
	c->engine = libra_engine_create(&conf, err);
	if (!c->engine)
		return -1;
	c->log.lines = 0;
	libra_calls_log_engine(c, now_s);
	return 0;
}

void libra_calls_destroy(struct libra_calls *c)
{
	libra_engine_destroy(c->engine);
	free(c->ranges);
	c->engine = NULL;
	c->ranges = NULL;
	c->nranges = c->cap = 0;
}

int64_t libra_calls_placement(struct libra_calls *c, uint64_t ticket)
{
	int64_t n =
		libra_engine_placement(c->engine, ticket, c->ranges, c->cap);
	struct libra_range *more;

	c->nranges = 0;
	if (n > (int64_t)c->cap) {
		more = realloc(c->ranges, (size_t)n * sizeof(*more));
		if (!more) {
			errno = ENOMEM;
			return -1;
		}
		c->ranges = more;
		c->cap = (size_t)n;
		n = libra_engine_placement(c->engine, ticket, c->ranges,
					   c->cap);
	}
	if (n > 0)
		c->nranges = (size_t)n;
	return n;
}

static void log_where(struct libra_declog *log, const struct libra_where *w)
{
	libra_declog_raw(log,
			 ",\"where\":{\"chunk\":%u,\"node_max\":%u,"
			 "\"min_nodes\":%u,\"max_nodes\":%u",
			 w->chunk, w->node_max, w->min_nodes, w->max_nodes);
	if (w->allowed)
		libra_declog_ranges(log, "allowed", w->allowed, w->nallowed);
	libra_declog_raw(log, "}");
}

static void log_job(struct libra_declog *log, const struct libra_job *job)
{
	libra_declog_number(log, "submit_s", job->submit_s);
	libra_declog_number(log, "estimate_s", job->estimate_s);
	libra_declog_number(log, "deadline_s", job->deadline_s);
	if (job->budget > 0)
		libra_declog_number(log, "budget", job->budget);
	if (job->penalty_rate > 0)
		libra_declog_number(log, "penalty_rate", job->penalty_rate);
	libra_declog_whole(log, "nprocs", job->nprocs);
	libra_declog_whole(log, "user", job->user);
	if (job->id)
		libra_declog_whole(log, "id", job->id);
	if (job->where)
		log_where(log, job->where);
}

static void log_verdict(struct libra_declog *log,
			const struct libra_verdict *verdict)
{
	libra_declog_text(log, "answer", libra_answer_name(verdict->answer));
	libra_declog_text(log, "reason", libra_reason_name(verdict->reason));
	libra_declog_number(log, "share", verdict->share);
}

int libra_calls_offer(struct libra_calls *c, const struct libra_job *job,
		      double now_s, struct libra_verdict *verdict,
		      struct libra_error *err)
{
	int rc = libra_engine_offer(c->engine, job, now_s, verdict, err);
	int saved = errno;

	libra_declog_begin(&c->log, "offer", now_s);
	log_job(&c->log, job);
	if (rc < 0) {
		libra_declog_raw(&c->log, ",\"rc\":-1");
	} else {
		log_verdict(&c->log, verdict);
		libra_declog_whole(&c->log, "ticket", verdict->ticket);
		if (verdict->answer != LIBRA_REJECT &&
		    libra_calls_placement(c, verdict->ticket) >= 0)
			libra_declog_ranges(&c->log, "placement", c->ranges,
					    c->nranges);
	}
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_modify(struct libra_calls *c, uint64_t ticket,
		       const struct libra_job *changed, double now_s,
		       struct libra_verdict *verdict, struct libra_error *err)
{
	int rc = libra_engine_modify(c->engine, ticket, changed, now_s, verdict,
				     err);
	int saved = errno;

	c->changes++;
	c->turn = true;
	libra_declog_begin(&c->log, "modify", now_s);
	libra_declog_whole(&c->log, "ticket", ticket);
	log_job(&c->log, changed);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	if (rc == 0)
		log_verdict(&c->log, verdict);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_restore(struct libra_calls *c, const struct libra_job *job,
			const struct libra_part *parts, uint32_t nparts,
			bool running, double now_s, uint64_t *ticket,
			struct libra_error *err)
{
	int rc = libra_engine_restore(c->engine, job, parts, nparts, running,
				      now_s, ticket, err);
	int saved = errno;

	libra_declog_begin(&c->log, "restore", now_s);
	log_job(&c->log, job);
	libra_declog_raw(&c->log, ",\"running\":%s,\"parts\":[",
			 running ? "true" : "false");
	for (uint32_t i = 0; i < nparts; i++)
		libra_declog_raw(&c->log, "%s[%u,%u,%.17g]", i ? "," : "",
				 parts[i].procs.first, parts[i].procs.count,
				 parts[i].est_left_s);
	libra_declog_raw(&c->log, "],\"rc\":%d", rc);
	if (rc == 0)
		libra_declog_whole(&c->log, "ticket", *ticket);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

double libra_calls_earliest(struct libra_calls *c, const struct libra_job *job,
			    double now_s)
{
	double at_s = libra_engine_earliest_deadline(c->engine, job, now_s);

	libra_declog_begin(&c->log, "earliest", now_s);
	log_job(&c->log, job);
	libra_declog_number(&c->log, "earliest_s", at_s);
	libra_declog_end(&c->log);
	return at_s;
}

static int logged(struct libra_calls *c, const char *call, uint64_t ticket,
		  double now_s, int rc)
{
	int saved = errno;

	libra_declog_begin(&c->log, call, now_s);
	libra_declog_whole(&c->log, "ticket", ticket);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_commit(struct libra_calls *c, uint64_t ticket, uint64_t id,
		       double now_s)
{
	int rc = libra_engine_commit(c->engine, ticket, id, now_s);
	int saved = errno;

	c->turn = true;
	libra_declog_begin(&c->log, "commit", now_s);
	libra_declog_whole(&c->log, "ticket", ticket);
	libra_declog_whole(&c->log, "id", id);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_withdraw(struct libra_calls *c, uint64_t ticket, double now_s)
{
	c->changes++;
	c->turn = true;
	return logged(c, "withdraw", ticket, now_s,
		      libra_engine_withdraw(c->engine, ticket, now_s));
}

int libra_calls_started(struct libra_calls *c, uint64_t ticket, double now_s)
{
	return logged(c, "started", ticket, now_s,
		      libra_engine_started(c->engine, ticket, now_s));
}

int libra_calls_progress(struct libra_calls *c, uint64_t ticket,
			 double executed_s, double now_s)
{
	int rc = libra_engine_progress(c->engine, ticket, executed_s, now_s);
	int saved = errno;

	libra_declog_begin(&c->log, "progress", now_s);
	libra_declog_whole(&c->log, "ticket", ticket);
	libra_declog_number(&c->log, "executed_s", executed_s);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_reestimate(struct libra_calls *c, uint64_t ticket,
			   double estimate_s, double now_s)
{
	int rc = libra_engine_reestimate(c->engine, ticket, estimate_s, now_s);
	int saved = errno;

	libra_declog_begin(&c->log, "reestimate", now_s);
	libra_declog_whole(&c->log, "ticket", ticket);
	libra_declog_number(&c->log, "estimate_s", estimate_s);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	libra_declog_end(&c->log);
	errno = saved;
	return rc;
}

int libra_calls_departed(struct libra_calls *c, uint64_t ticket, double now_s)
{
	c->changes++;
	c->turn = true;
	return logged(c, "departed", ticket, now_s,
		      libra_engine_departed(c->engine, ticket, now_s));
}

int libra_calls_node(struct libra_calls *c, uint32_t node,
		     enum libra_node_state state, double now_s)
{
	static const char *const names[] = {"", "up", "drain", "down"};
	int rc = libra_engine_node(c->engine, node, state, now_s);

	c->changes++;
	c->turn = true;
	libra_declog_begin(&c->log, "node", now_s);
	libra_declog_whole(&c->log, "node", node);
	libra_declog_text(&c->log, "state", names[state]);
	libra_declog_raw(&c->log, ",\"rc\":%d", rc);
	libra_declog_end(&c->log);
	return rc;
}

void libra_calls_schedule(struct libra_calls *c, double now_s)
{
	libra_engine_schedule(c->engine, now_s);
	c->turn = false;
	libra_declog_begin(&c->log, "schedule", now_s);
	libra_declog_end(&c->log);
}

void libra_calls_turn(struct libra_calls *c, double now_s)
{
	if (c->turn && c->conf->policy->mode == LIBRA_GANG)
		libra_calls_schedule(c, now_s);
}

bool libra_calls_next_action(struct libra_calls *c, struct libra_action *action)
{
	bool any = libra_engine_next_action(c->engine, action);

	if (!any)
		return false;
	c->log.len = 0;
	libra_declog_raw(&c->log, "{\"action\":\"%s\"",
			 libra_action_name(action->kind));
	if (action->kind == LIBRA_ACTION_RESHARE) {
		libra_declog_whole(&c->log, "group", action->row);
	} else {
		if (action->kind == LIBRA_ACTION_REJECT)
			c->changes++;
		libra_declog_whole(&c->log, "ticket", action->ticket);
		libra_declog_whole(&c->log, "id", action->job_id);
		libra_declog_text(&c->log, "reason",
				  libra_reason_name(action->reason));
	}
	libra_declog_end(&c->log);
	return true;
}
