/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_log.c - see engine_log.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "plugin/engine/engine_log.h"

/* Version of the lines' meaning. */
#define LOG_VERSION 1

/* Jobs in a line, and searches for them at one instant. */
#define MOST_AHEAD    3
#define MOST_SEARCHES 20

/* LIBRA_ALL is written as -1. */
static void log_amount(struct libra_declog *out, const char *comma,
		       uint64_t amount)
{
	if (amount == LIBRA_ALL)
		libra_declog_raw(out, "%s-1", comma);
	else
		libra_declog_raw(out, "%s%llu", comma,
				 (unsigned long long)amount);
}

static void log_amounts(struct libra_declog *out, const char *name,
			const uint64_t *amounts)
{
	libra_declog_raw(out, ",\"%s\":[", name);
	for (uint32_t i = 0; i < LIBRA_RESOURCES; i++)
		log_amount(out, i ? "," : "", amounts[i]);
	libra_declog_raw(out, "]");
}

static double margin_of(const struct libra_host_conf *conf)
{
	const struct libra_policy_type *policy = conf->policy;
	int i = libra_param_find(policy->params, policy->nparams, "margin",
				 NULL);

	return i < 0 ? 0 : conf->params[i];
}

void libra_engine_log_opening(struct libra_engine_log *log, double now_s)
{
	const struct libra_policy_type *policy = log->conf->policy;
	struct libra_declog *out = &log->out;

	libra_declog_begin(out, "engine", now_s);
	libra_declog_whole(out, "version", LOG_VERSION);
	libra_declog_whole(out, "epoch", log->epoch);
	libra_declog_text(out, "policy", policy->name);
	libra_declog_raw(out, ",\"params\":{");
	for (size_t i = 0; i < policy->nparams; i++)
		libra_declog_raw(out, "%s\"%s\":%.17g", i ? "," : "",
				 policy->params[i].name, log->conf->params[i]);
	libra_declog_raw(out, "},\"nodes\":[");
	for (uint32_t i = 0; i < log->nnodes; i++) {
		libra_declog_raw(out, "%s[\"%s\",%u", i ? "," : "",
				 log->node_names[i], log->node_procs[i]);
		for (uint32_t k = 0; k < log->nresources; k++)
			log_amount(out, ",",
				   log->node_resources[(size_t)i *
							       log->nresources +
						       k]);
		libra_declog_raw(out, "]");
	}
	libra_declog_raw(out, "]");
	for (uint32_t k = 0; k < log->nresources; k++)
		libra_declog_raw(out, "%s\"%s\"", k ? "," : ",\"resources\":[",
				 log->resources[k]);
	if (log->nresources)
		libra_declog_raw(out, "]");
	libra_declog_number(out, "offer_ttl_s", log->conf->offer_ttl_s);
	if (policy->plans)
		libra_declog_text(out, "compress", "later");
	if (log->max_jobs)
		libra_declog_whole(out, "max_jobs", log->max_jobs);
	if (out->lines)
		libra_declog_whole(out, "continues", out->lines);
	libra_declog_end(out);
}

int libra_engine_log_create(struct libra_engine_log *log, double now_s,
			    struct libra_error *err)
{
	struct libra_engine_conf conf = {
		.policy = log->conf->policy,
		.params = log->conf->params,
		.node_procs = log->node_procs,
		.nnodes = log->nnodes,
		.offer_ttl_s = log->conf->offer_ttl_s,
		.max_jobs = log->max_jobs,
		.by_node = log->nresources > 0,
		.compress_later = true,
		.nresources = log->nresources,
		.node_resources = log->node_resources,
	};

	log->changes++;
	log->engine = libra_engine_create(&conf, err);
	if (!log->engine)
		return -1;
	log->out.lines = 0;
	libra_engine_log_opening(log, now_s);
	return 0;
}

void libra_engine_log_destroy(struct libra_engine_log *log)
{
	libra_declog_empty(&log->out);
	libra_engine_destroy(log->engine);
	free(log->ranges);
	log->engine = NULL;
	log->ranges = NULL;
	log->nranges = log->cap = 0;
}

