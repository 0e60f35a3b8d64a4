#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promised jobs that Slurm does not let start, whatever is free: licenses in use,
# the throttle of an array, limits of a partition that were lowered.  They do not
# keep processors from others for long, and ask again.  Rules with which a job
# could never start: access.sh.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy band --slurm-conf-extra Licenses=two:2 --params \
	libra_offer_ttl=3,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
two='libra_policy=planned:main,band:short'
sed -i -e "s/libra_policy=band,libra_partitions=main/$two/" \
	-e 's/^PartitionName=main Nodes=[^ ]*/PartitionName=main Nodes=n[1-2]/' \
	-e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
echo "PartitionName=short Nodes=n[3-4] MaxTime=INFINITE State=UP" \
	"OverSubscribe=FORCE:64" >>"$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes

released() { # ID WHAT
	ctld_log_has "job $1 released its promise: $2 does not let it start; it asks again when it may"
}
# all, half: options for so many of the processors of a partition
declare -A all=([main]="-p main -N 2" [short]="-p short -n 8") \
	half=([main]="-p main -N 1" [short]="-p short -n 4") \
	other=([main]=short [short]=main)
over() {
	scancel -u root
	check "$1: that is over" until_true 30 idle
}

for p in main short; do
	submit -p ${other[$p]} -n 1 -L two:2 --time=60
	holder=$id
	check "$p: a job of another partition has all licenses" \
		wait_state "$holder" RUNNING
	check "$p: who needs one is promised all processors" submit --time=2 \
		--deadline=now+5minutes -L two:1 ${all[$p]}
	held=$id
	check "$p: it waits for that" in_state "$held" PENDING
	scancel "$holder"
	check "$p: and starts when it has it" wait_state "$held" RUNNING 40
	check "$p: with a promise" has_field "$held" on
	over $p

	submit --time=1 --deadline=now+15minutes --array=1-4 ${half[$p]}
	array=$id
	check "$p: two tasks of an array run" wait_state "${array}_2" RUNNING
	check "$p: it may have one at a time from now on" scontrol update \
		job "$array" arraytaskthrottle=1
	scancel "${array}_1"
	check "$p: who waits keeps nothing" until_true 30 \
		released "$array" "its ArrayTaskThrottle"
	check "$p: another has what is free" submit --time=1 \
		--deadline=now+3minutes ${half[$p]}
	check "$p: at once" wait_state "$id" RUNNING
	scancel "$id" "${array}_2"
	check "$p: the next task runs" wait_state "${array}_3" RUNNING 40
	over $p

	submit -p ${other[$p]} -n 1 -L two:2 --time=60
	holder=$id
	check "$p: all licenses are in use" wait_state "$holder" RUNNING
	check "$p: a job waits for one" submit --time=2 \
		--deadline=now+30minutes -L two:1 ${all[$p]}
	held=$id
	check "$p: the longest of its partition is lowered" scontrol update \
		partitionname=$p maxtime=10
	scancel "$holder"
	check "$p: a job that can be done in that starts" \
		wait_state "$held" RUNNING 40
	check "$p: and keeps to it" test "$(job_field "$held" TimeLimit)" \
		= $([ $p = main ] && echo 00:02:00 || echo 00:10:00)
	over $p
	scontrol update partitionname=$p maxtime=INFINITE
	submit -p ${other[$p]} -n 1 -L two:2 --time=60
	holder=$id
	check "$p: all licenses are in use again" wait_state "$holder" RUNNING
	submit --time=9 --deadline=now+30minutes -L two:1 ${all[$p]}
	held=$id
	scontrol update partitionname=$p maxtime=5
	check "$p: one that cannot keeps nothing" until_true 30 \
		released "$held" "MaxTime of its partition"
	check "$p: others are promised that" submit --time=2 \
		--deadline=now+3minutes ${all[$p]}
	check "$p: and start" wait_state "$id" RUNNING
	scancel "$id" "$holder"
	scontrol update partitionname=$p maxtime=INFINITE
	check "$p: it runs when it may again" wait_state "$held" RUNNING 40
	over $p
done

submit -p main -n 1 -L two:2 --time=60
check "all licenses are in use" wait_state "$id" RUNNING
check "a job waits for a license" submit --time=1 --deadline=now+65seconds \
	-p short -n 8 -L two:1
held=$id
check "whose deadline passes keeps nothing" until_true 60 ctld_log_has \
	"job $held: its deadline has passed, and Slurm cannot start it"
no_cores() {
	! has_field "$held" on
}
check "its record says so" until_true 5 no_cores
check "others are promised that" submit --time=1 --deadline=now+2minutes \
	-p short -n 8
check "and start" wait_state "$id" RUNNING
scancel -u root
until_true 20 idle
for part in main short; do
	[ ! -x "$librasim" ] || check "$part: the log can be replayed" \
		"$librasim" replay "$cluster/log/libra.$part.jsonl"
done
finish
