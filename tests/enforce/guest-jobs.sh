#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What guest-slurm.sh runs in its guest, which ends with it: first as its init,
# then as the test.  The argument, or libra= on the kernel's command line, names
# the shape.
export PATH=/usr/sbin:/usr/bin
cgroup=/sys/fs/cgroup
slurmd_log=/var/log/slurmd.log
shape=${1:-}

# --- init ---------------------------------------------------------------------

configure() {
	if [ "$shape" = own ]; then
		printf '%s\n' ProctrackType=proctrack/linuxproc \
			TaskPlugin=task/none
	else
		printf '%s\n' ProctrackType=proctrack/cgroup \
			TaskPlugin=task/cgroup
	fi >>/etc/slurm/slurm.conf
	printf '%s\n' CgroupPlugin=cgroup/v2 ConstrainCores=yes \
		>/etc/slurm/cgroup.conf
	[ "$shape" = systemd ] || echo IgnoreSystemd=yes >>/etc/slurm/cgroup.conf
	mkdir -p /var/lib/{munge,slurmctld} /var/log/munge /var/spool/slurmd
	chown munge:munge /etc/munge /etc/munge/munge.key /var/lib/munge \
		/var/log/munge
	chmod 0700 /etc/munge /var/lib/munge /var/log/munge
	chmod 0400 /etc/munge/munge.key
	chmod 1777 /tmp
	printf '#!/bin/sh\nwhile :; do :; done\n' >/libra/busy
	chmod 0755 /libra/busy
}

prepare() {
	mount -t proc none /proc
	mount -t devtmpfs none /dev
	for shape in $(tr ' ' '\n' </proc/cmdline | sed -n 's/^libra=//p'); do
		configure
	done
	busybox ln -s /proc/self/fd /dev/fd
	hostname n1
	# getaddrinfo() finds no address for who has but 127.0.0.1.
	busybox ifconfig lo up
	busybox ip address add 127.0.0.2/8 dev lo
	[ "$shape" != systemd ] || exec /usr/lib/systemd/systemd
	mount -t sysfs none /sys
	mount -t tmpfs -o mode=755 none /run
	mount -t cgroup2 none $cgroup
	slurm_without_systemd
	mkdir -m 0755 /run/munge
	chown munge:munge /run/munge
	setpriv --reuid=90 --regid=90 --clear-groups munged
	slurmctld
	slurmd
}

# What docs/enforcement.md says for nodes without systemd.
slurm_without_systemd() {
	mkdir $cgroup/system.slice
	echo '+cpu +cpuset +memory' >$cgroup/cgroup.subtree_control
	echo '+cpu +cpuset +memory' >$cgroup/system.slice/cgroup.subtree_control
}

if [ -z "$shape" ]; then
	prepare
	set -- "$shape"
fi

# --- jobs ---------------------------------------------------------------------

# shellcheck source=tests/live/lib.sh
. "$(dirname "$(readlink -f "$0")")/../live/lib.sh"
cluster=/run/test
export LIBRA_PATIENCE=1
trap 'busybox poweroff -f' EXIT

# Submit a busy loop with an estimate (seconds) and a deadline (seconds from
# now), or without; the id in $id.
busy() { # ESTIMATE DEADLINE
	busy_plain --estimate="${1}s" --deadline="now+$2"
}
busy_plain() { # [OPTIONS of sbatch]
	id=$(sbatch --parsable --uid=user -D / -o /dev/null "$@" /libra/busy \
		2>"$cluster.said")
}

# The group whose weight counts, as it should be for this shape.
group() { # ID
	case $shape in
	own) echo "$cgroup/libra/n1/job_$1" ;;
	*) find $cgroup/system.slice -type d -path "*slurmstepd.scope/job_$1" ;;
	esac
}
weight() { # ID
	cat "$(group "$1")/cpu.weight" 2>/dev/null || echo 0
}
processes() { # ID
	[ -z "$(group "$1")" ] || find "$(group "$1")" -name cgroup.procs \
		-exec cat {} + 2>/dev/null
}
busy_of() { # ID: the process that is busy for it
	local p
	for p in $(processes "$1"); do
		case $(tr '\0' ' ' <"/proc/$p/cmdline") in
		*slurm_script*) echo "$p" && return ;;
		esac
	done
	return 1
}
wait_begun() { # ID...
	local j
	for j in "$@"; do until_true 150 busy_of "$j" || return 1; done
}
# What part of the CPU time of all each gets, in 1/10000.  Read without a new
# process: the jobs go on meanwhile.
parts_over() { # SECONDS ID...
	local end j sum=0
	local -A stat before used
	end=$((SECONDS + $1))
	shift
	for j in "$@"; do stat[$j]=$(group "$j")/cpu.stat; done
	for j in "$@"; do read -r _ "before[$j]" <"${stat[$j]}"; done
	while [ $SECONDS -lt $end ]; do sleep 0.2; done
	for j in "$@"; do read -r _ "used[$j]" <"${stat[$j]}"; done
	for j in "$@"; do
		used[$j]=$((used[$j] - before[$j]))
		sum=$((sum + used[$j]))
	done
	[ $sum -gt 0 ] || return 1
	for j in "$@"; do echo $((used[$j] * 10000 / sum)); done | paste -sd' '
}
within() { # NAME "EXPECTED..." "GOT...": each within 5 %
	awk -v e="$2" -v g="$3" 'BEGIN {
		n = split(e, E); if (split(g, G) < n) exit 1
		for (i = 1; i <= n; i++)
			if (G[i] < E[i] * .95 || G[i] > E[i] * 1.05) exit 1
	}'
	ok $? "$1: $3 of 10000"
}
# The weights of these two are as the work that is left of them: their deadlines
# are the same, but for a second or two.
weigh_right() { # ONE ESTIMATE TWO ESTIMATE
	local of=() j
	for j in "$1" "$3"; do
		of+=("$(weight "$j")" \
			"$(sed -n 's/^usage_usec //p' "$(group "$j")/cpu.stat")")
	done
	echo "${of[*]}"
	awk -v e="$2" -v f="$4" '{
		r = $1 * (f - $4 / 1e6) / ($3 * (e - $2 / 1e6) + 1e-9)
		exit !(r > .95 && r < 1.05)
	}' <<<"${of[*]}"
}
running() {
	local j
	for j in "$@"; do in_state "$j" RUNNING || return 1; done
}

