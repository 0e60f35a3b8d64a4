#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim run, trace and policies: what they print, and that it depends on
# nothing but the command.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
policies=$("$librasim" policies --json </dev/null |
	sed -n 's/^  "name": "\(.*\)",/\1/p' | paste -sd ,)

# 6 records: one as it should be; one without an estimate; one that overran;
# one that did not run; one larger than the machine; and one submitted before
# its predecessor, with fewer processors allocated than requested.
cat >"$tmp/six.swf" <<'END'
; Computer: a machine
; MaxProcs: 8
1 0 -1 100 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1
2 10 -1 50 -1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1
3 20 -1 90 4 -1 -1 4 60 -1 1 2 1 1 1 1 -1 -1
4 30 -1 0 4 -1 -1 4 60 -1 5 2 1 1 1 1 -1 -1
5 40 -1 10 9 -1 -1 9 60 -1 1 2 1 1 1 1 -1 -1
6 35 -1 10 6 -1 -1 8 60 -1 1 2 1 1 1 1 -1 -1
END
"$librasim" gen -n 600 --procs 256 --seed 11 -o "$tmp/gen.swf" </dev/null
gzip -nk "$tmp/gen.swf"

# simulate NAME OPTION...: results in NAME.csv, jobs in NAME.jobs
simulate() {
	name=$tmp/$1
	shift
	"$librasim" run --policy "$policies" --format csv \
		--jobs-out "$name.jobs" "$@" >"$name.csv" 2>"$name.err"
}
same() {
	cmp "$tmp/$1.csv" "$tmp/$2.csv" && cmp "$tmp/$1.jobs" "$tmp/$2.jobs"
}
again() {
	simulate "$@" && same plain "$1"
}

check "all policies run" simulate plain "$tmp/gen.swf"
check "the same command gives the same bytes" again twice "$tmp/gen.swf"
check "so does a gzipped log" again gz "$tmp/gen.swf.gz"
from_stdin() {
	simulate "$1" - <"$2" && same plain "$1"
}
check "so does standard input" from_stdin stdin "$tmp/gen.swf"
check "so does gzipped standard input" from_stdin stdingz "$tmp/gen.swf.gz"
from_pipe() {
	# A pipe cannot be read a second time.
	# shellcheck disable=SC2002
	cat "$tmp/gen.swf.gz" | simulate pipe - && same plain pipe
}
check "so does a pipe" from_pipe
# zstd is optional, in the build and on the host.
printf '\050\265\057\375' >"$tmp/begin.zst"
zstd_pipe() {
	# shellcheck disable=SC2002
	cat "$tmp/gen.swf.zst" | simulate zstdpipe - && same plain zstdpipe
}
zstd_last() {
	run 0 "$librasim" run --policy easy --last 99 --format csv \
		"$tmp/gen.swf" && cp "$tmp/out" "$tmp/last" &&
		run 0 "$librasim" run --policy easy --last 99 --format csv \
			"$tmp/gen.swf.zst" && cmp "$tmp/out" "$tmp/last"
}
if "$librasim" trace "$tmp/begin.zst" 2>&1 | grep -q 'without libzstd'; then
	skip "so does a log that zstd packed" "built without libzstd"
elif ! command -v zstd >/dev/null; then
	skip "so does a log that zstd packed" "no zstd"
else
	# Two frames are one text.
	head -c 3000 "$tmp/gen.swf" | zstd -qc >"$tmp/gen.swf.zst"
	tail -c +3001 "$tmp/gen.swf" | zstd -qc >>"$tmp/gen.swf.zst"
	check "so does a log that zstd packed" again zstd "$tmp/gen.swf.zst"
	check "so does a pipe from zstd" zstd_pipe
	check "so does the end of a log that zstd packed" zstd_last
fi
check "so do options behind the log" again behind "$tmp/gen.swf" --seed 1

# A locale that writes 1,5: the system's, or one made here.
if ! locale -a 2>/dev/null | grep -qi '^de_DE\.utf-\?8$' &&
	localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" >/dev/null 2>&1; then
	LOCPATH=$tmp
	export LOCPATH
