#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packages are of this release and have what the tree has.  They are built by
# make check-packages.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

packaging=$srcdir/contrib/packaging
release=$(sed -n 's/^AC_INIT(\[slurm-libra\], \[\(.*\)\]).*/\1/p' \
	"$srcdir/configure.ac")
check "the Debian packages are of this release" \
	grep -q "^slurm-libra ($release) " "$packaging/debian/changelog"
check "so is the spec" grep -q "^Version: *$release\$" \
	"$packaging/slurm-libra.spec"
{
	sed -n 's/^\(contrib[^ ]*\) .*/\1/p' "$packaging"/debian/*.install
	cat "$packaging"/debian/*.docs "$packaging"/debian/*.examples
	sed -n 's/^%doc //p' "$packaging/slurm-libra.spec" | tr ' ' '\n'
} | sort -u | while read -r file; do
	[ -e "$srcdir/$file" ] || echo "$file"
done >"$tmp/gone"
empty "files that they name are there" "$tmp/gone"
# Every manual page is in one of them, with both packagers.
sed -n 's|^usr/share/man/||p' "$packaging"/debian/*.install >"$tmp/debian"
sed -n 's|^%{_mandir}/||p' "$packaging/slurm-libra.spec" >"$tmp/spec"
# packages LIST PAGE: how many entries of the list have it
packages() {
	while read -r pattern; do
		# shellcheck disable=SC2254
		case man${2##*.}/$2 in
		$pattern | $pattern/*) echo "$pattern" ;;
		esac
	done <"$1" | wc -l
}
for page in "$srcdir"/docs/man/*.[1578]; do
	page=${page##*/}
	[ "$(packages "$tmp/debian" "$page")" -eq 1 ] &&
		[ "$(packages "$tmp/spec" "$page")" -eq 1 ] || echo "$page"
done >"$tmp/unpacked"
empty "every manual page is in one package" "$tmp/unpacked"
# The decision log that the settings' example names is the one that is rotated.
log=$(sed -n 's/.*libra_log=\([^, ]*\).*/\1/p' "$srcdir/slurm.conf.example" |
	head -n 1)
check "logrotate has the log of slurm.conf.example" \
	grep -qxF "${log:-none} {" "$packaging/slurm-libra.logrotate"

debs=$srcdir/contrib/build-debs
check "build-debs --help" run 0 "$debs" --help
check "an option that is not known is a usage error" run 2 "$debs" --nosuch
check "an option without its value too" run 2 "$debs" --output
nowhere() {
	run 1 "$debs" --output "$tmp/none" && grep -q "no folder" "$tmp/err"
}
check "a folder that is not there is named" nowhere
finish
