#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""market.py - a second implementation of the policies that sell shares.

As oracle.py, whose tables and comparison it uses: it takes the inputs out of a
per-job table, decides and simulates by itself, and compares job by job.

    librasim run --policy market-cac --jobs-out jobs.csv TRACE
    tests/oracle/market.py jobs.csv --policy market-cac --procs 8

--set NAME=VALUE takes the parameters that librasim was given.

Written from librasim-markets(7); plain on purpose:
every processor is a list of tasks, every price and every sum is computed anew,
and the history of the price is a list of all its pieces.

    bid         budget / (deadline x processors), on each of them
    division    CPUs by the bids of the running tasks; one that could get more
                than `most` has `most`, and the rest is divided among the
                others (strict: lost)
    choice      the processors of which the new bid would get `least` at the
                price of the moment; the cheapest, by price / bid in steps of
                1e-9, ties by number
    price       the mean over the cheapest `watched` % of the processors, the
                last of them in part
    history     the price as it was from the first offer on.  It is kept in
                pieces of window / 64 that follow each other from there; the
                last 64 of them, of which the newest is not complete, are the
                window.  After a time longer than the window in which nothing
                happened it begins anew, one window before the present.
    bound       mean + k sd over time; k = sqrt(g / (1 - g)), or with
                one_sided = 0: 1 / sqrt(1 - g)
    sac         bid >= promise / cpus x bound, with floor: what the bid gets at
                the bound >= promise, where promise = estimate / deadline
    cac         also: the new job, and each contract that has a task on one of
                the processors chosen and its deadline before it, gets what it
                was promised, both summed over its processors
    random      a number of splitmix64 for each job that could be accepted

