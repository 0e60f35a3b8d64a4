#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Partitions that change while slurmctld runs (scontrol update, create, delete):
# what is promised is what they are now, and who has a promise keeps it, or is
# told why not.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy band --slurm-conf-extra MaxNodeCount=8 --params \
	libra_offer_ttl=3,libra_machine_reserve=no
two='libra_policy=planned:main,band:short'
sed -i -e "s/libra_policy=band,libra_partitions=main/$two/" \
	-e 's/^PartitionName=main Nodes=[^ ]*/PartitionName=main Nodes=n1/' \
	-e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
echo "PartitionName=short Nodes=n3 MaxTime=INFINITE State=UP" \
	"OverSubscribe=FORCE:64" >>"$SLURM_CONF"
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
# What changes in the second of a start is followed with the next test of a job.
until_true 5 later_than $(($(date +%s) + 2))

# Options for one node of a partition, and for two; its first node, the other.
declare -A one=([main]="-p main -N 1" [short]="-p short -n 4") \
	two=([main]="-p main -N 2" [short]="-p short -n 8") \
	first=([main]=n1 [short]=n3) other=([main]=n2 [short]=n4)
change() { # PARTITION SETTING...
	local part=$1
	shift
	scontrol update partitionname="$part" "$@"
}
is_lost() { # ID
	scontrol show job "$1" | grep -q ' promise=lost '
}
says() { # ID REGEX
	"${LIBRA:-${builddir:-$PWD}/libra}" explain "$1" | grep -qE "$2"
}

for p in main short; do
	f=${first[$p]} o=${other[$p]}
	submit --time=2 --deadline=now+30minutes ${two[$p]}
	same "$p: two nodes are refused where there is one" 1 $?
	submit --time=2 --deadline=now+30minutes ${one[$p]}
	a=$id
	check "$p: a promised job runs" wait_state "$a" RUNNING
	submit --time=3 --deadline=now+30minutes ${one[$p]}
	b=$id
	had=$(promise_field "$b" deadline)
	check "$p: another has a promise" test -n "$had"

	check "$p: a node comes" change $p nodes="$f,$o"
	same "$p: who waits has the same promise" "$had" \
		"$(promise_field "$b" deadline)"
	same "$p: who runs is where it was" "$f" "$(job_field "$a" NodeList)"
	check "$p: and has its promise" has_field "$a" on
	scancel "$b"
	check "$p: there another has one" submit --time=4 \
		--deadline=now+40minutes ${one[$p]}
	c=$id
	check "$p: and runs there" wait_state "$c" RUNNING
	same "$p: on that node" "$o" "$(job_field "$c" NodeList)"
	check "$p: two nodes are promised" submit --time=2 \
		--deadline=now+30minutes ${two[$p]}
	both=$id
	check "$p: a third waits" submit --time=4 --deadline=now+50minutes \
		${one[$p]}
	d=$id

	check "$p: that node goes" change $p nodes="$f"
	check "$p: who needs both has no promise any more" is_lost "$both"
	check "$p: slurmctld's log says so" ctld_log_has \
		"job $both: promise lost: its processors are gone, and no others"
	check "$p: libra explain, too" says "$both" 'lost .*left its partition'
	check "$p: who runs on that node runs without a promise" ctld_log_has \
		"job $c runs without a promise"
	check "$p: libra explain tells it" says "$c" \
		"placed  *on $o:0.*, which no partition with promises has now"
	check "$p: it runs on" in_state "$c" RUNNING
	check "$p: who runs on the other has its promise" has_field "$a" on
	if [ $p = main ]; then
		check "$p: the node is put back" change $p nodes="$f,$o"
		check "$p: who runs there has his again" says "$c" \
			'now .* of its estimate done, slack'
		check "$p: it goes once more" change $p nodes="$f"
	fi
	submit --time=2 --deadline=now+30minutes ${two[$p]}
	same "$p: nobody is promised two" 1 $?
	scancel "$a" "$both"
	check "$p: one that fits runs" wait_state "$d" RUNNING 40
	same "$p: there" "$f" "$(job_field "$d" NodeList)"
	check "$p: as it was promised" has_field "$d" on
	scancel -u root
	check "$p: that is over" until_true 30 idle

	check "$p: its longest is ten minutes" change $p maxtime=10
	submit --time=20 --deadline=now+2hours ${one[$p]}
	same "$p: more is refused" 1 $?
	matches "$p: with the reason" \
		"MaxTime of partition $p ends this job after 10 min" "$said"
	check "$p: it is an hour" change $p maxtime=60
	check "$p: that is taken" submit --time=20 --deadline=now+50minutes \
		${one[$p]}
	scancel "$id"
done

# Whole nodes no more.
ledgers=$(grep -c 'ledger kept' "$cluster/log/slurmctld.log")
check "main shares its nodes out by cores" change main oversubscribe=no
check "short has what it had" test "$ledgers" -lt \
	"$(grep -c 'ledger kept' "$cluster/log/slurmctld.log")"
submit --time=2 --deadline=now+30minutes -p main -n 1
matches "a promise is of a core" 'accepted: 1 processor' "$said"
scancel "$id"
check "whole nodes again" change main oversubscribe=exclusive

# Another partition, that is not ours, comes and goes; and debug flags.
submit --time=3 --deadline=now+30minutes -p main -N 1
a=$id
record=$(promise_field "$a" deadline)
check "a promised job runs" wait_state "$a" RUNNING
check "a partition is made" scontrol create partitionname=more nodes=n2
check "and deleted" scontrol delete partitionname=more
check "a debug flag is set" scontrol setdebugflags +backfill
same "its promise is as it was" "$record" "$(promise_field "$a" deadline)"
# One that got its promise back with the node may have lost it twice.
same "no job lost its promise but the two that were told" 2 \
	"$(grep -o 'job [0-9]*: promise lost' "$cluster/log/slurmctld.log" |
		sort -u | wc -l)"

# One partition with a node of both.
check "main takes a node of short" change main nodes=n1,n3
check "that is a fault that is named" until_true 5 ctld_log_has \
	'partitions main and short share node n3'
until_true 5 later_than $(($(date +%s) + 2))
check "slurmctld lives" scontrol ping
submit --time=2 --deadline=now+30minutes -p short -n 1
same "nothing is promised meanwhile" "" "$said"
scancel "$id"
check "it gives it back" change main nodes=n1
check "and who ran has a promise" has_field "$a" on
submit --time=2 --deadline=now+30minutes -p short -n 1
matches "as others have" accepted "$said"

# A node that is made while slurmctld runs, and deleted.
check "a node is made" scontrol create nodename=d1 cpus=4 realmemory=1000 \
	state=cloud nodeaddr=127.0.0.1 port=9
check "main has it" change main nodes=n1,d1
check "it is promised" submit -p main -N 2 --time=2 --deadline=now+30minutes
check "and planned behind who runs" test "$(planned_start "$id")" -gt \
	"$(($(date +%s) + 60))"
scancel "$id"
check "main has it no more" change main nodes=n1
check "it is deleted" scontrol delete nodename=d1
submit -p main -N 2 --time=2 --deadline=now+30minutes
same "nor is it promised" 1 $?
check "who ran has a promise" has_field "$a" on
scancel -u root
until_true 20 idle
for part in main short; do
	[ ! -x "$librasim" ] || check "$part: the log can be replayed" \
		"$librasim" replay "$cluster/log/libra.$part.jsonl"
done
finish
