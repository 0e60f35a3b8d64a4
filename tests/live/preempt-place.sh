#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Who is stopped for an urgent job is stopped once, and not in vain: whichever
# cores Slurm then gives it, it may start, and its place is kept for it until it
# does, though its victims take their time.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 4 --params libra_margin=5,libra_hold_back=0,libra_machine_reserve=no
sed -i -e 's/^PreemptMode=.*/PreemptMode=CANCEL/' -e '/^PartitionName=/d' \
	-e 's/libra_policy=planned,libra_partitions=main/libra_policy=planned:main+urgent/' \
	"$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
PreemptType=preempt/partition_prio
KillWait=2
Epilog=$cluster/epilog
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=24:00:00 DefaultTime=10
PartitionName=urgent Nodes=n[1-4] MaxTime=24:00:00 PriorityTier=10
END
cat >"$cluster/epilog" <<END
#!/bin/sh
i=0
while [ -e $cluster/slow ] && [ \$i -lt 90 ]; do
	i=\$((i + 1))
	sleep 1
done
END
chmod 0755 "$cluster/epilog"
check "partitions, one of them urgent" "$DEMO" restart-ctld -d "$cluster"
check "nodes with an epilog" restart_slurmds n1 n2 n3 n4
wait_nodes

is_empty() {
	[ -z "$(squeue -h)" ]
}
end_all() {
	scancel -u root
	check "all is over" until_true 40 is_empty
}
preempted() { # JOB
	grep -q "preempted JobId=$1 " "$cluster/log/slurmctld.log"
}

# Ordinary jobs a and b on a node each, a promised one, p, on the others, and a
# plan, all, behind a, which is stopped for u and takes its time.
all_in_use() { # WORD: behind the names of cases
	submit --time=60 -w n1 -n 4
	a=$id
	submit --time=60 -w n2 -n 4
	b=$id
	check "ordinary jobs run" wait_state "$a" RUNNING
	check "on two nodes${1-}" wait_state "$b" RUNNING
	submit --time=60 --deadline=now+4hours -w n3,n4 -N 2 -n 8
	p=$id
	check "four nodes are in use${1-}" wait_state "$p" RUNNING
	submit --time=60 --deadline=now+5hours -w n1 -n 4
	all=$id
	matches "a plan behind one of them" accepted "$said"
	touch "$cluster/slow"
	submit -p urgent --time=30 -w n1 -n 4
	u=$id
}

# ---- whichever cores it gets ----

submit --time=60 -w n1 -n 4
a=$id
submit --time=10 -w n2 -n 2
check "ordinary jobs on all of a node, and half of another" \
	wait_state "$id" RUNNING
submit --time=10 --deadline=now+1hour -w n2 -n 3
matches "a plan for more than its other half" accepted "$said"
submit -p urgent --time=30 -N 2 --ntasks-per-node=2 -w n1,n2
sleep 6
same "an urgent job for two cores of each node would be in its way" PENDING \
	"$(job_state "$id")"
same "so that nobody is stopped" RUNNING "$(job_state "$a")"
scancel "$id"
submit -p urgent --time=2 -N 2 --ntasks-per-node=2 -w n1,n2
check "one that ends before starts" wait_state "$id" RUNNING
same "in place of the first" PREEMPTED "$(job_state "$a")"
end_all

# ---- elsewhere ----

submit --time=2 -w n1 -n 4
a=$id
check "an ordinary job has a node" wait_state "$a" RUNNING
submit --time=60 -w n3 -n 4
b=$id
check "and another one's" wait_state "$b" RUNNING
submit --time=60 --deadline=now+3hours -w n2,n4 -N 2 -n 8
check "three nodes are in use" wait_state "$id" RUNNING
p=$id
submit --time=10 --deadline=now+1hour -w n1 -n 4
matches "a plan soon behind one of them" accepted "$said"
submit -p urgent --time=15 -n 4
check "an urgent job has another one's place" wait_state "$id" RUNNING
same "there" "PREEMPTED RUNNING RUNNING" \
	"$(job_state "$b") $(job_state "$a") $(job_state "$p")"
end_all

# ---- all components ----

id=$(sbatch --parsable -o /dev/null --time=60 -w n1 -n 4 : \
	--time=60 -w n2 -n 4 "$cluster/job")
