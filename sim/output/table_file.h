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
#ifndef SIM_TABLE_FILE_H
#define SIM_TABLE_FILE_H

#include <stddef.h>

#include "core/error.h"

struct table_row {
	char **name, **text; /* n of each */
	size_t n;
	size_t number; /* in its file, from 1 */
};

struct table_file {
	char *path;
	struct table_row *rows;
	size_t nrows;
};

/* Read the rows that have a key.
 * Result: 0, or -1 with errno of the system, or EINVAL: no CSV or JSON, no
 *         result in it, a row of another length than the heading; the text
 *         names the file.
 * Owner:  the caller calls table_file_fini(); after an error it need not.
 */
int table_file_read(struct table_file *f, const char *path, const char *key,
		    struct libra_error *err);
void table_file_fini(struct table_file *f);

/* Result: the text under a name, or NULL. */
const char *table_row_text(const struct table_row *row, const char *name);

#endif
