#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Limits of accounts and QOS that count jobs, processors and nodes: what is
# accepted starts, and what Slurm would hold back is refused before a word of a
# promise.  Jobs that are promised something and wait count as if they ran.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
start_cluster --policy libra --slurm-conf-extra Licenses=key:9 \
	--params libra_offer_ttl=3
need_accounting limits,qos
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add account pair cluster=libra MaxJobs=2
	sacctmgr -i add user root,daemon account=lab cluster=libra
	sacctmgr -i add user daemon account=pair cluster=libra
	sacctmgr -i add qos peruser set MaxJobsPerUser=2
	sacctmgr -i add qos group set GrpJobs=1
	sacctmgr -i add qos submit set MaxSubmitJobsPerUser=1
	sacctmgr -i add qos cpus set GrpTRES=cpu=4
	sacctmgr -i add qos mine set MaxTRESPerUser=cpu=4
	sacctmgr -i add qos each set MaxTRES=cpu=2
	sacctmgr -i add qos large set MinTRES=cpu=3
	sacctmgr -i add qos onenode set GrpTRES=node=1
	sacctmgr -i add qos strict set GrpTRES=cpu=4 Flags=DenyOnLimit
	sacctmgr -i add qos minutes set GrpTRESMins=cpu=120
	sacctmgr -i add qos one set MaxJobsPerUser=1
	sacctmgr -i add qos wall set MaxWall=00:20:00
	sacctmgr -i add qos tight set MaxTRES=cpu=2 Flags=DenyOnLimit
	sacctmgr -i add qos later
	all=normal,peruser,group,submit,cpus,mine,each,large,onenode
	all+=,strict,tight,minutes,one,wall,later
	sacctmgr -i modify user root,daemon where cluster=libra set qos=$all
	sacctmgr -i modify user root,daemon where cluster=libra set \
		defaultaccount=lab
} >"$cluster.db" 2>&1
check "slurmctld starts with accounting" restart_with_accounts

promise="--time=2 --deadline=now+15minutes"
runs() { # NAME OPTIONS
	local name=$1
	shift
	check "$name: within the limit" submit $promise "$@"
	matches "$name: accepted" 'libra: accepted: share' "$said"
	check "$name: it runs" wait_state "$id" RUNNING
}
refused() { # NAME LIMIT OPTIONS
	local name=$1 limit=$2
	shift 2
	submit $promise "$@"
	same "$name: beyond the limit it is refused" 1 $?
	matches "$name: and told which limit" \
		"libra: the limit $limit=[0-9a-z/=]+M? of your account or QOS" "$said"
	same "$name: and nothing else" 0 "$(grep -c accepted <<<"$said")"
}
over() {
	scancel -u root
	scancel -u daemon
	until_true 20 idle
}

# Jobs.
runs "jobs of a user" --qos=peruser -n 1
kept=$id
runs "jobs of a user, the second" --qos=peruser -n 1
refused "jobs of a user" MaxJobsPerUser --qos=peruser -n 1
scancel "$kept"
check "one has ended, and there is room" until_true 20 submit $promise \
	--qos=peruser -n 1
check "it runs" wait_state "$id" RUNNING
over
runs "jobs of a QOS" --qos=group -n 1
refused "jobs of a QOS" GrpJobs --qos=group -n 1
# One that asks for no promise is Slurm's, and waits.
check "without a deadline it waits" submit --time=2 --qos=group -n 1
check "for the limit" until_true 20 sh -c \
	"scontrol show job $id | grep -q Reason=QOSGrpJobs"
over
check "one that begins later" submit --time=2 --begin=now+30minutes \
	--deadline=now+1hour --qos=group -n 1
matches "is promised nothing yet" 'no promise yet' "$said"
runs "and takes no room of a QOS" --qos=group -n 1
over
runs "submissions" --qos=submit -n 1
refused "submissions" MaxSubmitJobsPerUser --qos=submit -n 1
over

# An account's own limit, of another user; he is no operator.
as() { # COMMAND
	setpriv --reuid=1 --regid=1 --clear-groups "$@"
}
as_submit() { # OPTIONS
	id=$(as sbatch --chdir=/tmp --parsable -o /dev/null $promise "$@" \
		"$cluster/job" 2>"$cluster/said")
	local status=$?
	said=$(cat "$cluster/said")
	return $status
}
check "an association: the first" as_submit --account=pair -n 1
check "the second" as_submit --account=pair -n 1
as_submit --account=pair -n 1
same "no third" 1 $?
matches "for MaxJobs" 'the limit MaxJobs=2 of your account' "$said"
as_submit --account=pair --array=0-1 -n 1
same "nor an array" 1 $?
over
as_submit --account=pair --array=0-2 -n 1
same "nor one of three tasks, were there none" 1 $?
check "of two there is" as_submit --account=pair --array=0-1 -n 1
all_run() { # N
	[ "$(squeue -h -u daemon -t RUNNING -r -o %i | wc -l)" -eq "$1" ]
}
check "and they run" until_true 20 all_run 2
over

# At one time.
pids=
for i in $(seq 8); do
	as sbatch --chdir=/tmp --parsable -o /dev/null $promise \
		--account=pair -n 1 "$cluster/job" >"$cluster/at-once.$i" 2>&1 &
	pids+=" $!"
done
wait $pids
same "of eight at one time two are accepted" 2 \
	"$(cat "$cluster"/at-once.* | grep -c '^[0-9]')"
check "and these run" until_true 20 all_run 2
over

