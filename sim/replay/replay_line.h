/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_line.h - one line of a decision log while it is replayed.
 *
 * For the files replay*.c only: reads the fields of a line and compares results
 * with them.  The first error of a line marks it as bad: then the values read
 * are meaningless, and err says why.  A result that differs is counted and
 * reported.
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
	json_t *conf; /* the line that began the run, without its instant */
	uint64_t epoch;
	uint64_t run_lines;	    /* of the run, up to now */
	bool lost;		    /* behind a gap of it */
	struct libra_range *ranges; /* placement last read */
	size_t cap;
	struct sim_replay_counts counts;
};

struct replay_line {
	struct sim_replay *r;
	const char *file;
	uint64_t number;
	const char *call;
	const json_t *json;
	double now_s;
	bool bad;
	struct libra_error *err;
};

/* Mark the line as bad, and say why. */
void replay_spoil(struct replay_line *l, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The run cannot be followed from this line on. */
void replay_lose(struct replay_line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- fields: one that is missing or of another kind spoils the line ---- */

const json_t *replay_field(struct replay_line *l, const json_t *in,
			   const char *name);
const char *replay_text(struct replay_line *l, const char *name);
const json_t *replay_array(struct replay_line *l, const json_t *in,
			   const char *name);

/* INFINITY where the log has null, which it writes for infinite instants and
 * durations.
 */
double replay_number(struct replay_line *l, const json_t *in, const char *name);
double replay_number_or(struct replay_line *l, const json_t *in,
			const char *name, double otherwise);
uint64_t replay_whole(struct replay_line *l, const char *name, uint64_t max);
uint64_t replay_whole_value(struct replay_line *l, const json_t *v,
			    const char *name, uint64_t max);

/* An element [FIRST,COUNT] of a list. */
struct libra_range replay_range(struct replay_line *l, const json_t *pair,
				const char *name);

/* ---- comparison ---- */

void replay_differ(struct replay_line *l, const char *name, const char *logged,
		   const char *replayed);
void replay_same_text(struct replay_line *l, const char *name,
		      const char *replayed);
void replay_same_whole(struct replay_line *l, const char *name,
		       uint64_t replayed);
/* The same bits, or both without an end. */
void replay_same_number(struct replay_line *l, const char *name,
			double replayed);
/* "rc" is 0 or -1; an offer has it only if it failed.
 * Result: true if both did what was asked.
 */
bool replay_same_rc(struct replay_line *l, int replayed);
void replay_same_placement(struct replay_line *l, uint64_t ticket);
void replay_same_verdict(struct replay_line *l, const struct libra_verdict *v);

#endif
