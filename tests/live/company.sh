#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promised jobs beside others that wait: they start when they may, whatever
# waits before them, in their partition or in one of a higher tier, and however
# seldom backfill comes.  LIBRA_POLICIES, LIBRA_JOBS and LIBRA_WAITING measure
# more.

. "$(dirname "$0")/lib.sh"
need_slurm
policies=${LIBRA_POLICIES:-libra band}
jobs=${LIBRA_JOBS:-30}
waiting=${LIBRA_WAITING:-60}

# From each verdict to the start, in seconds, sorted.
delays() { # LOG LINES
	tail -n +"$2" "$1" | python3 -c '
import json, sys
offer, delays = {}, []
for line in sys.stdin:
	d = json.loads(line)
	# The released job, of another estimate, is promised again meanwhile.
	if d.get("call") == "offer" and d.get("answer") == "accept" and \
			d["estimate_s"] == 60:
		offer[d["ticket"]] = d["now_s"]
	elif d.get("call") == "started" and d.get("ticket") in offer:
		delays.append(d["now_s"] - offer.pop(d["ticket"]))
delays += [1e9] * len(offer)
print(" ".join("%.3f" % x for x in sorted(delays)))'
}
started() { # N: of all jobs of the measurement
	[ "$(squeue -h -n measured -t RUNNING -o %i | wc -l)" -eq "$1" ]
}

rivals() {
	local i
	check "a small promised job" submit --time=20 \
		--deadline=now+300minutes -n 1
	check "runs" wait_state "$id" RUNNING
	for i in $(seq $((waiting / 2))); do
		submit -p first --exclusive -N 4 --time=60 || echo "# $said"
		submit -p main --exclusive -N 4 || echo "# $said"
	done
	check "jobs of Slurm's own wait in two partitions" until_true 10 \
		so_many_wait
}
so_many_wait() {
	[ "$(squeue -h -t PENDING -o %i | wc -l)" -eq "$waiting" ]
}

# In turn, one job runs on a processor at a time: so many start at once as there
# are free, and one of ours that has all of them comes behind.
in_turn() {
	[ "$policy" = band ] || [ "$policy" = demand ]
}
run_jobs() { # NAME: their delays, in $delays
	local from i n jobs=$jobs
	! in_turn || [ "$jobs" -le 15 ] || jobs=15
	from=$(($(wc -l <"$cluster/log/libra.jsonl") + 1))
	for i in $(seq "$jobs"); do
		submit -J measured --time=1 --deadline=now+100minutes -n 1 ||
			echo "# $said"
	done
	check "all $jobs start" until_true 30 started "$jobs"
	delays=$(delays "$cluster/log/libra.jsonl" "$from")
	n=$(wc -w <<<"$delays")
	echo "# $1: median $(cut -d' ' -f$(((n + 1) / 2)) <<<"$delays") s," \
		"99 % within $(cut -d' ' -f$((n * 99 / 100)) <<<"$delays") s," \
		"longest ${delays##* } s"
}
# Of fewer than a hundred one may take longer.
are_short() {
	awk '{ exit !(NF && $int(NF * 99 / 100) <= 1 && $NF <= 3) }' <<<"$delays"
}
# The machine does much else, and may have stood still: what is ours comes again.
measure() { # NAME
	run_jobs "$1"
	are_short || {
		scancel -n measured
		until_true 20 started 0
		run_jobs "$1, again"
	}
	check "$1: 99 % of them within a second, all within three" are_short
}

for policy in $policies; do
	start_cluster --policy "$policy" --slurm-conf-extra \
		'PartitionName=first Nodes=n[1-4] MaxTime=INFINITE State=UP PriorityTier=10 OverSubscribe=NO'
	sed -i 's/bf_interval=2/bf_interval=60/' \
		"$SLURM_CONF"
	check "backfill comes once a minute" scontrol reconfigure
	rivals
	measure "$policy"

	# Jobs of ours that wait are in nobody's way either.
	far=70
	! in_turn || far=300
	submit -H --time=60 --deadline=now+${far}minutes -n 16
	held=$id
	scontrol release "$held"
	submit --begin=now+1hour --time=60 --deadline=now+170minutes -n 16
	scancel -n measured
	until_true 20 started 0
	measure "$policy, beside a released job"
	stop_cluster
done
finish
