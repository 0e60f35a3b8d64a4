#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each allocation of a command fails once, in turn: it does what it would have
# done, or says why not, and leaves no file that is not whole.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
data=$(cd "$srcdir" && pwd)/tests
${CC:-cc} -shared -fPIC -o "$tmp/fail_alloc.so" "$data/cli/fail_alloc.c" -ldl \
	2>"$tmp/cc" || skip_all "no shared library can be made"
grep -q __asan_init "$librasim" && skip_all "a sanitizer has its own malloc"
mkdir "$tmp/out" "$tmp/good"

run() { # FAILS-AT COMMAND...: status, and what was written in $tmp/out
	n=$1
	shift
	rm -f "$tmp"/out/*
	FAIL_ALLOC=$n FAIL_ALLOC_COUNT=$tmp/count LD_PRELOAD=$tmp/fail_alloc.so \
		"$@" >"$tmp/stdout" 2>"$tmp/stderr"
}
same_as_good() {
	[ "$status" -eq "$good" ] && cmp -s "$tmp/stdout" "$tmp/good.stdout" &&
		diff -r "$tmp/out" "$tmp/good" >/dev/null
}
aborts=
# Refused, with a word of it; what files there are, are whole.
refused() {
	if [ "$aborts" ] && [ "$status" -eq 134 ]; then
		:
	else
		[ "$status" -eq 1 -o "$status" -eq 2 ] &&
			grep -qi memory "$tmp/stderr" || return 1
	fi
	for f in "$tmp"/out/*; do
		[ ! -e "$f" ] || cmp -s "$f" "$tmp/good/${f##*/}" || return 1
	done
}
fails_well() { # NAME COMMAND...
	name=$1
	shift
	run 0 "$@"
	good=$?
	cp "$tmp/stdout" "$tmp/good.stdout"
	rm -f "$tmp"/good/*
	cp "$tmp"/out/* "$tmp/good/" 2>/dev/null
	all=$(cat "$tmp/count")
	bad=0
	refusals=0
	i=1
	while [ $i -le "$all" ]; do
		run $i "$@"
		status=$?
		if refused; then
			refusals=$((refusals + 1))
		elif ! same_as_good; then
			bad=$((bad + 1))
			echo "# $name, allocation $i of $all: status $status"
			sed 's/^/#   /' "$tmp/stderr"
		fi
		i=$((i + 1))
	done
	echo "# $name: $all allocations, $refusals of them end it"
	check "$name says so when memory runs out" \
		test $bad -eq 0 -a $refusals -gt 2
}

trace=$data/fuzz/corpus/swf/small
fails_well "run" "$librasim" run --policy libra \
	--jobs-out "$tmp/out/jobs.csv" "$trace"
fails_well "run --json" "$librasim" run --policy band --json \
	--jobs-out "$tmp/out/jobs.json" "$trace"
fails_well "gen" "$librasim" gen --jobs 20 --output="$tmp/out/gen.swf"
fails_well "import" "$librasim" import --tz=UTC -o "$tmp/out/log.swf" \
	"$data/fuzz/corpus/import/plain-log"
fails_well "replay" "$librasim" replay "$data/fuzz/corpus/log/gap"

# Others that write, on as little as they take.
cd "$tmp" || exit 99
"$librasim" gen --jobs 40 --procs 256 --seed 9 -o bare.swf </dev/null
"$librasim" run --policy easy --size allocated --jobs-out jobs bare.swf \
	>/dev/null 2>&1
head -n 4 jobs >few
awk 'NR == FNR { split($0, f, ","); wait[f[1]] = f[10] - f[2]; next }
	/^;/ { print; next }
	{ $3 = wait[$1]; print }' jobs bare.swf >log.swf
for seed in 1 2; do
	"$librasim" run --policy libra,edf --format csv --seed $seed bare.swf \
		>"results-$seed" 2>/dev/null
done
printf 'trace = "bare.swf"\npolicies = {libra}\nseeds = {1}\n' >sweep.conf
# libconfuse, which reads it, ends the program where it has no memory itself.
aborts=yes
fails_well "sweep" "$librasim" sweep -q -j 1 -o "$tmp/out/sweep.csv" sweep.conf
aborts=
fails_well "plot" "$librasim" plot gantt -o "$tmp/out/jobs.svg" few
fails_well "plot --csv" "$librasim" plot waits --csv few
fails_well "when" "$librasim" when log.swf
fails_well "trace" "$librasim" trace bare.swf
fails_well "risk" "$librasim" risk results-1 results-2
fails_well "model fit" "$librasim" model fit bare.swf --draws 2 \
	--model exponential
finish
