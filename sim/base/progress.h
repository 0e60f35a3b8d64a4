/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far long work has come, on the terminal.
 *
 * A bar with the time that is left, on standard error.  Work that takes less
 * than a second shows none, nor does standard error that is no terminal.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Called with what is done of total, in the caller's unit; it may be called
 * often.
 */
typedef void sim_progress_f(void *arg, double done, double total);

/* A bar; all zero at first. */
struct progress {
	bool begun, drawn;
	double begin_s, drawn_s; /* on the monotonic clock */
	double drawn_done;	 /* was done when it was drawn */
	double speed;		 /* per second, of late */
};

/* A sim_progress_f; arg is a struct progress.  Draw the bar a few times a
 * second; remove the bar when all is done.
 */
void progress_show(void *arg, double done, double total);

/* Remove a bar that is drawn. */
void progress_clear(struct progress *p);

#endif
