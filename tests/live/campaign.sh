#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short crash campaign, and what long ones have found: each finding is a case.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
[ -x "$librasim" ] || skip_all "librasim was not built"
command -v python3 >/dev/null || skip_all "python3 is not installed"
start_cluster --policy libra --slurm-conf-extra Licenses=two:2

# An update of an array is one request: what was written into it for one of
# its running tasks was read as asked for the next, and refused.
check "an array is promised" submit --array=0-2 --time=2 \
	--deadline=now+30minutes -n 2
array=$id
all_run() {
	[ "$(squeue -h -j "$array" -t R -o %i | wc -l)" -eq 3 ]
}
check "its tasks run" until_true 20 all_run
records() { # FIELD
	scontrol -o show job "$array" | tr ' ' '\n' | sed -n "s/^$1=//p" |
		sort -u | paste -sd' ' -
}
before=$(records deadline)
check "the estimate of all is changed" scontrol update job "$array" timelimit=3
same "for each of them" 180 "$(records estimate)"
check "and no short limit comes back" test "$(records TimeLimit)" != 00:03:00
check "the deadline of all is changed" \
	scontrol update job "$array" deadline=now+40minutes
same "to one" 1 "$(records deadline | wc -w)"
check "another one" test "$before" != "$(records deadline)"
same "the estimates stay" 180 "$(records estimate)"
scancel "$array"
check "all ends" until_true 20 idle
stop_cluster

# Few rounds, each policy; mount, kill and full disks as in long ones.
work=$(mktemp -d /tmp/libra-live.XXXXXX)
extra_files=$work
run_program "$top/contrib/crash-campaign" --rounds "${LIBRA_ROUNDS:-6}" \
	--seed "${LIBRA_SEED:-2026}" --dir "$work/c" --out "$work/out" \
	--plugindir "$LIBRA_PLUGINDIR" --librasim "$librasim" >"$work/said" 2>&1
same "a crash campaign ends without a finding" 0 $?
sed 's/^/# /' "$work/said"
matches "and all its rounds were run" \
	"^${LIBRA_ROUNDS:-6} rounds, 0 findings" "$(cat "$work/said")"
finish
