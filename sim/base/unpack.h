/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - a whole small gzip file at one go.
 *
 * Streaming through zlib is how traces are read.  libdeflate unpacks two to
 * three times as fast, but only from memory to memory; where it is there, and
 * the file is an ordinary sound one of moderate size, it does the work.
 */
#ifndef SIM_UNPACK_H
#define SIM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Unpack the gzip file behind a descriptor, whose offset is kept.
 * Result: true with *text (n bytes, and slack more that may be written), or
 *         false if it is not for this function: a pipe, plain text, large,
 *         damaged, or no libdeflate.  Then read it as a stream, which also
 *         says what is wrong.
 * Owner:  the caller frees *text.
 */
bool unpack_gzip(int fd, size_t slack, char **text, size_t *n);

#endif
