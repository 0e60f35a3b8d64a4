/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log.h - logarithms and powers with the same bits on every machine.
 *
 * The C library picks its log() by the processor: with fused multiply-add the
 * last bit can differ, and a decision at a tie with it.  These use only
 * operations that IEEE 754 rounds in one way.
 */
#ifndef LIBRA_LOG_H
#define LIBRA_LOG_H

/* Return the natural logarithm of x, within 2 units in the last place.
 * Needs:  x >= 1 and finite.
 */
double libra_log(double x);

/* Return 2^x, within 2 units in the last place.
 * Needs:  0 <= x < 1000.
 */
double libra_exp2(double x);

#endif
