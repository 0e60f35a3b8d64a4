#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim reproduce sc2015: without logs it says so, with them the published
# values are met.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
case $librasim in
/*) ;;
*) librasim=$(pwd)/$librasim ;;
esac
cd "$tmp" || exit 99

# status ID: of a claim of the report
status() {
	awk -v id="\"$1\"," '$1 == "\"id\":" { on = $2 == id }
		on && $1 == "\"status\":" { gsub(/[",]/, "", $2); print $2 }' \
		"$report/claims.json"
}

# What is said of every log is not known while some are missing.
all_info() {
	for id; do
		test "$(status "$id")" = info || {
			echo "$id: $(status "$id")"
			return 1
		}
	done
}
without_logs() {
	report=none
	HOME=$tmp run 0 "$librasim" reproduce sc2015 -j 1 --no-figures \
		-o none && all_info S1 S5 S6 S7 S8 S9 S10 S11 S12 &&
		grep -q 'Synthetic workload' none/index.html
}
check "without logs nothing is said to fail" without_logs
same_bytes() {
	HOME=$tmp run 0 "$librasim" reproduce sc2015 -j 2 \
		-o two && cmp none/points.csv two/points.csv &&
		cmp none/claims.json two/claims.json
}
check "the report is the same for any number of processes" same_bytes
in_browser "in a browser the page fits, and its figures have a size" \
	two/index.html

# The three logs whose values were published in full; the others take longer.
have=$(find_trace KTH-SP2-1996-2.2.swf.gz)
if [ -z "$have" ] || [ -z "$(find_trace CTC-SP2-1996-3.1-cln.swf.gz)" ] ||
	[ -z "$(find_trace SDSC-SP2-1998-4.2-cln.swf.gz)" ]; then
	skip "the published values" "no such logs in LIBRA_TRACES"
else
	mkdir logs report
	for log in KTH-SP2-1996-2.2 CTC-SP2-1996-3.1-cln \
		SDSC-SP2-1998-4.2-cln; do
		ln -s "$(find_trace $log.swf.gz)" logs
	done
	published() {
		report=report
		LIBRA_TRACES=$tmp/logs HOME=$tmp run 0 "$librasim" reproduce \
			sc2015 -j 2 --no-figures -o report || return 1
		for id in S1 S2 S3 S4; do
			test "$(status $id)" = pass || {
				echo "$id: $(status $id)"
				return 1
			}
		done
		all_info S5 S6 S7 S8 S9 S10 &&
			grep -q '^kth,easy-sjbf,increments,63.500677170407' \
				report/points.csv
	}
	check "KTH, CTC and SDSC SP2 as published" published
	every_log() {
		for log in logs/*; do
			sha256sum <"$log" | cut -d ' ' -f 1 >sum
			grep -qF "$(cat sum)" report/index.html &&
				grep -qF "$(cat sum)" report/manifest.json ||
				return 1
		done
	}
	check "the SHA-256 of every log is told" every_log
fi

curie=$(find_trace CEA-Curie-2011-2.1-cln.swf.gz)
# as_published SLOWDOWN OPTION...: to three decimals
as_published() {
	slowdown=$1
	shift
	run 0 "$librasim" run --procs 80640 --filter sc15 --event-order sc15 \
		"$@" "$curie" && grep -q " $slowdown " out
}
curie_published() {
	as_published 202.133 --policy easy &&
		as_published 69.926 --policy easy --inaccuracy 0 &&
		as_published 12.080 --policy easy-sjbf --predictor clairvoyant &&
		as_published 21.328 --policy easy-sjbf --predictor last-two
}
if [ -n "$curie" ]; then
	check "Curie as published, on its thin nodes" curie_published
else
	skip "Curie as published" "no such log in LIBRA_TRACES"
fi
finish
