/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_line.h - one line of a decision log while it is replayed.
 *
 * For the files replay*.c only: reads the fields of a line and compares results
 * with them.  The first error of a line marks the line as bad and is written to
 * err.  A bad line still returns values, such as 0, "" or INFINITY, which the
 * caller must not use: test l->bad before a call of the engine.  A result that
 * differs is counted and reported.
 *
 * jansson owns the values of a line; they are valid while the line is replayed.
 */
#ifndef SIM_REPLAY_LINE_H
#define SIM_REPLAY_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/engine.h"
#include "sim/replay/replay.h"

struct sim_replay {
	sim_replay_report_f report;
	sim_replay_gap_f gap;
	void *arg;
	struct libra_engine *engine;
	json_t *conf;	/* the line that began the run, without its instant */
	uint64_t epoch; /* number of the run in the log */
	uint64_t run_lines;	    /* lines of the run so far */
	bool lost;		    /* a gap: skip the rest of the run */
	struct libra_range *ranges; /* the placement read last; owned */
	size_t cap;
	struct sim_replay_counts counts;
};

struct replay_line {
	struct sim_replay *r;
	const char *file;
	uint64_t number;    /* of the line in its file, from 1 */
	const char *call;   /* name of the call or action */
	const json_t *json; /* the line */
	double now_s;	    /* instant of the call */
	bool bad;
	struct libra_error *err;
};

/* Mark the line as bad, with errno code and a text; only the first call counts.
 */
void replay_spoil(struct replay_line *l, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Report a gap: the run cannot be followed from this line on. */
void replay_lose(struct replay_line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- fields; a missing or wrong one makes the line bad ---- */

/* Return a field of an object: any value, a text of the line itself, or a list.
 * Result: NULL, or "" for a text, if the line is bad.
 */
const json_t *replay_field(struct replay_line *l, const json_t *in,
			   const char *name);
const char *replay_text(struct replay_line *l, const char *name);
const json_t *replay_array(struct replay_line *l, const json_t *in,
			   const char *name);

/* Return a number; INFINITY for null, which the log writes for infinite
 * instants and durations.  _or: the number `otherwise` if the field is missing.
 */
double replay_number(struct replay_line *l, const json_t *in, const char *name);
double replay_number_or(struct replay_line *l, const json_t *in,
			const char *name, double otherwise);

/* Return a whole number from 0 to max, of a field of the line or of a value. */
uint64_t replay_whole(struct replay_line *l, const char *name, uint64_t max);
uint64_t replay_whole_value(struct replay_line *l, const json_t *v,
			    const char *name, uint64_t max);

/* Return the range of an element [FIRST,COUNT] of a list. */
struct libra_range replay_range(struct replay_line *l, const json_t *pair,
				const char *name);

/* ---- comparison ---- */

/* Count a difference of a field and report it. */
void replay_differ(struct replay_line *l, const char *name, const char *logged,
		   const char *replayed);

/* Compare a field of the line with the replayed text or whole number. */
void replay_same_text(struct replay_line *l, const char *name,
		      const char *replayed);
void replay_same_whole(struct replay_line *l, const char *name,
		       uint64_t replayed);
/* Compare numbers: they are equal if their bits are, or if both are not finite.
 */
void replay_same_number(struct replay_line *l, const char *name,
			double replayed);
/* Compare the results 0 or -1 of the call.  The field is "rc", which an offer
 * has only if it failed.
 * Result: true if the logged and the replayed call both succeeded.  A replayed
 *         call that failed with ENOMEM makes the line bad.
 */
bool replay_same_rc(struct replay_line *l, int replayed);

/* Compare the placement of a ticket, or all fields of a verdict. */
void replay_same_placement(struct replay_line *l, uint64_t ticket);
void replay_same_verdict(struct replay_line *l, const struct libra_verdict *v);

#endif
