/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - feed a decision log to an engine again.
 *
 * The plugins log every call of the engine with its result, one JSON object a
 * line.  The same calls are made here on an engine of the same core in the same
 * order, and each result is compared bit for bit.  A difference is reported and
 * the replay goes on; a log that cannot be understood ends it.
 *
 * A line "engine" with a new epoch begins a run with an empty engine (a start
 * of slurmctld).  With the epoch of the present run it continues that run (a
 * rotated log, or one whose name was changed), and has the number of lines of
 * the run before it.  The files of a log are replayed by one replay, oldest
 * first.
 *
 * If lines are missing (a full disk, a file that was not given), the run cannot
 * be followed any further.  A gap is reported, and the lines after it are
 * skipped up to the line that begins the next run.
 *
 * The caller is `librasim replay`, in one thread.  The replay owns its engine.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

enum {
	SIM_REPLAY_NCALLS = 23,
	SIM_REPLAY_VALUE_SIZE = 160,
};

/* Strings live as long as the call of the reporting function. */
struct sim_replay_difference {
	const char *file;
	uint64_t line;
	const char *call;  /* "offer", or the kind of an action: "start" */
	const char *field; /* of the line: "share" */
	char logged[SIM_REPLAY_VALUE_SIZE];
	char replayed[SIM_REPLAY_VALUE_SIZE];
};

/* Called for each difference. */
typedef void (*sim_replay_report_f)(
	void *arg, const struct sim_replay_difference *difference);

/* Called for each gap.  line is the line that showed it; why is a sentence
 * without a full stop.
 */
typedef void (*sim_replay_gap_f)(void *arg, const char *file, uint64_t line,
				 const char *why);

struct sim_replay_counts {
	uint64_t lines;
	uint64_t calls[SIM_REPLAY_NCALLS]; /* see sim_replay_calls */
	uint64_t actions;
	uint64_t runs; /* engines begun */
	uint64_t differences;
	uint64_t gaps;
	uint64_t passed_over; /* lines after gaps, not compared */
};

/* Names of the calls, as in the log; "engine" is the first. */
extern const char *const sim_replay_calls[SIM_REPLAY_NCALLS];

struct sim_replay;

/* Create a replay that calls report and gap with arg.
 * Result: a replay without an engine, or NULL with ENOMEM.
 * Owner:  the caller calls sim_replay_destroy().
 */
struct sim_replay *sim_replay_create(sim_replay_report_f report,
				     sim_replay_gap_f gap, void *arg);
void sim_replay_destroy(struct sim_replay *r);

/* Replay all lines of a file; name is for messages.  The engine stays as the
 * last line left it, for the next file.
 * Result: 0, even if results differ or lines are missing; or -1 with EINVAL
 *         (damaged, or of another version; the text names file and line),
 *         ENOMEM or errno of reading.
 * Owner:  fp stays the caller's.
 */
int sim_replay_file(struct sim_replay *r, FILE *fp, const char *name,
		    struct libra_error *err);

/* Copy the counts of all files so far. */
void sim_replay_count(const struct sim_replay *r,
		      struct sim_replay_counts *counts);

#endif
