#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Settings that are wrong, jobs without a deadline, and a decision log that
# cannot be written: slurmctld goes on, and says what it does.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
disk=$(mktemp -d)
extra_files=$disk
mounted=no
mount -t tmpfs -o size=64k,mode=0755 tmpfs "$disk" 2>/dev/null && mounted=yes
start_cluster --policy edf \
	--params "libra_no_deadline=reject,libra_grace=nan,libra_offer_ttl=1e999,libra_partitions=main+nosuch,libra_log=$disk/log"

check "a policy that queues is refused, with the one used" ctld_log_has \
	'libra_policy=edf: .*promises nothing; using band'
check "that one is at work" ctld_log_has 'policy band on 16'
check "NaN is no duration" ctld_log_has 'libra_grace=nan: .*using unlimited'
check "an overflow is none" ctld_log_has 'libra_offer_ttl=1e999: .*using 60'
check "a partition that is not there is named" ctld_log_has \
	'libra_partitions: there is no partition nosuch'

# Jobs without a deadline.
submit --time=5 -n 1
same "reject: a job without a deadline is refused" 1 $?
matches "and told what to do" 'needs a deadline: give --deadline' "$said"
submit -p stock --time=5 -n 1
same "but not in another partition" 0 $?
same "which is as stock" "" "$said"
scancel "$id"
# A node that registers during a reconfigure ends slurmctld 25.05 (in
# clusteracct_storage_g_node_up, stock too), and each has them all register.
have_registered() {
	awk '/slurmctld version/ { n = 0 } /node n[0-9]+ registered/ { n++ }
		END { exit n < 4 }' "$cluster/log/slurmctld.log"
}
change() { # SED-EXPRESSION: and wait until slurmctld has read it
	local n
	n=$(grep -c 'libra: policy' "$cluster/log/slurmctld.log")
	sed -i "$1" "$SLURM_CONF"
	until_true 10 have_registered
	scontrol reconfigure
	read_again() {
		[ "$(grep -c 'libra: policy' "$cluster/log/slurmctld.log")" \
			-gt "$n" ] && timeout 5 scontrol ping | grep -q 'is UP'
	}
	until_true 20 read_again
}
check "reconfigure" change \
	s/libra_no_deadline=reject/libra_no_deadline=best_effort/
check "best effort: taken" submit --time=5 -n 1
same "nothing is said" "" "$said"
check "it runs" wait_state "$id" RUNNING
same "its limit is its own" 00:05:00 "$(job_field "$id" TimeLimit)"
scancel "$id"
check "reconfigure" change \
	s/libra_no_deadline=best_effort/libra_no_deadline=sometimes/
check "a wrong word is named, and not taken over" ctld_log_has \
	'libra_no_deadline=sometimes: '
case $(slurmctld -V) in
*" 22."* | *" 23.02"*)
	check "what ran before stays" ctld_log_has \
		'SchedulerParameters are not taken over'
	;;
*)
	ok 0 "what ran before stays # SKIP reconfigure restarts slurmctld here"
	;;
esac
[ ! -x "$libra" ] || matches "libra status says so" \
	'^A libra_ value in SchedulerParameters is wrong' "$("$libra" status)"
check "a right one is taken" change \
	s/libra_no_deadline=sometimes/libra_no_deadline=stock/
check "stock: taken" submit --time=5 -n 1
same "nothing promised" "" "$(job_field "$id" AdminComment)"
scancel "$id"
check "reconfigure" change s/libra_policy=edf/libra_policy=libra/
check "a new policy is at work" ctld_log_has 'policy libra on 16'
submit --time=10 --deadline=now+30minutes -n 2
matches "and gives verdicts" 'accepted: share 0.33' "$said"
scancel "$id"

# As many jobs on a core as Slurm puts there, whatever their shares.
check "two jobs a core" change "/^PartitionName=main/s/FORCE:64/FORCE:2/"
check "nothing runs" until_true 20 sh -c '[ -z "$(squeue -h)" ]'
for i in 1 2; do
	check "all cores are promised to job $i" submit --time=1 \
		--deadline=now+2hours -n 16
	check "which runs" wait_state "$id" RUNNING
