#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What goes wrong: one clear line on standard error, status 2 for the command
# line and 1 for all else, and no file that is half of what it should be.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
mkdir "$tmp/here" && cd "$tmp/here" || exit 99
cat >two.swf <<'END'
; MaxProcs: 4
1 0 -1 100 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1
2 10 -1 50 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
END
printf '; MaxProcs: 4\n1 0 -1 9 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n' >large.swf
"$librasim" gen -n 2000 -o many.swf </dev/null

# says STATUS TEXT ARGUMENT...: that one line, and nothing else
says() {
	want=$1
	text=$2
	shift 2
	run "$want" "$librasim" "$@" && printed "$text"
}
# printed TEXT: standard error has one line, and this text in it, and standard
# output none.  The shell reads the line: a process takes longer than librasim.
printed() {
	if [ ! -s "$tmp/out" ] && IFS= read -r line && ! IFS= read -r more &&
		[ -z "$more" ]; then
		case $line in
		*"$1"*) return ;;
		esac
	fi <"$tmp/err"
	cat "$tmp/out" "$tmp/err"
	return 1
}

# ---- the command line ----

check "a mistyped command" says 2 "(did you mean 'run'?)" rnu two.swf
check "a command like no other" says 2 "unknown command 'zzzzzz'" zzzzzz
check "an empty command" says 2 "unknown command ''" ''
no_command() {
	run 2 "$librasim" && grep -q '^Usage: librasim COMMAND' "$tmp/err"
}
check "no command shows the usage" no_command
for command in run trace; do
	check "$command without a log" says 2 "no trace is given" "$command"
	check "$command of two logs" says 2 "unexpected argument 'b.swf'" \
		"$command" a.swf b.swf
done
check "policies of something" says 2 "'x'" policies x

# The line about a wrong option comes from libc, with a hint below it.
option() {
	run 2 "$librasim" "$@" && head -n 1 "$tmp/err" | grep -q -e "'--procz'"
}
for command in run trace policies gen reproduce 'model fit' 'model check'; do
	# shellcheck disable=SC2086
	check "$command with an unknown option" option $command --procz 4
done
no_value() {
	run 2 "$librasim" run two.swf --procs && grep -q -e "--procs" "$tmp/err"
}
check "an option without its value" no_value

policy() {
	says 2 "$1" run --policy "$2" two.swf
}
check "a mistyped policy" policy "(did you mean 'librarisk'?)" libarisk
check "an unknown policy" policy "unknown policy 'zzzzzz'" zzzzzz
check "an empty policy" policy "unknown policy ''" ''
check "an empty policy in a list" policy "unknown policy ''" libra,,edf
check "a policy named twice" policy "'edf' is named twice" edf,libra,edf
check "a policy with capitals" policy "(did you mean 'easy'?)" Easy

parameter() {
	says 2 "$1" run --policy edf --set "$2" two.swf
}
check "a mistyped parameter" parameter "(did you mean 'admission'?)" admision=1
check "an unknown parameter" parameter "the parameter 'zzzzzz'" zzzzzz=1
check "a parameter of another policy" says 2 "the parameter 'admission'" \
	run --policy libra --set admission=1 two.swf
check "a parameter of a policy not chosen" parameter admission libra.admission=1
check "a parameter without a value" parameter "PARAM=VALUE" admission
check "a value without a parameter" parameter "PARAM=VALUE" =1
check "an empty value" parameter "not ''" admission=
for value in 2 nan -1 maybe 1x; do
	check "a switch set to $value" parameter "not '$value'" admission=$value
done

for name in procs last seed; do
	for value in '' -1 +1 ' 1' 1e3 1.5 nan 1x 0x10; do
		check "--$name='$value'" says 2 \
			"--$name takes a whole number, not '$value'" \
			run --$name="$value" two.swf
	done
	check "--$name beyond 64 bits" says 2 "--$name must be from" \
		run --$name=18446744073709551616 two.swf
done
for name in procs last; do
	check "--$name=0" says 2 "--$name must be from 1" run --$name=0 two.swf
done
check "trace --last=0" says 2 "--last must be from 1" trace --last=0 two.swf
check "more processors than can be" says 2 "--procs must be from 1" \
	run --procs=2147483648 two.swf

