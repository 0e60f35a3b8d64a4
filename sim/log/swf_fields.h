/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_fields.h - the 18 fields of a record in the Standard Workload Format.
 *
 * Internal to the reader (swf.h).  A record is a line that ends in a newline
 * and has SWF_SLACK readable bytes behind it: swf_fields_fast() reads ahead.
 */
#ifndef SIM_SWF_FIELDS_H
#define SIM_SWF_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum {
	SWF_NFIELDS = 18,
	SWF_SLACK = 128,
};

#define SWF_NUMBER_MAX 9e15 /* whole numbers that a double keeps */

/* Where the reader is, for messages. */
struct swf_place {
	const char *name;
	size_t line;
	struct libra_error *err;
};

struct swf_field {
	const char *name;
	double max;
	bool whole;	/* kept as an integer */
	bool mandatory; /* -1 for "unknown" makes no sense */
};

extern const struct swf_field swf_fields[SWF_NFIELDS];

/* Parse any record that the format allows.  *extra becomes the number of fields
 * after the 18, if that is more than it was.
 * Result: 0, or -1 with EINVAL; the text names file, line and field.
 */
int swf_fields_parse(const struct swf_place *at, const char *p,
		     double v[SWF_NFIELDS], size_t *extra);

/* Parse the usual record: 18 short numbers between spaces, nothing behind.
 * Result: false if it is anything else, or a value is out of range; then
 * swf_fields_parse() reads it, or says what is wrong.
 */
bool swf_fields_fast(const char *p, const char *end, double v[SWF_NFIELDS]);

/* The same result without the values, in half of the time. */
bool swf_fields_usual(const char *p, const char *end);

/* Result: -1 with EINVAL: there is a NUL byte in the line. */
int swf_fail_nul(const struct swf_place *at);

static inline const char *swf_skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static inline bool swf_value_ok(const struct swf_field *f, double v)
{
	if (!(v >= 0) && (v != -1 || f->mandatory))
		return false;
	return v <= f->max && (!f->whole || v == (double)(int64_t)v);
}

#endif
