#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra chain: the deadlines of its links, all or none of them, and the state of
# the whole.  Slurm is a stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
# Flags are lists of words.
# shellcheck disable=SC2086
${CC:-cc} -shared -fPIC ${TEST_CPPFLAGS-} -o "$tmp/libslurm-fake.so" \
	"$srcdir/tests/cli/fake_slurm.c" 2>"$tmp/cc" ||
	skip_all "no stand-in for Slurm can be made"
cd "$tmp" || exit 99
TZ=UTC
FAKE_SLURM_JOBS=$tmp/jobs
FAKE_SLURM_PARAMS=libra_policy=libra
export TZ FAKE_SLURM_JOBS FAKE_SLURM_PARAMS

# sbatch gives the ids 101, 102 ...; link $REFUSE is refused.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
n=$(($(cat n 2>/dev/null || echo 0) + 1))
echo $n >n
echo "$*" >>asked
for word; do echo "[$word]"; done >words.$n
if [ "$n" = "$REFUSE" ]; then
	echo "sbatch: error: libra: refused (no_share): 1 processor" >&2
	[ -z "$EARLIEST" ] ||
		echo "sbatch: error: libra: earliest deadline now: $EARLIEST" >&2
	exit 1
fi
echo "sbatch: libra: accepted: 1 processor" >&2
[ "$n" != "$STOP" ] || kill -TERM $PPID
[ "$n" != "$SILENT" ] || exit 0
echo "$((100 + n));cluster"
END
cat >bin/scancel <<'END'
#!/bin/sh
echo "$*" >>cancelled
exit "${SCANCEL-0}"
END
# What accounting has, in lines that begin with the job.
cat >bin/sacct <<'END'
#!/bin/sh
[ -e accounts ] || exit 1
while [ "$1" != -j ]; do shift; done
sed -n "s/^$2|//p" accounts
END
chmod +x bin/sbatch bin/scancel bin/sacct
PATH=$tmp/bin:$PATH
REFUSE=
EARLIEST=
SILENT=
STOP=
export REFUSE EARLIEST SCANCEL SILENT STOP

chain() { # STATUS ARGUMENT...
	want=$1
	shift
	rm -f n asked cancelled
	run "$want" env LD_PRELOAD="$tmp/libslurm-fake.so" "$libra" chain "$@" ||
		{
			cat "$tmp/out" "$tmp/err"
			return 1
		}
}
has() { # FILE LINE...
	file=$1
	shift
	for line; do
		grep -qxF -e "$line" "$file" && continue
		echo "no $line"
		cat "$file"
		return 1
	done
}
record() { # OFFER ESTIMATE DEADLINE WORDS
	echo "libra:1 offer=5.$1 tasks=1 procs=1 estimate=$2 deadline=$3" \
		"submit=1999999800 share=0.5 part=main shape=1.0.0.0 $4"
}

# It is 2033-05-18T03:33:20.
cat >three <<'END'
# prepare, compute, draw
sbatch --time=10 -n 4 prepare.sh

  -t 1:00:00 --job-name="my job" compute.sh --time=5
--time 5 --wrap='date; echo done'
END
cat >jobs <<END
101 0 - 1 $(record 1 600 2000002900 "left=300/0.5/1999999900 on=a:0-0")
102 0 - 0 $(record 0 3600 2000006500 "left= on=")
103 0 - 0 $(record 0 300 2000006800 "left= on=")
END
soon=2033-05-18T05:26:40 # 2000006800
check "a chain is submitted" chain 0 -d $soon three
check "each link has what the later ones leave, and waits for the one before" \
	has asked \
	'--parsable --deadline=2033-05-18T04:21:40 --time=10 -n 4 prepare.sh' \
	'--parsable --deadline=2033-05-18T05:21:40 --dependency=afterok:101 -t 1:00:00 --job-name=my job compute.sh --time=5' \
	"--parsable --deadline=2033-05-18T05:26:40 --dependency=afterok:102 --time 5 --wrap=date; echo done"
check "words are those of a shell" has words.2 '[--job-name=my job]'
check "a command is one word" has words.3 '[--wrap=date; echo done]'
check "nothing is cancelled" test ! -e cancelled
check "sbatch's words are passed on" grep -q 'libra: accepted' "$tmp/err"
check "and the state is shown" has "$tmp/out" \
	'LINK JOB      STATE     PROMISE        LIMIT MUST END BY         EXPECTED END (UTC)' \
	'   1 101      RUNNING   promised      10 min 04:21:40            03:41:40' \
	'   2 102      PENDING   none             1 h 05:21:40            04:41:40' \
	'   3 103      PENDING   none           5 min 05:26:40            04:46:40' \
	'chain: on time: estimated finish 04:46:40, 40 min before the deadline 05:26:40 UTC'
