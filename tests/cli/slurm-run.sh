#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim run --policy slurm: a small site by hand, and recordings of a real
# slurmctld where they are at hand (../shared/truth, or $SLURM_TRUTH).
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
site=$srcdir/tests/data/slurm-site
truth=${SLURM_TRUTH:-$srcdir/../shared/truth}
[ -d "$truth" ] || truth=$srcdir/../../shared/truth

slurm() {
	"$librasim" run --policy slurm "$@"
}

# ---- the small site ----

slurm --site "$site" --jobs-out "$tmp/jobs.csv" >"$tmp/summary"
check "the jobs start as expected" diff "$site/expected.csv" "$tmp/jobs.csv"
slurm --site "$site" --jobs-out "$tmp/again.csv" >"$tmp/summary-again"
check "the same input gives the same bytes" \
	cmp "$tmp/jobs.csv" "$tmp/again.csv"
check "and the same summary" cmp "$tmp/summary" "$tmp/summary-again"
check "what is not modelled is counted by name" \
	grep -qx 'not modelled: switches (1)' "$tmp/summary"
slurm --site "$site" --json >"$tmp/json"
check "--json is JSON" python3 -m json.tool "$tmp/json"
slurm --site "$site" --seed 2 --jobs-out "$tmp/other.csv" >"$tmp/x"
check "another seed has other phases of the loops" \
	sh -c '! cmp -s "$1" "$2"' - "$tmp/jobs.csv" "$tmp/other.csv"

# start ID, end ID: of the table, whatever the seed
field() {
	awk -F, -v id="$2" -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i }
		$1 == id { print $col[name] }' "$tmp/$3.csv"
}
rules() {
	for run in jobs other; do
		[ "$(field start_s 3 $run)" -ge "$(field end_s 1 $run)" ] ||
			echo "$run: 3 starts before 1 ends"
		[ "$(field start_s 4 $run)" -lt "$(field start_s 3 $run)" ] ||
			echo "$run: 4 is not backfilled before 3"
		[ "$(field start_s 7 $run)" -ge "$(field end_s 6 $run)" ] ||
			echo "$run: MaxJobsPU=1 does not hold"
		[ "$(field start_s 10_3 $run)" -ge "$(field end_s 10_1 $run)" ] ||
			echo "$run: three tasks of --array=1-4%2 run"
		[ "$(field start_s 15 $run)" -ge "$(field end_s 16 $run)" ] ||
			echo "$run: 15 starts before what it depends on ends"
		[ "$(field wait_s 17 $run)" -le 5 ] ||
			echo "$run: 17 waits after its --begin"
		[ "$(field preempted 20 $run)" -eq 1 ] ||
			echo "$run: 20 is not preempted"
		[ "$(field start_s 20 $run)" -ge \
			$(($(field submit_s 21 $run) + 121)) ] ||
			echo "$run: 20 does not wait for its requeue"
		[ "$(field start_s 41 $run)" -ge "$(field end_s 40 $run)" ] ||
			echo "$run: GrpTRES=cpu=12 of lab does not hold"
	done
}
rules >"$tmp/bad"
empty "limits, arrays, dependencies and preemption hold" "$tmp/bad"

# copy NAME: of the small site, to be changed
copy() {
	cp -r "$site" "$tmp/$1" && chmod -R u+w "$tmp/$1"
}
copy script
sed -i 's/ -n [0-9]*//; s/ -N [0-9]*//; s/ --ntasks-per-node=[0-9]*//
	s/ --gres=[a-z0-9:]*//; s/ --begin=now+100//' "$tmp/script/jobs.txt"
slurm --site "$tmp/script" --jobs-out "$tmp/script.csv" >"$tmp/x"
check "options in the script change nothing" \
	diff "$site/expected.csv" "$tmp/script.csv"

# Tiers in the place of QOS, and no slurmdbd: the jobs have no QOS.
copy tiers
rm "$tmp/tiers/qos.txt" "$tmp/tiers/assoc.txt"
sed -i 's,preempt/qos,preempt/partition_prio,' "$tmp/tiers/config.txt"
for mode in REQUEUE CANCEL; do
	sed -i "s/PreemptMode=[A-Z]*/PreemptMode=$mode/" \
		"$tmp/tiers/partitions.txt"
	sed -i 's/^\(21.*\) -p batch/\1 -p whole/; s/^\(21|21|small|\)batch/\1whole/' \
		"$tmp/tiers/jobs.txt"
	slurm --site "$tmp/tiers" >"$tmp/$mode"
	check "a job without QOS is preempted: $mode" \
		grep -q 'preemptions 1,' "$tmp/$mode"
done

slurm --site "$tmp/tiers" --jobs-out "$tmp/at-once.csv" >"$tmp/x"
sed -i 's/GraceTime=0/GraceTime=45/' "$tmp/tiers/partitions.txt"
slurm --site "$tmp/tiers" --jobs-out "$tmp/grace.csv" >"$tmp/x"
check "GraceTime of the partition lets it go on" \
	[ "$(field end_s 20 grace)" -eq $(($(field end_s 20 at-once) + 45)) ]
slurm --site "$tmp/tiers" --set partition.batch.GraceTime=20 \
	--jobs-out "$tmp/grace.csv" >"$tmp/x"
check "which --set changes" \
	[ "$(field end_s 20 grace)" -eq $(($(field end_s 20 at-once) + 20)) ]

