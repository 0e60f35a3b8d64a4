/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.h - the partitions of a site: their processors, their limits, and
 * which of them share nodes.
 *
 * Partitions that share a node, directly or through others, form one machine
 * with one queue.  Partitions of different machines do not compete.  A job may
 * use all of its machine, even if its partition has only some of the nodes.
 */
#ifndef LIBRA_SITE_PARTITIONS_H
#define LIBRA_SITE_PARTITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

struct site_part {
	char *name;
	double max_s;	  /* largest time limit; INFINITY = none */
	double default_s; /* limit of jobs that ask for none; NAN = max_s */
	uint32_t procs, nodes; /* nodes of a table: 1 if it names a machine */
	size_t machine;	       /* index of site_parts.procs */
};

struct site_parts {
	struct site_part *list;
	size_t n, cap;
	/* By machine.  If no partition has all nodes of the machine, each node
	 * counts as the mean of the smallest partition that has the node.
	 */
	uint32_t *procs;
	size_t nmachines;
};

/* Read what `scontrol show partition` printed (with -o or without), or a CSV
 * table with the columns partition and procs.  Optional columns: max_s and
 * default_s, in seconds, and machine, a name that partitions with common nodes
 * have in common.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EINVAL (no partition,
 *         or one without processors).  The text of the error names the file.
 * Owner:  the caller calls site_parts_fini() after success, and need not after
 *         an error.
 */
int site_parts_read(struct site_parts *parts, const char *path,
		    struct libra_error *err);
void site_parts_fini(struct site_parts *parts);

/* Return the partition whose name the log's header gives this number, or NULL.
 * Owner: parts.
 */
const struct site_part *site_parts_find(const struct site_parts *parts,
					const struct swf_trace *trace,
					int32_t number);

#endif
