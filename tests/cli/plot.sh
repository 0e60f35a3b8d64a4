#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim plot: pictures of jobs from a log, a simulation and a decision log.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}

# Two jobs on four processors, 100 s each: the first has all of them, the second
# two of them.  200 s are 900 points; a processor is 75 high.
awk 'BEGIN {
	print "; MaxProcs: 4"
	print "1 0 0 100 4 -1 -1 4 900 -1 1 7 1 1 1 1 -1 -1"
	print "2 50 50 100 2 -1 -1 2 900 -1 1 8 1 1 1 1 -1 -1"
	print "3 60 -1 -1 2 -1 -1 2 900 -1 5 8 1 1 1 1 -1 -1"
}' >"$tmp/two.swf"
gantt() {
	run 0 "$librasim" plot gantt -o "$tmp/g.svg" "$tmp/two.swf" &&
		grep -q 'd="M100.00 72h450.00v300h-450.00z"' "$tmp/g.svg" &&
		grep -q 'd="M550.00 222h450.00v150h-450.00z"' "$tmp/g.svg" &&
		grep -q '>Not shown: jobs that never ran (1).<' "$tmp/g.svg" &&
		grep -q '>user 7<' "$tmp/g.svg" && grep -q '>user 8<' "$tmp/g.svg" &&
		grep -qz '<title>job 2 of user 8.2 processors for 100 s.'"\
"'started 100 s after the log began, waited 50 s</title>' "$tmp/g.svg" &&
		run 0 "$librasim" plot gantt --colour size "$tmp/two.swf" &&
		grep -q '>2 processors<' "$tmp/out" &&
		grep -q '>3-4 processors<' "$tmp/out"
}
check "plot gantt draws jobs as they ran" gantt

"$librasim" gen -n 400 --procs 256 --seed 9 -o "$tmp/gen.swf" </dev/null
"$librasim" run --policy libra --jobs-out "$tmp/jobs" "$tmp/gen.swf" >/dev/null
simulated() {
	refused=$(grep -c ',reject,' "$tmp/jobs")
	run 0 "$librasim" plot gantt "$tmp/jobs" -o "$tmp/j.svg" &&
		test "$refused" -gt 0 &&
		grep -q ">refused: $refused<" "$tmp/j.svg" &&
		grep -q ' after the log began: job 2.*, no share' \
			"$tmp/j.svg" &&
		grep -q '>promise kept<' "$tmp/j.svg" &&
		run 1 "$librasim" plot gantt --colour user "$tmp/jobs" &&
		grep -q 'colour by size or promise' "$tmp/err" &&
		run 1 "$librasim" plot gantt --partition x "$tmp/jobs" &&
		run 0 "$librasim" plot waits --csv "$tmp/jobs"
}
check "plot takes the jobs table of a simulation" simulated

# Planned: told to start at once, and to take 50 of 100 s by the estimate.
marks() {
	{
		echo "job,submit_s,procs,estimate_s,deadline_s,verdict,$(
		)start_s,finish_s,fulfilled,policy,told_s"
		echo "5,0,2,50,80,accept,0,40,1,planned,0"
		echo "6,0,2,50,80,accept,50,100,0,planned,0"
	} >"$tmp/told"
	run 0 "$librasim" plot gantt "$tmp/told" &&
		grep -q '>deadline missed<' "$tmp/out" &&
		grep -q '>promised finish<' "$tmp/out" &&
		test "$(grep -c '<circle cx="550.00"' "$tmp/out")" -eq 2 &&
		grep -q 'd="M820.00 [0-9.]*v30.00"' "$tmp/out" &&
		grep -q '^deadline 80 s after the log began, missed<' "$tmp/out"
}
check "deadlines and promised finishes are marked" marks

awk 'BEGIN {
	print "{\"call\":\"engine\",\"now_s\":100,\"epoch\":7,\"policy\":\"libra\",\"nodes\":[[\"a\",2]]}"
	print "{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,\"deadline_s\":140,\"nprocs\":1,\"user\":3,\"answer\":\"accept\",\"ticket\":5,\"placement\":[[1,1]]}"
	print "{\"call\":\"offer\",\"now_s\":120,\"submit_s\":120,\"deadline_s\":140,\"nprocs\":1,\"user\":4,\"answer\":\"reject\",\"reason\":\"would_miss\",\"ticket\":0}"
	print "{\"call\":\"earliest\",\"now_s\":120,\"nprocs\":1,\"earliest_s\":128}"
	print "{\"call\":\"started\",\"now_s\":110,\"ticket\":5,\"rc\":0}"
	print "{\"call\":\"departed\",\"now_s\":130,\"ticket\":5,\"rc\":0}"
}' >"$tmp/decisions"
# Processors 1 of 0 and 1, for all of the time.
decisions() {
	run 0 "$librasim" plot gantt --colour promise "$tmp/decisions" &&
		grep -q '>promise kept<' "$tmp/out" &&
		grep -q 'd="M100.00 72h900.00v150h-900.00z"' "$tmp/out" &&
		grep -q '^1970-01-01 00:02:00, user 2, 1 processor, would miss, earliest deadline 1970-01-01 00:02:08<' \
			"$tmp/out" &&
		grep -q '^deadline 1970-01-01 00:02:20, kept<' "$tmp/out"
}
check "plot takes a decision log of slurmctld" decisions