for name in arrival-delay inaccuracy high-urgency deadline-mean deadline-ratio \
	deadline-cv; do
	for value in '' x 1x 1,5 1e 0x; do
		check "--$name='$value'" says 2 \
			"--$name takes a number, not '$value'" \
			run --$name="$value" two.swf
	done
	for value in -0.1 nan inf -inf 1e999 1e7; do
		check "--$name=$value" says 2 "--$name must be from" \
			run --$name=$value two.swf
	done
done
for name in size format deadline-model; do
	for value in '' zzz; do
		check "--$name='$value'" says 2 "not '$value'" \
			run --$name="$value" two.swf
	done
done

# ---- logs ----

for command in run trace; do
	check "$command of a log that is not there" \
		says 1 "nosuch.swf: cannot open" "$command" nosuch.swf
	check "$command of a directory" says 1 "is a folder" "$command" .
	check "$command of a log without a name" says 1 "cannot open" "$command" ''
done

# Each folder of bad logs says what must be said of it.
bad_log() {
	IFS= read -r wanted <"$1/error" || return 1
	says 1 "$1/input.swf$wanted" "$2" "$1/input.swf"
}
bad_stdin() {
	IFS= read -r wanted <"$1/error" || return 1
	status=0
	"$librasim" run - <"$1/input.swf" >"$tmp/out" 2>"$tmp/err" || status=$?
	test "$status" -eq 1 && printed "standard input$wanted"
}
for folder in "$srcdir"/tests/data/bad/*; do
	name=${folder##*/}
	check "run: $name" bad_log "$folder" run
	check "trace: $name" bad_log "$folder" trace
	check "standard input: $name" bad_stdin "$folder"
done

gzip -nk many.swf
head -c 3000 many.swf.gz >cut.swf.gz
check "a truncated .gz" says 1 "cut.swf.gz:" run cut.swf.gz
check "the line where it is cut off" says 1 "cut off here" trace cut.swf.gz
{
	head -c 3000 many.swf.gz
	echo 'no gzip at all'
	tail -c +3100 many.swf.gz
} >damaged.swf.gz
check "a damaged .gz" says 1 "damaged.swf.gz:" run damaged.swf.gz
head -c 5 many.swf.gz >five.swf.gz
check "a .gz of five bytes" says 1 "five.swf.gz" run five.swf.gz
# A build without libzstd names zstd -d.
printf '\050\265\057\375' >four.swf.zst
check "a .zst of four bytes" says 1 "four.swf.zst:" trace four.swf.zst
check "import: a .zst of four bytes" says 1 "zstd" import four.swf.zst
: >none.swf.gz
check "a .gz of no byte" says 1 "none.swf.gz" run none.swf.gz

not_allowed() {
	install -m 0 two.swf secret.swf
	if [ -r secret.swf ]; then
		return 77
	fi
	says 1 "Permission denied" run secret.swf
}
if [ "$(id -u)" -eq 0 ]; then
	skip "a log that may not be read" "root may read all"
else
	check "a log that may not be read" not_allowed
fi

# One line of a gigabyte: refused after its first 64 KiB.
giant() {
	status=0
	{
		printf '%s' "$1"
		head -c 1073741824 /dev/zero | tr '\0' "$2"
	} 2>/dev/null | timeout 20 "$librasim" run - >"$tmp/out" 2>"$tmp/err" ||
		status=$?
	test "$status" -eq 1 && printed 'standard input:1: the line is longer'
}
check "a line of a gigabyte of digits" giant '' 7
check "a line of a gigabyte of blanks" giant '' ' '
check "a comment of a gigabyte" giant '; Note: ' x

check "no job is left" says 1 "no job is left of 1 records" run --procs 1 --last 3 large.swf

# ---- what cannot be written ----

# full ARGUMENT...: status 1 if the disk is full, or standard output closed
full() {
	status=0
	"$librasim" "$@" >/dev/full 2>"$tmp/err" </dev/null || status=$?
	cat "$tmp/err"
	test "$status" -eq 1
}
closed() {
	status=0
	"$librasim" "$@" >&- 2>"$tmp/err" </dev/null || status=$?
	cat "$tmp/err"
	test "$status" -eq 1
}
says_so() {
	"$@" && test "$(wc -l <"$tmp/err")" -eq 1 &&
		grep -Eq 'standard output: (No space|Bad file)' "$tmp/err"
}
cannot() {
	check "$*, disk full" says_so full "$@"
	check "$*, closed output" says_so closed "$@"
}
if [ -c /dev/full ]; then
	cannot run two.swf
	cannot run --format json --policy edf,libra two.swf
	cannot run --jobs-out - many.swf
	cannot trace two.swf
	cannot trace --json two.swf
	cannot gen
	cannot gen -o -
	cannot model check --format csv
	check "run --jobs-out /dev/full" says 1 "cannot write /dev/full" \
		run --jobs-out /dev/full many.swf
	check "gen -o /dev/full" says 1 "cannot write /dev/full" gen -o /dev/full
	for command in policies 'policies --json' 'model list'; do
		# shellcheck disable=SC2086
		check "$command, disk full" full $command
	done
