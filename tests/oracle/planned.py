#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
r"""planned.py - a second implementation of planned.

As oracle.py: it takes the inputs out of a per-job table, decides and simulates
by itself, and compares job by job.

    librasim run --policy planned --jobs-out jobs.csv TRACE
    tests/oracle/planned.py jobs.csv --procs 128

    librasim run --policy planned --nodes 8:mem=64000 --jobs-out jobs.csv TRACE
    tests/oracle/planned.py jobs.csv --procs 128 --nodes 8:mem=64000 \
        --trace TRACE

--set NAME=VALUE takes the parameters that librasim was given: machine_reserve,
hold_back, hard_starts, replan, pull_forward, pull_hold_back.  Jobs without a deadline are not
its business.

Written from the text of the rule, plain on purpose: there is no profile.  What
is free at an instant is counted anew from the jobs that run and the plans.

    waiting job  s (planned start), ls = deadline - estimate (hard: the start it
                 was told)
    running job  ends at start + estimate; when that is past, at now + max(1 s,
                 0.1 executed)
    admit J      if it could not end in time even now, ls = now.
                 1  the earliest s <= ls with hold_back % of the processors
                    (rounded down) left free, else the earliest at all; the
                    others stay
                 2  else all that wait and J by (ls, order of submission), each
                    at its earliest hole beside the running jobs; adopted if
                    all have s <= ls, else J is refused
    start        at s
    reserve      size = n c / (0.6 mean work), c = min(estimate, d - now); load
                 = average of n estimate, summed over the offers of one instant,
                 over 0.4 x processors x average time between instants with
                 offers, times sqrt(observed / estimated work of the jobs that
                 ended, both sums x 0.995 at each end); the k-th past instant
                 counts by max(1/k, 0.003); use = sum of n_i need(i) of the
                 promised jobs with d_i <= d, and half of n_i x the time that
                 those with a later one run before d by their plans, / (processors
                 x (d - now)).
                 Refused if size > 1, load > 1 and use > max(0.005, 1 - 0.3 ln
                 load ln size); not before 20 instants are past.

Where the text leaves a choice:
 P1  At one instant: ends, then arrivals in order, then starts.
 P2  A start may lie 1e-6 s behind its latest one.
 P3  Who overruns is looked at before each arrival and before the starts.  If
     the plans do not fit any more: all by (ls, order) as in 2; else all by (s,
     ls, order), each by the end of its promise (deadline - estimate; a job that
     had none: ls); else the same by (ls, order), and those without a place
     behind the others, at the earliest hole.  A start later than ls is ls from
     then on.
 P4  After an early end, if promises are broken: all as in 2 with the first ls
     of these; if not all fit, they come forward one by one, each to its
     earliest hole, which is its ls then.  One whose promise holds again may
     move up to deadline - estimate, but not with hard starts.
 P5  pull_forward: after an early end all come forward, by (ls, order), each to
     its earliest hole that leaves pull_hold_back % of the processors (rounded
     down) free, or all others; who is late, to the earliest at all.

With --nodes each plan has nodes, as docs/beyond.md ("planned by node") has it:
 N1  Free on a node is counted as in the text, for each resource, over all of a
     job's time.  nodes.py takes nodes for one job.
 N2  A new job takes its start as if there were no nodes, and nodes that are
     free then as the others lie; else all get nodes anew, in the order of
     their starts (ties as in 2); else hole by hole, in the order of ends, the
     first start with nodes as the others lie; else 2.
 N3  Whenever all are planned anew, starts are found as if there were no nodes,
     and then nodes in the order of starts; if one finds none, all are planned
     hole by hole.  The first alone is done where nobody asks for more than
     processors, or where nodes have one processor each, are alike, and fit
     all that wait: then it finds what there is.
 N4  The same when plans come forward; there hole by hole is one by one.
 N5  Who overruns may leave a node short though the machine is not: then all
     get nodes anew, in the order of their starts; else P3.
 N6  Hole by hole looks at 400,000 nodes for each admission, repair, or coming
     forward, and no more; when these are spent plans come forward only to now.

Exit status as oracle.py; with --nodes all jobs must be on the same nodes, too.
"""

