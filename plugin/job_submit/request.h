/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - read what a submission or an update asks for.
 *
 * The texts of the result stay those of Slurm's request.  Called by
 * job_submit_libra.c in the thread of the request; needs no lock.
 */
#ifndef LIBRA_JOB_SUBMIT_REQUEST_H
#define LIBRA_JOB_SUBMIT_REQUEST_H

#include <stdbool.h>

#include <slurm/slurm.h>

#include "plugin/base/types.h"
#include "plugin/job_submit/texts.h"

/* Read a submission.  too_long is the result of libra_texts_cut().  The values
 * of our own options are the caller's to add.
 */
struct libra_host_request libra_request(const job_desc_msg_t *desc,
					const struct libra_text *too_long);

/* Read an update of a job. */
struct libra_host_request libra_change(const job_desc_msg_t *desc,
				       const struct libra_text *too_long);

/* Return true if an update changes anything that a promise depends on. */
bool libra_touches_promise(const job_desc_msg_t *desc);

#endif
