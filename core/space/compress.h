/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compress.h - move reservations earlier when capacity has grown.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_COMPRESS_H
#define LIBRA_SPACE_COMPRESS_H

#include "core/space/planned.h"

/* Move each reservation, in order of latest starts, to its earliest fit that
 * leaves rules.pull_held_back processors free (none for a reservation whose
 * promise is broken).  No start becomes later.
 */
void libra_compress(struct libra_engine *e);

/* Repair broken promises: replan all jobs if that keeps every promise;
 * otherwise move the reservations whose promise is broken earlier.
 */
void libra_compress_late(struct libra_engine *e);

#endif
