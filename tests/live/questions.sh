#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What slurmctld asks the plugin without starting a job: when would a job of the
# queue start, which any user may ask, and which nodes would a reservation by a
# number of nodes get?  Under planned and under band, in one slurmctld that checks
# the locks which the plugin holds.

. "$(dirname "$0")/lib.sh"
need_slurm
LIBRA_CHECK_LOCKS=yes
start_cluster --nodes 8 --params \
	libra_no_deadline=best_effort,libra_hold_back=0,libra_machine_reserve=no,libra_margin=10
sed -i -e 's/libra_policy=band,libra_partitions=main/libra_policy=planned:p,band:b/' \
	-e 's/CR_CPU$/CR_CPU_Memory/' \
	-e '/^PartitionName=/d' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<-CONF
	Licenses=one:1
	PartitionName=p Nodes=n[1-4] MaxTime=INFINITE State=UP OverSubscribe=NO Default=YES
	PartitionName=b Nodes=n[5-8] MaxTime=INFINITE State=UP OverSubscribe=FORCE:16
CONF
check "slurmctld starts with two policies" "$DEMO" restart-ctld -d "$cluster" \
	${LIBRA_CTLD_WRAPPER:+--ctld-wrapper "$LIBRA_CTLD_WRAPPER"}
wait_nodes

# ---- anybody's question about a job of the queue ----

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compile_with_slurm "$cluster/ask_start" "$here/ask_start.c" -lslurm \
	>"$cluster.out" 2>&1 || skip_all "no program can be built for Slurm here"
chmod 0755 "$cluster/ask_start"
ask() { # JOB: nobody asks
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$cluster/ask_start" "$1"
}
record() { # JOB: what a scheduler's pass does not change
	scontrol -o show job "$1" | tr ' ' '\n' | grep -E \
		'^(Priority|TimeLimit|TimeMin|Deadline|EligibleTime|JobState|Requeue)='
	squeue -h -j "$1" -o '%Q %l %V'
}
for p in p b; do
	submit -p $p --mem-per-cpu=100 --time=10 -n 16 --deadline=now+90minutes
	a=$id
	check "$p: a promised job runs" wait_state "$a" RUNNING
	submit -p $p --mem-per-cpu=100 --time=5 -n 16 --deadline=now+90minutes
	b=$id
	same "$p: another waits" PENDING "$(job_state "$b")"
	was=$(record "$b")
	told=$(ask "$b")
	same "$p: a question by nobody leaves that as it was" "$was" \
		"$(record "$b")"
	at=$(date +%s)
	check "$p: it is answered" near "$told" $((at + 600)) 30
	until_true 5 later_than $((at + 1))
	same "$p: a second later, too" "$was" "$(record "$b")"
	scancel -p $p
	check "$p: all ends" until_true 10 idle
done

# ---- reservations by a number of nodes ----

in_queue() { # JOB REASON
	[ "$(job_field "$1" Reason)" = "$2" ]
}

reserve() { # PARTITION NODES START MINUTES
	scontrol create reservation ReservationName="$1$2$3" Users=root \
		PartitionName="$1" NodeCnt="$2" StartTime="$3" Duration="$4"
}
resv_time() { # NAME FIELD
	epoch "$(scontrol show reservation "$1" | tr ' ' '\n' |
		sed -n "s/^$2=//p")"
}
three_now() { # PARTITION
	local i
	for i in 1 2 3; do
		scontrol create reservation ReservationName="$1.$i" Users=root \
			PartitionName="$1" NodeCnt=1 StartTime=now \
			Duration=10 || return 1
	done
	scontrol delete ReservationName="$1.1" &&
		scontrol delete ReservationName="$1.2" &&
		scontrol delete ReservationName="$1.3"
}
for p in p b; do
	check "$p: three nodes of four idle ones are reserved, one by one" \
		three_now $p
done
submit -p p --mem-per-cpu=100 -n 1 --time=5 -L one
l=$id
check "a job has the only licence" wait_state "$l" RUNNING
submit -p b --time=5 -N 4 -n 16 --mem-per-cpu=200 -L one \
	--deadline=now+90minutes
b=$id
matches "b: a job is promised memory of all nodes" accepted "$said"
check "b: it waits for the licence" until_true 10 in_queue "$b" Licenses
check "b: an idle node is reserved for tomorrow" reserve b 1 tomorrow 10
scancel "$l"
check "b: the promise of all nodes is told to be lost" until_true 10 \
	ctld_log_has "job $b: promise lost"
scancel "$b"
check "all ends" until_true 20 idle

# ---- a promise that waits loses nodes to one ----

submit -p p --mem-per-cpu=100 --time=1 -N 4 --exclusive --deadline=now+90minutes
a=$id
check "p: a job runs on all nodes" wait_state "$a" RUNNING
submit -p p --mem-per-cpu=100 --time=10 -N 4 --exclusive --deadline=now+90minutes
b=$id
submit -p p --mem-per-cpu=100 --time=10 -N 4 --exclusive --deadline=now+25minutes
c=$id
matches "p: two wait behind it" accepted "$said"
at=$(date -d '+3 minutes' +%Y-%m-%dT%H:%M:%S)
check "p: two nodes are reserved, in their way" reserve p 2 "$at" 20
to=$(resv_time "p2$at" EndTime)
behind() {
	[ "$(planned_start "$b")" -ge "$to" ]
}
check "p: who can starts behind that, within the promise" until_true 10 behind
same "p: that promise holds" "" "$(promise_field "$b" late)"
check "p: who cannot is told, with the cause" until_true 10 \
	ctld_log_has "job $c: promise broken: node reserved"
check "p: in the record, too" until_true 5 has_field "$c" late
finish
