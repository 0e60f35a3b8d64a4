#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# From packages to the first promise on a fresh system, in a chroot; then an
# upgrade of Slurm alone is tried.
#
# Usage: packages.sh DIR [--suite NAME] [BUILD-DEBS-OPTION...]
# For the Debian release of this host, or for another one: then the packages are
# built in a second chroot.
# Speaks TAP.  LIBRA_MIRROR names a package mirror.

. "$(dirname "$0")/lib.sh"
dir=${1:-${builddir:-$PWD}/packages}
shift
[ "$(id -u)" = 0 ] || skip_all "needs root: a chroot is made"
# shellcheck source=/dev/null
host=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
suite=$host
if [ "${1-}" = --suite ]; then
	suite=$2
	shift 2
fi
[ -n "$suite" ] && command -v debootstrap >/dev/null ||
	skip_all "no debootstrap, or no Debian"
[ "$suite" != "$host" ] || command -v dh >/dev/null ||
	skip_all "no debhelper"
mkdir -p "$dir/debs" || exit 1
dir=$(cd "$dir" && pwd)
cluster=$dir/test # where check() writes
chroot() {
	"$top/contrib/slurm-chroot" "$@"
}
chroot make --bare -d "$dir/root" --suite "$suite" \
	${LIBRA_MIRROR:+--mirror "$LIBRA_MIRROR"} >"$dir/make.out" 2>&1 ||
	skip_all "$(tail -n 1 "$dir/make.out")"
inside() {
	chroot run -d "$dir/root" --suite "$suite" --bind "$dir/debs" -- "$@"
}

