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
# minutes, with $gpus GPUs in ReqTRES, of QOS $qos.
begin() {
	cp "$tmp/head" "$site/jobs.txt"
	id=0 limit=20 gpus=0 qos=
}
job() {
	id=$((id + 1)) at=$((1767600000 + id))
	echo "$id|$id|small|batch|$qos|lab|amy|1|$at|$at|$((at + 1))|$((at + 601))|600|00:00:00|$limit|COMPLETED|1|1|1|cpu=1,mem=1000M,node=1,billing=1,gres/gpu=$gpus|cpu=1,mem=1000M,node=1,billing=1|1000M|00:00:00||100||None||j|0|3|sbatch -p batch $* job.sh" \
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
check "--gpus with --gpus-per-node is a number of nodes" \
	are 01 '-n 1 --gpus=4 --gpus-per-node=2' '-n 1 --gpus=1'
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

# ---- jobs that are refused ----

# of_parts WORD: with this EnforcePartLimits one of two is over MaxTime of all its
# partitions, the other of one.
of_parts() {
	echo "EnforcePartLimits = $1" >>"$site/config.txt"
	begin
	limit=61
	job -n 1 -p whole
	job -n 1 -p batch,whole
	starts
}
refused() { # N: so many are counted
	grep -qx "refused at submission $1" "$tmp/summary"
}
check "EnforcePartLimits=NO: they wait" [ "$(of_parts NO)" = -0 ]
check "none is refused" sh -c '! grep -q refused "$1"' - "$tmp/summary"
sed -i '$d' "$site/config.txt"
check "ANY: one partition is enough" [ "$(of_parts ANY)" = -0 ]
check "the other is refused" refused 1
sed -i '$d' "$site/config.txt"
check "ALL: each partition has to let it" [ "$(of_parts ALL)" = -- ]
check "both are refused" refused 2
begin
job -n 1 -p whole -N 3
check "so is one of more than MaxNodes" [ "$(starts)" = - ]
check "with the reason" grep -q '^1,.*,PartitionLimit,' "$tmp/jobs.csv"
sed -i '$d' "$site/config.txt"

cp "$srcdir/tests/data/slurm-site/qos.txt" "$srcdir/tests/data/slurm-site/assoc.txt" \
	"$site"
sed -i '/^4|open/s/||/|DenyOnLimit|/' "$site/qos.txt"
begin
qos=open
job -n 1 -N 1
job -n 13
job -n 1
check "DenyOnLimit: a job over GrpTRES of its account is refused" \
	[ "$(starts)" = 0-0 ]
check "and counted" refused 1
check "without usage of others" \
	[ "$(starts --set qos.open.MaxTRESPU=cpu=1)" = 0-1 ]
check "so is one over MaxWall" \
	[ "$(starts --set qos.open.MaxWall=19)" = --- ]
check "all of them" refused 3
check "explain-wait says so" sh -c '
	"$1" explain-wait --site "$2" --set qos.open.MaxWall=19 2 |
		grep -q "refused at submission: QOSLimit$"' - "$librasim" "$site"
check "--json counts them" sh -c '
	"$1" run --policy slurm --site "$2" --set qos.open.MaxWall=19 --json |
		grep -q "\"refused\": 3"' - "$librasim" "$site"
qos=normal
job -n 13
check "without DenyOnLimit it waits" [ "$(starts)" = 0-0- ]
check "and is not counted" refused 1

finish
