#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pages of librasim name what the program has, and nothing that it has not.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
# shellcheck source=tests/pages.sh
. "$srcdir/tests/pages.sh"

# terms HEADING PAGE: the first bold word of each tagged paragraph there, but for
# those that are set in
terms() {
	section "$1" "$man/$2" | awk '/^\.RS/ { in_++ } /^\.RE/ { in_-- }
		tag && /^\.B / { print $2 } { tag = /^\.TP/ && !in_ }'
}

# page_options COMMAND: the options of its page, or of its part of the page
page_options() {
	case $1 in
	*\ *) section "librasim $1" "$man/librasim-${1%% *}.1" ;;
	*) plain "$man/librasim-$1.1" ;;
	esac | tagged_options
}
same_options() {
	# shellcheck disable=SC2086
	help_options "$librasim" $1 >"$tmp/help"
	page_options "$1" >"$tmp/said"
	diff "$tmp/help" "$tmp/said"
}

# Commands, those with subcommands as the subcommands.
"$librasim" --help </dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' |
	while read -r name; do
		"$librasim" "$name" --help </dev/null |
			sed -nE "s/.*(Usage|or): *librasim ($name) \[OPTION...\]( ([a-z]+).*|.*)/\2 \4/p" |
			sed 's/ *$//'
	done >"$tmp/commands"
check "there are commands to look at" grep -qx 'model fit' "$tmp/commands"
# Each has its page, and its name in the overview.
sed 's/ .*//' "$tmp/commands" | sort -u >"$tmp/names"
for page in "$man"/librasim-*.1; do
	page=${page##*/librasim-}
	echo "${page%.1}"
done | sort >"$tmp/said"
check "each command has its page, and each page its command" \
	diff "$tmp/names" "$tmp/said"
plain "$man/librasim.1" | awk 'tag && /^\.BR librasim-[a-z-]+ \(1\)$/ {
	print substr($2, 10) } { tag = /^\.TP/ }' | sort >"$tmp/said"
check "librasim(1) lists them" diff "$tmp/names" "$tmp/said"
while read -r name; do
	check "the options of $name are those of --help" same_options "$name"
done <"$tmp/commands"

# Its --help names the page, and so does "librasim help".
names_page() {
	page="Manual page: librasim-${1%% *}(1)"
	# shellcheck disable=SC2086
	"$librasim" $1 --help </dev/null >"$tmp/help" &&
		grep -qxF "$page" "$tmp/help" || return 1
	[ "$1" != "${1% *}" ] || "$librasim" help "$1" | diff "$tmp/help" -
}
while read -r name; do
	names_page "$name" || echo "$name"
done <"$tmp/commands" >"$tmp/bad"
empty "the help on each command names its page" "$tmp/bad"
check "help on no such command is a usage error" run 2 "$librasim" help rnu

# Policies: two blanks before the keys of a policy, four before a parameter's.
"$librasim" policies --json >"$tmp/policies" </dev/null
has_policies() {
	sed -n 's/^  "name": "\(.*\)",/\1/p' "$tmp/policies" >"$tmp/names"
	{
		terms POLICIES librasim-policies.7
		terms POLICIES librasim-markets.7
	} >"$tmp/said"
	test -s "$tmp/names" && diff "$tmp/names" "$tmp/said"
}
check "the policies are those of librasim policies" has_policies

# What the page says of each policy, in one line of text.NAME.
section POLICIES "$man/librasim-policies.7" "$man/librasim-markets.7" |
	awk -v text="$tmp/text." '
	/^\.RS/ { in_++ } /^\.RE/ { in_-- }
	tag && /^\.B / { name = $2; tag = 0; next }
	{ tag = /^\.TP/ && !in_ }
	name != "" && !tag { printf "%s ", $0 >(text name) }'
has_modes() {
	awk -F '"' -v text="$tmp/text." '
		/^  "name"/ { name = $4 }
		/^  "mode"/ {
			line = ""
			getline line <(text name)
			if (index(tolower(line), tolower($4) ".") != 1)
				print name " is not said to be " $4
		}' "$tmp/policies" >"$tmp/bad"
	cat "$tmp/bad"
	test ! -s "$tmp/bad"
}
check "the page says which of them share processors" has_modes

# with_parents NAME: and of those whose parameters it has
with_parents() {
	cat "$tmp/text.$1"
	parent=$(sed -n '/same/s/^[A-Z][a-z-]*\. As \.BR \([a-z-]*\) .*/\1/p' \
		"$tmp/text.$1")
	[ -z "$parent" ] || with_parents "$parent"
}
has_parameters() {
	awk -F '[",:]+' '
		/^  "name"/ { policy = $4 }
		/^    "name"/ { name = $4 }
		/^    "type"/ { type = $4 }
		/^    "default"/ { sub(/^ /, "", $3);
			print policy, name, type, $3 }' "$tmp/policies" >"$tmp/list"
	while read -r policy _; do
		[ -e "$tmp/texts.$policy" ] ||
			with_parents "$policy" >"$tmp/texts.$policy"
	done <"$tmp/list"
	awk -v texts="$tmp/texts." '
		!($1 in text) { getline text[$1] <(texts $1) }
		text[$1] !~ ("\\.B " $2 " \\((" $3 ")[^()]*, default " $4 "( |,|\\))") {
			print $1 ": no " $2 " (" $3 ", default " $4 ")"
		}' "$tmp/list" >"$tmp/bad"
	cat "$tmp/bad"
	test -s "$tmp/list" && test ! -s "$tmp/bad"
}
check "each parameter has its type and default there" has_parameters

