#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm and its jobs with cgroup version 2, in a QEMU guest made of this host's
# own files.  guest-jobs.sh is what runs inside, once for each shape of a node:
#
#   slurm    task/cgroup, proctrack/cgroup: the group that Slurm makes
#   own      neither: a group of ours
#   systemd  as slurm, with systemd and the units that Debian has
#
# LIBRA_GUEST_KERNEL names the kernel's file (guest.sh tells how to get one);
# without it, or without QEMU, this is skipped.  LIBRA_GUEST_SHAPES names some
# of the shapes; LIBRA_GUEST_KEEP a folder for what the guests said.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/../live/lib.sh"

kernel=${LIBRA_GUEST_KERNEL:-}
[ -n "$kernel" ] || skip_all "LIBRA_GUEST_KERNEL names no kernel"
[ -r "$kernel" ] || skip_all "$kernel cannot be read"
for c in qemu-system-x86_64 busybox cpio; do
	command -v $c >/dev/null || skip_all "$c is not installed"
done
need_slurm

dir=$(mktemp -d /tmp/libra-guest.XXXXXX) || exit 1
extra_files=$dir
tree=$dir/tree

# --- the guest's files --------------------------------------------------------

programs="bash sh awk basename cat chmod chown cut date df dirname env find grep
	head hostname id kill ls mkdir mktemp mount mv paste pgrep ps readlink
	rm sed seq setpriv sha256sum sleep sort stat tail timeout touch tr true uname
	uniq wc busybox munged slurmctld slurmd slurmstepd sbatch scancel
	scontrol sinfo squeue srun"
systemd_programs="systemctl dbus-daemon dbus-send"
systemd_units="basic.target sysinit.target sockets.target slices.target
	paths.target timers.target shutdown.target umount.target final.target
	dbus.service dbus.socket munge.service slurmctld.service
	slurmd.service"

