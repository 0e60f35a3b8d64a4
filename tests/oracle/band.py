#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""band.py - a second implementation of band.

As oracle.py: it takes the inputs out of a per-job table, decides and simulates
by itself, and compares job by job.

    librasim run --policy band --jobs-out jobs.csv TRACE
    tests/oracle/band.py jobs.csv --procs 128

--set NAME=VALUE takes the parameters that librasim was given: finishes,
machine_reserve, reserve, residents.

Written from the text of the rule, plain on purpose: processors are sets, every
need, finish and neighbourhood is computed anew at every decision, and nothing
is kept but what each job has executed and the reserves' averages.

    priority(j) = (late(j), deadline_j, id), the same on every processor
    need(j)     = estimate - executed; over its estimate max(1 s, 0.1
                  executed); never more than deadline - now
    dispatch    in priority order: run a job if its processors are unclaimed,
                and claim them; else hold it.  At every arrival, end and
                passed deadline.

    finish(i)   = now + need(i) + W(i).  b: the earlier neighbours of i that
                are not late and need something.  gone(b) = min(finish(b),
                d_b).  W(i) = min over k = 0..n of max(0, gone_k - now) + sum
                of need_j, j > k, the b sorted by gone; k = 0: all needs.

    crowd       i knows the first 128 earlier neighbours that come, or that are
                there when it comes in the order of priority, be they late or
                not; one that leaves makes room for the next that comes only if
                i knows all others.  While it does not know all, W(i) = max
                over all b of max(0, gone_b - now).  A new job that is not
                among the 128 crowds i in its own test already.

    admit J     need c, cA = min(phi c, max(c, d - now)).  Barred: the
                processors of each later i with finish(i) <= d_i that would
                miss it if J, gone at now + cA, were its neighbour.  Blocks of
                B = the least power of two >= n: S = the first n processors
                that are not barred; finish(J) = now + cA + W(J) <= d; then
                the finishes of all later jobs anew, J among the neighbours of
                those on S.  Of those that would miss it now and did not
                before: are they on S, their processors are out, and S is
                chosen again (four times); else the next block.  cost = needs
                of earlier neighbours on S + sum of what finishes rise + 1e-4
                x bound jobs; the least, ties to the lowest block; a set is
                passed over as soon as that is not below the best.  Else
                processors one by one, each time the one that adds least (need
                of new earlier jobs, cA for each new later one), and the same
                test at the end.

    reserve     phi = 1 + min(4, 5 rho) x min(4, work / mean work); rho = the
                average (weight 0.01) of "refused" over offers of no more than
                mean work; work = n x estimate, its mean over all offers.
    machine     size = n c / unit; unit = 0.5 mean work, and with at most r
                residents no more than the work up to which jobs fill the room:
                their averages are kept by octave of n min(estimate, d -
                submit), from 1 s on, 40 of them, and the octave that is not
                full is shared out evenly over its logarithm; load = average of n min(estimate,
    reserve     d - submit), summed over the offers of one instant, over room x
                processors x average time between instants with offers; the
                k-th past instant counts by max(1/k, 0.003); room = 1.5, with
                at most r residents 1.5 r / (r + 4); use = sum of n_i need(i)
                of the jobs with d_i <= d / (processors x (d - now)).  Refused
                if size > 1, load > 1 and use > max(0.005, 1 - 0.3 ln load ln
                size); not before 20 instants are past.

Where the text leaves a choice:
 B1  Tolerances are 1e-6: a job is late from deadline + 1e-6 s on, over its
     estimate when it has executed 1e-6 s more, and a finish may lie 1e-6 s
     behind its deadline.
 B2  "Jobs bound to the processors of S": for each processor of S all its
     unfinished jobs, late ones too, summed up.
 B3  A late job has no need and is nobody's earlier neighbour.
 B4  At one instant: ends, then arrivals in order, then one dispatch.
 B5  Of equal deadlines the one submitted first is earlier.
 B6  An offer counts in the averages after it was decided.
 B7  In the first pass of a block, and when it is chosen again, what was taken
     out stays out for this block only.