copy gap
sed -i '/^12|/{s/|1767601400|1767601430|30|/|Unknown|1767601400|0|/
	s/COMPLETED/CANCELLED/}' "$tmp/gap/jobs.txt"
slurm --site "$tmp/gap" --jobs-out "$tmp/gap.csv" >"$tmp/x"
check "a task cancelled in the middle of an array leaves the others" \
	[ "$(field start_s 10_2 gap) $(field start_s 10_3 gap)" = \
	" $(field start_s 10_1 gap)" ]
check "the last one too" \
	[ "$(field start_s 10_4 gap)" -ge "$(field end_s 10_1 gap)" ]

# ---- promises ----

slurm --site "$site" --set promises=0% --jobs-out "$tmp/unasked.csv" \
	>"$tmp/unasked"
check "promises=0% is no promise, to the byte" cmp "$tmp/jobs.csv" \
	"$tmp/unasked.csv"
check "in the summary, too" cmp "$tmp/summary" "$tmp/unasked"
slurm --site "$site" --set promises=100% --jobs-out "$tmp/asked.csv" \
	>"$tmp/asked"
slurm --site "$site" --set promises=100% --json >"$tmp/asked.json"
promised() {
	awk -F, '$16 == "given" { given++; planned += $12 == "promise"
			kept += $10 <= $17; away += $14 }
		END { exit !(given && planned == given && kept == given && !away) }' \
		"$tmp/asked.csv"
}
check "promised jobs start as planned and end by their deadlines" promised
counted() {
	n=$(grep -c ',given,' "$tmp/asked.csv") &&
		grep -q "^promises: asked 16, given $n, kept $n, broken 0" \
			"$tmp/asked" &&
		python3 - "$tmp/asked.json" "$n" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
sys.exit(run["promises"]["given"] != int(sys.argv[2]) or
         run["as_planned"] != int(sys.argv[2]))
END
}
check "and are counted" counted
check "a recording has none" \
	run 1 "$librasim" run --policy slurm --site "$site" \
	--set promises=10% --recording "$site"
check "which is told in one line" \
	[ "$(grep -c 'leave out --set promises=' "$tmp/err")" -eq 1 ]

copy gone
sed -i '/^1|/{h;s/^1|1|/50|50|/
	s/|1767600000|1767600000|1767600001|1767600601|600|/|1767600000|1767600000|Unknown|1767600000|0|/
	s/COMPLETED/CANCELLED/;x;G}' "$tmp/gone/jobs.txt"
slurm --site "$tmp/gone" --jobs-out "$tmp/gone.csv" >"$tmp/x"
check "a job cancelled in the second of its submission never starts" \
	[ -z "$(field start_s 50 gone)" ]
awk -F, 'NR > 1 && $9 && $9 < $7' "$tmp/gone.csv" >"$tmp/bad"
empty "nor does another job before it is submitted" "$tmp/bad"

# Names that -J does not give are those of the scripts.
copy names
while read -r id script; do
	echo "$id|$id|small|batch|open|lab|amy|1|1767604000|1767604000|1767604001|1767604061|60|00:00:00|10|COMPLETED|1|1|1|cpu=1,mem=1000M,node=1,billing=1|cpu=1,mem=1000M,node=1,billing=1|1000M|00:00:00||100||None|||0|3|sbatch -p batch --qos=open -t 10 -n 1 $script"
done >>"$tmp/names/jobs.txt" <<EOF
50 a.sh
51 --dependency=singleton b.sh
52 --dependency=singleton sub/a.sh
EOF
sed '$!d; s/^52|52/53|53/; s/|1767604000|1767604000|/|1767604000|1767604030|/
	s/--depend[^ ]*/--hold/' "$tmp/names/jobs.txt" >"$tmp/held"
cat "$tmp/held" >>"$tmp/names/jobs.txt"
slurm --site "$tmp/names" --jobs-out "$tmp/names.csv" >"$tmp/x"
check "the wait of a job that was held begins with its release" \
	[ "$(field eligible_s 53 names)" -eq 1767604030 ]
check "a singleton does not wait for jobs of another script" \
	[ "$(field start_s 51 names)" -lt "$(field end_s 50 names)" ]
check "it waits for those of the same" \
	[ "$(field start_s 52 names)" -ge "$(field end_s 50 names)" ]

# Slurm takes its standards in the place of such numbers.
copy zero
sed -i 's/bf_resolution=60/bf_resolution=0/; s/bf_interval=30/bf_interval=0/' \
	"$tmp/zero/config.txt"
slurm --site "$tmp/zero" --jobs-out "$tmp/zero.csv" >"$tmp/x"
check "a parameter of 0 that Slurm refuses is its standard" \
	diff "$site/expected.csv" "$tmp/zero.csv"

# counted LINE FOLDER OPTION...: the summary of a folder has it
counted() {
	line=$1 folder=$2
	shift 2
	slurm --site "$tmp/$folder" "$@" >"$tmp/x" 2>&1
	grep -qxF -e "$line" "$tmp/x"
}
copy weights
sed -i 's/^PriorityWeightPart.*/&\nPriorityWeightAge = 100/' \
	"$tmp/weights/config.txt"
sed -i '1s/|Priority|/|Prio|/' "$tmp/weights/jobs.txt"
check "age, which does not change logged priorities, is counted" \
	counted 'not modelled: PriorityWeightAge (1)' weights \
	--set priorities=log
