#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench.sh [-s] [-b LIBRASIM] [-r RUNS] [-o FILE] - how fast librasim is; "make
# bench" runs it, with BENCH_FLAGS.
#
# No test: it prints a table and writes FILE (bench.json).  Whole processes,
# reading included.  Elapsed and processor time are the medians of RUNS runs
# (5), and the least; speed is jobs per second of processor time, since other
# work on the machine changes that least.  The same job in plain Python, the
# EASY of tests/oracle/oracle.py, runs in between: ratios to it can be compared
# from one machine to another.  Logs are looked for in LIBRA_TRACES and beside
# the tree; what needs one that is not there is left out, and said.  -s: only
# small logs beside the floor; -b: there another librasim too, in turns.

set -u
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
librasim=${LIBRASIM:-$builddir/librasim}
helper=$builddir/tests/bench/measure
admission=$builddir/tests/bench/admission
floor=$builddir/tests/bench/floor
runs=5
output=bench.json
small=
other=

while getopts sb:r:o: option; do
	case $option in
	s) small=yes ;;
	b) other=$OPTARG ;;
	r) runs=$OPTARG ;;
	o) output=$OPTARG ;;
	*)
		echo "usage: bench.sh [-s] [-b LIBRASIM] [-r RUNS] [-o FILE]" >&2
		exit 2
		;;
	esac
done
case $runs in
'' | *[!0-9]* | 0*)
	echo "bench.sh: -r takes a number from 1, not '$runs'" >&2
	exit 2
	;;
esac
for program in "$librasim" "${other:-$librasim}" "$helper" "$admission" \
	"$floor"; do
	[ -x "$program" ] || {
		echo "bench.sh: no $program: say make bench" >&2
		exit 1
	}
done

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

find_log() {
	printf '%s\n' "${LIBRA_TRACES-}:$srcdir/../shared/traces" | tr : '\n' |
		while IFS= read -r folder; do
			if [ -n "$folder" ] && [ -r "$folder/$1" ]; then
				printf '%s\n' "$folder/$1"
				break
			fi
		done
}

load() {
	cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo unknown
}

row='%-34s %8s %9s %9s %9s %11s %8s\n'
# shellcheck disable=SC2059
heading() {
	printf "$row" case jobs "wall s" "CPU s" "least" "jobs/CPU s" MiB
}

first=yes
json() {
	[ $first = yes ] || echo , >>"$tmp/json"
	first=no
	printf '  %s' "$1" >>"$tmp/json"
}

# measure NAME JOBS RUNS COMMAND...: one row.  The helper prints the medians:
# wall, cpu, least wall, least cpu, KiB.
measure() {
	name=$1
	jobs=$2
	n=$3
	shift 3
	if ! "$helper" "$n" "$@" >"$tmp/measured" 2>"$tmp/err"; then
		echo "$name: failed: $(head -n 1 "$tmp/err")"
		return
	fi
	read -r wall cpu wall_min cpu_min kib <"$tmp/measured"
	speed=$(awk -v n="$jobs" -v s="$cpu" 'BEGIN { printf "%.0f", n / s }')
	mib=$(awk -v k="$kib" 'BEGIN { printf "%.1f", k / 1024 }')
	# shellcheck disable=SC2059
	printf "$row" "$name" "$jobs" "$wall" "$cpu" "$cpu_min" "$speed" "$mib"
	json "{\"case\": \"$name\", \"runs\": $n, \"jobs\": $jobs, \"wall_s\": $wall, \"cpu_s\": $cpu, \"wall_min_s\": $wall_min, \"cpu_min_s\": $cpu_min, \"jobs_per_cpu_s\": $speed, \"jobs_per_wall_s\": $(awk -v n="$jobs" -v s="$wall" 'BEGIN { printf "%.0f", n / s }'), \"peak_kib\": $kib}"
}

