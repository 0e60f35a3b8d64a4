/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_store.c - see node_store.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/spank/node_store.h"

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Our groups together weigh so much more than what runs beside them. */
#define NODE_WEIGHT 10

void spank_store_report(const struct spank_store *store, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!store->conf.report)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	store->conf.report(store->conf.arg, text);
}

/* --- the list of jobs ----------------------------------------------------- */

struct spank_job *spank_jobs_find(const struct spank_jobs *jobs, uint32_t id)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->at[i].id == id)
			return &jobs->at[i];
	return NULL;
}

struct spank_job *spank_jobs_add(struct spank_jobs *jobs,
				 const struct spank_job *job)
{
	size_t cap = jobs->cap ? 2 * jobs->cap : 16;
	struct spank_job *more;

	if (jobs->n == jobs->cap) {
		more = realloc(jobs->at, cap * sizeof(*more));
		if (!more)
			return NULL;
		jobs->at = more;
		jobs->cap = cap;
	}
	jobs->at[jobs->n] = *job;
	return &jobs->at[jobs->n++];
}

static void add(struct spank_store *store, struct spank_jobs *jobs,
		const struct spank_job *job)
{
	if (!spank_jobs_add(jobs, job))
		spank_store_report(store,
				   "job %u: out of memory: its weight stays "
				   "as it is until the next event",
				   job->id);
}

/* --- the lock ------------------------------------------------------------- */

bool spank_store_lock(struct spank_store *store)
{
	const atomic_bool *stop = store->conf.stop;
	int rc = spank_files_lock(&store->files, stop);

	if (stop && *stop)
		return false;
	if (rc < 0)
		spank_store_report(store,
				   "state folder %s/%s: %s: continuing without "
				   "a lock; records are kept with the cgroups "
				   "of the jobs",
				   store->conf.state, store->conf.name,
				   strerror(errno));
	return true;
}

void spank_store_unlock(struct spank_store *store)
{
	spank_files_unlock(&store->files);
}

/* --- notes ---------------------------------------------------------------- */

/* Read a job's record from the note on a group.  Result: 0 or -1. */
static int read_note(const struct libra_cgroup *cg, const char *path,
		     uint32_t id, char text[SPANK_RECORD_SIZE],
		     struct spank_job *job)
{
	if (libra_cgroup_get_note(cg, path, text, SPANK_RECORD_SIZE) < 0 ||
	    spank_record_parse(text, job) < 0)
		return -1;
	return job->id == id ? 0 : -1;
}

/* --- groups --------------------------------------------------------------- */

const char *spank_store_group(const struct spank_store *store,
			      const struct spank_job *job,
			      char path[LIBRA_CGROUP_PATH])
{
	if (job->group[0])
		snprintf(path, LIBRA_CGROUP_PATH, "%s", job->group);
	else
		snprintf(path, LIBRA_CGROUP_PATH, "%.*s/job_%u", 256,
			 store->path, job->id);
	return path;
}

int spank_store_make_group(struct spank_store *store,
			   const struct spank_job *job, struct libra_error *err)
{
	char path[LIBRA_CGROUP_PATH];
	long ncpus = sysconf(_SC_NPROCESSORS_ONLN);
	double weight = (double)store->cg.usual * NODE_WEIGHT *
			(double)(ncpus > 0 ? ncpus : 1);

	spank_store_group(store, job, path);
	if (job->group[0] || libra_cgroup_exists(&store->cg, path))
		return 0;
	if (libra_cgroup_make(&store->cg, path, err) < 0)
		return -1;
	if (weight > store->cg.greatest)
		weight = store->cg.greatest;
	return libra_cgroup_set_weight(&store->cg, SPANK_TOP, (uint32_t)weight,
				       err);
}

/* The folders of jobs' groups: ours, and where Slurm makes its own, for one
 * slurmd or several on a host.  Result: how many.
 */
