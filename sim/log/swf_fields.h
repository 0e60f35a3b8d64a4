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
#include "sim/log/swf.h"

enum {
	SWF_NFIELDS = 18,
	SWF_NKEPT = 16, /* the first ones, which records have */
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

/* Parse any record that the format allows, and count in trace what is odd in
 * it: fields after the 18, negative values.
 * Result: 1, 0 if it is to be left out, or -1 with EINVAL; the text names file,
 *         line and field.
 */
int swf_fields_parse(const struct swf_place *at, const char *p,
		     double v[SWF_NFIELDS], struct swf_trace *trace);

/* Parse the usual record: 18 short numbers between spaces, nothing behind.
 * Result: false if it is anything else, or a value is out of range; then
 * swf_fields_parse() reads it, or says what is wrong.
 */
bool swf_fields_fast(const char *p, double v[SWF_NKEPT]);

/* Pass over usual records, without their values, in half of the time.
 * Result: where the first line from p on begins that is none, or the first at
 *         end or behind.  *lines grows by those before.
 */
const char *swf_fields_skip(const char *p, const char *end, size_t *lines);

/* The form of both for any processor, where there is another one. */
bool swf_narrow_fast(const char *p, double v[SWF_NKEPT]);
const char *swf_narrow_skip(const char *p, const char *end, size_t *lines);

/* Result: -1 with EINVAL: there is a NUL byte in the line. */
int swf_fail_nul(const struct swf_place *at);

/* Result: -1 with ENOMEM. */
int swf_no_memory(const struct swf_place *at);

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
