/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - judging tables of claims, and showing them.
 *
 * Texts are appended to the arrays of struct claim_result.  A text that does
 * not fit is cut between words and between characters of UTF-8.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/claims.h"

void claims_judge(const struct claim *claims, size_t n, const void *study,
		  struct claim_result *results)
{
	for (size_t i = 0; i < n; i++) {
		memset(&results[i], 0, sizeof(results[i]));
		claims[i].check(&claims[i], study, &results[i]);
	}
}

size_t claims_count(const struct claim_result *results, size_t n,
		    enum claim_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += results[i].status == status;
	return count;
}

const char *claim_status_name(enum claim_status status)
{
	switch (status) {
	case CLAIM_PASS:
		return "pass";
	case CLAIM_FAIL:
		return "fail";
	case CLAIM_INFO:
		return "info";
	}
	return "unknown";
}

void claims_json(struct out_json *j, const char *key,
		 const struct claim *claims, const struct claim_result *results,
		 size_t n)
{
	char expected[CLAIM_EXPECTED_SIZE];

	out_json_array(j, key);
	for (size_t i = 0; i < n; i++) {
		out_json_object(j, NULL);
		out_json_text(j, "id", claims[i].id);
		out_json_text(j, "where", claims[i].where);
		out_json_text(j, "claim", claims[i].text);
		out_json_text(j, "setting", claims[i].setting);
		out_json_text(j, "expected",
			      claim_expected(&claims[i], expected));
		out_json_text(j, "measured", results[i].measured);
		out_json_text(j, "status",
			      claim_status_name(results[i].status));
		if (results[i].note[0])
			out_json_text(j, "note", results[i].note);
		out_json_end(j);
	}
	out_json_end(j);
}

/* Print text in lines of at most 79 columns. */
static void print_wrapped(FILE *fp, const char *indent, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column == 0 || column + 1 + len > 79) {
			fprintf(fp, "%s%s", column ? "\n" : "", indent);
			column = strlen(indent);
		} else {
			putc(' ', fp);
			column++;
		}
		fprintf(fp, "%.*s", (int)len, text);
		column += len;
		text += len + strspn(text + len, " ");
	}
	putc('\n', fp);
}

void claims_print(FILE *fp, const struct claim *claims,
		  const struct claim_result *results, size_t n)
{
	fprintf(fp,
		"Claims: %zu pass, %zu fail, %zu for "
		"information\n",
		claims_count(results, n, CLAIM_PASS),
		claims_count(results, n, CLAIM_FAIL),
		claims_count(results, n, CLAIM_INFO));
	for (size_t i = 0; i < n; i++) {
		if (results[i].status != CLAIM_FAIL)
			continue;
		fprintf(fp, "  %-4s %s\n", claims[i].id, claims[i].text);
		print_wrapped(fp, "       ",
			      results[i].note[0] ? results[i].note
						 : results[i].measured);
	}
}

/* Append a formatted text, cut if it does not fit. */
static void append(char *buf, size_t size, const char *fmt, va_list ap)
{
	size_t used = strlen(buf);
	int n = vsnprintf(buf + used, size - used, fmt, ap);

	if (n < 0 || (size_t)n < size - used)
		return;
	/* Cut before the last word that fits, between whole characters. */
	buf[size - 4] = '\0';
	for (char *p = buf + size - 5; p > buf + used; p--)
		if (*p == ' ') {
			*p = '\0';
			break;
		}
	used = strlen(buf);
	while (used > 0 && ((unsigned char)buf[used - 1] & 0x80))
		buf[--used] = '\0';
	strcat(buf, "...");
}

void claim_append(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append(buf, size, fmt, ap);
	va_end(ap);
}

void claim_verdict(struct claim_result *r, bool holds)
{
	r->status = holds ? CLAIM_PASS : CLAIM_FAIL;
}

bool claim_within(const struct claim_bound *bound, double value)
{
	return value >= bound->low && value <= bound->high;
}

static const char *unit_of(const struct claim *c)
{
	const char *unit = c->unit ? c->unit : c->bound[0].unit;

	return unit ? unit : "";
}

void claim_range(const struct claim *c, struct claim_result *r, double value)
{
	const struct claim_bound *b = &c->bound[0];
	const char *unit = unit_of(c);

	claim_measured(r, "%.*f%s%s", c->decimals, value, unit[0] ? " " : "",
		       unit);
	claim_verdict(r, claim_within(b, value));
	if (r->status == CLAIM_PASS)
		return;
	if (value < b->low)
		claim_note(r, "%.*f is below %.*f.", c->decimals, value,
			   c->decimals, b->low);
	else if (value > b->high)
		claim_note(r, "%.*f is above %.*f.", c->decimals, value,
			   c->decimals, b->high);
	else
		claim_note(r, "It could not be measured.");
}

