/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - jobs of a log, and of the jobs table of a simulation. */
#include "sim/site/jobs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/output/table_file.h"

int site_jobs_add(struct site_jobs *jobs, const struct site_job *job,
		  struct libra_error *err)
{
	struct site_job *list =
		sim_grown(jobs->list, &jobs->cap, jobs->n + 1, sizeof(*list));

	if (!list)
		return sim_no_memory(err);
	jobs->list = list;
	jobs->list[jobs->n++] = *job;
	return 0;
}

int site_jobs_refuse(struct site_jobs *jobs, const struct site_refusal *refusal,
		     const char *reason, struct libra_error *err)
{
	struct site_refusal *list =
		sim_grown(jobs->refused, &jobs->refused_cap, jobs->nrefused + 1,
			  sizeof(*list));

	if (!list)
		return sim_no_memory(err);
	jobs->refused = list;
	list += jobs->nrefused++;
	*list = *refusal;
	snprintf(list->reason, sizeof(list->reason), "%s",
		 reason ? reason : "");
	for (char *c = list->reason; *c; c++)
		if (*c == '_')
			*c = ' ';
	return 0;
}

double site_work(const struct site_job *job, double from_s, double to_s)
{
	return job->procs *
	       fmax(fmin(job->end_s, to_s) - fmax(job->start_s, from_s), 0);
}

int site_jobs_outside(const struct site_jobs *jobs, struct libra_error *err)
{
	double from_s = INFINITY, to_s = -INFINITY;

	for (size_t i = 0; i < jobs->n; i++) {
		from_s = fmin(from_s, jobs->list[i].start_s);
		to_s = fmax(to_s, jobs->list[i].end_s);
	}
	return libra_errf(err, EINVAL,
			  "no job runs in that time: the jobs run from %.0f "
			  "to %.0f (--from, --to)",
			  from_s, to_s);
}

int site_jobs_none(const char *name, struct libra_error *err)
{
	return libra_errf(err, EINVAL, "%s: no job of it started", name);
}

void site_jobs_fini(struct site_jobs *jobs)
{
	free(jobs->list);
	free(jobs->refused);
	free(jobs->ranges);
	free(jobs->name);
	memset(jobs, 0, sizeof(*jobs));
}

enum site_source site_source(const char *path)
{
	enum site_source kind = SITE_LOG;
	struct libra_error ignored;
	struct input in;
	struct stat st;
	char *line;
	size_t n;
	int rc;

	/* What is read from a pipe could not be read again. */
	if (strcmp(path, "-") == 0 || stat(path, &st) < 0 ||
	    !S_ISREG(st.st_mode))
		return kind;
	if (input_open(&in, path, &ignored) < 0)
		return errno == ENOMEM ? SITE_NO_MEMORY : kind;
	rc = input_line(&in, &line, &n);
	if (rc < 0 && errno == ENOMEM)
		kind = SITE_NO_MEMORY;
	if (rc > 0) {
		if (strncmp(line, "{\"call\":", 8) == 0)
			kind = SITE_DECISIONS;
		else if (strncmp(line, "job,", 4) == 0)
			kind = SITE_TABLE;
	}
	input_close(&in);
	return kind;
}

int site_jobs_of_log(struct site_jobs *jobs, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err)
{
	int rc = 0;

	*jobs = (struct site_jobs){
		.procs = procs ? procs : swf_procs(trace),
		.dated = trace->unix_start > 0,
		.unix_start = (double)trace->unix_start,
		.name = strdup(trace->computer ? trace->computer : "Jobs"),
	};
	if (!jobs->name)
		rc = sim_no_memory(err);
	for (size_t i = 0; rc == 0 && i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];
		int32_t n = swf_job_procs(r);
		struct site_job job = {
			.number = r->number,
			.submit_s = r->submit_s,
			.start_s = r->submit_s + r->wait_s,
			.end_s = r->submit_s + r->wait_s + r->run_s,
			.procs = (uint32_t)n,
			.user = r->user,
		};

		if (n <= 0 || r->run_s <= 0 || r->wait_s < 0) {
			jobs->unstarted++;
			continue;
		}
		jobs->users |= r->user >= 0;
		rc = site_jobs_add(jobs, &job, err);
	}
	if (rc == 0 && jobs->n == 0)
		rc = site_jobs_none(trace->name, err);
	if (rc < 0)
		site_jobs_fini(jobs);
	return rc;
}

/* ---- a jobs table ---- */

/* A change of the number of processors in use. */
struct change {
	double at_s;
	int64_t procs;
};

static int by_instant(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return (x->procs > y->procs) - (x->procs < y->procs);
}

