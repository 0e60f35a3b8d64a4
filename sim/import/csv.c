/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.c - find the columns of a map, and convert units.
 *
 * Columns are found once, by the heading.  For each row and each field of the
 * map a put_...() function converts the text and writes a column of the row:
 * the text itself, or one made in import_csv.made.  Its result is that of
 * values.h; IMPORT_LOCAL stands for an error that ends the import.
 */
#include "sim/import/csv.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/suggest.h"

/* ---- the heading ---- */

/* Report a column of the map that the trace lacks, with the nearest name. */
static int fail_column(const struct import_csv *c, const struct input *in,
		       size_t f, const char *column)
{
	const char *nearest = NULL;
	char names[IMPORT_FIELDS_MAX][48], buf[SIM_SUGGESTION_SIZE];

	for (size_t i = 0; i < c->text.n; i++) {
		struct import_text name = import_trimmed(c->text.field[i]);

		snprintf(names[i], sizeof(names[i]), "%.*s", (int)name.n,
			 name.at);
		nearest = sim_nearer_name(column, nearest, names[i]);
	}
	return libra_errf(in->err, EINVAL,
			  "%s:%zu: no column is named '%s'%s: correct %s:%zu "
			  "(%s), or put a heading in front of a trace that has "
			  "none",
			  in->name, in->line, column,
			  sim_suggestion(buf, nearest, ""), c->map->path,
			  c->map->field[f].line, import_fields[f].name);
}

/* Find the place of each column of the map in the heading. */
static int find_columns(struct import_csv *c, const struct input *in)
{
	for (size_t f = 0; f < IMPORT_NFIELDS; f++)
		for (size_t k = 0; k < c->map->field[f].n; k++) {
			const char *column = c->map->field[f].factor[k].column;
			size_t at = 0;

			if (!column)
				continue;
			while (at < c->text.n) {
				struct import_text name =
					import_trimmed(c->text.field[at]);

				if (name.n == strlen(column) &&
				    memcmp(name.at, column, name.n) == 0)
					break;
				at++;
			}
			if (at == c->text.n)
				return fail_column(c, in, f, column);
			c->place[f][k] = at;
		}
	return 0;
}

/* Refuse other formats of public traces. */
static int check_format(const struct input *in)
{
	size_t n = (size_t)(in->end - in->pos);

	if (n >= 4 && memcmp(in->pos, "PAR1", 4) == 0)
		return libra_errf(in->err, EINVAL,
				  "%s: this is Parquet: make CSV of it, with "
				  "pandas: read_parquet(FILE).to_csv(CSV)",
				  in->name);
	if (n >= 1 && (in->pos[0] == '{' || in->pos[0] == '['))
		return libra_errf(
			in->err, EINVAL,
			"%s: this is JSON: make CSV of it with jq and "
			"its @csv",
			in->name);
	return 0;
}

int import_csv_begin(struct import_csv *c, struct input *in,
		     const struct import_map *map, struct import_clock *clock,
		     const char *delimiter)
{
	c->map = map;
	c->clock = clock;
	if (check_format(in) < 0 ||
	    import_text_begin_csv(&c->text, in, delimiter) < 0)
		return -1;
	return find_columns(c, in);
}

void import_csv_fini(struct import_csv *c)
{
	import_text_fini(&c->text);
}

/* ---- values ---- */

/* A value, and the field that it is for. */
struct value {
	struct import_csv *c;
	const struct input *in;
	size_t field;
	struct import_row *row;
};

static struct import_text text_of(const struct value *v, size_t factor)
{
	return import_trimmed(v->c->text.field[v->c->place[v->field][factor]]);
}

/* How pandas, databases and people write that there is no value. */
static bool is_nothing(struct import_text t)
{
	static const char *const words[] = {"nan",     "NaT", "null", "None",
					    "Unknown", "N/A", "NA",   "\\N",
					    "-",       "inf", "<NA>"};

	if (t.n == 0 || isdigit((unsigned char)t.at[0]))
		return t.n == 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (import_is(t, words[i]))
			return true;
	return false;
}

