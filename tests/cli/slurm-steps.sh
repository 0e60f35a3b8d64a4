#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim run --policy slurm --recording: priorities beside a recording that is
# made here, with NO_FAIR_TREE.  What slurmctld would compute is worked by hand.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
t0=1767600000

# begin NAME: an empty recording of the small site.  Only fair-share counts, of
# 10000; amy has 1/4 of all shares, bob 1/4, cid 1/2.
begin() {
	dir=$tmp/$1
	cp -r "$srcdir/tests/data/slurm-site" "$dir" && chmod -R u+w "$dir"
	sed -i '2,$d' "$dir/jobs.txt"
	sed -i 's/^\(PriorityDecayHalfLife\).*/\1 = 00:02:00/
		s/^\(PriorityCalcPeriod\).*/\1 = 00:01:00/
		s/^PriorityWeightPart.*/PriorityWeightFairShare = 10000\
PriorityFlags = NO_FAIR_TREE/' "$dir/config.txt"
	echo "# T0=$t0" >"$dir/events.txt"
	: >"$dir/starts.txt"
	: >"$dir/loops.txt"
	: >"$dir/priorities.txt"
	: >"$dir/slurmctld.log"
}
# job ID USER SUBMIT START END CPUS NODES [OPTION...]: in the log and the recording,
# seconds since T0.  slurmctld tells of the start $late seconds later.
late=0
job() {
	id=$1 user=$2 submit=$3 start=$4 end=$5 cpus=$6 nodes=$7
	shift 7
	account=lab
	[ "$user" = cid ] && account=guest
	told=$((start + late))
	tres=cpu=$cpus,mem=${cpus}000M,node=1,billing=$cpus
	echo "$id|$id|small|batch|open|$account|$user|1|$((t0 + submit))|$((t0 + submit))|$((t0 + start))|$((t0 + end))|$((end - start))|00:00:00|60|COMPLETED|$cpus|$cpus|1|$tres|$tres|1000M|00:00:00||1||None||j|0|1|sbatch -p batch --qos=open -t 60 -n $cpus $* job.sh" \
		>>"$dir/jobs.txt"
	echo "$id|$id|j|$user|batch|open|1|$submit|$submit|$told.010|$start|$end|main-default|s|1|$cpus|COMPLETED|$nodes" \
		>>"$dir/starts.txt"
	echo "$told.009|main|default|timer|1|1" >>"$dir/loops.txt"
	says "$end" "_job_complete: JobId=$id done"
}
# says SECOND TEXT: slurmctld's log, a little after the second
says() {
	printf '[2026-01-05T08:%02d:%02d.500] %s\n' $(($1 / 60)) $(($1 % 60)) \
		"$2" >>"$dir/slurmctld.log"
}
# priority SECOND JOB initial|decay NUMBER
priority() {
	echo "$1.501|$2|$4|$3" >>"$dir/priorities.txt"
}
# alike: the recording's priorities are those computed
alike() {
	"$librasim" run --policy slurm --site "$dir" --recording "$dir" \
		>"$tmp/out" 2>&1
	awk '/^priorities:/ { n = $3 + 0; same = $6 + 0 }
		END { exit !(n && n == same) }' "$tmp/out"
}
differ() {
	! alike && grep -q '^priorities: computed [1-9]' "$tmp/out"
}
# by_hand PYTHON: a whole number; f ** s is what s seconds leave of usage
by_hand() {
	python3 -c "f = 1 - 0.693 / 120; print(int($1))"
}

# Fair-share of amy, who used 12 CPUs for 18 s, which decayed for 60 s; cid used
# 4 CPUs for 30 s.  Before that amy's account had all usage.
used=$(
	by_hand "10000 * 2 ** -(4 * (lambda own: own + (1 - own) / 2)(
		(lambda a, c: a / (a + c))(12 * 18 * f ** 18 * f ** 60,
					   4 * 30 * f ** 30)))"
)

# two END: job 2 ends.  The first decay run, at 40, is over 60 s, more than the
# recording.
two() {
	job 1 amy 1 2 20 12 'c[1-3]'
	job 2 cid 9 10 "$1" 4 c4
	priority 1 1 initial 10000
	priority 9 2 initial 10000
	says 40 'Decay factor over 60 seconds goes from 0.994225 -> 0.7065'
}
# third [OPTION]: amy submits job 3, which has all shares then.
third() {
	job 3 amy 25 95 99 1 c1 "$@"
	priority 25 3 initial 10000
}

# Cid's job, which runs, is charged before amy's next job is looked at.
begin interval
two 90
third
priority 40 3 decay "$used"
check "the first decay run is over the whole period" alike

# sshare sets amy's usage before cid's job ends.
begin sshare
two 60
job 3 amy 70 95 99 1 c1
priority 70 3 initial "$used"
check "without sshare a user has the usage of the submission" differ
echo "### $((t0 + 50)).100 (second 50.1)" | gzip >"$dir/sshare.txt.gz"
check "sshare sets the usage of users" alike

begin start
late=1
two 90
third
priority 40 3 decay "$used"
check "usage counts from Start, which the log tells later" alike
late=0

# 10 a second from 39 on; a run of the main loop at 39 sees the job.
begin age
echo 'PriorityWeightAge = 864000' >>"$dir/config.txt"
two 90
third --begin=now+14
priority 40 3 decay "$used"
check "a job has no age before a loop has seen it" alike
sed -i '$d' "$dir/priorities.txt"
priority 40 3 decay $((used + 10))
check "none at all" differ
echo '39.100|main|default|timer|0|1' >>"$dir/loops.txt"
check "then age counts from its begin time" alike

# whole has 1000, batch 500, and the later turn, for its tier is lower.
begin partitions
echo 'PriorityWeightPartition = 1000' >>"$dir/config.txt"
two 90
sed -i 's/10000/10500/' "$dir/priorities.txt"
job 3 amy 25 95 99 16 'c[1-4]' -p whole,batch
priority 25 3 initial 11000
priority 40 3 decay $((used + 1000))
check "a job of two partitions has the priority in the first" alike
sed -i '$d' "$dir/priorities.txt"
priority 40 3 decay $((used + 500))
echo '39.100|main|default|timer|0|1' >>"$dir/loops.txt"
check "until a loop has tried another" alike

finish
