/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - everything that is written: files, numbers, CSV, JSON, tables.
 *
 * A file appears whole or not at all: it is written under a temporary name in
 * the same folder and renamed at the end; until then an older file of that
 * name stays.  Several files that belong together are a set: nothing is
 * renamed before all of them are on disk.  Numbers are printed with as few
 * digits as read back to the same double, independent of the locale.
 */
#ifndef SIM_OUT_H
#define SIM_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* ---- files ---- */

struct out_file {
	FILE *fp; /* write here; NULL when closed */
	char *path;
	char *tmp; /* NULL: written in place (a pipe, a device, "-") */
};

/* Begin a file; "-" is standard output.
 * Result: 0, or -1 with errno of the system (EISDIR, EACCES, ENOENT, ENOMEM);
 *         the text names the file.
 * Owner:  the caller ends it by out_commit() or out_abort().
 */
int out_open(struct out_file *f, const char *path, struct libra_error *err);

/* Put the file in its place.
 * Result: 0, or -1 with errno (ENOSPC, EIO); then nothing is left behind.
 */
int out_commit(struct out_file *f, struct libra_error *err);

/* Forget the file, as if it had never been begun; keeps errno. */
void out_abort(struct out_file *f);

/* Files of one folder that appear together. */
struct out_set {
	char *dir;
	struct out_file *files;
	size_t n, cap;
};

/* Begin a set; the folder and those above it are made if they are missing.
 * Result: 0, or -1 with errno of the system.
 * Owner:  the caller ends it by out_set_commit() or out_set_abort().
 */
int out_set_init(struct out_set *set, const char *dir, struct libra_error *err);

/* Result: where to write the file called name, or NULL with errno. */
FILE *out_set_open(struct out_set *set, const char *name,
		   struct libra_error *err);

/* Rename all files, in the order in which they were begun.
 * Result: 0, or -1 with errno; if a write failed, no file was renamed.
 */
int out_set_commit(struct out_set *set, struct libra_error *err);
void out_set_abort(struct out_set *set);

/* ---- numbers and text ---- */

#define OUT_NUMBER_SIZE 32

/* The shortest of %.15g, %.16g and %.17g that reads back to the same double.
 * Result: buf; "nan", "inf" and "-inf" for what is no number.
 */
const char *out_number(char buf[OUT_NUMBER_SIZE], double value);

/* Bytes of the UTF-8 character at s; 0 if there is none (or at the end). */
size_t out_utf8(const char *s);

/* A CSV field, quoted if it has to be. */
void out_csv_text(FILE *fp, const char *text);
/* A CSV field; empty if the value is no finite number. */
void out_csv_number(FILE *fp, double value);

/* Text in HTML and SVG: markup is escaped, what is not UTF-8 replaced. */
void out_html(FILE *fp, const char *text);

/* ---- JSON ---- */

/* A writer that keeps commas and indentation; at most 32 levels.  key is
 * NULL for the elements of an array and for the outermost value.
 */
struct out_json {
	FILE *fp;
	unsigned depth;
	uint32_t arrays;   /* bit d: level d is an array */
	uint32_t nonempty; /* bit d: level d has an element */
};

void out_json_init(struct out_json *j, FILE *fp);
void out_json_object(struct out_json *j, const char *key);
void out_json_array(struct out_json *j, const char *key);
void out_json_end(struct out_json *j); /* of the innermost one */
void out_json_text(struct out_json *j, const char *key, const char *text);
/* null if the value is no finite number */
void out_json_number(struct out_json *j, const char *key, double value);
void out_json_count(struct out_json *j, const char *key, uint64_t value);
void out_json_bool(struct out_json *j, const char *key, bool value);

/* ---- tables for people ---- */

enum out_align {
	OUT_LEFT = 1,
	OUT_RIGHT,
};

struct out_column {
	const char *name;
	enum out_align align;
};

struct out_table {
	const struct out_column *columns;
	size_t ncolumns;
	char **cells; /* row by row */
	size_t n, cap;
	bool failed; /* out of memory */
};

/* Owner: columns live as long as the table. */
void out_table_init(struct out_table *t, const struct out_column *columns,
		    size_t ncolumns);
void out_table_fini(struct out_table *t);

/* Add the next cell of the current row. */
void out_table_cell(struct out_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A number for people; "-" if it is no finite number. */
void out_table_number(struct out_table *t, int decimals, double value);

/* Print heading, rule and rows.
 * Result: 0, or -1 with ENOMEM if a cell could not be kept.
 */
int out_table_print(const struct out_table *t, FILE *fp);

#endif
