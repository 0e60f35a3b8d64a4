#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim and queues.py, written apart from the same text, must agree job by
# job on conservative and firstreward; fcfs-bf and edf-bf with oracle.py on logs.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
oracle=$srcdir/tests/oracle

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
	skip "librasim and queues.py agree" "no python3"
	finish
fi

# agree POLICY PROCS TRACE OPTION...; ours: options of queues.py
ours=
agree() {
	policy=$1
	procs=$2
	shift 2
	run 0 "$librasim" run --policy "$policy" --procs "$procs" \
		--jobs-out "$tmp/jobs" "$@" || return 1
	case $policy in
	*-bf) program=oracle.py ;;
	*) program=queues.py ;;
	esac
	# shellcheck disable=SC2086
	python3 "$oracle/$program" "$tmp/jobs" --policy "$policy" \
		--procs "$procs" --show 3 $ours
}

# Events that coincide; estimates that are exceeded.
for seed in 11 12; do
	python3 "$oracle/workload.py" "$seed" --jobs 100 >"$tmp/$seed.swf"
	awk '/^;/ { print; next }
		{ $9 = $4 * (NR % 3 ? 2 : 0.5); print }' "$tmp/$seed.swf" \
		>"$tmp/$seed.wrong.swf"
	for delay in 1 0.5; do
		for trace in "$seed" "$seed.wrong"; do
			for policy in conservative firstreward; do
				check "round numbers, $policy, $trace, delay $delay" \
					agree $policy 8 "$tmp/$trace.swf" \
					--arrival-delay $delay
			done
		done
	done
done

# FirstReward that lets most jobs in: the order matters.
ours="--alpha 0.3 --discount 1e-6 --threshold=-1e9"
check "firstreward, alpha 0.3, all accepted" agree firstreward 8 \
	"$tmp/11.swf" --set alpha=0.3 --set discount=1e-4 \
	--set slack_threshold=-1e9
ours="--alpha 0 --discount 0.000002777777777777778"
check "firstreward, alpha 0, discount per hour" agree firstreward 8 \
	"$tmp/12.swf" --set alpha=0 --set discount_unit=3600
ours=

log() {
	policy=$1
	procs=$2
	name=$3
	shift 3
	trace=$(find_trace "$name")
	if [ -z "$trace" ]; then
		skip "$policy, $name $*" "no such log in LIBRA_TRACES"
	else
		check "$policy, $name $*" agree "$policy" "$procs" "$trace" "$@"
	fi
}
for policy in conservative firstreward fcfs-bf edf-bf; do
	log $policy 128 SDSC-SP2-1998-4.2-cln.swf.gz --last 250
	log $policy 100 KTH-SP2-1996-2.1-cln.swf.gz --last 250 \
		--arrival-delay 0.5
done
finish
