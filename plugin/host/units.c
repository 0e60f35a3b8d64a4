/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.c - see units.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>

#include "plugin/host/compat.h"
#include "plugin/host/units.h"

/* More tasks than Slurm's MaxArraySize can ever be. */
#define MAX_TASKS 4000001u

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

	/* Nobody's estimate is half a year, or one and a half. */
	if (limit != INFINITE || base == INFINITE || asked < base / 2 ||
	    asked > base + base / 2)
		return NAN;
	return 60.0 * asked - 60.0 * base;
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

/* A whole number at *s, which moves on behind it. */
static bool read_number(const char **s, uint32_t *n)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	v = strtoul(*s, &end, 10);
	if (v >= MAX_TASKS)
		return false;
	*n = (uint32_t)v;
	*s = end;
	return true;
}

/* The indices of an array expression, each but once. */
struct indices {
	uint8_t *seen; /* a bit for each up to highest; NULL = do not look */
	uint32_t highest, tasks;
};

static void take_index(struct indices *to, uint32_t index)
{
	uint8_t bit = (uint8_t)(1u << index % 8);

	if (to->highest < index)
		to->highest = index;
	if (!to->seen || to->seen[index / 8] & bit)
		return;
	to->seen[index / 8] |= bit;
	to->tasks++;
}

/* One part of an array expression: N, N-M or N-M:STEP. */
static bool read_part(const char **s, struct indices *to)
{
	uint32_t first, last, step = 1;

	if (!read_number(s, &first))
		return false;
	last = first;
	if (**s == '-') {
		++*s;
		if (!read_number(s, &last) || last < first)
			return false;
		if (**s == ':') {
			++*s;
			if (!read_number(s, &step) || step == 0)
				return false;
		}
	}
	if (to->seen)
		for (uint32_t i = first; i <= last; i += step)
			take_index(to, i);
	else
		take_index(to, last);
	return true;
}

static bool read_array(const char *expr, struct indices *to, bool *limited)
{
	*limited = false;
	if (!expr)
		return false;
	for (;;) {
		while (*expr == '[')
			expr++;
		if (!read_part(&expr, to))
			return false;
		while (*expr == ']')
			expr++;
		if (*expr != ',')
			break;
		expr++;
	}
	*limited = *expr == '%';
	return *expr == '\0' || *limited;
}

uint32_t libra_host_array_tasks(const char *expr, bool *limited)
{
	struct indices to = {0};

	if (!read_array(expr, &to, limited))
		return 0;
	to.seen = calloc(to.highest / 8 + 1, 1);
	if (!to.seen)
		return 0;
	read_array(expr, &to, limited);
	free(to.seen);
	return to.tasks;
}

uint32_t libra_host_array_last(const char *expr)
{
	struct indices to = {0};
	bool limited;

	read_array(expr, &to, &limited);
	return to.highest;
}

/* An entry without a number is one; so is what is no number. */
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
