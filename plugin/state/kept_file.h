/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_file.h - places that are kept for jobs which others were stopped for,
 * over restarts.
 *
 * They are in no record of ours.  Without this file a restart gave a place to
 * whom the plans had for it, after others had been stopped for the job.  The
 * file is libra_kept of slurmctld's state folder, or libra_kept.PARTITION; its
 * form is in kept_text.h, and there is none while no place is kept.
 */
#ifndef LIBRA_STATE_KEPT_FILE_H
#define LIBRA_STATE_KEPT_FILE_H

#include "plugin/base/types.h"
#include "plugin/state/kept_text.h"
#include "plugin/state/state_file.h"

struct host_kept_file {
	char path[HOST_STATE_PATH]; /* "" = nothing is kept */
	bool failing;		    /* the file cannot be written: reported */
	bool waits;		    /* it cannot be read: reported */
};

/* Keep places in a state folder from now on; a folder of NULL keeps none. */
void host_kept_file_begin(struct host_kept_file *file, const char *folder,
			  const char *label);

/* What is there; a damaged file is reported and put aside.
 * Result: 1, and the caller ends *kept; 0 if there is nothing to be had; -1 if
 *         there may be another time (no memory, no descriptor, a disk that
 *         fails), which is reported once.
 */
int host_kept_file_read(struct host_kept_file *file,
			const struct libra_host_ops *ops,
			struct host_kept *kept);

/* Write it anew; a text of NULL takes the file away.  One that is not as it
 * should be is taken away, too, and that is reported once.
 */
void host_kept_file_write(struct host_kept_file *file,
			  const struct libra_host_ops *ops,
			  const struct host_text *text);

#endif
