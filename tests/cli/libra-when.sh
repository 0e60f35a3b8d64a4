#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra when: promised starts, and forecasts from either kind of past; what is
# said without one.  Slurm and sacct are stand-ins.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
# Flags are lists of words.
# shellcheck disable=SC2086
${CC:-cc} -shared -fPIC ${TEST_CPPFLAGS-} -o "$tmp/libslurm-fake.so" \
	"$srcdir/tests/cli/fake_slurm.c" 2>"$tmp/cc" ||
	skip_all "no stand-in for Slurm can be made"
TZ=UTC-1
FAKE_SLURM_JOBS=$tmp/jobs
FAKE_SLURM_PARAMS=libra_policy=planned
export TZ FAKE_SLURM_JOBS FAKE_SLURM_PARAMS

when() { # STATUS ARGUMENT...
	want=$1
	shift
	run "$want" env LD_PRELOAD="$tmp/libslurm-fake.so" "$libra" when "$@"
}
says() { # TEXT COMMAND...: succeeds, and the answer has a text
	text=$1
	shift
	"$@" || return 1
	cat "$tmp/out" "$tmp/err"
	cat "$tmp/out" "$tmp/err" | grep -qF -e "$text"
}

# It is 2000000000.  Three jobs run since 100 s on 6 of 8 CPUs, for 10 min by
# their limits; 20 may start at once, 21 and 22 wait, 12 is promised, 13 held.
cat >"$tmp/jobs" <<'END'
7 0 - 1
8 0 - 1
9 0 - 1
12 0 - 0 libra:1 offer=5.4 tasks=1 procs=2 estimate=60 deadline=2000000700 submit=1999999800 share=1 part=main shape=1.0.0.0 start=2000000300 left= on=
13 0 - 0
20 0 - 0
21 0 - 0
22 22 1-2 0
END
mkdir "$tmp/bin"
cat >"$tmp/bin/sacct" <<'END'
#!/bin/sh
[ -n "$PAST" ] || exit 1
cat "$PAST"
END
chmod +x "$tmp/bin/sacct"
PATH=$tmp/bin:$PATH
PAST=
export PAST

# A user's jobs of 10 min took 120 s; each waited 500 s.
awk 'BEGIN {
	print "Partition|UID|Eligible|Start|End|TimelimitRaw|AllocCPUS|State"
	for (i = 0; i < 300; i++) {
		at = 1999600000 + 1000 * i
		print "main|" i % 3 "|" at "|" at + 500 "|" at + 620 "|10|2|COMPLETED"
	}
	print "main|1|1999990000|None|1999990010|10|2|CANCELLED by 0"
	print "gone|1|1999990000|1999990000|1999990010|10|2|COMPLETED"
}' >"$tmp/past"
# The same as a job completion log; its names try to be fields.
TZ=UTC-1 awk -F '|' 'function clock(s) { return strftime("%Y-%m-%dT%H:%M:%S", s) }
NR > 1 && NR < 302 {
	print "JobId=" NR " UserId=ada(" $2 ") GroupId=g(1) Name=x JobState=y Partition=z EndTime=1 JobState=" $8 " Partition=main TimeLimit=10 StartTime=" clock($4) " EndTime=" clock($5) " NodeList=a NodeCnt=1 ProcCnt=2 WorkDir=/a Tres=cpu=2 SubmitTime=" clock($3) " EligibleTime=" clock($3) " ExitCode=0:0"
}' "$tmp/past" >"$tmp/runs" 2>/dev/null

check "without accounting: a warning" says "libra when: warning: sacct has" \
	when 0 -P 20
by_limits() {
	when 0 -hP 20 21 && cat "$tmp/out" &&
		grep -qx '20|cy|main|2|planned|2033-05-18T04:34:20+01:00||.*|Resources' \
			"$tmp/out" &&
		grep -q '^21|ada|main|2|planned|2033-05-18T04:41:40+01:00||' \
			"$tmp/out"
}
check "starts go by limits then: behind the promised one" by_limits
promised() {
	when 0 -hP 12 && cat "$tmp/out" &&
		grep -q '^12|ada|main|2|promised|2033-05-18T04:38:20+01:00|2033-05-18T04:4[0-9]:[0-9]*+01:00||' \
			"$tmp/out"
}
check "a promised job has its planned and its latest start" promised
PAST=$tmp/past
forecast() {
	when 0 -hP 21 && cat "$tmp/out" "$tmp/err" && test ! -s "$tmp/err" &&
		grep -q '^21|ada|main|2|forecast|.*|0.95|2033-05-18T04:41:40+01:00|' \
			"$tmp/out"
}
check "with a past there is a bound" forecast
cp "$tmp/out" "$tmp/by_sacct"
check "starts with the limits' corrected" says "20  " when 0
all_rows() {
	when 0 -h && cat "$tmp/out" &&
		test "$(cut -c 1-14 "$tmp/out" | tr -d ' ' | tr '\n' ' ')" = \
			"12 20 21 22_[1-2] 13 " &&
		! grep -q '.\{81\}' "$tmp/out"
}
check "all that wait, in 80 columns" all_rows
past() {
	when 0 && grep -q '^Of the jobs of the past [0-9.]* % started by' "$tmp/out"
}
check "how often such bounds held" past
completion() {
	when 0 -hP --history="$tmp/runs" 21 && diff "$tmp/by_sacct" "$tmp/out"
}
if [ -s "$tmp/runs" ]; then
	check "a job completion log gives the same" completion
else
	skip "a job completion log gives the same" "awk has no strftime()"
fi
held() {
	when 0 -hP 13 && grep -q '^13|.*|unknown||||' "$tmp/out"
}
check "a held job has none" held
check "one that runs" says "|started|2033-05-18T04:31:40+01:00|" when 0 -hP 7
check "a task of an array" says "22_[1-2]|" when 0 -hP 22_2
check "1: no such job" says "no job 99 waits or runs" when 1 99
echo 'what is this' >"$tmp/none"
check "a history without runs: a warning" \
	says "warning: no line of the history is a run" when 0 -H "$tmp/none" 20
check "so has a folder" says "no line of the history" when 0 -H "$tmp" 20
check "1: no such history" says "nowhere: No such file" when 1 -H nowhere
check "2: no job id" when 2 x
away() {
	FAKE_SLURM_AWAY=1 when 5 --json
}
check "5: slurmctld is away" away

if ! command -v python3 >/dev/null; then
	skip "the JSON fits its schema" "no python3"
	finish
fi
fits() {
	when "$@" && python3 "$srcdir/tests/cli/schema.py" \
		"$srcdir/docs/libra-when.schema.json" "$tmp/out"
}
check "the JSON fits its schema" fits 0 --json
whole() {
	python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
print(v)
how = {j["job"]: j["how"] for j in v["jobs"]}
sys.exit(not (how["12"] == "promised" and how["13"] == "unknown" and
	how["21"] == "forecast" and v["past"]["asked"] > 100 and
	all(j["start_s"] <= j["latest_s"] for j in v["jobs"] if j["latest_s"])))' \
		"$tmp/out"
}
check "with all members" whole
PAST=
check "so does that without a past" fits 0 --json
check "and that of a failure" fits 1 --json 99
finish
