/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.c - see host.h.
 *
 * An entry is one job, or one task of an array: its ticket of the engine and
 * what Slurm calls it.  Entries of offers nobody has claimed yet have no job
 * id; those of an array's waiting tasks have the id of the array.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/host/calls.h"
#include "plugin/host/conf.h"
#include "plugin/host/host.h"
#include "plugin/host/promise.h"
#include "plugin/host/units.h"

enum { BUCKETS = 4096 };

#define NONE		 UINT32_MAX
#define MAX_ARRAY_OFFERS 10000u

enum entry_state {
	ENTRY_FREE = 0,
	ENTRY_OFFERED,	 /* no job has claimed it yet */
	ENTRY_COMMITTED, /* waits for its start */
	ENTRY_RUNNING,
	ENTRY_REFUSED, /* a queueing policy changed its mind */
};

struct partition;

/* What a job may use of the cluster. */
struct shape {
	const struct partition *part; /* NULL = all nodes */
	uint32_t chunk;		      /* processors of a task */
	uint32_t node_max;	      /* per node; 0 = any */
	uint32_t min_nodes, max_nodes;
};

struct entry {
	uint64_t offer, ticket;
	struct libra_job job;
	struct shape shape;
	double share;
	uint32_t job_id;
	uint32_t next; /* of the bucket, or of the free list */
	enum entry_state state;
	bool may_start;	  /* the engine said START */
	bool news;	  /* the job's record does not say so yet */
	double blocked_s; /* seen held since; 0 = not */
};

struct partition {
	char *name;
	uint32_t max_minutes;
	struct libra_range *allowed; /* its processors; NULL = all */
	uint32_t nallowed;
};

static struct {
	pthread_mutex_t lock;
	const struct libra_host_ops *ops;
	struct libra_host_conf conf;
	struct libra_calls calls;
	bool ready;

	/* The engine's nodes: those of managed partitions. */
	uint32_t nnodes;
	char **names;
	uint32_t *procs;
	uint32_t *first;      /* processor; nnodes + 1 of them */
	uint32_t *slurm_node; /* Slurm's index */
	enum libra_node_state *state;
	struct partition *parts;
	uint32_t nparts;
	char *default_partition;
	uint32_t cpus_per_proc;

