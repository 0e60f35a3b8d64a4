/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - a progress bar on the terminal. */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stddef.h>

/* Show done of total on standard error, if that is a terminal; remove the bar
 * when all is done.  It is a sim_progress_f; arg is unused.
 */
void progress_show(void *arg, size_t done, size_t total);

/* Remove an unfinished bar. */
void progress_clear(void);

#endif