int64_t libra_engine_log_placement(struct libra_engine_log *log,
				   uint64_t ticket)
{
	int64_t n = libra_engine_placement(log->engine, ticket, log->ranges,
					   log->cap);
	struct libra_range *more;

	log->nranges = 0;
	if (n > (int64_t)log->cap) {
		more = realloc(log->ranges, (size_t)n * sizeof(*more));
		if (!more) {
			errno = ENOMEM;
			return -1;
		}
		log->ranges = more;
		log->cap = (size_t)n;
		n = libra_engine_placement(log->engine, ticket, log->ranges,
					   log->cap);
	}
	if (n > 0)
		log->nranges = (size_t)n;
	return n;
}

static void log_where(struct libra_declog *out, const struct libra_where *w)
{
	libra_declog_raw(out,
			 ",\"where\":{\"chunk\":%u,\"node_max\":%u,"
			 "\"min_nodes\":%u,\"max_nodes\":%u",
			 w->chunk, w->node_max, w->min_nodes, w->max_nodes);
	if (w->allowed)
		libra_declog_ranges(out, "allowed", w->allowed, w->nallowed);
	if (w->per_node)
		log_amounts(out, "per_node", w->per_node);
	if (w->per_chunk)
		log_amounts(out, "per_task", w->per_chunk);
	libra_declog_raw(out, "}");
}

void libra_engine_log_job(struct libra_declog *out, const struct libra_job *job)
{
	libra_declog_number(out, "submit_s", job->submit_s);
	libra_declog_number(out, "estimate_s", job->estimate_s);
	libra_declog_number(out, "deadline_s", job->deadline_s);
	if (job->budget > 0)
		libra_declog_number(out, "budget", job->budget);
	if (job->penalty_rate > 0)
		libra_declog_number(out, "penalty_rate", job->penalty_rate);
	libra_declog_whole(out, "nprocs", job->nprocs);
	libra_declog_whole(out, "user", job->user);
	if (job->id)
		libra_declog_whole(out, "id", job->id);
	if (job->where)
		log_where(out, job->where);
}

static void log_verdict(struct libra_declog *out,
			const struct libra_verdict *verdict)
{
	libra_declog_text(out, "answer", libra_answer_name(verdict->answer));
	libra_declog_text(out, "reason", libra_reason_name(verdict->reason));
	libra_declog_number(out, "share", verdict->share);
	if (verdict->late_s > 0)
		libra_declog_number(out, "late_s", verdict->late_s);
}

void libra_engine_log_verdict(struct libra_declog *out, int rc,
			      const struct libra_verdict *verdict)
{
	if (rc < 0) {
		libra_declog_raw(out, ",\"rc\":-1");
		return;
	}
	log_verdict(out, verdict);
	libra_declog_whole(out, "ticket", verdict->ticket);
}

struct ahead {
	uint64_t id; /* 0 = not in the queue yet */
	uint32_t nprocs;
	double until_s;
};

/* Find the jobs that give their processors back before a start, the last first.
 * Result: their number, at most MOST_AHEAD.
 * Cost:   O(jobs).
 */
static uint32_t find_ahead(const struct libra_engine_log *log, uint64_t ticket,
			   double start_s, double now_s, struct ahead *list)
{
	const struct libra_engine *e = log->engine;
	double margin_s = margin_of(log->conf);
	uint32_t n = 0, k;

	for (uint32_t slot = 0; slot < libra_engine_nslots(e); slot++) {
		uint64_t other = libra_engine_ticket(e, slot);
		const struct libra_job *job = libra_engine_job(e, other);
		double from_s = libra_engine_planned_start(e, other);
		struct ahead a;

		if (!job || other == ticket || isnan(from_s))
			continue;
		a.until_s =
			fmax(from_s, now_s) +
			fmax(libra_engine_left_s(e, other, now_s, NULL), 0) +
			margin_s;
		if (!(a.until_s > now_s && a.until_s <= start_s + 1))
			continue;
		a.id = job->id;
		a.nprocs = job->nprocs;
		for (k = n; k > 0 && list[k - 1].until_s < a.until_s; k--)
			if (k < MOST_AHEAD)
				list[k] = list[k - 1];
		if (k < MOST_AHEAD)
			list[k] = a;
		n += n < MOST_AHEAD;
	}
	return n;
}

