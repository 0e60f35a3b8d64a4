#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""band.py - a second implementation of band (without its reserve).

As oracle.py: it takes the inputs out of a per-job table, decides and simulates
by itself, and compares job by job.

    librasim run --policy band --set reserve=no --jobs-out jobs.csv TRACE
    tests/oracle/band.py jobs.csv --procs 128

Written from the text of the rule, plain on purpose: processors are sets, every
need, slack and neighbourhood is summed up anew at every decision, and nothing
is kept but what each job has executed.

    priority(j) = (late(j), deadline_j, id), the same on every processor
    need(j)     = estimate - executed; over its estimate max(1 s, 0.1
                  executed); never more than deadline - now
    dispatch    in priority order: run a job if its processors are unclaimed,
                and claim them; else hold it.  At every arrival, end and
                passed deadline.
    admit J     L = accepted, unfinished, not late.  slack(i) = d_i - now -
                need(i) - needs of earlier neighbours.  Barred: processors of
                every later i with 0 <= slack(i) < need(J).  budget = d_J - now
                - need(J).  Blocks of B = the least power of two >= n: the
                first n processors that are not barred; H = needs of earlier
                neighbours <= budget; cost = H + need(J) x later neighbours +
                1e-4 x bound jobs; the least, ties to the lowest block.  Else
                processors one by one, each time the one that adds least.

Where the text leaves a choice:
 B1  Tolerances are 1e-6: a job is late from deadline + 1e-6 s on, over its
     estimate when it has executed 1e-6 s more, a slack of -1e-6 s counts as
     not negative, and H may exceed the budget by 1e-6 s.
 B2  "Jobs bound to the processors of S": for each processor of S all its
     unfinished jobs, late ones too, summed up.
 B3  A late job has no need and is nobody's earlier neighbour.
 B4  At one instant: ends, then arrivals in order, then one dispatch.
 B5  Of equal deadlines the one submitted first is earlier.

Exit status as oracle.py.
"""

import argparse
import sys

import oracle

TOLERANCE = 1e-6
BOUND_COST = 1e-4


class Gang:
    """An accepted, unfinished job."""

    def __init__(self, number, job, procs):
        self.number = number
        self.job = job
        self.procs = procs
        self.due = job.due()
        self.executed = 0.0
        self.runs = False

    def late(self, now):
        return self.due + TOLERANCE <= now

    def need(self, now):
        if self.late(now):
            return 0.0
        need = self.job.estimate - self.executed
        if need < -TOLERANCE:
            need = max(1.0, 0.1 * self.executed)
        return min(max(need, 0.0), max(self.due - now, 0.0))

    def key(self, now):
        return (self.late(now), self.due, self.number)


def barred_processors(gangs, due, need, now):
    barred = set()
    for gang in gangs:
        if gang.late(now) or gang.due <= due:
            continue
        slack = gang.due - now - gang.need(now) - sum(
            other.need(now) for other in gangs
            if other is not gang and not other.late(now) and
            (other.due, other.number) < (gang.due, gang.number) and
            other.procs & gang.procs)
        if -TOLERANCE <= slack < need:
            barred |= gang.procs
    return barred


def price(gangs, places, due, need, now, budget):
    """The cost of a set of processors, None if it is beyond the budget."""
    earlier = later = bound = 0.0
    for gang in gangs:
        common = len(gang.procs & places)
        bound += common
        if not common or gang.late(now):
            continue
        if gang.due <= due:
            earlier += gang.need(now)
        else:
            later += 1
    if earlier > budget + TOLERANCE:
        return None
    return earlier + need * later + BOUND_COST * bound


def find_block(gangs, nprocs, barred, n, decision):
    size = 1
    while size < n:
        size *= 2
    best = None
    for start in range(0, nprocs, size):
        if start + n > nprocs:
            break
        free = [p for p in range(start, min(start + size, nprocs))
                if p not in barred][:n]
        if len(free) < n:
            continue
        cost = price(gangs, set(free), *decision)
        if cost is not None and (best is None or cost < best[0]):
            best = (cost, set(free))
    return best and best[1]


def find_singly(gangs, nprocs, barred, n, decision):
    due, need, now, budget = decision
    open_places = [p for p in range(nprocs) if p not in barred]
    if len(open_places) < n:
        return None
    on_place = {p: [g for g in gangs if p in g.procs and not g.late(now)]
                for p in open_places}
    taken, counted, earlier = set(), set(), 0.0
    while len(taken) < n:
        def added(place):
            return sum(g.need(now) if g.due <= due else need
                       for g in on_place[place] if g.number not in counted)
        place = min((p for p in open_places if p not in taken),
                    key=lambda p: (added(p), p))
        for gang in on_place[place]:
            if gang.number not in counted and gang.due <= due:
                earlier += gang.need(now)
            counted.add(gang.number)
        taken.add(place)
        if earlier > budget + TOLERANCE:
            return None
    return taken


def find_places(gangs, nprocs, job, now):
    left = job.due() - now
    if left <= 0 or job.procs > nprocs:
        return None
    need = min(job.estimate, left)
    barred = barred_processors(gangs, job.due(), need, now)
    decision = (job.due(), need, now, left - need)
    return find_block(gangs, nprocs, barred, job.procs, decision) or \
        find_singly(gangs, nprocs, barred, job.procs, decision)


def dispatch(gangs, now):
    claimed = set()
    for gang in sorted(gangs, key=lambda g: g.key(now)):
        gang.runs = not gang.procs & claimed
        if gang.runs:
            claimed |= gang.procs
            if gang.job.start is None:
                gang.job.start = now


def next_instant(gangs, jobs, arrived, now):
    times = [now + g.job.runtime - g.executed for g in gangs if g.runs]
    times += [g.due + TOLERANCE for g in gangs if not g.late(now)]
    if arrived < len(jobs):
        times.append(jobs[arrived].submit)
    return min(times) if times else None


def simulate(jobs, nprocs):
    gangs, arrived, now = [], 0, 0.0
    while True:
        instant = next_instant(gangs, jobs, arrived, now)
        if instant is None:
            return
        for gang in gangs:
            if gang.runs:
                gang.executed += instant - now
        now = instant
        for gang in [g for g in gangs if g.runs and
                     g.job.runtime - g.executed <= 1e-9]:
            gang.job.finish = now
            gangs.remove(gang)
        while arrived < len(jobs) and jobs[arrived].submit <= now:
            job = jobs[arrived]
            places = find_places(gangs, nprocs, job, now)
            if places:
                job.accepted = True
                gangs.append(Gang(arrived, job, places))
            else:
                job.reason = "would_miss"
            arrived += 1
        dispatch(gangs, now)


def main():
    parser = argparse.ArgumentParser(
        description="Simulate the jobs of a per-job table under band a second "
        "time, independently, and compare.")
    parser.add_argument("table")
    parser.add_argument("--procs", type=int, required=True, metavar="N")
    parser.add_argument("--show", type=int, default=10, metavar="N")
    options = parser.parse_args()
    if options.procs < 1:
        parser.error("--procs must be at least 1")
    try:
        jobs, rows = oracle.read_table(
            options.table, oracle.INPUTS + oracle.RESULTS, "band")
        simulate(jobs, options.procs)
        sys.stdout.write(oracle.summary(jobs, "band") + "\n")
        agree = oracle.compare(jobs, rows, options.table, options.show,
                               sys.stdout)
    except (oracle.OracleError, OSError, UnicodeDecodeError) as error:
        sys.stderr.write("band.py: %s\n" % error)
        return 1
    sys.stdout.write("agree\n" if agree else "DISAGREE\n")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
