/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need_lines.h - the needs of a gang's jobs as lines over time.
 *
 * The need of a job that is not late, with E its estimate, e what it has
 * executed by an instant s, and d its deadline:
 *
 *     executing since s   min(s + E - e, d) - now, until s + E - e;
 *                         from then on by the over-estimate rule, at each touch
 *     held                E - e, or by the over-estimate rule, until d - now
 *                         has fallen to this need; from then on d - now
 *
 * The over-estimate rule is need() of gang.h once executed > estimate.
 * "Passed": see gang.h.
 */
#ifndef LIBRA_GANG_NEED_LINES_H
#define LIBRA_GANG_NEED_LINES_H

#include "core/gang/state.h"

/* Compute the need line of a job: after it came or changed, or when its line
 * ends.  Passed.
 * Result: true if the line has changed.
 */
bool libra_gang_draw_need(struct libra_gang *g, uint32_t slot);

/* Remove the need line of a job that leaves, while it still has its processors.
 */
void libra_gang_clear_need(struct libra_gang *g, uint32_t slot);

/* Set the instant of needs to now_s.
 * Result: true if the origin of lines has moved, so that the caller must
 *         compute all of them.
 */
bool libra_gang_count_from(struct libra_gang *g, double now_s);

#endif
