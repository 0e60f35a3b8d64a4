/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink.h - a file that is written fast, gzipped if its name ends in .gz.
 *
 * Errors are kept until the end.  The gzip header has no time and no name: the
 * same content is the same bytes.
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

/* Write what is left.  Result: 0, or -1 with errno of the system. */
int import_sink_end(struct import_sink *s, struct libra_error *err);

void import_sink_char(struct import_sink *s, char c);
/* A whole number, and a character unless it is NUL. */
void import_sink_number(struct import_sink *s, int64_t value, char behind);
/* Text up to its end or 200 bytes, as CSV and with a comma. */
void import_sink_csv(struct import_sink *s, const char *text);
/* Text without control characters. */
void import_sink_plain(struct import_sink *s, const char *text);
void import_sink_printf(struct import_sink *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