static int folders_of(const struct libra_cgroup *cg, const char *name,
		      char paths[3][LIBRA_CGROUP_PATH])
{
	snprintf(paths[0], LIBRA_CGROUP_PATH, SPANK_TOP "/%s", name);
	snprintf(paths[1], LIBRA_CGROUP_PATH, "system.slice/slurmstepd.scope");
	snprintf(paths[2], LIBRA_CGROUP_PATH,
		 "system.slice/%s_slurmstepd.scope", name);
	return cg->version == 2 ? 3 : 1;
}

/* --- keeping and forgetting ----------------------------------------------- */

/* Where neither file nor note can be written, the job's group is made so that
 * it can have a note.
 */
void spank_store_keep(struct spank_store *store, const struct spank_job *job)
{
	char text[SPANK_RECORD_SIZE], path[LIBRA_CGROUP_PATH];
	bool noted, written = false;
	int saved = ENOENT;

	if (spank_record_format(job, text, sizeof(text)) < 0)
		return;
	spank_store_group(store, job, path);
	noted = libra_cgroup_set_note(&store->cg, path, text) == 0;
	if (store->files.folder >= 0) {
		written = spank_files_write(store->files.folder, job->id,
					    text) == 0;
		saved = errno;
	}
	if (!written && !noted && spank_store_make_group(store, job, NULL) == 0)
		noted = libra_cgroup_set_note(&store->cg, path, text) == 0;
	if (!written && store->files.folder >= 0)
		spank_store_report(
			store, "job %u: cannot write its record in %s/%s: %s%s",
			job->id, store->conf.state, store->conf.name,
			strerror(saved), noted ? "; its cgroup keeps it" : "");
	if (!written && !noted)
		spank_store_report(store,
				   "job %u: its record can be kept neither in "
				   "a file nor with its cgroup: it will run "
				   "without a share",
				   job->id);
}

void spank_store_forget(struct spank_store *store, const struct spank_job *job)
{
	char path[LIBRA_CGROUP_PATH];

	libra_cgroup_drop_note(&store->cg, spank_store_group(store, job, path));
	if (store->files.folder >= 0)
		spank_files_drop(store->files.folder, job->id);
}

void spank_store_remove_groups(const struct spank_store *store)
{
	int fds[] = {store->cg.weights, store->cg.usage};

	for (int i = 0; i < 2; i++)
		if (unlinkat(fds[i], store->path, AT_REMOVEDIR) == 0)
			unlinkat(fds[i], SPANK_TOP, AT_REMOVEDIR);
}

void spank_store_remove(struct spank_store *store)
{
	spank_store_remove_groups(store);
	spank_files_remove(&store->files);
}

/* --- all records ---------------------------------------------------------- */

static DIR *list(int folder)
{
	int fd = openat(folder, ".", FOLDER);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* A damaged record is removed.  Any other that cannot be read now may be
 * readable later, or for another version.
 */
static void read_records(struct spank_store *store, struct spank_jobs *jobs)
{
	DIR *dir = store->files.folder < 0 ? NULL : list(store->files.folder);
	struct spank_job job;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		uint32_t id = spank_files_job(d->d_name);

		if (id == 0)
			continue;
		if (spank_files_read(store->files.folder, id, &job) == 0)
			add(store, jobs, &job);
		else if (errno == EINVAL)
			unlinkat(store->files.folder, d->d_name, 0);
		else if (errno != ENOENT)
			spank_store_report(
				store,
				"job %u: its record in %s/%s cannot be read: "
				"%s; left there until the job ends",
				id, store->conf.state, store->conf.name,
				errno == ENOTSUP ? "written by a later version"
						 : strerror(errno));
	}
	if (dir)
		closedir(dir);
}

/* The file of such a job was lost: write it again. */
static void read_notes(struct spank_store *store, const char *above,
		       struct spank_jobs *jobs)
{
	int fd = libra_cgroup_folder(&store->cg, above);
	DIR *dir = fd < 0 ? NULL : list(fd);
	char path[LIBRA_CGROUP_PATH], text[SPANK_RECORD_SIZE];
	struct spank_job job;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		uint32_t id = spank_files_job(d->d_name);

