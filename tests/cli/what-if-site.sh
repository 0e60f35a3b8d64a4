#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim what-if --site: Slurm's own scheduler on a small site.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
site=$srcdir/tests/data/slurm-site

study() { # FOLDER OPTION...
	folder=$1
	shift
	"$librasim" what-if -o "$tmp/$folder" "$@" >"$tmp/out" 2>"$tmp/err"
}
# cell FILE COLUMN KEY...: of the row whose first fields are the keys
cell() {
	file=$1 column=$2
	shift 2
	python3 - "$file" "$column" "$@" <<'END'
import csv, sys
file, column, keys = sys.argv[1], sys.argv[2], sys.argv[3:]
for row in csv.DictReader(open(file)):
    if list(row.values())[:len(keys)] == keys:
        print(row[column])
END
}

check "a page is written" study one -j 1 --site "$site"
files() {
	for f in index.html proof.csv waits.csv scenarios.csv promises.csv \
		figures.csv what-if.json; do
		test -s "$tmp/one/$f" || return 1
	done
}
check "with its tables beside it" files
check "--json of it is JSON" python3 -m json.tool "$tmp/one/what-if.json"
# The figures of the proof, of the table of librasim run.
proof() {
	"$librasim" run --policy slurm --site "$site" --jobs-out - 2>"$tmp/x" |
		awk -F, 'NR > 1 && $9 && $15 { n++
				near += ($9 - $15) ^ 2 <= 600 ^ 2
				simulated += $11 }
			END { printf "%.0f %.0f %d\n", simulated / n,
				100 * near / n, n }' >"$tmp/simulated" &&
		awk -F '|' 'NR > 1 { n++; sum += $11 - $10 }
			END { printf "%.0f\n", sum / n }' \
			"$site/jobs.txt" >"$tmp/measured" &&
		read -r mean near n <"$tmp/simulated" &&
		read -r logged <"$tmp/measured" &&
		test "$(grep -c '<p class="lead">' "$tmp/one/index.html")" -eq 3 &&
		grep -q ">Proof:<.* simulated mean wait $mean s, measured $logged s; $near % of $n jobs start within 10 minutes" \
			"$tmp/one/index.html" &&
		test "$(cell "$tmp/one/proof.csv" jobs partition batch)" = \
			"$(awk -F '|' '$4 == "batch"' "$site/jobs.txt" | wc -l)"
}
check "which open with the proof" proof
# The same means as those of run.
same_as_run() {
	"$librasim" run --policy slurm --site "$site" --json >"$tmp/run" &&
		python3 - "$tmp/run" "$tmp/one/what-if.json" <<'END'
import json, sys
run, page = (json.load(open(f)) for f in sys.argv[1:])
waits = page["scenarios"][0]["waits"][0]
sys.exit(abs(run["wait_mean_s"] - waits["mean_s"]) > 1e-6 or
         run["wait_p90_s"] != waits["p90_s"])
END
}
check "as it was is what librasim run says" same_as_run
same() {
	study two -q -j 2 --site "$site" && test ! -s "$tmp/out" || return 1
	for f in proof.csv waits.csv scenarios.csv promises.csv figures.csv \
		what-if.json; do
		cmp "$tmp/one/$f" "$tmp/two/$f" || return 1
	done
}
check "the same bytes with two processes" same

# Each key, and what it does to the small site.
cat >"$tmp/plan" <<'END'
more nodes: nodes=+4:like=c1
no limit: qos.normal.MaxJobsPU=-1     # of the users
closed: partition.whole.State=DOWN
no backfill: bf_interval=-1
alone: preempt=none
crowd: load=2
short: limits=5
weights: weight.fairshare=10000 half_life=7-0 weight.partition=0
END
check "scenarios of a file" study own --site "$site" --scenario "$tmp/plan"
run() { # SCENARIO COLUMN
	cell "$tmp/own/scenarios.csv" "$2" "$1"
}
less() { # A B
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}
mean=$(run "as it was" mean_s)
check "nodes=" less "$(run "more nodes" mean_s)" "$mean"
check "qos.NAME.LIMIT=" less \
	"$(cell "$tmp/own/waits.csv" mean_s "no limit" QOS normal)" \
	"$(cell "$tmp/own/waits.csv" mean_s "as it was" QOS normal)"
