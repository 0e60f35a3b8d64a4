/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * version.h - the version of this program, as files and reports name it.
 */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

/* Return the version that configure set, such as "0.3.0"; a constant. */
const char *sim_version(void);

#endif
