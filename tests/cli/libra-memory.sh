#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each allocation of the command libra fails once, in turn: it answers as ever, or
# says in one line that memory ran out.  What Slurm's library asks for itself is
# left alone: that ends a program itself.  Slurm is a stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
# shellcheck source=tests/cli/fail_alloc.sh
. "$srcdir/tests/cli/fail_alloc.sh"

libra=${LIBRA:-$builddir/libra}
fail_alloc_begin "$libra"
# Flags are lists of words.
# shellcheck disable=SC2086
${CC:-cc} -shared -fPIC ${TEST_CPPFLAGS-} -o "$tmp/libslurm-fake.so" \
	"$srcdir/tests/cli/fake_slurm.c" 2>"$tmp/cc" ||
	skip_all "no stand-in for Slurm can be made"
preload=$tmp/libslurm-fake.so
FAIL_ALLOC_SPARE=libslurm
TZ=UTC
export FAIL_ALLOC_SPARE TZ

# It is 2000000000.  A runs since 200 s, the tasks of B wait, C has no deadline.
record() { # OFFER TASKS PROCS ESTIMATE DEADLINE SHARE WHERE
	echo "libra:1 offer=5.$1 tasks=$2 procs=$3 estimate=$4 deadline=$5" \
		"submit=1999999800 share=$6 part=main shape=1.0.0.0 $7"
}
FAKE_SLURM_JOBS=$tmp/jobs
export FAKE_SLURM_JOBS
cat >"$tmp/jobs" <<END
7 0 - 1 $(record 1 1 2 600 2000001000 0.5 "left=300/0.5/1999999900 on=a:0-1")
8 8 1-2 0 $(record 2 2 2 100 2000002000 0.05 "on=c:0-1;c:2-3")
9 0 - 1
END
cat >"$tmp/log" <<'END'
{"call":"engine","now_s":1999999700,"version":1,"epoch":5,"policy":"libra","params":{"late_yields":1},"nodes":[["a",2],["b",2],["c",4]],"offer_ttl_s":60}
{"call":"offer","now_s":1999999750,"submit_s":1999999750,"estimate_s":100,"deadline_s":2000000150,"nprocs":1,"user":3,"answer":"accept","reason":"none","share":0.25,"ticket":1,"policy":"libra","beside":0,"placement":[[1,1]]}
{"call":"offer","now_s":1999999800,"submit_s":1999999800,"estimate_s":600,"deadline_s":2000001000,"nprocs":2,"user":3,"answer":"accept","reason":"none","share":0.5,"ticket":2,"policy":"libra","beside":0.25,"placement":[[0,2]]}
{"call":"commit","now_s":1999999801,"ticket":2,"id":7,"rc":0}
{"call":"started","now_s":1999999802,"ticket":2,"id":7,"rc":0}
{"call":"modify","now_s":1999999850,"ticket":2,"submit_s":1999999800,"estimate_s":600,"deadline_s":2000001000,"nprocs":2,"user":3,"rc":0,"answer":"accept","reason":"none","share":0.5,"policy":"libra","beside":0.3}
{"call":"offer","now_s":1999999900,"submit_s":1999999900,"estimate_s":90,"deadline_s":1999999940,"nprocs":2,"user":3,"answer":"reject","reason":"no_share","share":0,"ticket":0,"policy":"libra"}
{"call":"earliest","now_s":1999999900,"submit_s":1999999900,"estimate_s":90,"deadline_s":1999999940,"nprocs":2,"user":3,"earliest_s":2000000020}
{"call":"offer","now_s":1999999990,"submit_s":1999999990,"estimate_s":10,"deadline_s":2000000900,"nprocs":1,"user":3,"answer":"accept","reason":"none","share":0.01,"ticket":3,"policy":"libra","beside":0,"placement":[[2,1]]}
END
export FAKE_SLURM_PARAMS

# Under band slurmctld answers, by sbatch.
mkdir "$tmp/bin"
cat >"$tmp/bin/sbatch" <<'END'
#!/bin/sh
case "$*" in
*--ntasks=4*)
	echo "sbatch: libra: accepted: 4 processors, finish promised by 2033-05-18 04:03:20 UTC"
	;;
*)
	echo "sbatch: error: libra: refused (no_share): 8 processors for 29 min"
	echo "sbatch: error: libra: earliest deadline now: 2033-05-18T05:00:00+0000"
	exit 1
	;;
esac >&2
END
chmod +x "$tmp/bin/sbatch"
PATH=$tmp/bin:$PATH

at="--deadline 2033-05-18T04:03:20"
for policy in libra band; do
	FAKE_SLURM_PARAMS="libra_policy=$policy,libra_log=$tmp/log"
	for json in '' ' --json'; do
		# shellcheck disable=SC2086
		{
			fails_well "$policy: what would be accepted$json" \
				"$libra" what-if $json --time 10 -n 4 $at
			check "$policy: and it is" test "$good" -eq 0
			fails_well "$policy: what would be refused$json" \
				"$libra" what-if $json --time 29 -n 8 $at
			check "$policy: and it is" test "$good" -eq 3
		}
	done
done
for json in '' ' --json' ' -P'; do
	# shellcheck disable=SC2086
	{
		fails_well "status$json" "$libra" status $json
		fails_well "explain$json" "$libra" explain $json 7
		fails_well "explain a task$json" "$libra" explain $json 8_2
		fails_well "explain --refused$json" "$libra" explain $json \
			--refused=5
	}
done
FAKE_SLURM_PARAMS="libra_policy=libra:main,libra_log=$tmp/log"
cat >>"$tmp/log" <<'END'
{"event":"decision","now_s":1999999990,"user":3,"partition":"main","verdict":"accept","reason":"none","estimate_s":10,"deadline_s":2000000900,"took_s":0.001}
{"event":"promised","now_s":1999999990,"id":9,"user":3,"partition":"main","nprocs":1,"estimate_s":10,"deadline_s":2000000900,"state":"waiting"}
END
fails_well "metrics" "$libra" metrics
fails_well "metrics --textfile" "$libra" metrics --textfile "$tmp/x.prom"
mv "$tmp/log" "$tmp/log.1"
cp "$tmp/log.1" "$tmp/log"
sed -i 1s/1999999700/1999999701/ "$tmp/log"
fails_well "notify" "$libra" notify --state "$tmp/notify" true
fails_well "metrics of a log that was rotated" "$libra" metrics \
	--textfile "$tmp/x.prom"
fails_well "settings" "$libra" settings
fails_well "settings --json" "$libra" settings --json
FAKE_SLURM_PARAMS="libra_policy=libra:a+b,libra_log=$tmp/log,libra_polcy=x"
fails_well "wrong settings" "$libra" settings
FAKE_SLURM_PARAMS="libra_policy=planned,libra_log=$tmp/log"
awk 'BEGIN {
	print "Partition|UID|Eligible|Start|End|TimelimitRaw|AllocCPUS|State"
	for (i = 0; i < 150; i++) {
		at = 1999600000 + 1000 * i
		print "main|" i % 3 "|" at "|" at + 500 "|" at + 620 "|10|2|COMPLETED"
	}
}' >"$tmp/past"
fails_well "when" "$libra" when -H "$tmp/past"
fails_well "when --json" "$libra" when --json -H "$tmp/past" 8
finish
