/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_file.h - the averages that a policy has learned, kept over restarts.
 *
 * The averages of a policy's reserves are in the file libra_learned of
 * slurmctld's state folder, or in libra_learned.PARTITION if several policies
 * have partitions of their own.  Averages are used only by the same policy and
 * for the same kind of processor (core or whole node); otherwise the policy
 * starts without averages.  A file that cannot be read is renamed to .bad.  A
 * file that cannot be written is reported once.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_STATE_LEARNED_FILE_H
#define LIBRA_STATE_LEARNED_FILE_H

#include <stdbool.h>

#include "plugin/engine/engine_log.h"
#include "plugin/base/types.h"
#include "plugin/state/averages.h"

struct host_learned {
	char path[HOST_STATE_PATH]; /* "" = averages are not saved */
	double saved[HOST_MOST_LEARNED];
	double saved_s;
	bool failing; /* the last write failed and was reported */
};

/* Use this state folder from now on.  If folder is NULL, averages are not
 * saved.
 */
void host_learned_begin(struct host_learned *learned, const char *folder,
			const char *label);

/* Give the averages in the file to a new engine. */
void host_learned_load(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       struct libra_engine_log *log, bool whole_nodes,
		       double now_s);

/* Write the file if the engine's averages have changed.  safe: wait for the
 * disk; otherwise write at most once a minute and do not wait.
 */
void host_learned_save(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       const struct libra_engine_log *log, bool whole_nodes,
		       bool safe, double now_s);

#endif
