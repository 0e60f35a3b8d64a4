/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.h - the side table of a log: what the Standard Workload Format cannot
 * say.
 *
 * A CSV file with a row for each record of the log, in its order.  The columns
 * come in any order; those that are not there stay unknown, and others are
 * passed over.  Times are seconds since 1970.
 */
#ifndef SIM_SIDE_H
#define SIM_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/base/names.h"
#include "sim/log/swf.h"

struct side_row {
	int64_t job;				    /* field 1 of the record */
	double submit_s, arrival_s, start_s, end_s; /* 0 = none */
	double suspended_s, mem_mb;
	uint32_t partition, qos, account, user; /* numbers of names */
	uint32_t state, limit_from;		/* words */
	uint32_t nodes, gpus;
	bool restart, censored, warm_up;
};

struct side_table {
	struct side_row *rows;
	size_t n;
	struct names partitions, qos, accounts, users, words;
};

/* The columns, as `librasim import` writes them. */
extern const char side_heading[];

/* Read a side table; gzipped or not.
 * Result: 0, or -1 with errno of the system, or EINVAL: no such table, a number
 *         that is none; the text names file and line.
 * Owner:  the caller calls side_fini(); after an error it need not.
 */
int side_read(struct side_table *t, const char *path, struct libra_error *err);
void side_fini(struct side_table *t);

/* Do the table and the log belong together?  Result: 0, or -1 with EINVAL. */
int side_check(const struct side_table *t, const struct swf_trace *trace,
	       const char *path, struct libra_error *err);

/* What a processor of the simulation is. */
enum side_unit {
	SIDE_CPUS = 1,
	SIDE_GPUS,
	SIDE_NODES,
};

/* "cpus", "gpus", "nodes"; find: 0 if there is no such unit. */
const char *side_unit_name(enum side_unit unit);
enum side_unit side_unit_find(const char *name);

/* Keep the records of a partition and a QOS (NULL = all), with their GPUs or
 * nodes as processors.  Records that have none are dropped.  The number of
 * processors of the machine becomes unknown where it counts something else.
 * Without a table (NULL) the names are those of the log's header, and the unit
 * can only be CPUs.
 * Result: 0, or -1 with EINVAL: no such name, or no record is left.
 */
int side_choose(const struct side_table *t, struct swf_trace *trace,
		const char *partition, const char *qos, enum side_unit unit,
		struct libra_error *err);

#endif
