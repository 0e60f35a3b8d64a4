/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.c - zlib's files, with zstd behind them.
 *
 * zlib reads plain and gzip files through one interface.  If the first four
 * bytes are those of zstd, the bytes that zlib returns go through a zstd
 * context, which the stream owns.
 */
#include "sim/base/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool stream_is_zstd(const char first[4])
{
	/* A frame, or one to be skipped, which parallel packers begin with. */
	return memcmp(first, "\x28\xb5\x2f\xfd", 4) == 0 ||
	       (memcmp(first + 1, "\x2a\x4d\x18", 3) == 0 &&
		(first[0] & 0xf0) == 0x50);
}

int stream_open(struct stream *s, int fd, unsigned buffer)
{
	*s = (struct stream){.gz = gzdopen(fd, "rb")};
	if (!s->gz)
		close(fd);
	if (s->gz && gzbuffer(s->gz, buffer) == 0)
		return 0;
	stream_close(s);
	errno = ENOMEM;
	return -1;
}

/* Read bytes of the file, unpacked if it is gzip. */
static size_t read_file(struct stream *s, char *buf, size_t n)
{
	int got = gzread(s->gz, buf, (unsigned)n), code;

	gzerror(s->gz, &code);
	if (code == Z_ERRNO)
		s->error = STREAM_SYSTEM;
	else if (code == Z_MEM_ERROR)
		s->error = STREAM_MEMORY;
	else if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
		s->error = STREAM_DAMAGED;
	return got > 0 ? (size_t)got : 0;
}

#ifdef HAVE_LIBZSTD

#include <zstd.h>
#include <zstd_errors.h>

enum { PIECE = 128 * 1024, LARGEST_WINDOW = 31 };

/* The context of a zstd file, and a piece of it that zlib's reader has
 * returned.
 */
struct stream_zstd {
	ZSTD_DCtx *context;
	ZSTD_inBuffer in;
	size_t left; /* 0 = a frame is complete */
	char piece[PIECE];
};

/* Begin with the first bytes, which have been read. */
static void begin_zstd(struct stream *s)
{
	s->zstd = calloc(1, sizeof(*s->zstd));
	if (s->zstd)
		s->zstd->context = ZSTD_createDCtx();
	if (!s->zstd || !s->zstd->context) {
		s->error = STREAM_MEMORY;
		return;
	}
	/* As zstd --long=31 packs. */
	ZSTD_DCtx_setParameter(s->zstd->context, ZSTD_d_windowLogMax,
			       LARGEST_WINDOW);
	memcpy(s->zstd->piece, s->first, s->nfirst);
	s->zstd->in = (ZSTD_inBuffer){s->zstd->piece, s->nfirst, 0};
	s->zstd->left = 1;
}

static void end_zstd(struct stream *s)
{
	if (s->zstd)
		ZSTD_freeDCtx(s->zstd->context);
	free(s->zstd);
}

static size_t read_zstd(struct stream *s, char *buf, size_t n)
{
	ZSTD_outBuffer out = {buf, n, 0};
	struct stream_zstd *z = s->zstd;

	while (out.pos < n && s->error == STREAM_OK) {
		size_t before = out.pos;

		if (z->in.pos == z->in.size) {
			size_t got = read_file(s, z->piece, PIECE);

			z->in = (ZSTD_inBuffer){z->piece, got, 0};
		}
		/* At the end of the file, what the context still holds. */
		if (z->in.size == 0 && z->left == 0)
			break;
		z->left = ZSTD_decompressStream(z->context, &out, &z->in);
		if (ZSTD_getErrorCode(z->left) == ZSTD_error_memory_allocation)
			s->error = STREAM_MEMORY;
		else if (ZSTD_isError(z->left) ||
			 (z->in.size == 0 && out.pos == before))
			s->error = STREAM_DAMAGED;
	}
	return out.pos;
}

#else

static void begin_zstd(struct stream *s)
{
	s->error = STREAM_NO_ZSTD;
}

static void end_zstd(struct stream *s)
{
	(void)s;
}

static size_t read_zstd(struct stream *s, char *buf, size_t n)
{
	(void)s;
	(void)buf;
	(void)n;
	return 0;
}

#endif

/* Read the first bytes and look for zstd. */
static void begin(struct stream *s)
{
	s->begun = true;
	s->nfirst = read_file(s, s->first, sizeof(s->first));
	if (s->nfirst < sizeof(s->first) || !stream_is_zstd(s->first))
		return;
	s->is_zstd = true;
	begin_zstd(s);
	s->nfirst = 0;
}

size_t stream_read(struct stream *s, char *buf, size_t n)
{
	size_t first;

	if (!s->begun)
		begin(s);
	if (s->is_zstd)
		return s->error == STREAM_OK ? read_zstd(s, buf, n) : 0;
	first = s->nfirst < n ? s->nfirst : n;
	memcpy(buf, s->first, first);
	s->nfirst -= first;
	if (s->error != STREAM_OK || first == n)
		return first;
	return first + read_file(s, buf + first, n - first);
}

const char *stream_error_text(const struct stream *s)
{
	if (s->error == STREAM_NO_ZSTD)
		return "this is zstd, and this librasim was built without "
		       "libzstd: unpack it with zstd -d";
	return s->is_zstd ? "the zstd file is damaged or cut off here"
			  : "the gzip file is damaged or cut off here";
}

void stream_close(struct stream *s)
{
	end_zstd(s);
	if (s->gz)
		gzclose_r(s->gz);
	memset(s, 0, sizeof(*s));
}
