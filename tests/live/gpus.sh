#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned where nodes are shared: promises of GPUs, memory, certain nodes
# and whole ones, counted as Slurm counts them.  Four nodes of four CPUs, 2000 MB
# and four GPUs that are files, two near each socket: a100 on two, h100 on the
# others.  Partition given has defaults for what goes with a GPU.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --slurm-conf-extra GresTypes=gpu \
	--params libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64//' \
	-e 's/^SelectTypeParameters=.*/SelectTypeParameters=CR_Core_Memory/' \
	-e '/^PreemptMode=/d' \
	-e 's/^NodeName=n\[1-4\]\(.*\) Port=\([0-9]*\)-[0-9]* \(.*\)/NodeName=n[1-2]\1 Port=@a \3 Gres=gpu:a100:4 Feature=old\nNodeName=n[3-4]\1 Port=@b \3 Gres=gpu:h100:4 Feature=new/' \
	"$SLURM_CONF"
port=$(sed -n 's/.*slurmctld.*//;s/^SlurmctldPort=\([0-9]*\).*/\1/p' "$SLURM_CONF")
sed -i -e "s/Port=@a/Port=$((port + 1))-$((port + 2))/" \
	-e "s/Port=@b/Port=$((port + 3))-$((port + 4))/" "$SLURM_CONF"
sed -i -e 's/^\(NodeName=.*\) CPUs=4/\1 CPUs=4 Sockets=2 CoresPerSocket=2/' \
	-e 's/libra_partitions=main/libra_partitions=main+given/' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
DefMemPerCPU=100
PartitionName=given Nodes=n[1-4] DefCpuPerGPU=2 DefMemPerGPU=300
END
touch "$cluster"/gpu{0..3}
cat >"$cluster/gres.conf" <<END
NodeName=n[1-2] Name=gpu Type=a100 File=$cluster/gpu[0-1] Cores=0-1
NodeName=n[1-2] Name=gpu Type=a100 File=$cluster/gpu[2-3] Cores=2-3
NodeName=n[3-4] Name=gpu Type=h100 File=$cluster/gpu[0-1] Cores=0-1
NodeName=n[3-4] Name=gpu Type=h100 File=$cluster/gpu[2-3] Cores=2-3
END
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
check "and the slurmds" restart_slurmds n1 n2 n3 n4
log=$cluster/log/libra.jsonl
check "the plans are of cores" ctld_log_has \
	'policy planned on 16 processors of 4 nodes'

nodes_of() { # JOB
	scontrol show hostnames "$(job_field "$1" NodeList)" | paste -sd' '
}
gpus_of() { # JOB: "n1:2 n2:2"
	scontrol -d show job "$1" | sed -n \
		's/^ *Nodes=\([^ ]*\) .*GRES=gpu:[a-z0-9]*:\([0-9]*\).*/\1 \2/p' |
		while read -r nodes n; do
			for node in $(scontrol show hostnames "$nodes"); do
				echo "$node:$n"
			done
		done | paste -sd' '
}
clear_all() {
	scancel -u root
	until_true 30 idle
}
far="--time=5 --deadline=now+2hours"

refused() {
	! sbatch --parsable -o /dev/null "$@" "$cluster/job" >"$cluster/said" 2>&1
}

# ---- what is asked for ----

check "two GPUs of any kind" submit $far --gpus=2
check "run" wait_state "$id" RUNNING
matches "on one node" '^n[1-4]:2$' "$(gpus_of "$id")"
check "eight of one type" submit $far --gpus=h100:8
check "run" wait_state "$id" RUNNING
same "on the nodes that have them" "n3:4 n4:4" "$(gpus_of "$id")"
clear_all
check "one for each of two tasks" submit $far -n 2 --gpus-per-task=1
check "run" wait_state "$id" RUNNING
clear_all
# From 24.05 Slurm may never give tasks GPUs that are far of some of them.
submit --time=20 -w n1 --gres=gpu:1 -n 1
check "an ordinary job has a GPU of a socket" wait_state "$id" RUNNING
for asks in "-w n1 -n 2 --gpus-per-task=1" "-n 3 --gpus-per-task=1" \
	"-n 2 --gpus-per-task=2" "-n 3 --gpus-per-task=2"; do
	check "tasks with $asks" submit $far $asks
	check "run, near or far" wait_state "$id" RUNNING
	scancel "$id"
done
clear_all
runs_or_told() {
	submit "$@" || grep -q 'libra: where GPUs are near' <<<"$said" ||
		return 1
	[ -z "$id" ] || wait_state "$id" RUNNING
}
check "such as no equal nodes have run, or it is said that they may not" \
	runs_or_told $far -n 5 --gpus-per-task=2
