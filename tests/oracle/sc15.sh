#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim and sc15.py, written apart from the same text, must agree on every
# start and every prediction.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
oracle=$srcdir/tests/oracle

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
	skip "librasim and sc15.py agree" "no python3"
	finish
fi

# agree TRACE ORACLE-OPTIONS -- OPTION...
agree() {
	trace=$1
	shift
	theirs=
	while [ "$1" != -- ]; do
		theirs="$theirs $1"
		shift
	done
	shift
	run 0 "$librasim" run --filter sc15 --event-order sc15 \
		--jobs-out "$tmp/jobs" "$@" "$trace" || return 1
	# shellcheck disable=SC2086
	python3 "$oracle/sc15.py" "$trace" $theirs --compare "$tmp/jobs"
}

# every TRACE LABEL: all that can be combined
every() {
	trace=$1
	label=$2
	check "$label, easy" agree "$trace" -- --policy easy
	check "$label, easy-sjbf" agree "$trace" --sjbf -- --policy easy-sjbf
	check "$label, easy, exact requests" agree "$trace" \
		--predictor clairvoyant --pass fits -- --policy easy --inaccuracy 0
	check "$label, easy-sjbf, clairvoyant" agree "$trace" --sjbf \
		--predictor clairvoyant -- \
		--policy easy-sjbf --predictor clairvoyant
	for predictor in last-two quantile; do
		for how in request increments double; do
			check "$label, easy, $predictor, $how" agree "$trace" \
				--predictor $predictor --correction $how -- \
				--predictor $predictor --correction $how \
				--policy easy
			check "$label, easy-sjbf, $predictor, $how" agree \
				"$trace" --sjbf --predictor $predictor \
				--correction $how -- --predictor $predictor \
				--correction $how --policy easy-sjbf
		done
	done
}

# Events that coincide.
for seed in 21 22 23; do
	python3 "$oracle/workload.py" "$seed" --jobs 600 --users 3 \
		>"$tmp/$seed.swf"
	every "$tmp/$seed.swf" "round numbers, seed $seed"
done
# Run times of minutes and hours: the longer increments.
awk '/^;/ { print; next } { $2 *= 400; $4 *= 400; $9 = int($9 * 4000); print }' \
	"$tmp/21.swf" >"$tmp/long.swf"
every "$tmp/long.swf" "long jobs"
check "another quantile, another depth" agree "$tmp/21.swf" --sjbf \
	--predictor quantile --quantile 0.8 --depth 5 -- --policy easy-sjbf \
	--predictor quantile --predictor-quantile 0.8 --predictor-depth 5

# The published values, to the digits that were published.
published() {
	log=$1
	value=$2
	shift 2
	trace=$(find_trace "$log")
	if [ -z "$trace" ]; then
		skip "$log, $*" "no such log in LIBRA_TRACES"
		return
	fi
	is_published() {
		"$librasim" run --filter sc15 --event-order sc15 --format csv \
			"$@" "$trace" 2>/dev/null >"$tmp/csv" &&
			awk -F , -v value="$value" '
				NR == 1 { while ($++i != "mean_bounded_slowdown"); }
				NR == 2 { d = $i - value; print $i
					exit !(d * d < 1e-20 * value * value) }' \
				"$tmp/csv"
	}
	check "$log: $value, $*" is_published "$@"
}
kth=KTH-SP2-1996-2.2.swf.gz
published $kth 92.57653973362918 --policy easy
published $kth 71.72238511244173 --policy easy --inaccuracy 0
published $kth 69.40540058030342 --policy easy-sjbf
published $kth 49.847718931340644 --policy easy-sjbf --predictor clairvoyant
published $kth 63.5006771704076 --policy easy-sjbf --predictor last-two \
	--correction increments
published $kth 62.85688272729216 --policy easy-sjbf --predictor last-two
if [ -n "$(find_trace $kth)" ]; then
	every "$(find_trace $kth)" KTH
fi
finish
