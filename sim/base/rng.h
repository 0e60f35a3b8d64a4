/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.h - named random streams.
 *
 * A stream is determined by a seed, a name and an index (a job's place, for
 * example), and is independent of all others; starting one takes a few
 * nanoseconds.  The generator is a gsl_rng_type of our own (GSL's mt19937 keeps
 * only 32 bits of the seed), so all of GSL's distributions can draw from it.
 *
 * A stream points into itself: never copy one, start another.
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

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

/* The same in two steps, for many indices: what seed and name come to, and the
 * stream of an index.
 */
uint64_t rng_family(uint64_t seed, const char *name);
void rng_stream_begin(struct rng_stream *stream, uint64_t family,
		      uint64_t index);

/* One draw from [0, 1), with 53 random bits. */
double rng_uniform(struct rng_stream *stream);

/* One draw from the normal distribution of mean 0 and variance 1, by the polar
 * method: gsl_ran_ugaussian() of the stream, to the bit, without its calls.
 */
double rng_normal(struct rng_stream *stream);

/* The next number of a splitmix64 sequence. */
uint64_t rng_splitmix64(uint64_t *state);

#endif
