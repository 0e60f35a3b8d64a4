/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - libra explain: why one job was accepted, and how it stands.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

/* The numbers of a job: as they are, and as they were at its verdict, where
 * that is known.
 */
struct facts {
	double submit_s, estimate_s, deadline_s, share, late_s;
	double changed_s; /* 0 = they are as at the verdict */
	double nprocs;
	bool promised, in_turn;
	bool broken; /* its promise is: it was no bet */
	bool plans;  /* it has processors of its own */
};

static struct facts facts_of_line(const json_t *line)
{
	double nprocs = cli_json_double(line, "nprocs");

	return (struct facts){
		.submit_s = cli_json_double(line, "submit_s"),
		.estimate_s = cli_json_double(line, "estimate_s"),
		.deadline_s = cli_json_double(line, "deadline_s"),
		.share = cli_json_double(line, "share"),
		/* It is left out where it is 0. */
		.late_s = json_number_value(json_object_get(line, "late_s")),
		.nprocs = nprocs >= 0 && nprocs <= UINT32_MAX ? nprocs : 0,
		.promised = true,
	};
}

static struct facts facts_of_record(const struct libra_promise *p)
{
	return (struct facts){
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.share = p->share,
		.late_s = p->late_s,
		.changed_s = p->changed_s,
		.broken = p->broken.len > 0,
		.nprocs = p->nprocs,
		.promised = p->offer != 0,
	};
}

/* Of the policy that decided, as far as it is known. */
static const struct libra_policy_type *policy_of(
	const struct cli_cluster *cluster, const struct cli_history *h)
{
	const struct libra_policy_type *policy = NULL;

	if (h && h->policy)
		policy = libra_policy_find(h->policy, NULL);
	return policy ? policy : cluster->conf.policy;
}

static bool is_in_turn(const struct cli_cluster *cluster,
		       const struct cli_history *h)
{
	return h && h->policy ? cli_in_turn(h->policy)
			      : cli_cluster_in_turn(cluster);
}

/* As they are now. */
static struct facts facts_of(const struct cli_cluster *cluster,
			     const struct cli_job *job,
			     const struct cli_history *h)
{
	struct facts f = {0};

	if (job && job->promised) {
		f = facts_of_record(&job->promise);
	} else if (h && h->offer) {
		f = facts_of_line(h->changed ? h->changed : h->offer);
		if (h->changed)
			f.changed_s = cli_json_double(h->changed, "now_s");
	}
	f.in_turn = is_in_turn(cluster, h);
	f.plans = policy_of(cluster, h)->plans;
	return f;
}

static void print_work(const struct facts *f, double from_s, FILE *out)
{
	const char *s = f->nprocs == 1 ? "" : "s";
	char run[32], within[32];

	libra_host_duration_text(f->estimate_s, run);
	libra_host_duration_text(f->deadline_s - from_s, within);
	if (f->plans)
		fprintf(out, "%.0f processor%s of its own", f->nprocs, s);
	else if (f->in_turn)
		fprintf(out, "%.0f processor%s, in turn by deadline", f->nprocs,
			s);
	else
		fprintf(out, "share %.2f of %.0f processor%s", f->share,
			f->nprocs, s);
	fprintf(out, ": %s of work in %s\n", run, within);
}

/* The numbers of the verdict with its instant, and those of a change with its:
 * old ones are in the log alone.
 */
static void print_verdict(const struct facts *f, const struct cli_history *h,
			  double now_s, FILE *out)
{
	struct facts was = *f;
	char at[32];

	if (f->changed_s > 0 && h && h->offer) {
		was = facts_of_line(h->offer);
		was.in_turn = f->in_turn;
		was.plans = f->plans;
	}
	cli_clock_text(floor(f->submit_s), now_s, at);
	fprintf(out, "  verdict    accepted%s at %s",
		was.late_s > 0 && !was.broken ? " as a bet" : "", at);
	if (f->changed_s > 0 && !(h && h->offer)) {
		fputs(", with other numbers\n", out);
	} else {
		fputs(": ", out);
		print_work(&was, was.submit_s, out);
	}
	if (f->changed_s > 0) {
		cli_clock_text(floor(f->changed_s), now_s, at);
		fprintf(out, "  changed    accepted%s at %s: ",
			f->late_s > 0 && !f->broken ? " as a bet" : "", at);
		print_work(f, f->changed_s, out);
	}
}

