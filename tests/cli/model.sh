#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim gen and librasim model, from the command line: jobs are drawn, fitted
# and drawn again.  Where it is found, the paper's table is checked on its log.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}

# says STATUS TEXT ARG...: one line on standard error, with this text, nothing
# on standard output
says() {
	want=$1
	text=$2
	shift 2
	run "$want" "$librasim" "$@" || return 1
	cat "$tmp/err"
	[ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -qF -e "$text" "$tmp/err"
}

draws() {
	run 0 "$librasim" gen -n 3000 --seed 7 -o "$tmp/jobs.swf" &&
		[ "$(grep -vc '^;' "$tmp/jobs.swf")" -eq 3000 ]
}
check "gen writes as many jobs as asked" draws

same_bytes() {
	run 0 "$librasim" gen -n 3000 --seed 7 &&
		cmp "$tmp/out" "$tmp/jobs.swf" &&
		run 0 "$librasim" gen -n 3000 --seed 8 &&
		! cmp -s "$tmp/out" "$tmp/jobs.swf"
}
check "the same seed gives the same bytes, another one others" same_bytes

fits() {
	run 0 "$librasim" model fit "$tmp/jobs.swf" --draws 50 \
		--format json -o "$tmp/fit.json" &&
		[ "$(grep -c '"best": true' "$tmp/fit.json")" -eq 3 ]
}
check "fit finds a best model for each series" fits

draws_again() {
	run 0 "$librasim" gen -m "$tmp/fit.json" -n 100 &&
		grep -q '^; Note: iat hypweib:weight=0\.[23]' "$tmp/out" &&
		grep -q '^; Note: run polylin:a=-0\.01' "$tmp/out" &&
		grep -q '^; Note: size binbin:first=3' "$tmp/out"
}
check "gen draws from what fit wrote" draws_again

other_models() {
	run 0 "$librasim" gen -n 10 -m exponential:mean=5,size=zipf:values=2 \
		-m run=gpareto:shape=0 --procs 128 &&
		grep -q '^; Note: iat exponential:mean=5' "$tmp/out" &&
		grep -q '^; Note: size zipf:.*values=2' "$tmp/out" &&
		grep -q '^; MaxProcs: 128' "$tmp/out" &&
		[ "$(grep -v '^;' "$tmp/out" | awk '$5 != 8 && $5 != 16' |
			wc -l)" -eq 0 ]
}
check "gen takes models with parameters" other_models

table() {
	run 0 "$librasim" model fit "$tmp/jobs.swf" --draws 50 -m zipf,gpareto &&
		grep -q '^size *zipf \*' "$tmp/out" &&
		grep -q '^run *gpareto \*' "$tmp/out"
}
check "fit prints a table" table

alone() {
	run 0 "$librasim" model check --format csv &&
		[ "$(grep -c ',pass,' "$tmp/out")" -eq 4 ] &&
		[ "$(grep -c ',fail,' "$tmp/out")" -eq 0 ]
}
check "check without a trace judges the models" alone

not_the_log() {
	run 1 "$librasim" model check "$tmp/jobs.swf" --draws 50 &&
		grep -q '^M1  *fail' "$tmp/out" &&
		grep -q '^Table 1' "$tmp/out"
}
check "check on other jobs fails with status 1" not_the_log

pictures() {
	run 0 "$librasim" model fit "$tmp/jobs.swf" --draws 10 \
		--plots "$tmp/plots" &&
		for picture in cdf-iat cdf-run cdf-size quantiles-iat \
			quantiles-run quantiles-size; do
			grep -q '<svg' "$tmp/plots/$picture.svg" || return 1
		done
}
if command -v gnuplot >/dev/null; then
	check "fit draws pictures" pictures
else
	skip "fit draws pictures" "no gnuplot"
fi

lists() {
	run 0 "$librasim" model list &&
		for model in hypweib exponential polylin gpareto binbin zipf; do
			grep -q "^$model (" "$tmp/out" || return 1
		done
}
check "list shows every model" lists

# A failed command leaves the file that was there.
keeps_file() {
	cp "$tmp/jobs.swf" "$tmp/kept.swf"
	says 1 'weight' gen -m hypweib:weight=3 -o "$tmp/kept.swf" &&
		cmp "$tmp/jobs.swf" "$tmp/kept.swf"
}
check "a failed gen leaves the old file" keeps_file

grep -v '^;' "$tmp/jobs.swf" | head -n 5 >"$tmp/few.swf"
awk '{ $5 = -1; print }' "$tmp/few.swf" >"$tmp/noprocs.swf"
awk '{ $4 = -1; print }' "$tmp/few.swf" >"$tmp/norun.swf"
check "too few jobs are one line" \
	says 1 'few.swf: 5 jobs' model fit "$tmp/few.swf"
check "a trace without processors is one line" \
	says 1 'allocated processors (field 5)' model fit "$tmp/noprocs.swf"
check "a trace without run times is one line" \
	says 1 'run time (field 4)' model check "$tmp/norun.swf"
check "a log too short to check is one line" \
	says 1 'Hurst' model check "$tmp/few.swf"
check "a fit that does not converge is one line" \
	says 1 'did not converge in 3 iterations' \
	model fit "$tmp/jobs.swf" -m hypweib --max-iterations 3
check "a parameter out of its range is one line" \
	says 1 'from 0 to 1' gen -m hypweib:weight=1.01
check "a parabola that is no CDF is one line" \
	says 1 'rise from 0 to 1' gen -m polylin:a=-1
check "a mistyped model is one line" \
	says 1 "did you mean 'polylin'" gen -m polilyn
check "a missing file of models is one line" \
	says 1 'none.json' gen -m "$tmp/none.json"
check "jobs larger than the machine are one line" \
	says 1 '256 processors' gen --procs 100
check "a folder that is no folder is one line" \
	says 1 'few.swf' model fit "$tmp/jobs.swf" -m zipf --draws 1 \
	-o "$tmp/few.swf/x"
check "no trace is a usage error" says 2 'no trace is given' model fit
check "no subcommand is a usage error" says 2 'fit, check or list' model
check "a mistyped subcommand is a usage error" \
	says 2 "did you mean 'fit'" model fti
check "no number of jobs is a usage error" says 2 'jobs' gen -n many
check "an unknown method is a usage error" \
	says 2 'ml, lsq or histogram' model fit "$tmp/jobs.swf" --method=em

blue=$(find_trace SDSC-BLUE-2000-4.2-cln.swf.gz)
paper() {
	run 0 "$librasim" model check "$blue" --format csv &&
		[ "$(grep -c ',pass,' "$tmp/out")" -eq 13 ]
}
if [ -r "$blue" ]; then
	check "the claims hold on the Blue Horizon log" paper
else
	skip "the claims hold on the Blue Horizon log" "the log was not found"
fi

finish