fi
in_german() {
	LC_ALL=de_DE.UTF-8 simulate german --arrival-delay 1.0 "$tmp/gen.swf" &&
		same plain german
}
if [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null)" = , ]; then
	check "so does a locale with decimal commas" in_german
else
	skip "so does a locale with decimal commas" "no such locale"
fi
unset LOCPATH

# One policy at a time gives the rows of all at a time.
alone() {
	test -n "$policies" || return 1
	for policy in $(echo "$policies" | tr , ' '); do
		run 0 "$librasim" run --policy "$policy" --format csv \
			--jobs-out "$tmp/one" "$tmp/gen.swf" || return 1
		grep -x "$(sed 1d "$tmp/out")" "$tmp/plain.csv" >/dev/null &&
			sed 1d "$tmp/one" | cmp - "$tmp/part.$policy" || return 1
	done
}
sed 1d "$tmp/plain.jobs" | awk -F , -v part="$tmp/part." '{ print > (part $13) }'
check "a policy does not depend on the others" alone

# The three formats say the same.
value() {
	sed -n "s/^ *\"$1\": \\([^,]*\\),*\$/\\1/p" "$tmp/out"
}
formats_agree() {
	run 0 "$librasim" run --policy edf --format json "$tmp/gen.swf" || return 1
	for n in fulfilled mean_wait_s utilization_pct makespan_s; do
		column=$(head -n 1 "$tmp/plain.csv" | tr , '\n' |
			grep -nx "$n" | cut -d : -f 1)
		test "$(value "$n")" = "$(grep '^edf,' "$tmp/plain.csv" |
			cut -d , -f "$column")" || { echo "$n"; return 1; }
	done
	pct=$(value fulfilled_pct)
	run 0 "$librasim" run --policy edf "$tmp/gen.swf" &&
		grep -q "^edf .* $(printf %.2f "$pct") " "$tmp/out"
}
check "table, CSV and JSON agree" formats_agree

