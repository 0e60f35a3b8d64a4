/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promises.h - promises and refusals, from decision logs and from accounting.
 *
 * The events of a decision log report what became of each promise.  Accounting
 * adds accounts, QOS, and the ends that happened while slurmctld was away.
 * Where the log is gone, the record in AdminComment is enough for all but the
 * refusals at submission.  Instants are seconds since 1970.
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
	PROMISE_UNSEEN,	   /* it ended while slurmctld was away */
	PROMISE_NOUTCOMES,
};

extern const char *const promise_outcomes[PROMISE_NOUTCOMES];

enum { PROMISE_FROM_LOG = 1, PROMISE_FROM_ACCOUNTING = 2 };

/* Instants and durations that are not known are NAN; names are numbers of
 * promises.names.
 */
struct promise {
	uint64_t id, user;
	double given_s; /* or first seen */
	double start_s, end_s, deadline_s, estimate_s, ran_s;
	uint32_t procs;
	uint32_t partition, account, qos;
	uint32_t cause; /* of a late or lost promise, or of a broken one */
	uint32_t run; /* the engine's run in which it was seen last; 0 = none */
	uint8_t outcome;
	uint8_t from;  /* PROMISE_FROM_... */
	bool bet;      /* an unguaranteed acceptance */
	bool earlier;  /* promised before the log begins */
	bool replaced; /* by another promise of the same job: not counted */
};

/* An answer to a request for a promise. */
struct promise_answer {
	double at_s, deadline_s;
	double earliest_s; /* deadline; INFINITY = none, NAN = not known */
	uint32_t partition, verdict, reason;
};

/* Calls of the engine, as librasim replay counts them. */
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
	char *name; /* without folder, and digits of rotated files */
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
	double first_s, last_s; /* of the logs; NAN = none */
	uint64_t calls[PROMISE_NCALLS];
	uint32_t runs;	  /* of engines */
	uint64_t missing; /* lines that were not written */
	size_t nreplaced;
	size_t rows, records; /* of accounting: jobs; promises it alone has */
};

/* Read decision logs: any files of any logs, plain or compressed.  Files whose
 * names differ only in digits at the end belong to one log.
 * Result of both: 0, or -1 with errno of the system, ENOMEM or EINVAL; the text
 *         names the file.
 * Owner:  zeros at first; the caller calls promises_fini(), also after an
 *         error.
 */
int promises_read_logs(struct promises *p, char **files, size_t n,
		       struct libra_error *err);

/* Read sacct's text with JobIDRaw, State and AdminComment at least; after the
 * logs.  zone: of times that name none (NULL = refuse them).
 */
int promises_read_sacct(struct promises *p, const char *path, const char *zone,
			struct libra_error *err);

/* Keep only promises that were given, and answers, at or after from_s and
 * before to_s.
 */
void promises_choose(struct promises *p, double from_s, double to_s);

void promises_fini(struct promises *p);

/* For the two readers: add an element of NAN and zeros, or NULL with ENOMEM. */
struct promise *promises_add(struct promises *p, struct libra_error *err);
struct promise_answer *promises_add_answer(struct promises *p,
					   struct libra_error *err);

/* Result: the number of a text, or UINT32_MAX with ENOMEM. */
uint32_t promises_name(struct promises *p, const char *text, size_t n);

#endif
