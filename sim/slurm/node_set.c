/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_set.c - lists of nodes as sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/slurm/node_set.h"

/* Numbers of a range at most: texts of users are read. */
enum { RANGE_MAX = 1000 * 1000 };

static bool put_node(const struct slurm_site *site, const char *name,
		     uint64_t *set)
{
	uint32_t node = slurm_site_find_node(site, name);

	if (node == SLURM_NONE)
		return false;
	libra_bits_put(set, node);
	return true;
}

/* Add prefix and each number of "02-04,10" (width as written). */
static bool put_range(const struct slurm_site *site, const char *prefix,
		      size_t nprefix, const char *text, uint64_t *set)
{
	bool ok = true;

	while (*text && *text != ']') {
		char *end, name[300];
		unsigned long first = strtoul(text, &end, 10), last = first;
		int width = (int)(end - text);

		if (end == text)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last > first && last - first > RANGE_MAX)
			return false;
		for (unsigned long i = first; i <= last; i++) {
			snprintf(name, sizeof(name), "%.*s%0*lu", (int)nprefix,
				 prefix, width, i);
			ok = put_node(site, name, set) && ok;
		}
		text = *end == ',' ? end + 1 : end;
	}
	return ok;
}

bool sched_node_set(const struct slurm_site *site, const char *list,
		    uint64_t *set)
{
	bool ok = true;

	while (*list) {
		size_t n = strcspn(list, ",[");
		char name[300];

		if (list[n] == '[') {
			ok = put_range(site, list, n, list + n + 1, set) && ok;
			list += n;
			list += strcspn(list, "]");
			list += *list == ']';
		} else {
			snprintf(name, sizeof(name), "%.*s",
				 (int)(n < 255 ? n : 255), list);
			ok = put_node(site, name, set) && ok;
			list += n;
		}
		list += *list == ',';
	}
	return ok;
}
