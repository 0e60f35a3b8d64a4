#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurmctld's clock is set an hour forward and back: what runs is as far as it
# was, what is free is promised, plans keep their distance, and the decision log
# tells of it.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
[ -x "$librasim" ] || skip_all "librasim was not built"
faketime=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 \
	/usr/lib64/faketime/libfaketimeMT.so.1 2>/dev/null | head -n 1)
[ -n "$faketime" ] || skip_all "libfaketime is not installed"
[ -z "${LIBRA_CTLD_WRAPPER-}" ] || skip_all "slurmctld runs under a checker"

# Written anew by rename: slurmctld reads it whenever it asks for the time.
extra_files=$(mktemp -d /tmp/libra-clock.XXXXXX) || exit 1
set_clock() { # OFFSET
	echo "$1" >"$extra_files/new" && mv "$extra_files/new" "$extra_files/rc"
}
set_clock +0
LIBRA_CTLD_WRAPPER="env LD_PRELOAD=$faketime FAKETIME_CACHE_DURATION=1
FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_TIMESTAMP_FILE=$extra_files/rc"
start_cluster --policy libra

# 10 minutes by 40: a share of 0.25 of all.
check "a job" submit --time=10 --deadline=now+40minutes -n 16
check "runs" wait_state "$id" RUNNING
first=$id

set_clock +3600
check "the clock jumps by an hour: slurmctld's log tells" until_true 20 \
	ctld_log_has 'the clock was set forward by (1 h|5[89] min)'
check "the job runs on" in_state "$first" RUNNING
set_clock +0
check "it is put right, and that is told" until_true 20 \
	ctld_log_has 'the clock was set back by (1 h|5[89] min)'

# Less than a minute has passed: some 10 minutes of 39 are left, and 29 free.
# On the clock of before it would have a share of 1, for an hour.
check "what is free is promised" submit --time=25 --deadline=now+39minutes -n 16
matches "with the share that it needs" 'accepted: share 0\.6[45]' "$said"
check "and starts" wait_state "$id" RUNNING
submit --time=8 --deadline=now+39minutes -n 16
matches "what is not free is refused" 'refused \(no_share\)' "$said"

told() {
	[ "$(log_calls clock)" -ge 2 ]
}
check "the decision log has both jumps" told
check "and replays alike" "$librasim" replay "$cluster/log/libra.jsonl"
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
submit --time=8 --deadline=now+39minutes -n 16
matches "and knows as much from the records" 'refused \(no_share\)' "$said"
stop_cluster

# ---- plans ----

mkdir "$extra_files" && set_clock +0 # it went with the first
start_cluster --policy planned --params libra_margin=10
check "planned: a job" submit --time=10 --deadline=now+5hours -n 16
first=$id
check "runs" wait_state "$first" RUNNING
ends=$(($(epoch "$(job_field "$first" StartTime)") + 600 + 10))
check "one more" submit --time=2 --deadline=now+5hours -n 16
check "is planned behind it" near "$(planned_start "$id")" "$ends" 3
plan_is_near() { # TIME
	near "$(planned_start "$id")" "$1" 8
}
set_clock -3600
check "the clock goes back by an hour: the log tells" until_true 20 \
	ctld_log_has 'set back by (1 h|5[89] min).* plans are made anew'
check "and the plan goes with it" until_true 20 plan_is_near $((ends - 3600))
set_clock +0
check "it is put right, and so is the plan" until_true 20 plan_is_near "$ends"
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
check "the log replays alike" "$librasim" replay "$cluster/log/libra.jsonl"
finish