check "a log without priorities is counted" \
	counted 'not modelled: PriorityType without Priority in the log (1)' \
	weights --set priorities=log
slurm --site "$tmp/weights" >"$tmp/x"
check "computed priorities need neither" sh -c '! grep -q Priority "$1"' - \
	"$tmp/x"
copy first
sed -i '/^5|/s/||40||/||95||/' "$tmp/first/jobs.txt"
slurm --site "$tmp/first" --set priorities=log \
	--jobs-out "$tmp/first.csv" >"$tmp/x"
check "a higher priority of the log goes first" \
	[ "$(field start_s 5 first)" -lt "$(field start_s 3 first)" ]

# one_line TEXT ARGUMENT...: librasim fails, and one line has the text
one_line() {
	want=$1
	shift
	! slurm "$@" >"$tmp/out" 2>"$tmp/err" &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -e "$want" "$tmp/err"
}

# ---- computed priorities ----

# Three jobs of 12 of the 16 CPUs: 1 runs for half an hour, 2 and 3 wait.
# three FOLDER USER2 SECOND2 OPTION2 USER3 SECOND3
three() {
	copy "$1"
	awk -F '|' -v OFS='|' -v user2="$2" -v at2="$3" -v option2="$4" \
		-v user3="$5" -v at3="$6" '
		NR == 1 { print; next }
		NR > 4 { exit }
		{
			user = NR == 2 ? "amy" : NR == 3 ? user2 : user3
			at = 1767600000 + (NR == 2 ? 0 : NR == 3 ? at2 : at3)
			$7 = user
			$6 = user == "cid" ? "guest" : "lab"
			$9 = $10 = at
			$11 = at + 1
			$13 = NR == 2 ? 1800 : 600
			$12 = $11 + $13
			$15 = 60
			$17 = $18 = 12
			$20 = $21 = "cpu=12,mem=12000M,node=3,billing=12"
			$25 = 100
			$32 = "sbatch -p batch --qos=open -n 12 -t 60 " \
				(NR == 3 ? option2 : "") " job.sh"
			print
		}' "$site/jobs.txt" >"$tmp/$1/jobs.txt"
}
# first ID ID FOLDER OPTION...: a job starts before another, with any phases
first() {
	one=$1 two=$2 folder=$3
	shift 3
	for seed in 1 2 3 4 5; do
		slurm --site "$tmp/$folder" --seed $seed "$@" \
			--jobs-out "$tmp/three.csv" >"$tmp/x" &&
			[ "$(field start_s "$one" three)" -lt \
				"$(field start_s "$two" three)" ] || return 1
	done
}
# backfilled SECOND2 SECOND3: 1 has 12 of the 16 CPUs, 2 lacks nodes from SECOND2
# on, and 3, a small one, comes in SECOND3: prints when backfill starts it, of
# each seed.
backfilled() {
	three small cid "$1" '' cid "$2"
	awk -F '|' -v OFS='|' 'NR == 4 { $15 = 10; $17 = $18 = 2
		gsub(/cpu=12,mem=12000M,node=3,billing=12/,
			"cpu=2,mem=2000M,node=1,billing=2")
		sub(/-n 12 -t 60/, "-n 2 -t 10") } 1' \
		"$tmp/small/jobs.txt" >"$tmp/small/x" &&
		mv "$tmp/small/x" "$tmp/small/jobs.txt"
	for seed in 1 2 3 4 5; do
		slurm --site "$tmp/small" --seed $seed \
			--jobs-out "$tmp/three.csv" >"$tmp/x"
		[ "$(field loop 3 three)" = backfill ] &&
			echo $(($(field start_s 3 three) - 1767600000))
	done
	rm -r "$tmp/small"
}
backfilled 10 203 | awk '{ print $1 % 30 }' >"$tmp/kept"
backfilled 10 214 | awk '{ print $1 % 30 }' >"$tmp/later"
check "backfill keeps its interval while a job lacks nodes" \
	cmp "$tmp/kept" "$tmp/later"
check "with each seed" [ "$(wc -l <"$tmp/kept")" -eq 5 ]
backfilled 45 46 | sort -u >"$tmp/empty"
check "it runs without a job that waits, too" \
	[ "$(wc -l <"$tmp/empty")" -ge 3 ]
fair='--set weight.partition=0 --set weight.fairshare=10000'
# 2 is submitted before usage is known, with the highest priority.
three fair amy 1 '' cid 1500
# shellcheck disable=SC2086
{
	check "usage lowers the priority of a job that waits" first 3 2 fair $fair
	check "but not that of a job with the log's" \
		first 2 3 fair $fair --set priorities=log
}
three age amy 60 --nice=500 amy 1500
check "--nice lowers a priority" first 3 2 age
check "which grows with age, at decay runs" \
	first 2 3 age --set weight.age=40000
check "as much as its weight says" first 3 2 age --set weight.age=4000
# Without age the nice value decides.
check "MaxJobsAccruePU bounds the jobs that have age" \
	first 3 2 age --set weight.age=40000 --set qos.open.MaxJobsAccruePU=0
check "the first of the list gets it" \
	first 2 3 age --set weight.age=40000 --set qos.open.GrpJobsAccrue=1
cp -r "$tmp/age" "$tmp/accrue"
sed -i 's/|MaxJobs|/|MaxJobsAccrue|/; /|amy|/s/|||||$/|||0||/' \
	"$tmp/accrue/assoc.txt"
