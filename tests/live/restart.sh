#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Restart, kill -9 and reconfigure: no promise is lost, and the ledger is
# that of the job records.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --slurm-conf-extra Licenses=two:2 \
	--params libra_offer_ttl=2

# Three jobs that share cores, one that waits for a drained node's return.
submit --time=10 --deadline=now+30minutes -n 6
a=$id
submit --time=5 --deadline=now+40minutes -n 3
b=$id
submit --time=12 --deadline=now+60minutes -n 16
c=$id
for j in $a $b $c; do
	wait_state "$j" RUNNING
done
squeue -h -t R -o %i >"$cluster/before"
same "three promised jobs run" 3 "$(wc -l <"$cluster/before")"
declare -A where
for j in $a $b $c; do
	where[$j]=$(promised_on "$j")
done
check "the records tell progress" test -n "$(promise_field "$a" left)"

# What the ledger would still take: the verdict on a probe is a fingerprint.
probe() { # MINUTES
	sbatch --test-only -o /dev/null --time="$1" --deadline=now+30minutes \
		-n 16 "$cluster/job" 2>&1 | grep -c 'libra: accepted'
}
fingerprint() {
	local m s=
	for m in 1 4 8 12 14 16 18 20 24; do
		s+=$(probe $m)
		# Each probe holds what it was offered for a second.
		until_true 5 no_offers
	done
	echo "$s"
}
no_offers() {
	# An offer that was claimed by a test-only job goes with it.
	[ "$(log_calls offer)" -ge 1 ]
	sleep 1.1
}

restarted() { # NAME
	local j
	for j in $a $b $c; do
		same "$1: job $j still runs" RUNNING "$(job_state "$j")"
		same "$1: on the same promise" "${where[$j]}" "$(promised_on "$j")"
	done
	same "$1: nothing was left without a promise" 0 \
		"$(grep -c 'without a promise\|cannot be restored' \
			"$cluster/log/slurmctld.log")"
}

print1=$(fingerprint)
matches "the machine is partly promised" '1.*0' "$print1"

restores=$(log_calls restore)
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
restarted restart
same "three jobs were entered again" $((restores + 3)) "$(log_calls restore)"
same "the ledger promises what it did" "$print1" "$(fingerprint)"

let_it_save "$a"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
restarted "kill -9"
same "the ledger promises what it did" "$print1" "$(fingerprint)"

engines=$(log_calls engine)
check "reconfigure" scontrol reconfigure
until_true 10 ctld_log_has 'ledger kept'
restarted reconfigure
case $(slurmctld -V) in
*" 22."* | *" 23.02"*)
	check "the ledger is kept" ctld_log_has 'ledger kept'
	;;
*)
	ok 0 "the ledger is kept # SKIP reconfigure restarts slurmctld here"
	;;
esac

# Another policy: the ledger is begun anew from the records.
sed -i 's/libra_policy=libra,/libra_policy=librarisk,/' "$SLURM_CONF"
scontrol reconfigure
check "a new policy takes over" until_true 10 \
	ctld_log_has 'policy librarisk on 16'
restarted "new policy"

# One that was requeued has lost its place to another: a restart does not give
# it back.
scancel $a $b $c
check "all end" until_true 20 sh -c '[ -z "$(squeue -h)" ]'
check "a job of two thirds" until_true 10 submit --time=20 \
	--deadline=now+30minutes -n 16
back=$id
check "runs" wait_state "$back" RUNNING
scontrol requeue "$back"
check "requeued, it waits" wait_state "$back" PENDING
check "and another gets its share" until_true 10 submit --time=20 \
	--deadline=now+30minutes -n 16
a=$id
check "which runs" wait_state "$a" RUNNING
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
same "who waits is not entered again" 0 \
	"$(grep -c "^{\"call\":\"restore\".*\"id\":$back,.*\"rc\":0" \
		"$cluster/log/libra.jsonl")"
same "and still waits" PENDING "$(job_state "$back")"
same "who runs is" 1 \
	"$(grep -c "^{\"call\":\"restore\".*\"id\":$a,.*\"rc\":0" \
		"$cluster/log/libra.jsonl")"
b=$back
c=$a

# A job ends while slurmctld is down.
"$DEMO" restart-ctld -d "$cluster"
scancel $a $b $c
check "all end" until_true 20 sh -c '[ -z "$(squeue -h)" ]'
check "and the machine is free again" until_true 10 submit --time=29 \
	--deadline=now+30minutes -n 16
scancel "$id"
check "it is empty" until_true 20 sh -c '[ -z "$(squeue -h)" ]'

# An array of which two tasks run and four wait, for licences.
check "an array is promised" until_true 10 submit --array=1-6 -L two \
	--time=10 --deadline=now+30minutes -n 3
