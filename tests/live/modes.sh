#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Arrays, updates, nodes that go and come, jobs without a deadline, and
# settings that are wrong.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra \
	--params libra_no_deadline=best_effort,libra_grace=00:30:00,libra_offer_ttl=nonsense,libra_polcy=libra \
	--slurm-conf-extra 'PrologFlags=Alloc' \
	--slurm-conf-extra 'PartitionName=half Nodes=n[3-4] MaxTime=INFINITE OverSubscribe=FORCE:64'

# Settings.
check "a wrong value is named in the log, with the one used" \
	ctld_log_has 'libra_offer_ttl=nonsense: .*; using 60'
check "a mistyped token too, with the nearest name or its absence" \
	ctld_log_has 'libra_polcy=libra: '
submit --time=10 --deadline=now+60minutes -n 1
same "the time limit is deadline and grace" 01:30:00 \
	"$(job_field "$id" TimeLimit)"
scancel "$id"

# No deadline.
check "no deadline: best effort" submit --time=5 -n 1
check "it runs" wait_state "$id" RUNNING
same "without a promise" "" "$(promised_on "$id")"
scancel "$id"
submit -H --time=5 -n 1
check "and may go to another partition" scontrol update job "$id" \
	partition=half
same "where it then is" half "$(job_field "$id" Partition)"
scancel "$id"

# Arrays: each task a job.
submit --array=1-6 --time=10 --deadline=now+30minutes -n 4
array=$id
matches "an array is promised as a whole" \
	'accepted: 6 tasks, each share 0.33 of 4' "$said"
tasks_run() {
	[ "$(squeue -h -j "$array" -t R -o %i | wc -l)" -eq "$1" ]
}
check "its tasks start" until_true 20 tasks_run 6
wrong=0
for i in 1 2 3 4 5 6; do
	[ -n "$(promised_on "${array}_$i")" ] &&
		[ "$(promised_on "${array}_$i")" = "$(runs_on "${array}_$i")" ] ||
		wrong=$((wrong + 1))
done
same "each on what its own record promises" 0 $wrong
same "six offers were committed" 7 "$(log_calls commit)"
scancel "$array"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'
submit --array=1-13 --time=10 --deadline=now+30minutes -n 4
matches "an array that does not fit whole is refused" \
	'a promise for all 13 tasks or for none' "$said"
check "and leaves nothing behind" submit --time=25 --deadline=now+30minutes \
	-n 16
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'

# Tasks of several processors, nodes asked for.
submit --time=10 --deadline=now+30minutes -n 2 -c 2
check "two tasks of two processors start" wait_state "$id" RUNNING
same "as promised" "$(promised_on "$id")" "$(runs_on "$id")"
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'

submit --time=10 --deadline=now+30minutes -N 4 -n 4
check "four tasks on four nodes start" wait_state "$id" RUNNING
same "on four nodes" 4 "$(promised_on "$id" | tr ' ' '\n' | cut -d: -f1 |
	sort -u | wc -l)"
same "as promised too" "$(promised_on "$id")" "$(runs_on "$id")"
scancel "$id"
submit --time=10 --deadline=now+30minutes -N 2 --ntasks-per-node=2
check "two tasks on each of two nodes start" wait_state "$id" RUNNING
same "as promised as well" "$(promised_on "$id")" "$(runs_on "$id")"
scancel "$id"
submit -p half --time=10 --deadline=now+30minutes -n 8
same "another partition is not ours here" "" "$(promised_on "$id")"
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'

# Update of a promised job that waits.
scontrol update nodename=n[1-4] state=drain reason=test
submit --time=10 --deadline=now+30minutes -n 2
same "no node: refused" 1 $?
scontrol update nodename=n[1-4] state=resume
until_true 10 submit --begin=now+1hour --time=10 --deadline=now+2hours -n 2
scancel "$id"

# A node drained after the promise: another one is found.
check "nodes are back" until_true 10 submit --time=10 \
	--deadline=now+30minutes -n 4
node=$(promised_on "$id")
node=${node%%:*}
scontrol update nodename="$node" state=drain reason=test
if wait_state "$id" RUNNING; then
	same "runs as its record says after a drain" "$(promised_on "$id")" \
		"$(runs_on "$id")"
else
	ok 1 "runs as its record says after a drain"
fi
scontrol update nodename="$node" state=resume
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'