check "partition.NAME.KEY=" [ "$(run closed never_started)" -eq 1 ]
check "bf_KEY=" less "$(cell "$tmp/own/waits.csv" mean_s "as it was" account lab)" \
	"$(cell "$tmp/own/waits.csv" mean_s "no backfill" account lab)"
check "preempt=" [ "$(run alone preemptions)" -eq 0 ]
check "load=" less "$(run "as it was" utilization_pct)" \
	"$(run crowd utilization_pct)"
check "limits=" less "$(run short mean_s)" "$mean"
check "weight.NAME= and half_life= are taken" [ -n "$(run weights mean_s)" ]
check "a changed wait has its change beside it" \
	grep -Eq '>[0-9.]+ (s|min) \(-[0-9]+ %\)</td>' "$tmp/own/index.html"

# ---- promises ----

check "without promises nothing is said of them" sh -c \
	'[ ! -e "$1/promises.csv" ] && ! grep -qi promise "$1/index.html" "$1/what-if.json"' \
	- "$tmp/own"
cat >"$tmp/plan" <<'END'
none: promises=0%
some: promises=30%
near: promises=100%:within=1.5
all: promises=100%
END
check "scenarios with promises" study kept --site "$site" --scenario "$tmp/plan"
count() { # SCENARIO COLUMN: of the row of all jobs
	awk -F, -v name="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == name && $(at["kind"]) == "all" { print $(at[column]) }' \
		"$tmp/kept/promises.csv"
}
# An array with %2 and a job with --switches cannot ask: 5 of 21 tasks.
asked() {
	[ "$(count all asked) $(count all unable)" = "16 5" ] &&
		grep -q '<td[^>]*>switches</td>' "$tmp/kept/index.html" &&
		[ "$(count near asked)" -eq 16 ] &&
		less "$(count some asked)" 16 && [ -z "$(count none asked)" ]
}
check "a share of the jobs asks" asked
given() {
	[ "$(count all given)" -gt 0 ] && less "$(count near given)" \
		"$(count all given)" &&
		[ "$(count all kept)" -eq "$(count all given)" ] &&
		[ "$(count near broken)$(count all overran)" = 00 ]
}
check "what is given is kept, and a nearer deadline is given less often" given
none() {
	awk -F, -v OFS=, '$1 == "none" || $1 == "as it was" { print }' \
		"$tmp/kept/waits.csv" | sed 's/^none,/as it was,/' | sort |
		uniq -u >"$tmp/differ"
	[ ! -s "$tmp/differ" ] && [ "$(cell "$tmp/kept/waits.csv" mean_s none \
		all all)" = "$mean" ]
}
check "0 % is as it was" none
# The others of a scenario are the jobs without a promise, in both columns.
others() {
	"$librasim" run --policy slurm --site "$site" --jobs-out "$tmp/was" \
		>"$tmp/x" && "$librasim" run --policy slurm --site "$site" \
		--set promises=100% --jobs-out "$tmp/now" >"$tmp/x" &&
		awk -F, 'NR == FNR { was[$1] = $11; next }
			FNR > 1 && $16 != "given" && $9 {
				n++; with += $11; without += was[$1] }
			END { printf "%d %.6f %.6f\n", n, with / n, without / n }' \
			"$tmp/was" "$tmp/now" >"$tmp/want" &&
		printf '%d %.6f %.6f\n' "$(count all others)" \
			"$(count all mean_s)" "$(count all was_mean_s)" |
		diff - "$tmp/want"
}
check "the others are compared with the same jobs as it was" others
check "by partition, too" grep -q '^all,.*,partition,batch,' \
	"$tmp/kept/promises.csv"
check "and by QOS" grep -q '^all,.*,QOS,open,' "$tmp/kept/promises.csv"
page_has() {
	grep -q '<h2[^>]*>Promises' "$tmp/kept/index.html" &&
		grep -q '<th[^>]*>90 % below, without</th>' \
			"$tmp/kept/index.html" &&
		python3 - "$tmp/kept/what-if.json" "$(count all given)" \
			"$(count all others)" <<'END'
import json, sys
runs = {r["name"]: r for r in json.load(open(sys.argv[1]))["scenarios"]}
sys.exit(runs["all"]["promises"]["given"] != int(sys.argv[2]) or
         runs["all"]["promises"]["unable_with"] !=
         {"switches": 1, "array with %n": 4} or
         runs["all"]["others"][0]["with"]["jobs"] != int(sys.argv[3]) or
         "promises" in runs["none"])
END
}
check "page and JSON show them" page_has

