/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - files that appear whole or not at all.
 *
 * A temporary name is ".NAME.PID-N.tmp" in the same folder, so that rename()
 * replaces the old file in one step.  A symbolic link is followed first.
 * Pipes, devices and standard output are written in place.
 */
#include "sim/output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/memory.h"

/* A pipe or a device is written in place: a rename would replace it. */
static bool is_special(const struct stat *st)
{
	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode);
}

/* Open a pipe or a device, which has no temporary name. */
static int open_in_place(struct out_file *f, struct libra_error *err)
{
	f->fp = fopen(f->path, "w");
	if (!f->fp)
		return libra_errf(err, errno, "cannot write %s: %s", f->path,
				  strerror(errno));
	return 0;
}

/* A new file beside path, with the rights that the umask gives. */
static int open_beside(struct out_file *f, struct libra_error *err)
{
	const char *slash = strrchr(f->path, '/');
	int dir = slash ? (int)(slash - f->path) + 1 : 0;
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < 100; i++) {
		free(f->tmp);
		if (asprintf(&f->tmp, "%.*s.%s.%ld-%u.tmp", dir, f->path,
			     f->path + dir, (long)getpid(), i) < 0) {
			f->tmp = NULL;
			return sim_no_memory(err);
		}
		fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		f->fp = fdopen(fd, "w");
	if (!f->fp) {
		libra_errf(err, errno, "cannot write %s: %s", f->path,
			   strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(f->tmp);
		}
		free(f->tmp);
		f->tmp = NULL;
		return -1;
	}
	return 0;
}

/* Follow a link, so that the rename replaces the file that it leads to. */
static char *real_target(const char *path)
{
	char *target = realpath(path, NULL);

	return target ? target : strdup(path);
}

int out_check(const char *path, struct libra_error *err)
{
	struct out_file f;
	struct stat st;

	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && is_special(&st)))
		return 0;
	if (out_open(&f, path, err) < 0)
		return -1;
	out_abort(&f);
	return 0;
}

int out_open(struct out_file *f, const char *path, struct libra_error *err)
{
	struct stat st;
	int rc;

	memset(f, 0, sizeof(*f));
	if (strcmp(path, "-") == 0) {
		f->fp = stdout;
		f->path = strdup("standard output");
		return f->path ? 0 : sim_no_memory(err);
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return libra_errf(err, EISDIR,
				  "cannot write %s: it is a folder", path);
	if (stat(path, &st) == 0 && is_special(&st)) {
		f->path = strdup(path);
		rc = f->path ? open_in_place(f, err) : sim_no_memory(err);
	} else {
		f->path = real_target(path);
		rc = f->path ? open_beside(f, err) : sim_no_memory(err);
	}
	if (rc < 0)
		out_abort(f);
	return rc;
}

/* On a full disk the flush fails again, and its errno is the reason.  The errno
 * of an earlier failed write is lost, as later calls may have changed it.
 */
int out_flush(FILE *fp)
{
	bool failed = ferror(fp) != 0;

	errno = 0;
	if (fflush(fp) == 0 && !failed)
		return 0;
	if (errno == 0)
		errno = EIO;
	return -1;
}

/* Flush and close; what was written is on disk, under its temporary name. */
static int file_close(struct out_file *f, struct libra_error *err)
{
	int code = out_flush(f->fp) < 0 ? errno : 0;

	if (code == 0 && f->tmp && fsync(fileno(f->fp)) != 0)
		code = errno;
	if (f->fp != stdout && fclose(f->fp) != 0 && code == 0)
		code = errno;
	f->fp = NULL;
	if (code != 0)
		return libra_errf(err, code, "cannot write %s: %s", f->path,
				  strerror(code));
	return 0;
}

/* Give a closed file its name. */
static int file_rename(struct out_file *f, struct libra_error *err)
{
	if (f->tmp && rename(f->tmp, f->path) < 0)
		return libra_errf(err, errno, "cannot write %s: %s", f->path,
				  strerror(errno));
	free(f->tmp);
	f->tmp = NULL;
	return 0;
}

int out_commit(struct out_file *f, struct libra_error *err)
{
	int rc = file_close(f, err);

	if (rc == 0)
		rc = file_rename(f, err);
	out_abort(f);
	return rc;
}

void out_abort(struct out_file *f)
{
	int saved = errno;

	if (f->fp && f->fp != stdout)
		fclose(f->fp);
	if (f->tmp)
		unlink(f->tmp);
	free(f->tmp);
	free(f->path);
	memset(f, 0, sizeof(*f));
	errno = saved;
}

/* Result: true, or false with errno. */
static bool is_folder(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

/* Make one folder; an existing one is no error.  Result: 0, or -1 with errno.
 */
static int make_folder(const char *path)
{
	if (mkdir(path, 0777) == 0 || (errno == EEXIST && is_folder(path)))
		return 0;
	return -1;
}

/* Make the folder and all above it; path is cut on the way, and restored. */
static int make_folders(char *path, struct libra_error *err)
{
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (make_folder(path) < 0) {
			libra_errf(err, errno, "cannot make the folder %s: %s",
				   path, strerror(errno));
			*p = c;
			return -1;
		}
		*p = c;
		if (c == '\0')
			return 0;
	}
}

int out_make_folder(const char *dir, struct libra_error *err)
{
	char *path = strdup(dir);
	int rc = path ? make_folders(path, err) : sim_no_memory(err);

	free(path);
	return rc;
}

/* Cut the last name off a path.  Result: false if there was only one. */
static bool cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return false;
	slash[slash == path] = '\0'; /* the root stays */
	return true;
}