		if (id == 0 || spank_jobs_find(jobs, id) ||
		    snprintf(path, sizeof(path), "%s/job_%u", above, id) >=
			    (int)sizeof(path) ||
		    read_note(&store->cg, path, id, text, &job) < 0)
			continue;
		if (store->files.folder >= 0)
			spank_files_write(store->files.folder, id, text);
		add(store, jobs, &job);
	}
	if (dir)
		closedir(dir);
	if (fd >= 0)
		close(fd);
}

void spank_store_read(struct spank_store *store, struct spank_jobs *jobs)
{
	char paths[3][LIBRA_CGROUP_PATH];
	int n = folders_of(&store->cg, store->conf.name, paths);

	read_records(store, jobs);
	for (int i = 0; i < n; i++)
		read_notes(store, paths[i], jobs);
}

/* --- opening and closing -------------------------------------------------- */

int spank_store_open(struct spank_store *store,
		     const struct spank_node_conf *conf,
		     struct libra_error *err)
{
	*store = (struct spank_store){
		.conf = *conf,
		.files = {conf->state, conf->name, -1, -1, -1},
	};
	if (!spank_files_valid(conf->state, conf->name))
		return libra_errf(
			err, EINVAL,
			"node name %s, state folder %s: the name must "
			"be a plain word, and the folder must be an "
			"absolute path",
			conf->name ? conf->name : "(none)", conf->state);
	snprintf(store->path, sizeof(store->path), SPANK_TOP "/%s", conf->name);
	return libra_cgroup_open(&store->cg, conf->cgroup_top, err);
}

void spank_store_close(struct spank_store *store)
{
	spank_files_close(&store->files);
	libra_cgroup_close(&store->cg);
}

/* --- looking without the lock --------------------------------------------- */

/* From its note: where its record could not be written. */
static int find_note(const struct libra_cgroup *cg, const char *name,
		     uint32_t job_id, struct spank_job *job)
{
	char paths[3][LIBRA_CGROUP_PATH], path[LIBRA_CGROUP_PATH + 32];
	char text[SPANK_RECORD_SIZE];
	int n = folders_of(cg, name, paths);

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%.*s/job_%u", LIBRA_CGROUP_PATH,
			 paths[i], job_id);
		if (read_note(cg, path, job_id, text, job) == 0)
			return 0;
	}
	return -1;
}

bool spank_store_knows(const struct spank_node_conf *conf, uint32_t job_id)
{
	char path[LIBRA_CGROUP_PATH];
	struct spank_job job;
	struct libra_cgroup cg;
	bool known = false;
	int folder;

	if (!spank_files_valid(conf->state, conf->name))
		return false;
	folder = spank_files_look(conf->state, conf->name);
	if (folder >= 0) {
		snprintf(path, sizeof(path), "job_%u", job_id);
		known = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
		close(folder);
	}
	if (known || libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return known;
	snprintf(path, sizeof(path), SPANK_TOP "/%s/job_%u", conf->name,
		 job_id);
	known = libra_cgroup_exists(&cg, path) ||
		find_note(&cg, conf->name, job_id, &job) == 0;
	libra_cgroup_close(&cg);
	return known;
}

int spank_store_get(const struct spank_node_conf *conf, uint32_t job_id,
		    struct spank_job *job)
{
	struct libra_cgroup cg;
	int folder, rc = -1;

	errno = ENOENT;
	if (!spank_files_valid(conf->state, conf->name))
		return -1;
	folder = spank_files_look(conf->state, conf->name);
	if (folder >= 0) {
		rc = spank_files_read(folder, job_id, job);
		close(folder);
	}
	if (rc < 0 && libra_cgroup_open(&cg, conf->cgroup_top, NULL) == 0) {
		rc = find_note(&cg, conf->name, job_id, job);
		libra_cgroup_close(&cg);
	}
	if (rc < 0)
		errno = ENOENT;
	return rc;
}
