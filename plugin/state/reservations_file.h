/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservations_file.h - the ordinary job that has a reservation, kept over
 * restarts.
 *
 * An ordinary job has no record of ours.  Without this file, reservations of
 * other jobs would be moved earlier into its processors after a restart, before
 * the job is planned again.  The file is libra_firm in slurmctld's state
 * folder, or libra_firm.PARTITION.  The file exists only while an ordinary job
 * has a reservation.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_STATE_RESERVATIONS_FILE_H
#define LIBRA_STATE_RESERVATIONS_FILE_H

#include "plugin/base/types.h"
#include "plugin/state/state_file.h"

struct host_firm {
	char path[HOST_STATE_PATH]; /* "" = nothing is saved */
	uint32_t job_id;	    /* 0 = none */
	double start_s;
	bool fresh;   /* read from the file; the job is not planned yet */
	bool failing; /* the last write failed and was reported */
};

/* Use this state folder from now on, and read its file.  If folder is NULL,
 * nothing is saved.  A damaged file counts as none.
 */
void host_firm_begin(struct host_firm *firm, const struct libra_host_ops *ops,
		     const char *folder, const char *label);

/* Save that this job has the reservation now; job_id 0: no job has one, and the
 * file is removed.  A start that moved by less than a second, or that is
 * INFINITY or NAN, is not written.
 */
void host_firm_set(struct host_firm *firm, const struct libra_host_ops *ops,
		   uint32_t job_id, double start_s);

#endif
