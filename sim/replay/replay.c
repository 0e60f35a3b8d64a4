/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - the runs of a decision log, its lines and its files.
 *
 * A line is parsed by jansson and freed when it has been replayed.  The line
 * "engine" creates a new engine from its values, unless it continues the run; a
 * table finds the function of replay_calls.h for any other call.
 */
#include "sim/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/replay/replay_calls.h"

#define LOG_VERSION 1

/* ---- runs ---- */

/* Bring the parameters of older logs up to date: without guaranteed_only it was
 * no, but under band, where it was called cap and meant the opposite.
 */
static void renew_params(json_t *given, const struct libra_policy_type *p)
{
	const json_t *cap = json_object_get(given, "cap");

	if (json_object_get(given, "guaranteed_only") ||
	    libra_param_find(p->params, p->nparams, "guaranteed_only", NULL) <
		    0)
		return;
	json_object_set_new(given, "guaranteed_only",
			    json_integer(cap && json_number_value(cap) == 0));
	json_object_del(given, "cap");
}

/* All parameters must be in the log: otherwise it is another policy of the same
 * name.
 */
static double *read_params(struct replay_line *l,
			   const struct libra_policy_type *p)
{
	json_t *given = json_object_get(l->json, "params");
	double *params = calloc(p->nparams + 1, sizeof(*params));

	if (!params) {
		replay_spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	renew_params(given, p);
	if (given && json_object_size(given) != p->nparams)
		replay_spoil(
			l, EINVAL,
			"policy %s has %zu parameters, but %zu in the log: "
			"replay it with the librasim that matches its plugins",
			p->name, p->nparams, json_object_size(given));
	for (size_t i = 0; i < p->nparams; i++)
		params[i] = replay_number(l, given, p->params[i].name);
	return params;
}

/* Read the resources of each node, which follow its processors in its element.
 */
static void read_resources(struct replay_line *l, const json_t *nodes,
			   struct libra_engine_conf *conf, uint64_t *resources)
{
	const json_t *names = json_object_get(l->json, "resources");

	conf->nresources = (uint32_t)json_array_size(names);
	conf->by_node = conf->nresources > 0;
	if (conf->nresources > LIBRA_RESOURCES)
		replay_spoil(l, EINVAL, "more than %d resources",
			     LIBRA_RESOURCES);
	for (uint32_t i = 0; !l->bad && i < conf->nnodes; i++)
		for (uint32_t k = 0; k < conf->nresources; k++)
			resources[i * conf->nresources + k] =
				replay_whole_value(
					l,
					json_array_get(json_array_get(nodes, i),
						       2 + k),
					"nodes", INT64_MAX);
	conf->node_resources = resources;
}

/* Read the list of nodes into the configuration of an engine. */
static void read_nodes(struct replay_line *l, struct libra_engine_conf *conf)
{
	const json_t *list = replay_array(l, l->json, "nodes"), *node;
	uint32_t n = (uint32_t)json_array_size(list);
	uint32_t *procs = calloc(n + 1u, sizeof(*procs));
	uint64_t *resources =
		calloc((size_t)n * LIBRA_RESOURCES + 1, sizeof(*resources));

	conf->nnodes = n;
	conf->node_procs = procs;
	conf->node_resources = resources;
	if (!procs || !resources) {
		replay_spoil(l, ENOMEM, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		node = json_array_get(list, i);
		if (json_array_size(node) < 2)
			replay_spoil(
				l, EINVAL,
				"'nodes' has an element that is not [NAME, CPUS]");
		procs[i] = (uint32_t)replay_whole_value(
			l, json_array_get(node, 1), "nodes", UINT32_MAX);
	}
	read_resources(l, list, conf, resources);
}

/* Replace the engine by the one that a line "engine" describes. */
static void new_run(struct replay_line *l, uint64_t epoch)
{
	struct libra_engine_conf conf = {0};
	struct libra_error err = {""};
	double *params = NULL;

	conf.policy = libra_policy_find(replay_text(l, "policy"), &err);
	if (!conf.policy) {
		replay_spoil(l, EINVAL, "%s", err.text);
		return;
	}
	params = read_params(l, conf.policy);
	read_nodes(l, &conf);
	conf.offer_ttl_s = replay_number(l, l->json, "offer_ttl_s");
	if (json_object_get(l->json, "max_jobs"))
		conf.max_jobs =
			(uint32_t)replay_whole(l, "max_jobs", UINT32_MAX);
	/* Logs without this are older: each call moved reservations. */
	if (json_object_get(l->json, "compress"))
		conf.compress_later =
			strcmp(replay_text(l, "compress"), "later") == 0;
	conf.params = params;
	if (!l->bad) {
		libra_engine_destroy(l->r->engine);
		l->r->engine = libra_engine_create(&conf, &err);
		if (!l->r->engine)
			replay_spoil(l, errno, "%s", err.text);
		l->r->epoch = epoch;
		l->r->run_lines = 0;
		l->r->counts.runs++;
	}
	free(params);
	free((void *)conf.node_procs);
	free((void *)conf.node_resources);
}

/* A run continues: were all of its earlier lines replayed? */
static void go_on(struct replay_line *l, bool known, const json_t *conf)
{
	uint64_t before = l->r->run_lines;

	if (json_object_get(l->json, "continues"))
		before = replay_whole(l, "continues", INT64_MAX);
	if (!known)
		replay_lose(l, "the run began in an older file: name that file "
			       "first");
	else if (before != l->r->run_lines)
		replay_lose(l,
			    "the run had %" PRIu64
			    " lines before this one, but %" PRIu64
			    " were read: name all its files, the oldest first",
			    before, l->r->run_lines);
	else if (!json_equal(conf, l->r->conf))
		replay_differ(l, "engine", "another configuration",
			      "that of the run");
}

/* Replay a line "engine": begin a run, or continue it. */
static void replay_engine(struct replay_line *l)
{
	uint64_t epoch = replay_whole(l, "epoch", INT64_MAX);
	uint64_t version = LOG_VERSION;
	struct sim_replay *r = l->r;
	json_t *conf;

	if (json_object_get(l->json, "version"))
		version = replay_whole(l, "version", INT64_MAX);
	if (version != LOG_VERSION)
		replay_spoil(l, EINVAL,
			     "the log is of version %" PRIu64
			     ", not %d: replay it "
			     "with the librasim of that release",
			     version, LOG_VERSION);
	conf = json_copy((json_t *)l->json);
	if (!conf)
		replay_spoil(l, ENOMEM, "out of memory");
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
	"engine",	 "offer",	  "earliest",	     "commit",
	"withdraw",	 "started",	  "departed",	     "modify",
	"restore",	 "node",	  "schedule",	     "progress",
	"reestimate",	 "clock",	  "restore_waiting", "may_start",
	"plan_ordinary", "relearn",	  "suspend",	     "outages",
	"forgo",	 "restore_place", "compress",
};

static replay_call_f *const replays[SIM_REPLAY_NCALLS] = {
	replay_engine,	      replay_offer,	    replay_earliest,
	replay_commit,	      replay_withdraw,	    replay_started,
	replay_departed,      replay_modify,	    replay_restore,
	replay_node,	      replay_schedule,	    replay_progress,
	replay_reestimate,    replay_clock,	    replay_restore_waiting,
	replay_may_start,     replay_plan_ordinary, replay_relearn,
	replay_suspend,	      replay_outages,	    replay_forgo,
	replay_restore_place, replay_compress,
};

/* Find the call of a line, and replay it. */
static void replay_call(struct replay_line *l)
{
	int i;

	l->call = replay_text(l, "call");
	l->now_s = replay_number(l, l->json, "now_s");
	for (i = 0; !l->bad && i < SIM_REPLAY_NCALLS; i++)
		if (strcmp(l->call, sim_replay_calls[i]) == 0)
			break;
	if (l->bad)
		return;
	if (i == SIM_REPLAY_NCALLS) {
		replay_spoil(l, EINVAL,
			     "unknown call '%.40s': replay the log with the "
			     "librasim that matches its plugins",
			     l->call);
		return;
	}
	if (!l->r->engine && i > 0) {
		replay_spoil(
			l, EINVAL,
			"the log does not begin with 'engine': name the older "
			"file first");
		return;
	}
	l->r->counts.calls[i]++;
	replays[i](l);
}

/* Does this line begin a run? */
static bool begins(const struct replay_line *l)
{
	const char *call = json_string_value(json_object_get(l->json, "call"));
	const json_t *epoch = json_object_get(l->json, "epoch");

	return call && strcmp(call, "engine") == 0 &&
	       !json_object_get(l->json, "continues") &&
	       (!l->r->engine ||
		(uint64_t)json_integer_value(epoch) != l->r->epoch);
}

/* Skip lines that cannot be compared: a mark of missing lines, and the lines
 * after it.
 */
static bool passed_over(struct replay_line *l)
{
	const char *call = json_string_value(json_object_get(l->json, "call"));
	bool gap = call && strcmp(call, "gap") == 0;

	l->call = "gap";
	if (l->r->lost && begins(l))
		l->r->lost = false;
	if (gap && !l->r->lost)
		replay_lose(l,
			    "%" PRIu64
			    " lines are missing: slurmctld could not "
			    "write them",
			    replay_whole(l, "lines", INT64_MAX));
	else if (l->r->lost)
		l->r->counts.passed_over++;
	return gap || l->r->lost;
}

/* Parse a line, and replay its call or its action. */
static void replay_line(struct replay_line *l, const char *data, size_t len)
{
	json_error_t why;
	json_t *json;

	/* If memory is out, jansson reports that the text is wrong. */
	errno = 0;
	json = json_loadb(data, len, JSON_REJECT_DUPLICATES, &why);
	l->json = json;
	if (!json && errno == ENOMEM) {
		replay_spoil(l, ENOMEM, "out of memory");
	} else if (!json_is_object(json)) {
		replay_spoil(l, EINVAL, "damaged: %s",
			     json ? "not a JSON object" : why.text);
	} else if (passed_over(l)) {
		/* reported where the gap began */
	} else if (json_object_get(json, "event")) {
		/* no call: what it reports follows from the others */
	} else if (json_object_get(json, "action")) {
		l->call = replay_text(l, "action");
		if (!l->r->engine)
			replay_spoil(
				l, EINVAL,
				"the log does not begin with 'engine': name the "
				"older file first");
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
	struct replay_line l = {.r = r, .file = name, .err = err};
	char *data = NULL;
	size_t cap = 0;
	ssize_t n;

	errno = 0;
	while (!l.bad && (n = getline(&data, &cap, fp)) > 0) {
		l.number++;
		r->counts.lines++;
		if (data[n - 1] != '\n')
			replay_spoil(&l, EINVAL, "the line is cut off");
		else
			replay_line(&l, data, (size_t)n - 1);
	}
	free(data);
	if (!l.bad && !feof(fp))
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