void cli_print_ahead(const json_t *line, double now_s, double zone_s, FILE *out)
{
	double nfree = cli_json_double(line, "free");
	const json_t *job;
	char until[32];
	size_t i;

	if (!isfinite(nfree))
		return;
	fprintf(out, "; %.0f processor%s free then", nfree,
		nfree == 1 ? " was" : "s were");
	json_array_foreach(json_object_get(line, "ahead"), i, job)
	{
		json_int_t id = json_integer_value(json_array_get(job, 0));
		json_int_t n = json_integer_value(json_array_get(job, 1));

		libra_host_clock_text(
			floor(json_number_value(json_array_get(job, 2))), now_s,
			zone_s, until);
		fputs(i ? ", " : ", and it comes after ", out);
		if (id)
			fprintf(out, "job %lld", (long long)id);
		else
			fputs("another submission", out);
		fprintf(out, " (%lld processor%s until %s)", (long long)n,
			n == 1 ? "" : "s", until);
	}
}

/* What the engine tested, at the verdict or at the last change. */
static void print_test(const struct facts *f, const struct cli_history *h,
		       double now_s, FILE *out)
{
	char at[32];

	if (!isnan(h->beside))
		fprintf(out,
			"  why        policy %s; on the fullest of its "
			"processors %.2f was promised to others, %.2f with "
			"this job\n",
			h->policy, h->beside, h->beside + f->share);
	else if (!isnan(h->ends_s)) {
		cli_clock_text(h->ends_s, now_s, at);
		fprintf(out,
			"  why        policy %s; with all that was promised "
			"before it, it ends by %s at the latest if all keep "
			"to their estimates\n",
			h->policy, at);
	} else {
		fprintf(out, "  why        policy %s", h->policy);
		cli_print_ahead(h->changed ? h->changed : h->offer, now_s,
				now_s, out);
		fputc('\n', out);
	}
}

/* The job asked for its promise when it could start. */
static bool print_refusal(const struct cli_job *job, double now_s, FILE *out)
{
	struct libra_refusal r;
	char at[32];

	if (!job || !libra_promise_refusal(&job->promise, &r))
		return false;
	cli_clock_text(r.asked_s, now_s, at);
	fprintf(out, "  verdict    asked at %s: refused (%s)", at, r.reason);
	if (isfinite(r.earliest_s)) {
		cli_clock_text(r.earliest_s, now_s, at);
		fprintf(out, "; the earliest deadline then was %s", at);
	}
	fputs(strcmp(job->state_name, "DEADLINE") == 0
		      ? "; ended, as it could not be in time any more\n"
		      : "; slurmctld asks again until it cannot be in time\n",
	      out);
	return true;
}

static void print_why(const struct facts *f, const struct cli_job *job,
		      const struct cli_history *h, double now_s, FILE *out)
{
	char late[32];

	if (!f->promised && print_refusal(job, now_s, out))
		return;
	if (!f->promised && job && job->promise.lost)
		return;
	if (!f->promised) {
		fputs("  verdict    none yet: the job is held, waits for "
		      "another, begins later, lost its processors, or a rule "
		      "of its partition or QOS keeps it from starting; "
		      "slurmctld asks for a promise when it may start\n",
		      out);
		return;
	}
	print_verdict(f, h, now_s, out);
	libra_host_duration_text(ceil(f->late_s), late);
	if (f->late_s > 0 && !f->broken)
		fprintf(out,
			"             no promise: by its estimate it ends %s "
			"after its deadline; it is in time only if it takes "
			"less\n",
			late);
	if (h && h->offer && h->policy)
		print_test(f, h, now_s, out);
}

/* Resources is what Slurm says of a job that waits for its turn, too. */
static const char *in_turn_text(const struct cli_cluster *cluster,
				const struct cli_job *job)
{
	if (cluster->conf.policy->mode != LIBRA_GANG || !job->promise.on.len ||
	    strcmp(job->reason, "Resources") != 0)
		return "";
	return ": not its turn yet, or processors of it are in use";
}

static double param_of(const struct libra_host_conf *conf, const char *name)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 name, NULL);

	return i < 0 ? 0 : conf->params[i];
}

