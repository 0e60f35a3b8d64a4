/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.c - make a record of a row, or count why it is dropped.
 *
 * Each convert_...() function fills some fields of the record and returns 1, 0
 * after drop(), or -1 with an error; the first result that is not 1 ends the
 * row.  mark() sets the bit of a reason in the record.  Nothing is owned here.
 */
#include "sim/import/convert.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

enum { RUNAWAY_S = 86400 };

static int drop(struct import *im, enum import_reason reason)
{
	im->count[reason]++;
	return 0;
}

/* Mark a reason; it is counted once it is clear that the record stays. */
static void mark(struct import_record *rec, enum import_reason reason)
{
	rec->marks |= UINT64_C(1) << reason;
}

static bool is_marked(const struct import_record *rec,
		      enum import_reason reason)
{
	return rec->marks & UINT64_C(1) << reason;
}

/* ---- job and names ---- */

/* Set the job's number, and its task or component. */
static int convert_id(struct import *im, const struct import_row *row,
		      struct import_record *rec)
{
	struct import_id raw = {0}, shown = {0};
	enum import_read a, b;

	a = import_job_id(row->col[IMPORT_C_JOBIDRAW], &raw);
	b = import_job_id(row->col[IMPORT_C_JOBID], &shown);
	if ((a == IMPORT_OK && raw.kind == IMPORT_STEP) ||
	    (b == IMPORT_OK && shown.kind == IMPORT_STEP))
		return drop(im, IMPORT_R_STEP);
	if (a != IMPORT_OK && b != IMPORT_OK)
		return drop(im, IMPORT_R_UNREADABLE);
	rec->id = a == IMPORT_OK ? raw.number : shown.number;
	if (b != IMPORT_OK)
		shown = raw;
	rec->kind = (uint8_t)shown.kind;
	rec->base = shown.number;
	rec->part = (uint32_t)shown.part;
	return 1;
}

/* Is the partition in the list? */
static bool is_wanted(const char *list, struct import_text t)
{
	while (list) {
		const char *comma = strchr(list, ',');
		size_t n = comma ? (size_t)(comma - list) : strlen(list);

		if (n == t.n && memcmp(list, t.at, n) == 0)
			return true;
		list = comma ? comma + 1 : NULL;
	}
	return false;
}

/* Drop jobs of other clusters than the chosen one; two clusters are an error.
 */
static int convert_cluster(struct import *im, struct import_text t,
			   struct libra_error *err)
{
	const char *wanted = im->options->cluster;

	if (t.n == 0)
		return 1;
	if (wanted && (strlen(wanted) != t.n || memcmp(wanted, t.at, t.n) != 0))
		return drop(im, IMPORT_R_CLUSTER);
	if (!im->cluster) {
		im->cluster = strndup(t.at, t.n);
		if (!im->cluster)
			return sim_no_memory(err);
	}
	if (strlen(im->cluster) != t.n || memcmp(im->cluster, t.at, t.n) != 0)
		return libra_errf(err, EINVAL,
				  "jobs of the clusters %s and %.*s: choose "
				  "one with --cluster",
				  im->cluster, (int)t.n, t.at);
	return 1;
}

/* Set the numbers of user, account, partition, QOS and application. */
static int convert_names(struct import *im, const struct import_row *row,
			 struct import_record *rec, struct libra_error *err)
{
	const struct {
		struct names *names;
		enum import_column column;
		uint32_t *number;
	} all[] = {
		{&im->users, IMPORT_C_USER, &rec->names.user},
		{&im->accounts, IMPORT_C_ACCOUNT, &rec->names.account},
		{&im->partitions, IMPORT_C_PARTITION, &rec->names.partition},
		{&im->qos, IMPORT_C_QOS, &rec->names.qos},
		{&im->apps, IMPORT_C_JOBNAME, &rec->names.app},
	};
	int64_t uid;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*all[i].number =
			names_add(all[i].names, row->col[all[i].column].at,
				  row->col[all[i].column].n);
		if (*all[i].number == UINT32_MAX)
			return sim_no_memory(err);
	}
	rec->uid = -1;
	if (import_count(row->col[IMPORT_C_UID], &uid) == IMPORT_OK &&
	    uid <= INT32_MAX)
		rec->uid = (int32_t)uid;
	return 1;
}

