/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file.h - read and write our small files in slurmctld's state folder.
 *
 * After a crash of slurmctld a file has either the old or the new content; if
 * it was written safely, after a crash of the machine, too.
 *
 * Callers: plugin/state, under the host's lock; in the libra command averages.h
 * and events/follow.h.  No function needs a lock.  Reads and writes may wait
 * for the disk.
 */
#ifndef LIBRA_STATE_STATE_FILE_H
#define LIBRA_STATE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/base/types.h"

enum { HOST_STATE_PATH = 4096 };

/* Compose the path of a file: FOLDER/NAME, or FOLDER/NAME.LABEL for a group of
 * partitions (label, or NULL).  A slash in the label becomes an underscore.
 * Result: false with an empty path if folder is NULL or the path is too long.
 */
bool host_state_path(char path[HOST_STATE_PATH], const char *folder,
		     const char *name, const char *label);

/* Read all of a regular file.  A symbolic link is refused.
 * Result: the text, without a NUL at its end, or NULL with errno (EFBIG: more
 *         than 64 MB).
 * Owner:  the caller frees the text.
 */
char *host_state_file_read(const char *path, size_t *size);

/* Replace the file by this text.  safe: wait until the disk has the text.
 * Result: 0, or -1 with errno; then the old file is unchanged.
 */
int host_state_file_write(const char *path, const char *text, size_t size,
			  bool safe);

/* Rename an unusable file to PATH.bad and log that, so that the next write does
 * not overwrite data that an administrator may repair.
 */
void host_state_file_put_aside(const char *path,
			       const struct libra_host_ops *ops);

#endif
