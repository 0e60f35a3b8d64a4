#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two hundred submissions from a seed: every job runs where it was promised,
# and no processor was ever promised above 1.

. "$(dirname "$0")/lib.sh"
need_slurm
command -v python3 >/dev/null || skip_all "needs python3"
start_cluster --policy libra
RANDOM=20080312

accepted=0
refused=0
wrong=0
ids=
for ((i = 0; i < 200; i++)); do
	n=$((1 + RANDOM % 6))
	minutes=$((2 + RANDOM % 30))
	slack=$((minutes * (110 + RANDOM % 900) / 100 + 1))
	# Every fourth time a job ends.
	if [ $((RANDOM % 4)) -eq 0 ] && [ -n "$ids" ]; then
		scancel "${ids%% *}"
		ids=${ids#* }
	fi
	if submit --time=$minutes --deadline=now+${slack}minutes -n $n; then
		accepted=$((accepted + 1))
		ids+="$id "
	else
		refused=$((refused + 1))
		grep -q 'libra: refused' <<<"$said" || wrong=$((wrong + 1))
	fi
done
echo "# accepted $accepted, refused $refused"
same "each of 200 submissions got a verdict" 200 $((accepted + refused))
same "each refusal is ours" 0 $wrong
check "some were refused, more were accepted" test $refused -gt 10 -a \
	$accepted -gt 40

none_waits() {
	[ -z "$(squeue -h -t PD -o %i)" ]
}
check "every accepted job starts" until_true 30 none_waits
wrong=0
for j in $(squeue -h -t R -o %i); do
	[ "$(promised_on "$j")" = "$(runs_on "$j")" ] || wrong=$((wrong + 1))
done
same "every job runs where it was promised" 0 $wrong
same "none ever ran elsewhere" 0 \
	"$(grep -c 'does not run where' "$cluster/log/slurmctld.log")"

# The promises, added up from the log alone: at each offer the shares of the
# jobs then promised on a processor, each as it was given.
check "no processor was promised above 1" python3 - \
	"$cluster/log/libra.jsonl" <<'PY'
import json, sys

jobs, most = {}, 0.0
for line in open(sys.argv[1]):
    call = json.loads(line)
    kind = call.get("call")
    if kind == "offer" and call["answer"] == "accept":
        procs = [p for f, n in call["placement"] for p in range(f, f + n)]
        jobs[call["ticket"]] = (call["share"], procs, call["now_s"])
    elif kind in ("withdraw", "departed") and call["rc"] == 0:
        jobs.pop(call["ticket"])
    total = {}
    for share, procs, _ in jobs.values():
        for p in procs:
            total[p] = total.get(p, 0.0) + share
    most = max([most] + list(total.values()))
print("most: %.9f" % most)
# Added up as given: shares of jobs that run change with their progress, here
# by little.
sys.exit(most > 1.02)
PY
cat "$cluster.out" | sed 's/^/# /'
finish