bool cli_is_planned_late(const struct libra_promise *p)
{
	return p->on.len > 0 ||
	       cli_planned_start(p) + p->estimate_s > p->deadline_s;
}

double cli_late_now_s(const struct cli_cluster *cluster,
		      const struct cli_job *job)
{
	const struct libra_promise *p = &job->promise;
	double start_s = cli_planned_start(p);

	if (p->broken.len == 0 || job->state != CLI_JOB_WAITING)
		return p->late_s;
	start_s =
		isnan(start_s) ? cluster->now_s : fmax(start_s, cluster->now_s);
	return fmax(p->late_s, start_s + p->estimate_s - p->deadline_s);
}

/* A promise that cannot be kept any more. */
static void print_broken(const struct cli_cluster *cluster,
			 const struct cli_job *job, FILE *out)
{
	const struct libra_promise *p = &job->promise;
	char cause[LIBRA_CAUSE_SIZE], late[32];

	if (p->broken.len == 0)
		return;
	libra_promise_cause(p, cause);
	libra_host_duration_text(ceil(cli_late_now_s(cluster, job)), late);
	if (job->state == CLI_JOB_WAITING && !cli_is_planned_late(p))
		fprintf(out,
			"  broken     its promise: %s; as things are it can "
			"never start\n",
			cause);
	else
		fprintf(out,
			"  broken     its promise: %s; by its estimate it ends %s after "
			"its deadline\n",
			cause, late);
}

/* What a job that waits for its planned start may count on. */
static void print_plan(const struct cli_cluster *cluster,
		       const struct cli_job *job, FILE *out)
{
	const struct libra_promise *p = &job->promise;
	double start_s = cli_planned_start(p), latest_s;
	char at[32], latest[32];

	if (job->state != CLI_JOB_WAITING || isnan(start_s))
		return;
	latest_s = p->deadline_s - p->estimate_s -
		   param_of(&cluster->conf, "margin");
	cli_clock_text(start_s, cluster->now_s, at);
	cli_clock_text(latest_s, cluster->now_s, latest);
	if (p->broken.len > 0 && !cli_is_planned_late(p))
		fputs("  planned    to start as soon as it can\n", out);
	else if (p->broken.len > 0)
		fprintf(out,
			"  planned    to start at %s, or as soon as it can\n",
			at);
	else if (param_of(&cluster->conf, "hard_starts") != 0 ||
		 !(latest_s >= start_s + 1))
		fprintf(out, "  planned    to start at %s, and not later\n",
			at);
	else
		fprintf(out,
			"  planned    to start at %s; that may move, but not "
			"beyond %s, so that it ends by its deadline\n",
			at, latest);
}

/* The first node of a job that takes no job now, though it comes back; or NULL.
 */
static const struct cli_node *away_node(const struct cli_cluster *cluster,
					const struct cli_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cluster->nodes[parts[i].node].away)
			return &cluster->nodes[parts[i].node];
	return NULL;
}

static void print_now(const struct cli_cluster *cluster,
		      const struct cli_job *job, FILE *out)
{
	struct cli_part *parts;
	int64_t n = cli_job_parts(cluster, job, &parts);
	const struct cli_node *away;
	struct cli_progress now;
	char text[32];

	if (n < 0) {
		fprintf(out,
			"  placed     on %.*s, which no partition with promises "
			"has now: it goes on without one until they are back\n",
			(int)job->promise.on.len, job->promise.on.text);
		return;
	}
	if (strstr(job->comment, " promise=lost "))
		fputs("  lost       its promise: a node failed or left its "
		      "partition, the job was requeued, or another job_submit "
		      "plugin changed it, and it could not be promised again; "
		      "it is best effort now: cancel it and submit it again for "
		      "another promise\n",
		      out);
	if (n > 0)
		fprintf(out, "  placed     on %.*s\n", (int)job->promise.on.len,
			job->promise.on.text);
	now = cli_job_progress(cluster, job, parts, (size_t)n);
	away = away_node(cluster, parts, (size_t)n);
	free(parts);
	print_broken(cluster, job, out);
	print_plan(cluster, job, out);
	if (job->state == CLI_JOB_WAITING && job->reason)
		fprintf(out, "  waits      Slurm's reason: %s%s\n", job->reason,
			away ? "" : in_turn_text(cluster, job));
	if (job->state == CLI_JOB_WAITING && away)
		fprintf(out,
			"  waits      node %s %s: Slurm starts no job there now\n",
			away->name, away->away);
	if (job->state != CLI_JOB_RUNNING)
		return;
	libra_host_duration_text(now.slack_s, text);
	fprintf(out, "  now        %.0f %% of its estimate done, ",
		100 * now.done);
	if (cli_gives_way(cluster, &job->promise))
		fputs("late: it gets what the shares of others leave, ", out);
	else if (!cli_cluster_in_turn(cluster) &&
		 !libra_host_conf_plans(&cluster->conf))
		fprintf(out, "share %.2f, ", now.share);
	else if (strcmp(job->state_name, "RUNNING") != 0)
		fputs("suspended, ", out);
	else if (!(now.rate > 0))
		fputs("held: an earlier deadline goes first, ", out);
	fprintf(out, "slack %s%s\n", text, now.slack_s < 0 ? " (late)" : "");
}