/* Write what "libra explain" says of a job that waits for others, or is refused
 * for them: the free processors, and the jobs before its start.
 */
static void log_ahead(struct libra_engine_log *log, uint64_t ticket,
		      double start_s, double now_s)
{
	struct ahead list[MOST_AHEAD];
	uint32_t n = 0;

	if (!log->out.path || !log->conf->policy->plans || !isfinite(start_s))
		return;
	if (log->ahead.now_s != now_s)
		log->ahead.n = 0;
	log->ahead.now_s = now_s;
	if (start_s > now_s && log->ahead.n++ < MOST_SEARCHES)
		n = find_ahead(log, ticket, start_s, now_s, list);
	libra_declog_whole(&log->out, "free",
			   libra_engine_free_procs(log->engine));
	libra_declog_raw(&log->out, ",\"ahead\":[");
	for (uint32_t i = 0; i < n; i++)
		libra_declog_raw(&log->out, "%s[%llu,%u,%.17g]", i ? "," : "",
				 (unsigned long long)list[i].id, list[i].nprocs,
				 list[i].until_s);
	libra_declog_raw(&log->out, "]");
}

/* Write what was tested, for "libra explain": the sum of the other jobs'
 * shares, the latest end of a job that is served in turn, or the jobs before a
 * planned start.
 */
static void log_why(struct libra_engine_log *log, uint64_t ticket, double now_s)
{
	double beside, ends_s;

	if (!log->out.path)
		return;
	log_ahead(log, ticket, libra_engine_planned_start(log->engine, ticket),
		  now_s);
	beside = libra_engine_beside(log->engine, ticket);
	ends_s = libra_engine_ends_by(log->engine, ticket);
	if (!isnan(beside))
		libra_declog_number(&log->out, "beside", beside);
	if (!isnan(ends_s))
		libra_declog_number(&log->out, "ends_s", ends_s);
}

int libra_engine_log_offer(struct libra_engine_log *log,
			   const struct libra_job *job, double now_s,
			   struct libra_verdict *verdict,
			   struct libra_error *err)
{
	int rc = libra_engine_offer(log->engine, job, now_s, verdict, err);
	int saved = errno;

	libra_declog_begin(&log->out, "offer", now_s);
	libra_engine_log_job(&log->out, job);
	libra_engine_log_verdict(&log->out, rc, verdict);
	if (rc == 0) {
		libra_declog_text(&log->out, "policy", log->conf->policy->name);
		if (verdict->answer == LIBRA_ACCEPT)
			log_why(log, verdict->ticket, now_s);
		if (verdict->answer != LIBRA_REJECT &&
		    libra_engine_log_placement(log, verdict->ticket) >= 0)
			libra_declog_ranges(&log->out, "placement", log->ranges,
					    log->nranges);
	}
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_engine_log_modify(struct libra_engine_log *log, uint64_t ticket,
			    const struct libra_job *changed, double now_s,
			    struct libra_verdict *verdict,
			    struct libra_error *err)
{
	int rc = libra_engine_modify(log->engine, ticket, changed, now_s,
				     verdict, err);
	int saved = errno;

	log->changes++;
	log->turn = true;
	libra_declog_begin(&log->out, "modify", now_s);
	libra_declog_whole(&log->out, "ticket", ticket);
	libra_engine_log_job(&log->out, changed);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	if (rc == 0)
		log_verdict(&log->out, verdict);
	if (rc == 0 && verdict->answer == LIBRA_ACCEPT)
		log_why(log, ticket, now_s);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

void libra_engine_log_parts(struct libra_engine_log *log,
			    const struct libra_part *parts, uint32_t nparts)
{
	libra_declog_raw(&log->out, ",\"parts\":[");
	for (uint32_t i = 0; i < nparts; i++) {
		libra_declog_raw(&log->out, "%s[%u,%u,%.17g", i ? "," : "",
				 parts[i].procs.first, parts[i].procs.count,
				 parts[i].est_left_s);
		for (uint32_t k = 0; parts[i].resources && k < log->nresources;
		     k++)
			log_amount(&log->out, ",", parts[i].resources[k]);
		libra_declog_raw(&log->out, "]");
	}
	libra_declog_raw(&log->out, "]");
}

int libra_engine_log_restore(struct libra_engine_log *log,
			     const struct libra_job *job,
			     const struct libra_part *parts, uint32_t nparts,
			     bool running, double now_s, uint64_t *ticket,
			     struct libra_error *err)
{
	int rc = libra_engine_restore(log->engine, job, parts, nparts, running,
				      now_s, ticket, err);
	int saved = errno;

