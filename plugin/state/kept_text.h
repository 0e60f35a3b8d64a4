/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_text.h - the file libra_kept of slurmctld's state folder, as text:
 * places that are kept for jobs which others were stopped for.
 *
 *     libra_kept 1 mem gpu                the resources of a part, in order
 *     job=42 since=S until=S limit=S gone=17,18 parts=2
 *     n1 0 4 2000 1                       node, first processor, count, amounts
 *     n2 0 4 2000 1
 *     end 1                               so many places
 *
 * Instants and durations are seconds.  A text is read whole or not at all.
 */
#ifndef LIBRA_STATE_KEPT_TEXT_H
#define LIBRA_STATE_KEPT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/job.h"
#include "plugin/base/text.h"

struct host_kept_part {
	const char *node;
	uint32_t first, count; /* processors of the node */
	uint64_t amounts[LIBRA_RESOURCES];
};

struct host_kept_place {
	uint32_t job_id;
	double since_s; /* the job was noted */
	double until_s; /* it has to come by then */
	double limit_s;
	uint32_t *gone; /* jobs that are stopped for it: ids */
	uint32_t ngone, nparts;
	struct host_kept_part *parts;
};

struct host_kept {
	const char *resources[LIBRA_RESOURCES];
	uint32_t nresources, nplaces;
	struct host_kept_place *places;
	char *text; /* that names point to */
};

/* Result: 0; or -1 with EBADMSG (damaged, or of another version) or ENOMEM.
 * Owner:  the caller ends it with host_kept_fini(), after a success.
 */
int host_kept_read(struct host_kept *kept, const char *text, size_t size);
void host_kept_fini(struct host_kept *kept);

/* Write one: first the resources, then for each place its head and the rest,
 * then the end.  Without memory out->cut is set.
 */
void host_kept_add_first(struct host_text *out, const char *const *resources,
			 uint32_t n);
void host_kept_add_head(struct host_text *out, uint32_t job_id, double since_s,
			double until_s);
void host_kept_add_rest(struct host_text *out,
			const struct host_kept_place *place,
			uint32_t nresources);
void host_kept_add_end(struct host_text *out, uint32_t nplaces);

#endif
