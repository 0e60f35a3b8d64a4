/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - parse the fields of Slurm's accounting.
 *
 * Each function reads one value from text that need not end with NUL, and
 * returns whether there was one (enum import_read).  The value is valid for
 * IMPORT_OK only.  Unknown, None, N/A and empty text give IMPORT_NONE, not an
 * error.  Nothing is allocated.  Only the clock has a state: a cache of local
 * times.  Callers: this folder, sim/slurm, sim/site, sim/workload and two
 * commands.
 */
#ifndef SIM_IMPORT_VALUES_H
#define SIM_IMPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A part of a text that the reader of the log owns. */
struct import_text {
	const char *at;
	size_t n;
};

enum import_read {
	IMPORT_OK = 1,
	IMPORT_NONE,	  /* no value */
	IMPORT_BAD,	  /* cannot be read */
	IMPORT_LOCAL,	  /* a local time, and no zone is known */
	IMPORT_UNLIMITED, /* only limits: UNLIMITED, INFINITE */
	IMPORT_PARTITION, /* only limits: Partition_Limit */
};

/* Return the text without the white space at both ends. */
struct import_text import_trimmed(struct import_text t);

/* Return true if a text equals a word, whatever its capital letters. */
bool import_is(struct import_text t, const char *word);

/* ---- instants ---- */

enum { IMPORT_CLOCK_PLACES = 4096 };

/* The zone of times that name none, and the quarter hours converted so far. */
struct import_clock {
	bool zoned;
	struct {
		int64_t quarter; /* year to quarter hour, as one number */
		int64_t at_s;	 /* its first instant, seconds since 1970 */
		bool twice;	 /* the local time occurs twice */
	} place[IMPORT_CLOCK_PLACES];
};

/* Set the zone: a name of the system's time zone database, or as in TZ.  It
 * becomes the zone of the process.  NULL: times without a zone give
 * IMPORT_LOCAL.
 * Result: 0, or -1 with EINVAL (unknown zone) or ENOMEM.
 */
int import_clock_init(struct import_clock *clock, const char *zone,
		      struct libra_error *err);

/* Read seconds since 1970, or YYYY-MM-DD[THH:MM[:SS]][Z|+HHMM|+HH:MM].  Slurm
 * writes 0 for no time, so 0 gives IMPORT_NONE.  Set *twice if the local time
 * occurs twice (in autumn); *at_s is then the first of both instants.
 */
enum import_read import_time(struct import_clock *clock, struct import_text t,
			     int64_t *at_s, bool *twice);

/* ---- durations, limits ---- */

/* Read [D-]HH:MM:SS, MM:SS[.mmm], or plain seconds, as seconds. */
enum import_read import_duration(struct import_text t, double *s);

/* Read a limit, [D-]HH:MM:SS or a plain number of units of unit_s seconds, as
 * seconds.
 */
enum import_read import_limit(struct import_text t, double unit_s, double *s);

/* ---- counts, memory, TRES ---- */

/* Read a number that is not negative, such as 12 or 1.50K (1536). */
enum import_read import_count(struct import_text t, int64_t *n);

/* Read 4000M, 62.50G, 4000Mc or 4Gn as megabytes.  *per is 'n' (for each node),
 * 'c' (for each CPU) or 0 (for the job).
 */
enum import_read import_memory(struct import_text t, double *mb, char *per);

struct import_tres {
	int64_t cpus, nodes, gpus; /* 0 = not named */
	double mem_mb;
};

/* Read a list like billing=2,cpu=2,gres/gpu=1,gres/gpu:a100=1,mem=4000M,node=1.
 * gres/gpu is the number of all GPUs; without it the GPUs of all types are
 * summed.
 */
enum import_read import_tres(struct import_text t, struct import_tres *tres);

/* ---- jobs ---- */

enum import_part {
	IMPORT_JOB = 1,
	IMPORT_TASK,  /* 123_7 */
	IMPORT_TASKS, /* 123_[1-10%3]: tasks that have no record yet */
	IMPORT_HET,   /* 123+1 */
	IMPORT_STEP,  /* 123.batch, 123_7.0 */
};

struct import_id {
	int64_t number;
	int64_t part; /* task, or component of a heterogeneous job */
	enum import_part kind;
};

/* Read the id of a job, task, component or step. */
enum import_read import_job_id(struct import_text t, struct import_id *id);

enum import_state {
	IMPORT_STATE_OTHER = 0,
	IMPORT_PENDING,
	IMPORT_RUNNING,
	IMPORT_SUSPENDED,
	IMPORT_COMPLETED,
	IMPORT_CANCELLED,
	IMPORT_FAILED,
	IMPORT_TIMEOUT,
	IMPORT_NODE_FAIL,
	IMPORT_PREEMPTED,
	IMPORT_BOOT_FAIL,
	IMPORT_DEADLINE,
	IMPORT_OUT_OF_MEMORY,
	IMPORT_REQUEUED,
	IMPORT_RESIZING,
	IMPORT_REVOKED,
	IMPORT_NSTATES,
};

/* Return the state of a job by the first word, as in "CANCELLED by 1000".  The
 * name of a state is a constant in Slurm's spelling, or "OTHER".
 */
enum import_state import_state(struct import_text t);
const char *import_state_name(enum import_state state);

/* Read the estimate of a promise from AdminComment, in seconds.  If the promise
 * was made with a corrected estimate, read the user's own.  IMPORT_NONE: no
 * promise.
 */
enum import_read import_promise(struct import_text t, double *estimate_s);

#endif
