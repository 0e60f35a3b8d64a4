/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording.h - what a real slurmctld did, instant by instant: each run of its
 * loops, each start and end, each priority.
 *
 * A recording is a folder beside the site's files: loops.txt, starts.txt,
 * priorities.txt, slurmctld.log (debug2, DebugFlags=Priority, times in
 * milliseconds and UTC), and events.txt, whose first line (# T0=) has the
 * instant from which the first three files count.  If sshare was called,
 * sshare.txt has what it printed, behind lines ### SECOND of the epoch.  Each
 * may be compressed (.gz).
 */
#ifndef SIM_SLURM_RECORDING_H
#define SIM_SLURM_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* In the order in which events of one instant happen. */
enum record_kind {
	RECORD_END,	 /* a run ended */
	RECORD_KILL,	 /* a run was ended, or a waiting job was cancelled */
	RECORD_REQUEUE,	 /* a run was preempted */
	RECORD_COMPLETE, /* a node is done with a job that was ended */
	RECORD_SUBMIT,
	RECORD_DECAY, /* value: seconds since the last decay run */
	RECORD_PRIORITY,
	RECORD_SSHARE, /* sshare asked for all users */
	RECORD_START,
	RECORD_MAIN, /* a run of the main loop; value 1: full queue */
	RECORD_BACKFILL,
};

struct record {
	int64_t at_ms; /* since 1970 */
	enum record_kind kind;
	uint32_t seq;	/* as read: the order among equal instants and kinds */
	uint32_t id;	/* JobIDRaw; 0 of a loop's run */
	uint32_t other; /* of a requeue: the JobIDRaw of the preempting job */
	int64_t value;	/* RECORD_PRIORITY: the priority; RECORD_START: Start in
			   sacct (s), which may be a second before at_ms */
	char loop;	/* of a start: m(ain), b(ackfill) or s(ubmission) */
	char part[48];	/* of a start */
	char nodes[80]; /* of a start: its nodes; RECORD_COMPLETE: the node */
};

struct recording {
	struct record *of; /* by instant, kind, seq */
	size_t n, cap;
	int64_t origin_s; /* instant from which the files count */
};

/* Read the recording of a folder.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EINVAL (a line cannot
 *         be read; the text names file and line).
 * Owner:  the caller frees rec->of, after an error as well.
 */
int recording_read(struct recording *rec, const char *folder,
		   struct libra_error *err);

#endif
