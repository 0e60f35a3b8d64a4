/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.c - xoshiro256**, seeded through splitmix64.
 *
 * Both are algorithms of David Blackman and Sebastiano Vigna ("Scrambled
 * linear pseudorandom number generators", 2021), written here from their
 * definition.
 */
#include <limits.h>
#include <stdbool.h>

#include "sim/base/rng.h"

enum { BLOCK = 64 };

static void gsl_set(void *state, unsigned long seed)
{
	rng_fill(state, seed);
}

/* The upper bits, where unsigned long has 32. */
static unsigned long gsl_get(void *state)
{
	return (unsigned long)(rng_next(state) >>
			       (64 - CHAR_BIT * sizeof(unsigned long)));
}

static double gsl_get_double(void *state)
{
	return (double)(rng_next(state) >> 11) * 0x1p-53;
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

void rng_stream_init(struct rng_stream *stream, uint64_t seed, const char *name,
		     uint64_t index)
{
	rng_stream_begin(stream, rng_family(seed, name), index);
}

/* The polar method: a point within the unit circle, but its centre. */
struct point {
	double y, square;
};

/* Result: false if there is none in the next two numbers. */
static inline bool next_point(struct rng_stream *stream, struct point *p)
{
	double x = rng_uniform(stream), y = rng_uniform(stream);
	bool zero = (x == 0) | (y == 0); /* is drawn again alone */

	x = 2 * x - 1;
	y = 2 * y - 1;
	*p = (struct point){y, x * x + y * y};
	return !(zero | (p->square > 1) | (p->square == 0));
}

/* Draw from (0, 1). */
static double above_zero(struct rng_stream *stream)
{
	double x;

	do
		x = rng_uniform(stream);
	while (x == 0);
	return x;
}

/* Draw a point within the unit circle, by rejection. */
static struct point draw_point(struct rng_stream *stream)
{
	double x, y, square;

	do {
		x = 2 * above_zero(stream) - 1;
		y = 2 * above_zero(stream) - 1;
		square = x * x + y * y;
	} while (square > 1 || square == 0);
	return (struct point){y, square};
}

static inline double normal_of(struct point p)
{
	return p.y * sqrt(-2 * log(p.square) / p.square);
}

double rng_normal(struct rng_stream *stream)
{
	return normal_of(draw_point(stream));
}

/* One in five points must be drawn again, at random.  These points are drawn
 * after the others, so that no branch on them is mispredicted in the loop.
 */
static void draw_normals(uint64_t family, const uint64_t *index, double *normal,
			 size_t n)
{
	struct point points[BLOCK];
	size_t again[BLOCK], nagain = 0;
	struct rng_stream stream;

	for (size_t i = 0; i < n; i++) {
		rng_stream_begin(&stream, family, index[i]);
		again[nagain] = i;
		nagain += !next_point(&stream, &points[i]);
	}
	for (size_t k = 0; k < nagain; k++) {
		rng_stream_begin(&stream, family, index[again[k]]);
		points[again[k]] = draw_point(&stream);
	}
	for (size_t i = 0; i < n; i++)
		normal[i] = normal_of(points[i]);
}

void rng_normals(uint64_t family, const uint64_t *index, double *normal,
		 size_t n)
{
	for (size_t i = 0; i < n; i += BLOCK)
		draw_normals(family, index + i, normal + i,
			     n - i < BLOCK ? n - i : BLOCK);
}
