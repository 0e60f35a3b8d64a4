/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.c - see replay.h. */
#include "sim/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"

#define LOG_VERSION 1

struct sim_replay {
	sim_replay_report_f report;
	sim_replay_gap_f gap;
	void *arg;
	struct libra_engine *engine;
	json_t *conf; /* the line that began the run, without its instant */
	uint64_t epoch;
	uint64_t run_lines;	    /* of the run, up to now */
	bool lost;		    /* behind a gap of it */
	struct libra_range *ranges; /* placement last read */
	size_t cap;
	struct sim_replay_counts counts;
};

/* One line while it is replayed.  The first thing that is wrong with it makes
 * it bad: then values read are of no use, and err tells.
 */
struct line {
	struct sim_replay *r;
	const char *file;
	uint64_t number;
	const char *call;
	const json_t *json;
	double now_s;
	bool bad;
	struct libra_error *err;
};

static void spoil(struct line *l, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void spoil(struct line *l, int code, const char *fmt, ...)
{
	char text[LIBRA_ERROR_TEXT_SIZE - 128];
	va_list ap;

	if (l->bad)
		return;
	l->bad = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	libra_errf(l->err, code, "%.100s:%" PRIu64 ": %s", l->file, l->number,
		   text);
}

/* The run cannot be followed from this line on. */
static void lose(struct line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void lose(struct line *l, const char *fmt, ...)
{
	char why[160];
	va_list ap;

	if (l->bad)
		return;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	l->r->lost = true;
	l->r->counts.gaps++;
	l->r->gap(l->r->arg, l->file, l->number, why);
}

/* ---- fields ---- */

static const json_t *field(struct line *l, const json_t *in, const char *name)
{
	const json_t *v = json_object_get(in, name);

	if (!v)
		spoil(l, EINVAL, "%s without '%s'", l->call, name);
	return v;
}

/* The log writes null for what is not finite; all such fields are instants or
 * durations without an end.
 */
static double number(struct line *l, const json_t *in, const char *name)
{
	const json_t *v = field(l, in, name);

	if (json_is_number(v))
		return json_number_value(v);
	if (v && !json_is_null(v))
		spoil(l, EINVAL, "'%s' is no number", name);
	return INFINITY;
}

static double number_or(struct line *l, const json_t *in, const char *name,
			double otherwise)
{
	return json_object_get(in, name) ? number(l, in, name) : otherwise;
}

static uint64_t whole_value(struct line *l, const json_t *v, const char *name,
			    uint64_t max)
{
	if (json_is_integer(v) && json_integer_value(v) >= 0 &&
	    (uint64_t)json_integer_value(v) <= max)
		return (uint64_t)json_integer_value(v);
	if (v)
		spoil(l, EINVAL, "'%s' is no whole number that it may be",
		      name);
	return 0;
}

static uint64_t whole(struct line *l, const char *name, uint64_t max)
{
	return whole_value(l, field(l, l->json, name), name, max);
}

static const char *text(struct line *l, const char *name)
{
	const json_t *v = field(l, l->json, name);

	if (v && !json_is_string(v))
		spoil(l, EINVAL, "'%s' is no text", name);
	return json_is_string(v) ? json_string_value(v) : "";
}

static const json_t *array(struct line *l, const json_t *in, const char *name)
{
	const json_t *v = field(l, in, name);

	if (v && !json_is_array(v))
		spoil(l, EINVAL, "'%s' is no list", name);
	return v;
}

/* An element [FIRST,COUNT] of a list. */
static struct libra_range range(struct line *l, const json_t *pair,
				const char *name)
{
	if (json_array_size(pair) < 2)
		spoil(l, EINVAL, "'%s' has an element that is no range", name);
	return (struct libra_range){
		(uint32_t)whole_value(l, json_array_get(pair, 0), name,
				      UINT32_MAX),
		(uint32_t)whole_value(l, json_array_get(pair, 1), name,
				      UINT32_MAX),
	};
}

/* ---- comparison ---- */

static void differ(struct line *l, const char *name, const char *logged,
		   const char *replayed)
{
	struct sim_replay_difference d = {
		.file = l->file,
		.line = l->number,
		.call = l->call,
		.field = name,
	};

	l->r->counts.differences++;
	snprintf(d.logged, sizeof(d.logged), "%s", logged);
	snprintf(d.replayed, sizeof(d.replayed), "%s", replayed);
	l->r->report(l->r->arg, &d);
}

static void same_text(struct line *l, const char *name, const char *replayed)
{
	const char *logged = text(l, name);

	if (!l->bad && strcmp(logged, replayed) != 0)
		differ(l, name, logged, replayed);
}

static void same_whole(struct line *l, const char *name, uint64_t replayed)
{
	uint64_t logged = whole(l, name, INT64_MAX);
	char a[24], b[24];

	if (l->bad || logged == replayed)
		return;
	snprintf(a, sizeof(a), "%" PRIu64, logged);
	snprintf(b, sizeof(b), "%" PRIu64, replayed);
	differ(l, name, a, b);
}

/* The same bits, or both without an end. */
static void same_number(struct line *l, const char *name, double replayed)
{
	double logged = number(l, l->json, name);
	char a[32], b[32];

	if (l->bad || memcmp(&logged, &replayed, sizeof(logged)) == 0 ||
	    (!isfinite(logged) && !isfinite(replayed)))
		return;
	snprintf(a, sizeof(a), "%.17g", logged);
	snprintf(b, sizeof(b), "%.17g", replayed);
	differ(l, name, a, b);
}

/* "rc" is 0 or -1; an offer has it only if it failed.
 * Result: true if both did what was asked.
 */
static bool same_rc(struct line *l, int replayed)
{
	const json_t *v = json_object_get(l->json, "rc");
	json_int_t logged = v ? json_integer_value(v) : 0;

	if (v && (!json_is_integer(v) || (logged != 0 && logged != -1)))
		spoil(l, EINVAL, "'rc' is neither 0 nor -1");
	if (l->bad)
		return false;
	if (replayed < 0 && errno == ENOMEM) {
		spoil(l, ENOMEM, "out of memory");
		return false;
	}
	if (logged != replayed)
		differ(l, "rc", logged ? "-1" : "0", replayed ? "-1" : "0");
	return logged == 0 && replayed == 0;
}

static int64_t read_placement(struct sim_replay *r, uint64_t ticket)
{
	int64_t n =
		libra_engine_placement(r->engine, ticket, r->ranges, r->cap);
	struct libra_range *more;

	if (n <= (int64_t)r->cap)
		return n;
	more = realloc(r->ranges, (size_t)n * sizeof(*more));
	if (!more)
		return -1;
	r->ranges = more;
	r->cap = (size_t)n;
	return libra_engine_placement(r->engine, ticket, r->ranges, r->cap);
}

static void ranges_text(const struct libra_range *ranges, size_t n,
			char out[SIM_REPLAY_VALUE_SIZE])
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < n && at < SIM_REPLAY_VALUE_SIZE; i++)
		at += (size_t)snprintf(out + at, SIM_REPLAY_VALUE_SIZE - at,
				       "[%u,%u]", ranges[i].first,
				       ranges[i].count);
}

