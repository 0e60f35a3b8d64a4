#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What comes after the submission.  A job gets no deadline by an update, which
# Slurm would take for the time to cancel it, and a promised job no later start.
# A job that asks for its promise when it may start, and is refused, can tell.
# Then words that must be true: of nodes that are down, of what no promise counts,
# of a limit that is as long as the deadline is far, and of --signal.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
start_cluster --policy planned --nodes 4 \
	--slurm-conf-extra 'PartitionName=other Nodes=n[1-4]' \
	--slurm-conf-extra ScronParameters=enable --params \
	libra_margin=0,libra_machine_reserve=no,libra_hold_back=0

update() { # ID WORD...
	local id=$1
	shift
	scontrol update job "$id" "$@" >"$cluster/said" 2>&1
}
refused_with() { # TEXT ID WORD...
	local text=$1
	shift
	! update "$@" && ctld_log_has "update of job $1 refused: libra: $text"
}
late='a deadline is promised at submission only'
block='a promised job cannot get a later start or a dependency'

# ---- a deadline by an update ----

check "an ordinary job has all nodes" submit --time=10 -n 16
full=$id
check "and runs" wait_state "$full" RUNNING
check "another waits" submit --time=5 -n 4
o=$id
check "it gets no deadline" refused_with "$late" "$o" Deadline=now+1hour
matches "it has none" '^(N/A)?$' "$(job_field "$o" Deadline)"
check "all else is Slurm's" update "$o" StartTime=now+1hour TimeLimit=6
check "and taken back" update "$o" StartTime=now
check "elsewhere Slurm's own deadline" submit -p other --time=5 -n 4 \
	--deadline=now+1hour
own=$id
check "is its own" update "$own" Deadline=now+2hours
check "but does not come in" refused_with "$late" "$own" Partition=main
same "there it stays" other "$(job_field "$own" Partition)"
check "without a deadline it may" update "$o" Partition=other
check "and come back" update "$o" Partition=main
scancel "$o" "$own"

# ---- a later start ----

check "a promised job waits" submit --time=5 -n 4 --deadline=now+1hour
p=$id
start=$(planned_start "$p")
check "it gets no later start" refused_with "$block" "$p" StartTime=now+30minutes
check "nor a dependency" refused_with "$block" "$p" "Dependency=afterok:$full"
same "its promise stays" "$start" "$(planned_start "$p")"
check "a start now changes nothing" update "$p" StartTime=now
check "one that is held has no promise yet" submit -H --time=5 -n 4 \
	--deadline=now+1hour
h=$id
check "it may begin later" update "$h" StartTime=now+30minutes
check "but in time" refused_with 'even if it started at its StartTime the job would end' \
	"$h" StartTime=now+2hours
scancel "$p" "$h"

# ---- asked when it may start ----

check "a job begins in a moment" submit --begin=now+3 --time=1 -n 4 \
	--deadline=now+75
b=$id
matches "and is told that it asks then" 'no promise yet' "$said"
check "it asks, and is refused" until_true 30 ctld_log_has \
	"job $b could start and asked for its promise: refused \(would_miss\), earliest deadline "
check "its record says so" until_true 10 has_field "$b" refused
if [ -x "$libra" ]; then
	said=$("$libra" explain "$b")
	matches "so does explain" \
		'asked at .*: refused \(would_miss\); the earliest deadline then was' \
		"$said"
	matches "and status" 'refused when it asked' "$("$libra" status --long)"
fi
check "it ends when it cannot be in time" wait_state "$b" DEADLINE 90
[ ! -x "$libra" ] || matches "explain says why" \
	'refused \(would_miss\).*; ended, as it could not be in time any more' \
	"$("$libra" explain "$b")"

check "one with more time is refused, too" submit --begin=now+2 --time=2 -n 4 \
	--deadline=now+5minutes
b=$id
check "at first" until_true 30 has_field "$b" refused
scancel "$full"
check "and runs when there is room" wait_state "$b" RUNNING 40
no_refusal() {
	! has_field "$b" refused && has_field "$b" on
}
check "with a promise" until_true 10 no_refusal
scancel -u root
check "all end" until_true 30 idle

# ---- words ----

refused() {
	! submit "$@"
}
soon="--time=1 --deadline=now+30minutes"
check "nodes are drained" scontrol update nodename=n[2-4] state=drain reason=test
check "nothing is promised on one of them" refused $soon -w n4 -n 1
matches "because it is drained" '1 of 1 node that it may be on is down or drained' \
	"$said"
check "nor on more than is left" refused $soon -n 8
matches "for the same reason" '3 of 4 nodes that it may be on are down or drained' \
	"$said"
scontrol update nodename=n[2-4] state=resume
check "a job without a limit runs" submit -p main -n 16
o=$id
check "on all" wait_state "$id" RUNNING
check "nothing is promised behind it" refused $soon -n 4
matches "nor a deadline in ten years" \
	'no deadline would be accepted now: jobs or reservations without an end' "$said"
scancel "$o"
check "it ends" until_true 30 idle
for ask in --mem=3000 --mem-per-cpu=3000 --tmp=100000 --prefer=x; do
	check "what no promise counts: $ask" refused $soon -n 1 $ask
	matches "is refused by ours, not after it" \
		'^sbatch: error: libra: (a promise does not count|partition main has (RealMemory|TmpDisk)=)' "$said"
done
# Debian's packages have no scrontab; one of another Slurm is of no use.
scron() { # OPTIONS
	printf '#SCRON %s\n* * * * * /bin/true\n' "$*" |
		"$(dirname "$(command -v sbatch)")/scrontab" - \
			>"$cluster/said" 2>&1
}
if [ -x "$(dirname "$(command -v sbatch)")/scrontab" ]; then
	check "a job of scrontab is taken without its deadline" scron --time=5 \
		--deadline=now+60minutes -o /dev/null
	matches "and its user reads why" \
		'libra: a promise does not count runs of scrontab' \
		"$(cat "$cluster/said")"
	matches "it has none" '^(N/A)?$' \
		"$(job_field "$(squeue -h -o %i -n /bin/true)" Deadline)"
	scancel --cron -u root
else
	ok 0 "scrontab # SKIP is not of the Slurm tested"
fi
for far in 3598 3599 3600 3601 3602 3660; do
	check "an hour by $far s" submit --time=60 --deadline=now+$far -n 1
	was=promised
	! grep -q 'accepted as a bet: ' <<<"$said" || was=bet
	is=promised
	! "$libra" explain "$id" | grep -q 'accepted as a bet ' || is=bet
	[ ! -x "$libra" ] ||
		same "sbatch and explain say the same" "$was" "$is"
	scancel "$id"
done
stop_cluster

start_cluster --policy band --params libra_grace=60
cat >"$cluster/job" <<-'END'
	#!/bin/bash
	trap 'date +%s >"$1"; exit' USR1
	for i in $(seq 300); do sleep 1; done
END
sbatch -o /dev/null --time=1 --deadline=now+2minutes -n 1 \
	--signal=B:USR1@60 "$cluster/job" "$cluster/signalled" \
	>/dev/null 2>"$cluster/said"
end=$(($(date +%s) + 120))
matches "a signal before the deadline" \
	'libra: --signal comes 60 s before the deadline' "$(cat "$cluster/said")"
check "comes" until_true 75 test -s "$cluster/signalled"
check "before the deadline" test "$(cat "$cluster/signalled")" -le "$end"
finish
