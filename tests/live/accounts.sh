#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Accounts and their limits: who has none is refused, and a promised job keeps
# to every limit that Slurm compares with its time limit, so that it starts.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
start_cluster --policy libra \
	--slurm-conf-extra PriorityType=priority/multifactor \
	--slurm-conf-extra PriorityCalcPeriod=1
need_accounting limits,qos
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
	sacctmgr -i add qos short set MaxWall=00:20:00
	sacctmgr -i add qos small set MaxTRESMinsPerJob=cpu=60
	sacctmgr -i add qos deny set MaxWall=00:20:00 Flags=DenyOnLimit
	sacctmgr -i add qos busy set GrpTRESRunMins=cpu=60
	sacctmgr -i add qos resv set Flags=RequiresReservation
	sacctmgr -i add qos used set UsageThreshold=2 \
		Flags=EnforceUsageThreshold
	sacctmgr -i modify user root where account=lab cluster=libra set \
		qos=normal,short,small,deny,busy,resv,used
	sacctmgr -i modify user root where cluster=libra set defaultaccount=lab
	sacctmgr -i add qos rt
	sacctmgr -i add qos least set MinTRES=cpu=4
	sacctmgr -i modify user root where account=lab cluster=libra set \
		qos+=rt,least
	sacctmgr -i add qos foreign
} >"$cluster.db" 2>&1
check "slurmctld starts with accounting" restart_with_accounts

check "a job of an account" submit --time=5 --deadline=now+60minutes -n 2
matches "has a promise" 'accepted: share' "$said"
check "and runs" wait_state "$id" RUNNING
matches "without a limit its time limit is lifted" \
	'^(UNLIMITED|365-00:00:00)$' "$(job_field "$id" TimeLimit)"
ran() {
	[[ $(job_field "$id" RunTime) > 00:00:02 ]]
}
until_true 20 ran
scancel "$id"

# sacct counts CPUs times wall clock, whatever the share; a report finds in the
# record what was asked for and promised.
charged() {
	sacct -X -n -P -j "$id" -o ElapsedRaw,CPUTimeRAW,AdminComment \
		>"$cluster/charged"
	grep -q 'left=' "$cluster/charged"
}
check "sacct has the record of its end" until_true 30 charged
echo "# $(cat "$cluster/charged")"
same "sacct counts two CPUs times wall clock" yes \
	"$(awk -F'|' '{ print ($1 > 2 && $2 == 2 * $1) ? "yes" : $1 " " $2 }' "$cluster/charged")"
matches "the user's --time is in it, in seconds" ' estimate=300 ' \
	"$(cat "$cluster/charged")"
matches "and the share" ' share=0\.0[0-9]+ ' "$(cat "$cluster/charged")"

setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --chdir=/tmp \
	-o /dev/null --time=5 --deadline=now+60minutes -n 16 "$cluster/job" \
	>"$cluster/said" 2>&1
same "a user without an account is refused" 1 $?
matches "before a word of a promise" 'may not submit under this account or QOS' \
	"$(cat "$cluster/said")"
matches "and Slurm calls it what it is" 'violates accounting/QOS policy' \
	"$(cat "$cluster/said")"
submit --qos=least --time=5 --deadline=now+60minutes -n 2
matches "too few CPUs for a QOS ask for more" 'MinTRES=cpu=4 of .*: ask for more' \
	"$said"
submit --qos=foreign --time=5 --deadline=now+60minutes -n 2
matches "so is one who names a QOS that is not his" \
	'may not submit under this account or QOS' "$said"

# Rules of a partition, and of a QOS, with which a job would wait for ever.
ruled() { # RULE TEXT OPTIONS
	local rule=$1 text=$2
	shift 2
	submit --time=5 --deadline=now+15minutes -n 16 "$@"
	same "$rule: a job that it forbids is refused" 1 $?
	matches "$rule: and told why" "$text" "$said"
}
others() { # RULE OPTIONS
	local rule=$1
	shift
	check "$rule: another has all processors" submit --time=5 \
		--deadline=now+15minutes -n 16 "$@"
	check "$rule: and runs" wait_state "$id" RUNNING
	scancel "$id"
	until_true 20 idle
}
part() {
	scontrol update partitionname=main "$@"
}
check "AllowQos of a partition" part AllowQos=short
ruled AllowQos 'partition main has AllowQos=short, and your QOS is none'
others AllowQos --qos=short
check "DenyQos of a partition" part AllowQos=ALL DenyQos=short
ruled DenyQos 'partition main has DenyQos=short, and your QOS is one' \
	--qos=short
others DenyQos
check "AllowAccounts of a partition" part DenyQos= AllowAccounts=root
case $(sinfo --version) in
*22.05*) # from 23.02 on accounts below those that are named may, too
	ruled AllowAccounts 'partition main has AllowAccounts=root, and your' ;;
