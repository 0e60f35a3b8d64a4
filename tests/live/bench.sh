#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the plugins cost: submissions per second with them and without, in
# turns, on clusters of their own.  Prints; judges nothing but that it ran.
#
# A job has all nodes for itself meanwhile, so that none of the others starts: what
# nodes do for jobs that start, on this same host, would be counted too, and with
# the plugins jobs start sooner.
#
# BENCH_JOBS submissions a turn (default 200), BENCH_TURNS turns (default 3).

. "$(dirname "$0")/lib.sh"
need_slurm
jobs=${BENCH_JOBS:-200}
turns=${BENCH_TURNS:-3}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# Result: submissions per second, in $rate.
turn() { # OPTIONS of demo-cluster
	local at i
	start_cluster "$@"
	submit -p stock -N 4 --exclusive --time=60 &&
		wait_state "$id" RUNNING
	printf '#!/bin/sh\n:\n' >"$cluster/job"
	at=$(now_ms)
	for ((i = 0; i < jobs; i++)); do
		submit --time=1 --deadline=now+2hours -n 1 || break
	done
	rate=$((i * 1000 / ($(now_ms) - at)))
	[ "$i" -eq "$jobs" ]
	ok $? "$jobs submissions: $rate per second ($*)"
	stop_cluster
}

with=0
stock=0
for ((t = 0; t < turns; t++)); do
	turn --stock
	stock=$((stock + rate))
	turn --policy librarisk
	with=$((with + rate))
done
echo "# submissions per second: stock $((stock / turns))," \
	"with the plugins $((with / turns))," \
	"ratio $((with * 100 / stock))/100"
finish
