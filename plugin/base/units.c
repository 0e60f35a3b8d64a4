/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.c - see units.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slurm/slurm.h>

#include "plugin/base/compat.h"
#include "plugin/base/units.h"

/* Above all indices that MaxArraySize can permit. */
#define MAX_INDEX 4000001u

double libra_host_minutes_s(uint32_t minutes)
{
	if (minutes == NO_VAL)
		return NAN;
	if (minutes == INFINITE)
		return INFINITY;
	return 60.0 * minutes;
}

uint32_t libra_host_minutes(double duration_s)
{
	double minutes = ceil(duration_s / 60.0);

	if (!(minutes < (double)NO_VAL))
		return INFINITE;
	return minutes < 1.0 ? 1 : (uint32_t)minutes;
}

uint32_t libra_host_to_slurm(uint32_t minutes)
{
	return minutes == INFINITE ? LIBRA_LIFTED_MINUTES : minutes;
}

uint32_t libra_host_from_slurm(uint32_t minutes)
{
	return minutes == LIBRA_LIFTED_MINUTES ? INFINITE : minutes;
}

double libra_host_counted_s(uint32_t limit, uint32_t asked)
{
	uint32_t base = libra_host_to_slurm(limit);

	/* No user's estimate is as long as half a year to a year and a half. */
	if (limit != INFINITE || base == INFINITE || asked < base / 2 ||
	    asked > base + base / 2)
		return NAN;
	return 60.0 * asked - 60.0 * base;
}

void libra_host_duration_text(double duration_s, char text[32])
{
	static const struct {
		double s;
		const char *name;
	} units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
	double s = round(fabs(duration_s)), large, small;
	const char *sign = duration_s < 0 && s > 0 ? "-" : "";
	size_t i = 0;

	if (!(s < 1e12)) {
		strcpy(text, "none");
		return;
	}
	if (s <= 120) {
		snprintf(text, 32, "%s%.0f s", sign, s);
		return;
	}
	while (s < units[i].s)
		i++;
	s = round(s / units[i + 1].s) * units[i + 1].s;
	if (i > 0 && s >= units[i - 1].s)
		i--;
	large = floor(s / units[i].s);
	small = (s - large * units[i].s) / units[i + 1].s;
	if (small > 0)
		snprintf(text, 32, "%s%.0f %s %.0f %s", sign, large,
			 units[i].name, small, units[i + 1].name);
	else
		snprintf(text, 32, "%s%.0f %s", sign, large, units[i].name);
}

static bool local_time(double at_s, struct tm *tm)
{
	time_t t;

	if (!(fabs(at_s) < 1e11))
		return false;
	t = (time_t)ceil(at_s);
	return localtime_r(&t, tm) != NULL;
}

void libra_host_clock_text(double at_s, double now_s, double zone_s,
			   char text[32])
{
	struct tm at, like;
	bool today;
	long minutes;
	size_t n;

	if (!local_time(at_s, &at)) {
		strcpy(text, "none");
		return;
	}
	today = local_time(floor(now_s), &like) && like.tm_year == at.tm_year &&
		like.tm_yday == at.tm_yday;
	n = strftime(text, 32, today ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &at);
	if (local_time(zone_s, &like) && like.tm_gmtoff == at.tm_gmtoff)
		return;
	minutes = labs(at.tm_gmtoff) / 60;
	if (minutes == 0)
		snprintf(text + n, 32 - n, " UTC");
	else
		snprintf(text + n, 32 - n, " UTC%c%02ld:%02ld",
			 at.tm_gmtoff < 0 ? '-' : '+', minutes / 60 % 100,
			 minutes % 60);
}

void libra_host_past_text(double deadline_s, double now_s,
			  char text[LIBRA_PAST_TEXT])
{
	char deadline[32], now[32];

	libra_host_clock_text(deadline_s, now_s, NAN, deadline);
	libra_host_clock_text(now_s, now_s, deadline_s, now);
	snprintf(
		text, LIBRA_PAST_TEXT,
		"the deadline %s is in the past, as it is %s now: give a later "
		"--deadline",
		deadline, now);
}

double libra_host_instant_s(time_t t)
{
	return t > 0 ? (double)t : INFINITY;
}

uint32_t libra_host_count(uint32_t n)
{
	return n >= NO_VAL ? 0 : n;
}

uint32_t libra_host_count16(uint16_t n)
{
	return n >= NO_VAL16 ? 0 : n;
}

uint32_t libra_host_larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint32_t libra_host_times(uint32_t a, uint32_t b)
{
	uint64_t n = (uint64_t)a * b;

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

uint32_t libra_host_ceil(uint64_t n, uint64_t per)
{
	uint64_t up = n / per + (n % per != 0);

	return up < UINT32_MAX ? (uint32_t)up : UINT32_MAX;
}

/* Read a whole number at *s, and move *s behind it. */
static bool read_number(const char **s, uint32_t *n)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	v = strtoul(*s, &end, 10);
	if (v >= MAX_INDEX)
		return false;
	*n = (uint32_t)v;
	*s = end;
	return true;
}

/* One part of an array expression: N, N-M or N-M:STEP. */
struct array_part {
	uint32_t first, last, step;
};

