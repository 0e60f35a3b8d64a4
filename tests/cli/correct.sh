#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Corrected estimates on the command line: every policy, one more column, the
# same deadlines, and nothing of it without the option.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
case $librasim in
/*) ;;
*) librasim=$(pwd)/$librasim ;;
esac
# Three users whose jobs take a half, a tenth and all of what they say.
awk 'BEGIN {
	for (i = 1; i <= 5; i++)
		print "; " (i == 1 ? "MaxProcs: 8" : "Note: " i)
	for (i = 0; i < 300; i++) {
		u = i % 3 + 1
		est = 600 + i * 37 % 1000
		run = int(est / (u == 1 ? 2 : u == 2 ? 10 : 1))
		print i + 1, i * 100, -1, run, 1 + i % 4, -1, -1, 1 + i % 4, \
			est, -1, 1, u, 1, 1, 1, 1, -1, -1
	}
}' </dev/null >"$tmp/log.swf"

# jobs OPTION...: the table of jobs in $tmp/jobs
jobs() {
	"$librasim" run --jobs-out "$tmp/jobs" "$@" "$tmp/log.swf" >/dev/null
}

without() {
	jobs --policy band && ! grep -q corrected "$tmp/jobs" &&
		"$librasim" run --format json "$tmp/log.swf" >"$tmp/out" &&
		grep -q '"correct": null' "$tmp/out"
}
check "without the option nothing tells of it" without

one_more_column() {
	jobs --policy band --arrival-delay 0.1 && cut -d, -f 1-7 "$tmp/jobs" >"$tmp/a"
	jobs --policy band --arrival-delay 0.1 --correct &&
		cut -d, -f 1-7 "$tmp/jobs" >"$tmp/b"
	cmp "$tmp/a" "$tmp/b" && head -n 1 "$tmp/jobs" | grep -q ',utility,corrected_s,guaranteed$'
}
check "jobs and deadlines are the same, a column is more" one_more_column
same_deadlines() {
	jobs --deadline-model estimate && cut -d, -f 6 "$tmp/jobs" >"$tmp/a"
	jobs --deadline-model estimate --correct &&
		cut -d, -f 6 "$tmp/jobs" | cmp "$tmp/a" -
}
check "deadlines are made of the user's estimate" same_deadlines

# Columns 4 and 5 are run time and estimate, 17 the corrected one.
learnt() {
	jobs --policy fcfs --correct=0.9 && awk -F , '
		NR == 1 { next }
		$17 > $5 || $17 <= 0 { bad++ }
		$17 != $5 { n++ }
		$17 != $5 && ($17 < $4 - 1e-3 || $17 > 1.02 * $4 + 1) { bad++ }
		END { print n, bad; exit !(n > 100 && !bad) }' "$tmp/jobs"
}
check "a user's habit is learnt" learnt

for policy in $("$librasim" policies --json </dev/null |
	sed -n 's/^  "name": "\(.*\)",/\1/p'); do
	runs() {
		jobs --policy "$policy" --arrival-delay 0.3 --correct=0.5 &&
			awk -F , 'NR > 1 && $17 < $5 { n++ } END { exit !n }' \
				"$tmp/jobs"
	}
	check "$policy gets corrected estimates" runs
done

told() {
	"$librasim" run --correct=0.8 --format json "$tmp/log.swf" >"$tmp/out" &&
		grep -q '"correct": 0.8' "$tmp/out"
}
check "JSON tells the quantile" told
usual() {
	jobs --correct && cp "$tmp/jobs" "$tmp/a" && jobs --correct=0.9 &&
		cmp "$tmp/a" "$tmp/jobs"
}
check "the usual quantile is 0.9" usual
for bad in 0 1 1.5 -1 nan much ''; do
	check "--correct=$bad is a usage error" \
		run 2 "$librasim" run --correct="$bad" "$tmp/log.swf"
	check "--correct=$bad is told in a line" \
		test "$(wc -l <"$tmp/err")" -eq 1
done

cd "$tmp" || exit 99
sweeps() {
	printf '%s\n' 'trace = "log.swf"' 'policies = {libra, band}' \
		'arrival_delay = {0.2, 1}' "$@" >sweep.conf
	"$librasim" sweep -q sweep.conf >sweep.csv
}
# A sweep's rows have the same columns, whatever the deadlines are.
drop_guaranteed() {
	sed -E '1!s/,[0-9]+,[0-9]+(,[0-9]+)$/\1/'
}
a_sweep() {
	sweeps 'correct = 0.9' && cp sweep.csv on.csv && sweeps || return 1
	"$librasim" run --correct --policy libra --arrival-delay 0.2 \
		--format csv log.swf 2>/dev/null | drop_guaranteed |
		sed -n 's/^libra,\(.*\),1$/\1/p' >run.txt
	sed -n 's/^[^,]*,libra,1,0.2,//p' on.csv | cmp run.txt - &&
		! cmp -s on.csv sweep.csv &&
		! cut -d, -f 1 on.csv | grep -qxFf - sweep.csv
}
check "a sweep has the results of run, and keys of its own" a_sweep
check "a sweep refuses a quantile out of range" \
	eval 'sweeps "correct = 2" 2>err; [ $? -eq 1 ] && grep -q "correct must be" err'
finish
