#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Who may do what: the owner of a job, another user, a coordinator of the
# account, an operator, root; with PrivateData and without.  Each tries it.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "libra was not built"
for u in daemon bin sys games; do
	id -u "$u" >/dev/null 2>&1 || skip_all "there is no user $u"
done
start_cluster --policy libra --params libra_grace=00:30:00
need_accounting associations
declare -A user=([owner]=daemon [other]=bin [coordinator]=sys
	[operator]=games [root]=root)
{
	sacctmgr -i add account lab cluster=libra
	for u in root daemon bin sys games; do
		sacctmgr -i add user $u account=lab cluster=libra
	done
	sacctmgr -i add coordinator account=lab names=sys
	sacctmgr -i modify user games set adminlevel=Operator
} >"$cluster.db" 2>&1
restart_ctld() {
	"$DEMO" restart-ctld -d "$cluster" &&
		wait_nodes
}
check "slurmctld starts with accounting" restart_ctld
install -m 0755 "$libra" "$cluster/libra"

as() { # ROLE COMMAND...
	local u=${user[$1]}
	shift
	(cd / && setpriv --reuid="$u" --regid=65534 --clear-groups "$@")
}
# A verdict is one word for each role.
each() { # COMMAND...
	local role out=
	for role in owner other coordinator operator root; do
		out+="$role "
		if as "$role" "$@" >"$cluster/said.$role" 2>&1; then
			out+="yes "
		else
			out+="no "
		fi
	done
	echo "${out% }"
}
row() { # NAME EXPECTED COMMAND...
	local name=$1 expected=$2 got
	shift 2
	got=$(each "$@")
	same "$name" "$expected" "$got"
}
all="owner yes other yes coordinator yes operator yes root yes"
not_other="owner yes other no coordinator yes operator yes root yes"
root_only="owner no other no coordinator no operator no root yes"
nobody="owner no other no coordinator no operator no root no"

promised() { # a job of the owner's, which runs
	id=$(as owner sbatch --parsable --chdir=/tmp -o /dev/null --time=5 \
		--deadline=now+60minutes -n 2 "$cluster/job" 2>"$cluster/said")
	wait_state "$id" RUNNING
}
row "submit" "$all" sbatch --chdir=/tmp -o /dev/null --time=1 \
	--deadline=now+9minutes -n 1 "$cluster/job" 1
until_true 20 idle
check "the owner's job runs" promised
record=$(scontrol show job "$id" | grep AdminComment)

# Private or not, the same holds for what changes something.
# Each time by more than the minute that a limit is rounded to.
changes() { # HOW COORDINATOR-MAY DEADLINE
	row "$1: shorten the estimate of a job that runs" "$not_other" \
		scontrol update job "$id" timelimit=4
	row "$1: write its AdminComment" "$nobody" scontrol update job "$id" \
		admincomment="libra:1 offer=0"
	row "$1: move a running job's deadline further" \
		"owner no other no coordinator $2 operator yes root yes" \
		scontrol update job "$id" deadline="$3"
	row "$1: hold a job that is not one's own" "$not_other" \
		scontrol update job "$id" comment=x
	row "$1: read the decision log" "$root_only" \
		cat "$cluster/log/libra.jsonl"
	row "$1: write it" "$root_only" test -w "$cluster/log/libra.jsonl"
}
sees() { # ROLE: does libra name the owner's job, as squeue does?
	as "$1" squeue -h -o %i >"$cluster/squeue" 2>/dev/null
	as "$1" "$cluster/libra" status --long >"$cluster/status" 2>&1
	as "$1" "$cluster/libra" explain "$id" >"$cluster/explain" 2>&1
	grep -q "^$id\$" "$cluster/squeue" && a=yes || a=no
	grep -q "^$id  *daemon" "$cluster/status" && b=yes || b=no
	grep -q "^Job $id of daemon" "$cluster/explain" && c=yes || c=no
	echo "squeue $a status $b explain $c"
}
everybody="squeue yes status yes explain yes"
nothing="squeue no status no explain no"

changes "public" no now+70minutes
for role in owner other coordinator operator root; do
	same "public: $role sees the job" "$everybody" "$(sees $role)"
done

sed -i '$a PrivateData=jobs' "$SLURM_CONF"
check "slurmctld starts again with PrivateData" restart_ctld
check "the job runs on" wait_state "$id" RUNNING
changes "private" no now+80minutes
same "private: other sees nothing of the job" "$nothing" "$(sees other)"
matches "private: and is told so" 'hidden' "$(cat "$cluster/status")"
for role in owner coordinator operator root; do
	same "private: $role sees it" "$everybody" "$(sees $role)"
done

# slurmctld answers what would be, and does not tell whose jobs are in the way.
as other "$cluster/libra" what-if --time=5 --deadline=now+9minutes -n 1 \
	>"$cluster/what" 2>&1
matches "private: what-if has an answer" '^would be ' "$(cat "$cluster/what")"
as other "$cluster/libra" explain --refused >"$cluster/what" 2>&1
same "private: other reads no refusals of others" 1 $?
check "the promise is the owner's still" test -n "$(promise_field "$id" on)"

# What a node is told of shares, in the environment of a submission.
for v in SHARE DEADLINE ESTIMATE; do
	forged=$(as other env SPANK_LIBRA_$v=1 LIBRA_$v=1 sbatch --parsable \
		--chdir=/tmp -o /dev/null -p stock --time=1 -n 1 \
		"$cluster/job" 1 2>/dev/null)
	same "SPANK_LIBRA_$v from outside makes no promise" "" \
		"$(promise_field "$forged" offer)"
done

# The cluster ends with the jobs of all users, whether slurmctld is there or not.
sleeps() {
	pgrep -f "^sleep $1\$"
}
job_of_other() { # SECONDS
	as other sbatch --chdir=/tmp -o /dev/null -p stock --time=200 -n 1 \
		"$cluster/job" "$1" && until_true 20 sleeps "$1"
}
check "another user's job runs" job_of_other 7321
stop_cluster
check "and ends with the cluster" eval '! sleeps 7321'
start_cluster --policy libra
check "on another cluster one runs" job_of_other 7322
kill -KILL "$(cat "$cluster/run/slurmctld.pid")"
stop_cluster
check "and ends with it, without slurmctld" eval '! sleeps 7322'
finish