# The table of jobs.
jobs_to_stdout() {
	run 0 "$librasim" run --jobs-out - "$tmp/six.swf" &&
		test "$(grep -c ',librarisk,' "$tmp/out")" -eq 4 &&
		head -n 1 "$tmp/out" | grep -q '^job,submit_s,'
}
check "--jobs-out - writes the jobs to standard output" jobs_to_stdout
# What a table says of jobs is taken from there: the draws of another seed are
# no matter then, nor its estimates (but lots would follow the seed).
given() {
	simulate given --seed 9 --set random-reject.seed=1 --inaccuracy 50 \
		--jobs-in "$tmp/plain.jobs" "$tmp/gen.swf" && cmp "$tmp/plain.jobs" "$tmp/given.jobs"
}
check "--jobs-in: the very jobs of another run" given
some_given() {
	printf 'x,deadline_s,job\n,7,6\n,500.5,1\n,20,2\n,30,3\n,40,99\n' |
		"$librasim" run --policy fcfs --jobs-in - --jobs-out \
			"$tmp/jobs" "$tmp/six.swf" >/dev/null &&
		test "$(sed 1d "$tmp/jobs" | cut -d , -f 1,6 | paste -sd ' ')" = \
			"1,500.5 2,20 3,30 6,7"
}
check "--jobs-in: one's own deadlines" some_given
# Job 2 has no deadline: it waits in the ordinary queue, and is written so again.
none_given() {
	printf 'job,deadline_s\n1,500.5\n2,\n3,30\n6,7\n' >"$tmp/none.csv"
	run 1 "$librasim" run --jobs-in "$tmp/none.csv" "$tmp/six.swf" &&
		grep -q 'row 2: .* without a deadline need --ordinary' \
			"$tmp/err" &&
		run 0 "$librasim" run --policy planned --ordinary 0 --jobs-in \
			"$tmp/none.csv" --jobs-out "$tmp/jobs" "$tmp/six.swf" &&
		grep -q '^2,.*,queue,' "$tmp/jobs" &&
		run 0 "$librasim" run --policy planned --ordinary 0 --jobs-in \
			"$tmp/jobs" --jobs-out "$tmp/again" "$tmp/six.swf" &&
		cmp "$tmp/jobs" "$tmp/again"
}
check "--jobs-in: a job without a deadline" none_given
rest_drawn() {
	run 0 "$librasim" run --jobs-out "$tmp/drawn" "$tmp/six.swf" &&
		run 0 "$librasim" run --jobs-in "$tmp/jobs.few" \
			--jobs-out "$tmp/jobs" "$tmp/six.swf" &&
		test "$(cut -d , -f 6 "$tmp/jobs" | paste -sd ' ')" = \
			"deadline_s 1 1 1 1" &&
		cut -d , -f 5,7,14,15 "$tmp/jobs" >"$tmp/a" &&
		cut -d , -f 5,7,14,15 "$tmp/drawn" | cmp - "$tmp/a"
}
# Jobs of 2 processors that may have up to 8, beside one of 6.
cat >"$tmp/wide.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 6 -1 -1 6 100 -1 1 1 -1 -1 -1 -1 -1 -1
2 0 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1
3 300 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1
4 300 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1
5 600 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1
6 600 -1 80 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1
END
cat >"$tmp/wide.csv" <<'END'
job,deadline_s,max_procs,speedup
1,1000,6,0
2,1000,8,1
3,1000,99,1
4,1000,8,0.5
5,1000,8,0
6,50,6,1
END
widths() {
	run 0 "$librasim" run --policy planned,fcfs --set planned.hold_back=0 \
		--jobs-in "$tmp/wide.csv" --jobs-out "$tmp/wide" \
		"$tmp/wide.swf" || return 1
	cut -d , -f 1,8,11,13,17 "$tmp/wide"
	test "$(grep planned "$tmp/wide" | cut -d , -f 1,8,11,17 | paste -sd ' ')" = \
		"1,accept,100,6 2,accept,100,2 3,accept,325,8 4,accept,387.5,8 5,accept,700,2 6,accept,626.6666666666666,6" &&
		grep fcfs "$tmp/wide" | grep -q '^3,.*,400,.*,2,'
}
check "--jobs-in: of several widths the one that ends first" widths
no_width() {
	printf 'job,max_procs\n%s\n' "1,0" >"$tmp/none.csv"
	run 1 "$librasim" run --jobs-in "$tmp/none.csv" "$tmp/wide.swf" &&
		grep -q 'row 1: max_procs must be a whole number' "$tmp/err"
}
check "--jobs-in: no processors are no width" no_width
printf 'job,deadline_s\n1,1\n2,1\n3,1\n6,1\n' >"$tmp/jobs.few"
check "--jobs-in: the rest is drawn as ever" rest_drawn
through_link() {
	echo old >"$tmp/real"
	ln -s real "$tmp/link"
	run 0 "$librasim" run --jobs-out "$tmp/link" "$tmp/six.swf" &&
		test -L "$tmp/link" && grep -q librarisk "$tmp/real"
}
check "a link stays a link" through_link

# column NUMBER OPTION...: of the table of jobs of the six records
column() {
	n=$1
	shift
	run 0 "$librasim" run --policy fcfs --jobs-out "$tmp/jobs" "$@" \
		"$tmp/six.swf" || return 1
	sed 1d "$tmp/jobs" | cut -d , -f "$n" | paste -sd ' '
}
# column_is NUMBER VALUES OPTION...
column_is() {
	n=$1
	want=$2
	shift 2
	got=$(column "$n" "$@")
	echo "got $got"
	test "$got" = "$want"
}
check "jobs are in order of submission" column_is 1 "1 2 3 6"
check "times count from the first submission" column_is 2 "0 10 20 35"
check "the processors asked for count" column_is 3 "2 1 4 8"
check "--size allocated takes the others where known" \
	column_is 3 "2 1 4 6" --size allocated
check "no estimate: the run time is taken" column_is 5 "200 50 60 60"
check "--inaccuracy 0 makes estimates exact" \
	column_is 5 "100 50 90 10" --inaccuracy 0
