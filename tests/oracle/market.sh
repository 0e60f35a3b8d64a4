#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim and market.py, written apart from the same text, must agree job by
# job on the policies that sell shares, and queues.py on firstreward, on jobs
# that librasim gen draws: no round numbers, windows much shorter than a run.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
oracle=$srcdir/tests/oracle
market="market-be market-sac market-cac random-reject"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
	skip "librasim and market.py agree" "no python3"
	finish
fi

check "examples worked by hand" env PYTHONDONTWRITEBYTECODE=1 \
	python3 "$oracle/test_oracle.py"

# agree POLICIES PROCS TRACE SETTINGS OPTION...: SETTINGS are NAME=VALUE,...
agree() {
	list=$1
	procs=$2
	trace=$3
	set=$(echo "$4" | tr , ' ')
	shift 4
	bad=0
	for policy in $list; do
		# A parameter that the policy does not have is not given to it.
		known=
		for word in $set; do
			"$librasim" run --policy "$policy" --set "$word" \
				--last 1 "$trace" >/dev/null 2>&1 </dev/null &&
				known="$known --set $word"
		done
		# shellcheck disable=SC2086
		run 0 "$librasim" run --policy "$policy" --procs "$procs" \
			--jobs-out "$tmp/jobs" $known "$@" "$trace" || return 1
		# shellcheck disable=SC2086
		python3 "$oracle/market.py" "$tmp/jobs" --policy "$policy" \
			--procs "$procs" --show 3 $known >"$tmp/said" || bad=1
		cat "$tmp/said"
		grep -q '^equal verdicts .*(100.0000 %)$' "$tmp/said" || bad=1
	done
	return "$bad"
}

# Small jobs of the workload models, so that prices differ from host to host.
for seed in 1 2 3; do
	"$librasim" gen -n 180 --seed "$seed" -m zipf:first=0:values=4 --users 20 \
		-o "$tmp/$seed.swf" </dev/null
done
# Estimates that are wrong, too.
awk '/^;/ { print; next }
	{ $9 = $4 * (NR % 3 ? 2 : 0.5); print }' "$tmp/3.swf" >"$tmp/wrong.swf"

for window in 1800 60 7.5; do
	check "windows of $window s" agree "$market" 12 "$tmp/1.swf" \
		window=$window --arrival-delay 0.1
done
check "a heavy load" agree "$market" 12 "$tmp/2.swf" window=600 \
	--arrival-delay 0.02
check "wrong estimates" agree "$market" 12 "$tmp/wrong.swf" window=120 \
	--arrival-delay 0.1
check "Chebyshev, and a high guarantee" agree "market-sac market-cac" 12 \
	"$tmp/1.swf" window=300,guarantee=0.9,one_sided=no --arrival-delay 0.1
check "the share itself at the bound" agree "market-sac market-cac" 12 \
	"$tmp/2.swf" window=300,floor=yes --arrival-delay 0.1
for watched in 1 30 62.5; do
	check "the cheapest $watched %" agree "market-sac market-cac" 12 \
		"$tmp/3.swf" window=300,watched=$watched --arrival-delay 0.05
done
check "hosts of two CPUs, of which a task uses one" agree "$market" 12 \
	"$tmp/1.swf" window=300,cpus=2,most=1 --arrival-delay 0.05
check "the same, and the least" agree "$market" 12 "$tmp/2.swf" \
	window=300,cpus=2,most=1,least=0.4 --arrival-delay 0.05
check "the same, and what is not used is lost" agree "$market" 12 \
	"$tmp/3.swf" window=300,cpus=2,most=1.5,strict=yes --arrival-delay 0.05
# Here contracts are late and would break: they do not count.
check "late contracts, twice as long" agree market-cac 12 "$tmp/wrong.swf" \
	window=300,guarantee=0 --arrival-delay 0.3 --deadline-mean 2 \
	--deadline-ratio 1
check "late contracts, tight deadlines" agree market-cac 12 "$tmp/wrong.swf" \
	window=300,guarantee=0 --arrival-delay 0.6 --deadline-mean 1.3 \
	--deadline-ratio 1
# Here a 63rd of the window instead of a 64th would change verdicts.
check "the steps of the window" agree market-sac 12 "$tmp/1.swf" window=3000 \
	--arrival-delay 0.1
check "the steps of the window, wrong estimates" agree market-sac 12 \
	"$tmp/wrong.swf" window=300 --arrival-delay 0.02
check "random rejection with another seed" agree random-reject 12 "$tmp/1.swf" \
	reject=60,seed=77

# rewards TRACE OURS OPTION...: firstreward, whose other program is queues.py
rewards() {
	log=$1
	ours=$2
	shift 2
	run 0 "$librasim" run --policy firstreward --procs 12 \
		--jobs-out "$tmp/jobs" "$@" "$log" || return 1
	# shellcheck disable=SC2086
	python3 "$oracle/queues.py" "$tmp/jobs" --policy firstreward \
		--procs 12 --show 3 $ours
}
for seed in 1 2; do
	check "firstreward, generated jobs, seed $seed" rewards "$tmp/$seed.swf" "" \
		--arrival-delay 0.1
	check "firstreward, the present cost, seed $seed" rewards \
		"$tmp/$seed.swf" \
		"--alpha 0.4 --discount 1e-7 --threshold=-1e12" \
		--arrival-delay 0.1 --set alpha=0.4 --set discount=1e-5 \
		--set slack_threshold=-1e12
done
finish
