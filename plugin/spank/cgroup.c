/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.c - see cgroup.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "plugin/spank/cgroup_impl.h"

#define FOLDER LIBRA_CGROUP_FOLDER
#define NOTE   "trusted.libra"

/* --- files ---------------------------------------------------------------- */

int libra_cgroup_walk(int top, const char *path, bool make)
{
	char name[NAME_MAX + 1];
	int at = openat(top, ".", FOLDER), next;

	while (at >= 0 && *path) {
		size_t len = strcspn(path, "/");

		if (len == 0) {
			path++;
			continue;
		}
		if (len > NAME_MAX || (len == 1 && path[0] == '.') ||
		    (len == 2 && strncmp(path, "..", 2) == 0)) {
			close(at);
			errno = EINVAL;
			return -1;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		path += len;
		if (make && mkdirat(at, name, 0755) < 0 && errno != EEXIST)
			next = -1;
		else
			next = openat(at, name, FOLDER);
		close(at);
		at = next;
	}
	return at;
}

static int write_file(int folder, const char *name, const char *text)
{
	size_t len = strlen(text);
	int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, len);
	if (n >= 0 && (size_t)n != len)
		errno = EIO;
	close(fd);
	return n == (ssize_t)len ? 0 : -1;
}

/* Result: the length, or -1; the text is cut where the buffer ends. */
static ssize_t read_file(int folder, const char *name, char *text, size_t size)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

static bool has(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* --- what a node has ------------------------------------------------------ */

/* The top of a hierarchy may be a symbolic link: a controller's name that
 * stands for a mount with several.  It is in a folder of root's.
 */
static int open_top(const char *top, const char *below)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", top, below);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool open_v1(struct libra_cgroup *cg, const char *top)
{
	int weights = open_top(top, "cpu"), usage = open_top(top, "cpuacct");

	if (weights < 0 || usage < 0 || !has(weights, "cpu.shares") ||
	    !has(usage, "cpuacct.usage")) {
		if (weights >= 0)
			close(weights);
		if (usage >= 0)
			close(usage);
		return false;
	}
	*cg = (struct libra_cgroup){
		.version = 1,
		.weights = weights,
		.usage = usage,
		.least = 2,
		.most = 1024,
		.greatest = 262144,
		.usual = 1024,
		.control = "cpu.shares",
	};
	return true;
}

static bool lists(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = words; (s = strstr(s, word)); s += len)
		if ((s == words || s[-1] == ' ') &&
		    (s[len] == ' ' || s[len] == '\n' || s[len] == '\0'))
			return true;
	return false;
}

static bool open_v2(struct libra_cgroup *cg, const char *top, const char *below)
{
	char words[256];
	int fd = open_top(top, below);

	if (fd < 0)
		return false;
	if (read_file(fd, "cgroup.controllers", words, sizeof(words)) < 0 ||
	    !lists(words, "cpu")) {
		close(fd);
		return false;
	}
	*cg = (struct libra_cgroup){
		.version = 2,
		.weights = fd,
		.usage = fd,
		.least = 1,
		.most = 1000,
		.greatest = 10000,
		.usual = 100,
		.control = "cpu.weight",
	};
	return true;
}

int libra_cgroup_open(struct libra_cgroup *cg, const char *top,
		      struct libra_error *err)
{
	if (open_v1(cg, top) || open_v2(cg, top, ".") ||
	    open_v2(cg, top, "unified"))
		return 0;
	*cg = (struct libra_cgroup){.weights = -1, .usage = -1};
	return libra_errf(err, ENOTSUP,
			  "%s: no cgroup controller cpu, neither version 1 "
			  "(cpu, cpuacct) nor 2: shares are not enforced here",
			  top);
}

void libra_cgroup_close(struct libra_cgroup *cg)
{
	if (cg->usage >= 0 && cg->usage != cg->weights)
		close(cg->usage);
	if (cg->weights >= 0)
		close(cg->weights);
	*cg = (struct libra_cgroup){.weights = -1, .usage = -1};
}

/* --- groups --------------------------------------------------------------- */

/* Version 2 gives a group its controllers from above, folder by folder. */
static void delegate(const struct libra_cgroup *cg, const char *path)
{
	char above[LIBRA_CGROUP_PATH], words[256];
	size_t len = 0;

	for (;;) {
		int fd;

		memcpy(above, path, len);
		above[len] = '\0';
		fd = libra_cgroup_walk(cg->weights, above, true);
		if (fd < 0)
			return;
		if (read_file(fd, "cgroup.subtree_control", words,
			      sizeof(words)) >= 0 &&
		    !lists(words, "cpu"))
			write_file(fd, "cgroup.subtree_control", "+cpu");
		close(fd);
		len += strspn(path + len, "/");
		len += strcspn(path + len, "/");
		if (path[len] == '\0')
			return;
	}
}

int libra_cgroup_make(const struct libra_cgroup *cg, const char *path,
		      struct libra_error *err)
{
	int tops[] = {cg->weights, cg->usage}, fd;

