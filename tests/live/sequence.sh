#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two hundred submissions from a seed.  What the user read is what the decision
# log says, and what librasim decides again; every job runs where its verdict
# put it; and an account of shares that is kept here, from the log and the rule
# alone, never finds more than 1 promised on a processor.

. "$(dirname "$0")/lib.sh"
need_slurm
command -v python3 >/dev/null || skip_all "needs python3"
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
libra=${LIBRA:-${builddir:-$PWD}/libra}
start_cluster --policy libra
RANDOM=20080312

# For the account: what was asked and answered, in order; where jobs ran.
said_file=$cluster/verdicts
ran_file=$cluster/ran
: >"$said_file" >"$ran_file"
note_where() { # ID
	echo "$1 $(runs_on "$1")" >>"$ran_file"
}
# Every fourth time a job ends, which has begun.
ends() { # ID
	wait_state "$1" RUNNING || wrong=$((wrong + 1))
	note_where "$1"
	scancel "$1"
}

accepted=0
refused=0
wrong=0
ids=
for ((i = 0; i < 200; i++)); do
	n=$((1 + RANDOM % 6))
	minutes=$((2 + RANDOM % 30))
	slack=$((minutes * (110 + RANDOM % 900) / 100 + 1))
	if [ $((RANDOM % 4)) -eq 0 ] && [ -n "$ids" ]; then
		ends "${ids%% *}"
		ids=${ids#* }
	fi
	if submit --time=$minutes --deadline=now+${slack}minutes -n $n; then
		accepted=$((accepted + 1))
		ids+="$id "
		echo "accept $n $minutes $(sed -n \
			's/.*accepted: share \([0-9.]*\) .*/\1/p' <<<"$said") $id"
	else
		refused=$((refused + 1))
		echo "reject $n $minutes $(sed -n \
			's/.*refused (\([a-z_]*\)).*/\1/p' <<<"$said") 0"
	fi >>"$said_file"
done
echo "# accepted $accepted, refused $refused"
same "each of 200 submissions got a verdict" 200 $((accepted + refused))
check "some were refused, more were accepted" test $refused -gt 10 -a \
	$accepted -gt 40
same "every job that was cancelled had begun" 0 $wrong

none_waits() {
	[ -z "$(squeue -h -t PD -o %i)" ]
}
check "every accepted job starts" until_true 30 none_waits
if [ -x "$libra" ]; then
	"$libra" status --json >"$cluster/status"
fi
wrong=0
for j in $(squeue -h -t R -o %i); do
	note_where "$j"
	[ "$(promised_on "$j")" = "$(runs_on "$j")" ] || wrong=$((wrong + 1))
done
same "every job runs where its record says" 0 $wrong
same "none ever ran elsewhere" 0 \
	"$(grep -c 'does not run where' "$cluster/log/slurmctld.log")"

# The log as it is now: nothing is submitted any more.
cp "$cluster/log/libra.jsonl" "$cluster/log.jsonl"
if [ -x "$librasim" ]; then
	out=$("$librasim" replay "$cluster/log.jsonl" 2>&1)
	same "librasim decides each of them alike" 0 $?
	matches "to the bit, in one run" 'in 1 run of the engine: all decided alike$' \
		"$out"
else
	ok 0 "librasim decides each of them alike # SKIP librasim was not built"
fi

cat >"$cluster/account.py" <<'PY'
import json, sys

what, log, said, ran, status = sys.argv[1:]
calls = [json.loads(line) for line in open(log)]


def verdicts():
    """What users read against the log; jobs by id, to the offer of each."""
    last, order = {}, []
    for c in calls:  # a refusal may be asked twice: the last counts
        if c.get("call") == "offer":
            if c["submit_s"] not in last:
                order.append(c["submit_s"])
            last[c["submit_s"]] = c
    lines = [line.split() for line in open(said)]
    assert len(order) == len(lines), (len(order), len(lines))
    ids = {c["ticket"]: c["id"] for c in calls if c.get("call") == "commit"}
    jobs = {}
    for at, (answer, n, minutes, number, job) in zip(order, lines):
        c = last[at]
        assert c["answer"] == answer, (c, answer)
        assert c["nprocs"] == int(n) and c["estimate_s"] == 60 * int(minutes)
        if answer == "reject":
            assert c["reason"] == number, (c, number)
            continue
        assert "%.2f" % c["share"] == number, (c, number)
        assert ids[c["ticket"]] == int(job), (c, job)
        jobs[int(job)] = c
    return jobs


def places():
    """Where jobs were put by their verdicts, and where Slurm says they ran."""
    names, offers, n = [], verdicts(), 0
    for node, procs in calls[0]["nodes"]:
        names += ["%s:%d" % (node, i) for i in range(procs)]
    for line in open(ran):
        job, *cores = line.split()
        put = [names[p] for f, k in offers[int(job)]["placement"]
               for p in range(f, f + k)]
        assert sorted(put) == sorted(cores), (job, put, cores)
        n += 1
    assert n == len(offers), (n, len(offers))
    print("%d jobs" % n)


class Task:
    def __init__(self, c):
        self.left, self.rate, self.runs = c["estimate_s"], 0.0, False
        self.deadline = c["deadline_s"]
        self.initial = c["share"]

    def share(self, left, now):
        if now >= self.deadline:
            return 1.0
        return left / (self.deadline - now) if left > 0 else self.initial


class Processor:
    """Rates change when a task comes, begins or goes; else they stay."""

    def __init__(self):
        self.tasks, self.since = {}, 0.0

    def promised(self, now):
        # Who runs longer than he said has no promise any more.
        left = {t: t.left - t.rate * (now - self.since)
                for t in self.tasks.values()}
        return sum(t.share(v, now) for t, v in left.items()
                   if v > 0 and now < t.deadline)

    def renew(self, now):
        for t in self.tasks.values():
            t.left -= t.rate * (now - self.since)
            t.rate = t.share(t.left, now) if t.runs else 0.0
        total = sum(t.rate for t in self.tasks.values())
        for t in self.tasks.values():
            t.rate /= total or 1
        self.since = now


def shares():
    procs = [Processor() for _, n in calls[0]["nodes"] for _ in range(n)]
    most, looks = 0.0, 0
    for c in calls:
        kind, now, ticket = c.get("call"), c.get("now_s"), c.get("ticket")
        mine = [p for p in procs if ticket in p.tasks]
        if kind == "offer" and c["answer"] == "accept":
            mine = [procs[p] for f, k in c["placement"]
                    for p in range(f, f + k)]
            for p in mine:
                p.renew(now)
                p.tasks[ticket] = Task(c)
        elif kind in ("withdraw", "departed") and c["rc"] == 0:
            for p in mine:
                p.renew(now)
                del p.tasks[ticket]
        elif kind == "started" and c["rc"] == 0:
            for p in mine:
                p.tasks[ticket].runs = True
        else:
            mine = []
        for p in mine:
            p.renew(now)
        if now:
            most = max([most] + [p.promised(now) for p in procs])
            looks += 1
    print("most promised: %.9f, at %d instants" % (most, looks))
    assert most <= 1 + 1e-9, most
    assert most > 0.9, most
    return procs


def libra_status():
    """What the command libra says, against the account of the same instant."""
    procs, s = shares(), json.load(open(status))
    told = [x for n in s["groups"][0]["nodes"] for x in n["shares"]]
    assert len(told) == len(procs) and max(told) <= 1 + 1e-6, told
    off = max(abs(a - p.promised(s["now_s"])) for a, p in zip(told, procs))
    print("furthest off: %.6f" % off)
    assert off < 1e-3, off


{"verdicts": verdicts, "places": places, "shares": shares,
 "status": libra_status}[what]()
PY
account() { # WHAT
	python3 "$cluster/account.py" "$1" "$cluster/log.jsonl" "$said_file" \
		"$ran_file" "$cluster/status"
}
check "what users read is what was decided" account verdicts
check "each job ran where its verdict put it" account places
sed 's/^/# /' "$cluster.out"
check "no processor was ever promised above 1" account shares
sed 's/^/# /' "$cluster.out"
if [ -x "$libra" ]; then
	check "the command libra says the same shares" account status
	sed 's/^/# /' "$cluster.out"
fi
finish
