/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording.h - what a real slurmctld did, instant by instant: each run of its
 * loops, each start and end, each priority.
 *
 * A recording is a folder beside the site's files: loops.txt, starts.txt,
 * priorities.txt, slurmctld.log (debug2, DebugFlags=Priority, times in
 * milliseconds and UTC), and events.txt, whose first line has the second 0.
 * If sshare was called, sshare.txt has what it printed, behind lines ### SECOND
 * of the epoch.  Each may end in .gz.
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
	RECORD_MAIN, /* value: the full queue */
	RECORD_BACKFILL,
};

struct record {
	int64_t at_ms; /* since the epoch */
	enum record_kind kind;
	uint32_t seq;
	uint32_t id;	/* JobIDRaw; of a requeue also the preemptor */
	uint32_t other; /* of a requeue: the job that preempts */
	int64_t value;	/* a priority; of a start: Start in sacct, which may be
			   a second before at_ms */
	char loop;	/* of a start: m, b or s (submit) */
	char part[48];
	char nodes[80]; /* of a start; of complete: the node */
};

struct recording {
	struct record *of; /* by instant */
	size_t n, cap;
	int64_t origin_s;
};

/* Read the recording of a folder.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EINVAL: a line cannot
 *         be read; the text names file and line.
 * Owner:  the caller frees rec->of, after an error as well.
 */
int recording_read(struct recording *rec, const char *folder,
		   struct libra_error *err);

#endif
