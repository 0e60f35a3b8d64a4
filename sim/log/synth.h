/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth.h - the built-in trace.
 *
 * 3000 records drawn at random to resemble the last 3000 of the SDSC SP2 log,
 * which the papers use: the same means, shapes, and errors in the users'
 * estimates.  It is for trials without a log; its results are not those of the
 * papers.
 */
#ifndef SIM_SYNTH_H
#define SIM_SYNTH_H

#include <stdint.h>

#include "sim/log/swf.h"

#define SYNTH_NAME "(synthetic)"

/* Make the trace.  The same seed gives the same records on every machine.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls swf_fini(); after an error it need not.
 */
int synth_trace(struct swf_trace *trace, uint64_t seed,
		struct libra_error *err);

#endif
