#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The plugins built and tested live with the Slurm of another Debian release,
# in a chroot under the build directory.  Results are left in DIR/b as "make
# check" leaves them.
#
# Usage: chroot.sh SOURCE DIR [SUITE]
# LIBRA_MIRROR names a package mirror (default: the one apt uses here).
# Exit status: 0 passed, 1 failed, 77 not possible here (the reason is printed)

src=$1
dir=$2
suite=${3:-trixie}

skip() {
	echo "SKIP: live tests in a chroot of $suite: $*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip "needs root"
mkdir -p "$dir/b" || exit 1
find "$dir/b" -name '*.trs' -exec rm -f {} +
"$src/contrib/slurm-chroot" make -d "$dir/root" --suite "$suite" \
	${LIBRA_MIRROR:+--mirror "$LIBRA_MIRROR"} >"$dir/make.out" 2>&1 || skip "$(tail -n 1 "$dir/make.out")"
echo "Live tests with $(tail -n 1 "$dir/make.out")"
# The simulator of this host replays the logs: it takes its own libraries along.
sim=$dir/b/librasim.host
rm -rf "$sim"
if [ -x "${LIBRASIM:=$src/build/librasim}" ]; then
	mkdir "$sim" && cp "$LIBRASIM" "$sim/librasim" &&
		ldd "$LIBRASIM" | sed -n 's/.*[[:space:]]\(\/[^ ]*\) (0x.*/\1/p' |
		xargs -I{} cp -L {} "$sim/" || exit 1
	cat >"$sim/run" <<-END
		#!/bin/sh
		exec $sim/ld-linux-*.so.* --library-path $sim $sim/librasim "\$@"
	END
	chmod +x "$sim/run"
fi
# shellcheck disable=SC2016
timeout 1200 "$src/contrib/slurm-chroot" run -d "$dir/root" --suite "$suite" \
	--bind "$src" --bind "$dir/b" -- sh -ec '
	cd "$1"
	CONFIG_SHELL=/bin/sh "$2/configure" -q --disable-sim --enable-werror \
		--with-slurm-src=/usr/local/src/slurm >configure.out
	make -s -j2 >make.out 2>&1
	LIBRASIM=$1/librasim.host/run make -j4 check-live slow_tests=' sh "$dir/b" "$src" &&
	exit 0
[ -e "$dir/b/make.out" ] || tail -n 5 "$dir/b/configure.out"
exit 1
