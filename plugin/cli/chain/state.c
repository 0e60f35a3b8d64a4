/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.c - where a chain stands: in time or late, by its jobs' records.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plugin/base/units.h"
#include "plugin/cli/chain/chain.h"
#include "plugin/cli/cli.h"

/* A link now. */
struct now {
	const struct cli_job *job; /* NULL = not known */
	struct cli_job
		own;	 /* the job, if slurmctld has no record of it alone */
	char *accounts;	 /* what sacct has of it; NULL = was not asked */
	double finish_s; /* estimated; NAN = not known */
	bool failed;
};

/* The time that a job takes at most: its estimate, as a promise may lift the
 * limit.
 */
static double limit_of(const struct cli_job *job)
{
	return job->promised ? job->promise.estimate_s : job->limit_s;
}

/* How long a running job still takes. */
static double left_of(const struct cli_cluster *cluster,
		      const struct cli_job *job, double limit_s)
{
	struct cli_part *parts = NULL;
	struct cli_progress p;
	int64_t n;

	if (!job->promised)
		return job->start_s + limit_s - cluster->now_s;
	n = cli_job_parts(cluster, job, &parts);
	p = cli_job_progress(cluster, job, parts, n > 0 ? (size_t)n : 0);
	free(parts);
	if (!(p.est_left_s > 0))
		return n > 0 ? 0 : job->start_s + limit_s - cluster->now_s;
	/* Held or not begun: as if it went on now. */
	return p.est_left_s / (p.rate > 0 ? p.rate : 1);
}

/* Estimate the finish of a link that may start at an instant. */
static void look_at(const struct cli_cluster *cluster,
		    const struct chain_link *link, double from_s,
		    struct now *now)
{
	const struct cli_job *job = now->job;
	double start_s;

	if (!job)
		return;
	if (job->state == CLI_JOB_OVER) {
		now->failed = strcasecmp(job->state_name, "COMPLETED") != 0;
		now->finish_s = job->end_s;
	} else if (job->state == CLI_JOB_RUNNING) {
		now->finish_s = cluster->now_s +
				fmax(left_of(cluster, job, link->limit_s), 0);
	} else if (job->reason &&
		   strcmp(job->reason, "DependencyNeverSatisfied") == 0) {
		now->failed = true;
	} else {
		start_s =
			job->promised ? cli_planned_start(&job->promise) : NAN;
		now->finish_s = fmax(fmax(from_s, cluster->now_s), start_s) +
				link->limit_s;
	}
}

#define FORGOTTEN                                                              \
	"job %s is not known: slurmctld has forgotten it, and sacct does not " \
	"say how it ended"

/* Set limits and deadline of links that were named as jobs. */
static int set_limits(struct chain *chain, const struct now *now,
		      struct libra_error *err)
{
	const struct cli_job *last = now[chain->n - 1].job;

	for (size_t i = 0; i < chain->n; i++) {
		struct chain_link *link = &chain->links[i];

		if (isnan(link->limit_s))
			link->limit_s = now[i].job ? limit_of(now[i].job) : 0;
	}
	if (isnan(chain->deadline_s) && last && last->promised &&
	    isfinite(last->promise.deadline_s))
		chain->deadline_s = last->promise.deadline_s;
	if (isnan(chain->deadline_s) && !last)
		return libra_errf(err, ENOENT,
				  FORGOTTEN ": give the chain's --deadline",
				  chain->links[chain->n - 1].job);
	if (isnan(chain->deadline_s))
		return libra_errf(err, EINVAL,
				  "job %s has no deadline: give the chain's "
				  "with --deadline",
				  chain->links[chain->n - 1].job);
	chain_split(chain);
	return 0;
}

/* ---- printing ---- */

struct whole {
	const char *state; /* "on time", "late", "failed", "not known" */
	double finish_s, late_s;
	size_t link; /* the first one that failed, or is not known */
};

/* Look at all links in their order. */
static struct whole look_at_all(const struct chain *chain,
				const struct cli_cluster *cluster,
				struct now *now)
{
	struct whole w = {.state = "on time", .finish_s = NAN};
	bool failed = false;

	for (size_t i = 0; i < chain->n; i++) {
		look_at(cluster, &chain->links[i],
			i > 0 ? now[i - 1].finish_s : NAN, &now[i]);
		if (failed)
			now[i].finish_s = NAN;
		if (now[i].failed && !failed) {
			failed = true;
			w.link = i;
		}
	}
	w.finish_s = now[chain->n - 1].finish_s;
	if (failed)
		w.state = "failed";
	else if (isnan(w.finish_s))
		w.state = "not known";
	else if (w.finish_s > chain->deadline_s + 1)
		w.state = "late";
	w.late_s = w.finish_s - chain->deadline_s;
	return w;
}

static const char *state_name(const struct now *now)
{
	return now->job ? now->job->state_name : "not known";
}

/* What became of a link's promise; a waiting link asks when it can start. */
static const char *promise_name(const struct now *now)
{
	return now->job && now->job->promised
		       ? cli_promise_state(&now->job->promise)
		       : "none";
}

