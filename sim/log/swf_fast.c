/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fast.c - the usual record, read by bits.
 *
 * Nearly all lines are 18 numbers between spaces.  Reading them by characters
 * mispredicts at the end of each number; so all characters of a line are sorted
 * into sets of bits first.  The sets say whether the line is right, whatever
 * its numbers are; and where they begin and end, so that each is converted at
 * one go, independently of the one before.
 */
#include <endian.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "sim/log/swf_fields.h"

enum {
	WORDS = 2, /* of bits; longer lines are not usual */
	MAX_LENGTH = 64 * WORDS - 1,
};

/* Characters of a line, by place; and the sets of some of them. */
struct bits {
	uint64_t of[WORDS];
};

struct marks {
	struct bits dark; /* no space */
	struct bits minus, point, one;
};

static const double ten_to[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

/* Each character moved up by n places, 1 to 63. */
static inline struct bits up(struct bits b, int n)
{
	return (struct bits){
		{b.of[0] << n, b.of[1] << n | b.of[0] >> (64 - n)}};
}

static inline struct bits both(struct bits a, struct bits b)
{
	return (struct bits){{a.of[0] & b.of[0], a.of[1] & b.of[1]}};
}

static inline struct bits but(struct bits a, struct bits b)
{
	return (struct bits){{a.of[0] & ~b.of[0], a.of[1] & ~b.of[1]}};
}

static inline bool any(struct bits b)
{
	return (b.of[0] | b.of[1]) != 0;
}

static inline int count(uint64_t w)
{
	w -= w >> 1 & 0x5555555555555555;
	w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
	w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (int)(w * 0x0101010101010101 >> 56);
}

/* Eight characters, the first one lowest; SWF_SLACK may be read behind. */
static inline uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/* Sets of 64 characters; known: these, and digits. */
struct sets {
	uint64_t space, minus, point, one, known;
};

#ifdef __SSE2__

static inline uint64_t mask(__m128i v, int place)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(v) << place;
}

static inline __m128i equal(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline void sort16(struct sets *s, const char *p, int place)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(p + place));
	__m128i space = equal(v, ' '), minus = equal(v, '-');
	__m128i point = equal(v, '.'), known;

	known = _mm_xor_si128(v, _mm_set1_epi8('0'));
	known = _mm_cmpeq_epi8(_mm_min_epu8(known, _mm_set1_epi8(9)), known);
	known = _mm_or_si128(_mm_or_si128(known, space),
			     _mm_or_si128(minus, point));
	s->space |= mask(space, place);
	s->minus |= mask(minus, place);
	s->point |= mask(point, place);
	s->one |= mask(equal(v, '1'), place);
	s->known |= mask(known, place);
}

static inline struct sets sort64(const char *p)
{
	struct sets s = {0};

	sort16(&s, p, 0);
	sort16(&s, p, 16);
	sort16(&s, p, 32);
	sort16(&s, p, 48);
	return s;
}

#else

/* The high bit of each byte that is 0. */
static inline uint64_t zeros(uint64_t w)
{
	uint64_t low = 0x7f7f7f7f7f7f7f7f;

	return ~(((w & low) + low) | w | low);
}

/* The high bits of 8 bytes as 8 bits. */
static inline uint64_t mask(uint64_t high, int place)
{
	return ((high >> 7) * 0x0102040810204080 >> 56) << place;
}

static inline uint64_t equal(uint64_t w, char c)
{
	return zeros(w ^ (unsigned char)c * 0x0101010101010101u);
}

static inline struct sets sort64(const char *p)
{
	struct sets s = {0};

	for (int at = 0; at < 64; at += 8) {
		uint64_t w = load8(p + at), no_digit = w ^ 0x3030303030303030;
		uint64_t low = no_digit & 0x7f7f7f7f7f7f7f7f;

		no_digit |= low + 0x7676767676767676;
		s.space |= mask(equal(w, ' '), at);
		s.minus |= mask(equal(w, '-'), at);
		s.point |= mask(equal(w, '.'), at);
		s.one |= mask(equal(w, '1'), at);
		s.known |= mask(~no_digit & 0x8080808080808080, at);
	}
	s.known |= s.space | s.minus | s.point;
	return s;
}

#endif

