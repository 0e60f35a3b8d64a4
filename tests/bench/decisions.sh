#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# decisions.sh [-d] [-s SECONDS] [-o NAME] - what a decision costs against the
# processors of the machine and the jobs on it; "make bench-decisions" runs it.
#
# No test: it writes NAME.csv (decisions.csv) and, where gnuplot is, draws
# NAME.svg from it: medians of tests/bench/admission, at 1.3 times the load that
# fits, each within SECONDS (10).  -d: only draw what NAME.csv has.

set -u
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
admission=$builddir/tests/bench/admission
seconds=10
name=decisions
policies='easy librarisk demand band planned'

draw_only=no

while getopts ds:o: option; do
	case $option in
	d) draw_only=yes ;;
	s) seconds=$OPTARG ;;
	o) name=$OPTARG ;;
	*)
		echo "usage: decisions.sh [-d] [-s SECONDS] [-o NAME]" >&2
		exit 2
		;;
	esac
done
case $seconds in
'' | *[!0-9]* | 0*)
	echo "decisions.sh: -s takes a number from 1, not '$seconds'" >&2
	exit 2
	;;
esac
[ -x "$admission" ] || {
	echo "decisions.sh: no $admission: say make bench-decisions" >&2
	exit 1
}

# measure PART POLICY PROCS WIDEST: a row of the table
measure() {
	measured=$("$admission" "$2" "$3" "$4" "$seconds") || return
	echo "$1 $2 $3 $4 $measured" |
		awk -v OFS=, '{ print $1, $2, $3, $4, $12, $5, $6, $7, $8, $9 }'
}

[ $draw_only = yes ] || {
	echo part,policy,procs,widest,jobs,offers,median_ns,mean_ns,p99_ns,worst_ns
	for policy in $policies; do
		for procs in 1000 3000 10000 30000 100000; do
			measure procs "$policy" "$procs" $((procs / 8))
		done
		for widest in 10000 1000 100; do
			measure jobs "$policy" 100000 "$widest"
		done
	done
} >"$name.csv" || exit 1
awk -F, '{ printf "%-6s %-10s %7s %6s %6s %6s %9s %9s %9s\n",
	$1, $2, $3, $4, $5, $6, $7, $8, $9 }' "$name.csv"

command -v gnuplot >/dev/null || {
	echo "decisions.sh: no gnuplot: $name.svg is not drawn"
	exit 0
}
gnuplot <<GNUPLOT
set terminal svg size 900,380 font 'sans,12' background '#ffffff'
set output '$name.svg'
set datafile separator ','
set multiplot layout 1,2
set logscale xy
set grid ytics lc rgb '#dddddd'
set border 3
set tics nomirror
set format x '10^{%L}'
set ylabel 'a decision, median microseconds'
set yrange [0.03:*]
set key tmargin center horizontal samplen 2
set xlabel 'processors (jobs of up to an eighth of them)'
set xrange [700:140000]
plot for [p in '$policies'] '$name.csv' using \
	((strcol(1) eq 'procs' && strcol(2) eq p) ? \$3 : NaN):(\$7 / 1000) \
	with linespoints lw 2 pt 7 ps 0.6 title p
set xlabel 'jobs on 100,000 processors'
set xrange [70:20000]
plot for [p in '$policies'] '$name.csv' using \
	((strcol(1) eq 'jobs' && strcol(2) eq p) ? \$5 : NaN):(\$7 / 1000) \
	with linespoints lw 2 pt 7 ps 0.6 title p
GNUPLOT
