#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim when: bounds on waits, and that they hold on real logs.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}

value() {
	sed -n "s/^ *\"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$tmp/out" | head -n 1
}

# 100 jobs of one processor, a day apart, that waited 0, 1, ... 99 s.
awk 'BEGIN {
	print "; MaxProcs: 4\n; Partition: 1 main\n; Queue: 1 normal"
	for (i = 0; i < 100; i++)
		print i + 1, i * 86400, i, 600, 1, -1, -1, 1, 900, -1, 1, 1,
			1, 1, 1, 1, -1, -1
}' >"$tmp/rising.swf"
rising() {
	run 0 "$librasim" when --format json -n 1 "$tmp/rising.swf" &&
		test "$(value bound_s)" = 99 && test "$(value tested)" = 41 &&
		test "$(value kept)" = 0
}
check "of rising waits the largest known one is no bound" rising
by_name() {
	run 0 "$librasim" when --partition main --qos normal \
		"$tmp/rising.swf" && grep -q 'are below 99 s' "$tmp/out" &&
		run 1 "$librasim" when --partition other "$tmp/rising.swf"
}
check "--partition and --qos take names of the header" by_name

# Four processors, all busy from 0 for 600 s with a limit of 900 s: another job
# that comes at 100 s is told of 600 - 100 s by a simulation that knows when
# jobs really end.
awk 'BEGIN {
	print "; MaxProcs: 4"
	print "1 0 0 600 4 -1 -1 4 900 -1 1 1 1 1 1 1 -1 -1"
	print "2 5000 0 600 4 -1 -1 4 900 -1 1 1 1 1 1 1 -1 -1"
}' >"$tmp/busy.swf"
simulated() {
	run 0 "$librasim" when --format json -n 1 --time 10 --at 100 \
		"$tmp/busy.swf" && test "$(value simulated_s)" = 500
}
check "the simulation starts it when the queue lets it" simulated
# Of 8 processors, 4 of them of the partition's largest job.
sed 's/MaxProcs: 4/MaxProcs: 8\
; Partition: 1 main/' "$tmp/busy.swf" >"$tmp/part.swf"
machine() {
	run 0 "$librasim" when --partition main -n 4 --time 10 --at 100 \
		"$tmp/part.swf" &&
		grep -q "^simulated from the queue: 0 s, on 8 processors" \
			"$tmp/out" &&
		grep -q "^no bound: 2 jobs of this class .*, and 59 are needed" \
			"$tmp/out" && ! grep -q nan "$tmp/out" &&
		run 0 "$librasim" when --partition main -n 4 --time 10 \
			--at 100 --procs 4 "$tmp/part.swf" &&
		grep -q ": 8 min, on 4 processors (--procs)$" "$tmp/out"
}
check "the machine is the log's, and said" machine
csv() {
	run 0 "$librasim" when --format csv "$tmp/rising.swf" &&
		test "$(sed -n 2p "$tmp/out" | cut -d , -f 1-8,10)" = \
			"main,normal,1-4,100,41,0,0,4,99"
}
check "--format csv has a row for each class" csv
usage() {
	run 2 "$librasim" when && run 2 "$librasim" when --quantile 1 x &&
		run 2 "$librasim" when --time soon x
}
check "what is wrong on the command line is said" usage

# Answers for waiting jobs: bounds of 95 % hold for 94 to 97 % of the questions,
# and half of the answers err by at most half as much as the plans by limits.
wait_check() {
	run 0 "$librasim" when --check --json "$1" || return 1
	awk -v kept="$(value kept)" -v n="$(value asked)" \
		-v e="$(value median_error_s)" -v l="$(value limits_error_s)" \
		'BEGIN {
		print 100 * kept / n, e, l
		exit !(kept / n >= 0.94 && kept / n <= 0.97 && e <= l / 2) }'
}
# on_logs NAME FUNCTION LOG...
on_logs() {
	name=$1
	function=$2
	shift 2
	for log; do
		path=$(find_trace "$log.swf.gz")
		if [ -n "$path" ]; then
			check "$name on $log" "$function" "$path"
		else
			skip "$name on $log" "the log is not here"
		fi
	done
}
on_logs "answers hold" wait_check KTH-SP2-1996-2.1-cln SDSC-SP2-1998-4.2-cln
too_few() {
	run 1 "$librasim" when --check "$tmp/busy.swf" &&
		grep -q "too few jobs" "$tmp/err"
}
check "--check of a log without waits" too_few

# Bounds of 95 % hold for 94 to 96.5 % of the jobs.
holds() {
	run 0 "$librasim" when --format json "$1" || return 1
	awk -v kept="$(value kept)" -v n="$(value tested)" 'BEGIN {
		print 100 * kept / n
		exit !(n > 10000 && kept / n >= 0.94 && kept / n <= 0.965) }'
}
on_logs "95 % bounds hold" holds KTH-SP2-1996-2.1-cln CTC-SP2-1996-3.1-cln \
	SDSC-SP2-1998-4.2-cln HPC2N-2002-2.2-cln SDSC-BLUE-2000-4.2-cln \
	CEA-Curie-2011-2.1-cln
finish
