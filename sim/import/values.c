/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.c - parse instants, durations, memory, TRES, job ids and states.
 *
 * Parsers take the text from p up to end and return the character behind what
 * they read, or NULL.  Converting local times by mktime() is slow, so the clock
 * keeps the quarter hours that it has converted.
 */
#include "sim/import/values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/memory.h"

struct import_text import_trimmed(struct import_text t)
{
	while (t.n > 0 && isspace((unsigned char)t.at[0])) {
		t.at++;
		t.n--;
	}
	while (t.n > 0 && isspace((unsigned char)t.at[t.n - 1]))
		t.n--;
	return t;
}

bool import_is(struct import_text t, const char *word)
{
	return strlen(word) == t.n && strncasecmp(t.at, word, t.n) == 0;
}

/* Return true for empty text and the words that mean no value. */
static bool says_nothing(struct import_text t)
{
	static const char *const words[] = {"Unknown", "None", "N/A", "(null)",
					    "null"};

	if (t.n == 0)
		return true;
	if (isdigit((unsigned char)t.at[0]))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (import_is(t, words[i]))
			return true;
	return false;
}

static bool is_digit(const char *p, const char *end)
{
	return p < end && (unsigned char)(*p - '0') <= 9;
}

/* Parse at most 15 digits.  Result: the character after them, or NULL. */
static const char *read_digits(const char *p, const char *end, int64_t *n)
{
	const char *begin = p;

	for (*n = 0; is_digit(p, end) && p - begin <= 15; p++)
		*n = *n * 10 + (*p - '0');
	return p > begin && p - begin <= 15 ? p : NULL;
}

/* ---- instants ---- */

/* The C library silently takes an unknown zone for UTC. */
static bool is_zone(const char *zone)
{
	const char *folder = getenv("TZDIR");
	char path[PATH_MAX];

	if (strpbrk(zone, "0123456789<"))
		return isalpha((unsigned char)zone[0]) || zone[0] == '<';
	if (strstr(zone, "..") || zone[0] == '/' || zone[0] == '\0')
		return false;
	snprintf(path, sizeof(path), "%s/%s",
		 folder ? folder : "/usr/share/zoneinfo", zone);
	return strcmp(zone, "UTC") == 0 || access(path, R_OK) == 0;
}

int import_clock_init(struct import_clock *clock, const char *zone,
		      struct libra_error *err)
{
	memset(clock, 0, sizeof(*clock));
	if (!zone)
		return 0;
	if (!is_zone(zone))
		return libra_errf(err, EINVAL,
				  "there is no time zone '%s': give one like "
				  "Europe/Paris or UTC",
				  zone);
	if (setenv("TZ", zone, 1) < 0)
		return sim_no_memory(err);
	tzset();
	clock->zoned = true;
	return 0;
}

/* Count days since 1970-01-01; years begin in March, to end with leap days. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 1 - 719468;
}

struct moment {
	int64_t year, month, day, hour, minute, second;
};

static int64_t utc_of(const struct moment *m)
{
	return days_of(m->year, m->month, m->day) * 86400 + m->hour * 3600 +
	       m->minute * 60 + m->second;
}

/* Does a local time come again when summer time ends?  Then the clock shows it
 * an hour, in places half an hour, before or after as well.  mktime() with the
 * other tm_isdst would search years for summer time where there is none.
 */
static bool is_twice(const struct tm *tm, time_t first, time_t *earlier)
{
	static const time_t shifts[] = {-3600, 3600, -1800, 1800};
	struct tm shown;

	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		time_t at = first + shifts[i];

		if (localtime_r(&at, &shown) && shown.tm_hour == tm->tm_hour &&
		    shown.tm_min == tm->tm_min &&
		    shown.tm_mday == tm->tm_mday) {
			*earlier = at < first ? at : first;
			return true;
		}
	}
	return false;
}

/* Return the instant of a local time; the cache has quarter hours. */
static int64_t local_of(struct import_clock *clock, const struct moment *m,
			bool *twice)
{
	int64_t quarter =
		(((m->year * 12 + m->month - 1) * 31 + m->day - 1) * 24 +
		 m->hour) *
			4 +
		m->minute / 15;
	size_t place = (size_t)quarter % IMPORT_CLOCK_PLACES;
	int64_t rest = m->minute % 15 * 60 + m->second;

	if (clock->place[place].quarter != quarter) {
		struct tm tm = {
			.tm_year = (int)m->year - 1900,
			.tm_mon = (int)m->month - 1,
			.tm_mday = (int)m->day,
			.tm_hour = (int)m->hour,
			.tm_min = (int)(m->minute / 15 * 15),
			.tm_isdst = -1,
		};
		time_t at = mktime(&tm), earlier = at;

		clock->place[place].twice = is_twice(&tm, at, &earlier);
		clock->place[place].at_s =
			clock->place[place].twice ? earlier : at;
		clock->place[place].quarter = quarter;
	}
	*twice = clock->place[place].twice;
	return clock->place[place].at_s + rest;
}

