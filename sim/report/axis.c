/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * axis.c - steps that people count in, and their names.
 *
 * The step is the least of a list (seconds to days, then months and years) that
 * gives at most as many ticks as the caller wants.
 */
#include "sim/report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
				     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Steps below a day, then days; weeks begin with a Monday. */
static const int steps[] = {
	1,
	2,
	5,
	10,
	15,
	30,
	MINUTE_S,
	2 * MINUTE_S,
	5 * MINUTE_S,
	10 * MINUTE_S,
	15 * MINUTE_S,
	30 * MINUTE_S,
	HOUR_S,
	2 * HOUR_S,
	3 * HOUR_S,
	6 * HOUR_S,
	12 * HOUR_S,
	DAY_S,
};
const struct plot_tick axis_minutes[AXIS_MINUTES] = {
	{1.0 / 60, "1 s"}, {1.0 / 6, "10 s"},	{1, "1 min"},
	{10, "10 min"},	   {60, "1 h"},		{600, "10 h"},
	{1440 * 3, "3 d"}, {1440 * 30, "30 d"}, {1440 * 365, "1 year"}};

enum { NSTEPS = sizeof(steps) / sizeof(steps[0]) };

static void add_tick(struct axis *a, double at, const char *name)
{
	if (a->n == AXIS_TICKS)
		return;
	snprintf(a->names[a->n], AXIS_NAME_SIZE, "%s", name);
	a->ticks[a->n] = (struct plot_tick){at, a->names[a->n]};
	a->n++;
}

/* The smallest of 1, 2, 5, 10, ... that leaves at most so many steps. */
static double round_step(double span, size_t at_most)
{
	static const double parts[] = {1, 2, 5};
	double power = 1;

	for (int i = 0; i < 3 * 15; i++) {
		double step = power * parts[i % 3];

		if (span / step <= (double)at_most)
			return step;
		if (i % 3 == 2)
			power *= 10;
	}
	return span;
}

/* ---- dates ---- */

/* Convert an instant to a date in UTC.  Result: false if out of range. */
static bool date_of(const struct axis_time *t, double at_s, struct tm *tm)
{
	double unix_s = floor(at_s + t->unix_start);
	time_t when;

	if (!t->dated || !(fabs(unix_s) < 1e11))
		return false;
	when = (time_t)unix_s;
	return gmtime_r(&when, tm) != NULL;
}

/* Write the name of a tick: a time, or a day. */
static void name_date(char *text, size_t size, const struct tm *tm,
		      double step_s)
{
	if (step_s < MINUTE_S)
		snprintf(text, size, "%02d:%02d:%02d", tm->tm_hour, tm->tm_min,
			 tm->tm_sec);
	else if (step_s < DAY_S && (tm->tm_hour > 0 || tm->tm_min > 0))
		snprintf(text, size, "%02d:%02d", tm->tm_hour, tm->tm_min);
	else
		snprintf(text, size, "%d %s", tm->tm_mday, months[tm->tm_mon]);
}

/* Add ticks at multiples of a step of seconds, counted in UTC. */
static void add_dates(struct axis *a, const struct axis_time *t, double step_s)
{
	/* 5 January 1970 was a Monday. */
	double base =
		step_s == 7 * DAY_S || step_s == 14 * DAY_S ? 4 * DAY_S : 0;
	double at = ceil((t->from_s + t->unix_start - base) / step_s) * step_s +
		    base - t->unix_start;
	char name[AXIS_NAME_SIZE];
	struct tm tm;

	for (; at <= t->to_s && a->n < AXIS_TICKS; at += step_s)
		if (date_of(t, at, &tm)) {
			name_date(name, sizeof(name), &tm, step_s);
			add_tick(a, at, name);
		}
}

/* Add ticks at the first of each step months. */
static void add_months(struct axis *a, const struct axis_time *t, int step)
{
	char name[AXIS_NAME_SIZE];
	struct tm from;
	int month; /* since the year 0 */

	if (!date_of(t, t->from_s, &from))
		return;
	month = (1900 + from.tm_year) * 12 + from.tm_mon;
	for (month -= month % step; a->n < AXIS_TICKS; month += step) {
		struct tm tm = {.tm_year = month / 12 - 1900,
				.tm_mon = month % 12,
				.tm_mday = 1};
		double at = (double)timegm(&tm) - t->unix_start;

		if (at > t->to_s)
			break;
		if (at < t->from_s)
			continue;
		if (step < 12)
			snprintf(name, sizeof(name), "%s %d",
				 months[month % 12], month / 12);
		else
			snprintf(name, sizeof(name), "%d", month / 12);
		add_tick(a, at, name);
	}
}

