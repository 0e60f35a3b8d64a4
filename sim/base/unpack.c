/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.c - unpack a small gzip file in one step.
 *
 * Files are read by pread(), so a caller can stream the descriptor from the
 * beginning if this does not work.  Any failure is a false: the streaming
 * reader then finds the reason and reports it.
 */
#include "sim/base/unpack.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/stream.h"

/* Larger ones are streamed: memory matters more than time there. */
#define MAX_TEXT (64u << 20)
#define MIN_FILE 18 /* bytes of an empty gzip file */

/* By its first bytes: plain text is not read for nothing. */
static bool is_zstd(int fd)
{
	char magic[4];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       stream_is_zstd(magic);
}

static bool is_gzip(int fd)
{
	unsigned char magic[2];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       magic[0] == 0x1f && magic[1] == 0x8b;
}

/* Result: the bytes of a file from its beginning, or 0 if it is to be streamed.
 */
static size_t file_size(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    st.st_size > MAX_TEXT || lseek(fd, 0, SEEK_CUR) != 0)
		return 0;
	return (size_t)st.st_size;
}

bool unpack_plain(int fd, size_t slack, char **text, size_t *n)
{
	*text = NULL;
	*n = file_size(fd);
	if (*n == 0 || is_gzip(fd) || is_zstd(fd))
		return false;
	*text = sim_large(*n + slack, 1);
	if (*text && pread(fd, *text, *n, 0) == (ssize_t)*n)
		return true;
	free(*text);
	*text = NULL;
	return false;
}

#ifdef HAVE_LIBDEFLATE

#include <libdeflate.h>

/* Size of the text by the last word of the file; wrong for files of several
 * members, which then fail to unpack.
 */
static size_t text_size(const unsigned char *file, size_t n)
{
	uint32_t size;

	memcpy(&size, file + n - sizeof(size), sizeof(size));
	return le32toh(size);
}

/* Unpack a file whose text has n bytes.  Result: false if that is not all of
 * it.
 */
static bool inflate_all(const unsigned char *file, size_t nfile, char *text,
			size_t n)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	size_t in = 0, out = 0;
	bool ok =
		d && libdeflate_gzip_decompress_ex(d, file, nfile, text, n, &in,
						   &out) == LIBDEFLATE_SUCCESS;

	if (d)
		libdeflate_free_decompressor(d);
	return ok && in == nfile && out == n;
}

bool unpack_gzip(int fd, size_t slack, char **text, size_t *n)
{
	size_t size = file_size(fd);
	unsigned char *file;
	bool ok = false;

	*text = NULL;
	if (size < MIN_FILE || !is_gzip(fd))
		return false;
	file = sim_large(size, 1);
	if (file && pread(fd, file, size, 0) == (ssize_t)size) {
		*n = text_size(file, size);
		if (*n > 0 && *n <= MAX_TEXT)
			*text = sim_large(*n + slack, 1);
		ok = *text && inflate_all(file, size, *text, *n);
	}
	free(file);
	if (!ok) {
		free(*text);
		*text = NULL;
	}
	return ok;
}

#else

bool unpack_gzip(int fd, size_t slack, char **text, size_t *n)
{
	(void)fd;
	(void)slack;
	*text = NULL;
	*n = 0;
	return false;
}

#endif