int out_check_folder(const char *dir, struct libra_error *err)
{
	char *path;
	int rc = 0;

	if (dir[0] == '\0')
		return libra_errf(err, EINVAL,
				  "the name of the folder is empty");
	path = strdup(dir);
	if (!path)
		return sim_no_memory(err);
	/* The nearest folder that exists must take what is missing. */
	while (access(path, F_OK) < 0 && errno == ENOENT)
		if (!cut_name(path))
			strcpy(path, ".");
	if (access(path, W_OK | X_OK) < 0)
		rc = libra_errf(err, errno, "cannot write into %s: %s", path,
				strerror(errno));
	else if (!is_folder(path))
		rc = libra_errf(err, errno, "cannot make the folder %s: %s",
				path, strerror(errno));
	free(path);
	return rc;
}

int out_set_init(struct out_set *set, const char *dir, struct libra_error *err)
{
	memset(set, 0, sizeof(*set));
	if (dir[0] == '\0')
		return libra_errf(err, EINVAL,
				  "the name of the folder is empty");
	set->dir = strdup(dir);
	if (!set->dir)
		return sim_no_memory(err);
	if (make_folders(set->dir, err) < 0) {
		out_set_abort(set);
		return -1;
	}
	return 0;
}

/* Make room for one more file in the set. */
static int set_grow(struct out_set *set, struct libra_error *err)
{
	struct out_file *files =
		sim_grown(set->files, &set->cap, set->n + 1, sizeof(*files));

	if (!files)
		return sim_no_memory(err);
	set->files = files;
	return 0;
}

FILE *out_set_open(struct out_set *set, const char *name,
		   struct libra_error *err)
{
	char *path;

	if (set_grow(set, err) < 0)
		return NULL;
	if (asprintf(&path, "%s/%s", set->dir, name) < 0) {
		sim_no_memory(err);
		return NULL;
	}
	if (out_open(&set->files[set->n], path, err) < 0) {
		free(path);
		return NULL;
	}
	free(path);
	return set->files[set->n++].fp;
}

int out_set_commit(struct out_set *set, struct libra_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < set->n; i++)
		rc = file_close(&set->files[i], err);
	for (size_t i = 0; rc == 0 && i < set->n; i++)
		rc = file_rename(&set->files[i], err);
	out_set_abort(set);
	return rc;
}

void out_set_abort(struct out_set *set)
{
	int saved = errno;

	for (size_t i = 0; i < set->n; i++)
		out_abort(&set->files[i]);
	free(set->files);
	free(set->dir);
	memset(set, 0, sizeof(*set));
	errno = saved;
}
