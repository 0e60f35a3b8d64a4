#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The first 50,000 lines of every log that is at hand, turned into Slurm's
# accounting, come back from librasim import as they were; and more jobs take more memory by the record, not by
# the length of the text.  How long a million of them take, make bench says.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
sacct_of=$srcdir/tests/cli/sacct_of.py
if ! command -v python3 >/dev/null; then
	skip "logs come back" "no python3"
	finish
fi

round_trip() {
	zcat -f "$1" | head -n 50000 >"$tmp/log.swf" &&
		python3 "$sacct_of" export "$2" <"$tmp/log.swf" |
		gzip -1 >"$tmp/sacct.gz" &&
		run 0 "$librasim" import --no-table -o "$tmp/back.swf" \
			"$tmp/sacct.gz" &&
		python3 "$sacct_of" compare "$tmp/log.swf" "$tmp/back.swf"
}

# peak N: kilobytes that N jobs take
peak() {
	awk -v n="$1" -f "$srcdir/tests/bench/rows.awk" </dev/null >"$tmp/rows" &&
		python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
			"$librasim" import -o "$tmp/rows.swf" "$tmp/rows"
}
# 144 bytes of a record and 50 to sort it, and doubled arrays now and then; the
# text of a job has 180.
memory() {
	few=$(peak 60000) && many=$(peak 180000) &&
		echo "$few KiB for 60,000, $many KiB for 180,000 jobs" &&
		test $(((many - few) * 1024 / 120000)) -lt 400 &&
		test "$many" -lt 80000
}
if grep -q __asan_init "$librasim"; then
	skip "memory grows by the record" "the sanitizer takes more"
else
	check "memory grows by the record" memory
fi

"$librasim" gen -n 3000 --procs 256 --seed 5 -o "$tmp/gen.swf" </dev/null
for style in 0 1 2; do
	check "a generated log comes back, style $style" \
		round_trip "$tmp/gen.swf" "$style"
done
style=0
for log in CEA-Curie-2011-2.1-cln CTC-SP2-1996-3.1-cln \
	HPC2N-2002-2.2-cln KTH-SP2-1996-2.1-cln KTH-SP2-1996-2.2 \
	LANL-CM5-1994-4.1-cln NASA-iPSC-1993-3.1-cln \
	SDSC-BLUE-2000-4.2-cln SDSC-SP2-1998-4.2-cln lublin_256; do
	path=$(find_trace $log.swf.gz)
	if [ -n "$path" ]; then
		check "$log comes back" round_trip "$path" $style
	else
		skip "$log comes back" "the log is not here"
	fi
	style=$(((style + 1) % 3))
done
finish
