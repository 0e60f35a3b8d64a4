#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One verdict, one wording: what sbatch says of a job stands with the same words
# and numbers in libra what-if, status and explain, in its AdminComment, in
# slurmctld's log and in the decision log.  Accepted in time, accepted as a bet,
# refused with advice, and waiting.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "the command libra was not built"
command -v python3 >/dev/null || skip_all "needs python3"
policy=${1:-band}
start_cluster --policy "$policy"
log=$cluster/log/libra.jsonl

# The last offer's field in the decision log; none if it is not there.
offer_field() { # NAME
	python3 - "$log" "$1" <<'PY'
import json, sys
last = {}
for line in open(sys.argv[1]):
    line = json.loads(line)
    if line.get("call") == "offer":
        last = line
print(last.get(sys.argv[2], "none"))
PY
}
near() { # A B DIFFERENCE
	python3 -c "import sys; sys.exit(not abs($1 - $2) <= $3)"
}
# What the user read, line by line, without who says it.
lines() {
	sed -n 's/^sbatch: \(error: \)*libra: //p' <<<"$said"
}
in_ctld_log() {
	while IFS= read -r line; do
		grep -qF "libra: user 0: $line" "$cluster/log/slurmctld.log" ||
			{ echo "not there: $line" && return 1; }
	done < <(lines)
}
# An instant, for people or for programs.
clock='([0-9]{4}-[0-9-]+[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}([+-][0-9]{4}| UTC([+-][0-9:]+)?)?'
# Words alone: instants, durations and shares move from second to second.
words() {
	sed -E "s/$clock/TIME/g"'
		s/ends [^,;]* after/ends LONG after/
		s/[0-9]+minutes \(TIME\)/MINUTES/; s/[0-9]+minutes/MINUTES/
		s/share [0-9.]+/share X/' | grep -v '^This is as of'
}
say() { # OPTIONS: what-if into $if, then submitted
	if=$("$libra" what-if "$@" 2>&1)
	submit "$@"
}
instant() { # TEXT: of the first time in it
	date -d "$(grep -oE "$clock" <<<"$1" | head -n 1)" +%s
}

# ---- accepted, in time ----

say --time=10 --deadline=now+12minutes -n 16
a=$id
matches "accepted in time" '^accepted: .*16 processors.*, finish expected by' \
	"$(lines)"
same "what-if says the same" "would be $(lines | words)" "$(words <<<"$if")"
check "so does slurmctld's log" in_ctld_log
due=$(instant "$said")
same "the record has the deadline" "$due" "$(promise_field "$a" deadline)"
same "the estimate" 600 "$(promise_field "$a" estimate)"
same "the processors" 16 "$(promise_field "$a" procs)"
same "and no delay" "" "$(promise_field "$a" late)"
check "the decision log has the deadline" near "$due" \
	"$(offer_field deadline_s)" 0
check "the share" near "$(promise_field "$a" share)" "$(offer_field share)" 1e-5
same "and no delay, either" none "$(offer_field late_s)"
wait_state "$a" RUNNING
out=$("$libra" explain "$a")
matches "explain has the words" \
	"accepted at [0-9].*: $(lines | sed 's/^accepted: //; s/, finish.*//'):" "$out"
same "and the deadline" "$due" "$(instant "$(grep ' asked ' <<<"$out")")"
same "so has status" "$due" \
	"$(instant "$("$libra" status --long | grep "^$a ")")"

# ---- refused, with what would do ----

say --time=20 --deadline=now+25minutes -n 16
matches "refused" '^refused \([a-z_]*\): 16 processors for 20 min by ' "$(lines)"
matches "with advice" '^try --deadline=now\+[0-9]+minutes' "$(lines)"
same "what-if says the same" "would be $(lines | words)" "$(words <<<"$if")"
check "so does slurmctld's log" in_ctld_log
out=$("$libra" explain --refused=1)
matches "explain --refused has the words" "$(lines | head -n 1 |
	sed -E 's/ by .*//; s/[()]/./g')" "$out"
