#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The gang policy band: jobs have whole processors, in turn by their deadlines.
# A job starts when its turn comes; after that its nodes hold and resume it.

. "$(dirname "$0")/lib.sh"
need_slurm
watch=$(mktemp -d)
extra_files=$watch
printf '#!/bin/sh\nenv >%s/env.$SLURM_JOB_ID\n' "$watch" >"$watch/prolog"
chmod 0755 "$watch" "$watch/prolog"
start_cluster --policy band --params libra_offer_ttl=2 \
	--slurm-conf-extra "Prolog=$watch/prolog" \
	--slurm-conf-extra PrologFlags=Alloc

on_node() { # ID VARIABLE
	sed -n "s/^SPANK_LIBRA_$2=//p" "$watch/env.$1"
}
rate_of() { # ID
	promise_field "$1" left | cut -d, -f1 | cut -d/ -f2
}
has_rate() { # ID RATE
	[ "$(rate_of "$1")" = "$2" ]
}
# Nobody is early: what waits now has been looked at by the scheduler, too.
waits() { # ID
	submit -p stock --time=1 -n 1 && wait_state "$id" RUNNING &&
		scancel "$id" && in_state "$1" PENDING
}

# Each of these is over when its neighbours are: who waits for them all waits for
# as long as for one.
side_by_side() {
	local i
	for i in $(seq 14); do
		submit --time=9 --deadline=now+10minutes -n 1 || return 1
	done
	wait_state "$id" RUNNING
	# A deadline is a whole second, cut.
	until_true 5 later_than $(($(date +%s) + 2))
}
check "14 processors are busy for 540 s" side_by_side
check "16 processors for 540 s are promised within 1,080" submit --time=9 \
	--deadline=now+18minutes -n 16
submit --time=9 --deadline=now+17minutes -n 16
same "and not within 1,020" 1 $?
scancel -u root
check "all of them end" until_true 20 idle

check "a job of the whole machine" submit --time=10 --deadline=now+30minutes \
	-n 16
a=$id
matches "is told that it gets its turn" \
	'accepted: 16 processors, in turn by deadline, finish expected by' \
	"$said"
check "it is its turn" wait_state "$a" RUNNING
same "on what it was promised" "$(promised_on "$a")" "$(runs_on "$a")"
check "its nodes were told" until_true 10 test -s "$watch/env.$a"
same "the order they keep" deadline "$(on_node "$a" RULE)"
same "and whole processors" 1 "$(on_node "$a" SHARE)"
same "it makes progress" 1 "$(rate_of "$a")"

check "one with a later deadline" submit --time=5 --deadline=now+60minutes -n 16
b=$id
check "waits for its turn" waits "$b"
same "with a promise" 16 "$(promised_on "$b" | wc -w)"
check "one with an earlier deadline" submit --time=2 --deadline=now+10minutes \
	-n 4
c=$id
check "goes before both" wait_state "$c" RUNNING
check "the first is held" until_true 10 has_rate "$a" 0
libra=${LIBRA:-${builddir:-$PWD}/libra}
if [ -x "$libra" ]; then
	# Slurm looks at what waits when it has time; without slurmdbd 23.11 and
	# 24.05 give no reason.
	tells_why() {
		out=$("$libra" status --long)
		why=$(squeue -h -j "$b" -o %r)
		[[ $why != None && $out == *"waits: $why"* ]]
	}
	until_true 10 tells_why
	[ "$why" = None ] && why='[0-9]$' || why="waits: $why"
	matches "libra shows how many jobs a processor has" ' 0-3: 3$' "$out"
	matches "which is held" "^$a .* held " "$out"
	matches "which runs" "^$c .* runs " "$out"
	matches "and which waits, as Slurm says why" \
		"^$b .* waits .*$why" "$out"
	matches "and what the policy tested" \
		'why +policy band; .* it ends by [0-9].* at the latest' \
		"$("$libra" explain "$b")"
fi
same "though to Slurm it runs" RUNNING "$(job_state "$a")"
same "the earlier one makes progress" 1 "$(rate_of "$c")"
check "one between them" submit --time=10 --deadline=now+20minutes -n 16
d=$id
check "waits for the earlier one" waits "$d"

submit --time=25 --deadline=now+30minutes -n 16
same "what would break a promise is refused" 1 $?
matches "with the reason, and no share" \
	'refused \(would_miss\): 16 processors for 25 min by [0-9: -]* UTC[0-9:+-]*$' "$said"
