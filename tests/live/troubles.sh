#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What goes wrong with nodes and jobs: nothing is forgotten, nothing leaks, and
# a job that loses its promise by no fault of its own is not ended for it.

. "$(dirname "$0")/lib.sh"
need_slurm
watch=$(mktemp -d)
extra_files=$watch
printf '#!/bin/sh\nenv >%s/env.$SLURM_JOB_ID\n' "$watch" >"$watch/prolog"
chmod 0755 "$watch" "$watch/prolog"
start_cluster --policy libra --slurm-conf-extra Licenses=key:9 \
	--slurm-conf-extra "Prolog=$watch/prolog" \
	--slurm-conf-extra PrologFlags=Alloc \
	--slurm-conf-extra ReturnToService=1

on_node() { # ID VARIABLE
	sed -n "s/^SPANK_LIBRA_$2=//p" "$watch/env.$1"
}
share_on_node() { # ID
	on_node "$1" SHARE
}
# A job runs for slurmctld before its nodes were told.
told_share() { # ID REGEX
	[[ $(share_on_node "$1") =~ $2 ]]
}
resume() { # NODES
	scontrol update nodename="$1" state=resume && wait_nodes
}

# Suspended and resumed.
submit --time=9 --deadline=now+30minutes -n 16
a=$id
check "a job runs" wait_state "$a" RUNNING
before=$(promised_on "$a")
check "it is suspended" scontrol suspend "$a"
check "and says so" wait_state "$a" SUSPENDED
submit --time=27 --deadline=now+30minutes -n 16
same "its share stays promised" 1 $?
left_of() { # ID WORD: of "left at one part / rate / since when"
	promise_field "$1" left | cut -d, -f1 | cut -d/ -f"$2"
}
held=$(left_of "$a" 1)
since=$(left_of "$a" 3)
same "its record tells that it stands still" 0 "$(left_of "$a" 2)"
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
same "it is suspended still" SUSPENDED "$(job_state "$a")"
same "and stands still" 0 "$(left_of "$a" 2)"
while awk "BEGIN { exit !($(date +%s.%N) - $since < 2) }"; do
	sleep 0.05
done
check "it is resumed" scontrol resume "$a"
check "and runs" wait_state "$a" RUNNING
same "where it was promised" "$before" "$(promised_on "$a")"
check "its record tells that it goes on" test "$(left_of "$a" 2)" != 0
check "and that it has done nothing meanwhile" awk "BEGIN {
	left = $(left_of "$a" 1); later = $(left_of "$a" 3) - $since
	exit !(later >= 2 && left > $held - 0.001 && left < $held + 0.001) }"
scancel "$a"
check "all ends" until_true 20 idle

# Changed while it waits: its nodes are told the new numbers.
hold_keys
submit --time=9 --deadline=now+30minutes -L key:1 -n 2
x=$id
check "a waiting job's estimate is changed" \
	scontrol update job "$x" timelimit=12
same "its record says so" 720 "$(promise_field "$x" estimate)"
check "and its deadline" scontrol update job "$x" deadline=now+40minutes
deadline=$(promise_field "$x" deadline)
same "it waits" PENDING "$(job_state "$x")"
free_keys
check "it starts" wait_state "$x" RUNNING
check "its nodes were told" until_true 10 test -s "$watch/env.$x"
same "the new estimate" 720 "$(on_node "$x" ESTIMATE)"
same "the new deadline" "$deadline" "$(on_node "$x" DEADLINE)"
matches "the new share" '^0\.3' "$(share_on_node "$x")"
scancel "$x"
check "all ends" until_true 20 idle

# A job that fails, and one that does so at once.
printf '#!/bin/sh\nexit 1\n' >"$cluster/fails"
id=$(sbatch --parsable -o /dev/null --time=27 --deadline=now+30minutes -n 16 \
	"$cluster/fails")
check "a job fails" wait_state "$id" FAILED
check "its share is free" until_true 10 submit --time=27 \
	--deadline=now+30minutes -n 16
scancel "$id"
until_true 20 idle

nodes_left() { # N: that answer
	[ "$(sinfo -h -N -p main -o '%T %N' | grep -vcE '[*]|unknown|down')" -eq "$1" ]
}
# A node that goes down takes its jobs with it; they are promised elsewhere.
submit --time=20 --deadline=now+30minutes -n 4
x=$id
wait_state "$x" RUNNING
node=$(promised_on "$x")
node=${node%%:*}
scontrol update nodename="$node" state=down reason=test
check "its node down, a job leaves it" until_true 20 in_state "$x" PENDING
# Slurm starts it again in two minutes; what it needs is kept for it.
kept_on() {
	[[ $(promised_on "$x") == *:* ]] &&
		[[ " $(promised_on "$x")" != *" $node:"* ]]
}
check "it is promised another node at once" until_true 20 kept_on
check "the log says so" ctld_log_has "job $x waits for .* and keeps a promise"
submit --time=20 --deadline=now+30minutes -n 12
same "which nobody else is promised" 1 $?
check "what is left is there for others" submit --time=20 \
	--deadline=now+30minutes -n 8
