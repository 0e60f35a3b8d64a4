#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Limits of accounts and QOS that count GPUs, of policy planned: what is accepted
# starts, and what Slurm would hold back is refused before a word of a promise,
# also when a waiting job is to have more nodes.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
start_cluster --policy planned --nodes 4 --slurm-conf-extra GresTypes=gpu \
	--params libra_offer_ttl=5,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64//' \
	-e '/^PreemptMode=/d' -e '/^NodeName=/s/$/ Gres=gpu:2/' "$SLURM_CONF"
echo AccountingStorageTRES=gres/gpu >>"$SLURM_CONF"
touch "$cluster"/gpu{0..1}
echo "NodeName=n[1-4] Name=gpu File=$cluster/gpu[0-1]" >"$cluster/gres.conf"
check "the slurmds have GPUs" restart_slurmds n1 n2 n3 n4
need_accounting limits,qos
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root,daemon account=lab cluster=libra
} >"$cluster.db" 2>&1
check "slurmctld starts with accounting" restart_with_accounts
# It tells the database that there are GPUs.
check "Slurm accounts for GPUs" until_true 20 eval \
	"sacctmgr -n show tres format=type,name | grep -q 'gres *gpu'"
{
	sacctmgr -i add qos group set GrpTRES=gres/gpu=4
	sacctmgr -i add qos each set MaxTRES=gres/gpu=2
	sacctmgr -i modify user root,daemon where cluster=libra set \
		qos=normal,group,each
} >"$cluster.db" 2>&1
has_limits() {
	scontrol show assoc_mgr flags=qos | grep -q 'gres/gpu=2'
}
check "and knows their limits" until_true 20 has_limits

promise="--time=2 --deadline=now+30minutes"
refused() { # NAME LIMIT OPTIONS
	local name=$1 limit=$2
	shift 2
	submit $promise "$@"
	same "$name: beyond the limit it is refused" 1 $?
	matches "$name: and told which limit" \
		"libra: the limit $limit=gres/gpu=[0-9]+ of your account" "$said"
}
check "two GPUs of one job" until_true 20 submit $promise --qos=each -n 1 \
	--gpus-per-node=2
check "which run" wait_state "$id" RUNNING
scancel "$id"
refused "of each job" MaxTRES --qos=each -N 2 --gpus-per-node=2
refused "in all" MaxTRES --qos=each -n 3 --gpus=3
refused "of tasks" MaxTRES --qos=each -n 3 --gpus-per-task=1
check "four of a group" submit $promise --qos=group -N 2 --gpus-per-node=2
four=$id
check "run" wait_state "$four" RUNNING
refused "of the group" GrpTRES --qos=group -n 1 --gpus=1
scancel "$four"

# A waiting job of a user is changed: the machine is full until it starts.
as() {
	(cd / && setpriv --reuid=daemon --regid=65534 --clear-groups "$@")
}
check "one has all nodes" until_true 20 submit --time=3 -N 4 --exclusive
full=$id
check "and runs" wait_state "$full" RUNNING
id=$(as sbatch --parsable -o /dev/null $promise --qos=each -N 1 \
	--gpus-per-node=2 --wrap 'sleep 100' 2>"$cluster/said")
waits=$id
matches "a job waits for it" 'libra: accepted' "$(cat "$cluster/said")"
nodes=$(job_field "$waits" NumNodes)
as scontrol update job "$waits" numnodes=2 >"$cluster/said" 2>&1
same "on two nodes it would have four GPUs, and is refused" 1 $?
matches "as Slurm refuses it" 'violates accounting/QOS policy' \
	"$(cat "$cluster/said")"
same "it stays as it is" "$nodes" "$(job_field "$waits" NumNodes)"
scancel "$full"
check "and starts" wait_state "$waits" RUNNING
finish
