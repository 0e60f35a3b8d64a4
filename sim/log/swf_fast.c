/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fast.c - the usual record, read by words of 8 characters.
 *
 * Nearly all lines are 18 numbers between spaces.  Reading them by characters
 * mispredicts at the end of each number; so first the edges of all numbers are
 * found, by bits, and then each number is converted at one go, independently
 * of the one before.
 */
#include <endian.h>
#include <string.h>

#include "sim/log/swf_fields.h"

static const double ten_to[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

/* Eight characters, the first one lowest; SWF_SLACK may be read behind. */
static inline uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/* The high bit of each character above a space, of 8 at p of which n count.
 * Control characters, tabs included, are gathered in *control.
 */
static inline uint64_t dark8(const char *p, size_t n, uint64_t *control)
{
	uint64_t w = load8(p), low = w & 0x7f7f7f7f7f7f7f7f;
	uint64_t counted = 0x8080808080808080;

	if (n < 8)
		counted &= (UINT64_C(1) << 8 * n) - 1;
	*control |= ~((low + 0x6060606060606060) | w) & counted;
	return ((low + 0x5f5f5f5f5f5f5f5f) | w) & counted;
}

/* Where numbers begin and end, alternately: edge has room for 64 more than
 * are asked for.
 * Result: the number of edges, or -1 if there are too many or control
 * characters.
 */
static inline int find_edges(const char *p, size_t length, uint8_t *edge)
{
	uint64_t control = 0, carry = 0;
	int n = 0;

	for (size_t at = 0; at <= length; at += 64) {
		uint64_t word = 0, edges;

		for (size_t i = at; i < length && i < at + 64; i += 8)
			word |= ((dark8(p + i, length - i, &control) >> 7) *
					 0x0102040810204080 >>
				 56)
				<< (i - at);
		edges = word ^ (word << 1 | carry);
		carry = word >> 63;
		for (; edges; edges &= edges - 1)
			edge[n++] = (uint8_t)(at + __builtin_ctzll(edges));
		if (n > 2 * SWF_NFIELDS)
			return -1;
	}
	return control ? -1 : n;
}

/* The high bit of each character that is no digit; right up to the first one
 * (what comes behind may have a carry).
 */
static inline uint64_t no_digits(uint64_t w)
{
	return ((w + 0x7676767676767676) | w) & 0x8080808080808080;
}

/* A number of up to 8 characters, perhaps with a point among them: the digits
 * are moved up against leading zeros, then added in pairs, fours and eights.
 * *fraction is the number of digits behind the point.
 */
static inline bool parse_small(const char *p, int length, int64_t *value,
			       int *fraction)
{
	int64_t negative = *p == '-';
	int used = length - (int)negative;
	uint64_t w, others;

	*fraction = 0;
	if (used == 1) { /* half of all fields: -1, one processor, ... */
		*value = p[negative] - '0';
		if ((uint64_t)*value > 9)
			return false;
		*value = (*value ^ -negative) + negative;
		return true;
	}
	if (used < 1 || used > 8)
		return false;
	w = (load8(p + negative) ^ 0x3030303030303030) << (64 - 8 * used);
	others = no_digits(w);
	if (others) {
		int point = __builtin_ctzll(others) / 8 * 8;
		uint64_t before = (UINT64_C(1) << point) - 1;

		if (point == 56 || (w >> point & 0xff) != ('.' ^ '0'))
			return false;
		*fraction = 7 - point / 8;
		w = (w & before) << 8 | (w & ~(before << 8 | 0xff));
		if (no_digits(w))
			return false;
	}
	w = w * 10 + (w >> 8);
	w = ((w & 0x000000ff000000ff) * 0x000f424000000064 +
	     (w >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
	    32;
	*value = ((int64_t)(w & 0xffffffff) ^ -negative) + negative;
	return true;
}

bool swf_fields_fast(const char *p, const char *end, double v[SWF_NFIELDS])
{
	uint8_t edge[2 * SWF_NFIELDS + 64];
	bool bad = false;

	if (end - p > UINT8_MAX ||
	    find_edges(p, (size_t)(end - p), edge) != 2 * SWF_NFIELDS)
		return false;
	for (int i = 0; i < SWF_NFIELDS; i++) {
		const char *token = p + edge[2 * i];
		int fraction;
		int64_t n;

		if (!parse_small(token, edge[2 * i + 1] - edge[2 * i], &n,
				 &fraction))
			return false;
		v[i] = (double)n; /* less than any maximum */
		bad |= n < -!swf_fields[i].mandatory;
		if (fraction) {
			v[i] /= ten_to[fraction];
			bad |= !swf_value_ok(&swf_fields[i], v[i]);
		}
	}
	return !bad;
}