check "MaxJobsAccrue of an association does so, too" \
	first 3 2 accrue --set weight.age=40000
check "if none of the QOS hides it" first 2 3 accrue --set weight.age=40000 \
	--set qos.open.MaxJobsAccruePU=5
echo 'PriorityFlags = ACCRUE_ALWAYS' >>"$tmp/accrue/config.txt"
check "ACCRUE_ALWAYS knows no such limit" \
	first 2 3 accrue --set weight.age=40000
# Slurm took the jobs of the log: one over a limit of submissions is counted.
copy submit
sed -i 's/|MaxTRESPU|/|MaxSubmitPU|/; s/^1|normal||00:00:00|||1|/&1/' \
	"$tmp/submit/qos.txt"
slurm --site "$tmp/submit" --jobs-out "$tmp/submit.csv" >"$tmp/x"
check "a job over MaxSubmitPU is taken" cmp "$tmp/jobs.csv" "$tmp/submit.csv"
check "and counted" grep -q 'MaxSubmitJobs (1)' "$tmp/x"
# 6 and 7 of that QOS again, when both have ended.
awk -F '|' -v OFS='|' '$1 == 6 || $1 == 7 { $1 = $2 = $1 + 900
	for (i = 9; i <= 12; i++) $i += 40000; print }' \
	"$site/jobs.txt" >"$tmp/later"
cat "$tmp/later" >>"$tmp/submit/jobs.txt"
slurm --site "$tmp/submit" >"$tmp/x"
check "until others have ended" grep -q 'MaxSubmitJobs (2)' "$tmp/x"
# The factor of one partition counts in each, once: 2 has 1000 in whole, where
# only 3 has more or less.
three parts cid 1 '' cid 2
sed -i 's/|batch|/|whole|/; s/-p batch/-p whole/; s/-n 12/-N 2/; s/mem=12000M/mem=2000M/g
	3s/-p whole/-p batch,whole/; 4s/-t 60/& --nice=NICE/' \
	"$tmp/parts/jobs.txt"
cp -r "$tmp/parts" "$tmp/lower"
sed -i 's/NICE/-200/' "$tmp/parts/jobs.txt"
sed -i 's/NICE/200/' "$tmp/lower/jobs.txt"
check "a partition's factor counts once" \
	first 3 2 parts --set partition.batch.State=DOWN
check "also of a job of several partitions" \
	first 2 3 lower --set partition.batch.State=DOWN
# Usage before the log: sshare's, which has the log's jobs in it.
copy_usage() {
	three "$1" amy 1 '' cid 1500
	sed -i "s/^PriorityDecayHalfLife.*/PriorityDecayHalfLife = $2/" \
		"$tmp/$1/config.txt"
	cat >"$tmp/$1/sshare.txt" <<'END'
Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare
root|||0.0|1050000||1.0|
 lab||1|0.5|50000|0.05|0.05|
  lab|amy|1|0.5|50000|0.05|1.0|0.5
 guest||1|0.5|1000000|0.95|0.95|
  guest|cid|1|1.0|1000000|0.95|1.0|0.3
END
}
copy_usage before 7-00:00:00
# shellcheck disable=SC2086
check "usage before the log counts" first 2 3 before $fair
# shellcheck disable=SC2086
check "less with a short half-life" first 3 2 before $fair --set half_life=1
copy_usage long 01:00:00
# shellcheck disable=SC2086
check "but none that was three half-lives ago" first 3 2 long $fair
cp -r "$tmp/long" "$tmp/undated"
sed '2!d; s/^1|1|/99|99|/; s/|1767600000|1767600000|/|Unknown|Unknown|/' \
	"$tmp/long/jobs.txt" >>"$tmp/undated/jobs.txt"
# shellcheck disable=SC2086
check "also if a job has no submission" first 3 2 undated $fair
# The first decay run is as long as the others: what cid used before is little
# when it comes, whatever amy has used since the log began.
copy_usage first 00:01:00
sed -i 's/|1000000|/|150|/; s/|50000|/|0|/; s/|1050000|/|150|/' \
	"$tmp/first/sshare.txt"
sed -i 's/2026-01-05T12/2026-01-05T07/' "$tmp/first/config.txt"
awk -F '|' -v OFS='|' 'NR == 2 { $13 = 300; $12 = $11 + 300 }
	NR == 4 { $9 = $10 = 1767600002 } 1' "$tmp/first/jobs.txt" >"$tmp/x" &&
	mv "$tmp/x" "$tmp/first/jobs.txt"
# shellcheck disable=SC2086
check "the first decay run is over a whole period" first 3 2 first $fair
check "a change that the model does not follow is told" \
	one_line 'weight.foo=1' --site "$site" --set weight.foo=1
check "so is a QOS that the site lacks" one_line "no QOS 'gone'" \
	--site "$site" --set qos.gone.MaxJobsPU=1
check "or a resource" one_line 'no change' --site "$site" \
	--set qos.open.MaxTRESPU=gone=4
check "so is a negative weight" one_line 'no change' --site "$site" \
	--set weight.age=-1
# changed NAME CHANGE...: the table of the small site with changes
changed() {
	out=$tmp/$1.csv
	shift
	for change; do
		set -- "$@" --set "$change"
		shift
	done
	slurm --site "$site" "$@" --jobs-out "$out" >"$tmp/x"
}
changed limit qos.open.MaxJobsPU=1
check "a limit of a QOS is changed" \
	[ "$(field start_s 10_2 limit)" -ge "$(field end_s 10_1 limit)" ]
