/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - atomic files, exact numbers, CSV, JSON, HTML text, tables.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/output/file.h"

/* ---- files ---- */

/* What a write to path must not replace by a rename: a pipe, a device. */
static bool is_special(const struct stat *st)
{
	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode);
}

static int open_in_place(struct out_file *f, struct libra_error *err)
{
	f->fp = fopen(f->path, "w");
	if (!f->fp)
		return libra_errf(err, errno, "cannot write %s: %s", f->path,
				  strerror(errno));
	return 0;
}

/* A new file beside path, whose rights follow the umask as usual. */
static int open_beside(struct out_file *f, struct libra_error *err)
{
	const char *slash = strrchr(f->path, '/');
	int dir = slash ? (int)(slash - f->path) + 1 : 0;
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < 100; i++) {
		free(f->tmp);
		if (asprintf(&f->tmp, "%.*s.%s.%ld-%u.tmp", dir, f->path,
			     f->path + dir, (long)getpid(), i) < 0) {
			f->tmp = NULL;
			return libra_errf(err, ENOMEM, "out of memory");
		}
		fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		f->fp = fdopen(fd, "w");
	if (!f->fp) {
		libra_errf(err, errno, "cannot write %s: %s", f->path,
			   strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(f->tmp);
		}
		free(f->tmp);
		f->tmp = NULL;
		return -1;
	}
	return 0;
}

/* A link is followed, so that the rename replaces the file it leads to. */
static char *real_target(const char *path)
{
	char *target = realpath(path, NULL);

	return target ? target : strdup(path);
}

int out_open(struct out_file *f, const char *path, struct libra_error *err)
{
	struct stat st;
	int rc;

	memset(f, 0, sizeof(*f));
	if (strcmp(path, "-") == 0) {
		f->fp = stdout;
		f->path = strdup("standard output");
		return f->path ? 0 : libra_errf(err, ENOMEM, "out of memory");
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return libra_errf(err, EISDIR,
				  "cannot write %s: it is a folder", path);
	if (stat(path, &st) == 0 && is_special(&st)) {
		f->path = strdup(path);
		rc = f->path ? open_in_place(f, err)
			     : libra_errf(err, ENOMEM, "out of memory");
	} else {
		f->path = real_target(path);
		rc = f->path ? open_beside(f, err)
			     : libra_errf(err, ENOMEM, "out of memory");
	}
	if (rc < 0)
		out_abort(f);
	return rc;
}

/* Flush and close; what was written is on disk, under its temporary name. */
static int file_close(struct out_file *f, struct libra_error *err)
{
	int bad = ferror(f->fp) || fflush(f->fp) != 0;

	if (!bad && f->tmp)
		bad = fsync(fileno(f->fp)) != 0;
	if (f->fp != stdout && fclose(f->fp) != 0)
		bad = 1;
	f->fp = NULL;
	if (bad) {
		int code = errno ? errno : EIO;

		return libra_errf(err, code, "cannot write %s: %s", f->path,
				  strerror(code));
	}
	return 0;
}

static int file_rename(struct out_file *f, struct libra_error *err)
{
	if (f->tmp && rename(f->tmp, f->path) < 0)
		return libra_errf(err, errno, "cannot write %s: %s", f->path,
				  strerror(errno));
	free(f->tmp);
	f->tmp = NULL;
	return 0;
}

int out_commit(struct out_file *f, struct libra_error *err)
{
	int rc = file_close(f, err);

	if (rc == 0)
		rc = file_rename(f, err);
	out_abort(f);
	return rc;
}

void out_abort(struct out_file *f)
{
	int saved = errno;

	if (f->fp && f->fp != stdout)
		fclose(f->fp);
	if (f->tmp)
		unlink(f->tmp);
	free(f->tmp);
	free(f->path);
	memset(f, 0, sizeof(*f));
	errno = saved;
}

static int make_folder(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	if (stat(path, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return 0;
	errno = ENOTDIR;
	return -1;
}

/* The folder and all above it; path is cut and mended on the way. */
static int make_folders(char *path, struct libra_error *err)
{
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (make_folder(path) < 0) {
			libra_errf(err, errno, "cannot make the folder %s: %s",
				   path, strerror(errno));
			*p = c;
			return -1;
		}
		*p = c;
		if (c == '\0')
			return 0;
	}
}

int out_set_init(struct out_set *set, const char *dir, struct libra_error *err)
{
	memset(set, 0, sizeof(*set));
	if (dir[0] == '\0')
		return libra_errf(err, EINVAL, "the folder has no name");
	set->dir = strdup(dir);
	if (!set->dir)
		return libra_errf(err, ENOMEM, "out of memory");
	if (make_folders(set->dir, err) < 0) {
		out_set_abort(set);
		return -1;
	}
	return 0;
}

static int set_grow(struct out_set *set, struct libra_error *err)
{
	struct out_file *files;
	size_t cap = set->cap ? 2 * set->cap : 16;

	if (set->n < set->cap)
		return 0;
	files = realloc(set->files, cap * sizeof(*files));
	if (!files)
		return libra_errf(err, ENOMEM, "out of memory");
	set->files = files;
	set->cap = cap;
	return 0;
}

FILE *out_set_open(struct out_set *set, const char *name,
		   struct libra_error *err)
{
	char *path;

	if (set_grow(set, err) < 0)
		return NULL;
	if (asprintf(&path, "%s/%s", set->dir, name) < 0) {
		libra_errf(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (out_open(&set->files[set->n], path, err) < 0) {
		free(path);
		return NULL;
	}
	free(path);
	return set->files[set->n++].fp;
}

int out_set_commit(struct out_set *set, struct libra_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < set->n; i++)
		rc = file_close(&set->files[i], err);
	for (size_t i = 0; rc == 0 && i < set->n; i++)
		rc = file_rename(&set->files[i], err);
	out_set_abort(set);
	return rc;
}

void out_set_abort(struct out_set *set)
{
	int saved = errno;

	for (size_t i = 0; i < set->n; i++)
		out_abort(&set->files[i]);
	free(set->files);
	free(set->dir);
	memset(set, 0, sizeof(*set));
	errno = saved;
}

/* ---- numbers and text ---- */

/* printf and strtod follow the locale; files must not. */
static void force_point(char *buf)
{
	const char *point = localeconv()->decimal_point;
	char *at = strcmp(point, ".") ? strstr(buf, point) : NULL;

	if (at) {
		*at = '.';
		memmove(at + 1, at + strlen(point),
			strlen(at + strlen(point)) + 1);
	}
}

const char *out_number(char buf[OUT_NUMBER_SIZE], double value)
{
	if (isnan(value))
		return strcpy(buf, "nan");
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, OUT_NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	force_point(buf);
	return buf;
}

size_t out_utf8(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = u[0] < 0x80   ? 1
		     : u[0] < 0xc2 ? 0
		     : u[0] < 0xe0 ? 2
		     : u[0] < 0xf0 ? 3
		     : u[0] < 0xf5 ? 4
				   : 0;

	if (u[0] == '\0')
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return len;
}

void out_csv_text(FILE *fp, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, fp);
		return;
	}
	putc('"', fp);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', fp);
		putc(*text, fp);
	}
	putc('"', fp);
}

