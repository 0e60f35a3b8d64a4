/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_files.h - the folder with the records of a node's jobs, and its lock.
 *
 * STATE/NODE/job_ID is the record of a job, STATE/NODE/lock the lock.  Both
 * folders are private: they belong to the caller's user, and nobody else can
 * enter them.  No symbolic link is followed below STATE.  A record is replaced
 * as a whole.
 */
#ifndef LIBRA_SPANK_NODE_FILES_H
#define LIBRA_SPANK_NODE_FILES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugin/spank/record.h"

struct spank_files {
	const char *state, *name; /* STATE and NODE, the caller's */
	int top, folder;	  /* STATE and STATE/NODE, or -1 */
	int lock;		  /* or -1 */
};

/* Return true if state is an absolute path and name a plain word. */
bool spank_files_valid(const char *state, const char *name);

/* Make the folders and take the lock.  Wait up to 5 s, or until *stop is true
 * (stop may be NULL).
 * Result: 0, or -1 with errno; then files->folder may be open, and usable
 *         without the lock.  The caller calls close in either case.
 */
int spank_files_lock(struct spank_files *files, const atomic_bool *stop);
void spank_files_unlock(struct spank_files *files);

/* Remove the lock and the folders, if no record is left. */
void spank_files_remove(struct spank_files *files);
void spank_files_close(struct spank_files *files);

/* Open the node's folder, if it exists.
 * Result: a descriptor, which the caller closes, or -1.
 */
int spank_files_look(const char *state, const char *name);

/* Write, read and remove the record of a job in a folder.
 * Result: 0, or -1 with errno; of read EINVAL: damaged, ENOTSUP: of a later
 *         version.
 */
int spank_files_write(int folder, uint32_t job_id, const char *text);
int spank_files_read(int folder, uint32_t job_id, struct spank_job *job);
void spank_files_drop(int folder, uint32_t job_id);

/* Return the job id in a file's or a group's name ("job_12"), or 0. */
uint32_t spank_files_job(const char *name);

#endif
