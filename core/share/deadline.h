/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deadline.h - find the earliest deadline with which a job would be accepted.
 */
#ifndef LIBRA_SHARE_DEADLINE_H
#define LIBRA_SHARE_DEADLINE_H

#include "core/share/state.h"

/* As libra_engine_earliest_deadline(). */
double libra_share_earliest_deadline(struct libra_engine *e,
				     const struct libra_job *job);

#endif
