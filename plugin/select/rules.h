/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.h - what Slurm will hold against a submission after our verdict.
 */
#ifndef LIBRA_SELECT_RULES_H
#define LIBRA_SELECT_RULES_H

#include "plugin/host/types.h"

/* One of struct libra_host_ops.  The caller holds Slurm's locks of a
 * submission, and none of the host.
 */
void libra_rules(const struct libra_host_request *request,
		 struct libra_host_rules *rules);

#endif