Exit status as oracle.py.
"""

import math
import sys

import oracle

TOLERANCE = 1e-6
BOUND_COST = 1e-4
LISTED = 128  # earlier neighbours that a job knows
TIE = 1e-6  # costs that differ by less are equal


class Gang:
    """An accepted, unfinished job."""

    def __init__(self, number, job, procs):
        self.number = number
        self.job = job
        self.procs = procs
        self.due = job.due()
        self.executed = 0.0
        self.runs = False
        self.before = 0  # earlier neighbours,
        self.known = set()  # and those of them that it knows

    def meets(self, other):
        if len(self.known) == self.before < LISTED:
            self.known.add(other)
        self.before += 1

    def leaves(self, other):
        self.known.discard(other)
        self.before -= 1

    def is_crowded(self, more=0):
        return len(self.known) < self.before or self.before + more > LISTED

    def comes_before(self, other):
        return (self.due, self.number) < (other.due, other.number)

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


class Rule:
    """The parameters, and what the reserves remember."""

    def __init__(self, nprocs, settings):
        self.nprocs = nprocs
        self.finishes = settings.get("finishes", 1)
        self.reserve = settings.get("reserve", 1)
        self.machine = settings.get("machine_reserve", 1)
        self.residents = int(settings.get("residents", 0))
        self.offers = 0
        self.mean_work = 0.0
        self.refused = 0.0
        self.instants = 0
        self.last = None
        self.pending = [0.0] * 40
        self.offered = [0.0] * 40
        self.between = 0.0

    def phi(self, job):
        if not self.reserve or not self.offers:
            return 1.0
        work = job.procs * job.estimate
        return 1 + min(4, 5 * self.refused) * min(4, work / self.mean_work)

    def filling(self, room):
        """The work up to which offered jobs fill the room."""
        for octave, offered in enumerate(self.offered):
            if offered > room:
                return 2 ** (octave + room / offered)
            room -= offered
        return math.inf

    def full(self, gangs, job, need, now):
        """Does the reserve of the machine refuse the job?"""
        if not self.machine or self.instants < 20:
            return False
        due = job.due()
        room = 1.5
        if self.residents:
            room *= self.residents / (self.residents + 4)
        room *= self.nprocs * self.between
        unit = 0.5 * self.mean_work
        if self.residents:
            unit = min(unit, self.filling(room))
        size = job.procs * need / unit
        load = sum(self.offered) / room
        if size <= 1 or load <= 1:
            return False
        use = sum(len(g.procs) * g.need(now) for g in gangs
                  if not g.late(now) and g.due <= due)
        use /= self.nprocs * (due - now)
        return use > max(0.005, 1 - 0.3 * math.log(load) * math.log(size))

    def decided(self, job, accepted, now):
        work = job.procs * job.estimate
        offered = job.procs * min(job.estimate, job.due() - job.submit)
        if self.offers and work <= self.mean_work:
            self.refused += 0.01 * ((not accepted) - self.refused)
        if self.last is not None and now > self.last:
            self.instants += 1
            weight = max(0.003, 1 / self.instants)
            self.offered = [old + weight * (new - old) for old, new
                            in zip(self.offered, self.pending)]
            self.between += weight * (now - self.last - self.between)
            self.pending = [0.0] * 40
        octave = math.frexp(offered)[1] - 1 if offered >= 2 else 0
        self.pending[min(octave, 39)] += offered
        self.last = now
        self.offers += 1
        self.mean_work += (work - self.mean_work) / self.offers


def neighbours(gangs, gang, now):
    """In the order of priority."""
    return sorted((g for g in gangs
                   if g is not gang and g.procs & gang.procs),
                  key=lambda g: g.key(now))


def enter(gangs, gang, now):
    for other in neighbours(gangs, gang, now):
        if gang.comes_before(other):
            other.meets(gang)
        else:
            gang.meets(other)
    gangs.append(gang)


def leave(gangs, gang, now):
    gangs.remove(gang)
    for other in neighbours(gangs, gang, now):
        if gang.comes_before(other):
            other.leaves(gang)


def wait(earlier, now, crowded):
    """W: the least bound on how long neighbours (gone, need) hold a job."""
    if crowded:
        return max([0.0] + [gone - now for gone, _ in earlier])
    earlier = sorted(earlier)
    after = sum(need for _, need in earlier)
    best = after
    for gone, need in earlier:
        after -= need
        best = min(best, max(0.0, gone - now) + after)
    return best


class Plan:
    """All jobs in order, with their needs and finishes; and a new one."""

    def __init__(self, gangs, now):
        self.now = now
        self.jobs = sorted((g for g in gangs if not g.late(now)),
                           key=lambda g: (g.due, g.number))
        self.need = {g: g.need(now) for g in self.jobs}
        self.finish = {}
        for i, gang in enumerate(self.jobs):
            self.finish[gang] = self.finish_of(gang, i, self.finish, ())

    def finish_of(self, gang, i, finish, more):
        earlier = [(min(finish[b], b.due), self.need[b])
                   for b in self.jobs[:i]
                   if b.procs & gang.procs and self.need[b] > 0]
        return self.now + self.need[gang] + wait(
            earlier + list(more), self.now, gang.is_crowded(len(more)))

    def barred(self, due, least):
        out = set()
        alone = [(self.now + least, least)]
        for i, gang in enumerate(self.jobs):
            if gang.due > due and self.in_time(gang, self.finish[gang]) and \
               not self.in_time(gang, self.finish_of(gang, i, self.finish,
                                                     alone)):
                out |= gang.procs
        return out

    @staticmethod
    def in_time(gang, finish):
        return finish <= gang.due + TOLERANCE

    def judge(self, places, due, least, most, nbefore):
        """The sum of what finishes rise, None if it is not to be had or not
        below most; and the job that would miss its deadline, if it is on
        these processors."""
        earlier = [(min(self.finish[g], g.due), self.need[g])
                   for g in self.jobs
                   if g.due <= due and g.procs & places and self.need[g] > 0]
        mine = self.now + least + wait(earlier, self.now, nbefore > LISTED)
        if mine > due + TOLERANCE:
            return None, None
        finish = dict(self.finish)
        rise = 0.0
        for i, gang in enumerate(self.jobs):
            if gang.due <= due:
                continue
            on = bool(gang.procs & places)
            if not on and not any(finish[b] != self.finish[b] and
                                  b.procs & gang.procs
                                  for b in self.jobs[:i]):
                continue
            more = [(min(mine, due), least)] if on else ()
            finish[gang] = self.finish_of(gang, i, finish, more)
            if self.in_time(gang, self.finish[gang]) and \
               not self.in_time(gang, finish[gang]):
                return None, (gang if on else None)
            rise += finish[gang] - self.finish[gang]
            if rise >= most:
                return None, None
        return rise, None


def sums_barred(gangs, due, need, now):
    """The bound of plain sums instead: no later job's slack may be used up."""
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


