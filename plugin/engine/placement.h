/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - the processors of a job: as the engine has them, as parts of
 * nodes, and as text in a record (admin_comment.h).
 *
 * Callers: plugin/host, jobs and request, in any thread, under the host's lock.
 * No function needs a lock of Slurm, or changes a job.
 */
#ifndef LIBRA_ENGINE_PLACEMENT_H
#define LIBRA_ENGINE_PLACEMENT_H

#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/engine_log.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/base/types.h"
#include "plugin/base/text.h"

/* Read the promised processors of a ticket into *placement, as parts by the
 * engine's nodes; former parts are overwritten.
 * Result: 0, or -1 with errno (ENOMEM or ENOENT); then there are no parts.
 * Owner:  the caller frees placement->parts.
 */
int host_placement_read(struct libra_engine_log *log,
			const struct host_cluster *cluster, uint64_t ticket,
			struct libra_host_placement *placement);

/* A job whose processors go into a record. */
struct record_job {
	uint64_t ticket;
	bool running;		 /* also write the rest of each part */
	bool suspended;		 /* the rest is suspended_left_s */
	double suspended_left_s; /* of each part */
	double now_s;
};

/* Append a job's processors ("n1:0-3,n2:0") to on.  If the job runs, append the
 * rest of the estimate of each part to left (left= in admin_comment.h).
 * Result: false if memory ran out, or the engine does not know the ticket; then
 *         the texts are incomplete.
 * Owner:  the caller frees both texts and scratch->parts.
 */
bool host_record_write(struct host_text *on, struct host_text *left,
		       struct libra_engine_log *log,
		       const struct host_cluster *cluster,
		       const struct record_job *job,
		       struct libra_host_placement *scratch);

/* Return a job with the numbers of its promise: size, estimate, deadline and
 * credits.  Its id and user are those of Slurm's job.
 */
struct libra_job host_record_job(const struct libra_host_job *job,
				 const struct libra_promise *promise);

/* Read a record's parts, in the engine's numbers.  The rest of a part that has
 * begun is the written rest, less its progress since then at the written rate.
 * The rest of any other part is the whole estimate.
 * Result: the number of parts; 0 if they do not match this cluster, or exceed
 *         cap.
 */
uint32_t host_record_parts(const struct host_cluster *cluster,
			   const struct libra_promise *promise, double now_s,
			   struct libra_part *parts, uint32_t cap);

/* Write the resources of a size besides processors, as the value of need= in a
 * record.
 */
void host_record_need(const struct host_cluster *cluster,
		      const struct request_size *size,
		      char text[LIBRA_PROMISE_NEED]);

/* Return the size that a record names, on any node of its partition; nprocs is
 * 0.  Resources that the cluster no longer has are left out.
 */
struct request_size host_record_size(const struct host_cluster *cluster,
				     const struct libra_promise *promise);

#endif
