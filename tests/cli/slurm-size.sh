#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim run --policy slurm: GPUs and CPUs of a node that jobs ask for, and
# limits that jobs are over.  The site has 4 nodes of 4 CPUs; c3 and c4 have 2
# GPUs.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
site=$tmp/site
cp -r "$srcdir/tests/data/slurm-site" "$site" && chmod -R u+w "$site"
rm "$site/qos.txt" "$site/assoc.txt"
sed -i '/NodeName=c3/,/CfgTRES/{s/Gres=.*/Gres=gpu:2/;s/CfgTRES=.*/&,gres\/gpu=2/;}' \
	"$site/nodes.txt"
head -n 1 "$site/jobs.txt" >"$tmp/head"

# begin: no jobs.  job OPTION...: one more, a second later, of 600 s and $limit
# minutes, with $gpus GPUs in ReqTRES.
begin() {
	cp "$tmp/head" "$site/jobs.txt"
	id=0 limit=20 gpus=0
}
job() {
	id=$((id + 1)) at=$((1767600000 + id))
	echo "$id|$id|small|batch||lab|amy|1|$at|$at|$((at + 1))|$((at + 601))|600|00:00:00|$limit|COMPLETED|1|1|1|cpu=1,mem=1000M,node=1,billing=1,gres/gpu=$gpus|cpu=1,mem=1000M,node=1,billing=1|1000M|00:00:00||100||None||j|0|3|sbatch -p batch $* job.sh" \
		>>"$site/jobs.txt"
}
# starts OPTION...: of each job, 0: at once, 1: when the first one has ended, -: never
starts() {
	"$librasim" run --policy slurm --site "$site" --jobs-out "$tmp/jobs.csv" \
		"$@" >"$tmp/summary"
	awk -F, 'NR > 1 { printf "%s", $9 == "" ? "-" : $9 - $7 >= 590 }' \
		"$tmp/jobs.csv"
}
# are WANT JOB...: jobs of one line each start as wanted
are() {
	want=$1
	shift
	begin
	for options; do
		job "$options"
	done
	[ "$(starts)" = "$want" ]
}

check "--gpus are those of all nodes: one of two nodes is left" \
	are 001 '-n 1 --gpus=3' '-n 1 --gpus=1' '-n 1 --gpus=1'
check "more than all never start" are '0-' '-n 1 --gpus=4' '-n 1 -G 5'
check "a type may be named" are 01 '-n 1 --gpus=a100:4' '-n 1 --gres=gpu:1'
check "a node keeps one for each node to come" \
	are 000 '-N 2 -n 2 --gpus=3' '-n 4 -N 1' '-n 1 --gpus=1'
check "--gpus-per-task counts tasks" \
	are 01 '-n 2 --gpus-per-task=2' '-n 1 --gres=gpu:1'
check "tasks go where GPUs are: two CPUs of each node are left" \
	are 000 '-n 4 -c 1 --gpus-per-task=1' '-w c3 -N 1 -n 2' \
	'-w c4 -N 1 -n 2'
check "a job on whole nodes has all their GPUs" \
	are 01 '-n 1 --exclusive --gpus=3' '-n 1 --gpus=1'
check "--mincpus holds CPUs of each node" are 000010 '-n 1 --mincpus=3' \
	'-n 1 --mincpus=3' '-n 1 --mincpus=3' '-n 1 --mincpus=3' \
	'-n 1 --mincpus=3' '-n 1'
check "more than a node has never start" are - '-n 1 --mincpus=5'
check "these are modelled" \
	sh -c '! grep -q "not modelled" "$1"' - "$tmp/summary"

begin
gpus=3
job -n 1
gpus=1
job -n 1
job -n 1
check "options in the script: more than a node has are of all nodes" \
	[ "$(starts)" = 001 ]

# ---- MaxTime: batch has 2 h, whole 1 h ----

begin
limit=61
job -n 1 -p whole
job -n 1 -p whole,batch
check "a limit over MaxTime closes the partition" [ "$(starts)" = -0 ]
check "with its reason" grep -q '^1,.*,PartitionLimit,' "$tmp/jobs.csv"
limit=121
job -n 1
check "but not for a job that ran there" [ "$(starts)" = -00 ]
check "which is counted" \
	grep -q 'not modelled: MaxTime of jobs that ran (1)' "$tmp/summary"
check "unless MaxTime is changed" \
	[ "$(starts --set partition.batch.MaxTime=119)" = -0- ]
job -n 1 --time-min=119
check "--time-min is enough" \
	[ "$(starts --set partition.batch.MaxTime=119)" = -0-0 ]

finish
