#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What Slurm looks at when it has found nodes, and no promise counts: it is
# refused with a line, as Slurm would never start the job where it was promised.

. "$(dirname "$0")/lib.sh"
need_slurm
release=$(slurmctld -V | sed 's/^[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1\2/')
start_cluster --policy planned --slurm-conf-extra GresTypes=gpu,shard --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
sed -i -e 's/libra_policy=planned,libra_partitions=main/libra_policy=planned:main,planned:few,planned:spec,planned:whole/' \
	-e 's/^PartitionName=main.*/PartitionName=main Nodes=n1 Default=YES/' \
	-e '/^PartitionName=stock/d' -e '/^PreemptMode=/d' \
	-e 's/^NodeName=n\[1-4\]\(.*\) Port=\([0-9]*\)-[0-9]* \(.*\)/NodeName=n[1-2]\1 Port=@a \3\nNodeName=n[3-4]\1 Port=@b \3 CoreSpecCount=1/' \
	"$SLURM_CONF"
port=$(sed -n 's/^SlurmctldPort=\([0-9]*\).*/\1/p' "$SLURM_CONF")
sed -i -e "s/Port=@a/Port=$((port + 1))-$((port + 2))/" \
	-e "s/Port=@b/Port=$((port + 3))-$((port + 4))/" "$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
PartitionName=few Nodes=n2 MaxCPUsPerNode=2
PartitionName=spec Nodes=n3
PartitionName=whole Nodes=n4 OverSubscribe=EXCLUSIVE
Licenses=plain:4
END
# Licences of certain nodes: hierarchical resources.
# Without its plugin for JSON, too, slurmctld does not start with YAML files.
parsers() {
	local d
	for d in $(sed -n 's/^PluginDir=//p' "$SLURM_CONF" | tr : ' '); do
		ls "$d"/data_parser_*.so "$d"/serializer_{json,yaml}.so && return
	done >/dev/null 2>&1
	return 1
}
hres=no
[ "$release" -lt 2505 ] || ! parsers || hres=yes
[ $hres = no ] || cat >"${SLURM_CONF%/*}/resources.yaml" <<'END'
---
- resource: flat
  mode: MODE_1
  layers:
    - nodes:
        - "n[1-2]"
      count: 4
END
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
[ $failures -eq 0 ] || finish
restart_slurmds n1 n2 n3 n4
far="--time=1 --deadline=now+1hour"

refused() { # OPTIONS
	! sbatch --parsable -o /dev/null $far "$@" "$cluster/job" \
		>"$cluster/said" 2>&1
}
told() { # OPTIONS AS ONE WORD, TEXT
	check "$1 is refused" refused $1
	matches "with a line" "$2" "$(cat "$cluster/said")"
}
told "--switches=1" 'libra: a promise does not count switches'
told "--gres=shard:1" 'libra: a promise does not count parts of GPUs'
told "--qos=a,b" 'libra: a promise does not count which of several QOS'
[ "$release" -lt 2302 ] || told "-N 1,3" \
	'libra: a promise does not count lists of numbers of nodes'
[ "$release" -lt 2405 ] || told "-N 2 --segment=1" \
	'libra: a promise does not count segments'
[ "$release" -lt 2505 ] || told "-n 1 --tres-per-task=license/plain:1" \
	'libra: a promise does not count licenses in --tres-per-task'
[ "$release" -lt 2405 ] || told "--stepmgr --resv-ports=2" \
	'libra: a promise does not count ports of nodes that jobs share'
if [ $hres = no ]; then
	[ "$release" -lt 2505 ] || ok 0 "licences of certain nodes # SKIP this Slurm has no plugin for resources.yaml"
else
	check "Slurm has licences of certain nodes" eval \
		"scontrol show licenses | grep -q '=flat'"
	told "-L flat:1" 'libra: a promise does not count licenses of certain nodes'
	told "-L plain:1,flat:1" 'libra: a promise does not count licenses of certain'
	check "an ordinary job may have them" submit --time=1 -n 1 -L flat:1
	check "and runs" wait_state "$id" RUNNING
	scancel "$id"
