#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two CPUs a core: jobs are promised whole cores, those on which Slurm starts
# them.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --threads 2

# Slurm names CPUs where promises name cores.
cores_of() { # ID
	runs_on "$1" | tr ' ' '\n' | awk -F: 'NF == 2 {
		print $1 ":" int($2 / 2)
	}' | sort -u | paste -sd' ' -
}
starts() { # CORES OPTIONS...
	local want=$1
	shift
	submit --time=5 --deadline=now+30minutes "$@"
	check "$*: accepted and started" wait_state "$id" RUNNING 5
	same "$*: as many cores as Slurm takes" "$want" \
		"$(promise_field "$id" procs)"
	same "$*: on those it was promised" "$(promised_on "$id")" \
		"$(cores_of "$id")"
}

for n in 1:1 2:1 3:2 4:2 5:3; do
	starts "${n#*:}" -n "${n%:*}"
	scancel "$id"
done
for n in 1 2 3 4 5; do
	starts "$n" -n "$n" -c 2
	scancel "$id"
done
# Three CPUs are one core and a half: each of several tasks gets two cores.
starts 2 -n 1 -c 3
same "one task keeps its CPUs" 3 "$(job_field "$id" CPUs/Task)"
scancel "$id"
for n in 2 3 4 5; do
	starts $((2 * n)) -n "$n" -c 3
	matches "-n $n -c 3: the user reads why" '4 CPUs per task are counted instead of 3' \
		"$said"
	same "-n $n -c 3: Slurm counts them" "4 $((4 * n))" \
		"$(job_field "$id" CPUs/Task) $(job_field "$id" NumCPUs)"
	scancel "$id"
done
# So many tasks a node.
starts 2 -n 2 --ntasks-per-node=1
scancel "$id"
starts 4 -N 2 --ntasks-per-node=3
scancel "$id"
starts 4 -n 6 --ntasks-per-node=4
matches "as many on each: the user reads why" '8 tasks are counted instead of 6' "$said"
same "and Slurm counts them" "8 8" \
	"$(job_field "$id" NumTasks) $(job_field "$id" NumCPUs)"
scancel "$id"
starts 8 -N 2 --ntasks-per-node=2 -c 3
scancel "$id"
starts 3 -N 2 -n 5
scancel "$id"
starts 3 -N 3 -n 5
scancel "$id"
# A core for each.
starts 3 -n 3 --ntasks-per-core=1
scancel "$id"
starts 6 -n 3 -c 2 --hint=nomultithread
scancel "$id"

submit --time=5 --deadline=now+30minutes -n 2 -c 9
same "no node has so many CPUs" 1 $?
matches "is refused with a reason" 'refused \(too_large\): 5 processors on one node' "$said"
submit --time=5 --deadline=now+30minutes -n 2 --ntasks-per-socket=1
matches "sockets are not looked at" 'for any nodes' "$said"

# A change has whole cores, too.
submit --time=5 --deadline=now+30minutes -H -n 2
check "a held job gets larger tasks" scontrol update job "$id" cpuspertask=3
same "in whole cores" "4 8 4" "$(job_field "$id" CPUs/Task) $(
	job_field "$id" NumCPUs) $(promise_field "$id" procs)"
scontrol release "$id"
check "it starts" wait_state "$id" RUNNING
same "on those cores" "$(promised_on "$id")" "$(cores_of "$id")"

check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
