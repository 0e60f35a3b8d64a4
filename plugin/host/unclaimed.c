/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unclaimed.c - see unclaimed.h.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/host/unclaimed.h"
#include "plugin/host/match.h"
#include "plugin/base/ops.h"

/* A submission is over after this time.  Slurm makes the job's record in the
 * thread of the submission, right after our verdict.  From 24.11 on the thread
 * then does other work, so its end shows nothing.  In a flood of submissions a
 * record may be delayed.
 */
#define IN_FLIGHT_S 1.0

/* Unclaimed submissions that a user may have at a time. */
#define MAX_OPEN 16

/* Offers that a user may abandon, and that all users together may abandon
 * before unknown users lose their trust.  Each is forgotten after FORGET_S.  A
 * user who abandoned this many at once is trusted again when one is forgotten.
 */
#define MAX_LEFT 3
#define FORGET_S 120.0

static int this_thread(void)
{
	return (int)syscall(SYS_gettid);
}

/* Ask the kernel which threads have ended: about `left` more.  The tasks of an
 * array have the same thread, so its answer is kept.  A signal 0 would take
 * eight times as long.  If another process has got the number since, the offer
 * only stays longer.
 */
struct inquiry {
	uint32_t left;
	pid_t thread;
	bool ended;
};

static bool has_ended(struct inquiry *q, pid_t thread)
{
	if (thread == q->thread)
		return q->ended;
	if (q->left == 0)
		return false;
	q->left--;
	q->thread = thread;
	q->ended = sched_getscheduler(thread) < 0 && errno == ESRCH;
	return q->ended;
}

static bool is_over(const struct tracked_job *t, int caller, double now_s,
		    struct inquiry *q)
{
	if (t->thread == 0)
		return false;
	return t->thread == caller ||
	       fabs(now_s - t->job.submit_s) > IN_FLIGHT_S ||
	       has_ended(q, t->thread);
}

static double left_now(const struct host_left *l, double now_s)
{
	return fmax(0, l->count - fabs(now_s - l->since_s) / FORGET_S);
}

static void add_left(struct host_left *l, uint32_t user, double now_s)
{
	double before = l->user == user ? left_now(l, now_s) : 0;

	*l = (struct host_left){
		.user = user,
		.count = fmin(before + 1, 2 * MAX_LEFT),
		.since_s = now_s,
	};
}

static bool is_known(const struct host_state *h, uint32_t user)
{
	return h->unclaimed.known[user % HOST_KNOWN] == user + 1;
}

void host_unclaimed_know(struct host_state *h, struct tracked_job *t)
{
	t->queued = true;
	h->unclaimed.known[t->job.user % HOST_KNOWN] = t->job.user + 1;
}

/* Count an abandoned offer.  One may be an error, or sbatch --test-only; after
 * two the user is not trusted any more.
 */
static void note_left(struct host_state *h, uint32_t user, double now_s)
{
	struct host_left *l = &h->unclaimed.left[user % HOST_LEFT];

	add_left(l, user, now_s);
	add_left(&h->unclaimed.all_left, 0, now_s);
	if (is_known(h, user) && l->count > 1.5)
		h->unclaimed.known[user % HOST_KNOWN] = 0;
}

static bool has_claim(const struct host_state *h, const struct tracked_job *t)
{
	return (h->ops->has_claim &&
		h->ops->has_claim(t->job_id, h->log.epoch, t->first)) ||
	       h->ops->find_claim(h->log.epoch, t->first);
}

void host_unclaimed_refused(struct host_state *h, const struct tracked_job *t,
			    double now_s)
{
	if (t->queued || !h->ops || !h->ops->find_claim || has_claim(h, t))
		return;
	host_log(h->ops, LIBRA_HOST_INFO,
		 "offer %llu to user %u dropped: Slurm refused job %u",
		 (unsigned long long)t->first, t->job.user, t->job_id);
	note_left(h, t->job.user, now_s);
}

/* Commit or drop the offers of a submission.
 * Result: the number of dropped offers.
 */
static uint32_t settle(struct host_state *h, uint64_t first, double now_s)
{
	uint32_t job_id = h->ops->find_claim(h->log.epoch, first);
	struct tracked_job *t = host_jobs_find_offer(&h->jobs, first);
	uint32_t n = 0;

	if (job_id) {
		for (; t; t = host_jobs_next_offer(&h->jobs, t))
			if (t->state == TRACKED_OFFERED &&
			    host_commit(h, t, job_id, now_s))
				host_unclaimed_know(h, t);
		t = host_jobs_find(&h->jobs, job_id, false);
		/* The record of the job names no processors yet. */
		if (t)
			host_jobs_set_stale(&h->jobs, t);
		return 0;
	}
	host_log(h->ops, LIBRA_HOST_INFO,
		 "offer %llu to user %u dropped: Slurm made no job of the "
		 "submission",
		 (unsigned long long)first, t->job.user);
	note_left(h, t->job.user, now_s);
	for (; t; t = host_jobs_find_offer(&h->jobs, first), n++)
		host_jobs_withdraw(&h->jobs, t, "cancelled", now_s);
	return n;
}

