# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# lib.sh - a cluster whose jobs get cgroups and weights; sourced, not run.
#
# All of it runs on one CPU of this host, the last one, and what is measured is
# how the jobs divide what they get: the host may have other things to do.

. "$(dirname "${BASH_SOURCE[0]}")/../live/lib.sh"

# Two runs on one host meet in the groups of the node n1, unless one of them is
# given hierarchies of its own (say, folders below the host's, mounted there).
cgroup=${LIBRA_TEST_CGROUP:-/sys/fs/cgroup}
state=

need_weights() {
	need_slurm
	[ -e "$LIBRA_PLUGINDIR/spank_libra.so" ] ||
		skip_all "spank_libra.so was not built in $LIBRA_PLUGINDIR"
	[ -e $cgroup/cpu/cpu.shares ] && [ -e $cgroup/cpuacct ] ||
		skip_all "no cgroup version 1 with cpu and cpuacct here"
	command -v taskset >/dev/null || skip_all "taskset is not installed"
	alone
}

# The cgroups of a node are named by it alone: one such test on this host at a
# time, whichever build it is of.
alone() {
	[ "$cgroup" = /sys/fs/cgroup ] || return 0 # nobody else's
	exec {lock}>/run/slurm-libra-enforce.lock &&
		flock -w 1200 "$lock" && return
	echo "Bail out! another test has had the cgroups for 20 minutes"
	exit 1
}

# Start a cluster; its state folder is ours too.
start_shares() { # OPTIONS of demo-cluster
	local demo=$DEMO
	scratch=$(mktemp -d /tmp/libra-enforce.XXXXXX) || exit 1
	chmod 0755 "$scratch"
	at_end=stop_shares
	state=/run/slurm-libra-test-$$
	echo "required spank_libra.so state=$state cgroup=$cgroup" \
		>"$scratch/plugstack.conf"
	printf '#!/bin/sh\nexec taskset -c %d %s "$@"\n' \
		$(($(nproc) - 1)) "$demo" >"$scratch/demo"
	chmod 0755 "$scratch/demo"
	DEMO=$scratch/demo
	start_cluster --policy libra --params libra_no_deadline=best_effort \
		--slurm-conf-extra "PlugStackConfig=$scratch/plugstack.conf" \
		--slurm-conf-extra PrologFlags=Alloc,NoHold "$@"
	printf '#!/bin/sh\nwhile :; do :; done\n' >"$cluster/busy"
	chmod 0755 "$cluster/busy"
}

stop_shares() {
	[ -z "$mounted" ] || umount "$mounted"
	stop_cluster
	DEMO=
	rm -rf "$scratch"
}
mounted=

# Submit a busy loop with an estimate (seconds) and a deadline (seconds from
# now); the id in $id.
busy() { # ESTIMATE DEADLINE [OPTIONS of sbatch]
	local estimate=$1 deadline=$2
	shift 2
	busy_plain --estimate="${estimate}s" --deadline="now+$deadline" "$@"
}

busy_plain() { # [OPTIONS of sbatch]
	local out
	out=$(sbatch --parsable -o /dev/null "$@" "$cluster/busy" \
		2>"$cluster/said") || return 1
	# shellcheck disable=SC2034
	id=${out%%;*}
}

group() { # ID [NODE]
	echo "$cgroup/cpu/libra/${2:-n1}/job_$1"
}

weight() { # ID [NODE]
	cat "$(group "$1" "${2:-n1}")/cpu.shares" 2>/dev/null || echo 0
}

# A process of the job is in its group.
has_begun() { # ID
	grep -q . "$(group "$1")/cgroup.procs"
}

# Its processes are gone: what Slurm needs to end them is its own affair.
has_ended() { # ID
	! has_begun "$1" 2>/dev/null
}

wait_begun() { # ID...
	local j
	for j in "$@"; do
		until_true 20 has_begun "$j" || return 1
	done
}

# The slurmstepd of a job's batch script, of this cluster alone.
stepd_of() { # ID
	local p
	for p in $(pgrep -f "^slurmstepd: \[$1\.batch\]"); do
		[ "$(readlink "/proc/$p/cwd")" = "$cluster/log" ] && echo "$p"
	done
}

# CPU time of a job's processes, as the kernel counts it for each of them, in
# clock ticks.
ticks() { # ID
	local p t=0 u
	for p in $(cat "$(group "$1")/cgroup.procs"); do
		u=$(sed 's/.*) //' "/proc/$p/stat" 2>/dev/null |
			awk '{ print $12 + $13 }')
		t=$((t + ${u:-0}))
	done
	echo $t
}

# How jobs divide the CPU time that they get together in so many seconds: the
# part of each, in 1/10000.
parts_over() { # SECONDS ID...
	local end j sum=0
	local -A before used
	end=$(($(date +%s%N) + $1 * 1000000000))
	shift
	for j in "$@"; do before[$j]=$(ticks "$j"); done
	while [ "$(date +%s%N)" -lt $end ]; do sleep 0.05; done
	for j in "$@"; do
		used[$j]=$(($(ticks "$j") - before[$j]))
		sum=$((sum + used[$j]))
	done
	[ $sum -gt 0 ] || return 1
	for j in "$@"; do echo $((used[$j] * 10000 / sum)); done
}

# Each number within PERCENT of the one expected.
within() { # NAME PERCENT "EXPECTED..." "GOT..."
	awk -v p="$2" -v e="$3" -v g="$4" 'BEGIN {
		n = split(e, E); if (split(g, G) != n) exit 1
		for (i = 1; i <= n; i++)
			if (G[i] < E[i] * (1 - p / 100) ||
			    G[i] > E[i] * (1 + p / 100))
				exit 1
	}'
	ok $? "$1: $4 of 10000"
}

nothing_left() {
	[ ! -e "$state" ] && [ ! -e $cgroup/cpu/libra ] &&
		[ ! -e $cgroup/cpuacct/libra ]
}

# What the nodes say of us.
told() {
	cat "$cluster"/log/slurmd.*.log | grep -F 'libra: ' |
		grep -v 'shares by'
}

queue_empty() {
	[ -z "$(squeue -h)" ]
}

end_all() {
	scancel -f -p main >/dev/null 2>&1
	scancel -f -p stock >/dev/null 2>&1
	until_true 30 queue_empty && until_true 10 nothing_left
}
