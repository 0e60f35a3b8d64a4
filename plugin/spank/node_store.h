/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_store.h - the records of a node's jobs, in files and on their cgroups.
 *
 * A record is kept twice: in a file (node_files.h), and as a note (an extended
 * attribute) on the job's cgroup.  Each is enough, so neither a full disk nor a
 * lost folder breaks a promise.  The first job of a node creates the folder,
 * the last one removes it.
 *
 * The events of a node run in separate processes, as root: slurmd's prolog and
 * epilog, tasks and slurmstepd (node.h).  A lock file serialises the events.
 * node.c calls the functions; alarm.c and spank_libra.c call the last two.
 * spank_store_read(), _keep(), _forget(), _remove() and _make_group() expect
 * the lock.  No lock of Slurm is involved.  A failure, also of memory, is
 * reported in one line, and the event goes on.
 */
#ifndef LIBRA_SPANK_NODE_STORE_H
#define LIBRA_SPANK_NODE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "plugin/spank/cgroup.h"
#include "plugin/spank/node_files.h"
#include "plugin/spank/record.h"

/* Our cgroups are in the group SPANK_TOP/NODE. */
#define SPANK_TOP "libra"

typedef void (*spank_report_f)(void *arg, const char *text);

struct spank_node_conf {
	const char *cgroup_top; /* usually /sys/fs/cgroup */
	const char *state;	/* usually /run/slurm-libra */
	const char *name;	/* of the node, as Slurm calls it */
	spank_report_f report;	/* one line: what failed, what follows; or
				   NULL */
	void *arg;
	const atomic_bool *stop; /* once true, wait for no lock; or NULL */
	/* The job to which the calling process belongs, or 0.  A process in a
	 * cgroup of the least weight could not release the lock soon: node.c
	 * gives this job's cgroup more weight for the event.
	 */
	uint32_t caller;
};

/* The jobs of a node.  Zero the list before use; the owner frees at. */
struct spank_jobs {
	struct spank_job *at;
	size_t n, cap;
};

struct spank_job *spank_jobs_find(const struct spank_jobs *jobs, uint32_t id);

/* Add a copy of a job.
 * Result: the copy, valid until the next add, or NULL with ENOMEM.
 */
struct spank_job *spank_jobs_add(struct spank_jobs *jobs,
				 const struct spank_job *job);

struct spank_store {
	struct spank_node_conf conf;
	struct libra_cgroup cg;
	char path[LIBRA_CGROUP_PATH]; /* our group of this node */
	struct spank_files files;
};

/* Set up a store and find the cgroups of its node.  Nothing on the node
 * changes.
 * Result: 0, or -1 with EINVAL (the node's name is no plain word, or the state
 *         folder no absolute path) or ENOTSUP (no cgroup weights here).
 * Owner:  the caller closes the store; conf's texts stay the caller's.
 */
int spank_store_open(struct spank_store *store,
		     const struct spank_node_conf *conf,
		     struct libra_error *err);
void spank_store_close(struct spank_store *store);

/* Make the state folder and take its lock; wait up to 5 s.  If that fails,
 * report it and go on without the lock.
 * Result: false if conf.stop became true meanwhile.
 */
bool spank_store_lock(struct spank_store *store);
void spank_store_unlock(struct spank_store *store);

/* Add to a list all jobs whose record or note can be read.  Remove damaged
 * records.  Write a lost file again from its note.  If memory is out, a job is
 * missing from the list, which is reported.
 */
void spank_store_read(struct spank_store *store, struct spank_jobs *jobs);

/* Write a job's record, in the file and as a note; remove both. */
void spank_store_keep(struct spank_store *store, const struct spank_job *job);
void spank_store_forget(struct spank_store *store, const struct spank_job *job);

/* _remove: remove our groups, the lock and the folders, as the node has no
 * jobs.  _remove_groups: remove our groups only.
 */
void spank_store_remove(struct spank_store *store);
void spank_store_remove_groups(const struct spank_store *store);

/* Write the path of a job's cgroup, Slurm's or ours.
 * Result: path.
 */
const char *spank_store_group(const struct spank_store *store,
			      const struct spank_job *job,
			      char path[LIBRA_CGROUP_PATH]);

/* Make the job's group, if the group is one of ours and does not exist, and set
 * the weight of all our groups.
 * Result: 0, or -1 with errno.
 */
int spank_store_make_group(struct spank_store *store,
			   const struct spank_job *job,
			   struct libra_error *err);

/* Report one line by conf.report. */
void spank_store_report(const struct spank_store *store, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The next two functions need no lock and report nothing. */

/* Return true if a job is known on the node. */
bool spank_store_knows(const struct spank_node_conf *conf, uint32_t job_id);

/* Read the record of a job from its file or note.
 * Result: 0, or -1 with ENOENT.
 */
int spank_store_get(const struct spank_node_conf *conf, uint32_t job_id,
		    struct spank_job *job);

#endif
