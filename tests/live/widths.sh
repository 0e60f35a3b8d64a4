#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs that may have several numbers of nodes: the one on which they end first is
# promised, and Slurm starts them on as many; where nodes are whole, and shared.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --params \
	libra_offer_ttl=2,libra_margin=10,libra_hold_back=0
sed -i -e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	"$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
check "nodes answer" wait_nodes

is() { # NODES MINUTES: what was promised to $id, and what Slurm has
	same "$1 nodes are promised" "$1 $2" "$(sed -n \
		's/.*libra: on \([0-9]*\) of .* is \([0-9]*\) min .*/\1 \2/p' \
		<<<"$said")"
	same "Slurm has as many" "$1" \
		"$(job_field "$id" NumNodes | sed 's/\([0-9]*\)-\1$/\1/')"
	same "and the limit" "$(printf '%02d:%02d:00' $(($2 / 60)) $(($2 % 60)))" \
		"$(job_field "$id" TimeLimit)"
	same "its record has the time" $(($2 * 60)) "$(promise_field "$id" estimate)"
}
check "a job of any number of nodes" submit -N 1-4 --time=60 \
	--deadline=now+3hours --comment=libra_speedup=1
a=$id
is 4 15
check "runs" wait_state "$a" RUNNING
same "on four" 4 "$(job_field "$a" NumNodes)"
scancel "$a"
check "ends" until_true 20 idle
check "a job of two nodes" submit -N 2 --time=100 --deadline=now+3hours
check "runs" wait_state "$id" RUNNING
check "beside it one that could have four later" submit -N 1-4 --time=90 \
	--deadline=now+55minutes --comment=x,libra_speedup=1
is 2 45
check "runs on two" wait_state "$id" RUNNING
"$DEMO" restart-ctld -d "$cluster" >/dev/null
wait_nodes
same "a restart keeps its limit" 00:45:00 "$(job_field "$id" TimeLimit)"
check "a job that says nothing of more nodes" submit -N 1-2 --time=10 \
	--deadline=now+3hours
matches "has the least" 'accepted: 1 node,' "$said"
submit -N 1-2 --time=10 --deadline=now+3hours --comment=libra_speedup=2
same "no number from 0 to 1 is refused" 1 $?
matches "with a line" 'libra: --comment=libra_speedup=S: S must be' "$said"
scancel -u root
check "all end" until_true 20 idle
[ ! -x "$librasim" ] || check "the decision log replays" "$librasim" replay \
	"$cluster/log/libra.jsonl"
stop_cluster

start_cluster --policy planned --nodes 4 --params \
	libra_offer_ttl=2,libra_margin=10,libra_hold_back=0
check "where nodes are shared a job with tasks of each node" submit -N 1-4 \
	--ntasks-per-node=2 --time=60 --deadline=now+3hours \
	--comment=libra_speedup=0.5
is 4 38
check "runs" wait_state "$id" RUNNING
same "on four nodes, with two CPUs of each" "4 8" \
	"$(job_field "$id" NumNodes) $(job_field "$id" NumCPUs)"
same "and eight tasks" 8 "$(job_field "$id" NumTasks)"
finish