# Processors, nodes.
runs "processors of a QOS" --qos=cpus -n 3
refused "processors of a QOS" GrpTRES --qos=cpus -n 2
runs "processors of a QOS, what is left" --qos=cpus -n 1
over
refused "more than all" GrpTRES --qos=cpus -n 5
matches "it is no use to wait for that" 'lets no such job run' "$said"
runs "processors of a user" --qos=mine -n 4
refused "processors of a user" MaxTRESPerUser --qos=mine -n 1
over
refused "processors of a job" MaxTRES --qos=each -n 3
runs "processors of a job" --qos=each -n 2
refused "too small a job" MinTRES --qos=large -n 2
runs "large enough a job" --qos=large -n 3
over
runs "nodes" --qos=onenode -n 4
same "nodes: on one" 1 "$(job_field "$id" NumNodes)"
over
submit $promise --qos=onenode -n 8
same "nodes: two are too many" 1 $?
same "nodes: and that is no accepted job" 0 \
	"$(grep -c "libra: accepted" <<<"$said")"
refused "DenyOnLimit" GrpTRES --qos=strict -n 5
runs "DenyOnLimit" --qos=strict -n 4
refused "DenyOnLimit, in use" GrpTRES --qos=strict -n 1
over

# CPU minutes that are left: 15 minutes until the deadline, on so many CPUs.
runs "CPU minutes" --qos=minutes -n 2
over
submit $promise --qos=minutes -n 16
same "CPU minutes: more than are left are refused" 1 $?
matches "CPU minutes: and why" 'limits of your account or QOS end this job' \
	"$said"

# What is promised and waits counts, for promised jobs and for others.
check "promised jobs wait for a license" hold_keys
check "a promised job waits" submit $promise -L key:1 --qos=one -n 1
waiting=$id
refused "beside one that waits" MaxJobsPerUser --qos=one -n 1
check "an ordinary job, in another partition" submit -p stock --time=2 \
	--qos=one -n 1
other=$id
later_than_now() {
	until_true 10 later_than $(($(date +%s) + 5))
}
later_than_now
same "leaves it the room that it will need" PENDING "$(job_state "$other")"
free_keys
check "the promised one starts" wait_state "$waiting" RUNNING
same "and the other waits" PENDING "$(job_state "$other")"
scancel "$waiting"
check "until that is over" wait_state "$other" RUNNING
over

# Updates, by who is no operator.
check "promised jobs wait for a license" hold_keys
check "a waiting job with a limit" as_submit -L key:1 --qos=wall -n 1
waiting=$id
as scontrol update job "$waiting" deadline=now+60minutes >"$cluster/said" 2>&1
same "takes no deadline after the limit" 1 $?
check "but one before" as scontrol update job "$waiting" \
	deadline=now+18minutes
check "another without" as_submit -L key:1 --qos=normal -n 1
free=$id
as scontrol update job "$free" deadline=now+60minutes
as scontrol update job "$free" qos=wall >"$cluster/said" 2>&1
same "takes no QOS that would end it before its deadline" 1 $?
same "and stays in its own" normal "$(job_field "$free" QOS)"
check "one that does not is taken" as scontrol update job "$free" qos=later
check "and a full one" as_submit -L key:1 --qos=one -n 1
as scontrol update job "$free" qos=one >"$cluster/said" 2>&1
same "is not" 1 $?
# Slurm would refuse these, too, but when the engine has changed.
check "a waiting job at its limit of CPUs" as_submit -L key:1 --qos=tight -n 2
tight=$id
offers=$(log_calls offer)
for size in numtasks=4 cpuspertask=2 numcpus=4; do
	as scontrol update job "$tight" $size >"$cluster/said" 2>&1
	same "takes no $size" 1 $?
done
same "and the engine was not asked" "$offers" "$(log_calls offer)"
check "one task less it takes" as scontrol update job "$tight" numtasks=1 \
	numcpus=1
free_keys
check "they start" until_true 20 all_run 4
over

# Limits that come when a job was accepted.
check "promised jobs wait for a license" hold_keys
check "accepted, and waits" submit $promise -L key:1 \
	--qos=later -n 16
waiting=$id
check "its QOS gets a limit" sacctmgr -i modify qos later set MaxWall=00:12:00
known() { # TEXT
	scontrol show assoc_mgr qos=later flags=qos | grep -q "$1"
}
check "which slurmctld knows" until_true 20 known MaxWallPJ=12
free_keys
check "it starts, as the limit is enough for its work" wait_state "$waiting" \
	RUNNING
same "and keeps to it" 00:12:00 "$(job_field "$waiting" TimeLimit)"
over
sacctmgr -i modify qos later set MaxWall=-1 MaxJobsPerUser=0 >/dev/null
until_true 20 known MaxJobsPU=0
sacctmgr -i modify qos later set MaxJobsPerUser=-1 >/dev/null
until_true 20 known MaxJobsPU=N
check "promised jobs wait for a license" hold_keys
check "accepted, and waits" submit --time=9 --deadline=now+15minutes \
	-L key:1 --qos=later -n 16
waiting=$id
sacctmgr -i modify qos later set MaxJobsPerUser=0 >/dev/null
check "no job of its QOS may run any more" until_true 20 known MaxJobsPU=0
free_keys
check "what it was promised is soon for others" until_true 20 submit \
	--time=9 --deadline=now+15minutes -n 16
check "and the log says why" ctld_log_has \
	"job $waiting released its promise: a limit"
scancel "$id"
sacctmgr -i modify qos later set MaxJobsPerUser=-1 >/dev/null
check "it starts when it may" wait_state "$waiting" RUNNING 40
over
check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
