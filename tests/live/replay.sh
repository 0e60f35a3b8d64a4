#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The decision log of a real slurmctld replays to the same decisions, bit for
# bit: submissions, ends, changes, drained nodes, a restart, a rotated log.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
[ -x "$librasim" ] || skip_all "librasim was not built"
start_cluster --policy librarisk
log=$cluster/log/libra.jsonl
RANDOM=20060814

accepted=0
refused=0
ids=
for ((i = 0; i < 60; i++)); do
	n=$((1 + RANDOM % 6))
	minutes=$((2 + RANDOM % 30))
	slack=$((minutes * (110 + RANDOM % 500) / 100 + 1))
	shape=
	[ $((RANDOM % 5)) -ne 0 ] || shape="-c 2"
	if [ $((RANDOM % 4)) -eq 0 ] && [ -n "$ids" ]; then
		scancel "${ids%% *}"
		ids=${ids#* }
	fi
	# shellcheck disable=SC2086
	if submit --time=$minutes --deadline=now+${slack}minutes -n $n $shape
	then
		accepted=$((accepted + 1))
		ids+="$id "
	else
		refused=$((refused + 1))
	fi
done
echo "# accepted $accepted, refused $refused"
check "some were accepted, some refused" test $accepted -gt 10 -a $refused -gt 5

test_departed() {
	[ "$(log_calls departed)" -ge 1 ]
}
# shellcheck disable=SC2086
set -- $ids
wait_state "$1" RUNNING
scontrol update job "$1" timelimit=1000 2>/dev/null
scontrol update job "$1" timelimit=2 2>/dev/null
wait_state "$2" RUNNING
scontrol suspend "$2"
submit --time=1 --deadline=now+60minutes -n 1
scontrol resume "$2"
scancel "$2"
check "a job departs" until_true 20 test_departed
scontrol update nodename=n4 state=drain reason=test
submit --time=5 --deadline=now+30minutes -n 16
scontrol update nodename=n4 state=resume
submit --array=1-3 --time=1 --deadline=now+60minutes -n 1
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
submit --time=1 --deadline=now+60minutes -n 2

# Rotation: slurmctld goes on in a new file.
mv "$log" "$log.1"
writes_a_new_file() {
	submit --time=1 --deadline=now+60minutes -n 1 && [ -s "$log" ]
}
check "the log is opened again after a rotation" until_true 10 \
	writes_a_new_file
submit --time=1 --deadline=now+90minutes -n 1

for call in offer commit started progress departed modify node restore; do
	check "the log has a call $call" grep -q "^{\"call\":\"$call\"" \
		"$log.1" "$log"
done
"$librasim" replay "$log.1" "$log" >"$cluster.replay" 2>&1
same "the replay decides the same" 0 $?
sed 's/^/# /' "$cluster.replay"
matches "and says so" 'in 2 runs of the engine: all decided alike' \
	"$(cat "$cluster.replay")"

# The report counts the same, whatever the order of the files.
"$librasim" replay --json "$log.1" "$log" >"$cluster/replay.json"
reported() {
	"$librasim" report -o "$cluster/report" "$log" "$log.1" &&
		python3 "$top/tests/cli/reconcile.py" "$cluster/report" \
			"$cluster/replay.json"
}
check "the report counts the same" reported
"$librasim" replay "$log.1" >"$cluster.replay" 2>&1
same "the first file replays alone" 0 $?

# Its jobs, where they ran.
"$librasim" plot gantt --colour promise -o "$cluster.svg" "$log.1" \
	>"$cluster.replay" 2>&1
same "its jobs can be drawn" 0 $?
matches "with what became of their promises" '>promise (kept|late)<' \
	"$(cat "$cluster.svg" "$cluster.replay")"
rm -f "$cluster.svg"

# A share with another digit is found, at its line.
line=$(grep -n '"answer":"accept"' "$log.1" | sed -n '3s/:.*//p')
sed "${line}s/\"share\":0\.\(...\)/\"share\":0.\11/" "$log.1" >"$log.bad"
"$librasim" replay "$log.bad" >"$cluster.replay" 2>&1
same "another share is a difference" 1 $?
matches "at its line" "bad:$line: offer: share: logged" \
	"$(cat "$cluster.replay")"
rm -f "$cluster.replay"
finish
