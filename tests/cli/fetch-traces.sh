#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/fetch-traces, with a directory in the place of the archive.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

fetch=$srcdir/contrib/fetch-traces
log=SDSC-SP2-1998-4.2-cln.swf.gz

# A mirror with a small log under the default name, and a script that knows its
# sum: the rest of the script is the real one.
mkdir -p "$tmp/mirror/l_sdsc_sp2"
printf '; Version: 2\n; Acknowledge: A. N. Other\n; Copyright: none\n;   at all\n; MaxProcs: 2\n1 0 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n' |
	gzip -n >"$tmp/mirror/l_sdsc_sp2/$log"
sum=$(sha256sum <"$tmp/mirror/l_sdsc_sp2/$log" | cut -d ' ' -f 1)
sed "s/^\(SDSC-SP2-[^ ]* l_sdsc_sp2\) .*/\1 $sum/" "$fetch" >"$tmp/knows"
chmod +x "$tmp/knows"

nothing_in() {
	test -z "$(ls -A "$1")"
}

usage_is_2() {
	run 2 "$fetch" "$@" && grep -q 'fetch-traces: ' "$tmp/err"
}
check "an unknown log is a usage error" usage_is_2 nosuchlog
check "an unknown option is a usage error" usage_is_2 --nosuch
check "-d without a directory is a usage error" usage_is_2 -d
check "the beginning of two names is a usage error" usage_is_2 sdsc

lists_logs() {
	run 0 "$fetch" --list && grep -qx 'SDSC-SP2-1998-4.2-cln' "$tmp/out"
}
check "--list prints the names" lists_logs
helps() {
	run 0 "$fetch" --help && grep -q '^Usage:' "$tmp/out"
}
check "--help prints the usage" helps

if ! command -v curl >/dev/null; then
	skip "downloads" "no curl: wget cannot read file addresses"
	finish
fi

fetches() {
	run 0 "$tmp/knows" -d "$tmp/got" --base-url "file://$tmp/mirror/" &&
		cmp "$tmp/mirror/l_sdsc_sp2/$log" "$tmp/got/$log" &&
		test "$(ls -A "$tmp/got")" = "$log" &&
		grep -q 'Acknowledge: A. N. Other' "$tmp/out" &&
		grep -q 'at all' "$tmp/out" &&
		! grep -q MaxProcs "$tmp/out"
}
check "a log is fetched, and its notice printed" fetches

keeps() {
	run 0 "$tmp/knows" -d "$tmp/got" --base-url "file://$tmp/none" \
		sdsc-sp2 && grep -q 'already there' "$tmp/out"
}
check "a log that is there is not fetched again" keeps

default_dir() {
	run 0 env HOME="$tmp/home" XDG_DATA_HOME= "$tmp/knows" \
		--base-url="file://$tmp/mirror" &&
		test -e "$tmp/home/.local/share/slurm-libra/traces/$log" &&
		run 0 env XDG_DATA_HOME="$tmp/xdg" "$tmp/knows" \
			--base-url="file://$tmp/mirror" &&
		test -e "$tmp/xdg/slurm-libra/traces/$log"
}
check "logs go where librasim looks" default_dir

repairs() {
	echo broken >"$tmp/got/$log"
	run 0 "$tmp/knows" -d "$tmp/got" --base-url "file://$tmp/mirror" &&
		cmp "$tmp/mirror/l_sdsc_sp2/$log" "$tmp/got/$log"
}
check "a damaged log is replaced" repairs

refuses() {
	mkdir "$tmp/other"
	run 1 "$fetch" -d "$tmp/other" --base-url "file://$tmp/mirror" &&
		grep -q "sha256 $sum instead of" "$tmp/err" &&
		nothing_in "$tmp/other"
}
check "a log with another sha256 is not kept" refuses

reports_missing() {
	mkdir "$tmp/void"
	run 1 "$fetch" -d "$tmp/void" --base-url "file://$tmp/mirror" \
		kth-sp2 sdsc-sp2 &&
		grep -q 'no download from file:.*KTH-SP2' "$tmp/err" &&
		grep -q '2 of 2 logs' "$tmp/err" &&
		nothing_in "$tmp/void"
}
check "a missing log is named, the others are tried" reports_missing

of_two_the_cleaned() {
	run 1 "$fetch" -d "$tmp/void" --base-url "file://$tmp/mirror" kth &&
		grep -q 'KTH-SP2-1996-2.1-cln.swf.gz: no' "$tmp/err" &&
		run 1 "$fetch" -d "$tmp/void" --base-url "file://$tmp/mirror" \
			kth-sp2-1996-2.2 &&
		grep -q 'KTH-SP2-1996-2.2.swf.gz: no' "$tmp/err" &&
		run 2 "$fetch" -d "$tmp/void" c &&
		grep -q 'several names' "$tmp/err"
}
check "of a machine's logs it is the cleaned one" of_two_the_cleaned

no_network() {
	mkdir "$tmp/off"
	# A port on which nobody listens: as a host without a network.
	run 1 "$fetch" -d "$tmp/off" --base-url "http://127.0.0.1:1/" &&
		grep -q 'connection to the internet' "$tmp/err" &&
		nothing_in "$tmp/off"
}
check "without a network it says so" no_network
finish
