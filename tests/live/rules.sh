#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What Slurm would hold against a job after our verdict is known before it:
# generic resources, features, memory.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --slurm-conf-extra MaxMemPerCPU=100 \
	--slurm-conf-extra DefMemPerCPU=100 \
	--slurm-conf-extra GresTypes=gpu
hour="--time=10 --deadline=now+60minutes"

features() { # NODES FEATURES
	scontrol update nodename="$1" availablefeatures="$2" \
		activefeatures="$2"
}

submit $hour -n 2 --gres=gpu:1
same "a job with --gres is refused" 1 $?
matches "and told why" 'libra: .*--gres and --gpus cannot have a deadline yet' \
	"$said"
submit $hour -n 2 --gpus=1
matches "so is one with --gpus" '--gres and --gpus cannot' "$said"
check "--gres=none wants none" submit $hour -n 2 --gres=none
scancel "$id"

check "features of all nodes" features 'n[1-4]' 'fast,big'
check "a constraint that all nodes meet is taken" submit $hour -n 2 \
	--constraint='fast&big'
check "its job runs" wait_state "$id" RUNNING
scancel "$id"
check "one node is no longer fast" features n3 big
submit $hour -n 2 --constraint=fast
same "a constraint that some nodes do not meet is refused" 1 $?
matches "and told why" '--constraint' "$said"
check "features of which each node has one are taken" submit $hour -n 2 \
	--constraint='fast|big'
scancel "$id"
submit $hour -n 2 --constraint='[fast|big]'
same "one that is no plain list is refused" 1 $?

# Slurm gives CPUs for memory: two, of three times the memory, are six.
check "a job with more memory per CPU than Slurm gives" submit $hour -n 2 \
	--mem-per-cpu=250
matches "is promised all CPUs that Slurm counts" '6 CPUs are counted instead of 2' \
	"$said"
same "six processors" 6 "$(promise_field "$id" procs)"
check "it runs" wait_state "$id" RUNNING
same "on what it was promised" "$(promised_on "$id")" "$(runs_on "$id")"
same "and Slurm counts six, too" 6 "$(job_field "$id" NumCPUs)"
scancel "$id"
submit $hour -n 2 --mem=250
same "memory of a node that takes more CPUs is refused" 1 $?
matches "and told why" 'main has MaxMemPerCPU=100 MB, the job asks for more' "$said"
check "within the limit nothing changes" submit $hour -n 2 --mem-per-cpu=100
same "two processors" 2 "$(promise_field "$id" procs)"
finish
