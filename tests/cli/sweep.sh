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

# 256 processors, jobs by node.
on_nodes() {
	{
		echo 'trace = "gen.swf"'
		echo 'policies = {planned}'
		printf '%s\n' "$@"
	} >nodes.conf
	run 0 "$librasim" sweep -q nodes.conf && sed -n 's/^[^,]*,planned,1,//p' out
}
as_run_on_nodes() {
	awk 'BEGIN { print "job,nodes" }
		!/^;/ { n = $8 > 0 ? $8 : $5; print $1 "," int((n + 63) / 64) }' \
		gen.swf >few.csv
	"$librasim" run --format csv --policy planned --arrival-delay 0.01 \
		--nodes 4 --side few.csv gen.swf 2>/dev/null |
		sed -n 's/^planned,\(.*\),1$/\1/p' >run.txt
	on_nodes 'arrival_delay = 0.01' 'node_procs = 64' 'few_nodes = true' \
		>sweep.txt
	on_nodes 'arrival_delay = 0.01' >lane.txt
	[ -s run.txt ] && cmp run.txt sweep.txt && ! cmp -s lane.txt sweep.txt
}
check "nodes are those of run" as_run_on_nodes

no_nodes() {
	on_nodes 'node_procs = 7' >/dev/null || grep -q 'into nodes of 7' err
}
check "an uneven division is refused" no_nodes
few_of_none() {
	on_nodes 'few_nodes = true' >/dev/null || grep -q 'needs node_procs' err
}
check "few nodes of none are refused" few_of_none
shared_nodes() {
	{
		cat sweep.conf
		echo 'node_procs = 8'
	} >shared.conf
	run 1 "$librasim" sweep -q shared.conf && grep -q 'has no nodes' err
}
check "a policy that shares processors has no nodes" shared_nodes

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
