#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim sweep --slurm on a cluster that breaks: in the middle a node is lost
# (its slurmd, its slurmstepds and their tasks, by SIGKILL), and slurmctld is
# killed and started again.  The table has the bytes of a local run.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --nodes 2 --cpus 1 --slurm-conf-extra SlurmdTimeout=5
cd "$cluster" || exit 1
"$librasim" gen -n 250000 --procs 1024 --seed 3 -o gen.swf </dev/null
cat >sweep.conf <<'END'
trace = "gen.swf"
policies = {librarisk}
seeds = {1, 2, 3, 4}
arrival_delay = {0.03, 0.035, 0.04, 0.045, 0.05, 0.055, 0.06, 0.07}
END
"$librasim" sweep -q sweep.conf -o local.csv
same "a local run has all points" 33 "$(wc -l <local.csv)"

rows() {
	cat far.csv.parts/*.csv 2>/dev/null | grep -vc ^key
}
some_rows() { [ "$(rows)" -ge 3 ]; }
# The tasks of a node: processes of this cluster with its name.
tasks_on() { # NODE
	local p
	for p in $(pgrep -f "sweep sweep.conf -q .*--part"); do
		tr '\0' '\n' 2>/dev/null <"/proc/$p/environ" |
			grep -qx "SLURMD_NODENAME=$1" &&
			[ "$(readlink "/proc/$p/cwd")" = "$cluster" ] &&
			echo "$p"
	done 2>/dev/null
}
on_both() { [ -n "$(tasks_on n1)" ] && [ -n "$(tasks_on n2)" ]; }

"$librasim" sweep sweep.conf -o far.csv --slurm -p stock -J far >said 2>&1 &
command=$!
check "tasks run on both nodes, and write rows" until_true 60 eval \
	"on_both && some_rows"
# Stopped, they cannot end before slurmctld is killed.
lost=$(tasks_on n1) others=$(tasks_on n2)
# shellcheck disable=SC2086
kill -STOP $lost $others
# A start that a killed slurmctld had not saved is made twice: slurmd refuses
# it, the task is held, and nobody here would release it.
id=$(cut -d' ' -f1 far.csv.parts/array)
let_it_save "$id"
for pid in $lost; do
	task=$(tr '\0' '\n' <"/proc/$pid/environ" |
		sed -n 's/^SLURM_ARRAY_TASK_ID=//p')
	parent=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")
	[ "$(cat "/proc/$parent/comm")" = slurmstepd ] && kill -KILL "$parent"
	kill -KILL "$pid"
done
kill -KILL "$(cat run/slurmd.n1.pid)"
[ "$(wc -l <"far.csv.parts/$task.csv")" -lt 17 ]
ok $? "the task of the lost node was not done"
kill -KILL "$(cat run/slurmctld.pid)"
before=$(rows)
# shellcheck disable=SC2086
kill -CONT $others
check "without slurmctld the other node goes on" until_true 60 eval \
	"[ \"\$(rows)\" -gt $before ]"
kill -0 $command
ok $? "the command waits"
check "slurmctld starts again" "$DEMO" restart-ctld -d "$cluster"
wait $command
same "the command ends well" 0 $?
sed 's/^/#   /' said
check "the table is that of the local run" cmp local.csv far.csv
[ ! -e far.csv.parts ]
ok $? "the folder of the parts is gone"
check "the lost node was seen, and its task started again" until_true 10 \
	grep -qi requeu log/slurmctld.log

# What is held goes on when somebody releases it: the user is told.
sed -e 's/^seeds.*/seeds = {1}/' -e 's/^arrival.*/arrival_delay = {0.03}/' \
	sweep.conf >small.conf
"$librasim" sweep small.conf -o held.csv --slurm -p stock --hold >said 2>&1 &
command=$!
told() {
	grep -q "is held: scontrol release [0-9]* lets it go on" said
}
check "that an array is held is told" until_true 30 told
scontrol release "$(cut -d' ' -f1 held.csv.parts/array)"
wait $command
same "released it goes on" 0 $?
finish
