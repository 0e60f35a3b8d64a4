/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_remove.c - end the processes of a group, and remove it: see cgroup.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/cgroup_impl.h"

/* Levels below a job: step, user, task. */
enum { DEEPEST = 4 };

/* A group that still has processes is tried again so often. */
#define REMOVE_TRIES   500
#define REMOVE_TRIAL   10
#define REMOVE_WAIT_NS 2000000

/* Result: how many processes there were to end. */
static int end_processes(int group)
{
	int fd = openat(group, "cgroup.procs", O_RDONLY | O_CLOEXEC), n = 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	int pid;

	if (!file)
		return 0;
	for (; fscanf(file, "%d", &pid) == 1; n++)
		if (pid > 1 && pid != getpid())
			kill(pid, SIGKILL);
	fclose(file);
	return n;
}

/* End the steps and tasks below a group that Slurm made.  slurmstepd itself is
 * in groups called "slurm": nothing is ended there.
 */
static void end_below(int group, int depth)
{
	int fd = depth > 0 ? openat(group, ".", LIBRA_CGROUP_FOLDER) : -1,
	    below;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (d = readdir(dir))) {
		if (d->d_name[0] == '.' ||
		    (below = openat(group, d->d_name, LIBRA_CGROUP_FOLDER)) < 0)
			continue;
		if (strcmp(d->d_name, "slurm") != 0)
			end_processes(below);
		end_below(below, depth - 1);
		close(below);
		unlinkat(group, d->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
}

static int remove_in(int top, const char *path, int tries)
{
	const struct timespec wait = {0, REMOVE_WAIT_NS};
	char above[LIBRA_CGROUP_PATH];
	const char *name = strrchr(path, '/');
	int parent, group, rc = -1;

	name = name ? name + 1 : path;
	snprintf(above, sizeof(above), "%.*s", (int)(name - path), path);
	parent = libra_cgroup_walk(top, above, false);
	if (parent < 0)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < tries && rc < 0; i++) {
		rc = unlinkat(parent, name, AT_REMOVEDIR);
		if (rc < 0 && errno == ENOENT)
			rc = 0;
		if (rc == 0 || errno != EBUSY)
			break;
		group = openat(parent, name, LIBRA_CGROUP_FOLDER);
		if (group >= 0) {
			end_processes(group);
			end_below(group, DEEPEST);
			close(group);
		}
		nanosleep(&wait, NULL);
		errno = EBUSY;
	}
	close(parent);
	return rc;
}

static int remove_all(const struct libra_cgroup *cg, const char *path,
		      int tries, struct libra_error *err)
{
	int rc = remove_in(cg->weights, path, tries), saved = errno;

	if (cg->usage != cg->weights && remove_in(cg->usage, path, tries) < 0) {
		rc = -1;
		saved = errno;
	}
	if (rc < 0)
		return libra_errf(err, saved, "cannot remove cgroup %s: %s",
				  path, strerror(saved));
	return 0;
}

int libra_cgroup_remove(const struct libra_cgroup *cg, const char *path,
			struct libra_error *err)
{
	return remove_all(cg, path, REMOVE_TRIES, err);
}

int libra_cgroup_try_remove(const struct libra_cgroup *cg, const char *path,
			    struct libra_error *err)
{
	return remove_all(cg, path, REMOVE_TRIAL, err);
}
