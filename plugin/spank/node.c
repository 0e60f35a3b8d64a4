/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node.c - see shares.h.
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

#include "plugin/spank/node.h"

#define OUR_TOP "libra"
/* Where Slurm starts its slurmstepds, beside the groups of jobs. */
#define SLURMS_STEPDS "system"
#define FOLDER	      (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

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
	bool lifted;		      /* the caller's group, until it renews */
	char left[LIBRA_CGROUP_PATH]; /* group of a job that is over, or "" */
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
	int fd = openat(at, name, FOLDER);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 077) == 0)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static int make_private(int at, const char *name)
{
	if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
		return -1;
	return private_folder(at, name);
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
	node->top = make_private(AT_FDCWD, node->conf.state);
	if (node->top >= 0)
		node->state = make_private(node->top, node->conf.name);
	return node->state;
}

/* The node's folder as it is, or -1. */
static int look_state(const struct libra_node_conf *conf)
{
	int top = private_folder(AT_FDCWD, conf->state), state;

	if (top < 0)
		return -1;
	state = private_folder(top, conf->name);
	close(top);
	return state;
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

/* A child that was forked meanwhile has the descriptor too. */
static void unlock(struct libra_node *node)
{
	if (node->lock >= 0) {
		flock(node->lock, LOCK_UN);
		close(node->lock);
	}
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

/* Result: 0, or -1 with EINVAL (damaged), ENOTSUP (of a later version) or why
 * it cannot be read.
 */
static int read_text(int fd, struct libra_share_job *job)
{
	char text[RECORD_SIZE];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EPERM;
		return -1;
	}
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		return -1;
	text[n] = '\0';
	return libra_record_parse(text, job);
}

/* A record that says of itself to be another job's is not believed. */
static int read_record(int state, uint32_t id, struct libra_share_job *job)
{
	char name[32];
	int fd, rc, saved;

	snprintf(name, sizeof(name), "job_%u", id);
	fd = openat(state, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = read_text(fd, job);
	saved = rc < 0 ? errno : EINVAL;
	close(fd);
	errno = saved;
	return rc == 0 && job->id == id ? 0 : -1;
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

/* Keep what is known of a job, twice; where neither can be, its group is made
 * for that.
 */
static void keep(struct libra_node *node, const struct libra_share_job *job)
{
	char text[RECORD_SIZE], path[LIBRA_CGROUP_PATH];
	bool noted, written = false;
	int saved = ENOENT;

	if (libra_record_format(job, text, sizeof(text)) < 0)
		return;
	group_of(node, job, path);
	noted = libra_cgroup_set_note(&node->cg, path, text) == 0;
	if (node->state >= 0) {
		written = write_record(node->state, job, text) == 0;
		saved = errno;
	}
	if (!written && !noted && make_group(node, job, NULL) == 0)
		noted = libra_cgroup_set_note(&node->cg, path, text) == 0;
	if (!written && node->state >= 0)
		report(node, "job %u: cannot write its record in %s/%s: %s%s",
		       job->id, node->conf.state, node->conf.name,
		       strerror(saved), noted ? "; its cgroup keeps it" : "");
	if (!written && !noted)
		report(node,
		       "job %u: nothing can keep what it was promised: "
		       "it will run without a share",
		       job->id);
}

static void forget(struct libra_node *node, const struct libra_share_job *job)
{
	char name[32], path[LIBRA_CGROUP_PATH];

	libra_cgroup_drop_note(&node->cg, group_of(node, job, path));
	if (node->state < 0)
		return;
	snprintf(name, sizeof(name), "job_%u", job->id);
	unlinkat(node->state, name, 0);
	/* Of one that was killed while it wrote. */
	snprintf(name, sizeof(name), ".job_%u", job->id);
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

/* What is not damaged may be read another time, or by another version. */
static void read_records(struct libra_node *node)
{
	DIR *dir = node->state < 0 ? NULL : list(node->state);
	struct libra_share_job job;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		uint32_t id = id_of(d->d_name);

		if (id == 0)
			continue;
		if (read_record(node->state, id, &job) == 0)
			add(node, &job);
		else if (errno == EINVAL)
			unlinkat(node->state, d->d_name, 0);
		else if (errno != ENOENT)
			report(node, "job %u: its record in %s/%s is left: %s",
			       id, node->conf.state, node->conf.name,
			       errno == ENOTSUP ? "of a later version"
						: strerror(errno));
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

/* The folders of groups: ours, and where Slurm makes its jobs', as one slurmd
 * or several.  Result: how many.
 */
static int folders_of(const struct libra_cgroup *cg, const char *name,
		      char paths[3][LIBRA_CGROUP_PATH])
{
	snprintf(paths[0], LIBRA_CGROUP_PATH, OUR_TOP "/%s", name);
	snprintf(paths[1], LIBRA_CGROUP_PATH, "system.slice/slurmstepd.scope");
	snprintf(paths[2], LIBRA_CGROUP_PATH,
		 "system.slice/%s_slurmstepd.scope", name);
	return cg->version == 2 ? 3 : 1;
}

static void read_all(struct libra_node *node)
{
	char paths[3][LIBRA_CGROUP_PATH];
	int n = folders_of(&node->cg, node->conf.name, paths);

	read_records(node);
	for (int i = 0; i < n; i++)
		read_notes(node, paths[i]);
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

/* The caller must be able to give the lock back.  Who renews corrects this. */
static void lift_caller(struct libra_node *node)
{
	struct libra_share_job job;

	if (node->cg.version == 2 && node->conf.caller &&
	    libra_node_read(&node->conf, node->conf.caller, &job) == 0 &&
	    job.group[0])
		node->lifted =
			libra_cgroup_set_weight(&node->cg, job.group,
						node->cg.most, NULL) == 0;
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
	lift_caller(node);
	take_lock(node);
	if (told_to_stop(node)) {
		give_up(node);
		errno = ECANCELED;
		return NULL;
	}
	read_all(node);
	return node;
}

static void remove_folders(const struct libra_node *node)
{
	int fds[] = {node->cg.weights, node->cg.usage};

	for (int i = 0; i < 2; i++)
		if (unlinkat(fds[i], node->path, AT_REMOVEDIR) == 0)
			unlinkat(fds[i], OUR_TOP, AT_REMOVEDIR);
}

/* Where no job is, nothing is left.  Who waits for the lock sees that its file
 * is gone, and makes a new one.
 */
static void tidy(struct libra_node *node)
{
	remove_folders(node);
	if (node->lock < 0)
		return;
	unlinkat(node->state, "lock", 0);
	unlinkat(node->top, node->conf.name, AT_REMOVEDIR);
	rmdir(node->conf.state);
}

static void remove_left(struct libra_node *node)
{
	struct libra_error err = {0};

	/* Slurm's is Slurm's to remove, if slurmstepd is still about it. */
	if (node->left[0] &&
	    libra_cgroup_remove(&node->cg, node->left, &err) < 0 &&
	    strncmp(node->left, OUR_TOP "/", strlen(OUR_TOP "/")) == 0)
		report(node, "%s", err.text);
	node->left[0] = '\0';
}

void libra_node_close(struct libra_node *node)
{
	if (!node)
		return;
	if (node->njobs == 0)
		tidy(node);
	/* That may take a second, and nobody else has to do with it. */
	if (node->left[0]) {
		unlock(node);
		remove_left(node);
		if (node->njobs == 0)
			remove_folders(node);
	}
	give_up(node);
}

size_t libra_node_njobs(const struct libra_node *node)
{
	return node->njobs;
}

/* From its note: where its record could not be written. */
static int find_note(const struct libra_cgroup *cg, const char *name,
		     uint32_t job_id, struct libra_share_job *job)
{
	char paths[3][LIBRA_CGROUP_PATH], path[LIBRA_CGROUP_PATH + 32];
	char text[RECORD_SIZE];
	int n = folders_of(cg, name, paths);

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%.*s/job_%u", LIBRA_CGROUP_PATH,
			 paths[i], job_id);
		if (libra_cgroup_get_note(cg, path, text, sizeof(text)) >= 0 &&
		    libra_record_parse(text, job) == 0 && job->id == job_id)
			return 0;
	}
	return -1;
}

static bool can_look(const struct libra_node_conf *conf)
{
	return good_name(conf->name) && conf->state[0] == '/';
}

bool libra_node_knows(const struct libra_node_conf *conf, uint32_t job_id)
{
	char path[LIBRA_CGROUP_PATH];
	struct libra_share_job job;
	struct libra_cgroup cg;
	bool known = false;
	int state;

	if (!can_look(conf))
		return false;
	state = look_state(conf);
	if (state >= 0) {
		snprintf(path, sizeof(path), "job_%u", job_id);
		known = faccessat(state, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
		close(state);
	}
	if (known || libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return known;
	snprintf(path, sizeof(path), OUR_TOP "/%s/job_%u", conf->name, job_id);
	known = libra_cgroup_exists(&cg, path) ||
		find_note(&cg, conf->name, job_id, &job) == 0;
	libra_cgroup_close(&cg);
	return known;
}

int libra_node_read(const struct libra_node_conf *conf, uint32_t job_id,
		    struct libra_share_job *job)
{
	struct libra_cgroup cg;
	int state, rc = -1;

	errno = ENOENT;
	if (!can_look(conf))
		return -1;
	state = look_state(conf);
	if (state >= 0) {
		rc = read_record(state, job_id, job);
		close(state);
	}
	if (rc < 0 && libra_cgroup_open(&cg, conf->cgroup_top, NULL) == 0) {
		rc = find_note(&cg, conf->name, job_id, job);
		libra_cgroup_close(&cg);
	}
	if (rc < 0)
		errno = ENOENT;
	return rc;
}

bool libra_node_lift(const struct libra_node_conf *conf, uint32_t job_id,
		     const char *where, bool back)
{
	char path[LIBRA_CGROUP_PATH];
	struct libra_share_job job;
	struct libra_cgroup cg;
	bool done;

	if (libra_node_read(conf, job_id, &job) < 0 || job.ncpus > 0 ||
	    libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return false;
	done = libra_cgroup_of_job(&cg, where, job_id, path) &&
	       libra_cgroup_set_weight(&cg, path, back ? cg.usual : cg.most,
				       NULL) == 0;
	libra_cgroup_close(&cg);
	return done;
}

bool libra_node_step_aside(const struct libra_node_conf *conf, uint32_t job_id,
			   const char *where, pid_t pid)
{
	char path[LIBRA_CGROUP_PATH + sizeof(SLURMS_STEPDS)];
	struct libra_cgroup cg;
	bool done = false;
	char *name;

	if (!libra_node_knows(conf, job_id) ||
	    libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return false;
	if (libra_cgroup_of_job(&cg, where, job_id, path) &&
	    (name = strrchr(path, '/'))) {
		strcpy(name + 1, SLURMS_STEPDS);
		done = libra_cgroup_set_weight(&cg, path, cg.most, NULL) == 0 &&
		       libra_cgroup_enter(&cg, path, pid, NULL) == 0;
	}
	libra_cgroup_close(&cg);
	return done;
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

static int set_weight(const struct libra_node *node,
		      const struct libra_share_job *job, uint32_t weight,
		      struct libra_error *err)
{
	char path[LIBRA_CGROUP_PATH];

	group_of(node, job, path);
	/* Nobody has come yet, or Slurm's group is gone already. */
	if ((job->ncpus == 0 || job->group[0]) &&
	    !libra_cgroup_exists(&node->cg, path))
		return 0;
	return libra_cgroup_set_weight(&node->cg, path, weight, err);
}

/* One line for all that fails: the cause is mostly one. */
void libra_node_renew(struct libra_node *node, double now_s)
{
	struct libra_error err = {0};
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
	/* The caller's own last: it may be held from then on. */
	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < n; i++)
			if ((node->jobs[i].id == node->conf.caller) == last &&
			    set_weight(node, &node->jobs[i], weights[i], &err) <
				    0)
				failed++;
	node->lifted = false;
	if (failed)
		report(node,
		       "%zu of %zu weights not renewed: %s; tried again when a "
		       "job begins or ends here",
		       failed, n, err.text);
out:
	free(used);
	free(weights);
}

void libra_node_begin(struct libra_node *node,
		      const struct libra_share_job *job, double now_s)
{
	char path[LIBRA_CGROUP_PATH];
	struct libra_error err = {0};
	struct libra_share_job *known = find(node, job->id);

	/* A job that was requeued begins anew. */
	if (known) {
		/* What Slurm has made for it may be there again. */
		libra_cgroup_drop_note(&node->cg, group_of(node, known, path));
		known->group[0] = '\0';
		libra_node_end(node, job->id, now_s);
		remove_left(node);
	}
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
static void set_cpus(const struct libra_node *node, struct libra_share_job *job,
		     uint32_t ncpus, const char *cores)
{
	uint32_t n = libra_read_cores(cores, job->cores);
	uint64_t any = 0;

	for (int w = 0; w < LIBRA_CORE_WORDS; w++)
		any |= job->cores[w];
	if (job->turns && any == 0)
		report(node,
		       "job %u: its cores here (%.64s) are no list, or beyond "
		       "%d: its turn excludes no other job",
		       job->id, cores ? cores : "not told", LIBRA_CORES - 1);
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
	char path[LIBRA_CGROUP_PATH] = "", old[LIBRA_CGROUP_PATH];
	bool new;

	if (!job) {
		errno = ENOENT;
		return -1;
	}
	libra_cgroup_of_job(&node->cg, where, job_id, path);
	new = job->ncpus == 0 || node->lifted;
	if (strcmp(path, job->group) != 0) {
		libra_cgroup_drop_note(&node->cg, group_of(node, job, old));
		new = true;
	}
	if (job->ncpus == 0)
		set_cpus(node, job, ncpus, cores);
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

static void end_group(struct libra_node *node, const char *path)
{
	/* To end takes CPU time too. */
	if (libra_cgroup_exists(&node->cg, path))
		libra_cgroup_set_weight(&node->cg, path, node->cg.most, NULL);
	if (libra_cgroup_try_remove(&node->cg, path, NULL) == 0)
		return;
	remove_left(node);
	strcpy(node->left, path);
}

void libra_node_end(struct libra_node *node, uint32_t job_id, double now_s)
{
	struct libra_share_job *job = find(node, job_id), gone = {.id = job_id};
	char path[LIBRA_CGROUP_PATH];

	if (job)
		gone = *job;
	forget(node, &gone);
	if (job)
		*job = node->jobs[--node->njobs];
	libra_node_renew(node, now_s);
	/* Slurm's, where slurmstepd was killed and nobody else does it; and
	 * ours, also where Slurm's was used in the end.
	 */
	if (gone.group[0])
		end_group(node, gone.group);
	gone.group[0] = '\0';
	end_group(node, group_of(node, &gone, path));
}
