#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A struct has 30 members at most (members.py): a larger one names its parts.
# The test is shown to bite on a planted struct.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v python3 >/dev/null 2>&1 || {
	echo "1..0 # SKIP python3 is not installed"
	exit 0
}
cd "$srcdir" || exit 99
members=$srcdir/tests/layout/members.py

python3 "$members" core plugin sim >"$tmp/bad"
empty "no struct of the product has more than 30 members" "$tmp/bad"

mkdir "$tmp/planted"
{
	printf 'struct wide {\n\tint a'
	seq 2 15 | sed 's/^/, a/' | tr -d '\n'
	printf ';\n\tvoid (*call)(int a, int b);\n\tstruct {\n\t\tint c'
	seq 2 14 | sed 's/^/, c/' | tr -d '\n'
	printf ';\n\t};\n};\n'
} >"$tmp/planted/thirty.h"
python3 "$members" "$tmp/planted" >"$tmp/bad"
empty "a struct of 30 members is not reported" "$tmp/bad"
sed 's/int a,/int more, a,/' "$tmp/planted/thirty.h" >"$tmp/planted/more.h"
python3 "$members" "$tmp/planted" >"$tmp/found"
check "a struct of 31 members is reported" \
	grep -q 'more.h: struct wide has 31 members' "$tmp/found"

finish
