#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim import.  Each folder of tests/data/import is a trap of real
# accounting logs: log, args (options), and expected, which has the records of
# the log in the Standard Workload Format and behind --- what was counted, all
# worked out by hand; or "! " and the message.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
cases=$srcdir/tests/data/import

# The counts of a table that are not 0.
counted() {
	sed -n 's/^\([a-z]*,[a-z_]*,[1-9][0-9]*\),.*/\1/p' "$1" |
		grep -v -e '^read,' -e '^kept,'
}
refused() {
	rm -f "$tmp/o.swf"
	xargs "$librasim" import -o "$tmp/o.swf" "$cases/$1/log" \
		<"$cases/$1/args" >"$tmp/out" 2>"$tmp/err" && return 1
	sed "s|$cases/$1/log||; s/^librasim import: //" "$tmp/err" >"$tmp/said"
	sed 's/^! //' "$cases/$1/expected" | diff - "$tmp/said" &&
		test ! -e "$tmp/o.swf"
}
imported() {
	rm -f "$tmp/o.swf" "$tmp/o.jobs.csv"
	xargs "$librasim" import -o "$tmp/o.swf" --counts "$tmp/o.counts" \
		"$cases/$1/log" <"$cases/$1/args" >"$tmp/out" 2>&1 || {
		cat "$tmp/out"
		return 1
	}
	{
		grep -v '^;' "$tmp/o.swf"
		echo ---
		counted "$tmp/o.counts"
	} >"$tmp/got"
	grep -v '^#' "$cases/$1/expected" | diff - "$tmp/got" &&
		run 0 "$librasim" trace "$tmp/o.swf"
}
for path in "$cases"/*; do
	name=${path##*/}
	case $name in
	*-refused) check "$name" refused "$name" ;;
	*) check "$name" imported "$name" ;;
	esac
done

# ---- files ----

plain=$cases/plain/log
"$librasim" import -o "$tmp/plain.swf" "$plain" >/dev/null
same_log() {
	"$librasim" import -o - "$@" 2>/dev/null | cmp - "$tmp/plain.swf"
}
gzip -c "$plain" >"$tmp/plain.gz"
{ sed -n 1,2p "$plain"; } >"$tmp/one"
{ sed -n 1p "$plain"; sed -n 3p "$plain"; } >"$tmp/two"
from_stdin() {
	"$librasim" import -o - - <"$1" 2>/dev/null | cmp - "$tmp/plain.swf"
}
check "a gzipped log" same_log "$tmp/plain.gz"
check "two logs, in any order" same_log "$tmp/two" "$tmp/one"
check "standard input" from_stdin "$plain"
check "gzipped standard input" from_stdin "$tmp/plain.gz"
sed 's/$/\r/' "$plain" >"$tmp/dos"
check "lines that end with CR LF" same_log "$tmp/dos"
packed() {
	run 0 "$librasim" import -o "$tmp/p.swf.gz" "$plain" &&
		zcat "$tmp/p.swf.gz" | cmp - "$tmp/plain.swf" &&
		test -s "$tmp/p.jobs.csv"
}
check "a gzipped result, and the side table beside it" packed
damaged() {
	head -c 100 "$tmp/plain.gz" >"$tmp/cut.gz"
	run 1 "$librasim" import -o "$tmp/c.swf" "$tmp/cut.gz" &&
		grep -q 'damaged or cut off' "$tmp/err" && test ! -e "$tmp/c.swf"
}
check "a damaged gzip file is refused" damaged
no_file() {
	run 1 "$librasim" import "$tmp/none" && grep -q "$tmp/none" "$tmp/err"
}
check "a file that is not there" no_file
only_counts() {
	(cd "$tmp" && mkdir -p only && cd only &&
		run 0 "$librasim" import "$plain" &&
		grep -q '^2 rows, 2 runs' "$tmp/out" && test -z "$(ls)")
}
check "without --output it only counts" only_counts
counts_alone() {
	run 0 "$librasim" import --counts "$tmp/alone.csv" "$plain" &&
		grep -q '^read,rows,2,' "$tmp/alone.csv"
}
check "also into a table" counts_alone

# ---- names ----

head -c 32 /dev/zero | tr '\0' k >"$tmp/key"
hashed() {
	run 0 "$librasim" import -o "$tmp/h.swf" --hash "$tmp/key" \
		--map "$tmp/map" "$plain" || return 1
	! grep -q -e ann -e physics -e 501 "$tmp/h.swf" "$tmp/h.jobs.csv" &&
		grep -q '^user,h[0-9a-f]\{12\},ann$' "$tmp/map" &&
		test "$(stat -c %a "$tmp/map")" = 600
}
check "--hash leaves no user and no account; the map is the owner's" hashed
# What Python's hmac says of HMAC-SHA256(k x 32, "ann").
hash_value() {
	grep -q "^user,h$(python3 -c '
import hmac
print(hmac.new(b"k" * 32, b"ann", "sha256").hexdigest()[:12])'),ann$" \
		"$tmp/map"
}
if command -v python3 >/dev/null; then
	check "the hash is HMAC-SHA256" hash_value
