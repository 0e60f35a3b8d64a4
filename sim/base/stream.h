/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - read a file or a pipe piece by piece: plain, gzip or zstd.
 *
 * zstd is optional (libzstd): a build without it recognizes such files and
 * refuses them.  Callers: input.c, unpack.c and the reader of Standard Workload
 * Format logs (sim/log/swf.c).
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* Why reading ended early. */
enum stream_error {
	STREAM_OK = 0,
	STREAM_SYSTEM, /* errno of the system */
	STREAM_MEMORY,
	STREAM_DAMAGED, /* the compressed data is damaged or cut off */
	STREAM_NO_ZSTD, /* built without libzstd */
};

struct stream {
	gzFile gz;		  /* returns plain text unchanged */
	struct stream_zstd *zstd; /* NULL = the text is not zstd */
	bool begun, is_zstd;
	char first[4]; /* the first bytes, read to recognize zstd */
	size_t nfirst;
	enum stream_error error;
};

/* Prepare to read from a descriptor through a buffer of so many bytes.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the stream closes fd, after an error as well; the caller calls
 *         stream_close(), after an error it need not.
 */
int stream_open(struct stream *s, int fd, unsigned buffer);
void stream_close(struct stream *s);

/* Read n bytes of unpacked text into buf.
 * Result: the number of bytes.  If it is less than n, the text has ended, or
 *         s->error is the reason why reading stopped.
 */
size_t stream_read(struct stream *s, char *buf, size_t n);

/* Return a constant text for STREAM_DAMAGED or STREAM_NO_ZSTD. */
const char *stream_error_text(const struct stream *s);

/* Return true if a file that begins with these four bytes is zstd. */
bool stream_is_zstd(const char first[4]);

#endif
