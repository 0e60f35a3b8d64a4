#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The live tests with slurmctld under valgrind.  What counts is what has our
# code in its stack, or is a wrong access anywhere; Slurm's own leaks do not.
#
# Usage: valgrind.sh DIR TEST...   (reports are left in DIR)

dir=$1
shift
mkdir -p "$dir" && rm -f "$dir"/vg.* || exit 1
export LIBRA_CTLD_WRAPPER="valgrind --leak-check=full --log-file=$dir/vg.%p"
export LIBRA_PATIENCE=${LIBRA_PATIENCE:-6}
status=0
for t; do
	echo "valgrind: ${t##*/}"
	"$t" >"$dir/${t##*/}.tap" 2>&1 || {
		grep -A5 '^not ok' "$dir/${t##*/}.tap"
		status=1
	}
done
cat "$dir"/vg.* >"$dir/all" 2>/dev/null || {
	echo "valgrind left no report" >&2
	exit 1
}
# One report is what lies between two empty lines.
sed 's/^==[0-9]*== \{0,1\}//' "$dir/all" | awk -v RS= '
	/still reachable|suppressed:|HEAP SUMMARY|LEAK SUMMARY|ERROR SUMMARY/ {
		next
	}
	/libra/ && /(at|by) 0x/ || /Invalid (read|write|free)/ ||
	/uninitialised/ {
		print $0 "\n"
		n++
	}
	END { print n + 0 " reports with our code, or of wrong accesses"; exit n > 0 }
' || status=1
exit $status