	struct entry *entries;
	uint32_t nentries, cap, free_list;
	uint32_t bucket[BUCKETS];
	uint64_t last_offer;
	uint64_t last_epoch;
	double scheduled_s;
	bool news; /* some running job's record is out of date */
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- small things -------------------------------------------------------- */

static void say(enum libra_host_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(enum libra_host_level level, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!host.ops || !host.ops->log)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	host.ops->log(level, text);
}

static void report_error(const char *text)
{
	say(LIBRA_HOST_ERROR, "%s", text);
}

static void report_conf(void *arg, const char *text)
{
	report_error(text);
}

static double clock_s(void)
{
	struct timespec ts;

	if (host.ops && host.ops->now_s)
		return host.ops->now_s();
	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* --- entries ------------------------------------------------------------- */

static void clear_entries(void)
{
	free(host.entries);
	host.entries = NULL;
	host.nentries = host.cap = 0;
	host.free_list = NONE;
	for (int i = 0; i < BUCKETS; i++)
		host.bucket[i] = NONE;
}

static struct entry *new_entry(void)
{
	struct entry *more;
	uint32_t cap, i;

	if (host.free_list != NONE) {
		i = host.free_list;
		host.free_list = host.entries[i].next;
	} else {
		if (host.nentries == host.cap) {
			cap = host.cap ? 2 * host.cap : 64;
			more = realloc(host.entries, cap * sizeof(*more));
			if (!more)
				return NULL;
			host.entries = more;
			host.cap = cap;
		}
		i = host.nentries++;
	}
	host.entries[i] = (struct entry){.next = NONE};
	return &host.entries[i];
}

static void unlink_entry(struct entry *e)
{
	uint32_t *at = &host.bucket[e->job_id % BUCKETS];
	uint32_t index = (uint32_t)(e - host.entries);

	if (e->job_id == 0)
		return;
	while (*at != index)
		at = &host.entries[*at].next;
	*at = e->next;
	e->next = NONE;
	e->job_id = 0;
}

static void link_entry(struct entry *e, uint32_t job_id)
{
	unlink_entry(e);
	e->job_id = job_id;
	e->next = host.bucket[job_id % BUCKETS];
	host.bucket[job_id % BUCKETS] = (uint32_t)(e - host.entries);
}

static void free_entry(struct entry *e)
{
	unlink_entry(e);
	*e = (struct entry){.next = host.free_list};
	host.free_list = (uint32_t)(e - host.entries);
}

/* The entry of a job with the lowest offer, running ones apart. */
static struct entry *find_job(uint32_t job_id, bool running)
{
	struct entry *best = NULL, *e;
	uint32_t i;

	for (i = host.bucket[job_id % BUCKETS]; i != NONE; i = e->next) {
		e = &host.entries[i];
		if (e->job_id != job_id ||
		    (e->state == ENTRY_RUNNING) != running)
			continue;
		if (!best || e->offer < best->offer)
			best = e;
	}
	return best;
}

/* The lowest unstarted entry of offers first..first+n-1. */
static struct entry *find_offer(uint64_t first, uint32_t n)
{
	struct entry *best = NULL, *e;

	for (uint32_t i = 0; i < host.nentries; i++) {
		e = &host.entries[i];
		if (e->state != ENTRY_OFFERED && e->state != ENTRY_COMMITTED)
			continue;
		if (e->offer < first || e->offer - first >= n)
			continue;
		if (!best || e->offer < best->offer)
			best = e;
	}
	return best;
}

static struct entry *find_ticket(uint64_t ticket)
{
	for (uint32_t i = 0; i < host.nentries; i++)
		if (host.entries[i].state != ENTRY_FREE &&
		    host.entries[i].ticket == ticket)
			return &host.entries[i];
	return NULL;
}

/* --- the engine's news ---------------------------------------------------- */

static void act(const struct libra_action *action)
{
	struct entry *e = find_ticket(action->ticket);

	if (!e)
		return;
	if (action->kind == LIBRA_ACTION_START) {
		e->may_start = true;
	} else if (e->state == ENTRY_OFFERED) {
		say(LIBRA_HOST_INFO, "offer %llu was not taken up: expired",
		    (unsigned long long)e->offer);
		free_entry(e);
	} else {
		e->state = ENTRY_REFUSED;
		e->ticket = 0;
	}
}

/* The records of a group's jobs shall tell their progress. */
static void reshared(uint32_t group)
{
	const struct libra_group *g =
		libra_engine_group(host.calls.engine, group);
	struct entry *e;

	for (uint32_t i = 0; g && i < g->ntasks; i++) {
		e = find_ticket(libra_engine_ticket(host.calls.engine,
						    g->tasks[i].job));
		if (e && e->state == ENTRY_RUNNING)
			e->news = host.news = true;
	}
}

static void take_actions(void)
{
	struct libra_action action;

	while (libra_calls_next_action(&host.calls, &action)) {
		if (action.kind == LIBRA_ACTION_RESHARE)
			reshared(action.group);
		else
			act(&action);
	}
}

/* Take a job that is not running off the engine. */
static void drop(struct entry *e, double now_s)
{
	if (e->ticket)
		libra_calls_withdraw(&host.calls, e->ticket, now_s);
	free_entry(e);
}

static void follow_nodes(double now_s)
{
	enum libra_node_state state;

	if (!host.ops || !host.ops->node_state)
		return;
	for (uint32_t i = 0; i < host.nnodes; i++) {
		state = host.ops->node_state(host.slurm_node[i]);
		if (state == host.state[i])
			continue;
		if (libra_calls_node(&host.calls, i, state, now_s) == 0)
			host.state[i] = state;
	}
}

/* A job that is gone, or has been held for longer than an offer lives, gives
 * back what it was promised.
 */
static bool stale(struct entry *e, double now_s)
{
	if (!host.ops || !host.ops->job_state)
		return false;
	switch (host.ops->job_state(e->job_id)) {
	case LIBRA_JOB_GONE:
		return true;
	case LIBRA_JOB_BLOCKED:
		if (e->blocked_s == 0)
			e->blocked_s = now_s;
		return now_s - e->blocked_s > host.conf.offer_ttl_s;
	default:
		e->blocked_s = 0;
		return false;
	}
}

/* Result: how many promises came back. */
static uint32_t sweep(double now_s)
{
	struct entry *e;
	uint32_t n = 0;

	for (uint32_t i = 0; i < host.nentries; i++) {
		e = &host.entries[i];
		if (e->state != ENTRY_COMMITTED && e->state != ENTRY_REFUSED)
			continue;
		if (!stale(e, now_s))
			continue;
		say(LIBRA_HOST_DEBUG, "job %u gave back its promise",
		    e->job_id);
		drop(e, now_s);
		n++;
	}
	return n;
}

/* Bring the engine up to date.  Sweeping the jobs costs their number: once a
 * second is soon enough, but a refusal is said after a sweep.
 */
static void catch_up(double now_s)
{
	if (libra_declog_check(&host.calls.log, now_s))
		libra_calls_log_engine(&host.calls, now_s);
	follow_nodes(now_s);
	if (fabs(now_s - host.scheduled_s) >= 1.0) {
		sweep(now_s);
		libra_calls_schedule(&host.calls, now_s);
		host.scheduled_s = now_s;
	}
	take_actions();
}

/* --- promises ------------------------------------------------------------- */

static uint32_t node_of(uint32_t proc)
{
	uint32_t lo = 0, hi = host.nnodes;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (host.first[mid] <= proc)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Read where a ticket is promised, as parts of nodes.
 * Result: 0, or -1.
 */
static int read_parts(uint64_t ticket, struct libra_host_placement *p)
{
	struct libra_range r;
	uint32_t node, n;
	size_t cap;
	struct libra_host_part *more;

	p->nparts = 0;
	if (libra_calls_placement(&host.calls, ticket) < 0)
		return -1;
	for (size_t i = 0; i < host.calls.nranges; i++) {
		r = host.calls.ranges[i];
		while (r.count) {
			node = node_of(r.first);
			n = host.first[node + 1] - r.first;
			if (n > r.count)
				n = r.count;
			if (p->nparts == p->cap) {
				cap = p->cap ? 2 * p->cap : 16;
				more = realloc(p->parts, cap * sizeof(*more));
				if (!more)
					return -1;
				p->parts = more;
				p->cap = cap;
			}
			p->parts[p->nparts++] = (struct libra_host_part){
				.node = node,
				.first = r.first - host.first[node],
				.count = n};
			r.first += n;
			r.count -= n;
		}
	}
	return 0;
}

/* The job's task in a group, or NULL. */
static const struct libra_task *task_of(const struct libra_group *group,
					uint64_t ticket)
{
	for (uint32_t i = 0; group && i < group->ntasks; i++)
		if (group->tasks[i].job == libra_ticket_job(ticket))
			return &group->tasks[i];
	return NULL;
}

/* Processors from first on that are in one group, count at the most. */
static uint32_t same_group(uint32_t first, uint32_t count, uint32_t *group)
{
	uint32_t n = 1;

	*group = libra_engine_group_of(host.calls.engine, first);
	while (n < count &&
	       libra_engine_group_of(host.calls.engine, first + n) == *group)
		n++;
	return n;
}

/* Where a job is ("n1:0-3,n2:0"), and what it has left there. */
static void write_parts(FILE *on, FILE *left, const struct entry *e,
			const struct libra_host_placement *p)
{
	const char *comma = "";

	for (size_t i = 0; i < p->nparts; i++) {
		struct libra_host_part part = p->parts[i];
		uint32_t proc = host.first[part.node] + part.first, group, n;

		for (; part.count;
		     part.count -= n, proc += n, part.first += n) {
			const struct libra_group *g;
			const struct libra_task *task;

			n = same_group(proc, part.count, &group);
			fprintf(on, "%s%s:%u", comma, host.names[part.node],
				part.first);
			if (n > 1)
				fprintf(on, "-%u", part.first + n - 1);
			g = group == UINT32_MAX
				    ? NULL
				    : libra_engine_group(host.calls.engine,
							 group);
			task = task_of(g, e->ticket);
			if (task && task->running)
				fprintf(left, "%s%.17g/%.17g/%.17g", comma,
					task->est_left_s, task->rate,
					g->since_s);
			comma = ",";
		}
	}
}

static void fill_promise(const struct entry *e, uint32_t tasks,
			 struct libra_promise *p)
{
	*p = (struct libra_promise){
		.epoch = host.calls.epoch,
		.offer = e->offer,
		.tasks = tasks,
		.nprocs = e->job.nprocs,
		.estimate_s = e->job.estimate_s,
		.deadline_s = e->job.deadline_s,
		.submit_s = e->job.submit_s,
		.share = e->share,
		.chunk = e->shape.chunk,
		.node_max = e->shape.node_max,
		.min_nodes = e->shape.min_nodes,
		.max_nodes = e->shape.max_nodes,
	};
	if (e->shape.part) {
		p->part = e->shape.part->name;
		p->part_len = strlen(p->part);
	}
}

static char *comment_of(const struct entry *e, uint32_t tasks)
{
	struct libra_host_placement placement = {0};
	char *on = NULL, *left = NULL, *text = NULL;
	size_t on_len = 0, left_len = 0;
	FILE *on_file = open_memstream(&on, &on_len);
	FILE *left_file = open_memstream(&left, &left_len);
	struct libra_promise p;

	fill_promise(e, tasks, &p);
	if (on_file && left_file) {
		if (tasks == 1 && e->ticket &&
		    read_parts(e->ticket, &placement) == 0)
			write_parts(on_file, left_file, e, &placement);
		fflush(on_file);
		fflush(left_file);
		p.on = on;
		p.on_len = on_len;
		p.left = left;
		p.left_len = left_len;
		text = libra_promise_format(&p);
	}
	if (on_file)
		fclose(on_file);
	if (left_file)
		fclose(left_file);
	free(on);
	free(left);
	free(placement.parts);
	return text;
}

/* --- offers --------------------------------------------------------------- */

/* The terms of the core.  For one call: the job points to where. */
static void set_where(const struct shape *shape, struct libra_job *job,
		      struct libra_where *where)
{
	*where = (struct libra_where){
		.chunk = shape->chunk,
		.node_max = shape->node_max,
		.min_nodes = shape->min_nodes > 1 ? shape->min_nodes : 0,
		.max_nodes = shape->max_nodes,
	};
	if (shape->part) {
		where->allowed = shape->part->allowed;
		where->nallowed = shape->part->nallowed;
	}
	/* Most jobs may be anywhere: the log and the engine are spared. */
	if (where->allowed || where->chunk > 1 || where->node_max ||
	    where->min_nodes || where->max_nodes)
		job->where = where;
}

/* Ask the engine.  Result: the verdict's answer, or -1. */
static int ask(const struct libra_job *job, const struct shape *shape,
	       double now_s, struct libra_verdict *verdict,
	       struct libra_error *err)
{
	struct libra_where where;
	struct libra_job placed = *job;

	set_where(shape, &placed, &where);
	if (libra_calls_offer(&host.calls, &placed, now_s, verdict, err) < 0)
		return -1;
	return (int)verdict->answer;
}

static double earliest(const struct libra_job *job, const struct shape *shape,
		       double now_s)
{
	struct libra_where where;
	struct libra_job placed = *job;

	set_where(shape, &placed, &where);
	return libra_calls_earliest(&host.calls, &placed, now_s);
}

/* --- replies -------------------------------------------------------------- */

static void reply_text(struct libra_host_reply *reply, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void reply_text(struct libra_host_reply *reply, const char *fmt, ...)
{
	va_list ap;
	char *line = NULL, *both = NULL;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	if (line && reply->text &&
	    asprintf(&both, "%s\n%s", reply->text, line) >= 0) {
		free(reply->text);
		free(line);
		reply->text = both;
	} else if (line && !reply->text) {
		reply->text = line;
	} else {
		free(line);
	}
}

static int unacceptable(struct libra_host_reply *reply, const char *text)
{
	reply->answer = LIBRA_HOST_UNACCEPTABLE;
	reply_text(reply, "libra: %s", text);
	return 0;
}

static void clock_text(double at_s, char text[32])
{
	time_t t = (time_t)ceil(at_s);
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		strcpy(text, "?");
}

static void refuse(struct libra_host_reply *reply, const struct libra_job *job,
		   enum libra_reason reason, const struct shape *shape,
		   double now_s)
{
	char asked[32], best[32];
	double at_s;

	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = reason;
	clock_text(job->deadline_s, asked);
	reply_text(reply,
		   "libra: refused (%s): %u processor%s for %.0f s by %s "
		   "need%s a share of %.2f each",
		   libra_reason_name(reason), job->nprocs,
		   job->nprocs == 1 ? "" : "s", job->estimate_s, asked,
		   job->nprocs == 1 ? "s" : "",
		   job->estimate_s / (job->deadline_s - now_s));
	if (reason == LIBRA_REASON_TOO_LARGE) {
		reply_text(reply, "libra: there are %u processors",
			   host.first[host.nnodes]);
		return;
	}
	at_s = earliest(job, shape, now_s);
	if (!isfinite(at_s)) {
		reply_text(reply, "libra: no deadline would do now");
		return;
	}
	/* A minute to read this and to submit again. */
	clock_text(at_s, best);
	reply_text(reply, "libra: earliest deadline now: %s", best);
	clock_text(at_s + 60.0, best);
	reply_text(reply, "libra: try --deadline=%s", best);
}

/* The time limit a promised job gets: none before its deadline and grace. */
static uint32_t limit_minutes(const struct libra_job *job,
			      const struct partition *part, double now_s)
{
	uint32_t minutes = UINT32_MAX; /* INFINITE */

	if (isfinite(host.conf.grace_s) && isfinite(job->deadline_s))
		minutes = libra_host_minutes(job->deadline_s - now_s +
					     host.conf.grace_s);
	if (part && part->max_minutes < minutes)
		minutes = part->max_minutes;
	return minutes;
}

static void accept(struct libra_host_reply *reply, const struct libra_job *job,
		   const struct libra_verdict *verdict, uint32_t tasks)
{
	char by[32], each[32] = "";

	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->share = verdict->share;
	if (tasks > 1)
		snprintf(each, sizeof(each), "%u tasks, each ", tasks);
	if (verdict->answer == LIBRA_QUEUE) {
		reply_text(reply, "libra: queued: %s%u processor%s", each,
			   job->nprocs, job->nprocs == 1 ? "" : "s");
		return;
	}
	/* Rates are handed out so that a job ends at its deadline; over-booked
	 * processors (share above 1) can do no better than the estimate.
	 */
	clock_text(fmax(job->deadline_s, job->submit_s + job->estimate_s), by);
	reply_text(reply,
		   "libra: accepted: %sshare %.2f of %u processor%s, "
		   "finish expected by %s",
		   each, verdict->share, job->nprocs,
		   job->nprocs == 1 ? "" : "s", by);
}

/* --- submit --------------------------------------------------------------- */

static const struct partition *find_partition(const char *name, size_t len)
{
	for (uint32_t i = 0; i < host.nparts; i++)
		if (strlen(host.parts[i].name) == len &&
		    strncmp(host.parts[i].name, name, len) == 0)
			return &host.parts[i];
	return NULL;
}

/* The managed partition of a request; *several: of some of many. */
static const struct partition *managed(const char *names, bool *several)
{
	const struct partition *found = NULL;
	const char *end;
	uint32_t n = 0;

	*several = false;
	if (!names || !*names)
		names = host.default_partition;
	for (; names && *names; names = *end ? end + 1 : end) {
		end = strchrnul(names, ',');
		n++;
		if (!found)
			found = find_partition(names, (size_t)(end - names));
	}
	*several = found && n > 1;
	return found;
}

static struct shape shape_of(const struct libra_host_request *r,
			     const struct partition *part)
{
	uint32_t per = host.cpus_per_proc;
	struct shape s = {.part = part, .chunk = 1};

	if (r->cpus_per_task > 1)
		s.chunk = (r->cpus_per_task + per - 1) / per;
	s.node_max = r->tasks_per_node * s.chunk;
	s.min_nodes = r->min_nodes;
	s.max_nodes = r->max_nodes;
	return s;
}

static uint32_t procs_of(const struct libra_host_request *r,
			 const struct shape *shape)
{
	uint32_t n = (r->ncpus + host.cpus_per_proc - 1) / host.cpus_per_proc;

	if (n < r->min_nodes * shape->chunk)
		n = r->min_nodes * shape->chunk;
	return n ? n : 1;
}

/* What no policy has to be asked about.  Result: true if reply is final. */
static bool plain_answer(const struct libra_host_request *r, double now_s,
			 bool several, struct libra_host_reply *reply)
{
	bool without =
		!isfinite(r->deadline_s) && host.conf.policy->needs_deadline;

	if (without && host.conf.no_deadline != LIBRA_NO_DEADLINE_REJECT) {
		if (host.conf.no_deadline == LIBRA_NO_DEADLINE_BEST_EFFORT)
			reply->answer = LIBRA_HOST_BEST_EFFORT;
		return true;
	}
	if (without) {
		unacceptable(reply, "this partition needs a deadline: "
				    "--deadline=TIME (now+2hours, for "
				    "instance), and --time for the estimate");
		return true;
	}
	if (several)
		unacceptable(reply, "name one partition: a promise is given "
				    "for the processors of one");
	else if (r->component)
		unacceptable(reply, "a heterogeneous job cannot have a "
				    "deadline: submit its parts as jobs");
	else if (isnan(r->estimate_s))
		unacceptable(reply, "a job with a deadline needs an estimate "
				    "of its run time: --time=TIME");
	else if (!isfinite(r->estimate_s) || r->estimate_s <= 0)
		unacceptable(reply, "--time must be a positive time, not "
				    "unlimited: it is the estimate");
	else if (r->deadline_s <= now_s)
		unacceptable(reply, "the deadline is in the past");
	else
		return false;
	return true;
}

/* One offer, held for whoever claims it.
 * Result: as ask().
 */
static int offer_one(const struct libra_job *job, const struct shape *shape,
		     double now_s, struct libra_verdict *verdict,
		     struct libra_error *err)
{
	int answer = ask(job, shape, now_s, verdict, err);
	struct entry *e;

	if (answer != LIBRA_ACCEPT && answer != LIBRA_QUEUE)
		return answer;
	e = new_entry();
	if (!e) {
		libra_calls_withdraw(&host.calls, verdict->ticket, now_s);
		errno = ENOMEM;
		return -1;
	}
	e->offer = ++host.last_offer;
	e->ticket = verdict->ticket;
	e->job = *job;
	e->shape = *shape;
	e->share = verdict->share;
	e->state = ENTRY_OFFERED;
	return answer;
}

/* Offers for all tasks of a request, or for none.
 * Result: 0, or -1 with ENOMEM.
 */
static int offer_all(const struct libra_job *job, uint32_t tasks,
		     const struct shape *shape, double now_s,
		     struct libra_host_reply *reply)
{
	uint64_t first = host.last_offer + 1;
	struct libra_error err = {0};
	struct libra_verdict v = {0};
	struct entry *e;
	int answer = -1, saved;

	for (uint32_t i = 0; i < tasks; i++) {
		answer = offer_one(job, shape, now_s, &v, &err);
		if (answer != LIBRA_ACCEPT && answer != LIBRA_QUEUE)
			break;
	}
	if (answer == LIBRA_ACCEPT || answer == LIBRA_QUEUE) {
		accept(reply, job, &v, tasks);
		return 0;
	}
	saved = errno;
	while (host.last_offer >= first && (e = find_offer(first, tasks)))
		drop(e, now_s);
	if (answer < 0 && saved == EINVAL)
		return unacceptable(reply, err.text);
	errno = saved;
	if (answer < 0)
		return -1;
	refuse(reply, job, v.reason, shape, now_s);
	return 0;
}

/* The comment of an offer just made, and what the job shall be told. */
static int fill_reply(struct libra_host_reply *reply,
		      const struct libra_job *job, uint64_t first,
		      uint32_t tasks, const struct shape *shape, double now_s)
{
	struct entry none = {.job = *job, .shape = *shape};
	struct entry *e = first ? find_offer(first, 1) : &none;

	if (e)
		reply->comment = comment_of(e, tasks);
	if (!reply->comment) {
		errno = ENOMEM;
		return -1;
	}
	reply->estimate_s = job->estimate_s;
	reply->deadline_s = job->deadline_s;
	reply->minutes = limit_minutes(job, shape->part, now_s);
	return 0;
}

/* A promise for a job that may not start now would be a guess: hold nothing,
 * and refuse only what can never be.
 */
static void promise_later(const struct libra_job *job, double now_s,
			  struct libra_host_reply *reply)
{
	if (job->nprocs > host.first[host.nnodes]) {
		reply->answer = LIBRA_HOST_REFUSED;
		reply->reason = LIBRA_REASON_TOO_LARGE;
		reply_text(reply,
			   "libra: refused (too_large): there are %u "
			   "processors",
			   host.first[host.nnodes]);
		return;
	}
	if (now_s + job->estimate_s > job->deadline_s) {
		unacceptable(reply, "the estimate ends after the deadline");
		return;
	}
	reply->answer = LIBRA_HOST_ACCEPTED;
	reply_text(reply, "libra: no promise yet: the job is held, depends on "
			  "another or begins later; it will be asked for when "
			  "it may start");
}

static int submit(const struct libra_host_request *r,
		  const struct partition *part, uint32_t tasks, double now_s,
		  struct libra_host_reply *reply)
{
	struct shape shape = shape_of(r, part);
	struct libra_job job = {
		.submit_s = now_s,
		.estimate_s = r->estimate_s,
		.deadline_s = r->deadline_s,
		.nprocs = procs_of(r, &shape),
		.user = r->user,
	};
	uint64_t first = host.last_offer + 1;

	if (r->blocked) {
		first = 0;
		promise_later(&job, now_s, reply);
	} else if (offer_all(&job, tasks, &shape, now_s, reply) < 0) {
		return -1;
	}
	if (reply->answer == LIBRA_HOST_REFUSED && tasks > 1)
		reply_text(reply,
			   "libra: all %u tasks of an array are promised, or "
			   "none",
			   tasks);
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return 0;
	return fill_reply(reply, &job, first, tasks, &shape, now_s);
}

int libra_host_submit(const struct libra_host_request *r,
		      struct libra_host_reply *reply)
{
	const struct partition *part;
	bool several, limited = false;
	uint32_t tasks = 1;
	double now_s;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	pthread_mutex_lock(&host.lock);
	if (!host.ready)
		goto out;
	now_s = clock_s();
	part = managed(r->partition, &several);
	if (!part || plain_answer(r, now_s, several, reply))
		goto out;
	if (r->array) {
		tasks = libra_host_array_tasks(r->array, &limited);
		if (limited || tasks == 0 || tasks > MAX_ARRAY_OFFERS) {
			rc = unacceptable(
				reply,
				limited ? "--array with %limit: tasks that "
					  "must wait cannot have a promise"
					: "--array: no expression of at most "
					  "10000 tasks");
			goto out;
		}
	}
	catch_up(now_s);
	rc = submit(r, part, tasks, now_s, reply);
	/* A job may just have gone: look, and ask once more. */
	if (rc == 0 && reply->answer == LIBRA_HOST_REFUSED &&
	    sweep(now_s) > 0) {
		libra_host_reply_fini(reply);
		*reply = (struct libra_host_reply){0};
		rc = submit(r, part, tasks, now_s, reply);
	}
	take_actions();
out:
	if (rc < 0) {
		libra_host_reply_fini(reply);
		reply->answer = LIBRA_HOST_STOCK;
	}
	pthread_mutex_unlock(&host.lock);
	return rc;
}

void libra_host_reply_fini(struct libra_host_reply *reply)
{
	free(reply->text);
	free(reply->comment);
	reply->text = NULL;
	reply->comment = NULL;
}

/* --- modify --------------------------------------------------------------- */

/* Re-admit a waiting job: the new offer beside the old one, then instead of
 * it.  So a refusal has changed nothing.
 */
static int readmit(struct entry *e, const struct libra_host_request *change,
		   double now_s, struct libra_host_reply *reply)
{
	struct shape shape = e->shape;
	struct libra_job job = e->job;
	uint32_t job_id = e->job_id;
	uint64_t old = e->offer, first = host.last_offer + 1;
	struct entry *fresh;

	if (!isnan(change->estimate_s))
		job.estimate_s = change->estimate_s;
	if (!isnan(change->deadline_s))
		job.deadline_s = change->deadline_s;
	if (change->ncpus) {
		shape = shape_of(change, e->shape.part);
		job.nprocs = procs_of(change, &shape);
	}
	job.id = 0;
	job.submit_s = now_s;
	if (!isfinite(job.estimate_s) || job.estimate_s <= 0 ||
	    job.deadline_s <= now_s)
		return unacceptable(reply, "a promised job needs a positive "
					   "estimate and a deadline to come");
	if (offer_all(&job, 1, &shape, now_s, reply) < 0)
		return -1;
	if (reply->answer != LIBRA_HOST_ACCEPTED)
		return 0;
	fresh = find_offer(first, 1);
	libra_calls_commit(&host.calls, fresh->ticket, job_id, now_s);
	fresh->state = ENTRY_COMMITTED;
	fresh->job.id = job_id;
	fresh->news = true;
	link_entry(fresh, job_id);
	e = find_offer(old, 1);
	if (e)
		drop(e, now_s);
	take_actions();
	return fill_reply(reply, &job, first, 1, &shape, now_s);
}

/* New numbers for a job that stays where it is.
 * Result: 1 if accepted, 0 if refused, or -1.
 */
static int modify_there(struct entry *e,
			const struct libra_host_request *change, double now_s,
			struct libra_host_reply *reply)
{
	struct libra_job job = e->job;
	struct libra_verdict v = {0};
	struct libra_error err = {0};

	if (!isnan(change->estimate_s))
		job.estimate_s = change->estimate_s;
	if (!isnan(change->deadline_s))
		job.deadline_s = change->deadline_s;
	if (libra_calls_modify(&host.calls, e->ticket, &job, now_s, &v, &err) <
	    0) {
		unacceptable(reply, *err.text ? err.text
					      : "the policy cannot change it");
		return -1;
	}
	if (v.answer != LIBRA_ACCEPT)
		return 0;
	e->job = job;
	e->share = v.share;
	e->news = host.news = true;
	accept(reply, &job, &v, 1);
	reply->minutes = limit_minutes(&job, e->shape.part, now_s);
	take_actions();
	return 1;
}

static int modify(struct entry *e, const struct libra_host_request *change,
		  double now_s, struct libra_host_reply *reply)
{
	bool running = e->state == ENTRY_RUNNING;
	int rc;

	if (change->ncpus == 0) {
		rc = modify_there(e, change, now_s, reply);
		if (rc != 0)
			return 0;
	}
	if (!running)
		return readmit(e, change, now_s, reply);
	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = LIBRA_REASON_NO_SHARE;
	reply_text(reply, change->ncpus
				  ? "libra: a promised job cannot change its "
				    "size while it runs"
				  : "libra: refused (no_share): its processors "
				    "have promised too much to others");
	return 0;
}

int libra_host_modify(const void *record,
		      const struct libra_host_request *change,
		      struct libra_host_reply *reply)
{
	struct entry *e = NULL;
	uint32_t job_id;
	double now_s;
	int rc = 0;

	*reply = (struct libra_host_reply){.answer = LIBRA_HOST_STOCK};
	pthread_mutex_lock(&host.lock);
	if (!host.ready || !host.ops->job_id)
		goto out;
	job_id = host.ops->job_id(record);
	now_s = clock_s();
	catch_up(now_s);
	e = find_job(job_id, true);
	if (!e)
		e = find_job(job_id, false);
	if (e && (e->state == ENTRY_COMMITTED || e->state == ENTRY_RUNNING))
		rc = modify(e, change, now_s, reply);
out:
	pthread_mutex_unlock(&host.lock);
	return rc;
}

/* --- what happens to jobs --------------------------------------------------
 */

static bool commit_entry(struct entry *e, uint32_t job_id, double now_s)
{
	if (libra_calls_commit(&host.calls, e->ticket, job_id, now_s) < 0)
		return false;
	e->state = ENTRY_COMMITTED;
	e->job.id = job_id;
	link_entry(e, job_id);
	return true;
}

static struct shape recorded_shape(const struct libra_promise *p)
{
	return (struct shape){
		.part = find_partition(p->part ? p->part : "", p->part_len),
		.chunk = p->chunk,
		.node_max = p->node_max,
		.min_nodes = p->min_nodes,
		.max_nodes = p->max_nodes,
	};
}

/* Ask anew for a job that has a comment of ours but no offer.  Of an array as
 * many as there is room for: its tasks are jobs.
 */
static struct entry *renew(const struct libra_host_job *job,
			   const struct libra_promise *p, double now_s)
{
	struct shape shape = recorded_shape(p);
	struct libra_verdict v;
	struct libra_job ask_for = {
		.submit_s = now_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.nprocs = p->nprocs,
	};
	uint32_t tasks = job->array && job->waiting ? job->waiting : 1;
	struct entry *e;
	int answer;

	while (tasks-- > 0) {
		answer = offer_one(&ask_for, &shape, now_s, &v, NULL);
		if (answer != LIBRA_ACCEPT && answer != LIBRA_QUEUE)
			break;
		e = find_offer(host.last_offer, 1);
		if (!e || !commit_entry(e, job->job_id, now_s))
			break;
		e->news = true;
	}
	take_actions();
	e = find_job(job->job_id, false);
	if (e)
		say(LIBRA_HOST_INFO, "job %u: promised anew", job->job_id);
	return e;
}

/* The entry of a job that has not started: known, claimed now, or NULL. */
static struct entry *claim(const struct libra_host_job *job,
			   const struct libra_promise *p, double now_s)
{
	struct entry *e = find_job(job->job_id, false), *next;
	uint64_t offer;

	if (e)
		return e;
	if (p->epoch != host.calls.epoch || p->offer == 0)
		return NULL;
	e = find_offer(p->offer, p->tasks);
	if (!e)
		return NULL;
	if (e->state == ENTRY_COMMITTED) /* of the array it was split from */
		return e;
	if (!job->array) {
		return commit_entry(e, job->job_id, now_s) ? e : NULL;
	}
	for (offer = p->offer; offer < p->offer + p->tasks; offer++) {
		next = find_offer(offer, 1);
		if (next && next->state == ENTRY_OFFERED)
			commit_entry(next, job->job_id, now_s);
	}
	return find_job(job->job_id, false);
}

/* May the nodes of a placement be used? */
static bool nodes_up(const struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++)
		if (host.state[p->parts[i].node] != LIBRA_NODE_UP)
			return false;
	return true;
}

/* From the engine's index of nodes to Slurm's. */
static void slurm_nodes(struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++)
		p->parts[i].node = host.slurm_node[p->parts[i].node];
}

static bool too_late(const struct libra_promise *p, double now_s)
{
	return now_s + p->estimate_s > p->deadline_s + 1e-6;
}

/* What a job's record shall say of its promise from now on. */
static void tell_news(struct entry *e, const struct libra_host_job *job,
		      struct libra_host_placement *placement)
{
	if (!e->news)
		return;
	placement->comment = comment_of(e, job->array ? job->waiting : 1);
	e->news = placement->comment == NULL;
}

static enum libra_host_place place(const struct libra_host_job *job,
				   const struct libra_promise *p, double now_s,
				   struct libra_host_placement *placement)
{
	struct entry *e = claim(job, p, now_s);

	take_actions();
	if (e && e->state == ENTRY_REFUSED)
		return LIBRA_PLACE_END;
	if (e && read_parts(e->ticket, placement) == 0 &&
	    placement->nparts > 0 && !nodes_up(placement)) {
		drop(e, now_s);
		e = NULL;
	}
	if (!e && !job->look_only)
		e = renew(job, p, now_s);
	if (!e && job->look_only)
		return LIBRA_PLACE_WAIT;
	if (!e)
		return too_late(p, now_s) ? LIBRA_PLACE_END : LIBRA_PLACE_WAIT;
	if (!e->may_start || read_parts(e->ticket, placement) < 0 ||
	    placement->nparts == 0)
		return LIBRA_PLACE_WAIT;
	tell_news(e, job, placement);
	slurm_nodes(placement);
	return LIBRA_PLACE_HERE;
}

enum libra_host_place libra_host_place(const struct libra_host_job *job,
				       struct libra_host_placement *placement)
{
	enum libra_host_place answer = LIBRA_PLACE_STOCK;
	struct libra_promise p;
	double now_s;

	placement->nparts = 0;
	placement->comment = NULL;
	if (libra_promise_parse(job->comment, &p) < 0)
		return answer;
	pthread_mutex_lock(&host.lock);
	if (host.ready) {
		now_s = clock_s();
		catch_up(now_s);
		answer = place(job, &p, now_s, placement);
	}
	pthread_mutex_unlock(&host.lock);
	return answer;
}

static uint32_t find_node(const char *name, size_t len)
{
	for (uint32_t i = 0; i < host.nnodes; i++)
		if (strlen(host.names[i]) == len &&
		    strncmp(host.names[i], name, len) == 0)
			return i;
	return NONE;
}

/* The parts of a record in the engine's terms: what is left of each is what
 * was left, less what its rate has done since.
 * Result: how many, or 0 if they are not of this cluster.
 */
static uint32_t record_parts(const struct libra_promise *p, double now_s,
			     struct libra_part *parts, uint32_t cap)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	uint32_t n = 0, node;

	while (n < cap && libra_promise_part(p, &at, &part)) {
		node = find_node(part.node, part.node_len);
		if (node == NONE || part.first >= host.procs[node] ||
		    part.count > host.procs[node] - part.first)
			return 0;
		parts[n] = (struct libra_part){
			.procs = {host.first[node] + part.first, part.count},
			.est_left_s = p->estimate_s,
		};
		if (part.begun)
			parts[n].est_left_s =
				part.left_s -
				part.rate * fmax(0, now_s - part.since_s);
		n++;
	}
	return at.on == p->on_len ? n : 0;
}

/* A job of the state file gets back its processors, on which it may have been
 * running all the time.
 */
static struct entry *restore(const struct libra_host_job *job,
			     const struct libra_promise *p, bool running,
			     double now_s)
{
	struct libra_part *parts = calloc(p->on_len / 3 + 1, sizeof(*parts));
	struct libra_error err = {0};
	struct libra_job again = {
		.id = job->job_id,
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.nprocs = p->nprocs,
	};
	struct entry *e = NULL;
	uint64_t ticket;
	uint32_t n = 0;

	if (parts)
		n = record_parts(p, now_s, parts, (uint32_t)p->on_len / 3 + 1);
	if (n && libra_calls_restore(&host.calls, &again, parts, n, running,
				     now_s, &ticket, &err) == 0)
		e = new_entry();
	else
		say(LIBRA_HOST_ERROR, "job %u: its record is of no use: %s",
		    job->job_id,
		    *err.text ? err.text : "no such processors here");
	free(parts);
	if (!e)
		return NULL;
	e->offer = ++host.last_offer;
	e->ticket = ticket;
	e->job = again;
	e->shape = recorded_shape(p);
	e->share = p->share;
	e->state = running ? ENTRY_RUNNING : ENTRY_COMMITTED;
	e->news = true;
	link_entry(e, job->job_id);
	take_actions();
	return e;
}

/* Result: the entry, now running, or NULL. */
static struct entry *start(const struct libra_host_job *job,
			   const struct libra_promise *p, double now_s)
{
	struct entry *e = claim(job, p, now_s);

	if (!e) {
		if (p->on_len)
			e = restore(job, p, true, now_s);
		if (!e)
			say(LIBRA_HOST_ERROR, "job %u runs without a promise",
			    job->job_id);
		return e;
	}
	if (libra_calls_started(&host.calls, e->ticket, now_s) < 0) {
		say(LIBRA_HOST_ERROR,
		    "job %u: the engine did not expect its start", job->job_id);
		return NULL;
	}
	e->state = ENTRY_RUNNING;
	e->news = true;
	link_entry(e, job->job_id);
	take_actions();
	return e;
}

void libra_host_started(const struct libra_host_job *job,
			struct libra_host_placement *placement)
{
	struct libra_promise p;
	struct entry *e;