/* Parse a mark and two digits.  Result: the character after them, or NULL. */
static const char *read_two(const char *p, const char *end, char mark,
			    int64_t *n)
{
	if (mark && (p >= end || *p++ != mark))
		return NULL;
	if (end - p < 2 || !is_digit(p, end) || !is_digit(p + 1, end))
		return NULL;
	*n = (p[0] - '0') * 10 + (p[1] - '0');
	return p + 2;
}

/* Parse Z, +HHMM or +HH:MM.  Result: whether the text ends there. */
static bool read_offset(const char *p, const char *end, int64_t *offset_s)
{
	int64_t hours = 0, minutes = 0;
	int sign = *p == '-' ? -1 : 1;

	*offset_s = 0;
	if (end - p == 1 && (*p == 'Z' || *p == 'z'))
		return true;
	if (*p != '+' && *p != '-')
		return false;
	p = read_two(p + 1, end, 0, &hours);
	if (p && p < end)
		p = read_two(p, end, *p == ':' ? ':' : 0, &minutes);
	*offset_s = sign * (hours * 3600 + minutes * 60);
	return p == end;
}

/* Read HH:MM or HH:MM:SS after a date. */
static const char *read_clock(const char *p, const char *end, struct moment *m)
{
	p = read_two(p + 1, end, 0, &m->hour);
	p = p ? read_two(p, end, ':', &m->minute) : NULL;
	if (p && p < end && *p == ':')
		p = read_two(p, end, ':', &m->second);
	if (p && p < end && *p == '.') /* fractions of a second */
		for (p++; is_digit(p, end);)
			p++;
	return p;
}

/* Read a date with an optional time and zone. */
static enum import_read read_date(struct import_clock *clock, const char *p,
				  const char *end, int64_t *at_s, bool *twice)
{
	struct moment m = {0};
	int64_t offset_s;

	p = read_digits(p, end, &m.year);
	p = p ? read_two(p, end, '-', &m.month) : NULL;
	p = p ? read_two(p, end, '-', &m.day) : NULL;
	if (p && p < end && (*p == 'T' || *p == ' '))
		p = read_clock(p, end, &m);
	if (!p || m.month < 1 || m.month > 12 || m.day < 1 || m.day > 31 ||
	    m.hour > 24 || m.minute > 59 || m.second > 60 || m.year < 1970 ||
	    m.year > 9999)
		return IMPORT_BAD;
	if (p < end) {
		if (!read_offset(p, end, &offset_s))
			return IMPORT_BAD;
		*at_s = utc_of(&m) - offset_s;
		return IMPORT_OK;
	}
	if (!clock->zoned)
		return IMPORT_LOCAL;
	*at_s = local_of(clock, &m, twice);
	return IMPORT_OK;
}

enum import_read import_time(struct import_clock *clock, struct import_text t,
			     int64_t *at_s, bool *twice)
{
	const char *end, *behind;

	*twice = false;
	if (says_nothing(t))
		return IMPORT_NONE;
	end = t.at + t.n;
	behind = read_digits(t.at, end, at_s);
	if (behind && behind < end && *behind == '.') /* 1700000000.5 */
		for (behind++; is_digit(behind, end);)
			behind++;
	if (behind == end)
		return *at_s > 0 ? IMPORT_OK : IMPORT_NONE;
	return read_date(clock, t.at, end, at_s, twice);
}

/* ---- durations, limits ---- */

/* Read [D-]HH:MM:SS with fewer parts, too, as seconds. */
static enum import_read read_parts(const char *p, const char *end, double *s)
{
	int64_t n, days = 0, parts = 0;
	double sum = 0;
	bool days_given;

	p = read_digits(p, end, &n);
	days_given = p && p < end && *p == '-';
	if (days_given) {
		days = n;
		p = read_digits(p + 1, end, &n);
	}
	for (; p; p = read_digits(p + 1, end, &n)) {
		sum = sum * 60 + (double)n;
		parts++;
		if (p == end || *p != ':')
			break;
	}
	if (!p || parts > 3)
		return IMPORT_BAD;
	/* After days come hours: 1-12, 1-12:30. */
	for (; days_given && parts < 3; parts++)
		sum *= 60;
	if (p < end && *p == '.') {
		double unit = 1;

		for (p++; is_digit(p, end); p++)
			sum += (*p - '0') * (unit /= 10);
	}
	*s = (double)days * 86400 + sum;
	return p == end ? IMPORT_OK : IMPORT_BAD;
}

