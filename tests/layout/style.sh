#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every source file must show: licence, layout, and no include that goes
# against the direction in which the folders depend on each other.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

cd "$srcdir" || exit 99

# Only our folders: a build directory may lie inside the source tree.
dirs=
for d in core sim plugin tests contrib; do
	[ ! -d "$d" ] || dirs="$dirs $d"
done

# sources PATTERN...: our files with such names
sources() {
	for pattern in "$@"; do
		# shellcheck disable=SC2086
		find $dirs -type f -name "$pattern"
	done | sort
}

# Licence.  What autoreconf installs is not ours.
{
	sources '*.[ch]' '*.sh' '*.py' local.mk 'libra_*.m4' |
		grep -vE '/(ltmain|tap-driver)\.sh$'
	find contrib -maxdepth 1 -type f ! -name '*.*'
	ls configure.ac Makefile.am contrib/build-aux/*-tap \
		contrib/build-aux/tap-summary contrib/build-aux/install-rename \
		contrib/build-aux/link-test
} >"$tmp/sources"
check "there are sources to look at" test -s "$tmp/sources"
xargs awk 'FNR == 1 { found = 0 }
	/SPDX-License-Identifier: GPL-2.0-or-later/ { found = 1 }
	FNR == 2 && !found { print FILENAME }
	FNR == 2 { nextfile }' <"$tmp/sources" >"$tmp/bad"
empty "each source opens with its licence" "$tmp/bad"

# Direction.  Each folder may include itself and these.
# forbid DIR REGEX
forbid() {
	[ -d "$1" ] || return 0
	grep -rnE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)" "$1"
}
{
	forbid core '(sim|plugin|tests|slurm)/'
	forbid core '(gsl|jansson|confuse|zlib|sha2|pthread|time|stdio_ext)\b'
	forbid sim '(plugin|tests|slurm)/'
	forbid plugin '(sim|tests)/'
} >"$tmp/bad"
empty "no folder includes one that it may not use" "$tmp/bad"

grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\.?/' \
	core sim tests >"$tmp/bad"
empty "includes start at the top of the tree" "$tmp/bad"

# Unit tests lie in folders named as those of the product.
find tests/unit -mindepth 1 -type d | sed 's|^tests/unit/||' |
	while read -r folder; do
		[ -d "$folder" ] || echo "tests/unit/$folder"
	done >"$tmp/bad"
find tests/unit -maxdepth 1 -name '*.c' >>"$tmp/bad"
empty "each unit test lies where its subject does" "$tmp/bad"

# Every file is in its folder's list, or a tarball would lack it.  Tests and the
# plugins' entry points are listed by what builds them.
sources '*.[ch]' >"$tmp/c"
sources local.mk >"$tmp/lists"
awk -v lists="$tmp/lists" '
	# folder PATH: that of a file
	function folder(path) {
		sub(/\/[^\/]*$/, "", path)
		return path
	}
	function read_list(list, line, n, words, i) {
		while ((getline line <list) > 0) {
			n = split(line, words)
			for (i = 1; i <= n; i++)
				in_list[folder(list), words[i]] = 1
		}
		close(list)
		return 1
	}
	function is_in(where, file, name) {
		name = file
		sub(/\.c$/, "", name)
		return ((where, file) in in_list) || ((where, name) in in_list)
	}
	BEGIN {
		while ((getline list <lists) > 0)
			listed[folder(list)] = read_list(list)
	}
	{
		if ($0 == "sim/command/main.c")
			found = is_in("sim", $0)
		else if (folder($0) in listed)
			found = is_in(folder($0), $0)
		else {
			found = is_in(substr($0, 1, index($0, "/") - 1), $0)
			for (where in listed)
				if (where ~ /^plugin\/[^\/]*$/)
					found = found || is_in(where, $0)
		}
		if (!found)
			print $0 " is in no local.mk of its folder"
	}' "$tmp/c" >"$tmp/bad"
empty "each source is in its local.mk" "$tmp/bad"

# A live test that is in no list runs in no suite.
cat Makefile.am ./*/local.mk plugin/*/local.mk docs/man/local.mk >"$tmp/lists"
printf '%s\n' tests/live/*.sh docs/*.* docs/data/* docs/man/*.[1578] |
	awk 'NR == FNR {
			for (i = 1; i <= (/^EXTRA_DIST/ ? NF : /^[[:space:]]/); i++)
				listed[$i]
			next
		}
		!($0 in listed)' "$tmp/lists" - >"$tmp/bad"
empty "so is each live test, and each page" "$tmp/bad"

# No path of the machine that a file was written on.
{
	cat "$tmp/sources"
	ls README.md NEWS slurm.conf.example
} >"$tmp/text"
xargs grep -nE '(^|[^[:alnum:]._~}-])/(wor[k]|roo[t]|hom[e])/' \
	<"$tmp/text" >"$tmp/bad"
empty "no path of a developer's machine" "$tmp/bad"

# Form.
format=$(command -v clang-format-14 || command -v clang-format || :)
case $([ -z "$format" ] || "$format" --version) in
*' version 14.'*)
	xargs "$format" --dry-run -Werror <"$tmp/c" >"$tmp/bad" 2>&1
	empty "clang-format would change nothing" "$tmp/bad"
	;;
*)
	skip "clang-format would change nothing" "no clang-format 14"
	;;
esac

xargs grep -nE '[[:space:]]$' <"$tmp/text" >"$tmp/bad"
empty "no blanks at the end of a line" "$tmp/bad"

# Tests run by their first line.
grep '^tests/.*\.sh$' "$tmp/sources" | while read -r file; do
	read -r first <"$file"
	case $first in
	'#!'*) [ -x "$file" ] || echo "$file" ;;
	esac
done >"$tmp/bad"
empty "scripts of tests are executable" "$tmp/bad"

# A file has one subject, a test as well.
grep -E '\.([ch]|sh|py)$' "$tmp/sources" | xargs wc -l |
	awk '$2 != "total" && $1 > 800' >"$tmp/bad"
empty "no source has more than 800 lines" "$tmp/bad"

# Size.  A paper is data.  Before it was, the first four and what they share in
# sim/paper were 10,013 lines of C, which had their claims and pages in it.
# sc2015 came later, and is not counted.
# at_most N FILE...: so many lines, of all kinds
at_most() {
	most=$1
	shift
	n=$(cat "$@" | wc -l)
	echo "$n lines"
	[ "$n" -le "$most" ]
}
set --
for paper in icpp2006 ipdps2007 ccgrid2008 beyond; do
	set -- "$@" sim/paper/$paper/*.[ch]
done
set -- "$@" sim/paper/*.[ch]
check "the first papers and their steps: 6,500 lines of C" at_most 6500 "$@"
for paper in icpp2006 ipdps2007 ccgrid2008 beyond; do
	set -- "$@" sim/paper/$paper/claims.txt sim/paper/$paper/page.html
done
check "with claims and pages 8,000" at_most 8000 "$@"
finish