rm -f "$dir"/debs/*.deb
# shellcheck disable=SC2016
build() {
	if [ "$suite" = "$host" ]; then
		"$top/contrib/build-debs" -o "$dir/debs" "$@"
		return
	fi
	chroot make --bare -d "$dir/builder" --suite "$suite" \
		${LIBRA_MIRROR:+--mirror "$LIBRA_MIRROR"} >"$dir/builder.out" 2>&1 &&
		copy_tree "$dir/builder/usr/src/slurm-libra" &&
		chroot run -d "$dir/builder" --suite "$suite" \
			--bind "$dir/debs" -- sh -ec '
			get="apt-get -y -q --no-install-recommends"
			out=$1
			shift
			apt-get -q update
			$get install dpkg-dev debhelper libslurm-dev \
				slurm-wlm-basic-plugins
			cd /usr/src/slurm-libra
			cp -R contrib/packaging/debian debian
			$get build-dep .
			rm -rf debian
			contrib/build-debs -o "$out" "$@"' sh "$dir/debs" "$@"
}
check "the packages are built for the Slurm of Debian $suite" build "$@"
ls "$dir"/debs/*.deb >/dev/null 2>&1 || finish
rm -f "$dir"/debs/*-dbgsym_*
if command -v lintian >/dev/null; then
	lintian "$dir"/debs/*.deb >"$dir/lintian" 2>/dev/null
	same "lintian has nothing to say" "" "$(cat "$dir/lintian")"
else
	ok 0 "lintian has nothing to say # SKIP lintian is not installed"
fi

wanted="$dir/debs/*.deb slurmctld slurmd slurm-client munge"
apt="apt-get -y -q --no-install-recommends"
# Once more than once: nothing of ours or of Slurm's is left from before.
inside sh -c "$apt purge 'slurm*' librasim munge; $apt autoremove" \
	>"$dir/purge.out" 2>&1
check "what they need is downloaded" inside sh -c \
	"apt-get -q update && $apt install --download-only $wanted"
start=$(date +%s)
check "they are installed" inside sh -c "$apt install $wanted"
promise() {
	inside sh -c '
		demo=/usr/share/slurm-libra/demo-cluster
		$demo start --policy libra || exit 1
		eval "$($demo env)"
		sbatch --time=10 --deadline=now+30minutes -n 4 \
			--wrap="sleep 60" 2>&1
		libra status; libra --version; librasim --version
		librasim replay /tmp/libra-demo-0/log/libra.jsonl
		$demo stop' >"$dir/promise.out" 2>&1
	cat "$dir/promise.out"
	grep -q 'libra: accepted: share 0.33 of 4' "$dir/promise.out" &&
		grep -qE '^1 +root +.* promised' "$dir/promise.out" &&
		grep -q 'all decided alike' "$dir/promise.out"
}
check "the first promise is given, shown, and replays" promise
took=$(($(date +%s) - start))
echo "# $took s from the downloaded packages to the first promise and its replay"
check "within a minute (it took $took s)" test $took -le \
	$((60 * ${LIBRA_PATIENCE:-1}))
check "manual pages, completion and logrotate are there" inside ls \
	/usr/share/man/man1/libra.1.gz /usr/share/man/man7/slurm-libra.7.gz \
	/usr/share/man/man8/spank_libra.8.gz /usr/share/man/man1/librasim.1.gz \
	/usr/share/bash-completion/completions/libra /etc/logrotate.d/slurm-libra

# A repository with the next release of Slurm: the package of the plugins, that
# is, with nothing in it.
plugins=slurm-wlm-basic-plugins
version=$(inside dpkg-query -W -f '${Version}' $plugins)
micro=$(sed 's/-.*//; s/.*\.//' <<<"$version")
newer=$(sed 's/-.*//; s/\.[0-9]*$//' <<<"$version").$((micro + 1))-1
rm -rf "$dir/debs/fake" "$dir/debs/repo"
mkdir -p "$dir/debs/fake/DEBIAN" "$dir/debs/repo"
cat >"$dir/debs/fake/DEBIAN/control" <<END
Package: $plugins
Version: $newer
Architecture: $(dpkg --print-architecture)
Maintainer: nobody <nobody@localhost>
Description: the next release of Slurm, with nothing in it
END
dpkg-deb --root-owner-group -b "$dir/debs/fake" \
	"$dir/debs/repo/$plugins.deb" >/dev/null
{
	cat "$dir/debs/fake/DEBIAN/control"
	printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n' $plugins \
		"$(stat -c %s "$dir/debs/repo/$plugins.deb")" \
		"$(sha256sum <"$dir/debs/repo/$plugins.deb" | cut -d' ' -f1)"
} >"$dir/debs/repo/Packages"
source=/etc/apt/sources.list.d/libra-test.list
inside sh -c "echo 'deb [trusted=yes] file:$dir/debs/repo ./' >$source
	apt-get -q update" >"$dir/update.out" 2>&1
offered() {
	inside apt-cache policy $plugins | grep -q "$newer"
}
check "a newer Slurm is offered ($newer)" offered
# The commands are lists of words.
# shellcheck disable=SC2086
check "an upgrade of everything" inside $apt upgrade
same "leaves Slurm at its release" "$version" \
	"$(inside dpkg-query -W -f '${Version}' $plugins)"
refused() {
	# shellcheck disable=SC2086
	! inside $apt install --no-remove $plugins >"$dir/refused.out" 2>&1 &&
		cat "$dir/refused.out" && grep -q 'slurm-libra' "$dir/refused.out"
}
check "Slurm alone is refused, and slurm-libra named" refused
same "and slurm-libra is still there" "install ok installed" \
	"$(inside dpkg-query -W -f '${Status}' slurm-libra)"
# The nodes' part takes every release of the series.  (Slurm's own packages want
# each other's.)
node() {
	inside sh -c "
		$apt purge slurm-libra slurmctld slurmd slurm-client >/dev/null &&
		$apt install --no-remove --simulate $plugins"
}
check "with the nodes' part alone a release of the series is taken" node
inside sh -c "rm -f $source; apt-get -q update" >/dev/null 2>&1
rm -f "$cluster.out"
finish
