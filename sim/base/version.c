/* SPDX-License-Identifier: GPL-2.0-or-later */
/* version.c - see version.h. */
#include "sim/base/version.h"

const char *sim_version(void)
{
	return LIBRA_VERSION;
}