changed nodes nodes=+4:like=c1
check "nodes are added to the partitions of one" \
	[ "$(field wait_s 3 nodes)" -le 5 ]
changed fewer nodes=-2
check "or taken away" [ -z "$(field start_s 3 fewer)" ]
changed closed partition.whole.State=DOWN
check "a partition is closed" [ -z "$(field start_s 30 closed)" ]
check "and its jobs have that reason" \
	[ "$(field reason 30 closed)" = PartitionDown ]
changed inactive partition.whole.State=INACTIVE
check "that of an inactive one is another" \
	[ "$(field reason 30 inactive)" = PartitionInactive ]
changed drained partition.whole.State=DRAIN
check "one that drains starts what waits" [ -n "$(field start_s 30 drained)" ]
copy srun
sed -i '/^30|/s/|sbatch/|srun/' "$tmp/srun/jobs.txt"
slurm --site "$tmp/srun" --jobs-out "$tmp/srun.csv" >"$tmp/x"
check "srun starts a job at its submission" \
	[ "$(field loop 30 srun)" = submit ]
slurm --site "$tmp/srun" --set partition.whole.State=DOWN \
	--jobs-out "$tmp/srun.csv" >"$tmp/x"
check "but not in a partition that is down" \
	[ -z "$(field start_s 30 srun)" ]
# Lists of accounts and QOS; an account above counts, ALL are all.
changed accounts partition.batch.AllowAccounts=guest
check "AllowAccounts keeps other accounts" \
	[ "$(field reason 1 accounts)" = AccountNotAllowed ]
check "and lets its own start" [ -n "$(field start_s 2 accounts)" ]
changed denied partition.batch.DenyAccounts=guest
check "DenyAccounts keeps those" \
	[ "$(field reason 2 denied)" = AccountNotAllowed ]
changed below partition.batch.AllowAccounts=ROOT
check "an account above is enough" cmp "$tmp/jobs.csv" "$tmp/below.csv"
changed qos partition.batch.AllowQos=normal,low,urgent
check "AllowQos keeps other QOS" [ "$(field reason 1 qos)" = QOSNotAllowed ]
changed noqos partition.batch.DenyQos=open
check "DenyQos keeps those" [ "$(field reason 1 noqos)" = QOSNotAllowed ]
changed all partition.batch.AllowQos=normal partition.batch.AllowQos=ALL
check "and ALL is all" cmp "$tmp/jobs.csv" "$tmp/all.csv"
check "an account that the site lacks is told" one_line 'no change' \
	--site "$site" --set partition.batch.AllowAccounts=nobody
copy lists
sed -i '2s/AllowGroups=ALL AllowAccounts=ALL/AllowGroups=wheel AllowAccounts=guest/' \
	"$tmp/lists/partitions.txt"
slurm --site "$tmp/lists" --jobs-out "$tmp/lists.csv" >"$tmp/x"
check "jobs that ran may run" cmp "$tmp/jobs.csv" "$tmp/lists.csv"
check "and are counted" grep -q 'access of jobs that ran ([1-9]' "$tmp/x"
check "so are groups" grep -q 'AllowGroups (1)' "$tmp/x"
sed -i '/^1|/s/-p batch/-p batch,whole/' "$tmp/lists/jobs.txt"
slurm --site "$tmp/lists" --set partition.batch.AllowAccounts=guest \
	--jobs-out "$tmp/lists.csv" >"$tmp/x"
check "a job takes a partition that lets it" \
	[ "$(field partition 1 lists)" = whole ]
changed never preempt=none
check "preemption ends" [ "$(field preempted 20 never)" -eq 0 ]
changed limited partition.batch.QoS=normal
check "a partition gets a QOS" [ "$(field start_s 10_2 limited)" -ge \
	"$(field end_s 10_1 limited)" ]
copy over
sed -i 's/|open||/|open|OverPartQOS|/' "$tmp/over/qos.txt"
slurm --site "$tmp/over" --set partition.batch.QoS=normal \
	--set qos.open.MaxJobsPU=9 --jobs-out "$tmp/over.csv"
check "which that of a job may go before" \
	[ "$(field start_s 10_2 over)" = "$(field start_s 10_2 jobs)" ]
changed hidden partition.batch.QoS=normal qos.open.MaxJobsPU=9
check "by a flag alone" cmp "$tmp/limited.csv" "$tmp/hidden.csv"
changed unlimited partition.batch.QoS=normal partition.batch.QoS=N/A
check "and loses it" cmp "$tmp/jobs.csv" "$tmp/unlimited.csv"
check "a state that Slurm lacks is told" one_line 'no change' --site "$site" \
	--set partition.batch.State=CLOSED
copy gone
sed -i 's/|low|/|low,gone|/' "$tmp/gone/qos.txt"
check "a QOS that preempts an unknown one can be changed" \
	slurm --site "$tmp/gone" --set qos.open.MaxJobsPU=1
changed depth bf_interval=-1
check "backfill ends" [ "$(field start_s 4 depth)" -ge \
	"$(field start_s 3 depth)" ]
copy strange
sed -i 's/|urgent|lab|amy|/|gone|lab|eve|/' "$tmp/strange/jobs.txt"
check "a QOS that the site lacks is counted" \
	counted 'not understood: jobs.txt: QOS gone (1)' strange
