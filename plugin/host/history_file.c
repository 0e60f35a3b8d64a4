/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_file.c - see history_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/host/history_file.h"
#include "plugin/host/ops.h"

/* What slurmctld loses if it is killed. */
#define SAVE_AFTER_S 60.0

/* No history of ours is so long. */
#define MOST_BYTES ((off_t)64 << 20)

/* Result: 0 for a file that can be read, or -1 with errno. */
static int check_file(int fd, struct stat *st)
{
	if (fstat(fd, st) < 0)
		return -1;
	if (S_ISREG(st->st_mode) && st->st_size <= MOST_BYTES)
		return 0;
	errno = S_ISREG(st->st_mode) ? EFBIG : EINVAL;
	return -1;
}

/* Result: the text, for the caller to free, or NULL with errno. */
static char *read_open(int fd, size_t *size)
{
	struct stat st;
	char *text = NULL;
	ssize_t n = 1;

	if (check_file(fd, &st) == 0)
		text = malloc((size_t)st.st_size + 1);
	*size = 0;
	while (text && n > 0 && *size < (size_t)st.st_size) {
		n = read(fd, text + *size, (size_t)st.st_size - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	if (n < 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static char *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text;
	int saved;

	if (fd < 0)
		return NULL;
	text = read_open(fd, size);
	saved = errno;
	close(fd);
	errno = saved;
	return text;
}

/* The next save would write over what somebody may mend. */
static void put_aside(const struct host_history *history)
{
	char *bad;

	if (asprintf(&bad, "%s.bad", history->path) < 0)
		return;
	if (rename(history->path, bad) == 0)
		host_say(history->ops, LIBRA_HOST_ERROR, "%s is kept as %s",
			 history->path, bad);
	free(bad);
}

static void load(struct host_history *history)
{
	struct libra_error err = {0};
	size_t size = 0;
	char *text = read_file(history->path, &size);
	bool good;

	if (!text && errno == ENOENT)
		return;
	if (!text)
		libra_errf(&err, errno, "cannot be read: %s", strerror(errno));
	good = text &&
	       libra_history_load(history->history, text, size, &err) == 0;
	free(text);
	if (good)
		return;
	host_say(history->ops, LIBRA_HOST_ERROR,
		 "%s: %s: estimates are corrected from an empty history",
		 history->path, err.text);
	put_aside(history);
}

/* A file is either the old or the new one, whatever happens to slurmctld; and
 * to the machine, if it is safe.
 */
static int write_file(const char *path, const char *text, size_t size,
		      bool safe)
{
	char *beside;
	int fd = -1, rc = -1, saved;

	if (asprintf(&beside, "%s.new", path) < 0) {
		errno = ENOMEM;
		return -1;
	}
	unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		errno = ENOSPC;
		rc = write(fd, text, size) == (ssize_t)size ? 0 : -1;
		if (rc == 0 && safe)
			rc = fdatasync(fd);
		if (close(fd) < 0)
			rc = -1;
		if (rc == 0)
			rc = rename(beside, path);
		saved = errno;
		if (rc < 0)
			unlink(beside);
		errno = saved;
	}
	free(beside);
	return rc;
}

static void save(struct host_history *history, bool safe)
{
	size_t size = libra_history_save(history->history, NULL, 0);
	char *text = malloc(size + 1);
	int rc = -1;

	if (text) {
		libra_history_save(history->history, text, size + 1);
		rc = write_file(history->path, text, size, safe);
	}
	/* Said once: a full disk is full for long. */
	if (rc < 0 && !history->failing)
		host_say(history->ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: the history of users' "
			 "estimates may be lost",
			 history->path, strerror(errno));
	history->failing = rc < 0;
	history->changed = rc < 0;
	free(text);
}

/* A disk may take long to say that all is there: slurmctld waits for it only
 * when it ends or is configured anew.
 */
void host_history_save(struct host_history *history, double now_s)
{
	if (!history->history || !history->changed ||
	    fabs(now_s - history->saved_s) < SAVE_AFTER_S)
		return;
	save(history, false);
	history->saved_s = now_s;
}

void host_history_end(struct host_history *history)
{
	if (history->history && history->changed) {
		save(history, true);
		history->saved_s = 0;
	}
	libra_history_destroy(history->history);
	free(history->path);
	history->history = NULL;
	history->path = NULL;
	history->changed = false;
}

void host_history_begin(struct host_history *history, const char *folder,
			double quantile)
{
	struct libra_history_conf conf;
	struct libra_error err = {0};

	host_history_end(history);
	if (quantile == 0 || !folder)
		return;
	if (asprintf(&history->path, "%s/libra_history", folder) < 0) {
		history->path = NULL;
		return;
	}
	conf = libra_history_usual(quantile);
	history->history = libra_history_create(&conf, &err);
	if (history->history)
		load(history);
	else
		host_say(history->ops, LIBRA_HOST_ERROR, "libra_correct: %s",
			 err.text);
}
