#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra-doctor, about hosts that it cannot be run on.  Slurm is a stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

doctor=$srcdir/plugin/spank/libra-doctor
if ! bash -c '[ "${BASH_VERSINFO[0]}" -ge 4 ]' 2>/dev/null; then
	skip "libra-doctor" "no bash 4"
	finish
fi

# Hierarchies of version 1: cpu and cpuacct apart, and as one.
mkdir -p "$tmp/bin" "$tmp/apart/cpu" "$tmp/apart/cpuacct" \
	"$tmp/one/cpu,cpuacct" || exit 99
for d in "$tmp/apart/cpu" "$tmp/apart/cpuacct" "$tmp/one/cpu,cpuacct"; do
	touch "$d/cpu.shares" "$d/cpuacct.usage"
done
ln -s cpu,cpuacct "$tmp/one/cpu"
ln -s cpu,cpuacct "$tmp/one/cpuacct"
# What slurmctld and slurmdbd say is in files.
cat >"$tmp/bin/scontrol" <<'END'
#!/bin/sh
case "$*" in
"show config")
	echo "JobAcctGatherType       = $GATHER"
	echo "PluginDir               = ${PLUGINS:-/nonexistent}"
	cat "$SAID/config"
	;;
"-o show node") cat "$SAID/nodes" ;;
"-o show partition") cat "$SAID/partitions" ;;
esac
END
cat >"$tmp/bin/sacctmgr" <<'END'
#!/bin/sh
case "$*" in
*cluster*) exit "${DBD:-0}" ;;
*qos*) cat "$SAID/qos" ;;
*association*) cat "$SAID/associations" ;;
esac
END
printf '#!/bin/sh\n' >"$tmp/bin/sinfo"
chmod +x "$tmp/bin/sinfo" "$tmp/bin/scontrol" "$tmp/bin/sacctmgr"
export SAID="$tmp"
for f in config nodes partitions qos associations; do
	: >"$tmp/$f"
done

# says LINE FOLDER GATHER: the line's beginning
says() {
	GATHER=$3 PATH="$tmp/bin:$PATH" bash "$doctor" --cgroup "$tmp/$2" \
		>"$tmp/said"
	test $? -eq 1 || return 1 # there are no plugins
	cat "$tmp/said"
	grep -q "^$1" "$tmp/said"
}

wrong='WRONG  JobAcctGatherType=jobacct_gather/cgroup with cpu and cpuacct'
check "cpu and cpuacct as one: Slurm's accounting takes jobs away" \
	says "$wrong" one jobacct_gather/cgroup
check "what to change" says "       -> JobAcctGatherType=jobacct_gather/linux" \
	one jobacct_gather/cgroup
check "another kind of accounting does not" \
	says "ok     JobAcctGatherType=jobacct_gather/linux" \
	one jobacct_gather/linux
check "nor does it in a hierarchy of its own" \
	says "ok     JobAcctGatherType=jobacct_gather/cgroup" \
	apart jobacct_gather/cgroup

# Version 2, and what systemd and Slurm made there.
scope=$tmp/two/system.slice/n1_slurmstepd.scope
mkdir -p "$scope"
echo "cpuset cpu memory" | tee "$tmp/two/cgroup.controllers" \
	>"$tmp/two/cgroup.subtree_control"
echo 1000 >"$tmp/two/system.slice/cpu.weight"
echo 100 >"$scope/cpu.weight"
check "version 2: a scope that weighs no more than another service" \
	says "note   n1_slurmstepd.scope weighs 100: " two jobacct_gather/none
silent() {
	! says "note   .* weighs " two jobacct_gather/none
}
echo 1000 >"$scope/cpu.weight"
check "one that weighs more" silent

# What slurmctld says of itself, and of others.
knows() { # LINES OF THE CONFIGURATION, BEGINNING OF THE ANSWER
	printf '%s\n' "$1" >"$tmp/config"
	says "$2" apart jobacct_gather/none
}
check "no time limit holds with OverTimeLimit=UNLIMITED" knows \
	"OverTimeLimit = UNLIMITED" "WRONG  OverTimeLimit=UNLIMITED: "
