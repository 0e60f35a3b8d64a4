/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - read jobs from JSON, one object after the other.
 *
 * sacct --json has them in an array "jobs" of one large object; the job
 * completion plugins (elasticsearch, kafka) write one object for each
 * job, perhaps within "_source".  One job is in memory at a time.  The releases
 * of sacct --json differ in names and in whether a number is {"set",
 * "infinite", "number"}: all of that is read.
 */
#ifndef SIM_IMPORT_JSON_H
#define SIM_IMPORT_JSON_H

#include "sim/base/input.h"
#include "sim/import/row.h"

enum { IMPORT_ARENA = 16 * 1024 };

struct import_json_reader {
	bool jobcomp;		  /* else sacct --json */
	bool within;		  /* the array "jobs" */
	bool any;		  /* such an array was there */
	void *object;		  /* of the last row (jansson's) */
	char arena[IMPORT_ARENA]; /* texts that had to be made */
	size_t used;
};

/* Read the next job.
 * Result: see enum import_row_result; -1 with EINVAL: no JSON, or no jobs.
 */
int import_json_row(struct import_json_reader *r, struct input *in,
		    struct import_row *row);
void import_json_fini(struct import_json_reader *r);

#endif