# case_of NAME RUNS LOG OPTION...: librasim on a log
case_of() {
	name=$1
	n=$2
	log=$(find_log "$3")
	if [ -z "$log" ]; then
		echo "$name: left out, no $3 in LIBRA_TRACES"
		return
	fi
	shift 3
	# How many jobs there are does not hang on the policy.
	count=$("$librasim" run --format json "$@" --policy fcfs "$log" |
		sed -n 's/^ *"jobs": \([0-9]*\),*$/\1/p' | head -n 1)
	if [ -z "$count" ]; then
		echo "$name: failed"
		return
	fi
	measure "$name" "$count" "$n" "$librasim" run "$@" "$log"
}

# python_easy NAME LOG PROCS: the plain program on the same jobs
python_easy() {
	log=$(find_log "$2")
	if [ -z "$log" ] || ! command -v python3 >/dev/null; then
		echo "$1: left out, no log or no python3"
		return
	fi
	python3 "$srcdir/tests/oracle/normalize.py" --procs "$3" "$log" \
		>"$tmp/normal.swf" 2>/dev/null || return
	measure "$1" "$(grep -vc '^;' "$tmp/normal.swf")" 3 \
		python3 "$srcdir/tests/oracle/oracle.py" --swf \
		"$tmp/normal.swf" --policy easy --procs "$3"
}

# floor_of NAME LOG KIND OPTION...: librasim on a log, plain or as it is (packed),
# beside the plain loop that reads all of the plain one and turns all fields into
# numbers; turn by turn, so that the ratio does not hang on what else the machine
# does.
floor_of() {
	name=$1
	log=$(find_log "$2")
	kind=$3
	if [ -z "$log" ]; then
		echo "$name: left out, no $2 in LIBRA_TRACES"
		return
	fi
	shift 3
	gzip -dc "$log" >"$tmp/plain.swf" || return
	[ "$kind" = packed ] || log=$tmp/plain.swf
	: >"$tmp/floors"
	i=0
	while [ $i -lt 15 ]; do
		"$helper" 1 "$floor" "$tmp/plain.swf" >"$tmp/a" &&
			"$helper" 1 "$librasim" run "$@" "$log" >"$tmp/b" ||
			return
		: >"$tmp/c"
		[ -z "$other" ] ||
			"$helper" 1 "$other" run "$@" "$log" >"$tmp/c" || return
		paste -d ' ' "$tmp/a" "$tmp/b" "$tmp/c" >>"$tmp/floors"
		i=$((i + 1))
	done
	a=$(middle_of 2)
	b=$(middle_of 7)
	ratio=$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.2f", b / a }')
	echo "$name: $b s, $ratio times the floor of $a s"
	[ -z "$other" ] || echo "$name: the other librasim $(middle_of 12) s"
	json "{\"case\": \"$name, times the floor\", \"cpu_s\": $b, \"floor_s\": $a, \"ratio\": $ratio}"
}

# middle_of COLUMN: the median of 15 processor times
middle_of() {
	cut -d ' ' -f "$1" "$tmp/floors" | sort -n | sed -n 8p
}

kth=KTH-SP2-1996-2.1-cln.swf.gz
sdsc=SDSC-SP2-1998-4.2-cln.swf.gz
curie=CEA-Curie-2011-2.1-cln.swf.gz
lublin=lublin_256.swf.gz
plain='--size allocated --kill-at-estimate'
before=$(load)

# shellcheck disable=SC2086
{
	floor_of "easy, KTH-SP2" $kth plain --policy easy --procs 100 $plain
	floor_of "easy, SDSC-SP2" $sdsc plain --policy easy --procs 128 $plain
	floor_of "librarisk, SDSC-SP2, last 3000" $sdsc packed \
		--policy librarisk --last 3000
}
[ -z "$small" ] || {
	echo "Load of the machine: $before before, $(load) after"
	exit 0
}
heading
# shellcheck disable=SC2086
{
	case_of "easy, KTH-SP2" "$runs" $kth --policy easy --procs 100 $plain
	case_of "easy, SDSC-SP2" "$runs" $sdsc --policy easy --procs 128 $plain
	case_of "easy, lublin_256" "$runs" $lublin --policy easy --procs 256 \
		$plain
}
python_easy "plain Python easy, KTH-SP2" $kth 100
python_easy "plain Python easy, SDSC-SP2" $sdsc 128
python_easy "plain Python easy, lublin_256" $lublin 256
case_of "librarisk, SDSC-SP2, last 3000" "$runs" $sdsc --policy librarisk \
	--last 3000
