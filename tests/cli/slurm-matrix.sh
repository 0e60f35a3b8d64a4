#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/porting.md's table of Slurm releases is the one of docs/slurm-matrix.csv, and the
# scripts that make it say what they need.  Nothing is built.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

matrix=$srcdir/contrib/slurm-matrix
check "docs/porting.md has the table of docs/slurm-matrix.csv" \
	run 0 "$matrix" --check-table

# The README names each series of the file.
series() {
	want=$(sed 1d "$srcdir/docs/slurm-matrix.csv" | cut -d , -f 1 |
		cut -d . -f 1,2 | sort -u | paste -sd , | sed 's/,/, /g;
		s/\(.*\), /\1 and /')
	echo "$want"
	tr '\n' ' ' <"$srcdir/README.md" | grep -qF "Tested with Slurm $want ("
}
check "README names the same releases" series

# A copy, which may be changed.
mkdir -p "$tmp/tree/docs" "$tmp/tree/contrib"
cp "$srcdir/docs/porting.md" "$tmp/tree/docs/"
cp "$srcdir/docs/slurm-matrix.csv" "$tmp/tree/docs/"
cp "$matrix" "$srcdir/contrib/build-slurm" "$tmp/tree/contrib/"
chmod -R u+w "$tmp/tree"
copy=$tmp/tree/contrib/slurm-matrix
echo '99.05.1,its source,2026-01-02,abc,7,0,2,no cgroups;no network' \
	>>"$tmp/tree/docs/slurm-matrix.csv"
check "another table is told" run 1 "$copy" --check-table
row() {
	run 0 "$copy" --table && run 0 "$copy" --check-table &&
		grep -Fx "| 99.05.1 | its source | 7 | 0 | 2: no cgroups; no network | 2026-01-02, abc |" \
			"$tmp/tree/docs/porting.md"
}
check "and written" row
sed -i '/end of slurm-matrix/d' "$tmp/tree/docs/porting.md"
cp "$tmp/tree/docs/porting.md" "$tmp/before"
unplaced() {
	run 1 "$copy" --table && cmp "$tmp/before" "$tmp/tree/docs/porting.md"
}
check "a page without its place is left alone" unplaced

check "an option that is not known is a usage error" run 2 "$matrix" --nosuch
check "no release is one too" run 2 "$matrix" newest
check "an option without its value too" run 2 "$matrix" --cache

build=$tmp/tree/contrib/build-slurm
missing() {
	run 77 "$build" --cache "$tmp/cache" 99.05.1 &&
		grep -q '(slurm-99.05.1.tar.\*) is not in' "$tmp/err"
}
check "a source that is missing is named" missing
check "no release to build is a usage error" run 2 "$build"
check "what is no release too" run 2 "$build" latest

# A source that is no Slurm: the log says why, and nothing passes for built.
mkdir -p "$tmp/slurm-99.05.1"
printf '#!/bin/sh\necho "error: no such compiler"\nexit 1\n' \
	>"$tmp/slurm-99.05.1/configure"
chmod +x "$tmp/slurm-99.05.1/configure"
tar -cf "$tmp/slurm-99.05.1.tar" -C "$tmp" slurm-99.05.1
mkdir "$tmp/archives" && mv "$tmp/slurm-99.05.1.tar" \
	"$tmp/archives/slurm-99.05.1.tar.none"
broken() {
	run 1 "$build" --cache "$tmp/cache" --archives "$tmp/archives" 99.05.1 &&
		grep -q 'no such compiler' "$tmp/err" &&
		run 77 "$build" --cache "$tmp/cache" --check 99.05.1
}
check "a build that fails says why" broken
prebuilt() {
	mkdir -p "$tmp/cache/99.05.1" && : >"$tmp/cache/99.05.1/.built" &&
		run 0 "$build" --cache "$tmp/cache" 99.05.1 &&
		test "$(cat "$tmp/out")" = "$tmp/cache/99.05.1"
}
check "what was built is not built again" prebuilt
finish
