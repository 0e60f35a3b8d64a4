/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_file.h - write text into memory through a FILE.
 *
 * For texts of unknown length: titles, cells, files that are read whole.
 */
#ifndef SIM_MEMORY_FILE_H
#define SIM_MEMORY_FILE_H

#include <stddef.h>
#include <stdio.h>

/* Open a stream as open_memstream() does.  If memory runs out, fclose() fails
 * with ENOMEM and *text is NULL.  The C library's own stream would drop the
 * text that did not fit and report no error.
 * Result: a stream, or NULL with ENOMEM.
 * Owner:  fclose() sets *text, which ends with NUL, and *size, its length
 *         without that; the caller frees *text.
 */
FILE *out_memory(char **text, size_t *size);

#endif
