/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - the texts of a request, and how long each may be.
 *
 * Slurm tests lengths after job_submit() and job_modify(), so that a text
 * arrives there with any length.  No text is read before its length is known.
 */
#ifndef LIBRA_JOB_SUBMIT_TEXTS_H
#define LIBRA_JOB_SUBMIT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include <slurm/slurm.h>

struct libra_text {
	size_t at;	    /* of the char pointer in job_desc_msg_t */
	uint32_t longest;   /* characters */
	const char *option; /* as sbatch has it */
};

/* Every text of a request that has a bound.  Ends with an option of NULL. */
extern const struct libra_text libra_texts[];

/* Take the texts that are too long out of a copy of a request: they become
 * NULL.  The texts stay those of the request.
 * Result: the first of them, or NULL if there is none.
 * Cost:   no more than the sum of the bounds.
 */
const struct libra_text *libra_texts_cut(job_desc_msg_t *copy);

#endif
