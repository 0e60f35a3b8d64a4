#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Random calls of the engine, the same ones each time: some seconds.  A million
# sequences a policy: tests/fuzz/fuzz engine all 1000000

fuzz=${builddir:-.}/tests/fuzz/fuzz
grep -q LLVMFuzzer "$fuzz" && {
	echo "1..0 # SKIP built for libFuzzer: see contrib/fuzz"
	exit 0
}
exec "$fuzz" engine all "${LIBRA_FUZZ_SEQUENCES:-1000}"
