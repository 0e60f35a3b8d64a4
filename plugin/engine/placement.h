/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - the processors of a job: as the engine has them, as parts of
 * nodes, and as text in a record (admin_comment.h).
 *
 * Callers: plugin/host, jobs and request, in any thread, under the host's lock.
 */
#ifndef LIBRA_ENGINE_PLACEMENT_H
#define LIBRA_ENGINE_PLACEMENT_H

#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/engine_log.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/base/types.h"
#include "plugin/base/text.h"

/* Read the promised processors of a ticket, as parts by the engine's nodes.
 * Result: 0, or -1 with errno (ENOMEM or ENOENT); then there are no parts.
 * Owner:  the caller frees placement->parts.
 */
int host_placement_read(struct libra_engine_log *log,
			const struct host_cluster *cluster, uint64_t ticket,
			struct libra_host_placement *placement);

/* A job whose processors go into a record. */
struct record_job {
	uint64_t ticket;
	bool running;		 /* also write the rest of its estimate */
	bool suspended;		 /* the rest is suspended_left_s */
	double suspended_left_s; /* of each part */
	double now_s;
};

/* Append a job's processors ("n1:0-3,n2:0") to on, and the rest of each part to
 * left.  The caller frees scratch->parts.
 * Result: false if memory ran out; then the texts are incomplete.
 */
bool host_record_write(struct host_text *on, struct host_text *left,
		       struct libra_engine_log *log,
		       const struct host_cluster *cluster,
		       const struct record_job *job,
		       struct libra_host_placement *scratch);

/* Return the job of a record, as it was promised. */
struct libra_job host_record_job(const struct libra_host_job *job,
				 const struct libra_promise *promise);

/* Read a record's parts in the engine's terms, as of now: the rest of each part
 * is the written rest, less the work done since at the written rate.
 * Result: the number of parts; 0 if they do not match this cluster, or exceed
 *         cap.
 */
uint32_t host_record_parts(const struct host_cluster *cluster,
			   const struct libra_promise *promise, double now_s,
			   struct libra_part *parts, uint32_t cap);

/* Write the resources of a size besides processors, as the word need. */
void host_record_need(const struct host_cluster *cluster,
		      const struct request_size *size,
		      char text[LIBRA_PROMISE_NEED]);

/* Return the size of a record's job; nprocs is 0. */
struct request_size host_record_size(const struct host_cluster *cluster,
				     const struct libra_promise *promise);

#endif