check "--inaccuracy 50 goes half the way" \
	column_is 5 "150 50 75 35" --inaccuracy 50
check "--kill-at-estimate cuts run times" \
	column_is 4 "100 50 60 10" --kill-at-estimate
check "a job that was killed is not fulfilled" \
	column_is 12 "1 1 0 1" --kill-at-estimate --deadline-mean 100
check "--ordinary 100 leaves no deadline" \
	column_is 6 "   " --ordinary 100 --policy fcfs
check "jobs without a deadline queue" \
	column_is 8 "queue queue queue queue" --ordinary 100 --policy planned
check "--planned-starts tells when a job was to start" \
	column_is 17 "0 10 20 200" --policy planned --planned-starts \
	--deadline-mean 100
check "--keep-unrun gives one second" \
	column_is 4 "100 50 90 1 10" --keep-unrun
check "--arrival-delay scales submissions" \
	column_is 2 "0 2.5 5 8.75" --arrival-delay 0.25
check "--last counts records before any is dropped" column_is 1 "3 6" --last 4
check "--last may be more than there are" column_is 1 "1 2 3 6" --last 1000
check "--procs makes the machine larger" column_is 1 "1 2 3 6 5" --procs 9
check "--procs makes the machine smaller" column_is 1 "1 2" --procs 3
check "--high-urgency 100: all of them" column_is 7 "1 1 1 1" --high-urgency 100
check "--high-urgency 0: none of them" column_is 7 "0 0 0 0" --high-urgency 0
check "--deadline-cv 0: the mean, in both classes" column_is 6 \
	"1000 500 900 100" --deadline-cv 0 --high-urgency 0 --deadline-mean 5 \
	--deadline-ratio 2

# Nodes.  Job 1 fills node 0, jobs 2 and 3 share node 1, job 6 takes all.
check "--nodes tells where jobs were" \
	column_is 17 "0:2 1:1 1:1 2:2 3:1 0-3:2" --nodes 4
cat >"$tmp/memory.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 2 -1 -1 2 100 1000 1 1 1 1 1 1 -1 -1
2 0 -1 100 2 -1 -1 2 100 1000 1 1 1 1 1 1 -1 -1
3 0 -1 100 1 -1 -1 1 100 5000 1 1 1 1 1 1 -1 -1
4 0 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
END
printf 'job,nodes,gpus\n1,0,1\n2,1,0\n3,0,0\n4,1,2\n' >"$tmp/memory.csv"
# on_nodes WANT OPTION...: job, start and nodes of all that there are
on_nodes() {
	want=$1
	shift
	run 0 "$librasim" run --policy planned --deadline-mean 100 \
		--deadline-cv 0 --set machine_reserve=0 --jobs-out "$tmp/jobs" \
		"$@" "$tmp/memory.swf" >"$tmp/said" || return 1
	got=$(sed 1d "$tmp/jobs" | cut -d , -f 1,10,17 | paste -sd ' ')
	echo "got $got"
	test "$got" = "$want"
}
check "--nodes: memory is not counted" on_nodes \
	"1,0,0:2 2,0,0:2 3,0,1:1 4,0,1:2" --nodes 2
check "--nodes: a node has so much memory, and job 3 needs more" on_nodes \
	"1,0,0:2 2,0,1:2 4,0,0:2" --nodes 2x4:mem=3
check "--nodes: GPUs, and all on one node" on_nodes \
	"1,0,0:2 2,0,1:2 4,100,0:2" --nodes 1x4:mem=3:gpu=2,1x4:mem=3 \
	--side "$tmp/memory.csv"
nodes_wrong() {
	run 1 "$librasim" run --policy planned --nodes 3 "$tmp/six.swf" &&
		grep -q '8 processors cannot be divided evenly into 3' "$tmp/err"
}
check "--nodes must divide the machine" nodes_wrong
for spec in '' 0 x4 4x 4x4, 2,2x4 4x4:mem 4x4:mem=0 4x4:gpu=-1 4x4:ram=3 4x4x4; do
	check "--nodes '$spec' is nonsense" run 2 "$librasim" run --policy planned \
		--nodes "$spec" "$tmp/six.swf"
