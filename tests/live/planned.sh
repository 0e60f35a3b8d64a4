#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned: whole nodes at planned starts, beside ordinary jobs, with a
# slurm.conf that has nothing else of ours than the two plugins.  Cases of their
# own first, then 60 jobs, some with deadlines, early ends, cancels and kill -9.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
libra=${LIBRA:-${builddir:-$PWD}/libra}
start_cluster --policy planned --nodes 4 --slurm-conf-extra GresTypes=gpu --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
# Nodes of one job at a time; debug is Slurm's own partition on the same nodes.
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e 's/^PartitionName=stock/PartitionName=debug/' \
	-e 's/^NodeName=.* CPUs=4/& Gres=gpu:4/' -e '/^PreemptMode=/d' \
	"$SLURM_CONF"
# Four files are four GPUs to Slurm.
touch "$cluster"/gpu{0..3}
echo "Name=gpu File=$cluster/gpu[0-3]" >"$cluster/gres.conf"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
check "and the slurmds" restart_slurmds n1 n2 n3 n4
log=$cluster/log/libra.jsonl
check "a processor of the plans is a node" ctld_log_has \
	'policy planned on 4 processors of 4 nodes'
same "nothing is asked of the partitions" 0 \
	"$(grep -c 'OverSubscribe=FORCE' "$cluster/log/slurmctld.log")"

# ---- one after the other ----

submit --time=2 --deadline=now+20minutes -N 4
a=$id
matches "whole nodes are promised" \
	'accepted: 4 nodes, planned start .* finish promised by' "$said"
check "the first starts at once" wait_state "$a" RUNNING
same "its limit is the user's" 00:02:00 "$(job_field "$a" TimeLimit)"
submit --time=3 --deadline=now+20minutes -n 9
b=$id
matches "nine tasks need three nodes" 'accepted: 3 nodes' "$said"
want=$(($(epoch "$(job_field "$a" StartTime)") + 120 + 10))
check "its start is when the first has ended" near "$want" \
	"$(planned_start "$b")" 3
waits_for_its_time() {
	[ "$(job_field "$b" Reason)" = BeginTime ]
}
check "it waits for its time" until_true 10 waits_for_its_time
check "squeue --start shows the plan" near "$(planned_start "$b")" \
	"$(epoch "$(squeue -h --start -j "$b" -o %S)")" 1
refused() {
	! sbatch --parsable -o /dev/null "$@" "$cluster/job" >"$cluster/said" 2>&1
}
check "what cannot be in time is refused" refused --time=10 \
	--deadline=now+11minutes -N 4
matches "with a deadline that would do" 'earliest deadline now' \
	"$(cat "$cluster/said")"
check "tasks that no node has room for are refused as such" refused --time=1 \
	--deadline=now+1hour -c 5
matches "with the reason" 'the smallest node has 4 CPUs' "$(cat "$cluster/said")"

if [ -x "${LIBRA:=${builddir:-$PWD}/libra}" ]; then
	matches "libra what-if tells it, too" 'accepted: 3 nodes, planned start' \
		"$("$LIBRA" what-if --time=1 --deadline=now+1hour -N 3 2>&1)"
	matches "and what is refused, with a deadline that would do" \
		'would be refused.*earliest deadline now' \
		"$("$LIBRA" what-if --time=10 --deadline=now+11minutes -N 4 2>&1 |
			paste -sd' ')"
fi
matches "sbatch --test-only tells the plan" 'Job [0-9]+ to start at' \
	"$(sbatch --test-only --time=1 --deadline=now+1hour -N 1 "$cluster/job" 2>&1)"

# ---- ordinary jobs ----

submit --time=20 -N 1
long=$id
submit -p debug --time=20 -N 1
other=$id
submit --time=1 -N 1
short=$id
scancel "$a"
check "an early end pulls the plan forward" wait_state "$b" RUNNING
check "an ordinary job takes the node that is left" until_true 20 \
	sh -c "squeue -h -t R -o %i | grep -vx $b"
submit --time=2 --deadline=now+25minutes -N 4
c=$id
matches "a plan waits for ordinary jobs, by their limits" 'accepted: 4 nodes' \
	"$said"
first=$(squeue -h -t R -o %i | grep -vx "$b")
check "until the last of them has ended" near "$(planned_start "$c")" \
	$(($(epoch "$(job_field "$first" StartTime)") + \
		$(job_field "$first" TimeLimit | awk -F: \
			'{print $1 * 3600 + $2 * 60 + $3}') + 10)) 90
