#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The interface for programs: the exit status of libra tells the answer,
# -P writes columns, and its JSON is what docs/libra-*.schema.json say, whatever was
# asked.  Slurm is a stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
# shellcheck source=tests/pages.sh
. "$srcdir/tests/pages.sh"

libra=${LIBRA:-$builddir/libra}
# shellcheck source=tests/cli/fake_site.sh
. "$srcdir/tests/cli/fake_site.sh"
make_site || skip_all "no stand-in for Slurm can be made"

# ask STATUS PARAMS ARGUMENT...: the answer in $tmp/out
ask() {
	want=$1
	FAKE_SLURM_PARAMS=$2
	export FAKE_SLURM_PARAMS
	shift 2
	run "$want" env LD_PRELOAD="$tmp/libslurm-fake.so" "$libra" "$@"
}

# ---- exit status ----

share=libra_policy=libra,libra_log=$tmp/log.jsonl
soon="--deadline 2033-05-18T05:03:20"
says() { # TEXT COMMAND...: succeeds, and the answer has a text
	text=$1
	shift
	"$@" || return 1
	cat "$tmp/out" "$tmp/err"
	cat "$tmp/out" "$tmp/err" | grep -qF -e "$text"
}
# shellcheck disable=SC2086
{
	check "0: would be accepted" ask 0 $share what-if -t 10 $soon
	check "1: a partition that is not there" says "no partition none" \
		ask 1 $share what-if -t 10 $soon -p none
	check "1: a deadline in the past" says "in the past" \
		ask 1 $share what-if -t 10 -d 2033-01-01
	check "2: the command line" ask 2 $share what-if -t soon $soon
	check "3: would be refused" says "refused (no_share)" \
		ask 3 $share what-if -t 60 -n 8 $soon
	check "3: by a rule of the partition" says "refused (max_time)" \
		ask 3 $share what-if -t 10 -d 2034-05-18
	check "4: a partition without promises" says "short is not managed" \
		ask 4 $share,libra_partitions=main what-if -t 10 $soon -p short
	FAKE_SLURM_SUBMIT=lua
	export FAKE_SLURM_SUBMIT
	check "4: a cluster without promises" says "does not name libra" \
		ask 4 $share what-if -t 10 $soon
	unset FAKE_SLURM_SUBMIT
	FAKE_SLURM_AWAY=1
	export FAKE_SLURM_AWAY
	for command in status "explain 7" "explain -r" "what-if -t 10 $soon" \
		settings; do
		check "5: slurmctld is away: $command" \
			says "slurmctld does not answer" ask 5 $share $command
	done
	check "settings that are given need none" ask 0 $share settings $share
	unset FAKE_SLURM_AWAY
	check "0: a job that is explained" ask 0 $share explain 7
	check "1: one that is not there" ask 1 $share explain 99
	check "1: a wrong setting" ask 1 libra_polcy=libra settings
}

# sbatch says what it is told to say; each word of it is an exit status.
plan=libra_policy=planned,libra_log=$tmp/log.jsonl
SAID=$tmp/said
export SAID SBATCH_STATUS
planned() { # STATUS OF-SBATCH TEXT ARGUMENT...
	SBATCH_STATUS=$2
	printf '%s\n' "$3" >"$SAID"
	wanted=$1
	shift 3
	# shellcheck disable=SC2086
	ask "$wanted" "$plan" what-if -t 10 $soon "$@"
}
good='sbatch: libra: accepted: 4 nodes, planned start 2033-05-18 04:00:00 (2033-05-18 04:30:00 at the latest), finish promised by 2033-05-18 05:00:00 UTC'
in_turn() { # OF-SBATCH TEXT
	SBATCH_STATUS=$1
	printf '%s\n' "$2" >"$SAID"
}
bad='sbatch: error: libra: refused (would_miss): 4 nodes for 10 min by 2033-05-18 05:03:20 UTC
sbatch: error: libra: earliest deadline now: 2033-05-18T08:00:00+0200
allocation failure: Requested node configuration is not available'
check "planned, 0: would be accepted" planned 0 0 "$good"
check "planned, 1: Slurm refuses" planned 1 1 \
	"allocation failure: Invalid account or account/partition combination"
check "planned, 3: would be refused" planned 3 1 "$bad"
no_more() {
	planned 3 1 "$bad" && cat "$tmp/out" &&
		! grep -q 'allocation failure' "$tmp/out"
}
check "what Slurm says of it is not said again" no_more
check "planned, 3: it would join the queue without a promise" planned 3 0 \
	"sbatch: libra: refused (would_miss): 4 nodes for 10 min by then