	if (strlen(path) >= LIBRA_CGROUP_PATH)
		return libra_errf(err, ENAMETOOLONG, "cgroup %s: too long",
				  path);
	if (cg->version == 2)
		delegate(cg, path);
	for (int i = 0; i < (cg->usage == cg->weights ? 1 : 2); i++) {
		/* Another node of this host may remove a group above. */
		for (int k = 0; k < 5; k++) {
			fd = libra_cgroup_walk(tops[i], path, true);
			if (fd >= 0 || errno != ENOENT)
				break;
		}
		if (fd < 0)
			return libra_errf(err, errno,
					  "cannot make cgroup %s: %s", path,
					  strerror(errno));
		close(fd);
	}
	return 0;
}

int libra_cgroup_folder(const struct libra_cgroup *cg, const char *path)
{
	return libra_cgroup_walk(cg->weights, path, false);
}

bool libra_cgroup_exists(const struct libra_cgroup *cg, const char *path)
{
	int fd = libra_cgroup_folder(cg, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int libra_cgroup_set_weight(const struct libra_cgroup *cg, const char *path,
			    uint32_t weight, struct libra_error *err)
{
	char text[16];
	int fd = libra_cgroup_folder(cg, path), rc, saved;

	snprintf(text, sizeof(text), "%u\n", weight);
	rc = fd < 0 ? -1 : write_file(fd, cg->control, text);
	saved = errno;
	if (fd >= 0)
		close(fd);
	if (rc < 0)
		return libra_errf(err, saved, "cannot set %s of cgroup %s: %s",
				  cg->control, path, strerror(saved));
	return 0;
}

double libra_cgroup_used_s(const struct libra_cgroup *cg, const char *path)
{
	static const char name[] = "usage_usec ";
	char text[1024] = "";
	const char *value = text;
	double unit_s = 1e-9;
	int fd = libra_cgroup_walk(cg->usage, path, false);

	if (fd < 0)
		return 0;
	if (cg->version == 1) {
		read_file(fd, "cpuacct.usage", text, sizeof(text));
	} else {
		read_file(fd, "cpu.stat", text, sizeof(text));
		value = strstr(text, name);
		value = value ? value + strlen(name) : "";
		unit_s = 1e-6;
	}
	close(fd);
	return strtod(value, NULL) * unit_s;
}

int libra_cgroup_enter(const struct libra_cgroup *cg, const char *path,
		       pid_t pid, struct libra_error *err)
{
	/* A thread that moves itself alone need not stop all others of the
	 * host, which takes the kernel some 5 ms.
	 */
	const char *file =
		cg->version == 1 && pid == 0 ? "tasks" : "cgroup.procs";
	int tops[] = {cg->weights, cg->usage}, saved;
	char text[16];

	snprintf(text, sizeof(text), "%ld", (long)pid);
	for (int i = 0; i < (cg->usage == cg->weights ? 1 : 2); i++) {
		int fd = libra_cgroup_walk(tops[i], path, false);
		int rc = fd < 0 ? -1 : write_file(fd, file, text);

		saved = errno;
		if (fd >= 0)
			close(fd);
		if (rc < 0)
			return libra_errf(err, saved,
					  "cannot enter cgroup %s: %s", path,
					  strerror(saved));
	}
	return 0;
}

/* --- notes ---------------------------------------------------------------- */

int libra_cgroup_set_note(const struct libra_cgroup *cg, const char *path,
			  const char *text)
{
	int fd = libra_cgroup_folder(cg, path), rc;

	if (fd < 0)
		return -1;
	rc = fsetxattr(fd, NOTE, text, strlen(text), 0);
	close(fd);
	return rc;
}

ssize_t libra_cgroup_get_note(const struct libra_cgroup *cg, const char *path,
			      char *text, size_t size)
{
	int fd = libra_cgroup_folder(cg, path);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = fgetxattr(fd, NOTE, text, size - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

void libra_cgroup_drop_note(const struct libra_cgroup *cg, const char *path)
{
	int fd = libra_cgroup_folder(cg, path);

	if (fd < 0)
		return;
	fremovexattr(fd, NOTE);
	close(fd);
}

/* --- Slurm's own ---------------------------------------------------------- */

bool libra_cgroup_of_job(const struct libra_cgroup *cg, const char *text,
			 uint32_t job_id, char path[LIBRA_CGROUP_PATH])
{
	const char *line = text, *end, *found;
	char name[32];
	size_t len;

	if (cg->version != 2)
		return false;
	while (strncmp(line, "0::/", 4) != 0) {
		line = strchr(line, '\n');
		if (!line++)
			return false;
	}
	line += 4;
	end = strchrnul(line, '\n');
	len = (size_t)snprintf(name, sizeof(name), "/job_%u/", job_id);
	found = memmem(line, (size_t)(end - line), name, len);
	if (!found || found + len - 1 - line >= LIBRA_CGROUP_PATH)
		return false;
	snprintf(path, LIBRA_CGROUP_PATH, "%.*s", (int)(found + len - 1 - line),
		 line);
	return true;
}
