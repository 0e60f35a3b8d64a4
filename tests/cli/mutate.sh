#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The mutator finds what a weak test lets pass, and tells what is killed, ends
# never, or is the same.  A toy is mutated.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v python3 >/dev/null || {
	echo "1..0 # SKIP no python3"
	exit 0
}
PYTHONDONTWRITEBYTECODE=1
export CC PYTHONDONTWRITEBYTECODE

toy=$tmp/toy
mkdir "$toy"
cat >"$toy/toy.h" <<'C'
int count(int n);
int clamp(int x, int low);
C
cat >"$toy/toy.c" <<'C'
#include "toy.h"

int clamp(int x, int low)
{
	int unread = low;

	unread += x;
	if (x <= low)
		return low;
	return x;
}

int count(int n)
{
	volatile int k = 7; /* read by nobody */

	k = 0;
	while (n != 0) {
		n -= 2;
		k++;
	}
	return k;
}
C
cat >"$toy/test_clamp.c" <<'C'
#include "toy.h"

int main(void)
{
	return clamp(5, 1) != 5;
}
C
cat >"$toy/test_count.c" <<'C'
#include "toy.h"

int main(void)
{
	return count(6) != 3;
}
C
: >"$tmp/same"
# mutate OPTION...: status 0; what it says in $tmp/said
mutate() {
	run 0 "$srcdir/contrib/mutate" --toy "$toy" --work "$tmp/work" \
		--equivalents "$tmp/same" "$@" && cp "$tmp/out" "$tmp/said"
}
said() {
	grep -F -- "$1" "$tmp/said" || {
		cat "$tmp/said"
		return 1
	}
}
count_of() {
	test "$(grep -c "$1" "$tmp/said")" -eq "$2" || {
		cat "$tmp/said"
		return 1
	}
}

check "a toy is mutated" mutate
check "what the tests see is killed, by whom" \
	said "toy.c:20: ++ -> --: killed test_count"
check "what does not end is timed out" \
	said "toy.c:19: n -= 2 -> nothing: timed out test_count"
check "a branch that no test takes lets its mutant live" \
	said "toy.c:8: x <= low -> 0: survived"
check "what gives the same code is equivalent" \
	said "toy.c:7: unread += x -> nothing: equivalent the compiler"
survivors() {
	sed '1,/^survived:/d' "$tmp/said" | grep -c '^toy'
}
weak=$(survivors)
check "survivors are listed with their lines" said "	if (x <= low)"
low_score() {
	run 1 "$srcdir/contrib/mutate" --toy "$toy" --work "$tmp/work" \
		--equivalents "$tmp/same" --least 100
}
check "a score that is too low is an exit status" low_score

# The second run tries survivors alone, and only when the tests have changed.
check "it goes on where it was" mutate
check "nothing is tried twice" count_of "^[0-9]*/" 0
sed -i 's/clamp(5, 1) != 5/clamp(5, 1) != 5 || clamp(0, 1) != 1/' \
	"$toy/test_clamp.c"
check "a better test" mutate
check "kills it" said "toy.c:8: x <= low -> 0: killed test_clamp"
check "survivors alone are tried again" count_of "^[0-9]*/" "$weak"
check "a mutant that is the same lives still" said "toy.c:15: 7 -> 8: survived"

line='volatile int k = 7; /* read by nobody */'
printf 'toy.c\t%s\t7 -> 8\tnobody reads it\n' "$line" >"$tmp/same"
check "until it is known as that" mutate --least 100
check "and the score is whole" said "100.0 %"
printf 'toy.c\tif (x <= low)\tx <= low -> 0\ta lie\n' >>"$tmp/same"
check "a killed mutant that is called the same" mutate
check "is told" grep -F "is no equivalent: test_clamp" "$tmp/err"
printf 'toy.c\tno such line\t0 -> 1\told\n' >"$tmp/same"
check "an equivalent that no line has" mutate
check "is told too" grep -F "no such mutant of toy.c: no such line" "$tmp/err"
echo 'toy.c only' >"$tmp/same"
check "a list that is none is a usage error" run 2 "$srcdir/contrib/mutate" \
	--toy "$toy" --work "$tmp/work" --equivalents "$tmp/same"
check "so is an unknown option" run 2 "$srcdir/contrib/mutate" --nosuch
check "--help" run 0 "$srcdir/contrib/mutate" --help
finish
