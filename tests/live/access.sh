#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules of a partition that keep a job from ever starting.  A job that a rule
# forbids is refused before it is promised anything.  A promised job that waits
# when the rule is made releases its place within seconds, and asks again when
# the rule is gone.  Everybody else is accepted.

. "$(dirname "$0")/lib.sh"
need_slurm
id daemon >/dev/null 2>&1 && id games >/dev/null 2>&1 ||
	skip_all "needs the users daemon and games"
start_cluster --policy planned --params \
	libra_margin=10,libra_machine_reserve=no,libra_hold_back=0
mkdir -m 1777 "$cluster/work"

as() { # USER OPTIONS of sbatch; $id, $said as submit()
	local out status user=$1
	shift
	out=$(cd "$cluster/work" && setpriv --reuid="$user" \
		--regid="$(id -g "$user")" --clear-groups sbatch --parsable \
		-o /dev/null --time=10 --deadline=now+2hours "$@" \
		"$cluster/job" 2>"$cluster/said")
	status=$?
	id=${out%%;*}
	said=$(cat "$cluster/said")
	return $status
}
part() { # SETTING=VALUE...
	scontrol update partitionname=main "$@"
}
all="-N4 -n16"

# RULE USER OPTIONS: refused; then OTHER's job of the whole machine is accepted,
# and starts at once.
refused() {
	local rule=$1 user=$2 other=$3
	shift 3
	as "$user" "$@"
	same "$rule: a job that it forbids is refused" 1 $?
	matches "$rule: and told why" "partition main has $rule" "$said"
	check "$rule: another is accepted" as "$other" $all
	check "$rule: and starts" wait_state "$id" RUNNING
	scancel "$id"
	until_true 20 idle
}
check "a partition of one group" part AllowGroups=daemon
refused AllowGroups=daemon games daemon $all
part AllowGroups=ALL MaxNodes=4 MinNodes=2
refused MinNodes=2 daemon daemon -N1 -n1
part MinNodes=1 MaxNodes=1
as daemon -N2 -n2
same "MaxNodes: a job of two nodes is refused" 1 $?
matches "MaxNodes: and told why" 'partition main has MaxNodes=1' "$said"
check "MaxNodes: a job of one is accepted" as daemon -N1 -n4
check "MaxNodes: and starts" wait_state "$id" RUNNING
scancel "$id"
until_true 20 idle
part MaxNodes=UNLIMITED MaxMemPerNode=1000
all+=" --mem=900"
refused MaxMemPerNode=1000 daemon daemon -n1 --mem=1500
refused MaxMemPerNode=1000 daemon daemon -n1 --mem=0
refused MaxMemPerNode=1000 daemon daemon -n1 -c3 --mem-per-cpu=400
part MaxMemPerNode=0
all="-N4 -n16"

for state in DOWN DRAIN INACTIVE; do
	part State=$state
	as daemon -n1
	same "State=$state: nothing is promised there" 1 $?
	matches "State=$state: and why" "partition main has State=$state" "$said"
done
part State=DOWN
check "State=DOWN: a job without a deadline is Slurm's own" submit -n1
scancel "$id"
part State=UP AllocNodes=elsewhere
as daemon -n1
same "AllocNodes: a job from another node is refused" 1 $?
matches "AllocNodes: and told why" 'partition main has AllocNodes=elsewhere' \
	"$said"
part AllocNodes=ALL RootOnly=YES
as daemon -n1
matches "RootOnly: so is a user" 'partition main has RootOnly=YES' "$said"
part RootOnly=NO ReqResv=YES
as daemon -n1
matches "ReqResv: and a job without a reservation" \
	'partition main has ReqResv=YES' "$said"
part ReqResv=NO
same "nothing is held for them" 0 "$(squeue -h | wc -l)"

# A promised job that waits for its planned start, behind one that runs.
released() { # WHAT
	ctld_log_has "job $waits released its promise: $1 of its partition does not let it start; it asks again when it may"
}
no_start() {
	! has_field "$waits" start
}
promised() {
	has_field "$waits" start
}
# RULE TEXT SETTING UNDO
changed() {
	local rule=$1 setting=$2 undo=$3 began
	check "$rule: all processors are promised to a job that waits" \
		as games --time=30 --deadline=now+60minutes $all
	waits=$id
	as daemon --time=30 --deadline=now+60minutes $all
	same "$rule: another is refused" 1 $?
	check "$rule: the partition changes" part $setting
	began=$SECONDS
	check "$rule: the job releases its place" until_true 20 released "$4"
	echo "# after $((SECONDS - began)) s"
	check "$rule: its record says so" until_true 10 no_start
	[ -z "${5-}" ] || {
		check "$rule: another is accepted" as daemon --time=30 \
			--deadline=now+60minutes $5
		scancel "$id"
	}
	part $undo
	check "$rule: the job asks again when it may" until_true 40 promised
	scancel "$waits"
}
check "a job runs on all processors" as daemon --time=10 $all
first=$id
check "and begins" wait_state "$first" RUNNING
changed AllowGroups AllowGroups=daemon AllowGroups=ALL AllowGroups "$all"
changed MaxNodes MaxNodes=1 MaxNodes=UNLIMITED MaxNodes "-N1 -n4"
changed State State=DOWN State=UP "the state" ""
finish
