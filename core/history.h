/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what users' estimates were worth, and better ones from that.
 *
 * Of each user the last ratios run time / estimate are kept.  If the ratios of
 * a user's jobs might have come in any order (are exchangeable), the coming
 * one is as likely as each of n past ones to be the k-th least.  So with
 *
 *     k = ceil(q (n + 1))
 *
 * it does not exceed the k-th least of the past ones with a probability of at
 * least q, whatever their distribution:
 *
 *     corrected = min(estimate, max(floor, k-th ratio x estimate))
 *
 * If k > n there is too little history, and the estimate stays as it is.
 *
 * A job that has executed x and still runs is compared with its likes: n and k
 * are those of the past ratios with ratio x estimate > x alone.  Among all that
 * exceed x the job is one of n + 1 again, so the rule promises the same as
 * before.  If none are left, or k > n, the user's estimate counts.  A job that
 * exceeds even that is not corrected: overruns are the policies' matter.
 *
 * A ratio is known when its job has ended, and not before.  Ratios are kept in
 * billionths, rounded up: what is saved and loaded gives the same answers.
 *
 * Memory grows with the number of users, by doubling, where a ratio is added;
 * a correction allocates nothing.
 */
#ifndef LIBRA_HISTORY_H
#define LIBRA_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define LIBRA_HISTORY_DEPTH	20   /* the usual number of jobs */
#define LIBRA_HISTORY_DEPTH_MAX 1000 /* more are no user's present habit */
#define LIBRA_HISTORY_FLOOR_S	1

struct libra_history;

struct libra_history_conf {
	double quantile; /* q, between 0 and 1, neither of them */
	double floor_s;	 /* no correction below it; >= 0 */
	uint32_t depth;	 /* ratios of a user that are kept; with fewer than
			    q / (1 - q) nothing is ever corrected */
};

/* The usual settings for a quantile: as many jobs as it needs at least. */
struct libra_history_conf libra_history_usual(double quantile);

/* Result: an empty history, or NULL with EINVAL (conf) or ENOMEM.
 * Owner:  the caller destroys it.
 */
struct libra_history *libra_history_create(
	const struct libra_history_conf *conf, struct libra_error *err);
void libra_history_destroy(struct libra_history *h);

/* A job has ended by itself, or was stopped at its estimate.  Leave out jobs
 * that were cancelled: they say nothing of estimates.
 * Units:  durations on whole processors; run_s >= 0, estimate_s > 0, the user's
 *         own.
 * Result: 0, or -1 with EINVAL (no such durations) or ENOMEM, and nothing
 *         changed.
 */
int libra_history_add(struct libra_history *h, uint32_t user, double run_s,
		      double estimate_s);

/* The estimate of a job that has executed so much (0: before it runs), from
 * the user's own.
 * Result: > executed_s or estimate_s; never above estimate_s.
 */
double libra_history_correct(const struct libra_history *h, uint32_t user,
			     double estimate_s, double executed_s);

/* How many ratios of a user are known. */
uint32_t libra_history_known(const struct libra_history *h, uint32_t user);

/* Write all ratios as lines of text, as snprintf() would.
 * Result: bytes of the whole text without the NUL at its end; size 0 asks.
 */
size_t libra_history_save(const struct libra_history *h, char *text,
			  size_t size);

/* Replace all ratios by saved ones.  The settings stay: if more ratios of a
 * user were saved than are kept, the last ones count. Result: 0, or -1 with
 * EINVAL (another version, damaged, or cut off; the text names the line) or
 * ENOMEM, and nothing changed.
 */
int libra_history_load(struct libra_history *h, const char *text, size_t size,
		       struct libra_error *err);

#endif
