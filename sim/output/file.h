/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - files that appear whole or not at all.
 *
 * A file is written under a temporary name in its own folder, flushed to the
 * disk, and renamed at the end; until then an older file of that name stays.
 * Several files that belong together are a set: none is renamed before all of
 * them are on the disk.
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

/* Flush a stream.
 * Result: 0 if all that was written to it went out, or -1 with errno; EIO if
 *         the reason is not known any more, as a write before failed.
 */
int out_flush(FILE *fp);

/* Report now what out_open() would, before long work.  A pipe or a device is
 * not looked at.
 * Result: as of out_open().
 */
int out_check(const char *path, struct libra_error *err);

/* Begin a file; "-" is standard output.
 * Result: 0, or -1 with errno of the system (EISDIR, EACCES, ENOENT, ENOMEM);
 *         the text names the file.
 * Owner:  the caller ends it by out_commit() or out_abort().
 */
int out_open(struct out_file *f, const char *path, struct libra_error *err);

/* Rename the file to its name.
 * Result: 0, or -1 with errno (ENOSPC, EIO); then no temporary file is left.
 */
int out_commit(struct out_file *f, struct libra_error *err);

/* Discard the file, as if it had never been begun; keeps errno. */
void out_abort(struct out_file *f);

/* Make a folder and those above it, if they are missing.
 * Result: 0, or -1 with errno of the system.
 */
int out_make_folder(const char *dir, struct libra_error *err);

/* Report now whether files can be written into a folder, before long work; the
 * folder may be missing, and is not made.
 * Result: 0, or -1 with errno of the system (EACCES, ENOTDIR).
 */
int out_check_folder(const char *dir, struct libra_error *err);

/* Files of one folder that appear together. */
struct out_set {
	char *dir;
	struct out_file *files;
	size_t n, cap;
};

/* Begin a set; the folder and those above it are made if they are missing.
 * Result: 0, or -1 with errno of the system.
 * Owner:  the caller ends it by out_set_commit() or out_set_abort().
 */
int out_set_init(struct out_set *set, const char *dir, struct libra_error *err);

/* Result: where to write the file called name, or NULL with errno. */
FILE *out_set_open(struct out_set *set, const char *name,
		   struct libra_error *err);

/* Rename all files, in the order in which they were begun.
 * Result: 0, or -1 with errno; if a write failed, no file was renamed.
 */
int out_set_commit(struct out_set *set, struct libra_error *err);
void out_set_abort(struct out_set *set);

#endif