sbatch: libra: the job joins the ordinary queue WITHOUT A PROMISE"
check "planned, 3: by what it asks for" planned 3 1 \
	"sbatch: error: libra: a promise does not count switches"
check "planned, 1: Slurm refuses what was accepted" planned 1 1 \
	"sbatch: error: libra: accepted: 4 nodes
sbatch: error: libra: --signal comes 60 s before the deadline
allocation failure: Requested node configuration is not available"
check "planned, 1: no verdict yet" planned 1 0 \
	"sbatch: libra: no promise yet: the job asks for one when it is in the queue"
check "planned, 4: nothing is said" planned 4 0 \
	"sbatch: Job 7 to start at 2033-05-18T04:00:00 using 1 processors"

unset SAID

# libra(1) has each status in its table.
listed() {
	for status in 0 1 2 3 4 5; do
		section "EXIT STATUS" "$man/libra.1" |
			grep -qx ".B $status" ||
			{ echo "no status $status"; return 1; }
	done
}
check "libra(1) has each of them" listed

# ---- columns, and headings ----

# columns_are LINE NUMBER ARGUMENT...: the last of so many lines is this one, and
# each has as many columns
columns_are() {
	line=$1
	number=$2
	shift 2
	ask "$columns_status" "$share" "$@" || return 1
	cat "$tmp/out"
	test "$(wc -l <"$tmp/out")" -eq "$number" &&
		test "$(tail -n 1 "$tmp/out")" = "$line" &&
		test "$(tr -cd '|\n' <"$tmp/out" | sort -u | wc -l)" -eq 1
}
columns_status=0
check "status -P" columns_are \
	"7|bob|main|RUNNING|2|promised|0.25|0.5833333333|2033-05-18T04:50:00+01:00|750|0|||a:0-1" \
	6 status -P --sort=-job
check "status -hP" columns_are \
	"12|ada|main|PENDING|1|promised|1|0|2033-05-18T04:45:00+01:00|640|0|2033-05-18T04:35:00+01:00,2033-05-18T04:36:41+01:00,2033-05-18T04:38:20+01:00|Resources|" \
	1 status -hPu ada,zoe
check "explain -P" columns_are \
	"11|11|cy|PENDING|refused|2|2033-05-18T04:30:00+01:00|600|2033-05-18T04:45:00+01:00||||0|||Resources|" \
	2 explain -P 11
check "explain -P of refusals" columns_are \
	"2033-05-18T04:31:40+01:00|3|libra|no_share|2|90|2033-05-18T04:32:20+01:00|2033-05-18T04:33:40+01:00" \
	1 explain -h --parsable2 --refused
# shellcheck disable=SC2086
check "what-if -P" columns_are \
	"accept|none|no|1|600|2033-05-18T06:03:20+01:00|0.11|0.1111111111|0||" \
	2 what-if -P -t 10 --deadline 2033-05-18T06:03:20
columns_status=3
# shellcheck disable=SC2086
check "what-if -P of a refusal" columns_are \
	"reject|no_share|no|8|3600|2033-05-18T05:03:20+01:00||2||2033-05-18T05:36:30+01:00|" \
	1 what-if -hP -t 60 -n 8 $soon
columns_warn() {
	ask 0 libra_policy=libra explain -P 7 && ! grep -q warning "$tmp/out" &&
		grep -qx 'libra explain: warning: no decision log is .*' "$tmp/err"
}
check "warnings are on standard error" columns_warn
# libra-formats(5) has the columns.
named() {
	for command in status "chain 7" "explain 7" "explain -r" when \
		"what-if -t 10 $soon"; do
		# shellcheck disable=SC2086
		ask 0 "$share" $command -P || return 1
		tr '\n' ' ' <"$man/libra-formats.5" | grep -qF \
			" $(head -n 1 "$tmp/out" | sed 's/|/, /g')." ||
			{ echo "$command: not named"; return 1; }
	done
}
check "libra-formats(5) names the columns" named
no_headings() {
	ask 0 "$share" status && grep -q '^JOB  *USER ' "$tmp/out" &&
		grep -q '^NODE ' "$tmp/out" || return 1
	for long in '' --long; do
		# shellcheck disable=SC2086
		ask 0 "$share" status -h $long || return 1
		! grep -q '^JOB \|^NODE \|^Policy' "$tmp/out" &&
			grep -q '^8_\[1-2\]  *cy  *PENDING  *2 ' "$tmp/out" ||
			return 1
	done
}
check "status -h has no headings" no_headings
check "status of no such partition" ask 1 "$share" status -p none
check "status of one without promises" says "short is not managed" \
	ask 4 "$share,libra_partitions=main" status -p short