fi
check "other licences are a promise" submit $far -N 1 -L plain:1
scancel "$id"
check "one number of nodes is a promise" submit $far -N 1
check "that runs" wait_state "$id" RUNNING
scancel "$id"

check "slurmctld's log has what is wrong with a partition" ctld_log_has \
	'error: libra: partition few has MaxCPUsPerNode'
told "-p few -n 4" 'libra: partition few has MaxCPUsPerNode'
check "and of cores that Slurm keeps" ctld_log_has \
	'error: libra: partition spec has nodes with CoreSpecCount'
told "-p spec -n 4" 'libra: partition spec has nodes with CoreSpecCount'
check "whole nodes have what these leave" submit $far -p whole -n 3
check "which is enough for three tasks" wait_state "$id" RUNNING
scancel "$id"
told "-p whole -n 4" 'libra: .*nodes'

# GPUs of which Slurm gives parts, too: none whole while a part is in use.
mknod "$cluster"/gpu0 c 1 3
sed -i -e '/^NodeName=n\[1-2\]/s/$/ Gres=gpu:1,shard:4/' "$SLURM_CONF"
cat >"$cluster/gres.conf" <<END
NodeName=n[1-2] Name=gpu File=$cluster/gpu0
NodeName=n[1-2] Name=shard Count=4
END
check "parts of GPUs" "$DEMO" restart-ctld -d "$cluster"
check "which the nodes have" restart_slurmds n1 n2
for asks in --gres=gpu:1 --gpus=1 "--gpus-per-task=1 -n 1"; do
	told "$asks" 'libra: a promise counts no GPUs of the nodes'
done
check "processors are promised beside them" submit $far -n 4
check "and run" wait_state "$id" RUNNING
scancel "$id"
check "an ordinary job has a part" submit --time=1 -n 1 --gres=shard:1
check "that runs" wait_state "$id" RUNNING
scancel "$id"
check "another a GPU" submit --time=1 -n 1 --gres=gpu:1
check "and runs" wait_state "$id" RUNNING
scancel "$id"
until_true 20 idle
sed -i -e 's/ Gres=gpu:1,shard:4//' "$SLURM_CONF"
rm -f "$cluster/gres.conf"

# One block of nodes each, and a job of both is in none.
if [ "$release" -ge 2311 ]; then
	echo TopologyPlugin=topology/block >>"$SLURM_CONF"
	sed -i -e 's/^PartitionName=main.*/PartitionName=main Nodes=n[1-2] Default=YES/' \
		-e '/^PartitionName=few/d' -e 's/,planned:few//' "$SLURM_CONF"
	printf 'BlockName=a Nodes=n[1-2]\nBlockName=b Nodes=n[3-4]\nBlockSizes=2\n' \
		>"$cluster/topology.conf"
	check "blocks of nodes" "$DEMO" restart-ctld -d "$cluster"
	wait_nodes
	told "-N 2" 'libra: a promise does not count how TopologyPlugin'
	check "one node is promised" submit $far -N 1 -n 2
	check "and runs" wait_state "$id" RUNNING
	scancel "$id"
fi

# A partition's own topology, which a Slurm reads that was built with parsers.
if [ "$release" -ge 2505 ] && parsers; then
	sed -i -e '/^TopologyPlugin=/d' \
		-e '/^PartitionName=main/s/$/ Topology=blocks/' "$SLURM_CONF"
	cat >"$cluster/topology.yaml" <<END
---
- topology: flat
  cluster_default: true
  flat: true
- topology: blocks
  cluster_default: false
  block:
    block_sizes: [2]
    blocks:
      - {block: a, nodes: "n[1-2]"}
      - {block: b, nodes: "n[3-4]"}
END
	check "blocks of a partition" "$DEMO" restart-ctld -d "$cluster"
	wait_nodes
	told "-N 2" 'libra: a promise does not count how TopologyPlugin'
	check "one node is promised there, too" submit $far -N 1 -n 2
	check "and runs" wait_state "$id" RUNNING
fi
finish