static void same_placement(struct line *l, uint64_t ticket)
{
	const json_t *list = array(l, l->json, "placement");
	size_t n = json_array_size(list);
	struct libra_range *logged = calloc(n + 1, sizeof(*logged));
	int64_t got = read_placement(l->r, ticket);
	char a[SIM_REPLAY_VALUE_SIZE], b[SIM_REPLAY_VALUE_SIZE];

	if (!logged) {
		spoil(l, ENOMEM, "out of memory");
		return;
	}
	for (size_t i = 0; i < n; i++)
		logged[i] = range(l, json_array_get(list, i), "placement");
	if (!l->bad &&
	    (got != (int64_t)n ||
	     (n && memcmp(logged, l->r->ranges, n * sizeof(*logged)) != 0))) {
		ranges_text(logged, n, a);
		ranges_text(l->r->ranges, got > 0 ? (size_t)got : 0, b);
		differ(l, "placement", a, b);
	}
	free(logged);
}

static void same_verdict(struct line *l, const struct libra_verdict *v)
{
	same_text(l, "answer", libra_answer_name(v->answer));
	same_text(l, "reason", libra_reason_name(v->reason));
	same_whole(l, "ticket", v->ticket);
	same_number(l, "share", v->share);
}

/* ---- jobs ---- */