clear_all
check "with two CPUs and memory for each GPU" submit $far --gpus=1 \
	--cpus-per-gpu=2 --mem-per-gpu=300
check "runs" wait_state "$id" RUNNING
same "with these CPUs" 2 "$(job_field "$id" NumCPUs)"
matches "and this memory" 'Mem=300 ' "$(scontrol -d show job "$id")"
clear_all
as_asked() { # CPUS TASKS GPUS MEMORY; all of one node
	same "with that much" "$*" "$(job_field "$id" NumCPUs) $(
		job_field "$id" NumTasks) $(gpus_of "$id" | sed 's/.*://') $(
		scontrol -d show job "$id" |
			sed -n 's/.* Mem=\([0-9]*\) .*/\1/p')"
}
check "two tasks with each GPU" submit $far --gpus=2 --ntasks-per-gpu=2
check "run" wait_state "$id" RUNNING
as_asked 4 4 2 400
check "GPUs for so many tasks" submit $far -n 4 --ntasks-per-gpu=2
check "run" wait_state "$id" RUNNING
as_asked 4 4 2 400
check "what a partition gives with each GPU" submit $far -p given --gpus=1
check "runs" wait_state "$id" RUNNING
as_asked 2 1 1 300
check "and more tasks than that" submit $far -p given -n 3 --gpus-per-node=1
check "run" wait_state "$id" RUNNING
as_asked 3 3 1 300
clear_all
check "a task's own CPUs count instead" submit $far -p given -c 1 --gpus=3
check "runs" wait_state "$id" RUNNING
as_asked 1 1 3 900
check "and a job's own memory" submit $far -p given --gpus=1 --mem=150
check "runs" wait_state "$id" RUNNING
as_asked 2 1 1 150
check "they are counted with each task" submit $far -p given -n 2 \
	--gpus-per-task=1
check "runs" wait_state "$id" RUNNING
same "with its CPUs" 4 "$(job_field "$id" NumCPUs)"
check "more CPUs for GPUs than a node has" refused $far -p given --gpus=a100:6
matches "are refused" 'libra: ' "$(cat "$cluster/said")"
clear_all
for i in 1 2 3 4; do
	check "a task with each GPU of a type, one by one" submit $far \
		--gpus=h100:2 -n 2
	check "runs, near or far" wait_state "$id" RUNNING
done
clear_all
check "so many of each of two nodes" submit $far -N 2 --gpus-per-node=3
check "run" wait_state "$id" RUNNING
matches "there" '^n[1-4]:3 n[1-4]:3$' "$(gpus_of "$id")"
check "a node by its name" submit $far -w n4 -n 3 --mem=500
check "runs" wait_state "$id" RUNNING
same "there" n4 "$(nodes_of "$id")"
check "all but some" submit $far -x n[2-4] -n 2
check "runs" wait_state "$id" RUNNING
same "on the other" n1 "$(nodes_of "$id")"
clear_all
check "a feature" submit $far --constraint=new --exclusive -N 2
check "runs" wait_state "$id" RUNNING
same "on all cores of nodes that have it" "n3 n4 8" \
	"$(nodes_of "$id") $(job_field "$id" NumCPUs)"
check "any of two features" submit $far --constraint='old|new' --exclusive -N 2
check "runs" wait_state "$id" RUNNING
same "on the nodes of the other" "n1 n2" "$(nodes_of "$id")"
check "no node has both" refused $far --constraint='old&new' -N 1
clear_all
check "what is counted in no way is refused" refused $far \
	--gpus-per-socket=1 --sockets-per-node=1
matches "with a line that says so" 'libra: --gpus-per-socket cannot' \
	"$(cat "$cluster/said")"
check "GPUs of each socket of whole nodes" submit $far --exclusive -N 2 \
	--gpus-per-socket=2 --sockets-per-node=2
check "run" wait_state "$id" RUNNING
same "with all of them" 4 "$(gpus_of "$id" | sed 's/.*://')"
check "of a type on one socket" submit $far --exclusive \
	--gpus-per-socket=h100:1 --sockets-per-node=1
check "run" wait_state "$id" RUNNING
matches "there" '^n[34]$' "$(nodes_of "$id")"
check "more than a socket has" refused $far --exclusive \
	--gpus-per-socket=3 --sockets-per-node=1
matches "are refused as such" 'meets --sockets-per-node=1 --gpus-per-socket=3: leave' \
	"$(cat "$cluster/said")"
clear_all
# Slurm gives whole nodes with all their GPUs, and counts what goes with each.
for asks in "--gpus=1 --mem-per-gpu=600" "--gpus-per-task=1 -n 1 --mem-per-gpu=600" \
	"-w n2 --gpus-per-node=1 --mem-per-gpu=600" \
	"--gpus=1 --cpus-per-gpu=2" "-p given --gpus=1" \
	"-p given --gpus-per-socket=1 --sockets-per-node=1"; do
	check "whole nodes with $asks" refused $far --exclusive $asks
	matches "are refused for all their GPUs" 'gets all GPUs of a node' \
		"$(cat "$cluster/said")"