check "and the cure" says "       -> remove it, or OverTimeLimit=0" \
	apart jobacct_gather/none
check "the default is right" knows "OverTimeLimit = 0 min" \
	"ok     OverTimeLimit=0"
check "a long bf_interval" knows "SchedulerParameters = bf_interval=60" \
	"note   bf_interval=60: .* up to 60 s"
check "the usual one" knows "SchedulerParameters = x" "ok     bf_interval=30"
check "libra is to be the last plugin" knows "JobSubmitPlugins = libra,lua" \
	"WRONG  JobSubmitPlugins=libra,lua: "
check "jobs would get whole sockets" knows \
	"SelectTypeParameters = CR_SOCKET" "WRONG  SelectTypeParameters=CR_SOCKET"

echo "PartitionName=main Nodes=n1 OverSubscribe=NO State=UP" >"$tmp/partitions"
check "a partition without sharing" knows \
	"SchedulerParameters = libra_partitions=main" \
	"WRONG  partition main: OverSubscribe=NO"
for alone in User=YES Topo=YES =USER; do
	echo "PartitionName=main Nodes=n1 Exclusive$alone OverSubscribe=FORCE:64 State=UP" \
		>"$tmp/partitions"
	check "a partition where jobs keep others off: Exclusive$alone" knows \
		"SchedulerParameters = libra_partitions=main" \
		"WRONG  partition main: Exclusive$alone: a job keeps others"
	check "beside that it is judged as ever" says \
		"ok     partition main: OverSubscribe=FORCE:64" apart \
		jobacct_gather/none
done
keeps_nobody_off() {
	! knows "SchedulerParameters = libra_policy=planned" \
		"WRONG  partition main: Exclusive"
}
echo "PartitionName=main Nodes=n1 ExclusiveUser=YES OverSubscribe=EXCLUSIVE State=UP" \
	>"$tmp/partitions"
check "but where jobs have whole nodes" keeps_nobody_off
echo "PartitionName=main Nodes=n1 Exclusive=NODE OverSubscribe=NO State=UP" \
	>"$tmp/partitions"
check "as newer releases say it" says "ok     partition main: OverSubscribe=EXCLUSIVE" \
	apart jobacct_gather/none
echo "PartitionName=main Nodes=n1 OverSubscribe=NO State=UP" >"$tmp/partitions"
check "a partition that does not exist" knows \
	"SchedulerParameters = libra_partitions=main+nosuch" \
	"WRONG  libra_partitions names nosuch"

dbd="AccountingStorageType = accounting_storage/slurmdbd
AccountingStorageHost = db1
AccountingStorageEnforce = associations,limits,qos"
DBD=1 && export DBD
check "slurmdbd that does not answer" knows "$dbd" \
	"WRONG  slurmdbd does not answer"
check "and where to start it" says "       -> start slurmdbd on db1" \
	apart jobacct_gather/none
DBD=0
echo "normal|||" >"$tmp/qos"
check "a QOS without limits" knows "$dbd" \
	"ok     no limit of run time on any qos"
echo "long|7-00:00:00||" >>"$tmp/qos"
echo "short|||cpu=100" >>"$tmp/qos"
check "limits of QOS" knows "$dbd" "note   .* on qos long short: "
echo "physics|ann||cpu=60|" >"$tmp/associations"
check "limits of associations" knows "$dbd" \
	"note   .* on association physics/ann: "
check "limits that are not enforced" knows \
	"$(echo "$dbd" | sed 's/limits,//')" \
	"ok     AccountingStorageEnforce=associations,qos: no limits"

echo "NodeName=n1 Arch=x86_64 Version=22.05.8 OS=Linux" >"$tmp/nodes"
check "nodes of one release" knows "SLURM_VERSION = 22.05.8" \
	"ok     all nodes that have registered run Slurm 22.05.8"
