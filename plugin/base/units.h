/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - Slurm's times and counts in the terms of the core.
 *
 * The only place that knows of Slurm's minutes, NO_VAL and INFINITE.
 */
#ifndef LIBRA_BASE_UNITS_H
#define LIBRA_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A time limit in minutes as a duration in seconds.
 * Result: NAN if unset, INFINITY if unlimited.
 */
double libra_host_minutes_s(uint32_t minutes);

/* A duration as a time limit: whole minutes, rounded up; INFINITY is
 * unlimited, and so is what does not fit.
 */
uint32_t libra_host_minutes(double duration_s);

/* The time limit of a promised job as Slurm has it, where unlimited may be
 * another number (compat.h); and back.
 */
uint32_t libra_host_to_slurm(uint32_t minutes);
uint32_t libra_host_from_slurm(uint32_t minutes);

/* What did scontrol count from a time limit, to ask for this one?
 * TimeLimit=+5 arrives as the sum.
 * Result: seconds, if it can be told: the limit is unlimited, in releases that
 *         count from that; else NAN.
 */
double libra_host_counted_s(uint32_t limit, uint32_t asked);

/* An instant; 0, Slurm's "none", is INFINITY. */
double libra_host_instant_s(time_t t);

/* A count that Slurm may have left unset, then 0. */
uint32_t libra_host_count(uint32_t n);
uint32_t libra_host_count16(uint16_t n);

/* The larger of two. */
uint32_t libra_host_larger(uint32_t a, uint32_t b);

/* The product; what does not fit is the largest number. */
uint32_t libra_host_times(uint32_t a, uint32_t b);

/* n / per, rounded up; what does not fit is the largest number. */
uint32_t libra_host_ceil(uint64_t n, uint64_t per);

/* A request's list of generic resources ("gres/gpu:a100:2,gres/nic"), in which
 * newer releases also name other things.
 * Result: the list, or NULL if it asks for none: "gpu:0" is no GPU.
 */
const char *libra_host_gres_asked(const char *list);

/* Tasks of an array that can have a promise.  Each is an offer that the engine
 * decides on under the lock.
 */
#define LIBRA_ARRAY_TASKS 1000u

/* Count the different indices of an --array expression ("0-15:4,20%2").
 * Result: their number, or most + 1 if there are more than most; 0 if the text
 *         is no such expression, or with ENOMEM.  *limited tells whether the
 *         text limits how many tasks run at one time.
 * Cost:   the length of the text, and for each of its parts a step for each
 *         index, but no more than most.
 */
uint32_t libra_host_array_tasks(const char *expr, uint32_t most, bool *limited);

/* The highest index that such an expression names.  Cost: its length. */
uint32_t libra_host_array_last(const char *expr);

/* Count the nodes that a list in Slurm's form ("n[0-3,7],m1") names, each as
 * often as the list names it.  No name is composed.
 * Result: the number, or most + 1 if there are more than most.
 * Cost:   the length of the list.
 */
uint64_t libra_host_nodes_named(const char *list, uint64_t most);

#endif
