/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fields.c - the fields of a record: their ranges, and errors in them.
 *
 * The table of fields has name, range and kind of each.  This reader goes token
 * by token through strtod() and is called only for lines that swf_fast.c does
 * not accept.
 */
#include "sim/log/swf_fields.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SUBMIT = 1 }; /* index of the field */

#define TIME_MAX 1e12 /* seconds: 31,000 years */

const struct swf_field swf_fields[SWF_NFIELDS] = {
	{"job number", SWF_NUMBER_MAX, true, true},
	{"submit time", TIME_MAX, false, true},
	{"wait time", TIME_MAX, false, false},
	{"run time", TIME_MAX, false, false},
	{"allocated processors", INT32_MAX, true, false},
	{"processor time", TIME_MAX, false, false},
	{"used memory", SWF_NUMBER_MAX, false, false},
	{"requested processors", INT32_MAX, true, false},
	{"requested time", TIME_MAX, false, false},
	{"requested memory", SWF_NUMBER_MAX, false, false},
	{"status", INT32_MAX, true, false},
	{"user", INT32_MAX, true, false},
	{"group", INT32_MAX, true, false},
	{"application", INT32_MAX, true, false},
	{"queue", INT32_MAX, true, false},
	{"partition", INT32_MAX, true, false},
	{"preceding job", SWF_NUMBER_MAX, false, false},
	{"think time", TIME_MAX, false, false},
};

static inline bool ends_token(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static const double ten_to[] = {1e0, 1e1, 1e2,	1e3,  1e4,  1e5,  1e6,	1e7,
				1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A decimal of at most 15 digits is one division of two exact numbers, and so
 * correctly rounded.  Result: the end, or NULL if it is not that simple.
 */
static const char *parse_decimal(const char *p, double *value)
{
	bool negative = *p == '-';
	int64_t m = 0;
	int digits = 0, fraction = -1;

	for (p += negative; !ends_token(*p); p++) {
		if (*p == '.' && fraction < 0) {
			fraction = 0;
			continue;
		}
		if (!isdigit((unsigned char)*p) || ++digits > 15)
			return NULL;
		m = m * 10 + (*p - '0');
		fraction += fraction >= 0;
	}
	if (digits == 0)
		return NULL;
	*value = (double)m / ten_to[fraction > 0 ? fraction : 0];
	if (negative)
		*value = -*value;
	return p;
}

/* Any other number; not nan, inf or 0x1, which strtod() would take. */
static const char *parse_general(const char *p, double *value)
{
	size_t n = strspn(p, "0123456789+-.eE");
	char *end;

	if (n == 0 || !ends_token(p[n]))
		return NULL;
	*value = strtod(p, &end);
	return end == p + n ? end : NULL;
}

/* Result: the end of the number, or NULL if there is none. */
static const char *parse_number(const char *p, double *value)
{
	const char *end = parse_decimal(p, value);

	return end ? end : parse_general(p, value);
}

int swf_fail_nul(const struct swf_place *at)
{
	return libra_errf(at->err, EINVAL,
			  "%s:%zu: a NUL byte: this is not a text file",
			  at->name, at->line);
}

int swf_no_memory(const struct swf_place *at)
{
	return libra_errf(at->err, ENOMEM, "%s: out of memory", at->name);
}

/* Report a text where a number belongs. */
static int fail_token(const struct swf_place *at, int i, const char *token)
{
	char shown[24];
	size_t n = 0;

	while (n < sizeof(shown) - 1 && !ends_token(token[n])) {
		shown[n] = isprint((unsigned char)token[n]) ? token[n] : '?';
		n++;
	}
	shown[n] = '\0';
	if (memchr(token, '\0', n))
		return swf_fail_nul(at);
	if (i >= SWF_NFIELDS)
		return libra_errf(at->err, EINVAL,
				  "%s:%zu: \"%s\" after the %d fields of the "
				  "format is neither a number nor a word",
				  at->name, at->line, shown, SWF_NFIELDS);
	return libra_errf(at->err, EINVAL,
			  "%s:%zu: field %d (%s) is not a number: \"%s\"",
			  at->name, at->line, i + 1, swf_fields[i].name, shown);
}

/* Report a number that is out of the range of its field. */
static int fail_value(const struct swf_place *at, int i, double v)
{
	const struct swf_field *f = &swf_fields[i];
	const char *what = "is out of range";

	if (v < 0)
		what = "is negative";
	else if (v <= f->max)
		what = "is not a whole number";
	return libra_errf(at->err, EINVAL, "%s:%zu: field %d (%s) %s: %.15g",
			  at->name, at->line, i + 1, f->name, what, v);
}

/* The fields beyond the format's are counted and ignored: some sites add GPUs,
 * or a word for the job's class.  A comment there would hide a mistake.
 */
static int count_rest(const struct swf_place *at, const char *p, size_t *extra)
{
	size_t n = 0;

	for (p = swf_skip_blanks(p); *p != '\n'; p = swf_skip_blanks(p)) {
		const char *token = p;

		while (!ends_token(*p)) {
			unsigned char c = (unsigned char)*p++;

			if (c < ' ' || c == 0x7f)
				return fail_token(at, SWF_NFIELDS, token);
		}
		if (*token == ';')
			return fail_token(at, SWF_NFIELDS, token);
		n++;
	}
	if (n > *extra)
		*extra = n;
	return 0;
}

/* Read a negative value as missing.  Result: false if it is not negative, or of
 * the job number.
 */
static bool read_as_missing(const struct swf_place *at, int i, double *v,
			    struct swf_trace *trace)
{
	if (i == 0 || !(*v < 0))
		return false;
	*v = -1;
	trace->no_submit += i == SUBMIT;
	trace->negative += i != SUBMIT;
	if (trace->odd_line == 0)
		trace->odd_line = at->line;
	return true;
}

int swf_fields_parse(const struct swf_place *at, const char *p,
		     double v[SWF_NFIELDS], struct swf_trace *trace)
{
	for (int i = 0; i < SWF_NFIELDS; i++) {
		const char *token = swf_skip_blanks(p);

		if (*token == '\n')
			return libra_errf(
				at->err, EINVAL,
				"%s:%zu: only %d of the %d fields of the "
				"Standard Workload Format",
				at->name, at->line, i, SWF_NFIELDS);
		p = parse_number(token, &v[i]);
		if (!p)
			return fail_token(at, i, token);
		if (!swf_value_ok(&swf_fields[i], v[i]) &&
		    !read_as_missing(at, i, &v[i], trace))
			return fail_value(at, i, v[i]);
	}
	if (count_rest(at, p, &trace->extra_fields) < 0)
		return -1;
	return v[SUBMIT] >= 0;
}
