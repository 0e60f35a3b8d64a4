/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compress.h - plans come forward where the profile has risen.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_COMPRESS_H
#define LIBRA_SPACE_COMPRESS_H

#include "core/space/planned.h"

/* In order of their latest starts, each as early as can be beside the
 * processors that are held back for it (rules.pull_held_back; none for one
 * whose promise does not hold), and none later.
 */
void libra_compress(struct libra_engine *e);

/* Those whose promise does not hold come forward; perhaps it does again. */
void libra_compress_late(struct libra_engine *e);

#endif
