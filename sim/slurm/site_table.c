/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_table.c - tables with a heading, as sacctmgr and sshare print them. */
#include <string.h>

#include "sim/slurm/site_impl.h"

/* Split a line at |.  Result: the number of fields, those beyond the room for
 * them counted as well.
 */
static size_t split(struct site_table *t, char *line, size_t n)
{
	struct import_text rest = {line, n}, part;
	size_t fields = 0;

	while (site_next(&rest, '|', &part)) {
		if (fields < SITE_COLUMNS_MAX)
			t->field[fields] = part;
		fields++;
	}
	if (n > 0 && line[n - 1] == '|') {
		if (fields < SITE_COLUMNS_MAX)
			t->field[fields] = (struct import_text){line + n, 0};
		fields++;
	}
	return fields;
}

static int read_heading(struct site_table *t, const struct site_field *fields,
			size_t nfields, const char *needed, char *line,
			size_t n)
{
	bool found = false;

	t->n = split(t, line, n);
	if (t->n > SITE_COLUMNS_MAX)
		return site_fail(&t->f,
				 "more than %d columns: ask for those "
				 "of site-snapshot only",
				 SITE_COLUMNS_MAX);
	for (size_t i = 0; i < t->n; i++) {
		t->column[i] = site_find_field(fields, nfields, t->field[i]);
		if (t->column[i])
			found |= strcmp(t->column[i]->name, needed) == 0;
		else if (t->field[i].n > 0 &&
			 site_unknown(&t->f, "column", t->field[i]) < 0)
			return -1;
	}
	if (!found)
		return site_fail(&t->f,
				 "no column is named %s: the first line must "
				 "be the heading (sacctmgr -P, without -n); "
				 "run site-snapshot again",
				 needed);
	return 0;
}

static int open_table(struct site_table *t, struct slurm_site *site,
		      const char *folder, const char *file,
		      const struct site_field *fields, size_t nfields,
		      const char *needed, struct libra_error *err)
{
	int rc = site_open(&t->f, site, folder, file, err);
	char *line;
	size_t n;

	if (rc <= 0)
		return rc;
	/* Recordings have a line of ### before each sample. */
	do
		rc = input_line(&t->f.in, &line, &n);
	while (rc > 0 && (n == 0 || strncmp(line, "###", 3) == 0));
	if (rc > 0)
		rc = read_heading(t, fields, nfields, needed, line, n) < 0 ? -1
									   : 1;
	if (rc <= 0)
		site_close(&t->f);
	return rc;
}

static int next_row(struct site_table *t)
{
	size_t n, fields;
	char *line;
	int rc;

	do
		rc = input_line(&t->f.in, &line, &n);
	while (rc > 0 && n == 0);
	if (rc <= 0)
		return rc;
	if (strncmp(line, "###", 3) == 0) /* the next sample */
		return 0;
	fields = split(t, line, n);
	/* Some releases end each line, but not the heading, with |. */
	if (fields == t->n + 1 && t->field[t->n].n == 0)
		fields--;
	if (fields < t->n)
		return site_fail(&t->f,
				 "%zu fields, but the heading has %zu: the "
				 "file was cut off, run site-snapshot again",
				 fields, t->n);
	if (fields > t->n)
		return site_fail(&t->f,
				 "%zu fields, but the heading has %zu: take "
				 "the | out of a text here",
				 fields, t->n);
	return 1;
}

int site_read_table(struct slurm_site *site, const char *folder,
		    const char *file, const struct site_field *fields,
		    size_t nfields, const char *needed,
		    int (*row)(struct site_table *t), struct libra_error *err)
{
	struct site_table t;
	int rc = open_table(&t, site, folder, file, fields, nfields, needed,
			    err);

	if (rc <= 0)
		return rc;
	while ((rc = next_row(&t)) > 0)
		if (row(&t) < 0) {
			rc = -1;
			break;
		}
	site_close(&t.f);
	return rc;
}

int site_table_set(struct site_table *t, void *object)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->column[i] && t->column[i]->kind != SITE_OWN &&
		    site_set(&t->f, t->column[i], object, t->field[i]) < 0)
			return -1;
	return 0;
}

struct import_text site_table_value(const struct site_table *t,
				    const char *column)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->column[i] && strcmp(t->column[i]->name, column) == 0)
			return import_trimmed(t->field[i]);
	return (struct import_text){"", 0};
}