void out_csv_number(FILE *fp, double value)
{
	char buf[OUT_NUMBER_SIZE];

	if (isfinite(value))
		fputs(out_number(buf, value), fp);
}

static const char *html_escape(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void out_html(FILE *fp, const char *text)
{
	while (*text) {
		const char *escape = html_escape(*text);
		size_t len = out_utf8(text);
		bool control = (unsigned char)*text < 0x20 && *text != '\n' &&
			       *text != '\t';

		if (escape)
			fputs(escape, fp);
		else if (len == 0 || control)
			fputs("\xef\xbf\xbd", fp);
		else
			fwrite(text, 1, len, fp);
		text += len ? len : 1;
	}
}

/* ---- JSON ---- */

static void json_string(FILE *fp, const char *text)
{
	putc('"', fp);
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t len = out_utf8(text);

		if (c == '"' || c == '\\')
			fprintf(fp, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(fp, "\\u%04x", c);
		else if (len == 0)
			fputs("\\ufffd", fp);
		else
			fwrite(text, 1, len, fp);
		text += len ? len : 1;
	}
	putc('"', fp);
}

static void json_indent(struct out_json *j)
{
	putc('\n', j->fp);
	for (unsigned i = 0; i < j->depth; i++)
		putc(' ', j->fp);
}

/* What stands before a value: comma, place, name. */
static void json_lead(struct out_json *j, const char *key)
{
	uint32_t bit = UINT32_C(1) << j->depth;

	if (j->depth > 0) {
		if (j->nonempty & bit)
			putc(',', j->fp);
		json_indent(j);
	}
	j->nonempty |= bit;
	if (key) {
		json_string(j->fp, key);
		fputs(": ", j->fp);
	}
}

static void json_begin(struct out_json *j, const char *key, bool array)
{
	uint32_t bit;

	json_lead(j, key);
	putc(array ? '[' : '{', j->fp);
	if (j->depth < 31)
		j->depth++;
	bit = UINT32_C(1) << j->depth;
	j->nonempty &= ~bit;
	j->arrays = array ? j->arrays | bit : j->arrays & ~bit;
}

void out_json_init(struct out_json *j, FILE *fp)
{
	memset(j, 0, sizeof(*j));
	j->fp = fp;
}

void out_json_object(struct out_json *j, const char *key)
{
	json_begin(j, key, false);
}

void out_json_array(struct out_json *j, const char *key)
{
	json_begin(j, key, true);
}

void out_json_end(struct out_json *j)
{
	uint32_t bit = UINT32_C(1) << j->depth;
	bool array = j->arrays & bit, nonempty = j->nonempty & bit;

	j->depth--;
	if (nonempty)
		json_indent(j);
	putc(array ? ']' : '}', j->fp);
	if (j->depth == 0)
		putc('\n', j->fp);
}

void out_json_text(struct out_json *j, const char *key, const char *text)
{
	json_lead(j, key);
	json_string(j->fp, text);
}

void out_json_number(struct out_json *j, const char *key, double value)
{
	char buf[OUT_NUMBER_SIZE];

	json_lead(j, key);
	fputs(isfinite(value) ? out_number(buf, value) : "null", j->fp);
}

void out_json_count(struct out_json *j, const char *key, uint64_t value)
{
	json_lead(j, key);
	fprintf(j->fp, "%" PRIu64, value);
}

void out_json_bool(struct out_json *j, const char *key, bool value)
{
	json_lead(j, key);
	fputs(value ? "true" : "false", j->fp);
}

/* ---- tables for people ---- */

void out_table_init(struct out_table *t, const struct out_column *columns,
		    size_t ncolumns)
{
	memset(t, 0, sizeof(*t));
	t->columns = columns;
	t->ncolumns = ncolumns;
}

void out_table_fini(struct out_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cells[i]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}

void out_table_cell(struct out_table *t, const char *fmt, ...)
{
	va_list ap;
	char *cell = NULL;

	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 32;
		char **cells = realloc(t->cells, cap * sizeof(*cells));

		if (!cells) {
			t->failed = true;
			return;
		}
		t->cells = cells;
		t->cap = cap;
	}
	va_start(ap, fmt);
	if (vasprintf(&cell, fmt, ap) < 0)
		t->failed = true;
	else
		t->cells[t->n++] = cell;
	va_end(ap);
}

