/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admin_comment.h - a job's promise as text in the job's admin_comment.
 *
 * Slurm keeps that field in its state file and in the job record; ordinary
 * users cannot write it.  The text is one line of name=value words, for people
 * and for programs:
 *
 *   libra:1 offer=17.3 tasks=1 procs=4 estimate=600 deadline=1763650000
 *   submit=1763649000.5 share=0.25 part=main shape=1.0.0.0 on=n1:0-3
 *
 * offer: the epoch (the number of the engine's run) and the offer's number in
 * that run; number 0 means that the job waits for an offer.
 *
 * shape: the processors of a task, the most processors on a node, the fewest
 * and the most nodes; 0 = any.
 *
 * on: the processors, by node and index, once the host has seen the job.  An
 * array's tasks are in order of their starts, separated by ;.  A list that
 * would be too long is cut.
 *
 * left=LEFT/RATE/SINCE,...: for a job that has started, for each part in on,
 * the rest of the estimate at an instant and the rate at which the rest falls.
 *
 * start=INSTANT;INSTANT...: the planned start of a waiting job, or of each
 * waiting task of an array, on processors of its own.  The start may move.
 *
 * need=mem=4096/0,gpu=2/0: the resources besides processors, of each node and
 * of each task, if the policy plans starts; all = all that the node has.
 *
 * refused=REASON/INSTANT/INSTANT: the job asked for its promise when it could
 * start, and was refused for that reason: when first, and the earliest deadline
 * of that moment (inf: none; nan: not known).
 *
 * promise=lost: the promise was lost with a node or by a requeue, and there was
 * no other promise.  The job runs at Slurm's best effort.
 *
 * budget=CREDITS, penalty=CREDITS: the user's offer, and the amount lost in
 * each second after the deadline.
 *
 * late=SECONDS: by its estimate the job ends this long after its deadline.
 * Without broken, the job was accepted without a guarantee.
 *
 * broken=CAUSE: the promise can no longer be kept, for this cause.  Its words
 * are joined by _, and a node's name follows a colon.
 *
 * changed=INSTANT: the last change of the estimate or the deadline after
 * acceptance.
 *
 * own=SECONDS: the user's own estimate, if the promise has a corrected one.
 *
 * note=TEXT at the end: text that an operator wrote over the record, with _ for
 * blanks.  The select plugin appends the note; this parser ignores it.
 *
 * Callers: the host under its lock; the libra command and spank_libra without a
 * lock.  All functions depend only on their arguments.
 */
#ifndef LIBRA_ENGINE_ADMIN_COMMENT_H
#define LIBRA_ENGINE_ADMIN_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIBRA_PROMISE_NEED 768

/* A part of the text that was parsed. */
struct libra_slice {
	const char *text;
	size_t len;
};

struct libra_promise {
	uint64_t epoch; /* the host's run */
	uint64_t offer; /* number in that run; 0 = none yet */
	uint32_t tasks; /* tasks of an array not started when this was written;
			   they share an offer number */
	uint32_t nprocs;
	double estimate_s;
	double user_estimate_s; /* the user's own; estimate_s may be a corrected
				   one */
	double deadline_s;	/* instant; INFINITY = none */
	double submit_s;
	double changed_s; /* 0 = never */
	double share;
	double late_s; /* by its estimate the job ends so long after its
			  deadline */
	double budget, penalty_rate;   /* 0 = none */
	uint32_t chunk;		       /* processors of a task, on one node */
	uint32_t node_max;	       /* on one node; 0 = any */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	char need[LIBRA_PROMISE_NEED]; /* "" = processors only */
	bool lost;
	struct libra_slice broken;  /* "" = not broken */
	struct libra_slice refused; /* "" = not refused */
	struct libra_slice start, part;
	struct libra_slice left; /* "" = not started */
	struct libra_slice on;	 /* "" = nowhere yet */
};

/* Write a cause for people: "node lost: n3".  A text that is too long is cut.
 */
#define LIBRA_CAUSE_SIZE 128

void libra_promise_cause(const struct libra_promise *promise,
			 char text[LIBRA_CAUSE_SIZE]);

/* The refusal of a job that asked for its promise when it could start. */
struct libra_refusal {
	char reason[32]; /* name of a libra_reason */
	double asked_s;
	double earliest_s; /* deadline; INFINITY = none, NAN = not known */
};

/* Read the refusal of a job from its promise.
 * Result: false if the job was not refused.
 */
bool libra_promise_refusal(const struct libra_promise *promise,
			   struct libra_refusal *refusal);

/* Compose the text of a promise.
 * Result: the text, for the caller to free, or NULL with ENOMEM.
 */
char *libra_admin_comment_format(const struct libra_promise *promise);

/* Return the planned start, an instant, of an array's task; task is 0 for a
 * job.  Return NAN if there is none.
 */
double libra_promise_start(const struct libra_promise *promise, uint32_t task);

/* A part: processors of a job on one node. */
struct libra_promise_part {
	const char *node;
	size_t node_len;
	uint32_t first, count;
	bool begun; /* the members below are set */
	double left_s, rate, since_s;
};

struct libra_promise_at {
	size_t on, left;
};

/* Read the next part of a promise; *at is zero for the first part.
 * Result: false at the end (at->on == promise->on.len), or if the text is
 *         damaged.
 */
bool libra_promise_part(const struct libra_promise *promise,
			struct libra_promise_at *at,
			struct libra_promise_part *part);

/* Read the promise of an array's next task, as that of a job; *at is 0 for the
 * first task.
 * Result: false if there are no more tasks.
 */
bool libra_promise_task(const struct libra_promise *promise, size_t *at,
			struct libra_promise *task);

/* Parse the text of a promise, which must outlive *promise.
 * Result: 0, or -1 with ENOENT (no text, or another comment) or EINVAL
 *         (damaged, or another version).
 */
int libra_admin_comment_parse(const char *text, struct libra_promise *promise);

#endif
