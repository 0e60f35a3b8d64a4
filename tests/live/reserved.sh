#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned goes round advance reservations, also such as are made after a
# plan; and round drained and failed nodes.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
log=$cluster/log/libra.jsonl

reserve() { # NAME NODES SECONDS-FROM-NOW MINUTES
	scontrol create reservation ReservationName="$1" Nodes="$2" Users=root \
		StartTime="$(date -d "+$3 seconds" +%Y-%m-%dT%H:%M:%S)" \
		Duration="$4"
}
resv_time() { # NAME FIELD
	epoch "$(scontrol show reservation "$1" | tr ' ' '\n' |
		sed -n "s/^$2=//p")"
}
starts_near() { # JOB TIME
	near "$(planned_start "$1")" "$2" 3
}

# ---- made after the plans, of all nodes ----

submit --time=1 --deadline=now+90minutes -N 4
a=$id
check "a job runs" wait_state "$a" RUNNING
submit --time=4 --deadline=now+90minutes -N 4
b=$id
submit --time=4 --deadline=now+12minutes -N 4
c=$id
matches "two wait behind it" 'accepted: 4 nodes' "$said"
check "all nodes are reserved" reserve maint n[1-4] 200 30
from=$(resv_time maint StartTime) to=$(resv_time maint EndTime)
check "a plan moves behind that, within its promise" until_true 10 \
	starts_near "$b" "$to"
check "squeue --start shows it" near "$to" \
	"$(epoch "$(squeue -h --start -j "$b" -o %S)")" 3
same "its promise holds" "" "$(promise_field "$b" late)"
check "whose promise cannot be kept is told at once, with the cause" \
	until_true 10 ctld_log_has "job $c: promise broken: node reserved: n1"
check "in the record, too" until_true 5 has_field "$c" late
submit --time=1 --deadline=now+60minutes -N 4
d=$id
check "a short one goes before it" test "$(planned_start "$d")" -lt "$from"
scancel "$a"
check "and starts, when it can" wait_state "$d" RUNNING
submit --time=5 -N 1
o=$id
let_it_save "$b"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "the plans still go round it" until_true 10 starts_near "$b" "$to"
same "an ordinary job that would reach it waits" PENDING "$(job_state "$o")"
scancel "$o" "$d"
check "the reservation is deleted" scontrol delete ReservationName=maint
check "plans come forward" wait_state "$c" RUNNING
kept() {
	[ "$(planned_start "$b")" -lt "$to" ]
}
check "all of them" until_true 10 kept
scancel "$b" "$c"
check "all ends" until_true 20 idle

# ---- of some nodes ----

check "a node is reserved" reserve class n4 300 30
to=$(resv_time class EndTime)
submit --time=2 --deadline=now+20minutes -N 4
check "before that it is promised" wait_state "$id" RUNNING
scancel "$id"
check "all ends" until_true 20 idle
refused() { # OPTIONS
	! sbatch --parsable -o /dev/null "$@" "$cluster/job" >"$cluster/said" 2>&1
}
check "but not to who would reach it" refused --time=6 \
	--deadline=now+20minutes -N 4
submit --time=6 --deadline=now+20minutes -N 3
a=$id
check "the others are" wait_state "$a" RUNNING
submit --time=6 --deadline=now+60minutes -N 4
b=$id
check "when it is over all are" starts_near "$b" "$to"
submit --time=2 -N 1
check "an ordinary job that ends before it runs there" wait_state "$id" RUNNING
same "on that node" n4 "$(job_field "$id" NodeList)"
scancel "$a" "$b" "$id"
check "all ends" until_true 20 idle
scontrol delete ReservationName=class

# ---- again and again ----

hourly() {
	scontrol create reservation ReservationName=class Nodes=n[1-4] \
		Users=root Flags=HOURLY Duration=40 \
		StartTime="$(date -d '+5 minutes' +%Y-%m-%dT%H:%M:%S)"
}
check "all nodes are reserved for 40 minutes of each hour" hourly
to=$(resv_time class EndTime)
submit --time=15 --deadline=now+10hours -N 4
check "what fits between has its place there" until_true 10 \
	starts_near "$id" "$to"
scancel "$id"
check "what does not is refused, however late it may end" refused --time=25 \
	--deadline=now+10hours -N 4
check "the reservation ends" scontrol delete ReservationName=class
check "then it is promised" submit --time=25 --deadline=now+10hours -N 4
scancel "$id"
check "all ends" until_true 20 idle

# ---- nodes ----

submit --time=2 --deadline=now+30minutes -N 3
a=$id
check "a job runs" wait_state "$a" RUNNING
submit --time=2 --deadline=now+6minutes -N 4
b=$id
submit --time=1 --deadline=now+30minutes -N 3
c=$id
node=$(sinfo -h -N -t idle -o %N | head -n 1)
kill -9 "$(cat "$cluster/run/slurmd.$node.pid")"
# An answer of before its end, read late, brings the node back to service.
told_of_loss() {
	scontrol update nodename="$node" state=down reason=test
	ctld_log_has "job $b: promise broken: node lost: $node"
}
check "a failed node that breaks a promise is told" until_true 10 told_of_loss
same "no other is" "" "$(promise_field "$c" late)"
slurmd -f "$SLURM_CONF" -N "$node"
until_true 20 scontrol update nodename="$node" state=resume
wait_nodes
scancel "$a" "$c"
check "and it starts as soon as it can" wait_state "$b" RUNNING
scancel "$b"
check "all ends" until_true 20 idle
[ ! -x "$librasim" ] ||
	check "librasim decides the same" "$librasim" replay "$log"
finish
