/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_file.h - the holds for preempting jobs, kept over restarts.
 *
 * No job record contains a hold.  Without this file, slurmctld would give the
 * processors to other reservations after a restart, although jobs were stopped
 * for the preempting job.  The file is libra_kept in slurmctld's state folder,
 * or libra_kept.PARTITION.  The file exists only while there is a hold;
 * kept_text.h has its format.
 *
 * Callers: preemption.c and reconfigure.c, in any thread, under the host's
 * lock.  No function needs a lock of Slurm.  Reads and writes may wait for the
 * disk.
 */
#ifndef LIBRA_STATE_KEPT_FILE_H
#define LIBRA_STATE_KEPT_FILE_H

#include "plugin/base/types.h"
#include "plugin/state/kept_text.h"
#include "plugin/state/state_file.h"

struct host_kept_file {
	char path[HOST_STATE_PATH]; /* "" = holds are not saved */
	bool failing;		    /* the last write failed and was reported */
	bool waits; /* a read failed and will be tried again; reported */
};

/* Use this state folder from now on.  If folder is NULL, holds are not saved.
 */
void host_kept_file_begin(struct host_kept_file *file, const char *folder,
			  const char *label);

/* Read the holds.  A damaged file is reported and renamed to .bad.
 * Result: 1 with the holds in *kept; 0 if there are none that can be read; -1
 *         if a later try may succeed (no memory, no descriptor, a disk error),
 *         which is reported once.
 * Owner:  after 1 the caller frees *kept with host_kept_fini().
 */
int host_kept_file_read(struct host_kept_file *file,
			const struct libra_host_ops *ops,
			struct host_kept *kept);

/* Replace the file by this text, or remove the file if text is NULL.  If the
 * text is incomplete (text->cut) or cannot be written, remove the file as well,
 * and report that once.
 */
void host_kept_file_write(struct host_kept_file *file,
			  const struct libra_host_ops *ops,
			  const struct host_text *text);

#endif
