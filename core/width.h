/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width.h - jobs that may have any of several widths (moldable jobs).
 *
 * A width is a number of processors, or of nodes.  A job asks for least to most
 * of them and names S, the part of its time that is divided among them.  The
 * rest takes as long on any number (Amdahl's law):
 *
 *     time(w) = time(least) x (1 - S + S x least / w)
 *
 * A host offers the job at each width that is tried, and promises the width at
 * which the job is planned to end first; of equal ends, the least width.
 *
 * Pure arithmetic.
 */
#ifndef LIBRA_WIDTH_H
#define LIBRA_WIDTH_H

#include <stdint.h>

/* The most widths that are tried for one job. */
#define LIBRA_WIDTHS 16

/* Return the i-th width that is tried, in rising order: each width from least
 * to most, or if these are more than LIBRA_WIDTHS, so many at even distances,
 * with both ends.
 * Needs:  least >= 1; most below least counts as least.
 * Result: 0 behind the last.
 */
uint32_t libra_width_at(uint32_t least, uint32_t most, uint32_t i);

/* Return the time of a job at a width, from its time at the least one; part is
 * S above.
 * Needs:  1 <= least <= width, 0 <= part <= 1.
 */
double libra_width_time_s(double time_s, uint32_t least, uint32_t width,
			  double part);

#endif
