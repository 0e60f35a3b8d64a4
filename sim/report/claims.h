/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.h - what a paper claims, what was measured, and whether it holds.
 *
 * A paper's claims are one const table; each row has a function that judges it
 * by the paper's results.  Nothing here knows a paper.  A claim that does not
 * hold is a finding, not an error: it is shown with its numbers.
 */
#ifndef SIM_CLAIMS_H
#define SIM_CLAIMS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/output/json.h"

enum claim_status {
	CLAIM_PASS = 1,
	CLAIM_FAIL,
	CLAIM_INFO, /* an input or a reported value: nothing to fail */
};

struct claim_result {
	enum claim_status status;
	char measured[320];
	char note[960]; /* a sentence; why it fails, or what to know */
};

struct claim;

/* Judge one claim; study is the paper's own, results are zeroed before. */
typedef void claim_check_f(const struct claim *claim, const void *study,
			   struct claim_result *result);

/* What a number has to keep: low <= number <= high.  The check says what is
 * asked: a value at one point or over many, in words that it knows.
 */
struct claim_bound {
	const char *what; /* the number in words: "Libra - EDF", ""; NULL = the
			     bound is not told */
	double low, high;
	const char *unit; /* NULL = "" */
	const char *value;
	const char *over;
	const char *label; /* of a point */
	const char *slack; /* is added to both sides */
};

/* Bounds for "more than nothing", for the opposite, and for no bound. */
#define CLAIM_ABOVE_0 DBL_MIN
#define CLAIM_BELOW_0 (-DBL_MIN)
#define CLAIM_ANY     INFINITY

#define CLAIM_NBOUNDS 12

struct claim {
	const char *id;
	const char *where;   /* section or figure of the paper */
	const char *text;    /* what is claimed */
	const char *setting; /* where it was measured */
	claim_check_f *check;
	struct claim_bound bound[CLAIM_NBOUNDS];
	const char *also; /* expected beside what the bounds say; or NULL */
	int decimals;
	const char *unit; /* of what is measured; NULL = the first bound's */
	const char *at;	  /* for values without points of their own */
	const char *head; /* begins what is measured */
	const char *tell; /* goes on with it */
	const char *why;  /* a note if it fails */
	const char *note; /* a note in any case */
};

#define CLAIM_EXPECTED_SIZE 320

/* What is expected in words, made from the bounds: "Libra - EDF >= 5 pp". */
const char *claim_expected(const struct claim *claim,
			   char buf[CLAIM_EXPECTED_SIZE]);

/* Judge all rows of a table; results has n elements of the caller's. */
void claims_judge(const struct claim *claims, size_t n, const void *study,
		  struct claim_result *results);

/* How many claims have a status. */
size_t claims_count(const struct claim_result *results, size_t n,
		    enum claim_status status);

/* "pass", "fail", "info". */
const char *claim_status_name(enum claim_status status);

/* An array: id, where, claim, setting, expected, measured, status, note. */
void claims_json(struct out_json *j, const char *key,
		 const struct claim *claims, const struct claim_result *results,
		 size_t n);

/* The summary for a terminal: counts, and each that fails with its reason. */
void claims_print(FILE *fp, const struct claim *claims,
		  const struct claim_result *results, size_t n);

/* ---- for the functions of a table ---- */

/* Append to a text of limited size: it never ends in half a word, but in "..."
 * if it is full.
 */
void claim_append(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define claim_measured(r, ...)                                                 \
	claim_append((r)->measured, sizeof((r)->measured), __VA_ARGS__)
#define claim_note(r, ...)                                                     \
	claim_append((r)->note, sizeof((r)->note), __VA_ARGS__)

void claim_verdict(struct claim_result *r, bool holds);

bool claim_within(const struct claim_bound *bound, double value);

/* The claim's one value, measured, and held against its first bound. */
void claim_range(const struct claim *c, struct claim_result *r, double value);

/* As claim_range(), for a value of the log itself: on a synthetic workload the
 * claim is only for information.
 */
void claim_log_range(const struct claim *c, struct claim_result *r,
		     bool synthetic, double value);

/* A formula: does the program compute what it says? */
void claim_formula(struct claim_result *r, bool holds);
/* An input that is as it should be, or not: for information. */
void claim_parameter(struct claim_result *r, bool holds);

/* A value that must be in range in many places: a scan keeps the extremes and
 * lists the places where it is not.
 */
struct claim_scan {
	size_t points, broken;
	double low, high; /* the least and the greatest value */
	char where_low[96], where_high[96];
	char list[480]; /* of the broken ones */
};

/* The value at a place must be in [low, high]; NAN is not. */
void claim_scan_add(struct claim_scan *s, double value, double low, double high,
		    const char *where, ...)
	__attribute__((format(printf, 5, 6)));

/* Write the extremes of a scan into measured, its broken places into note,
 * and judge.
 */
void claim_scan_end(const struct claim *c, const struct claim_scan *s,
		    struct claim_result *r);

#endif
