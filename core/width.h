/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width.h - jobs that may have any of several widths (moldable jobs).
 *
 * A width is a number of processors, or of nodes.  A job asks for least to most
 * of them, and says which part S of its time more of them divide among them;
 * the rest takes as long on any number (Amdahl's law):
 *
 *     time(w) = time(least) x (1 - S + S x least / w)
 *
 * Hosts offer a job at each width that is tried, and promise the one that is
 * planned to end first; of equal ones the least.  So a job gets the least width
 * that meets its deadline unless a wider one would end earlier.
 *
 * Pure arithmetic.
 */
#ifndef LIBRA_WIDTH_H
#define LIBRA_WIDTH_H

#include <stdint.h>

/* The most widths that are tried for one job. */
#define LIBRA_WIDTHS 16

/* Return the i-th width that is tried, in rising order: each one from least to
 * most, or LIBRA_WIDTHS of them at even distances, with both ends.
 * Result: 0 behind the last.
 */
uint32_t libra_width_at(uint32_t least, uint32_t most, uint32_t i);

/* Return the time of a job at a width, from its time at the least; part is the
 * S above.
 * Needs:  1 <= least <= width, 0 <= part <= 1.
 */
double libra_width_time_s(double time_s, uint32_t least, uint32_t width,
			  double part);

#endif
