/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * axis.h - round numbers and round instants for the axes of pictures.
 *
 * For the pages and plots of sim/site.  Nothing is allocated
 * and nothing fails: an axis has at most AXIS_TICKS ticks.
 */
#ifndef SIM_AXIS_H
#define SIM_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/report/plot.h"

enum { AXIS_TICKS = 24, AXIS_NAME_SIZE = 24 };

/* The caller owns an axis and must not copy or move it, because the ticks point
 * into it.
 */
struct axis {
	struct plot_tick ticks[AXIS_TICKS];
	char names[AXIS_TICKS][AXIS_NAME_SIZE];
	size_t n; /* ticks */
	char title[64];
};

/* Instants of a clock, in seconds. */
struct axis_time {
	double from_s, to_s;
	bool dated;	   /* the clock has dates */
	double unix_start; /* dated: the clock's 0, in seconds since 1970 */
};

/* Set ticks at round instants between from_s and to_s, both included: seconds
 * to days, and for dates months and years too.  `at` is on the given clock.
 * Names of dates are in UTC.  The title has the unit, and the date of from_s
 * where the names leave out the year.
 */
void axis_of_time(struct axis *axis, const struct axis_time *time,
		  size_t at_most);

/* Set the same ticks, with `at` in days after from_s. */
void axis_of_days(struct axis *axis, const struct axis_time *time,
		  size_t at_most);

/* Ticks of a logarithmic axis of minutes: from a second to a year. */
enum { AXIS_MINUTES = 9 };
extern const struct plot_tick axis_minutes[AXIS_MINUTES];

/* Set at most at_most ticks at round whole numbers from 0 to max, both
 * included. */
void axis_of_numbers(struct axis *axis, double max, size_t at_most);

/* Write an instant as a person does: a date with the time, or how long after
 * the start of a log without dates.
 */
void axis_instant(char *text, size_t size, const struct axis_time *time,
		  double at_s);

/* Write a duration as a person does: "40 s", "20 min", "2 h 5 min", "3 d 4 h".
 */
void axis_duration(char *text, size_t size, double seconds);

#endif
