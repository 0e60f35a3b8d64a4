/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promises.h - promises and refusals, from decision logs and from accounting.
 *
 * The events of a decision log report what became of each promise.  Accounting
 * (sacct) adds accounts, QOS, and the ends that happened while slurmctld was
 * down.  Without the log, the records in AdminComment yield all promises, and
 * only refusals at submission are missing.  Instants are seconds since 1970.
 */
#ifndef SIM_SITE_PROMISES_H
#define SIM_SITE_PROMISES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/base/names.h"

enum promise_outcome {
	PROMISE_WAITING = 0,
	PROMISE_RUNNING,
	PROMISE_KEPT,
	PROMISE_LATE,
	PROMISE_LOST,
	PROMISE_CANCELLED, /* before its deadline */
	PROMISE_RELEASED,  /* the job has become an ordinary one */
	PROMISE_UNSEEN,	   /* the job ended while slurmctld was down */
	PROMISE_NOUTCOMES,
};

/* The outcome as text: "kept", "end not seen", ... */
extern const char *const promise_outcomes[PROMISE_NOUTCOMES];

enum { PROMISE_FROM_LOG = 1, PROMISE_FROM_ACCOUNTING = 2 };

/* A promise.  Instants (given, start, end, deadline) and durations (estimate,
 * ran) are NAN if they are not known.  partition, account, qos and cause are
 * numbers of promises.names; 0 = none.
 */
struct promise {
	uint64_t id;	/* Slurm's job id */
	uint64_t user;	/* uid */
	double given_s; /* or, if `earlier`, the first event in the log */
	double start_s, end_s, deadline_s, estimate_s, ran_s;
	uint32_t procs;
	uint32_t partition, account, qos;
	uint32_t cause;	 /* why it is late, lost, or expected to be late */
	uint32_t run;	 /* promises.runs at its last event; 0 = not in a log */
	uint8_t outcome; /* enum promise_outcome */
	uint8_t from;	 /* bits PROMISE_FROM_... */
	bool bet;	 /* an unguaranteed acceptance */
	bool earlier;	 /* promised before the log begins */
	bool replaced;	 /* by another promise of the same job: not counted */
};

/* An answer to a request for a promise. */
struct promise_answer {
	double at_s, deadline_s;
	double earliest_s; /* the earliest deadline that could have been
			      promised; INFINITY = none, NAN = not known */
	uint32_t partition, verdict, reason; /* numbers of promises.names */
};

/* Calls of the engine that the decision log has, named as in librasim replay.
 */
enum promise_call {
	PROMISE_OFFER = 0,
	PROMISE_COMMIT,
	PROMISE_STARTED,
	PROMISE_DEPARTED,
	PROMISE_WITHDRAW,
	PROMISE_RESTORE,
	PROMISE_NCALLS,
};

extern const char *const promise_calls[PROMISE_NCALLS];

/* A decision log: its files, oldest first. */
struct promise_log {
	char *name; /* of the files, without folder and suffix of rotation */
	size_t nfiles;
	char **files;
	double *first_s; /* of each file; INFINITY = no line has an instant */
};

struct promises {
	struct promise *list;
	size_t n, cap;
	struct promise_answer *answers;
	size_t nanswers, answers_cap;
	struct names names;
	struct promise_log *logs;
	size_t nlogs, logs_cap;
	double first_s, last_s; /* instants of the logs; NAN = no log */
	uint64_t calls[PROMISE_NCALLS];
	uint32_t runs;	  /* starts of an engine in the logs */
	uint64_t missing; /* lines that are damaged or were not written */
	size_t nreplaced; /* set by promises_choose() */
	size_t rows;	  /* of accounting: jobs */
	size_t records;	  /* of these, jobs whose promise no log has */
};

/* Read decision logs: files of one log or of several, in any order, plain or
 * compressed (.gz, .zst).  Files whose names differ only in digits at the end,
 * as those of rotated logs, belong to one log.
 * Result of this and the next: 0, or -1 with errno of the system, ENOMEM or
 *         EINVAL; the text of the error names the file.
 * Owner:  the caller sets *p to zeros before the first call, keeps the texts of
 *         `files` (they are not copied), and calls promises_fini(), after an
 *         error as well.
 */
int promises_read_logs(struct promises *p, char **files, size_t n,
		       struct libra_error *err);

/* Read sacct's text with JobIDRaw, State and AdminComment at least; call this
 * after promises_read_logs().  zone: the time zone of times that name none;
 * with NULL such times are an error (EINVAL).
 */
int promises_read_sacct(struct promises *p, const char *path, const char *zone,
			struct libra_error *err);

/* Drop replaced promises, and all promises and answers that were not given at
 * or after from_s and before to_s.
 */
void promises_choose(struct promises *p, double from_s, double to_s);

void promises_fini(struct promises *p);

/* For the two readers: add an element whose times are NAN and return it, or
 * NULL with ENOMEM.  The next call may move the element.
 */
struct promise *promises_add(struct promises *p, struct libra_error *err);
struct promise_answer *promises_add_answer(struct promises *p,
					   struct libra_error *err);

/* For the two readers: return the number of a text in p->names; 0 for n = 0,
 * UINT32_MAX with ENOMEM.
 */
uint32_t promises_name(struct promises *p, const char *text, size_t n);

#endif
