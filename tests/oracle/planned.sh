#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim and planned.py, written apart from the same text, must agree job by
# job, and node by node where there are nodes.  More workloads:
# tests/oracle/random_nodes.py ./librasim --seeds 1000
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
oracle=$srcdir/tests/oracle

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
	skip "librasim and planned.py agree" "no python3"
	finish
fi

check "250 random workloads on nodes" python3 "$oracle/random_nodes.py" \
	"$librasim" --seeds 250

# agree PROCS TRACE OPTION...; nodes: SPEC or nothing, side: a table or nothing
nodes=
side=
agree() {
	procs=$1
	trace=$2
	shift 2
	run 0 "$librasim" run --policy planned --procs "$procs" \
		${nodes:+--nodes "$nodes"} ${side:+--side "$side"} \
		--jobs-out "$tmp/jobs" "$@" "$trace" || return 1
	python3 "$oracle/planned.py" "$tmp/jobs" --procs "$procs" --show 3 \
		${nodes:+--nodes "$nodes" --trace "$trace"} \
		${side:+--side "$side"}
}

# Events that coincide; estimates that are exceeded.
for seed in 21 22; do
	python3 "$oracle/workload.py" "$seed" --jobs 150 >"$tmp/$seed.swf"
	for delay in 1 0.5; do
		for nodes in '' 8 2; do
			check "round numbers, seed $seed, delay $delay, ${nodes:-no} nodes" \
				agree 8 "$tmp/$seed.swf" --arrival-delay $delay
		done
	done
done

# log PROCS NODES NAME OPTION...: also with no more nodes than a job fills
log() {
	procs=$1
	nodes=$2
	name=$3
	shift 3
	trace=$(find_trace "$name")
	if [ -z "$trace" ]; then
		skip "$name $*" "no such log in LIBRA_TRACES"
		return
	fi
	side=
	check "$name, $nodes nodes, anywhere" agree "$procs" "$trace" "$@"
	side=$tmp/side.csv
	gzip -dc "$trace" | awk -v n="$((procs / ${nodes%%:*}))" '
		BEGIN { print "job,nodes" }
		!/^;/ { p = $8 > 0 ? $8 : $5; print $1 "," int((p + n - 1) / n) }
		' >"$side"
	check "$name, $nodes nodes, on few" agree "$procs" "$trace" "$@"
}
log 128 8 SDSC-SP2-1998-4.2-cln.swf.gz --last 300 --arrival-delay 0.3
log 100 25 KTH-SP2-1996-2.1-cln.swf.gz --last 300 --arrival-delay 0.3
log 240 120:mem=1000 HPC2N-2002-2.2-cln.swf.gz --last 250 --arrival-delay 0.3
finish
