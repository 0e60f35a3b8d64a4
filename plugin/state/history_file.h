/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_file.h - the history of users' estimates, kept over restarts.
 *
 * If libra_correct=Q is set, the history (core/history.h) is in the file
 * libra_history of slurmctld's state folder.  All groups of partitions share
 * it.  A file that cannot be read is renamed to libra_history.bad, and the
 * history starts empty.  A file that cannot be written is reported once.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_STATE_HISTORY_FILE_H
#define LIBRA_STATE_HISTORY_FILE_H

#include <stdbool.h>

#include "core/history.h"
#include "plugin/base/types.h"

struct host_history {
	const struct libra_host_ops *ops;
	struct libra_history *history; /* NULL = estimates are not corrected */
	char *path;
	double saved_s;
	bool changed; /* since the last write */
	bool failing; /* the last write failed and was reported */
};

/* Read the history from a state folder, or create an empty one.  If folder is
 * NULL, quantile is 0, or memory is out, there is no history: estimates are not
 * corrected.  A history from before is saved and freed first.
 */
void host_history_begin(struct host_history *history, const char *folder,
			double quantile);

/* Save the history if it has changed, wait for the disk, and free the history.
 */
void host_history_end(struct host_history *history);

/* Save the history if it has changed, at most once a minute, without waiting
 * for the disk.
 */
void host_history_save(struct host_history *history, double now_s);

#endif