/* Settle the unclaimed offers of all users, or of one.  Begin behind the last
 * offer whose thread was asked about.
 */
static uint32_t settle_open(struct host_state *h, const uint32_t *user,
			    uint32_t nthreads, double now_s)
{
	struct inquiry q = {.left = nthreads};
	int caller = this_thread();
	uint32_t n = 0, nopen, from = 0;
	const uint64_t *tickets;
	struct tracked_job *t;

	nopen = host_jobs_open(&h->jobs, &tickets);
	for (uint32_t i = 0; i < nopen; i++) {
		t = host_jobs_find_ticket(&h->jobs, tickets[i]);
		if (t && t->offer <= h->unclaimed.asked_above)
			from = i + 1;
	}
	for (uint32_t i = 0; i < nopen; i++) {
		uint32_t left = q.left;
		uint64_t offer;

		t = host_jobs_find_ticket(&h->jobs,
					  tickets[(from + i) % nopen]);
		if (!t || t->state != TRACKED_OFFERED ||
		    (user && t->job.user != *user))
			continue;
		offer = t->offer;
		if (is_over(t, caller, now_s, &q))
			n += settle(h, t->first, now_s);
		else
			h->unclaimed.open = true;
		if (q.left < left)
			h->unclaimed.asked_above = offer;
	}
	return n;
}

uint32_t host_unclaimed_settle(struct host_state *h, uint32_t nthreads,
			       double now_s)
{
	if (!h->ops || !h->ops->find_claim || !h->unclaimed.open)
		return 0;
	h->unclaimed.open = false;
	return settle_open(h, NULL, nthreads, now_s);
}

/* Count the unclaimed submissions of a user. */
static uint32_t count_open(struct host_state *h, uint32_t user)
{
	const struct tracked_job *t;
	const uint64_t *tickets;
	uint32_t open = 0, nopen;

	nopen = host_jobs_open(&h->jobs, &tickets);
	for (uint32_t i = 0; i < nopen; i++) {
		t = host_jobs_find_ticket(&h->jobs, tickets[i]);
		open += t->job.user == user &&
			(t->offer == t->first || t->offer == t->first + 1);
	}
	return open;
}

enum host_trust host_unclaimed_trust(struct host_state *h, uint32_t user,
				     double now_s)
{
	const struct host_left *l = &h->unclaimed.left[user % HOST_LEFT];

	if (!h->ops || !h->ops->find_claim)
		return HOST_TRUSTED;
	/* Some of these submissions may be over already. */
	if (count_open(h, user) >= MAX_OPEN)
		settle_open(h, &user, MAX_OPEN, now_s);
	if (l->user == user && left_now(l, now_s) > MAX_LEFT - 1)
		return HOST_LEAVES;
	if (!is_known(h, user) &&
	    left_now(&h->unclaimed.all_left, now_s) > MAX_LEFT - 1)
		return HOST_UNKNOWN;
	return count_open(h, user) < MAX_OPEN ? HOST_TRUSTED : HOST_LEAVES;
}

void host_unclaimed_note(struct host_state *h, uint64_t above)
{
	struct tracked_job *t;
	int thread = this_thread();

	h->unclaimed.open = h->jobs.last_offer > above || h->unclaimed.open;
	for (uint64_t offer = above + 1; offer <= h->jobs.last_offer; offer++)
		for (t = host_jobs_find_offer(&h->jobs, offer); t;
		     t = host_jobs_next_offer(&h->jobs, t))
			t->thread = thread;
}

/* Return true if a job in the queue has claimed an offer.  That searches
 * Slurm's jobs, once for all tasks of an array, as these have one record.
 */
static bool is_claimed(const struct host_state *h, const struct tracked_job *t,
		       const struct tracked_job *before, bool was)
{
	if (before && before->first == t->first)
		return was;
	return h->ops->find_claim &&
	       h->ops->find_claim(h->log.epoch, t->first) != 0;
}

double host_unclaimed_count(struct host_state *h,
			    const struct libra_host_request *r)
{
	const struct tracked_job *t, *before = NULL;
	double n = 0, ncpus = r->size.ncpus ? r->size.ncpus : 1;
	const uint64_t *tickets;
	uint32_t nopen = host_jobs_open(&h->jobs, &tickets);
	bool claimed = false;

	for (uint32_t i = 0; i < nopen; i++) {
		t = host_jobs_find_ticket(&h->jobs, tickets[i]);
		if (t->job.user != r->user)
			continue;
		claimed = is_claimed(h, t, before, claimed);
		before = t;
		if (!claimed)
			n += fmax(1, ceil(t->job.nprocs *
					  h->cluster.cpus_per_proc / ncpus));
	}
	return n;
}
