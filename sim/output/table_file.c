/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_file.c - CSV and JSON to rows.
 *
 * The whole file is read into memory first.  Text that begins with a brace or a
 * bracket is JSON (jansson), other text is CSV, whose fields are cut out in
 * place.  Each row owns copies of its names and texts.
 */
#include "sim/output/table_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"

const char *table_row_text(const struct table_row *row, const char *name)
{
	for (size_t i = 0; i < row->n; i++)
		if (strcmp(row->name[i], name) == 0)
			return row->text[i];
	return NULL;
}

static void row_fini(struct table_row *row)
{
	for (size_t i = 0; i < row->n; i++) {
		free(row->name[i]);
		free(row->text[i]);
	}
	free(row->name);
	free(row->text);
}

void table_file_fini(struct table_file *f)
{
	for (size_t i = 0; i < f->nrows; i++)
		row_fini(&f->rows[i]);
	free(f->rows);
	free(f->path);
	memset(f, 0, sizeof(*f));
}

/* Add a field to a row.  Owner: text becomes the row's. */
static int add_field(struct table_row *row, const char *name, char *text)
{
	size_t n = row->n + 1;
	char **names = realloc(row->name, n * sizeof(*names));
	char **texts = realloc(row->text, n * sizeof(*texts));

	row->name = names ? names : row->name;
	row->text = texts ? texts : row->text;
	if (!names || !texts || !text || !(names[n - 1] = strdup(name))) {
		free(text);
		errno = ENOMEM;
		return -1;
	}
	texts[n - 1] = text;
	row->n = n;
	return 0;
}

/* Add an empty row.  Result: NULL with ENOMEM. */
static struct table_row *add_row(struct table_file *f)
{
	struct table_row *rows =
		realloc(f->rows, (f->nrows + 1) * sizeof(*rows));

	if (!rows)
		return NULL;
	f->rows = rows;
	rows[f->nrows] = (struct table_row){.number = f->nrows + 1};
	return &rows[f->nrows++];
}

/* ---- CSV ---- */

/* Read one field and remove its quotes, in place.
 * Result: the text, or NULL with ENOMEM; *at is after the field: at a comma,
 *         the end of the line or of the text.
 */
static char *csv_field(char **at)
{
	char *s = *at, *end = *at, *text;
	bool quoted = *s == '"';

	for (s += quoted; *s; s++) {
		if (quoted && *s == '"' && s[1] != '"') {
			quoted = false;
			continue;
		}
		if (quoted && *s == '"')
			s++;
		else if (!quoted && strchr(",\r\n", *s))
			break;
		*end++ = *s;
	}
	text = strndup(*at, (size_t)(end - *at));
	*at = s;
	return text;
}

/* Move from a field to the next one, or to the next line.
 * Result: whether the line goes on.
 */
static bool csv_next(char **at)
{
	if (**at == ',') {
		(*at)++;
		return true;
	}
	*at += strspn(*at, "\r\n");
	return false;
}

/* Read one row of CSV, as long as the heading. */
static int csv_row(struct table_file *f, const struct table_row *heading,
		   char **at, struct libra_error *err)
{
	struct table_row *row = add_row(f);
	bool more = true;

	if (!row)
		return sim_no_memory(err);
	for (size_t i = 0; more; i++) {
		char *text = csv_field(at);

		if (!text)
			return sim_no_memory(err);
		if (i >= heading->n) {
			free(text);
			break;
		}
		if (add_field(row, heading->text[i], text) < 0)
			return sim_no_memory(err);
		more = csv_next(at);
	}
	if (more || row->n != heading->n)
		return libra_errf(err, EINVAL,
				  "%s: row %zu does not have the %zu fields of "
				  "the heading",
				  f->path, row->number, heading->n);
	return 0;
}

static bool has_text(const struct table_row *row, const char *text)
{
	for (size_t i = 0; i < row->n; i++)
		if (strcmp(row->text[i], text) == 0)
			return true;
	return false;
}

/* Read heading and rows of CSV. */
static int read_csv(struct table_file *f, char *data, const char *key,
		    struct libra_error *err)
{
	struct table_row heading = {.n = 0};
	bool more = true;
	int rc = 0;

	while (rc == 0 && more) {
		rc = add_field(&heading, "", csv_field(&data));
		more = csv_next(&data);
	}
	if (rc < 0)
		sim_no_memory(err);
	else if (!has_text(&heading, key))
		rc = libra_errf(err, EINVAL, "%s: no column is named %s",
				f->path, key);
	while (rc == 0 && *data)
		rc = csv_row(f, &heading, &data, err);
	row_fini(&heading);
	return rc;
}