esac
check "or of the job's account" part AllowAccounts=lab
others AllowAccounts
part AllowAccounts=ALL
ruled RequiresReservation 'QOS resv has Flags=RequiresReservation' --qos=resv
ruled UsageThreshold 'QOS used has UsageThreshold=2' --qos=used
others "all of them"

limited() { # QOS NEAR FAR LIMIT: two CPUs, deadlines in minutes
	submit --qos="$1" --time=5 --deadline=now+"$3"minutes -n 2
	same "$1: a deadline after the limit is refused" 1 $?
	matches "$1: and told why" 'limits of your account or QOS' "$said"
	check "$1: a deadline within the limit" submit --qos="$1" --time=5 \
		--deadline=now+"$2"minutes -n 2
	echo "# $said"
	check "$1: its job runs" wait_state "$id" RUNNING
	echo "# $1: TimeLimit $(job_field "$id" TimeLimit)"
	same "$1: to the end of its limit" "$4" "$(job_field "$id" TimeLimit)"
	scancel "$id"
}
limited short 15 30 00:20:00
limited small 25 45 00:30:00
limited deny 15 30 00:20:00
check "busy: within the limit of the group" submit --qos=busy --time=5 \
	--deadline=now+25minutes -n 2
check "busy: it runs" wait_state "$id" RUNNING
submit --qos=busy --time=5 --deadline=now+25minutes -n 2
same "busy: one more is refused, not left to wait" 1 $?
scancel -u root
until_true 20 idle

# Deadlines of a QOS, named or the user's default, and of a partition.
is_up() {
	scontrol ping | grep -q UP
}
set_params() { # TOKENS
	sed -i "s/^\(SchedulerParameters=.*\),@.*/\1/; s/^SchedulerParameters=.*/&,@,$1/" \
		"$SLURM_CONF" && scontrol reconfigure && until_true 20 is_up
}
due() { # SECONDS OPTIONS: does a job get a deadline so far ahead?
	local far=$1
	shift
	submit "$@" && near "$(promise_field "$id" deadline | cut -d. -f1)" \
		$(($(date +%s) + far)) 10
}
check "targets of two QOS" set_params libra_target=rt:600,small:00:20:00
check "a job of one" due 600 --qos=rt --time=5 -n 2
matches "is told whose deadline it has" 'names no --deadline: .* by libra_target' \
	"$said"
check "it runs" wait_state "$id" RUNNING
check "a job of the other" due 1200 --qos=small --time=5 -n 2
check "a deadline of its own goes before" due 900 --qos=rt --time=5 -n 2 \
	--deadline=now+15minutes
check "a job of another QOS" submit --time=5 -n 2
same "has no deadline" "" "$(promise_field "$id" deadline)"
sacctmgr -i modify user root where account=lab cluster=libra set \
	defaultqos=rt >/dev/null
check "a job of the default QOS, once slurmctld knows that" until_true 20 \
	due 600 --time=5 -n 2
check "a job of a QOS is refused by its target" eval \
	'! submit --qos=rt --time=20 -n 16'
sacctmgr -i modify user root where account=lab cluster=libra set \
	defaultqos=normal >/dev/null
check "a partition's multiple of the limit" set_params \
	libra_default_deadline=main:4
check "a job there" due 1200 --qos=normal --time=5 -n 2
check "not in another" submit -p stock --time=5 -n 2
same "which promises nothing" "" "$(promise_field "$id" deadline)"
scancel -u root
until_true 20 idle

# Fairshare: two jobs share all processors, and are charged their work together.
# Slurm counts for it from the first time that it has looked at usage.
check "Slurm looks at usage" until_true 60 test -s \
	"$cluster/state/priority_last_decay_ran"
usage() {
	sshare -n -P -A lab -u root -o RawUsage,User | sed -n 's/|root$//p'
}
before=$(usage)
check "a job of all processors" submit --time=10 --deadline=now+30minutes -n 16
a=$id
check "another" submit --time=10 --deadline=now+31minutes -n 16
check "both run" wait_state "$id" RUNNING
ran_long() {
	[[ $(job_field "$id" RunTime) > 00:00:07 ]]
}
until_true 20 ran_long
scancel "$a" "$id"
until_true 20 idle
both() {
	[ "$(sacct -X -n -P -j "$a,$id" -o End | grep -vc Unknown)" -eq 2 ]
}
check "and end" until_true 20 both
wall=$(sacct -X -n -P -j "$a,$id" -o CPUTimeRAW | awk '{ n += $1 } END { print n }')
charged=$(($(usage) - before))
echo "# CPUs times wall clock $wall s, charged by fairshare $charged s"
same "charged is half of their CPUs times wall clock" yes \
	"$(awk "BEGIN { r = $charged / $wall; print (r > 0.4 && r < 0.65) ? \"yes\" : r }")"
finish