/* Read a text that is a number as a whole. */
static enum import_read read_number(struct import_text t, double *number)
{
	char text[64], *end;

	if (is_nothing(t))
		return IMPORT_NONE;
	if (t.n >= sizeof(text))
		return IMPORT_BAD;
	memcpy(text, t.at, t.n);
	text[t.n] = '\0';
	*number = strtod(text, &end);
	if (end == text || *end || !isfinite(*number))
		return IMPORT_BAD;
	return IMPORT_OK;
}

/* Multiply the factors; a value below 0 means that there is none. */
static enum import_read read_product(const struct value *v, double *number)
{
	const struct import_map_field *field = &v->c->map->field[v->field];
	enum import_read read;
	double factor;

	*number = 1;
	for (size_t k = 0; k < field->n; k++) {
		factor = field->factor[k].number;
		if (field->factor[k].column) {
			read = read_number(text_of(v, k), &factor);
			if (read != IMPORT_OK)
				return read;
		}
		*number *= factor;
	}
	return *number < 0 ? IMPORT_NONE : IMPORT_OK;
}

static void put(const struct value *v, struct import_text t)
{
	v->row->col[import_fields[v->field].column] = t;
}

/* Print a number into the field's text. */
__attribute__((format(printf, 2, 3))) static void put_made(
	const struct value *v, const char *fmt, ...)
{
	char *text = v->c->made[v->field];
	size_t size = sizeof(v->c->made[0]);
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, size, fmt, ap);
	va_end(ap);
	put(v, (struct import_text){text, (size_t)n < size ? (size_t)n : 0});
}

/* Put a duration in seconds, or a limit in the form of Slurm. */
static enum import_read put_duration(const struct value *v)
{
	const struct import_map_field *field = &v->c->map->field[v->field];
	enum import_read read;
	double s;

	read = read_product(v, &s);
	if (read == IMPORT_BAD && !field->unit && field->n == 1) {
		/* 1-02:03:04; of a limit, UNLIMITED. */
		read = import_limit(text_of(v, 0), 1, &s);
		if (read == IMPORT_UNLIMITED || read == IMPORT_PARTITION)
			return IMPORT_NONE;
	}
	if (read == IMPORT_OK)
		put_made(v, "%.3f", s * field->scale);
	return read;
}

/* Put a number of processors, nodes or GPUs, rounded up. */
static enum import_read put_count(const struct value *v)
{
	double n;
	enum import_read read = read_product(v, &n);

	if (read != IMPORT_OK)
		return read;
	/* A part of a processor is one; a hair more, of rounding, is none. */
	n = ceil(n * v->c->map->field[v->field].scale - 1e-6);
	if (import_fields[v->field].column == IMPORT_C_REQTRES)
		put_made(v, "gres/gpu=%.0f", fmin(n, INT32_MAX));
	else
		put_made(v, "%.0f", fmin(n, INT64_C(1) << 40));
	return IMPORT_OK;
}

/* Put an amount of memory in megabytes, as sacct writes it. */
static enum import_read put_memory(const struct value *v)
{
	double mb;
	enum import_read read = read_product(v, &mb);

	if (read == IMPORT_OK)
		put_made(v, "%.0fM",
			 fmin(mb * v->c->map->field[v->field].scale, 1e14));
	return read;
}

/* ---- instants ---- */

enum { LAST_YEAR = 9999 };
#define LAST_INSTANT_S 253402300799.0 /* of that year */

/* Result: IMPORT_LOCAL, with the message: the map or the command is wrong. */
static enum import_read fail_instant(const struct value *v,
				     struct import_text t, const char *why,
				     const char *advice)
{
	libra_errf(v->in->err, EINVAL, "%s:%zu: %s '%.*s' %s: %s (%s:%zu)",
		   v->in->name, v->in->line, import_fields[v->field].name,
		   (int)(t.n < 60 ? t.n : 60), t.at, why, advice,
		   v->c->map->path, v->c->map->field[v->field].line);
	return IMPORT_LOCAL;
}

