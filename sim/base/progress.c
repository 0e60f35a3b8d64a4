/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - a progress bar on standard error.
 *
 * The bar is one line that is drawn again at most five times a second.  The
 * speed behind the time left weights the last quarter of the time most, because
 * work is not even.
 */
#include "sim/base/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WIDTH	40
#define QUIET_S 1.0 /* no bar for less work than that */
#define FRAME_S 0.2
#define MINUTE	60.0
#define HOUR	3600.0

/* Return the instant in seconds on the monotonic clock. */
static double clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_clear(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}

/* Work is not even: the last quarter of the time counts most. */
static void measure_speed(struct progress *p, double done, double now_s)
{
	double step_s = now_s - p->drawn_s;
	double weight = step_s / (step_s + (p->drawn_s - p->begin_s) / 4);

	p->speed += weight * ((done - p->drawn_done) / step_s - p->speed);
	p->drawn_s = now_s;
	p->drawn_done = done;
}

/* "3 min" */
static void write_time(char *text, size_t size, double s)
{
	if (s < MINUTE)
		snprintf(text, size, "%.0f s", ceil(s));
	else if (s < HOUR)
		snprintf(text, size, "%.0f min", ceil(s / MINUTE));
	else
		snprintf(text, size, "%.1f h", s / HOUR);
}

/* Draw the bar over the one drawn before: part, per cent, time left. */
static void draw(struct progress *p, double done, double total)
{
	double part = fmin(done / total, 1);
	char bar[WIDTH + 1], left[32] = "";

	memset(bar, '.', WIDTH);
	memset(bar, '#', (size_t)(WIDTH * part));
	bar[WIDTH] = '\0';
	if (p->speed > 0)
		write_time(left, sizeof(left), (total - done) / p->speed);
	fprintf(stderr, "\r[%s] %.0f %%%s%s%s\033[K", bar, floor(100 * part),
		left[0] ? ", " : "", left, left[0] ? " left" : "");
	fflush(stderr);
	p->drawn = true;
}

void progress_show(void *arg, double done, double total)
{
	struct progress *p = arg;
	double now_s;

	if (!(done < total)) {
		progress_clear(p);
		return;
	}
	now_s = clock_s();
	if (!p->begun) {
		p->begun = true;
		p->begin_s = p->drawn_s = now_s;
		p->drawn_done = done;
	}
	if (now_s - p->begin_s < QUIET_S || now_s - p->drawn_s < FRAME_S ||
	    !isatty(STDERR_FILENO))
		return;
	measure_speed(p, done, now_s);
	draw(p, done, total);
}
