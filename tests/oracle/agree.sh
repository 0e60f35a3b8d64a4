#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim and oracle.py, written apart from the same text, must agree job by
# job: 99.9 % of the verdicts, 99 % of the finish times.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
oracle=$srcdir/tests/oracle

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
	skip "librasim and oracle.py agree" "no python3"
	finish
fi

# Policies that both know.
python3 "$oracle/oracle.py" --help | grep -o '{libra[^}]*}' | head -n 1 |
	tr -d '{}' | tr , '\n' | sort >"$tmp/theirs"
"$librasim" policies --json </dev/null |
	sed -n 's/^  "name": "\(.*\)",/\1/p' | sort >"$tmp/ours"
policies=$(comm -12 "$tmp/theirs" "$tmp/ours" | paste -sd ' ')
known() {
	for policy in edf libra librarisk fcfs easy; do
		echo " $policies " | grep -q " $policy " || return 1
	done
}
check "both know the policies of the paper" known

# agree POLICIES PROCS TRACE OPTION...: simulate once, compare each policy
agree() {
	list=$1
	procs=$2
	shift 2
	run 0 "$librasim" run --policy "$(echo "$list" | tr ' ' ,)" \
		--procs "$procs" --jobs-out "$tmp/jobs" "$@" || return 1
	bad=0
	for policy in $list; do
		python3 "$oracle/oracle.py" "$tmp/jobs" --policy "$policy" \
			--procs "$procs" --show 3 || bad=1
	done
	return "$bad"
}

# Events that coincide.
for seed in 1 2 3 4; do
	python3 "$oracle/workload.py" "$seed" --jobs 600 >"$tmp/$seed.swf"
	for delay in 1 0.25; do
		check "round numbers, seed $seed, delay $delay" agree "$policies" \
			8 "$tmp/$seed.swf" --arrival-delay $delay --seed "$seed"
	done
done
python3 "$oracle/workload.py" 7 --jobs 600 --procs 3 >"$tmp/three.swf"
check "round numbers, exact estimates" agree "$policies" 8 "$tmp/1.swf" \
	--inaccuracy 0
check "round numbers, three processors" agree "$policies" 3 "$tmp/three.swf"
# Without variation shares are round too, and time-shared processors tie but for
# rounding: only the queues are compared.
check "round numbers, deadlines without variation" agree "edf fcfs easy" \
	8 "$tmp/2.swf" --deadline-cv 0
check "round numbers, all urgent" agree "$policies" 8 "$tmp/3.swf" \
	--high-urgency 100 --deadline-mean 2
check "all jobs at one instant" agree "$policies" 8 "$tmp/4.swf" \
	--arrival-delay 0

# Jobs of the workload models, on a machine that is full.
"$librasim" gen -n 350 --seed 3 -o "$tmp/gen.swf" </dev/null
check "generated jobs, exact estimates" agree "$policies" 256 "$tmp/gen.swf" \
	--arrival-delay 0.3
# Estimates by field 9: twice the run time, or half of it.
awk '/^;/ { print; next }
	{ $9 = $4 * (NR % 3 ? 2 : 0.5); print }' "$tmp/gen.swf" >"$tmp/wrong.swf"
check "generated jobs, wrong estimates" agree "$policies" 256 "$tmp/wrong.swf" \
	--arrival-delay 0.3
check "generated jobs, estimates half as wrong" agree "$policies" 256 \
	"$tmp/wrong.swf" --inaccuracy 50 --high-urgency 80 --deadline-ratio 2

# Logs, where there are some.  PROCS NAME, then the options.
log() {
	procs=$1
	name=$2
	shift 2
	trace=$(find_trace "$name")
	if [ -z "$trace" ]; then
		skip "$name $*" "no such log in LIBRA_TRACES"
	else
		check "$name $*" agree "edf libra librarisk" "$procs" "$trace" "$@"
	fi
}
log 128 SDSC-SP2-1998-4.2-cln.swf.gz --last 350
log 128 SDSC-SP2-1998-4.2-cln.swf.gz --last 350 --arrival-delay 0.2 --seed 2
log 128 SDSC-SP2-1998-4.2-cln.swf.gz --last 350 --inaccuracy 40 --seed 3
log 128 SDSC-SP2-1998-4.2-cln.swf.gz --last 350 --high-urgency 100 --seed 4
log 100 KTH-SP2-1996-2.1-cln.swf.gz --last 350 --arrival-delay 0.3
log 100 KTH-SP2-1996-2.1-cln.swf.gz --last 350 --deadline-ratio 1 --seed 5
log 240 HPC2N-2002-2.2-cln.swf.gz --last 250 --deadline-ratio 8 --seed 6
log 430 CTC-SP2-1996-3.1-cln.swf.gz --last 250 --size allocated --seed 7
finish
