#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion of librasim: what a Tab would offer.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
if ! bash -c '[ "${BASH_VERSINFO[0]}" -ge 4 ]' 2>/dev/null; then
	skip "completion" "no bash 4"
	finish
fi

# offers WORDS... : what is offered for the last word, one by line.  compopt
# works inside a completion alone; here it does nothing.
offers() {
	bash --norc -c '
		compopt() { :; }
		. "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_librasim
		printf "%s\n" "${COMPREPLY[@]}"' bash \
		"$srcdir/contrib/completion/librasim" "$librasim" "$@" </dev/null
}
# offered WANTED WORDS...: that, and in order
offered() {
	want=$1
	shift
	got=$(offers "$@" | sort | paste -sd ' ')
	echo "got $got"
	test "$got" = "$want"
}
# among WANTED WORDS...
among() {
	want=$1
	shift
	offers "$@" | tee "$tmp/got" | grep -qx -e "$want" || {
		cat "$tmp/got"
		return 1
	}
}
mkdir "$tmp/here" && cd "$tmp/here" || exit 99
touch log.swf

check "the commands of --help" among trace ''
check "the beginning of a command" offered "replay report reproduce risk run" r
check "commands to get help on" offered "replay report reproduce risk run" help r
check "subcommands" offered "--help check fit list" model ''
check "options of a command" among --jobs-out= run --
check "options without a value" among --kill-at-estimate run --k
check "options of a subcommand" among --min-density= model fit --m
check "policies" offered "libra librarisk" run --policy lib
check "policies in a list" offered "edf,libra edf,librarisk" run --policy edf,li
check "policies behind an equals sign" among edf run --policy = ''
check "policies right behind an equals sign" among edf run --policy =
check "parameters" among admission= run --set adm
check "formats of an import" offered "csv jobcomp sacct sacct-json" \
	import --format ''
check "pictures" offered "usage users" plot us
check "their files" offered log.swf plot users l
check "what a processor is" offered gpus run --unit = g
check "formats" offered "csv json table" run --format ''
check "models" among gpareto model fit -m ''
check "papers" offered icpp2006 reproduce icpp
check "files" offered log.swf run l
check "files behind an option with a value" offered log.swf run --seed 4 l

every_option() {
	for command in run trace gen report reproduce policies; do
		"$librasim" "$command" --help </dev/null |
			grep -oE '^ +(-., )?--[a-z][a-z-]*' | grep -oE -e '--.*' |
			sort >"$tmp/help"
		offers "$command" -- | tr -d = | sort >"$tmp/got"
		diff "$tmp/help" "$tmp/got" || return 1
	done
}
check "every option of --help" every_option
finish
