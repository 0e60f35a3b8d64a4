#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The core runs inside slurmctld.  Its objects may call only what is listed
# here, and hold nothing that can be written.  The plugins' library exports each
# function of ours that the plugins call.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

archive=$builddir/core/.libs/libcore.a

# slurmctld looks for a function when it is called first, and ends without it.
plugins=$builddir/plugin/.libs
if [ -e "$plugins/libslurm_libra.so" ]; then
	nm -D --defined-only "$plugins/libslurm_libra.so" |
		awk '{ print $3 }' | sort >"$tmp/exported"
	nm -D -u "$plugins"/*_libra.so | awk '$2 ~ /^libra_/ { print $2 }' |
		sort -u >"$tmp/called"
	comm -23 "$tmp/called" "$tmp/exported" >"$tmp/missing"
	check "the plugins call their library" test -s "$tmp/called"
	empty "which exports what they call" "$tmp/missing"
else
	skip "the plugins call their library" "the plugins were not built"
	skip "which exports what they call" "the plugins were not built"
fi

# Memory, text and numbers in memory; nothing that knows the time, a file, the
# environment or another thread, and nothing that ends the process.  Nothing
# whose last bit depends on the processor: log(), exp2(), pow() do (log.h).
cat >"$tmp/allowed" <<'END'
_GLOBAL_OFFSET_TABLE_
__errno_location
__stack_chk_fail
bsearch
calloc
ceil
fabs
floor
fma
fmax
fmin
free
frexp
isfinite
isinf
isnan
ldexp
llround
malloc
memcmp
memcpy
memmove
memset
nextafter
qsort
qsort_r
realloc
reallocarray
rint
round
snprintf
sqrt
strcasecmp
strchr
strcmp
strlen
strncmp
strnlen
strtod
vsnprintf
END

if ! [ -e "$archive" ]; then
	fail "the core's archive exists: $archive"
	finish
fi
if nm "$archive" | grep -q '__asan_init'; then
	skip "the core calls only what it may" "built with sanitizers"
	skip "the core has no global that can be written" \
		"built with sanitizers"
	finish
fi

# __memcpy_chk and the like are the checked forms of the same functions.
nm -u "$archive" | awk '$1 == "U" { print $2 }' |
	sed 's/@.*//; s/^__isoc[0-9]*_//; s/^__\(.*\)_chk$/\1/' |
	sort -u >"$tmp/undefined"
nm --defined-only "$archive" | awk 'NF == 3 { print $3 }' |
	sort -u >"$tmp/defined"
sort -u "$tmp/allowed" "$tmp/defined" >"$tmp/known"

check "the archive's symbols can be read" test -s "$tmp/defined"
comm -23 "$tmp/undefined" "$tmp/known" >"$tmp/strange"
empty "the core calls only what it may" "$tmp/strange"

# Constant tables of pointers lie in .data.rel.ro: not these sections.
size -A "$archive" | awk '
	/ex .*libcore|^[^ ]+\.o / { object = $1 }
	$1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ &&
		$2 > 0 { print object ": " $1 " has " $2 " bytes" }' \
	>"$tmp/writable"
empty "the core has no global that can be written" "$tmp/writable"
finish