done
submit --time=1 --deadline=now+2hours -n 1
same "no core is promised to a third" 1 $?
matches "nor is a deadline offered" \
	'no deadline would be accepted now: wait until a job ends' "$said"
check "one job a core" change "/^PartitionName=main/s/FORCE:2/NO/"
check "is a fault that is named" ctld_log_has \
	'partition main has no OverSubscribe=FORCE:n'
check "64 jobs a core" change "/^PartitionName=main/s/=NO/=FORCE:64/"
scancel -p main

# The decision log in another file: the run goes on there.
replays() { # STATUS REGEX FILE...
	local status=$1 text=$2 name=$3
	shift 3
	if [ -x "$librasim" ]; then
		out=$("$librasim" replay "$@" 2>&1)
		same "$name: exit status" "$status" $?
		matches "$name" "$text" "$out"
	else
		ok 0 "$name # SKIP librasim was not built"
	fi
}
submit --time=1 --deadline=now+30minutes -n 1
check "another log" change "s|libra_log=$disk/log|libra_log=$disk/second|"
same "begins with what the engine is" engine \
	"$(sed -n '1s/^{"call":"\([a-z]*\)".*/\1/p' "$disk/second")"
check "decisions are in it" submit --time=1 --deadline=now+30minutes -n 1
replays 0 'all decided alike$' "both together replay" "$disk/log" "$disk/second"

# The decision log on a full disk.
if [ $mounted = yes ]; then
	dd if=/dev/zero of="$disk/fill" bs=1k >/dev/null 2>&1
	for i in $(seq 40); do
		sbatch --test-only --time=1 --deadline=now+30minutes -n 1 \
			"$cluster/job" >/dev/null 2>&1
	done
	check "a full disk is reported" until_true 10 ctld_log_has \
		'decision log .*cannot be written: No space left'
	check "and stops no decision" submit --time=1 \
		--deadline=now+30minutes -n 1
	check "nor the job" wait_state "$id" RUNNING
	same "it is said once" 1 "$(grep -c 'cannot be written' \
		"$cluster/log/slurmctld.log")"
	rm "$disk/fill"
	scancel "$id"
	check "with space, the gap is marked" until_true 20 sh -c \
		"sbatch --test-only --time=1 --deadline=now+9minutes -n 1 \
			$cluster/job 2>/dev/null; grep -q '\"call\":\"gap\"' $disk/second"
	same "no line was written in part" 0 \
		"$(grep -cv '^{.*}$' "$disk/second")"
	replays 1 ':[0-9]+: [0-9]+ lines are missing: .*not compared' \
		"the replay says where the gap is" "$disk/log" "$disk/second"
	[ ! -x "$librasim" ] || matches "and compares up to there" \
		'no difference in what was compared; 1 gap' "$out"
else
	ok 0 "a full disk is reported # SKIP no tmpfs can be mounted here"
fi
check "a log in no folder" change "s|libra_log=$disk/second|libra_log=$disk/no/log|"
check "is reported" ctld_log_has 'decision log .*/no/log: cannot be opened'
check "and stops no decision" submit --time=1 --deadline=now+30minutes -n 1
check "nor the job" wait_state "$id" RUNNING
# From 23.11 a reconfigure hands over to another slurmctld.
conf=$SLURM_CONF
scontrol reconfigure >/dev/null 2>&1 &
stop_cluster
wait $!
# No process is made for the look: it would have that name among its words.
none_left() {
	local p words
	for p in /proc/[0-9]*/cmdline; do
		{ mapfile -d '' -t words <"$p"; } 2>/dev/null
		[[ " ${words[*]} " != *" $conf "* ]] || return 1
	done
}
until_true 5 none_left
ok $? "stopped while it reconfigures, none of it is left"
finish
