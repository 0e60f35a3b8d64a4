#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No file calls its caller: the calls between the product's modules have no
# circle (circles.py).  The test is shown to bite on a planted circle.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v python3 >/dev/null 2>&1 || {
	echo "1..0 # SKIP python3 is not installed"
	exit 0
}
cd "$srcdir" || exit 99
circles=$srcdir/tests/layout/circles.py

python3 "$circles" core plugin sim >"$tmp/bad"
empty "no file of the product calls its caller" "$tmp/bad"

mkdir -p "$tmp/tree/core"
cd "$tmp/tree" || exit 99
cat >core/a.h <<'C'
int a_of(int n);
C
cat >core/a.c <<'C'
#include "core/b.h"
int a_of(int n)
{
	return n > 0 ? b_of(n - 1) : 0;
}
C
cat >core/b.h <<'C'
int b_of(int n);
C
cat >core/b.c <<'C'
int b_of(int n)
{
	return n;
}
C
python3 "$circles" core >"$tmp/found"
empty "a file that is called and does not call back is no circle" "$tmp/found"
sed 's/return n;/return a_of(n);/' core/b.c >core/b.new && mv core/b.new core/b.c
python3 "$circles" core >"$tmp/found"
check "a circle is found" grep -qx 'core/a core/b' "$tmp/found"
finish