same "and the deadline" "$(instant "$(lines | head -n 1)")" \
	"$(instant "${out#* }")"
same "the decision log has the reason" \
	"$(lines | sed -n '1s/^refused (\([a-z_]*\)).*/\1/p')" \
	"$(offer_field reason)"
check "and the earliest deadline" near \
	"$(instant "$(lines | grep '^earliest')")" "$(grep '"call":"earliest"' \
		"$log" | tail -n 1 | sed 's/.*"earliest_s":\([0-9.]*\).*/\1/')" 1

# ---- too large ----

for large in -N5 -c5 -n17; do
	say --time=1 --deadline=now+1hour $large
	matches "$large is too large" '^refused \(too_large\): ' "$(lines)"
	same "what-if says the same" "would be $(lines)" \
		"$(grep -v '^This is as of' <<<"$if")"
done

# ---- what no node has, and no such node ----

while IFS='|' read -r options why now; do
	submit --time=1 --deadline=now+1hour $options
	matches "$options: the number or name that decided" "$why" "$(lines)"
	matches "$options: and what to do now" "$now" "$(lines)"
	check "so does slurmctld's log" in_ctld_log
done <<'END'
--mem=3000|^partition main has RealMemory=2000 MB on its |ask for no more with --mem or
--tmp=9000|^partition main has TmpDisk=[0-9]+ MB on its smallest|ask for no more with --tmp
-w n99|^partition main has Nodes=n\[1-4\], and --nodelist|: name some of these, or
END

# ---- waiting ----

if [ "$policy" = band ]; then
	say --time=3 --deadline=now+40minutes -n 16
	b=$id
	matches "accepted, to wait" '^accepted: 16 processors, in turn' "$(lines)"
	same "what-if says the same" "would be $(lines | words)" \
		"$(words <<<"$if")"
	reason=
	waits() {
		reason=$(job_field "$b" Reason)
		[ "$reason" = Resources ] || [ "$reason" = Priority ]
	}
	# Without slurmdbd 23.11 and 24.05 give no reason.
	until_true 10 waits
	same "it waits" PENDING "$(job_state "$b")"
	why="\(waits: $reason\)" turn=": $reason: not its turn"
	[ "$reason" != None ] || why= turn=
	matches "status says why, as Slurm does" "^$b .*$why" \
		"$("$libra" status --long)"
	[ -z "$turn" ] || turn="waits .*$turn"
	matches "so does explain" "$turn" "$("$libra" explain "$b")"
fi
scancel -u root
until_true 20 idle

# ---- a bet ----

say --time=20 --deadline=now+5minutes -n 1
c=$id
matches "accepted as a bet" '^accepted as a bet: .*1 processor' "$(lines)"
long=$(lines | sed -n 's/^no promise: .* ends \(.*\) after .*/\1/p')
late=$(awk 'BEGIN { s["d"] = 86400; s["h"] = 3600; s["min"] = 60; s["s"] = 1 }
	{ for (i = 1; i < NF; i += 2) sum += $i * s[$(i + 1)]; print sum }' \
	<<<"$long")
check "late by what is beyond the deadline" near "${late:-0}" 900 2
same "what-if says the same" "would be $(lines | words)" "$(words <<<"$if")"
check "so does slurmctld's log" in_ctld_log
check "the record has the delay" near "$late" "$(promise_field "$c" late)" 1
check "the decision log, too" near "$(promise_field "$c" late)" \
	"$(offer_field late_s)" 1e-6
wait_state "$c" RUNNING
out=$("$libra" explain "$c")
matches "explain calls it a bet" ' accepted as a bet at ' "$out"
matches "with the same words" "$(lines | tail -n 1)" "$out"
matches "status, too" "^$c .*\(bet: by its estimate $long late\)" \
	"$("$libra" status --long)"
scancel -u root
until_true 20 idle

# ---- what programs read: libra-formats(5) ----

apart() { # OPTION...: what sbatch writes into $cluster/out and $cluster/err
	sbatch "$@" -n 1 -o /dev/null "$cluster/job" >"$cluster/out" \
		2>"$cluster/err"
}
soon=--deadline=now+30minutes
check "a submission with --parsable" apart --parsable --time=1 $soon
matches "the id alone is on standard output" '^[0-9]+$' "$(cat "$cluster/out")"
matches "the verdict is on standard error" '^sbatch: libra: accepted: ' \
	"$(cat "$cluster/err")"
check "one with --parsable --quiet" apart --parsable --quiet --time=1 $soon
same "says nothing" "" "$(cat "$cluster/out" "$cluster/err")"
apart --quiet --time=1 $soon -c 64
same "a refusal has a status" 1 $?
matches "and a reason, --quiet or not" '^sbatch: error: libra: ' \
	"$(cat "$cluster/err")"
same "the id comes last with 2>&1" "" "$(sbatch --parsable --time=1 $soon -n 1 \
	-o /dev/null "$cluster/job" 2>&1 | tail -n 1 | tr -d '0-9')"
scancel -u root
until_true 20 idle

# ---- beside another plugin that speaks ----

lua=$(scontrol show config | sed -n 's/^PluginDir *= //p' | tr ':' '\n' |
	while read -r dir; do ls "$dir"/job_submit_lua.so 2>/dev/null; done)
if [ -n "$lua" ]; then
	script() { # LUA
		cat >"$cluster/job_submit.lua" <<-LUA
			function slurm_job_submit(job, partitions, uid)
				$1
				return slurm.SUCCESS
			end
			function slurm_job_modify(job, record, partitions, uid)
				return slurm.SUCCESS
			end
		LUA
		touch -d "$((++scripts)) seconds" "$cluster/job_submit.lua"
	}
	scripts=0
	script 'slurm.log_user("site: 120 credits left")'
	sed -i 's/^JobSubmitPlugins=libra/JobSubmitPlugins=lua,libra/' "$SLURM_CONF"
	check "slurmctld starts with lua before" "$DEMO" restart-ctld -d "$cluster"
	submit --time=1 --deadline=now+30minutes -n 1
	matches "the site's line is there" 'site: 120 credits left' "$said"
	matches "and ours behind it" 'libra: accepted: ' "$said"
	matches "each in a line of its own" '^sbatch: libra: ' "$said"

	# Behind ours it makes another job of the one that was promised.
	sed -i 's/^JobSubmitPlugins=.*/JobSubmitPlugins=libra,lua/' "$SLURM_CONF"
	check "slurmctld starts with lua behind" "$DEMO" restart-ctld -d "$cluster"
	for what in partition processors; do
		case $what in
		partition) script 'job.partition = "stock"' ;;
		processors) script 'job.num_tasks = 2 job.min_cpus = 2' ;;
		esac
		submit --time=1 --deadline=now+30minutes -n 1
		check "a job with another $what has no promise" ctld_log_has \
			"job $id: promise lost: another job_submit plugin changed its $what: name libra last in JobSubmitPlugins"
		matches "which its record says" ' promise=lost ' \
			"$(scontrol show job "$id" | grep AdminComment)"
		check "it runs" wait_state "$id" RUNNING
		scancel "$id"
	done
	script ''
	submit --time=1 --deadline=now+30minutes -n 1
	check "one that is left alone has a promise" has_field "$id" on
else
	ok 0 "the site's line is there # SKIP Slurm has no job_submit/lua"
fi
finish
