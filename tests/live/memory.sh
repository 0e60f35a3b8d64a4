#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where Slurm divides memory a promise holds it: who is accepted finds it free
# at the start, and ordinary jobs in the same partition leave it alone.  Four
# nodes of 2000 MB and four CPUs.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra
sed -i 's/^SelectTypeParameters=.*/SelectTypeParameters=CR_CPU_Memory/' \
	"$SLURM_CONF"
echo "DefMemPerCPU=100" >>"$SLURM_CONF"
check "slurmctld restarts, and divides memory" \
	"$DEMO" restart-ctld -d "$cluster"
wait_nodes
far="--time=5 --deadline=now+300minutes"

# Shares of 0.02: there is room for many, were it not for the memory.
check "a job with most of a node's memory" submit $far -n 1 --mem=1500
check "runs" wait_state "$id" RUNNING
for i in 2 3 4; do
	check "another one" submit $far -n 1 --mem=1500
	check "runs on a node of its own" wait_state "$id" RUNNING
done
submit $far -n 1 --mem=1500
same "the fifth is refused" 1 $?
matches "for its memory" 'libra: refused \(memory\)' "$said"
matches "and its user reads what to do" \
	'on 4 nodes too little memory is free .* --mem' "$said"
check "one that takes less is accepted" submit $far -n 4 --mem-per-cpu=100
check "and runs" wait_state "$id" RUNNING
check "one that says nothing has the default" submit $far -n 4
check "and runs beside them" wait_state "$id" RUNNING

# Ordinary jobs count, too.
scancel -u root
until_true 20 idle
for i in 1 2 3; do
	submit -N 1 -n 1 --mem=1900
	wait_state "$id" RUNNING
done
check "beside three ordinary jobs with nearly all memory" \
	submit $far -n 2 --mem-per-cpu=500
check "a promised one runs where there is some" wait_state "$id" RUNNING
submit $far -n 16 --mem-per-cpu=100
same "one for all nodes is refused" 1 $?
matches "for the memory of three" 'on 3 nodes too little memory' "$said"

# Held, it has no promise; released it asks again, and asks for memory, too.
submit $far -n 1 --mem=1900 -H
held=$id
scontrol release "$held"
submit -N 1 -n 1 --mem=900
check "an ordinary job takes the rest" wait_state "$id" RUNNING
same "the released one waits for memory" PENDING "$(job_state "$held")"
scancel "$id"
scancel "$(squeue -h -o %i -t RUNNING | sort -n | head -n 1)"
check "and starts when there is some" wait_state "$held" RUNNING 40
matches "with a promise" '^n[1-4]:[0-3]$' "$(promise_field "$held" on)"
finish
