/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares.c - see shares.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/shares.h"

#define OUR_TOP "libra"
#define FOLDER	(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

enum { RECORD_SIZE = LIBRA_CGROUP_PATH + LIBRA_CORES / 4 + 256 };

/* The lock is tried so often: 5 s in all. */
#define LOCK_TRIES   2500
#define LOCK_WAIT_NS 2000000

/* Jobs on the node together weigh so much more than what runs beside them. */
#define NODE_WEIGHT 10

struct libra_node {
	struct libra_node_conf conf;
	struct libra_cgroup cg;
	char path[LIBRA_CGROUP_PATH]; /* of our groups */
	int top, state; /* state folder, and the node's in it; or -1 */
	int lock;	/* or -1 */
	struct libra_share_job *jobs;
	size_t njobs, cap;
};

/* --- small things --------------------------------------------------------- */

static void report(const struct libra_node *node, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void report(const struct libra_node *node, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!node->conf.report)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	node->conf.report(node->conf.arg, text);
}

/* A name that can be a file's, and a word. */
static bool good_name(const char *name)
{
	if (!name || !isalnum((unsigned char)name[0]) || strlen(name) > 128)
		return false;
	for (const char *s = name; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._-", *s))
			return false;
	return true;
}

static uint32_t id_of(const char *file)
{
	char name[32];
	unsigned id;

	if (sscanf(file, "job_%9u", &id) != 1)
		return 0;
	snprintf(name, sizeof(name), "job_%u", id);
	return strcmp(name, file) == 0 ? id : 0;
}

static struct libra_share_job *find(const struct libra_node *node, uint32_t id)
{
	for (size_t i = 0; i < node->njobs; i++)
		if (node->jobs[i].id == id)
			return &node->jobs[i];
	return NULL;
}

static const char *group_of(const struct libra_node *node,
			    const struct libra_share_job *job,
			    char path[LIBRA_CGROUP_PATH])
{
	if (job->group[0])
		snprintf(path, LIBRA_CGROUP_PATH, "%s", job->group);
	else
		snprintf(path, LIBRA_CGROUP_PATH, "%.*s/job_%u", 256,
			 node->path, job->id);
	return path;
}

static struct libra_share_job *add(struct libra_node *node,
				   const struct libra_share_job *job)
{
	size_t cap = node->cap ? 2 * node->cap : 16;
	struct libra_share_job *more;

	if (node->njobs == node->cap) {
		more = realloc(node->jobs, cap * sizeof(*more));
		if (!more) {
			report(node, "job %u: out of memory: left alone",
			       job->id);
			return NULL;
		}
		node->jobs = more;
		node->cap = cap;
	}
	node->jobs[node->njobs] = *job;
	return &node->jobs[node->njobs++];
}

/* --- the state folder ----------------------------------------------------- */

/* A folder that nobody but us can have anything to do with. */
static int private_folder(int at, const char *name)
{
	struct stat st;
	int fd;

	if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
		return -1;
	fd = openat(at, name, FOLDER);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 077) == 0)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static void close_state(struct libra_node *node)
{
	if (node->state >= 0)
		close(node->state);
	if (node->top >= 0)
		close(node->top);
	node->state = node->top = -1;
}

static int open_state(struct libra_node *node)
{
	node->top = private_folder(AT_FDCWD, node->conf.state);
	if (node->top >= 0)
		node->state = private_folder(node->top, node->conf.name);
	return node->state;
}

static bool told_to_stop(const struct libra_node *node)
{
	return node->conf.stop && *node->conf.stop;
}

/* The folder may have been removed while we waited: then so was our lock. */
static int lock_file(const struct libra_node *node)
{
	const struct timespec wait = {0, LOCK_WAIT_NS};
	struct stat st;
	int fd = openat(node->state, "lock",
			O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	for (int i = 0; i < LOCK_TRIES && !told_to_stop(node); i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			if (fstat(fd, &st) == 0 && st.st_nlink > 0)
				return fd;
			close(fd);
			errno = ESTALE;
			return -1;
		}
		nanosleep(&wait, NULL);
	}
	close(fd);
	errno = ETIMEDOUT;
	return -1;
}

static void take_lock(struct libra_node *node)
{
	for (int i = 0; i < 3 && node->lock < 0; i++) {
		close_state(node);
		if (open_state(node) >= 0)
			node->lock = lock_file(node);
		if (node->lock < 0 && errno != ESTALE && errno != ENOENT)
			break;
	}
	if (node->lock < 0 && !told_to_stop(node))
		report(node,
		       "state folder %s/%s: %s: going on without lock, what is "
		       "known of jobs stays with their cgroups",
		       node->conf.state, node->conf.name, strerror(errno));
}

static void unlock(struct libra_node *node)
{
	if (node->lock >= 0)
		close(node->lock);
	node->lock = -1;
}