check "a user whom the site lacks is counted" counted \
	'not understood: jobs.txt: no association of user eve (1)' strange
slurm --site "$tmp/strange" --json >"$tmp/json"
check "--json has them too" python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))["not_understood"]
sys.exit(found["jobs.txt: QOS gone"] != 1)' "$tmp/json"

# ---- passes that plan only what may start ----

# Backfill passes over jobs that cannot start in this run, and the queue is kept
# from pass to pass, but not where jobs may preempt.  No QOS here preempts
# another, so both ways have to start the same jobs.
mkdir "$tmp/full"
awk -v n=500 -v dir="$tmp/full" -v power=1 -f "$srcdir/tests/bench/slurm_site.awk"
sed -i 's/n\[0001-5860\]/n[0001-0512]/; s/750080/65536/; s/=5860/=512/' \
	"$tmp/full/partitions.txt"
slurm --site "$tmp/full" --jobs-out "$tmp/some.csv" >"$tmp/some"
slurm --site "$tmp/full" --set preempt=qos --jobs-out "$tmp/all.csv" >"$tmp/x"
check "jobs wait" [ "$(awk -F, '$11 > 600' "$tmp/some.csv" | wc -l)" -gt 250 ]
check "planning all jobs starts the same" cmp "$tmp/some.csv" "$tmp/all.csv"

# ---- compare ----

compare() {
	"$librasim" compare --site "$site" "$@"
}
# The schedule of the log itself, as a table: nothing is apart.
"$librasim" run --policy slurm --site "$site" --jobs-out - 2>"$tmp/x" |
	awk -F, -v OFS=, 'NR > 1 && $9 && $15 { $9 = $15; $11 = $9 - $8 } 1' \
		>"$tmp/logged.csv"
compare "$tmp/logged.csv" >"$tmp/same"
check "compare finds a schedule near itself" \
	grep -q '^all .* 100.0 *100.0 *100.0$' "$tmp/same"
# One job 100 s later, another 1000 s.
awk -F, -v OFS=, '$1 == 1 { $9 += 100; $11 += 100 }
	$1 == 2 { $9 += 1000; $11 += 1000 } 1' "$tmp/logged.csv" >"$tmp/late.csv"
compare --json "$tmp/logged.csv" >"$tmp/same.json"
compare --json "$tmp/late.csv" >"$tmp/json"
check "and counts those that are apart" python3 -c 'import json, sys
of, same = ({(g["by"], g["name"]): g for g in json.load(open(f))["groups"]}
            for f in sys.argv[1:])
g = of["all", ""]
n = g["jobs"]
later = g["wait_s"] - same["all", ""]["wait_s"]
sys.exit(not (abs(g["within_1_min_pct"] - 100 * (n - 2) / n) < 1e-6 and
              abs(g["within_10_min_pct"] - 100 * (n - 1) / n) < 1e-6 and
              abs(later - 1100 / n) < 1e-6 and g["moving_error_pct"] > 0 and
              ("partition", "whole") in of and ("qos", "urgent") in of))' \
	"$tmp/json" "$tmp/same.json"
copy eligible
awk -F '|' -v OFS='|' '$10 == $9 { $10 = "Unknown" } 1' \
	"$site/jobs.txt" >"$tmp/eligible/jobs.txt"
compare --json "$tmp/logged.csv" "$tmp/eligible/jobs.txt" >"$tmp/json"
check "a job without an eligible time waits from its submission" \
	cmp "$tmp/same.json" "$tmp/json"
# The id of job 1 comes again: for a job of another user, a day later and of
# twice the run time; then for a second run of that job.
copy twice
awk -F '|' -v OFS='|' '$1 == 1 { $5 = "open"; $6 = "guest"; $7 = "cid"; $8 = 3
	for (i = 9; i <= 12; i++) $i += 86400
	$12 += 600; $13 *= 2; print }' "$site/jobs.txt" >"$tmp/second"
cat "$tmp/second" >>"$tmp/twice/jobs.txt"
slurm --site "$tmp/twice" --jobs-out "$tmp/twice.csv" >"$tmp/x"
check "an id that begins anew is another job" \
	[ "$(grep -c '^1,1,' "$tmp/twice.csv")" -eq 2 ]
awk -F, -v OFS=, 'NR > 1 && $9 && $15 { $9 = $15; $11 = $9 - $8 } 1' \
	"$tmp/twice.csv" >"$tmp/both.csv"
"$librasim" compare --site "$tmp/twice" "$tmp/both.csv" >"$tmp/same"
check "compare pairs each by its submission" \
	grep -q '^all .* 100.0 *100.0 *100.0$' "$tmp/same"
awk -F '|' -v OFS='|' '{ for (i = 9; i <= 12; i++) $i += 86400; print }' \
	"$tmp/second" >>"$tmp/twice/jobs.txt"
slurm --site "$tmp/twice" --jobs-out "$tmp/twice.csv" >"$tmp/x"
check "a second run is no other job" \
	[ "$(grep -c '^1,1,' "$tmp/twice.csv")" -eq 2 ]
sed '2,$s/^[^,]*,[^,]*/99,99/' "$tmp/logged.csv" >"$tmp/strangers.csv"
compare "$tmp/strangers.csv" >"$tmp/out" 2>"$tmp/err"
check "a table of other jobs is told in one line" \
	sh -c '[ "$(wc -l <"$1")" -eq 1 ] && grep -q "no job started" "$1"' - \
	"$tmp/err"
