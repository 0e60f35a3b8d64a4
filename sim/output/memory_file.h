/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_file.h - a text that is written as a file. */
#ifndef SIM_MEMORY_FILE_H
#define SIM_MEMORY_FILE_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream(), but where memory ends fclose() fails, with ENOMEM and
 * *text NULL.  That of the C library goes on without what found no room, and
 * tells nobody.
 * Result: a stream, or NULL with ENOMEM.
 * Owner:  *text and *size are set by fclose(); the caller frees *text.
 */
FILE *out_memory(char **text, size_t *size);

#endif