check "a heterogeneous job" wait_state "$id" RUNNING
submit -p urgent --time=10 -w n1,n2 -N 2 -n 8
check "an urgent job has the nodes of both components" \
	wait_state "$id" RUNNING
end_all

# ---- until it starts ----

all_in_use
check "a job is stopped, and takes its time" until_true 20 preempted "$a"
check "nobody is promised its place" eval \
	"! submit --time=5 --deadline=now+25minutes -w n1 -n 4"
submit -p urgent --time=30 -w n2 -n 4
check "another one is stopped meanwhile" until_true 20 preempted "$b"
rm "$cluster/slow"
check "the second urgent job runs" wait_state "$id" RUNNING
check "and the first one" wait_state "$u" RUNNING
same "in its place" n1 "$(job_field "$u" NodeList)"
same "the plan waits" PENDING "$(job_state "$all")"
scancel "$id"
check "its node is free" wait_state "$id" CANCELLED

# ---- though slurmctld is killed ----

end_all
all_in_use " again"
submit -p urgent --time=30 -w n2 -n 4
v=$id
check "both are stopped" until_true 20 preempted "$a"
check "and take their time" until_true 20 preempted "$b"
same "both places are noted" "job=$u job=$v" \
	"$(grep -o '^job=[0-9]*' "$cluster/state/libra_kept" | paste -sd' ')"
let_it_save "$p"
check "slurmctld is killed, and starts again" \
	"$DEMO" restart-ctld -k -d "$cluster"
same "while the nodes are completing" completing \
	"$(sinfo -h -N -n n1,n2 -o %T | tr -d '*' | sort -u)"
check "a place is kept as before" until_true 20 \
	ctld_log_has "job $u: the processors for which jobs were preempted are held"
check "and the other one" \
	ctld_log_has "job $v: the processors for which jobs were preempted are held"
submit --time=5 --deadline=now+25minutes -w n2 -n 4
matches "nobody is promised it" refused "$said"
sleep 5
same "no plan comes to them" "PENDING PENDING PENDING" \
	"$(job_state "$all") $(job_state "$u") $(job_state "$v")"
rm "$cluster/slow"
check "an urgent job runs" wait_state "$u" RUNNING 60
check "and the other one does" wait_state "$v" RUNNING 60
same "each where it was to" "n1 n2 PENDING" "$(job_field "$u" NodeList) $(
	job_field "$v" NodeList) $(job_state "$all")"
check "nothing is noted any more" [ ! -e "$cluster/state/libra_kept" ]
end_all

# ---- and nobody else is stopped ----

for n in n1 n2 n3 n4; do
	submit --time=60 -w $n -n 4
	check "an ordinary job has $n" wait_state "$id" RUNNING
done
stopped_for() { # JOB: how many were
	grep -c "preempted .* for JobId=$1\$" "$cluster/log/slurmctld.log"
}
one_stopped() {
	[ "$(stopped_for "$u")" -ge 1 ]
}
touch "$cluster/slow"
submit -p urgent --time=30 -n 4
u=$id
check "an urgent job has one of them stopped" until_true 20 one_stopped
node=$(sed -n "/^job=$u /{n;s/ .*//p}" "$cluster/state/libra_kept")
p=$(squeue -h -t RUNNING -o %A | head -n 1)
sleep 30
same "however long that takes" 1 "$(stopped_for "$u")"
let_it_save "$p"
check "slurmctld is killed once more" "$DEMO" restart-ctld -k -d "$cluster"
sleep 10
same "nor are others then" 1 "$(stopped_for "$u")"
rm "$cluster/slow"
check "it runs" wait_state "$u" RUNNING 60
same "in the place of the first" "$node" "$(job_field "$u" NodeList)"
same "the others do" 3 "$(squeue -h -t RUNNING -p main | wc -l)"
end_all

# ---- or does not come ----

submit --time=60 -w n2 -n 4
b=$id
check "an ordinary job runs" wait_state "$b" RUNNING
touch "$cluster/slow"
submit -p urgent --time=30 -w n2 -n 4
check "it is stopped" until_true 20 preempted "$b"
scancel "$id"
rm "$cluster/slow"
check "nothing is kept for who is cancelled" until_true 10 submit --time=1 \
	--deadline=now+10minutes -w n2 -n 4
check "whoever is promised the place has it" wait_state "$id" RUNNING
end_all
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
check "a replay agrees" "$librasim" replay "$cluster/log/libra.jsonl"
finish
