/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - correct users' estimates by the run times of their past jobs.
 *
 * For each user the last ratios run time / estimate are stored.  If the ratios
 * of a user's jobs are exchangeable (any order is equally likely), the rank of
 * the next ratio among n past ones is uniform.  So with
 *
 *     k = ceil(q (n + 1))
 *
 * the next ratio does not exceed the k-th smallest past one with a probability
 * of at least q, for any distribution:
 *
 *     corrected = min(estimate, max(floor, k-th ratio x estimate))
 *
 * If k > n there is too little history, and the estimate is not corrected.
 *
 * A running job that has executed x is compared only with past ratios for which
 * ratio x estimate > x; n and k then count these alone.  Among all ratios that
 * exceed x the job is again one of n + 1, so the same probability holds.  If
 * none remain, or k > n, the user's estimate counts.  A job that exceeds even
 * its estimate is not corrected: policies handle overruns.
 *
 * A ratio is added when its job has ended, not before.  Ratios are stored in
 * billionths, rounded up, so that saving and loading does not change results.
 *
 * Memory grows with the number of users, by doubling, when a ratio is added; a
 * correction does not allocate.
 */
#ifndef LIBRA_HISTORY_H
#define LIBRA_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define LIBRA_HISTORY_DEPTH	20   /* the usual number of jobs */
#define LIBRA_HISTORY_DEPTH_MAX 1000 /* more show no present habit */
#define LIBRA_HISTORY_FLOOR_S	1

struct libra_history;

struct libra_history_conf {
	double quantile; /* q, 0 < q < 1 */
	double floor_s;	 /* no correction below this; >= 0 */
	uint32_t depth;	 /* ratios stored per user; with fewer than q / (1 - q)
			    no estimate is ever corrected */
};

/* Return the usual settings for a quantile: at least as many jobs as it needs.
 */
struct libra_history_conf libra_history_usual(double quantile);

/* Create an empty history.
 * Result: the history, or NULL with EINVAL (conf) or ENOMEM.
 * Owner:  the caller destroys it.
 */
struct libra_history *libra_history_create(
	const struct libra_history_conf *conf, struct libra_error *err);
void libra_history_destroy(struct libra_history *h);

/* Add the ratio of a job that ended by itself, or was stopped at its estimate.
 * Do not add cancelled jobs: they are no evidence about estimates.
 * Units:  durations on whole processors; run_s >= 0, estimate_s > 0, the user's
 *         own.
 * Result: 0, or -1 with EINVAL (not such durations) or ENOMEM, and nothing
 *         changed.
 */
int libra_history_add(struct libra_history *h, uint32_t user, double run_s,
		      double estimate_s);

/* Return the corrected estimate of a job that has executed executed_s (0:
 * before it runs), from the user's own estimate.
 * Result: > executed_s or estimate_s; never above estimate_s.
 */
double libra_history_correct(const struct libra_history *h, uint32_t user,
			     double estimate_s, double executed_s);

/* Return the number of stored ratios of a user. */
uint32_t libra_history_known(const struct libra_history *h, uint32_t user);

/* Write all ratios as lines of text, truncated to size as in snprintf().
 * Result: bytes of the whole text without the final NUL; call with size 0 to
 *         get the length.
 */
size_t libra_history_save(const struct libra_history *h, char *text,
			  size_t size);

/* Replace all ratios by saved ones.  The settings stay the same: if more ratios
 * of a user were saved than conf.depth, the last ones count.
 * Result: 0, or -1 with EINVAL (another version, damaged, or truncated; err
 *         names the line) or ENOMEM, and nothing changed.
 */
int libra_history_load(struct libra_history *h, const char *text, size_t size,
		       struct libra_error *err);

#endif
