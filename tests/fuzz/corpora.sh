#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every parser reads its corpus: good inputs, bad ones, and what a fuzzer found.

fuzz=${builddir:-.}/tests/fuzz/fuzz
grep -q LLVMFuzzer "$fuzz" && {
	echo "1..0 # SKIP built for libFuzzer: see contrib/fuzz"
	exit 0
}
grep -q __asan_init "$fuzz" || echo "# without sanitizers: $CC has none"
exec "$fuzz" "${srcdir:-.}/tests/fuzz/corpus"
