#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of Slurm's reasons for a job to wait (plugin/select/reasons.c) has each
# value of enum job_state_reason: of the Slurm that is configured, and of the
# releases whose archives lie in ../shared/slurm.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# slurm.h: a number and a name for each value, as a C compiler counts.
values() { # FILE
	# CC is a list of words.
	# shellcheck disable=SC2086
	$CC -w -xc -fpreprocessed -E -P "$1" |
		sed -n '/^enum job_state_reason/,/^};/p' | tr -d ' \t' |
		tr ',' '\n' |
		sed -n 's/^\([A-Z][A-Z0-9_]*\)\(=[0-9]*\)\{0,1\}$/\1\2/p' |
		awk -F= -v n=-1 '{ n = NF > 1 ? $2 : n + 1; print n, $1 }' |
		grep -v ' REASON_END$'
}
# The table: likewise; a row may have several names.
tr -d '\n\t' <"$srcdir/plugin/select/reasons.c" | tr '{' '\n' |
	sed -n 's/^\([0-9]*\), *LIBRA_FATE_[A-Z]*, *"\([A-Z0-9_ ]*\)"}.*/\1 \2/p' |
	awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >"$tmp/rows"

awk '$1 != n { if ($1 != n + 1 && NR > 1) print; n = $1 }' "$tmp/rows" >"$tmp/gaps"
empty "its numbers have no gap" "$tmp/gaps"

compare() { # NAME, slurm.h in $tmp/slurm.h
	values "$tmp/slurm.h" >"$tmp/values"
	many() {
		[ "$(wc -l <"$tmp/values")" -ge 190 ]
	}
	check "$1: its values can be read" many
	grep -vxFf "$tmp/rows" "$tmp/values" | head -n 5 >"$tmp/missing"
	empty "$1: each has a row" "$tmp/missing"
}

header=$(sed -n 's/^SLURM_SRC = //p' "$builddir/Makefile" 2>/dev/null)
header=${header:+$header/slurm/slurm.h}
[ -r "$header" ] || header=/usr/include/slurm/slurm.h
if [ -r "$header" ]; then
	cp "$header" "$tmp/slurm.h"
	compare "the configured Slurm"
fi
for archive in "$srcdir"/../shared/slurm/slurm-*.tar.xz; do
	[ -r "$archive" ] || continue
	tar -xJOf "$archive" --wildcards --occurrence=1 '*/slurm/slurm.h' \
		>"$tmp/slurm.h" 2>/dev/null
	compare "$(basename "$archive" .tar.xz)"
done

# A new value would be found.
printf 'enum job_state_reason {\n\tWAIT_NO_REASON = 0, /* a, b */\n' >"$tmp/new.h"
printf '\tWAIT_PRIORITY,\t/* c\n\t * d */\n\tWAIT_NEW,\n};\n' >>"$tmp/new.h"
finds_it() {
	[ "$(values "$tmp/new.h" | grep -vxFf "$tmp/rows")" = "2 WAIT_NEW" ]
}
check "one that a new release has would be found" finds_it
finish