static int write_record(int state, const struct libra_share_job *job,
			const char *text)
{
	char name[32], part[32];
	size_t len = strlen(text);
	int fd, saved;
	ssize_t n;

	snprintf(name, sizeof(name), "job_%u", job->id);
	snprintf(part, sizeof(part), ".job_%u", job->id);
	unlinkat(state, part, 0);
	fd = openat(state, part,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	n = write(fd, text, len);
	saved = n < 0 ? errno : ENOSPC;
	if (close(fd) == 0 && n == (ssize_t)len &&
	    renameat(state, part, state, name) == 0)
		return 0;
	unlinkat(state, part, 0);
	errno = saved;
	return -1;
}

static int read_record(int state, const char *name, struct libra_share_job *job)
{
	char text[RECORD_SIZE];
	int fd = openat(state, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return libra_record_parse(text, job);
}

/* Keep what is known of a job, twice. */
static void keep(struct libra_node *node, const struct libra_share_job *job)
{
	char text[RECORD_SIZE], path[LIBRA_CGROUP_PATH];
	int saved = ENOENT;
	bool noted;

	if (libra_record_format(job, text, sizeof(text)) < 0)
		return;
	noted = libra_cgroup_set_note(&node->cg, group_of(node, job, path),
				      text) == 0;
	if (node->state >= 0) {
		if (write_record(node->state, job, text) == 0)
			return;
		saved = errno;
		report(node, "job %u: cannot write its record in %s/%s: %s%s",
		       job->id, node->conf.state, node->conf.name,
		       strerror(saved), noted ? "; its cgroup keeps it" : "");
	}
	if (!noted)
		report(node,
		       "job %u: nothing can keep what it was promised: "
		       "it will run without a share",
		       job->id);
}

static void forget(struct libra_node *node, const struct libra_share_job *job)
{
	char name[32], path[LIBRA_CGROUP_PATH];

	libra_cgroup_drop_note(&node->cg, group_of(node, job, path));
	snprintf(name, sizeof(name), "job_%u", job->id);
	if (node->state >= 0)
		unlinkat(node->state, name, 0);
}

/* --- what is known -------------------------------------------------------- */

static DIR *list(int folder)
{
	int fd = openat(folder, ".", FOLDER);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* A record that says of itself to be another job's is not believed. */
static void read_records(struct libra_node *node)
{
	DIR *dir = node->state < 0 ? NULL : list(node->state);
	struct libra_share_job job;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		uint32_t id = id_of(d->d_name);

		if (id == 0)
			continue;
		if (read_record(node->state, d->d_name, &job) == 0 &&
		    job.id == id)
			add(node, &job);
		else
			unlinkat(node->state, d->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

/* Jobs that only their groups know of: the folder was lost. */
static void read_notes(struct libra_node *node, const char *above)
{
	int fd = libra_cgroup_folder(&node->cg, above);
	DIR *dir = fd < 0 ? NULL : list(fd);
	char path[LIBRA_CGROUP_PATH], text[RECORD_SIZE];
	struct libra_share_job job;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		uint32_t id = id_of(d->d_name);

		if (id == 0 || find(node, id) ||
		    snprintf(path, sizeof(path), "%s/job_%u", above, id) >=
			    (int)sizeof(path) ||
		    libra_cgroup_get_note(&node->cg, path, text, sizeof(text)) <
			    0 ||
		    libra_record_parse(text, &job) < 0 || job.id != id)
			continue;
		if (node->state >= 0)
			write_record(node->state, &job, text);
		add(node, &job);
	}
	if (dir)
		closedir(dir);
	if (fd >= 0)
		close(fd);
}

static void read_all(struct libra_node *node)
{
	char path[LIBRA_CGROUP_PATH];

	read_records(node);
	read_notes(node, node->path);
	if (node->cg.version != 2)
		return;
	/* Where Slurm makes its jobs' groups, as one slurmd or several. */
	read_notes(node, "system.slice/slurmstepd.scope");
	snprintf(path, sizeof(path), "system.slice/%s_slurmstepd.scope",
		 node->conf.name);
	read_notes(node, path);
}

/* --- opening and closing -------------------------------------------------- */

/* Close, and leave everything as it is. */
static void give_up(struct libra_node *node)
{
	unlock(node);
	close_state(node);
	libra_cgroup_close(&node->cg);
	free(node->jobs);
	free(node);
}

struct libra_node *libra_node_open(const struct libra_node_conf *conf,
				   struct libra_error *err)
{
	struct libra_node *node;

	if (!good_name(conf->name) || conf->state[0] != '/') {
		libra_errf(err, EINVAL,
			   "no node name, or no state folder: %s, %s",
			   conf->name ? conf->name : "(none)", conf->state);
		return NULL;
	}
	node = calloc(1, sizeof(*node));
	if (!node) {
		libra_errf(err, ENOMEM, "out of memory");
		return NULL;
	}
	node->conf = *conf;
	node->top = node->state = node->lock = -1;
	snprintf(node->path, sizeof(node->path), OUR_TOP "/%s", conf->name);
	if (libra_cgroup_open(&node->cg, conf->cgroup_top, err) < 0) {
		free(node);
		errno = ENOTSUP;
		return NULL;
	}
	take_lock(node);
	if (told_to_stop(node)) {
		give_up(node);
		errno = ECANCELED;
		return NULL;
	}
	read_all(node);
	return node;
}

/* Where no job is, nothing is left.  Who waits for the lock sees that its file
 * is gone, and makes a new one.
 */
static void tidy(struct libra_node *node)
{
	int fds[] = {node->cg.weights, node->cg.usage};

	for (int i = 0; i < 2; i++)
		if (unlinkat(fds[i], node->path, AT_REMOVEDIR) == 0)
			unlinkat(fds[i], OUR_TOP, AT_REMOVEDIR);
	if (node->lock < 0)
		return;
	unlinkat(node->state, "lock", 0);
	unlinkat(node->top, node->conf.name, AT_REMOVEDIR);
	rmdir(node->conf.state);
}

void libra_node_close(struct libra_node *node)
{
	if (!node)
		return;
	if (node->njobs == 0)
		tidy(node);
	give_up(node);
}

size_t libra_node_njobs(const struct libra_node *node)
{
	return node->njobs;
}

bool libra_node_knows(const struct libra_node_conf *conf, uint32_t job_id)
{
	char path[PATH_MAX];
	struct libra_cgroup cg;
	bool known;

	if (!good_name(conf->name))
		return false;
	snprintf(path, sizeof(path), "%s/%s/job_%u", conf->state, conf->name,
		 job_id);
	if (access(path, F_OK) == 0)
		return true;
	if (libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return false;
	snprintf(path, sizeof(path), OUR_TOP "/%s/job_%u", conf->name, job_id);
	known = libra_cgroup_exists(&cg, path);
	libra_cgroup_close(&cg);
	return known;
}

/* From its note: where its record could not be written. */
static int read_note(const struct libra_node_conf *conf, uint32_t job_id,
		     struct libra_share_job *job)
{
	char path[PATH_MAX], text[RECORD_SIZE];
	struct libra_cgroup cg;
	ssize_t n;

	if (libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return -1;
	snprintf(path, sizeof(path), OUR_TOP "/%s/job_%u", conf->name, job_id);
	n = libra_cgroup_get_note(&cg, path, text, sizeof(text));
	libra_cgroup_close(&cg);
	return n < 0 ? -1 : libra_record_parse(text, job);
}

int libra_node_read(const struct libra_node_conf *conf, uint32_t job_id,
		    struct libra_share_job *job)
{
	char path[PATH_MAX];

	errno = ENOENT;
	if (!good_name(conf->name))
		return -1;
	snprintf(path, sizeof(path), "%s/%s/job_%u", conf->state, conf->name,
		 job_id);
	if ((read_record(AT_FDCWD, path, job) == 0 ||
	     read_note(conf, job_id, job) == 0) &&
	    job->id == job_id)
		return 0;
	errno = ENOENT;
	return -1;
}

/* --- events --------------------------------------------------------------- */

/* Slurm may move processes to a group of its own in the hierarchy of version 1
 * that counts CPU time; what they used before stays in ours.
 */
static double used_s(const struct libra_node *node,
		     const struct libra_share_job *job)
{
	char path[LIBRA_CGROUP_PATH];
	double used = libra_cgroup_used_s(&node->cg, group_of(node, job, path));

	if (node->cg.version != 1)
		return used;
	snprintf(path, sizeof(path), "slurm_%.200s/uid_%u/job_%u",
		 node->conf.name, job->user, job->id);
	used += libra_cgroup_used_s(&node->cg, path);
	snprintf(path, sizeof(path), "slurm/uid_%u/job_%u", job->user, job->id);
	return used + libra_cgroup_used_s(&node->cg, path);
}

/* One line for all that fails: the cause is mostly one. */
void libra_node_renew(struct libra_node *node, double now_s)
{
	struct libra_error err = {0};
	char path[LIBRA_CGROUP_PATH];
	size_t n = node->njobs, failed = 0;
	double *used = calloc(n + 1, sizeof(*used));
	uint32_t *weights = calloc(n + 1, sizeof(*weights));
	const struct libra_weight_range range = {
		.least = node->cg.least,
		.most = node->cg.most,
		.greatest = node->cg.greatest,
	};

	if (!used || !weights) {
		report(node, "out of memory: weights are not renewed");
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		used[i] = used_s(node, &node->jobs[i]);
	libra_weights(node->jobs, used, n, now_s, &range, weights);
	for (size_t i = 0; i < n; i++) {
		group_of(node, &node->jobs[i], path);
		/* Nobody has come yet, or Slurm's group is gone already. */
		if ((node->jobs[i].ncpus == 0 || node->jobs[i].group[0]) &&
		    !libra_cgroup_exists(&node->cg, path))
			continue;
		if (libra_cgroup_set_weight(&node->cg, path, weights[i], &err) <
		    0)
			failed++;
	}
	if (failed)
		report(node,
		       "%zu of %zu weights not renewed: %s; tried again when a "
		       "job begins or ends here",
		       failed, n, err.text);
out:
	free(used);
	free(weights);
}

/* The group of a job, if it is ours, and those above it. */
static int make_group(struct libra_node *node,
		      const struct libra_share_job *job,
		      struct libra_error *err)
{
	char path[LIBRA_CGROUP_PATH];
	long ncpus = sysconf(_SC_NPROCESSORS_ONLN);
	double weight = (double)node->cg.usual * NODE_WEIGHT *
			(double)(ncpus > 0 ? ncpus : 1);

	group_of(node, job, path);
	if (job->group[0] || libra_cgroup_exists(&node->cg, path))
		return 0;
	if (libra_cgroup_make(&node->cg, path, err) < 0)
		return -1;
	if (weight > node->cg.greatest)
		weight = node->cg.greatest;
	return libra_cgroup_set_weight(&node->cg, OUR_TOP, (uint32_t)weight,
				       err);
}

void libra_node_begin(struct libra_node *node,
		      const struct libra_share_job *job, double now_s)
{
	struct libra_error err = {0};
	struct libra_share_job *known = find(node, job->id);

	/* A job that was requeued begins anew. */
	if (known)
		libra_node_end(node, job->id, now_s);
	known = add(node, job);
	if (!known)
		return;
	known->ncpus = 0;
	memset(known->cores, 0, sizeof(known->cores));
	known->group[0] = '\0';
	/* Version 2 may have one of Slurm's own: seen when a process comes. */
	if (node->cg.version == 1 && make_group(node, known, &err) < 0)
		report(node, "job %u: %s; tried again when it begins a step",
		       job->id, err.text);
	keep(node, known);
}

/* What a job has here, as its first process says. */
static void set_cpus(struct libra_share_job *job, uint32_t ncpus,
		     const char *cores)
{
	uint32_t n = libra_read_cores(cores, job->cores);

	if (n > 0)
		ncpus = n;
	job->ncpus = ncpus ? ncpus : 1;
}

int libra_node_enter(struct libra_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *cores, const char *where, pid_t pid,
		     double now_s)
{
	struct libra_share_job *job = find(node, job_id);
	struct libra_error err = {0};
	char path[LIBRA_CGROUP_PATH] = "";
	bool new;

	if (!job) {
		errno = ENOENT;
		return -1;
	}
	libra_cgroup_of_job(&node->cg, where, job_id, path);
	new = job->ncpus == 0 || strcmp(path, job->group) != 0;
	if (job->ncpus == 0)
		set_cpus(job, ncpus, cores);
	strcpy(job->group, path);
	group_of(node, job, path);
	if (!libra_cgroup_exists(&node->cg, path))
		new = true;
	if (make_group(node, job, &err) < 0)
		report(node, "job %u: %s; it runs without its share", job_id,
		       err.text);
	if (new) {
		keep(node, job);
		libra_node_renew(node, now_s);
	}
	/* From here on a process of least weight hardly goes on: it must not
	 * hold what others wait for.
	 */
	unlock(node);
	if (!err.text[0] && !job->group[0] &&
	    libra_cgroup_enter(&node->cg, path, pid, &err) < 0)
		report(node, "job %u: %s; it runs without its share", job_id,
		       err.text);
	return 0;
}

void libra_node_end(struct libra_node *node, uint32_t job_id, double now_s)
{
	struct libra_share_job *job = find(node, job_id), gone;
	struct libra_error err = {0};
	char path[LIBRA_CGROUP_PATH];

	if (!job)
		return;
	gone = *job;
	forget(node, &gone);
	*job = node->jobs[--node->njobs];
	libra_node_renew(node, now_s);
	/* Also where Slurm's was used in the end. */
	gone.group[0] = '\0';
	group_of(node, &gone, path);
	/* To end takes CPU time too. */
	if (libra_cgroup_exists(&node->cg, path))
		libra_cgroup_set_weight(&node->cg, path, node->cg.most, NULL);
	if (libra_cgroup_remove(&node->cg, path, &err) < 0)
		report(node, "job %u: %s", job_id, err.text);
}
