#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim explain-wait: what kept a job of the small site waiting.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
site=$srcdir/tests/data/slurm-site

explain() {
	"$librasim" explain-wait --site "$site" "$@"
}
# says TEXT JOB OPTION...: a row of the table, or a line below it
says() {
	want=$1
	shift
	explain "$@" >"$tmp/out" 2>&1
	cat "$tmp/out"
	grep -qE -e "$want" "$tmp/out"
}

check "a job that lacks nodes" says 'main +Resources +lacks CPUs; fits when job 2 ' 3
check "what backfill planned for it" \
	says 'backfill +Resources.*planned for 2026-01-05T08:10:01$' 3
check "a job behind it" says 'main +Priority +job 3 goes first and lacks nodes' 5
check "whose nodes backfill keeps" \
	says 'backfill +Priority +free nodes are kept for job 3, planned for' 5
check "the wait is shared" \
	says 'started 678 s after its submission: Priority 577 s, Resources 101 s$' 5
check "among the jobs ahead, too" says '^first went job 3 for 577 s$' 5
check "a limit of a QOS" \
	says 'QOSLimit +MaxJobsPU of QOS normal is 1: 1 in use, 1 asked for' 7
check "a limit of an account" says \
	'AssocLimit +GrpTRES of account lab is cpu=12: 8 in use, 6 asked for' 41
check "a limit on an array" says \
	'JobArrayTaskLimit +as many .* %2 .*; 1 task of its array goes first' 10_4
check "a dependency" says 'main +Dependency +afterok:16$' 15
check "a begin time" says 'BeginTime +until 2026-01-05T08:26:40$' 17
check "a preemption" says '2026-01-05T08:34:11 +preempted' 20
check "which is no part of the wait" says \
	'172 s after its submission, of which it ran for 50 s: BeginTime 121 s' 20
check "and the one that needs it" says 'job 20 is preempted for it' 21
check "a partition that is down" says 'PartitionDown +partition batch is down' \
	3 --set partition.batch.State=DOWN
check "or closed to the account" says \
	'AccountNotAllowed +partition batch does not allow account guest' \
	3 --set partition.batch.DenyAccounts=guest
check "which keeps it for good" says 'never started: PartitionDown' \
	3 --set partition.batch.State=DOWN
check "MaxTime of a partition" says \
	'PartitionLimit +its limit is over MaxTime of partition batch' 3 --set partition.batch.MaxTime=5
check "too few nodes" says 'NodesReserved +it asks for more nodes' \
	3 --set nodes=-2
check "the log's start" says 'in the log it started .*T08:15:05, 3 s later$' 7
check "a change of the site" says 'started 3 s after' \
	7 --set qos.normal.MaxJobsPU=2
check "the id of an array means its first task" says '^job 10_1 ' 10
check "a JobIDRaw its task" says '^job 10_3 ' 13

# Two limits hold at once, and one alone that another one hides.
check "each limit that alone keeps the job" says \
	'MaxJobsPU of .*; MaxTRESPU of QOS normal is cpu=1: 1 in use, 1 asked' \
	7 --set qos.normal.MaxTRESPU=cpu=1
check "also a least amount" says 'MinTRES of QOS normal is cpu=2: 1 asked for' \
	7 --set qos.normal.MinTRES=cpu=2
check "a limit on the job alone" says 'MaxWall of QOS open is 300: 600 asked' \
	3 --set qos.open.MaxWall=5
check "but none that another one hides" sh -c '
	"$1" explain-wait --site "$2" --set qos.open.GrpTRES=cpu=100 41 |
		grep -c "GrpTRES of account" | grep -qx 0' - "$librasim" "$site"

cp -r "$site" "$tmp/held" && chmod -R u+w "$tmp/held"
sed -i '/^17|/s/--begin=[^ ]*/-H/' "$tmp/held/jobs.txt"
"$librasim" explain-wait --site "$tmp/held" 17 >"$tmp/out"
check "a hold" grep -q 'JobHeldUser *until 2026-01-05T08:26:40$' "$tmp/out"