/* Result: false if there is any other character, a tab for example. */
static inline bool sort(const char *p, size_t length, struct marks *m)
{
	uint64_t other = 0;

	for (int w = 0; w < WORDS; w++) {
		struct sets s = sort64(p + 64 * w);
		size_t from = 64 * (size_t)w,
		       n = length > from ? length - from : 0;
		uint64_t in = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;

		m->dark.of[w] = in & ~s.space;
		m->minus.of[w] = in & s.minus;
		m->point.of[w] = in & s.point;
		m->one.of[w] = in & s.one;
		other |= in & ~s.known;
	}
	return other == 0;
}

/* Each point is between digits, the only one of its number, and in a field that
 * has fractions.
 */
static bool points_fit(const struct marks *m, struct bits first)
{
	struct bits digit = but(but(m->dark, m->minus), m->point);
	struct bits before = up(digit, 1), behind = up(m->point, 1);
	int last = -1;

	if (any(but(m->point, before)) || any(but(behind, digit)))
		return false;
	for (int w = 0; w < WORDS; w++)
		for (uint64_t p = m->point.of[w]; p; p &= p - 1) {
			uint64_t below = (p & -p) - 1;
			int field = count(first.of[w] & below) - 1;

			if (w > 0)
				field += count(first.of[0]);
			if (field == last || swf_fields[field].whole)
				return false;
			last = field;
		}
	return true;
}

/* Is the line right?  18 numbers of up to 8 characters, which are less than any
 * maximum; negative ones are -1, and not the first two, which are mandatory.
 */
static bool fits(const struct marks *m)
{
	struct bits first = but(m->dark, up(m->dark, 1));
	struct bits run = both(m->dark, up(m->dark, 1));
	uint64_t second = first.of[0] & (first.of[0] - 1);

	run = both(run, up(run, 2));
	run = both(run, up(run, 4));
	if (any(both(run, up(m->dark, 8))) ||
	    count(first.of[0]) + count(first.of[1]) != SWF_NFIELDS)
		return false;
	if (any(but(m->minus, first)) || any(but(up(m->minus, 1), m->one)) ||
	    any(both(up(m->minus, 2), m->dark)))
		return false;
	/* Up to the second number's first character. */
	if (second == 0 || m->minus.of[0] & (second ^ (second - 1)))
		return false;
	return !any(m->point) || points_fit(m, first);
}

/* Where numbers begin and end, alternately. */
static inline void find_edges(struct bits dark, uint8_t edge[2 * SWF_NFIELDS])
{
	struct bits moved = up(dark, 1);
	int n = 0;

	for (int w = 0; w < WORDS; w++) {
		uint64_t edges = dark.of[w] ^ moved.of[w];

		for (; edges; edges &= edges - 1)
			edge[n++] = (uint8_t)(64 * w + __builtin_ctzll(edges));
	}
}

/* The value of 8 digits, the first one lowest: in pairs, fours and eights. */
static inline double digits(uint64_t w)
{
	w = w * 10 + (w >> 8);
	w = ((w & 0x000000ff000000ff) * 0x000f424000000064 +
	     (w >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
	    32;
	return (double)(int64_t)(w & 0xffffffff);
}

/* A right number: it is moved up against leading zeros, and what is behind a
 * point over the point.
 */
static inline double convert(const char *p, int length, bool whole)
{
	uint64_t w, point, before;
	int at;

	if (length == 1) /* half of all fields are this, or -1 */
		return *p - '0';
	if (*p == '-')
		return -1;
	w = (load8(p) ^ 0x3030303030303030) << (64 - 8 * length);
	if (whole)
		return digits(w);
	point = (w + 0x7676767676767676) & 0x8080808080808080;
	if (!point)
		return digits(w);
	at = __builtin_ctzll(point) / 8;
	before = (UINT64_C(1) << 8 * at) - 1;
	w = (w & before) << 8 | (w & ~(before << 8 | 0xff));
	return digits(w) / ten_to[7 - at];
}

static inline bool is_usual(const char *p, const char *end, struct marks *m)
{
	return end - p <= MAX_LENGTH && sort(p, (size_t)(end - p), m) &&
	       fits(m);
}

bool swf_fields_usual(const char *p, const char *end)
{
	struct marks m;

	return is_usual(p, end, &m);
}

bool swf_fields_fast(const char *p, const char *end, double v[SWF_NFIELDS])
{
	uint8_t edge[2 * SWF_NFIELDS];
	struct marks m;

	if (!is_usual(p, end, &m))
		return false;
	find_edges(m.dark, edge);
	for (int i = 0; i < SWF_NFIELDS; i++)
		v[i] = convert(p + edge[2 * i], edge[2 * i + 1] - edge[2 * i],
			       swf_fields[i].whole);
	return true;
}
