#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A stretch of a real log in a live Slurm is what the simulator says it is.
#
# Takes all CPUs for a quarter of an hour, and they must be idle: what else runs
# makes jobs end later, and verdicts about those that come then differ.  What the
# numbers were is in docs/research.md.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/../live/lib.sh"

need_slurm
librasim=${LIBRASIM:-$PWD/librasim}
log=
IFS=: read -ra folders <<<"${TEST_TRACES:-${LIBRA_TRACES:-}}"
for d in "${folders[@]}" \
	"${XDG_DATA_HOME:-$HOME/.local/share}/slurm-libra/traces"; do
	log=$d/SDSC-SP2-1998-4.2-cln.swf.gz
	[ ! -r "$log" ] || break
done
[ -r "$log" ] || skip_all "no SDSC SP2 log: contrib/fetch-traces, LIBRA_TRACES"
[ -e /sys/fs/cgroup/cpu/cpu.shares ] ||
	skip_all "no cgroup version 1 with cpu here"
[ "$(nproc)" -eq 2 ] || skip_all "the stretch is for two CPUs"
command -v python3 >/dev/null || skip_all "python3 is not installed"

# Jiffies that were not idle, of all.
others() {
	local a b
	read -ra a </proc/stat
	sleep 5
	read -ra b </proc/stat
	awk -v a="${a[*]}" -v b="${b[*]}" 'BEGIN {
		n = split(a, x); split(b, y)
		for (i = 2; i <= 9; i++) all += y[i] - x[i]
		print int(100 * (1 - (y[5] - x[5] + y[6] - x[6]) / all))
	}'
}
busy=$(others)
[ "$busy" -le "${LIBRA_BUSY:-10}" ] ||
	skip_all "the CPUs are busy ($busy %); LIBRA_BUSY=PERCENT allows more"

dir=$(mktemp -d /tmp/libra-validate.XXXXXX) || exit 1
extra_files=$dir
run_program "$top/contrib/live-validation" "$log" -o "$dir" --plugindir "$LIBRA_PLUGINDIR" \
	--librasim "$librasim" --skip 40000 --spread 1 \
	--policies stock,libra,librarisk >"$dir/out" 2>"$dir/err"
same "the three runs end" 0 $?
sed 's/^/# /' "$dir/out"
tr '\r' '\n' <"$dir/err" | grep -v ' of 50$' | sed 's/^/# /'

# asked POLICY CONDITION: of what is in the results, as r
asked() {
	python3 - "$dir/results.json" "$1" "$2" <<-'PY'
		import json, sys
		all = {r["policy"]: r for r in json.load(open(sys.argv[1]))["results"]}
		r, stock = all[sys.argv[2]], all["stock"]
		sys.exit(not eval(sys.argv[3]))
	PY
}
for policy in libra librarisk; do
	check "$policy: every verdict is the simulator's" asked $policy \
		'r["verdicts_equal"] == r["live"]["submitted"] == 50'
	check "$policy: 95 % end within 10 % and 2 s of the simulated time" \
		asked $policy 'r["finish_near"] >= .95 * r["finished_in_both"] > 0'
	check "$policy: 95 % of the promises kept there are kept" asked $policy \
		'r["of_these_kept_live"] >= .95 * r["kept_in_sim"] > 0'
done
check "librarisk fulfils more than stock Slurm" asked librarisk \
	'r["live"]["fulfilled"] > stock["live"]["fulfilled"]'
finish
