/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.h - which waiting jobs Slurm shall look at now.
 */
#ifndef LIBRA_HOST_TURN_H
#define LIBRA_HOST_TURN_H

#include <stdbool.h>

#include "plugin/host/state.h"

/* May a waiting job start on what it was promised, or has it reason to ask for
 * a promise (again)?  Nothing is changed.  One whose promise is lost is left to
 * Slurm's own queue.
 */
bool host_wants(struct host_state *h, const struct libra_host_job *job,
		double now_s);

#endif
