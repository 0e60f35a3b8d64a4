#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim reproduce ipdps2007: one seed on the built-in trace, and librasim
# risk on what it wrote.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
unset LIBRA_TRACES XDG_DATA_HOME
HOME=$tmp
export HOME
mkdir "$tmp/here" && cd "$tmp/here" || exit 99

check "a report is made" run 0 "$librasim" reproduce ipdps2007 --seeds 1 \
	-o report -j 2
has_files() {
	for f in claims.json figure-2.csv figure-3.csv figure-4.csv \
		firstreward.csv index.html manifest.json no-admission.csv \
		readings.csv results.csv results.json seeds.csv \
		sensitivity.csv table-2.csv table-3.csv; do
		test -s "report/$f" || { echo "no $f"; return 1; }
	done
	test "$(ls -A report | wc -l)" -eq 15
}
check "it has all its files and no other" has_files
in_browser "in a browser the page fits, and its figures have a size" \
	report/index.html

has_claims() {
	sed -n 's/^ *"id": "\(.*\)",/\1/p' report/claims.json >ids
	seq 33 | sed s/^/R/ | sort >want
	sort ids | diff want -
}
check "claims R1 to R33 are there" has_claims
formulas_hold() {
	for id in R6 R7 R10; do
		sed -n "/\"id\": \"$id\"/,/\"status\"/p" report/claims.json |
			grep -q '"status": "pass"' || { echo $id; return 1; }
	done
}
check "the formulas hold on any workload" formulas_hold
all_points() {
	test "$(wc -l <report/results.csv)" -eq $((2 * 5 * 6 * 5 + 1)) &&
		test "$(wc -l <report/figure-2.csv)" -eq $((3 * 2 * 5 * 5 + 1))
}
check "two sets, five scenarios, six values, five policies" all_points

# The figures are what librasim risk finds in the results.
same_figures() {
	run 0 "$librasim" risk --format csv report/results.csv || return 1
	tr -d '"' <"$tmp/out" | grep '^[AB],[^m]' | awk -F , -v OFS=, '
		{ print "sla", $1, $2, $3, $5, $6
		  print "reliability", $1, $2, $3, $7, $8
		  print "profit", $1, $2, $3, $9, $10 }' | sort >ours
	sed 1d report/figure-2.csv | sort | diff - ours || return 1
	run 0 "$librasim" risk --format csv --weights 1/3,1/3,1/3 \
		report/results.json || return 1
	tr -d '"' <"$tmp/out" | grep '^[AB],[^m]' | awk -F , -v OFS=, '
		{ print "sla+reliability+profit", $1, $2, $3, $11, $12 }' |
		sort >ours
	sed 1d report/figure-4.csv | sort | diff - ours
}
check "librasim risk finds the same" same_figures
finish
