#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ordinary jobs that keep the jobs of others off their nodes: --exclusive=user
# and =mcs, OverSubscribe=NO, partitions with ExclusiveUser.  Under planned they
# have whole nodes in the plans; where processors are shared they are refused.

. "$(dirname "$0")/lib.sh"
need_slurm
doctor=$top/plugin/spank/libra-doctor
start_cluster --policy planned --nodes 4 \
	--slurm-conf-extra 'PartitionName=one Nodes=n[1-4] ExclusiveUser=YES' \
	--slurm-conf-extra MCSPlugin=mcs/user \
	--slurm-conf-extra MCSParameters=ondemand,ondemandselect --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64//' "$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "the plans are of cores" ctld_log_has \
	'policy planned on 16 processors of 4 nodes'
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}

# Another user.
other() {
	local out
	out=$(cd / && setpriv --reuid=65534 --regid=65534 --clear-groups \
		sbatch --parsable --chdir=/tmp -o /dev/null "$@" "$cluster/job" \
		2>"$cluster/said") || {
		said=$(cat "$cluster/said")
		return 1
	}
	id=${out%%;*}
}
refused() {
	! submit "$@"
}
clear_all() {
	scancel -u root
	scancel -u 65534
	until_true 30 idle
}
waits() { # ID: for two looks of Slurm's
	! until_true_soon 4 in_state "$1" RUNNING
}
starts_after() { # JOB JOB: the plan of one is after the limit of the other
	[ "$(planned_start "$1")" -ge "$(epoch "$(job_field "$2" EndTime)")" ]
}

# ---- plans go round them ----

for how in "--exclusive=user" "--exclusive=mcs" "-p one"; do
	check "$how: another user's job runs" other $how --time=60 -n 1 -w n1
	o=$id
	check "on a node" wait_state "$o" RUNNING
	check "nothing is promised there before its limit" refused --time=5 \
		--deadline=now+30minutes -w n1 -n 1
	check "but after it" submit --time=5 --deadline=now+2hours -w n1 -n 1
	check "as the plan says" starts_after "$id" "$o"
	check "elsewhere at once" submit --time=5 --deadline=now+30minutes -n 12
	check "where it starts" wait_state "$id" RUNNING
	clear_all
done

# ---- they go round plans ----

check "another user has three cores of each node" other --time=2 -N 4 \
	--ntasks-per-node=3
check "and runs" wait_state "$id" RUNNING
check "behind it three of each are planned" submit --time=2 \
	--deadline=now+20minutes -N 4 --ntasks-per-node=3
p=$id
for how in "--exclusive=user" "--exclusive=mcs" "-p one"; do
	check "$how: a long job of his" other $how --time=60 -n 1
	check "waits, as a plan is for its node" waits "$id"
	scancel "$id"
done
check "a long one that shares its node" other --time=60 -n 1
check "runs beside" wait_state "$id" RUNNING
check "a short one that does not" other --exclusive=user --time=1 -n 1
until_true_soon 2 in_state "$id" RUNNING
same "the plan stays" PENDING "$(job_state "$p")"
clear_all

# ---- updates ----

check "a job that is held" submit -H --time=60 -n 1 -w n1
o=$id
check "is not to share its node" scontrol update job "$o" OverSubscribe=NO
scontrol release "$o"
check "runs" wait_state "$o" RUNNING
check "nothing is promised there before its limit" refused --time=5 \
	--deadline=now+30minutes -w n1 -n 1
clear_all

# ---- restart ----

check "another user's job has its node for itself" other --exclusive=user \
	--time=60 -n 1 -w n2
check "and runs" wait_state "$id" RUNNING
let_it_save "$id"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
check "the node is still its user's" refused --time=5 \
	--deadline=now+30minutes -w n2 -n 1
clear_all

# ---- what is refused ----

check "a promise of a node for oneself is refused" refused --exclusive=user \
	--time=5 --deadline=now+30minutes -n 1
matches "with the reason" 'libra: .*--exclusive=user' "$said"
check "and so is one for a label" refused --exclusive=mcs --time=5 \
	--deadline=now+30minutes -n 1
sed -i 's/libra_partitions=main/libra_partitions=main+one/' "$SLURM_CONF"
check "such a partition is managed" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "which slurmctld's log tells" ctld_log_has \
	'error: libra: partition one has ExclusiveUser=YES'
check "no promise is given there" refused -p one --time=5 \
	--deadline=now+30minutes -n 1
matches "with the reason" 'libra: partition one .*ExclusiveUser' "$said"
matches "which libra-doctor has, too" \
	'WRONG  partition one: Exclusive(User=YES|=USER): a job keeps' \
	"$("$doctor" 2>&1)"
check "an ordinary job runs there" submit -p one --time=5 -n 1
check "as ever" wait_state "$id" RUNNING
clear_all
[ ! -x "$librasim" ] || check "the decision log replays" "$librasim" replay \
	"$cluster/log/libra.jsonl"
stop_cluster

# ---- where processors are shared ----

start_cluster --policy band --nodes 2 --slurm-conf-extra \
	'PartitionName=one Nodes=n[1-2] ExclusiveUser=YES OverSubscribe=FORCE:64'
check "an ordinary job runs" submit --time=5 -n 1
check "and one with whole nodes" submit --exclusive --time=5 -n 1
for how in user mcs; do
	check "--exclusive=$how is refused" refused --exclusive=$how --time=5 \
		-n 1
	matches "with the reason" "libra: .*--exclusive=user" "$said"
	check "with a deadline, too" refused --exclusive=$how --time=5 \
		--deadline=now+30minutes -n 1
done
check "an unmanaged partition is Slurm's" submit -p stock --exclusive=user \
	--time=5 -n 1
clear_all
check "a job that waits there" submit -H -p stock --exclusive=user --time=5 -n 1
check "does not come in by an update" eval \
	"! scontrol update job $id partition=main"
check "by our word" ctld_log_has \
	"update of job $id refused: libra: in this partition no job keeps"
check "one that does not" submit -H -p stock --time=5 -n 1
check "does come in" scontrol update job "$id" partition=main
submit -H -p stock --exclusive=user --time=5 -n 1
scontrol update job "$id" partition=main 2>/dev/null
same "the other stays where it is" stock "$(job_field "$id" Partition)"
clear_all
sed -i 's/libra_partitions=main/libra_partitions=main+one/' "$SLURM_CONF"
check "a partition of single users is managed" "$DEMO" restart-ctld \
	-d "$cluster"
check "which slurmctld's log tells" ctld_log_has \
	'error: libra: partition one has ExclusiveUser=YES'
finish
