#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/quickstart and the counting of results, without installing anything.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

quickstart=$srcdir/contrib/quickstart
summary=$srcdir/contrib/build-aux/tap-summary

usage_is_2() {
	run 2 "$quickstart" "$@" && grep -q '^Usage:' "$tmp/err"
}
check "no command is a usage error" usage_is_2
check "an unknown command is a usage error" usage_is_2 chekc
check "two commands are a usage error" usage_is_2 demo check
check "an unknown option is a usage error" usage_is_2 --nosuch check
check "an option without its value is a usage error" usage_is_2 check -b
check "zero jobs are a usage error" usage_is_2 -j 0 check
helps() {
	run 0 "$quickstart" --help && grep -q '^Usage:' "$tmp/out"
}
check "--help prints the usage" helps

# A tree whose configure fails, and no package manager asked.
tree_without_build() {
	mkdir -p "$tmp/tree/contrib"
	cp "$quickstart" "$tmp/tree/contrib/"
	printf '#!/bin/sh\nexit 1\n' >"$tmp/tree/configure"
	chmod +x "$tmp/tree/configure"
	run 1 "$tmp/tree/contrib/quickstart" -n -b "$tmp/b" check &&
		grep -q 'configure failed' "$tmp/err"
}
check "a failing configure fails the command" tree_without_build

# result NAME LINE...
result() {
	tap_file=$tmp/results/tests/unit/$1.trs
	mkdir -p "${tap_file%/*}"
	shift
	for tap_line in "$@"; do
		echo ":test-result: $tap_line"
	done >"$tap_file"
}
sums_to() {
	run "$1" "$summary" "$tmp/results" &&
		test "$(tail -n 1 "$tmp/out")" = "$2"
}
mkdir -p "$tmp/results/tests"
check "no results are a failure" sums_to 1 "0 passed, 0 failed"
result one "PASS 1 - a" "PASS 2 - b" "SKIP 3 - c # SKIP none"
check "passed cases are counted, skipped ones are not" \
	sums_to 0 "2 passed, 0 failed"
result two "PASS 1 - d" "FAIL 2 - e" "ERROR - exited with status 1"
check "a failed case counts once" sums_to 1 "3 passed, 1 failed"
names_failed() {
	grep -q 'FAIL  tests/unit/two: 2 - e' "$tmp/out"
}
check "a failed case is named" names_failed
result three "ERROR - too few tests run"
check "a crashed program counts as failed" sums_to 1 "3 passed, 2 failed"
finish
