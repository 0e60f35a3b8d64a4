#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Verdicts at submit time, and placement on the promised cores.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra

check "a job that fits is accepted" submit --time=10 \
	--deadline=now+30minutes -n 3
submit --time=10 --deadline=now+30minutes -n 3
first=$id
matches "the user reads share, processors and finish" \
	'libra: accepted: share 0.33 of 3 processors, finish expected by' "$said"
check "it starts" wait_state "$first" RUNNING
same "it runs on the promised cores" "$(promised_on "$first")" \
	"$(runs_on "$first")"
matches "its time limit is lifted" '^(UNLIMITED|365-00:00:00)$' \
	"$(job_field "$first" TimeLimit)"
same "Slurm's own deadline is cleared" N/A "$(job_field "$first" Deadline)"
same "the record keeps the estimate" 600 "$(promise_field "$first" estimate)"
# scontrol counts from the limit that it sees; from 23.11 not from UNLIMITED.
for step in +5:900 -7:480 -2:360; do
	before=$(promise_field "$first" estimate)
	scontrol update JobId="$first" TimeLimit="${step%:*}" 2>"$cluster/said" &&
		want=${step#*:} || want=$before
	same "TimeLimit=${step%:*} counts from the estimate, or is refused" \
		"$want" "$(promise_field "$first" estimate)"
done
scontrol update JobId="$first" TimeLimit=10
same "a whole estimate is one" 600 "$(promise_field "$first" estimate)"

submit --time=10 --deadline=now+30minutes -n 3
check "a third one starts" wait_state "$id" RUNNING
same "on the promised cores too" "$(promised_on "$id")" "$(runs_on "$id")"
submit --time=10 --deadline=now+30minutes -n 11
check "a wide one starts" wait_state "$id" RUNNING
same "over several nodes, core by core" "$(promised_on "$id")" \
	"$(runs_on "$id")"

submit --time=60 --deadline=now+30minutes -n 4
same "a job that needs more than whole processors is refused" 1 $?
matches "with reason and numbers" \
	'libra: refused \(no_share\): 4 processors for 1 h by .* share of 2.00' \
	"$said"
matches "and the earliest deadline" \
	'libra: earliest deadline now: [0-9-]+T[0-9:]+' "$said"
try=$(sed -n 's/.*try \(--deadline=[^ ]*\).*/\1/p' <<<"$said")
matches "as an option of sbatch" '^--deadline=now[+][0-9]+minutes$' "$try"
check "that option is accepted" submit --time=60 "$try" -n 4

submit --time=10 --deadline=now+30minutes -n 17
matches "more than the machine has" 'refused \(too_large\)' "$said"
matches "says what there is" 'there are 16 processors' "$said"

out=$(srun --time=1 --deadline=now+10minutes -n 2 \
	sh -c 'echo ran' 2>&1)
same "srun gets a verdict and runs" 2 "$(grep -c '^ran' <<<"$out")"
matches "srun says so" 'srun: libra: accepted' "$out"
out=$(salloc --time=1 --deadline=now+10minutes -n 1 true 2>&1)
matches "salloc too" 'salloc: libra: accepted' "$out"
out=$(srun --time=100 --deadline=now+10minutes -n 2 true 2>&1)
matches "srun reads the refusal" 'srun: error: libra: refused' "$out"

# What is no sensible request.
submit --deadline=now+10minutes -n 1
matches "no estimate" 'needs an estimate' "$said"
submit --time=UNLIMITED --deadline=now+10minutes -n 1
matches "unlimited estimate" 'not unlimited' "$said"
submit --time=0 --deadline=now+10minutes -n 1
matches "zero is unlimited to Slurm" 'not unlimited' "$said"
submit --time=1 --deadline=2020-01-01T00:00:00 -n 1
matches "a deadline in the past" '[Dd]eadline' "$said"
submit --time=10 --deadline=now+10minutes --array=0-3%2 -n 1
matches "an array with a limit" '--array with a %limit' "$said"
out=$(sbatch --time=1 --deadline=now+10minutes -n 1 : -n 1 \
	"$cluster/job" 2>&1)
matches "a heterogeneous job" 'heterogeneous' "$out"
for only in -wn1 -xn1 --exclusive --contiguous; do
	submit --time=1 --deadline=now+10minutes -n 1 $only
	matches "certain nodes: $only" 'for any nodes' "$said"
done
submit --time=1 --deadline=now+10minutes --array=0-2000 -n 1
matches "a long array" 'below 1001 \(MaxArraySize' "$said"
submit --time=1 --deadline=now+10minutes --array=2000 -n 1
matches "an index that Slurm refuses" 'MaxArraySize' "$said"
# Nobody but the administrator writes a promise.
as_user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
cp "$cluster/job" "$cluster/run/userjob"
user_id=$(cd / && as_user sbatch --parsable -o /dev/null -H --time=1 \
	"$cluster/run/userjob" 2>/dev/null)
forged="libra:1 offer=1.1 tasks=1 procs=1 estimate=60 deadline=1 submit=1"
forged+=" share=1 on=n1:0"
as_user scontrol update job "$user_id" admincomment="$forged" 2>/dev/null
same "a user cannot forge a promise" "" "$(promise_field "$user_id" procs)"

# Jobs without a deadline, and other partitions, are Slurm's business.
check "no deadline: stock" submit --time=5 -n 1
same "nothing is said" "" "$said"
same "its limit stays" 00:05:00 "$(job_field "$id" TimeLimit)"
check "another partition: stock" submit -p stock --time=5 \
	--deadline=now+10minutes -n 1
same "nothing is said there" "" "$said"
matches "its deadline stays" '^20' "$(job_field "$id" Deadline)"

# Slurm's next look at the queue is far away now; a promise runs from now.  Where
# reconfigure restarts slurmctld, the nodes have to answer before.
sed -i 's/batch_sched_delay=0/batch_sched_delay=600/;s/bf_interval=2,/bf_interval=600,/' \
	"$SLURM_CONF"
scontrol reconfigure
# slurmctld is asked to look where its last look was short for the time since.
at_once() {
	until_true 5 later_than $(($(date +%s) + 1))
	submit --time=1 --deadline=now+30minutes -n 1 &&
		wait_state "$id" RUNNING 2
}
has_read() {
	scontrol show config | grep -q 'batch_sched_delay=600'
}
check "slurmctld has read it" until_true 30 has_read
wait_nodes
for i in 1 2 3; do
	check "a promised job starts at once ($i)" at_once
done

check "no job runs elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
