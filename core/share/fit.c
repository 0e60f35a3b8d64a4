/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.c - a heap of rows. */
#include "core/share/fit.h"

static void sift_down(struct libra_fit *heap, uint32_t n, uint32_t i)
{
	for (;;) {
		uint32_t child = 2 * i + 1;
		struct libra_fit swap = heap[i];

		if (child >= n)
			return;
		if (child + 1 < n && heap[child + 1].key > heap[child].key)
			child++;
		if (heap[child].key <= heap[i].key)
			return;
		heap[i] = heap[child];
		heap[child] = swap;
		i = child;
	}
}

void libra_fit_pop(struct libra_fit *heap, uint32_t n)
{
	struct libra_fit top = heap[0];

	heap[0] = heap[n - 1];
	heap[n - 1] = top;
	sift_down(heap, n - 1, 0);
}

void libra_fit_heap(struct libra_fit *heap, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(heap, n, i);
}