array=$id
tasks_run() {
	[ "$(squeue -h -j "$array" -t R -o %i | wc -l)" -eq "$1" ]
}
check "two of its tasks run" until_true 20 tasks_run 2
waiting() { # FIELD of the record of those that wait
	scontrol -o show job "$array" | grep JobState=PENDING | tr ' ' '\n' |
		sed -n "s/^$1=//p"
}
places() { # the last N tasks of it
	waiting on | tr ';' '\n' | tail -n "$1"
}
wanted=$(places 4)
same "the record tells the places of the others" 4 \
	"$(grep -c '^n[1-4]:' <<<"$wanted")"
declare -A where
for j in 1 2; do
	where[$j]=$(promised_on "${array}_$j")
done
array_restarted() { # NAME
	local j
	for j in 1 2; do
		same "$1: task $j is where it was" "${where[$j]}" \
			"$(promised_on "${array}_$j")"
	done
	same "$1: the others are promised what they were" "$wanted" \
		"$(places 4)"
	same "$1: nothing was asked for anew" "$offers" "$(log_calls offer)"
	same "$1: all six were entered again" $((restores + 6)) \
		"$(log_calls restore)"
	restores=$(log_calls restore)
}
offers=$(log_calls offer)
restores=$(log_calls restore)
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
array_restarted "array, restart"
let_it_save "${array}_1"
check "slurmctld is killed and starts" "$DEMO" restart-ctld -k -d "$cluster"
array_restarted "array, kill -9"

scancel "${array}_1"
check "the end of one starts the next" wait_state "${array}_3" RUNNING
same "where it was promised" "$(head -n 1 <<<"$wanted" | single_cores)" \
	"$(runs_on "${array}_3")"
same "as its own record says" "$(promised_on "${array}_3")" \
	"$(runs_on "${array}_3")"

# What a cancelled task was promised comes back; one that is changed is a job
# of its own, with its promise.
check "a waiting task is changed" scontrol update job "${array}_6" timelimit=9
scancel "${array}_5"
let_it_save "${array}_3"
restores=$(log_calls restore)
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
same "four promises were entered again" $((restores + 4)) \
	"$(log_calls restore)"
same "the changed one with its estimate" 540 \
	"$(promise_field "${array}_6" estimate)"
scancel "$array"
check "and the machine is free again" until_true 20 submit --time=29 \
	--deadline=now+30minutes -n 16
scancel "$id"
check "the machine is empty" until_true 20 idle

# librarisk would take two of these side by side.
sed -i 's/libra_policy=librarisk,/libra_policy=libra,/' "$SLURM_CONF"
check "slurmctld restarts with libra" "$DEMO" restart-ctld -d "$cluster"
# A promised job that waits, for a licence, is put on hold: what it was promised
# is others', whatever becomes of slurmctld.
blocker_and_waiter() {
	until_true 10 submit -L two:2 --time=1 --deadline=now+30minutes -n 1 &&
		b=$id && wait_state "$b" RUNNING &&
		until_true 10 submit -L two --time=18 --deadline=now+30minutes \
			-n 16 && a=$id
}
has_places() {
	[ -n "$(promise_field "$1" on)" ]
}
check "one runs, one waits" blocker_and_waiter
check "with its places" until_true 10 has_places "$a"
scontrol hold "$a"
let_it_save "$a"
restores=$(log_calls restore)
check "held, and slurmctld killed" "$DEMO" restart-ctld -k -d "$cluster"
same "who runs is entered again, who is held not" $((restores + 1)) \
	"$(log_calls restore)"
same "nor does its record tell places" "" "$(promise_field "$a" on)"
check "another gets them" until_true 10 submit --time=18 \
	--deadline=now+30minutes -n 16
c=$id
check "and runs" wait_state "$c" RUNNING
scontrol release "$a"
check "released, slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
same "it is not entered again" $((restores + 3)) "$(log_calls restore)"
scancel "$b" "$c"
check "with licence and room it runs" wait_state "$a" RUNNING
if [ -n "$(promise_field "$a" on)" ]; then
	same "where it is promised" "$(promised_on "$a")" "$(runs_on "$a")"
else
	same "as best effort" lost "$(promise_field "$a" promise)"
fi
scancel "$a"
check "the machine is empty" until_true 20 idle

# Held for longer than an offer lives, it gives back at once.
no_places() {
	! has_places "$1"
}
check "one runs, one waits" blocker_and_waiter
check "with its places" until_true 10 has_places "$a"
scontrol hold "$a"
check "another gets them" until_true 20 submit --time=18 \
	--deadline=now+30minutes -n 16
c=$id
check "its record tells no places" until_true 5 no_places "$a"
scancel "$a" "$b" "$c"
check "the machine is empty" until_true 20 idle

# Held and released in between, it keeps them.
check "one runs, one waits" blocker_and_waiter
check "with its places" until_true 10 has_places "$a"
kept=$(promised_on "$a")
scontrol hold "$a"
scontrol release "$a"
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
same "held for a moment it keeps its places" "$kept" "$(promised_on "$a")"
scancel "$b"
check "it runs" wait_state "$a" RUNNING
same "there" "$kept" "$(runs_on "$a")"
scancel "$a"
check "no start was unexpected" sh -c \
	"! grep -E 'did not expect|without a promise' $cluster/log/slurmctld.log"
check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