# The simulation with a wait of 1000 s more has another curve.
pictures() {
	for table in logged late; do
		compare --plots "$tmp/plots-$table" "$tmp/$table.csv" >"$tmp/out" &&
			grep -q '^all ' "$tmp/out" || return 1
		for name in mean-wait waits; do
			grep -q '</svg>' "$tmp/plots-$table/$name.svg" || return 1
		done
	done
	! cmp -s "$tmp/plots-logged/waits.svg" "$tmp/plots-late/waits.svg" &&
		grep -q '>simulated<' "$tmp/plots-late/mean-wait.svg"
}
if command -v gnuplot >/dev/null; then
	check "compare draws both" pictures
else
	skip "compare draws both" "no gnuplot"
fi
PATH=/nonexistent "$librasim" compare --site "$site" --plots "$tmp/none" \
	"$tmp/logged.csv" >"$tmp/out" 2>"$tmp/err"
check "without gnuplot it says so" grep -q 'gnuplot was not found' "$tmp/err"
check "and leaves no picture" [ ! -e "$tmp/none/waits.svg" ]
"$librasim" compare "$tmp/logged.csv" >"$tmp/out" 2>"$tmp/err"
check "compare needs a site" grep -q -e '--site DIR' "$tmp/err"

# ---- wrong uses ----

usage() { # TEXT ARG...: exit status 2, and one line that has the text
	want=$1
	shift
	"$librasim" run "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 2 ] && grep -q -e "$want" "$tmp/err"
}
check "--policy slurm needs a site" usage '--site DIR' --policy slurm
check "--site needs --policy slurm" usage '--policy slurm' \
	--policy easy --site "$site" x.swf
check "--nodes is the site's" usage 'leave out --nodes' \
	--policy slurm --site "$site" --nodes 4
check "the log is simulated as it is" usage 'only --seed' \
	--policy slurm --site "$site" --arrival-delay 0.5
check "and all of it" usage 'only --seed' \
	--policy slurm --site "$site" --partition batch
check "there is no CSV of the summary" usage 'take --json' \
	--policy slurm --site "$site" --format csv
slurm --site "$tmp/none" >"$tmp/out" 2>"$tmp/err"
check "a missing folder is told in one line" \
	sh -c '[ "$(wc -l <"$1")" -eq 1 ] && grep -q "$2" "$1"' - \
	"$tmp/err" "$tmp/none"

copy other
sed -i 's/|small|batch|/|small|long|/; s/|small|whole|/|small|long|/' \
	"$tmp/other/jobs.txt"
check "a log of other partitions is told in one line" \
	one_line 'no job of the log fits' --site "$tmp/other"
mkdir "$tmp/recording"
for f in events starts loops priorities; do
	: >"$tmp/recording/$f.txt"
done
: >"$tmp/recording/slurmctld.log"
check "a folder that is no recording is told in one line" \
	one_line 'no line # T0=' --site "$site" --recording "$tmp/recording"
echo '# T0=1767600000' >"$tmp/recording/events.txt"
check "a recording without runs is told in one line" \
	one_line 'no run of a loop' --site "$site" --recording "$tmp/recording"
echo '1.0|main|full|timer|1|1' >"$tmp/recording/loops.txt"
echo '1|1|j|amy|batch|lab|0|0|0|500.0|500|500|main-full|s|0|1|1|c1' \
	>"$tmp/recording/starts.txt"
check "a log of other jobs is told in one line" \
	one_line '0 of the 1 starts' --site "$site" --recording "$tmp/recording"

# ---- recordings ----

# share LOOP FILE: of its runs that are right, in 1/10000
share() {
	sed -n "s/^$1: .*right [0-9]* (\([0-9]\)\.\([0-9]*\)).*/\1\2/p" "$2" |
		head -n 1
}
# equal FILE: all computed priorities are as recorded.
equal() {
	awk '/^priorities:/ { n = $3 + 0; same = $6 + 0 }
		END { exit !(n > 600 && same == n) }' "$1"
}
# sacct omits job 186 of B, whose dependency was never satisfied.  show-job.txt
# has it.  It counts in the order in which users are looked at.
omitted='186|186|truth|short|low|phys|cat|7003|1795647689|Unknown|None|1795648575|0|00:00:00|1|CANCELLED|4|0|1|cpu=4,mem=4000M,node=1,billing=4,gres/gpu=2||4000M|00:00:00||2712|None|None||w147|0:0|0:0|1|0|11|1|00:00:00|sbatch -t 1 -p short --qos=low -N 1 -n 4 --gres=gpu:2 --dependency=afterok:185 job'
for name in A A2 B; do
	folder=$truth/$name
	if [ ! -e "$folder/loops.txt" ]; then
		skip "recording $name" "no recordings in $truth"
		continue
	fi
	gzip -dc "$folder/sacct.txt.gz" >"$tmp/log"
	[ "$name" != B ] || echo "$omitted" >>"$tmp/log"
	slurm --site "$folder" --recording "$folder" "$tmp/log" >"$tmp/steps"
	check "$name: 99 % of the runs of the main loop are right" \
		[ "$(share main "$tmp/steps")" -ge 09900 ]
	check "$name: 97 % of the runs of backfill are right" \
		[ "$(share backfill "$tmp/steps")" -ge 09700 ]
	check "$name: the priorities are computed as recorded" \
		equal "$tmp/steps"
