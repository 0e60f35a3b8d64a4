/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - convert Slurm's times and counts to the terms of the core.
 *
 * Only these functions know Slurm's minutes, NO_VAL and INFINITE.  All depend
 * only on their arguments and need no lock.
 */
#ifndef LIBRA_BASE_UNITS_H
#define LIBRA_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Convert a time limit in minutes to seconds.
 * Result: NAN if unset, INFINITY if unlimited.
 */
double libra_host_minutes_s(uint32_t minutes);

/* Convert seconds to a time limit in whole minutes, rounded up, at least 1.
 * INFINITY, and a value that does not fit, gives unlimited.
 */
uint32_t libra_host_minutes(double duration_s);

/* Convert a promised job's time limit to Slurm's number and back; some releases
 * need a number for unlimited (compat.h).
 */
uint32_t libra_host_to_slurm(uint32_t minutes);
uint32_t libra_host_from_slurm(uint32_t minutes);

/* Return what scontrol added to a time limit to request another: it sends
 * TimeLimit=+5 as the sum.
 * Result: seconds, if the limit is unlimited in a release that adds to it; else
 *         NAN.
 */
double libra_host_counted_s(uint32_t limit, uint32_t asked);

/* Write a duration as people do, in its two largest units: "90 s", "20 min",
 * "1 h 30 min", "-2 d 3 h".  At most 120 s are seconds; the last unit is
 * rounded.  INFINITY and NAN are "none".
 */
void libra_host_duration_text(double duration_s, char text[32]);

/* Write an instant as people do, in local time, rounded up to seconds:
 * "23:21:15" on the day of now_s, else "2026-11-22 23:21:15" (now_s NAN: the
 * day is always written).  zone_s: an instant whose zone the same message
 * names; a different zone is added (NAN: the zone is added): "UTC",
 * "UTC+01:00".  INFINITY and NAN are "none".
 */
void libra_host_clock_text(double at_s, double now_s, double zone_s,
			   char text[32]);

/* Write to a user that a deadline is in the past, and what to do. */
#define LIBRA_PAST_TEXT 160

void libra_host_past_text(double deadline_s, double now_s,
			  char text[LIBRA_PAST_TEXT]);

/* Convert an instant; 0, Slurm's "none", gives INFINITY. */
double libra_host_instant_s(time_t t);

/* Return a count, or 0 if Slurm left it unset. */
uint32_t libra_host_count(uint32_t n);
uint32_t libra_host_count16(uint16_t n);

/* Return the larger one. */
uint32_t libra_host_larger(uint32_t a, uint32_t b);

/* Return the product, or UINT32_MAX if it does not fit. */
uint32_t libra_host_times(uint32_t a, uint32_t b);

/* Return n / per, rounded up, or UINT32_MAX if it does not fit. */
uint32_t libra_host_ceil(uint64_t n, uint64_t per);

/* Return a request's list of generic resources ("gres/gpu:a100:2,gres/nic";
 * newer releases add other names), or NULL if it requests none, as "gpu:0".
 */
const char *libra_host_gres_asked(const char *list);

/* Largest number of promised tasks of an array: the engine decides on each of
 * them while the host's lock is held.
 */
#define LIBRA_ARRAY_TASKS 1000u

/* Count the different indices of an --array expression ("0-15:4,20%2").
 * Result: the number, or most + 1 if there are more than most; 0 if the text is
 *         invalid, or with ENOMEM.  *limited: the text limits the running
 *         tasks.
 * Cost:   the length of the text, and per range a step for each index, at most
 *         `most`.
 */
uint32_t libra_host_array_tasks(const char *expr, uint32_t most, bool *limited);

/* Return the highest index in such an expression.  Cost: its length. */
uint32_t libra_host_array_last(const char *expr);

/* Count the nodes in a list of Slurm's form ("n[0-3,7],m1"), each as often as
 * it is named.
 * Result: the number, or most + 1 if there are more than most.
 * Cost:   the length of the list.
 */
uint64_t libra_host_nodes_named(const char *list, uint64_t most);

#endif
