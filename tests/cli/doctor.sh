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
printf '#!/bin/sh\n' >"$tmp/bin/sinfo"
cat >"$tmp/bin/scontrol" <<'END'
#!/bin/sh
[ "$1 $2" = "show config" ] || exit 0
echo "JobAcctGatherType       = $GATHER"
echo "PluginDir               = /nonexistent"
END
chmod +x "$tmp/bin/sinfo" "$tmp/bin/scontrol"

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
finish