/* ---- when ---- */

struct instants {
	int64_t submit_s, eligible_s, start_s, end_s; /* 0 = none */
};

/* Fill in the start and the end that a map has no columns for. */
static void derive_times(const struct import_row *row, struct instants *t,
			 struct import_record *rec)
{
	double wait_s = 0, run_s = 0;
	bool ran = import_duration(row->col[IMPORT_C_ELAPSEDRAW], &run_s) ==
		   IMPORT_OK;

	if (!row->given[IMPORT_C_START] && row->given[IMPORT_C_WAIT]) {
		if (import_duration(row->col[IMPORT_C_WAIT], &wait_s) ==
		    IMPORT_OK)
			t->start_s = t->submit_s + (int64_t)wait_s;
	} else if (!row->given[IMPORT_C_START] && ran) {
		t->start_s = t->eligible_s ? t->eligible_s : t->submit_s;
		rec->no_start = true;
		mark(rec, IMPORT_R_START);
	}
	if (!row->given[IMPORT_C_END] && t->start_s && ran)
		t->end_s = t->start_s + (int64_t)run_s;
}

/* Read all instants of the row; drop a row whose instants cannot be read. */
static int convert_times(struct import *im, const struct import_row *row,
			 struct instants *t, struct import_record *rec,
			 struct libra_error *err)
{
	const struct {
		enum import_column column;
		int64_t *at_s;
	} all[] = {
		{IMPORT_C_SUBMIT, &t->submit_s},
		{IMPORT_C_ELIGIBLE, &t->eligible_s},
		{IMPORT_C_START, &t->start_s},
		{IMPORT_C_END, &t->end_s},
	};
	bool twice, any = false;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct import_text text = row->col[all[i].column];
		enum import_read read =
			import_time(&im->clock, text, all[i].at_s, &twice);

		if (read == IMPORT_LOCAL)
			return libra_errf(
				err, EINVAL,
				"'%.*s' is a local time, and an hour of those "
				"comes twice each autumn: run sacct with "
				"SLURM_TIME_FORMAT=%%s (see --show-command), "
				"or name the zone with --tz",
				(int)text.n, text.at);
		if (read == IMPORT_BAD) {
			if (!im->bad[0])
				snprintf(im->bad, sizeof(im->bad), "%.*s",
					 (int)text.n, text.at);
			return drop(im, IMPORT_R_UNREADABLE);
		}
		if (read == IMPORT_NONE)
			*all[i].at_s = 0;
		any |= twice;
	}
	if (t->submit_s == 0)
		return drop(im, IMPORT_R_UNREADABLE);
	if (any || row->twice)
		mark(rec, IMPORT_R_TWICE);
	if (row->mapped)
		derive_times(row, t, rec);
	return 1;
}

/* ---- how long ---- */

