/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.h - the partitions of a site: their processors, their limits, and
 * which of them share nodes.
 *
 * Partitions that share a node are on one machine, and their jobs in one queue.
 * Other partitions do not compete.  If a partition has only some of its
 * machine's nodes, that is ignored.
 */
#ifndef LIBRA_SITE_PARTITIONS_H
#define LIBRA_SITE_PARTITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

struct site_part {
	char *name;
	double max_s, default_s; /* limits; INFINITY, NAN = none */
	uint32_t procs, nodes;
	size_t machine;
};

struct site_parts {
	struct site_part *list;
	size_t n, cap;
	uint32_t *procs; /* by machine */
	size_t nmachines;
};

/* Read what `scontrol show partition` printed (with -o or without), or a table
 * (CSV) with the columns partition, procs, and perhaps max_s, default_s (both
 * in seconds) and machine: partitions of the same machine share nodes.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EINVAL: no partition
 *         with processors; the text names file and line.
 * Owner:  the caller calls site_parts_fini(); after an error it need not.
 */
int site_parts_read(struct site_parts *parts, const char *path,
		    struct libra_error *err);
void site_parts_fini(struct site_parts *parts);

/* Return the partition that a log names by this number, or NULL. */
const struct site_part *site_parts_find(const struct site_parts *parts,
					const struct swf_trace *trace,
					int32_t number);

#endif
