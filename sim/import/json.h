/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - read jobs from JSON, one object after the other.
 *
 * sacct --json has them in an array "jobs" of one large object; the job
 * completion plugins (elasticsearch, kafka) write one object for each
 * job, perhaps within "_source".  One job is in memory at a time.  Releases of
 * sacct --json differ in names, and a number may be an object {"set",
 * "infinite", "number"}; the reader knows each of these forms.
 */
#ifndef SIM_IMPORT_JSON_H
#define SIM_IMPORT_JSON_H

#include "sim/base/input.h"
#include "sim/import/row.h"

enum { IMPORT_ARENA = 16 * 1024 };

struct import_json_reader {
	bool jobcomp;		  /* else sacct --json */
	bool within;		  /* the reader is within an array "jobs" */
	bool any;		  /* an array "jobs" was found */
	void *object;		  /* the last row's json_t, owned */
	char arena[IMPORT_ARENA]; /* texts made for the last row */
	size_t used;
};

/* Read the next job into a row; a reader of zeros begins a file.
 * Result: see enum import_row_result; -1 with ENOMEM, or EINVAL: no JSON, or no
 *         jobs.
 * Owner:  the reader owns the row's texts, until the next call.  The caller
 *         calls import_json_fini() after the last row or an error.
 */
int import_json_row(struct import_json_reader *r, struct input *in,
		    struct import_row *row);
void import_json_fini(struct import_json_reader *r);

#endif
