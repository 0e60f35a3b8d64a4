/* SPDX-License-Identifier: GPL-2.0-or-later */
/* width.c - see width.h. */
#include "core/width.h"

uint32_t libra_width_at(uint32_t least, uint32_t most, uint32_t i)
{
	uint64_t more = most > least ? most - least : 0;

	if (more < LIBRA_WIDTHS)
		return i <= more ? least + i : 0;
	if (i >= LIBRA_WIDTHS)
		return 0;
	return least + (uint32_t)(more * i / (LIBRA_WIDTHS - 1));
}

double libra_width_time_s(double time_s, uint32_t least, uint32_t width,
			  double part)
{
	return time_s * (1 - part + part * least / width);
}