done
check "--nodes and --procs must agree" run 2 "$librasim" run --policy planned \
	--nodes 2x4 --procs 9 "$tmp/six.swf"
check "--nodes with --procs that agrees" run 0 "$librasim" run \
	--policy planned --nodes 2x4 --procs 8 "$tmp/six.swf"
check "--nodes and --capacity" run 2 "$librasim" run --policy planned \
	--nodes 2x4 --capacity "$tmp/six.swf" "$tmp/six.swf"
no_nodes() {
	run 1 "$librasim" run --nodes 2 --policy "$1" --side "$tmp/memory.csv" \
		"$tmp/memory.swf" && grep -q "policy $1 has no nodes" "$tmp/err"
}
for policy in libra band easy; do
	check "--nodes: $policy cannot do that" no_nodes $policy
done

# Draws: job for job the same, whatever else changes.
undisturbed() {
	a=$(column 6) && b=$(column 6 --arrival-delay 0.5 --inaccuracy 30) &&
		test "$a" = "$b" && test "$a" != "$(column 6 --seed 2)"
}
check "deadlines hang on the seed, not on other options" undisturbed
other_seed() {
	run 0 "$librasim" run --seed 18446744073709551615 --format json \
		"$tmp/six.swf" && test "$(value seed)" = 18446744073709551615
}
check "the largest seed is a seed" other_seed

counted() {
	run 0 "$librasim" run --kill-at-estimate "$tmp/six.swf" &&
		head -n 6 "$tmp/out" >"$tmp/head" && diff - "$tmp/head" <<'END'
6 records, 4 jobs, 8 processors
  1 dropped: run time <= 0
  1 dropped: larger than the machine
  1 no estimate: run time used
  1 run time cut to the estimate
  1 submitted out of order: sorted
END
}
check "what was done to the records is counted" counted

# In time-shared libra an accepted job with an exact estimate is fulfilled.
promises_kept() {
	run 0 "$librasim" run --policy libra --inaccuracy 0 --format json \
		"$tmp/gen.swf" || return 1
	value accepted
	test "$(value accepted)" -gt 100 &&
		test "$(value accepted)" -eq "$(value fulfilled)" &&
		test "$(value submitted)" -eq 600
}
check "exact estimates: libra keeps each promise" promises_kept

lots() {
	"$librasim" run --policy random-reject --jobs-out - "$@" "$tmp/gen.swf" \
		2>"$tmp/err" | cut -d , -f 1,8
}
lots_follow() {
	a=$(lots) && test "$a" = "$(lots --set seed=1)" &&
		test "$a" != "$(lots --seed 2)" &&
		test "$a" = "$(lots --seed 2 --set seed=1)"
}
check "lots follow --seed, unless they have a seed of their own" lots_follow

set_one() {
	run 0 "$librasim" run --policy edf --set admission=no --format json \
		"$tmp/gen.swf" && test "$(value accepted)" -eq 600 &&
		test "$(value admission)" -eq 0 &&
		run 0 "$librasim" run --set edf.admission=0 --format json \
			--policy edf "$tmp/gen.swf" &&
		test "$(value accepted)" -eq 600
}
check "--set sets a parameter, with or without the policy's name" set_one

# ---- trace ----