import math
import sys

import nodes
import oracle

TOLERANCE = 1e-6
ROOM = 0.4
LOOKS = 400000


class Plan:
    """A job that waits."""

    def __init__(self, number, job, now):
        self.number = number
        self.job = job
        self.start = math.inf
        self.nodes = None
        self.promise = job.due() - job.estimate
        self.latest = max(self.promise, now)
        if now + job.estimate > job.due() + TOLERANCE:
            self.promise = math.inf  # a start at once, no deadline

    def end(self):
        return self.start + self.job.estimate

    def by_latest(self):
        return (self.latest, self.number)

    def broken(self):
        return self.start > self.promise + TOLERANCE


class Run:
    """A job that runs."""

    def __init__(self, plan, now):
        self.job = plan.job
        self.nodes = plan.nodes
        self.start = now
        self.end = now + self.job.estimate


def need(job, executed, now):
    left = job.estimate - executed
    if left < -TOLERANCE:
        left = max(1.0, 0.1 * executed)
    return min(max(left, 0.0), max(job.due() - now, 0.0))


class Reserve:
    """What offers and ends say."""

    def __init__(self, nprocs):
        self.nprocs = nprocs
        self.offers = self.instants = 0
        self.mean_work = self.pending = self.offered = self.between = 0.0
        self.observed = self.estimated = 0.0
        self.last = None

    def refuses(self, job, runs, plans, now):
        if self.instants < 20:
            return False
        work = job.procs * min(job.estimate, job.due() - now)
        size = work / (0.6 * self.mean_work)
        room = ROOM
        if self.observed > 0 and self.estimated > 0:
            room /= math.sqrt(self.observed / self.estimated)
        load = self.offered / (room * self.nprocs * self.between)
        if size <= 1 or load <= 1:
            return False
        use = sum(p.job.procs * need(p.job, 0.0, now) for p in plans
                  if p.job.due() <= job.due())
        use += sum(r.job.procs * need(r.job, now - r.start, now) for r in runs
                   if r.job.due() <= job.due())
        later = [(p.job, p.start, p.end()) for p in plans]
        later += [(r.job, now, r.end) for r in runs]
        use += sum(0.5 * other.procs * max(0.0, min(job.due(), end) - start)
                   for other, start, end in later if other.due() > job.due())
        use /= self.nprocs * (job.due() - now)
        return use > max(0.005, 1 - 0.3 * math.log(load) * math.log(size))

    def offer(self, job, now):
        if self.offers and now > self.last:
            self.instants += 1
            weight = max(0.003, 1 / self.instants)
            self.offered += weight * (self.pending - self.offered)
            self.between += weight * (now - self.last - self.between)
            self.pending = 0.0
        work = job.procs * job.estimate
        self.pending += work
        self.last = now
        self.offers += 1
        self.mean_work += (work - self.mean_work) / self.offers

    def end(self, run, now):
        procs = run.job.procs
        self.observed = 0.995 * self.observed + procs * (now - run.start)
        self.estimated = 0.995 * self.estimated + procs * run.job.estimate


