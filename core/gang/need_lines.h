/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need_lines.h - what jobs of a gang need as time passes.
 *
 * From now on, for a job that is not late, with E for its estimate, e for what
 * it has executed by an instant s and d for its deadline:
 *
 *     it executes since s   min(s + E - e, d) - now, until s + E - e;
 *                           from then on the over-estimate rule, at each touch
 *     it stands still       E - e, or by that rule, until as much is left until
 *                           d; from then on d - now
 */
#ifndef LIBRA_GANG_NEED_LINES_H
#define LIBRA_GANG_NEED_LINES_H

#include "core/gang/state.h"

/* A job has come, or is another, or the instant has come at which its claim is;
 * passed.  Result: is it?
 */
bool libra_gang_draw_need(struct libra_gang *g, uint32_t slot);

/* A job is no more, but still has its processors. */
void libra_gang_clear_need(struct libra_gang *g, uint32_t slot);

/* Claims are asked for at now_s.  Result: do they count from another instant
 * now, so that all have to be made anew?
 */
bool libra_gang_count_from(struct libra_gang *g, double now_s);

#endif