scancel "$b"
# Three nodes are free, until the first one ends.
for j in $long $other; do
	[ "$j" = "$first" ] || same "a job that would be in the way waits" \
		PENDING "$(job_state "$j")"
done
scancel "$long" "$other" "$short"
check "the plan comes when they have gone" wait_state "$c" RUNNING
scancel "$c"
until_true 20 idle
submit --time=10 -N 2
a=$id
check "an ordinary job has two nodes" wait_state "$a" RUNNING
submit --time=2 --deadline=now+1hour -N 3
b=$id
submit --time=60 -N 1
check "beside a plan for three a long one takes the fourth" wait_state "$id" \
	RUNNING
check "which the plan leaves" near "$(planned_start "$b")" \
	$(($(epoch "$(job_field "$a" StartTime)") + 600 + 10)) 10
scancel "$a" "$b" "$id"
until_true 20 idle
submit --time=1 --deadline=now+1hour --gpus=8
matches "GPUs are promised with nodes that have them" 'accepted: 2 nodes' "$said"
scancel "$id"
submit --time=1 --deadline=now+1hour -N 2 --gres=gpu:3
matches "which are whole" 'accepted: 2 nodes' "$said"
check "the job runs" wait_state "$id" RUNNING
matches "and has them" 'gpu:3' "$(scontrol -d show job "$id")"
scancel "$id"
until_true 20 idle
for asks in "-n 8 --gpus-per-task=1" "-n 2 --gpus-per-task=3" \
	"-n 4 -c 2 --gpus-per-task=2"; do
	submit --time=1 --deadline=now+1hour $asks
	matches "GPUs of each task: $asks" 'accepted: 2 nodes' "$said"
	check "they run" wait_state "$id" RUNNING
	check "with all of them" test \
		"$(job_field "$id" NumNodes) $(job_field "$id" NumTasks)" = \
		"2 $(cut -d' ' -f2 <<<"$asks")"
	scancel "$id"
	until_true 20 idle
done
check "such as cannot be divided are refused" refused --time=1 \
	--deadline=now+1hour -n 5 --gpus-per-task=4
matches "with a line" '5 tasks with 4 of gpu each' "$(cat "$cluster/said")"

# ---- restart ----

submit --time=2 --deadline=now+20minutes -N 3
a=$id
check "runs" wait_state "$a" RUNNING
submit --time=2 --deadline=now+30minutes -N 4
b=$id
submit --time=30 -N 1
o=$id
until_true 5 has_field "$b" start
was=$(planned_start "$b")
let_it_save "$b"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "the waiting job is restored" until_true 10 grep -q \
	"^{\"call\":\"restore_waiting\".*\"id\":$b," "$log"
check "with its plan" near "$was" "$(planned_start "$b")" 3
same "the running one runs" RUNNING "$(job_state "$a")"
same "the ordinary one is not let in" PENDING "$(job_state "$o")"
scancel "$a"
check "and an early end still pulls forward" wait_state "$b" RUNNING
scancel "$b" "$o"
until_true 20 idle

# ---- a planned start that passes without a slurmctld ----

# All nodes are reserved for a while; then both would start.  One could wait.
now=$(date +%s)
at() { # EPOCH
	date -d "@$1" +%Y-%m-%dT%H:%M:%S
}
check "all nodes are reserved for 20 s" scontrol create reservation \
	ReservationName=short Nodes=n[1-4] Users=root StartTime=now \
	EndTime="$(at $((now + 20)))" Flags=ignore_jobs
submit --time=1 --deadline="$(at $((now + 96)))" -N 2
a=$id
submit --time=1 --deadline=now+40minutes -N 2
b=$id
check "a job is to start then" near $((now + 20)) "$(planned_start "$a")" 3
let_it_save "$b"
same "it waits for it" PENDING "$(job_state "$a")"
kill -KILL "$(cat "$cluster/run/slurmctld.pid")"
until_true 60 eval '[ $(date +%s) -gt $((now + 38)) ]'
check "slurmctld starts after that" "$DEMO" restart-ctld -d "$cluster"
why='slurmctld restarted after its planned start'
check "a promise that broke meanwhile is told, with the cause" until_true 20 \
	ctld_log_has "job $a: promise broken: $why"
check "in its record" until_true 5 eval \
	'[ "$(promise_field "$a" broken)" = "${why// /_}" ]'
matches "and by libra explain" "broken  *its promise: $why; by its estimate" \
	"$("$libra" explain "$a")"
