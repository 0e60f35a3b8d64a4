#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim what-if: the page and its tables.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
"$librasim" gen -n 800 --procs 256 --seed 9 -o "$tmp/bare.swf" </dev/null
# The log's waits are those of a simulation: then it must be trusted fully.
"$librasim" run --policy easy --size allocated --jobs-out "$tmp/jobs" \
	"$tmp/bare.swf" >/dev/null
awk 'NR == FNR { split($0, f, ","); wait[f[1]] = f[10] - f[2]; next }
	/^;/ { print; next }
	{ $3 = wait[$1]; print }' "$tmp/jobs" "$tmp/bare.swf" >"$tmp/log.swf"

study() {
	folder=$1
	shift
	run 0 "$librasim" what-if -o "$tmp/$folder" --promise-jobs 200 "$@" \
		"$tmp/log.swf"
}
check "a page is written" study one -j 1
files() {
	(cd "$tmp/one" && for f in index.html waits.csv usage.csv limits.csv \
		scenarios.csv promises.csv when.csv figures.csv what-if.json; do
		test -s $f || echo "$f"
	done) >"$tmp/bad"
	cat "$tmp/bad"
	test ! -s "$tmp/bad"
}
check "with its tables beside it" files
trusted() {
	grep -q '"trust": 1,' "$tmp/one/what-if.json" &&
		grep -q 'That is near' "$tmp/one/index.html"
}
check "a log that EASY made is trusted fully" trusted
# The same waits, but of other jobs: mean, median and 90 % agree, and mean
# nothing.  The scenarios have no figures then.
other_jobs() {
	awk 'BEGIN { n = 0 } /^;/ { print; next }
		{ line[n] = $0; wait[n++] = $3 }
		END { for (i = 0; i < n; i++) {
			$0 = line[i]; $3 = wait[(i + 400) % n]; print } }' \
		"$tmp/log.swf" >"$tmp/others.swf"
	cp "$tmp/out" "$tmp/summary"
	run 0 "$librasim" what-if --promises none -o "$tmp/others" \
		"$tmp/others.swf" &&
		grep -q 'do not trust the scenarios' "$tmp/out" &&
		grep -Eq '^10 % more processors +(lower|same) ' "$tmp/out" &&
		grep -q '"replay": "far"' "$tmp/others/what-if.json" &&
		grep -q '"p50": 1,' "$tmp/others/what-if.json" &&
		grep -q 'worst in the rank correlation' \
			"$tmp/others/index.html" &&
		! grep -A 3 '10 % more processors</td>' \
			"$tmp/others/index.html" | grep -E '>[0-9.]+ (s|min|h)<' &&
		awk -F , 'NR > 1 && $12 != "far" { exit 1 }' \
			"$tmp/others/scenarios.csv"
}
check "waits of other jobs are far off: directions, no figures" other_jobs
# Log, period and machine; the replay; which scenario gains what.
answer() {
	test "$(grep -c '<p class="lead">' "$tmp/one/index.html")" -eq 3 &&
		grep -q '>Asked:<.* 800 jobs of log.swf.* on 256 processors' \
			"$tmp/one/index.html" &&
		grep -q '>Replay:<.* is near what was measured' \
			"$tmp/one/index.html" &&
		grep -Eq '>Answer:<.* most is gained by .* instead of .* (h|min) \(-[0-9]+ %\)' \
			"$tmp/one/index.html" &&
		grep -Eq '>[0-9.]+ \(-[0-9]+ %\)</td>' "$tmp/one/index.html" &&
		grep -Eq '^10 % more processors  *[0-9]+  *-[0-9]+ %' \
			"$tmp/summary" &&
		! grep -E '<td[^>]*>[0-9.]+ (s|min|h)<' "$tmp/one/index.html" &&
		grep -Eq '>all</td><td[^>]*>all</td><td[^>]*>all</td>' \
			"$tmp/one/index.html" || return 1
	# Of the others, no figure.
	grep '>Answer:<' "$tmp/others/index.html" >"$tmp/lead" &&
		! grep -E '[-+][0-9]+ %\)|instead of' "$tmp/lead"
}
check "three lines at the top, changes beside numbers" answer
same() {
	study two -j 2 -q && test ! -s "$tmp/out" &&
		sed 's/what-if -o [^<"]*log.swf//' "$tmp/one/index.html" \
			>"$tmp/a" &&
		sed 's/what-if -o [^<"]*log.swf//' "$tmp/two/index.html" |
		cmp - "$tmp/a" && for f in waits usage limits scenarios promises when figures; do
		cmp "$tmp/one/$f.csv" "$tmp/two/$f.csv" || return 1
	done
}
check "the same bytes with two processes" same
scenarios() {
	test "$(wc -l <"$tmp/one/scenarios.csv")" -eq 9 &&
		test "$(wc -l <"$tmp/one/promises.csv")" -eq 13 &&
		awk -F , 'NR > 1 && ($4 > $3 || $5 > $4) { exit 1 }' \
			"$tmp/one/promises.csv"
}
check "eight scenarios, twelve promises" scenarios
own() {
	echo 'half: processors=128' >"$tmp/plan"
	study own --scenario "$tmp/plan" --promises none &&
		grep -q '^half,easy,128,' "$tmp/own/scenarios.csv" &&
		test "$(wc -l <"$tmp/own/promises.csv")" -eq 1
}
check "scenarios of a file" own
# Half of the processors: larger jobs are left out, on both sides.
left_out() {
	n=$(awk '!/^;/ && $5 > 128' "$tmp/log.swf" | wc -l)
	test "$n" -gt 0 &&
		study own --scenario "$tmp/plan" --promises none &&
		grep -q "leaves out $n larger jobs; compared with" "$tmp/out" &&
		grep -q '^  as it was  *[0-9]' "$tmp/out" &&
		grep -q "half: $n jobs are larger than its machine" \
			"$tmp/own/index.html" &&
		grep -q "The other $((800 - n)) jobs alone, as it was" \
			"$tmp/own/index.html" &&
		awk -F , -v n="$n" '$1 == "half" {
			exit !($4 == 800 - n && $13 == n && $14 < $5) }' \
			"$tmp/own/scenarios.csv" &&
		printf 'none: processors=1\n' >"$tmp/one-plan" &&
		awk '/^;/ || $5 > 1' "$tmp/log.swf" >"$tmp/parallel.swf" &&
		run 0 "$librasim" what-if -o "$tmp/none" --promises none \
			--scenario "$tmp/one-plan" "$tmp/parallel.swf" &&
		grep -q 'No job is left' "$tmp/none/index.html" &&
		grep -q '^none  *- ' "$tmp/out" && ! grep -rnw -e '-*nan' "$tmp/none"
}
check "jobs that a scenario leaves out are left out on both sides" left_out
# A log without waits says so, wherever a wait was measured.
no_waits() {
	run 0 "$librasim" what-if -o "$tmp/bare" --promises none \
		"$tmp/bare.swf" &&
		grep -q 'measured: the log has no waits' "$tmp/out" &&
		grep -q '800 jobs in .* The log has no waits' \
			"$tmp/bare/index.html" &&
		grep -q '"replay": "unknown"' "$tmp/bare/what-if.json" &&
		grep -q '^measured,all,0,,,,,' "$tmp/bare/waits.csv" &&
		grep -q '^0,,,[0-9]' "$tmp/bare/usage.csv" &&
		! grep -rnw -e '-*nan' -e '0.0 %' "$tmp/bare" "$tmp/out"
}
check "a log without waits says that it has none" no_waits