static bool read_part(const char **s, struct array_part *part)
{
	part->step = 1;
	if (!read_number(s, &part->first))
		return false;
	part->last = part->first;
	if (**s != '-')
		return true;
	++*s;
	if (!read_number(s, &part->last) || part->last < part->first)
		return false;
	if (**s != ':')
		return true;
	++*s;
	return read_number(s, &part->step) && part->step > 0;
}

/* Read the part at *s and move *s to the next one, or to the end.
 * Result: false if it is no part.
 */
static bool next_part(const char **s, struct array_part *part)
{
	while (**s == '[')
		++*s;
	if (!read_part(s, part))
		return false;
	while (**s == ']')
		++*s;
	if (**s != ',')
		return **s == '\0' || **s == '%';
	++*s;
	return **s != '\0' && **s != '%';
}

/* Return the highest index; *sound: the whole text is valid. */
static uint32_t read_array(const char *s, bool *sound, bool *limited)
{
	struct array_part part;
	uint32_t highest = 0;

	do {
		*sound = next_part(&s, &part);
		if (*sound && highest < part.last)
			highest = part.last;
	} while (*sound && *s != '\0' && *s != '%');
	*limited = *s == '%';
	return highest;
}

/* Bits of a set of indices. */
enum { WORD = 64 };

static uint32_t mark_word(uint64_t *word, uint64_t bits)
{
	uint64_t fresh = bits & ~*word;

	*word |= bits;
	return (uint32_t)__builtin_popcountll(fresh);
}

/* Mark the indices of a part.  Result: the number of new ones. */
static uint32_t mark_part(uint64_t *seen, const struct array_part *part)
{
	uint32_t n = 0, i = part->first, end;

	while (i <= part->last && part->step > 1) {
		n += mark_word(&seen[i / WORD], UINT64_C(1) << i % WORD);
		i += part->step;
	}
	for (; i <= part->last && part->step == 1; i = end + 1) {
		end = i | (WORD - 1);
		if (end > part->last)
			end = part->last;
		n += mark_word(&seen[i / WORD],
			       UINT64_MAX >> (WORD - 1 - (end - i))
						     << i % WORD);
	}
	return n;
}

/* Count the indices; stop before a part with more than `most` is marked. */
static uint32_t count_indices(const char *s, uint64_t *seen, uint32_t most)
{
	struct array_part part;
	uint32_t n = 0;

	while (n <= most && *s != '\0' && *s != '%' && next_part(&s, &part)) {
		if ((part.last - part.first) / part.step >= most)
			return most + 1;
		n += mark_part(seen, &part);
	}
	return n <= most ? n : most + 1;
}

uint32_t libra_host_array_tasks(const char *expr, uint32_t most, bool *limited)
{
	uint64_t few[64] = {0}, *seen = few;
	uint32_t highest, n;
	bool sound;

	*limited = false;
	if (!expr)
		return 0;
	highest = read_array(expr, &sound, limited);
	if (!sound)
		return 0;
	if (highest >= WORD * (sizeof(few) / sizeof(*few)))
		seen = calloc(highest / WORD + 1, sizeof(*seen));
	if (!seen)
		return 0;
	n = count_indices(expr, seen, most);
	if (seen != few)
		free(seen);
	return n;
}

uint32_t libra_host_array_last(const char *expr)
{
	bool sound, limited;

	return read_array(expr, &sound, &limited);
}

/* ---- lists of nodes ---- */

static uint64_t product(uint64_t a, uint64_t b)
{
	return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* Count the names that "[0-7,12]" stands for, and move *s behind it. */
static uint64_t count_brackets(const char **s)
{
	uint64_t n = 0, first, last;

	do {
		++*s;
		last = first = strtoull(*s, (char **)s, 10);
		if (**s == '-') {
			++*s;
			last = strtoull(*s, (char **)s, 10);
		}
		if (last >= first && last - first < UINT32_MAX)
			n += last - first + 1;
		else
			n = UINT32_MAX;
		*s += strcspn(*s, ",]");
	} while (**s == ',' && n < UINT32_MAX);
	return n;
}

uint64_t libra_host_nodes_named(const char *list, uint64_t most)
{
	uint64_t all = 0, of_name = 1;

	for (;;) {
		list += strcspn(list, "[, \t\n");
		if (*list == '[') {
			of_name = product(of_name, count_brackets(&list));
			list += *list != '\0';
			continue;
		}
		all = of_name < most + 1 - all ? all + of_name : most + 1;
		if (*list == '\0' || all > most)
			break;
		of_name = 1;
		list++;
	}
	return all;
}

/* ---- generic resources ---- */

/* An entry without a number, or with an invalid one, requests one. */
static bool asks_for_some(const char *entry, size_t len)
{
	const char *count = memrchr(entry, ':', len);

	if (!memmem(entry, len, "gres", 4))
		return false;
	return !count || !isdigit((unsigned char)count[1]) ||
	       strtoull(count + 1, NULL, 10) > 0;
}

const char *libra_host_gres_asked(const char *list)
{
	size_t len;

	for (const char *at = list; at && *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		if (asks_for_some(at, len))
			return list;
	}
	return NULL;
}
