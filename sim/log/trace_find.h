/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_find.h - find a log in the folders that may have it.
 *
 * The search has this order: the path that the user gave; the folders of
 * LIBRA_TRACES (colon-separated); ../shared/traces and ./traces; and the folder
 * of contrib/fetch-traces ($XDG_DATA_HOME/slurm-libra/traces, or
 * ~/.local/share/slurm-libra/traces).
 */
#ifndef SIM_TRACE_FIND_H
#define SIM_TRACE_FIND_H

#include "core/error.h"

/* Find a trace by its file name.  given: the user's path, or NULL.
 * Result: 0 and the path of a file that can be read; 0 and NULL if there is
 *         none; or -1 with ENOMEM.  A given path is returned without a test.
 * Owner:  the caller frees *path.
 */
int sim_trace_find(const char *given, const char *basename, char **path,
		   struct libra_error *err);

#endif
