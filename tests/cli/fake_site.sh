# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# fake_site.sh - a cluster that the command libra can ask, from fake_slurm.c: its
# jobs and its decision log.  Tests source it after tap.sh.

# make_site: make it below $tmp.  Result: 1 if no stand-in can be made.
make_site() {
	# Flags are lists of words.
	# shellcheck disable=SC2086
	${CC:-cc} -shared -fPIC ${TEST_CPPFLAGS-} -o "$tmp/libslurm-fake.so" \
		"$srcdir/tests/cli/fake_slurm.c" 2>"$tmp/cc" || return 1
	TZ=UTC-1
	FAKE_SLURM_JOBS=$tmp/jobs
	export TZ FAKE_SLURM_JOBS
	make_jobs
	make_sbatch
}

# sbatch, which says what slurmctld would where processors have shares: the two
# of job 7 are taken.  With $SAID it says what that file has, and before that what
# a plugin prints, and ends with $SBATCH_STATUS.
make_sbatch() {
	mkdir -p "$tmp/bin"
	cat >"$tmp/bin/sbatch" <<'END'
#!/bin/sh
if [ -n "${SAID-}" ]; then
	[ ! -e "$SAID.plugin" ] || cat "$SAID.plugin"
	cat "$SAID" >&2
	exit "$SBATCH_STATUS"
fi
n=1
for word; do
	case $word in
	--time=*) minutes=${word#*=} ;;
	--deadline=*) deadline=$(date -d "${word#*=}" +%s) ;;
	--ntasks=*) n=${word#*=} ;;
	esac
done
share=$(awk "BEGIN { printf \"%.2f\", $minutes * 60 / ($deadline - 2000000000) }")
at=$(date -d "@$deadline" +%T)
s=s
[ "$n" -ne 1 ] || s=
if [ "$n" -gt 8 ]; then
	echo "sbatch: error: libra: refused (too_large): $n processors: there are 8 processors for such tasks: ask for fewer"
elif [ "$n" -le 2 ] && [ "$share" \> 1 ]; then
	late=$(((2000000000 + minutes * 60 - deadline) / 60))
	echo "sbatch: libra: accepted as a bet: share $share of $n processor$s
sbatch: libra: no promise: by its estimate it ends $late min after its deadline; it is in time only if it takes less"
elif [ "$share" \> 1 ]; then
	echo "sbatch: error: libra: refused (no_share): $n processor$s for 1 h by $at need a share of $share each
sbatch: error: libra: earliest deadline now: 2033-05-18T05:36:30+0100
sbatch: error: libra: try --deadline=now+64minutes (05:37:20)
allocation failure: Requested node configuration is not available"
else
	echo "sbatch: libra: accepted: share $share of $n processor$s, finish expected by $at
sbatch: Job 7 to start at 2033-05-18T04:33:20 using $n processors"
fi >&2
[ "$n" -le 2 ] || [ "$share" \< 1 ]
END
	chmod +x "$tmp/bin/sbatch"
	PATH=$tmp/bin:$PATH
}

# It is 2000000000.
record() { # OFFER TASKS PROCS ESTIMATE DEADLINE SHARE WHERE
	echo "libra:1 offer=5.$1 tasks=$2 procs=$3 estimate=$4 deadline=$5" \
		"submit=1999999800 share=$6 part=main shape=1.0.0.0 $7"
}
make_jobs() {
	cat >"$tmp/jobs" <<END
7 0 - 1 $(record 1 1 2 600 2000001000 0.5 "left=300/0.5/1999999900 on=a:0-1")
8 8 1-2 0 $(record 2 2 2 100 2000002000 0.05 "left= on=c:0-1;c:2-3")
9 0 - 1
10 0 - 0 $(record 3 1 2 600 2000000700 1 "late=100 broken=node_lost:n_3 start=2000000200 left= on=")
11 0 - 0 $(record 0 1 2 600 2000000700 1 "refused=no_share/2000000000/2000000800 left= on=")
12 0 - 0 $(record 4 3 1 60 2000000700 1 "start=2000000300;2000000100;2000000200.5 left= on=")
END
	cat >"$tmp/log.jsonl" <<'END'
{"call":"engine","now_s":1999999700,"version":1,"epoch":5,"policy":"libra","params":{"late_yields":1},"nodes":[["a",2],["b",2],["c",4]],"offer_ttl_s":60}
{"call":"offer","now_s":1999999800,"submit_s":1999999800,"estimate_s":600,"deadline_s":2000001000,"nprocs":2,"user":3,"answer":"accept","reason":"none","share":0.5,"ticket":2,"policy":"libra","beside":0.25,"placement":[[0,2]]}
{"call":"commit","now_s":1999999801,"ticket":2,"id":7,"rc":0}
{"call":"started","now_s":1999999802,"ticket":2,"id":7,"rc":0}
{"call":"modify","now_s":1999999850,"ticket":2,"submit_s":1999999800,"estimate_s":600,"deadline_s":2000001000,"nprocs":2,"user":3,"rc":0,"answer":"accept","reason":"none","share":0.5,"policy":"libra","beside":0.3}
{"call":"offer","now_s":1999999900,"submit_s":1999999900,"estimate_s":90,"deadline_s":1999999940,"nprocs":2,"user":3,"answer":"reject","reason":"no_share","share":0,"ticket":0,"policy":"libra"}
{"call":"earliest","now_s":1999999900,"submit_s":1999999900,"estimate_s":90,"deadline_s":1999999940,"nprocs":2,"user":3,"earliest_s":2000000020}
{"call":"offer","now_s":1999999990,"submit_s":1999999990,"estimate_s":10,"deadline_s":2000000900,"nprocs":1,"user":3,"answer":"accept","reason":"none","share":0.01,"ticket":3,"policy":"libra","beside":0,"placement":[[2,1]]}
END
	for part in main short; do
		cp "$tmp/log.jsonl" "$tmp/log.$part.jsonl"
	done
}
