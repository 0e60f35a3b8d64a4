# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# tap.sh - what our test scripts share; they source it.
#
# Speaks the Test Anything Protocol on standard output.  $srcdir and $builddir
# come from "make check"; a script that is run by hand finds the source by
# itself and takes ./build.  $tmp is a directory that goes away at the end.

tap_count=0
tap_failed=0

: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
: "${CC:=cc}"

# Scripts go elsewhere, and find both from there.
srcdir=$(cd "$srcdir" && pwd) || exit 99
[ ! -d "$builddir" ] || builddir=$(cd "$builddir" && pwd) || exit 99

tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

# A python3 that picks its version first takes longer to start than most of our
# scripts to run.
if [ -x /usr/bin/python3 ]; then
	python3() {
		/usr/bin/python3 "$@"
	}
fi

# pass NAME; fail NAME [DETAIL-FILE]
pass() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

fail() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
	if [ -n "${2-}" ] && [ -s "$2" ]; then
		sed 's/^/# /' "$2"
	fi
}

# skip NAME REASON
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# skip_all REASON: the whole script
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# check NAME COMMAND...: passes if the command succeeds
check() {
	tap_name=$1
	shift
	if "$@" >"$tmp/tap.out" 2>&1; then
		pass "$tap_name"
	else
		fail "$tap_name" "$tmp/tap.out"
	fi
}

# in_browser NAME PAGE...: pages fit phones and screens, light and dark; only
# where there is a browser
in_browser() {
	tap_browser=$(command -v chromium || command -v chromium-browser)
	tap_page=$1
	shift
	if [ -n "$tap_browser" ] && command -v python3 >/dev/null; then
		check "$tap_page" python3 "$srcdir/tests/cli/browse.py" \
			"$tap_browser" "$@"
	else
		skip "$tap_page" "no chromium, or no python3"
	fi
}

# empty NAME FILE: passes if the file (a list of complaints) is empty
empty() {
	if [ -s "$2" ]; then
		fail "$1" "$2"
	else
		pass "$1"
	fi
}

# run STATUS COMMAND...: the exit status must be this one; output in $tmp/out
# and $tmp/err
run() {
	tap_want=$1
	shift
	tap_got=0
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null || tap_got=$?
	if [ "$tap_got" -ne "$tap_want" ]; then
		echo "status $tap_got instead of $tap_want: $*"
		cat "$tmp/out" "$tmp/err"
		return 1
	fi
}

# find_trace NAME: the path of a log, if it lies in a folder of TEST_TRACES (what
# LIBRA_TRACES was before "make check") or beside the tree
find_trace() {
	printf '%s\n' "${TEST_TRACES-${LIBRA_TRACES-}}:$srcdir/../shared/traces" |
		tr : '\n' | while IFS= read -r folder; do
		if [ -n "$folder" ] && [ -r "$folder/$1" ]; then
			printf '%s\n' "$folder/$1"
			break
		fi
	done
}

# finish: the plan, and the status of the script
finish() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
