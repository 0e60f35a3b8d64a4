#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim import on a real accounting database: 200 jobs, among them arrays,
# a heterogeneous one, requeued, cancelled and suspended ones and a lost node.
# What import makes of sacct's output is what slurmctld told its job completion
# log of each run, to the second; and every run left its own mark.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
command -v python3 >/dev/null || skip_all "python3 is not installed"
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
[ -x "$librasim" ] || skip_all "librasim was not built"
start_cluster --stock
need_accounting associations
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
} >"$cluster.db" 2>&1
rm -f "$cluster.db"
printf 'JobCompType=jobcomp/filetxt\nJobCompLoc=%s\n' "$cluster/runs.txt" \
	>>"$SLURM_CONF"
touch "$cluster/runs.txt"
check "slurmctld starts with accounting" restart_with_accounts

scontrol create partitionname=closed nodes=n1 state=down

# Each run leaves its mark; a run after the first is over at once.  One waits for
# the file "go": the machine may be slow.
cat >"$cluster/job" <<JOB
#!/bin/sh
echo "\$SLURM_JOB_ID \$(date +%s)" >>"$cluster/marks"
[ "\${SLURM_RESTART_COUNT:-0}" = 0 ] || exec sleep 2
while [ "\${1-}" = hold ] && [ ! -e "$cluster/go" ]; do sleep 1; done
[ "\${1-}" != hold ] || exec sleep 5
exec sleep "\${1:-300}"
JOB
began=$(date +%s)
batch() { # SECONDS OPTIONS of sbatch: the id into $id
	local seconds=$1
	shift
	id=$(sbatch --parsable -o /dev/null "$@" "$cluster/job" "$seconds" \
		2>>"$cluster/said") && id=${id%%;*}
}
all_submitted() {
	local i
	: >"$cluster/said"
	batch 300 -n 2 -t 30 --requeue && requeued=$id || return 1
	batch 300 -n 1 -t 30 --requeue && requeued2=$id || return 1
	batch hold -n 1 -t 30 && suspended=$id || return 1
	batch 300 -w n4 -n 1 -t 10 --no-requeue && lost=$id || return 1
	batch 300 -w n4 -n 1 -t 10 --requeue && moved=$id || return 1
	for i in 1 2 3 4 5; do
		batch 300 -n 1 -t 10 && running="$running $id" || return 1
	done
	batch 2 -n 1 --array=1-30%8 -t 3 && batch 2 -n 2 --array=0-39:2 -t 2 ||
		return 1
	sbatch --parsable -o /dev/null -n 1 -t 2 : -n 2 "$cluster/job" 3 \
		>/dev/null 2>>"$cluster/said" || return 1
	for i in $(seq 128); do
		batch $((2 + i % 3)) -n $((1 + i % 4)) -t $((1 + i % 9)) ||
			return 1
	done
	# A partition that is down: they may run, and wait.
	for i in $(seq 10); do
		batch 2 -p closed -n 1 -t 5 && waiting="$waiting $id" ||
			return 1
	done
}
check "200 jobs are submitted" all_submitted

check "the job to suspend runs" wait_state "$suspended" RUNNING 60
check "it is suspended" scontrol suspend "$suspended"
stopped=$(date +%s)
# slurmdbd learns of starts later, and of none whose job is gone by then.
start_is_known() { # IDS
	local j
	for j in "$@"; do
		sacct -n -X -D -P -j "$j" -o Start | grep -q '^[0-9]' || return 1
	done
}
check "those to disturb run" until_true 60 start_is_known $requeued $requeued2 \
	$lost $moved $running
check "some are cancelled where they wait" scancel $waiting
check "others where they run" scancel $running
check "two are requeued" scontrol requeue "$requeued,$requeued2"
check "a node is lost" scontrol update nodename=n4 state=down reason=test
check "its job with it" wait_state "$lost" NODE_FAIL
until_true 10 later_than $((stopped + 3))
check "the suspended one runs on" scontrol resume "$suspended"
touch "$cluster/go"
came_back() {
	scontrol update nodename=n4 state=resume
	scontrol update nodename=n4 state=idle
	[ "$(sinfo -h -n n4 -p main -o %T)" != down ]
}
check "the node comes back" until_true 30 came_back

# Those that run again, after the node's loss too, wait for two minutes unless
# they are told; and Slurm may drain the node once more, for what it still runs
# of a job that it has lost.
idle_queue() {
	local j
	! sinfo -h -n n4 -p main -o %T | grep -q drain ||
		scontrol update nodename=n4 state=resume
	for j in $(squeue -h -t PENDING -o %A); do
		[ "$(job_field "$j" Priority)" != 0 ] || scontrol release "$j"
		scontrol update job "$j" starttime=now
	done
	[ -z "$(squeue -h)" ]
}
check "all is over" until_true 240 idle_queue

# The line that import tells the admin, for these hours.
release=$(scontrol -V | sed 's/slurm \([0-9]*\.[0-9]*\).*/\1/')
"$librasim" import --show-command="$release" |
	sed "s/ FROM / now-1hours /; s/ TO / now+1hours /; s/| gzip >.*//" \
		>"$cluster/command"
written() {
	bash "$cluster/command" >"$cluster/jobs.txt" 2>"$cluster/said" || {
		cat "$cluster/said"
		return 1
	}
	[ "$(grep -cE 'RUNNING|PENDING|SUSPENDED' "$cluster/jobs.txt")" -eq 0 ] &&
		[ "$(wc -l <"$cluster/jobs.txt")" -gt \
			"$(wc -l <"$cluster/runs.txt")" ]
}
check "sacct takes the command, and slurmdbd has all" until_true 60 written
check "import reads what it printed" "$librasim" import --arrival submit \
	-o "$cluster/log.swf" --table "$cluster/log.csv" \
	--counts "$cluster/counts.csv" "$cluster/jobs.txt"
check "it agrees with slurmctld, to the second" \
	python3 "$(dirname "$0")/import_agrees.py" "$cluster" "$began" \
	"$suspended" "$lost" "$requeued" "$requeued2"
sed 's/^/# /' "$cluster.out"
same "those cancelled where they waited are counted" 10 \
	"$(sed -n 's/^dropped,cancelled_waiting,\([0-9]*\),.*/\1/p' \
		"$cluster/counts.csv")"
check "and it is simulated" "$librasim" run --policy easy "$cluster/log.swf"
finish
