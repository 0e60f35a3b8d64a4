#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The numbers of the README are what librasim measures on the paper's log.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
readme=$srcdir/README.md

# What a newcomer reads first is what he is told to try first.
says_the_same() {
	sed -n "s/^[[:space:]]*\(sbatch --time=.*\)/\1/p" "$srcdir/contrib/demo-cluster" \
		>"$tmp/try"
	test "$(wc -l <"$tmp/try")" -eq 2 || return 1
	while read -r line; do
		grep -qxF -e "    \$ $line" "$readme" &&
			grep -qF -e "    $line  " "$readme" || return 1
	done <"$tmp/try"
}
check "the first example is what demo-cluster says to try" says_the_same
policy_of_demo() {
	policy=$(sed -n 's/.*demo-cluster start .*--policy \([a-z]*\)$/\1/p' \
		"$readme")
	run 0 "$librasim" policies --json && grep -q "\"$policy\"" "$tmp/out"
}
check "on a policy that there is" policy_of_demo

# The picture has all that the README says of it.
drawn() {
	"$srcdir/contrib/draw-demo-day" "$librasim" "$tmp/day.svg" &&
		cmp "$tmp/day.svg" "$srcdir/docs/demo-day.svg" &&
		grep -q '>promise kept<' "$tmp/day.svg" &&
		! grep -q '>promise late<' "$tmp/day.svg" &&
		grep -q '>refused: 2, earliest deadline<' "$tmp/day.svg" &&
		grep -q ', earliest deadline 13 h 30 min after' "$tmp/day.svg" &&
		grep -qF '](docs/demo-day.svg)' "$readme"
}
check "the first picture is what librasim draws" drawn

trace=$(find_trace SDSC-SP2-1998-4.2-cln.swf.gz)
if [ -z "$trace" ]; then
	skip "the numbers of the README" "no SDSC SP2 log in LIBRA_TRACES"
	finish
fi
cat >"$tmp/point.sweep" <<END
trace = "$trace"
last = 3000
policies = {edf, libra, librarisk}
seeds = {1, 2, 3, 4, 5}
inaccuracy = {0, 100}
high_urgency = {20, 100}
END
check "the default point is measured" run 0 "$librasim" sweep \
	"$tmp/point.sweep" -j 1 -o "$tmp/point.csv"

# mean COLUMN FORMAT FILE [NAME VALUE]...: over the rows that have these values
mean() {
	awk -F , -v column="$1" -v format="$2" -v want="$*" '
		NR == 1 {
			n = split(want, w, " ")
			for (i = 1; i <= NF; i++)
				at[$i] = i
			next
		}
		{
			for (i = 4; i < n; i += 2)
				if ($at[w[i]] != w[i + 1])
					next
			sum += $at[column]
			rows++
		}
		END { if (rows) printf format, sum / rows; exit !rows }' "$3"
}
# row TITLE INACCURACY URGENT: of the table
row() {
	want=$(sed -n "s/^| $1 | *//p" "$readme" | tr -d '*|')
	got=
	for p in edf libra librarisk; do
		got="$got $(mean fulfilled_pct %.1f "$tmp/point.csv" \
			policy $p inaccuracy "$2" high_urgency "$3")"
	done
	echo "README: $want"
	echo "measured:$got"
	# Words, however many blanks are between them.
	# shellcheck disable=SC2086,SC2116
	test -n "$want" && test "$(echo $want)" = "$(echo $got)"
}
check "exact estimates" row "run time estimates exact" 0 20
check "users' estimates" row "estimates as users gave them" 100 20
check "all urgent" row "the same, all jobs urgent" 100 100

# How many claims there are, and of each status.
claims() {
	run 0 "$librasim" reproduce icpp2006 --trace "$trace" --no-figures -q \
		-j 1 -o report || return 1
	want=$(sed -n "s/^The report judges the paper's \(.*\) do not hold.*/\1/p" "$readme" |
		tr -cs '0-9' ' ')
	got="$(grep -c '"status":' report/claims.json)"
	for status in pass info fail; do
		got="$got $(grep -c "\"status\": \"$status\"" report/claims.json)"
	done
	echo "README: $want, measured: $got"
	# shellcheck disable=SC2086,SC2116
	test -n "$want" && test "$(echo $want)" = "$got"
}
check "the paper's claims" claims

broken() {
	kept=$(mean reliability_pct %.17g "$tmp/point.csv" policy librarisk \
		inaccuracy 100 high_urgency 20)
	awk -v kept="$kept" 'BEGIN {
		printf "one in %.2f\n", 100 / (100 - kept)
		exit sprintf("%.0f", 100 / (100 - kept)) != 14 }' &&
		grep -q 'breaks one promise in fourteen' "$readme"
}
check "the promises that LibraRisk breaks" broken

coupled() {
	for seed in 1 2 3 4 5; do
		"$librasim" run --policy band,librarisk --execution coupled \
			--seed $seed --last 3000 --format csv "$trace" \
			</dev/null || return 1
	done >"$tmp/coupled.csv"
	band=$(mean fulfilled_pct %.1f "$tmp/coupled.csv" policy band)
	librarisk=$(mean fulfilled_pct %.1f "$tmp/coupled.csv" policy librarisk)
	echo "band $band, librarisk $librarisk"
	tr '\n' ' ' <"$readme" | grep -qF -e \
		"\`band\` fulfils $band % where LibraRisk fulfils $librarisk %"
}
check "parts that wait for each other" coupled
finish