slurm_folder() {
	local d
	for d in /usr/lib/*/slurm-wlm /usr/lib64/slurm /usr/lib/slurm; do
		[ -e "$d/select_cons_tres.so" ] && echo "$d" && return
	done
	return 1
}

with_libraries() { # FILE...: these, and the libraries that they load
	printf '%s\n' "$@"
	ldd "$@" 2>/dev/null | grep -o '/[^ ]*' | grep -v ':$' | sort -u
}

take() { # FILE...: into the tree, at the same place
	tar -C / -chf - --hard-dereference "${@#/}" 2>/dev/null |
		tar -C "$tree" -xf - --keep-directory-symlink
}

take_programs() {
	local c files=()
	for c in "$@"; do
		files+=("$(type -P "$c")") || {
			echo "# $c is not installed"
			return 1
		}
	done
	mapfile -t files < <(with_libraries "${files[@]}")
	take "${files[@]}"
}

has_systemd() {
	[ -x /usr/lib/systemd/systemd ] && [ -e "$units/slurmd.service" ] &&
		[ -e "$units/munge.service" ] && [ -e "$units/dbus.socket" ] &&
		command -v dbus-daemon systemctl dbus-send >/dev/null
}

take_systemd() {
	local u files=()
	# shellcheck disable=SC2086
	take_programs $systemd_programs || return 1
	mapfile -t files < <(with_libraries /usr/lib/systemd/systemd \
		/usr/lib/systemd/systemd-shutdown)
	for u in $systemd_units; do files+=("$units/$u"); done
	take "${files[@]}" /usr/share/dbus-1
	grep '^messagebus' /etc/passwd >>"$tree/etc/passwd"
	grep '^messagebus' /etc/group >>"$tree/etc/group"
	: >"$tree/etc/machine-id"
	mkdir -p "$tree/etc/systemd/system/sockets.target.wants"
	ln -s "$units/dbus.socket" "$tree/etc/systemd/system/sockets.target.wants/"
	cat >"$tree/etc/systemd/system/default.target" <<-'UNIT'
		[Unit]
		Requires=basic.target
		Wants=munge.service slurmctld.service slurmd.service jobs.service
		AllowIsolate=yes
	UNIT
	cat >"$tree/etc/systemd/system/jobs.service" <<-'UNIT'
		[Unit]
		After=slurmd.service slurmctld.service

		[Service]
		ExecStart=/libra/tests/enforce/guest-jobs.sh systemd
		StandardOutput=file:/dev/console
		StandardError=file:/dev/console
	UNIT
}

make_tree() {
	local d so=() theirs
	theirs=$(slurm_folder) || return 1
	mkdir -p "$tree"/usr/{bin,sbin,lib,lib64} "$tree"/{proc,sys,run,dev,tmp} \
		"$tree"/etc/{slurm,munge} "$tree"/var/lib "$tree"/var/log \
		"$tree"/libra/{plugins,tests/enforce,tests/live}
	for d in bin sbin lib lib64; do ln -s usr/$d "$tree/$d"; done
	ln -s /run "$tree/var/run"
	# shellcheck disable=SC2086
	take_programs $programs || return 1
	mapfile -t so < <(with_libraries "$theirs"/*.so)
	take "${so[@]}" /etc/ld.so.conf /etc/ld.so.conf.d
	cp -L "$LIBRA_PLUGINDIR"/{job_submit,select_cons_tres,spank}_libra.so \
		"$tree/libra/plugins/"
	cp -L "$LIBRA_PLUGINDIR"/libslurm_libra.so "$tree/usr/lib/"
	cp "$top/plugin/spank/libra-doctor" "$tree/usr/sbin/"
	cp "$top/tests/live/lib.sh" "$tree/libra/tests/live/"
	cp "$top/tests/enforce/guest-jobs.sh" "$tree/libra/tests/enforce/"
	printf '%s\n' root:x:0:0::/:/bin/sh munge:x:90:90::/:/bin/false \
		user:x:1000:1000::/:/bin/sh nobody:x:65534:65534::/:/bin/false \
		>"$tree/etc/passwd"
	printf '%s\n' root:x:0: munge:x:90: user:x:1000: nogroup:x:65534: \
		>"$tree/etc/group"
	printf '%s\n' '127.0.0.1 localhost n1' >"$tree/etc/hosts"
	echo n1 >"$tree/etc/hostname"
	printf '%s\n' 'passwd: files' 'group: files' 'hosts: files' \
		>"$tree/etc/nsswitch.conf"
	head -c 1024 /dev/urandom >"$tree/etc/munge/munge.key"
	write_conf "$theirs"
	ln -s /libra/tests/enforce/guest-jobs.sh "$tree/init"
	! has_systemd || take_systemd
	chroot "$tree" /bin/true || {
		echo "# what was copied does not run"
		return 1
	}
}

# All shapes have one slurm.conf; the guest adds what differs.
write_conf() { # FOLDER of Slurm's plugins
	cat >"$tree/etc/slurm/slurm.conf" <<-CONF
		ClusterName=libra
		SlurmctldHost=n1(127.0.0.1)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		MpiDefault=none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		PluginDir=/libra/plugins:$1
		PlugStackConfig=/etc/slurm/plugstack.conf
		JobSubmitPlugins=libra
		SelectType=select/cons_tres_libra
		SelectTypeParameters=CR_CPU
		SchedulerType=sched/backfill
		SchedulerParameters=bf_interval=2,batch_sched_delay=0,sched_min_interval=10000,libra_policy=libra,libra_partitions=main,libra_no_deadline=best_effort
		PrologFlags=Alloc,NoHold
		PreemptMode=OFF
		ReturnToService=2
		SlurmdSpoolDir=/var/spool/slurmd
		StateSaveLocation=/var/lib/slurmctld
		SlurmctldPidFile=/run/slurmctld.pid
		SlurmdPidFile=/run/slurmd.pid
		SlurmctldLogFile=/var/log/slurmctld.log
		SlurmdLogFile=/var/log/slurmd.log
		KillWait=2
		SlurmdParameters=config_overrides
		NodeName=n1 NodeAddr=127.0.0.1 CPUs=1 RealMemory=200 State=UNKNOWN
		PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:64
	CONF
	echo "required /libra/plugins/spank_libra.so" \
		>"$tree/etc/slurm/plugstack.conf"
}

# --- the guest ----------------------------------------------------------------

# Its cases become ours; all of them must have been told.
run_guest() { # SHAPE
	local shape=$1 line name
	timeout "${LIBRA_GUEST_SECONDS:-900}" qemu-system-x86_64 -m 1024 -smp 1 \
		-nographic -no-reboot -net none -kernel "$kernel" \
		-initrd "$dir/initrd" \
		-append "console=ttyS0 quiet panic=-1 libra=$shape" \
		</dev/null >"$dir/out" 2>&1
	tr -d '\r' <"$dir/out" >"$dir/$shape.text"
	while read -r line; do
		name=${line#*ok * - }
		case $line in
		"ok "*) ok 0 "$shape: $name" ;;
		"not ok "*) ok 1 "$shape: $name" ;;
		*) echo "$line" ;;
		esac
	done < <(grep -aE '^(ok [0-9]|not ok [0-9]|#)' "$dir/$shape.text")
	grep -aqE '^1\.\.[1-9]' "$dir/$shape.text"
	ok $? "$shape: the guest came to its end"
	[ -z "${LIBRA_GUEST_KEEP:-}" ] || cp "$dir/$shape.text" "$LIBRA_GUEST_KEEP/"
}

units=/usr/lib/systemd/system
make_tree || skip_all "no guest can be made of this host's files"
(cd "$tree" && find . | cpio -o -H newc -R 0:0 --quiet) >"$dir/initrd"
rm -rf "$tree"
for shape in ${LIBRA_GUEST_SHAPES:-slurm own systemd}; do
	if [ "$shape" = systemd ] && ! has_systemd; then
		echo "# systemd, dbus or a unit of Slurm's is not installed"
		continue
	fi
	run_guest "$shape"
done
finish
