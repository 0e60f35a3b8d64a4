/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_line.c - the fields of a line, and differences from them.
 *
 * A missing field makes the line bad once; the functions after it then return
 * values that nobody uses, so that a caller needs only one test.
 */
#include "sim/replay/replay_line.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void replay_spoil(struct replay_line *l, int code, const char *fmt, ...)
{
	char text[LIBRA_ERROR_TEXT_SIZE - 128];
	va_list ap;

	if (l->bad)
		return;
	l->bad = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	libra_errf(l->err, code, "%.100s:%" PRIu64 ": %s", l->file, l->number,
		   text);
}

void replay_lose(struct replay_line *l, const char *fmt, ...)
{
	char why[160];
	va_list ap;

	if (l->bad)
		return;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	l->r->lost = true;
	l->r->counts.gaps++;
	l->r->gap(l->r->arg, l->file, l->number, why);
}

/* ---- fields ---- */

const json_t *replay_field(struct replay_line *l, const json_t *in,
			   const char *name)
{
	const json_t *v = json_object_get(in, name);

	if (!v)
		replay_spoil(l, EINVAL, "%s without '%s'", l->call, name);
	return v;
}

double replay_number(struct replay_line *l, const json_t *in, const char *name)
{
	const json_t *v = replay_field(l, in, name);

	if (json_is_number(v))
		return json_number_value(v);
	if (v && !json_is_null(v))
		replay_spoil(l, EINVAL, "'%s' is not a number", name);
	return INFINITY;
}

double replay_number_or(struct replay_line *l, const json_t *in,
			const char *name, double otherwise)
{
	return json_object_get(in, name) ? replay_number(l, in, name)
					 : otherwise;
}

uint64_t replay_whole_value(struct replay_line *l, const json_t *v,
			    const char *name, uint64_t max)
{
	if (json_is_integer(v) && json_integer_value(v) >= 0 &&
	    (uint64_t)json_integer_value(v) <= max)
		return (uint64_t)json_integer_value(v);
	if (v)
		replay_spoil(l, EINVAL,
			     "'%s' is not a whole number in its range", name);
	return 0;
}

uint64_t replay_whole(struct replay_line *l, const char *name, uint64_t max)
{
	return replay_whole_value(l, replay_field(l, l->json, name), name, max);
}

const char *replay_text(struct replay_line *l, const char *name)
{
	const json_t *v = replay_field(l, l->json, name);

	if (v && !json_is_string(v))
		replay_spoil(l, EINVAL, "'%s' is no text", name);
	return json_is_string(v) ? json_string_value(v) : "";
}

const json_t *replay_array(struct replay_line *l, const json_t *in,
			   const char *name)
{
	const json_t *v = replay_field(l, in, name);

	if (v && !json_is_array(v))
		replay_spoil(l, EINVAL, "'%s' is no list", name);
	return v;
}

struct libra_range replay_range(struct replay_line *l, const json_t *pair,
				const char *name)
{
	if (json_array_size(pair) < 2)
		replay_spoil(l, EINVAL,
			     "'%s' has an element that is not [FIRST, COUNT]",
			     name);
	return (struct libra_range){
		(uint32_t)replay_whole_value(l, json_array_get(pair, 0), name,
					     UINT32_MAX),
		(uint32_t)replay_whole_value(l, json_array_get(pair, 1), name,
					     UINT32_MAX),
	};
}

/* ---- comparison ---- */

void replay_differ(struct replay_line *l, const char *name, const char *logged,
		   const char *replayed)
{
	struct sim_replay_difference d = {
		.file = l->file,
		.line = l->number,
		.call = l->call,
		.field = name,
	};

	l->r->counts.differences++;
	snprintf(d.logged, sizeof(d.logged), "%s", logged);
	snprintf(d.replayed, sizeof(d.replayed), "%s", replayed);
	l->r->report(l->r->arg, &d);
}

void replay_same_text(struct replay_line *l, const char *name,
		      const char *replayed)
{
	const char *logged = replay_text(l, name);

	if (!l->bad && strcmp(logged, replayed) != 0)
		replay_differ(l, name, logged, replayed);
}

