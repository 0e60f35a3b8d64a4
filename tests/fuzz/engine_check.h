/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_check.h - find anew what an engine keeps, and compare.
 *
 * What is wrong ends the program (FUZZ_CHECK).  The checks change nothing that
 * an answer could depend on, but for the engine's scratch of trials: what the
 * host may ask "again" (struct libra_start_query) is gone.
 */
#ifndef LIBRA_FUZZ_ENGINE_CHECK_H
#define LIBRA_FUZZ_ENGINE_CHECK_H

#include "core/engine_impl.h"

enum { CHECK_PROCS = 256, CHECK_SLOTS = 256 };

/* Who had processors after the last call. */
struct engine_books {
	uint64_t placed[CHECK_SLOTS]; /* ticket by slot, or 0 */
};

/* Jobs, processors and nodes, for every policy.  If `restored` is set the last
 * call was a restore: that job may be on a closed node.
 */
void check_engine(const struct libra_engine *e, struct engine_books *books,
		  bool restored);

/* Profile, lines and plans of policies that plan.  If `settled` is set the last
 * call was a schedule: then all that is due has started, and all that is in
 * time has room.
 */
void check_plans(struct libra_engine *e, bool settled);

/* The gang, brought up to now. */
void check_gang(struct libra_engine *e);

/* The ledger. */
void check_ledger(const struct libra_engine *e);

#endif
