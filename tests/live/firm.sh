#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned: told starts that are kept, the plan of the oldest ordinary job,
# what becomes of refused jobs, what is learned; each over a restart.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
params=libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
start_cluster --policy planned --params "$params,libra_hard_starts=yes"
sed -i -e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
log=$cluster/log/libra.jsonl

refused() { # OPTIONS
	! sbatch --parsable -o /dev/null "$@" "$cluster/job" >"$cluster/said" 2>&1
}
set_params() { # FROM TO
	sed -i "s/$1/$2/" "$SLURM_CONF"
	"$DEMO" restart-ctld -d "$cluster" && wait_nodes
}

# ---- told starts ----

submit --time=2 --deadline=now+20minutes -N 4
a=$id
check "a job runs" wait_state "$a" RUNNING
submit --time=2 --deadline=now+30minutes -N 4
b=$id
matches "the next is told its start" 'planned start [0-9: -]*, finish' "$said"
told=$(planned_start "$b")
check "one that would have to go before it is refused" refused --time=2 \
	--deadline=now+6minutes -N 4
same "its start stays" "$told" "$(planned_start "$b")"
let_it_save "$b"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "it stays over that" near "$told" "$(planned_start "$b")" 1
check "and is still kept" refused --time=2 --deadline=now+6minutes -N 4
check "as a hint" set_params libra_hard_starts=yes libra_hard_starts=no
check "another may go before it" submit --time=2 --deadline=now+6minutes -N 4
c=$id
moved() {
	[ "$(planned_start "$b")" -gt $((told + 60)) ]
}
check "and it moves" until_true 5 moved
scancel "$a" "$b" "$c"
check "all ends" until_true 20 idle

# ---- the user's own word ----

submit --time=2 --deadline=now+20minutes -N 4
a=$id
check "a job runs" wait_state "$a" RUNNING
check "what cannot be in time is refused" refused --time=2 \
	--deadline=now+3minutes -N 4
submit --time=2 --deadline=now+3minutes -N 4 --comment=x,libra_refused=queue
b=$id
matches "but joins the queue if its user says so" 'WITHOUT A PROMISE' "$said"
same "as a job of Slurm's" PENDING "$(job_state "$b")"
scancel "$b"
check "as all do where the site says so" set_params libra_margin=10 \
	libra_margin=10,libra_refused=queue
submit --time=2 --deadline=now+3minutes -N 4
matches "all of them" 'WITHOUT A PROMISE' "$said"
scancel "$id"
check "but not those who say otherwise" refused --time=2 \
	--deadline=now+3minutes -N 4 --comment=libra_refused=reject
scancel "$a"
check "all ends" until_true 20 idle

# ---- the oldest ordinary job ----

check "ordinary jobs are old after 15 seconds" set_params libra_refused=queue \
	libra_firm_age=15
submit --time=3 --deadline=now+60minutes -N 3
a=$id
check "a promised job runs" wait_state "$a" RUNNING
submit --time=1 --array=0-1 -N 4
array=$id
aged() {
	ctld_log_has "job $array has waited for longer than libra_firm_age"
}
check "an array that waits is planned in the end" until_true 30 aged
submit --time=3 --deadline=now+60minutes -N 3
b=$id
ends=$(($(date -d "$(job_field "$a" StartTime)" +%s) + 180))
check "and others go behind it" test "$(planned_start "$b")" -ge \
	$((ends + 60))
let_it_save "$b"
: >"$cluster/log/slurmctld.log"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "it is planned again" until_true 20 aged
submit --time=3 --deadline=now+60minutes -N 3
c=$id
check "and others still go behind it" test "$(planned_start "$c")" -ge \
	$((ends + 60))
check "the one of before, too" test "$(planned_start "$b")" -ge $((ends + 60))
scancel "$a"
runs() {
	[ "$(squeue -h -t R -o %A -j "$array" | wc -l)" -eq 1 ]
}
check "its first task starts when it can" until_true 60 runs
same "before the others" PENDING "$(job_state "$b")"
same "nothing runs that the plans did not count" 0 \
	"$(grep -c 'the plans do not count it' "$cluster/log/slurmctld.log")"
task=$(squeue -h -t R -o %A -j "$array")
check "the engine knows it" grep -q "^{\"call\":\"started\".*\"id\":$task," "$log"
scancel "$array"
check "the others come" wait_state "$b" RUNNING
scancel "$b" "$c"
check "all ends" until_true 20 idle

# ---- what is learned ----

check "slurmctld is restarted" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "what was learned is in its state folder" grep -q \
	'^libra_learned 1 planned node ' "$cluster/state/libra_learned"
check "and goes on" grep -q '^{"call":"relearn",.*"rc":0}' "$log"
[ ! -x "$librasim" ] ||
	check "librasim decides the same" "$librasim" replay "$log"
finish
