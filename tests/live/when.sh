#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra when on a cluster with accounting, beside jobs that come all the time:
# they take the shares of their limits that jobs of a real log took, and so did
# those that accounting has.  Nearly all jobs that are asked about start by
# their bounds, and the estimates err by half as much as squeue --start or less.
#
# LIBRA_WHEN_JOBS is the number of jobs that are asked about (default: 120),
# behind 280 of the past.
#
# The share of bounds that hold cannot show that bounds are too wide.  Jobs that
# wait at the same time are late together, so a run has about as many independent
# trials as waits follow each other: the jobs come in one (120) to five (400)
# times the median wait, 60 to 100 s.  Five right bounds all hold with a chance of
# 0.95^5 = 77 %.  To tell 95 % from 97 % by two standard deviations takes
# 0.95 * 0.05 / 0.01^2 = 475 trials, 8 to 13 hours.  So the share has a lower
# limit only, and the median bound an upper one: three median waits.

asked=${LIBRA_WHEN_JOBS:-120}
past=280
# shellcheck disable=SC2034
limit_s=$((2 * (400 + 2 * (asked + past))))
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/database.sh"
need_slurm
need_database
command -v python3 >/dev/null || skip_all "python3 is not installed"
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "the command libra was not built"
start_cluster --policy planned --cpus 128
need_accounting associations
{
	sacctmgr -i add account lab cluster=libra
	sacctmgr -i add user root account=lab cluster=libra
} >"$cluster.db" 2>&1
rm -f "$cluster.db"
check "slurmctld starts with accounting" restart_with_accounts

# Run times as shares of limits: the 0 %, 5 %, ... 100 % quantiles of the log of
# the KTH SP2 (Parallel Workloads Archive, provided by Lars Malinowsky), by
#   zcat KTH-SP2-1996-2.1-cln.swf.gz |
#   awk '!/^;/ && $4 > 0 && $9 > 0 { print ($4 > $9 ? 1 : $4 / $9) }' | sort -g |
#   awk '{ v[NR] = $1 } END { for (i = 0; i <= 20; i++)
#	printf "%.3f ", v[int(i * (NR - 1) / 20) + 1] }'
shares="0.000 0.002 0.017 0.039 0.057 0.083 0.126 0.183 0.244 0.320 0.413 0.518
	0.633 0.736 0.816 0.881 0.922 0.977 0.996 0.999 1.000"

# Print for each job the seconds until it comes, its CPUs, its limit in minutes
# and its run time.
# 270 come at once, so that jobs wait for more than a minute; then as many as the
# cluster can run.
python3 - "$((past + asked))" $shares >"$cluster/jobs" <<'END'
import random
import sys
random.seed(1)
n, shares = int(sys.argv[1]), [float(s) for s in sys.argv[2:]]
jobs = []
for i in range(n):
    cpus = random.choice((4, 4, 8, 8, 16))
    limit = random.choice((1, 1, 2, 2, 4))
    at = random.random() * (len(shares) - 1)
    low = int(at)
    share = shares[low] + (at - low) * (shares[low + 1] - shares[low])
    jobs.append((cpus, limit, 60 * limit * share))
gap = sum(c * s for c, _, s in jobs) / n / 512
for i, (cpus, limit, s) in enumerate(jobs):
    print("%.2f %d %d %.1f" % (random.expovariate(1 / gap) if i >= 270 else 0,
                               cpus, limit, s))
END
printf '#!/bin/sh\nexec sleep "$1"\n' >"$cluster/job"

# Each in its time, or as soon as sbatch has come to it.
come() {
	local gap cpus limit seconds at left
	at=$(date +%s%N)
	while read -r gap cpus limit seconds; do
		at=$((at + 10000000 * 10#${gap/./}))
		left=$((at - $(date +%s%N)))
		[ $left -le 0 ] ||
			sleep $((left / 1000000000)).$(printf %09d \
				$((left % 1000000000)))
		sbatch -o /dev/null -n "$cpus" -t "$limit" "$cluster/job" \
			"$seconds" >/dev/null 2>>"$cluster/said" || return 1
	done <"$cluster/jobs"
}
in_accounts() { # N: so many have started
	SLURM_TIME_FORMAT=%s sacct -n -P -X -S now-2hours -o JobIDRaw,Start \
		>"$cluster/starts"
	[ "$(grep -c '|[0-9]' "$cluster/starts")" -ge "$1" ]
}
ask_all() {
	local at
	at=$(date +%s)
	TZ=UTC "$libra" when -hP | sed "s/^/$at|/" >>"$cluster/answers"
	TZ=UTC squeue -h --start -o "$at|%A|%S" >>"$cluster/stock"
}
# What people read of a bound, once there is one.
read_limited() {
	local id out
	id=$("$libra" when -hP | awk -F '|' '$5 == "forecast" { id = $1 }
		END { print id }')
	[ -n "$id" ] && out=$("$libra" when "$id") && [[ $out == *" 95 %"* ]] &&
		echo "$out" >"$cluster/limited"
}
none_waits() {
	ask_all
	[ -s "$cluster/limited" ] || read_limited
	sleep 15
	[ -z "$(squeue -h -t PENDING)" ]
}
come &
coming=$!
check "accounting has jobs of the past" until_true $((200 + 2 * past)) \
	in_accounts "$past"
: >"$cluster/answers"
check "others come, and all start" until_true $((300 + 2 * asked)) none_waits
check "people read of a bound" test -s "$cluster/limited"
wait "$coming"
check "accounting has the starts" until_true 60 in_accounts $((past + asked))
scancel -u root

check "the answers were right" python3 - "$cluster" <<'END'
import sys
from datetime import datetime, timezone
def instant(text):
    at = datetime.fromisoformat(text)
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()
def rows(name):
    return [l.rstrip("\n").split("|") for l in open(sys.argv[1] + "/" + name)]
start = {r[0]: float(r[1]) for r in rows("starts") if r[1].isdigit()}
stock = {(r[0], r[1]): instant(r[2]) for r in rows("stock") if r[2] != "N/A"}
ours, theirs, limits, waits, bounds, jobs, bare = [], [], [], [], [], set(), 0
for r in rows("answers"):
    if len(r) < 11 or r[1] not in start:
        continue
    at, now = start[r[1]], float(r[0])
    if r[5] == "planned":
        bare += 1
    if r[5] != "forecast" or at < now:
        continue
    jobs.add(r[1])
    waits.append(at - now)
    bounds.append(instant(r[7]) - now)
    ours.append(abs(instant(r[6]) - at))
    limits.append(abs(instant(r[9]) - at))
    if (r[0], r[1]) in stock:
        theirs.append(abs(stock[r[0], r[1]] - at))
middle = lambda v: sorted(v)[len(v) // 2] if v else -1
kept = sum(w <= b for w, b in zip(waits, bounds))
share = 100 * kept / max(1, len(waits))
said = ("%d answers on %d jobs: %.1f %% started by the bound; medians: wait "
        "%.0f s, bound %.0f s, error %.0f s, of squeue --start %.0f s (%d)" %
        (len(waits), len(jobs), share, middle(waits), middle(bounds),
         middle(ours), middle(theirs), len(theirs)))
print(said, "by limits %.0f s, without bound %d" % (middle(limits), bare))
open(sys.argv[1] + "/said", "a").write(said + "\n")
sys.exit(not (len(waits) >= 50 and share >= 90 and
              middle(bounds) <= 3 * middle(waits) and
              2 * len(theirs) >= len(ours) and
              2 * middle(ours) <= middle(theirs)))
END
sed 's/^/# /' "$cluster.out"
finish