echo "NodeName=n2 Arch=x86_64 Version=22.05.3 OS=Linux" >>"$tmp/nodes"
check "another release on a node" says \
	"note   other releases .* 22.05.8: n2 (22.05.3)" \
	apart jobacct_gather/none

# A plugin has the number of its release: 22.05.8 is 0x160508.
mkdir "$tmp/plugins"
printf 'ELF\010\005\026\000and more' >"$tmp/plugins/job_submit_libra.so"
printf 'ELF\003\005\026\000and more' >"$tmp/plugins/select_cons_tres_libra.so"
PLUGINS=$tmp/plugins && export PLUGINS
check "a plugin of this release" says "ok     $PLUGINS/job_submit_libra.so" \
	apart jobacct_gather/none
check "one of another" says \
	"WRONG  $PLUGINS/select_cons_tres_libra.so was not built for Slurm 22.05.8" \
	apart jobacct_gather/none
unset PLUGINS

# Folders, on slurmctld's own host.
host="SlurmctldHost[0] = $(hostname -s)"
check "a folder that does not exist" knows "$host
StateSaveLocation = $tmp/none" "WRONG  StateSaveLocation: the folder $tmp/none"
check "that of the decision log" knows "$host
SchedulerParameters = libra_log=$tmp/none/log" "WRONG  libra_log: the folder"
if [ "$(id -u)" = 0 ] && command -v runuser >/dev/null &&
	id nobody >/dev/null 2>&1; then
	check "one in which slurmctld cannot write" knows "$host
SlurmUser = nobody(65534)
StateSaveLocation = $tmp" "WRONG  StateSaveLocation: nobody cannot write"
else
	skip "one in which slurmctld cannot write" "needs root and runuser"
fi
check "another host's folders are not looked at" knows \
	"SlurmctldHost[0] = elsewhere
SchedulerParameters = bf_interval=60
StateSaveLocation = $tmp/none" "note   bf_interval=60"
not_said() {
	! grep -q "$1" "$tmp/said"
}
check "nothing was said of them" not_said StateSaveLocation
echo "optional $tmp/plugins/spank_libra.so state=$tmp/link" \
	>"$tmp/plugstack.conf"
touch "$tmp/plugins/spank_libra.so"
ln -s /tmp "$tmp/link"
check "the state folder is a link" knows "PlugStackConfig = $tmp/plugstack.conf" \
	"WRONG  state of spank_libra: $tmp/link"

# slurm.conf, before slurmctld reads it.
site() { # STATUS TEXT
	PATH="$tmp/bin:$builddir:$PATH" run "$1" bash "$doctor" \
		--cgroup "$tmp/apart" --site "$tmp/slurm.conf" || return 1
	cat "$tmp/out"
	grep -q "^$2" "$tmp/out"
}
cat >"$tmp/slurm.conf" <<'END'
# A comment with OverTimeLimit=7
jobsubmitplugins=lua,libra # and more
SelectType=select/cons_tres_libra SelectTypeParameters=CR_CPU
include more.conf
PrologFlags=Alloc,NoHold
SchedulerParameters=bf_interval=90,\
libra_policy=libra,libra_partitions=main+gpu
PartitionName=main Nodes=n1 Default=YES OverSubscribe=FORCE:64
PartitionName=gpu Nodes=n2
END
echo "OverTimeLimit=UNLIMITED" >"$tmp/more.conf"
cp "$tmp/slurm.conf" "$tmp/saved"
check "slurm.conf: keys in small letters" site 1 "ok     JobSubmitPlugins=lua,libra"
check "two settings on a line" site 1 "ok     SelectTypeParameters=CR_CPU"
check "an included file" site 1 "WRONG  OverTimeLimit=UNLIMITED"
check "lines that go on" site 1 "note   bf_interval=90"
check "partitions" site 1 "ok     partition main: OverSubscribe=FORCE:64"
check "Slurm's default of OverSubscribe" site 1 \
	"WRONG  partition gpu: OverSubscribe=NO"