# Of the second job's 100 s in the queue, 50 lie before its start.
numbers() {
	for kind in usage queue waits slowdown users; do
		run 0 "$librasim" plot $kind --csv -o "$tmp/$kind.csv" \
			"$tmp/two.swf" &&
			head -n 1 "$tmp/$kind.csv" | grep -qx 'figure,series,x,y' ||
			return 1
	done
	test "$(wc -l <"$tmp/usage.csv")" -eq 241 &&
		grep -qx 'waits,half of the jobs wait less,2,0.8333333333333334' \
			"$tmp/waits.csv" &&
		grep -q '^users,user 8,' "$tmp/users.csv"
}
check "each picture has its numbers" numbers
# 15:00 on 16 October 1996.
awk 'BEGIN {
	print "; MaxProcs: 256\n; UnixStartTime: 845478000"
	for (i = 1; i <= 3000; i++)
		print i, i * 200, i * 37 % 9000, 60 + i * 91 % 20000,
			1 + i * 7 % 64, -1, -1, -1, -1, -1, 1, i % 11,
			1, 1, 1, 1, -1, -1
}' >"$tmp/dated.swf"
if command -v gnuplot >/dev/null; then
	drawn() {
		for kind in usage queue waits slowdown users; do
			run 0 "$librasim" plot $kind "$tmp/two.swf" &&
				grep -q '2 jobs; not shown (whole log): 1 never ran' \
					"$tmp/out" &&
				grep -q '</svg>' "$tmp/out" || return 1
		done
	}
	check "each picture is drawn" drawn
	# Those of gnuplot are the same bytes with the same gnuplot.
	gallery() {
		BROWSER='' run 0 "$srcdir/contrib/draw-gallery" "$librasim" \
			"$tmp/docs" && (cd "$srcdir/docs" || exit
			cmp gallery.md "$tmp/docs/gallery.md" || exit
			test -s gallery/what-if.png || exit
			by=$(sed -n 's/^<desc>Produced by/&/p' gallery/queue.svg)
			cd gallery && for f in *.svg; do
				! grep -q '^<desc>Produced by' $f ||
					grep -qxF -e "$by" "$tmp/docs/gallery/$f" ||
					continue
				cmp $f "$tmp/docs/gallery/$f" || exit
			done)
	}
	check "docs/gallery.md is what draw-gallery makes" gallery
	# All of them in a page, as a reader sees them.
	{
		echo '<!DOCTYPE html><html><head><title>x</title></head>'
		echo '<body style="color-scheme:light dark;margin:0;'
		echo 'background:Canvas;color:CanvasText">'
		for kind in gantt usage queue waits slowdown users; do
			"$librasim" plot $kind "$tmp/dated.swf"
		done
		"$librasim" plot gantt "$tmp/jobs"
		echo '</body></html>'
	} >"$tmp/pictures.html"
	in_browser "pictures fit phones and screens" "$tmp/pictures.html"
else
	skip "each picture is drawn" "no gnuplot"
fi
nothing() {
	PATH=/nonexistent "$librasim" plot waits "$tmp/two.swf" \
		>"$tmp/out" 2>"$tmp/err"
	test $? -eq 1 && grep -q 'gnuplot was not found' "$tmp/err"
}
check "without gnuplot it says so" nothing
# 3,000 jobs from 15:00 on; of a log without dates nobody can say.
dates() {
	run 0 "$librasim" plot gantt --from 1996-10-17 --to 1996-10-18T06:00:00 \
		"$tmp/dated.swf" &&
		grep -q '>time (UTC), from 17 Oct 1996<' "$tmp/out" &&
		run 0 "$librasim" plot waits --csv --from 32400 --to 140400 \
			-o "$tmp/seconds" "$tmp/dated.swf" &&
		run 0 "$librasim" plot waits --csv --from 1996-10-17 \
			--to 1996-10-18T06:00:00 -o "$tmp/dates" \
			"$tmp/dated.swf" &&
		cmp "$tmp/seconds" "$tmp/dates" &&
		run 1 "$librasim" plot gantt --from 1996-10-17 "$tmp/two.swf" &&
		grep -q 'UnixStartTime' "$tmp/err" &&
		run 2 "$librasim" plot gantt --from 1996-10-77 "$tmp/dated.swf"
}
check "a time is given by dates, too" dates
usage() {
	run 2 "$librasim" plot pie "$tmp/two.swf" &&
		run 2 "$librasim" plot gantt && run 2 "$librasim" plot &&
		run 2 "$librasim" plot waits --colour size "$tmp/two.swf" &&
		run 2 "$librasim" plot gantt --colour red "$tmp/two.swf" &&
		run 2 "$librasim" plot gantt --csv "$tmp/two.swf" &&
		run 1 "$librasim" plot gantt --from 500 --to 600 \
			"$tmp/two.swf" &&
		grep -q 'the jobs run from 0 to 200 (--from, --to)' \
			"$tmp/err" &&
		run 1 "$librasim" plot gantt --colour promise "$tmp/two.swf" &&
		grep -q 'knows of no promises' "$tmp/err" &&
		run 1 "$librasim" plot gantt "$tmp/none.swf"
}
check "what is wrong is said" usage
finish
