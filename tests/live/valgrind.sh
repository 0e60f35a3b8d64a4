#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The live tests with slurmctld under valgrind.  What counts is a wrong access
# anywhere, and a leak of what our code has asked for; Slurm has its own.  With
# LIBRA_VALGRIND=helgrind it is threads that meet unguarded in our code, and
# locks of ours that are taken in both orders.
#
# Usage: valgrind.sh DIR TEST...   (reports are left in DIR)

dir=$1
shift
mkdir -p "$dir" && rm -f "$dir"/vg.* || exit 1
case ${LIBRA_VALGRIND:-memcheck} in
helgrind) options="--tool=helgrind --history-level=approx" ;;
*) options=--leak-check=full ;;
esac
export LIBRA_CTLD_WRAPPER="valgrind $options --log-file=$dir/vg.%p"
export LIBRA_PATIENCE=${LIBRA_PATIENCE:-6}
status=0
for t; do
	echo "valgrind: ${t##*/}"
	bash "$t" >"$dir/${t##*/}.tap" 2>&1 || {
		grep -A5 '^not ok' "$dir/${t##*/}.tap"
		status=1
	}
done
cat "$dir"/vg.* >"$dir/all" 2>/dev/null || {
	echo "valgrind left no report" >&2
	exit 1
}
# One report is what lies between two empty lines.  What Slurm holds at its end
# is "possibly lost": its pointers lie behind a header.  A leak is ours if the first
# to ask for the memory, behind the libraries' own helpers, is in our sources.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ours=$(cd "$top" && find core plugin -name '*.c' -printf '%f|' | sed 's/|$//')
sed 's/^==[0-9]*== \{0,1\}//' "$dir/all" | awk -v RS= -v ours="[(](${ours//./[.]}):" '
	function asker(   n, lines, i) {
		n = split($0, lines, "\n")
		for (i = 2; i <= n; i++)
			if (lines[i] !~ /Locks held|vgpreload|libslurmfull|libc\.so|ld-linux/)
				return lines[i]
		return ""
	}
	/SUMMARY/ { next }
	# The loader compares the beginning of $ORIGIN eight bytes at a time.
	/Invalid read/ && /is_dst \(dl-load\.c/ { next }
	# Slurm writes these under its locks, as we do, and reads them without.
	/inside data symbol "(last_|slurmctld_config)/ { next }
	/Possible data race|lock order .* violated|still holds|unlocked a not-locked/ &&
		asker() ~ ours ||
	/Invalid (read|write|free)|uninitialised/ ||
	/definitely lost in/ && asker() ~ ours {
		print $0 "\n"
		n++
	}
	END { print n + 0 " leaks of ours, wrong accesses or races"; exit n > 0 }
' || status=1
exit $status
