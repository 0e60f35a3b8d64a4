/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - the text of a log, piece by piece: a file or standard input ("-"),
 * plain, gzip or zstd.
 *
 * The buffer holds a quarter of a megabyte and what is left of a line, whatever
 * the length of the file; small gzip files are unpacked at one go (unpack.h).
 */
#ifndef SIM_INPUT_H
#define SIM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/base/stream.h"

enum { INPUT_PIECE_MAX = 8 * 1024 * 1024 }; /* of a line, or a JSON object */

struct input {
	struct stream stream;
	const char *name; /* for messages */
	char *buf;
	size_t size;
	char *pos, *end; /* what has not been taken; *end may be written */
	size_t line;	 /* of the line taken last, from 1 */
	bool whole, at_end;
	struct libra_error *err;
};

/* How messages call a path: "-" is standard input. */
const char *input_name(const char *path);

/* Result: a descriptor of a file or standard input, or -1 with errno of the
 *         system (EISDIR: a folder); the text names the file.
 */
int input_descriptor(const char *path, struct libra_error *err);

/* Result: 0, or -1 with errno of the system; the text names the file.
 * Owner:  the caller calls input_close(); path lives as long.
 */
int input_open(struct input *in, const char *path, struct libra_error *err);
void input_close(struct input *in);

/* Get more text behind end; pos may move.
 * Result: 1, 0 if there is no more, or -1 with EIO (damaged), ENOMEM or EINVAL:
 *         more than INPUT_PIECE_MAX bytes have not been taken.
 */
int input_more(struct input *in);

/* Take a line; its end is replaced by NUL, CR LF as well.
 * Result: 1 with *line and *n, 0 at the end, or -1 as above.
 */
int input_line(struct input *in, char **line, size_t *n);

#endif
