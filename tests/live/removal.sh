#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How the plugins are taken out while jobs run:
#
#   1. slurm.conf, on all hosts: JobSubmitPlugins without libra,
#      SelectType=select/cons_tres; the files stay in PluginDir.  Restart
#      slurmctld (a reconfigure cannot change SelectType) and every slurmd (up
#      to 24.11 each knows the plugin of its own SelectType only, and reads no
#      order that names another).  Jobs run on; their time limits are as they
#      were lifted, so set new ones where that matters.
#   2. When the last job from before has left squeue and scontrol (MinJobAge),
#      remove the files.
#
# Up to 24.11 the state file names the plugin that each job was chosen by, and
# slurmctld does not start without that plugin: hence the two steps.  Putting
# the plugins back is the first step the other way.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --slurm-conf-extra MinJobAge=2 \
	--slurm-conf-extra SlurmdTimeout=10

restart() {
	"$DEMO" restart-ctld -d "$cluster" && "$DEMO" restart-nodes -d "$cluster"
}
submit --time=9 --deadline=now+30minutes -n 16
a=$id
check "a promised job runs" wait_state "$a" RUNNING
on=$(runs_on "$a")
submit -H --time=9 --deadline=now+30minutes -n 2
held=$id

cp "$SLURM_CONF" "$cluster/with"
sed -i -e /^JobSubmitPlugins=libra/d \
	-e s,^SelectType=.*,SelectType=select/cons_tres, "$SLURM_CONF"
check "without the plugins slurmctld starts" restart
same "the job runs on" RUNNING "$(job_state "$a")"
same "where it did" "$on" "$(runs_on "$a")"
same "a held one is still there" PENDING "$(job_state "$held")"
check "new jobs are Slurm's" submit --time=5 --deadline=now+30minutes -n 1
same "nothing is said" "" "$said"
check "they run" wait_state "$id" RUNNING 60
scancel "$id"

cp "$cluster/with" "$SLURM_CONF"
check "put back, slurmctld starts" restart
same "the job runs on" RUNNING "$(job_state "$a")"
same "on its promise" "$on" "$(promised_on "$a")"
submit --time=27 --deadline=now+30minutes -n 16
same "which holds" 1 $?

sed -i -e /^JobSubmitPlugins=libra/d \
	-e s,^SelectType=.*,SelectType=select/cons_tres, "$SLURM_CONF"
check "taken out again" restart
scancel -p main
scancel -p stock
none_known() {
	scontrol show job 2>&1 | grep -q 'No jobs'
}
check "the last job from before is forgotten" until_true 100 none_known
sed -i 's,^PluginDir=[^:]*:,PluginDir=,' "$SLURM_CONF"
rm -f "$cluster"/state/libra_*
check "slurmctld starts without the files" restart
check "and runs jobs" submit --time=5 -n 1
check "as ever" wait_state "$id" RUNNING 60
finish
