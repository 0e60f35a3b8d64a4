#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/sweep-seeds: the means of what librasim run says of each seed.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
seeds=$srcdir/contrib/sweep-seeds

"$librasim" gen -n 300 --procs 256 --seed 5 --estimates yes -o "$tmp/gen.swf" \
	</dev/null

# of_run COLUMN DELAY: the mean over seeds 3 and 4
of_run() {
	for seed in 3 4; do
		"$librasim" run --policy band --set machine_reserve=no --last 3000 \
			--high-urgency 20 --deadline-model user --seed $seed \
			--arrival-delay "$2" --format csv "$tmp/gen.swf" |
			awk -F, -v want="$1" '
			NR == 1 {
				for (i = 1; i <= NF; i++)
					at[$i] = i
				next
			}
			{ print $at[want] }'
	done | awk '{ sum += $1 } END { print sum / NR }'
}
same_row() {
	row=$(printf 'user: %.1f / %.1f / %.1f (%.0f / %.0f / %.0f)' \
		"$(of_run fulfilled_pct 1)" "$(of_run fulfilled_pct 0.3)" \
		"$(of_run fulfilled_pct 0.1)" "$(of_run work_fulfilled_pct 1)" \
		"$(of_run work_fulfilled_pct 0.3)" \
		"$(of_run work_fulfilled_pct 0.1)")
	echo "$row"
	run 0 "$seeds" --librasim "$librasim" --seeds 3-4 --policy band \
		--set machine_reserve=no --trace "$tmp/gen.swf" --model user &&
		grep -qF "$row, reliability " "$tmp/out"
}
check "a row is the means over the seeds" same_row
three_rows() {
	run 0 "$seeds" --librasim "$librasim" --seeds 1-1 \
		--trace "$tmp/gen.swf" &&
		test "$(cut -d: -f1 "$tmp/out" | tr '\n' ' ')" = \
			"run estimate user "
}
check "each deadline model has one" three_rows
check "a log that is not there is an error" \
	run 1 "$seeds" --librasim "$librasim" --trace "$tmp/none.swf"
check "an option that is not known is a usage error" run 2 "$seeds" --nosuch
check "so are seeds that are none" run 2 "$seeds" --seeds 5
check "--help" run 0 "$seeds" --help
finish
