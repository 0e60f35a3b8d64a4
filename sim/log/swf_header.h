/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_header.h - the comments of a log that say something: "; MaxProcs: 128".
 *
 * Internal to the reader (swf.h).  Other comments are passed over.
 */
#ifndef SIM_SWF_HEADER_H
#define SIM_SWF_HEADER_H

#include "sim/log/swf.h"
#include "sim/log/swf_fields.h"

struct swf_header {
	struct swf_trace *trace;
	char **entry; /* the notice, while the next line may continue it */
};

/* Parse the comment from p (at its semicolon) up to end, where a newline is.
 * The first entry of a name counts.
 * Result: 0, or -1 with EINVAL (a number out of range, a NUL byte) or ENOMEM.
 */
int swf_header_parse(struct swf_header *h, const struct swf_place *at,
		     const char *p, const char *end);

#endif