struct job_line {
	struct libra_job job;
	struct libra_where where;
	struct libra_range *allowed;
};

static void read_where(struct line *l, struct job_line *j, const json_t *w)
{
	const json_t *list = json_object_get(w, "allowed");
	struct libra_where *where = &j->where;
	const struct {
		const char *name;
		uint32_t *at;
	} counts[] = {
		{"chunk", &where->chunk},
		{"node_max", &where->node_max},
		{"min_nodes", &where->min_nodes},
		{"max_nodes", &where->max_nodes},
	};

	for (int i = 0; i < 4; i++)
		*counts[i].at =
			(uint32_t)whole_value(l, field(l, w, counts[i].name),
					      counts[i].name, UINT32_MAX);
	if (list) {
		list = array(l, w, "allowed");
		where->nallowed = (uint32_t)json_array_size(list);
		j->allowed = calloc(where->nallowed + 1u, sizeof(*j->allowed));
		if (!j->allowed) {
			spoil(l, ENOMEM, "out of memory");
			return;
		}
		for (uint32_t i = 0; i < where->nallowed; i++)
			j->allowed[i] =
				range(l, json_array_get(list, i), "allowed");
		where->allowed = j->allowed;
	}
	j->job.where = where;
}

static void read_job(struct line *l, struct job_line *j)
{
	const json_t *id = json_object_get(l->json, "id");
	const json_t *where = json_object_get(l->json, "where");

	*j = (struct job_line){0};
	j->job.submit_s = number(l, l->json, "submit_s");
	j->job.estimate_s = number(l, l->json, "estimate_s");
	j->job.deadline_s = number(l, l->json, "deadline_s");
	j->job.budget = number_or(l, l->json, "budget", 0);
	j->job.penalty_rate = number_or(l, l->json, "penalty_rate", 0);
	j->job.nprocs = (uint32_t)whole(l, "nprocs", UINT32_MAX);
	j->job.user = (uint32_t)whole(l, "user", UINT32_MAX);
	if (id)
		j->job.id = whole(l, "id", INT64_MAX);
	if (where)
		read_where(l, j, where);
}

/* ---- calls ---- */

static void replay_offer(struct line *l)
{
	struct libra_verdict v = {0};
	struct job_line j;

	read_job(l, &j);
	if (!l->bad && same_rc(l, libra_engine_offer(l->r->engine, &j.job,
						     l->now_s, &v, NULL))) {
		same_verdict(l, &v);
		if (v.answer != LIBRA_REJECT &&
		    json_object_get(l->json, "placement"))
			same_placement(l, v.ticket);
	}
	free(j.allowed);
}

static void replay_earliest(struct line *l)
{
	struct job_line j;

	read_job(l, &j);
	if (!l->bad)
		same_number(l, "earliest_s",
			    libra_engine_earliest_deadline(l->r->engine, &j.job,
							   l->now_s));
	free(j.allowed);
}

static void replay_modify(struct line *l)
{
	uint64_t ticket = whole(l, "ticket", INT64_MAX);
	struct libra_verdict v = {0};
	struct job_line j;

	read_job(l, &j);
	if (!l->bad &&
	    same_rc(l, libra_engine_modify(l->r->engine, ticket, &j.job,
					   l->now_s, &v, NULL))) {
		/* A line has one ticket: the one that was asked about. */
		same_text(l, "answer", libra_answer_name(v.answer));
		same_text(l, "reason", libra_reason_name(v.reason));
		same_number(l, "share", v.share);
	}
	free(j.allowed);
}

static struct libra_part *read_parts(struct line *l, uint32_t *n)
{
	const json_t *list = array(l, l->json, "parts"), *part;
	struct libra_part *parts;

