#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each call of a command that changes a file fails once, in turn, as on a full
# disk; and, of commands that make few, so do it and all after it.  The command
# says so in one line, with status 1, and leaves no file that is not whole, nor
# any that it did not name.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
data=$srcdir/tests
unset LIBRA_TRACES XDG_DATA_HOME
${CC:-cc} -o "$tmp/fail_io" "$data/cli/fail_io.c" 2>"$tmp/cc" ||
	skip_all "no calls can be made to fail"
"$tmp/fail_io" 1 "$tmp/count" mkdir "$tmp/none" 2>"$tmp/cc"
[ $? -eq 1 -a ! -e "$tmp/none" ] || skip_all "the kernel fails no calls here"

run() { # FAILS-AT COMMAND...: status, and what was written in $tmp/out
	n=$1
	shift
	rm -rf "$tmp/out"
	mkdir "$tmp/out"
	"$tmp/fail_io" "$n" "$tmp/count" "$@" >"$tmp/stdout" 2>"$tmp/stderr" \
		</dev/null
}
# A call may be made another way: glibc's tmpfile() has two.
same_as_good() {
	[ "$status" -eq 0 ] && cmp -s "$tmp/stdout" "$tmp/good.stdout" &&
		diff -r "$tmp/out" "$tmp/good" >/dev/null
}
# What there is, is whole; the command may have made its folder.
is_whole() {
	for f in $(cd "$tmp/out" && find . -type f); do
		cmp -s "$tmp/out/$f" "$tmp/good/$f" || {
			echo "# $f is not whole"
			return 1
		}
	done
}
refused() {
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/stderr")" -eq 1 ] &&
		grep -q '^librasim.*\(No space left\|Input/output error\)' \
			"$tmp/stderr"
}
fails_well() { # NAME COMMAND...
	name=$1
	shift
	run 0 "$@" || {
		sed 's/^/# /' "$tmp/stderr"
		check "$name" false
		return
	}
	rm -rf "$tmp/good"
	mv "$tmp/out" "$tmp/good"
	cp "$tmp/stdout" "$tmp/good.stdout"
	all=$(cat "$tmp/count")
	bad=0
	i=1
	while [ $i -le "$all" ]; do
		for n in $i $([ "$all" -gt 40 ] || echo $i+); do
			run $n "$@"
			status=$?
			if { ! refused || ! is_whole; } && ! same_as_good
			then
				bad=$((bad + 1))
				echo "# $name, call $n of $all: status $status"
				sed 's/^/#   /' "$tmp/stderr"
			fi
		done
		i=$((i + 1))
	done
	echo "# $name: $all calls"
	check "$name says so when the disk is full" test $bad -eq 0 -a "$all" -gt 0
}

cd "$tmp" || exit 99
"$librasim" gen --jobs 40 --procs 256 --seed 9 -o bare.swf </dev/null
"$librasim" run --policy easy --size allocated --jobs-out jobs bare.swf >run.csv
# The waits are those of a simulation.
awk 'NR == FNR { split($0, f, ","); wait[f[1]] = f[10] - f[2]; next }
	/^;/ { print; next }
	{ $3 = wait[$1]; print }' jobs bare.swf >log.swf
"$librasim" run --policy libra,edf --format csv bare.swf >one.csv
"$librasim" run --policy libra,edf --format csv --seed 2 bare.swf >two.csv
cat >sweep.conf <<'END'
trace = "bare.swf"
policies = {libra}
seeds = {1, 2}
END
cat >decisions <<'END'
{"call":"engine","now_s":1000000000,"version":1,"epoch":1000000000000,"policy":"libra","params":{"late_yields":1},"nodes":[["n0",4]],"offer_ttl_s":60}
{"call":"offer","now_s":1000000000,"submit_s":1000000000,"estimate_s":10,"deadline_s":1000000100,"nprocs":2,"user":7,"answer":"accept","reason":"none","share":0.10000000000000001,"ticket":4294967296,"policy":"libra","beside":0,"placement":[[0,2]]}
{"call":"commit","now_s":1000000000,"ticket":4294967296,"id":1,"rc":0}
{"action":"start","ticket":4294967296,"id":1,"reason":"none"}
END
fails_well "run" "$librasim" run --policy libra --jobs-out out/jobs.csv bare.swf
fails_well "gen" "$librasim" gen --jobs 20 -o out/gen.swf
fails_well "import" "$librasim" import --tz=UTC -o out/log.swf \
	"$data/fuzz/corpus/import/plain-log"
fails_well "plot" "$librasim" plot gantt -o out/jobs.svg jobs
fails_well "plot --csv" "$librasim" plot waits --csv jobs
fails_well "when" "$librasim" when log.swf
fails_well "trace" "$librasim" trace bare.swf
fails_well "risk" "$librasim" risk one.csv two.csv
fails_well "model fit" "$librasim" model fit bare.swf --draws 2 \
	--model exponential
fails_well "advise" "$librasim" advise --price 0.1 --pa 0.8 --pw 0.9
fails_well "policies" "$librasim" policies --json
fails_well "replay" "$librasim" replay decisions
fails_well "what-if" "$librasim" what-if -q -j 1 --promise-jobs 5 -o out/page \
	log.swf
fails_well "sweep" "$librasim" sweep -q -j 1 -o out/sweep.csv sweep.conf
fails_well "reproduce" "$librasim" reproduce icpp2006 -q -j 1 --seeds 1 \
	--no-figures --trace bare.swf -o out/icpp2006
finish
