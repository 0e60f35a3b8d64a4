/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_files.c - see node_files.h.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/node_files.h"

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* The lock is tried so often: 5 s in all. */
#define LOCK_TRIES   2500
#define LOCK_WAIT_NS 2000000

/* --- the state folder ----------------------------------------------------- */

/* Can the name be a file's, and a word of a path? */
static bool good_name(const char *name)
{
	if (!name || !isalnum((unsigned char)name[0]) || strlen(name) > 128)
		return false;
	for (const char *s = name; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._-", *s))
			return false;
	return true;
}

bool spank_files_valid(const char *state, const char *name)
{
	return good_name(name) && state[0] == '/';
}

/* Open a folder that nobody but us can enter. */
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

static void close_folders(struct spank_files *files)
{
	if (files->folder >= 0)
		close(files->folder);
	if (files->top >= 0)
		close(files->top);
	files->folder = files->top = -1;
}

static int open_folders(struct spank_files *files)
{
	files->top = make_private(AT_FDCWD, files->state);
	if (files->top >= 0)
		files->folder = make_private(files->top, files->name);
	return files->folder;
}

int spank_files_look(const char *state, const char *name)
{
	int top = private_folder(AT_FDCWD, state), folder;

	if (top < 0)
		return -1;
	folder = private_folder(top, name);
	close(top);
	return folder;
}

void spank_files_close(struct spank_files *files)
{
	spank_files_unlock(files);
	close_folders(files);
}

/* --- the lock ------------------------------------------------------------- */

/* Who held the lock may have removed its file and folder while we waited. */
static int lock_file(const struct spank_files *files, const atomic_bool *stop)
{
	const struct timespec wait = {0, LOCK_WAIT_NS};
	struct stat st;
	int fd = openat(files->folder, "lock",
			O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	for (int i = 0; i < LOCK_TRIES && !(stop && *stop); i++) {
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

int spank_files_lock(struct spank_files *files, const atomic_bool *stop)
{
	for (int i = 0; i < 3 && files->lock < 0; i++) {
		close_folders(files);
		if (open_folders(files) >= 0)
			files->lock = lock_file(files, stop);
		if (files->lock < 0 && errno != ESTALE && errno != ENOENT)
			break;
	}
	return files->lock < 0 ? -1 : 0;
}

/* A child that was forked meanwhile has the descriptor too. */
void spank_files_unlock(struct spank_files *files)
{
	if (files->lock >= 0) {
		flock(files->lock, LOCK_UN);
		close(files->lock);
	}
	files->lock = -1;
}

/* Who waits for the lock sees that its file is gone, and makes a new one. */
void spank_files_remove(struct spank_files *files)
{
	if (files->lock < 0)
		return;
	unlinkat(files->folder, "lock", 0);
	unlinkat(files->top, files->name, AT_REMOVEDIR);
	rmdir(files->state);
}

/* --- one record ----------------------------------------------------------- */

uint32_t spank_files_job(const char *file)
{
	char name[32];
	unsigned id;

	if (sscanf(file, "job_%10u", &id) != 1)
		return 0;
	snprintf(name, sizeof(name), "job_%u", id);
	return strcmp(name, file) == 0 ? id : 0;
}

int spank_files_write(int folder, uint32_t job_id, const char *text)
{
	char name[32], part[32];
	size_t len = strlen(text);
	int fd, saved;
	ssize_t n;

	snprintf(name, sizeof(name), "job_%u", job_id);
	snprintf(part, sizeof(part), ".job_%u", job_id);
	unlinkat(folder, part, 0);
	fd = openat(folder, part,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	n = write(fd, text, len);
	saved = n < 0 ? errno : ENOSPC;
	if (close(fd) == 0 && n == (ssize_t)len &&
	    renameat(folder, part, folder, name) == 0)
		return 0;
	unlinkat(folder, part, 0);
	errno = saved;
	return -1;
}

/* Result: 0, or -1 with EINVAL (damaged), ENOTSUP (of a later version) or why
 * it cannot be read.
 */
static int read_text(int fd, struct spank_job *job)
{
	char text[SPANK_RECORD_SIZE];
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
	return spank_record_parse(text, job);
}

/* A record that names another job than its file does is damaged. */
int spank_files_read(int folder, uint32_t id, struct spank_job *job)
{
	char name[32];
	int fd, rc, saved;

	snprintf(name, sizeof(name), "job_%u", id);
	fd = openat(folder, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = read_text(fd, job);
	saved = rc < 0 ? errno : EINVAL;
	close(fd);
	errno = saved;
	return rc == 0 && job->id == id ? 0 : -1;
}

void spank_files_drop(int folder, uint32_t job_id)
{
	char name[32];

	snprintf(name, sizeof(name), "job_%u", job_id);
	unlinkat(folder, name, 0);
	/* Left by a process that was killed while it wrote. */
	snprintf(name, sizeof(name), ".job_%u", job_id);
	unlinkat(folder, name, 0);
}
