/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink.h - write a file fast, gzipped if its name ends in .gz.
 *
 * Errors are reported at the end.  The gzip header holds no time and no name,
 * so that the same content gives the same bytes.  Only write.c calls this.
 */
#ifndef SIM_IMPORT_SINK_H
#define SIM_IMPORT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#include "core/error.h"
#include "sim/output/file.h"

enum { IMPORT_SINK = 128 * 1024 };

struct import_sink {
	FILE *fp;
	bool packs, failed;
	z_stream z;
	size_t used;
	char *buf;     /* IMPORT_SINK bytes */
	Bytef *packed; /* as many */
};

/* Begin to write to an open file.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 * Owner:  the caller calls import_sink_end() in any other case, and then
 *         commits or aborts f, which stays its own.
 */
int import_sink_begin(struct import_sink *s, const struct out_file *f,
		      struct libra_error *err);

/* Write the rest of the buffer and free it.
 * Result: 0, or -1 with errno of the system if any write has failed.
 */
int import_sink_end(struct import_sink *s, struct libra_error *err);

/* Write a character. */
void import_sink_char(struct import_sink *s, char c);
/* Write a whole number, and the character `behind` unless that is NUL. */
void import_sink_number(struct import_sink *s, int64_t value, char behind);
/* Write at most 200 bytes of a text as a CSV field, and a comma. */
void import_sink_csv(struct import_sink *s, const char *text);
/* Write at most 200 bytes of a text, with ? for each control character. */
void import_sink_plain(struct import_sink *s, const char *text);
/* Write a formatted text of less than 1024 bytes; a longer one is cut. */
void import_sink_printf(struct import_sink *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
