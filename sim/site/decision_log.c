/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_log.c - jobs as slurmctld's decision log has them.
 *
 * Only what a picture needs is followed: which ticket is whose, where its
 * processors are, when its job began and ended.  Whether slurmctld decided
 * rightly is librasim replay's question.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/site/jobs.h"

/* A job that has its promise, and has not ended. */
struct open_job {
	struct site_job job; /* start_s: NAN until it starts */
	double deadline_s;
	double away_s;	     /* without a ticket: slurmctld came back then */
	uint64_t ticket, id; /* 0 = none */
};

/* The state of the reader. */
struct follower {
	struct site_jobs *jobs;
	struct open_job *open;
	size_t nopen, cap;
	uint64_t *users; /* their uids, in the order in which they came */
	size_t nusers, users_cap;
	double now_s;
	const json_t *line;
	struct libra_error *err;
};

/* Return a number of the present line, or NAN. */
static double number_in(const struct follower *f, const char *name)
{
	const json_t *v = json_object_get(f->line, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* Return a whole number of the present line, or 0. */
static uint64_t whole_in(const struct follower *f, const char *name)
{
	const json_t *v = json_object_get(f->line, name);

	return json_is_integer(v) ? (uint64_t)json_integer_value(v) : 0;
}

/* Return true if the engine answered the call of the line with an error. */
static bool failed_call(const struct follower *f)
{
	const json_t *rc = json_object_get(f->line, "rc");

	return json_is_integer(rc) && json_integer_value(rc) != 0;
}

/* Return the open job that has a ticket, or NULL. */
static struct open_job *find_ticket(struct follower *f, uint64_t ticket)
{
	for (size_t i = 0; i < f->nopen; i++)
		if (f->open[i].ticket == ticket)
			return &f->open[i];
	return NULL;
}

/* The one that a job of Slurm's had before slurmctld was restarted. */
static struct open_job *find_id(struct follower *f, uint64_t id)
{
	for (size_t i = 0; id && i < f->nopen; i++)
		if (f->open[i].id == id && f->open[i].ticket == 0)
			return &f->open[i];
	return NULL;
}

/* Add an open job; its members are not set.  Result: NULL without memory. */
static struct open_job *add_open(struct follower *f)
{
	struct open_job *open =
		sim_grown(f->open, &f->cap, f->nopen + 1, sizeof(*open));

	if (!open)
		return NULL;
	f->open = open;
	return &f->open[f->nopen++];
}

/* Keep processors: [[first, count, ...], ...]. */
static int keep_ranges(struct follower *f, struct site_job *job,
		       const json_t *list)
{
	struct site_jobs *jobs = f->jobs;
	struct libra_range *ranges;
	size_t n = json_array_size(list);

	ranges = reallocarray(jobs->ranges, jobs->nranges + n + 1,
			      sizeof(*ranges));
	if (!ranges)
		return sim_no_memory(f->err);
	jobs->ranges = ranges;
	job->first_range = jobs->nranges;
	job->nranges = n;
	for (size_t i = 0; i < n; i++) {
		const json_t *r = json_array_get(list, i);

		ranges[jobs->nranges++] = (struct libra_range){
			(uint32_t)json_integer_value(json_array_get(r, 0)),
			(uint32_t)json_integer_value(json_array_get(r, 1))};
	}
	return 0;
}

/* The number of a user, from 1.  A picture may be shown to people whom uids do
 * not concern.  Result: 0 = no memory.
 */
static int32_t user_of(struct follower *f)
{
	uint64_t uid = whole_in(f, "user"), *users;

	for (size_t i = 0; i < f->nusers; i++)
		if (f->users[i] == uid)
			return (int32_t)(i + 1);
	users = sim_grown(f->users, &f->users_cap, f->nusers + 1,
			  sizeof(*users));
	if (!users)
		return 0;
	f->users = users;
	f->users[f->nusers++] = uid;
	return (int32_t)f->nusers;
}

/* A gang policy writes by when a job ends at the latest. */
static void set_promised(const struct follower *f, struct open_job *o)
{
	double ends_s = number_in(f, "ends_s");

	if (!isnan(ends_s))
		o->job.promised_s = ends_s;
}

/* Open the job of the line, or continue the one that it was before a restart.
 * places: the field that has its processors.
 */
static int open_job(struct follower *f, const char *places)
{
	struct open_job *o = find_id(f, whole_in(f, "id"));
	int32_t user = user_of(f);
	bool again = o != NULL;

	if (!o)
		o = add_open(f);
	if (!o || user == 0)
		return sim_no_memory(f->err);
	if (!again)
		*o = (struct open_job){
			.job = {.submit_s = number_in(f, "submit_s"),
				.start_s = NAN,
				.procs = (uint32_t)whole_in(f, "nprocs"),
				.user = user},
			.id = whole_in(f, "id")};
	o->ticket = whole_in(f, "ticket");
	o->deadline_s = number_in(f, "deadline_s");
	set_promised(f, o);
	if (isnan(o->job.start_s) &&
	    json_is_true(json_object_get(f->line, "running")))
		o->job.start_s = f->now_s;
	return keep_ranges(f, &o->job, json_object_get(f->line, places));
}

/* The job has gone, or the log ends.  slurmctld learns of ends by the second.
 */
static int close_job(struct follower *f, struct open_job *o, bool running)
{
	struct site_job job = o->job;
	double deadline_s = o->deadline_s;

	job.number = (int64_t)o->id;
	/* It ended while slurmctld was away. */
	job.end_s = o->ticket ? f->now_s : o->away_s;
	*o = f->open[--f->nopen];
	if (!(job.end_s > job.start_s)) {
		f->jobs->unstarted++;
		return 0;
	}
	job.deadline_s = isnan(deadline_s) ? 0 : deadline_s;
	job.promise = running			    ? SITE_OPEN
		      : isnan(deadline_s)	    ? SITE_NO_PROMISE
		      : job.end_s <= deadline_s + 1 ? SITE_KEPT
						    : SITE_LATE;
	return site_jobs_add(f->jobs, &job, f->err);
}

/* ---- calls ---- */

/* Handle a start of the engine: count its processors, and mark all open jobs as
 * away until they are restored.
 */
static int begin_run(struct follower *f)
{
	const json_t *nodes = json_object_get(f->line, "nodes");
	uint32_t procs = 0;

	/* A file that goes on with a run that another one began. */
	if (json_object_get(f->line, "continues") && f->jobs->procs > 0)
		return 0;
	for (size_t i = 0; i < json_array_size(nodes); i++)
		procs += (uint32_t)json_integer_value(
			json_array_get(json_array_get(nodes, i), 1));
	if (procs > f->jobs->procs)
		f->jobs->procs = procs;
	for (size_t i = 0; i < f->nopen; i++)
		if (f->open[i].ticket) {
			f->open[i].ticket = 0;
			f->open[i].away_s = f->now_s;
		}
	return 0;
}

/* Add the refusal of the line to the list. */
static int refused(struct follower *f)
{
	const json_t *reason = json_object_get(f->line, "reason");
	const struct site_refusal r = {.number = (int64_t)whole_in(f, "id"),
				       .at_s = f->now_s,
				       .procs = (uint32_t)whole_in(f, "nprocs"),
				       .user = user_of(f)};

	if (r.user == 0)
		return sim_no_memory(f->err);
	return site_jobs_refuse(f->jobs, &r, json_string_value(reason), f->err);
}

/* Handle the answer to an offer: a refusal, or a job that has its promise from
 * now on.
 */
static int offered(struct follower *f)
{
	const json_t *answer = json_object_get(f->line, "answer");

	if (json_is_string(answer) &&
	    strcmp(json_string_value(answer), "reject") == 0)
		return refused(f);
	return whole_in(f, "ticket") ? open_job(f, "placement") : 0;
}

/* The question that follows a refusal: by when the same job would be promised.
 */
static void asked_earliest(struct follower *f)
{
	const struct site_jobs *jobs = f->jobs;
	struct site_refusal *r;

	if (jobs->nrefused == 0)
		return;
	r = &jobs->refused[jobs->nrefused - 1];
	if (f->now_s == r->at_s && whole_in(f, "nprocs") == r->procs &&
	    !isnan(number_in(f, "earliest_s")))
		r->earliest_s = number_in(f, "earliest_s");
}

/* Handle a job that a new engine got from its record. */
static int restored(struct follower *f)
{
	return failed_call(f) ? 0 : open_job(f, "parts");
}

/* Handle a call about a job by its ticket; calls about others are ignored. */
static int with_ticket(struct follower *f, const char *call)
{
	struct open_job *o = find_ticket(f, whole_in(f, "ticket"));

	if (!o || failed_call(f))
		return 0;
	if (strcmp(call, "commit") == 0)
		o->id = whole_in(f, "id");
	else if (strcmp(call, "started") == 0 && isnan(o->job.start_s))
		o->job.start_s = f->now_s;
	else if (strcmp(call, "modify") == 0 &&
		 !isnan(number_in(f, "deadline_s"))) {
		o->deadline_s = number_in(f, "deadline_s");
		set_promised(f, o);
	} else if (strcmp(call, "departed") == 0 ||
		   strcmp(call, "withdraw") == 0)
		return close_job(f, o, false);
	return 0;
}

/* Handle one line of the log. */
static int follow_line(struct follower *f)
{
	const char *call = json_string_value(json_object_get(f->line, "call"));

	if (!call)
		return 0; /* an action or an event */
	if (!isnan(number_in(f, "now_s")))
		f->now_s = number_in(f, "now_s");
	if (strcmp(call, "engine") == 0)
		return begin_run(f);
	if (strcmp(call, "offer") == 0)
		return offered(f);
	if (strcmp(call, "earliest") == 0)
		asked_earliest(f);
	if (strcmp(call, "restore") == 0)
		return restored(f);
	return with_ticket(f, call);
}

/* Handle all lines of a file.
 * Result: 0, or -1 with EINVAL (a line is damaged), ENOMEM or EIO.
 */
static int read_lines(struct follower *f, struct input *in)
{
	char *text;
	size_t n;
	int rc = 0;

	while (rc == 0 && (rc = input_line(in, &text, &n)) > 0) {
		json_error_t why;
		json_t *line = n ? json_loadb(text, n, 0, &why) : NULL;

		rc = 0;
		if (!line && n > 0)
			return libra_errf(f->err, EINVAL,
					  "%s:%zu: damaged: %.100s", in->name,
					  in->line, why.text);
		f->line = line;
		if (line)
			rc = follow_line(f);
		json_decref(line);
	}
	return rc;
}

int site_jobs_of_decisions(struct site_jobs *jobs, char *const *paths, size_t n,
			   struct libra_error *err)
{
	struct follower f = {.jobs = jobs, .err = err};
	struct input in;
	int rc;

	*jobs = (struct site_jobs){
		.users = true,
		.promises = true,
		.placed = true,
		.dated = true,
	};
	jobs->name = strdup("Promised jobs");
	rc = jobs->name ? 0 : sim_no_memory(err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = input_open(&in, paths[i], err);
		if (rc < 0)
			break;
		rc = read_lines(&f, &in);
		input_close(&in);
	}
	while (rc == 0 && f.nopen > 0)
		rc = close_job(&f, &f.open[f.nopen - 1], true);
	free(f.open);
	free(f.users);
	if (rc == 0 && (jobs->n == 0 || jobs->procs == 0))
		rc = site_jobs_none(paths[0], err);
	if (rc < 0)
		site_jobs_fini(jobs);
	return rc;
}
