/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - commas, indentation and escapes of JSON.
 *
 * Two sets of bits hold, for each level, whether it is an array and whether it
 * has an element yet; nothing else is remembered of what was written.
 */
#include "sim/output/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/output/text.h"

/* Write a quoted text, with escapes. */
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

/* Comma, new line and name before a value. */
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

/* Begin an array or an object, one level deeper. */
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
	if (!text) {
		out_json_null(j, key);
		return;
	}
	json_lead(j, key);
	json_string(j->fp, text);
}

void out_json_null(struct out_json *j, const char *key)
{
	json_lead(j, key);
	fputs("null", j->fp);
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
