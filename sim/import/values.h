/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.h - what the fields of Slurm's accounting say.
 *
 * Each function reads one value from text that need not end with NUL.  Nothing
 * is allocated; only the clock remembers (local times it has met).  Unknown,
 * None, N/A and nothing at all are IMPORT_NONE, not an error.
 */
#ifndef SIM_IMPORT_VALUES_H
#define SIM_IMPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct import_text {
	const char *at;
	size_t n;
};

enum import_read {
	IMPORT_OK = 1,
	IMPORT_NONE,	  /* nothing is said */
	IMPORT_BAD,	  /* cannot be read */
	IMPORT_LOCAL,	  /* a local time, and no zone is known */
	IMPORT_UNLIMITED, /* of time limits: UNLIMITED, INFINITE */
	IMPORT_PARTITION, /* of time limits: Partition_Limit */
};

/* Whether a text is a word; capital letters do not matter. */
bool import_is(struct import_text t, const char *word);

/* ---- instants ---- */

enum { IMPORT_CLOCK_PLACES = 4096 };

/* Zone of times without one, and the quarter hours met so far. */
struct import_clock {
	bool zoned;
	struct {
		int64_t quarter; /* year to quarter hour, as one number */
		int64_t at_s;
		bool twice;
	} place[IMPORT_CLOCK_PLACES];
};

/* Set the zone: a name of the system's time zone database, or as in TZ.  It is
 * the process's own from here on.  NULL = times without a zone are not read.
 * Result: 0, or -1 with EINVAL: no such zone.
 */
int import_clock_init(struct import_clock *clock, const char *zone,
		      struct libra_error *err);

/* Seconds since 1970, or YYYY-MM-DD[THH:MM[:SS]][Z|+HHMM|+HH:MM]; 0 is
 * IMPORT_NONE, as Slurm has it.  *twice: that local time comes twice (in
 * autumn); the first one is taken.
 */
enum import_read import_time(struct import_clock *clock, struct import_text t,
			     int64_t *at_s, bool *twice);

/* ---- durations, limits ---- */

/* [D-]HH:MM:SS, MM:SS[.mmm], or plain seconds. */
enum import_read import_duration(struct import_text t, double *s);

/* A limit: [D-]HH:MM:SS, or a plain number of units of unit_s seconds. */
enum import_read import_limit(struct import_text t, double unit_s, double *s);

/* ---- counts, memory, TRES ---- */

enum import_read import_count(struct import_text t, int64_t *n);

/* Megabytes of 4000M, 62.50G, 4000Mc, 4Gn.  *per is 'n' (a node), 'c' (a CPU)
 * or 0.
 */
enum import_read import_memory(struct import_text t, double *mb, char *per);

struct import_tres {
	int64_t cpus, nodes, gpus; /* 0 = not said */
	double mem_mb;
};

/* billing=2,cpu=2,gres/gpu=1,gres/gpu:a100=1,mem=4000M,node=1.  GPUs: gres/gpu
 * counts all of them; only without it those of the types are added up.
 */
enum import_read import_tres(struct import_text t, struct import_tres *tres);

/* ---- jobs ---- */

enum import_part {
	IMPORT_JOB = 1,
	IMPORT_TASK,  /* 123_7 */
	IMPORT_TASKS, /* 123_[1-10%3]: not divided into tasks yet */
	IMPORT_HET,   /* 123+1 */
	IMPORT_STEP,  /* 123.batch, 123_7.0 */
};

struct import_id {
	int64_t number;
	int64_t part; /* task, or component of a heterogeneous job */
	enum import_part kind;
};

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

/* The first word counts: "CANCELLED by 1000". */
enum import_state import_state(struct import_text t);
const char *import_state_name(enum import_state state);

/* The estimate that a promise in AdminComment was made with: the user's own,
 * where another one was promised.  IMPORT_NONE: no promise.
 */
enum import_read import_promise(struct import_text t, double *estimate_s);

#endif
