/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promises_sacct.c - accounts, QOS and ends of promises from accounting, and
 * whole promises from the records in AdminComment (plugin/engine/
 * admin_comment.h).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/import/text.h"
#include "sim/site/promises.h"

struct by_id {
	uint64_t id;
	size_t place; /* in the list */
};

/* A promise that accounting alone has. */
struct by_offer {
	uint64_t id;
	char offer[48];
	size_t place;
};

struct reader {
	struct promises *p;
	struct import_clock clock;
	struct by_id *ids; /* of the log, sorted */
	size_t nids;
	struct by_offer *offers;
	size_t noffers, offers_cap;
	const struct input *in;
	struct libra_error *err;
};

/* A row's values. */
struct job {
	uint64_t id, base; /* base: of its array */
	double start_s, end_s, ran_s;
	enum import_state state;
	uint32_t partition, account, qos;
};

/* ---- values ---- */

/* Read an instant; NAN if there is none.
 * Result: 0, or -1 with EINVAL (a local time, and no zone is known).
 */
static int instant(struct reader *r, struct import_text t, double *at_s)
{
	bool twice;
	int64_t s;
	enum import_read read = import_time(&r->clock, t, &s, &twice);

	*at_s = read == IMPORT_OK ? (double)s : NAN;
	if (read != IMPORT_LOCAL)
		return 0;
	return libra_errf(r->err, EINVAL,
			  "%s:%zu: local times: give their zone with --tz, or "
			  "set SLURM_TIME_FORMAT=%%s for sacct",
			  r->in->name, r->in->line);
}

/* Set the number of a text.
 * Result: 0, or -1 with ENOMEM.
 */
static int name_of(struct reader *r, struct import_text t, uint32_t *number)
{
	t = import_trimmed(t);
	*number = promises_name(r->p, t.at, t.n);
	return *number == UINT32_MAX ? sim_no_memory(r->err) : 0;
}

/* Result: 1, 0 if the row is no job, or -1. */
static int read_job(struct reader *r, const struct import_row *row,
		    struct job *job)
{
	struct import_id id, base;

	*job = (struct job){.ran_s = NAN};
	if (import_job_id(
		    row->col[row->given[IMPORT_C_JOBIDRAW] ? IMPORT_C_JOBIDRAW
							   : IMPORT_C_JOBID],
		    &id) != IMPORT_OK ||
	    id.kind == IMPORT_STEP)
		return 0;
	job->id = job->base = (uint64_t)id.number;
	if (import_job_id(row->col[IMPORT_C_JOBID], &base) == IMPORT_OK)
		job->base = (uint64_t)base.number;
	job->state = import_state(row->col[IMPORT_C_STATE]);
	if (import_duration(row->col[IMPORT_C_ELAPSEDRAW], &job->ran_s) !=
	    IMPORT_OK)
		job->ran_s = NAN;
	if (instant(r, row->col[IMPORT_C_START], &job->start_s) < 0 ||
	    instant(r, row->col[IMPORT_C_END], &job->end_s) < 0 ||
	    name_of(r, row->col[IMPORT_C_PARTITION], &job->partition) < 0 ||
	    name_of(r, row->col[IMPORT_C_ACCOUNT], &job->account) < 0 ||
	    name_of(r, row->col[IMPORT_C_QOS], &job->qos) < 0)
		return -1;
	return 1;
}

/* ---- what became of a promise ---- */

/* Set the cause of a promise.
 * Result: 0, or -1 with ENOMEM.
 */
static int set_cause(struct reader *r, struct promise *q, const char *text)
{
	q->cause = promises_name(r->p, text, strlen(text));
	return q->cause == UINT32_MAX ? sim_no_memory(r->err) : 0;
}

/* As slurmctld reports an end (report_end() in plugin/host/lifecycle.c). */
static int set_end(struct reader *r, struct promise *q, const struct job *job)
{
	q->start_s = job->start_s;
	q->end_s = job->end_s;
	q->ran_s = job->ran_s;
	switch (job->state) {
	case IMPORT_NODE_FAIL:
	case IMPORT_BOOT_FAIL:
		q->outcome = PROMISE_LOST;
		return set_cause(r, q, "node_failed");
	case IMPORT_REQUEUED:
	case IMPORT_PREEMPTED:
		q->outcome = PROMISE_LOST;
		return set_cause(r, q, "requeued");
	case IMPORT_DEADLINE:
		q->outcome = PROMISE_LATE;
		return 0;
	default:
		break;
	}
	if (!libra_in_time(job->end_s, q->deadline_s)) {
		q->outcome = PROMISE_LATE;
		if (q->cause == 0 && job->ran_s >= q->estimate_s)
			return set_cause(r, q,
					 "it_ran_for_longer_than_its_estimate");
		return 0;
	}
	q->cause = 0;
	q->outcome = job->state == IMPORT_CANCELLED ? PROMISE_CANCELLED
						    : PROMISE_KEPT;
	return 0;
}

