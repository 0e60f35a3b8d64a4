#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""queues.py - a second, independent program for conservative and firstreward.

Like oracle.py, whose tables and comparison it uses, it reads a per-job table
(librasim run --jobs-out), takes the inputs of each row alone, simulates the
same jobs by itself and compares job by job.  It is slow and plain on purpose.

  conservative  The plan is a list of (begin, end, processors), of the jobs
      that run up to their estimated end and of those that wait at the start
      they were promised.  A job fits at an instant if at no time within its
      estimate the plan and the job together need more processors than there
      are; its earliest start is now or the end of an entry of the plan.
      When a job ends before its estimate, the waiting jobs are taken in order
      of submission, each out of the plan and back to its earliest start,
      again and again until none moves; jobs that have just come take part,
      at their place in that order.
      A running job over its estimate counts as ending now; if a promised
      start has gone by, all are promised anew, in order of submission.
      At each instant: ends, arrivals, plan, starts in order of submission.
  firstreward  A job is judged when it comes: value = budget / (1 + discount x
      estimate), cost = estimate x the penalty rates of all accepted jobs that
      have not ended; slack = (value - cost) / penalty rate, refused if below
      the threshold.  The highest reward waits at the head; the reward is
      computed anew at every instant, with the cost as it is then.

Exit status as of oracle.py.
"""

import argparse
import csv
import sys

import oracle


# -------------------------------------------------------- conservative ----

def free_throughout(plan, nprocs, begin, end):
    """The fewest free processors in [begin, end)."""
    instants = [begin] + [b for b, _, _ in plan if begin < b < end]
    return min(nprocs - sum(p for b, e, p in plan if b <= t < e)
               for t in instants)


def earliest_start(plan, nprocs, job, now):
    for begin in sorted({now} | {e for _, e, _ in plan if e > now}):
        if free_throughout(plan, nprocs, begin,
                           begin + job.estimate) >= job.procs:
            return begin
    raise oracle.OracleError("internal: a job fits nowhere")


class Planned:
    """Conservative backfilling, all of the plan made of lists."""

    def __init__(self, nprocs):
        self.nprocs = nprocs
        self.running = []
        self.waiting = []               # in order of submission
        self.promised = {}              # job -> start

    def plan(self, but=None):
        entries = [(j.start, j.start + j.estimate, j.procs)
                   for j in self.running]
        entries += [(self.promised[j], self.promised[j] + j.estimate, j.procs)
                    for j in self.waiting if j in self.promised and
                    j is not but]
        return entries

    def promise(self, job, now):
        self.promised[job] = earliest_start(self.plan(job), self.nprocs, job,
                                            now)

    def instant(self, now, ended_early):
        if any(self.promised.get(j, now) < now for j in self.waiting):
            self.promised = {}
        before = None
        while before != self.promised:
            before = dict(self.promised)
            for job in self.waiting:
                if ended_early or job not in self.promised:
                    self.promise(job, now)
        free = self.nprocs - sum(j.procs for j in self.running)
        for job in list(self.waiting):
            if self.promised[job] <= now and job.procs <= free:
                free -= job.procs
                job.accepted = True
                job.start = now
                job.finish = now + job.runtime
                self.waiting.remove(job)
                self.running.append(job)


def simulate_conservative(jobs, nprocs):
    machine = Planned(nprocs)
    row = 0
    while row < len(jobs) or machine.running:
        now = min([j.finish for j in machine.running] +
                  [j.submit for j in jobs[row:row + 1]])
        ended = [j for j in machine.running if j.finish <= now]
        for job in ended:
            machine.running.remove(job)
        while row < len(jobs) and jobs[row].submit <= now:
            if jobs[row].procs <= nprocs:
                machine.waiting.append(jobs[row])
            row += 1
        machine.instant(now, any(j.start + j.estimate > now for j in ended))


# --------------------------------------------------------- firstreward ----

def reward(job, accepted, options):
    value = job.budget / (1 + options.discount * job.estimate)
    cost = sum(j.penalty_rate for j in accepted if j is not job) * job.estimate
    return (options.alpha * value - (1 - options.alpha) * cost) / job.estimate


def judge(job, accepted, options):
    value = job.budget / (1 + options.discount * job.estimate)
    cost = sum(j.penalty_rate for j in accepted) * job.estimate
    job.accepted = value - cost >= options.threshold * job.penalty_rate
    job.reason = "" if job.accepted else "slack"
    return job.accepted


def simulate_firstreward(jobs, nprocs, options):
    waiting, running = [], []
    row = 0
    while row < len(jobs) or running:
        now = min([j.finish for j in running] +
                  [j.submit for j in jobs[row:row + 1]])
        running = [j for j in running if j.finish > now]
        while row < len(jobs) and jobs[row].submit <= now:
            if jobs[row].procs <= nprocs and \
                    judge(jobs[row], waiting + running, options):
                waiting.append(jobs[row])
            row += 1
        while waiting:
            accepted = waiting + running
            head = max(waiting, key=lambda j: reward(j, accepted, options))
            if head.procs > nprocs - sum(j.procs for j in running):
                break
            head.start = now
            head.finish = now + head.runtime
            waiting.remove(head)
            running.append(head)


def read_money(jobs, path, policy):
    with oracle.open_text(path) as stream:
        rows = [r for r in csv.DictReader(stream)
                if r.get("policy") in (policy, "", None)]
    for job, row in zip(jobs, rows):
        where = "%s: job %s" % (path, job.name)
        job.budget = oracle.read_number(row, "budget", where)
        job.penalty_rate = oracle.read_number(row, "penalty_rate", where)


# ---------------------------------------------------------------- main ----

def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Simulate the jobs of a per-job table a second time, "
        "independently, and compare.")
    parser.add_argument("--policy", required=True,
                        choices=("conservative", "firstreward"))
    parser.add_argument("--alpha", type=float, default=1.0)
    parser.add_argument("--discount", type=float, default=0.01,
                        help="a fraction per second")
    parser.add_argument("--threshold", type=float, default=25.0)
    return oracle.parse_table_arguments(parser)


def run(options):
    jobs, rows = oracle.read_table(options.table,
                                   oracle.INPUTS + oracle.RESULTS,
                                   options.policy)
    if options.policy == "conservative":
        simulate_conservative(jobs, options.procs)
    else:
        read_money(jobs, options.table, options.policy)
        simulate_firstreward(jobs, options.procs, options)
    sys.stdout.write(oracle.summary(jobs, options.policy) + "\n")
    agree = oracle.compare(jobs, rows, options.table, options.show,
                           sys.stdout)
    sys.stdout.write("agree\n" if agree else "DISAGREE\n")
    return 0 if agree else 1


def main():
    options = parse_arguments()
    try:
        return run(options)
    except (oracle.OracleError, OSError, UnicodeDecodeError,
            csv.Error) as error:
        sys.stderr.write("queues.py: %s\n" % error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
