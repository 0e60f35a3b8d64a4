#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned beside ordinary jobs that may run for longer than Slurm says
# when it starts them: with --time-min, and in reservations that are FLEX.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0,bf_interval=2
sed -i '/^PartitionName=/s/ OverSubscribe=FORCE:64//' "$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "the plans are of cores" ctld_log_has \
	'policy planned on 16 processors of 4 nodes'

# Backfill looks again when something has changed.
runs_now() { # ID
	scontrol update job "$1" comment="$RANDOM"
	in_state "$1" RUNNING
}
waits() { # ID: for some looks of Slurm's
	! until_true 6 runs_now "$1"
}
clear_all() {
	scancel -u root
	until_true 30 idle
}
limit_min() { # ID
	job_field "$1" TimeLimit | awk -F'[-:]' \
		'{print NF == 4 ? $1 * 1440 + $2 * 60 + $3 : $1 * 60 + $2}'
}
holds() { # JOB: its promise, and its plan is in time
	ctld_log_has "job $1: promise broken" && return 1
	! has_field "$1" late
}

# ---- --time-min ----

submit --time=3 -N 2 -n 8
a=$id
check "a job has two nodes" wait_state "$a" RUNNING
check "behind it four are planned" submit --time=5 --deadline=now+11minutes \
	-N 4 -n 16
p=$id
check "a long one comes that takes less" submit --time=60 --time-min=1 -N 1 -n 4
o=$id
# It waits, or it is short.
short() {
	! in_state "$o" RUNNING || [ "$(limit_min "$o")" -le 2 ]
}
waits "$o"
check "it does not run for longer than until the plan" short
check "whose promise holds" holds "$p"
scancel "$a"
check "and which starts" wait_state "$p" RUNNING 90
scancel "$p"
has_started() {
	! in_state "$o" PENDING
}
check "the other starts, or has run" until_true 60 has_started
check "the promise held" holds "$p"
clear_all
check "where nothing is planned" submit --time=60 --time-min=1 -N 1 -n 4
o=$id
check "such a job starts" wait_state "$o" RUNNING
check "behind its limit, whatever that became, is promised" submit --time=5 \
	--deadline=now+2hours -N 4 -n 16
p=$id
behind() {
	near "$(planned_start "$p")" \
		$(($(epoch "$(job_field "$o" EndTime)") + 10)) 3
}
check "at its end" until_true 10 behind
clear_all

# ---- reservations ----

reserve() { # MINUTES [FLAG]
	scontrol create reservation ReservationName=r1 Users=root \
		StartTime=now Nodes=n1 Duration="$1" ${2:+Flags="$2"}
}
check "a node has a FLEX reservation" reserve 3 FLEX
check "in which a job without a limit may start" submit --reservation=r1 \
	-w n1 -n 4
check "while nobody waits" wait_state "$id" RUNNING
clear_all
check "behind the reservation is promised" submit --time=5 \
	--deadline=now+15minutes -w n1 -n 4
p=$id
check "a job that would outlive it comes" submit --reservation=r1 --time=60 \
	-w n1 -n 4
o=$id
check "and waits" waits "$o"
check "one that would not" submit --reservation=r1 --time=1 -w n1 -n 4
check "starts" wait_state "$id" RUNNING
scancel "$id"
check "the promise holds" holds "$p"
check "the reservation ends" scontrol update ReservationName=r1 \
	EndTime="$(date -d '+2 seconds' +%Y-%m-%dT%H:%M:%S)"
check "and its job starts" wait_state "$p" RUNNING 60
clear_all
scontrol delete ReservationName=r1 2>/dev/null

check "a node has one that Slurm ends jobs with" reserve 3
check "behind it is promised, too" submit --time=5 --deadline=now+15minutes \
	-w n1 -n 4
p=$id
check "a job with a longer limit comes" submit --reservation=r1 --time=60 \
	-w n1 -n 4
check "and starts" wait_state "$id" RUNNING
until_true_soon 3 false
check "the promise holds" holds "$p"
clear_all
scontrol delete ReservationName=r1
[ ! -x "$librasim" ] ||
	check "librasim decides the same" "$librasim" replay \
		"$cluster/log/libra.jsonl"
finish