	*n = (uint32_t)json_array_size(list);
	parts = calloc(*n + 1u, sizeof(*parts));
	if (!parts) {
		spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	for (uint32_t i = 0; i < *n; i++) {
		part = json_array_get(list, i);
		if (json_array_size(part) != 3 ||
		    !json_is_number(json_array_get(part, 2)))
			spoil(l, EINVAL, "'parts' has an element that is none");
		parts[i].procs = range(l, part, "parts");
		parts[i].est_left_s =
			json_number_value(json_array_get(part, 2));
	}
	return parts;
}

static void replay_restore(struct line *l)
{
	const json_t *running = field(l, l->json, "running");
	uint64_t ticket = 0;
	struct job_line j;
	struct libra_part *parts;
	uint32_t n;

	if (running && !json_is_boolean(running))
		spoil(l, EINVAL, "'running' is neither true nor false");
	read_job(l, &j);
	parts = read_parts(l, &n);
	if (!l->bad &&
	    same_rc(l, libra_engine_restore(l->r->engine, &j.job, parts, n,
					    json_is_true(running), l->now_s,
					    &ticket, NULL)))
		same_whole(l, "ticket", ticket);
	free(parts);
	free(j.allowed);
}

static void replay_commit(struct line *l)
{
	uint64_t ticket = whole(l, "ticket", INT64_MAX);
	uint64_t id = whole(l, "id", INT64_MAX);

	if (!l->bad)
		same_rc(l, libra_engine_commit(l->r->engine, ticket, id,
					       l->now_s));
}

/* The calls of a ticket alone. */
static void replay_ticket(struct line *l,
			  int (*call)(struct libra_engine *e, uint64_t ticket,
				      double now_s))
{
	uint64_t ticket = whole(l, "ticket", INT64_MAX);

	if (!l->bad)
		same_rc(l, call(l->r->engine, ticket, l->now_s));
}

static void replay_withdraw(struct line *l)
{
	replay_ticket(l, libra_engine_withdraw);
}

static void replay_started(struct line *l)
{
	replay_ticket(l, libra_engine_started);
}

static void replay_departed(struct line *l)
{
	replay_ticket(l, libra_engine_departed);
}

static void replay_progress(struct line *l)
{
	uint64_t ticket = whole(l, "ticket", INT64_MAX);
	double executed_s = number(l, l->json, "executed_s");

	if (!l->bad)
		same_rc(l, libra_engine_progress(l->r->engine, ticket,
						 executed_s, l->now_s));
}

static void replay_reestimate(struct line *l)
{
	uint64_t ticket = whole(l, "ticket", INT64_MAX);
	double estimate_s = number(l, l->json, "estimate_s");

	if (!l->bad)
		same_rc(l, libra_engine_reestimate(l->r->engine, ticket,
						   estimate_s, l->now_s));
}

static void replay_node(struct line *l)
{
	static const char *const names[] = {"up", "drain", "down"};
	uint32_t node = (uint32_t)whole(l, "node", UINT32_MAX);
	const char *state = text(l, "state");
	int i;

	for (i = 0; i < 3; i++)
		if (strcmp(state, names[i]) == 0)
			break;
	if (i == 3)
		spoil(l, EINVAL, "'%.40s' is no state of a node", state);
	if (!l->bad)
		same_rc(l, libra_engine_node(
				   l->r->engine, node,
				   (enum libra_node_state)(LIBRA_NODE_UP + i),
				   l->now_s));
}

static void replay_schedule(struct line *l)
{
	libra_engine_schedule(l->r->engine, l->now_s);
}

static void replay_action(struct line *l)
{
	struct libra_action a;

	l->r->counts.actions++;
	if (!libra_engine_next_action(l->r->engine, &a)) {
		differ(l, "action", l->call, "none");
		return;
	}
	same_text(l, "action", libra_action_name(a.kind));
	if (json_object_get(l->json, "group")) {
		same_whole(l, "group", a.group);
		return;
	}
	same_whole(l, "ticket", a.ticket);
	same_whole(l, "id", a.job_id);
	same_text(l, "reason", libra_reason_name(a.reason));
}

/* ---- runs ---- */

/* Every parameter must have its value, or this is another policy of the same
 * name.
 */
static double *read_params(struct line *l, const struct libra_policy_type *p)
{
	const json_t *given = field(l, l->json, "params");
	double *params = calloc(p->nparams + 1, sizeof(*params));

	if (!params) {
		spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	if (given && json_object_size(given) != p->nparams)
		spoil(l, EINVAL,
		      "policy %s has %zu parameters here and %zu in the log, "
		      "which was written by another version",
		      p->name, p->nparams, json_object_size(given));
	for (size_t i = 0; i < p->nparams; i++)
		params[i] = number(l, given, p->params[i].name);
	return params;
}

static uint32_t *read_nodes(struct line *l, uint32_t *n)
{
	const json_t *list = array(l, l->json, "nodes"), *node;
	uint32_t *procs;

	*n = (uint32_t)json_array_size(list);
	procs = calloc(*n + 1u, sizeof(*procs));
	if (!procs) {
		spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	for (uint32_t i = 0; i < *n; i++) {
		node = json_array_get(list, i);
		if (json_array_size(node) != 2)
			spoil(l, EINVAL, "'nodes' has an element that is none");
		procs[i] = (uint32_t)whole_value(l, json_array_get(node, 1),
						 "nodes", UINT32_MAX);
	}
	return procs;
}

static void new_run(struct line *l, uint64_t epoch)
{
	struct libra_engine_conf conf = {0};
	struct libra_error err = {""};
	uint32_t *procs = NULL;
	double *params = NULL;

	conf.policy = libra_policy_find(text(l, "policy"), &err);
	if (!conf.policy) {
		spoil(l, EINVAL, "%s", err.text);
		return;
	}
	params = read_params(l, conf.policy);
	procs = read_nodes(l, &conf.nnodes);
	conf.offer_ttl_s = number(l, l->json, "offer_ttl_s");
	if (json_object_get(l->json, "max_jobs"))
		conf.max_jobs = (uint32_t)whole(l, "max_jobs", UINT32_MAX);
	conf.params = params;
	conf.node_procs = procs;
	if (!l->bad) {
		libra_engine_destroy(l->r->engine);
		l->r->engine = libra_engine_create(&conf, &err);
		if (!l->r->engine)
			spoil(l, errno, "%s", err.text);
		l->r->epoch = epoch;
		l->r->run_lines = 0;
		l->r->counts.runs++;
	}
	free(params);
	free(procs);
}

/* A run that goes on: are all its lines before this one here? */
static void go_on(struct line *l, bool known, const json_t *conf)
{
	uint64_t before = l->r->run_lines;

	if (json_object_get(l->json, "continues"))
		before = whole(l, "continues", INT64_MAX);
	if (!known)
		lose(l, "the run began before this log: name the older file "
			"before it");
	else if (before != l->r->run_lines)
		lose(l,
		     "the run had %" PRIu64
		     " lines before this one, but %" PRIu64
		     " were there: name all its files, the oldest first",
		     before, l->r->run_lines);
	else if (!json_equal(conf, l->r->conf))
		differ(l, "engine", "another configuration", "that of the run");
}

static void replay_engine(struct line *l)
{
	uint64_t epoch = whole(l, "epoch", INT64_MAX);
	uint64_t version = LOG_VERSION;
	struct sim_replay *r = l->r;
	json_t *conf;

	if (json_object_get(l->json, "version"))
		version = whole(l, "version", INT64_MAX);
	if (version != LOG_VERSION)
		spoil(l, EINVAL,
		      "the log is of version %" PRIu64 ", not %d: replay it "
		      "with the librasim of that release",
		      version, LOG_VERSION);
	conf = json_copy((json_t *)l->json);
	if (!conf)
		spoil(l, ENOMEM, "out of memory");
	if (l->bad) {
		json_decref(conf);
		return;
	}
	json_object_del(conf, "now_s");
	json_object_del(conf, "continues");
	if (json_object_get(l->json, "continues") ||
	    (r->engine && epoch == r->epoch)) {
		go_on(l, r->engine && epoch == r->epoch, conf);
		json_decref(conf);
		return;
	}
	json_decref(r->conf);
	r->conf = conf;
	new_run(l, epoch);
}

/* ---- lines ---- */

const char *const sim_replay_calls[SIM_REPLAY_NCALLS] = {
	"engine",   "offer",	"earliest",   "commit",	 "withdraw",
	"started",  "departed", "modify",     "restore", "node",
	"schedule", "progress", "reestimate",
};

static void (*const replays[SIM_REPLAY_NCALLS])(struct line *l) = {
	replay_engine,	   replay_offer,   replay_earliest, replay_commit,
	replay_withdraw,   replay_started, replay_departed, replay_modify,
	replay_restore,	   replay_node,	   replay_schedule, replay_progress,
	replay_reestimate,
};

static void replay_call(struct line *l)
{
	int i;

	l->call = text(l, "call");
	l->now_s = number(l, l->json, "now_s");
	for (i = 0; !l->bad && i < SIM_REPLAY_NCALLS; i++)
		if (strcmp(l->call, sim_replay_calls[i]) == 0)
			break;
	if (l->bad)
		return;
	if (i == SIM_REPLAY_NCALLS) {
		spoil(l, EINVAL,
		      "unknown call '%.40s': the log was written by another "
		      "version",
		      l->call);
		return;
	}
	if (!l->r->engine && i > 0) {
		spoil(l, EINVAL,
		      "the log does not begin with 'engine': give the older "
		      "file before this one");
		return;
	}
	l->r->counts.calls[i]++;
	replays[i](l);
}

/* Does this line begin a run? */
static bool begins(const struct line *l)
{
	const char *call = json_string_value(json_object_get(l->json, "call"));
	const json_t *epoch = json_object_get(l->json, "epoch");

	return call && strcmp(call, "engine") == 0 &&
	       !json_object_get(l->json, "continues") &&
	       (!l->r->engine ||
		(uint64_t)json_integer_value(epoch) != l->r->epoch);
}

/* What cannot be compared: a mark of missing lines, and what is behind it. */
static bool passed_over(struct line *l)
{
	const char *call = json_string_value(json_object_get(l->json, "call"));
	bool gap = call && strcmp(call, "gap") == 0;

	l->call = "gap";
	if (l->r->lost && begins(l))
		l->r->lost = false;
	if (gap && !l->r->lost)
		lose(l,
		     "%" PRIu64 " lines are missing: the log could not be "
		     "written",
		     whole(l, "lines", INT64_MAX));
	else if (l->r->lost)
		l->r->counts.passed_over++;
	return gap || l->r->lost;
}

static void replay_line(struct line *l, const char *data, size_t len)
{
	json_error_t why;
	json_t *json = json_loadb(data, len, JSON_REJECT_DUPLICATES, &why);

	l->json = json;
	if (!json_is_object(json)) {
		spoil(l, EINVAL, "damaged: %s",
		      json ? "no JSON object" : why.text);
	} else if (passed_over(l)) {
		/* said when it began */
	} else if (json_object_get(json, "action")) {
		l->call = text(l, "action");
		if (!l->r->engine)
			spoil(l, EINVAL,
			      "the log does not begin with 'engine': give the "
			      "older file before this one");
		if (!l->bad)
			replay_action(l);
	} else {
		l->call = "a line";
		replay_call(l);
	}
	l->r->run_lines++;
	json_decref(json);
}

int sim_replay_file(struct sim_replay *r, FILE *fp, const char *name,
		    struct libra_error *err)
{
	struct line l = {.r = r, .file = name, .err = err};
	char *data = NULL;
	size_t cap = 0;
	ssize_t n;

	errno = 0;
	while (!l.bad && (n = getline(&data, &cap, fp)) > 0) {
		l.number++;
		r->counts.lines++;
		if (data[n - 1] != '\n')
			spoil(&l, EINVAL, "the line is cut off");
		else
			replay_line(&l, data, (size_t)n - 1);
	}
	free(data);
	if (!l.bad && ferror(fp))
		return libra_errf(err, errno ? errno : EIO, "%s: %s", name,
				  strerror(errno ? errno : EIO));
	if (!l.bad && l.number == 0)
		return libra_errf(err, EINVAL, "%s: the log is empty", name);
	return l.bad ? -1 : 0;
}

struct sim_replay *sim_replay_create(sim_replay_report_f report,
				     sim_replay_gap_f gap, void *arg)
{
	struct sim_replay *r = calloc(1, sizeof(*r));

	if (r) {
		r->report = report;
		r->gap = gap;
		r->arg = arg;
	}
	return r;
}

void sim_replay_destroy(struct sim_replay *r)
{
	if (!r)
		return;
	libra_engine_destroy(r->engine);
	json_decref(r->conf);
	free(r->ranges);
	free(r);
}

void sim_replay_count(const struct sim_replay *r,
		      struct sim_replay_counts *counts)
{
	*counts = r->counts;
}
