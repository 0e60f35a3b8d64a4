#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The simulator's promises (sim/slurm/promises) take the numbers of the plugins,
# whose headers they may not include.  Pages name the bound of a search.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

# Print the number of a #define or of a member of an enum.
value() { # NAME FILE
	sed -n "s/.*\<$1 *=\{0,1\} *\([0-9][0-9]*\).*/\1/p" "$srcdir/$2"
}
same() { # NAME FILE NAME FILE
	mine=$(value "$1" "$2")
	[ "${mine:-none}" = "$(value "$3" "$4")" ]
}
follow() { # NAME FILE NAME FILE
	check "$1 of $2 is that of $4" same "$@"
}
promises=sim/slurm/promises

follow COMPRESS_STEPS $promises/promises.c COMPRESS_STEPS plugin/host/sync.c
follow PROMISE_TASKS $promises/request.h LIBRA_ARRAY_TASKS plugin/base/units.h
# Options that the plugin refuses to promise with bar a promise in the model.
pinned() {
	sed -n '/^static const char \*pinned/,/^}/s/.*"--\([a-z-]*\)".*/\1/p' \
		"$srcdir/plugin/job_submit/request.c"
}
bars() { # OPTION
	grep -qE "\"$1\".* UNPROMISED|bar\(line, \"$1\"\)" \
		"$srcdir/sim/slurm/submit_line.c"
}
check "the plugin refuses to promise with options" test "$(pinned | wc -l)" -gt 5
for option in $(pinned); do
	check "--$option bars a promise in the model" bars "$option"
done

work=$(value LIBRA_SEARCH_WORK core/engine.h | sed 's/...$/,&/')
for page in docs/beyond.md docs/performance.md NEWS; do
	check "$page has the bound of a search" grep -q "$work" "$srcdir/$page"
done
finish