matches "and the earliest deadline" 'try --deadline=' "$said"
out=$(sbatch --test-only --time=1 --deadline=now+3hours -n 16 "$cluster/job" \
	2>&1)
matches "--test-only gets a verdict" 'libra: accepted' "$out"

# Restart, kill -9: everybody keeps place and turn.
declare -A where
for j in $a $b $c $d; do
	where[$j]=$(promised_on "$j")
done
restarted() { # NAME
	local j
	for j in $a $b $c $d; do
		same "$1: job $j has its place" "${where[$j]}" \
			"$(promised_on "$j")"
	done
	check "$1: the first is held" until_true 10 has_rate "$a" 0
	check "$1: the earliest goes on" until_true 10 has_rate "$c" 1
	check "$1: the others wait" waits "$d"
	same "$1: both of them" PENDING "$(job_state "$b")"
	same "$1: all four were entered again" $((restores + 4)) \
		"$(log_calls restore)"
	restores=$(log_calls restore)
}
restores=$(log_calls restore)
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
restarted restart
saved() {
	[ "$cluster/state/job_state" -nt "$cluster/mark" ]
}
touch "$cluster/mark"
scontrol update job "$a" comment=x
until_true 20 saved
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
restarted "kill -9"

scancel "$c"
check "the end of the earliest is the turn of the next" \
	wait_state "$d" RUNNING
same "on what it was promised" "$(promised_on "$d")" "$(runs_on "$d")"
same "the latest still waits" PENDING "$(job_state "$b")"
check "the first is still held" has_rate "$a" 0

# Changes.
check "a waiting job is changed" scontrol update job "$b" timelimit=6
same "its record says so" 360 "$(promise_field "$b" estimate)"
check "a running one too" scontrol update job "$d" timelimit=8
same "as its record says" 480 "$(promise_field "$d" estimate)"
# Where it is it would leave the next one what it needs, to the second.
scontrol update job "$d" timelimit=100 deadline=now+40minutes 2>/dev/null
same "what would break a promise is refused" 1 $?
same "and changes nothing" 480 "$(promise_field "$d" estimate)"

scancel "$d"
check "the first goes on" until_true 10 has_rate "$a" 1
check "the latest waits for it" waits "$b"
scancel "$a"
check "and has its turn at last" wait_state "$b" RUNNING
same "its nodes were told the new estimate" 360 "$(on_node "$b" ESTIMATE)"

# A node is drained: who waits for it is promised another place.
check "a small one behind it" submit --time=5 --deadline=now+90minutes -n 4
x=$id
check "waits" waits "$x"
node=$(promised_on "$x")
node=${node%%:*}
scontrol update nodename="$node" state=drain reason=test
elsewhere() {
	[ -n "$(promised_on "$x")" ] &&
		[[ " $(promised_on "$x")" != *" $node:"* ]]
}
check "drained, it is promised another node" until_true 10 elsewhere
scontrol update nodename="$node" state=resume
check "the nodes answer" wait_nodes

# Requeued: it asks again, and comes after who was promised meanwhile.
scontrol requeue "$b"
check "a requeued job makes room" wait_state "$x" RUNNING
same "on what it was promised" "$(promised_on "$x")" "$(runs_on "$x")"
check "and has the turn of its deadline" until_true 40 starts_now "$b"
check "before the later one" until_true 10 has_rate "$x" 0
scancel "$b" "$x"
check "all end" until_true 20 idle

# Suspended by an operator: who waits behind it has its turn meanwhile.
check "a job of all processors" submit --time=5 --deadline=now+60minutes -n 16
a=$id
check "runs" wait_state "$a" RUNNING
check "one behind it" submit --time=5 --deadline=now+90minutes -n 16
b=$id
check "waits" waits "$b"
check "an operator suspends the first" scontrol suspend "$a"
check "the one behind it starts" wait_state "$b" RUNNING
check "and makes progress" until_true 10 has_rate "$b" 1
same "the first makes none" "0 SUSPENDED" "$(rate_of "$a") $(job_state "$a")"
if [ -x "$libra" ]; then
	matches "libra names it" "^$a .* SUSPENDED .* held " "$("$libra" status --long)"
	matches "and says how it stands" 'suspended, slack ' \
		"$("$libra" explain "$a")"
