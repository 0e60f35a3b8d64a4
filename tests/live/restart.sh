#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Restart, kill -9 and reconfigure: no promise is lost, and the ledger is
# that of the job records.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra

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
		"$(grep -c 'without a promise\|of no use' \
			"$cluster/log/slurmctld.log")"
}

print1=$(fingerprint)
matches "the machine is partly promised" '1.*0' "$print1"

restores=$(log_calls restore)
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
restarted restart
same "three jobs were entered again" $((restores + 3)) "$(log_calls restore)"
same "the ledger promises what it did" "$print1" "$(fingerprint)"

# Slurm saves its state every few seconds: let it.
saved() {
	[ "$cluster/state/job_state" -nt "$cluster/mark" ]
}
touch "$cluster/mark"
scontrol update job "$a" comment=x
until_true 20 saved
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

# A job ends while slurmctld is down.
"$DEMO" restart-ctld -d "$cluster"
scancel $a $b $c
check "all end" until_true 20 sh -c '[ -z "$(squeue -h)" ]'
check "and the machine is free again" until_true 10 submit --time=29 \
	--deadline=now+30minutes -n 16
scancel "$id"
finish
