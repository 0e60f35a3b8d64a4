/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * averages.h - the text of the file libra_learned in slurmctld's state folder.
 *
 * The file has one line: version, policy, kind of processor (node or core),
 * averages.  Callers: learned_file.h under the host's lock; the libra command
 * reads the file without a lock, to answer as slurmctld would.
 */
#ifndef LIBRA_STATE_AVERAGES_H
#define LIBRA_STATE_AVERAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/state/state_file.h"

enum { HOST_MOST_LEARNED = 96 };

/* Compose the path of the file, as host_state_path(). */
bool host_averages_path(char path[HOST_STATE_PATH], const char *folder,
			const char *label);

/* Read the averages of a policy into values, which has room for
 * HOST_MOST_LEARNED.
 * Result: the number of averages; 0 if the file belongs to another policy or
 *         kind of processor; -1 with errno (EBADMSG: damaged).
 */
int host_averages_read(const char *path, const char *policy, bool whole_nodes,
		       double *values);

/* Replace the file by these averages.  Result: as host_state_file_write(). */
int host_averages_write(const char *path, const char *policy, bool whole_nodes,
			const double *values, size_t n, bool safe);

#endif
