#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shares with cgroup version 2, in a QEMU guest with nothing but a kernel.
#
# LIBRA_GUEST_KERNEL names the kernel's file; without it, or without QEMU, this
# is skipped.  A kernel can be had without installing it:
#   apt-get download linux-image-VERSION-cloud-amd64; dpkg -x FILE.deb DIR
# LIBRA_WEIGH is the program tests/enforce/weigh, linked statically.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/../live/lib.sh"

kernel=${LIBRA_GUEST_KERNEL:-}
[ -n "$kernel" ] || skip_all "LIBRA_GUEST_KERNEL names no kernel"
[ -r "$kernel" ] || skip_all "$kernel cannot be read"
for c in qemu-system-x86_64 busybox cpio; do
	command -v $c >/dev/null || skip_all "$c is not installed"
done
weigh=${LIBRA_WEIGH:-$PWD/tests/enforce/weigh}
[ -x "$weigh" ] || skip_all "$weigh was not built"

dir=$(mktemp -d /tmp/libra-guest.XXXXXX) || exit 1
extra_files=$dir
mkdir -p "$dir"/tree/{bin,proc,sys,run,dev}
cp "$(command -v busybox)" "$dir/tree/bin/" && cp "$weigh" "$dir/tree/bin/weigh"
cat >"$dir/tree/init" <<'INIT'
#!/bin/busybox sh
b=/bin/busybox
echo
$b mount -t proc none /proc
$b mount -t sysfs none /sys
$b mount -t tmpfs -o mode=755 none /run
$b mount -t cgroup2 none /sys/fs/cgroup
/bin/weigh 20 .5 .3 .2 0
echo "status $?"
$b poweroff -f
INIT
sed -i '1s,.*,#!/bin/busybox sh,' "$dir/tree/init"
chmod 0755 "$dir/tree/init"
(cd "$dir/tree" && find . | cpio -o -H newc --quiet) | gzip >"$dir/initrd"
timeout 300 qemu-system-x86_64 -m 256 -smp 1 -nographic -no-reboot -net none \
	-kernel "$kernel" -initrd "$dir/initrd" \
	-append "console=ttyS0 quiet panic=-1" </dev/null >"$dir/out" 2>&1
tr -d '\r' <"$dir/out" >"$dir/text"
grep -aE '^(cgroup|parts|left|status|reported)' "$dir/text" | sed 's/^/# /'

near() { # NAME "EXPECTED..." "GOT..."
	awk -v e="$2" -v g="$3" 'BEGIN {
		n = split(e, E); if (split(g, G) < n) exit 1
		for (i = 1; i <= n; i++)
			if (G[i] < E[i] * .95 || G[i] > E[i] * 1.05) exit 1
	}'
	ok $? "$1: $3"
}
parts() { grep -a '^parts' "$dir/text" | sed -n "$1s/parts //p"; }
check "the guest has cgroup version 2" \
	grep -aqx 'cgroup version 2' "$dir/text"
near "shares .5 .3 .2 over 20 s" ".5 .3 .2" "$(parts 1)"
awk '{ exit !(NF == 4 && $4 < .02) }' <<<"$(parts 1)"
ok $? "best effort gets less than 2 %"
near "one ends: .6 .4" ".6 .4" "$(parts 2)"
check "nothing is left" grep -aqx 'left: no group, no file' "$dir/text"
check "nothing was reported" sh -c "! grep -aq ^reported '$dir/text'"
finish
