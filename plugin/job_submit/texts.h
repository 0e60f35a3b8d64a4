/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - bound the length of the texts of a request.
 *
 * Slurm tests lengths only after job_submit() and job_modify(), so these get
 * texts of any length.  No text may be read before libra_texts_cut().  Called
 * by job_submit_libra.c in the thread of the request; needs no lock.
 */
#ifndef LIBRA_JOB_SUBMIT_TEXTS_H
#define LIBRA_JOB_SUBMIT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include <slurm/slurm.h>

struct libra_text {
	size_t at;	    /* offset of the pointer in job_desc_msg_t */
	uint32_t longest;   /* characters */
	const char *option; /* as sbatch has it */
};

/* All texts of a request that have a bound.  The last entry's option is NULL.
 */
extern const struct libra_text libra_texts[];

/* Set each text that is too long to NULL in a copy of a request.
 * Result: the first such text, or NULL if there is none.
 * Owner:  the texts stay the original request's.
 * Cost:   at most the sum of the bounds.
 */
const struct libra_text *libra_texts_cut(job_desc_msg_t *copy);

#endif
