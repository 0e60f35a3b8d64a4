#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Estimates corrected by users' past: learnt from jobs that ended, told to the
# user, kept over restarts, given up for jobs that take longer.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy libra --params libra_correct=0.5
known=$cluster/state/libra_history

# A job that takes so many seconds by itself.
takes() { # SECONDS OPTIONS of sbatch
	local s=$1
	shift
	printf '#!/bin/sh\nexec sleep %s\n' "$s" >"$cluster/job"
	submit "$@"
}
over() {
	[ -z "$(squeue -h)" ]
}

check "a first job is taken" takes 2 --time=10 --deadline=now+2hours -n 1
same "by the user's estimate" 600 "$(promise_field "$id" estimate)"
same "with nothing to add" "" "$(promise_field "$id" own)"
check "it ends" until_true 30 over
takes 300 --time=10 --deadline=now+2hours -n 1
check "one more runs" wait_state "$id" RUNNING
scancel "$id"
check "and is cancelled" until_true 30 over

printf '#!/bin/sh\nexit 1\n' >"$cluster/fails"
id=$(sbatch --parsable -o /dev/null --time=10 --deadline=now+2hours -n 1 \
	"$cluster/fails")
check "another fails at once" wait_state "$id" FAILED
check "and is gone" until_true 30 over

check "the next is taken" takes 60 --time=10 --deadline=now+2hours -n 1
matches "the user is told why" \
	'estimate [1-9][0-9]? s instead of 10 min' \
	"$said"
same "the record has the user's own" 600 "$(promise_field "$id" own)"
x=$id
# The record has the user's again when it has run for longer.
corrected=$(sed -n 's/.*estimate \([0-9]*\) s instead of.*/\1/p' <<<"$said")
check "it runs" wait_state "$x" RUNNING
[ "$corrected" -lt 60 ]
ok $? "for less than it will take ($corrected s)"
let_it_save "$x"
check "slurmctld is killed and starts again" "$DEMO" restart-ctld -k -d "$cluster"
same "the job runs" RUNNING "$(job_state "$x")"
# On a slow machine it has run past that by now, or does between two looks, and
# has the user's own.
record=$(scontrol show job "$x" | sed -n 's/^ *AdminComment=//p')
field() { # NAME
	tr ' ' '\n' <<<"$record" | sed -n "s/^$1=//p"
}
matches "its record has both" "^(600 [1-9][0-9]?([.][0-9]+)?| 600)\$" \
	"$(field own) $(field estimate)"
as_said() {
	# Looking at jobs that wait is an event.
	takes 1 --time=1 --deadline=now+2hours -n 1 && scancel "$id"
	[ "$(promise_field "$x" own)" = "" ] &&
		[ "$(promise_field "$x" estimate)" = 600 ]
}
check "past its estimate it counts as the user said" until_true 40 as_said
scancel "$x"
check "all ends" until_true 20 over

check "slurmctld ends and starts again" "$DEMO" restart-ctld -d "$cluster"
check "what it knew was kept" test -s "$known"
same "for slurmctld alone" 600 "$(stat -c %a "$known")"
same "of one job: the others failed or were cancelled" 1 \
	"$(sed -n 's/^user 0 //p' "$known" | wc -w)"
check "a job is taken" takes 1 --time=10 --deadline=now+2hours -n 1
matches "by what is known" 'your last jobs took less' "$said"
scancel "$id"
check "all ends" until_true 20 over

echo damaged >"$known"
check "slurmctld is killed and starts with a damaged file" \
	"$DEMO" restart-ctld -k -d "$cluster"
check "which is named" ctld_log_has "$known: .*corrected from an empty history"
same "and kept" damaged "$(cat "$known.bad")"
check "a job is taken" takes 1 --time=10 --deadline=now+2hours -n 1
same "by the user's estimate" 600 "$(promise_field "$id" estimate)"
scancel "$id"

if [ -x "$librasim" ]; then
	check "the log replays" "$librasim" replay "$cluster/log/libra.jsonl"
	[ "$(log_calls reestimate)" -ge 1 ]
	ok $? "with the new estimates"
else
	ok 0 "the log replays # SKIP librasim was not built"
fi
finish
