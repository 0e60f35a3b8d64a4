/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - a bar on the terminal while runs are under way. */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stddef.h>

/* Show done of total on standard error; nothing unless that is a terminal.
 * The bar is taken away when all is done.  A sim_progress_f; arg is unused.
 */
void progress_show(void *arg, size_t done, size_t total);

/* Take an unfinished bar away. */
void progress_clear(void);

#endif
