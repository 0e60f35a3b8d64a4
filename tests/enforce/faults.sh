#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What breaks must not end a job: it runs on, one line says what happened, and
# the weights are right again at the next event.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

need_weights
start_shares --nodes 1 --cpus 1

running() {
	local j
	for j in "$@"; do [ "$(job_state "$j")" = RUNNING ] || return 1; done
}

# Weights of two jobs that came with .4 and .2.
two_to_one() { # ONE TWO
	local a b
	a=$(weight "$1") b=$(weight "$2")
	[ $((a * 100)) -gt $((b * 195)) ] && [ $((a * 100)) -lt $((b * 205)) ]
}

# An event: a job begins, and one ends.
event() {
	local was=$id
	busy 10 1000 && wait_begun "$id" && scancel "$id"
	until_true 10 test ! -e "$(group "$id")"
	id=$was
}

lines() { told | wc -l; }

busy 400 1000 && one=$id
busy 200 1000 && two=$id
check "two jobs run" wait_begun "$one" "$two"
check "their weights are as their shares" two_to_one "$one" "$two"

# slurmd restarted.
slurmd_pid() { cat "$cluster/run/slurmd.n1.pid"; }
pid=$(slurmd_pid)
kill "$pid"
gone() { ! kill -0 "$pid" 2>/dev/null; }
check "slurmd ends" until_true 20 gone
check "slurmd starts again" taskset -c $(($(nproc) - 1)) \
	slurmd -f "$SLURM_CONF" -N n1
idle() { sinfo -h -N -n n1 -o %T | grep -qE '^(mixed|allocated|idle)$'; }
check "the node is back" until_true 30 idle
check "the jobs run on" running "$one" "$two"
echo 2 >"$(group "$one")/cpu.shares"
event
check "weights are right at the next event" two_to_one "$one" "$two"

# Its state lost, as at a reboot, but the jobs are there.
rm -rf "$state"
echo 2 >"$(group "$two")/cpu.shares"
told_before=$(lines)
event
check "a lost state folder: right at the next event" two_to_one "$one" "$two"
check "it is made again" test -s "$state/n1/job_$one"
check "the jobs run on without it" running "$one" "$two"
same "that is no failure to tell of" "$told_before" "$(lines)"

# A write to a cgroup that fails: a full device lies over the file.
mounted=$(group "$one")/cpu.shares
mount --bind /dev/full "$mounted"
told_before=$(lines)
busy 10 1000 && third=$id && wait_begun "$third"
check "a weight cannot be written: the jobs run on" \
	running "$one" "$two" "$third"
same "one line says so" $((told_before + 1)) "$(lines)"
matches "with the file, the cause and what follows" \
	'1 of 3 weights not renewed: .*cpu.shares.*No space left.*tried again' \
	"$(told | tail -n 1)"
umount "$mounted"
mounted=
echo 2 >"$(group "$one")/cpu.shares"
scancel "$third"
until_true 10 test ! -e "$(group "$third")"
check "weights are right at the next event after that" two_to_one "$one" "$two"

# No cgroup can be made: the folder of the node is out of reach.
# (A folder that is bound over itself read-only.)
mounted=$cgroup/cpu/libra/n1
mount --bind "$mounted" "$mounted" && mount -o remount,bind,ro "$mounted"
told_before=$(lines)
busy 10 1000 && third=$id
check "no cgroup can be made: a job runs all the same" \
	wait_state "$third" RUNNING
told_more() { [ "$(lines)" -gt "$told_before" ]; }
check "its log says so" until_true 10 told_more
matches "with the cause" 'Read-only file system' "$(told | tail -n 1)"
umount "$mounted"
mounted=
scancel "$third"
ended() { [ -z "$(squeue -h -j "$third" 2>/dev/null)" ]; }
check "and ends" until_true 20 ended
event
check "weights are right when it can again" two_to_one "$one" "$two"
check "the first jobs ran through it all" running "$one" "$two"
check "all end, nothing is left" end_all

# A full disk under the state folder.
mkdir -m 0700 "$state"
mount -t tmpfs -o size=4k,nr_inodes=4,mode=0700 none "$state"
mounted=$state
mkdir -m 0700 "$state/n1" && : >"$state/n1/lock" && : >"$state/n1/filler"
busy 400 1000 && one=$id
busy 200 1000 && two=$id
check "the disk of the state is full: jobs begin" wait_begun "$one" "$two"
check "with their weights" two_to_one "$one" "$two"
matches "the log says so" \
	'cannot write its record.*No space left.*its cgroup keeps it' \
	"$(told | tail -n 1)"
echo 2 >"$(group "$one")/cpu.shares"
rm "$state/n1/filler"
event
check "weights are right at the next event there too" two_to_one "$one" "$two"
umount "$state"
mounted=

# slurmstepd killed.  What it ran goes on, and Slurm learns of it much later.
step=$(stepd_of "$one")
process=$(head -n 1 "$(group "$one")/cgroup.procs")
check "slurmstepd is killed" kill -9 "$step"
step_gone() { ! kill -0 "$step" 2>/dev/null; }
check "it is gone" until_true 10 step_gone
check "what it ran goes on" kill -0 "$process"
echo 2 >"$(group "$one")/cpu.shares"
event
check "weights are right at the next event" two_to_one "$one" "$two"
scancel "$one"
process_gone() { ! kill -0 "$process" 2>/dev/null; }
check "what the job left ends with it" until_true 60 process_gone
check "and its cgroup" until_true 10 test ! -e "$(group "$one")"
check "in the end nothing is left" end_all
same "the files that were used are gone" "" "$(ls -d "$state" 2>/dev/null)"
finish
