/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservations_file.h - the ordinary job that has a plan, kept over restarts.
 *
 * Such a job has no record of ours.  Without this file the promises that wait
 * would come forward over its place before it is planned again.  The file is
 * libra_firm of slurmctld's state folder, or libra_firm.PARTITION; there is
 * none while no job has such a plan.
 */
#ifndef LIBRA_STATE_RESERVATIONS_FILE_H
#define LIBRA_STATE_RESERVATIONS_FILE_H

#include "plugin/base/types.h"
#include "plugin/state/state_file.h"

struct host_firm {
	char path[HOST_STATE_PATH]; /* "" = nothing is kept */
	uint32_t job_id;	    /* 0 = none */
	double start_s;
	bool fresh;   /* as read: nothing is planned for it yet */
	bool failing; /* the file cannot be written: reported */
};

/* Keep it in a state folder from now on, and read what is there; a folder of
 * NULL keeps nothing.
 */
void host_firm_begin(struct host_firm *firm, const struct libra_host_ops *ops,
		     const char *folder, const char *label);

/* This job has the plan now; 0 = none. */
void host_firm_set(struct host_firm *firm, const struct libra_host_ops *ops,
		   uint32_t job_id, double start_s);

#endif
