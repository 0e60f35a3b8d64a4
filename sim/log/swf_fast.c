/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fast.c - the usual record, read by bits.
 *
 * Nearly all lines are 18 numbers between spaces.  A loop over characters
 * mispredicts a branch at the end of each number.  So all characters of a line
 * are first sorted into sets of bits.  The sets show whether the line has the
 * usual form, and where each number begins and ends.  Each number is then
 * converted in one step, independently of the others.
 *
 * swf_wide.c has the same for processors with AVX2, where that is known only
 * when the program runs.
 */
#include <endian.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "sim/log/swf_fields.h"

enum {
	WORDS = 2, /* of bits; longer lines are not usual */
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
#ifdef __POPCNT__
	return __builtin_popcountll(w);
#else
	w -= w >> 1 & 0x5555555555555555;
	w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
	w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (int)(w * 0x0101010101010101 >> 56);
#endif
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
	uint64_t space, minus, point, one, newline, known;
};

#ifdef __SSE2__

#ifdef __AVX2__
enum { WIDTH = 32 };
#else
enum { WIDTH = 16 };
#endif

typedef unsigned char chars __attribute__((vector_size(WIDTH)));

/* Which characters of a set of bytes, all ones or zeros, are in it. */
static inline uint64_t mask(chars set, int place)
{
#ifdef __AVX2__
	int bits = _mm256_movemask_epi8((__m256i)set);
#else
	int bits = _mm_movemask_epi8((__m128i)set);
#endif
	return (uint64_t)(unsigned)bits << place;
}

/* Compilers forget it before a call of their own file; then all that comes
 * later and is not wide, such as dividing, waits for the upper halves.
 */
static inline void done_with_wide(void)
{
#ifdef __AVX2__
	_mm256_zeroupper();
#endif
}

/* Add the WIDTH characters from `place` on to the sets. */
static inline void sort_chars(struct sets *s, const char *p, int place)
{
	chars v, space, minus, point, known;

	memcpy(&v, p + place, sizeof(v));
	space = (chars)(v == ' ');
	minus = (chars)(v == '-');
	point = (chars)(v == '.');
	known = (chars)(v - '0' < 10) | space | minus | point;
	s->space |= mask(space, place);
	s->minus |= mask(minus, place);
	s->point |= mask(point, place);
	s->one |= mask((chars)(v == '1'), place);
	s->newline |= mask((chars)(v == '\n'), place);
	s->known |= mask(known, place);
}

static inline struct sets sort64(const char *p)
{
	struct sets s = {0};

	sort_chars(&s, p, 0);
	sort_chars(&s, p, WIDTH);
	if (WIDTH == 16) {
		sort_chars(&s, p, 32);
		sort_chars(&s, p, 48);
	}
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
		s.newline |= mask(equal(w, '\n'), at);
		s.known |= mask(~no_digit & 0x8080808080808080, at);
	}
	s.known |= s.space | s.minus | s.point;
	return s;
}

static inline void done_with_wide(void)
{
}

#endif

/* The characters of the line at p.  Result: its length, or -1 if it is longer
 * than the sets, or has any other character, a tab for example.
 */
