/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_text.h - the text of the file libra_kept in slurmctld's state folder:
 * holds for preempting jobs.
 *
 *     libra_kept 1 mem gpu                the resources of a part, in order
 *     job=42 since=S until=S limit=S gone=17,18 parts=2
 *     n1 0 4 2000 1                       node, first processor, count, amounts
 *     n2 0 4 2000 1
 *     end 1                               number of holds
 *
 * Instants and durations are in seconds; gone lists the victims.  A damaged
 * text is rejected as a whole.  No function needs a lock: each works on its
 * arguments alone.
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
	uint32_t first, count; /* processors within the node */
	uint64_t amounts[LIBRA_RESOURCES];
};

struct host_kept_place {
	uint32_t job_id;
	double since_s; /* when the job began to preempt */
	double until_s; /* the hold ends then, if the job has not started */
	double limit_s; /* time limit of the preempting job */
	uint32_t *gone; /* job ids of the victims */
	uint32_t ngone, nparts;
	struct host_kept_part *parts;
};

struct host_kept {
	const char *resources[LIBRA_RESOURCES];
	uint32_t nresources, nplaces;
	struct host_kept_place *places;
	char *text; /* owned; the names above point into this text */
};

/* Read all holds of a text.
 * Result: 0, or -1 with EBADMSG (damaged, or another version) or ENOMEM; after
 *         -1 nothing has to be freed.
 * Owner:  after 0 the caller frees *kept with host_kept_fini().
 */
int host_kept_read(struct host_kept *kept, const char *text, size_t size);
void host_kept_fini(struct host_kept *kept);

/* Compose a text: first the resources, then for each hold its head (until=, and
 * all before it) and the rest, then the end.  If memory runs out, out->cut is
 * set.
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