/* Put an instant given as a number of units since the origin. */
static enum import_read number_to_instant(const struct value *v, double number)
{
	const struct import_map *map = v->c->map;
	bool submits = import_fields[v->field].column == IMPORT_C_SUBMIT;
	double at_s = floor(number * map->field[v->field].scale);

	if (at_s < 0)
		return IMPORT_NONE;
	if (at_s == 0 && !map->has_origin)
		return submits ? fail_instant(v, text_of(v, 0),
					      "counts from the trace's begin",
					      "add a line 'origin: DATE' to "
					      "the map")
			       : IMPORT_NONE;
	at_s += map->has_origin ? (double)map->origin_s : 0;
	if (at_s > LAST_INSTANT_S)
		return fail_instant(v, text_of(v, 0), "is after the year 9999",
				    "name its unit, ms, us or ns");
	put_made(v, "%.0f", at_s);
	return IMPORT_OK;
}

/* Put an instant given as a number or a date. */
static enum import_read put_instant(const struct value *v)
{
	const struct import_map_field *field = &v->c->map->field[v->field];
	struct import_text t = text_of(v, 0);
	enum import_read read;
	int64_t at_s;
	double number;
	bool twice;

	read = read_number(t, &number);
	if (read == IMPORT_OK)
		return field->scale > 0 ? number_to_instant(v, number)
					: IMPORT_BAD;
	if (read == IMPORT_NONE || (field->unit && field->scale > 0))
		return read;
	read = import_time(v->c->clock, t, &at_s, &twice);
	if (read == IMPORT_LOCAL)
		return fail_instant(v, t, "is a local time",
				    "name its zone with --tz, such as UTC or "
				    "Asia/Shanghai");
	if (read == IMPORT_OK) {
		put_made(v, "%" PRId64, at_s);
		v->row->twice |= twice;
	}
	return read;
}

/* ---- states, names ---- */

/* Report a state that neither Slurm nor the map knows. */
static enum import_read fail_state(const struct value *v, struct import_text t)
{
	const struct import_map *map = v->c->map;

	libra_errf(v->in->err, EINVAL,
		   "%s:%zu: '%.*s' is no state of Slurm: add '%.*s=COMPLETED' "
		   "(or =FAILED, =CANCELLED ...) to %s:%zu; '*=FAILED' takes "
		   "all others",
		   v->in->name, v->in->line, (int)(t.n < 60 ? t.n : 60), t.at,
		   (int)(t.n < 60 ? t.n : 60), t.at, map->path,
		   map->field[v->field].line);
	return IMPORT_LOCAL;
}

/* Put a state: by the map, else as Slurm's name, else by the map's "*". */
static enum import_read put_state(const struct value *v)
{
	const struct import_map *map = v->c->map;
	struct import_text t = text_of(v, 0);
	enum import_state state = IMPORT_STATE_OTHER, other = state;
	const char *name;

	for (size_t i = 0; i < map->nstates; i++) {
		const char *word = map->states[i].word;

		if (strlen(word) == t.n && memcmp(word, t.at, t.n) == 0)
			state = map->states[i].state;
		if (strcmp(word, "*") == 0)
			other = map->states[i].state;
	}
	if (state == IMPORT_STATE_OTHER)
		state = import_state(t);
	if (state == IMPORT_STATE_OTHER)
		state = other;
	if (state == IMPORT_STATE_OTHER)
		return is_nothing(t) ? IMPORT_NONE : fail_state(v, t);
	name = import_state_name(state);
	put(v, (struct import_text){name, strlen(name)});
	return IMPORT_OK;
}

/* Numbers are kept; 12.0 is 12, as tables with gaps write it. */
static enum import_read put_id(const struct value *v, uint64_t number)
{
	struct import_csv *c = v->c;
	struct import_text t = text_of(v, 0);
	struct import_id id;