static void set_data(const struct chain *chain,
		     const struct cli_cluster *cluster, const struct now *now,
		     const struct whole *w, struct cli_output *o)
{
	json_t *links = json_array(), *data = json_object();

	for (size_t i = 0; i < chain->n; i++) {
		const struct chain_link *link = &chain->links[i];
		bool known = !isnan(now[i].finish_s);
		json_t *row = json_pack(
			"{s:i, s:s, s:s, s:s, s:o, s:o}", "link", (int)i + 1,
			"job", link->job, "state", state_name(&now[i]),
			"promise", promise_name(&now[i]), "limit_s",
			cli_json_number(link->limit_s), "on_time",
			known ? json_boolean(now[i].finish_s <=
					     link->deadline_s + 1)
			      : json_null());

		cli_json_time(row, "deadline", link->deadline_s);
		cli_json_time(row, "finish", now[i].finish_s);
		json_array_append_new(links, row);
	}
	cli_json_time(data, "now", cluster->now_s);
	json_object_set_new(data, "state", json_string(w->state));
	cli_json_time(data, "deadline", chain->deadline_s);
	cli_json_time(data, "finish", w->finish_s);
	json_object_set_new(data, "late_s", cli_json_number(w->late_s));
	json_object_set_new(data, "links", links);
	o->data = data;
	o->rows = json_incref(links);
	o->columns = "link,job,state,promise,limit_s,deadline,finish,on_time";
}

static void print_links(const struct chain *chain, const struct now *now,
			double now_s, struct cli_output *o)
{
	char limit[32], deadline[32], finish[32], page[32];

	libra_host_clock_text(now_s, NAN, NAN, page);
	if (!o->no_header)
		fprintf(o->out, "%4s %-8s %-9s %-8s %11s %-19s %s (%s)\n",
			"LINK", "JOB", "STATE", "PROMISE", "LIMIT",
			"MUST END BY", "EXPECTED END", strstr(page, "UTC"));
	for (size_t i = 0; i < chain->n; i++) {
		const struct chain_link *link = &chain->links[i];

		libra_host_duration_text(link->limit_s, limit);
		cli_clock_text(link->deadline_s, now_s, deadline);
		if (isnan(now[i].finish_s))
			strcpy(finish, "-");
		else
			cli_clock_text(now[i].finish_s, now_s, finish);
		fprintf(o->out, "%4zu %-8s %-9s %-8s %11s %-19s %s\n", i + 1,
			link->job, state_name(&now[i]), promise_name(&now[i]),
			limit, deadline, finish);
	}
}

static void print_whole(const struct chain *chain, const struct whole *w,
			double now_s, struct cli_output *o)
{
	char deadline[32], finish[32], by[32];

	libra_host_clock_text(chain->deadline_s, now_s, NAN, deadline);
	libra_host_clock_text(w->finish_s, now_s, chain->deadline_s, finish);
	libra_host_duration_text(fabs(w->late_s), by);
	if (strcmp(w->state, "failed") == 0)
		fprintf(o->out,
			"chain: failed: link %zu (job %s) did not complete\n",
			w->link + 1, chain->links[w->link].job);
	else if (strcmp(w->state, "not known") != 0)
		fprintf(o->out,
			"chain: %s: estimated finish %s, %s %s the deadline "
			"%s\n",
			w->state, finish, by,
			w->late_s > 0 ? "after" : "before", deadline);
}

/* Find the link's job in slurmctld, or else in accounting. */
static void find_job(const struct chain_link *link,
		     const struct cli_cluster *cluster, struct now *now)
{
	uint32_t id;

	now->finish_s = NAN;
	now->job = cli_find_job(cluster, link->job, &now->own, &id);
	if (now->job)
		return;
	now->accounts = chain_ask_accounts(link->job, &now->own);
	if (now->accounts)
		now->job = &now->own;
}

/* Print the state of links whose limits are set. */
static int print_state(const struct chain *chain,
		       const struct cli_cluster *cluster, struct now *now,
		       struct cli_output *o, struct libra_error *err)
{
	struct whole w = look_at_all(chain, cluster, now);

	if (cli_for_programs(o)) {
		set_data(chain, cluster, now, &w, o);
	} else {
		print_links(chain, now, cluster->now_s, o);
		print_whole(chain, &w, cluster->now_s, o);
	}
	if (strcmp(w.state, "on time") == 0)
		return CLI_DONE;
	if (strcmp(w.state, "not known") != 0)
		return CLI_REFUSED;
	libra_errf(err, ENOENT, FORGOTTEN, chain->links[chain->n - 1].job);
	return CLI_FAILED;
}

int chain_print(struct chain *chain, const struct cli_cluster *cluster,
		struct cli_output *o, struct libra_error *err)
{
	struct now *now = calloc(chain->n, sizeof(*now));
	int rc = CLI_FAILED;

	if (!now)
		cli_no_memory();
	for (size_t i = 0; i < chain->n; i++)
		find_job(&chain->links[i], cluster, &now[i]);
	if (set_limits(chain, now, err) == 0)
		rc = print_state(chain, cluster, now, o, err);
	for (size_t i = 0; i < chain->n; i++)
		free(now[i].accounts);
	free(now);
	return rc;
}
