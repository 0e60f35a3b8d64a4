#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an ordinary user may try: to raise a weight or lower another's, to forge
# what he was promised, to make root write where he wants.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

need_weights
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
start_shares --nodes 1 --cpus 1

as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
user_busy() { # OPTIONS of sbatch
	local out
	out=$(cd / && as_user sbatch --parsable -o /dev/null "$@" \
		"$cluster/busy" 2>"$scratch/said") || return 1
	id=${out%%;*}
}
home=$scratch/user
mkdir "$home" && chown 65534:65534 "$home"

busy 500 1000 && root_job=$id
user_busy --estimate=100s --deadline=now+1000 && own=$id
check "a job of root's and one of a user's run" wait_begun "$root_job" "$own"
w_own=$(weight "$own") w_root=$(weight "$root_job")
same "as promised" 5 $(((w_root + w_own / 2) / w_own))

# Weights.
check "he cannot raise his weight" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		sh -c 'echo 1024 >$(group "$own")/cpu.shares'"
check "nor lower another's" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		sh -c 'echo 2 >$(group "$root_job")/cpu.shares'"
check "nor make a group of his own" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		mkdir $(group "$own")/mine"
pid=$(head -n 1 "$(group "$own")/cgroup.procs")
for where in / "/libra/n1/job_$root_job"; do
	check "nor move his process to $where" \
		sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
			sh -c 'echo $pid >$cgroup/cpu$where/cgroup.procs'"
done
check "nor read or change the note on his group" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		python3 -c 'import os; os.getxattr(\"$(group "$own")\",
			\"trusted.libra\")' && \
	! setpriv --reuid=65534 --regid=65534 --clear-groups \
		python3 -c 'import os; os.setxattr(\"$(group "$own")\",
			\"trusted.libra\", b\"x\")'"
check "nor enter the state folder" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups ls $state"
check "nor take the lock" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		flock -n $state/n1/lock true"
same "weights are as they were" "$w_root $w_own" \
	"$(weight "$root_job") $(weight "$own")"

# A promise from the environment of his shell or his job.
export SPANK_LIBRA_SHARE=1 SPANK_LIBRA_ESTIMATE=1000 LIBRA_SHARE=1
export SPANK_LIBRA_DEADLINE=4000000000 SLURMD_NODENAME=../../n2
user_busy --job-name=../../../../etc/x --comment=libra:1 && plain=$id
unset SPANK_LIBRA_SHARE SPANK_LIBRA_ESTIMATE SPANK_LIBRA_DEADLINE LIBRA_SHARE
unset SLURMD_NODENAME
check "a job without a promise runs" wait_begun "$plain"
same "the environment claims nothing" 2 "$(weight "$plain")"
check "names lead nowhere" sh -c "! ls $state/../n2 $state/n2 2>/dev/null"
scancel "$plain"

# A SPANK plugin in his own sbatch.
compile_with_slurm "$home/forge.so" "$(dirname "$0")/forge.c" -shared -fPIC \
	2>"$scratch/cc" || {
	echo "Bail out! $(head -n 1 "$scratch/cc")"
	exit 1
}
echo "required $home/forge.so" >"$home/plugstack.conf"
sed "s,^PlugStackConfig=.*,PlugStackConfig=$home/plugstack.conf," \
	"$SLURM_CONF" >"$home/slurm.conf"
forged() { # OPTIONS
	local real=$SLURM_CONF status
	export SLURM_CONF=$home/slurm.conf
	user_busy "$@"
	status=$?
	export SLURM_CONF=$real
	return $status
}
check "he submits with a plugin of his own" forged
plain=$id
check "that job runs" wait_begun "$plain"
same "a forged promise is not believed" 2 "$(weight "$plain")"
scancel "$plain"
check "and in a partition that is not managed" forged -p stock
plain=$id
check "that one runs" wait_state "$plain" RUNNING
check "a forged promise makes no group" test ! -e "$(group "$plain")"
scancel "$plain"
forged --time=1 --deadline=now+1000
plain=$id
check "a job with a promise and a forged one runs" wait_begun "$plain"
same "slurmctld's is believed" "share=0.06" \
	"$(grep -o 'share=0.0[0-9]' "$state/n1/job_$plain")"
same "and its rule" rule=yield \
	"$(grep -o 'rule=[a-z]*' "$state/n1/job_$plain")"
scancel "$plain"

# Estimate and deadline of a job that has them.
check "he cannot change what was promised" \
	sh -c "! setpriv --reuid=65534 --regid=65534 --clear-groups \
		scontrol update jobid=$own admincomment=x"
! user_busy --estimate=1e9
ok $? "a senseless estimate is refused"
matches "with a text" 'estimate' "$(cat "$scratch/said")"
check "all end, nothing is left" end_all
same "nothing was reported" "" "$(told)"
finish