# A job over a limit of submissions, as in librasim run.
cp -r "$site" "$tmp/submit" && chmod -R u+w "$tmp/submit"
sed -i 's/|MaxTRESPU|/|MaxSubmitPU|/; s/^1|normal||00:00:00|||1|/&1/' \
	"$tmp/submit/qos.txt"
check "jobs over MaxSubmitPU" study over --site "$tmp/submit"
check "are counted" grep -q '"MaxSubmitJobs": *1[,}]*$' "$tmp/over/what-if.json"

# ---- what is not to be trusted ----

copy() { # NAME SED-SCRIPT: of the small site, with another log
	cp -r "$site" "$tmp/$1" && chmod -R u+w "$tmp/$1" &&
		sed -i "$2" "$tmp/$1/jobs.txt"
}
copy lost '2,$s/ job.sh$/ --switches=1 job.sh/'
check "a log that asks for what is not modelled" study p1 --site "$tmp/lost"
check "has a warning on its page" grep -q 'Much is not modelled:.*100 %' \
	"$tmp/p1/index.html"
check "and on the terminal" grep -q '^100 % of the jobs ask' "$tmp/out"
check "others have none" sh -c '! grep -q "Much is not modelled" "$1"' - \
	"$tmp/one/index.html"
# The log's starts are those of a simulation: then it is proved fully.  Of a
# requeued job, and of tasks that %n held, a log would say more than a row.
copy exact ''
"$librasim" run --policy slurm --site "$site" --jobs-out "$tmp/jobs" >"$tmp/x"
awk -F '|' -v OFS='|' 'NR == FNR { split($0, f, ",")
		at[f[1]] = f[8]; start[f[1]] = f[9]; end[f[1]] = f[10]
		next }
	FNR > 1 { $10 = at[$2]; $11 = start[$2]; $12 = end[$2] }
	$2 !~ /^(10_|20$|21$)/ { print }' \
	"$tmp/jobs" "$site/jobs.txt" >"$tmp/exact/jobs.txt"
check "a log that the model made" study p0 --site "$tmp/exact"
proved() {
	grep -q 'The moving mean of the waits is off by 0 %' "$tmp/p0/index.html" &&
		[ "$(cell "$tmp/p0/proof.csv" within_1min_pct all all)" = 100 ] &&
		[ "$(cell "$tmp/p0/proof.csv" nearness all all)" = 1 ] &&
		! grep -q 'Do not trust' "$tmp/p0/index.html"
}
check "is proved fully" proved
copy late ''
awk -F '|' -v OFS='|' 'NR > 1 { $11 += 9000; $12 += 9000 } { print }' \
	"$site/jobs.txt" >"$tmp/late/jobs.txt"
check "a log with other waits" study p2 --site "$tmp/late"
check "says what not to trust" \
	grep -q 'Proof:.*0 % of 21 jobs.*Do not trust it for waits in general' \
	"$tmp/p2/index.html"
check "and in its tables" [ "$(cell "$tmp/p2/proof.csv" trust all all)" = no ]

# ---- wrong uses ----

# wrong STATUS TEXT OPTION...: one line has the text, and no page is written
wrong() {
	status=$1 want=$2
	shift 2
	study wrong "$@"
	[ $? -eq "$status" ] && [ "$(wc -l <"$tmp/err")" -le 2 ] &&
		grep -q -e "$want" "$tmp/err" && [ ! -e "$tmp/wrong" ]
}
check "a machine of its own is refused" wrong 2 'leave out --promises' \
	--site "$site" --procs 4
check "so is a part of the log" wrong 2 'the whole log' \
	--site "$site" --partition batch
echo 'bad: nodes=+1 policy=easy' >"$tmp/plan"
check "a change that no site has names its scenario" \
	wrong 1 "scenario 'bad': 'policy=easy'" --site "$site" \
	--scenario "$tmp/plan"
echo 'many: promises=150%' >"$tmp/plan"
check "nor are there promises for more than all" \
	wrong 1 "scenario 'many': 'promises=150%'" --site "$site" \
	--scenario "$tmp/plan"
check "a missing folder is told" wrong 1 "$tmp/none" --site "$tmp/none"

finish
