#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An operator's scancel --admin-comment (25.11 and later) overwrites the record
# of a promise: it is written again, and the promise outlives a restart.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy planned
scancel --help 2>/dev/null | grep -q admin-comment ||
	skip_all "scancel of this Slurm has no --admin-comment"
printf '#!/bin/sh\ntrap "" USR1\nwhile :; do sleep 1; done\n' >"$cluster/job"

comment() { # JOB
	scontrol show job "$1" | sed -n 's/^ *AdminComment=//p'
}
field() { # JOB NAME
	comment "$1" | grep -o " $2=[^ ]*"
}
has_record() { # JOB NOTE
	comment "$1" | grep -qE "^libra:1 offer=.* note=$2\$"
}
is_running() {
	[ "$(squeue -h -j "$1" -o %T)" = RUNNING ]
}
overwrite() { # TEXT
	scancel --admin-comment="$1" --signal=USR1 --ctld $runs $waits
}

submit --time=10 --deadline=now+60minutes -n 16
runs=$id
until_true 20 is_running "$runs"
submit --time=10 --deadline=now+24minutes -n 16
waits=$id
until_true 10 [ -n "$(field "$waits" start)" ]
start=$(field "$waits" start)
deadlines="$(field "$runs" deadline)$(field "$waits" deadline)"

overwrite "seen by ops"
for j in $runs $waits; do
	check "job $j has its record again, and the text behind it" \
		until_true 10 has_record "$j" seen_by_ops
done
same "with the deadlines of before" "$deadlines" \
	"$(field "$runs" deadline)$(field "$waits" deadline)"
same "and the planned start" "$start" "$(field "$waits" start)"
check "slurmctld's log has a line for each" until_true 10 \
	[ "$(grep -c 'AdminComment was overwritten with "seen_by_ops"' \
		"$cluster/log/slurmctld.log")" -eq 2 ]
overwrite "late=5 promise=lost and so on"
for j in $runs $waits; do
	check "a text that looks like words of a record is none" \
		until_true 10 has_record "$j" late=5_promise=lost_and_so_on
done
same "job $waits may not be put off" PENDING \
	"$(squeue -h -j "$waits" -o %T)"

check "slurmctld starts again" "$DEMO" restart-ctld -d "$cluster"
until_true 20 has_record "$waits" late=5_promise=lost_and_so_on
same "the promises are those of before" "$deadlines" \
	"$(field "$runs" deadline)$(field "$waits" deadline)"
check "with the text still behind them" has_record "$runs" \
	late=5_promise=lost_and_so_on
submit --time=10 --deadline=now+27minutes -n 16
matches "and nobody else has the place" 'refused' "$said"

scancel --admin-comment="ended by ops" "$runs"
ended() {
	comment "$runs" | grep -qE '^libra:1 .* note=ended_by_ops$'
}
check "a job that is ended so keeps both" until_true 10 ended
check "and the next one starts in its place" until_true 60 is_running "$waits"
finish
