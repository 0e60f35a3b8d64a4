#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim advise, and librasim reproduce ccgrid2008 without the paper's log.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
unset LIBRA_TRACES XDG_DATA_HOME
HOME=$tmp
export HOME
mkdir "$tmp/here" && cd "$tmp/here" || exit 99

# says STATUS TEXT ARG...: one line on standard error, with this text
says() {
	want=$1
	text=$2
	shift 2
	run "$want" "$librasim" "$@" || return 1
	cat "$tmp/err"
	[ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -qF -e "$text" "$tmp/err"
}

# advises FIRST-LINE ARG...
advises() {
	want=$1
	shift
	run 0 "$librasim" advise "$@" &&
		[ "$(head -n 1 "$tmp/out")" = "$want" ]
}
check "eq. 14: the spot market" \
	advises "spot market" --price 0.1 --pa 0.8 --pw 0.9
check "eq. 15: a reservation" \
	advises reservation --price 14 --value 100 --pa 0.63 --pw 0.39
check "elastic jobs need no pw" \
	advises "spot market" --price 0.14 --pa 0.63 --pd 0.9
check "a provider's advice" \
	advises "offer more reservations" --provider --price 0.14 --pa 0.63 \
	--pw 0.39 --pd 0.7
check "what is too dear is left" \
	advises neither --price 2 --pa 0.8 --pw 0.9
json() {
	run 0 "$librasim" advise --price 0.1 --pa 0.8 --pw 0.9 --format json &&
		grep -q '"choice": "spot market"' "$tmp/out" &&
		grep -q '"pa_needed": 0.888888888888889' "$tmp/out"
}
check "the same as JSON" json
check "a probability above 1 fails" \
	says 1 "pa, the probability" advise --price 0.1 --pa 1.8 --pw 0.9
check "a price is needed" says 2 "--price" advise --pa 0.8 --pw 0.9
check "pw is needed" says 2 "--pw" advise --price 0.1 --pa 0.8
check "a number is a number" \
	says 2 "takes a number" advise --price cheap --pa 0.8 --pw 0.9

repeat() {
	run 0 "$librasim" reproduce ccgrid2008 --seeds 6 --set sensitivity=2 "$@"
}
check "a report is made with one process" repeat -o one -j 1
check "a report is made with three processes" repeat -o three -j 3
check "both have the same bytes" diff -r one three

has_files() {
	for f in claims.json figure-1.csv figure-2.csv figure-3.csv \
		figure-3-efficiency.csv index.html manifest.json options.csv \
		runs.csv sensitivity.csv table-1.csv table-2.csv; do
		test -s "one/$f" || { echo "no $f"; return 1; }
	done
	test "$(ls -A one | wc -l)" -eq 12
}
check "it has all its files and no other" has_files
in_browser "in a browser the page fits, and its figures have a size" \
	one/index.html

all_claims() {
	for n in $(seq 1 13) $(seq 20 37); do
		grep -q "\"id\": \"M$n\"" one/claims.json ||
			{ echo "no M$n"; return 1; }
	done
	test "$(grep -Ec '"status": "(pass|fail|info)"' one/claims.json)" -eq 31
}
check "every claim is judged" all_claims

reasons() {
	test "$(grep -c '"status": "fail"' one/claims.json)" -eq \
		"$(grep -A 1 '"status": "fail"' one/claims.json |
			grep -c '"note": "..*"')"
}
check "every failure has a reason" reasons

exact() {
	for n in 20 35 36 37; do
		sed -n "/\"id\": \"M$n\"/,/\"status\"/p" one/claims.json |
			grep -q '"status": "pass"' || { echo "M$n"; return 1; }
	done
}
check "what is exact holds" exact

check "an unknown parameter suggests the right one" \
	says 1 "promise" reproduce ccgrid2008 -o x --set promis=1
check "a parameter has a range" \
	says 1 "guarantee" reproduce ccgrid2008 -o x --set guarantee=1
check "parameters must go together" \
	says 1 "max-procs" reproduce ccgrid2008 -o x --set hosts=9
check "--set takes an assignment" \
	says 2 "NAME=VALUE" reproduce ccgrid2008 -o x --set promise
check "other papers have no parameters" \
	says 1 "no parameters" reproduce icpp2006 -o x --set promise=1
listed() {
	run 0 "$librasim" reproduce --list && grep -q 'promise (0.75' "$tmp/out"
}
check "parameters are listed" listed
finish
