#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim sweep --slurm with an sbatch and a squeue of this test's own, which
# run the tasks here: the table of a local run, what a lost task leaves, a
# controller that does not answer.  tests/live/sweep.sh has the real ones.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
cd "$tmp" || exit 99
"$librasim" gen -n 300 --procs 256 --seed 5 -o gen.swf </dev/null
cat >sweep.conf <<'END'
trace = "gen.swf"
policies = {libra, edf}
seeds = {1, 2, 3, 4, 5}
arrival_delay = {0.5, 0.7, 0.9, 1}
END
"$librasim" sweep -q sweep.conf -o local.csv

# Tasks in the file "lost" do not run.  What is submitted is kept in "asked".
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
[ ! -e refuse ] || { echo "sbatch: error: no partition" >&2; exit 1; }
printf '%s\n' "$*" >>asked
for option; do
	case $option in
	--array=*) tasks=${option#*=} ;;
	--wrap=*) script=${option#*=} ;;
	--output=*) log=${option#*=} ;;
	esac
done
for task in $(echo "$tasks" | tr , ' '); do
	grep -qx "$task" lost 2>/dev/null && continue
	SLURM_ARRAY_TASK_ID=$task sh -c "$script" \
		>"$(echo "$log" | sed "s/%a/$task/")" 2>&1
done
echo 77
END
cat >bin/squeue <<'END'
#!/bin/sh
[ ! -e silent ] || {
	rm -f silent
	echo "slurm_load_jobs error: Unable to contact slurm controller" >&2
	exit 1
}
echo "slurm_load_jobs error: Invalid job id specified" >&2
exit 1
END
chmod +x bin/*
PATH=$tmp/bin:$PATH

same_bytes() {
	run 0 "$librasim" sweep sweep.conf -o far.csv --slurm --partition=x &&
		cmp local.csv far.csv && [ ! -e far.csv.parts ] &&
		grep -q -- '--array=0,1,2 .*--partition=x --wrap=' asked &&
		grep -q '^40 points: 40 run' out
}
check "the table of an array is that of a local run" same_bytes

nothing_to_do() {
	rm asked
	run 0 "$librasim" sweep sweep.conf -o far.csv --slurm &&
		cmp local.csv far.csv && [ ! -e asked ]
}
check "a whole table submits nothing" nothing_to_do

lost_task() {
	echo 1 >lost
	touch silent
	run 1 "$librasim" sweep sweep.conf -o lost.csv --slurm &&
		grep -q 'array 77 ended without 13 of 40 points' err &&
		[ "$(wc -l <lost.csv)" -eq 28 ]
}
check "a lost task is said, and the other rows are in the table" lost_task

resumed() {
	rm -f lost asked
	run 0 "$librasim" sweep sweep.conf -o lost.csv --slurm &&
		cmp local.csv lost.csv && grep -q -- '--array=1 ' asked &&
		[ ! -e lost.csv.parts ]
}
check "run again, it submits that task alone" resumed

# The end of a submitter that was killed: rows in the parts, none in the table.
found_in_parts() {
	rm -f asked
	mkdir old.csv.parts
	echo "77 2" >old.csv.parts/array
	for k in 0 1; do
		"$librasim" sweep -q sweep.conf --part $k/2 \
			-o old.csv.parts/$k.csv
	done
	sed -i '$d' old.csv.parts/1.csv
	run 0 "$librasim" sweep sweep.conf -o old.csv --slurm &&
		cmp local.csv old.csv && grep -qE -- '--array=[0-2] ' asked
}
check "rows of an array that is no more are found" found_in_parts

refused() {
	touch refuse
	run 1 "$librasim" sweep sweep.conf -o no.csv --slurm &&
		grep -q 'sbatch refused the array' err &&
		grep -q 'no partition' err
	rm -f refuse
}
check "what sbatch refuses is said" refused

check "every point is in one part" sh -c '
	for k in 0 1 2; do
		"$1" sweep -q sweep.conf --part $k/3 -o part$k.csv || exit
	done
	sort -u part[0-2].csv >all; sort local.csv | cmp - all &&
	[ "$(cat part[0-2].csv | wc -l)" -eq 43 ]' sh "$librasim"

usage() {
	run 2 "$librasim" sweep sweep.conf --slurm && grep -q -- --output err &&
		run 2 "$librasim" sweep sweep.conf -o x --part 3/3 &&
		run 2 "$librasim" sweep sweep.conf -o x --part 1of3 &&
		run 2 "$librasim" sweep sweep.conf -o x --part 0/3 --slurm
}
check "wrong options are usage errors" usage
finish
