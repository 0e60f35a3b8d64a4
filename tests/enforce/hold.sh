#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How well a job is held: by extremes of weight, or by SIGSTOP.
#
# Takes two CPUs for two minutes, so it is skipped unless LIBRA_HOLD is set: to
# the seconds of each experiment, or any text.  LIBRA_HOLD_PROGRAM is the
# program tests/enforce/hold.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/../live/lib.sh"

[ -n "${LIBRA_HOLD:-}" ] || skip_all "LIBRA_HOLD is not set"
[ "$(id -u)" = 0 ] || skip_all "needs root: cgroups are root's"
program=${LIBRA_HOLD_PROGRAM:-$PWD/tests/enforce/hold}
[ -x "$program" ] || skip_all "$program was not built"
[ "$(nproc)" -ge 2 ] || skip_all "needs two CPUs"
seconds=2
[[ $LIBRA_HOLD =~ ^[0-9.]+$ ]] && seconds=$LIBRA_HOLD

out=$(mktemp /tmp/libra-hold.XXXXXX) || exit 1
extra_files=$out
"$program" "$seconds" 0 1 >"$out"
same "the experiments end" 0 $?
sed 's/^/# /' "$out"

# Lines: WORK HOW RUNNER % HELD % WITHOUT ms WITH ms
lines() { awk -v how="$1" '$2 == how' "$out"; }
same "all were made" "8 8" "$(lines weights | wc -l) $(lines signals | wc -l)"
least() { lines "$1" | awk -v c="$2" '{ print $c }' | sort -g | head -n 1; }
most() { lines "$1" | awk -v c="$2" '{ print $c }' | sort -g | tail -n 1; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
below 90 "$(least weights 3)"
ok $? "by weight a runner does 90 % and more of what it does alone"
below "$(awk '$1 == "busy" && $2 == "weights" { print $5 }' "$out")" 2
ok $? "a busy job that is held by weight gets less than 2 %"
below 10 "$(awk '$1 == "uneven+one" && $2 == "weights" { print $5 }' "$out")"
ok $? "by weight, a job gets what the runner leaves while it waits"
below "$(most weights 7)" 1000 && below 0 "$(least weights 7)"
ok $? "held by weight, it goes on within 1 s without any event"
same "held by SIGSTOP it waits for one" -1.0 "$(most signals 7)"
finish
