#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra report on a real cluster with slurmdbd: the log and accounting together,
# a job that ends while slurmctld is away, and accounting alone.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
for program in "${librasim:=${LIBRASIM:-${builddir:-$PWD}/librasim}}" \
	"${libra:=${LIBRA:-${builddir:-$PWD}/libra}}"; do
	[ -x "$program" ] || skip_all "$program was not built"
done
start_cluster --policy planned
need_accounting associations
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
} >"$cluster.db" 2>&1
rm -f "$cluster.db"
check "slurmctld starts with accounting" restart_with_accounts
mkdir "$cluster/bin"
ln -s "$librasim" "$cluster/bin/librasim"
PATH=$cluster/bin:$PATH
log=$cluster/log/libra.jsonl

ids=
for seconds in 1 2 20; do
	ids+=$(sbatch --parsable -A lab -o /dev/null --time=2 -n 1 \
		--deadline=now+30minutes "$cluster/job" $seconds)" "
done
# shellcheck disable=SC2086
set -- $ids
check "one job completes" wait_state "$1" COMPLETED 60
check "so does another one" wait_state "$2" COMPLETED 60
check "one more runs" wait_state "$3" RUNNING 30
# It saves its state and goes; the job ends while it is away.
kill "$(cat "$cluster/run/slurmctld.pid")"
away_until=$((SECONDS + 30))
is_over() {
	[ $SECONDS -ge $away_until ]
}
until_true 60 is_over
check "slurmctld comes back" "$DEMO" restart-ctld -d "$cluster"
known() { # as accounting has it
	[ "$(sacct -n -X -P -j "$3" -o State)" = COMPLETED ]
}
check "accounting has its end" until_true 90 known "$@"
reported() {
	"$libra" report -o "$cluster/page"
}
check "a page is written" reported
sed 's/^/# /' "$cluster.out" "$cluster/page/groups.csv"
count() { # FOLDER COLUMN of all
	python3 -c 'import csv, sys
print(next(csv.DictReader(open(sys.argv[1] + "/groups.csv")))[sys.argv[2]])' \
		"$cluster/$1" "$2"
}
same "three promises are kept" 3 "$(count page kept)"
same "no end is unseen" 0 "$(count page end_not_seen)"
matches "of an account" '^account,lab,3,' "$(cat "$cluster/page/groups.csv")"
"$librasim" replay --json "$log" >"$cluster/replay.json"
check "the calls are those of the replay" python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))["sources"]["calls"]
b = json.load(open(sys.argv[2]))["calls"]
sys.exit(any(a[k] != b[k] for k in a))' "$cluster/page/report.json" \
	"$cluster/replay.json"
alone() {
	"$libra" report -l "$cluster/none.jsonl" -o "$cluster/alone"
}
check "the log is gone" alone
same "accounting has the same promises" 3 "$(count alone kept)"
finish
