/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - a decision log in memory is replayed, and what is found there is
 * kept.
 */
#ifndef TESTS_UNIT_REPLAY_H
#define TESTS_UNIT_REPLAY_H

#include "sim/replay/replay.h"
#include "tests/unit/test.h"

/* How many differences and gaps, and the first of each. */
struct seen {
	unsigned n;
	unsigned gaps;
	uint64_t gap_line; /* of the first */
	char why[160];
	struct sim_replay_difference first;
	char call[32], field[32];
};

static inline void see(void *arg, const struct sim_replay_difference *d)
{
	struct seen *seen = arg;

	if (seen->n++ > 0)
		return;
	seen->first = *d;
	snprintf(seen->call, sizeof(seen->call), "%s", d->call);
	snprintf(seen->field, sizeof(seen->field), "%s", d->field);
}

static inline void see_gap(void *arg, const char *file, uint64_t line,
			   const char *why)
{
	struct seen *seen = arg;

	assert_string_equal(file, "log");
	if (seen->gaps++ > 0)
		return;
	seen->gap_line = line;
	snprintf(seen->why, sizeof(seen->why), "%s", why);
}

static inline int replay_text(const char *text, size_t len, struct seen *seen,
			      struct sim_replay_counts *counts,
			      struct libra_error *err)
{
	struct sim_replay *r = sim_replay_create(see, see_gap, seen);
	FILE *fp = len ? fmemopen((void *)text, len, "r")
		       : fopen("/dev/null", "r");
	int rc;

	assert_non_null(r);
	assert_non_null(fp);
	*seen = (struct seen){0};
	rc = sim_replay_file(r, fp, "log", err);
	if (counts)
		sim_replay_count(r, counts);
	sim_replay_destroy(r);
	fclose(fp);
	return rc;
}

/* Fail unless this log is replayed without a difference. */
static inline void alike(const char *text)
{
	struct libra_error err = {""};
	struct seen seen;

	if (replay_text(text, strlen(text), &seen, NULL, &err) < 0)
		fail_msg("%s", err.text);
	if (seen.gaps)
		fail_msg("line %u: %s", (unsigned)seen.gap_line, seen.why);
	if (seen.n)
		fail_msg("line %u: %s: %s: %s != %s", (unsigned)seen.first.line,
			 seen.call, seen.field, seen.first.logged,
			 seen.first.replayed);
}

#endif
