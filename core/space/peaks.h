/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peaks.h - the most processors that a node has free in each slot of time.
 *
 * A slot is LIBRA_SLOT_S seconds; slots begin at multiples of that.  A node
 * whose peak in a slot is too low has no room for a job that runs in that slot,
 * so a search need not read the node's lane.  Each peak is exact or too high:
 * what the peaks exclude has no room, and the lane decides on all others.  The
 * peaks of LIBRA_PEAK_NODES neighbouring nodes are tested at a time.
 *
 * With less than LIBRA_PEAKS_LEAST nodes there are no peaks: they exclude no
 * node, and to change them would cost more than to read the lanes.
 *
 * Memory: LIBRA_SLOTS bytes a node.  Only init allocates.
 *
 * Only core/space calls these functions.
 */
#ifndef LIBRA_SPACE_PEAKS_H
#define LIBRA_SPACE_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIBRA_SLOT_S	  512.
#define LIBRA_SLOTS	  1024 /* 6 days; a power of 2 */
#define LIBRA_PEAK_NODES  16
#define LIBRA_PEAKS_LEAST 512

struct libra_peaks {
	uint8_t *most;	  /* processors, by LIBRA_PEAK_NODES nodes, slot (its
			     number modulo LIBRA_SLOTS) and node; 255: that many
			     or more, or not known */
	uint32_t nranges; /* 0: no peaks */
	int64_t first; /* slot of now; the last one is first + LIBRA_SLOTS - 1
			*/
};

/* Allocate the peaks.  The caller has set *peaks to zero.  The peaks are
 * invalid before reset.
 * Result: false if memory is out.  Call fini in either case.
 */
bool libra_peaks_init(struct libra_peaks *peaks, uint32_t nnodes);
void libra_peaks_fini(struct libra_peaks *peaks);

/* Begin again at an instant, with the peaks of LIBRA_PEAK_NODES nodes at a time
 * the same in all slots (libra_peaks_fill()).
 * Cost: O(slots) for _fill.
 */
void libra_peaks_reset(struct libra_peaks *peaks, double now_s);
void libra_peaks_fill(struct libra_peaks *peaks, uint32_t first,
		      const uint8_t procs[LIBRA_PEAK_NODES]);

/* Forget the slots before now; the peaks of the slots that come into sight are
 * not known.
 * Cost: O(nodes) for each of these slots.
 */
void libra_peaks_advance(struct libra_peaks *peaks, double now_s);

/* Return the number of the slot that contains an instant; the nearest one if
 * the instant is before the first slot, or 1 behind the last one.
 */
static inline int64_t libra_slot_of(const struct libra_peaks *peaks,
				    double at_s)
{
	double slot = at_s / LIBRA_SLOT_S;

	if (!(slot > (double)peaks->first))
		return peaks->first;
	return slot < (double)(peaks->first + LIBRA_SLOTS)
		       ? (int64_t)slot
		       : peaks->first + LIBRA_SLOTS;
}

/* Return the peak for a number of free processors. */
static inline uint8_t libra_peak(int64_t procs)
{
	return (uint8_t)(procs < 0 ? 0 : procs > UINT8_MAX ? UINT8_MAX : procs);
}

/* Set the peak of a node in a slot. */
static inline void libra_peaks_put(struct libra_peaks *peaks, uint32_t node,
				   int64_t slot, int64_t procs)
{
	uint32_t range = node / LIBRA_PEAK_NODES;
	uint32_t place = (uint32_t)(slot & (LIBRA_SLOTS - 1));

	peaks->most[((size_t)range * LIBRA_SLOTS + place) * LIBRA_PEAK_NODES +
		    node % LIBRA_PEAK_NODES] = libra_peak(procs);
}

/* For each of the LIBRA_PEAK_NODES nodes from `first` on, a multiple of that:
 * write an instant after from_s such that a job that begins in [from_s, that
 * instant) and runs until to_s or longer finds less than procs processors free
 * at some time; or -INFINITY if the peaks do not exclude the node.
 * Result: false if they exclude no node; until_s is then undefined.
 * Cost:   O(slots of that time, 255 at most).
 */
bool libra_peaks_lack(const struct libra_peaks *peaks, uint32_t first,
		      int64_t procs, double from_s, double to_s,
		      double until_s[LIBRA_PEAK_NODES]);

#endif
