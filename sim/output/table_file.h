/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_file.h - read tables that were written to files.
 *
 * Reads the results of `librasim run` and `librasim reproduce`: CSV with a
 * heading, one result a row; JSON whose outermost object has an array
 * "results", or is one result.  A row is a list of names and texts; a number of
 * CSV keeps its text.  In JSON, members of "workload" beside the results are
 * added to each result.  A result must have a value for the key that the caller
 * names: "policy" or "job".
 */
#ifndef SIM_TABLE_FILE_H
#define SIM_TABLE_FILE_H

#include <stddef.h>

#include "core/error.h"

struct table_row {
	char **name, **text; /* n of each */
	size_t n;
	size_t number; /* of the row in its file, from 1 */
};

struct table_file {
	char *path;
	struct table_row *rows;
	size_t nrows;
};

/* Read a file whose rows have a key.
 * Result: 0, or -1 with errno of the system, or EINVAL: neither CSV nor JSON,
 *         no result, a row of another length than the heading; the text names
 *         the file.
 * Owner:  the caller calls table_file_fini(); after an error it need not.
 */
int table_file_read(struct table_file *f, const char *path, const char *key,
		    struct libra_error *err);
void table_file_fini(struct table_file *f);

/* Return the text under a name, or NULL.  The row owns it.  Cost: O(fields). */
const char *table_row_text(const struct table_row *row, const char *name);

#endif
