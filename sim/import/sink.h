/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink.h - write a file fast, gzipped if its name ends in .gz.
 *
 * Errors are reported at the end.  The gzip header holds no time and no name,
 * so that the same content gives the same bytes.
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

/* Result: 0, or -1 with ENOMEM.  Owner: f stays the caller's, who commits it
 * after import_sink_end().
 */
int import_sink_begin(struct import_sink *s, const struct out_file *f,
		      struct libra_error *err);

/* Write the rest of the buffer.  Result: 0, or -1 with errno of the system. */
int import_sink_end(struct import_sink *s, struct libra_error *err);

void import_sink_char(struct import_sink *s, char c);
/* Write a whole number, and a character after it unless that is NUL. */
void import_sink_number(struct import_sink *s, int64_t value, char behind);
/* Write at most 200 bytes of a text as a CSV field, and a comma. */
void import_sink_csv(struct import_sink *s, const char *text);
/* Write a text without its control characters. */
void import_sink_plain(struct import_sink *s, const char *text);
void import_sink_printf(struct import_sink *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
