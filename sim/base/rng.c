/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.c - xoshiro256**, seeded through splitmix64.
 *
 * Both are algorithms of David Blackman and Sebastiano Vigna ("Scrambled
 * linear pseudorandom number generators", 2021), written here from their
 * definition.
 */
#include <limits.h>
#include <math.h>

#include "sim/base/rng.h"

static inline uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline uint64_t next(uint64_t s[4])
{
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t rng_splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static void fill(uint64_t s[4], uint64_t x)
{
	for (int i = 0; i < 4; i++)
		s[i] = rng_splitmix64(&x);
}

static void gsl_set(void *state, unsigned long seed)
{
	fill(state, seed);
}

/* The upper bits, where unsigned long has 32. */
static unsigned long gsl_get(void *state)
{
	return (unsigned long)(next(state) >>
			       (64 - CHAR_BIT * sizeof(unsigned long)));
}

static double gsl_get_double(void *state)
{
	return (double)(next(state) >> 11) * 0x1p-53;
}

static const gsl_rng_type xoshiro256ss = {
	.name = "xoshiro256**",
	.max = ULONG_MAX,
	.min = 0,
	.size = 4 * sizeof(uint64_t),
	.set = gsl_set,
	.get = gsl_get,
	.get_double = gsl_get_double,
};

const gsl_rng_type *const rng_type = &xoshiro256ss;

/* FNV-1a: strong enough for a few short names. */
static uint64_t hash_name(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	while (*name)
		h = (h ^ (unsigned char)*name++) * 0x100000001b3;
	return h;
}

/* Each argument is mixed before the next one is added, so that neighbouring
 * seeds and indices give unrelated streams.
 */
uint64_t rng_family(uint64_t seed, const char *name)
{
	uint64_t x = rng_splitmix64(&seed) ^ hash_name(name);

	return rng_splitmix64(&x);
}

void rng_stream_begin(struct rng_stream *stream, uint64_t family,
		      uint64_t index)
{
	uint64_t x = family ^ index;

	fill(stream->state, rng_splitmix64(&x));
	stream->gsl.type = &xoshiro256ss;
	stream->gsl.state = stream->state;
}

void rng_stream_init(struct rng_stream *stream, uint64_t seed, const char *name,
		     uint64_t index)
{
	rng_stream_begin(stream, rng_family(seed, name), index);
}

double rng_uniform(struct rng_stream *stream)
{
	return gsl_get_double(stream->state);
}

/* A number above 0 and below 1. */
static inline double above_zero(uint64_t s[4])
{
	double x;

	do
		x = (double)(next(s) >> 11) * 0x1p-53;
	while (x == 0);
	return x;
}

double rng_normal(struct rng_stream *stream)
{
	uint64_t *s = stream->state;
	double x, y, square;

	do {
		x = 2 * above_zero(s) - 1;
		y = 2 * above_zero(s) - 1;
		square = x * x + y * y;
	} while (square > 1 || square == 0);
	return y * sqrt(-2 * log(square) / square);
}