void claim_log_range(const struct claim *c, struct claim_result *r,
		     bool synthetic, double value)
{
	claim_range(c, r, value);
	if (!synthetic)
		return;
	r->status = CLAIM_INFO;
	r->note[0] = '\0';
	claim_note(r, "Measured on the synthetic workload, which was made to "
		      "resemble the log: it says nothing about the log.");
}

void claim_formula(struct claim_result *r, bool holds)
{
	claim_verdict(r, holds);
	if (!holds)
		claim_note(r, "The program computes something else.");
}

void claim_parameter(struct claim_result *r, bool holds)
{
	r->status = CLAIM_INFO;
	claim_measured(r, holds ? ": as it should" : ": NOT as it should");
}

/* ---- what is expected ---- */

/* "< 18" for the last number below 18. */
static void say_side(char *buf, const char *than, const char *or_equal,
		     double value, double outward)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", value);
	if (fabs(value) <= DBL_MIN)
		strcpy(text, "0");
	claim_append(buf, CLAIM_EXPECTED_SIZE, "%s%s",
		     nextafter(value, outward) == strtod(text, NULL) ||
				     fabs(value) == DBL_MIN
			     ? than
			     : or_equal,
		     text);
}

/* Append a bound in words. */
static void say_bound(char *buf, const struct claim_bound *b)
{
	const char *unit = b->unit ? b->unit : "";

	if (b->what && b->what[0])
		claim_append(buf, CLAIM_EXPECTED_SIZE, "%s ", b->what);
	if (b->low == b->high)
		claim_append(buf, CLAIM_EXPECTED_SIZE, "%.10g", b->low);
	else if (b->low == -b->high && isfinite(b->low))
		claim_append(buf, CLAIM_EXPECTED_SIZE, "within %.6g", b->high);
	else if (isinf(b->high))
		say_side(buf, "> ", ">= ", b->low, -INFINITY);
	else if (isinf(b->low))
		say_side(buf, "< ", "<= ", b->high, INFINITY);
	else {
		claim_append(buf, CLAIM_EXPECTED_SIZE, "%s%.10g",
			     b->what && b->what[0] ? "from " : "", b->low);
		say_side(buf, " to below ", " to ", b->high, INFINITY);
	}
	/* "> 0" needs none. */
	if (unit[0] && !(isinf(b->high) && fabs(b->low) <= DBL_MIN) &&
	    !(isinf(b->low) && fabs(b->high) <= DBL_MIN))
		claim_append(buf, CLAIM_EXPECTED_SIZE, " %s", unit);
}

const char *claim_expected(const struct claim *c, char buf[CLAIM_EXPECTED_SIZE])
{
	buf[0] = '\0';
	for (size_t i = 0; i < CLAIM_NBOUNDS; i++) {
		if (!c->bound[i].what)
			continue;
		if (buf[0])
			claim_append(buf, CLAIM_EXPECTED_SIZE, "; ");
		say_bound(buf, &c->bound[i]);
	}
	if (c->also)
		claim_append(buf, CLAIM_EXPECTED_SIZE, "%s%s",
			     buf[0] ? "; " : "", c->also);
	return buf;
}

/* ---- many places ---- */

/* Store a value if it is the least or the greatest so far. */
static void keep_extremes(struct claim_scan *s, double value, const char *where)
{
	if (isnan(value))
		return;
	if (s->where_low[0] == '\0' || value < s->low) {
		s->low = value;
		strcpy(s->where_low, where);
	}
	if (s->where_high[0] == '\0' || value > s->high) {
		s->high = value;
		strcpy(s->where_high, where);
	}
}

void claim_scan_add(struct claim_scan *s, double value, double low, double high,
		    const char *where, ...)
{
	char place[96];
	va_list ap;

	va_start(ap, where);
	vsnprintf(place, sizeof(place), where, ap);
	va_end(ap);
	s->points++;
	keep_extremes(s, value, place);
	if (value >= low && value <= high)
		return;
	s->broken++;
	if (s->broken <= 5)
		claim_append(s->list, sizeof(s->list), "%s%s",
			     s->broken > 1 ? "; " : "", place);
}

void claim_scan_end(const struct claim *c, const struct claim_scan *s,
		    struct claim_result *r)
{
	const char *unit = unit_of(c), *space = unit[0] ? " " : "";
	int decimals = c->decimals;

	if (s->where_low[0] == '\0')
		claim_measured(r, "nothing to measure");
	else if (s->points == 1)
		claim_measured(r, "%+.*f%s%s", decimals, s->low, space, unit);
	else
		claim_measured(r, "%+.*f%s%s (%s) to %+.*f%s%s (%s)", decimals,
			       s->low, space, unit, s->where_low, decimals,
			       s->high, space, unit, s->where_high);
	claim_verdict(r, s->points > 0 && s->broken == 0);
	if (s->broken > 0)
		claim_note(r, "It does not hold in %zu of %zu places: %s%s.",
			   s->broken, s->points, s->list,
			   s->broken > 5 ? "; and more" : "");
}
