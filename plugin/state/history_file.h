/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_file.h - what users' estimates were worth, kept over restarts.
 *
 * With libra_correct=Q the history (core/history.h) lies in the file
 * libra_history of slurmctld's state folder.  A file that cannot be read is put
 * aside as libra_history.bad, and slurmctld goes on with an empty history; one
 * that cannot be written is reported once.
 */
#ifndef LIBRA_STATE_HISTORY_FILE_H
#define LIBRA_STATE_HISTORY_FILE_H

#include <stdbool.h>

#include "core/history.h"
#include "plugin/base/types.h"

struct host_history {
	const struct libra_host_ops *ops;
	struct libra_history *history; /* NULL = estimates stay as they are */
	char *path;
	double saved_s;
	bool changed; /* since it was written */
	bool failing; /* it could not be written: reported */
};

/* Read the history of a state folder, or begin one.  A folder of NULL or a
 * quantile of 0 keeps none.
 */
void host_history_begin(struct host_history *history, const char *folder,
			double quantile);

/* Write it and forget it. */
void host_history_end(struct host_history *history);

/* Write it if it has changed, but not more often than once a minute. */
void host_history_save(struct host_history *history, double now_s);

#endif
