#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim reproduce: one seed on the built-in trace.  The folder has no traces
# near it, and no home, so that none is found.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=$builddir/librasim
golden=$srcdir/tests/golden/icpp2006.csv
unset LIBRA_TRACES XDG_DATA_HOME
HOME=$tmp
export HOME
mkdir "$tmp/here" && cd "$tmp/here" || exit 99

repeat() {
	run 0 "$librasim" reproduce icpp2006 --seeds 1 "$@"
}
check "a report is made with one process" repeat -o one -j 1
check "a report is made with three processes" repeat -o three -j 3
check "both have the same bytes" diff -r one three

has_files() {
	for f in claims.json figure-1.csv figure-2.csv figure-3.csv \
		figure-4.csv index.html manifest.json results.json trace.csv; do
		test -s "one/$f" || { echo "no $f"; return 1; }
	done
	test "$(ls -A one | wc -l)" -eq 9
}
check "it has all its files and no other" has_files
in_browser "in a browser the page fits, and its figures have a size" \
	one/index.html

says_synthetic() {
	grep -q 'Synthetic workload\.' one/index.html &&
		grep -q '"synthetic": true' one/manifest.json
}
check "it says that the trace is synthetic" says_synthetic

stands_alone() {
	! grep -Eo "(src|href)=[\"'][^#\"'][^\"']*" one/index.html |
		grep . && ! grep -q '<script' one/index.html &&
		! grep -q 'url(' one/index.html
}
check "the page needs nothing but itself" stands_alone

all_claims() {
	i=0
	for n in $(seq 1 18) $(seq 20 59); do
		grep -q "\"id\": \"L$n\"" one/claims.json ||
			{ echo "no L$n"; return 1; }
		i=$((i + 1))
	done
	test "$(grep -Ec '"status": "(pass|fail|info)"' one/claims.json)" \
		-eq "$i"
}
check "every claim is judged" all_claims

reasons() {
	test "$(grep -c '"status": "fail"' one/claims.json)" -eq \
		"$(grep -A 1 '"status": "fail"' one/claims.json |
			grep -c '"note": "..*"')"
}
check "every claim that fails says why" reasons

# The part of the CSV files that users look at first.  After a change that is
# meant: GOLDEN=update, and look at the difference.
fulfilled() {
	for f in 1 2 3 4; do
		cut -d , -f 1-4,11,15 "one/figure-$f.csv"
	done
}
matches_golden() {
	fulfilled >"$tmp/golden"
	if [ "${GOLDEN-}" = update ]; then
		cp "$tmp/golden" "$golden"
	fi
	diff "$golden" "$tmp/golden"
}
check "the figures are the golden ones" matches_golden

# "1," is a list of one seed.
no_figures() {
	run 0 "$librasim" reproduce icpp2006 --seeds 1, -o plain --no-figures &&
		! grep -q '<svg' plain/index.html &&
		grep -q 'Figures were not asked for' plain/index.html &&
		cmp plain/figure-1.csv one/figure-1.csv
}
check "figures can be left out" no_figures

no_gnuplot() {
	PATH=/nonexistent "$librasim" reproduce icpp2006 --seeds 1 -q \
		-o bare >"$tmp/said" 2>&1 </dev/null &&
		! grep -q '<svg' bare/index.html &&
		grep -q 'Gnuplot was not found' bare/index.html
}
check "without gnuplot there are tables alone" no_gnuplot
check "-q says nothing" test ! -s "$tmp/said"

seeds() {
	run 0 "$librasim" reproduce icpp2006 --seeds 3,8 -o list --no-figures &&
		grep -q 'seeds 3,8' list/manifest.json
}
check "seeds can be listed" seeds

# usage MESSAGE ARGUMENT...: status 2 and one line that contains the message
usage() {
	message=$1
	shift
	run 2 "$librasim" reproduce "$@" && grep -q "$message" "$tmp/err" &&
		test "$(wc -l <"$tmp/err")" -eq 1
}
check "no paper is a usage error" usage 'no paper is given'
check "an unknown paper is a usage error" usage icpp2006 icpp2007
check "two papers are a usage error" usage 'unexpected argument' icpp2006 icpp2006
check "no seeds are a usage error" usage seeds icpp2006 --seeds 0
check "a seed twice is a usage error" usage twice icpp2006 --seeds 4,2,4
check "text for a seed is a usage error" usage ' --seeds takes a whole' icpp2006 --seeds 1,x
check "zero processes are a usage error" usage 'librasim reproduce: --jobs' icpp2006 -j 0
check "a folder without a name is a usage error" usage name icpp2006 -o ''

# fails MESSAGE ARGUMENT...: status 1 and one line
fails() {
	message=$1
	shift
	run 1 "$librasim" reproduce icpp2006 "$@" &&
		grep -q "$message" "$tmp/err" &&
		test "$(wc -l <"$tmp/err")" -eq 1
}
check "a trace that is missing fails" fails nosuch --trace nosuch -o new
check "it leaves no report" test ! -e new/index.html
touch file
check "a file in place of the folder fails" fails file -o file/report

check "it makes no folder" test ! -e new

# The folder comes with the files, so that a study that is stopped leaves none.
stopped() {
	"$librasim" reproduce icpp2006 -o above/stopped >/dev/null 2>&1 &
	sleep 1
	kill "$!" && ! wait "$!" && test ! -e above
}
check "a study that is stopped leaves no folder" stopped

lists() {
	run 0 "$librasim" reproduce --list && grep -q '^icpp2006 ' "$tmp/out"
}
check "--list lists the papers" lists

finish
