/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procs.c - take and release runs of free processors. */
#include "core/space/procs.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/bits.h"

#define FIRST_SLOTS 64

int libra_procs_init(struct libra_procs *p, uint32_t nprocs)
{
	uint32_t words = LIBRA_BITS_WORDS(nprocs);

	memset(p, 0, sizeof(*p));
	p->nprocs = nprocs;
	p->free = calloc(words, sizeof(*p->free));
	p->closed = calloc(words, sizeof(*p->closed));
	p->end = malloc(nprocs * sizeof(*p->end));
	p->next = malloc(nprocs * sizeof(*p->next));
	if (!p->free || !p->closed || !p->end || !p->next)
		return -1;
	libra_bits_fill(p->free, 0, nprocs);
	return libra_procs_reserve(p, FIRST_SLOTS);
}

void libra_procs_fini(struct libra_procs *p)
{
	free(p->free);
	free(p->closed);
	free(p->end);
	free(p->next);
	free(p->first);
	memset(p, 0, sizeof(*p));
}

int libra_procs_reserve(struct libra_procs *p, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= p->cap)
		return 0;
	cap = libra_doubled(p->cap, FIRST_SLOTS, n);
	p->first = libra_grown(p->first, cap, sizeof(*p->first), &ok);
	if (!ok)
		return -1;
	for (uint32_t i = p->cap; i < cap; i++)
		p->first[i] = p->nprocs;
	p->cap = cap;
	return 0;
}

/* Return the length, at most n, of the lowest run of set bits of a word, and
 * its first bit in *bit.  The word must not be 0.
 */
static inline uint32_t low_run(uint64_t word, uint32_t n, uint32_t *bit)
{
	uint64_t behind;

	*bit = (uint32_t)__builtin_ctzll(word);
	behind = ~(word >> *bit);
	if (behind && (uint32_t)__builtin_ctzll(behind) < n)
		n = (uint32_t)__builtin_ctzll(behind);
	return n < 64 ? n : 64;
}

void libra_procs_take(struct libra_procs *p, uint32_t slot, uint32_t n)
{
	uint32_t *link = &p->first[slot], w = p->lowest / 64;
	uint32_t run = 0, end = p->nprocs, words = LIBRA_BITS_WORDS(end);

	while (n > 0) {
		uint32_t bit, count;

		while (w < words && !p->free[w])
			w++;
		if (w >= words)
			break;
		count = low_run(p->free[w], n, &bit);
		p->free[w] &= ~(~(uint64_t)0 >> (64 - count) << bit);
		/* The run may continue that of the word before. */
		if (w * 64 + bit != end) {
			*link = run = w * 64 + bit;
			link = &p->next[run];
		}
		p->lowest = end = p->end[run] = w * 64 + bit + count;
		n -= count;
	}
	*link = p->nprocs;
}

void libra_procs_take_in(struct libra_procs *p, uint32_t slot,
			 struct libra_range range, uint32_t n)
{
	uint32_t end = range.first + range.count, first, next = range.first;

	for (; n > 0; n -= next - first) {
		first = libra_bits_next(p->free, next, end);
		if (first == end)
			return;
		next = n < end - first ? first + n : end;
		next = libra_bits_next_not(p->free, first, next);
		libra_procs_enter(p, slot,
				  (struct libra_range){first, next - first});
	}
}

uint32_t libra_procs_free(const struct libra_procs *p, struct libra_range range)
{
	uint32_t end = range.first + range.count, n = 0;

	for (uint32_t w = range.first / 64; w * 64 < end; w++)
		n += libra_bits_count(p->free[w] &
				      libra_bits_mask(w, range.first, end));
	return n;
}

bool libra_procs_taken(const struct libra_procs *p, struct libra_range range)
{
	uint32_t end = range.first + range.count;

	for (uint32_t w = range.first / 64; w * 64 < end; w++)
		if (~(p->free[w] | p->closed[w]) &
		    libra_bits_mask(w, range.first, end))
			return true;
	return false;
}

uint32_t libra_procs_enter(struct libra_procs *p, uint32_t slot,
			   struct libra_range range)
{
	uint32_t first = range.first, end = first + range.count, n = 0;
	uint32_t *link = &p->first[slot];

	for (uint32_t w = first / 64; w * 64 < end; w++)
		n += libra_bits_count(p->free[w] &
				      libra_bits_mask(w, first, end));
	libra_bits_clear(p->free, first, end);
	libra_bits_clear(p->closed, first, end);
	/* Runs are in index order and do not touch. */
	while (*link < first && p->end[*link] < first)
		link = &p->next[*link];
	if (*link < first)
		first = *link;
	p->next[first] = first == *link ? p->next[first] : *link;
	p->end[first] = end;
	if (p->next[first] == end && end < p->nprocs) {
		p->end[first] = p->end[end];
		p->next[first] = p->next[end];
	}
	*link = first;
	return n;
}

uint32_t libra_procs_count(const struct libra_procs *p, uint32_t slot,
			   struct libra_range range)
{
	uint32_t end = range.first + range.count, n = 0;

	for (uint32_t run = p->first[slot]; run < end; run = p->next[run]) {
		uint32_t a = run > range.first ? run : range.first;
		uint32_t b = p->end[run] < end ? p->end[run] : end;

		n += a < b ? b - a : 0;
	}
	return n;
}

void libra_procs_release(struct libra_procs *p, uint32_t slot)
{
	uint32_t run = p->first[slot];

	p->lowest = run < p->lowest ? run : p->lowest;
	for (; run < p->nprocs; run = p->next[run])
		libra_bits_fill(p->free, run, p->end[run]);
	p->first[slot] = p->nprocs;
}

uint32_t libra_procs_close(struct libra_procs *p, uint32_t first,
			   uint32_t count, bool closed)
{
	uint64_t *from = closed ? p->free : p->closed;
	uint64_t *to = closed ? p->closed : p->free;
	uint32_t end = first + count, n = 0;

	for (uint32_t w = first / 64; w * 64 < end; w++) {
		uint64_t moved = from[w] & libra_bits_mask(w, first, end);

		from[w] ^= moved;
		to[w] |= moved;
		n += libra_bits_count(moved);
	}
	if (!closed && first < p->lowest)
		p->lowest = first;
	return n;
}

size_t libra_procs_ranges(const struct libra_procs *p, uint32_t slot,
			  struct libra_range *ranges, size_t cap)
{
	size_t n = 0;

	for (uint32_t run = slot < p->cap ? p->first[slot] : p->nprocs;
	     run < p->nprocs; run = p->next[run]) {
		if (n < cap)
			ranges[n] =
				(struct libra_range){run, p->end[run] - run};
		n++;
	}
	return n;
}
