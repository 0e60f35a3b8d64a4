#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned beside ordinary jobs of a QOS with the flag NoReserve, which
# backfill starts with a limit of a minute where there is preemption.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
start_cluster --policy planned --nodes 4 --params \
	libra_offer_ttl=2,libra_margin=10,libra_machine_reserve=no,libra_hold_back=0,bf_interval=2
sed -i -e '/^PartitionName=/s/ OverSubscribe=FORCE:64//' \
	-e 's/^PreemptMode=.*/PreemptMode=REQUEUE\nPreemptType=preempt\/qos/' \
	"$SLURM_CONF"
need_accounting limits,qos
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
	sacctmgr -i add qos fill set flags=NoReserve
	sacctmgr -i modify user root where cluster=libra set \
		qos=normal,fill defaultaccount=lab
} >"$cluster.db" 2>&1
check "slurmctld starts with accounting" restart_with_accounts
check "the plans are of cores" ctld_log_has \
	'policy planned on 16 processors of 4 nodes'

# Backfill looks again when something has changed.
runs_now() { # ID
	scontrol update job "$1" comment="$RANDOM"
	in_state "$1" RUNNING
}
waits() { # ID: for some looks of Slurm's
	! until_true 6 runs_now "$1"
}
submit --time=3 -N 2 -n 8
a=$id
check "a job has two nodes" wait_state "$a" RUNNING
check "behind it four are planned" submit --time=5 --deadline=now+11minutes \
	-N 4 -n 16
p=$id
check "a long one of that QOS comes" submit --qos=fill --time=60 -N 1 -n 4
o=$id
check "and waits" waits "$o"
same "the promise holds" "" "$(promise_field "$p" late)"
scancel "$p"
check "until nobody else does" wait_state "$o" RUNNING 60
same "its limit is its own" 01:00:00 "$(job_field "$o" TimeLimit)"
scancel "$a" "$o"
check "all ends" until_true 20 idle
finish
