#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The measured tables of docs/ are those of docs/data, and a new result is one command.
# Nothing is measured.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v python3 >/dev/null || {
	skip "evidence" "no python3"
	finish
}
check "the pages have the tables of docs/data" run 0 "$srcdir/contrib/evidence" --check

mkdir -p "$tmp/tree/docs/data" "$tmp/tree/contrib"
cp "$srcdir/docs/trust.md" "$srcdir/docs/performance.md" "$tmp/tree/docs/"
cp "$srcdir"/docs/data/*.csv "$tmp/tree/docs/data/"
cp "$srcdir/contrib/evidence" "$tmp/tree/contrib/"
chmod -R u+w "$tmp/tree"
evidence=$tmp/tree/contrib/evidence
cd "$tmp" || exit 99

sed -i '/^crash-band,/s/30 rounds/31 rounds/' "$tmp/tree/docs/data/claims.csv"
check "a page with other numbers is told" run 1 "$evidence" --check
written() {
	run 0 "$evidence" && run 0 "$evidence" --check &&
		grep -q '| 31 rounds' "$tmp/tree/docs/trust.md"
}
check "the pages are written from the data" written

printf '#!/bin/sh\necho "ok 1 - one"\necho "ok 2 - two"\necho "ok 3 - no # SKIP no root"\n' \
	>"$tmp/three"
chmod +x "$tmp/three"
echo "three,three things hold,./three,none,2000-01-01,none" \
	>>"$tmp/tree/docs/data/claims.csv"
recorded() {
	run 0 "$evidence" --record three &&
		grep -q "| three things hold | \`./three\` | 2 cases pass, 1 skipped | 20" \
			"$tmp/tree/docs/trust.md" &&
		run 0 "$evidence" --record crash "9 rounds, no finding" &&
		grep -q '| 9 rounds, no finding |' "$tmp/tree/docs/trust.md"
}
check "a claim's command is run and its result stored" recorded
echo 'exit 1' >>"$tmp/three"
unchanged() {
	cp "$tmp/tree/docs/data/claims.csv" "$tmp/before" &&
		run 1 "$evidence" --record three &&
		cmp "$tmp/before" "$tmp/tree/docs/data/claims.csv"
}
check "a command that fails stores nothing" unchanged
check "a claim that does not exist is a usage error" run 2 "$evidence" --record nosuch
table() {
	printf 'policy,seconds\neasy,12345\n' >"$tmp/new.csv" &&
		run 0 "$evidence" --table large "$tmp/new.csv" &&
		grep -q '^# command: librasim run' "$tmp/tree/docs/data/large.csv" &&
		grep -q '^| easy | 12,345 |' "$tmp/tree/docs/performance.md"
}
check "a measured table is stored with its command" table
check "a table without rows is an error" run 1 "$evidence" --table large /dev/null
check "an option that is not known is a usage error" run 2 "$evidence" --nosuch
finish