static void print_events(const struct cli_history *h, double now_s, FILE *out)
{
	char at[32];
	size_t i;
	const json_t *e;

	json_array_foreach(h->events, i, e)
	{
		cli_clock_text(floor(cli_json_double(e, "at_s")), now_s, at);
		fprintf(out, "  %-10s %s  %s\n", i ? "" : "log", at,
			json_string_value(json_object_get(e, "what")));
	}
}

static void print_text(const struct cli_cluster *cluster,
		       const struct cli_job *job, uint32_t id,
		       const struct cli_history *h, const char *no_history,
		       FILE *out)
{
	struct facts f = facts_of(cluster, job, h);
	double now_s = cluster->now_s;
	char by[32], run[32], now[32];

	libra_host_clock_text(floor(now_s), NAN, NAN, now);
	if (job)
		fprintf(out, "Job %s of %s, %s at %s\n", job->label, job->user,
			job->state_name, now);
	else
		fprintf(out, "Job %u, no longer known to slurmctld at %s\n", id,
			now);
	if (job && !job->promised && !(h && h->offer)) {
		fputs(job->comment && strncmp(job->comment, "libra:", 6) == 0
			      ? "  its record cannot be read: it is damaged, "
				"or of another version\n"
			      : "  no promise: the job has no deadline, was "
				"refused and joined the ordinary queue, or its "
				"partition is not in libra_partitions; Slurm "
				"alone schedules it, and libra when tells when "
				"it starts\n",
		      out);
		return;
	}
	cli_clock_text(f.deadline_s, now_s, by);
	libra_host_duration_text(f.estimate_s, run);
	fprintf(out, "  asked      %.0f processor%s for %s each, by %s\n",
		f.nprocs, f.nprocs == 1 ? "" : "s", run, by);
	print_why(&f, job, h, now_s, out);
	if (job && job->promised)
		print_now(cluster, job, out);
	if (h)
		print_events(h, now_s, out);
	else
		fprintf(out, "  log        %s\n", no_history);
}

const char *cli_promise_state(const struct libra_promise *p)
{
	return p->lost		    ? "lost"
	       : p->broken.len > 0  ? "broken"
	       : p->refused.len > 0 ? "refused"
	       : p->offer == 0	    ? "none"
	       : p->late_s > 0	    ? "bet"
				    : "promised";
}

/* The refusal of a job that asked when it could start, or null. */
static json_t *json_asked(const struct cli_job *job)
{
	struct libra_refusal r;
	json_t *asked;

	if (!job || !job->promised || job->promise.offer != 0 ||
	    !libra_promise_refusal(&job->promise, &r))
		return json_null();
	asked = json_object();
	cli_json_time(asked, "at", r.asked_s);
	json_object_set_new(asked, "reason", json_string(r.reason));
	cli_json_time(asked, "earliest_deadline", r.earliest_s);
	return asked;
}

static json_t *json_events(const struct cli_history *h)
{
	json_t *list = json_array();
	json_t *event, *copy;
	size_t i;

	json_array_foreach(h->events, i, event)
	{
		copy = json_object();
		cli_json_time(copy, "at", cli_json_double(event, "at_s"));
		json_object_set(copy, "what", json_object_get(event, "what"));
		json_array_append_new(list, copy);
	}
	return list;
}