# The constants of the reserve, and where else they stand.
constant() { # POLICY NAME
	sed -n "s/^#define $2  *//p" "$srcdir/core/policy/$1.c"
}
# says FILE TEXT: whatever its lines are
says() {
	tr -s ' \t\n*' ' ' <"$1" | grep -qF "$2" || {
		echo "$1: no \"$2\""
		return 1
	}
}
plain "$man/librasim-rules.7" >"$tmp/rules"
has_reserve() {
	room=$(constant planned RESERVE_ROOM)
	unit=$(constant planned RESERVE_UNIT)
	test -n "$room" && test -n "$unit" || return 1
	test "$(constant planned LATER_COUNTS)" = 0.5 || return 1 # half
	for policy in band demand; do
		test "$(constant $policy RESERVE_ROOM)" = 1.5 &&
			test "$(constant $policy RESERVE_UNIT)" = 0.5 || return 1
	done
	says "$tmp/rules" "has $room for 1.5, $unit for the half of the mean" &&
		says "$srcdir/docs/beyond.md" "a room of $room, on" &&
		says "$srcdir/docs/beyond.md" "large from $unit of the mean" &&
		says "$srcdir/core/formula/reserve.h" "(planned: $unit)" &&
		says "$srcdir/core/policy/planned.c" \
			"room = $room, unit = $unit of the mean work"
}
check "the reserve of the machine is that of the policies" has_reserve

# Columns, of a run of two jobs.
cat >"$tmp/two.swf" <<'END'
; Computer: a machine
; Installation: a place
; Acknowledge: a person
; MaxProcs: 4
1 0 -1 100 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1
2 10 -1 50 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
END
"$librasim" run --format csv --jobs-out "$tmp/jobs" "$tmp/two.swf" \
	>"$tmp/results" 2>/dev/null </dev/null
columns_are() {
	head -n 1 "$2" | tr , '\n' >"$tmp/columns"
	terms "$1" "$3" >"$tmp/said"
	diff "$tmp/columns" "$tmp/said"
}
check "the columns of the results, in order" \
	columns_are RESULTS "$tmp/results" librasim-formats.5
check "the columns of the jobs, in order" \
	columns_are "THE TABLE OF JOBS" "$tmp/jobs" librasim-formats.5
"$librasim" import -o "$tmp/imported.swf" --counts "$tmp/counts" \
	"$srcdir/tests/data/import/plain/log" >"$tmp/out" </dev/null
check "the columns of the side table, in order" \
	columns_are "THE SIDE TABLE" "$tmp/imported.jobs.csv" \
	librasim-import-formats.5
reasons_are() {
	tail -n +4 "$tmp/counts" | cut -d , -f 2 >"$tmp/columns"
	terms "COUNTS OF AN IMPORT" librasim-import-formats.5 >"$tmp/said"
	diff "$tmp/columns" "$tmp/said"
}
check "the reasons of an import, in order" reasons_are

# keys_in HEADING PAGE COMMAND...: every key of its JSON is a bold word there.  The
# parameters of policies are looked at above.
keys_in() {
	heading=$1
	sed 's/\\fB\([a-z0-9_]*\)\\fR/\n.B \1\n/g' "$man/$2" >"$tmp/bold"
	shift 2
	"$librasim" "$@" "$tmp/two.swf" </dev/null |
		sed -n 's/^ *"\([a-z0-9_]*\)": .*/\1/p' | sort -u >"$tmp/keys"
	section "$heading" "$tmp/bold" | sed -n 's/^\.RB* //p' >"$tmp/said"
	section "$heading" "$tmp/bold" | sed -n 's/^\.BR* //p' >>"$tmp/said"
	tr -cs 'a-z0-9_' '\n' <"$tmp/said" | sort -u >"$tmp/words"
	comm -23 "$tmp/keys" "$tmp/words" >"$tmp/bad"
	cat "$tmp/bad"
	test -s "$tmp/keys" && test ! -s "$tmp/bad"
}
# Of policies without parameters: those have names of their own.
check "the keys of run --format=json" keys_in RESULTS \
	librasim-formats.5 run --policy easy,fcfs --format json
check "the keys of trace --json" \
	keys_in "THE DESCRIPTION OF A LOG" librasim-trace.1 trace --json

# Scenario fields, and their ranges from the program's own complaint.
has_ranges() {
	plain "$man/librasim-run.1" >"$tmp/page"
	for name in $("$librasim" run --format json "$tmp/two.swf" </dev/null |
		sed -n '/"near_run"/,/}/s/^ *"\([a-z_]*\)": .*/\1/p' |
		grep -v near_run | tr _ -); do
		range=$("$librasim" run --"$name"=-1 "$tmp/two.swf" 2>&1 </dev/null |
			sed -n 's/1e+06/1e6/
				s/.* from \(.*\) to \(.*\), not .*/\1 to \2/p')
		echo "$name" >>"$tmp/fields"
		case "$name, $(sed -n "/^\.BR.* --$name /,/^\.TP/p" "$tmp/page" |
			tr -s '\n' ' ')" in
		inaccuracy,* | high-urgency,*) test "$range" = "0 to 100" ;;
		*", $range (default"*) ;;
		*) false ;;
		esac || echo "$name: $range"
	done >"$tmp/bad"
	cat "$tmp/bad"
	test ! -s "$tmp/bad" && test -s "$tmp/fields"
}
check "each scenario field has its range" has_ranges

check "the environment" test "$(terms ENVIRONMENT librasim.1 | sort | tr '\n' ' ')" = \
	"HOME LIBRA_TRACES PATH XDG_DATA_HOME "

finish
