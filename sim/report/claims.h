/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.h - the claims of a paper, the measured values, and the verdicts.
 *
 * A paper's claims are one table; each row has a function that judges the claim
 * by the paper's results.  Nothing here knows a paper.  A claim that does not
 * hold is a finding, not an error: the report shows it with its numbers.
 *
 * Callers: sim/paper, in one process.  Nothing is allocated; texts are cut at
 * the size of their arrays.
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
	char note[960]; /* sentences: the reason of a failure, or a remark */
};

struct claim;

/* Judge one claim: set the status of *result, and append to measured and note.
 * study is the paper's own struct; *result is all zeros before the call.
 */
typedef void claim_check_f(const struct claim *claim, const void *study,
			   struct claim_result *result);

/* The bounds of a number: low <= number <= high.  The claim's check reads
 * value, over, label and slack: expressions, or a choice of points
 * (sim/paper/steps.h).
 */
struct claim_bound {
	const char *what; /* the number in words: "Libra - EDF", ""; NULL = the
			     report omits the bound */
	double low, high;
	const char *unit;  /* NULL = "" */
	const char *value; /* expression of the number */
	const char *over;  /* the points; NULL = one number */
	const char *label; /* text for each point */
	const char *slack; /* expression: widens the bound on both sides */
};

/* As low: above 0.  As high: below 0; no bound. */
#define CLAIM_ABOVE_0 DBL_MIN
#define CLAIM_BELOW_0 (-DBL_MIN)
#define CLAIM_ANY     INFINITY

#define CLAIM_NBOUNDS 12

struct claim {
	const char *id;
	const char *where;   /* section or figure of the paper */
	const char *text;    /* the claim in words */
	const char *setting; /* the setting of the measurement, in words */
	claim_check_f *check;
	struct claim_bound bound[CLAIM_NBOUNDS];
	const char *also; /* expected besides the bounds; or NULL */
	int decimals;	  /* of measured values */
	const char *unit; /* of measured values; NULL = the first bound's */
	const char *at;	  /* the place of values without points of their own */
	const char *head; /* begins the text `measured` */
	const char *tell; /* ends the text `measured` */
	const char *why;  /* a note if the claim fails */
	const char *note; /* a note in any case */
};

#define CLAIM_EXPECTED_SIZE 320

/* Write the expectation in words, made from the bounds: "Libra - EDF >= 5 pp".
 * Result: buf.
 */
const char *claim_expected(const struct claim *claim,
			   char buf[CLAIM_EXPECTED_SIZE]);

/* Judge all n rows of a table.  results has n elements of the caller's. */
void claims_judge(const struct claim *claims, size_t n, const void *study,
		  struct claim_result *results);

/* Return how many claims have a status. */
size_t claims_count(const struct claim_result *results, size_t n,
		    enum claim_status status);

/* Return "pass", "fail" or "info". */
const char *claim_status_name(enum claim_status status);

/* Write an array of objects: id, where, claim, setting, expected, measured,
 * status and, if there is one, note.
 */
void claims_json(struct out_json *j, const char *key,
		 const struct claim *claims, const struct claim_result *results,
		 size_t n);

/* Print the summary for a terminal: counts, and each failed claim with its
 * note. */
void claims_print(FILE *fp, const struct claim *claims,
		  const struct claim_result *results, size_t n);

/* ---- for the functions of a table ---- */

/* Append to a text of limited size.  If the text is full, it is cut after a
 * whole word and ends in "...".
 */
void claim_append(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define claim_measured(r, ...)                                                 \
	claim_append((r)->measured, sizeof((r)->measured), __VA_ARGS__)
#define claim_note(r, ...)                                                     \
	claim_append((r)->note, sizeof((r)->note), __VA_ARGS__)

/* Set the status to pass or fail. */
void claim_verdict(struct claim_result *r, bool holds);

/* Return true if a value is within a bound; NAN is not. */
bool claim_within(const struct claim_bound *bound, double value);

/* Write a claim's only value to measured, and judge it by the first bound.  A
 * failure gets a note with both numbers.
 */
void claim_range(const struct claim *c, struct claim_result *r, double value);

/* Judge a value of the log itself as claim_range() does.  On a synthetic
 * workload the claim is for information.
 */
void claim_log_range(const struct claim *c, struct claim_result *r,
		     bool synthetic, double value);

/* Judge a formula: holds if this program computes the paper's value. */
void claim_formula(struct claim_result *r, bool holds);
/* Report an input that is as the paper has it, or not, for information. */
void claim_parameter(struct claim_result *r, bool holds);

/* A scan of a value that must be in range at many places.  It stores the
 * extremes and the first places where the value is out of range.  All zeros at
 * first.
 */
struct claim_scan {
	size_t points, broken; /* places; those out of range */
	double low, high;      /* the least and the greatest value */
	char where_low[96], where_high[96];
	char list[480]; /* the first five places out of range */
};

/* Add the value at a place, which must be in [low, high]; NAN is out of range.
 */
void claim_scan_add(struct claim_scan *s, double value, double low, double high,
		    const char *where, ...)
	__attribute__((format(printf, 5, 6)));

/* Judge a scan: write its extremes to measured, and the places out of range to
 * note.  A scan without places fails.
 */
void claim_scan_end(const struct claim *c, const struct claim_scan *s,
		    struct claim_result *r);

#endif