# Job 5 may run in another partition, too, which comes first; job 7 in one that
# is closed, before.
cp -r "$site" "$tmp/parts" && chmod -R u+w "$tmp/parts"
sed -i '/^5|/s/-p batch/-p batch,whole/; /^7|/s/-p batch/-p whole,batch/' \
	"$tmp/parts/jobs.txt"
explain_parts() {
	"$librasim" explain-wait --site "$tmp/parts" "$@" >"$tmp/out"
	cat "$tmp/out"
}
both() {
	explain_parts 5 --seed 6
	grep -qE 'main +Resources +whole: lacks idle nodes; fits when job 4 ' \
		"$tmp/out" &&
		grep -qE 'main +Priority +batch: job 3 goes first' "$tmp/out"
}
check "each partition that a job asks for" both
check "of which the last one has the wait" \
	grep -q 'after its submission: Priority 62 s$' "$tmp/out"
closed() {
	explain_parts 7 --set partition.whole.State=INACTIVE
	grep -qE 'main +PartitionInactive +whole: ' "$tmp/out" &&
		grep -qE 'main +QOSLimit +batch: MaxJobsPU ' "$tmp/out"
}
check "also one that is closed" closed

# ---- a watch changes nothing, and the shares are the wait ----

# agrees SITE JOB...: with the table of librasim run
agrees() {
	folder=$1
	shift
	for job; do
		"$librasim" explain-wait --json --site "$folder" "$job" \
			>"$tmp/$job.json" || return 1
	done
	python3 - "$tmp/jobs.csv" "$tmp" "$@" <<'END'
import csv, json, sys
rows = {r["job"]: r for r in csv.DictReader(open(sys.argv[1]))}
bad = 0
for job in sys.argv[3:]:
    said = json.load(open("%s/%s.json" % (sys.argv[2], job)))
    row = rows[job]
    shares = sum(k["for_s"] for k in said["kept_by"])
    wait = said["start_s"] - said["submit_s"]
    if said["job"] != job or said["start_s"] != int(row["start_s"]) or \
       (row["preempted"] == "0" and shares != wait):
        print(job, row, said["start_s"], shares, wait)
        bad = 1
sys.exit(bad)
END
}
"$librasim" run --policy slurm --site "$site" --jobs-out "$tmp/jobs.csv" >"$tmp/x"
check "the jobs start as without a watch" agrees "$site" \
	1 2 3 4 5 6 7 10_1 10_2 10_3 10_4 15 16 17 20 21 30 31 32 40 41
"$librasim" run --policy slurm --site "$tmp/parts" --jobs-out "$tmp/jobs.csv" \
	>"$tmp/x"
check "also with several partitions" agrees "$tmp/parts" 3 5 6 7
mkdir "$tmp/full"
awk -v n=200 -v dir="$tmp/full" -v power=1 -f "$srcdir/tests/bench/slurm_site.awk"
sed -i 's/n\[0001-5860\]/n[0001-0256]/; s/750080/32768/; s/=5860/=256/' \
	"$tmp/full/partitions.txt"
"$librasim" run --policy slurm --site "$tmp/full" --jobs-out "$tmp/jobs.csv" \
	>"$tmp/x"
# shellcheck disable=SC2046
check "also on a full machine" agrees "$tmp/full" $(
	sort -t , -k 11,11nr "$tmp/jobs.csv" | cut -d , -f 1 | sed -n '1p;20p;60p')

# ---- wrong uses ----

# fails STATUS TEXT ARGUMENT...: one line has the text
fails() {
	status=$1 want=$2
	shift 2
	"$librasim" explain-wait "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq "$status" ] && [ ! -s "$tmp/out" ] && cat "$tmp/err" &&
		grep -q -e "$want" "$tmp/err"
}
check "a job that the log lacks is told" fails 1 "no job '999'" \
	--site "$site" 999
check "a job is needed" fails 2 'give the job' --site "$site"
check "so is a site" fails 2 'give the site' 3
finish
