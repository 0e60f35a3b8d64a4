#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One partition with promised and ordinary jobs side by side: ordinary ones run
# at the least weight wherever Slurm puts them, as many as it likes, and a
# promised job finds room beside them.  Four nodes of four CPUs, six jobs each.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --params libra_no_deadline=best_effort
sed -i 's/OverSubscribe=FORCE:[0-9]*/OverSubscribe=FORCE:6/' "$SLURM_CONF"
check "six jobs share a core" scontrol reconfigure
wait_nodes
promised="--deadline=now+100minutes"
running() { # NAME N
	[ "$(squeue -h -n "$1" -t RUNNING -o %i | wc -l)" -ge "$2" ]
}
settled() { # nothing more starts
	local n
	n=$(squeue -h -t RUNNING -o %i | wc -l)
	sleep 2
	[ "$(squeue -h -t RUNNING -o %i | wc -l)" -eq "$n" ]
}

for i in $(seq 16); do
	submit -J ordinary --time=60 -n 1
done
check "an ordinary job on each core" until_true 30 running ordinary 16
check "a promised job for all cores" submit --time=10 $promised -n 16
check "runs beside them at once" wait_state "$id" RUNNING 3
check "and they go on" running ordinary 16
scancel "$id"

# A flood of ordinary jobs, alone or whole nodes.
for i in $(seq 90); do
	submit -J ordinary --time=60 -n 1
done
submit -J ordinary --time=60 -N 1 --exclusive
until_true 30 settled
n=$(squeue -h -n ordinary -t RUNNING -o %i | wc -l)
echo "# $n of 107 ordinary jobs run"
[ "$n" -ge 32 ]
ok $? "of a flood of ordinary jobs many run"
for i in 1 2 3; do
	check "a promised job for all cores, number $i" \
		submit --time=5 $promised -n 16
	check "runs at once" wait_state "$id" RUNNING 3
done
check "ordinary ones wait then" test -n "$(squeue -h -n ordinary -t PENDING)"
scancel "$(squeue -h -n ordinary -t RUNNING -o %i | head -n 1)"
check "the decision log replays" "${LIBRASIM:-${builddir:-$PWD}/librasim}" \
	replay "$cluster/log/libra.jsonl"
finish
