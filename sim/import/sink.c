/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink.c - print numbers and text into a buffer, and write that to a file.
 *
 * The sink owns its buffers.  Whole numbers are printed digit by digit, without
 * printf(), and packed at the lowest level of zlib: a million records take a
 * second.
 */
#include "sim/import/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

enum { PIECE = 1024, LEVEL = 1, GZIP = 16 };

int import_sink_begin(struct import_sink *s, const struct out_file *f,
		      struct libra_error *err)
{
	size_t n = strlen(f->path);

	memset(s, 0, sizeof(*s));
	s->fp = f->fp;
	s->packs = n > 3 && strcmp(f->path + n - 3, ".gz") == 0;
	s->buf = malloc(IMPORT_SINK);
	s->packed = malloc(IMPORT_SINK);
	if (!s->buf || !s->packed ||
	    (s->packs && deflateInit2(&s->z, LEVEL, Z_DEFLATED, 15 + GZIP, 9,
				      Z_DEFAULT_STRATEGY) != Z_OK)) {
		free(s->buf);
		free(s->packed);
		return sim_no_memory(err);
	}
	return 0;
}

/* Compress the buffer and write it.  flush: as deflate(). */
static void pack(struct import_sink *s, int flush)
{
	s->z.next_in = (Bytef *)s->buf;
	s->z.avail_in = (uInt)s->used;
	do {
		size_t n;

		s->z.next_out = s->packed;
		s->z.avail_out = IMPORT_SINK;
		deflate(&s->z, flush);
		n = IMPORT_SINK - s->z.avail_out;
		s->failed |= fwrite(s->packed, 1, n, s->fp) != n;
	} while (s->z.avail_out == 0);
}

/* Write the buffer, packed or plain. */
static void empty(struct import_sink *s, int flush)
{
	if (s->packs)
		pack(s, flush);
	else
		s->failed |= fwrite(s->buf, 1, s->used, s->fp) != s->used;
	s->used = 0;
}

/* Make room for PIECE more bytes. */
static void make_room(struct import_sink *s)
{
	if (s->used + PIECE > IMPORT_SINK)
		empty(s, Z_NO_FLUSH);
}

int import_sink_end(struct import_sink *s, struct libra_error *err)
{
	int saved;

	errno = 0;
	empty(s, Z_FINISH);
	s->failed |= fflush(s->fp) != 0;
	saved = errno ? errno : EIO;
	if (s->packs)
		deflateEnd(&s->z);
	free(s->buf);
	free(s->packed);
	if (s->failed)
		return libra_errf(err, saved, "cannot write: %s",
				  strerror(saved));
	return 0;
}

void import_sink_char(struct import_sink *s, char c)
{
	make_room(s);
	s->buf[s->used++] = c;
}

void import_sink_number(struct import_sink *s, int64_t value, char behind)
{
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[24];
	size_t n = sizeof(digits);

	make_room(s);
	do
		digits[--n] = (char)('0' + left % 10);
	while (left /= 10);
	if (value < 0)
		digits[--n] = '-';
	memcpy(s->buf + s->used, digits + n, sizeof(digits) - n);
	s->used += sizeof(digits) - n;
	if (behind)
		s->buf[s->used++] = behind;
}

void import_sink_csv(struct import_sink *s, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	make_room(s);
	if (quoted)
		s->buf[s->used++] = '"';
	for (size_t n = 0; text[n] && n < 200; n++) {
		if (text[n] == '"')
			s->buf[s->used++] = '"';
		s->buf[s->used++] = text[n];
	}
	if (quoted)
		s->buf[s->used++] = '"';
	s->buf[s->used++] = ',';
}

void import_sink_plain(struct import_sink *s, const char *text)
{
	make_room(s);
	for (size_t n = 0; text[n] && n < 200; n++) {
		unsigned char c = (unsigned char)text[n];

		s->buf[s->used++] = c < ' ' || c == 0x7f ? '?' : text[n];
	}
}

void import_sink_printf(struct import_sink *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	make_room(s);
	va_start(ap, fmt);
	n = vsnprintf(s->buf + s->used, PIECE, fmt, ap);
	va_end(ap);
	if (n > 0)
		s->used += n < PIECE ? (size_t)n : PIECE - 1;
}
