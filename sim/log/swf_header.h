/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_header.h - the header comments of a log, such as "; MaxProcs: 128".
 *
 * Internal to the reader (swf.h).  Comments with other names are skipped.
 */
#ifndef SIM_SWF_HEADER_H
#define SIM_SWF_HEADER_H

#include "sim/log/swf.h"
#include "sim/log/swf_fields.h"

struct swf_header {
	struct swf_trace *trace;
	char **entry; /* the copyright, while the next line may continue it */
};

/* Parse the comment from p, its semicolon, up to end, its newline, and set the
 * field of the trace that it names.  The first comment with a name counts.
 * Result: 0, or -1 with EINVAL (a number out of range, a NUL byte) or ENOMEM.
 * Owner:  the trace owns texts.
 */
int swf_header_parse(struct swf_header *h, const struct swf_place *at,
		     const char *p, const char *end);

#endif
