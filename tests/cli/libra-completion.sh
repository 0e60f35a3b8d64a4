#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion of libra: what a Tab would offer.  Slurm is a stand-in.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
if ! bash -c '[ "${BASH_VERSINFO[0]}" -ge 4 ]' 2>/dev/null; then
	skip "completion" "no bash 4"
	finish
fi
mkdir "$tmp/bin" "$tmp/here" && cd "$tmp/here" || exit 99
touch old.jsonl
printf '#!/bin/sh\nprintf "main\\nmain\\nlong\\n"\n' >"$tmp/bin/sinfo"
printf '#!/bin/sh\nprintf "12\\n13_[1-4]\\n7\\n"\n' >"$tmp/bin/squeue"
chmod +x "$tmp/bin/sinfo" "$tmp/bin/squeue"

# offered WANTED WORDS...: for the last word that is offered, and in order.
# compopt works inside a completion alone; here it does nothing.
offers() {
	PATH="$tmp/bin:$PATH" bash --norc -c '
		compopt() { :; }
		. "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_libra
		printf "%s\n" "${COMPREPLY[@]}"' bash \
		"$srcdir/contrib/completion/libra" "$libra" "$@" </dev/null
}
offered() {
	want=$1
	shift
	got=$(offers "$@" | sort | paste -sd ' ')
	echo "got $got"
	test "$got" = "$want"
}
check "the commands" offered "--help --version chain explain help metrics notify report settings status what-if when" ''
check "the beginning of a command" offered "what-if when" w
check "commands to get help on" offered "what-if when" help w
check "an option" offered --deadline= what-if --d
check "one without a value" offered --json status --j
check "jobs that wait" offered "12 13_[1-4]" when 1
check "--partition of status, too" offered long status --partition = l
check "jobs" offered "12 13_[1-4]" explain 1
check "jobs of a chain" offered "12 13_[1-4]" chain 1
check "or its file" offered old.jsonl chain o
check "partitions" offered "long main" what-if -p ''
check "a partition behind an equals sign" offered long what-if --partition = l
check "logs" offered old.jsonl explain --log o
check "events" offered "released" notify --events rel
check "files" offered old.jsonl metrics --textfile o
check "orders" offered "slack start state" status -S s
check "no value behind --long" offered "--long" status -l --l
check "instants" offered "now+1day now+1hour" what-if --deadline now+1
check "nothing for a number" offered "" what-if -n ''

every_option() {
	for command in status chain explain metrics notify report settings what-if when; do
		"$libra" "$command" --help </dev/null |
			grep -oE '^ +(-., )?--[a-z][a-z0-9-]*' |
			grep -oE -e '--.*' | sort >"$tmp/help"
		offers "$command" -- | tr -d = | sort >"$tmp/got"
		test -s "$tmp/help" && diff "$tmp/help" "$tmp/got" || return 1
	done
}
check "every option of --help" every_option
# An option of --help with a value takes one here, too.
every_value() {
	for o in $("$libra" what-if --help </dev/null |
		sed -nE 's/^ +(-.), --[a-z-]*=.*/\1/p'); do
		echo "$o"
		offers what-if "$o" -- | grep -q . && return 1
	done
	return 0
}
check "every option that takes a value" every_value
finish
