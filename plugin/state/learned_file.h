/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_file.h - what a policy has learned, kept over restarts.
 *
 * The averages of its reserves lie in the file libra_learned of slurmctld's
 * state folder, or libra_learned.PARTITION where several policies have
 * partitions of their own.  They count for the same policy on processors of the
 * same kind alone (a plan's may be nodes); else the policy begins anew.  A file
 * that cannot be read is put aside as .bad, one that cannot be written is
 * reported once.
 */
#ifndef LIBRA_STATE_LEARNED_FILE_H
#define LIBRA_STATE_LEARNED_FILE_H

#include <stdbool.h>

#include "plugin/engine/engine_log.h"
#include "plugin/base/types.h"
#include "plugin/state/averages.h"

struct host_learned {
	char path[HOST_STATE_PATH]; /* "" = nothing is kept */
	double saved[HOST_MOST_LEARNED];
	double saved_s;
	bool failing; /* it could not be written: reported */
};

/* Keep it in a state folder from now on; a folder of NULL keeps nothing. */
void host_learned_begin(struct host_learned *learned, const char *folder,
			const char *label);

/* A new engine learns what the file has. */
void host_learned_load(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       struct libra_engine_log *log, bool whole_nodes,
		       double now_s);

/* Write the file if the engine knows something else.  Not safe: no more often
 * than once a minute, and without waiting for the disk.
 */
void host_learned_save(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       const struct libra_engine_log *log, bool whole_nodes,
		       bool safe, double now_s);

#endif