static uint32_t whole(double s)
{
	return s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

/* Result: as import_convert(). */
static int convert_run(struct import *im, const struct import_row *row,
		       const struct instants *t, struct import_record *rec)
{
	double run_s, suspended_s = 0;
	enum import_read read;

	if (import_duration(row->col[IMPORT_C_SUSPENDED], &suspended_s) !=
	    IMPORT_OK)
		suspended_s = 0;
	read = import_duration(row->col[IMPORT_C_ELAPSEDRAW], &run_s);
	if (read != IMPORT_OK)
		read = import_duration(row->col[IMPORT_C_ELAPSED], &run_s);
	/* In the hour that comes twice, the elapsed time is the sure one. */
	if (t->end_s && t->end_s < t->start_s &&
	    (read != IMPORT_OK || !is_marked(rec, IMPORT_R_TWICE)))
		return drop(im, IMPORT_R_NEGATIVE_RUN);
	if (read != IMPORT_OK) {
		if (!t->end_s)
			return drop(im, IMPORT_R_UNREADABLE);
		run_s = (double)(t->end_s - t->start_s) - suspended_s;
		mark(rec, IMPORT_R_RUN);
	}
	if (run_s < 0)
		return drop(im, IMPORT_R_NEGATIVE_RUN);
	rec->run_s = whole(run_s);
	rec->suspended_s = whole(suspended_s);
	return 1;
}

/* Take the job's own limit.  Result: false if it has none. */
static bool own_limit(const struct import_row *row, double *s)
{
	static const struct {
		enum import_column column;
		double unit_s;
	} all[] = {
		{IMPORT_C_TIMELIMITRAW, 60},
		{IMPORT_C_TIMELIMIT, 60},
		{IMPORT_C_LIMIT_S, 1},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (import_limit(row->col[all[i].column], all[i].unit_s, s) ==
		    IMPORT_OK)
			return true;
	return false;
}

/* Find the time limit that the user gave for a partition, or for "*". */
static bool partition_limit(const struct import *im, struct import_text name,
			    double *s)
{
	const struct import_options *o = im->options;
	bool found = false;

	for (size_t i = 0; i < o->nlimits; i++) {
		const char *of = o->limits[i].partition;
		bool same = strlen(of) == name.n &&
			    memcmp(of, name.at, name.n) == 0;

		if (!same && (found || strcmp(of, "*") != 0))
			continue;
		*s = o->limits[i].limit_s;
		found = true;
		if (same)
			break;
	}
	return found;
}

/* A promise lifted the limit, so the promise's estimate goes first. */
static void convert_limit(struct import *im, const struct import_row *row,
			  struct import_record *rec)
{
	double s = rec->run_s;

	if (import_promise(row->col[IMPORT_C_ADMINCOMMENT], &s) == IMPORT_OK) {
		rec->limit_from = IMPORT_LIMIT_PROMISE;
		mark(rec, IMPORT_R_LIMIT_PROMISE);
	} else if (own_limit(row, &s)) {
		rec->limit_from = IMPORT_LIMIT_OWN;
	} else if (partition_limit(im, row->col[IMPORT_C_PARTITION], &s)) {
		rec->limit_from = IMPORT_LIMIT_PARTITION;
		mark(rec, IMPORT_R_LIMIT_PARTITION);
	} else {
		s = rec->run_s;
		rec->limit_from = IMPORT_LIMIT_RUN;
		mark(rec, IMPORT_R_LIMIT_RUN);
	}
	rec->limit_s = whole(s);
}

/* ---- how much ---- */

/* Set processors, nodes, GPUs, memory and processor time. */
static int convert_size(struct import *im, const struct import_row *row,
			struct import_record *rec)
{
	struct import_tres alloc, req;
	int64_t procs = 0, asked = 0, nodes = 0;
	double mb, cpu_s;
	char per;

	if (import_tres(row->col[IMPORT_C_ALLOCTRES], &alloc) == IMPORT_BAD)
		alloc = (struct import_tres){0};
	if (import_tres(row->col[IMPORT_C_REQTRES], &req) == IMPORT_BAD)
		req = (struct import_tres){0};
	if (import_count(row->col[IMPORT_C_ALLOCCPUS], &procs) != IMPORT_OK ||
	    procs == 0)
		procs = alloc.cpus;
	if (import_count(row->col[IMPORT_C_REQCPUS], &asked) != IMPORT_OK ||
	    asked == 0)
		asked = req.cpus;
	if (import_count(row->col[IMPORT_C_NNODES], &nodes) != IMPORT_OK ||
	    nodes == 0)
		nodes = alloc.nodes ? alloc.nodes : req.nodes;
	if (procs > INT32_MAX || asked > INT32_MAX || nodes > INT32_MAX ||
	    (procs <= 0 && asked <= 0))
		return drop(im, IMPORT_R_NO_PROCS);
	rec->alloc_cpus = (uint32_t)procs;
	rec->req_cpus = (uint32_t)asked;
	rec->nodes = (uint32_t)nodes;
	rec->gpus = (uint32_t)(alloc.gpus ? alloc.gpus : req.gpus);
	rec->mem_mb = alloc.mem_mb > 0 ? alloc.mem_mb : -1;
	if (rec->mem_mb < 0 &&
	    import_memory(row->col[IMPORT_C_REQMEM], &mb, &per) == IMPORT_OK)
		rec->mem_mb = mb * (per == 'n'	 ? (nodes > 0 ? nodes : 1)
				    : per == 'c' ? (procs ? procs : asked)
						 : 1);
	rec->cpu_s = -1;
	if (import_duration(row->col[IMPORT_C_TOTALCPU], &cpu_s) == IMPORT_OK)
		rec->cpu_s = cpu_s / (double)(procs ? procs : asked);
	return 1;
}

/* ---- all of it ---- */

/* Count why a job never ran. */
static int convert_unrun(struct import *im, const struct import_row *row,
			 const struct instants *t, struct import_record *rec)
{
	double limit_s = 0;

	/* A requeued run with an end is over; slurmdbd has missed its start. */
	if (rec->state == IMPORT_PENDING ||
	    (rec->state == IMPORT_REQUEUED && t->end_s == 0))
		return drop(im, IMPORT_R_PENDING);
	if (t->eligible_s == 0 && row->given[IMPORT_C_ELIGIBLE] &&
	    !im->options->arrival_is_submit)
		return drop(im, IMPORT_R_NEVER_ELIGIBLE);
	if (rec->state != IMPORT_CANCELLED)
		return drop(im, IMPORT_R_NEVER_STARTED);
	if (!im->options->keep_cancelled || t->end_s == 0)
		return drop(im, IMPORT_R_CANCELLED);
	if (own_limit(row, &limit_s))
		rec->limit_s = whole(limit_s);
	rec->end_s = t->end_s;
	rec->unrun = true;
	return 1;
}

/* Was it cancelled while it waited?  slurmdbd gives some of these a start,
 * which is their end, and the processors they asked for; but nothing allocated.
 */
static bool never_ran(const struct import_row *row, const struct instants *t,
		      const struct import_record *rec)
{
	bool nothing = row->given[IMPORT_C_ALLOCTRES] &&
		       row->col[IMPORT_C_ALLOCTRES].n == 0;
	double run_s;

	if (t->start_s == 0)
		return true;
	if (rec->state == IMPORT_PENDING)
		return true;
	return rec->state == IMPORT_CANCELLED &&
	       (rec->alloc_cpus == 0 || nothing) &&
	       (t->end_s == t->start_s ||
		(import_duration(row->col[IMPORT_C_ELAPSEDRAW], &run_s) ==
			 IMPORT_OK &&
		 run_s == 0));
}

/* Take the deadline of a trace, as the time from the arrival. */
static void set_deadline(const struct import_row *row,
			 struct import_record *rec)
{
	double after_s = 0;
	bool any = import_duration(row->col[IMPORT_C_DEADLINE], &after_s) ==
		   IMPORT_OK;

	if (any)
		after_s -= (double)rec->arrival_s;
	else if (import_duration(row->col[IMPORT_C_DEADLINE_AFTER], &after_s) ==
		 IMPORT_OK)
		after_s -= (double)(rec->arrival_s - rec->submit_s);
	else
		return;
	rec->deadline_s = whole(after_s);
	if (rec->deadline_s == 0)
		mark(rec, IMPORT_R_DEADLINE);
}

/* Set the arrival by the options: the eligible time or the submission. */
static void set_arrival(struct import *im, const struct import_row *row,
			const struct instants *t, struct import_record *rec)
{
	rec->submit_s = t->submit_s;
	rec->arrival_s = t->submit_s;
	if (im->options->arrival_is_submit)
		return;
	if (t->eligible_s)
		rec->arrival_s = t->eligible_s;
	else if (!row->given[IMPORT_C_ELIGIBLE] || t->start_s)
		mark(rec, IMPORT_R_ARRIVAL);
}

/* Is the job within --from and --to? */
static bool is_outside(const struct import *im, const struct import_record *rec)
{
	const struct import_options *o = im->options;

	if (o->to_s && rec->arrival_s >= o->to_s)
		return true;
	return o->from_s && !rec->unended && rec->end_s <= o->from_s;
}

static const struct {
	enum import_state state;
	bool censored;
	enum import_reason reason;
} ends[] = {
	{IMPORT_TIMEOUT, true, IMPORT_R_TIMEOUT},
	{IMPORT_NODE_FAIL, true, IMPORT_R_NODE_FAIL},
	{IMPORT_PREEMPTED, true, IMPORT_R_PREEMPTED},
	{IMPORT_REQUEUED, true, IMPORT_R_PREEMPTED},
	{IMPORT_OUT_OF_MEMORY, false, IMPORT_R_OUT_OF_MEMORY},
};

/* Mark a record that is kept with reasons that its reader should see. */
static void note(struct import *im, const struct import_row *row,
		 struct import_record *rec)
{
	int64_t restarts = 0;

	rec->requeued = import_count(row->col[IMPORT_C_RESTARTS], &restarts) ==
				IMPORT_OK &&
			restarts > 0;
	rec->censored = rec->unended;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (rec->state == ends[i].state) {
			rec->censored |= ends[i].censored;
			mark(rec, ends[i].reason);
		}
	rec->warmup =
		im->options->from_s && rec->arrival_s < im->options->from_s;
	if (rec->warmup)
		mark(rec, IMPORT_R_WARMUP);
	if (rec->kind == IMPORT_TASK || rec->kind == IMPORT_TASKS)
		mark(rec, IMPORT_R_TASK);
	if (rec->kind == IMPORT_HET)
		mark(rec, IMPORT_R_HET);
	if (rec->suspended_s > 0)
		mark(rec, IMPORT_R_SUSPENDED);
	if (rec->req_cpus > 0 && rec->alloc_cpus > rec->req_cpus)
		mark(rec, IMPORT_R_MORE_PROCS);
	if (!rec->unrun && rec->run_s > rec->limit_s)
		mark(rec, IMPORT_R_LONGER);
	if (row->split)
		mark(rec, IMPORT_R_SPLIT);
}

/* A job without an end: it runs, or accounting has lost its end. */
static int convert_unended(struct import *im, struct import_record *rec)
{
	rec->unended = true;
	if (rec->limit_from == IMPORT_LIMIT_OWN &&
	    rec->run_s > (uint64_t)rec->limit_s + RUNAWAY_S)
		return drop(im, IMPORT_R_RUNAWAY);
	mark(rec, IMPORT_R_STILL_RUNNING);
	return 1;
}

/* Set start, end and limit of a job that ran. */
static int convert_ran(struct import *im, const struct import_row *row,
		       const struct instants *t, struct import_record *rec)
{
	int rc = convert_run(im, row, t, rec);

	if (rc <= 0)
		return rc;
	convert_limit(im, row, rec);
	rec->start_s = t->start_s;
	rec->end_s = t->end_s >= t->start_s
			     ? t->end_s
			     : t->start_s + rec->run_s + rec->suspended_s;
	if (t->end_s == 0 && convert_unended(im, rec) == 0)
		return 0;
	if (rec->alloc_cpus == 0) {
		rec->alloc_cpus = rec->req_cpus;
		mark(rec, IMPORT_R_PROCS);
	}
	if (rec->start_s < rec->arrival_s)
		mark(rec, IMPORT_R_WAIT);
	return 1;
}

int import_convert(struct import *im, const struct import_row *row,
		   struct import_record *rec, struct libra_error *err)
{
	struct instants t = {0};
	int rc;

	*rec = (struct import_record){.id = 0};
	rc = convert_id(im, row, rec);
	if (rc > 0)
		rc = convert_cluster(im, row->col[IMPORT_C_CLUSTER], err);
	if (rc <= 0)
		return rc;
	if (im->options->partitions &&
	    !is_wanted(im->options->partitions, row->col[IMPORT_C_PARTITION]))
		return drop(im, IMPORT_R_PARTITION);
	rec->state = (uint8_t)import_state(row->col[IMPORT_C_STATE]);
	rc = convert_times(im, row, &t, rec, err);
	if (rc > 0)
		rc = convert_size(im, row, rec);
	if (rc <= 0)
		return rc;
	set_arrival(im, row, &t, rec);
	set_deadline(row, rec);
	rc = never_ran(row, &t, rec) ? convert_unrun(im, row, &t, rec)
				     : convert_ran(im, row, &t, rec);
	if (rc <= 0)
		return rc;
	if (is_outside(im, rec))
		return drop(im, IMPORT_R_OUTSIDE);
	note(im, row, rec);
	return convert_names(im, row, rec, err);
}
