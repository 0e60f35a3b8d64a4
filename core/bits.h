/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bits.h - sets of processors as words of 64 bits.
 *
 * The caller owns the words.  A range operation costs O(words in the range),
 * and a search passes 64 processors in one step.  Bits at and beyond the size
 * of a set must be 0.
 */
#ifndef LIBRA_BITS_H
#define LIBRA_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define LIBRA_BITS_WORDS(n) (((n) + 63) / 64)

/* Return the number of bits set in a word.  The compiler's own builtin calls a
 * library function if the machine has no instruction for it.
 */
static inline uint32_t libra_bits_count(uint64_t word)
{
	const uint64_t pairs = 0x5555555555555555, fours = 0x3333333333333333;
	const uint64_t bytes = 0x0f0f0f0f0f0f0f0f, ones = 0x0101010101010101;

	word -= word >> 1 & pairs;
	word = (word & fours) + (word >> 2 & fours);
	word = (word + (word >> 4)) & bytes;
	return (uint32_t)(word * ones >> 56);
}

static inline bool libra_bits_has(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

static inline void libra_bits_put(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void libra_bits_drop(uint64_t *bits, uint32_t i)
{
	bits[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* Return the bits of word w that belong to first..end-1, as a mask.  The range
 * must have at least one bit in the word.
 */
static inline uint64_t libra_bits_mask(uint32_t w, uint32_t first, uint32_t end)
{
	uint64_t mask = ~(uint64_t)0;

	if (first > w * 64)
		mask <<= first % 64;
	if (end - w * 64 < 64)
		mask &= ((uint64_t)1 << (end % 64)) - 1;
	return mask;
}

static inline void libra_bits_fill(uint64_t *bits, uint32_t first, uint32_t end)
{
	for (uint32_t w = first / 64; w * 64 < end; w++)
		bits[w] |= libra_bits_mask(w, first, end);
}

static inline void libra_bits_clear(uint64_t *bits, uint32_t first,
				    uint32_t end)
{
	for (uint32_t w = first / 64; w * 64 < end; w++)
		bits[w] &= ~libra_bits_mask(w, first, end);
}

static inline bool libra_bits_any(const uint64_t *bits, uint32_t first,
				  uint32_t end)
{
	for (uint32_t w = first / 64; w * 64 < end; w++)
		if (bits[w] & libra_bits_mask(w, first, end))
			return true;
	return false;
}

/* Return the first member of the set in first..end-1, or with flip = ~0 the
 * first number there that is no member; end if there is none.
 */
static inline uint32_t libra_bits_find(const uint64_t *bits, uint64_t flip,
				       uint32_t first, uint32_t end)
{
	for (uint32_t w = first / 64; first < end && w * 64 < end; w++) {
		uint64_t found =
			(bits[w] ^ flip) & libra_bits_mask(w, first, end);

		if (found)
			return w * 64 + (uint32_t)__builtin_ctzll(found);
	}
	return end;
}

/* Return the last member of the set in 0..i.  There must be one. */
static inline uint32_t libra_bits_last(const uint64_t *bits, uint32_t i)
{
	uint32_t w = i / 64;
	uint64_t found = bits[w] & libra_bits_mask(w, 0, i + 1);

	while (!found)
		found = bits[--w];
	return w * 64 + 63 - (uint32_t)__builtin_clzll(found);
}

static inline uint32_t libra_bits_next(const uint64_t *bits, uint32_t first,
				       uint32_t end)
{
	return libra_bits_find(bits, 0, first, end);
}

static inline uint32_t libra_bits_next_not(const uint64_t *bits, uint32_t first,
					   uint32_t end)
{
	return libra_bits_find(bits, ~(uint64_t)0, first, end);
}

#endif
