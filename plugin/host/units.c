/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.c - see units.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include <slurm/slurm.h>

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

/* One part of an array expression: N, N-M or N-M:STEP.  Result: tasks. */
static uint32_t read_part(const char **s, uint32_t *highest)
{
	uint32_t first, last, step = 1;

	if (!read_number(s, &first))
		return 0;
	last = first;
	if (**s == '-') {
		++*s;
		if (!read_number(s, &last) || last < first)
			return 0;
		if (**s == ':') {
			++*s;
			if (!read_number(s, &step) || step == 0)
				return 0;
		}
	}
	if (*highest < last)
		*highest = last;
	return (last - first) / step + 1;
}

static uint32_t read_array(const char *expr, uint32_t *highest, bool *limited)
{
	uint32_t part, tasks = 0;

	*highest = 0;
	*limited = false;
	if (!expr)
		return 0;
	for (;;) {
		while (*expr == '[')
			expr++;
		part = read_part(&expr, highest);
		if (part == 0)
			return 0;
		tasks += part;
		if (tasks >= MAX_TASKS)
			return 0;
		while (*expr == ']')
			expr++;
		if (*expr != ',')
			break;
		expr++;
	}
	*limited = *expr == '%';
	return *expr == '\0' || *limited ? tasks : 0;
}

uint32_t libra_host_array_tasks(const char *expr, bool *limited)
{
	uint32_t highest;

	return read_array(expr, &highest, limited);
}

uint32_t libra_host_array_last(const char *expr)
{
	uint32_t highest;
	bool limited;

	read_array(expr, &highest, &limited);
	return highest;
}
