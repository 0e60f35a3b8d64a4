#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command libra: it sees what slurmctld has promised, and its verdicts are
# those that a submission gets.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "the command libra was not built"
command -v python3 >/dev/null || skip_all "needs python3"
start_cluster --policy libra --params max_script_size=1000

run() { # STATUS NAME ARGUMENT...: of libra; what it printed into $out
	local want=$1 name=$2
	shift 2
	out=$(timeout 20 "$libra" "$@" 2>&1)
	same "$name" "$want" $?
}

# A value of the JSON in $out: keys and indices.
value() {
	python3 -c 'import json, sys
v = json.loads(sys.argv[1])
for k in sys.argv[2:]:
    v = v[int(k) if k.lstrip("-").isdigit() else k]
print(v)' "$out" "$@"
}

run 0 "status of an empty cluster" status
matches "says so" 'No job has a promise' "$out"
matches "with its processors" 'Policy libra on 16 processors of 4 nodes' "$out"

submit --time=10 --deadline=now+30minutes -n 6
a=$id
submit --time=10 --deadline=now+20minutes -n 3
b=$id
submit --time=10 --deadline=now+60minutes -N 2 -n 4
c=$id
for j in $a $b $c; do
	wait_state "$j" RUNNING
done
run 0 "status" status --long
matches "tells of a job and its processors" "^$a .* n1:0-2,n1:3,n2:0-1\$" "$out"
run 0 "status --json" status --json
same "three jobs" 3 "$(python3 -c 'import json, sys
print(len(json.loads(sys.argv[1])["groups"][0]["jobs"]))' "$out")"
matches "shares as promised" '^0\.(3[0-9]*|8[0-9]*)$' \
	"$(value groups 0 nodes 0 shares 0)"
submit --time=10 --hold --deadline=now+60minutes -n 2
held=$id

# The same questions to libra and to slurmctld, which answers last: what it
# promises counts from then on.
wrong=0
RANDOM=20041
for ((i = 0; i < 25; i++)); do
	minutes=$((5 + RANDOM % 25))
	options="--time=$minutes --deadline=now+$((minutes * (101 + \
		RANDOM % 150) / 100 + 1))minutes -n $((1 + RANDOM % 8))"
	case $((RANDOM % 4)) in
	0) options+=" -c 2" ;;
	1) options+=" -N 2-3" ;;
	esac
	# shellcheck disable=SC2086
	out=$("$libra" what-if --json $options)
	status=$?
	case $status in
	0) said_if=accept ;;
	3) said_if=reject ;;
	*) said_if=$status ;;
	esac
	[ "$(value answer)" = $said_if ] || wrong=$((wrong + 1))
	# shellcheck disable=SC2086
	if submit $options; then
		verdict=accept
		want=$(sed -n 's/.*share \([0-9.]*\) .*/\1/p' <<<"$said")
		[ "$want" = "$(printf %.2f "$(value share)")" ] || {
			# a second may lie between them
			python3 -c "import sys
sys.exit(abs($want - $(value share)) > 0.02)" || {
				echo "# $options: share $want," \
					"what-if $(value share)"
				wrong=$((wrong + 1))
			}
		}
	else
		verdict=reject
	fi
	[ $verdict = $said_if ] || {
		echo "# $options: $verdict, what-if $said_if"
		wrong=$((wrong + 1))
	}
done
# On the verge a second decides: one of 25 may differ.
check "its verdicts are those of a submission" test $wrong -le 1

run 3 "what would be refused" what-if --time 60 --deadline now+30minutes -n 4
matches "with the reason" 'would be refused \(no_share\): 4 processors' "$out"
matches "with the earliest deadline" 'earliest deadline now: [0-9]' "$out"
matches "nothing is reserved" 'nothing is reserved' "$out"
run 3 "too large" what-if --time 1 --deadline now+30minutes -n 17
matches "is said" 'there are 16 processors' "$out"
run 4 "a partition that is not managed" what-if -t 1 -d now+1hour -p stock
matches "has no promises" 'partition stock is not managed' "$out"
run 1 "a partition that is not there" what-if -t 1 -d now+1hour -p none
run 1 "a deadline in the past" what-if -t 1 -d 2020-01-01
scontrol update partition=main maxtime=90
run 0 "a deadline within MaxTime" what-if -t 1 -d now+80minutes
run 3 "one behind it" what-if -t 1 -d now+2hours
matches "names it" "MaxTime of partition main ends a job after 1 h 30 min" "$out"
submit -t 1 --deadline=now+2hours
matches "sbatch says so too" "MaxTime of partition main" "$said"
scontrol update partition=main maxtime=infinite
run 2 "no time" what-if -d now+1hour
run 2 "no such time" what-if -t soon -d now+1hour
run 2 "no such deadline" what-if -t 1 -d soonish
run 2 "no tasks" what-if -t 1 -d now+1hour -n 0
run 2 "no such command" frobnicate