static inline int sort(const char *p, struct marks *m)
{
	uint64_t other = 0, before = ~UINT64_C(0); /* the newline, all bits */
	int length = 0;

	for (int w = 0; w < WORDS; w++) {
		struct sets s = sort64(p + 64 * w);
		uint64_t in = before;

		if (s.newline && before) {
			in = (s.newline & -s.newline) - 1;
			length = 64 * w + __builtin_ctzll(s.newline);
			before = 0;
		}
		m->dark.of[w] = in & ~s.space;
		m->minus.of[w] = in & s.minus;
		m->point.of[w] = in & s.point;
		m->one.of[w] = in & s.one;
		other |= in & ~s.known;
	}
	done_with_wide();
	return (other | before) == 0 ? length : -1;
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
static inline bool fits(const struct marks *m)
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

/* Convert a number of the usual form.  Its digits are shifted to the end of a
 * word, after leading zeros; digits after a point move over the point.
 */
static inline double convert(const char *p, int length)
{
	uint64_t w, point, before;
	int at;

	if (length == 1) /* half of all fields are this, or -1 */
		return *p - '0';
	if (*p == '-')
		return -1;
	w = (load8(p) ^ 0x3030303030303030) << (64 - 8 * length);
	point = (w + 0x7676767676767676) & 0x8080808080808080;
	if (!point)
		return digits(w);
	at = __builtin_ctzll(point) / 8;
	before = (UINT64_C(1) << 8 * at) - 1;
	w = (w & before) << 8 | (w & ~(before << 8 | 0xff));
	return digits(w) / ten_to[7 - at];
}

#ifdef __AVX2__

enum { LANES = 4 };

/* Convert four numbers at once, without branches that depend on their lengths.
 * A number with a point is converted alone.
 */
static inline void convert_lanes(const char *p, const uint8_t *edge, double *v)
{
	const __m256i tens = _mm256_set1_epi16(0x010a);
	const __m256i hundreds = _mm256_set1_epi32(0x00010064);
	const __m256i magic = _mm256_castpd_si256(_mm256_set1_pd(0x1p52));
	__m256i w, edges, length, minus_one, points;
	__m256d value;

	edges = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const void *)edge));
	length = _mm256_sub_epi64(
		_mm256_srli_epi64(edges, 8),
		_mm256_and_si256(edges, _mm256_set1_epi64x(0xff)));
	w = _mm256_set_epi64x(
		(long long)load8(p + edge[6]), (long long)load8(p + edge[4]),
		(long long)load8(p + edge[2]), (long long)load8(p + edge[0]));
	w = _mm256_xor_si256(w, _mm256_set1_epi8('0'));
	w = _mm256_sllv_epi64(w,
			      _mm256_sub_epi64(_mm256_set1_epi64x(64),
					       _mm256_slli_epi64(length, 3)));
	minus_one = _mm256_cmpeq_epi64(
		w, _mm256_set1_epi64x((long long)0x011d << 48));
	points = _mm256_cmpeq_epi8(w, _mm256_set1_epi8('.' ^ '0'));
	/* In pairs, fours and eights, as digits() has it. */
	w = _mm256_madd_epi16(_mm256_maddubs_epi16(w, tens), hundreds);
	w = _mm256_add_epi64(_mm256_mul_epu32(w, _mm256_set1_epi64x(10000)),
			     _mm256_srli_epi64(w, 32));
	/* Below 2^52 it is the lower part of a double's bits. */
	value = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(w, magic)),
			      _mm256_set1_pd(0x1p52));
	value = _mm256_blendv_pd(value, _mm256_set1_pd(-1),
				 _mm256_castsi256_pd(minus_one));
	_mm256_storeu_pd(v, value);
	for (uint32_t left = (uint32_t)_mm256_movemask_epi8(points); left;
	     left &= left - 1) {
		const uint8_t *at = edge + 2 * (__builtin_ctz(left) / 8);

		v[(at - edge) / 2] = convert(p + at[0], at[1] - at[0]);
	}
}

#else

enum { LANES = 1 };

static inline void convert_lanes(const char *p, const uint8_t *edge, double *v)
{
	*v = convert(p + edge[0], edge[1] - edge[0]);
}

#endif

bool swf_narrow_fast(const char *p, double v[SWF_NKEPT])
{
	uint8_t edge[2 * SWF_NFIELDS];
	struct marks m;

	if (sort(p, &m) < 0 || !fits(&m))
		return false;
	find_edges(m.dark, edge);
	for (int i = 0; i < SWF_NKEPT; i += LANES)
		convert_lanes(p, edge + 2 * i, v + i);
	done_with_wide();
	return true;
}

const char *swf_narrow_skip(const char *p, const char *end, size_t *lines)
{
	struct marks m;

	while (p < end) {
		int length = sort(p, &m);

		if (length < 0 || !fits(&m))
			break;
		p += length + 1;
		++*lines;
	}
	return p;
}