/* Set ticks of a clock with dates.  Result: false if dates are out of range. */
static bool set_dates(struct axis *a, const struct axis_time *t, size_t at_most)
{
	static const int days[] = {1, 2, 7, 14}, mons[] = {1, 2, 3, 6, 12};
	double span_s = t->to_s - t->from_s, step_s = 0;
	int years;
	struct tm from, to;

	if (!date_of(t, t->from_s, &from) || !date_of(t, t->to_s, &to))
		return false;
	for (size_t i = 0; i + 1 < NSTEPS && step_s == 0; i++)
		if (span_s / steps[i] <= (double)at_most)
			step_s = steps[i];
	for (size_t i = 0; i < 4 && step_s == 0; i++)
		if (span_s / DAY_S / days[i] <= (double)at_most)
			step_s = (double)days[i] * DAY_S;
	if (step_s > 0) {
		snprintf(a->title, sizeof(a->title), "%s (UTC), from %d %s %d",
			 step_s < DAY_S ? "time" : "day", from.tm_mday,
			 months[from.tm_mon], 1900 + from.tm_year);
		add_dates(a, t, step_s);
		return true;
	}
	for (size_t i = 0; i < 5; i++)
		if (span_s / (30.5 * DAY_S) / mons[i] <= (double)at_most) {
			snprintf(a->title, sizeof(a->title), "%s",
				 mons[i] < 12 ? "month" : "year");
			add_months(a, t, mons[i]);
			return true;
		}
	years = (int)round_step(span_s / (365.25 * DAY_S), at_most);
	snprintf(a->title, sizeof(a->title), "year");
	add_months(a, t, 12 * years);
	return true;
}

/* ---- a clock without dates ---- */

/* Set ticks of a clock without dates, in the largest unit that fits. */
static void set_clock(struct axis *a, const struct axis_time *t, size_t at_most)
{
	double span_s = t->to_s - t->from_s;
	double step_s = round_step(span_s / DAY_S, at_most) * DAY_S;
	double unit_s;
	char name[AXIS_NAME_SIZE];

	for (size_t i = NSTEPS; i-- > 0;)
		if (span_s / steps[i] <= (double)at_most)
			step_s = steps[i];
	unit_s = step_s >= DAY_S      ? DAY_S
		 : step_s >= HOUR_S   ? HOUR_S
		 : step_s >= MINUTE_S ? MINUTE_S
				      : 1;
	snprintf(a->title, sizeof(a->title), "%s since the log began",
		 unit_s == DAY_S      ? "days"
		 : unit_s == HOUR_S   ? "hours"
		 : unit_s == MINUTE_S ? "minutes"
				      : "seconds");
	for (double at = ceil(t->from_s / step_s) * step_s;
	     at <= t->to_s && a->n < AXIS_TICKS; at += step_s) {
		snprintf(name, sizeof(name), "%.0f", at / unit_s);
		add_tick(a, at, name);
	}
}

void axis_of_time(struct axis *axis, const struct axis_time *time,
		  size_t at_most)
{
	axis->n = 0;
	axis->title[0] = '\0';
	if (!set_dates(axis, time, at_most))
		set_clock(axis, time, at_most);
}

void axis_of_days(struct axis *axis, const struct axis_time *time,
		  size_t at_most)
{
	axis_of_time(axis, time, at_most);
	for (size_t i = 0; i < axis->n; i++)
		axis->ticks[i].at = (axis->ticks[i].at - time->from_s) / DAY_S;
}

void axis_of_numbers(struct axis *axis, double max, size_t at_most)
{
	double step = round_step(max, at_most);
	char name[AXIS_NAME_SIZE];

	axis->n = 0;
	axis->title[0] = '\0';
	for (double at = 0; at <= max && axis->n < AXIS_TICKS; at += step) {
		snprintf(name, sizeof(name), "%.0f", at);
		add_tick(axis, at, name);
	}
}

/* ---- texts ---- */

void axis_instant(char *text, size_t size, const struct axis_time *time,
		  double at_s)
{
	struct tm tm;
	size_t used;

	if (date_of(time, at_s, &tm))
		snprintf(text, size, "%d-%02d-%02d %02d:%02d:%02d",
			 1900 + tm.tm_year, tm.tm_mon + 1, tm.tm_mday,
			 tm.tm_hour, tm.tm_min, tm.tm_sec);
	else {
		axis_duration(text, size, at_s);
		used = strlen(text);
		snprintf(text + used, size - used, " after the log began");
	}
}

void axis_duration(char *text, size_t size, double seconds)
{
	double s = round(fmax(seconds, 0));

	if (s < 2 * MINUTE_S)
		snprintf(text, size, "%.0f s", s);
	else if (s < 2 * HOUR_S)
		snprintf(text, size, "%.0f min", s / MINUTE_S);
	else if (s < 2 * DAY_S)
		snprintf(text, size, "%.0f h %.0f min", floor(s / HOUR_S),
			 floor(fmod(s, HOUR_S) / MINUTE_S));
	else
		snprintf(text, size, "%.0f d %.0f h", floor(s / DAY_S),
			 floor(fmod(s, DAY_S) / HOUR_S));
}