class Decision:
    """For one job: what a set of processors costs, None if it is no place."""

    def __init__(self, rule, gangs, job, need, now):
        self.gangs = gangs
        self.now = now
        self.due = job.due()
        self.n = job.procs
        left = self.due - now
        self.least = min(rule.phi(job) * need, max(need, left))
        self.budget = left - self.least
        self.plan = Plan(gangs, now) if rule.finishes else None
        if self.plan:
            self.barred = self.plan.barred(self.due, self.least)
        else:
            self.barred = sums_barred(gangs, self.due, self.least, now)
        if rule.residents:
            for place in range(rule.nprocs):
                if sum(place in g.procs for g in gangs) >= rule.residents:
                    self.barred.add(place)

    def tally(self, places):
        earlier = later = bound = 0.0
        for gang in self.gangs:
            common = len(gang.procs & places)
            bound += common
            if not common or gang.late(self.now):
                continue
            if gang.due <= self.due:
                earlier += gang.need(self.now)
            else:
                later += 1
        return earlier, later, BOUND_COST * bound

    def price(self, places, best=math.inf):
        """(cost or None, the job in the way or None)"""
        earlier, later, bound = self.tally(places)
        if not self.plan:
            if earlier > self.budget + TOLERANCE:
                return None, None
            return earlier + self.least * later + bound, None
        floor = earlier + bound
        if floor >= best:
            return None, None
        nbefore = sum(1 for g in self.gangs
                      if g.due <= self.due and g.procs & places)
        rise, culprit = self.plan.judge(places, self.due, self.least,
                                        best - floor, nbefore)
        return (None if rise is None else floor + rise), culprit

    def in_block(self, first, end, best):
        out = set(self.barred)
        for _ in range(5):
            places = set([p for p in range(first, end)
                          if p not in out][:self.n])
            if len(places) < self.n:
                return None, None
            cost, culprit = self.price(places, best)
            if cost is not None or culprit is None:
                return cost, places
            out |= culprit.procs
        return None, None


