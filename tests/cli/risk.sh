#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim risk: results of run in all forms, weights, and what it refuses.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
cd "$tmp" || exit 99

# SLA 60, 80, 100 and 50, 50, 50: performance 80 and 50, volatility
# sqrt(800 / 3) = 16.33 and 0; profit 10, 20, 60 and 40, 40, 40: 30 and 40,
# sqrt(1400 / 3) = 21.60 and 0.
cat >by-hand.csv <<'END'
policy,fulfilled_pct,profit_pct
one,60,10
other,50,40
one,80,20
other,50,40
one,100,60
other,50,40
END
by_hand() {
	run 0 "$librasim" risk --objectives sla,profit "$@" by-hand.csv &&
		tr -s ' ' <"$tmp/out" >"$tmp/squeezed"
	cat "$tmp/squeezed"
}
equal_weights() {
	by_hand | grep -qx ' *one 80.00 16.33 30.00 21.60 55.00 18.97 *' &&
		by_hand | grep -qx ' *other 50.00 0.00 40.00 0.00 45.00 0.00 *'
}
check "six numbers by hand" equal_weights
other_weights() {
	by_hand --weights 1/4,3/4 |
		grep -qx ' *one 80.00 16.33 30.00 21.60 42.50 20.28 *'
}
check "other weights" other_weights
by_column() {
	sed '1s/$/,load/; 2,3s/$/,1/; 4,5s/$/,1/; 6,$s/$/,2/' by-hand.csv \
		>loads.csv
	sed -n '6,$p' loads.csv >rest && cat rest >>loads.csv
	run 0 "$librasim" risk --objectives sla --by load --format csv \
		loads.csv || return 1
	cat "$tmp/out"
	grep -qx '1,one,2,70,10,70,10' "$tmp/out" &&
		grep -qx '2,one,2,100,0,100,0' "$tmp/out" &&
		grep -qx 'mean,one,2,85,5,85,5' "$tmp/out"
}
check "scenarios by a column, and their mean" by_column

# The same from CSV and from JSON of run.
"$librasim" gen -n 400 --seed 5 -o gen.swf </dev/null
for delay in 0.2 0.6 1; do
	for format in csv json; do
		"$librasim" run --policy edf-bf,libra,firstreward --procs 256 \
			--arrival-delay $delay --format $format gen.swf \
			>run-$delay.$format 2>/dev/null </dev/null
	done
done
both_forms() {
	for format in table csv json; do
		run 0 "$librasim" risk --format $format run-*.csv || return 1
		mv "$tmp/out" first
		run 0 "$librasim" risk --format $format run-*.json || return 1
		cmp first "$tmp/out" || return 1
	done
}
check "CSV and JSON of run are read alike" both_forms

# ---- what is refused: one line ----

says() {
	want=$1
	text=$2
	shift 2
	run "$want" "$librasim" risk "$@" || return 1
	cat "$tmp/err"
	test ! -s "$tmp/out" && test "$(wc -l <"$tmp/err")" -eq 1 &&
		grep -qF -e "$text" "$tmp/err"
}
: >empty.csv
head -n 3 by-hand.csv >short.csv
sed 5d by-hand.csv >uneven.csv
sed 's/60/much/' by-hand.csv >text.csv
sed 's/gen.swf/other.swf/' run-0.2.json >renamed-log.json
sed 's/"sha256": "..../"sha256": "beef/' renamed-log.json >other-log.json
check "no results" says 2 "no results are given"
check "weights that do not sum to 1" says 2 "sum to 0.99" \
	--weights 0.33,0.33,0.33 run-1.json run-0.2.json
check "a negative weight" says 2 "from 0 to 1, not -1" \
	--objectives sla,profit --weights=-1,2 by-hand.csv
check "a weight that is no number" says 2 "not 'half'" \
	--objectives sla,profit --weights half,half by-hand.csv
check "too few weights" says 2 "2 numbers for 3 objectives" --weights 1/2,1/2 \
	run-1.json run-0.2.json
check "an objective twice" says 2 "names 'sla' twice" \
	--objectives sla,sla by-hand.csv
check "an unknown objective" says 1 "(did you mean 'profit'?)" \
	--objectives profits by-hand.csv
check "an objective that is not there" says 1 "no objective 'reliability'" \
	by-hand.csv
check "an unknown column" says 1 "no column 'set'" --by set by-hand.csv
check "an empty file" says 1 "the file is empty" \
	--objectives sla by-hand.csv empty.csv
check "a missing file" says 1 "No such file" nowhere.csv
check "a log instead of results" says 1 "no column is named policy" gen.swf
check "one result" says 1 "needs two or more" --objectives sla short.csv
check "uneven results" says 1 "cannot compare" --objectives sla uneven.csv
check "results of two logs" says 1 "cannot compare" run-1.json \
	other-log.json
check "results of one log under two names" run 0 "$librasim" risk run-1.json \
	renamed-log.json
check "results of other policies" says 1 "" run-1.json by-hand.csv
check "text instead of a number" says 1 "must be a number, not 'much'" \
	--objectives sla text.csv
check "a file twice" says 2 "named twice" by-hand.csv by-hand.csv
for option in --budget-mean --penalty-mean --budget-ratio; do
	check "a negative $option" run 2 "$librasim" run $option=-3 gen.swf
	check "an absurd $option" run 2 "$librasim" run $option=1e30 gen.swf
done
check "an unknown base" run 2 "$librasim" run --budget-base users gen.swf
finish
