/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.c - the table of reasons.
 *
 * One row for each reason, in the order of the enumeration.  Programs read the
 * names, so they stay; the texts may change.
 */
#include "sim/import/reasons.h"

const struct import_reason_type import_reasons[IMPORT_NREASONS] = {
	[IMPORT_R_STEP] = {"step", IMPORT_DROPPED, "steps of jobs"},
	[IMPORT_R_FIELDS] = {"fields", IMPORT_DROPPED,
			     "rows with too few fields, or too many to tell "
			     "them apart"},
	[IMPORT_R_UNREADABLE] = {"unreadable", IMPORT_DROPPED,
				 "job id or time that cannot be read"},
	[IMPORT_R_CLUSTER] = {"cluster", IMPORT_DROPPED, "of another cluster"},
	[IMPORT_R_PARTITION] = {"partition", IMPORT_DROPPED,
				"of another partition"},
	[IMPORT_R_OUTSIDE] = {"outside", IMPORT_DROPPED,
			      "over before --from, or came after --to"},
	[IMPORT_R_DUPLICATE] = {"duplicate", IMPORT_DROPPED,
				"the same run again (overlapping logs)"},
	[IMPORT_R_PENDING] = {"pending", IMPORT_DROPPED, "still waiting"},
	[IMPORT_R_CANCELLED] = {"cancelled_waiting", IMPORT_DROPPED,
				"cancelled before they ran (--keep-cancelled "
				"keeps them)"},
	[IMPORT_R_NEVER_ELIGIBLE] = {"never_eligible", IMPORT_DROPPED,
				     "never eligible to run (held, or a "
				     "dependency)"},
	[IMPORT_R_NEVER_STARTED] = {"never_started", IMPORT_DROPPED,
				    "ended without having run"},
	[IMPORT_R_NEGATIVE_RUN] = {"negative_run", IMPORT_DROPPED,
				   "end before the start"},
	[IMPORT_R_RUNAWAY] = {"runaway", IMPORT_DROPPED,
			      "said to run, a day or more over the limit"},
	[IMPORT_R_NO_PROCS] = {"no_procs", IMPORT_DROPPED,
			       "without processors"},
	[IMPORT_R_WAIT] = {"wait", IMPORT_CHANGED,
			   "start before the arrival: wait set to 0"},
	[IMPORT_R_SPLIT] = {"split", IMPORT_CHANGED,
			    "a name with the delimiter or a line feed in it: "
			    "put together again"},
	[IMPORT_R_DEADLINE] = {"deadline", IMPORT_CHANGED,
			       "deadline not after the arrival: left out"},
	[IMPORT_R_ARRIVAL] = {"arrival", IMPORT_GUESSED,
			      "no eligible time: arrival = submission"},
	[IMPORT_R_START] = {"start", IMPORT_GUESSED,
			    "no start in the trace: the wait is not known"},
	[IMPORT_R_RUN] = {"run", IMPORT_GUESSED,
			  "no elapsed time: run = end - start - suspended"},
	[IMPORT_R_STILL_RUNNING] = {"still_running", IMPORT_GUESSED,
				    "still running: the run time so far"},
	[IMPORT_R_PROCS] = {"procs", IMPORT_GUESSED,
			    "no allocated processors: the requested ones"},
	[IMPORT_R_LIMIT_PROMISE] = {"limit_promise", IMPORT_GUESSED,
				    "limit = the estimate of its promise"},
	[IMPORT_R_LIMIT_PARTITION] = {"limit_partition", IMPORT_GUESSED,
				      "no limit: the partition's, as given"},
	[IMPORT_R_LIMIT_RUN] = {"limit_run", IMPORT_GUESSED,
				"no limit: the run time"},
	[IMPORT_R_TWICE] = {"time_twice", IMPORT_GUESSED,
			    "local time that comes twice: the first one"},
	[IMPORT_R_WARMUP] = {"warm_up", IMPORT_NOTED,
			     "came before --from: to warm up with"},
	[IMPORT_R_RESTART] = {"restart", IMPORT_NOTED,
			      "later runs of a requeued job"},
	[IMPORT_R_RESTART_MISSING] = {"restart_missing", IMPORT_NOTED,
				      "requeued, earlier runs not in the log "
				      "(sacct -D shows them)"},
	[IMPORT_R_REUSED] = {"id_reused", IMPORT_NOTED, "job ids used again"},
	[IMPORT_R_TIMEOUT] = {"timeout", IMPORT_NOTED,
			      "ended at their limit: run time censored"},
	[IMPORT_R_NODE_FAIL] = {"node_fail", IMPORT_NOTED,
				"lost their node: run time censored"},
	[IMPORT_R_PREEMPTED] = {"preempted", IMPORT_NOTED,
				"preempted or requeued: run time censored"},
	[IMPORT_R_OUT_OF_MEMORY] = {"out_of_memory", IMPORT_NOTED,
				    "ran out of memory"},
	[IMPORT_R_SUSPENDED] = {"suspended", IMPORT_NOTED,
				"were suspended for a while"},
	[IMPORT_R_TASK] = {"array_task", IMPORT_NOTED, "tasks of arrays"},
	[IMPORT_R_HET] = {"het", IMPORT_NOTED,
			  "components of heterogeneous jobs"},
	[IMPORT_R_MORE_PROCS] = {"more_procs", IMPORT_NOTED,
				 "more processors allocated than requested"},
	[IMPORT_R_LONGER] = {"longer", IMPORT_NOTED,
			     "ran longer than their limit"},
};

const char *import_kind_name(enum import_kind kind)
{
	switch (kind) {
	case IMPORT_DROPPED:
		return "dropped";
	case IMPORT_CHANGED:
		return "changed";
	case IMPORT_GUESSED:
		return "guessed";
	case IMPORT_NOTED:
		return "noted";
	}
	return "";
}