trace_values() {
	run 0 "$librasim" trace --json "$tmp/six.swf" || return 1
	for pair in records:6 procs:8 ran:5 users:2 max_procs:9 \
		estimated:4 over_pct:75 overruns:1 overrun_max_s:30 unsorted:1 \
		no_estimate:1 no_run:1; do
		test "$(value "${pair%:*}")" = "${pair#*:}" ||
			{ echo "$pair"; cat "$tmp/out"; return 1; }
	done
}
check "trace describes the log" trace_values
trace_reads() {
	run 0 "$librasim" trace --json "$tmp/gen.swf" && grep -v '"trace"' "$tmp/out" \
		>"$tmp/a" && "$librasim" trace --json - <"$tmp/gen.swf.gz" |
		grep -v '"trace"' | cmp - "$tmp/a"
}
check "trace reads a gzipped pipe" trace_reads
sed '/^[0-9]/s/$/ 48 3600 frontier:excl:6x8/' "$tmp/gen.swf" >"$tmp/extra.swf"
extra_said_once() {
	simulate extra "$tmp/extra.swf" && same plain extra &&
		test "$(grep -c 'up to 3 fields after the 18' \
			"$tmp/extra.err")" -eq 1 &&
		run 0 "$librasim" trace --json "$tmp/extra.swf" &&
		test "$(value extra_fields)" = 3
}
check "fields after the 18 are ignored, and that is said once" extra_said_once
trace_last() {
	run 0 "$librasim" trace --json --last 3 "$tmp/six.swf" &&
		test "$(value records)" = 3 && test "$(value users)" = 1
}
check "trace --last describes the end of it" trace_last
trace_text() {
	run 0 "$librasim" trace "$tmp/six.swf" &&
		grep -q '^a machine$' "$tmp/out" &&
		grep -Eq '^users +2' "$tmp/out"
}
check "trace prints a table" trace_text

# ---- policies ----

policies_text() {
	run 0 "$librasim" policies || return 1
	for policy in $(echo "$policies" | tr , ' '); do
		grep -q "^$policy  *[a-z]" "$tmp/out" || return 1
	done
	grep -q -- '--set admission=1' "$tmp/out"
}
check "policies lists each policy and its parameters" policies_text
policies_known() {
	for policy in edf libra librarisk fcfs easy; do
		echo ",$policies," | grep -q ",$policy," || return 1
	done
}
check "the policies of the paper are there" policies_known
policies_json() {
	"$librasim" policies --json </dev/null | python3 -c '
import json, sys
for p in json.load(sys.stdin):
    assert p["mode"] in ("space-shared", "time-shared", "gang-scheduled"), p
    for q in p["params"]:
        assert q["min"] is None or q["min"] <= q["default"], q
        assert q["max"] is None or q["default"] <= q["max"], q
        assert q["help"] and q["type"] in ("number", "integer", "switch"), q'
}
if command -v python3 >/dev/null; then
	check "policies --json is sound" policies_json
else
	skip "policies --json is sound" "no python3"
fi

# Archive logs have records without a submit time, and values below -1.
cat >"$tmp/negative.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1
2 -1 -1 50 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1
3 20 -1 90 4 -1 -1 4 160 -1 -4 2 1 1 1 1 -1 -1
4 30 -5 90 4 -1 -1 4 160 -1 1 2 1 1 1 1 -1 -1
END
negative() {
	run 0 "$librasim" run --format csv --policy fcfs "$tmp/negative.swf" &&
		grep -q '^fcfs,3,3,' "$tmp/out" &&
		grep -q ': 1 records without a submit time' "$tmp/err" &&
		grep -q ': 2 negative values .* line 3$' "$tmp/err"
}
check "negative values are unknown, and counted" negative
strict() {
	run 1 "$librasim" run --strict --policy fcfs "$tmp/negative.swf" &&
		grep -q 'negative.swf:3: a negative value, and --strict$' \
			"$tmp/err" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
}
check "--strict refuses them" strict

# Some seconds of work.  script makes a terminal of both outputs.
"$librasim" gen -n 30000 --procs 256 -o "$tmp/long.swf" </dev/null
shows_progress() {
	script -qec "'$librasim' run --policy conservative,fcfs '$tmp/long.swf'" \
		"$tmp/screen" </dev/null >/dev/null &&
		tr '\r' '\n' <"$tmp/screen" |
		grep -q '^\[#*\.*\] [0-9]* %, [0-9.]* \(s\|min\|h\) left'
}
is_quiet() {
	script -qec "'$librasim' run --policy conservative '$tmp/long.swf' \
		2>'$tmp/err'" "$tmp/screen" </dev/null >/dev/null &&
		test ! -s "$tmp/err"
}
if command -v script >/dev/null; then
	check "a long run shows how much time is left" shows_progress
	check "only a terminal gets the bar" is_quiet
else
	skip "a long run shows how much time is left" "no script"
fi
finish
