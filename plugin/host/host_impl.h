/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_impl.h - the host as its entry points see it (host.c, answer.c).
 */
#ifndef LIBRA_HOST_HOST_IMPL_H
#define LIBRA_HOST_HOST_IMPL_H

#include <pthread.h>
#include <stdbool.h>

#include "plugin/base/timing.h"
#include "plugin/host/groups.h"
#include "plugin/host/host.h"

struct libra_host {
	pthread_mutex_t lock;
	bool ready; /* there are engines */
	struct host_groups groups;
	struct host_times times;
};

/* The caller of both functions has the host's lock. */

/* Return the group of a partition, or NULL. */
static inline struct host_state *host_group_for(struct libra_host *host,
						const char *part)
{
	return host->ready ? host_groups_of_partition(&host->groups, part)
			   : NULL;
}

/* Return the group of a job; the host must be ready. */
static inline struct host_state *host_group_of(const struct libra_host *host,
					       const struct libra_host_job *job)
{
	return host_groups_of_job(&host->groups, job->job_id, job->comment);
}

#endif
