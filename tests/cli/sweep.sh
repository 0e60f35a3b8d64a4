#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim sweep: all points, the results of run, the same table for any number
# of processes and after a stop, and one line for what is wrong.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}

"$librasim" gen -n 300 --procs 256 --seed 5 -o "$tmp/gen.swf" </dev/null

# sweep LINE...: a file of a sweep with these lines too
sweep() {
	{
		echo 'trace = "gen.swf"  # beside the file'
		echo 'policies = {libra, edf}'
		echo 'seeds = {1, 2}'
		printf '%s\n' "$@"
	} >"$tmp/sweep.conf"
}
cd "$tmp" || exit 99

all_points() {
	sweep 'arrival_delay = {0.5, 1}' 'high_urgency = {20, 100}'
	run 0 "$librasim" sweep sweep.conf -j 1 -o one.csv &&
		[ "$(wc -l <one.csv)" -eq 17 ] && # 2 x 2 x 2 policies x 2
		[ "$(cut -d, -f 2-5 one.csv | sort -u | wc -l)" -eq 17 ]
}
check "every combination is a row" all_points

# Row: key, policy, seed, delay, urgency, then the columns of run.
as_run_says() {
	"$librasim" run --format csv --policy edf --seed 2 \
		--arrival-delay 0.5 --high-urgency 100 gen.swf 2>/dev/null |
		sed -n 's/^edf,\(.*\),2$/\1/p' >run.txt
	sed -n 's/^[^,]*,edf,2,0.5,100,//p' one.csv >sweep.txt
	[ -s run.txt ] && cmp run.txt sweep.txt
}
check "a row has the results of run" as_run_says

any_workers() {
	run 0 "$librasim" sweep sweep.conf -j 2 -o two.csv && cmp one.csv two.csv &&
		run 0 "$librasim" sweep -q sweep.conf && cmp out one.csv
}
check "the table is the same for any number of processes" any_workers

taken_up() {
	sed -n '1p;5,9p' one.csv >part.csv
	run 0 "$librasim" sweep sweep.conf -o part.csv &&
		grep -q '16 points: 11 run, 5 found in the table' out &&
		cmp one.csv part.csv
}
check "a stopped sweep goes on where it was" taken_up

other_parameters() {
	sweep 'arrival_delay = {0.5, 1}' 'high_urgency = {20, 100}' \
		'set = {"edf.admission=no"}'
	cp one.csv set.csv
	run 0 "$librasim" sweep sweep.conf -o set.csv &&
		grep -q '16 points: 8 run, 8 found in the table' out
}
check "rows of other parameters are run again" other_parameters

# says STATUS TEXT: one line that contains the text; nothing is written
says() {
	run "$1" "$librasim" sweep sweep.conf -o new.csv &&
		[ "$(wc -l <err)" -eq 1 ] && grep -qF "$2" err &&
		[ ! -e new.csv ]
}
wrong() {
	name=$1 text=$2
	shift 2
	sweep "$@"
	check "$name" says 1 "$text"
}
wrong "an unknown entry is named with its line" \
	"sweep.conf:4: no such option 'arival_delay'" 'arival_delay = {1}'
wrong "text is no number" "sweep.conf:4: invalid floating point" \
	'arrival_delay = {fast}'
wrong "a number out of range" "high-urgency must be from 0 to 100" \
	'high_urgency = {20, 120}'
wrong "a negative seed" "the seed -3 is negative" 'seeds = {-3}'
wrong "an unknown policy" "did you mean 'libra'?" 'policies = {lbra}'
wrong "an unknown parameter" "did you mean 'admission'?" \
	'set = {"admision=no"}'
wrong "a log that is nowhere" "the log nowhere.swf was not found" \
	'trace = "nowhere.swf"'
wrong "no end of a list" "sweep.conf:" 'arrival_delay = {1'

keeps_a_strangers_file() {
	sweep 'arrival_delay = {0.5, 1}'
	echo hello >hello.csv
	run 1 "$librasim" sweep sweep.conf -o hello.csv &&
		[ "$(cat hello.csv)" = hello ]
}
check "another table is not overwritten" keeps_a_strangers_file
check "a directory is no file" run 1 "$librasim" sweep "$tmp"
check "a missing file" run 1 "$librasim" sweep nowhere.conf
check "no file is a usage error" run 2 "$librasim" sweep

finish
