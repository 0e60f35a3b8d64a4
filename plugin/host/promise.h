/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promise.h - what a job was promised, as text in its admin_comment.
 *
 * Slurm keeps that field in its state file and in the job record, and lets no
 * ordinary user write it.  The text is one line of name=value words, for
 * people and for us:
 *
 *   libra:1 offer=17.3 tasks=1 procs=4 estimate=600 deadline=1763650000
 *   submit=1763649000.5 share=0.25 on=n1:0-3
 *
 * offer is the run of the host that gave it, and its number there; 0 means
 * that the job waits for one.  Processors are named by node and index.
 */
#ifndef LIBRA_HOST_PROMISE_H
#define LIBRA_HOST_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct libra_promise {
	uint64_t epoch; /* run of the host */
	uint64_t offer; /* number in it; 0 = none yet */
	uint32_t tasks; /* of an array: offers offer .. offer + tasks - 1 */
	uint32_t nprocs;
	double estimate_s;
	double deadline_s; /* instant; INFINITY = none */
	double submit_s;
	double share;
	const char *on; /* within the text it was read from; "" = nowhere yet */
	size_t on_len;
};

/* Write a promise.
 * Result: the text, for the caller to free, or NULL with ENOMEM.
 */
char *libra_promise_format(const struct libra_promise *promise);

/* Read one.
 * Result: 0, or -1 with ENOENT (some other comment, or none) or EINVAL (ours,
 *         but damaged or of another version).
 */
int libra_promise_parse(const char *text, struct libra_promise *promise);

#endif
