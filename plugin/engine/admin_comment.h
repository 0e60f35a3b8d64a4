/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admin_comment.h - what a job was promised, as text in its admin_comment.
 *
 * Slurm keeps that field in its state file and in the job record, and lets no
 * ordinary user write it.  The text is one line of name=value words, for
 * people and for us:
 *
 *   libra:1 offer=17.3 tasks=1 procs=4 estimate=600 deadline=1763650000
 *   submit=1763649000.5 share=0.25 part=main shape=1.0.0.0 on=n1:0-3
 *
 * promise=lost among them tells that what was promised is gone, by a node or a
 * requeue, and could not be promised again: the job is Slurm's best effort.
 *
 * budget=CREDITS and penalty=CREDITS among them are what the user offered, and
 * what each second after the deadline takes off.
 *
 * late=SECONDS among them tells that by its estimate the job ends so long after
 * its deadline: it was accepted as a bet, best effort, and not promised, if
 * there is no broken.
 *
 * broken=CAUSE beside that tells why: it was promised, and cannot be kept any
 * more.  The words of a cause have _ between them, and : before a node's name.
 *
 * changed=INSTANT among them is when its estimate or its deadline last changed,
 * after it had been accepted.
 *
 * own=SECONDS among them is the user's own estimate, where the one that counts
 * was corrected by the user's past.
 *
 * start=INSTANT;INSTANT... among them is when a waiting job, or each of an
 * array's waiting tasks, is planned to start on processors of its own; it may
 * move.
 *
 * need=mem=4096/0,gpu=2/0 among them is what it takes besides processors, of
 * each of its nodes and of each of its tasks (shape begins with the processors
 * of one), where starts are planned; all = all that the node has.
 *
 * note=TEXT at the end is what an operator wrote over the record, with _ for
 * blanks: Slurm's select plugin adds it, and it is not read.
 *
 * offer is the run of the host that gave it, and its number there; 0 means
 * that the job waits for one.  Processors are named by node and index, once the
 * host has met the job; those of an array's tasks, in the order in which they
 * will start, with ; between them.  A list that would be too long ends early.
 * For a job that has begun, left=LEFT/RATE/SINCE,... tells for each part of on
 * how much of its estimate was left at an instant, and how fast it fell.
 */
#ifndef LIBRA_ENGINE_ADMIN_COMMENT_H
#define LIBRA_ENGINE_ADMIN_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIBRA_PROMISE_NEED 768

struct libra_promise {
	uint64_t epoch; /* run of the host */
	uint64_t offer; /* number in it; 0 = none yet */
	uint32_t tasks; /* of an array that had not started when this was
			   written; they have one offer number together */
	uint32_t nprocs;
	double estimate_s;
	double user_estimate_s; /* the user's estimate, if another was promised
				 */
	double deadline_s;	/* instant; INFINITY = none */
	double submit_s;
	double changed_s; /* 0 = never */
	double share;
	double late_s; /* by its estimate it ends so long after its deadline:
			  a bet */
	double budget, penalty_rate;   /* 0 = none */
	uint32_t chunk;		       /* processors of a task, on one node */
	uint32_t node_max;	       /* on one node; 0 = any */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	char need[LIBRA_PROMISE_NEED]; /* "" = no more than processors */
	bool lost;
	const char *broken; /* as on; "" = it is not */
	size_t broken_len;
	const char *start; /* as on */
	size_t start_len;
	const char *part; /* as on */
	size_t part_len;
	const char *left; /* as on; "" = nothing has been done */
	size_t left_len;
	const char *on; /* within the text it was read from; "" = nowhere yet */
	size_t on_len;
};

/* Of a cause for people: "node lost: n3"; what does not fit is cut. */
#define LIBRA_CAUSE_SIZE 128

void libra_promise_cause(const struct libra_promise *promise,
			 char text[LIBRA_CAUSE_SIZE]);

/* Write a promise.
 * Result: the text, for the caller to free, or NULL with ENOMEM.
 */
char *libra_admin_comment_format(const struct libra_promise *promise);

/* The parts of a promise, one after the other; *at is zero at first.
 * Result: false at the end (at->on == promise->on_len), or where the text is
 *         damaged.
 */
struct libra_promise_part {
	const char *node;
	size_t node_len;
	uint32_t first, count;
	bool begun;
	double left_s, rate, since_s;
};

struct libra_promise_at {
	size_t on, left;
};

/* The planned start of an array's task, or of a job (0).  Result: NAN if there
 * is none.
 */
double libra_promise_start(const struct libra_promise *promise, uint32_t task);

bool libra_promise_part(const struct libra_promise *promise,
			struct libra_promise_at *at,
			struct libra_promise_part *part);

/* The promise of the next of an array's tasks, as of a job of its own; *at is
 * zero at first.
 * Result: false if the record has no more.
 */
bool libra_promise_task(const struct libra_promise *promise, size_t *at,
			struct libra_promise *task);

/* Read one.
 * Result: 0, or -1 with ENOENT (some other comment, or none) or EINVAL (ours,
 *         but damaged or of another version).
 */
int libra_admin_comment_parse(const char *text, struct libra_promise *promise);

#endif
