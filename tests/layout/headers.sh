#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each header includes what it uses: alone, it compiles without a warning.
# compat.h is not among them: it needs the headers of Slurm.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

compiles_alone() {
	printf '#include "%s"\n#include "%s"\n' "$1" "$1" >"$tmp/one.c"
	# Options are lists of words.
	# shellcheck disable=SC2086
	$CC ${TEST_CPPFLAGS--D_GNU_SOURCE} -I"$srcdir" \
		${TEST_CFLAGS--std=gnu11 -Wall -Wextra -Wno-unused-parameter} \
		-Werror -fsyntax-only "$tmp/one.c"
}

cd "$srcdir" || exit 99
for h in $(find core plugin sim tests -name '*.h' ! -name compat.h | sort); do
	check "$h compiles alone" compiles_alone "$h"
done
finish
