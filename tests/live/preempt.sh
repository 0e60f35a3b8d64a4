#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Urgent jobs preempt others where they can start then and end before the plans:
# nobody is stopped for a job that would not start, nor one with a promise.  The
# same where backfill alone starts jobs.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --params libra_margin=5
sed -i -e 's/^PreemptMode=.*/PreemptMode=CANCEL/' -e '/^PartitionName=/d' \
	-e 's/^PreemptType=.*//' -e 's/libra_policy=planned,libra_partitions=main/libra_policy=planned:main+urgent/' \
	"$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
PreemptType=preempt/partition_prio
KillWait=2
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=24:00:00 DefaultTime=10
PartitionName=urgent Nodes=n[1-4] MaxTime=60 PriorityTier=10
END
check "partitions, one of them urgent" "$DEMO" restart-ctld -d "$cluster"
wait_nodes

# Both schedulers look every two seconds.
queue_is_looked_at() {
	sleep 6
}

# One short ordinary job, one promised one, and a plan for all nodes behind them.
lay() {
	submit --time=4 -w n1 -n 4
	short=$id
	check "an ordinary job runs" wait_state "$short" RUNNING
	submit --time=2 --deadline=now+10minutes -w n2 -n 4
	promised=$id
	check "a promised one, too" wait_state "$promised" RUNNING
	submit --time=4 -w n3,n4 -n 8
	long=$id
	check "and an ordinary one on two nodes" wait_state "$long" RUNNING
	submit --time=2 --deadline=now+1hour -n 16
	all=$id
	matches "a job for all nodes is promised its start" accepted "$said"
	was=$(planned_start "$all")
}

end_all() {
	scancel -u root
	check "all is over" until_true 20 is_empty
}

is_empty() {
	[ -z "$(squeue -h)" ]
}

try() { # WHO
	lay
	submit -p urgent --time=30 -w n1 -n 4
	u=$id
	queue_is_looked_at
	same "$1: an urgent job that would be in the plan's way waits" PENDING \
		"$(job_state "$u")"
	same "and nobody is stopped for it" RUNNING "$(job_state "$short")"
	scancel "$u"
	submit -p urgent --time=1 -w n2 -n 4
	queue_is_looked_at
	same "$1: for an urgent job no promised one is stopped" RUNNING \
		"$(job_state "$promised")"
	same "it waits" PENDING "$(job_state "$id")"
	scancel "$id"
	submit -p urgent --time=1 -w n1 -n 4
	check "$1: one that ends before the plan starts" wait_state "$id" RUNNING
	same "in place of the ordinary job" PREEMPTED "$(job_state "$short")"
	submit -p urgent --time=1 -n 8
	check "another one finds its nodes" wait_state "$id" RUNNING
	same "in place of the other" PREEMPTED "$(job_state "$long")"
	same "the promised job runs" RUNNING "$(job_state "$promised")"
	check "and the plan is no later" [ "$(planned_start "$all")" -le "$was" ]
	scancel -p urgent
	scancel "$promised"
	check "it starts" wait_state "$all" RUNNING
	end_all
}
try "main scheduler"

# A job that waits and fits comes forward; but not to room that is made for
# somebody else.
submit --time=4 -N 4 -n 16
short=$id
check "an ordinary job has all nodes" wait_state "$short" RUNNING
submit --time=2 --deadline=now+1hour -n 16
all=$id
matches "a job is promised a start behind it" accepted "$said"
submit -p urgent --time=1 -n 4
check "an urgent job comes in its place" wait_state "$id" RUNNING
same "before the promised one" PENDING "$(job_state "$all")"
scancel "$id"
check "which comes forward then" wait_state "$all" RUNNING
end_all

sed -i 's/sched_min_interval=[0-9]*/sched_min_interval=100000000/' "$SLURM_CONF"
check "now backfill alone looks" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
try backfill
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
[ ! -x "$librasim" ] ||
	check "librasim decides the same" "$librasim" replay "$cluster"/log/*.jsonl
finish