input() {
	rm -f n asked
	LD_PRELOAD="$tmp/libslurm-fake.so" "$libra" chain -d $soon - <three &&
		test "$(wc -l <asked)" -eq 3
}
check "from standard input" input

# All or none.
REFUSE=2
check "a link that is refused" chain 3 -d $soon three
check "the links before it are cancelled" has cancelled 101
check "no more are submitted" test "$(wc -l <asked)" -eq 2
told() {
	grep -qxF 'libra chain: link 2 (line 4) was refused with the deadline 05:21:40 UTC: the links before it are cancelled' "$tmp/err" &&
		! grep -q 'earliest deadline of the chain' "$tmp/err"
}
check "it says which" told
EARLIEST=2033-05-18T08:21:40+0200
earliest() {
	chain 3 -d 2033-05-18T05:21:40 three && has "$tmp/err" \
		'libra chain: earliest deadline of the chain now: 06:26:40 UTC'
}
check "and the earliest deadline" earliest
REFUSE=1
none() {
	chain 3 -d $soon three && test ! -e cancelled &&
		grep -q 'link 1 (line 2).*: nothing is submitted' "$tmp/err"
}
check "the first one is refused" none
REFUSE=3
latest_first() {
	chain 3 -d $soon three && has cancelled '102 101'
}
check "the latest link is cancelled first" latest_first
SCANCEL=1
by_hand() {
	chain 3 -d $soon three && grep -q 'by hand.*: 102 101' "$tmp/err" &&
		! grep -q 'are cancelled' "$tmp/err"
}
check "what cannot be cancelled is told" by_hand
SCANCEL=0
REFUSE=
SILENT=2
no_id() {
	chain 1 -d $soon three && has cancelled 101 &&
		grep -q 'printed no job id' "$tmp/err" &&
		! grep -q 'is left' "$tmp/err"
}
check "so is a link that has no id" no_id
SILENT=
interrupted() { # LINK CANCELLED
	STOP=$1
	chain 143 -d $soon three && has cancelled "$2" && has "$tmp/err" \
		'libra chain: interrupted: nothing of the chain is left' &&
		test "$(wc -l <asked)" -eq "$1"
}
check "an interrupt in the middle leaves none" interrupted 2 '102 101'
check "nor one while the last link is submitted" interrupted 3 '103 102 101'
ignored() {
	(
		trap '' TERM
		chain 0 -d $soon three
	) && test ! -e cancelled && test "$(wc -l <asked)" -eq 3
}
STOP=2
check "one that the caller ignores is ignored" ignored
STOP=
too_long() {
	chain 3 -d 2033-05-18T04:33:20 three && test ! -e asked &&
		grep -q 'take 1 h 15 min .*: earliest deadline of the chain now: 04:48:20 UTC' "$tmp/err"
}
check "links that take too long are not submitted" too_long

# --test-only
test_only() {
	chain 0 -d $soon --test-only three && has asked \
		'--test-only --deadline=2033-05-18T05:21:40 -t 1:00:00 --job-name=my job compute.sh --time=5' &&
		has "$tmp/out" 'link 3 (line 5): deadline 05:26:40 UTC' &&
		test ! -e cancelled
}
check "a question" test_only
REFUSE=2
refused_test() {
	chain 3 -d $soon --test-only three && test ! -e cancelled &&
		grep -q 'link 2 (line 4) was refused with the deadline 05:21:40 UTC$' "$tmp/err"
}
check "that is refused" refused_test
REFUSE=

