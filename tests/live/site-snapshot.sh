#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/site-snapshot on a cluster with slurmdbd: each file, with the columns
# that this release has.

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
	sacctmgr -i add qos small set MaxTRESPerUser=cpu=4 GrpTRES=cpu=8
	sacctmgr -i modify user root where account=lab cluster=libra set \
		qos=normal,small
	sacctmgr -i modify user root where cluster=libra set defaultaccount=lab
} >"$cluster.db" 2>&1
check "slurmctld starts with accounting" restart_with_accounts
id=$(sbatch --parsable -o /dev/null --time=1 -n 2 "$cluster/job" 2>"$cluster/said")
until_true 30 wait_state "$id" RUNNING
scancel "$id"
# As the snapshot asks: with -E now a job appears some seconds later.
in_accounting() {
	sacct -a -X -n -P -S now-1hours -E now -o JobIDRaw,State,End |
		grep -q "^$id|CANCELLED.*|20"
}
check "a job is in accounting" until_true 30 in_accounting

check "a snapshot is complete" "$srcdir/contrib/site-snapshot" \
	-o "$cluster/site" --from now-1hours
sed 's/^/# /' "$cluster/site/snapshot.txt"
for f in config partitions nodes tres qos assoc sshare jobs; do
	check "$f.txt is there" test -s "$cluster/site/$f.txt"
done
check "QOS have their limits" grep -q '|cpu=8|.*|cpu=4|' \
	"$cluster/site/qos.txt"
check "the account has a parent" grep -q '|libra|lab|||root|' \
	"$cluster/site/assoc.txt"
check "the job has its request" grep -q "^$id.*cpu=2" "$cluster/site/jobs.txt"
finish
