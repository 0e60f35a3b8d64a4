#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Small traces under every policy: the whole table of jobs and the whole JSON are
# as they were.  After a change that is meant: make update-golden, and look at
# the difference.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
case $librasim in
/*) ;;
*) librasim=$(pwd)/$librasim ;;
esac
# The JSON names the trace as it was given, and the program's version.
cd "$srcdir/tests/golden" || exit 99
policies=$("$librasim" policies --json </dev/null |
	sed -n 's/^  "name": "\(.*\)",/\1/p')
check "there are policies" test -n "$policies"

# same FILE: $tmp/FILE and expected/FILE
same() {
	if [ "${GOLDEN-}" = update ]; then
		cp "$tmp/$1" "expected/$1"
	fi
	if [ ! -e "expected/$1" ]; then
		echo "no expected/$1: make update-golden"
		return 1
	fi
	diff "expected/$1" "$tmp/$1"
}

# golden NAME TRACE OPTION...: under every policy
golden() {
	golden_under "$policies" "$@"
}
# golden_under POLICIES NAME TRACE OPTION...
golden_under() {
	list=$1
	name=$2
	shift 2
	for policy in $list; do
		run 0 "$librasim" run --policy "$policy" --format json \
			--jobs-out "$tmp/$name-$policy.csv" "$@" >"$tmp/said"
		sed 's/"version": ".*"/"version": "ANY"/' "$tmp/out" \
			>"$tmp/$name-$policy.json"
		check "$name, $policy: jobs" same "$name-$policy.csv"
		check "$name, $policy: results" same "$name-$policy.json"
	done
}
# Coinciding events, full machine, jobs that are too large.
golden round round.swf
# Wrong estimates, half-way to the users', heavy load, another seed.
golden models models.swf --arrival-delay 0.2 --inaccuracy 60 \
	--high-urgency 40 --seed 3

# On nodes.  Whole machines of one processor a node and of several; jobs that ask
# for memory, GPUs and few nodes; estimates that are exceeded; nodes that differ.
golden_under "planned easy conservative fcfs" ones round.swf --nodes 8
golden_under "planned easy conservative fcfs" fours round.swf --nodes 2
golden_under planned nodes nodes.swf --side nodes.csv \
	--nodes 4x4:mem=8:gpu=1,1x8:mem=20:gpu=2 --deadline-model estimate
golden_under planned heavy nodes.swf --side nodes.csv \
	--nodes 6x4:mem=8:gpu=1 --deadline-model estimate --arrival-delay 0.3 \
	--set machine_reserve=0 --ordinary 30 --set firm_age=600
golden_under planned clusters models.swf --nodes 16x16 --arrival-delay 0.2 \
	--inaccuracy 60 --high-urgency 40 --seed 3

# turns NAME POLICY OPTION...: when each job of a full machine began and ended,
# which tells where it was placed
turns() {
	name=mixed$1-$2.csv
	said="$2, a full machine, ${1:-as it is}"
	policy=$2
	shift 2
	run 0 "$librasim" run --policy "$policy" --jobs-out "$tmp/jobs" \
		--high-urgency 40 --seed 6 "$@" mixed.swf >"$tmp/said"
	cut -d, -f1,8,10,11 "$tmp/jobs" >"$tmp/$name"
	check "$said: jobs" same "$name"
}
for wrong in 0 60; do
	for policy in band demand; do
		turns $wrong $policy --inaccuracy $wrong
	done
done
turns spread band --inaccuracy 60 --set spread=0
turns align band --set align=0
turns finishes band --inaccuracy 60 --set finishes=0
turns neighbours band --set neighbours=0
turns residents band --inaccuracy 60 --set residents=3
turns reserves band --inaccuracy 100 --arrival-delay 0.5 --set residents=6
turns machine demand --inaccuracy 60 --set machine_reserve=0
turns overrun demand --inaccuracy 100 --set overrun=0.5 --set overrun_floor=30

# What is expected of policies that are no more would never be compared.
for file in expected/*; do
	policy=${file#expected/*-}
	policy=${policy%.*}
	echo "$policies" | grep -qx "$policy" || echo "$file"
done >"$tmp/bad"
empty "each expected file has its policy" "$tmp/bad"
finish