check "Slurm's default of PreemptMode" site 1 "ok     PreemptMode=OFF"
if [ -x "$builddir/libra" ]; then
	check "tokens that are right" site 1 \
		"ok     all settings are right: policy libra"
	sed -i 's/libra_policy=libra/libra_policy=edf/' "$tmp/slurm.conf"
	check "tokens that are wrong" site 1 \
		"WRONG  SchedulerParameters: libra_policy=edf: "
	check "what slurmctld would do" site 1 \
		"       -> .* slurmctld uses band"
else
	skip "tokens" "the command libra was not built"
fi
sed -i 's/^PartitionName=main .*/& MaxTime=1-00:00:00/' "$tmp/slurm.conf"
check "shared until a deadline, and no longer than MaxTime" site 1 \
	"note   partition main: MaxTime=1-00:00:00: a promised job may take until its"
# A site where nobody shares needs two plugins, and nothing else of ours.
cat >"$tmp/slurm.conf" <<'END'
JobSubmitPlugins=libra
SelectType=select/cons_tres_libra
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=libra_policy=planned:gpu+main,planned:more
PartitionName=main Nodes=n1 Default=YES OverSubscribe=EXCLUSIVE
PartitionName=gpu Nodes=n1 OverSubscribe=EXCLUSIVE
PartitionName=more Nodes=n2 OverSubscribe=FORCE:2
END
check "planned: whole nodes" site 1 \
	"ok     partition gpu: OverSubscribe=EXCLUSIVE: promises of whole nodes"
check "planned: nobody shares" site 1 \
	"WRONG  partition more: OverSubscribe=FORCE:2: planned promises"
wrong() { # what is wrong besides the plugins, which are not installed here
	grep '^WRONG' "$tmp/out" | grep -vc '[.]so'
}
check "and nothing else is asked for" test "$(wrong)" = 1
sed -i 's/^PartitionName=gpu .*/& OverTimeLimit=7/' "$tmp/slurm.conf"
check "planned: a partition may have its own" site 1 \
	"WRONG  partition gpu: libra_margin=60: with OverTimeLimit=7 .* 480 s"
sed -i 's/OverTimeLimit=7/OverTimeLimit=UNLIMITED/' "$tmp/slurm.conf"
check "planned: even none" site 1 \
	"WRONG  partition gpu: OverTimeLimit=UNLIMITED: no job there ends"
sed -i 's/ OverTimeLimit=UNLIMITED//' "$tmp/slurm.conf"
printf 'OverTimeLimit=5\nKillWait=40\n' >>"$tmp/slurm.conf"
check "planned: a job may be there for longer than plans count" site 1 \
	"WRONG  libra_margin=60: with OverTimeLimit=5 and KillWait=40 .* 370 s"
sed -i 's/planned:more/&,libra_margin=370/' "$tmp/slurm.conf"
sed -i 's/libra_margin=370/libra_margin=370.5/' "$tmp/slurm.conf"
check "a margin of that is right" site 1 "ok     OverTimeLimit=5, KillWait=40: "
sed -i 's/planned:more,libra_margin=370.5/planned:more/; /OverTimeLimit/d; /KillWait/d' \
	"$tmp/slurm.conf"
check "without scripts of the site nothing is said of them" eval \
	"! site 1 '.*\(Epilog\|Prolog\|Unkillable\).*libra_margin'"
printf 'Epilog=/x\n' >>"$tmp/slurm.conf"
check "an Epilog may take for ever" site 1 \
	"note   Epilog=/x has no timeout: .* longer than libra_margin=60 may break"
printf 'PrologEpilogTimeout=120\nUnkillableStepTimeout=180\n' >>"$tmp/slurm.conf"
check "or longer than plans count" site 1 \
	"note   Epilog=/x may take 120 s by its timeout, and KillWait 30 s: longer than"