/* Progress, of a job that runs. */
static struct cli_progress progress_of(const struct cli_cluster *cluster,
				       const struct cli_job *job)
{
	struct cli_progress now = {NAN, NAN, NAN, NAN, NAN};
	struct cli_part *parts = NULL;
	int64_t n;

	if (!job || !job->promised || job->state != CLI_JOB_RUNNING)
		return now;
	n = cli_job_parts(cluster, job, &parts);
	now = cli_job_progress(cluster, job, parts, n > 0 ? (size_t)n : 0);
	free(parts);
	return now;
}

/* Add the request and its promise. */
static void add_facts(json_t *json, const struct facts *f, bool known)
{
	json_object_set_new(json, "procs",
			    known ? json_integer((json_int_t)f->nprocs)
				  : json_null());
	cli_json_time(json, "submit", known ? f->submit_s : NAN);
	json_object_set_new(json, "estimate_s",
			    cli_json_number(known ? f->estimate_s : NAN));
	cli_json_time(json, "deadline", known ? f->deadline_s : NAN);
	json_object_set_new(json, "promised_share",
			    cli_json_number(known ? f->share : NAN));
	cli_json_time(json, "changed", f->changed_s > 0 ? f->changed_s : NAN);
}

/* How it stands. */
static void add_now(const struct cli_cluster *cluster,
		    const struct cli_job *job, const struct facts *f,
		    json_t *json)
{
	struct cli_progress now = progress_of(cluster, job);
	char cause[LIBRA_CAUSE_SIZE] = "";

	if (f->broken)
		libra_promise_cause(&job->promise, cause);
	json_object_update_new(
		json,
		json_pack("{s:o, s:o, s:o, s:f, s:s?, s:s?}", "share",
			  cli_json_number(now.share), "done",
			  cli_json_number(now.done), "slack_s",
			  cli_json_number(now.slack_s), "late_s",
			  f->broken ? cli_late_now_s(cluster, job) : f->late_s,
			  "broken", f->broken ? cause : NULL, "wait_reason",
			  job ? job->reason : NULL));
	cli_json_times(json, "planned_starts",
		       job && job->promised ? cli_planned_starts(job)
					    : json_array());
}

static json_t *json_job(const struct cli_cluster *cluster,
			const struct cli_job *job, uint32_t id,
			const struct cli_history *h)
{
	struct facts f = facts_of(cluster, job, h);
	bool known = (job && job->promised) || (h && h->offer);
	json_t *json = json_pack(
		"{s:I, s:s?, s:s?, s:s?, s:b, s:s}", "id", (json_int_t)id,
		"job", job ? job->label : NULL, "user", job ? job->user : NULL,
		"state", job ? job->state_name : NULL, "promised", f.promised,
		"promise",
		job && job->promised ? cli_promise_state(&job->promise)
		: f.promised	     ? "promised"
				     : "none");

	add_facts(json, &f, known);
	add_now(cluster, job, &f, json);
	json_object_set_new(json, "asked", json_asked(job));
	json_object_update_new(json,
			       json_pack("{s:s?, s:o}", "policy",
					 h ? h->policy : NULL, "beside",
					 cli_json_number(h ? h->beside : NAN)));
	cli_json_time(json, "ends", h ? h->ends_s : NAN);
	json_object_set_new(json, "log", h ? json_events(h) : json_null());
	return json;
}

int cli_print_job(const struct cli_cluster *cluster, const struct cli_job *job,
		  uint32_t id, const struct cli_history *h,
		  const char *no_history, struct cli_output *o)
{
	if (!cli_for_programs(o)) {
		print_text(cluster, job, id, h, no_history, o->out);
		return CLI_DONE;
	}
	if (!h)
		cli_warning(o, no_history);
	o->data = json_object();
	cli_json_time(o->data, "now", cluster->now_s);
	json_object_set_new(o->data, "job", json_job(cluster, job, id, h));
	json_object_set_new(o->data, "refused", json_array());
	o->rows = json_pack("[O]", json_object_get(o->data, "job"));
	o->columns =
		"id,job,user,state,promise,procs,submit,estimate_s,deadline,"
		"share,done,slack_s,late_s,broken,planned_starts,"
		"wait_reason,policy";
	return CLI_DONE;
}
