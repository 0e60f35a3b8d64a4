#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two policies in one slurmctld, each for partitions of its own: verdicts, logs,
# records, the command libra, kill -9, and a reconfigure that changes the groups.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --params libra_offer_ttl=2,bf_min_age_reserve=2592000

# main has n1 and n2, short has n3 and n4; stock, over all, is Slurm's.
two='libra_policy=libra:main,band:short'
sed -i -e "s/libra_policy=libra,libra_partitions=main/$two/" \
	-e 's/^PartitionName=main Nodes=[^ ]*/PartitionName=main Nodes=n[1-2]/' \
	"$SLURM_CONF"
echo "PartitionName=short Nodes=n[3-4] MaxTime=INFINITE State=UP" \
	"OverSubscribe=FORCE:64" >>"$SLURM_CONF"
check "slurmctld starts with two policies" "$DEMO" restart-ctld -d "$cluster"
wait_nodes
check "libra on the nodes of the one" ctld_log_has \
	'policy libra on 8 processors of 2 nodes of partition main'
check "band on those of the other" ctld_log_has \
	'policy band on 8 processors of 2 nodes of partition short'

submit --time=10 --deadline=now+15minutes -n 8
a=$id
matches "the one gives shares" 'share 0.67 of 8 processors' "$said"
submit -p short --time=10 --deadline=now+15minutes -n 8
b=$id
matches "the other turns" '8 processors, in turn by deadline' "$said"
refused() { # OPTIONS
	! sbatch --parsable -o /dev/null "$@" "$cluster/job" >"$cluster/said" 2>&1
}
check "each is full" refused --time=10 --deadline=now+15minutes -n 8
check "for itself" refused -p short --time=10 --deadline=now+15minutes -n 8
check "a promise is for one partition" refused -p main,short --time=1 \
	--deadline=now+60minutes -n 1
matches "the user reads why" 'name a single partition' "$(cat "$cluster/said")"
for j in $a $b; do
	check "job $j runs" wait_state "$j" RUNNING
done
same "the record knows its partition" short "$(promise_field "$b" part)"

main_log=$cluster/log/libra.main.jsonl
short_log=$cluster/log/libra.short.jsonl
calls() { # FILE CALL
	grep -c "^{\"call\":\"$2\"" "$1"
}
same "the one has its log" 1 "$(calls "$main_log" started)"
same "the other its own" 1 "$(calls "$short_log" started)"
replay() { # FILE
	[ ! -x "${LIBRASIM:=${builddir:-$PWD}/librasim}" ] ||
		"$LIBRASIM" replay "$1"
}
check "the one can be replayed" replay "$main_log"
check "and the other" replay "$short_log"

libra=${LIBRA:-${builddir:-$PWD}/libra}
if [ -x "$libra" ]; then
	matches "libra status has the one" \
		'Policy libra on 8 processors of 2 nodes of partition main' \
		"$("$libra" status --long)"
	matches "and the other" 'Policy band on .* of partition short' \
		"$("$libra" status --long)"
	same "each job once" "$a $b" "$("$libra" status --long |
		awk '$3 == "RUNNING" {print $1}' | paste -sd' ')"
	matches "explain reads the log of a job's group" 'policy band' \
		"$("$libra" explain "$b")"
	matches "what-if asks the policy of a partition" 'would be refused' \
		"$("$libra" what-if -p short --time=10 \
			--deadline=now+15minutes -n 8)"
	matches "of the other, too" 'would be accepted' \
		"$("$libra" what-if --time=1 --deadline=now+15minutes -n 8)"
	matches "libra settings names both" 'libra of main, band of short' \
		"$("$libra" settings)"
fi

# kill -9: each promise comes back to its engine.
let_it_save "$a"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
wait_nodes
for j in $a $b; do
	same "job $j still runs" RUNNING "$(job_state "$j")"
done
same "main restores one" 1 "$(calls "$main_log" restore)"
same "short restores one" 1 "$(calls "$short_log" restore)"
check "each is as full as before" refused --time=10 --deadline=now+15minutes \
	-n 8
check "for itself" refused -p short --time=10 --deadline=now+15minutes -n 8

# Another policy for the second: the first does not notice.
sed -i "s/$two/libra_policy=libra:main,libra:short/" "$SLURM_CONF"
scontrol reconfigure
check "another policy takes over" until_true 20 ctld_log_has \
	'policy libra on 8 processors of 2 nodes of partition short'
wait_nodes
same "its job is restored" 2 "$(calls "$short_log" restore)"
check "and counts" refused -p short --time=10 --deadline=now+15minutes -n 8

# A group that shares nodes is refused as a whole, and said so.
sed -i "s/libra:main,libra:short/libra:main,band:stock/" "$SLURM_CONF"
scontrol reconfigure
check "partitions that share nodes are refused" until_true 20 ctld_log_has \
	'partitions main and stock share node n1'
check "with what to do" ctld_log_has 'give both to one, as libra:main[+]stock'
wait_nodes
case $(slurmctld -V) in
*" 22."* | *" 23.02"*)
	check "what ran before stays" refused --time=10 \
		--deadline=now+15minutes -n 8
	;;
*)
	# A reconfigure starts slurmctld here.
	check "a job is Slurm's then" submit --time=10 \
		--deadline=now+15minutes -n 8
	scancel "$id"
	;;
esac

# One policy for all again.
sed -i "s/libra_policy=libra:main,band:stock/libra_policy=libra,libra_partitions=main+short/" \
	"$SLURM_CONF"
scontrol reconfigure
check "one policy for both" until_true 20 ctld_log_has \
	'policy libra on 16 processors of 4 nodes$'
wait_nodes
check "it has the promises of both" refused --time=10 \
	--deadline=now+15minutes -n 8
check "each on its nodes" refused -p short --time=10 \
	--deadline=now+15minutes -n 8
scancel "$b"
check "what ends is free again" until_true 20 submit -p short --time=10 \
	--deadline=now+15minutes -n 8
for f in "$main_log" "$short_log" "$cluster/log/libra.jsonl"; do
	check "$(basename "$f") can be replayed" replay "$f"
done
same "nothing ran without a promise" 0 \
	"$(grep -c 'without a promise' "$cluster/log/slurmctld.log")"
scancel -u root
until_true 20 idle
finish