else
	skip "the hash is HMAC-SHA256" "no python3"
fi
short_key() {
	echo short >"$tmp/short"
	run 1 "$librasim" import -o "$tmp/h.swf" --hash "$tmp/short" "$plain" &&
		grep -q '16 to 4096 bytes' "$tmp/err"
}
check "a key that is too short is refused" short_key

# ---- the side table ----

side() {
	run 0 "$librasim" import -o "$tmp/s.swf" "$cases/procs/log" &&
		head -3 "$tmp/s.jobs.csv" | cut -d , -f 2,4,8-13,18-20 |
		diff - "$cases/procs/side"
}
check "the side table has GPUs, memory and instants" side
by_gpu() {
	run 0 "$librasim" run --side "$tmp/s.jobs.csv" --unit gpus --policy easy \
		--format csv --jobs-out "$tmp/j" "$tmp/s.swf" &&
		tail -n +2 "$tmp/j" | cut -d , -f 1,3 >"$tmp/units" &&
		diff "$tmp/units" - <<END
1,1
2,3
END
}
check "run --unit gpus: a processor is a GPU" by_gpu
# 4000 MB are four gigabytes.
by_memory() {
	run 0 "$librasim" run --side "$tmp/s.jobs.csv" --unit memory --policy \
		easy --format csv --procs 64 --jobs-out "$tmp/j" "$tmp/s.swf" &&
		awk -F , 'NR == FNR { mb[$2] = $20; next }
			FNR > 1 { n = int((mb[$1] + 1023) / 1024)
				if ($3 != n) print $1, $3, n
				seen++ }
			END { if (!seen) print "no job" }' \
			"$tmp/s.jobs.csv" "$tmp/j" >"$tmp/bad"
	cat "$tmp/bad"
	test ! -s "$tmp/bad" && run 2 "$librasim" run --unit disks --policy \
		easy "$tmp/s.swf"
}
check "run --unit memory: a processor is a gigabyte" by_memory
by_partition() {
	run 0 "$librasim" import -o "$tmp/l.swf" --partition-limit '*=60' \
		"$cases/limits/log" &&
		run 0 "$librasim" run --side "$tmp/l.jobs.csv" --partition long \
			--policy easy --format csv --jobs-out "$tmp/j" \
			"$tmp/l.swf" &&
		tail -n +2 "$tmp/j" | cut -d , -f 1 >"$tmp/jobs" &&
		diff "$tmp/jobs" - <<END
6
END
}
check "run --partition: only its jobs" by_partition
wrong_side() {
	run 1 "$librasim" run --side "$tmp/l.jobs.csv" --policy easy \
		"$tmp/s.swf" && grep -q 'wrote with this log' "$tmp/err" &&
		run 1 "$librasim" run --side "$tmp/s.jobs.csv" --partition none \
			--policy easy "$tmp/s.swf" &&
		grep -q "no job of the log is in the partition 'none'" "$tmp/err"
}
check "a side table of another log, a partition that is not there" wrong_side

# ---- nodes that were out of service ----

# Under every policy: what was out from the start of a generated log, and for
# ever, is never used, and all jobs have an answer.
policies=$("$librasim" policies --json </dev/null |
	sed -n 's/^  "name": "\(.*\)",/\1/p' | paste -sd ,)
"$librasim" gen -n 300 --procs 256 --seed 3 -o "$tmp/gen.swf" </dev/null
printf 'from_s,to_s,procs\n0,,128\n50000,90000,64\n' >"$tmp/out.csv"
all_policies() {
	run 0 "$librasim" run --policy "$policies" --capacity "$tmp/out.csv" \
		--format csv "$tmp/gen.swf" --jobs-out "$tmp/j" &&
		awk -F , 'NR > 1 && $8 == "accept" && $3 > 128' "$tmp/j" |
		grep . && return 1
	test "$(wc -l <"$tmp/out")" -gt 10
}
check "run --capacity: every policy does without them" all_policies

# ---- the command for sacct ----

command_of() {
	run 0 "$librasim" import --show-command="$1" --from 2026-01-01 &&
		cat "$tmp/out"
}
shows() {
	command_of 22.05 | grep -q 'sacct -a -X -D -P' &&
		command_of 22.05 | grep -q -- '-S 2026-01-01T00:00:00 -E TO' &&
		! command_of 22.05 | grep -q Restarts &&
		command_of 25.05 | grep -q Restarts
}
check "--show-command prints columns that the release has" shows

# ---- wrong command lines ----

usage() {
	run 2 "$librasim" import && run 2 "$librasim" import --format xml x &&
		run 2 "$librasim" import --arrival late x &&
		run 2 "$librasim" import --partition-limit x y &&
		run 2 "$librasim" import --map "$tmp/map" -o "$tmp/x" x &&
		run 1 "$librasim" import --tz Mars/Olympus "$plain" &&
		grep -q "no time zone 'Mars/Olympus'" "$tmp/err" &&
		run 1 "$librasim" import --from 200 --to 100 "$plain" &&
		run 1 "$librasim" import --from soon "$plain"
}
check "what is wrong on the command line is said" usage
finish