	placement->nparts = 0;
	placement->comment = NULL;
	if (libra_promise_parse(job->comment, &p) < 0)
		return;
	pthread_mutex_lock(&host.lock);
	if (host.ready && !find_job(job->job_id, true)) {
		e = start(job, &p, clock_s());
		if (e) {
			tell_news(e, job, placement);
			if (read_parts(e->ticket, placement) == 0)
				slurm_nodes(placement);
		}
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_write_news(void)
{
	struct entry *e;
	char *comment;

	pthread_mutex_lock(&host.lock);
	for (uint32_t i = 0; host.news && i < host.nentries; i++) {
		e = &host.entries[i];
		if (e->state != ENTRY_RUNNING || !e->news)
			continue;
		comment = comment_of(e, 1);
		if (comment && host.ops->keep)
			host.ops->keep(e->job_id, comment);
		free(comment);
		e->news = false;
	}
	host.news = false;
	pthread_mutex_unlock(&host.lock);
}

void libra_host_ended(uint32_t job_id)
{
	struct entry *e;
	double now_s;

	pthread_mutex_lock(&host.lock);
	e = host.ready ? find_job(job_id, true) : NULL;
	if (e) {
		now_s = clock_s();
		libra_calls_departed(&host.calls, e->ticket, now_s);
		free_entry(e);
		take_actions();
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_known(const struct libra_host_job *job,
		      struct libra_host_placement *placement)
{
	struct libra_promise p;
	struct entry *e;
	double now_s;

	placement->nparts = 0;
	placement->comment = NULL;
	if (libra_promise_parse(job->comment, &p) < 0)
		return;
	pthread_mutex_lock(&host.lock);
	if (host.ready && p.offer && !find_job(job->job_id, false)) {
		now_s = clock_s();
		e = claim(job, &p, now_s);
		if (!e)
			e = p.on_len ? restore(job, &p, false, now_s)
				     : renew(job, &p, now_s);
		if (e)
			tell_news(e, job, placement);
		else
			say(LIBRA_HOST_ERROR,
			    "job %u: its promise could not be taken up again",
			    job->job_id);
	}
	pthread_mutex_unlock(&host.lock);
}

void libra_host_counts(struct libra_host_counts *counts)
{
	*counts = (struct libra_host_counts){0};
	pthread_mutex_lock(&host.lock);
	if (host.ready)
		counts->nprocs = host.first[host.nnodes];
	for (uint32_t i = 0; i < host.nentries; i++) {
		enum entry_state s = host.entries[i].state;

		counts->offers += s == ENTRY_OFFERED;
		counts->committed += s == ENTRY_COMMITTED;
		counts->running += s == ENTRY_RUNNING;
	}
	pthread_mutex_unlock(&host.lock);
}

/* --- site ------------------------------------------------------------------
 */

static void free_partitions(struct partition *parts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(parts[i].name);
		free(parts[i].allowed);
	}
	free(parts);
}

static void free_site(void)
{
	for (uint32_t i = 0; i < host.nnodes; i++)
		free(host.names[i]);
	free_partitions(host.parts, host.nparts);
	free(host.names);
	free(host.procs);
	free(host.first);
	free(host.slurm_node);
	free(host.state);
	free(host.default_partition);
	host.names = NULL;
	host.procs = host.first = host.slurm_node = NULL;
	host.state = NULL;
	host.parts = NULL;
	host.default_partition = NULL;
	host.nnodes = host.nparts = 0;
}

static bool in_managed(const struct libra_host_site *site,
		       const struct libra_host_conf *conf, uint32_t node)
{
	for (uint32_t i = 0; i < site->npartitions; i++)
		if (site->partitions[i].nodes[node] &&
		    libra_host_conf_manages(conf, site->partitions[i].name))
			return true;
	return false;
}

static int copy_nodes(const struct libra_host_site *site)
{
	uint32_t n = site->nnodes, k = 0;

	host.names = calloc(n + 1, sizeof(*host.names));
	host.procs = calloc(n + 1, sizeof(*host.procs));
	host.first = calloc(n + 1, sizeof(*host.first));
	host.slurm_node = calloc(n + 1, sizeof(*host.slurm_node));
	host.state = calloc(n + 1, sizeof(*host.state));
	if (!host.names || !host.procs || !host.first || !host.slurm_node ||
	    !host.state)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		if (site->node_procs[i] == 0 ||
		    !in_managed(site, &host.conf, i))
			continue;
		host.names[k] = strdup(site->node_names[i]);
		if (!host.names[k])
			return -1;
		host.procs[k] = site->node_procs[i];
		host.first[k + 1] = host.first[k] + host.procs[k];
		host.slurm_node[k] = i;
		host.state[k] = LIBRA_NODE_UP;
		host.nnodes = ++k;
	}
	return 0;
}

static int copy_partition(const struct libra_host_partition *from)
{
	struct partition *p = &host.parts[host.nparts];
	struct libra_range *last = NULL;
	bool all = true;

	p->name = strdup(from->name);
	p->allowed = calloc(host.nnodes + 1, sizeof(*p->allowed));
	host.nparts++;
	if (!p->name || !p->allowed)
		return -1;
	p->max_minutes = from->max_minutes;
	for (uint32_t i = 0; i < host.nnodes; i++) {
		if (!from->nodes[host.slurm_node[i]]) {
			all = false;
			continue;
		}
		if (last && last->first + last->count == host.first[i]) {
			last->count += host.procs[i];
			continue;
		}
		last = &p->allowed[p->nallowed++];
		*last = (struct libra_range){host.first[i], host.procs[i]};
	}
	if (all) {
		free(p->allowed);
		p->allowed = NULL;
		p->nallowed = 0;
	}
	return 0;
}

static int copy_partitions(const struct libra_host_site *site)
{
	host.parts = calloc(site->npartitions + 1, sizeof(*host.parts));
	if (!host.parts)
		return -1;
	for (uint32_t i = 0; i < site->npartitions; i++)
		if (libra_host_conf_manages(&host.conf,
					    site->partitions[i].name) &&
		    copy_partition(&site->partitions[i]) < 0)
			return -1;
	if (site->default_partition) {
		host.default_partition = strdup(site->default_partition);
		if (!host.default_partition)
			return -1;
	}
	return 0;
}

static void warn_missing(const struct libra_host_site *site)
{
	uint32_t i;

	for (size_t k = 0; k < host.conf.npartitions; k++) {
		for (i = 0; i < site->npartitions; i++)
			if (strcmp(site->partitions[i].name,
				   host.conf.partitions[k]) == 0)
				break;
		if (i == site->npartitions)
			say(LIBRA_HOST_ERROR,
			    "SchedulerParameters: libra_partitions: there is "
			    "no partition %s",
			    host.conf.partitions[k]);
	}
}

/* Do the nodes that the engine knows still stand as they did? */
static bool same_nodes(uint32_t nnodes, char *const *names,
		       const uint32_t *procs)
{
	if (nnodes != host.nnodes)
		return false;
	for (uint32_t i = 0; i < nnodes; i++)
		if (procs[i] != host.procs[i] ||
		    strcmp(names[i], host.names[i]) != 0)
			return false;
	return true;
}

static void point_calls(void)
{
	host.calls.conf = &host.conf;
	host.calls.node_names = (const char *const *)host.names;
	host.calls.node_procs = host.procs;
	host.calls.nnodes = host.nnodes;
}

static int new_engine(double now_s)
{
	struct libra_error err = {0};

	libra_calls_destroy(&host.calls);
	clear_entries();
	host.calls.epoch = (uint64_t)now_s;
	if (host.calls.epoch <= host.last_epoch)
		host.calls.epoch = host.last_epoch + 1;
	host.last_epoch = host.calls.epoch;
	host.last_offer = 0;
	point_calls();
	if (libra_calls_create(&host.calls, now_s, &err) < 0) {
		say(LIBRA_HOST_ERROR, "%s", err.text);
		return -1;
	}
	return 0;
}

static int take_site(const struct libra_host_site *site)
{
	if (copy_nodes(site) < 0 || copy_partitions(site) < 0) {
		errno = ENOMEM;
		return -1;
	}
	host.cpus_per_proc = site->cpus_per_proc ? site->cpus_per_proc : 1;
	return 0;
}

/* What the host knew of the cluster, while the new is put in place. */
struct old_site {
	uint32_t nnodes, nparts;
	char **names;
	uint32_t *procs;
	enum libra_node_state *state;
	struct partition *parts;
};

static struct old_site put_aside(void)
{
	struct old_site old = {
		.nnodes = host.nnodes,
		.nparts = host.nparts,
		.names = host.names,
		.procs = host.procs,
		.state = host.state,
		.parts = host.parts,
	};

	host.nnodes = host.nparts = 0;
	host.names = NULL;
	host.procs = NULL;
	host.state = NULL;
	host.parts = NULL;
	free_site();
	return old;
}

static void free_old(struct old_site *old)
{
	for (uint32_t i = 0; i < old->nnodes; i++)
		free(old->names[i]);
	free_partitions(old->parts, old->nparts);
	free(old->names);
	free(old->procs);
	free(old->state);
}

/* Entries that stay point to the new partitions. */
static void point_entries(void)
{
	const struct partition *part;

	for (uint32_t i = 0; i < host.nentries; i++) {
		part = host.entries[i].shape.part;
		if (host.entries[i].state != ENTRY_FREE && part)
			host.entries[i].shape.part =
				find_partition(part->name, strlen(part->name));
	}
}

/* Put the new site in place; *kept tells whether the engine may stay. */
static int change_site(const struct libra_host_site *site,
		       struct libra_host_conf *conf, bool *kept)
{
	struct old_site old = put_aside();
	int rc;

	*kept = host.ready && libra_host_conf_same_engine(&host.conf, conf);
	libra_host_conf_fini(&host.conf);
	host.conf = *conf;
	rc = take_site(site);
	*kept = *kept && rc == 0 &&
		same_nodes(old.nnodes, old.names, old.procs);
	if (*kept) {
		memcpy(host.state, old.state, old.nnodes * sizeof(*old.state));
		point_entries();
	} else {
		clear_entries();
	}
	free_old(&old);
	return rc;
}

int libra_host_site(const struct libra_host_site *site)
{
	struct libra_host_conf conf;
	double now_s;
	bool kept;
	int rc = -1;

	if (libra_host_conf_init(&conf, site->sched_params, report_conf, NULL) <
	    0)
		return -1;
	pthread_mutex_lock(&host.lock);
	now_s = clock_s();
	if (change_site(site, &conf, &kept) < 0)
		goto out;
	libra_declog_close(&host.calls.log);
	libra_declog_open(&host.calls.log, host.conf.log_path, report_error);
	point_calls();
	warn_missing(site);
	if (host.nnodes == 0) {
		say(LIBRA_HOST_ERROR, "no node is in a managed partition");
		errno = ENOENT;
		goto out;
	}
	if (!kept && new_engine(now_s) < 0)
		goto out;
	rc = 0;
	say(LIBRA_HOST_INFO, "policy %s on %u processors of %u nodes%s",
	    host.conf.policy->name, host.first[host.nnodes], host.nnodes,
	    kept ? ", ledger kept" : "");
out:
	host.ready = rc == 0;
	pthread_mutex_unlock(&host.lock);
	return rc;
}

void libra_host_init(const struct libra_host_ops *ops)
{
	pthread_mutex_lock(&host.lock);
	host.ops = ops;
	host.calls.log.fd = -1;
	if (!host.entries)
		clear_entries();
	pthread_mutex_unlock(&host.lock);
}

void libra_host_fini(void)
{
	pthread_mutex_lock(&host.lock);
	host.ready = false;
	libra_calls_destroy(&host.calls);
	libra_declog_close(&host.calls.log);
	clear_entries();
	free_site();
	libra_host_conf_fini(&host.conf);
	host.ops = NULL;
	pthread_mutex_unlock(&host.lock);
}

/* slurmctld may unload plugins without their fini(). */
static void __attribute__((destructor)) unload(void)
{
	libra_host_fini();
}