done
for asks in "--gpus=1 --mem-per-gpu=500" "--gpus-per-node=1 --cpus-per-gpu=1 -N 2" \
	"-p given -c 4 --mem=900 --gpus=1"; do
	check "whole nodes with $asks" submit $far --exclusive $asks
	check "run" wait_state "$id" RUNNING
	clear_all
done
check "so are GPUs that no equal nodes have" refused $far --gpus=5
matches "with what to give" 'cannot be divided evenly' "$(cat "$cluster/said")"
check "and tasks that so few nodes have no room for" refused $far -N 1 -n 5
matches "as too many" 'too_large.* 5 processors on 1 node;' \
	"$(cat "$cluster/said")"
check "tasks on as many nodes as there are" refused $far -n 4 --spread-job
matches "are refused with what to give" 'libra: --spread-job cannot' \
	"$(cat "$cluster/said")"
check "no GPU is none" submit $far --gpus=0 -n 2
check "and runs" wait_state "$id" RUNNING
same "without one" "" "$(gpus_of "$id")"
check "GPUs with near cores alone" refused $far --gpus=1 \
	--gres-flags=enforce-binding
matches "likewise" 'enforce-binding cannot' "$(cat "$cluster/said")"
check "more GPUs than there are" refused $far --gpus=a100:9
matches "are refused as such" 'too_large|cannot be divided' \
	"$(cat "$cluster/said")"
clear_all

# ---- when ----

for i in 1 2 3 4; do
	check "most of a node's memory" submit --time=3 \
		--deadline=now+30minutes -n 1 --mem=1500
	check "runs" wait_state "$id" RUNNING
	[ $i -gt 1 ] || first=$id
done
ends=$(epoch "$(job_field "$first" EndTime)")
submit --time=1 --deadline=now+30minutes -n 1 --mem=1500
e=$id
check "the fifth waits until one has ended by its limit" near \
	"$(planned_start "$e")" $((ends + 5)) 15
check "one that takes less runs beside them" submit --time=1 \
	--deadline=now+10minutes -n 2 --mem=400
check "at once" wait_state "$id" RUNNING
scancel "$first"
check "an early end pulls the fifth forward" wait_state "$e" RUNNING
clear_all

submit --time=20 --gres=gpu:a100:3 -n 1
o=$id
check "an ordinary job has GPUs" wait_state "$o" RUNNING
submit --time=2 --deadline=now+40minutes --gpus=a100:8
p=$id
check "a plan for all of them waits for its limit" near \
	"$(planned_start "$p")" $(($(date +%s) + 1210)) 30
submit --time=30 --gres=gpu:a100:1 -n 1
q=$id
submit --time=10 --gres=gpu:a100:1 -n 1
r=$id
check "an ordinary job that ends before that starts" wait_state "$r" RUNNING
same "one that would be in the way does not" PENDING "$(job_state "$q")"
let_it_save "$p"
was=$(planned_start "$p")
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
# It comes behind the limit of the job before it, as Slurm has that now.
before=$(epoch "$(job_field "$o" EndTime)")
is_restored() {
	near "$was" "$(planned_start "$p")" 15 &&
		[ "$(planned_start "$p")" -ge "$before" ]
}
check "the plan is restored" until_true 20 is_restored
same "and holds" PENDING "$(job_state "$q")"
scancel "$o" "$r"
check "it comes when they have gone" wait_state "$p" RUNNING
same "with all of them" "n1:4 n2:4" "$(gpus_of "$p")"
clear_all

# ---- ordinary jobs, counted as Slurm counts them ----

for asks in "--gpus=8" "--gpus=h100:6" "-N 3 --gpus=6" "--gpus-per-task=1 -n 8" \
	"--gpus=4 --cpus-per-gpu=2"; do
	check "an ordinary job with $asks" submit --time=20 $asks
	check "runs" wait_state "$id" RUNNING
	clear_all
done
submit --time=10 --gres=gpu:a100:1 -n 1
o=$id
check "an ordinary job has a GPU" wait_state "$o" RUNNING
submit --time=2 --deadline=now+40minutes --gpus=a100:8
p=$id
submit --time=30 -w n1 --gpus-per-task=1 -n 2
q=$id
submit --time=8 -w n1 --gpus-per-task=1 -n 2
check "beside a plan for all of a type one that ends before it starts" \
	wait_state "$id" RUNNING
same "one that takes of them for longer does not" PENDING "$(job_state "$q")"
scancel "$q" "$id" "$o"
check "the plan comes" wait_state "$p" RUNNING
clear_all

