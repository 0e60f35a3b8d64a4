#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# scontrol reboot ASAP nextstate=RESUME, under planned: the node counts from the
# end of its jobs and a reboot on.  Promises wait for that, and new ones are
# given.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
libra=${LIBRA:-${builddir:-$PWD}/libra}
start_cluster --policy planned --params \
	libra_margin=10,libra_hold_back=0,libra_machine_reserve=no \
	--slurm-conf-extra RebootProgram=/bin/true \
	--slurm-conf-extra ResumeTimeout=120

state_has() { # NODE STATE
	scontrol show node "$1" | grep -q "State=[^ ]*$2"
}
no_promise_is_broken() {
	! ctld_log_has 'promise (broken|lost)'
}
starts_behind() { # ID SECONDS: from the end of the job that runs
	[ "$(planned_start "$1")" -ge $(($(epoch "$ends") + $2)) ]
}

submit --time=1 --deadline=now+60minutes -w n2 -n 4
runs=$id
check "a job runs on the node" wait_state "$runs" RUNNING
ends=$(job_field "$runs" EndTime)
submit --time=10 --deadline=now+90minutes -w n2 -n 4
waits=$id
matches "another is promised it" accepted "$said"
scontrol reboot ASAP nextstate=RESUME n2
check "the node is to reboot" until_true 10 state_has n2 REBOOT_REQUESTED
check "the plan moves behind that" until_true 10 starts_behind "$waits" 120
check "no promise is broken" no_promise_is_broken
submit --time=2 --deadline=now+60minutes -N 4
matches "a job that needs the node is accepted" accepted "$said"
[ ! -x "$libra" ] || {
	"$libra" explain "$waits" >"$cluster/explained"
	matches "libra explain has the planned start" \
		'planned +to start at [0-9]' "$(cat "$cluster/explained")"
}
scancel "$runs"
check "it reboots when its jobs have ended" until_true 30 state_has n2 \
	REBOOT_ISSUED
pid=$(cat "$cluster/run/slurmd.n2.pid") && kill "$pid"
until_true 10 sh -c "! kill -0 $pid"
slurmd -b -f "$SLURM_CONF" -N n2
check "and is back, sooner than planned" wait_state "$waits" RUNNING 30
check "no promise is broken" no_promise_is_broken
[ ! -x "$librasim" ] ||
	check "the log can be replayed" "$librasim" replay "$cluster/log/libra.jsonl"
finish
