#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 500 starts and ends on one node leave nothing, and what a start costs.
# LIBRA_STARTS says how many; LIBRA_PAIRS how many are compared with stock.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

starts=${LIBRA_STARTS:-500}
pairs=${LIBRA_PAIRS:-60}
need_weights
start_shares --nodes 1 --cpus 4

# Four at a time.
stream() { # N
	local i
	for ((i = 0; i < $1; i++)); do
		srun -Q -n1 --estimate=1s --deadline=now+1hour true \
			>/dev/null 2>>"$scratch/failed" ||
			echo failed >>"$scratch/failed"
	done
}
: >"$scratch/failed"
pids=
for i in 1 2 3 4; do
	stream $(((starts + 3) / 4)) &
	pids+=" $!"
done
# shellcheck disable=SC2086
wait $pids
same "$starts jobs ran" "" "$(grep -v accepted "$scratch/failed" | head -n 3)"
check "no job is left" until_true 30 queue_empty
check "no cgroup, file or lock is left" until_true 10 nothing_left
gone() { ! compgen -G "$cluster/spool/n1/n1_[0-9]*" >/dev/null; }
check "no step is left" until_true 10 gone
same "nothing was reported" "" "$(told)"

# A cluster of stock Slurm beside it; turn by turn, the host's load is the same
# for both.  What a job does after its end is not to fall on the next one.
libra_conf=$SLURM_CONF
"$DEMO" start -d "$scratch/stock" --stock --nodes 1 --cpus 4 \
	>"$scratch/stock.out" 2>&1
check "a stock cluster starts" test -e "$scratch/stock/slurm.conf"
settled() { [ -z "$(squeue -h)" ] && nothing_left; }
one_start() { # CONF FILE [OPTIONS]
	local conf=$1 file=$2 begin
	shift 2
	begin=$(date +%s%N)
	SLURM_CONF=$conf srun -Q -n1 "$@" true >/dev/null 2>&1 || return 1
	echo $((($(date +%s%N) - begin) / 1000)) >>"$file"
}
for ((i = 0; i < pairs; i++)); do
	one_start "$scratch/stock/slurm.conf" "$scratch/stock.us"
	one_start "$libra_conf" "$scratch/libra.us" --estimate=1s \
		--deadline=now+1hour
	until_true 5 nothing_left
	one_start "$libra_conf" "$scratch/plain.us" -p stock
	until_true 5 settled
done
"$DEMO" stop -d "$scratch/stock"
median() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
stock=$(median "$scratch/stock.us")
libra=$(median "$scratch/libra.us")
plain=$(median "$scratch/plain.us")
echo "# median of $pairs: stock $stock us, promised $libra us, stock" \
	"partition $plain us"
same "all were counted" "$pairs $pairs" \
	"$(wc -l <"$scratch/stock.us") $(wc -l <"$scratch/libra.us")"
[ $((libra - stock)) -lt 20000 ]
ok $? "a start costs less than 20 ms more: $((libra - stock)) us"
finish