# ---- many ----

RANDOM=815
shapes=("--gpus=1" "--gpus=2 -n 2" "--gpus=h100:1 --mem-per-gpu=400"
	"-N 2 --gpus-per-node=1" "-n 3 --mem-per-cpu=200" "-n 2 -x n1"
	"-n 2 --gpus-per-task=1" "--gpus=a100:4" "-n 5" "--exclusive -N 1")
promised=()
declare -A latest
for i in $(seq 36); do
	shape=${shapes[RANDOM % ${#shapes[@]}]}
	s=$((RANDOM % 4 + 1))
	if [ $((RANDOM % 3)) -eq 0 ]; then
		sbatch --parsable -o /dev/null --time=1 $shape "$cluster/job" $s \
			>/dev/null 2>&1
		continue
	fi
	out=$(sbatch --parsable -o /dev/null --time=1 \
		--deadline=now+$((RANDOM % 8 + 2))minutes $shape "$cluster/job" \
		$s 2>/dev/null) || continue
	promised+=("${out%%;*}")
done
check "most are promised something" [ ${#promised[@]} -ge 8 ]
check "all end" until_true 240 idle
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
same "and no job is elsewhere than promised" 0 \
	"$(grep -c 'does not run where' "$cluster/log/slurmctld.log")"
done_in_time() {
	local j state
	for j in "${promised[@]}"; do
		state=$(job_state "$j")
		[ -z "$state" ] || [ "$state" = COMPLETED ] || {
			echo "job $j: $state"
			return 1
		}
	done
}
check "all that were promised something have done it" done_in_time

# ---- not all nodes have what goes with each GPU ----

sed -i 's/^\(NodeName=n\[3-4\].*RealMemory=\)[0-9]*/\11000/' "$SLURM_CONF"
check "two nodes have less memory than their GPUs want" "$DEMO" restart-ctld \
	-d "$cluster"
wait_nodes
submit --time=5 --deadline=now+60minutes -p given --exclusive -c 1 -N 2 \
	--gpus-per-node=1
p=$id
check "a job has those that have it" wait_state "$p" RUNNING
same "which are" "n1 n2" "$(nodes_of "$p")"
submit $far -p given --exclusive -c 1 --gpus-per-node=1
behind() { # what Slurm was told, once it has been looked at
	sleep 5
	test "$(planned_start "$id")" -ge \
		$(($(epoch "$(job_field "$p" StartTime)") + 300))
}
check "another one waits for them" behind
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "and still it waits for them" behind
same "pending" PENDING "$(job_state "$id")"
scancel "$p"
check "it starts when they are free" wait_state "$id" RUNNING
matches "on one of them" '^n[12]$' "$(nodes_of "$id")"
clear_all

# ---- the oldest ----

sed -i 's/libra_margin=10/&,libra_firm_age=5/' "$SLURM_CONF"
check "ordinary jobs are old after 5 seconds" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
submit --time=3 --deadline=now+60minutes --gpus=h100:6
p=$id
check "a promised job has most of a type" wait_state "$p" RUNNING
submit --time=4 --gpus=h100:8
check "one that wants all of it is planned in the end" until_true 30 ctld_log_has \
	"job $id has waited for longer than libra_firm_age"
submit --time=2 --deadline=now+60minutes --gpus=h100:4
check "and others go behind it, for its GPUs" test "$(planned_start "$id")" -ge \
	$(($(epoch "$(job_field "$p" StartTime)") + 180 + 240))
needs_stay() { # CHANGE
	local n
	n=$(grep -c 'refused: .*cannot change its memory, GPUs' \
		"$cluster/log/slurmctld.log")
	! scontrol update job "$id" "$1" && [ "$(grep -c \
		'refused: .*cannot change its memory, GPUs' \
		"$cluster/log/slurmctld.log")" -eq $((n + 1)) ]
}
for asks in TresPerNode=gres:gpu:1 MinMemoryNode=1500 MinMemoryCPU=900; do
	check "no other needs: $asks" needs_stay "$asks"
done
# What Slurm refuses after us, or takes another way, changes no plan.
limit_stays() { # CHANGE...
	! scontrol update job "$id" "$@" && same_limit
}
same_limit() {
	[ "$(job_field "$id" TimeLimit)" = 00:02:00 ] &&
		[ "$(promise_field "$id" estimate)" = 120 ]
}
for asks in "TimeLimit=1 NumTasks=0" "TimeLimit=1 ResetAccrueTime" \
	EndTime=now+3hours TimeMin=1; do
	check "nor a limit by $asks" limit_stays $asks
done
check "but another estimate" scontrol update job "$id" timelimit=3
clear_all
[ ! -x "$librasim" ] || check "the log can be replayed" "$librasim" replay "$log"

finish
