/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.h - the side table of a log, with values that have no field in the
 * Standard Workload Format.
 *
 * A CSV file with one row for each record of the log, in the log's order.  Its
 * columns may come in any order; missing columns leave their values 0, and
 * unknown columns are ignored.  Times are seconds since 1970.  `librasim
 * import` writes the table; commands with --side read it after the log.
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
	double suspended_s, mem_mb;		    /* of the whole job */
	uint32_t partition, qos, account, user;	    /* numbers of names */
	uint32_t state, limit_from;		    /* numbers in `words` */
	uint32_t nodes, gpus;
	bool restart, censored, warm_up;
};

struct side_table {
	struct side_row *rows;
	size_t n;
	struct names partitions, qos, accounts, users, words;
};

/* The heading that `librasim import` writes: names of columns, with commas. */
extern const char side_heading[];

/* Read a side table: plain, gzip or zstd.
 * Result: 0, or -1 with errno of the system, or EINVAL: not a side table, or
 *         text where a number belongs; the message names file and line.
 * Owner:  the caller calls side_fini(); after an error it need not.
 */
int side_read(struct side_table *t, const char *path, struct libra_error *err);
void side_fini(struct side_table *t);

/* Check that table and log were written by the same import: as many rows as
 * records, with the same job numbers.
 * Result: 0, or -1 with EINVAL.
 */
int side_check(const struct side_table *t, const struct swf_trace *trace,
	       const char *path, struct libra_error *err);

/* The unit that a processor of the simulation stands for. */
enum side_unit {
	SIDE_CPUS = 1,
	SIDE_GPUS,
	SIDE_NODES,
	SIDE_MEMORY, /* one gigabyte of 1024 MB, rounded up */
};

/* Return "cpus", "gpus", "nodes" or "memory"; find: the unit, or 0 for another
 * name.
 */
const char *side_unit_name(enum side_unit unit);
enum side_unit side_unit_find(const char *name);

/* Keep only the records of a partition and of a QOS (NULL = all), and count
 * their processors in a unit.  A record that has nothing of the unit is
 * dropped.  If the unit is not CPUs, or a partition is given, the number of
 * processors of the machine becomes unknown.  Without a table (NULL) names are
 * those of the log's header, and the unit must be CPUs.
 * Result: 0, or -1 with EINVAL: unknown name, or no record is left.
 * Cost:   O(records).
 */
int side_choose(const struct side_table *t, struct swf_trace *trace,
		const char *partition, const char *qos, enum side_unit unit,
		struct libra_error *err);

#endif