void replay_same_whole(struct replay_line *l, const char *name,
		       uint64_t replayed)
{
	uint64_t logged = replay_whole(l, name, INT64_MAX);
	char a[24], b[24];

	if (l->bad || logged == replayed)
		return;
	snprintf(a, sizeof(a), "%" PRIu64, logged);
	snprintf(b, sizeof(b), "%" PRIu64, replayed);
	replay_differ(l, name, a, b);
}

void replay_same_number(struct replay_line *l, const char *name,
			double replayed)
{
	double logged = replay_number(l, l->json, name);
	char a[32], b[32];

	if (l->bad || memcmp(&logged, &replayed, sizeof(logged)) == 0 ||
	    (!isfinite(logged) && !isfinite(replayed)))
		return;
	snprintf(a, sizeof(a), "%.17g", logged);
	snprintf(b, sizeof(b), "%.17g", replayed);
	replay_differ(l, name, a, b);
}

bool replay_same_rc(struct replay_line *l, int replayed)
{
	const json_t *v = json_object_get(l->json, "rc");
	json_int_t logged = v ? json_integer_value(v) : 0;

	if (v && (!json_is_integer(v) || (logged != 0 && logged != -1)))
		replay_spoil(l, EINVAL, "'rc' is neither 0 nor -1");
	if (l->bad)
		return false;
	if (replayed < 0 && errno == ENOMEM) {
		replay_spoil(l, ENOMEM, "out of memory");
		return false;
	}
	if (logged != replayed)
		replay_differ(l, "rc", logged ? "-1" : "0",
			      replayed ? "-1" : "0");
	return logged == 0 && replayed == 0;
}

/* Read the placement of a ticket into r->ranges, which grow.  Result: as
 * libra_engine_placement(), or -1 with ENOMEM.
 */
static int64_t read_placement(struct sim_replay *r, uint64_t ticket)
{
	int64_t n =
		libra_engine_placement(r->engine, ticket, r->ranges, r->cap);
	struct libra_range *more;

	if (n <= (int64_t)r->cap)
		return n;
	more = realloc(r->ranges, (size_t)n * sizeof(*more));
	if (!more)
		return -1;
	r->ranges = more;
	r->cap = (size_t)n;
	return libra_engine_placement(r->engine, ticket, r->ranges, r->cap);
}

static void ranges_text(const struct libra_range *ranges, size_t n,
			char out[SIM_REPLAY_VALUE_SIZE])
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < n && at < SIM_REPLAY_VALUE_SIZE; i++)
		at += (size_t)snprintf(out + at, SIM_REPLAY_VALUE_SIZE - at,
				       "[%u,%u]", ranges[i].first,
				       ranges[i].count);
}

void replay_same_placement(struct replay_line *l, uint64_t ticket)
{
	const json_t *list = replay_array(l, l->json, "placement");
	size_t n = json_array_size(list);
	struct libra_range *logged = calloc(n + 1, sizeof(*logged));
	int64_t got = read_placement(l->r, ticket);
	char a[SIM_REPLAY_VALUE_SIZE], b[SIM_REPLAY_VALUE_SIZE];

	if (!logged) {
		replay_spoil(l, ENOMEM, "out of memory");
		return;
	}
	for (size_t i = 0; i < n; i++)
		logged[i] =
			replay_range(l, json_array_get(list, i), "placement");
	if (!l->bad &&
	    (got != (int64_t)n ||
	     (n && memcmp(logged, l->r->ranges, n * sizeof(*logged)) != 0))) {
		ranges_text(logged, n, a);
		ranges_text(l->r->ranges, got > 0 ? (size_t)got : 0, b);
		replay_differ(l, "placement", a, b);
	}
	free(logged);
}

void replay_same_verdict(struct replay_line *l, const struct libra_verdict *v)
{
	replay_same_text(l, "answer", libra_answer_name(v->answer));
	replay_same_text(l, "reason", libra_reason_name(v->reason));
	replay_same_whole(l, "ticket", v->ticket);
	replay_same_number(l, "share", v->share);
}
