#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Offers: nothing leaks, nothing is given twice.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --params libra_offer_ttl=2

# Each job takes the whole machine at a share of 0.6: one fits at a time.
big="--time=6 --deadline=now+10minutes -n 16"

# A submission that never becomes a job.
out=$(sbatch --test-only $big "$cluster/job" 2>&1)
matches "--test-only gets a verdict" 'libra: accepted' "$out"
submit $big
status=$?
if [ $status -ne 0 ]; then
	check "its offer expires" until_true 10 submit $big
else
	ok 0 "its offer expires"
fi
kept=$id
check "the job starts" wait_state "$kept" RUNNING
submit $big
same "there is no room beside it" 1 $?
scancel "$kept"
check "its end makes room" until_true 10 submit $big
scancel "$id"

# Cancelled before it starts.
check "room again" until_true 10 submit $big
scancel "$id"
check "a job cancelled while it waits gives its promise back" \
	until_true 10 submit $big
scancel "$id"

# Held, and dependent: nothing is held for them.
check "a held job is taken" until_true 10 submit -H $big
held=$id
matches "but promised nothing yet" 'no promise yet' "$said"
check "its capacity is free" submit $big
other=$id
scontrol release "$held"
check "the other runs" wait_state "$other" RUNNING
same "the released one waits" PENDING "$(job_state "$held")"
scancel "$other"
check "it is promised and starts when there is room" \
	wait_state "$held" RUNNING
same "on what its record says" "$(promised_on "$held")" \
	"$(runs_on "$held")"
submit --dependency=afterok:"$held" $big
matches "a dependent job is promised nothing yet" 'no promise yet' "$said"
scancel $id $held

# A waiting job put on hold gives back.
check "room" until_true 10 submit $big
scontrol hold "$id" 2>/dev/null
scontrol requeuehold "$id" 2>/dev/null
held=$id
check "a promised job on hold gives back" until_true 15 submit $big
scancel $id $held

# A submission that Slurm refuses after we accepted.
out=$(sbatch $big --qos=nosuch --licenses=nosuch:1 "$cluster/job" 2>&1)
matches "a submission that fails later" 'submission failed' "$out"
check "does not keep its offer" until_true 10 submit $big
scancel "$id"

# Sixteen at once: one is accepted.
check "room" until_true 10 submit $big
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'
pids=
for i in $(seq 16); do
	sbatch --parsable -o /dev/null $big "$cluster/job" \
		>"$cluster/at-once.$i" 2>&1 &
	pids+=" $!"
done
for p in $pids; do
	wait "$p"
done
same "of sixteen submissions at once one is accepted" 1 \
	"$(cat "$cluster"/at-once.* | grep -c '^[0-9]')"
scancel -p main

# A job in the queue when it is too late for it.
until_true 10 sh -c '[ -z "$(squeue -h)" ]'
check "a held job with little time" submit -H --time=1 \
	--deadline=now+62seconds -n 1
late=$id
until_true 10 sh -c 'sleep 3'
scontrol release "$late"
check "ends as too late" wait_state "$late" DEADLINE 20
finish
