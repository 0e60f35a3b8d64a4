/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.h - for the files of the LibraRisk paper alone. */
#ifndef SIM_ICPP2006_H
#define SIM_ICPP2006_H

#include "sim/paper/steps.h"

/* Set the numbers that need no designs (properties.c).  Result: 0, or -1 with
 * err. */
int icpp_derive(void *study, struct libra_error *err);

#endif
