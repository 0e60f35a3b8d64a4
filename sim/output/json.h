/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - a writer of JSON.
 *
 * Writes commas and indentation; at most 32 levels.  key is NULL for the
 * elements of an array and for the outermost value.  Nothing is allocated, and
 * no function reports an error: the caller checks the stream at its end
 * (file.h).
 */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct out_json {
	FILE *fp;
	unsigned depth;
	uint32_t arrays;   /* bit d: level d is an array */
	uint32_t nonempty; /* bit d: level d has an element */
};

/* Begin a document on a stream, which stays the caller's. */
void out_json_init(struct out_json *j, FILE *fp);

/* Begin an object or an array, and end the innermost one.  The end of the
 * outermost one also ends the line.
 */
void out_json_object(struct out_json *j, const char *key);
void out_json_array(struct out_json *j, const char *key);
void out_json_end(struct out_json *j);

/* Write one value.  text NULL is null; so is a number that is not finite.
 * Numbers have as many digits as out_number().  A byte that is no UTF-8 becomes
 * U+FFFD.
 */
void out_json_text(struct out_json *j, const char *key, const char *text);
void out_json_null(struct out_json *j, const char *key);
void out_json_number(struct out_json *j, const char *key, double value);
void out_json_count(struct out_json *j, const char *key, uint64_t value);
void out_json_bool(struct out_json *j, const char *key, bool value);

#endif
