# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# fail_alloc.sh - allocations of a command fail one by one; sourced after
# tap.sh.  What a command writes belongs into $tmp/out, which begins empty.
#
# Where a command has more than 100, they fail by their places: of those that
# the same calls led to, the first and the last, and of these again a hundred
# from the first to the last.  With FAIL_ALL=places in the environment all of
# these do, with FAIL_ALL=yes all allocations.

fail_alloc_begin() { # PROGRAM
	${CC:-cc} -shared -fPIC -o "$tmp/fail_alloc.so" \
		"$srcdir/tests/cli/fail_alloc.c" -ldl 2>"$tmp/cc" ||
		skip_all "no shared library can be made"
	grep -q __asan_init "$1" && skip_all "a sanitizer has its own malloc"
	mkdir "$tmp/out" "$tmp/good"
}

# A command runs some hundred times, and a process takes as long as it does: what
# the shell can say by itself takes none.
is_empty() { # FOLDER
	for f in "$1"/* "$1"/.[!.]*; do
		[ ! -e "$f" ] || return 1
	done
}

fail_alloc_run() { # FAILS-AT COMMAND...: status, and what was written
	n=$1
	shift
	[ -e "$tmp/out" ] && is_empty "$tmp/out" || {
		rm -rf "$tmp/out"
		mkdir "$tmp/out"
	}
	FAIL_ALLOC=$n FAIL_ALLOC_COUNT=$tmp/count \
		LD_PRELOAD=$tmp/fail_alloc.so${preload:+:$preload} \
		"$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null
}
same_as_good() {
	[ "$status" -eq "$good" ] && cmp -s "$tmp/stdout" "$tmp/good.stdout" ||
		return 1
	is_empty "$tmp/out" && is_empty "$tmp/good" ||
		diff -r "$tmp/out" "$tmp/good" >/dev/null
}
# What there is, is whole; the command may have made its folder.
is_whole() {
	! is_empty "$tmp/out" || return 0
	(cd "$tmp/out" && find . -type f) >"$tmp/files"
	while read -r f; do
		cmp -s "$tmp/out/$f" "$tmp/good/$f" || return 1
	done <"$tmp/files"
}
# Refused, with a word of it, or ended by a library that has none itself.
aborts=
refused() {
	if [ "$aborts" ] && [ "$status" -eq 134 -o "$status" -eq 2 ]; then
		is_whole
	else
		[ "$status" -eq 1 ] && names_memory && is_whole
	fi
}
# In one line.
names_memory() {
	IFS= read -r line && ! IFS= read -r more && [ -z "$more" ] || return 1
	case $line in
	*[Mm][Ee][Mm][Oo][Rr][Yy]*) ;;
	*) return 1 ;;
	esac
} <"$tmp/stderr"

places() { # COMMAND...
	FAIL_ALLOC_PLACES=$tmp/places fail_alloc_run 0 "$@"
	awk '!($2 in first) { first[$2] = $1 }
		{ last[$2] = $1 }
		END {
			for (i in first) {
				print first[i]
				if (last[i] != first[i])
					print last[i]
			}
		}' "$tmp/places" | sort -n
}

# The numbers of the allocations that are to fail.
fail_numbers() { # COMMAND...
	if [ "$all" -le 100 ] || [ "${FAIL_ALL-}" = yes ]; then
		seq "$all"
		return
	fi
	places "$@" >"$tmp/at_places"
	if [ "${FAIL_ALL-}" = places ]; then
		cat "$tmp/at_places"
		return
	fi
	awk -v n="$(wc -l <"$tmp/at_places")" '
		NR == 1 || int(NR * 100 / n) > int((NR - 1) * 100 / n)' \
		"$tmp/at_places"
}

fails_well() { # NAME COMMAND...
	name=$1
	shift
	fail_alloc_run 0 "$@"
	good=$?
	cp "$tmp/stdout" "$tmp/good.stdout"
	rm -rf "$tmp/good"
	mv "$tmp/out" "$tmp/good"
	all=$(cat "$tmp/count")
	bad=0
	refusals=0
	fail_numbers "$@" >"$tmp/numbers"
	while read -r i; do
		fail_alloc_run "$i" "$@"
		status=$?
		if refused; then
			refusals=$((refusals + 1))
		elif ! same_as_good; then
			bad=$((bad + 1))
			echo "# $name, allocation $i of $all: status $status"
			sed 's/^/#   /' "$tmp/stderr"
		fi
	done <"$tmp/numbers"
	echo "# $name: $all allocations, $(wc -l <"$tmp/numbers") failed," \
		"$refusals of them end it"
	check "$name says so when memory runs out" \
		test $bad -eq 0 -a $refusals -gt 2
}