matches "the log has its instant" 'promise broken' \
	"$("$libra" explain "$a" | sed -n '/^  log/,$p')"
check "one that is in time all the same is told" until_true 20 ctld_log_has \
	"job $b: $why: it is planned to start at .*, in time for its deadline"
same "its record has no broken promise" "" "$(promise_field "$b" broken)"
check "both start" wait_state "$a" RUNNING
check "the other, too" wait_state "$b" RUNNING
same "that is still in the record" "${why// /_}" "$(promise_field "$a" broken)"
scancel "$a" "$b"
scontrol delete reservation short 2>/dev/null
until_true 20 idle

# ---- a node goes ----

submit --time=2 --deadline=now+3minutes -N 3
a=$id
check "runs" wait_state "$a" RUNNING
submit --time=2 --deadline=now+5minutes -N 4
b=$id
matches "the next is promised all nodes" 'accepted: 4 nodes' "$said"
scontrol update nodename=n4 state=drain reason=test
check "a drained node that breaks a promise is told at once" until_true 10 \
	ctld_log_has "job $b: promise broken: node drained: n4"
check "in the record, too" until_true 5 has_field "$b" late
scontrol update nodename=n4 state=resume
scancel "$a"
check "and the job starts as soon as it can" wait_state "$b" RUNNING
scancel "$b"
until_true 20 idle

# ---- many ----

# Jobs with deadlines among ordinary ones; all end long before their limits, and
# one is cancelled.
RANDOM=4711
promised=() ordinary=0 refusals=0
declare -A deadline
for i in $(seq 40); do
	n=$((RANDOM % 3 + 1)) s=$((RANDOM % 5 + 1))
	if [ $((i % 2)) -eq 0 ]; then
		sbatch --parsable -o /dev/null --time=1 -N $n "$cluster/job" $s \
			>/dev/null 2>&1 && ordinary=$((ordinary + 1))
	else
		at=$(date -d "+$((RANDOM % 600 + 100)) seconds" +%Y-%m-%dT%H:%M:%S)
		if id=$(sbatch --parsable -o /dev/null --time=1 \
			--deadline="$at" -N $n "$cluster/job" $s 2>/dev/null); then
			promised+=("$id")
			deadline[$id]=$(epoch "$at")
		else
			refusals=$((refusals + 1))
		fi
	fi
	[ $i -ne 20 ] || "$DEMO" restart-ctld -d "$cluster" >/dev/null
	[ $i -ne 20 ] || wait_nodes
done
check "some are promised" test ${#promised[@]} -ge 5
check "and some ordinary" test $ordinary -ge 15
gone=${promised[2]}
scancel "$gone"
let_it_save "${promised[-1]}"
check "slurmctld is killed among them" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "all end" until_true 240 idle_after_kill
# A job that had just begun when slurmctld was killed may go on to its limit for
# Slurm, though it is over on its node: it began in time.
kept() { # JOB STATE END
	[ "$2" = COMPLETED ] && [ "$(epoch "$3")" -le "${deadline[$1]}" ] ||
		[ $(($(epoch "$(job_field "$1" StartTime)") + 60)) -le \
			"${deadline[$1]}" ]
}
missed=0 ran=0
for j in "${promised[@]}"; do
	[ "$j" != "$gone" ] || continue
	state=$(job_state "$j")
	end=$(job_field "$j" EndTime)
	[ -n "$state" ] || continue
	ran=$((ran + 1))
	kept "$j" "$state" "$end" ||
		{ missed=$((missed + 1)) && echo "# job $j: $state, end $end"; }
done
check "promised jobs ran" test $ran -ge 4
same "every promise was kept" 0 $missed
# What slurmctld had not saved when it was killed it starts again: slurmd, which
# knows the job, has it requeued, and who was planned behind it may be told.
if grep -qE 'do not launch second copy|Duplicate jobid' "$cluster"/log/slurmd*.log; then
	echo "# Slurm started a job twice after its kill:" \
		"$(grep -c 'promise broken' "$cluster/log/slurmctld.log") broken"
else
	same "none was broken in the log, but for the two above" 2 \
		"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
fi
same "nothing ran that the plans did not count" 0 \
	"$(grep -c 'the plans do not count it' "$cluster/log/slurmctld.log")"
echo "# ${#promised[@]} promised, $refusals refused, $ordinary ordinary"
[ ! -x "$librasim" ] ||
	check "librasim decides the same" "$librasim" replay "$log"
finish
