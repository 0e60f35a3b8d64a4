/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far long work has come, on the terminal.
 *
 * A bar with the time that is left, on standard error.  Work that takes less
 * than a second shows no bar.  If standard error is not a terminal, there is no
 * bar either.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* A callback that long work calls with `done` of `total`, in a unit of its own,
 * and may call often.
 */
typedef void sim_progress_f(void *arg, double done, double total);

/* A bar; all zero at first. */
struct progress {
	bool begun, drawn;
	double begin_s, drawn_s; /* on the monotonic clock */
	double drawn_done;	 /* `done` when the bar was last drawn */
	double speed;		 /* units of work in a second, recently */
};

/* A sim_progress_f; arg is a struct progress.  Draw the bar a few times a
 * second; remove the bar when all is done.
 */
void progress_show(void *arg, double done, double total);

/* Remove a bar that is drawn. */
void progress_clear(struct progress *p);

#endif
