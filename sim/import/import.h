/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - read a site's accounting logs into records.
 *
 * Reads sacct's text, sacct --json, the lines of the job completion plugins,
 * and CSV traces by a map of their columns, from any number of files.  One run
 * of a job is one record: a requeued job has several.  No repair is silent:
 * each row that is dropped, changed or guessed is counted under its reason.
 *
 * Memory: 144 bytes for each run, and 50 more while runs are sorted and
 *         compared.  Each name is stored once, and only a part of the text at a
 *         time.
 *
 * The caller is `librasim import`, in one process.  The order of calls is
 * import_init(), import_read() for each log, import_finish(), import_fini().
 */
#ifndef SIM_IMPORT_H
#define SIM_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/base/names.h"
#include "sim/import/column_map.h"
#include "sim/import/key.h"
#include "sim/import/reasons.h"
#include "sim/import/values.h"

enum import_format {
	IMPORT_GUESS = 0, /* by the first characters */
	IMPORT_SACCT,
	IMPORT_JOBCOMP,
	IMPORT_SACCT_JSON,
	IMPORT_CSV, /* by a map of columns */
};

/* The time limit of a partition's jobs that have none of their own. */
struct import_limit_of {
	const char *partition; /* "*" = any other */
	double limit_s;
};

struct import_options {
	enum import_format format;
	bool arrival_is_submit; /* else the eligible time */
	bool keep_cancelled;
	const struct import_map *map; /* of CSV; NULL for the other formats */
	const char *delimiter;	      /* of text; NULL = by its heading */
	const char *zone;	/* of times without one; NULL = refuse them */
	const char *cluster;	/* NULL = the only one */
	const char *partitions; /* a comma-separated list; NULL = all */
	int64_t from_s, to_s;	/* instants; 0 = no bound */
	const struct import_limit_of *limits;
	size_t nlimits;
};

/* The origin of a record's time limit. */
enum import_limit_from {
	IMPORT_LIMIT_OWN = 1,
	IMPORT_LIMIT_PROMISE,
	IMPORT_LIMIT_PARTITION,
	IMPORT_LIMIT_RUN,
};

/* Numbers of names in the tables of struct import. */
struct import_names {
	uint32_t user, account, partition, qos, app;
};

struct import_record {
	int64_t id;		     /* JobIDRaw */
	int64_t submit_s, arrival_s; /* instants since 1970 */
	int64_t start_s, end_s;	     /* 0 = none */
	int64_t base;		     /* id of its array or het job */
	uint64_t marks;		     /* bit r: counts under the reason r */
	double cpu_s;		     /* per processor; -1 = unknown */
	double mem_mb;		     /* of the whole job; -1 = unknown */
	uint32_t run_s, suspended_s, limit_s;
	int32_t uid;   /* -1 = unknown */
	uint32_t part; /* number of the task or component within base */
	uint32_t alloc_cpus, req_cpus, nodes, gpus;
	uint32_t deadline_s; /* after the arrival; 0 = none */
	struct import_names names;
	uint8_t state; /* enum import_state */
	uint8_t kind;  /* enum import_part */
	uint8_t limit_from;
	bool restart;  /* not the first run of its job */
	bool requeued; /* its column Restarts is above 0 */
	bool censored; /* was stopped; it would have run longer */
	bool warmup;   /* arrived before --from */
	bool unended;  /* the log has no end of it */
	bool unrun;    /* cancelled while it waited, and kept */
	bool no_start; /* the trace has no starts: start_s is the arrival */
};

struct import {
	const struct import_options *options;
	struct import_record *records; /* when finished: by arrival */
	size_t n, cap;
	size_t rows; /* read */
	size_t count[IMPORT_NREASONS];
	char *cluster;
	char bad[40];  /* the first time that cannot be read; "" = none */
	char why[256]; /* CSV: why the first unreadable row is; "" = none */
	struct names users, accounts, partitions, qos, apps;
	struct import_clock clock;
	uint32_t *seen; /* a hash table of records + 1; 0 = free */
	size_t nseen;
};

/* Make an empty import.
 * Result: 0, or -1 with ENOMEM, or EINVAL: unknown zone, or from_s not before
 *         to_s.
 * Owner:  options must outlive the import; the caller calls import_fini(),
 *         after an error too.
 */
int import_init(struct import *im, const struct import_options *options,
		struct libra_error *err);

/* Read one log and add its records; "-" is standard input.
 * Result: 0, or -1 with errno of the system, ENOMEM, EIO (damaged gzip) or
 *         EINVAL: no known format, local times without a zone, jobs of a second
 *         cluster.  The text names file and line.
 */
int import_read(struct import *im, const char *path, struct libra_error *err);

/* Sort the records by arrival and mark restarts; call it after the last log.
 * Result: 0, or -1 with ENOMEM, or EINVAL: no job is left (the text has the
 *         reason).
 */
int import_finish(struct import *im, struct libra_error *err);

/* Free records, names and the hash table; im is empty then. */
void import_fini(struct import *im);

/* Find the most processors that the jobs of a finished import had at one time.
 * Result: 0 with *procs, or -1 with ENOMEM.
 * Cost:   O(records x log records).
 */
int import_peak(const struct import *im, uint64_t *procs,
		struct libra_error *err);

#endif
