/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - unpack a small gzip file in one step.
 *
 * Traces are normally streamed through zlib.  libdeflate is two to three times
 * as fast, but works only from memory to memory.  It is used if the build has
 * it and the file is intact, regular and at most 64 MiB, packed and unpacked.
 */
#ifndef SIM_UNPACK_H
#define SIM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Unpack the gzip file behind a descriptor, whose offset does not change.
 * Result: true with *text (n bytes, and slack more that may be written), or
 *         false for a pipe, plain text, a large or damaged file, or without
 *         libdeflate.  Then stream it, which also reports what is wrong.
 * Owner:  the caller frees *text.
 */
bool unpack_gzip(int fd, size_t slack, char **text, size_t *n);

/* Read the plain text behind a descriptor at once.  Result, owner: as
 * unpack_gzip(); false also for gzip and zstd.
 */
bool unpack_plain(int fd, size_t slack, char **text, size_t *n);

#endif
