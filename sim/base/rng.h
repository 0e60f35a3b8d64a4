/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.h - named random streams.
 *
 * A stream is determined by a seed, a name and an index (a job's place, for
 * example), and is independent of all others; starting one takes a few
 * nanoseconds.  The generator is a gsl_rng_type of our own (GSL's mt19937 keeps
 * only 32 bits of the seed), so all of GSL's distributions can draw from it.
 *
 * The caller owns a stream, on the stack as a rule; nothing is allocated and
 * nothing fails.  A stream points into itself: never copy one, start another.
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <gsl/gsl_rng.h>

struct rng_stream {
	gsl_rng gsl; /* pass &stream.gsl to gsl_ran_...() */
	uint64_t state[4];
};

/* xoshiro256**, as a type for gsl_rng_alloc(). */
extern const gsl_rng_type *const rng_type;

/* Start a stream: the same arguments give the same numbers on every machine. */
void rng_stream_init(struct rng_stream *stream, uint64_t seed, const char *name,
		     uint64_t index);

/* Return a number that stands for seed and name, for rng_stream_begin().  Both
 * calls together start the same stream as rng_stream_init(), faster for many
 * indices.
 */
uint64_t rng_family(uint64_t seed, const char *name);

/* Write to normal[i] the first rng_normal() of the stream index[i], for n
 * streams of a family.  The numbers are the same bits, in two thirds of the
 * time.
 */
void rng_normals(uint64_t family, const uint64_t *index, double *normal,
		 size_t n);

/* The rest is inline, because a workload starts a stream for each of its jobs,
 * and a compiler then omits the part of a state that is not drawn from.
 */

/* Return the next number of a splitmix64 sequence. */
static inline uint64_t rng_splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Set the state of a generator from a seed. */
static inline void rng_fill(uint64_t s[4], uint64_t x)
{
	s[0] = rng_splitmix64(&x);
	s[1] = rng_splitmix64(&x);
	s[2] = rng_splitmix64(&x);
	s[3] = rng_splitmix64(&x);
}

/* Return x rotated left by k bits, 0 < k < 64. */
static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/* Return the next number of a generator. */
static inline uint64_t rng_next(uint64_t s[4])
{
	uint64_t result = rng_rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Start the stream of an index in a family: see rng_family(). */
static inline void rng_stream_begin(struct rng_stream *stream, uint64_t family,
				    uint64_t index)
{
	uint64_t x = family ^ index;

	rng_fill(stream->state, rng_splitmix64(&x));
	stream->gsl.type = rng_type;
	stream->gsl.state = stream->state;
}

/* Return a draw from [0, 1), with 53 random bits. */
static inline double rng_uniform(struct rng_stream *stream)
{
	return (double)(rng_next(stream->state) >> 11) * 0x1p-53;
}

/* Return a draw from the normal distribution of mean 0 and variance 1, by the
 * polar method.  The number equals gsl_ran_ugaussian() of the stream, to the
 * bit.
 */
double rng_normal(struct rng_stream *stream);

#endif