Exit status as of oracle.py.
"""

import argparse
import csv
import math
import sys

import oracle

WORK_TOLERANCE_S = 1e-6
SHARE_TOLERANCE = 1e-9
STEPS = 64
POLICIES = ("market-be", "market-sac", "market-cac", "random-reject")
DEFAULTS = {
    "cpus": 1.0, "most": 0.0, "least": 0.0, "strict": 0.0,
    "guarantee": 0.6, "one_sided": 1.0, "window": 1800.0, "floor": 0.0,
    "watched": 100.0, "reject": 37.0, "seed": 1.0,
}


class Part:
    """What a job runs on one processor."""

    def __init__(self, job):
        self.job = job
        self.left = job.runtime
        self.rate = 0.0


def divide(bids, settings):
    """What each of some bids gets of one processor."""
    cpus = settings["cpus"]
    most = min(settings["most"] or cpus, cpus)
    if settings["strict"]:
        return [min(b / sum(bids) * cpus, most) for b in bids]
    gets = [None] * len(bids)
    while True:
        open_bids = [b for b, g in zip(bids, gets) if g is None]
        total = sum(open_bids)
        full = [i for i, b in enumerate(bids)
                if gets[i] is None and b / total * cpus >= most]
        if not full:
            break
        for i in full:
            gets[i] = most
        cpus -= most * len(full)
    return [b / total * cpus if g is None else g for b, g in zip(bids, gets)]


def alone_against(bid, price, settings):
    """What a bid gets where the others spend price, by its part alone."""
    cpus = settings["cpus"]
    return min(cpus * bid / (bid + price), settings["most"] or cpus)


class Processor:
    """Tasks in order of arrival, and when the next one ends."""

    def __init__(self, number, settings):
        self.number = number
        self.settings = settings
        self.parts = []
        self.since = 0.0

    def price(self):
        return sum(p.job.bid for p in self.parts)

    def next_end(self):
        ends = [self.since if p.left <= WORK_TOLERANCE_S
                else self.since + p.left / p.rate
                for p in self.parts if p.rate > 0]
        return min(ends, default=math.inf)

    def change(self, now, new=None):
        """Progress to now; end what is done; add a task; new rates."""
        for part in self.parts:
            part.left -= part.rate * (now - self.since)
        self.since = now
        # Done, or so little left that it takes no time.
        for part in [p for p in self.parts
                     if p.left <= WORK_TOLERANCE_S or
                     now + p.left / p.rate <= now]:
            self.parts.remove(part)
            oracle.end_part(part.job, now)
        if new:
            self.parts.append(Part(new))
        rates = divide([p.job.bid for p in self.parts], self.settings)
        for part, rate in zip(self.parts, rates):
            part.rate = rate


class History:
    """The price over time, and the window of its last pieces."""

    def __init__(self, window):
        self.window = window
        self.begin = None               # of the pieces
        self.pieces = []                # (from, to, price)

    def hold(self, price, now):
        """The price was so since the last call."""
        if self.begin is None:
            self.begin = self.end = now
        if now <= self.end:
            return
        if now - self.end > self.window:
            self.begin = self.end = now - self.window
            self.pieces = []
        self.pieces.append((self.end, now, price))
        self.end = now

    def bound(self, settings):
        step = self.window / STEPS
        # The newest step is the one that the present ends or is within.
        newest = max(math.ceil((self.end - self.begin) / step - 1e-9), 1)
        first = self.begin + max(newest - STEPS, 0) * step
        time = total = square = 0.0
        for begin, end, price in self.pieces:
            length = end - max(begin, first)
            if length > 0:
                time += length
                total += price * length
        if time == 0:
            return 0.0
        mean = total / time
        for begin, end, price in self.pieces:
            length = end - max(begin, first)
            if length > 0:
                square += (price - mean) ** 2 * length
        g = settings["guarantee"]
        k = math.sqrt((g if settings["one_sided"] else 1.0) / (1 - g))
        return mean + k * math.sqrt(square / time)


class Lots:
    """splitmix64, of which the upper 53 bits are a number in [0, 1)."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = int(seed)

    def draw(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & self.MASK
        z = self.state
        z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & self.MASK
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & self.MASK
        return ((z ^ z >> 31) >> 11) / (1 << 53)


class Market:
    """All processors under one policy."""

    def __init__(self, nprocs, policy, settings):
        self.policy = policy
        self.settings = settings
        self.processors = [Processor(i, settings) for i in range(nprocs)]
        self.history = History(settings["window"])
        self.lots = Lots(settings["seed"])

    def price(self):
        prices = sorted(p.price() for p in self.processors)
        watched = len(prices) * self.settings["watched"] / 100
        whole = int(watched)
        total = sum(prices[:whole])
        if whole < watched:
            total += prices[whole] * (watched - whole)
        return total / watched

    def next_end(self):
        return min(p.next_end() for p in self.processors)

    def run_until(self, now):
        """Everything that ends up to now, or only rounding puts it later."""
        while True:
            instant = self.next_end()
            if instant > now + WORK_TOLERANCE_S or instant == math.inf:
                return
            instant = min(instant, now)
            self.history.hold(self.price(), instant)
            for processor in self.processors:
                if processor.next_end() <= instant + WORK_TOLERANCE_S:
                    processor.change(instant)

    def choose(self, job):
        """The cheapest processors that give least."""
        keys = sorted(
            (oracle.llround(p.price() / job.bid * 1e9), p.number)
            for p in self.processors
            if alone_against(job.bid, p.price(), self.settings) >=
            self.settings["least"])
        return [self.processors[number] for _, number in keys[:job.procs]]

    def affords(self, job):
        bound = self.history.bound(self.settings)
        if self.settings["floor"]:
            return alone_against(job.bid, bound, self.settings) >= \
                job.promise - SHARE_TOLERANCE
        return job.bid >= job.promise / self.settings["cpus"] * bound

    def keeps(self, job, chosen, now):
        """Does everybody whom the job meets get what it was promised?"""
        gets, promised, met = {}, {}, {job}
        for processor in self.processors:
            there = [p.job for p in processor.parts]
            if processor in chosen:
                met.update(there)
                there.append(job)
            rates = divide([j.bid for j in there], self.settings)
            for other, rate in zip(there, rates):
                gets[other] = gets.get(other, 0.0) + rate
                promised[other] = promised.get(other, 0.0) + other.promise
        if gets[job] < promised[job] - SHARE_TOLERANCE * job.procs:
            return False
        return all(gets[j] >= promised[j] * (1 - SHARE_TOLERANCE)
                   for j in met if j is not job and j.due() > now)

    def verdict(self, job, chosen, now):
        """Why the job is refused, or None."""
        if len(chosen) < job.procs:
            return "least"
        if job.bid <= 0:
            return "budget"
        if self.policy in ("market-sac", "market-cac") and \
                not self.affords(job):
            return "price"
        if self.policy == "market-cac" and \
                not self.keeps(job, chosen, now):
            return "contract"
        if self.policy == "random-reject" and \
                100 * self.lots.draw() < self.settings["reject"]:
            return "random"
        return None

    def arrive(self, job):
        now = job.submit
        self.run_until(now)
        if job.procs > len(self.processors):
            job.reason = "size"
            return
        self.history.hold(self.price(), now)
        chosen = self.choose(job) if job.bid > 0 else self.processors
        job.reason = self.verdict(job, chosen, now) or ""
        if job.reason:
            return
        job.accepted = True
        job.start = now
        job.parts_running = job.procs
        for processor in chosen:
            processor.change(now, job)


def simulate(jobs, nprocs, policy, settings):
    market = Market(nprocs, policy, settings)
    for job in jobs:
        market.arrive(job)
    while market.next_end() < math.inf:
        market.run_until(market.next_end())


def read_bids(jobs, path, policy):
    with oracle.open_text(path) as stream:
        rows = [r for r in csv.DictReader(stream)
                if r.get("policy") in (policy, "", None)]
    for job, row in zip(jobs, rows):
        where = "%s: job %s" % (path, job.name)
        budget = oracle.read_number(row, "budget", where)
        job.bid = budget / job.deadline / job.procs
        job.promise = job.estimate / job.deadline


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Simulate the jobs of a per-job table a second time, "
        "independently, and compare.")
    parser.add_argument("--policy", required=True, choices=POLICIES)
    oracle.add_settings(parser)
    return oracle.parse_table_arguments(parser)


def run(options):
    settings = dict(DEFAULTS)
    for name, value in oracle.read_settings(options).items():
        if name not in settings:
            raise oracle.OracleError("no parameter %s" % name)
        settings[name] = value
    jobs, rows = oracle.read_table(
        options.table, oracle.INPUTS + oracle.RESULTS, options.policy)
    read_bids(jobs, options.table, options.policy)
    simulate(jobs, options.procs, options.policy, settings)
    sys.stdout.write(oracle.summary(jobs, options.policy) + "\n")
    agree = oracle.compare(jobs, rows, options.table, options.show,
                           sys.stdout)
    sys.stdout.write("agree\n" if agree else "DISAGREE\n")
    return 0 if agree else 1


def main():
    try:
        return run(parse_arguments())
    except (oracle.OracleError, OSError, UnicodeDecodeError,
            csv.Error) as error:
        sys.stderr.write("market.py: %s\n" % error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
