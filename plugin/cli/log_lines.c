/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_lines.c - see log_lines.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/log_lines.h"
#include "plugin/cli/print.h"

enum { BLOCK = 32768 };

static int fail(struct libra_error *err)
{
	int saved = errno ? errno : EIO;

	return libra_errf(err, saved, "the decision log: %s", strerror(saved));
}

static int damaged(off_t at, struct libra_error *err)
{
	return libra_errf(err, EINVAL,
			  "the decision log is damaged at byte %lld",
			  (long long)at);
}

FILE *cli_log_open(const char *path)
{
	FILE *fp = fopen(path, "r");

	if (!fp && errno == ENOMEM)
		cli_no_memory();
	return fp;
}

/* A copy of what a pipe gives. */
static FILE *copy_of(FILE *from)
{
	FILE *fp = tmpfile();
	char data[BLOCK];
	size_t n;

	while (fp && (n = fread(data, 1, sizeof(data), from)) > 0) {
		if (fwrite(data, 1, n, fp) == n)
			continue;
		fclose(fp);
		return NULL;
	}
	if (!fp || (!ferror(from) && fflush(fp) == 0))
		return fp;
	fclose(fp);
	return NULL;
}

/* Read the block before what there is.  Result: 0 or -1. */
static int read_before(struct cli_log *log, struct libra_error *err)
{
	size_t n = log->from < BLOCK ? (size_t)log->from : BLOCK;
	size_t cap = log->cap ? log->cap : BLOCK;
	char *data;

	while (cap < log->len + n)
		cap *= 2;
	if (cap > log->cap) {
		data = realloc(log->data, cap);
		if (!data)
			cli_no_memory();
		log->data = data;
		log->cap = cap;
	}
	memmove(log->data + n, log->data, log->len);
	if (fseeko(log->fp, log->from - (off_t)n, SEEK_SET) < 0 ||
	    fread(log->data, 1, n, log->fp) != n)
		return fail(err);
	log->from -= (off_t)n;
	log->len += n;
	return 0;
}

/* Result: how much of the data is before its last newline and that, or 0. */
static size_t past_newline(const struct cli_log *log, size_t len)
{
	const char *end = len ? memrchr(log->data, '\n', len) : NULL;

	return end ? (size_t)(end - log->data) + 1 : 0;
}

int cli_log_init(struct cli_log *log, FILE *fp, struct libra_error *err)
{
	*log = (struct cli_log){.fp = fp};
	errno = 0;
	if (fseeko(fp, 0, SEEK_END) < 0) {
		if (errno != ESPIPE)
			return fail(err);
		log->fp = copy_of(fp);
		log->copy = true;
		if (!log->fp || fseeko(log->fp, 0, SEEK_END) < 0)
			return fail(err);
	}
	log->from = ftello(log->fp);
	if (log->from < 0)
		return fail(err);
	do {
		if (log->from > 0 && read_before(log, err) < 0)
			return -1;
	} while (!past_newline(log, log->len) && log->from > 0);
	log->len = past_newline(log, log->len);
	log->end = log->from + (off_t)log->len;
	return 0;
}

void cli_log_fini(struct cli_log *log)
{
	if (log->copy && log->fp)
		fclose(log->fp);
	free(log->data);
	*log = (struct cli_log){0};
}

/* Each line of a log is an object of one line. */
static int check_line(const struct cli_log_line *line, struct libra_error *err)
{
	if (line->len > 2 && line->text[0] == '{' &&
	    line->text[line->len - 1] == '}')
		return 1;
	return damaged(line->at, err);
}

int cli_log_before(struct cli_log *log, struct cli_log_line *line,
		   struct libra_error *err)
{
	size_t begin;

	if (log->len == 0 && log->from == 0)
		return 0;
	/* The newline that ends it is the last byte. */
	while ((begin = past_newline(log, log->len ? log->len - 1 : 0)) == 0 &&
	       log->from > 0)
		if (read_before(log, err) < 0)
			return -1;
	line->text = log->data + begin;
	line->len = log->len - 1 - begin;
	line->at = log->from + (off_t)begin;
	log->len = begin;
	return check_line(line, err);
}

int cli_log_seek(struct cli_log *log, off_t at, struct libra_error *err)
{
	log->from = at;
	log->len = 0;
	return fseeko(log->fp, at, SEEK_SET) < 0 ? fail(err) : 0;
}

int cli_log_after(struct cli_log *log, struct cli_log_line *line,
		  struct libra_error *err)
{
	ssize_t n;

	if (log->from >= log->end)
		return 0;
	n = getline(&log->data, &log->cap, log->fp);
	if (n <= 0)
		return feof(log->fp) ? 0 : fail(err);
	line->text = log->data;
	line->len = (size_t)n - 1;
	line->at = log->from;
	log->from += n;
	return check_line(line, err);
}

bool cli_log_is(const struct cli_log_line *line, const char *call)
{
	static const char mark[] = "{\"call\":\"";
	size_t n = sizeof(mark) - 1, len = strlen(call);

	return line->len > n + len && memcmp(line->text, mark, n) == 0 &&
	       memcmp(line->text + n, call, len) == 0 &&
	       line->text[n + len] == '"';
}

bool cli_log_is_event(const struct cli_log_line *line)
{
	static const char mark[] = "{\"event\":\"";

	return line->len >= sizeof(mark) &&
	       memcmp(line->text, mark, sizeof(mark) - 1) == 0;
}

bool cli_log_has(const struct cli_log_line *line, const char *field)
{
	const char *at = line->text, *end = line->text + line->len;
	size_t len = strlen(field);

	while ((at = memmem(at, (size_t)(end - at), field, len))) {
		at += len;
		if (at < end && (*at == ',' || *at == '}'))
			return true;
	}
	return false;
}

uint64_t cli_log_number(const struct cli_log_line *line, const char *field)
{
	size_t n = strlen(field);
	const char *at = memmem(line->text, line->len, field, n);

	/* The line ends with a brace, after any number. */
	return at ? strtoull(at + n, NULL, 10) : 0;
}

double cli_log_time(const struct cli_log_line *line)
{
	static const char mark[] = ",\"now_s\":";
	const char *at = memmem(line->text, line->len < 64 ? line->len : 64,
				mark, sizeof(mark) - 1);

	/* The text goes on behind the number, in any case with a brace. */
	return at ? strtod(at + sizeof(mark) - 1, NULL) : NAN;
}

json_t *cli_log_parse(const struct cli_log_line *line, struct libra_error *err)
{
	json_t *json = json_loadb(line->text, line->len, 0, NULL);

	if (json_is_object(json))
		return json;
	json_decref(json);
	damaged(line->at, err);
	return NULL;
}