else
	skip "full disks" "no /dev/full"
fi

# ---- tables of jobs ----

given() { # STATUS TEXT LINE...
	want=$1
	text=$2
	shift 2
	printf '%s\n' "$@" >given.csv
	says "$want" "$text" run --jobs-in given.csv two.swf
}
check "--jobs-in that is not there" \
	says 1 "nosuch.csv: No such file" run --jobs-in nosuch.csv two.swf
check "--jobs-in without a name" says 2 "--jobs-in needs" run --jobs-in= two.swf
check "--jobs-in and the log both from standard input" \
	says 2 "not both" run --jobs-in - -
check "no column of jobs" given 1 "no column is named job" id,deadline_s 1,5
check "no column with values of jobs" given 1 "no column is named deadline_s" job,note 1,5 2,6
check "a job without a row" given 1 "given.csv: job 2 has no row" \
	job,deadline_s 1,500
check "a deadline of 0" given 1 \
	"given.csv: row 2: deadline_s must be above 0 and finite, not '0'" \
	job,deadline_s 1,500 2,0
for bad in nan inf -3 5x ''; do
	check "a deadline of '$bad'" given 1 "row 1: deadline_s must be" \
		job,deadline_s "1,$bad" 2,5
done
check "an estimate below 0" given 1 "estimate_s must be above 0" \
	job,estimate_s 1,-1 2,5
check "half an urgency" given 1 "high_urgency must be 0 or 1, not '0.5'" \
	job,high_urgency 1,0.5 2,1
check "a budget below 0" given 1 "budget must be at least 0" \
	job,budget 1,-0.1 2,1
check "a job of no number" given 1 "row 2: job must be a whole number" \
	job,budget 1,1 x,1
check "rows that differ" given 1 \
	"rows 1 and 3 differ: job 1 has two values of deadline_s" \
	job,deadline_s 1,5 2,6 1,7
check "a short row" given 1 "row 2 does not have the 2 fields" \
	job,deadline_s 1,5 2
rm given.csv

check "--jobs-out into a missing folder" \
	says 1 "cannot write nosuch/jobs.csv" run --jobs-out nosuch/jobs.csv two.swf
check "--jobs-out on a folder" says 1 "cannot write ." run --jobs-out . two.swf
check "gen into a missing folder" says 1 "cannot write nosuch/x" gen -o nosuch/x

# A disk that is full half-way: the limit on the size of files, with its signal
# ignored.  The older file stays.
half_way() {
	echo old >"$1"
	shift
	status=0
	(
		trap '' XFSZ
		# 512 bytes or 1 KiB each, as the shell likes.
		ulimit -f 8
		exec "$librasim" "$@" >/dev/null 2>"$tmp/err" </dev/null
	) || status=$?
	cat "$tmp/err"
	test "$status" -eq 1 && test "$(wc -l <"$tmp/err")" -eq 1
}
stays() {
	half_way jobs.csv run --jobs-out jobs.csv many.swf &&
		grep -q 'cannot write .*jobs.csv: File too large' "$tmp/err" &&
		test "$(cat jobs.csv)" = old
}
check "--jobs-out on a full disk keeps the old file" stays
stays_gen() {
	half_way drawn.swf gen -n 5000 -o drawn.swf &&
		test "$(cat drawn.swf)" = old
}
check "gen on a full disk keeps the old file" stays_gen
untouched() {
	echo old >jobs.csv
	says 1 "cut off" run --jobs-out jobs.csv cut.swf.gz &&
		test "$(cat jobs.csv)" = old
}
check "a bad log leaves the old file alone" untouched

ls -A >"$tmp/left"
grep -vxE '(two|many|large|secret)\.swf|(many|cut|damaged|five|none)\.swf\.gz|four\.swf\.zst|jobs\.csv|drawn\.swf' \
	"$tmp/left" >"$tmp/bad"
empty "nothing is left behind" "$tmp/bad"
finish