enum import_read import_duration(struct import_text t, double *s)
{
	bool negative = t.n > 0 && t.at[0] == '-';
	enum import_read read;

	if (says_nothing(t))
		return IMPORT_NONE;
	read = read_parts(t.at + negative, t.at + t.n, s);
	if (read == IMPORT_OK && negative)
		*s = -*s;
	return read;
}

enum import_read import_limit(struct import_text t, double unit_s, double *s)
{
	int64_t n;

	if (says_nothing(t))
		return IMPORT_NONE;
	if (import_is(t, "UNLIMITED") || import_is(t, "INFINITE"))
		return IMPORT_UNLIMITED;
	if (import_is(t, "Partition_Limit"))
		return IMPORT_PARTITION;
	if (read_digits(t.at, t.at + t.n, &n) == t.at + t.n) {
		*s = (double)n * unit_s;
		return n > 0 ? IMPORT_OK : IMPORT_NONE;
	}
	return read_parts(t.at, t.at + t.n, s);
}

/* ---- counts, memory, TRES ---- */

/* Parse a number with K, M, G, T or P, each 1024 times the one before, of bytes
 * as of processors: Slurm prints both so.
 */
static const char *read_scaled(const char *p, const char *end, double *value)
{
	static const char units[] = "KMGTP";
	const char *unit;
	int64_t whole;

	p = read_digits(p, end, &whole);
	if (!p)
		return NULL;
	*value = (double)whole;
	if (p < end && *p == '.') {
		double part = 1;

		for (p++; is_digit(p, end); p++)
			*value += (*p - '0') * (part /= 10);
	}
	unit = p < end && *p ? strchr(units, toupper((unsigned char)*p)) : NULL;
	if (unit) {
		*value = ldexp(*value, 10 * (int)(unit - units + 1));
		p++;
	}
	return p;
}

enum import_read import_count(struct import_text t, int64_t *n)
{
	double value;

	if (says_nothing(t))
		return IMPORT_NONE;
	if (read_digits(t.at, t.at + t.n, n) == t.at + t.n)
		return IMPORT_OK;
	if (read_scaled(t.at, t.at + t.n, &value) != t.at + t.n ||
	    !(value < 0x1p63))
		return IMPORT_BAD;
	*n = (int64_t)value;
	return IMPORT_OK;
}

enum import_read import_memory(struct import_text t, double *mb, char *per)
{
	const char *end, *p;
	bool scaled;

	*per = 0;
	if (says_nothing(t) || import_is(t, "?"))
		return IMPORT_NONE;
	end = t.at + t.n;
	if (t.n > 1 && (end[-1] == 'n' || end[-1] == 'c'))
		*per = *--end;
	p = read_scaled(t.at, end, mb);
	if (p != end || p == t.at)
		return IMPORT_BAD;
	scaled = isalpha((unsigned char)p[-1]);
	if (scaled) /* bytes, of which a plain number has megabytes */
		*mb = ldexp(*mb, -20);
	return IMPORT_OK;
}

static bool begins(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

/* Parse one name=value.  Result: whether it is well-formed. */
static bool read_tres(const char *p, const char *end, struct import_tres *tres,
		      int64_t *typed)
{
	const char *equals = memchr(p, '=', (size_t)(end - p));
	struct import_text value;
	int64_t n = 0;
	char per;

	if (!equals)
		return false;
	value = (struct import_text){equals + 1, (size_t)(end - equals - 1)};
	if (begins(p, end, "mem="))
		return import_memory(value, &tres->mem_mb, &per) != IMPORT_BAD;
	if (!begins(p, end, "cpu=") && !begins(p, end, "node=") &&
	    !begins(p, end, "gres/gpu"))
		return true;
	if (import_count(value, &n) == IMPORT_BAD)
		return false;
	if (p[0] == 'c')
		tres->cpus = n;
	else if (p[0] == 'n')
		tres->nodes = n;
	else if (equals - p == 8)
		tres->gpus = n;
	else if (p[8] == ':')
		*typed += n;
	return true;
}

enum import_read import_tres(struct import_text t, struct import_tres *tres)
{
	const char *p = t.at, *end;
	int64_t typed = 0;

	*tres = (struct import_tres){0};
	if (says_nothing(t))
		return IMPORT_NONE;
	end = t.at + t.n;
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;

		if (stop > p && !read_tres(p, stop, tres, &typed))
			return IMPORT_BAD;
		p = stop + 1;
	}
	if (tres->gpus == 0)
		tres->gpus = typed;
	return IMPORT_OK;
}