/* Copy account and QOS from a row, and the outcome if no log knows it. */
static int set_state(struct reader *r, struct promise *q, const struct job *job)
{
	q->account = job->account;
	q->qos = job->qos;
	if (job->partition)
		q->partition = job->partition;
	q->from |= PROMISE_FROM_ACCOUNTING;
	if (q->outcome > PROMISE_RUNNING && q->outcome != PROMISE_UNSEEN)
		return 0;
	if (job->state == IMPORT_PENDING)
		q->outcome = PROMISE_WAITING;
	else if (job->state == IMPORT_RUNNING ||
		 job->state == IMPORT_SUSPENDED ||
		 job->state == IMPORT_RESIZING) {
		q->outcome = PROMISE_RUNNING;
		q->start_s = job->start_s;
	} else if (!isnan(job->end_s))
		return set_end(r, q, job);
	return 0;
}

/* ---- promises of the log ---- */

static int compare_ids(const void *a, const void *b)
{
	const struct by_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Sort the promises of the logs by job id. */
static int list_ids(struct reader *r)
{
	r->nids = r->p->n;
	r->ids = calloc(r->nids + 1, sizeof(*r->ids));
	if (!r->ids)
		return sim_no_memory(r->err);
	for (size_t i = 0; i < r->nids; i++)
		r->ids[i] = (struct by_id){r->p->list[i].id, i};
	qsort(r->ids, r->nids, sizeof(*r->ids), compare_ids);
	return 0;
}

/* Return the index of the first promise with a job id in the sorted list. */
static size_t first_of(const struct reader *r, uint64_t id)
{
	size_t low = 0, high = r->nids;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->ids[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The end of a run before the promise is not the promise's: a requeued job has
 * several rows.
 */
static bool is_of(const struct promise *q, const struct job *job)
{
	return !q->replaced && (isnan(job->end_s) || job->end_s >= q->given_s);
}

/* Update the promises of a job in the log.
 * Result: how many there are, or -1.
 */
static int update(struct reader *r, const struct job *job)
{
	int n = 0;

	for (size_t i = first_of(r, job->id);
	     i < r->nids && r->ids[i].id == job->id; i++) {
		struct promise *q = &r->p->list[r->ids[i].place];

		if (!is_of(q, job))
			continue;
		if (set_state(r, q, job) < 0)
			return -1;
		n++;
	}
	/* A task that started while slurmctld's log was away. */
	for (size_t i = first_of(r, job->base);
	     n == 0 && i < r->nids && r->ids[i].id == job->base; i++) {
		struct promise *q = &r->p->list[r->ids[i].place];

		if (!is_of(q, job) ||
		    (q->outcome > PROMISE_RUNNING &&
		     q->outcome != PROMISE_UNSEEN) ||
		    (q->from & PROMISE_FROM_ACCOUNTING))
			continue;
		q->id = job->id;
		if (set_state(r, q, job) < 0)
			return -1;
		n++;
	}
	return n;
}

/* ---- records ---- */

/* Find a word of a record: " deadline=".  Result: its length; 0 = none. */
static size_t word(struct import_text record, const char *name,
		   const char **value)
{
	const char *at = memmem(record.at, record.n, name, strlen(name));
	const char *end = record.at + record.n;
	size_t n = 0;

	if (!at)
		return 0;
	at += strlen(name);
	while (at + n < end && at[n] != ' ')
		n++;
	*value = at;
	return n;
}

/* Return the number at the beginning of n bytes, or NAN. */
static double number(const char *at, size_t n)
{
	char text[40] = "", *end;
	double v;

	memcpy(text, at, n < sizeof(text) ? n : sizeof(text) - 1);
	v = strtod(text, &end);
	return end > text ? v : NAN;
}

/* Return the number behind a word of a record, or NAN. */
static double value(struct import_text record, const char *name)
{
	const char *at;
	size_t n = word(record, name, &at);

	return n ? number(at, n) : NAN;
}

/* The answer to a job that asked when it could start, and was refused:
 * REASON/INSTANT/EARLIEST.
 */
static int add_refusal(struct reader *r, const struct job *job,
		       struct import_text record)
{
	const char *at, *slash, *next;
	size_t n = word(record, " refused=", &at);
	struct promise_answer *a;

	slash = n ? memchr(at, '/', n) : NULL;
	if (!slash)
		return 0;
	a = promises_add_answer(r->p, r->err);
	if (!a)
		return -1;
	n -= (size_t)(slash - at) + 1;
	a->at_s = number(slash + 1, n);
	next = memchr(slash + 1, '/', n);
	if (next)
		a->earliest_s = number(next + 1, n - (size_t)(next - slash));
	a->deadline_s = value(record, " deadline=");
	a->partition = job->partition;
	a->reason = promises_name(r->p, at, (size_t)(slash - at));
	a->verdict = promises_name(r->p, "reject", 6);
	return a->reason == UINT32_MAX || a->verdict == UINT32_MAX
		       ? sim_no_memory(r->err)
		       : 0;
}

/* Find the promise of an offer in an earlier row of the job, or add one. */
static struct promise *of_offer(struct reader *r, const struct job *job,
				const char *offer, size_t n)
{
	struct by_offer *o;
	struct promise *q;

	for (size_t i = r->noffers; i-- > 0;) {
		o = &r->offers[i];
		if (o->id != job->id)
			break;
		if (strlen(o->offer) == n && memcmp(o->offer, offer, n) == 0)
			return &r->p->list[o->place];
	}
	o = sim_grown(r->offers, &r->offers_cap, r->noffers + 1, sizeof(*o));
	if (!o) {
		sim_no_memory(r->err);
		return NULL;
	}
	r->offers = o;
	q = promises_add(r->p, r->err);
	if (!q)
		return NULL;
	o += r->noffers++;
	*o = (struct by_offer){.id = job->id, .place = r->p->n - 1};
	memcpy(o->offer, offer, n);
	return q;
}

/* Add the promise of a record that no log has, or update that of an earlier
 * row.
 * Result: 0, or -1 with ENOMEM.
 */
static int add_promise(struct reader *r, const struct job *job,
		       struct import_text record)
{
	const char *offer, *text = "";
	size_t n = word(record, " offer=", &offer), m;
	double deadline_s = value(record, " deadline="), procs;
	struct promise *q;
	uint32_t cause;

	/* Number 0: it was never promised anything. */
	if (n < 3 || n >= sizeof(r->offers->offer) || !isfinite(deadline_s) ||
	    memcmp(offer + n - 2, ".0", 2) == 0)
		return 0;
	q = of_offer(r, job, offer, n);
	if (!q)
		return -1;
	q->id = job->id;
	q->given_s = value(record, " submit=");
	q->deadline_s = deadline_s;
	q->estimate_s = value(record, " estimate=");
	procs = value(record, " procs=");
	q->procs = procs > 0 && procs <= UINT32_MAX ? (uint32_t)procs : 0;
	q->outcome = PROMISE_WAITING;
	m = word(record, " broken=", &text);
	q->bet = m == 0 && value(record, " late=") > 0;
	if (m)
		q->cause = promises_name(r->p, text, m);
	cause = q->cause;
	if (cause == UINT32_MAX)
		return sim_no_memory(r->err);
	m = word(record, " promise=", &text);
	if (set_state(r, q, job) < 0)
		return -1;
	if (m == 4 && memcmp(text, "lost", 4) == 0) {
		q->outcome = PROMISE_LOST;
		q->cause = cause;
	}
	return 0;
}

/* Did the log see what happened then? */
static bool logged(const struct promises *p, double at_s)
{
	return at_s >= p->first_s && at_s <= p->last_s;
}

/* Handle a row of sacct: update the promises of its job, or add the one of its
 * record.
 */
static int read_row(struct reader *r, const struct import_row *row)
{
	struct import_text record =
		import_trimmed(row->col[IMPORT_C_ADMINCOMMENT]);
	struct job job;
	int rc = read_job(r, row, &job), n;

	if (rc <= 0)
		return rc;
	r->p->rows++;
	n = update(r, &job);
	if (n != 0)
		return n < 0 ? -1 : 0;
	if (record.n < 7 || memcmp(record.at, "libra:", 6) != 0)
		return 0;
	r->p->records++;
	if (!logged(r->p, value(record, " submit=")) &&
	    add_refusal(r, &job, record) < 0)
		return -1;
	return add_promise(r, &job, record);
}

/* Handle all rows.
 * Result: 0, or -1 with errno and text.
 */
static int read_rows(struct reader *r, struct input *in)
{
	struct import_text_reader text = {.n = 0};
	struct import_row row = {.split = false};
	int rc = import_text_begin(&text, in, NULL);

	while (rc == 0) {
		int got = import_text_row(&text, in, &row);

		if (got == IMPORT_ROW_END)
			break;
		if (got == IMPORT_ROW_FAILED)
			rc = -1;
		else if (got == IMPORT_ROW)
			rc = read_row(r, &row);
	}
	import_text_fini(&text);
	return rc;
}

int promises_read_sacct(struct promises *p, const char *path, const char *zone,
			struct libra_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct input in;
	int rc = -1;

	if (!r)
		return sim_no_memory(err);
	r->p = p;
	r->err = err;
	r->in = &in;
	if (import_clock_init(&r->clock, zone, err) == 0 && list_ids(r) == 0 &&
	    input_open(&in, path, err) == 0) {
		rc = read_rows(r, &in);
		input_close(&in);
	}
	free(r->ids);
	free(r->offers);
	free(r);
	return rc;
}
