/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_file.h - tables that were written to files, to be read again.
 *
 * Reads what `librasim run` and `librasim reproduce` write: CSV with a heading,
 * one result a row; JSON whose outermost object is a result, or has an array
 * "results" of them.  A row is a list of names and texts; numbers stay the
 * texts that they are.  From JSON, what stands under "workload" beside the
 * results belongs to each of them.  A result is what names its key: a "policy",
 * or a "job".
 */
#ifndef SIM_RESULT_FILE_H
#define SIM_RESULT_FILE_H

#include <stddef.h>

#include "core/error.h"

struct result_row {
	char **name, **text; /* n of each */
	size_t n;
	size_t number; /* in its file, from 1 */
};

struct result_file {
	char *path;
	struct result_row *rows;
	size_t nrows;
};

/* Read the rows that have a key.
 * Result: 0, or -1 with errno of the system, or EINVAL: no CSV or JSON, no
 *         result in it, a row of another length than the heading; the text
 *         names the file.
 * Owner:  the caller calls result_file_fini(); after an error it need not.
 */
int result_file_read(struct result_file *f, const char *path, const char *key,
		     struct libra_error *err);
void result_file_fini(struct result_file *f);

/* Result: the text under a name, or NULL. */
const char *result_row_text(const struct result_row *row, const char *name);

#endif