	libra_declog_begin(&log->out, "restore", now_s);
	libra_engine_log_job(&log->out, job);
	libra_declog_raw(&log->out, ",\"running\":%s",
			 running ? "true" : "false");
	libra_engine_log_parts(log, parts, nparts);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	if (rc == 0)
		libra_declog_whole(&log->out, "ticket", *ticket);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_engine_log_relearn(struct libra_engine_log *log, const double *values,
			     size_t n, double now_s, struct libra_error *err)
{
	int rc = libra_engine_relearn(log->engine, values, n, err);
	int saved = errno;

	libra_declog_begin(&log->out, "relearn", now_s);
	libra_declog_raw(&log->out, ",\"values\":[");
	for (size_t i = 0; i < n; i++)
		libra_declog_raw(&log->out, "%s%.17g", i ? "," : "", values[i]);
	libra_declog_raw(&log->out, "],\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

double libra_engine_log_earliest(struct libra_engine_log *log,
				 const struct libra_job *job, uint32_t njobs,
				 double now_s)
{
	double at_s =
		libra_engine_earliest_together(log->engine, job, njobs, now_s);

	libra_declog_begin(&log->out, "earliest", now_s);
	libra_engine_log_job(&log->out, job);
	if (njobs > 1)
		libra_declog_whole(&log->out, "jobs", njobs);
	libra_declog_number(&log->out, "earliest_s", at_s);
	log_ahead(log, 0, at_s - margin_of(log->conf) - job->estimate_s, now_s);
	libra_declog_end(&log->out);
	return at_s;
}

static int logged(struct libra_engine_log *log, const char *call,
		  uint64_t ticket, double now_s, int rc)
{
	int saved = errno;

	libra_declog_begin(&log->out, call, now_s);
	libra_declog_whole(&log->out, "ticket", ticket);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

static int logged_id(struct libra_engine_log *log, const char *call,
		     uint64_t ticket, uint64_t id, double now_s, int rc)
{
	int saved = errno;

	libra_declog_begin(&log->out, call, now_s);
	libra_declog_whole(&log->out, "ticket", ticket);
	libra_declog_whole(&log->out, "id", id);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_engine_log_commit(struct libra_engine_log *log, uint64_t ticket,
			    uint64_t id, double now_s)
{
	log->turn = true;
	return logged_id(log, "commit", ticket, id, now_s,
			 libra_engine_commit(log->engine, ticket, id, now_s));
}

int libra_engine_log_withdraw(struct libra_engine_log *log, uint64_t ticket,
			      double now_s)
{
	log->changes++;
	log->turn = true;
	return logged(log, "withdraw", ticket, now_s,
		      libra_engine_withdraw(log->engine, ticket, now_s));
}

int libra_engine_log_started(struct libra_engine_log *log, uint64_t ticket,
			     uint64_t id, double now_s)
{
	return logged_id(log, "started", ticket, id, now_s,
			 libra_engine_started(log->engine, ticket, now_s));
}

static int logged_number(struct libra_engine_log *log, const char *call,
			 uint64_t ticket, const char *name, double value,
			 double now_s, int rc)
{
	int saved = errno;

	libra_declog_begin(&log->out, call, now_s);
	libra_declog_whole(&log->out, "ticket", ticket);
	libra_declog_number(&log->out, name, value);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	errno = saved;
	return rc;
}

int libra_engine_log_progress(struct libra_engine_log *log, uint64_t ticket,
			      double executed_s, double now_s)
{
	return logged_number(
		log, "progress", ticket, "executed_s", executed_s, now_s,
		libra_engine_progress(log->engine, ticket, executed_s, now_s));
}

void libra_engine_log_suspend(struct libra_engine_log *log, uint64_t ticket,
			      bool suspended, double now_s)
{
	int rc;

	if (log->conf->policy->mode != LIBRA_GANG)
		return;
	rc = libra_engine_suspend(log->engine, ticket, suspended, now_s);
	log->turn = true;
	libra_declog_begin(&log->out, "suspend", now_s);
	libra_declog_whole(&log->out, "ticket", ticket);
	libra_declog_raw(&log->out, ",\"suspended\":%s,\"rc\":%d",
			 suspended ? "true" : "false", rc);
	libra_declog_end(&log->out);
}

int libra_engine_log_reestimate(struct libra_engine_log *log, uint64_t ticket,
				double estimate_s, double now_s)
{
	return logged_number(log, "reestimate", ticket, "estimate_s",
			     estimate_s, now_s,
			     libra_engine_reestimate(log->engine, ticket,
						     estimate_s, now_s));
}

int libra_engine_log_departed(struct libra_engine_log *log, uint64_t ticket,
			      double now_s)
{
	log->changes++;
	log->turn = true;
	return logged(log, "departed", ticket, now_s,
		      libra_engine_departed(log->engine, ticket, now_s));
}

int libra_engine_log_node(struct libra_engine_log *log, uint32_t node,
			  enum libra_node_state state, double now_s)
{
	static const char *const names[] = {"", "up", "drain", "down"};
	int rc = libra_engine_node(log->engine, node, state, now_s);

	log->changes++;
	log->turn = true;
	libra_declog_begin(&log->out, "node", now_s);
	libra_declog_whole(&log->out, "node", node);
	libra_declog_text(&log->out, "state", names[state]);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	return rc;
}

void libra_engine_log_schedule(struct libra_engine_log *log, double now_s)
{
	libra_engine_schedule(log->engine, now_s);
	log->turn = false;
	libra_declog_begin(&log->out, "schedule", now_s);
	libra_declog_end(&log->out);
}

/* Calls without another one between them are one line, with the instant of the
 * first.  Otherwise a pass over many reservations would fill the log.
 */
bool libra_engine_log_compress(struct libra_engine_log *log, uint64_t budget,
			       double now_s)
{
	bool more;

	if (log->out.held && log->slices.budget == budget) {
		libra_declog_discard(&log->out);
	} else {
		log->slices.now_s = now_s;
		log->slices.budget = budget;
		log->slices.n = 0;
	}
	more = libra_engine_compress(log->engine, log->slices.now_s, budget);
	log->slices.n++;
	log->turn |= !more; /* not between slices: each would be a line */
	libra_declog_begin(&log->out, "compress", log->slices.now_s);
	libra_declog_whole(&log->out, "budget", budget);
	libra_declog_whole(&log->out, "calls", log->slices.n);
	libra_declog_hold(&log->out);
	return more;
}

int libra_engine_log_clock(struct libra_engine_log *log, double was_s,
			   double now_s)
{
	int rc = libra_engine_clock(log->engine, was_s, now_s);

	log->changes++;
	log->turn = true;
	libra_declog_begin(&log->out, "clock", now_s);
	libra_declog_number(&log->out, "was_s", was_s);
	libra_declog_raw(&log->out, ",\"rc\":%d", rc);
	libra_declog_end(&log->out);
	return rc;
}

void libra_engine_log_turn(struct libra_engine_log *log, double now_s)
{
	if (log->turn && !log->filling &&
	    (log->conf->policy->mode == LIBRA_GANG || log->conf->policy->plans))
		libra_engine_log_schedule(log, now_s);
}

bool libra_engine_log_next_action(struct libra_engine_log *log,
				  struct libra_action *action)
{
	bool any = libra_engine_next_action(log->engine, action);

	if (!any)
		return false;
	libra_declog_empty(&log->out);
	libra_declog_raw(&log->out, "{\"action\":\"%s\"",
			 libra_action_name(action->kind));
	if (action->kind == LIBRA_ACTION_RESHARE) {
		libra_declog_whole(&log->out, "group", action->row);
	} else {
		if (action->kind == LIBRA_ACTION_REJECT)
			log->changes++;
		libra_declog_whole(&log->out, "ticket", action->ticket);
		libra_declog_whole(&log->out, "id", action->job_id);
		libra_declog_text(&log->out, "reason",
				  libra_reason_name(action->reason));
	}
	libra_declog_end(&log->out);
	return true;
}
