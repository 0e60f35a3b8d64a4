#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Table and figure of docs/beyond.md are those of docs/beside.csv, and others are
# told.  No simulation is run.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

check "docs/beyond.md has the table and the figure of docs/beside.csv" \
	run 0 "$srcdir/contrib/draw-beside" --check

mkdir -p "$tmp/tree/docs" "$tmp/tree/contrib" "$tmp/report"
cp "$srcdir/docs/beyond.md" "$srcdir/docs/beside.csv" "$srcdir/docs/beside.svg" \
	"$tmp/tree/docs/"
cp "$srcdir/contrib/draw-beside" "$tmp/tree/contrib/"
chmod -R u+w "$tmp/tree"
draw=$tmp/tree/contrib/draw-beside
sed 's/^planned,50,1,[0-9.]*/planned,50,1,12.34/' "$tmp/tree/docs/beside.csv" \
	>"$tmp/report/beside.csv"
drawn() {
	run 0 "$draw" "$tmp/report" && run 0 "$draw" --check &&
		grep -q '^| delay 1: done in time.* / 12\.3 |' \
			"$tmp/tree/docs/beyond.md" &&
		cmp "$tmp/report/beside.csv" "$tmp/tree/docs/beside.csv" &&
		test "$(grep -c '<title>' "$tmp/tree/docs/beside.svg")" -gt 0
}
if command -v gnuplot >/dev/null; then
	check "other numbers are drawn and written" drawn
else
	skip "other numbers are drawn and written" "no gnuplot"
	cp "$tmp/report/beside.csv" "$tmp/tree/docs/"
fi
cp "$srcdir/docs/beside.svg" "$tmp/tree/docs/"
chmod u+w "$tmp/tree/docs/beside.svg"
check "a figure of other numbers is told" run 1 "$draw" --check
cp "$srcdir/docs/beside.csv" "$tmp/tree/docs/"
sed 's/84\.7 /84.8 /' "$srcdir/docs/beyond.md" >"$tmp/tree/docs/beyond.md"
check "so is another table" run 1 "$draw" --check
check "a report without the numbers is an error" run 1 "$draw" "$tmp/none"
check "an option that is not known is a usage error" run 2 "$draw" --nosuch
finish
