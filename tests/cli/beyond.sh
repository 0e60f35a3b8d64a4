#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# band, demand and planned against their second implementations, and models on
# the command line.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
case $librasim in
/*) ;;
*) librasim=$(pwd)/$librasim ;;
esac
trace=$srcdir/tests/golden/models.swf

# jobs OPTION...: the table of jobs in $tmp/jobs
jobs() {
	"$librasim" run --jobs-out "$tmp/jobs" "$@" "$trace" >/dev/null
}

# The processors, from the trace's header.
procs=$(sed -n 's/^; *MaxProcs: *//p' "$trace")
# agrees POLICY PARAMETER=VALUE OPTION...; ours, theirs: options of each program
ours=
theirs=
agrees() {
	policy=$1
	set=$2
	shift 2
	# shellcheck disable=SC2086
	jobs --policy "$policy" --set "$set" $ours "$@" &&
		python3 "$srcdir/tests/oracle/$policy.py" "$tmp/jobs" \
			--procs "$procs" --set "$set" $theirs
}
for model in run estimate user; do
	for delay in 1 0.2 0.05; do
		for set in band/finishes=yes band/finishes=no \
			band/machine_reserve=no band/reserve=no \
			band/residents=2 planned/replan=yes planned/replan=no \
			planned/machine_reserve=no planned/hold_back=0 \
			planned/hard_starts=yes planned/pull_forward=no \
			planned/pull_hold_back=0 \
			demand/machine_reserve=no demand/machine_reserve=yes \
			demand/machine_reserve=yes/coupled; do
			policy=${set%%/*}
			set=${set#*/}
			ours=
			theirs=
			case $set in
			*/coupled)
				ours='--execution coupled'
				theirs='--set coupled=yes'
				;;
			esac
			set=${set%/*}
			what="$model, delay $delay, $set${ours:+, coupled}: $policy agrees with its oracle"
			if command -v python3 >/dev/null; then
				check "$what" agrees "$policy" "$set" \
					--deadline-model "$model" \
					--arrival-delay "$delay"
			else
				skip "$what" "no python3"
			fi
		done
	done
done

# Hundreds of jobs with far deadlines on few processors: most have more earlier
# neighbours than they know.
crowded() {
	python3 "$srcdir/tests/oracle/workload.py" 1 --jobs 300 --procs 4 \
		>"$tmp/crowd.swf" &&
		"$librasim" run --policy band --procs 4 --deadline-mean 200 \
			--deadline-ratio 2 --arrival-delay 0.2 \
			--jobs-out "$tmp/jobs" "$tmp/crowd.swf" >/dev/null &&
		python3 "$srcdir/tests/oracle/band.py" "$tmp/jobs" --procs 4
}
if command -v python3 >/dev/null; then
	check "in a crowd band agrees with its oracle" crowded
else
	skip "in a crowd band agrees with its oracle" "no python3"
fi

# Somewhere the reserve of demand was asked.
reserved() {
	jobs --policy demand --set machine_reserve=yes --arrival-delay 0.05 &&
		grep -q ',reserve,' "$tmp/jobs"
}
check "demand's reserve refuses some of these jobs" reserved

# Where the deadline model stands does not matter, and what is said holds.
order() {
	jobs --deadline-mean 3 --deadline-model estimate && cp "$tmp/jobs" "$tmp/a" &&
		jobs --deadline-model estimate --deadline-mean 3 &&
		cmp "$tmp/a" "$tmp/jobs"
}
check "the order of options does not matter" order
differ() {
	jobs --policy librarisk --arrival-delay 0.2 && cp "$tmp/jobs" "$tmp/a" &&
		jobs --policy librarisk --arrival-delay 0.2 "$@" &&
		! cmp -s "$tmp/a" "$tmp/jobs"
}
check "coupled parts are not independent" differ --execution coupled
check "spinning parts are not independent" differ --execution spinning
same() {
	jobs --policy band --arrival-delay 0.2 && cp "$tmp/jobs" "$tmp/a" &&
		jobs --policy band --arrival-delay 0.2 "$@" &&
		cmp "$tmp/a" "$tmp/jobs"
}
check "a gang knows no execution models" same --execution spinning
bad() {
	"$librasim" run "$@" "$trace" >/dev/null 2>"$tmp/err"
	test $? -eq 2 && test "$(wc -l <"$tmp/err")" -eq 1
}
check "an unknown execution model is refused" bad --execution together
check "an unknown deadline model is refused" bad --deadline-model guess
finish
