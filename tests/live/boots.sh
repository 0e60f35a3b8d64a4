#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policy planned where Slurm powers nodes down: what is promised, and the plan
# behind it, have room for a boot, which may take 90 seconds, on a node that may
# have begun to power down, which takes 20.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
start_cluster --policy planned --nodes 2 \
	--params libra_margin=10,libra_hold_back=0,libra_machine_reserve=no
sed -i -e '/^PartitionName=main/s/ OverSubscribe=FORCE:64/ OverSubscribe=EXCLUSIVE/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<END
SuspendTime=36000
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTimeout=20
ResumeTimeout=90
END
check "slurmctld starts" "$DEMO" restart-ctld -d "$cluster"
check "and the slurmds" restart_slurmds n1 n2
check "plans have room for both" ctld_log_has \
	'plans count 110 s more than libra_margin=10'

state_has() { # NODE STATE
	scontrol show node "$1" | grep -q "State=[^ ]*$2"
}
scontrol update nodename=n[1-2] state=power_down_asap 2>/dev/null ||
	scontrol update nodename=n[1-2] state=power_down
check "a node powers down" until_true 60 state_has n1 'POWERING_DOWN'
submit --time=1 --deadline=now+2minutes -N 2
matches "that counts for who needs it at once" 'boot for up to 110 s' "$said"
check "a node is powered down" until_true 60 state_has n1 'POWERED_DOWN'
check "and the other" until_true 60 state_has n2 'POWERED_DOWN'
submit --time=1 --deadline=now+2minutes -N 2
same "nobody is promised what a boot may be too long for" "" "$id"
matches "and reads why" 'nodes are powered down, and boot for up to 90 s' "$said"
submit --time=1 --deadline=now+6minutes -N 2
a=$id
matches "with more time he is" accepted "$said"
submit --time=1 --deadline=now+20minutes -N 2
b=$id
matches "and who comes behind" accepted "$said"
check "who has room for a boot before him" test "$(planned_start "$b")" -ge \
	$(($(date +%s) + 170))
check "the nodes boot" until_true 30 state_has n1 'POWERING_UP'
same "no promise is broken" 0 \
	"$(grep -c 'promise broken' "$cluster/log/slurmctld.log")"
[ ! -x "$librasim" ] ||
	check "the log can be replayed" "$librasim" replay "$cluster/log/libra.jsonl"
finish