class Machine:
    def __init__(self, nprocs, settings):
        self.nprocs = nprocs
        self.set = {"machine_reserve": 1, "hold_back": 20, "hard_starts": 0,
                    "replan": 1, "pull_forward": 1, "pull_hold_back": 20}
        self.set.update(settings)
        self.held = int(nprocs * self.set["hold_back"] / 100)
        self.pull_held = int(nprocs * self.set["pull_hold_back"] / 100)
        self.reserve = Reserve(nprocs)
        self.runs, self.plans = [], []
        self.now = 0.0
        self.risen = False

    def free(self, at, plans):
        used = sum(r.job.procs for r in self.runs if at < r.end)
        used += sum(p.job.procs for p in plans if p.start <= at < p.end())
        return self.nprocs - used

    def hole(self, job, plans, bound=math.inf, held=0, since=None):
        """The earliest start by bound, or infinity."""
        since = self.now if since is None else since
        changes = [(r.end, r.job.procs) for r in self.runs]
        changes += [(p.start, -p.job.procs) for p in plans]
        changes += [(p.end(), p.job.procs) for p in plans]
        free = {since: self.free(since, plans)}
        left = free[since]
        for at, n in sorted(change for change in changes if change[0] > since):
            left += n
            free[at] = left
        start = None
        for at, left in free.items():       # in order of time
            if start is not None and at >= start + job.estimate:
                break
            if left < job.procs + held:
                start = None
            elif start is None:
                start = at
        return math.inf if start is None or start > bound else start

    def bound(self, plan, after_loss=False):
        latest = max(plan.latest, self.now)
        if after_loss and plan.promise < math.inf:
            latest = max(latest, plan.promise)
        return latest + TOLERANCE

    def anew(self, plans, after_loss=False):
        """New starts for all, in this order; infinity where there is none."""
        old = [p.start for p in plans]
        placed = []
        for plan in plans:
            plan.start = self.hole(plan.job, placed,
                                   self.bound(plan, after_loss))
            if plan.start < math.inf:
                placed.append(plan)
            elif not after_loss:
                break
        new = [p.start for p in plans]
        for plan, start in zip(plans, old):
            plan.start = start
        return new

    def adopt(self, plans, starts):
        for plan, start in zip(plans, starts):
            was_broken = plan.broken()
            plan.start = start
            if was_broken and not plan.broken() and not self.hard():
                plan.latest = max(plan.start, plan.promise)

    def by_latest(self):
        return sorted(self.plans, key=Plan.by_latest)

    def overruns(self):
        any_over = False
        for run in self.runs:
            if run.end <= self.now:
                run.end = self.now + max(1.0, 0.1 * (self.now - run.start))
                any_over = True
        return any_over

    def fits(self):
        return all(self.free(t, self.plans) >= 0
                   for t in [self.now] + [p.start for p in self.plans
                                          if p.start > self.now])

    def rest(self, plans, starts):
        """Those without a start behind the others."""
        old = [p.start for p in plans]
        starts = list(starts)
        for plan, start in zip(plans, starts):
            plan.start = start
        for i, plan in enumerate(plans):
            if starts[i] == math.inf:
                starts[i] = plan.start = self.hole(
                    plan.job, [p for p in plans if p.start < math.inf])
        for plan, start in zip(plans, old):
            plan.start = start
        return starts

    def repair(self):
        plans = self.by_latest()
        starts = self.anew(plans)
        if math.inf in starts:
            plans.sort(key=lambda p: (p.start, p.latest, p.number))
            starts = self.anew(plans, True)
        if math.inf in starts:
            plans = self.by_latest()
            starts = self.rest(plans, self.anew(plans, True))
        for plan, start in zip(plans, starts):
            plan.latest = max(plan.latest, start)
        self.adopt(plans, starts)

    def mend(self):
        broken = [p for p in self.plans if p.broken()]
        for plan in broken:
            plan.latest = plan.promise
        plans = self.by_latest()
        starts = self.anew(plans)
        if math.inf not in starts:
            self.adopt(plans, starts)
            return
        for plan in broken:
            plan.latest = plan.start
        self.pull(sorted(broken, key=Plan.by_latest))
        self.judge(broken)

    def hard(self):
        return bool(self.set["hard_starts"])

    def judge(self, broken):
        for plan in broken:
            plan.latest = plan.start
            if not plan.broken() and not self.hard():
                plan.latest = max(plan.start, plan.promise)

    def held_beside(self, plan):
        if plan.broken():
            return 0
        return min(self.pull_held, self.nprocs - plan.job.procs)

    def pull(self, plans):
        """They come forward, one by one."""
        for plan in plans:
            others = [p for p in self.plans if p is not plan]
            plan.start = min(plan.start,
                             self.hole(plan.job, others, plan.start,
                                       self.held_beside(plan)))

    def catch_up(self):
        if self.overruns() and not self.fits():
            self.repair()
        if self.risen and any(p.broken() for p in self.plans):
            self.mend()
        if self.risen and self.set["pull_forward"]:
            broken = [p for p in self.plans if p.broken()]
            self.pull(self.by_latest())
            self.judge(broken)
        self.risen = False

    def place(self, plan, bound):
        """A start beside the others, which stay; infinity if there is none."""
        plan.start = self.hole(plan.job, self.plans, bound, self.held)
        if plan.start == math.inf:
            plan.start = self.hole(plan.job, self.plans, bound)

    def admit(self, number, job):
        if job.due() <= self.now or job.procs > self.nprocs:
            return "would_miss"
        if self.set["machine_reserve"] and self.reserve.refuses(
                job, self.runs, self.plans, self.now):
            return "reserve"
        plan = Plan(number, job, self.now)
        bound = self.bound(plan)
        self.place(plan, bound)
        if plan.start == math.inf:
            if not self.set["replan"]:
                return "would_miss"
            plans = sorted(self.plans + [plan], key=Plan.by_latest)
            starts = self.anew(plans)
            if math.inf in starts:
                return "would_miss"
            self.adopt(plans, starts)
        self.plans.append(plan)
        if self.set["hard_starts"]:
            plan.latest = plan.start
        return None

    def start_due(self):
        for plan in self.by_latest():
            if plan.start <= self.now:
                self.plans.remove(plan)
                plan.job.start = self.now
                plan.job.nodes = plan.nodes
                self.runs.append(Run(plan, self.now))

    def end_due(self):
        for run in [r for r in self.runs
                    if r.start + r.job.runtime <= self.now]:
            run.job.finish = self.now
            self.runs.remove(run)
            self.reserve.end(run, self.now)
            self.risen |= run.end > self.now

    def next_instant(self, arrivals):
        times = [r.start + r.job.runtime for r in self.runs]
        times += [p.start for p in self.plans if p.start > self.now]
        times += [job.submit for job in arrivals[:1]]
        return min(times) if times else None


