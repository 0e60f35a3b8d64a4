/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fields.h - the 18 fields of a record in the Standard Workload Format.
 *
 * Internal to the reader (swf.h).  A record is a line that ends in a newline
 * and has SWF_SLACK readable bytes behind it, because swf_fields_fast() reads
 * ahead.  Nothing is allocated here.
 */
#ifndef SIM_SWF_FIELDS_H
#define SIM_SWF_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/log/swf.h"

enum {
	SWF_NFIELDS = 18,
	SWF_NKEPT = 16,	 /* fields that struct swf_record has */
	SWF_SLACK = 128, /* readable bytes behind a line */
};

#define SWF_NUMBER_MAX 9e15 /* whole numbers that a double holds exactly */

/* The position of the reader, for messages. */
struct swf_place {
	const char *name;
	size_t line;
	struct libra_error *err;
};

struct swf_field {
	const char *name;
	double max;
	bool whole;	/* stored as an integer */
	bool mandatory; /* -1 for "unknown" is refused */
};

extern const struct swf_field swf_fields[SWF_NFIELDS];

/* Parse any record that the format allows.  Count fields after the 18, and
 * negative values, in trace.
 * Result: 1 with the values, 0 if the record must be left out (a negative
 *         submit time), or -1 with EINVAL; the text names file, line and field.
 */
int swf_fields_parse(const struct swf_place *at, const char *p,
		     double v[SWF_NFIELDS], struct swf_trace *trace);

/* Parse the usual record: 18 short numbers between spaces, and no text after
 * them.
 * Result: false for any other line, or if a value is out of range: call
 *         swf_fields_parse() then, which reads the line or reports the error.
 */
bool swf_fields_fast(const char *p, double v[SWF_NKEPT]);

/* Skip usual records from p on without reading their values, in half of the
 * time.
 * Result: the beginning of the first line that is no usual record, or of the
 *         first line at or after end.  *lines is increased by the skipped
 *         lines.
 */
const char *swf_fields_skip(const char *p, const char *end, size_t *lines);

/* swf_fields_fast() and swf_fields_skip() for a processor without AVX2, in
 * builds that have both forms.
 */
bool swf_narrow_fast(const char *p, double v[SWF_NKEPT]);
const char *swf_narrow_skip(const char *p, const char *end, size_t *lines);

/* Report a NUL byte in the line.  Result: -1 with EINVAL. */
int swf_fail_nul(const struct swf_place *at);

/* Report that memory is out.  Result: -1 with ENOMEM. */
int swf_no_memory(const struct swf_place *at);

/* Return the first character from p on that is no blank or tab. */
static inline const char *swf_skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Return true if a value is in the range of its field, or -1 where allowed. */
static inline bool swf_value_ok(const struct swf_field *f, double v)
{
	if (!(v >= 0) && (v != -1 || f->mandatory))
		return false;
	return v <= f->max && (!f->whole || v == (double)(int64_t)v);
}

#endif
