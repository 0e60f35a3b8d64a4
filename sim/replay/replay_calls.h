/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_calls.h - make the call of a line, or take its action, and compare.
 *
 * Only replay.c calls these.  Each reads its arguments from the line, calls the
 * function of core/engine.h with the same name, and reports differences.  If
 * the line is bad, no call is made.
 */
#ifndef SIM_REPLAY_CALLS_H
#define SIM_REPLAY_CALLS_H

#include "sim/replay/replay_line.h"

typedef void replay_call_f(struct replay_line *l);

replay_call_f replay_offer, replay_earliest, replay_modify, replay_restore,
	replay_commit, replay_withdraw, replay_started, replay_departed,
	replay_progress, replay_reestimate, replay_restore_waiting,
	replay_may_start, replay_plan_ordinary, replay_node, replay_schedule,
	replay_clock, replay_relearn, replay_suspend, replay_outages,
	replay_forgo, replay_restore_place, replay_compress, replay_action;

#endif