# A job begins and one ends.
event() {
	busy 5 1000 && wait_begun "$id" && scancel "$id"
	until_true 60 is_over "$id"
}
is_over() { # ID
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ] && [ ! -e "$(group "$1")" ]
}
told() {
	grep -F 'libra: ' $slurmd_log | grep -v 'shares by'
}
left() {
	find $cgroup -type d \( -name 'job_[1-9]*' -o -name libra \)
	ls -d /run/slurm-libra 2>/dev/null
	pgrep -af 'slurm_script|slurmstepd: \['
}
nothing_left() {
	[ -z "$(squeue -h)" ] && [ -z "$(left)" ]
}
end_all() {
	scancel -f -p main >/dev/null 2>&1
	until_true 60 nothing_left || { left && false; }
}
node_up() {
	sinfo -h -N -o %T | grep -qxE 'mixed|allocated|idle'
}
# What fails this early leaves nothing to look at but logs.
must_go_on() {
	[ $failures -gt 0 ] || return
	{
		cat $cluster.said
		squeue
		find $cgroup -name 'job_*'
		tail -n 40 /var/log/slurm*.log
	} 2>&1 | sed 's/^/# /'
	finish
}

echo
echo "# $shape: Linux $(uname -r), $(slurmd -V)"
check "the node is up" until_true 120 node_up
must_go_on
matches "slurmd says what it has" 'libra: shares by cpu.weight .*version 2' \
	"$(cat $slurmd_log)"

# Best effort first: beside busy jobs it begins as slowly as it runs.
busy_plain && effort=$id
check "a job of best effort runs" wait_begun "$effort"
busy 495 1000 && one=$id
busy 297 1000 && two=$id
busy 198 1000 && three=$id
check "three jobs with shares run beside it" wait_begun "$one" "$two" "$three"
must_go_on
echo "# begun after $SECONDS s; groups: $(group "$one")"
echo "# weights above: $(cd $cgroup &&
	grep -s . system.slice/cpu.weight system.slice/*.scope/cpu.weight \
		system.slice/*.scope/s*/cpu.weight libra/cpu.weight | paste -sd' ')"
same "the groups are in one place alone" 4 \
	"$(find $cgroup -type d -name 'job_[1-9]*' | wc -l)"
same "weights" "1000 1" "$(weight "$one") $(weight "$effort")"
got=$(parts_over 20 "$one" "$two" "$three" "$effort")
within "shares .5 .3 .2 over 20 s" "5000 3000 2000" "$got"
[ "${got##* }" -lt 200 ]
ok $? "best effort gets less than 2 %: ${got##* } of 10000"

scancel "$one"
weighs_most() { [ "$(weight "$1")" = 1000 ]; }
check "one ends: the rest are renewed" until_true 30 weighs_most "$two"
until_true 60 is_over "$one"
within "then .6 .4 over 20 s" "6000 4000" "$(parts_over 20 "$two" "$three")"

begin=$SECONDS
scancel "$effort"
check "best effort ends beside them" until_true 120 is_over "$effort"
echo "# after $((SECONDS - begin)) s"

# slurmd restarted.
restart_slurmd() {
	local pid
	[ "$shape" != systemd ] || { systemctl restart slurmd && return; }
	pid=$(cat /run/slurmd.pid) && kill "$pid" &&
		until_true 120 test ! -e "/proc/$pid" && slurmd
}
check "slurmd is restarted" restart_slurmd
check "the node is back" until_true 60 node_up
check "the jobs run on" running "$two" "$three"
echo 50 >"$(group "$two")/cpu.weight"
event
check "weights are right at the next event" \
	weigh_right "$two" 297 "$three" 198

# slurmstepd killed.
step=$(pgrep -f "^slurmstepd: \[$two\.batch\]")
process=$(busy_of "$two")
check "slurmstepd is killed" kill -9 "$step"
until_true 20 test ! -e "/proc/$step"
check "what it ran goes on" test -e "/proc/$process"
echo 50 >"$(group "$two")/cpu.weight"
event
check "weights are right at the next event then" \
	weigh_right "$two" 297 "$three" 198
scancel "$two"
check "what the job left ends with it" \
	until_true 60 test ! -e "/proc/$process"
check "and its group" until_true 60 is_over "$two"
same "the other job has all" 1000 "$(weight "$three")"
check "in the end nothing is left" end_all

libra-doctor >/run/doctor 2>&1
status=$?
sed 's/^/# /' /run/doctor
if [ "$shape" = own ]; then
	same "libra-doctor names what is wrong here alone" "1 TaskPlugin=task/none" \
		"$status $(sed -n 's/^WRONG *\([^:]*\).*/\1/p' /run/doctor)"
else
	same "libra-doctor finds nothing wrong" 0 "$status"
fi
same "nothing was reported" "" "$(told)"
[ $failures -eq 0 ] || tail -n 60 $slurmd_log | sed 's/^/# /'
finish