other=$id
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
check "and keeps it" until_true 20 kept_on
until_true 20 nodes_left 3
submit --time=20 --deadline=now+30minutes -n 4
same "from others, too" 1 $?
check "and starts elsewhere" until_true 30 starts_now "$x"
same "as its record says" "$(promised_on "$x")" "$(runs_on "$x")"
[[ " $(promised_on "$x")" != *" $node:"* ]]
ok $? "not on that node"
same "and its promise is not lost" "" "$(promise_field "$x" promise)"
scancel "$other"
submit --time=9 --deadline=now+30minutes -n 16
same "that node is promised to nobody" 1 $?
resume "$node"
check "resumed, it is promised again" until_true 10 submit --time=9 \
	--deadline=now+30minutes -n 16
scancel "$x" "$id"
check "all ends" until_true 20 idle

# Reserved nodes are promised to nobody.
if scontrol create reservation reservationname=kept starttime=now \
	duration=20 nodecnt=1 users=root partition=main >"$cluster.out" 2>&1
then
	submit --time=9 --deadline=now+30minutes -n 16
	same "no promise on a reserved node" 1 $?
	submit --time=9 --deadline=now+30minutes -n 12
	check "a promise beside it is kept" wait_state "$id" RUNNING
	same "as its record says" "$(promised_on "$id")" "$(runs_on "$id")"
	scancel "$id"
	submit --reservation=kept --time=5 --deadline=now+30minutes -n 1
	matches "in a reservation there is no promise" \
		'no promise in a reservation: Slurm alone' "$said"
	check "but the job runs" wait_state "$id" RUNNING
	same "as Slurm would run it" 00:05:00 "$(job_field "$id" TimeLimit)"
	scancel "$id"
	until_true 20 idle
	scontrol delete reservation=kept
	check "without the reservation the node is there" until_true 10 \
		submit --time=9 --deadline=now+30minutes -n 16
	scancel "$id"
	until_true 20 idle
else
	ok 1 "a reservation is made"
	sed 's/^/#   /' "$cluster.out"
fi

# Lost: x had a share of 0.9 on n1; elsewhere 0.5 is left.
check "n1 is drained" scontrol update nodename=n1 state=drain reason=test
until_true 10 submit --time=15 --deadline=now+30minutes -n 12
filler=$id
check "the other nodes are half promised" wait_state "$filler" RUNNING
resume n1
check "n1 is promised to one job" until_true 10 submit --time=27 \
	--deadline=now+30minutes -n 4
x=$id
check "which runs there" wait_state "$x" RUNNING
check "with its share" until_true 10 told_share "$x" '^0\.9'
scontrol update nodename=n1 state=drain reason=test
scontrol requeue "$x"
check "drained and requeued, it runs" until_true 40 starts_now "$x"
same "its record says that the promise is lost" lost \
	"$(promise_field "$x" promise)"
check "the log too" ctld_log_has "job $x: promise lost"
same "once" 1 "$(grep -c "job $x: promise lost" \
	"$cluster/log/slurmctld.log")"
check "it draws no promised share" until_true 10 told_share "$x" '^0$'
resume n1
check "what it had is promised to others" until_true 10 submit --time=27 \
	--deadline=now+30minutes -n 4
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
check "the nodes answer it" wait_nodes
same "it still runs" RUNNING "$(job_state "$x")"
same "the promise of the others holds" RUNNING "$(job_state "$filler")"

scancel -p main
check "all ends" until_true 20 idle

# Lost in the queue, with no node left: the job is not ended for it.
scontrol update nodename=n[1-4] state=drain reason=test
submit --time=1 --deadline=now+10minutes -n 1
same "nothing is promised on drained nodes" 1 $?
resume 'n[1-4]'
check "with nodes it is" until_true 10 submit --time=1 \
	--deadline=now+70seconds -n 1
y=$id
check "and runs" wait_state "$y" RUNNING
scontrol update nodename=n[1-4] state=drain reason=test
scontrol requeue "$y"
check "requeued with no node left" until_true 20 in_state "$y" PENDING
scontrol update job "$y" starttime=now
same "it waits" PENDING "$(job_state "$y")"
resume 'n[1-4]'
check "with nodes it runs, promised or not" until_true 30 starts_now "$y"

check "no start was unexpected" sh -c \
	"! grep -E 'did not expect|without a promise' $cluster/log/slurmctld.log"
check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
