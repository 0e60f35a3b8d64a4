/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - libra explain: why one job was accepted, and how it stands.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

/* The numbers of a job, from its record or from the log. */
struct facts {
	double submit_s, estimate_s, deadline_s, share, late_s;
	double nprocs;
	bool promised;
};

/* Of an offer's line; it is left out where it is 0. */
static double late_of(const json_t *offer)
{
	return json_number_value(json_object_get(offer, "late_s"));
}

static struct facts facts_of(const struct cli_job *job,
			     const struct cli_history *h)
{
	const struct libra_promise *p = job ? &job->promise : NULL;

	if (job && job->promised)
		return (struct facts){
			p->submit_s, p->estimate_s, p->deadline_s, p->share,
			p->late_s,   p->nprocs,	    p->offer != 0};
	if (h && h->offer)
		return (struct facts){cli_json_double(h->offer, "submit_s"),
				      cli_json_double(h->offer, "estimate_s"),
				      cli_json_double(h->offer, "deadline_s"),
				      cli_json_double(h->offer, "share"),
				      late_of(h->offer),
				      cli_json_double(h->offer, "nprocs"),
				      true};
	return (struct facts){0};
}

static void print_why(const struct facts *f, const struct cli_history *h,
		      FILE *out)
{
	char at[32];

	if (!f->promised) {
		fputs("  verdict    none yet: the job is held, waits for "
		      "another, begins later or lost its processors; "
		      "slurmctld asks for a promise when it may start\n",
		      out);
		return;
	}
	cli_clock_text(floor(f->submit_s), at);
	fprintf(out,
		"  verdict    accepted%s at %s with a share of %.2f of each "
		"processor: %.0f s of work in %.0f s\n",
		f->late_s > 0 ? " as a bet" : "", at, f->share, f->estimate_s,
		f->deadline_s - f->submit_s);
	cli_duration_text(f->late_s, at);
	if (f->late_s > 0)
		fprintf(out,
			"             no promise: by its estimate it ends %s "
			"after its deadline; it is in time only if it takes "
			"less\n",
			at);
	if (!h || !h->offer)
		return;
	fprintf(out,
		"  why        policy %s; on the fullest of its processors %.2f "
		"was promised to others, %.2f with this job\n",
		h->policy, h->beside, h->beside + f->share);
}

static void print_now(const struct cli_cluster *cluster,
		      const struct cli_job *job, FILE *out)
{
	struct cli_part *parts;
	int64_t n = cli_job_parts(cluster, job, &parts);
	struct cli_progress now;
	char text[32];

	if (n < 0) {
		fputs("  placed     on processors that this cluster does not have\n",
		      out);
		return;
	}
	if (strstr(job->comment, " promise=lost "))
		fputs("  lost       its promise: a node failed or the job was "
		      "requeued, and no share was left to promise it again; it "
		      "is best effort now\n",
		      out);
	if (n > 0)
		fprintf(out, "  placed     on %.*s\n", (int)job->promise.on_len,
			job->promise.on);
	now = cli_job_progress(cluster, job, parts, (size_t)n);
	free(parts);
	if (job->state != CLI_JOB_RUNNING)
		return;
	cli_duration_text(now.slack_s, text);
	fprintf(out,
		"  now        %.0f %% of its estimate done, share %.2f, "
		"slack %s%s\n",
		100 * now.done, now.share, text,
		now.slack_s < 0 ? " (late)" : "");
}

static void print_events(const struct cli_history *h, FILE *out)
{
	char at[32];
	size_t i;
	const json_t *e;

	json_array_foreach(h->events, i, e)
	{
		cli_clock_text(floor(cli_json_double(e, "at_s")), at);
		fprintf(out, "  %-10s %s  %s\n", i ? "" : "log", at,
			json_string_value(json_object_get(e, "what")));
	}
}

static void print_text(const struct cli_cluster *cluster,
		       const struct cli_job *job, uint32_t id,
		       const struct cli_history *h, const char *no_history,
		       FILE *out)
{
	struct facts f = facts_of(job, h);
	char by[32];

	if (job)
		fprintf(out, "Job %s of %s, %s\n", job->label, job->user,
			job->state_name);
	else
		fprintf(out, "Job %u, no longer known to slurmctld\n", id);
	if (job && !job->promised && !(h && h->offer)) {
		fputs(job->comment && strncmp(job->comment, "libra:", 6) == 0
			      ? "  its record cannot be read: it is damaged, "
				"or of another version\n"
			      : "  no promise: the job has no deadline, or its "
				"partition is not in libra_partitions; Slurm "
				"alone schedules it\n",
		      out);
		return;
	}
	cli_clock_text(f.deadline_s, by);
	fprintf(out, "  asked      %.0f processor%s for %.0f s each, by %s\n",
		f.nprocs, f.nprocs == 1 ? "" : "s", f.estimate_s, by);
	print_why(&f, h, out);
	if (job && job->promised)
		print_now(cluster, job, out);
	if (h)
		print_events(h, out);
	else
		fprintf(out, "  log        %s\n", no_history);
}

static json_t *json_job(const struct cli_cluster *cluster,
			const struct cli_job *job, uint32_t id,
			const struct cli_history *h)
{
	struct facts f = facts_of(job, h);
	struct cli_progress now = {NAN, NAN, NAN, NAN};
	struct cli_part *parts = NULL;
	bool known = (job && job->promised) || (h && h->offer);
	int64_t n;

	if (job && job->promised && job->state == CLI_JOB_RUNNING) {
		n = cli_job_parts(cluster, job, &parts);
		now = cli_job_progress(cluster, job, parts,
				       n > 0 ? (size_t)n : 0);
		free(parts);
	}
	return json_pack(
		"{s:I, s:o?, s:o?, s:b, s:o, s:o, s:o, s:o, s:o, s:o?, s:o, "
		"s:o, s:o, s:o, s:o?, s:f}",
		"id", (json_int_t)id, "user",
		job ? json_string(job->user) : NULL, "state",
		job ? json_string(job->state_name) : NULL, "promised",
		f.promised, "procs",
		known ? json_integer((json_int_t)f.nprocs) : json_null(),
		"submit_s", known ? json_real(f.submit_s) : json_null(),
		"estimate_s", known ? json_real(f.estimate_s) : json_null(),
		"deadline_s",
		known ? cli_json_number(f.deadline_s) : json_null(),
		"promised_share", known ? json_real(f.share) : json_null(),
		"policy", h && h->policy ? json_string(h->policy) : NULL,
		"beside", cli_json_number(h ? h->beside : NAN), "share",
		cli_json_number(now.share), "done", cli_json_number(now.done),
		"slack_s", cli_json_number(now.slack_s), "log",
		h ? json_incref(h->events) : NULL, "late_s", f.late_s);
}

int cli_print_job(const struct cli_cluster *cluster, const struct cli_job *job,
		  uint32_t id, const struct cli_history *h,
		  const char *no_history, bool json, FILE *out)
{
	if (json)
		return cli_json_print(json_job(cluster, job, id, h), out);
	print_text(cluster, job, id, h, no_history, out);
	return CLI_DONE;
}
