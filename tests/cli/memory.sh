#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each allocation of a command fails once, in turn: it does what it would have
# done, or says in one line why not, and leaves no file that is not whole.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
# shellcheck source=tests/cli/fail_alloc.sh
. "$srcdir/tests/cli/fail_alloc.sh"

librasim=${LIBRASIM:-$builddir/librasim}
data=$srcdir/tests
unset LIBRA_TRACES XDG_DATA_HOME
HOME=$tmp
export HOME
fail_alloc_begin "$librasim"

trace=$data/fuzz/corpus/swf/small
fails_well "run" "$librasim" run --policy libra \
	--jobs-out "$tmp/out/jobs.csv" "$trace"
fails_well "run --json" "$librasim" run --policy band --json \
	--jobs-out "$tmp/out/jobs.json" "$trace"
fails_well "run --nodes" "$librasim" run --policy planned \
	--nodes 4x4:mem=8:gpu=1,1x8:mem=20:gpu=2 --last 12 \
	--jobs-out "$tmp/out/jobs.csv" "$data/golden/nodes.swf"
fails_well "gen" "$librasim" gen --jobs 20 --output="$tmp/out/gen.swf"
fails_well "import" "$librasim" import --tz=UTC -o "$tmp/out/log.swf" \
	"$data/fuzz/corpus/import/plain-log"
printf 'submit: t\nrun: r\nprocs: n * 2\nstate: s ok=COMPLETED\n' >"$tmp/map"
printf 't,r,n,s\n100,5,1,ok\n"200",5,2,FAILED\n' >"$tmp/trace.csv"
fails_well "import --format csv" "$librasim" import --format csv \
	--map "$tmp/map" -o "$tmp/out/log.swf" "$tmp/trace.csv"
printf '\050\265\057\375' >"$tmp/begin.zst"
if command -v zstd >/dev/null &&
	! "$librasim" trace "$tmp/begin.zst" 2>&1 | grep -q 'without libzstd'; then
	zstd -qc "$trace" >"$tmp/small.zst"
	fails_well "trace of zstd" "$librasim" trace "$tmp/small.zst"
fi
fails_well "replay" "$librasim" replay "$data/fuzz/corpus/log/gap"

# Others that write, on as little as they take.
cd "$tmp" || exit 99
"$librasim" gen --jobs 40 --procs 256 --seed 9 -o bare.swf </dev/null
"$librasim" run --policy easy --size allocated --jobs-out jobs bare.swf \
	>/dev/null 2>&1
head -n 4 jobs >few
awk 'NR == FNR { split($0, f, ","); wait[f[1]] = f[10] - f[2]; next }
	/^;/ { print; next }
	{ $3 = wait[$1]; print }' jobs bare.swf >log.swf
for seed in 1 2; do
	"$librasim" run --policy libra,edf --format csv --seed $seed bare.swf \
		>"results-$seed" 2>/dev/null
done
printf 'trace = "bare.swf"\npolicies = {libra}\nseeds = {1}\n' >sweep.conf
# libconfuse, which reads it, ends the program where it has no memory itself.
aborts=yes
fails_well "sweep" "$librasim" sweep -q -j 1 -o "$tmp/out/sweep.csv" sweep.conf
aborts=
fails_well "plot" "$librasim" plot gantt -o "$tmp/out/jobs.svg" few
fails_well "plot --csv" "$librasim" plot waits --csv few
fails_well "when" "$librasim" when log.swf
fails_well "trace" "$librasim" trace bare.swf
fails_well "risk" "$librasim" risk results-1 results-2
fails_well "model fit" "$librasim" model fit bare.swf --draws 2 \
	--model exponential
fails_well "what-if" "$librasim" what-if -q -j 1 --promise-jobs 5 \
	-o "$tmp/out/page" log.swf
echo "a: nodes=+4:like=c1 weight.tres=CPU=1 qos.normal.MaxTRESPU=cpu=4" >changes
fails_well "explain-wait" "$librasim" explain-wait \
	--site "$srcdir/tests/data/slurm-site" 5
fails_well "run --policy slurm" "$librasim" run --policy slurm \
	--site "$srcdir/tests/data/slurm-site" --jobs-out "$tmp/out/jobs.csv"
fails_well "what-if --site" "$librasim" what-if -q -j 1 --scenario changes \
	--site "$srcdir/tests/data/slurm-site" -o "$tmp/out/page"
fails_well "reproduce sc2015" "$librasim" reproduce sc2015 -q -j 1 --seeds 1 \
	--no-figures -o "$tmp/out/sc2015"
fails_well "reproduce icpp2006" "$librasim" reproduce icpp2006 -q -j 1 \
	--seeds 1 --no-figures --trace bare.swf -o "$tmp/out/icpp2006"
finish