printf 'EpilogSlurmctld=/y\n' >>"$tmp/slurm.conf"
check "so may one on slurmctld's host" site 1 \
	"note   EpilogSlurmctld=/y may take 120 s by its timeout, and KillWait 30 s: "
check "so may a job that cannot be killed" site 1 \
	"note   UnkillableStepTimeout=180: .* longer than libra_margin=60 before"
sed -i 's/planned:more/&,libra_margin=200/' "$tmp/slurm.conf"
check "a longer margin is right" site 1 \
	"ok     Epilog=/x: 120 s at most, within libra_margin=200"
sed -i 's/planned:more,libra_margin=200/planned:more/
	/^Epilog/d; /^PrologEpilog/d; /^Unkillable/d' "$tmp/slurm.conf"
printf 'SuspendTime=300\nSuspendProgram=/x\nResumeTimeout=600\n' \
	>>"$tmp/slurm.conf"
check "planned: plans have room for nodes that have to boot" site 1 \
	"ok     SuspendTime=300: plans have room for SuspendTimeout=30 s and ResumeTimeout=600 s"
sed -i 's/^SuspendTime=300/SuspendTime=INFINITE/' "$tmp/slurm.conf"
check "where none is powered down nothing is said" eval \
	"! site 1 '.*SuspendTime'"
sed -i 's/^SuspendTime=.*/SuspendTime=300/
	s/^ResumeTimeout=.*/ResumeTimeout=INFINITE\nSuspendTimeout=NONE/' \
	"$tmp/slurm.conf"
check "a boot may take for ever" site 1 \
	"ok     SuspendTime=300: .* SuspendTimeout=0 s and ResumeTimeout=65535 s"
cp "$tmp/slurm.conf" "$tmp/plans"
sed -i 's/planned:/band:/g' "$tmp/slurm.conf"
check "a policy that shares: a start may be late by that" site 1 \
	"note   SuspendTime=300: .* starts up to 65535 s late"
cp "$tmp/plans" "$tmp/slurm.conf"
sed -i '/^Suspend/d; /^ResumeTimeout/d' "$tmp/slurm.conf"
sed -i 's/planned:more/band:more/' "$tmp/slurm.conf"
check "a policy that shares asks for more" site 1 \
	"WRONG  PrologFlags="
check "of its own partition" site 1 "ok     partition more: OverSubscribe=FORCE:2"
check "and not of others" site 1 \
	"ok     partition main: OverSubscribe=EXCLUSIVE: promises of whole nodes"
cp "$tmp/saved" "$tmp/slurm.conf"
rm "$tmp/more.conf"
check "an included file that is not there" site 1 \
	"WRONG  .* includes $tmp/more.conf, which cannot be read"
rm "$tmp/slurm.conf"
check "slurm.conf that is not there" site 1 \
	"WRONG  $tmp/slurm.conf cannot be read"
# A Slurm in a folder of its own: its plugins are there, whatever /usr has.
cp "$tmp/saved" "$tmp/slurm.conf"
: >"$tmp/more.conf"
mkdir -p "$tmp/own/sbin" "$tmp/own/lib/slurm"
printf '#!/bin/sh\necho slurm 25.11.7\n' >"$tmp/own/sbin/slurmctld"
chmod +x "$tmp/own/sbin/slurmctld"
touch "$tmp/own/lib/slurm/select_cons_tres.so"
for f in job_submit_libra.so select_cons_tres_libra.so; do
	printf '\007\013\031\000' >"$tmp/own/lib/slurm/$f"
done
own() { # TEXT
	PATH="$tmp/own/sbin:$PATH" site 1 "$1"
}
check "a Slurm of its own folder: its plugins" \
	own "ok     $tmp/own/lib/slurm/job_submit_libra.so"
check "of its release" \
	own "ok     $tmp/own/lib/slurm/select_cons_tres_libra.so"
check "--site asks no slurmctld" run 2 bash "$doctor" --site --all
finish
