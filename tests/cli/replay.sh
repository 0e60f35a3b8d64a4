#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim replay: what it says of whole logs, of differences and of gaps.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
cd "$tmp" || exit 99

# One job of 10 s in 40 s: a share of 0.25, on one of two processors.
engine='{"call":"engine","now_s":100,"epoch":7,"policy":"libra","params":{"late_yields":0},"nodes":[["a",2]],"offer_ttl_s":60'
offer='{"call":"offer","now_s":100,"submit_s":100,"estimate_s":10,"deadline_s":140,"nprocs":1,"user":3,"answer":"accept","reason":"none","ticket":4294967296,"share":SHARE,"placement":[[0,1]]}'
printf '%s}\n' "$engine" >begin
printf '%s,"continues":9}\n' "$engine" >rotated
echo "$offer" | sed 's/SHARE/0.25/' >right
echo "$offer" | sed 's/SHARE/0.3/' >wrong
cat begin right >whole
cat begin wrong >other
cat rotated right >later

# said STATUS TEXT FILE...: the exit status, and the last line
said() {
	want=$1
	text=$2
	shift 2
	run "$want" "$librasim" replay "$@" || return 1
	cat "$tmp/out"
	test "$(tail -n 1 "$tmp/out")" = "$text"
}

check "a log that is alike" said 0 \
	'1 calls and 0 actions in 1 run of the engine: all decided alike' whole
check "a difference" said 1 \
	'1 calls and 0 actions in 1 run of the engine: 1 difference' other
check "and which one" grep -q \
	'^other:2: offer: share: logged 0.[23][0-9]*, replayed 0.25' "$tmp/out"
check "a log without its beginning" said 1 \
	'0 calls and 0 actions in 0 runs of the engine: nothing could be compared; 1 gap, 1 line after it not compared' later
check "what to do about it" grep -q \
	'^later:1: the run began in an older file: name that file first; ' "$tmp/out"
check "a log with a gap in it" said 1 \
	'1 calls and 0 actions in 1 run of the engine: no difference in what was compared; 1 gap, 1 line after it not compared' whole later
# Parameters of older logs: without guaranteed_only it was no, and under band it was
# called cap and meant the opposite.
bet='{"call":"offer","now_s":100,"submit_s":100,"estimate_s":90,"deadline_s":140,"nprocs":1,"user":3,"answer":"ANSWER}'
old() { # PARAMETERS OF BAND, ANSWER
	echo "$engine}" | sed 's/"libra"/"band"/; s/"late_yields":0/'"$1"'/' >old
	echo "$bet" | sed "s/ANSWER/$2/" >>old
	said 0 '1 calls and 0 actions in 1 run of the engine: all decided alike' old
}
band='"finishes":1,"machine_reserve":0,"reserve":1,"residents":0,"overrun":0.1,"overrun_floor":1,"neighbours":1,"align":1,"spread":1'
accept='accept","reason":"none","ticket":4294967296,"share":1,"placement":[[0,1]]'
refuse='reject","reason":"would_miss","ticket":0,"share":0,"placement":[]'
check "band as it was" old "$band,\"cap\":1" "$accept"
check "band without its cap" old "$band,\"cap\":0" "$refuse"
check "band from before caps" old "$band" "$accept"
check "band with guarantees only" old "$band,\"guaranteed_only\":1" "$refuse"
unknown_param() {
	echo "$engine}" | sed 's/"late_yields":0/&,"other":1/' >old
	run 1 "$librasim" replay old &&
		grep -q 'has 1 parameters, but 2' "$tmp/err" "$tmp/out"
}
check "a parameter that nobody knows" unknown_param

json() {
	run 1 "$librasim" replay --json later &&
		grep -q '"identical": false' "$tmp/out" &&
		grep -q '"gaps": 1' "$tmp/out"
}
check "a gap in JSON" json
check "no log" run 2 "$librasim" replay
finish
