/* SPDX-License-Identifier: GPL-2.0-or-later */
/* short_list.c - see short_list.h. */
#include "core/gang/short_list.h"

void libra_gang_short_list_add(struct libra_gang_short_list *few, uint32_t slot)
{
	if (few->many)
		return;
	for (uint32_t i = 0; i < few->n; i++)
		if (few->slots[i] == slot)
			return;
	few->many = few->n == LIBRA_GANG_FEW;
	if (!few->many)
		few->slots[few->n++] = slot;
}

void libra_gang_short_list_drop(struct libra_gang_short_list *few,
				uint32_t slot)
{
	for (uint32_t i = 0; i < few->n; i++)
		if (few->slots[i] == slot) {
			few->slots[i] = few->slots[--few->n];
			return; /* it is on the list once */
		}
}
