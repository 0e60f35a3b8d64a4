/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - files that appear whole or not at all.
 *
 * A file is written under a temporary name in its own folder, flushed to the
 * disk, and renamed at the end; until then an older file of that name stays.
 * Several files that belong together are a set: none is renamed before all of
 * them are on the disk.
 *
 * Callers: the commands of librasim and the modules that write reports, in one
 * process.  A temporary file is removed on each error; a killed program leaves
 * it behind.
 */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

struct out_file {
	FILE *fp; /* write here; NULL when closed */
	char *path;
	char *tmp; /* NULL: written in place (a pipe, a device, "-") */
};

/* Flush a stream, and check all writes to it so far.
 * Result: 0, or -1 with errno; EIO if an earlier write failed and its errno is
 *         lost.
 */
int out_flush(FILE *fp);

/* Test before long work whether out_open() would succeed.  A pipe, a device and
 * "-" are not tested.
 * Result: 0, or -1 as out_open(); no file is left.
 */
int out_check(const char *path, struct libra_error *err);

/* Begin a file; "-" is standard output.
 * Result: 0, or -1 with errno of the system (EISDIR, EACCES, ENOENT, ENOMEM);
 *         the text names the file.
 * Owner:  the caller ends it by out_commit() or out_abort(), which free path
 *         and tmp; after an error it need not.
 */
int out_open(struct out_file *f, const char *path, struct libra_error *err);

/* Flush the file to the disk, close it and rename it to its name.
 * Result: 0, or -1 with errno (ENOSPC, EIO); then no temporary file is left,
 *         and an older file of that name is unchanged.
 */
int out_commit(struct out_file *f, struct libra_error *err);

/* Discard the file, as if it had never been begun; keeps errno. */
void out_abort(struct out_file *f);

/* Make a folder and all folders above it, if they are missing.
 * Result: 0, or -1 with errno of the system.
 */
int out_make_folder(const char *dir, struct libra_error *err);

/* Test before long work whether files can be written into a folder.  A missing
 * folder is not made: the nearest existing folder above it is tested.
 * Result: 0, or -1 with errno of the system (EACCES, ENOTDIR).
 */
int out_check_folder(const char *dir, struct libra_error *err);

/* Files of one folder that appear together. */
struct out_set {
	char *dir;
	struct out_file *files;
	size_t n, cap;
};

/* Begin a set; the folder and all folders above it are made if missing.
 * Result: 0, or -1 with errno of the system or ENOMEM.
 * Owner:  the caller ends it by out_set_commit() or out_set_abort(); after an
 *         error it need not.
 */
int out_set_init(struct out_set *set, const char *dir, struct libra_error *err);

/* Begin the file called name in the set.
 * Result: the stream to write it to, or NULL with errno.
 * Owner:  the set, which closes the stream.
 */
FILE *out_set_open(struct out_set *set, const char *name,
		   struct libra_error *err);

/* Rename all files, in the order in which they were begun.
 * Result: 0, or -1 with errno.  If a write failed, no file was renamed; if a
 *         rename failed, the files before it have their names.
 */
int out_set_commit(struct out_set *set, struct libra_error *err);

/* Discard all files of the set; keeps errno. */
void out_set_abort(struct out_set *set);

#endif