# The state of jobs.
check "jobs" chain 0 101 102 103
check "have the deadline of the last one" grep -q 'before the deadline 05:26:40 UTC' "$tmp/out"
late() {
	chain 3 -d 2033-05-18T04:00:00 101 102 103 && has "$tmp/out" \
		'chain: late: estimated finish 04:46:40, 46 min 40 s after the deadline 04:00:00 UTC'
}
check "late" late
cat >jobs <<END
101 0 - 3 $(record 1 600 2000002900 "left= on=a:0-0")
102 0 - 5 $(record 2 3600 2000006500 "left= on=")
103 0 - 0 $(record 0 300 2000006800 "refused=no_share/2000000000/2000000800 left= on=")
104 0 - 0
END
failed() {
	chain 3 101 102 103 && has "$tmp/out" \
		'chain: failed: link 2 (job 102) did not complete' \
		'   1 101      COMPLETED promised      10 min 04:21:40            03:31:40' \
		'   3 103      PENDING   refused        5 min 05:26:40            -'
}
check "a link that failed" failed
gone() {
	chain 1 103 99 -d $soon && has "$tmp/err" \
		'libra chain: job 99 is not known: slurmctld has forgotten it, and sacct does not say how it ended' &&
		chain 1 103 99 && grep -q 'job 99 is not known.*--deadline' "$tmp/err"
}
check "a job that is forgotten" gone
cat >accounts <<END
97|COMPLETED|1999999990|10|
98|FAILED|1999999990|UNLIMITED|ops
99|COMPLETED|1999999999|10|$(record 9 600 2000002900 "left= on= note=a|b")
90|RUNNING|Unknown|10|
91|COMPLETED|1999999990|10|
91|COMPLETED|1999999990|10|
END
accounts() {
	chain 0 97 99 && has "$tmp/out" \
		'   1 97       COMPLETED none          10 min 04:11:40            03:33:10' \
		'   2 99       COMPLETED promised      10 min 04:21:40            03:33:19' \
		'chain: on time: estimated finish 03:33:19, 48 min 21 s before the deadline 04:21:40 UTC' &&
		chain 3 98 99 && has "$tmp/out" \
		'chain: failed: link 1 (job 98) did not complete'
}
check "is looked for in accounting" accounts
no_end() {
	chain 1 -d $soon 90 && chain 1 -d $soon 91 && chain 1 -d $soon 89
}
check "where one without an end, an array and none say nothing" no_end
rm accounts
ordinary() {
	chain 0 101 104 -d $soon && has "$tmp/out" \
		'chain: on time: estimated finish 03:43:20, 1 h 43 min before the deadline 05:26:40 UTC'
}
check "an ordinary job" ordinary
task() {
	echo "105 105 3-4 0" >>jobs
	chain 0 101 105_3 -d $soon && has "$tmp/out" \
		'   2 105_3    PENDING   none          10 min 05:26:40            03:43:20'
}
check "a task that waits in its array's record" task
check "which has no deadline" chain 1 101 104
check "it is asked for" grep -q 'job 104 has no deadline.*--deadline' "$tmp/err"
columns() {
	chain 3 -P 101 102 103 && has "$tmp/out" \
		'link|job|state|promise|limit_s|deadline|finish|on_time' \
		'1|101|COMPLETED|promised|600|2033-05-18T04:21:40+00:00|2033-05-18T03:31:40+00:00|yes'
}
check "columns" columns
json() {
	chain 3 --json 101 102 103 && python3 "$srcdir/tests/cli/schema.py" \
		"$srcdir/docs/libra-chain.schema.json" "$tmp/out" &&
		chain 0 --json 101 104 -d $soon &&
		python3 "$srcdir/tests/cli/schema.py" \
			"$srcdir/docs/libra-chain.schema.json" "$tmp/out"
}
if command -v python3 >/dev/null; then
	check "JSON is what the schema says" json
else
	skip "JSON is what the schema says" "no python3"
fi

# What is wrong.
wrong() { # TEXT LINE
	printf '%s\n' "-t 5 a.sh" "$2" >bad
	chain 1 -d $soon bad && cat "$tmp/err" &&
		grep -qF -e "bad:2: $1" "$tmp/err" && test ! -e asked
}
check "no time limit" wrong 'give --time' '-n 4 a.sh -t 5'
check "no good time limit" wrong '--time takes' '-t soon a.sh'
check "no end" wrong '--time takes' '-t UNLIMITED a.sh'
check "a deadline of a link" wrong '--deadline and --dependency' \
	'-t 5 --deadline=now+1hour a.sh'
check "a dependency" wrong '--deadline and --dependency' '-t 5 -d afterok:7 a.sh'
check "sbatch that waits" wrong '--wait' '-t 5 -W a.sh'
check "an array" wrong 'an array' '-t 5 --array=1-3 a.sh'
check "quotes" wrong 'quotes do not match' "-t 5 --wrap='date"
# shellcheck disable=SC2016
check "a command in it" wrong 'quotes do not match' '-t 5 --wrap="$(touch /tmp/no)"'
: >empty
check "an empty file" chain 1 -d $soon empty
check "no such file" chain 1 -d $soon nowhere
check "no deadline" chain 2 three
check "nothing" chain 2
check "a file and a job" chain 2 three 101
check "no time" chain 2 -d whenever three
finish
