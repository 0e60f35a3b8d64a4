/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file.c - see state_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/base/ops.h"
#include "plugin/state/state_file.h"

/* Larger than any file of ours. */
#define MOST_BYTES ((off_t)64 << 20)

bool host_state_path(char path[HOST_STATE_PATH], const char *folder,
		     const char *name, const char *label)
{
	int n = 0;

	if (folder)
		n = snprintf(path, HOST_STATE_PATH, "%s/%s%s%s", folder, name,
			     label ? "." : "", label ? label : "");
	if (n <= 0 || n >= HOST_STATE_PATH) {
		*path = '\0';
		return false;
	}
	/* A slash in a partition's name is no directory. */
	for (char *at = path + strlen(folder) + 1; *at; at++)
		if (*at == '/')
			*at = '_';
	return true;
}

/* Result: 0 for a regular file of permitted size, or -1 with errno. */
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

char *host_state_file_read(const char *path, size_t *size)
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

void host_state_file_put_aside(const char *path,
			       const struct libra_host_ops *ops)
{
	char *bad;

	if (asprintf(&bad, "%s.bad", path) < 0)
		return;
	if (rename(path, bad) == 0)
		host_log(ops, LIBRA_HOST_ERROR, "%s is kept as %s", path, bad);
	free(bad);
}

int host_state_file_write(const char *path, const char *text, size_t size,
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
