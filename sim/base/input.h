/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - the text of a log, piece by piece: a file or standard input ("-"),
 * plain, gzip or zstd.
 *
 * The buffer holds a quarter of a megabyte and the unread rest of a line,
 * whatever the length of the file.  A small gzip file is unpacked as a whole
 * (unpack.h).  The input owns its buffer; text that a caller takes is valid
 * until the next call, and the caller may write into it.
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
	char *pos, *end; /* the text not taken yet; *end may be written */
	size_t line;	 /* number of the line taken last, from 1 */
	/* whole: the buffer has the text of the whole file; at_end: the stream
	 * has no more text.
	 */
	bool whole, at_end;
	struct libra_error *err;
};

/* Return the name of a path for messages: "standard input" for "-". */
const char *input_name(const char *path);

/* Open a path for reading; "-" is a copy of standard input.
 * Result: a descriptor, or -1 with errno of the system (EISDIR: a folder); the
 *         text names the file.
 * Owner:  the caller closes it.
 */
int input_descriptor(const char *path, struct libra_error *err);

/* Open a path and prepare to read its text from the first line.
 * Result: 0, or -1 with errno of the system or ENOMEM; the text names the file.
 * Owner:  the caller calls input_close(), after an error it need not.  path and
 *         err must live as long as the input.
 */
int input_open(struct input *in, const char *path, struct libra_error *err);
void input_close(struct input *in);

/* Read more text behind end.  pos and end may move, with the text between.
 * Result: 1, 0 if there is no more, or -1 with EIO (damaged), ENOMEM or EINVAL
 *         (more than INPUT_PIECE_MAX bytes are not taken yet).
 */
int input_more(struct input *in);

/* Take a line.  NUL replaces its end, which is LF or CR LF.
 * Result: 1 with *line and its length *n, 0 at the end of the text, or -1 as
 *         input_more().
 */
int input_line(struct input *in, char **line, size_t *n);

#endif