def find_block(decision, nprocs):
    size = 1
    while size < decision.n:
        size *= 2
    best = (math.inf, None)
    for start in range(0, nprocs, size):
        if start + decision.n > nprocs:
            break
        cost, places = decision.in_block(start, min(start + size, nprocs),
                                         best[0] - TIE)
        if cost is not None and cost < best[0] - TIE:
            best = (cost, places)
    return best[1]


def find_singly(decision, nprocs):
    now, n = decision.now, decision.n
    open_places = [p for p in range(nprocs) if p not in decision.barred]
    if len(open_places) < n:
        return None
    on_place = {p: [g for g in decision.gangs
                    if p in g.procs and not g.late(now)]
                for p in open_places}
    taken, counted = set(), set()
    while len(taken) < n:
        def added(place):
            return sum(g.need(now) if g.due <= decision.due
                       else decision.least
                       for g in on_place[place] if g.number not in counted)
        place, least = None, math.inf
        for p in open_places:
            if p not in taken and added(p) < least - TIE:
                place, least = p, added(p)
        counted.update(g.number for g in on_place[place])
        taken.add(place)
    return taken if decision.price(taken)[0] is not None else None


def find_places(rule, gangs, job, now):
    left = job.due() - now
    if left <= 0 or job.procs > rule.nprocs:
        return None, "would_miss"
    need = min(job.estimate, left)
    if rule.full(gangs, job, need, now):
        return None, "reserve"
    decision = Decision(rule, gangs, job, need, now)
    places = find_block(decision, rule.nprocs) or \
        find_singly(decision, rule.nprocs)
    return places, "would_miss"


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


def advance(gangs, jobs, arrived, now):
    """Run all gangs to the next instant, which is returned; None: the end."""
    instant = next_instant(gangs, jobs, arrived, now)
    for gang in gangs:
        if gang.runs and instant is not None:
            gang.executed += instant - now
    return instant


def simulate(jobs, nprocs, settings):
    gangs, arrived, now = [], 0, 0.0
    rule = Rule(nprocs, settings)
    while True:
        instant = advance(gangs, jobs, arrived, now)
        if instant is None:
            return
        now = instant
        for gang in [g for g in gangs if g.runs and
                     g.job.runtime - g.executed <= 1e-9]:
            gang.job.finish = now
            leave(gangs, gang, now)
        while arrived < len(jobs) and jobs[arrived].submit <= now:
            job = jobs[arrived]
            places, why = find_places(rule, gangs, job, now)
            rule.decided(job, places is not None, now)
            if places:
                job.accepted = True
                enter(gangs, Gang(arrived, job, places), now)
            else:
                job.reason = why
            arrived += 1
        dispatch(gangs, now)


if __name__ == "__main__":
    sys.exit(oracle.check_table("band", simulate))
