#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""demand.py - a second implementation of demand.

As oracle.py: it takes the inputs out of a per-job table, decides and simulates
by itself, and compares job by job.

    librasim run --policy demand --jobs-out jobs.csv TRACE
    tests/oracle/demand.py jobs.csv --procs 128

--set NAME=VALUE takes the parameter machine_reserve; coupled=yes is
librasim's --execution coupled.

Written from the text of the rule, plain on purpose: every processor is looked
at by itself, with all its tasks, at every decision.  Needs, the order of jobs
and the reserve of the machine are those of band.py.

    admit J     a processor suits if for every deadline d on it that is not
                late, J's included, the needs due by d are <= d - now.  Its
                slack is the least of d - now - needs; those with most are
                taken, of equals the first.
    reserve     as band's: n_i need(i) is the sum of the needs of i's parts.
    execution   each processor serves the earliest deadline, late tasks last.
                Coupled: all parts of a job run or none, in the same order.

Where the text leaves a choice:
 D1  Tolerances and the order of events: B1, B3, B4, B5 and B6 of band.py.
 D2  Slacks are compared as llround(slack * 1e9).
 D3  A job starts when it is accepted, whether a processor serves it or not.
 D4  A job for more processors than there are does not count in the averages.

Exit status as oracle.py.
"""

import sys

import band
import oracle


def slack(place, gangs, job, need, now):
    """The least slack on a processor with a new job."""
    tasks = [(g.due, g.need(now)) for g in gangs
             if place in g.procs and not g.late(now)]
    tasks.append((job.due(), need))
    return min(due - now - sum(n for d, n in tasks if d <= due)
               for due, _ in tasks)


def find_places(rule, gangs, job, now):
    left = job.due() - now
    if left <= 0:
        return None, "would_miss"
    need = min(job.estimate, left)
    if rule.full(gangs, job, need, now):
        return None, "reserve"
    suits = []
    for place in range(rule.nprocs):
        most = slack(place, gangs, job, need, now)
        if most >= -band.TOLERANCE:
            suits.append((-oracle.llround(most * 1e9), place))
    if len(suits) < job.procs:
        return None, "would_miss"
    return [place for _, place in sorted(suits)[:job.procs]], None


def end_due(gangs, now):
    for gang in [g for g in gangs if g.runs and
                 g.job.runtime - g.executed <= 1e-9]:
        gang.job.finish = now  # the last of its parts has the last word
        gangs.remove(gang)


def simulate(jobs, nprocs, settings):
    gangs, arrived, now = [], 0, 0.0
    coupled = settings.get("coupled", 0)
    rule = band.Rule(nprocs, settings)
    while True:
        instant = band.advance(gangs, jobs, arrived, now)
        if instant is None:
            return
        now = instant
        end_due(gangs, now)
        while arrived < len(jobs) and jobs[arrived].submit <= now:
            job, number = jobs[arrived], arrived
            arrived += 1
            if job.procs > nprocs:
                job.reason = "too_large"
                continue
            places, job.reason = find_places(rule, gangs, job, now)
            rule.decided(job, places is not None, now)
            if not places:
                continue
            job.accepted = True
            job.start = now
            gangs += [band.Gang(number, job, set(part)) for part in
                      ([places] if coupled else [[p] for p in places])]
        band.dispatch(gangs, now)


if __name__ == "__main__":
    sys.exit(oracle.check_table("demand", simulate))
