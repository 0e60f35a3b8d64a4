/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - the processors of a job: as the engine has them, as parts of
 * nodes, and as the text of a record (admin_comment.h).
 */
#ifndef LIBRA_ENGINE_PLACEMENT_H
#define LIBRA_ENGINE_PLACEMENT_H

#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/engine_log.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/base/types.h"
#include "plugin/base/text.h"

/* Read where a ticket is promised, as parts of the engine's nodes.
 * Result: 0, or -1.
 */
int host_placement_read(struct libra_engine_log *log,
			const struct host_cluster *cluster, uint64_t ticket,
			struct libra_host_placement *placement);

/* A job whose processors are to be written. */
struct record_job {
	uint64_t ticket;
	bool running;		 /* what it has left is written, too */
	bool suspended;		 /* it has suspended_left_s left */
	double suspended_left_s; /* of each part */
	double now_s;
};

/* Write where a job is ("n1:0-3,n2:0"), and what each part has left.
 * Result: false if memory ends; then a part is missing.
 */
bool host_record_write(struct host_text *on, struct host_text *left,
		       struct libra_engine_log *log,
		       const struct host_cluster *cluster,
		       const struct record_job *job,
		       struct libra_host_placement *scratch);

/* The job that a record is of, as it was promised. */
struct libra_job host_record_job(const struct libra_host_job *job,
				 const struct libra_promise *promise);

/* A record's parts in the engine's terms, as of now: what is left of each is
 * what was left, less what its rate has done since.
 * Result: how many, or 0 if they are not of this cluster.
 */
uint32_t host_record_parts(const struct host_cluster *cluster,
			   const struct libra_promise *promise, double now_s,
			   struct libra_part *parts, uint32_t cap);

/* What a size needs besides processors, as the text of a record. */
void host_record_need(const struct host_cluster *cluster,
		      const struct request_size *size,
		      char text[LIBRA_PROMISE_NEED]);

struct request_size host_record_size(const struct host_cluster *cluster,
				     const struct libra_promise *promise);

#endif