case_of "libra, SDSC-SP2" "$runs" $sdsc --policy libra
case_of "librarisk, SDSC-SP2" "$runs" $sdsc --policy librarisk
case_of "edf, SDSC-SP2" "$runs" $sdsc --policy edf
case_of "easy, CEA-Curie" 1 $curie --policy easy
case_of "libra, CEA-Curie" 1 $curie --policy libra
case_of "librarisk, CEA-Curie" 1 $curie --policy librarisk
# Ten times the load: the machine is full.
case_of "libra, CEA-Curie, full" 1 $curie --policy libra --arrival-delay 0.1
case_of "librarisk, CEA-Curie, full" 1 $curie --policy librarisk \
	--arrival-delay 0.1

# A site's own log: a year of a large machine, from accounting to the page.
awk -v n=1000000 -f "$srcdir/tests/bench/rows.awk" </dev/null >"$tmp/rows.txt"
measure "import, to a log and its table" 1000000 3 "$librasim" import \
	-o "$tmp/rows.swf" "$tmp/rows.txt"
rm -f "$tmp/rows.txt" "$tmp/rows.swf" "$tmp/rows.jobs.csv"
log=$(find_log $curie)
[ -z "$log" ] || {
	measure "what-if, 8 scenarios, -j 2" 312826 1 "$librasim" what-if -q \
		-j 2 --promises none -o "$tmp/page" "$log"
	measure "the same with 12 promises" 312826 1 "$librasim" what-if -q \
		-j 2 -o "$tmp/page" "$log"
}

# 16 panels: 3 policies, swept values, 5 seeds.
log=$(find_log $sdsc)
measure "reproduce icpp2006, 5 seeds, -j 2" 1 1 "$librasim" reproduce icpp2006 \
	--seeds 5 -j 2 -q -o "$tmp/report" ${log:+--trace "$log"}

# In one process: an offer, and its commit if it is accepted; and the earliest
# deadline that who is refused is told, in such decisions (by the means).
echo
printf '%-12s %6s %12s %12s %12s %12s %9s\n' policy procs "ns median" \
	"ns mean" "ns 99 %" "ns worst" earliest
for procs in 128 4096; do
	for policy in edf libra librarisk band; do
		"$admission" "$policy" "$procs" >"$tmp/measured" || continue
		read -r offers median mean p99 worst refused asked _ <"$tmp/measured"
		decisions=$(awk -v n="$refused" -v a="$asked" -v d="$mean" \
			'BEGIN { if (n > 0) printf "%.1f", a / d; else printf "-" }')
		printf '%-12s %6s %12s %12s %12s %12s %9s\n' "$policy" "$procs" \
			"$median" "$mean" "$p99" "$worst" "$decisions"
		json "{\"case\": \"admission\", \"policy\": \"$policy\", \"procs\": $procs, \"offers\": $offers, \"median_ns\": $median, \"mean_ns\": $mean, \"p99_ns\": $p99, \"worst_ns\": $worst, \"refused\": $refused, \"earliest_mean_ns\": $asked}"
	done
done

{
	printf '{\n "version": "%s",\n "machine": "%s",\n' \
		"$("$librasim" --version)" \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
	printf ' "processors": %s,\n "load_before": "%s",\n "load_after": "%s",\n' \
		"$(nproc)" "$before" "$(load)"
	printf ' "cases": [\n'
	cat "$tmp/json"
	printf '\n ]\n}\n'
} >"$tmp/bench.json" && cp "$tmp/bench.json" "$output" || exit 1
echo
echo "Load of the machine: $before before, $(load) after; $output has all numbers"
