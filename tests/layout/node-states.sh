#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of Slurm's states and flags of nodes (plugin/base/node_states.c) has
# each that slurm.h has: of the Slurm that is configured, and of the releases
# whose archives lie in ../shared/slurm.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# slurm.h: the base states, and the flags; no mask, and no end of a list
values() { # FILE
	{
		sed -n '/^enum node_states/,/^}/p' "$1" |
			sed -n 's/^[[:space:]]*NODE_STATE_\([A-Z_]*\).*/\1/p'
		sed -n 's/^#define[[:space:]]*NODE_STATE_\([A-Z_]*\).*/\1/p' "$1"
	} | grep -vxE 'BASE|FLAGS|END' | sort -u
}
sed -n 's/^[[:space:]]*{FLAG(\([A-Z_]*\)).*/\1/p' \
	"$srcdir/plugin/base/node_states.c" | sort >"$tmp/rows"
uniq -d "$tmp/rows" >"$tmp/twice"
empty "no state has two rows" "$tmp/twice"

compare() { # NAME FILE
	values "$2" >"$tmp/values"
	many() {
		[ "$(wc -l <"$tmp/values")" -ge 28 ]
	}
	check "$1: its states can be read" many
	comm -13 "$tmp/rows" "$tmp/values" >"$tmp/missing"
	empty "$1: each has a row" "$tmp/missing"
}

header=$(sed -n 's/^SLURM_SRC = //p' "$builddir/Makefile" 2>/dev/null)
header=${header:+$header/slurm/slurm.h}
[ -r "$header" ] || header=/usr/include/slurm/slurm.h
[ ! -r "$header" ] || compare "the configured Slurm" "$header"
for archive in "$srcdir"/../shared/slurm/slurm-*.tar.xz; do
	[ -r "$archive" ] || continue
	tar -xJOf "$archive" --wildcards --occurrence=1 '*/slurm/slurm.h' \
		>"$tmp/slurm.h" 2>/dev/null
	compare "$(basename "$archive" .tar.xz)" "$tmp/slurm.h"
done

# A new flag would be found.
printf 'enum node_states {\n\tNODE_STATE_IDLE, /* a */\n\tNODE_STATE_NEW,\n};\n' \
	>"$tmp/new.h"
printf '#define NODE_STATE_DRAIN SLURM_BIT(9)\n#define NODE_STATE_ODD 1\n' \
	>>"$tmp/new.h"
finds_it() {
	[ "$(values "$tmp/new.h" | comm -13 "$tmp/rows" - | tr '\n' ' ')" = \
		"NEW ODD " ]
}
check "one that a new release has would be found" finds_it
finish
