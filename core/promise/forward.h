/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forward.h - plans come forward where the profile has risen.
 *
 * For core/promise alone.
 */
#ifndef LIBRA_PROMISE_FORWARD_H
#define LIBRA_PROMISE_FORWARD_H

#include "core/promise/state.h"

/* In order of their latest starts, each as early as can be beside the
 * processors that are held back for it (rules.pull_held_back; none for one
 * whose promise does not hold), and none later.
 */
void libra_forward_pull(struct libra_engine *e);

/* Those whose promise does not hold come forward; perhaps it does again. */
void libra_forward_pull_late(struct libra_engine *e);

#endif
