/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * averages.h - the file libra_learned of slurmctld's state folder, as text: for
 * the host, which writes it, and for who reads it to answer as slurmctld would.
 *
 * It is one line: version, policy, what a processor is, the numbers.
 */
#ifndef LIBRA_STATE_AVERAGES_H
#define LIBRA_STATE_AVERAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/state/state_file.h"

enum { HOST_MOST_LEARNED = 96 };

/* Where it lies: as host_state_path(). */
bool host_averages_path(char path[HOST_STATE_PATH], const char *folder,
			const char *label);

/* The numbers of a policy, HOST_MOST_LEARNED at most.
 * Result: how many there are; 0: the file is of another policy, or of other
 *         processors; -1 with errno (EBADMSG: it is damaged).
 */
int host_averages_read(const char *path, const char *policy, bool whole_nodes,
		       double *values);

/* Result: as of host_state_file_write(). */
int host_averages_write(const char *path, const char *policy, bool whole_nodes,
			const double *values, size_t n, bool safe);

#endif
