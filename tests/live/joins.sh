#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A running site gets policy planned: its slurm.conf, with preemption, time limits
# and no OverSubscribe, is stock Slurm's but for three lines.  What runs and waits
# goes on, and nothing preempts a promised job.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --stock --nodes 6
sed -i -e 's/^PreemptMode=.*/PreemptMode=CANCEL/' -e '/^PartitionName=/d' \
	-e 's/^SelectTypeParameters=.*/SelectTypeParameters=CR_Core_Memory/' \
	"$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
PreemptType=preempt/partition_prio
DefMemPerCPU=100
PartitionName=gpu Nodes=n[1-4] MaxTime=12:00:00
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=24:00:00 DefaultTime=10
PartitionName=urgent Nodes=n[1-4] MaxTime=60 PriorityTier=10
PartitionName=short Nodes=n[5-6] MaxTime=60 OverSubscribe=FORCE:4
END
check "a site of stock Slurm" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
submit --time=20 -n 4
runs=$id
check "has a job that runs" wait_state "$runs" RUNNING
submit -p gpu --time=30 -N 4 -n 16
waits=$id
same "and one that waits" PENDING "$(job_state "$waits")"
let_it_save "$waits"

cp "$SLURM_CONF" "$cluster/before.conf"
sed -i -e 's/^SelectType=.*/SelectType=select\/cons_tres_libra/' \
	-e 's/^SchedulerParameters=.*/&,libra_policy=planned:gpu+main+urgent,band:short,libra_margin=10/' \
	"$SLURM_CONF"
echo "JobSubmitPlugins=libra" >>"$SLURM_CONF"
same "three lines of it are new" 3 \
	"$(diff "$cluster/before.conf" "$SLURM_CONF" | grep -c '^>')"
check "slurmctld starts with them" "$DEMO" restart-ctld -d "$cluster"
check "and, as 22.05 to 24.11 want, the slurmds" "$DEMO" restart-nodes \
	-d "$cluster"
wait_nodes
check "with both policies" ctld_log_has \
	'policy planned on 16 processors of 4 nodes of partition gpu'
check "each on its nodes" ctld_log_has \
	'policy band on 8 processors of 2 nodes of partition short'
same "the job runs on" RUNNING "$(job_state "$runs")"
same "the other waits on" PENDING "$(job_state "$waits")"

submit --time=5 --deadline=now+1hour -n 11
a=$id
matches "a job is promised what is free" 'accepted: 11 processors, planned' \
	"$said"
check "and runs" wait_state "$a" RUNNING
same "with its user's limit" 00:05:00 "$(job_field "$a" TimeLimit)"
submit -p gpu --time=5 --deadline=now+2hours -N 4 -n 16
b=$id
check "one for all is planned behind what ran before" near \
	"$(planned_start "$b")" \
	$(($(epoch "$(job_field "$runs" StartTime)") + 1200 + 10)) 5
submit -p short --time=5 --deadline=now+1hour -n 8
matches "the other partition has its policy" 'in turn by deadline' "$said"
check "there a job runs, too" wait_state "$id" RUNNING

submit -p urgent --time=2 -n 4
check "an urgent ordinary job preempts an ordinary one" wait_state "$id" RUNNING
same "of that one" PREEMPTED "$(job_state "$runs")"
submit -p urgent --time=2 -n 8
u=$id
# 24.05's main scheduler passes it over without a reason.
waits_for_room() {
	case $(job_field "$u" Reason) in
	Resources | None) [ "$(job_state "$u")" = PENDING ] ;;
	*) false ;;
	esac
}
check "another one has to wait" until_true 20 waits_for_room
same "for a promised one" RUNNING "$(job_state "$a")"
scancel -p urgent
scancel "$waits" "$a"
check "the planned one comes" wait_state "$b" RUNNING
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
finish
