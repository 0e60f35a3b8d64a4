#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra when on a cluster with accounting: of jobs that take a small part of
# their limits, nearly all start by their bounds, and the estimates err by half
# as much as squeue --start or less.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
command -v python3 >/dev/null || skip_all "python3 is not installed"
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "the command libra was not built"
start_cluster --policy planned
need_accounting associations
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
} >"$cluster.db" 2>&1
rm -f "$cluster.db"
check "slurmctld starts with accounting" restart_with_accounts

printf '#!/bin/sh\nexec sleep 2\n' >"$cluster/job"
batch() { # N
	local i
	for ((i = 0; i < $1; i++)); do
		sbatch -o /dev/null -n 4 -t 5 "$cluster/job" \
			>/dev/null 2>>"$cluster/said" || return 1
	done
}
none_left() {
	[ -z "$(squeue -h)" ]
}

# Four jobs run at once.  Enough of them wait for more than a minute.
check "jobs for the past" batch 230
check "they are over" until_true 400 none_left
in_accounts() { # N
	[ "$(sacct -n -P -X -S now-1hour -o JobIDRaw,State |
		grep -c COMPLETED)" -ge "$1" ]
}
check "accounting has them" until_true 60 in_accounts 230
check "jobs that wait" batch 100
# Backfill plans them within some seconds.
tells_starts() {
	[ "$(squeue -h --start -o %S | grep -c '^[0-9]')" -ge 50 ]
}
check "squeue --start tells starts" until_true 20 tells_starts
TZ=UTC "$libra" when -hP >"$cluster/answers" 2>&1
TZ=UTC squeue -h --start -o '%A|%S' >"$cluster/stock"
tell() {
	head -n 60 "$cluster/answers" "$cluster/stock"
	return 1
}
forecasts() {
	[ "$(grep -c '|forecast|' "$cluster/answers")" -ge 30 ] || tell
}
check "each has an estimate and a bound" forecasts
limited() {
	local id at
	id=$(sed -n '$s/|.*//p' "$cluster/answers")
	out=$("$libra" when "$id") && echo "$out" && [[ $out == *" 95 %"* ]]
}
check "for people, too" limited
check "they have started, too" until_true 200 none_left
check "accounting has those" until_true 60 in_accounts 330
SLURM_TIME_FORMAT=%s sacct -n -P -X -S now-1hour -o JobIDRaw,Start \
	>"$cluster/starts"
check "the answers were right" python3 - "$cluster" <<'END'
import sys
from datetime import datetime, timezone
def instant(text):
    at = datetime.fromisoformat(text)
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()
def rows(name):
    return [l.rstrip("\n").split("|") for l in open(sys.argv[1] + "/" + name)]
start = {r[0]: float(r[1]) for r in rows("starts") if r[1].isdigit()}
stock = {r[0]: instant(r[1]) for r in rows("stock") if r[1] != "N/A"}
ours, theirs, limits, kept = [], [], [], []
for r in rows("answers"):
    if len(r) < 10 or r[4] != "forecast":
        continue
    at = start[r[0]]
    kept.append(at <= instant(r[6]))
    ours.append(abs(instant(r[5]) - at))
    limits.append(abs(instant(r[8]) - at))
    if r[0] in stock:
        theirs.append(abs(stock[r[0]] - at))
middle = lambda v: sorted(v)[len(v) // 2] if v else None
print("kept %d of %d; median error %s s; squeue --start %s s (%d jobs); "
      "by limits %s s" % (sum(kept), len(kept), middle(ours), middle(theirs),
                          len(theirs), middle(limits)))
open(sys.argv[1] + "/said", "a").write("%s %s %s %s\n" % (
    sum(kept) / len(kept), middle(ours), middle(theirs), middle(limits)))
sys.exit(not (sum(kept) >= 0.9 * len(kept) and
              2 * len(theirs) >= len(ours) and
              2 * middle(ours) <= middle(theirs)))
END
echo "# kept, median error, of squeue --start, of limits: $(tail -n 1 "$cluster/said")"
finish
