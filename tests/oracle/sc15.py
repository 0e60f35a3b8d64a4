#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""EASY with predicted run times, once more and by itself.

Written from the rules below and librasim-estimates(7) alone: integers, one list of
waiting jobs, one sorted list of running ones.  It shares no line with
librasim; what both print for the same log must be the same job by job.

    sc15.py LOG [--sjbf] [--predictor NAME] [--correction NAME]
            [--pass fits|always] [--jobs-out FILE] [--compare FILE]

Input (--filter sc15). Processors are field 8, or field 5 where that is <= 0;
a record without any, or with more than MaxProcs, is dropped. Run time > 0,
request > 0, submission >= 0; the run time is cut to the request. Whole
seconds. A user is field 12. Measured is the mean over all jobs of max(1,
(wait + run time) / max(run time, 10 s)).

Events of one instant (--event-order sc15).
1. Predictions that are over: a running job whose predicted end is now, and
   whose real end is later, gets a corrected prediction.
2. Processors whose predicted end is now count as free, before the end itself
   is handled.
3. Submissions, in the order of the file. Without a predictor a pass follows
   only if the new job fits the free processors; with one a pass follows
   always.
4. Ends, in the order of starts; a pass after each.

A pass. Jobs are started from the head of the queue while they fit. For the
head that does not: the shadow time is the earliest instant at which the
predicted ends of running jobs give it enough processors (all ends of that
instant counted), extra is what is left over then. The others are asked in
order of submission (easy) or of their predictions, then of submission (easy-
sjbf): one that fits now starts if now + prediction <= shadow time, or if it
takes no more than extra, which it reduces.
"""
import argparse
import bisect
import csv
import gzip
import heapq
import math
import sys

MINUTE = 60
HOUR = 3600
INCREMENTS = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 1 * HOUR,
              2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR, 50 * HOUR, 100 * HOUR]


class Job:
    __slots__ = ("number", "submit", "run", "request", "procs", "user",
                 "first", "prediction", "corrections", "start", "serial",
                 "returned")


def read(path, procs=None, last=None):
    """The jobs of a log after the filter, in order of submission."""
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    jobs = []
    records = []
    with opened as log:
        for line in log:
            if line.startswith(";"):
                words = line[1:].split(":", 1)
                if procs is None and words[0].strip() == "MaxProcs":
                    procs = int(words[1].split()[0])
                continue
            if line.strip():
                records.append(line.split())
    for field in records[-last:] if last else records:
        job = Job()
        job.number = int(field[0])
        job.submit = int(field[1])
        job.run = int(float(field[3]))
        job.procs = int(field[7]) if int(field[7]) > 0 else int(field[4])
        job.request = int(float(field[8]))
        job.user = max(0, int(field[11]))
        if (job.procs <= 0 or job.procs > procs or job.run <= 0 or
                job.request <= 0 or job.submit < 0):
            continue
        job.run = min(job.run, job.request)
        jobs.append(job)
    jobs.sort(key=lambda job: job.submit)  # stable
    return jobs, procs


class LastTwo:
    """Half the sum of the two runs of the user's that ended last."""

    def __init__(self):
        self.ended = {}

    def predict(self, job):
        two = self.ended.get(job.user, ())
        if len(two) < 2:
            return job.request
        return max(1, min(job.request, (two[0] + two[1]) // 2))

    def learn(self, job):
        self.ended[job.user] = self.ended.get(job.user, ())[-1:] + (job.run,)


class Quantile:
    """The k-th least ratio of run to request of the user's last jobs.

    Ratios are kept in billionths, rounded up, as core/history.h says.
    """

    def __init__(self, quantile, depth):
        self.quantile = quantile
        self.depth = depth
        self.ratios = {}

    def predict(self, job):
        past = sorted(self.ratios.get(job.user, ()))
        k = max(1, math.ceil(self.quantile * (len(past) + 1) - 1e-9))
        if k > len(past):
            return job.request
        return min(job.request, max(1, past[k - 1] / 1e9 * job.request))

    def learn(self, job):
        past = self.ratios.setdefault(job.user, [])
        past.append(max(1, math.ceil(job.run / job.request * 1e9)))
        del past[:-self.depth]


class Fixed:
    def __init__(self, value):
        self.predict = value

    def learn(self, job):
        pass


def predictor_of(args):
    if args.predictor == "last-two":
        return LastTwo()
    if args.predictor == "quantile":
        return Quantile(args.quantile, args.depth)
    if args.predictor == "clairvoyant":
        return Fixed(lambda job: job.run)
    return Fixed(lambda job: job.request)


def corrected(job, how):
    """The prediction after one that is over."""
    if how == "increments":
        if job.corrections < len(INCREMENTS):
            return min(job.request, job.first + INCREMENTS[job.corrections])
        return job.request
    if how == "double":
        return min(job.request, 2 * job.prediction)
    return job.request


class Machine:
    def __init__(self, procs, args, predictor):
        self.free = procs
        self.args = args
        self.predictor = predictor
        self.waiting = []
        self.running = []  # (predicted end, serial, job)
        self.ends = []     # heap of (end, serial, job)
        self.overs = []    # heap of (predicted end, serial, job)
        self.serial = 0

    def start(self, job, now):
        job.start = now
        job.serial = self.serial
        job.returned = False
        self.serial += 1
        self.free -= job.procs
        entry = (now + job.prediction, job.serial, job)
        bisect.insort(self.running, entry)
        heapq.heappush(self.ends, (now + job.run, job.serial, job))
        if job.prediction < job.run:
            heapq.heappush(self.overs, entry)

    def over(self, now):
        """Correct what is over; processors that are due count as free."""
        while self.overs and self.overs[0][0] <= now:
            entry = heapq.heappop(self.overs)
            job = entry[2]
            del self.running[bisect.bisect_left(self.running, entry)]
            job.prediction = corrected(job, self.args.correction)
            job.corrections += 1
            entry = (job.start + job.prediction, job.serial, job)
            bisect.insort(self.running, entry)
            if job.prediction < job.run:
                heapq.heappush(self.overs, entry)
        while self.running and self.running[0][0] <= now:
            job = self.running.pop(0)[2]
            job.returned = True
            self.free += job.procs

    def end(self, job):
        if not job.returned:
            entry = (job.start + job.prediction, job.serial, job)
            del self.running[bisect.bisect_left(self.running, entry)]
            self.free += job.procs
        self.predictor.learn(job)

    def reservation(self, head):
        """When the head can start, and what is left over then."""
        free = self.free
        shadow = None
        for end, _, job in self.running:
            if free >= head.procs and end > shadow:
                break
            free += job.procs
            shadow = end
        return shadow, free - head.procs

    def schedule(self, now):
        waiting = self.waiting
        while waiting and waiting[0].procs <= self.free:
            self.start(waiting.pop(0), now)
        if len(waiting) < 2 or self.free == 0:
            return
        shadow, extra = self.reservation(waiting[0])
        others = waiting[1:]
        if self.args.sjbf:
            others.sort(key=lambda job: job.prediction)
        gone = set()
        for job in others:
            if job.procs > self.free:
                continue
            if now + job.prediction > shadow:
                if job.procs > extra:
                    continue
                extra -= job.procs
            self.start(job, now)
            gone.add(id(job))
            if self.free == 0:
                break
        if gone:
            self.waiting = [job for job in waiting if id(job) not in gone]

    def submit(self, job, now):
        job.corrections = 0
        job.first = job.prediction = self.predictor.predict(job)
        self.waiting.append(job)
        if self.args.passes == "always" or job.procs <= self.free:
            self.schedule(now)


def simulate(jobs, procs, args):
    machine = Machine(procs, args, predictor_of(args))
    never = float("inf")
    at = 0
    while True:
        now = min(jobs[at].submit if at < len(jobs) else never,
                  machine.ends[0][0] if machine.ends else never,
                  machine.overs[0][0] if machine.overs else never)
        if now == never:
            return
        machine.over(now)
        while at < len(jobs) and jobs[at].submit == now:
            machine.submit(jobs[at], now)
            at += 1
        while machine.ends and machine.ends[0][0] == now:
            machine.end(heapq.heappop(machine.ends)[2])
            machine.schedule(now)


def bounded_slowdown(job):
    return max(1.0, (job.start - job.submit + job.run) / max(job.run, 10))


def compare(jobs, path):
    """Are the starts and predictions those of a table of librasim's?"""
    with open(path) as table:
        rows = list(csv.DictReader(table))
    if len(rows) != len(jobs):
        print("%d jobs, not %d" % (len(rows), len(jobs)))
        return False
    shift = jobs[0].submit - float(rows[0]["submit_s"])
    bad = 0
    for job, row in zip(jobs, rows):
        first = float(row.get("predicted_s", job.first))
        if (int(row["job"]) != job.number or first != job.first or
                float(row["start_s"]) + shift != job.start):
            bad += 1
            if bad <= 3:
                print("job %d: start %s, prediction %s; not %s and %s" %
                      (job.number, job.start - shift, job.first,
                       row["start_s"], first))
    if bad:
        print("%d of %d jobs differ" % (bad, len(jobs)))
    return bad == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--procs", type=int)
    parser.add_argument("--last", type=int)
    parser.add_argument("--sjbf", action="store_true")
    parser.add_argument("--predictor", default="requested",
                        choices=["requested", "clairvoyant", "last-two",
                                 "quantile"])
    parser.add_argument("--quantile", type=float, default=0.5)
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--correction", default="request",
                        choices=["request", "increments", "double"])
    parser.add_argument("--pass", dest="passes",
                        choices=["fits", "always"])
    parser.add_argument("--jobs-out", metavar="FILE")
    parser.add_argument("--compare", metavar="FILE",
                        help="a table of librasim run --jobs-out: fail unless "
                        "every start and prediction is the same")
    args = parser.parse_args()
    if args.passes is None:
        args.passes = "fits" if args.predictor == "requested" else "always"
    jobs, procs = read(args.log, args.procs, args.last)
    simulate(jobs, procs, args)
    if args.compare and not compare(jobs, args.compare):
        return 1
    if args.jobs_out:
        with open(args.jobs_out, "w") as out:
            out.write("job,submit_s,start_s,finish_s,prediction_s\n")
            for job in jobs:
                out.write("%d,%d,%d,%d,%r\n" %
                          (job.number, job.submit, job.start,
                           job.start + job.run, job.first))
    mean = math.fsum(map(bounded_slowdown, jobs)) / len(jobs)
    print("jobs %d procs %d mean_bounded_slowdown %.13g" %
          (len(jobs), procs, mean))
    return 0


if __name__ == "__main__":
    sys.exit(main())