one_partition() {
	ask 0 libra_policy=libra:main,band:short status -p short &&
		! grep -q 'Policy libra' "$tmp/out" &&
		grep -q 'Policy band' "$tmp/out"
}
check "of two policies that of the partition" one_partition

# ---- JSON ----

if ! command -v python3 >/dev/null; then
	skip "the JSON of libra fits its schemas" "no python3"
	finish
fi

# sound STATUS PARAMS PYTHON COMMAND ARGUMENT...: the status; judge() looks at the
# answer, of which the expression is true
answers=0
mkdir "$tmp/answers"
sound() {
	asked_status=$1
	asked_params=$2
	expression=$3
	command=$4
	shift 4
	ask "$asked_status" "$asked_params" "$command" --json "$@" || return 1
	answers=$((answers + 1))
	cp "$tmp/out" "$tmp/answers/$answers.$command"
	printf '(%s)\n' "$expression" >"$tmp/answers/$answers.true"
}
# fits COMMAND FILE...: by our own check, and by python3-jsonschema where it is there
fits() {
	schema=$srcdir/docs/libra-$1.schema.json
	shift
	python3 "$srcdir/tests/cli/schema.py" "$schema" "$@"
}
# judge COMMAND: its answers fit, have all members unless it failed, and their
# expressions are true
judge() {
	set -- "$1" "$tmp/answers"/*."$1"
	fits "$@" && shift && python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
bad = False
for path in sys.argv[2:]:
    v = json.load(open(path))
    expression = open(path.rsplit(".", 1)[0] + ".true").read()
    missing = set(s["properties"]) - set(v)
    if bool(missing) != bool(v["errors"]) or not eval(expression):
        print("missing:", missing, "or not", expression, v)
        bad = True
sys.exit(bad)' "$schema" "$@"
}

check "status" sound 0 "$share" \
	'len(v["groups"]) == 1 and v["groups"][0]["offers"]["waiting"] == 1' status
check "with what became of each promise" sound 0 "$share" \
	'[j["promise"] for j in v["groups"][0]["jobs"]] ==
	["promised", "promised", "broken", "refused", "promised"]' status
check "status of jobs in turn" sound 0 libra_policy=band \
	'v["groups"][0]["offers"] is None' status
check "status of plans" sound 0 "$plan" \
	'v["groups"][0]["jobs"][-1]["planned_starts_s"] ==
	[2000000100, 2000000200.5, 2000000300] and
	v["groups"][0]["jobs"][-1]["planned_starts"][1] ==
	"2033-05-18T04:36:41+01:00"' status
check "status of two policies" sound 0 \
	libra_policy=libra:main,band:short,libra_log="$tmp/log.jsonl" \
	'[g["partitions"] for g in v["groups"]] == [["main"], ["short"]]' status
check "status of one user, in another order" sound 0 "$share" \
	'[j["job"] for j in v["groups"][0]["jobs"]] == ["11", "8_[1-2]"]' \
	status --user=cy --sort=deadline
check "meta" sound 0 "$share" 'v["meta"] == {"command": ["libra", "status"],
	"slurm_libra": {"release": v["meta"]["slurm_libra"]["release"]},
	"slurm": {"release": "24.11.5", "cluster": "fake"}} and
	v["errors"] == v["warnings"] == []' status
check "times as seconds and as text" sound 0 "$share" \
	'v["now_s"] == 2000000000 and v["now"] == "2033-05-18T04:33:20+01:00"' \
	status
warned() {
	FAKE_SLURM_HIDDEN=1
	FAKE_SLURM_SUBMIT=lua
	export FAKE_SLURM_SUBMIT FAKE_SLURM_HIDDEN
	sound 0 libra_policy=libra "len(v[\"warnings\"]) == $1 and
		not v[\"enabled\"]" status
	rc=$?
	unset FAKE_SLURM_SUBMIT FAKE_SLURM_HIDDEN
	return $rc
}
# Nothing is hidden from root.
check "warnings" warned "$([ "$(id -u)" = 0 ] && echo 1 || echo 2)"

check "explain a job" sound 0 "$share" 'v["job"]["log"][-1]["what"] ==
	"change accepted" and v["job"]["policy"] == "libra"' explain 7
check "a task" sound 0 "$share" 'v["job"]["job"] == "8_2"' explain 8_2
check "one without a promise" sound 0 "$share" \
	'v["job"]["promise"] == "none" and v["job"]["procs"] is None' explain 9
check "a broken promise" sound 0 "$plan" \
	'v["job"]["broken"] == "node lost: n_3"' explain 10
check "one that asked and was refused" sound 0 "$share" \
	'v["job"]["asked"]["reason"] == "no_share" and
	v["job"]["asked"]["earliest_deadline_s"] == 2000000800' explain 11
check "without a log" sound 0 libra_policy=libra \
	'v["job"]["log"] is None and len(v["warnings"]) == 1' explain 7
check "refusals" sound 0 "$share" 'v["job"] is None and
	[r["earliest_deadline_s"] for r in v["refused"]] == [2000000020]' \
	explain --refused
me_too() { # UID COUNT
	SUDO_UID=$1 sound 0 "$share" "len(v[\"refused\"]) == $2" \
		explain --refused --me
}
unset SUDO_UID
check "refusals of the caller of sudo" me_too 3 1
check "and of nobody else" me_too 4 0
check "--me without sudo: one's own" sound 0 "$share" 'v["refused"] == []' \
	explain --refused --me
check "--me is for refusals" ask 2 "$share" explain 7 --me
check "refusals of two policies: one document" sound 0 \
	libra_policy=libra:main,band:short,libra_log="$tmp/log.jsonl" \
	'len(v["refused"]) == 2' explain --refused
check "no log for refusals" sound 1 libra_policy=libra \
	'len(v["errors"]) == 1' explain --refused

# shellcheck disable=SC2086
{
	check "what-if: accepted" sound 0 $share \
		'v["answer"] == "accept" and not v["bet"] and
		v["text"][0].startswith("would be accepted: share")' \
		what-if -t 10 $soon
	check "a bet" sound 0 libra_policy=librarisk \
		'v["bet"] and v["late_s"] == 4200 and v["share"] == 3.33' \
		what-if -t 100 -n 2 $soon
	check "refused" sound 3 $share \
		'v["answer"] == "reject" and v["share_needed"] == 2 and
		v["share"] is None and v["earliest_deadline_s"] == 2000003790' \
		what-if -t 60 -n 8 $soon
	check "too large" sound 3 $share 'v["reason"] == "too_large" and
		v["earliest_deadline"] is None' what-if -t 60 -n 80 $soon
	check "sbatch's time, and partition" env SBATCH_TIMELIMIT=10 \
		SBATCH_PARTITION=none sh -c 'LD_PRELOAD=$1 "$2" what-if $3 2>&1 |
		grep -q "no partition none"' - "$tmp/libslurm-fake.so" \
		"$libra" "$soon"
	SBATCH_TIMELIMIT=20
	SBATCH_PARTITION=none
	export SBATCH_TIMELIMIT SBATCH_PARTITION
	check "the options come before these" sound 0 $share \
		'v["estimate_s"] == 600' what-if -t 10 -p main $soon
	check "the time alone" sound 0 $share \
		'v["estimate_s"] == 1200' what-if -p main $soon
	SBATCH_TIMELIMIT=soon
	check "a wrong one" says "SBATCH_TIMELIMIT takes a time" \
		ask 2 $share what-if -p main $soon
	unset SBATCH_TIMELIMIT SBATCH_PARTITION
	SAID=$tmp/said
	export SAID
	in_turn 0 "sbatch: libra: accepted: 2 processors, in turn by deadline
sbatch: Job 7 to start at 2033-05-18T04:00:00 using 2 processors"
	check "accepted in turn" sound 0 libra_policy=band \
		'v["answer"] == "accept" and v["share"] == 1 and
		v["procs"] == 2 and v["late_s"] == 0 and v["text"][0] ==
		"would be accepted: 2 processors, in turn by deadline" and
		"as of" in v["text"][1]' what-if -t 10 -n 2 $soon
	echo "2 hours of your budget are left" >"$SAID.plugin"
	check "a plugin of sbatch that prints adds a line" sound 0 \
		libra_policy=band 'v["answer"] == "accept" and v["text"][:2] ==
		["2 hours of your budget are left",
		"would be accepted: 2 processors, in turn by deadline"]' \
		what-if -t 10 -n 2 $soon
	rm "$SAID.plugin"
	in_turn 0 "sbatch: libra: accepted as a bet: 1 processor"
	check "a bet, in turn" sound 0 libra_policy=band \
		'v["bet"] and v["late_s"] == 600' what-if -t 40 $soon
	in_turn 1 "$bad"
	check "refused, in turn" sound 3 libra_policy=band \
		'v["reason"] == "would_miss" and v["share"] is None and
		v["text"][0].startswith("would be refused (would_miss): ") and
		v["earliest_deadline_s"] == 2000008800' what-if -t 60 $soon
	check "refused by a rule" sound 3 $share 'v["reason"] == "max_time"' \
		what-if -t 10 -d 2034-05-18
	check "not managed" sound 4 $share,libra_partitions=main \
		'v["answer"] == "not_managed"' what-if -t 10 $soon -p short
	check "a failure" sound 1 $share 'len(v["errors"]) == 1' \
		what-if -t 10 $soon -p none
	printf '%s\n' "$good" >"$SAID"
	SBATCH_STATUS=0
	check "planned: accepted" sound 0 $plan 'v["answer"] == "accept" and
		v["planned_start"] == "2033-05-18T05:00:00+01:00"' \
		what-if -t 10 $soon
	printf '%s\n' "$bad" >"$SAID"
	SBATCH_STATUS=1
	check "planned: refused" sound 3 $plan 'v["reason"] == "would_miss" and
		v["earliest_deadline_s"] == 2000008800' what-if -t 10 $soon
	echo "allocation failure: Invalid account" >"$SAID"
	check "planned: failed" sound 1 $plan \
		'"Invalid account" in v["errors"][0]["description"]' \
		what-if -t 10 $soon
}
check "settings" sound 0 "$share" 'v["wrong"] == [] and
	v["policies"] == [{"policy": "libra", "partitions": []}]' settings
check "settings of two policies" sound 0 "$share" \
	'[p["partitions"] for p in v["policies"]] == [["a", "b"], ["c"]] and
	v["meta"]["slurm"]["cluster"] is None' settings libra_policy=libra:a+b,band:c
check "wrong settings" sound 1 libra_polcy=libra \
	'len(v["wrong"]) == 1' settings
away() {
	FAKE_SLURM_AWAY=1
	export FAKE_SLURM_AWAY
	sound 5 "$share" 'len(v["errors"]) == 1' "$@"
	rc=$?
	unset FAKE_SLURM_AWAY
	return $rc
}
check "slurmctld is away: status" away status
check "slurmctld is away: explain" away explain 7
# shellcheck disable=SC2086
check "slurmctld is away: what-if" away what-if -t 10 $soon
check "slurmctld is away: settings" away settings

for command in explain settings status what-if; do
	check "the answers of $command are sound" judge $command
done
check "there are answers to look at" test "$answers" -ge 40

# One envelope, and instants in pairs.
same_envelopes() {
	python3 -c 'import json, sys
def pairs(s, where):
    names = s.get("properties", {})
    for n, part in names.items():
        text = part.get("items", part)
        if text.get("pattern") and n + "_s" not in names:
            sys.exit("%s.%s has no seconds" % (where, n))
        number = part.get("items", part)
        if number.get("unit") == "s since 1970" and n[:-2] not in names:
            sys.exit("%s.%s has no text" % (where, n))
        pairs(part, n)
    if "items" in s:
        pairs(s["items"], where)
first = None
for path in sys.argv[1:]:
    s = json.load(open(path))
    envelope = [s["properties"][n] for n in ("meta", "errors", "warnings")]
    first = first or envelope
    if envelope != first:
        sys.exit("%s has another envelope" % path)
    pairs(s, path)' "$srcdir"/docs/libra-*.schema.json
}
check "the schemas have one envelope, and instants in pairs" same_envelopes
# It would be seen: one change each, and the file does not fit.
spoilt() { # PYTHON...: changes of the value v
	ask 0 "$share" status --json || return 1
	python3 -c 'import json, sys
for i, change in enumerate(sys.argv[3:]):
    v = json.load(open(sys.argv[1]))
    exec(change)
    json.dump(v, open("%s.%d" % (sys.argv[2], i), "w"))' \
		"$tmp/out" "$tmp/spoilt" "$@" || return 1
	fits status "$tmp/spoilt".* >"$tmp/said"
	cat "$tmp/said"
	for file in "$tmp/spoilt".*; do
		grep -q "^$file: it" "$tmp/said" &&
			! grep -q "^$file: .*does not agree" "$tmp/said" ||
			return 1
	done
	test "$#" -eq 6 && test -e "$tmp/spoilt.5"
}
check "a change of an answer does not fit" spoilt 'del v["meta"]' \
	'v["errors"] = [{"description": "x"}]' \
	'v["groups"][0]["jobs"][0]["deadline"] = "2033-05-18T04:33:20"' \
	'v["groups"][0]["jobs"][0]["promise"] = "kept"' \
	'del v["groups"][0]["jobs"][0]["deadline_s"]' 'v["more"] = 1'
finish