run 0 "explain a running job" explain "$b"
matches "its verdict" 'accepted at [0-9].*: share 0.50 of 3 processors: 10 min' "$out"
matches "beside whom" 'policy libra; .* 0\.[0-9]+ was promised to others' "$out"
matches "its history" 'started$' "$out"
run 0 "explain as JSON" explain --json "$b"
same "the promise" True "$(value job promised)"
same "its log" started "$(value job log -1 what)"
run 0 "explain a held job" explain "$held"
matches "it has no promise yet" 'none yet' "$out"
matches "why it waits" 'waits +Slurm.s reason: JobHeldUser$' "$out"
scontrol update JobId="$b" TimeLimit=9 >/dev/null 2>&1
run 0 "explain a changed job" explain "$b"
matches "the verdict as it was" 'verdict .*share 0.50 .*: 10 min of work' "$out"
matches "the change as it is" 'changed +accepted at [0-9].*: 9 min of work' "$out"
submit --time=5 -n 1
run 0 "explain a job without a deadline" explain "$id"
matches "it is Slurm's own" 'no promise' "$out"
run 1 "explain a job that is not there" explain 9999
run 2 "explain no job" explain nine
run 0 "explain refusals" explain --refused=3
same "as many" 3 "$(grep -c 'refused (no_share)' <<<"$out")"

# After a restart: the same promises from the same records.
before=$("$libra" status --json | python3 -c 'import json, sys
print([j["on"] for j in json.load(sys.stdin)["groups"][0]["jobs"]])')
"$DEMO" restart-ctld -d "$cluster"
after=$("$libra" status --json | python3 -c 'import json, sys
print([j["on"] for j in json.load(sys.stdin)["groups"][0]["jobs"]])')
same "a restart changes nothing of it" "$before" "$after"
run 0 "explain after the restart" explain "$a"
matches "the log tells of it" 'restored' "$out"

# An ordinary user sees the records; the log is not his.
cp "$libra" "$cluster/run/libra"
as_user() {
	(cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}
out=$(as_user "$cluster/run/libra" explain "$a" 2>&1)
matches "an ordinary user reads the promise" 'accepted at' "$out"
matches "and what is missing" 'cannot read the decision log .*: Permission denied' "$out"
out=$(as_user "$cluster/run/libra" status --long 2>&1)
matches "and the status" "^$a " "$out"
out=$(as_user "$cluster/run/libra" status --json 2>&1)
same "but not the offers, which the log has" None "$(value groups 0 offers)"

# Accepted, and no job comes: it is seen as long as it holds something, about a
# second.  Last, as who leaves offers is promised less afterwards.
none_waits() {
	out=$("$libra" status --json)
	[ "$(value groups 0 offers waiting)" = 0 ]
}
scancel -p main
check "no job is left" until_true 10 sh -c '[ -z "$(squeue -h)" ]'
check "no offer waits" until_true 10 none_waits
same "nor is one on a node" 0.0 "$(value groups 0 nodes 0 offered 0)"
check "who only asks is told" sh -c "sbatch --test-only --time=6 \
	--deadline=now+10minutes -n 16 -o /dev/null $cluster/job 2>&1 |
	grep -q 'libra: accepted'"
check "and nothing is held for that" none_waits
# It is there for a second, and a look takes longer where many others run: it is
# left once more then.
was_counted() {
	[ "$left" -ge 3 ] || sbatch --time=6 --deadline=now+10minutes -n 16 \
		-o /dev/null "$cluster/long" >/dev/null 2>&1
	left=$((left + 1))
	until_true 3 grep -qx \
		'1 offer waits for its job, on 16 processors: accepted, but not in the queue' \
		"$seen"
}
left=0
seen=$cluster/seen
{
	cat "$cluster/job"
	printf '#%01000d\n' 0
} >"$cluster/long"
while :; do
	"$libra" status --long
done >"$seen" &
watch=$!
check "status is asked" until_true 10 test -s "$seen"
check "an offer left by too long a script is counted" until_true 30 was_counted
check "until slurmctld drops it" until_true 10 none_waits
kill $watch
wait $watch 2>/dev/null
matches "below the shares of its nodes" '^ +offers +0-3: 0\.60$' \
	"$(cat "$seen")"
finish
