#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned beside running jobs that are made smaller: plans have what they
# give back.  None is made larger.  Those that are suspended end later, and plans
# come behind that.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --slurm-conf-extra GresTypes=gpu --params \
	permit_job_expansion,libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64//' \
	-e 's/^SelectTypeParameters=.*/SelectTypeParameters=CR_Core_Memory/' \
	-e 's/^NodeName=.* CPUs=4/& Gres=gpu:2/' "$SLURM_CONF"
echo DefMemPerCPU=100 >>"$SLURM_CONF"
touch "$cluster"/gpu{0..1}
echo "Name=gpu File=$cluster/gpu[0-1]" >"$cluster/gres.conf"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
check "and the slurmds" restart_slurmds n1 n2 n3 n4
cd "$cluster" || exit 1 # scontrol writes scripts

refused() {
	! submit "$@"
}
clear_all() {
	scancel -u root
	until_true 30 idle
}
nodes_of() { # JOB
	scontrol show hostnames "$(job_field "$1" NodeList)" | paste -sd' '
}
resize() { # JOB NODES
	scontrol update JobId="$1" NumNodes="$2"
}
soon="--time=5 --deadline=now+30minutes"

# ---- smaller ----

check "an ordinary job has all nodes" submit --time=60 -N 4 -n 16
o=$id
check "and runs" wait_state "$o" RUNNING
check "nothing is promised before its limit" refused $soon -n 4
check "it gives two back" resize "$o" 2
same "and has the others" "n1 n2" "$(nodes_of "$o")"
check "which a plan has now" until_true 10 submit $soon -n 8
check "that starts" wait_state "$id" RUNNING
same "there" "n3 n4" "$(nodes_of "$id")"
check "and no more" refused --time=5 --deadline=now+8minutes -n 1
clear_all

check "one has a GPU of each node" submit --time=60 -N 4 -n 4 --gres=gpu:1
o=$id
check "and runs" wait_state "$o" RUNNING
check "all of a node are promised to nobody" refused $soon -n 1 --gres=gpu:2
check "it gives two nodes back" resize "$o" 2
check "with their GPUs" until_true 10 submit $soon -N 2 --gres=gpu:2
check "which run" wait_state "$id" RUNNING
same "there" "n3 n4" "$(nodes_of "$id")"
check "and has those of the others" refused $soon -w n1 -n 1 --gres=gpu:2
check "one of them" submit $soon -w n1 -n 1 --gres=gpu:1
check "is free" wait_state "$id" RUNNING
clear_all

check "a promised job of two nodes" submit $soon -N 2 -n 8
check "runs" wait_state "$id" RUNNING
check "and keeps its size" eval "! resize $id 1"
check "as it is told" ctld_log_has \
	"update of job $id refused: .*cannot change its size while it runs"
same "on both" "n1 n2" "$(nodes_of "$id")"
clear_all

# ---- larger ----

check "an ordinary job" submit --time=60 -w n1 -n 4
a=$id
check "runs" wait_state "$a" RUNNING
check "none that is to expand it is taken" refused --dependency=expand:"$a" \
	--time=5 -w n2 -n 4
matches "with the reason" 'libra: no job gives its nodes' "$said"
check "with a deadline, too" refused --dependency=expand:"$a" $soon -w n2 -n 4
check "one that waits for another" submit -H --time=5 -w n2 -n 4
b=$id
check "is not made one" eval \
	"! scontrol update JobId=$b Dependency=expand:$a"
check "by our word" ctld_log_has \
	"update of job $b refused: libra: no job gives its nodes"
check "other dependencies are Slurm's" scontrol update JobId="$b" \
	Dependency=afterany:"$a"
cd / || exit 1
clear_all
[ ! -x "$librasim" ] || check "the decision log replays" "$librasim" replay \
	"$cluster/log/libra.jsonl"
# ---- suspended ----

# A plan is behind the ends of both jobs as Slurm has them, and not long after.
is_behind() { # PLAN JOB JOB
	local start a b
	start=$(planned_start "$1")
	a=$(epoch "$(job_field "$2" EndTime)")
	b=$(epoch "$(job_field "$3" EndTime)")
	[ "$b" -le "$a" ] || a=$b
	[ "$start" -ge "$a" ] && [ "$start" -le $((a + 20)) ]
}
clear_all
check "a promised job" submit --time=3 --deadline=now+1hour -N 2 -n 8
a=$id
check "runs" wait_state "$a" RUNNING
check "and an ordinary one" submit --time=3 -N 2 -n 8
o=$id
check "beside it" wait_state "$o" RUNNING
check "one comes behind them" submit --time=1 --deadline=now+1hour -n 16
p=$id
check "both are suspended" scontrol suspend "$a,$o"
sleep 30
check "they go on" scontrol resume "$a,$o"
check "the plan is behind their new ends" until_true 10 is_behind "$p" "$a" "$o"
check "so is the next" submit --time=1 --deadline=now+1hour -n 12
check "by its plan" test "$(planned_start "$id")" -ge "$(planned_start "$p")"
clear_all

finish
