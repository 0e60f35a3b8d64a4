/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peaks.c - the most processors that a node has free in each slot of time. */
#include "core/space/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slots that are tested between looks whether all nodes are excluded. */
#define LOOK_SLOTS 4

#define MOST_SLOTS UINT8_MAX

bool libra_peaks_init(struct libra_peaks *peaks, uint32_t nnodes)
{
	if (nnodes < LIBRA_PEAKS_LEAST)
		return true;
	peaks->nranges = (nnodes + LIBRA_PEAK_NODES - 1) / LIBRA_PEAK_NODES;
	peaks->most =
		calloc(peaks->nranges, (size_t)LIBRA_SLOTS * LIBRA_PEAK_NODES);
	return peaks->most;
}

void libra_peaks_fini(struct libra_peaks *peaks)
{
	free(peaks->most);
}

void libra_peaks_reset(struct libra_peaks *peaks, double now_s)
{
	peaks->first = (int64_t)floor(now_s / LIBRA_SLOT_S);
}

void libra_peaks_fill(struct libra_peaks *peaks, uint32_t first,
		      const uint8_t procs[LIBRA_PEAK_NODES])
{
	uint8_t *range;

	if (peaks->nranges == 0)
		return;
	range = &peaks->most[(size_t)first * LIBRA_SLOTS];
	for (size_t slot = 0; slot < LIBRA_SLOTS; slot++)
		memcpy(&range[slot * LIBRA_PEAK_NODES], procs,
		       LIBRA_PEAK_NODES);
}

void libra_peaks_advance(struct libra_peaks *peaks, double now_s)
{
	int64_t first = (int64_t)floor(now_s / LIBRA_SLOT_S);
	int64_t slot = peaks->first;

	if (first <= slot)
		return;
	if (first - slot > LIBRA_SLOTS)
		slot = first - LIBRA_SLOTS;
	for (; slot < first; slot++) {
		size_t place = (size_t)(slot & (LIBRA_SLOTS - 1));

		for (size_t i = 0; i < peaks->nranges; i++)
			memset(&peaks->most[(i * LIBRA_SLOTS + place) *
					    LIBRA_PEAK_NODES],
			       UINT8_MAX, LIBRA_PEAK_NODES);
	}
	peaks->first = first;
}

/* A number for each node of a range; a comparison gives 0 or 255 for each. */
typedef uint8_t row __attribute__((vector_size(LIBRA_PEAK_NODES)));

static bool is_zero(row numbers)
{
	uint64_t words[LIBRA_PEAK_NODES / sizeof(uint64_t)], any = 0;

	memcpy(words, &numbers, sizeof(words));
	for (size_t i = 0; i < LIBRA_PEAK_NODES / sizeof(uint64_t); i++)
		any |= words[i];
	return any == 0;
}

/* Return, by node, 1 + the last of n slots in which its peak is less than
 * procs, or 0.
 */
static row last_lacking(const uint8_t *range, int64_t slot, int64_t n,
			uint8_t procs)
{
	row lacks = {0}, most;

	for (; n > 0; n--) {
		memcpy(&most,
		       &range[((slot + n - 1) & (LIBRA_SLOTS - 1)) *
			      LIBRA_PEAK_NODES],
		       sizeof(most));
		lacks |= (row)(lacks == 0) & (row)(most < procs) & (uint8_t)n;
		if (n % LOOK_SLOTS == 0 && is_zero((row)(lacks == 0)))
			break;
	}
	return lacks;
}

bool libra_peaks_lack(const struct libra_peaks *peaks, uint32_t first,
		      int64_t procs, double from_s, double to_s,
		      double until_s[LIBRA_PEAK_NODES])
{
	int64_t slot = libra_slot_of(peaks, from_s);
	int64_t end = libra_slot_of(peaks, to_s);
	row lacks;

	if (peaks->nranges == 0)
		return false;
	end += (double)end * LIBRA_SLOT_S < to_s;
	if (end > peaks->first + LIBRA_SLOTS)
		end = peaks->first + LIBRA_SLOTS;
	if (end - slot > MOST_SLOTS)
		end = slot + MOST_SLOTS;
	lacks = last_lacking(&peaks->most[(size_t)first * LIBRA_SLOTS], slot,
			     end - slot,
			     procs < UINT8_MAX ? (uint8_t)procs : UINT8_MAX);
	if (is_zero(lacks))
		return false;
	for (int j = 0; j < LIBRA_PEAK_NODES; j++)
		until_s[j] = lacks[j] > 0
				     ? (double)(slot + lacks[j]) * LIBRA_SLOT_S
				     : -INFINITY;
	return true;
}