int64_t site_most_procs(const struct site_jobs *jobs)
{
	struct change *c = calloc(2 * jobs->n + 1, sizeof(*c));
	int64_t used = 0, most = 1;

	if (!c)
		return -1;
	for (size_t i = 0; i < jobs->n; i++) {
		const struct site_job *j = &jobs->list[i];

		c[2 * i] = (struct change){j->start_s, j->procs};
		c[2 * i + 1] = (struct change){j->end_s, -(int64_t)j->procs};
	}
	qsort(c, 2 * jobs->n, sizeof(*c), by_instant);
	for (size_t i = 0; i < 2 * jobs->n; i++) {
		used += c[i].procs;
		most = used > most ? used : most;
	}
	free(c);
	return most;
}

/* NAN if the row has no such number: a job that was not accepted has no start.
 */
static double number_of(const struct table_row *row, const char *name)
{
	const char *text = table_row_text(row, name);
	char *end;
	double v = text ? strtod(text, &end) : NAN;

	return text && *text && *end == '\0' ? v : NAN;
}

/* Add the refusal of a row of a jobs table.
 * Result: 0, or -1 with ENOMEM.
 */
static int refuse_row(struct site_jobs *jobs, const struct table_row *row,
		      const struct site_job *job, struct libra_error *err)
{
	double earliest_s = number_of(row, "earliest_s"); /* as deadline_s */
	const struct site_refusal r = {
		.number = job->number,
		.at_s = job->submit_s,
		.procs = job->procs,
		.user = job->user,
		.earliest_s =
			isfinite(earliest_s) ? job->submit_s + earliest_s : 0,
	};

	return site_jobs_refuse(jobs, &r, table_row_text(row, "reason"), err);
}

/* Add the job of a row of a jobs table; its refusal, if it was refused first.
 * Rows without processors or submission are skipped.
 * Result: 0, or -1 with ENOMEM.
 */
static int add_row(struct site_jobs *jobs, const struct table_row *row,
		   struct libra_error *err)
{
	double procs = number_of(row, "procs");
	double deadline_s = number_of(row, "deadline_s"); /* after submission */
	double promised_s =
		number_of(row, "told_s") + number_of(row, "estimate_s");
	const char *verdict = table_row_text(row, "verdict");
	struct site_job job = {
		.submit_s = number_of(row, "submit_s"),
		.start_s = number_of(row, "start_s"),
		.end_s = number_of(row, "finish_s"),
		.user = -1,
		.promise =
			number_of(row, "fulfilled") > 0 ? SITE_KEPT : SITE_LATE,
	};

	if (!(procs >= 1 && procs <= UINT32_MAX) || isnan(job.submit_s))
		return 0;
	job.procs = (uint32_t)procs;
	if (number_of(row, "job") < 1e15)
		job.number = (int64_t)number_of(row, "job");
	if (verdict && strcmp(verdict, "reject") == 0) {
		if (refuse_row(jobs, row, &job, err) < 0)
			return -1;
		/* It may run later, without a promise (--ordinary). */
		if (!(job.end_s > job.start_s))
			return 0;
		verdict = "queue";
	}
	if (!(job.end_s > job.start_s)) {
		jobs->unstarted++;
		return 0;
	}
	if (verdict && strcmp(verdict, "queue") == 0)
		job.promise = SITE_NO_PROMISE;
	else if (!isnan(deadline_s))
		job.deadline_s = job.submit_s + deadline_s;
	if (!isnan(promised_s))
		job.promised_s = promised_s;
	return site_jobs_add(jobs, &job, err);
}

int site_jobs_of_table(struct site_jobs *jobs, const char *path, uint32_t procs,
		       struct libra_error *err)
{
	struct table_file file;
	const char *policy;
	int rc = 0;

	if (table_file_read(&file, path, "job", err) < 0)
		return -1;
	policy = table_row_text(&file.rows[0], "policy");
	*jobs = (struct site_jobs){
		.procs = procs,
		.promises = true,
		.name = strdup(policy ? policy : "Jobs"),
	};
	if (!jobs->name)
		rc = sim_no_memory(err);
	for (size_t i = 0; rc == 0 && i < file.nrows; i++) {
		const char *other = table_row_text(&file.rows[i], "policy");

		/* A table of several policies: the first of them. */
		if (!policy || !other || strcmp(policy, other) == 0)
			rc = add_row(jobs, &file.rows[i], err);
	}
	table_file_fini(&file);
	if (rc == 0 && jobs->n == 0)
		rc = site_jobs_none(path, err);
	if (rc == 0 && procs == 0) {
		int64_t most = site_most_procs(jobs);

		jobs->procs = (uint32_t)most;
		rc = most < 0 ? sim_no_memory(err) : 0;
	}
	if (rc < 0)
		site_jobs_fini(jobs);
	return rc;
}
