/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - see follow.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/access.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/job_env.h"
#include "plugin/select/cluster.h"
#include "plugin/select/comment.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/follow.h"
#include "plugin/select/locks.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/pending.h"
#include "plugin/select/wake.h"

#pragma weak find_job_record
#pragma weak job_list
#pragma weak node_record_count
#pragma weak node_record_table_ptr

/* Return true if a job runs on its promised cores.  The cores of a job are
 * numbered over its own nodes.
 */
static bool as_promised(const job_record_t *job,
			const struct libra_host_placement *p)
{
	const job_resources_t *res = job->job_resrcs;
	bitstr_t *cores;
	bitoff_t at = 0, all;
	bool same = true;

	if (!res || !res->core_bitmap || !res->node_bitmap)
		return false;
	cores = libra_cores_but(p);
	for (int i = 0; same && i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		all = cr_get_coremap_offset((uint32_t)i);
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (bit_test(res->core_bitmap, at++) ==
			    bit_test(cores, all + c))
				same = false;
	}
	FREE_NULL_BITMAP(cores);
	return same;
}

/* Report a running job.  If memory is out for its parts, the host notes that,
 * and libra_cluster_sync() reports all jobs again.
 */
static void tell_started(job_record_t *job, struct libra_host_placement *p)
{
	struct libra_host_job seen = libra_view(job, false);

	(void)libra_parts_of(job, &seen);
	libra_host_started(libra_host_shared(), &seen, p);
	free((void *)seen.parts);
	libra_take_record(job, p);
}

void libra_cluster_sync_job(job_record_t *job)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;

	libra_need_job_lock(__func__);
	if (IS_JOB_PENDING(job)) {
		seen = libra_view(job, false);
		libra_host_restore(libra_host_shared(), &seen, &p);
		libra_take_record(job, &p);
	} else if (job->node_bitmap) {
		libra_shared_started(job);
		tell_started(job, &p);
		if (p.nparts && !as_promised(job, &p))
			error("libra: %pJ does not run where it was promised to",
			      job);
		libra_job_env_known(job);
	}
	free(p.parts);
	libra_host_flush_records(libra_host_shared());
	libra_job_env_send(job);
}

/* --- jobs that go back into the queue ------------------------------------- */

enum { MOST_BACK = 256 };

static struct {
	uint32_t ids[MOST_BACK];
	size_t n;
} back;

static bool goes_back(const job_record_t *job)
{
	return job->batch_flag && job->details && job->details->requeue &&
	       IS_JOB_NODE_FAILED(job);
}

/* If too many are noted, the job asks again when Slurm lets it start. */
void libra_follow_end(const job_record_t *job)
{
	if (!goes_back(job) || back.n == MOST_BACK)
		return;
	back.ids[back.n++] = job->job_id;
	libra_wake();
}

static void keep_back(void)
{
	struct libra_host_job seen;
	const job_record_t *job;
	size_t left = 0;

	for (size_t i = 0; i < back.n; i++) {
		job = find_job_record(back.ids[i]);
		if (job && goes_back(job)) {
			back.ids[left++] = back.ids[i]; /* still ending */
		} else if (job && IS_JOB_PENDING(job)) {
			seen = libra_view(job, false);
			libra_host_keep(libra_host_shared(), &seen);
		}
	}
	back.n = left;
}

/* --- the cluster -----------------------------------------------------------
 */

static bool noted;
static time_t failed; /* last time that memory was out */

void libra_cluster_sync_later(void)
{
	noted = true;
}

/* Let a job whose promise was not restored ask at once, whether it may start or
 * not: Slurm does not test a job while its partition is full, and the user must
 * see that the promise is lost.
 */
static void settle(job_record_t *job)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;

	if (!IS_JOB_PENDING(job) || !libra_is_wanted(job))
		return;
	seen = libra_view(job, false);
	seen.look_only = libra_access_denied(job) &&
			 libra_host_tracks(libra_host_shared(), &seen);
	libra_host_place(libra_host_shared(), &seen, &p);
	libra_take_record(job, &p);
	free(p.parts);
	libra_job_env_send(job);
}

static void each_job(void (*act)(job_record_t *job))
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(it)))
		if (!IS_JOB_FINISHED(job))
			act(job);
	list_iterator_destroy(it);
}

static void start_again(job_record_t *job)
{
	struct libra_host_placement p = {0};

	if (!IS_JOB_PENDING(job) && job->node_bitmap)
		tell_started(job, &p);
	free(p.parts);
}

void libra_follow_record(job_record_t *job)
{
	struct libra_host_placement p = {0};

	if (libra_is_record(job->admin_comment))
		return;
	libra_host_record(libra_host_shared(), job->job_id, &p);
	libra_take_record(job, &p);
}

void libra_cluster_sync(void)
{
	libra_need_job_lock(__func__);
	libra_job_env_look();
	if (back.n)
		keep_back();
	if (failed == time(NULL))
		return;
	if (libra_host_must_report(libra_host_shared())) {
		failed = time(NULL);
		each_job(start_again);
	}
	if (!noted)
		return;
	noted = false;
	if (!libra_cluster_changed())
		return;
	info("libra: nodes or partitions have changed");
	each_job(libra_follow_record); /* promises are read from there */
	if (!libra_cluster_set()) {
		noted = true;
		failed = time(NULL);
		return;
	}
	each_job(libra_cluster_sync_job);
	each_job(settle);
}