	if (t.n > 2 && memcmp(t.at + t.n - 2, ".0", 2) == 0)
		t.n -= 2;
	if (!c->any)
		c->numbered = import_job_id(t, &id) != IMPORT_OK ||
			      id.kind == IMPORT_STEP;
	if (!c->numbered) {
		put(v, t);
		return import_job_id(t, &id) == IMPORT_OK &&
				       id.kind != IMPORT_STEP
			       ? IMPORT_OK
			       : IMPORT_BAD;
	}
	put_made(v, "%" PRIu64, number);
	return IMPORT_OK;
}

/* Put a text; a job's id that is no number becomes the number of its row. */
static enum import_read put_text(const struct value *v, uint64_t number)
{
	struct import_text t = text_of(v, 0);

	if (import_fields[v->field].column == IMPORT_C_JOBIDRAW)
		return put_id(v, number);
	put(v, is_nothing(t) ? (struct import_text){"", 0} : t);
	return IMPORT_OK;
}

/* ---- rows ---- */

/* Put one field of the map into the row, by its kind. */
static enum import_read put_value(const struct value *v, uint64_t number)
{
	switch (import_fields[v->field].kind) {
	case IMPORT_F_TEXT:
		return put_text(v, number);
	case IMPORT_F_INSTANT:
		return put_instant(v);
	case IMPORT_F_DURATION:
		return put_duration(v);
	case IMPORT_F_COUNT:
		return put_count(v);
	case IMPORT_F_MEMORY:
		return put_memory(v);
	case IMPORT_F_STATE:
		return put_state(v);
	}
	return IMPORT_NONE;
}

/* Keep why the first unreadable row could not be read. */
static int fail_value(const struct value *v)
{
	static const char *const what[] = {
		[IMPORT_F_TEXT] = "number, as the first id was",
		[IMPORT_F_INSTANT] = "instant of that unit",
		[IMPORT_F_DURATION] = "duration",
		[IMPORT_F_COUNT] = "number",
		[IMPORT_F_MEMORY] = "number",
		[IMPORT_F_STATE] = "state",
	};
	struct import_csv *c = v->c;
	const struct import_map_field *field = &c->map->field[v->field];
	struct import_text t = {"", 0};
	double number;
	size_t k = 0;

	/* The factor of a product that is no number, else the only column. */
	while (k < field->n &&
	       (!field->factor[k].column ||
		(field->n > 1 &&
		 read_number(text_of(v, k), &number) != IMPORT_BAD)))
		k++;
	if (k < field->n)
		t = text_of(v, k);
	if (!c->why[0])
		snprintf(c->why, sizeof(c->why),
			 "%.80s:%zu: '%.*s' is no %s: correct %.60s:%zu (%s)",
			 v->in->name, v->in->line, (int)(t.n < 40 ? t.n : 40),
			 t.at, what[import_fields[v->field].kind], c->map->path,
			 field->line, import_fields[v->field].name);
	return IMPORT_ROW_UNREADABLE;
}

int import_csv_row(struct import_csv *c, struct input *in, uint64_t number,
		   struct import_row *row)
{
	struct value v = {.c = c, .in = in, .row = row};
	int rc;

	/* The reader of text looks at columns that it does not fill. */
	*row = (struct import_row){.mapped = true};
	rc = import_text_row(&c->text, in, row);
	if (rc != IMPORT_ROW)
		return rc;
	*row = (struct import_row){.mapped = true};
	if (c->map->field[0].line == 0)
		put_made(&v, "%" PRIu64, number);
	for (; v.field < IMPORT_NFIELDS; v.field++) {
		enum import_read read;

		if (c->map->field[v.field].line == 0)
			continue;
		row->given[import_fields[v.field].column] = true;
		read = put_value(&v, number);
		if (read == IMPORT_LOCAL)
			return IMPORT_ROW_FAILED;
		if (read == IMPORT_BAD)
			return fail_value(&v);
	}
	c->any = true;
	return IMPORT_ROW;
}
