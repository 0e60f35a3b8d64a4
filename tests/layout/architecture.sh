#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/architecture.md names what there is: each path, file, function, struct
# and constant in it exists, and each folder of code is in it.  And the files of
# ours in slurmctld's state folder are those that pages name.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

cd "$srcdir" || exit 99

# paths PAGE: what is no path in the tree; NAME stands for any name
paths() {
	grep -oE '\b(contrib|core|docs|plugin|sim|tests)/[A-Za-z0-9_./-]*' "$1" |
		grep -v '^plugin/\.libs' | sed 's/[.]*$//; s/NAME/*/g' | sort -u |
		while read -r path; do
			# The page leaves out .c and .h; * is a pattern.
			# shellcheck disable=SC2086
			set -- $path $path.c $path.h
			[ -e "$1" ] || [ -e "$2" ] || [ -e "$3" ] ||
				echo "no $path"
		done
}

# files PAGE: names without a folder that no file has, and links to none
files() {
	grep -oE '`[a-z_-]+\.(c|h|txt|html|mk)`' "$1" | tr -d '`' | sort -u |
		while read -r name; do
			find core plugin sim -name "$name" | grep -q . ||
				echo "no file $name"
		done
	grep -oE '\]\([a-z-]+\.md\)' "$1" | tr -d '])(' | sort -u |
		while read -r name; do
			[ -e "docs/$name" ] || echo "no docs/$name"
		done
}

# symbols PAGE: functions, structs and members that no header or source has
symbols() {
	{
		grep -oE '\b[a-z]+_[a-z_]+\(\)' "$1" | tr -d '()'
		grep -oE '\b(struct|enum) [a-z]+_[a-z_]+' "$1"
		grep -oE '`\.[a-z_]+`' "$1" | tr -d '`.'
	} | sort -u | while read -r name; do
		grep -rqwF --include='*.[ch]' -e "$name" core plugin sim ||
			echo "no $name"
	done
}

# folders PAGE: those with sources that it does not name; what stands below
# sim/ is named by its last part, and papers by their own
folders() {
	find core plugin sim -name '*.c' ! -path 'sim/paper/*/*' |
		sed 's,/[^/]*$,,' | sort -u | while read -r dir; do
		case $dir in
		sim/*) grep -qw -e "${dir#sim/}" "$1" ;;
		*) grep -qF "\`$dir/\`" "$1" ;;
		esac || echo "$dir is not named"
	done
}

look() {
	paths "$1"
	files "$1"
	symbols "$1"
	folders "$1"
}
page=docs/architecture.md
look $page >"$tmp/bad"
empty "what the page names is there, and all folders are in it" "$tmp/bad"

# It would be seen.
sed 's,`core/share/`,,g; $a\
`core/lost.c` and `lost_file.c`, [lost](lost-page.md), `lost_call()`,\
`struct lost_thing`, `.lost_member`' $page >"$tmp/page"
look "$tmp/page" >"$tmp/found"
cat >"$tmp/expected" <<'END'
no core/lost.c
no file lost_file.c
no docs/lost-page.md
no lost_call
no lost_member
no struct lost_thing
core/share is not named
END
check "what is not there would be found" diff "$tmp/expected" "$tmp/found"

# The files in slurmctld's state folder: what is kept, and what is removed.
{
	grep -rhoE --include='*.c' '"%s/libra_[a-z]+' core plugin
	grep -rhoE --include='*.c' '"libra_[a-z]+"' plugin/state
} | sed 's,.*/,,; s,",,g' |
	sort -u >"$tmp/written"
check "files are written there" test -s "$tmp/written"
grep '^| StateSaveLocation |' docs/admin.md | grep -oE '`libra_[a-z]+`' |
	tr -d '`' | sort -u >"$tmp/said"
check "docs/admin.md backs up each of them" diff "$tmp/written" "$tmp/said"
sed -n '/^\.SH FILES/,$p' docs/man/slurm-libra-operation.7 |
	grep -oE 'StateSaveLocation/libra_[a-z]+' | sed 's,.*/,,' |
	sort -u >"$tmp/said"
check "slurm-libra-operation(7) has each of them" diff "$tmp/written" "$tmp/said"
finish
