/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file.h - small files of ours in slurmctld's state folder.
 *
 * A file is either the old or the new one, whatever happens to slurmctld; and
 * to the machine, if it was written safely.
 */
#ifndef LIBRA_STATE_STATE_FILE_H
#define LIBRA_STATE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/base/types.h"

enum { HOST_STATE_PATH = 4096 };

/* Where a file lies: "NAME", or "NAME.LABEL" of a group of partitions (label),
 * where a slash becomes a line.  A folder of NULL has none.
 * Result: false, and the path is "", if there is none or it is too long.
 */
bool host_state_path(char path[HOST_STATE_PATH], const char *folder,
		     const char *name, const char *label);

/* Read all of a plain file.
 * Result: the text, which no NUL ends, or NULL with errno (EFBIG: more than 64
 *         MB).
 * Owner:  the caller frees it.
 */
char *host_state_file_read(const char *path, size_t *size);

/* Write it anew; safe: wait until the disk has it.
 * Result: 0, or -1 with errno and the old file as it was.
 */
int host_state_file_write(const char *path, const char *text, size_t size,
			  bool safe);

/* A file that cannot be used gets the name PATH.bad: the next write would be
 * over what somebody may mend.
 */
void host_state_file_put_aside(const char *path,
			       const struct libra_host_ops *ops);

#endif