fi
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
check "the one behind it goes on" until_true 10 has_rate "$b" 1
same "the first makes none still" 0 "$(rate_of "$a")"
check "it is resumed" scontrol resume "$a"
check "it has its turn back" until_true 10 has_rate "$a" 1
check "and the other one is held" until_true 10 has_rate "$b" 0
scancel "$a" "$b"
check "all end" until_true 20 idle

# An array: one task after the other.
check "an array" submit --array=1-3 --time=1 --deadline=now+3hours -n 16
array=$id
matches "is promised as a whole" \
	'accepted: 3 tasks, each 16 processors, in turn by deadline' "$said"
check "its first task runs" wait_state "${array}_1" RUNNING
check "the others wait" waits "${array}_2"
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
check "they wait still" waits "${array}_2"
scancel "${array}_1"
check "the second runs" wait_state "${array}_2" RUNNING
check "the third waits" waits "${array}_3"
scancel "$array"
check "all end" until_true 20 idle

# The reserve of the machine, which demand has, too: what it knows of the load is
# not lost with slurmctld, and refuses a large job, in words.
learned() { # values of the file, if they are of the policy
	sed -n "s/^libra_learned 1 $policy core //p" "$cluster/state/libra_learned"
}
relearned() { # the last that a new slurmctld was given
	sed -n '/"call":"relearn"/h;${x;s/.*"values":\[\(.*\)\],"rc":0.*/\1/p}' \
		"$log" | tr ',' ' '
}
small_jobs() { # N: each an instant of its own, and more than the machine does
	submit --time=30 --deadline=now+3hours -n 16 || return 1
	for _ in $(seq "$1"); do
		submit --time=10 --deadline=now+3hours -n 1 || return 1
	done
}
refused_large() {
	! submit --time=60 --deadline=now+3hours -n 16
}
refused_by_reserve() { # WHEN
	check "a large job is refused$1" refused_large
	matches "its user reads why" \
		'refused \(reserve\): 16 processors for 1 h by' "$said"
	matches "and that small jobs have the room" "$room" "$said"
	matches "the log has the reason" \
		'"call":"offer".*"answer":"reject","reason":"reserve"' \
		"$(grep '"call":"offer"' "$log" | tail -n 1)"
}
log=$cluster/log/libra.jsonl
room='the rest of it is kept for smaller jobs .libra_machine_reserve.: ask for a later deadline'
for policy in band demand; do
	sed -i "s/libra_policy=[a-z]*/libra_policy=$policy/" "$SLURM_CONF"
	grep -q libra_machine_reserve "$SLURM_CONF" ||
		sed -i 's/libra_policy=band/&,libra_machine_reserve=yes/' \
			"$SLURM_CONF"
	check "slurmctld restarts with the reserve of $policy" "$DEMO" \
		restart-ctld -d "$cluster"
	before=$(learned 2>/dev/null | cut -d' ' -f1)
	check "the nodes answer" until_true 20 nodes_answer
	check "one job of all processors, and small ones in a row" small_jobs 24
	refused_by_reserve ""
	check "slurmctld ends and starts" "$DEMO" restart-ctld -d "$cluster"
	was=$(learned)
	matches "it has learned of all of them" \
		"^$((${before:-0} + 26)) [1-9]" "$was"
	check "slurmctld is killed and starts" "$DEMO" restart-ctld -k \
		-d "$cluster"
	same "what it had learned it knows" "$was" "$(relearned)"
	same "and keeps" "$was" "$(learned)"
	check "the nodes answer again" until_true 20 nodes_answer
	[ ! -x "$libra" ] || matches "libra what-if knows it, too" \
		'^would be refused \(reserve\)' "$("$libra" what-if --time=60 \
			--deadline=now+3hours -n 16)"
	refused_by_reserve " again"
	scancel -u root
	check "all end" until_true 20 idle
done

check "no start was unexpected" sh -c \
	"! grep -E 'did not expect|without a promise' $cluster/log/slurmctld.log"
check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
if [ -x "$librasim" ]; then
	"$librasim" replay "$cluster/log/libra.jsonl" >"$cluster.out" 2>&1
	same "the log replays to the same decisions" 0 $?
	sed 's/^/# /' "$cluster.out"
else
	ok 0 "the log replays to the same decisions # SKIP librasim was not built"
fi
finish