# Update of a job that will be asked for later.
submit --hold --time=10 --deadline=now+30minutes -n 2
check "a held job gets another estimate" scontrol update job "$id" timelimit=20
same "its record says so" 1200 "$(promise_field "$id" estimate)"
same "its limit is deadline and grace" 01:00:00 "$(job_field "$id" TimeLimit)"
scontrol update job "$id" timelimit=UNLIMITED 2>/dev/null
same "no estimate is none" 1 $?
scontrol update job "$id" partition=half 2>/dev/null
same "it stays in its partition" 1 $?
scontrol update job "$id" excnodelist=n1 2>/dev/null
same "and wants no certain nodes" 1 $?
check "its tasks get two CPUs" scontrol update job "$id" cpuspertask=2
same "its record says so, too" 4 "$(promise_field "$id" procs)"
same "and Slurm's" 4 "$(job_field "$id" NumCPUs)"
scontrol release "$id"
check "released, it is promised and runs" wait_state "$id" RUNNING
same "with that estimate" 1200 "$(promise_field "$id" estimate)"
same "as promised then" "$(promised_on "$id")" "$(runs_on "$id")"
scancel "$id"
until_true 10 sh -c '[ -z "$(squeue -h)" ]'

# Update of a promised job, also one that waits.
submit --hold --time=10 --deadline=now+30minutes -n 2
scontrol update job "$id" timelimit=20 licenses=nosuch 2>/dev/null
same "a held job's update with another field is refused" "1 600" \
	"$? $(promise_field "$id" estimate)"
check "alone it is accepted" scontrol update job "$id" timelimit=20
check "the other, too" scontrol update job "$id" name=other comment=x
same "and changes no promise" 1200 "$(promise_field "$id" estimate)"
scancel "$id"
submit --time=10 --deadline=now+30minutes -n 4
wait_state "$id" RUNNING
scontrol update job "$id" timelimit=45 2>"$cluster/said"
same "an estimate that cannot be kept is refused" 1 $?
same "the limit is as it was" 01:00:00 "$(job_field "$id" TimeLimit)"
for step in +5 -5; do
	scontrol update JobId="$id" TimeLimit=$step 2>/dev/null
	same "TimeLimit=$step, counted from the lifted limit, is refused" \
		"1 600" "$? $(promise_field "$id" estimate)"
done
check "and told what to give" ctld_log_has \
	"update of job $id refused: .*lifted limit of 60 minutes, not from the estimate of 10: give the whole"
scontrol update JobId="$id" AdminComment=foo 2>/dev/null
same "its record cannot be changed" "1 600" \
	"$? $(promise_field "$id" estimate)"
check "which names Comment instead" ctld_log_has \
	"update of job $id refused: .*AdminComment .*: use Comment"
record=$(job_field "$id" AdminComment)$(promise_field "$id" estimate)
for other in licenses=nosuch account=nosuch qos=nosuch partition=nosuch \
	starttime=now+1hour dependency=afterok:999999 name=other partition=main; do
	scontrol update job "$id" timelimit=20 $other 2>/dev/null
	same "with $other, too, it is refused" 1 $?
done
check "and told to come alone" ctld_log_has \
	"update of job $id refused: .*in one update, and all else in another"
same "its promise is as it was" "$record" \
	"$(job_field "$id" AdminComment)$(promise_field "$id" estimate)"
check "one that can be kept is accepted" \
	scontrol update job "$id" timelimit=20
same "the record says so" 1200 "$(promise_field "$id" estimate)"
same "the limit is deadline and grace again" 01:00:00 \
	"$(job_field "$id" TimeLimit)"
scontrol update job "$id" numcpus=2 2>/dev/null
same "a running job keeps its size" 1 $?
scontrol update job "$id" numnodes=1 2>/dev/null
same "and its nodes" 1 $?
check "other updates are none of our business" \
	scontrol update job "$id" comment=hello

# Requeue: promised again.  Slurm would let it wait for two minutes, until
# slurmd has forgotten the old run; told to start at once, the job may fail
# there, but it was given its processors.
before=$(log_calls started)
scontrol requeue "$id"
more_starts() {
	[ "$(log_calls started)" -gt "$before" ]
}
starts_again() {
	scontrol update job "$id" starttime=now
	until_true 4 more_starts
}
check "a requeued job is promised again and starts" until_true 30 starts_again
check "the log says that its first run departed" test \
	"$(log_calls departed)" -ge 1
scancel "$id"

check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
check "no start was unexpected" sh -c \
	"! grep -E 'did not expect|without a promise' $cluster/log/slurmctld.log"
finish