/* ---- JSON ---- */

/* The text of a scalar, or NULL with errno 0 if it is none. */
static char *scalar_text(const json_t *value)
{
	char buf[OUT_NUMBER_SIZE];

	errno = 0;
	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (json_is_number(value))
		return strdup(out_number(buf, json_number_value(value)));
	if (json_is_null(value))
		return strdup("");
	return NULL;
}

/* Add the members of an object that are texts, numbers or null; skip others. */
static int add_members(struct table_row *row, json_t *object,
		       struct libra_error *err)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		char *text = scalar_text(value);

		if (!text && errno == 0)
			continue;
		if (add_field(row, name, text) < 0)
			return sim_no_memory(err);
	}
	return 0;
}

/* Add a result of JSON, with the members of its workload. */
static int add_result(struct table_file *f, json_t *result, json_t *workload,
		      const char *key, struct libra_error *err)
{
	struct table_row *row;

	if (!json_object_get(result, key))
		return libra_errf(err, EINVAL, "%s: result %zu has no %s",
				  f->path, f->nrows + 1, key);
	row = add_row(f);
	if (!row)
		return sim_no_memory(err);
	if (add_members(row, result, err) < 0 ||
	    (workload && add_members(row, workload, err) < 0))
		return -1;
	return 0;
}

/* Read the results of a JSON text. */
static int read_json(struct table_file *f, const char *data, const char *key,
		     struct libra_error *err)
{
	json_error_t why;
	json_t *root = json_loads(data, JSON_REJECT_DUPLICATES, &why);
	json_t *workload, *results;
	int rc = 0;

	if (!root && json_error_code(&why) == json_error_out_of_memory)
		return sim_no_memory(err);
	if (!root)
		return libra_errf(err, EINVAL, "%s:%d: not JSON: %s", f->path,
				  why.line, why.text);
	results = json_object_get(root, "results");
	workload = json_object_get(root, "workload");
	if (json_is_array(results))
		for (size_t i = 0; rc == 0 && i < json_array_size(results); i++)
			rc = add_result(f, json_array_get(results, i), workload,
					key, err);
	else if (json_object_get(root, key))
		rc = add_result(f, root, workload, key, err);
	else
		rc = libra_errf(err, EINVAL,
				"%s: it has neither 'results' nor '%s'",
				f->path, key);
	json_decref(root);
	return rc;
}

/* ---- both ---- */

/* Read a file or standard input.  Owner: the caller frees the text. */
static char *read_all(const char *path, struct libra_error *err)
{
	FILE *fp = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char buf[4096], *data = NULL;
	size_t n, size;
	FILE *mem;
	bool failed;

	if (!fp) {
		libra_errf(err, errno, "%s: %s", path, strerror(errno));
		return NULL;
	}
	mem = out_memory(&data, &size);
	while (mem && (n = fread(buf, 1, sizeof(buf), fp)) > 0)
		fwrite(buf, 1, n, mem);
	failed = ferror(fp);
	if (failed)
		libra_errf(err, errno, "%s: %s", path, strerror(errno));
	if (fp != stdin)
		fclose(fp);
	if (!mem || fclose(mem) != 0 || failed) {
		if (!failed)
			sim_no_memory(err);
		free(data);
		return NULL;
	}
	return data;
}

int table_file_read(struct table_file *f, const char *path, const char *key,
		    struct libra_error *err)
{
	char *data, *begin;
	int rc;

	memset(f, 0, sizeof(*f));
	data = read_all(path, err);
	if (!data)
		return -1;
	f->path = strdup(path);
	begin = data + strspn(data, " \t\r\n");
	if (!f->path)
		rc = sim_no_memory(err);
	else if (*begin == '\0')
		rc = libra_errf(err, EINVAL, "%s: the file is empty", path);
	else if (*begin == '{' || *begin == '[')
		rc = read_json(f, begin, key, err);
	else
		rc = read_csv(f, begin, key, err);
	if (rc == 0 && f->nrows == 0)
		rc = libra_errf(err, EINVAL, "%s: it has no results", path);
	free(data);
	if (rc < 0) {
		int saved = errno;

		table_file_fini(f);
		errno = saved;
	}
	return rc;
}
