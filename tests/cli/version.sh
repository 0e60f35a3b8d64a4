#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --version says the release, the commit where it is known, and the Slurm that
# was configured; NEWS begins with that release.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

release=$(sed -n 's/^AC_INIT(\[slurm-libra\], \[\(.*\)\]).*/\1/p' \
	"$srcdir/configure.ac")
slurm=$(sed -n 's/^SLURM_RELEASE = //p' "$builddir/Makefile")
case $slurm in
none) slurm='without Slurm' ;;
*) slurm="for Slurm $slurm" ;;
esac
says() {
	run 0 "$builddir/$1" --version && cat "$tmp/out" &&
		grep -Eqx "$1 \(slurm-libra\) $release(, commit [0-9a-f]{7,}\+?)?, $slurm" \
			"$tmp/out"
}
for program in librasim libra; do
	if [ -x "$builddir/$program" ]; then
		check "$program --version" says $program
	else
		skip "$program --version" "it was not built"
	fi
done
check "NEWS begins with this release, and its date or state" \
	grep -Eqm 1 "^slurm-libra $release, (20[0-9]{2}-[0-9]{2}-[0-9]{2}|not released yet)$" "$srcdir/NEWS"

# What is written, without building.
write=$srcdir/contrib/build-aux/write-revision
mkdir "$tmp/src"
holds() {
	sh "$write" "$tmp/src" "$1" "$tmp/revision.h" && cat "$tmp/revision.h" &&
		grep -qF "$2" "$tmp/revision.h" && ! grep -q "$3" "$tmp/revision.h"
}
check "an archive without a commit says none" \
	holds none '", without Slurm"' 'commit [0-9a-f]'
echo 0123456789 >"$tmp/src/.revision"
check "one made by make dist says which" \
	holds 25.11.7 '", commit 0123456789"' 'without'
same_file() {
	before=$(stat -c '%i %Y' "$tmp/revision.h")
	sh "$write" "$tmp/src" 25.11.7 "$tmp/revision.h"
	test "$(stat -c '%i %Y' "$tmp/revision.h")" = "$before"
}
check "what has not changed is left alone" same_file
if git --version >/dev/null 2>&1; then
	git_in() {
		git -C "$tmp/src" -c user.name=n -c user.email=e@x "$@" \
			>/dev/null 2>&1
	}
	git_in init && echo one >"$tmp/src/a" && git_in add a .revision &&
		git_in commit -m one
	check "a clone says its commit" holds none \
		"commit $(git -C "$tmp/src" rev-parse --short=10 HEAD)\"" '+'
	echo two >"$tmp/src/a"
	check "and that it was changed since" holds none '+"' 'for Slurm'
else
	skip "a clone says its commit" "there is no git"
fi
finish
