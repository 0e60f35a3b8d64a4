/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write.h - write the results of an import: a log in the Standard Workload
 * Format, a side table with values that have no field in that format, and the
 * counts.
 *
 * Field 1 is the job's number at the site, the same for all runs of a job.  The
 * field for the user has the uid, or a number in order of appearance if the log
 * has no uid or there is a key.  Groups are accounts, queues are QOS,
 * partitions are partitions, and applications are names of jobs.  The header
 * has the names:
 * "; Queue: 1 normal".
 */
#ifndef SIM_IMPORT_WRITE_H
#define SIM_IMPORT_WRITE_H

#include <stdio.h>

#include "core/error.h"
#include "sim/import/import.h"

struct import_output {
	const char *log; /* "-" = standard output; gzipped if it ends in .gz */
	const char *table;	      /* NULL = none */
	const char *counts;	      /* NULL = none */
	const char *map;	      /* names and their hashes; NULL = none */
	const struct import_key *key; /* hash users and accounts; or NULL */
	uint32_t procs, nodes;	      /* of the machine; 0 = not known */
};

/* Write the files of a finished import.
 * Result: 0, or -1 with ENOMEM or errno of the system.  Each file appears whole
 *         or not at all.  If the last step of a file fails, the files before it
 *         (log, table, counts, map) are there already.
 */
int import_write(const struct import *im, const struct import_output *to,
		 struct libra_error *err);

/* Print how many rows were read, kept, dropped, changed and guessed. */
void import_summary(const struct import *im, FILE *fp);

#endif
