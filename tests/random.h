/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - random numbers for tests, the same ones everywhere.
 *
 * A linear congruential generator of 64 bits, of which the upper ones are used:
 * nothing is estimated with it.  The seed may be any number; each call moves
 * it.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

static inline uint64_t random_step(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed;
}

/* 0 <= x < n; n is not 0. */
static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)(random_step(seed) >> 33) % n;
}

/* 0 <= x < 1 */
static inline double random_unit(uint64_t *seed)
{
	return (double)(random_step(seed) >> 11) * 0x1p-53;
}

static inline double random_between(uint64_t *seed, double low, double high)
{
	return low + (high - low) * random_unit(seed);
}

#endif