class NodeMachine(Machine):
    """The same, where each plan has nodes (N1 to N6)."""

    def __init__(self, nprocs, settings, cluster):
        super().__init__(nprocs, settings)
        self.cluster = cluster
        self.looks = 0
        self.tried = []

    def line(self, plans=()):
        line = nodes.Line(self.cluster, self.now)
        for run in self.runs:
            line.add(run.nodes, self.now, run.end)
        for plan in plans:
            if plan.start < math.inf:
                line.add(plan.nodes, plan.start, plan.end())
        return line

    def room(self, line, job, start):
        return line.place(job.procs, self.cluster.request(job), start,
                          start + job.estimate)

    def find(self, job, line, plans, bound, held=0):
        """Hole by hole: the first that has nodes as the others lie."""
        start = self.now
        while start <= bound and self.looks >= len(self.cluster.nodes):
            start = self.hole(job, plans, bound, held, start)
            if start == math.inf:
                break
            self.looks -= len(self.cluster.nodes)
            spans = self.room(line, job, start)
            if spans:
                return start, spans
            start = min([t for t in [r.end for r in self.runs] +
                         [p.end() for p in plans] if t > start],
                        default=math.inf)
        return math.inf, None

    def spread(self, plans, starts):
        """Nodes for all at these starts, in their order; None: not for all."""
        line = self.line()
        found = [None] * len(plans)
        for start, i in sorted((start, i) for i, start in enumerate(starts)
                               if start < math.inf):
            found[i] = self.room(line, plans[i].job, start)
            if not found[i]:
                return None
            line.add(found[i], start, start + plans[i].job.estimate)
        return found

    def spread_is_sure(self, plans):
        return all(self.cluster.is_plain(p.job) for p in plans)

    def keep_starts(self, plans):
        """All at the starts that they have, if need be on other nodes."""
        found = self.spread(plans, [p.start for p in plans])
        if found is None:
            return False
        for plan, spans in zip(plans, found):
            plan.nodes = spans
        return True

    def anew(self, plans, after_loss=False):
        starts = super().anew(plans, after_loss)
        if after_loss or math.inf not in starts:
            self.tried = self.spread(plans, starts)
            if self.tried is not None:
                return starts
        elif self.spread_is_sure(plans):
            return starts
        line, placed = self.line(), []
        starts = [math.inf] * len(plans)
        self.tried = [None] * len(plans)
        for i, plan in enumerate(plans):
            self.try_one(plans, starts, i, line, placed,
                         self.bound(plan, after_loss))
            if starts[i] == math.inf and not after_loss:
                break
        return starts

    def try_one(self, plans, starts, i, line, placed, bound):
        job = plans[i].job
        starts[i], self.tried[i] = self.find(job, line, placed, bound)
        if starts[i] < math.inf:
            tried = Plan(i, job, self.now)
            tried.start = starts[i]
            placed.append(tried)
            line.add(self.tried[i], starts[i], starts[i] + job.estimate)

    def rest(self, plans, starts):
        starts = super().rest(plans, starts)
        self.tried = self.spread(plans, starts)
        if self.tried is not None:
            return starts
        self.looks = LOOKS
        starts = self.anew(plans, True)
        line, placed = self.line(), []
        for i, plan in enumerate(plans):
            if starts[i] < math.inf:
                tried = Plan(i, plan.job, self.now)
                tried.start = starts[i]
                placed.append(tried)
                line.add(self.tried[i], starts[i], tried.end())
        for i in range(len(plans)):
            if starts[i] == math.inf:
                self.try_one(plans, starts, i, line, placed, math.inf)
        return starts

    def repair(self):
        self.looks = LOOKS
        super().repair()

    def mend(self):
        self.looks = LOOKS
        super().mend()

    def adopt(self, plans, starts):
        super().adopt(plans, starts)
        for plan, spans in zip(plans, self.tried):
            plan.nodes = spans

    def fits(self):
        return super().fits() and (
            not self.line(self.plans).is_short() or
            self.keep_starts(self.by_latest()))

    def pull(self, plans):
        starts = [p.start for p in plans]
        super().pull(plans)
        if starts == [p.start for p in plans] or \
                self.keep_starts(self.by_latest()):
            return
        for plan, start in zip(plans, starts):
            plan.start = start
        self.looks = LOOKS
        for plan in plans:
            self.pull_one(plan)

    def pull_one(self, plan):
        spent = self.looks < len(self.cluster.nodes)
        if spent:
            self.looks = len(self.cluster.nodes)
        others = [p for p in self.plans if p is not plan]
        start, spans = self.find(plan.job, self.line(others), others,
                                 self.now if spent else plan.start,
                                 self.held_beside(plan))
        if start < plan.start:
            plan.start, plan.nodes = start, spans
        if spent:
            self.looks = 0

    def place(self, plan, bound):
        self.looks = LOOKS
        super().place(plan, bound)
        if plan.start == math.inf:
            return
        line = self.line(self.plans)
        plan.nodes = self.room(line, plan.job, plan.start)
        if plan.nodes or self.keep_starts(sorted(self.plans + [plan],
                                                 key=Plan.by_latest)):
            return
        plan.start, plan.nodes = self.find(plan.job, line, self.plans, bound,
                                           self.held)
        if plan.start == math.inf and self.held > 0:
            plan.start, plan.nodes = self.find(plan.job, line, self.plans,
                                               bound)


def simulate(jobs, nprocs, settings, cluster=None):
    machine = NodeMachine(nprocs, settings, cluster) if cluster else \
        Machine(nprocs, settings)
    arrived = 0
    while True:
        instant = machine.next_instant(jobs[arrived:arrived + 1])
        if instant is None:
            return
        machine.now = instant
        machine.end_due()
        while arrived < len(jobs) and jobs[arrived].submit <= instant:
            job = jobs[arrived]
            machine.catch_up()
            job.reason = machine.admit(arrived, job)
            job.accepted = job.reason is None
            machine.reserve.offer(job, instant)
            arrived += 1
        machine.catch_up()
        machine.start_due()


if __name__ == "__main__":
    sys.exit(oracle.check_table("planned", simulate, nodes))