done

# near SITE RECORDING...: the site simulated from its workload alone, with 20
# phases of the loops, beside recordings of the same on a real Slurm.  Of a job
# that was preempted the last run counts.  Prints
#   outside MEASURE: the mean of the runs is not in the range of the recordings,
#           widened by 5 %
#   far MEASURE: the recordings are no runs of the model, by three errors of the
#           difference of both means
#   own N of M: so many of all measures are in the range on average if runs of the
#          model take the place of the recordings
#   in N of M: of the recordings
near() {
	seed=0
	while [ $((seed += 1)) -le 20 ]; do
		slurm --site "$truth/$1" --seed $seed --jobs-out "$tmp/$seed.run" \
			"$truth/$1/sacct.txt.gz" >"$tmp/x" || echo "seed $seed"
	done
	python3 - "$tmp" "$truth" "$@" <<'END'
import csv, itertools, random, statistics, sys
out, truth, site, *names = sys.argv[1:]
origin = int(open("%s/%s/events.txt" % (truth, site)).readline().split("=")[1])
cpus = {}

def recorded(name):
    last = {}
    for line in open("%s/%s/starts.txt" % (truth, name)):
        f = line.rstrip("\n").split("|")
        if not line.startswith("#"):
            last[f[0]] = (f[4], f[5], int(f[8]), int(f[10]), int(f[11]),
                          int(f[15]))
            cpus.setdefault(f[1], int(f[15]))
    return list(last.values())

def simulated(seed):
    return [(r["partition"], r["qos"],
             *(int(r[k]) - origin for k in ("eligible_s", "start_s", "end_s")),
             cpus.get(r["job"], 1))
            for r in csv.DictReader(open("%s/%d.run" % (out, seed)))
            if r["start_s"]]

def measures(jobs):
    waits = {}
    for part, qos, eligible, start, *_ in jobs:
        for group in ("all", "partition " + part, "QOS " + qos):
            waits.setdefault(group, []).append(start - eligible)
    of = {}
    for group, w in waits.items():
        w.sort()
        of[group + " p50"] = w[len(w) // 2]
        of[group + " p90"] = w[len(w) * 9 // 10]
    size = [n * (end - start) for *_, start, end, n in jobs]
    of["mean"] = sum(waits["all"]) / len(jobs)
    of["by CPU seconds"] = sum((j[3] - j[2]) * s
                               for j, s in zip(jobs, size)) / sum(size)
    of["last end"] = max(j[4] for j in jobs)
    of["used in 720 s"] = sum(n * max(0, min(720, end) - start)
                              for *_, start, end, n in jobs)
    return of

real = [measures(recorded(name)) for name in names]
runs = [measures(simulated(seed)) for seed in range(1, 21)]

def outside(key, recorded, runs):
    low, high = min(r[key] for r in recorded), max(r[key] for r in recorded)
    mean = statistics.mean(r[key] for r in runs)
    return not 95 * low <= 100 * mean <= 105 * high

for key in real[0]:
    both = [[r[key] for r in side] for side in (runs, real)]
    means = [statistics.mean(side) for side in both]
    text = "%s: %.1f, recorded %.1f to %.1f" % (
        key, means[0], min(both[1]), max(both[1]))
    error = (statistics.variance(both[0]) *
             sum(1 / len(side) for side in both)) ** 0.5
    if outside(key, real, runs):
        print("outside", text)
    if abs(means[0] - means[1]) > 3 * error:
        print("far", text)
chosen = random.Random(1).sample(
    list(itertools.combinations(runs, len(names))), 190)
own = sum(not outside(key, some, [r for r in runs if r not in some])
          for some in chosen for key in real[0]) / len(chosen)
print("own %.1f of %d" % (own, len(real[0])))
print("in %d of %d" % (sum(not outside(key, real, runs) for key in real[0]),
                       len(real[0])))
END
}
if [ -e "$truth/repeats" ]; then
	near A A A2 repeats/A3 repeats/A4 >"$tmp/near"
	sed 's/^/# /' "$tmp/near"
	check "A: waits, use and last end are as a real Slurm's" \
		[ "$(grep -c '^own\|^in' "$tmp/near")" -eq "$(wc -l <"$tmp/near")" ]
	own=$(sed -n 's/^own \([^ ]*\).*/\1/p' "$tmp/near")
	near B B repeats/B2 >"$tmp/near"
	sed 's/^/# /' "$tmp/near"
	grep '^outside' "$tmp/near" |
		grep -vE '^outside (partition (main|urgent)|QOS normal) p90:' \
			>"$tmp/others"
	empty "B: three are not in the range, and no others" "$tmp/others"
	check "B: none is far" [ "$(grep -c '^far' "$tmp/near")" -eq 0 ]
	check "B: more are in the range than of the model's own runs" \
		awk '/^own/ { own = $2 } /^in/ { n = $2 }
			END { exit !(own && n > own) }' "$tmp/near"
	check "docs/slurm-model.md says how many" grep -q "$(awk -v a="$own" '
		/^own/ { own = $2 } /^in/ { n = $2 " of " $4 }
		END { printf "of B, %s in .* %s and %s are", n, a, own }' \
		"$tmp/near")" "$srcdir/docs/slurm-model.md"
else
	skip "waits of A" "no recordings in $truth"
	skip "waits of B" "no recordings in $truth"
fi

finish
