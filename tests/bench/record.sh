#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# record.sh TABLE... - measure tables of docs anew; "make bench-record
# TABLES='plans calls'" runs it.
#
# Stores each table with date and commit in docs/data and in the page, by
# contrib/evidence.  TABLE is logs, decisions, plans, crowds, calls or slurm.
# BENCH_QUICK=yes measures small cases and prints the tables, storing nothing.

set -u
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
bench=$builddir/tests/bench
quick=${BENCH_QUICK-}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Whole processes on logs beside a loop that only reads them.
logs() {
	echo "policy,log,floor in ms,librasim in ms,ratio"
	sh "$srcdir/tests/bench/bench.sh" -s >"$tmp/bench" || return
	sed -n 's/^\([a-z]*\), \(.*\): \([0-9.]*\) s, \([0-9.]*\) times the floor of \([0-9.]*\) s$/\1;\2;\3;\4;\5/p' \
		"$tmp/bench" | awk -F ';' '{
			printf "%s,\"%s\",%.1f,%.1f,%s\n", $1, $2, 1000 * $5,
				1000 * $3, $4; n++ } END { exit !n }'
}

# Medians of decisions, of tests/bench/decisions.sh.
decisions() {
	seconds=10
	[ -z "$quick" ] || seconds=1
	sh "$srcdir/tests/bench/decisions.sh" -o "$tmp/decisions" \
		-s "$seconds" >/dev/null 2>&1 || return
	awk -F , '
	NR == 1 { next }
	{
		key = $3 "," $4
		if (!(key in least)) {
			order[++n] = key
			least[key] = most[key] = $5
		}
		if ($5 < least[key]) least[key] = $5
		if ($5 > most[key]) most[key] = $5
		at[key, $2] = sprintf("%.2g", $7 / 1000)
	}
	END {
		print "processors,widest job,easy,librarisk,demand,band,planned,jobs"
		for (i = 1; i <= n; i++) {
			k = order[i]
			print k "," at[k, "easy"] "," at[k, "librarisk"] "," \
				at[k, "demand"] "," at[k, "band"] "," \
				at[k, "planned"] "," least[k] " to " most[k]
		}
	}' "$tmp/decisions.csv"
	[ -n "$quick" ] || [ ! -e "$tmp/decisions.svg" ] ||
		cp "$tmp/decisions.svg" "$srcdir/docs/performance.svg"
}

# of FILE CALL: "mean / p99" of a call that tests/bench/plans printed
of() {
	awk -v call="$2" 'index($0, call) == 1 {
		sub(call, ""); printf "%d / %d", $3, $4 }' "$1"
}

plans() {
	echo "kind,nodes,plans,accepted,refused,earliest,cancelled,early end,slice,\"array of 1,000\",\"early end, at once\""
	cases='1000,1000,60 6000,1000,60 10000,1000,60 10000,5000,20'
	[ -z "$quick" ] || cases='50,20,2'
	for case in $cases; do
		rest=${case#*,}
		for kind in whole shared; do
			n=${case%%,*} p=${rest%,*} rounds=${rest#*,}
			"$bench/plans" $kind "$n" "$p" "$rounds" >"$tmp/later" ||
				return
			: >"$tmp/at-once"
			[ "$p" -gt 1000 ] ||
				"$bench/plans" $kind "$n" "$p" "$rounds" at-once \
					>"$tmp/at-once" || return
			row=$kind,$n,$p
			for call in accepted refused earliest cancel 'early end' \
				slice array; do
				row="$row,$(of "$tmp/later" "$call")"
			done
			echo "$row,$(of "$tmp/at-once" 'early end')"
		done
	done
}

crowds() {
	crowd='200 400 5000'
	[ -z "$quick" ] || crowd=50
	echo "kind,jobs,accepted,refused,earliest,cancelled,early end"
	for kind in falling random mixed; do
		for jobs in $crowd; do
			"$bench/plans" $kind 128 "$jobs" >"$tmp/crowd" || return
			row=$kind,$jobs
			for call in accepted refused earliest cancel 'early end'; do
				p99=$(of "$tmp/crowd" "$call")
				row="$row,${p99#* / }"
			done
			echo "$row"
		done
	done
}

calls() {
	echo "policy,submit,test,look,start: test,set,look,end: end,look"
	for policy in librarisk band planned; do
		if [ -n "$quick" ]; then
			"$bench/calls" $policy 50 10 10 "$tmp/log"
		else
			"$bench/calls" $policy 5000 100 100 "$tmp/log"
		fi >"$tmp/calls" || return
		awk -v row="$policy" '
		/^[a-z]*:/ { phase = $1; next }
		phase != "beside:" { row = row "," sprintf("%.0f", $8) }
		END { print row }' "$tmp/calls"
	done
}

# Measure a command of librasim on a site: SITE COMMAND OPTION...
slurm_row() {
	site=$1
	shift
	"$bench/measure" 1 "${LIBRASIM:-$builddir/librasim}" "$@" \
		--site "$tmp/$site" >"$tmp/measured" || return
	awk -v command="$1" '{ printf "%s,%.1f,%.0f\n", command, $2, $5 / 1024 }' \
		"$tmp/measured"
}

# A site's own scheduler, over four months of a large machine, and as it was
# and in eight scenarios over a year (slurm_site.awk).
slurm() {
	n=600000 year=300000
	[ -z "$quick" ] || n=2000 year=2000
	cat >"$tmp/scenarios" <<-'END' || return
		more nodes: nodes=+98
		exact limits: limits=exact
		six hours: limits=06:00:00
		no fair-share: weight.fairshare=0
		slow decay: half_life=14-00:00:00
		deep backfill: bf_max_job_test=2000
		more jobs each: qos.normal.MaxJobsPU=48
		more load: load=1.1
	END
	mkdir "$tmp/months" "$tmp/year" &&
		awk -v n=$n -v dir="$tmp/months" \
			-f "$srcdir/tests/bench/slurm_site.awk" &&
		awk -v n=$year -v nodes=977 -v gap=105.12 -v dir="$tmp/year" \
			-f "$srcdir/tests/bench/slurm_site.awk" || return
	echo "command,CPU seconds,MiB"
	slurm_row months run --policy slurm &&
		slurm_row year what-if -q -j 2 -o "$tmp/page" \
			--scenario "$tmp/scenarios"
}

[ $# -gt 0 ] || {
	echo "usage: record.sh logs|decisions|plans|crowds|calls|slurm..." >&2
	exit 2
}
for table in "$@"; do
	case $table in
	logs | decisions | plans | crowds | calls | slurm) ;;
	*)
		echo "record.sh: no table '$table': logs, decisions, plans," \
			"crowds, calls, slurm" >&2
		exit 2
		;;
	esac
	$table >"$tmp/table" || {
		echo "record.sh: $table was not measured" >&2
		exit 1
	}
	if [ -n "$quick" ]; then
		cat "$tmp/table"
	else
		"$srcdir/contrib/evidence" --table "$table" "$tmp/table" || exit 1
	fi
done