# Two machines that EASY filled, each alone: told of them, it is trusted fully.
two_machines() {
	for part in 1 2; do
		"$librasim" gen -n 300 --procs 256 --seed "$part" </dev/null \
			>"$tmp/part.swf"
		"$librasim" run --policy easy --size allocated --jobs-out \
			"$tmp/jobs" "$tmp/part.swf" >/dev/null
		awk -v part="$part" 'NR == FNR { split($0, f, ",")
				wait[f[1]] = f[10] - f[2]; next }
			!/^;/ { $3 = wait[$1]; $16 = part; print }' \
			"$tmp/jobs" "$tmp/part.swf"
	done | sort -n -k 2,2 >"$tmp/records"
	{
		echo '; MaxProcs: 512'
		echo '; Partition: 1 one'
		echo '; Partition: 2 two'
		cat "$tmp/records"
	} >"$tmp/site.swf"
	printf 'PartitionName=one Nodes=n[1-8] TotalCPUs=256\n%s\n' \
		'PartitionName=two Nodes=n[9-16] TotalCPUs=256' >"$tmp/parts"
	trust() { # FOLDER
		sed -n 's/^ *"trust": \(.*\),$/\1/p' "$tmp/$1/what-if.json"
	}
	run 0 "$librasim" what-if -q --promises none -o "$tmp/apart" \
		--partitions "$tmp/parts" "$tmp/site.swf" &&
		run 0 "$librasim" what-if -q --promises none -o "$tmp/mixed" \
			"$tmp/site.swf" &&
		echo "trust $(trust apart) apart, $(trust mixed) mixed" &&
		test "$(trust apart)" = 1 && test "$(trust mixed)" != 1 &&
		grep -q '2 partitions on 2 machines' "$tmp/apart/index.html"
}
check "partitions on machines of their own" two_machines
refused() {
	echo 'half: nodes=1' >"$tmp/plan"
	run 1 "$librasim" what-if -o "$tmp/no" --scenario "$tmp/plan" \
		"$tmp/log.swf" && grep -q 'is no change' "$tmp/err" &&
		run 1 "$librasim" what-if -o "$tmp/no" --promises magic \
			"$tmp/log.swf" && run 2 "$librasim" what-if &&
		run 2 "$librasim" what-if --partitions x --procs 3 x &&
		run 1 "$librasim" what-if -o "$tmp/no" --partitions "$tmp/plan" \
			"$tmp/log.swf" && grep -q 'no partition in it' "$tmp/err" &&
		test ! -e "$tmp/no"
}
check "what is wrong is said, and nothing is written" refused

in_browser "in a browser nothing overflows and no figure is empty" \
	"$tmp/one/index.html"
# The look itself: each fault is found.
faults() {
	for fault in '<div style="width:1300px">x</div>' '<a href="#no">x</a>' \
		'<a href="no.csv">x</a>' '<svg width="5" height="5"></svg>' \
		'<svg width="60" height="60"><text x="99">cut</text></svg>' \
		'<script>nothing()</script>'; do
		printf '<!DOCTYPE html><html><head></head><body>%s</body></html>' \
			"$fault" >"$tmp/fault.html"
		python3 "$srcdir/tests/cli/browse.py" "$1" \
			"$tmp/fault.html" >"$tmp/said" && {
			echo "not found: $fault"
			return 1
		}
		grep -qE 'bad: [a-z]|no file|CONSOLE' "$tmp/said" || {
			cat "$tmp/said"
			return 1
		}
	done
}
browser=$(command -v chromium || command -v chromium-browser)
if [ -n "$browser" ] && command -v python3 >/dev/null; then
	check "each fault of a page is found there" faults "$browser"
else
	skip "each fault of a page is found there" "no chromium, or no python3"
fi
finish