void out_table_number(struct out_table *t, int decimals, double value)
{
	if (isfinite(value))
		out_table_cell(t, "%.*f", decimals, value);
	else
		out_table_cell(t, "-");
}

/* Columns on a terminal: characters, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const struct out_table *t, size_t column)
{
	int width = width_of(t->columns[column].name);

	for (size_t i = column; i < t->n; i += t->ncolumns) {
		int w = width_of(t->cells[i]);

		width = w > width ? w : width;
	}
	return width;
}

static void print_cell(const struct out_table *t, size_t column, int width,
		       const char *text, FILE *fp)
{
	bool last = column + 1 == t->ncolumns;
	int pad = width - width_of(text);

	if (t->columns[column].align == OUT_RIGHT)
		fprintf(fp, "%*s%s", pad, "", text);
	else
		fprintf(fp, "%s%*s", text, last ? 0 : pad, "");
	fputs(last ? "\n" : "  ", fp);
}

int out_table_print(const struct out_table *t, FILE *fp)
{
	int *width;

	if (t->failed || !(width = calloc(t->ncolumns, sizeof(*width)))) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t c = 0; c < t->ncolumns; c++)
		width[c] = column_width(t, c);
	for (size_t c = 0; c < t->ncolumns; c++)
		print_cell(t, c, width[c], t->columns[c].name, fp);
	for (size_t c = 0; c < t->ncolumns; c++) {
		for (int i = 0; i < width[c]; i++)
			putc('-', fp);
		fputs(c + 1 == t->ncolumns ? "\n" : "  ", fp);
	}
	for (size_t i = 0; i < t->n; i++)
		print_cell(t, i % t->ncolumns, width[i % t->ncolumns],
			   t->cells[i], fp);
	if (t->n % t->ncolumns)
		putc('\n', fp);
	free(width);
	return 0;
}
