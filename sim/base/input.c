/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.c - files, pipes, gzip and zstd as a buffer that is filled again.
 *
 * input_more() moves the text that has not been taken to the front of the
 * buffer and reads a chunk behind it.  The buffer doubles only while a single
 * line or JSON object is longer than the buffer.  A gzip file that unpack.h can
 * unpack is in the buffer from the beginning, and nothing is read later.
 */
#include "sim/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/unpack.h"

enum { CHUNK = 256 * 1024, SLACK = 16 };

const char *input_name(const char *path)
{
	if (strcmp(path, "-") == 0)
		return "standard input";
	return *path ? path : "(no name)";
}

int input_descriptor(const char *path, struct libra_error *err)
{
	const char *name = input_name(path);
	struct stat st;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
				   : dup(STDIN_FILENO);

	if (fd < 0)
		return libra_errf(err, errno, "%s: cannot open: %s", name,
				  strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return libra_errf(err, EISDIR, "%s: is a folder, not a log",
				  name);
	}
	return fd;
}

static int no_memory(const struct input *in)
{
	return libra_errf(in->err, ENOMEM, "%s: out of memory", in->name);
}

int input_open(struct input *in, const char *path, struct libra_error *err)
{
	size_t n;
	int fd;

	*in = (struct input){
		.name = input_name(path),
		.err = err,
	};
	fd = input_descriptor(path, err);
	if (fd < 0)
		return -1;
	if (unpack_gzip(fd, SLACK, &in->buf, &n)) {
		close(fd);
		in->pos = in->buf;
		in->end = in->buf + n;
		in->whole = true;
		return 0;
	}
	in->size = 2 * CHUNK;
	in->buf = malloc(in->size + SLACK);
	if (stream_open(&in->stream, fd, CHUNK / 2) < 0 || !in->buf) {
		input_close(in);
		return no_memory(in);
	}
	in->pos = in->end = in->buf;
	return 0;
}

void input_close(struct input *in)
{
	stream_close(&in->stream);
	free(in->buf);
	in->buf = in->pos = in->end = NULL;
}

/* Room for another chunk behind what has not been taken. */
static int make_room(struct input *in)
{
	size_t left = (size_t)(in->end - in->pos);
	char *buf;

	if (left > INPUT_PIECE_MAX)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: a line or a job of more than %d "
				  "bytes: this is no log of jobs",
				  in->name, in->line + 1, INPUT_PIECE_MAX);
	memmove(in->buf, in->pos, left);
	if (left + CHUNK > in->size) {
		buf = realloc(in->buf, 2 * in->size + SLACK);
		if (!buf)
			return no_memory(in);
		in->buf = buf;
		in->size *= 2;
	}
	in->pos = in->buf;
	in->end = in->buf + left;
	return 0;
}

int input_more(struct input *in)
{
	size_t n;

	if (in->whole || in->at_end)
		return 0;
	if (make_room(in) < 0)
		return -1;
	n = stream_read(&in->stream, in->end, CHUNK);
	if (in->stream.error == STREAM_MEMORY)
		return no_memory(in);
	if (in->stream.error == STREAM_NO_ZSTD)
		return libra_errf(in->err, EIO, "%s: %s", in->name,
				  stream_error_text(&in->stream));
	if (in->stream.error != STREAM_OK)
		return libra_errf(in->err, EIO, "%s:%zu: cannot read on: %s",
				  in->name, in->line + 1,
				  in->stream.error == STREAM_SYSTEM
					  ? strerror(errno)
					  : stream_error_text(&in->stream));
	in->at_end = n == 0;
	in->end += n;
	return n > 0;
}

int input_line(struct input *in, char **line, size_t *n)
{
	size_t seen = 0;
	char *newline;
	int more;

	while (!(newline = memchr(in->pos + seen, '\n',
				  (size_t)(in->end - in->pos) - seen))) {
		seen = (size_t)(in->end - in->pos);
		more = input_more(in);
		if (more < 0)
			return -1;
		if (more == 0)
			break;
	}
	if (!newline && in->pos == in->end)
		return 0;
	in->line++;
	*line = in->pos;
	*n = (size_t)((newline ? newline : in->end) - in->pos);
	in->pos += *n + (newline != NULL);
	(*line)[*n] = '\0';
	if (*n > 0 && (*line)[*n - 1] == '\r')
		(*line)[--*n] = '\0';
	return 1;
}