/* ---- jobs ---- */

enum import_read import_job_id(struct import_text t, struct import_id *id)
{
	const char *end, *p;

	id->kind = IMPORT_JOB;
	id->part = 0;
	if (t.n == 0)
		return IMPORT_NONE;
	end = t.at + t.n;
	p = read_digits(t.at, end, &id->number);
	if (!p)
		return IMPORT_BAD;
	if (end - p > 1 && *p == '_' && p[1] == '[') {
		id->kind = IMPORT_TASKS;
		return IMPORT_OK;
	}
	if (p < end && (*p == '_' || *p == '+')) {
		id->kind = *p == '_' ? IMPORT_TASK : IMPORT_HET;
		p = read_digits(p + 1, end, &id->part);
		if (!p)
			return IMPORT_BAD;
	}
	if (p < end && *p == '.')
		id->kind = IMPORT_STEP;
	else if (p < end)
		return IMPORT_BAD;
	return IMPORT_OK;
}

static const char *const states[IMPORT_NSTATES] = {
	[IMPORT_STATE_OTHER] = "OTHER",
	[IMPORT_PENDING] = "PENDING",
	[IMPORT_RUNNING] = "RUNNING",
	[IMPORT_SUSPENDED] = "SUSPENDED",
	[IMPORT_COMPLETED] = "COMPLETED",
	[IMPORT_CANCELLED] = "CANCELLED",
	[IMPORT_FAILED] = "FAILED",
	[IMPORT_TIMEOUT] = "TIMEOUT",
	[IMPORT_NODE_FAIL] = "NODE_FAIL",
	[IMPORT_PREEMPTED] = "PREEMPTED",
	[IMPORT_BOOT_FAIL] = "BOOT_FAIL",
	[IMPORT_DEADLINE] = "DEADLINE",
	[IMPORT_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
	[IMPORT_REQUEUED] = "REQUEUED",
	[IMPORT_RESIZING] = "RESIZING",
	[IMPORT_REVOKED] = "REVOKED",
};

/* States with another name here. */
static const struct {
	const char *name;
	enum import_state state;
} other_names[] = {
	{"LAUNCH_FAILED", IMPORT_FAILED},
	{"RECONFIG_FAIL", IMPORT_NODE_FAIL},
	{"STOPPED", IMPORT_FAILED},
	{"COMPLETING", IMPORT_COMPLETED},
};

/* sacct without -P cuts long words, and ends them with a plus: OUT_OF_ME+. */
static bool is_word(struct import_text t, const char *word)
{
	size_t n = t.n - 1;

	if (t.n < 4 || t.at[n] != '+')
		return import_is(t, word);
	return n <= strlen(word) && memcmp(t.at, word, n) == 0;
}

enum import_state import_state(struct import_text t)
{
	const char *space = memchr(t.at, ' ', t.n);

	if (space)
		t.n = (size_t)(space - t.at);
	for (int i = IMPORT_PENDING; i < IMPORT_NSTATES; i++)
		if (is_word(t, states[i]))
			return (enum import_state)i;
	for (size_t i = 0; i < sizeof(other_names) / sizeof(*other_names); i++)
		if (is_word(t, other_names[i].name))
			return other_names[i].state;
	return IMPORT_STATE_OTHER;
}

const char *import_state_name(enum import_state state)
{
	return states[state];
}

/* Parse the number after a word of the promise. */
static bool promise_value(struct import_text t, const char *word, double *s)
{
	const char *at = memmem(t.at, t.n, word, strlen(word));
	char number[32] = "", *end;
	size_t n;

	if (!at)
		return false;
	at += strlen(word);
	n = (size_t)(t.at + t.n - at);
	memcpy(number, at, n < sizeof(number) - 1 ? n : sizeof(number) - 1);
	*s = strtod(number, &end);
	return end > number && isfinite(*s) && *s > 0;
}

enum import_read import_promise(struct import_text t, double *estimate_s)
{
	if (t.n < 7 || !begins(t.at, t.at + t.n, "libra:"))
		return IMPORT_NONE;
	if (promise_value(t, " own=", estimate_s) ||
	    promise_value(t, " estimate=", estimate_s))
		return IMPORT_OK;
	return IMPORT_NONE;
}
