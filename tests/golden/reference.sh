#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fcfs and easy on two logs give, to the last digit, the numbers on which two
# other simulators agree (see tests/oracle/README.md for the normalisation).
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}

value() {
	sed -n "s/^ *\"$1\": \\([^,]*\\),*\$/\\1/p" "$tmp/out"
}

# gives WAIT SLOWDOWN MAKESPAN UTILISATION OPTION...
gives() {
	want="$1 $2 $3 $4"
	shift 4
	status=0
	"$librasim" run --format json "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	cat "$tmp/err"
	got=$(awk -v wait="$(value mean_wait_s)" \
		-v slowdown="$(value mean_bounded_slowdown)" \
		-v makespan="$(value makespan_s)" \
		-v used="$(value utilization_pct)" 'BEGIN {
			printf "%.4f %.6f %.0f %.5f", wait, slowdown, makespan,
			       used / 100 }')
	echo "got $got, want $want"
	test "$status" -eq 0 && test "$got" = "$want"
}

piped() {
	gives "$@" <"$tmp/normal.swf"
}

# compare NAME PROCS POLICY WAIT SLOWDOWN MAKESPAN UTILISATION
compare() {
	name=$1
	procs=$2
	policy=$3
	shift 3
	log=$(find_trace "$name")
	if [ -z "$log" ]; then
		skip "$policy on $name" "no such log in LIBRA_TRACES"
		skip "$policy on $name, normalised" "no such log in LIBRA_TRACES"
		return
	fi
	check "$policy on $name" gives "$@" --policy "$policy" --procs "$procs" \
		--size allocated --kill-at-estimate "$log"
	if ! python3 "$srcdir/tests/oracle/normalize.py" --procs "$procs" \
		"$log" >"$tmp/normal.swf" 2>/dev/null; then
		skip "$policy on $name, normalised" "no python3"
		return
	fi
	check "$policy on $name, normalised" piped "$@" --policy "$policy" -
}
lublin=lublin_256.swf.gz
kth=KTH-SP2-1996-2.1-cln.swf.gz
compare $lublin 256 easy 97155.9945 590.053777 8730698 0.93634
compare $lublin 256 fcfs 2388443.7601 66502.475529 12482549 0.65491
compare $kth 100 easy 6890.5771 92.830562 28763776 0.69897
compare $kth 100 fcfs 354175.9504 6821.935342 28781494 0.69854
finish
