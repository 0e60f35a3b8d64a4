#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""oracle.py - a second, independent implementation of the scheduling rules.

It reads a per-job table (librasim run --jobs-out), takes only the inputs of
each row (submit, processors, run time, estimate, deadline), decides and
simulates the same jobs by itself, and compares verdict, start, finish and
fulfilment with the table.  It shares no code with the C sources and was
written from the text of the rules alone, so an error has to be made twice in
the same way to go unseen.  It is slow and plain on purpose: every processor
is simulated on its own, nothing is grouped, kept incrementally or shortened.

The rules, in short:

  time-shared (libra, librarisk)
    share(i, now) = 1                       if the deadline has passed
                    estimate / deadline     if est_left <= 0
                    est_left / (D_i - now)  otherwise
    rate = share / sum of the shares on the processor.  Shares are renewed
    only when a task is added to the processor or finishes on it; a task with
    work_left <= 1e-6 s at such an event is finished.
    libra      suits: S = estimate/deadline + sum of shares <= 1 + 1e-9;
               largest S first, compared as llround(S * 1e9), then index.
    librarisk  suits: empty, or no late task and (S <= 1 + 1e-9 or
               sigma <= 1e-9); the first ones in index order.
  space-shared (fcfs, easy, easy-sjbf, edf, fcfs-bf, edf-bf)
    at each instant all finishes, all arrivals, then one pass over the queue.

Where the text leaves a choice, this program takes the most literal reading:

 A1  A task over its estimate, inside the projection of librarisk, counts as
     1 s of work.  Its share there stays estimate / deadline until its
     deadline passes (--overrun-share=kept); --overrun-share=remaining takes
     1 s / (D - now) instead.
 A2  "The deadline has passed" and "late" both mean D - now <= 0.  At
     D == now the third line of the share would divide by zero.
 A3  sigma: delay = max(0, projected finish - D), with no tolerance; the
     remaining deadline is the one at the time of the decision; deadline
     delay = (delay + remaining) / remaining; population form, two passes.
 A4  Sums of shares add the new job first, then the tasks in the order in
     which they came to the processor.
 A5  A task that is over at an arrival but for rounding (work_left <= 1e-6 s
     and its event an instant later) is still on the processor when the
     arrival is judged; if the new task is added there, that is an event and
     the old task finishes then.  An event at exactly the arrival's time
     comes before the arrival.
 A6  Passing zero est_left between two events changes nothing until the next
     event of that processor, but S and the projection at an arrival see it:
     they take est_left "as of now".
 A7  A refused offer is no event: it leaves progress and rates alone.
 A8  A job that asks for more processors than there are is rejected at its
     submission, by every policy.
 A9  edf, edf-bf: "ties by submit order" is the row order.
 A10 fcfs-bf, edf-bf: a candidate for backfilling is tested for lateness only
     if it fits and would end by the head's expected start; candidates are
     scanned once, in queue order.  Lateness: now + estimate > D + 1e-6.
 A11 easy: a running job over its estimate counts as ending now, as it does
     under fcfs-bf and edf-bf.  (In the normalised traces none overruns.)
 A12 Two instants are one if the doubles are equal; no tolerance.
 A13 A job without a deadline is never late and never rejected for it by a
     queue policy; libra and librarisk need a deadline in every row.
 A14 --risk-rule=sigma leaves out the first two conditions of librarisk and
     asks for sigma <= 1e-9 alone (still: no late task), to show that both
     conditions imply it.

With --swf FILE it reads a normalised trace (see normalize.py) instead of a
table, simulates fcfs or easy in whole seconds and prints mean wait, mean
bounded slowdown, makespan and utilisation.

Exit status: 0 the tables agree (>= 99.9 % of the verdicts, >= 99 % of the
finish times), 1 they do not or the input cannot be read, 2 usage.
"""

import argparse
import bisect
import csv
import gzip
import heapq
import math
import sys

SHARE_TOLERANCE = 1e-9
SIGMA_TOLERANCE = 1e-9
TIME_TOLERANCE_S = 1e-6
WORK_TOLERANCE_S = 1e-6
OVERRUN_WORK_S = 1.0

SHARED = ("libra", "librarisk")
#        name:     (order,      tests deadlines, backfilling)
QUEUED = {
    "fcfs":    ("submit",   False, None),
    "easy":    ("submit",   False, "extra"),
    "easy-sjbf": ("submit", False, "shortest"),
    "edf":     ("deadline", True,  None),
    "fcfs-bf": ("submit",   True,  "strict"),
    "edf-bf":  ("deadline", True,  "strict"),
}

INPUTS = ("job", "submit_s", "procs", "runtime_s", "estimate_s", "deadline_s")
RESULTS = ("verdict", "start_s", "finish_s", "fulfilled")
COLUMNS = INPUTS + ("high_urgency", "verdict", "reason", "start_s",
                    "finish_s", "fulfilled")


class OracleError(Exception):
    """Something in the input that the user has to mend."""


class Job:
    """The inputs of one row, and what the simulation makes of them."""

    def __init__(self, name, submit, procs, runtime, estimate, deadline,
                 high_urgency=""):
        self.name = name
        self.submit = submit
        self.procs = procs
        self.runtime = runtime
        self.estimate = estimate
        self.deadline = deadline        # relative to submit; None: none
        self.high_urgency = high_urgency
        self.accepted = False
        self.reason = ""
        self.start = None
        self.finish = None
        self.parts_running = 0

    def due(self):
        """The absolute deadline."""
        if self.deadline is None:
            return math.inf
        return self.submit + self.deadline

    def is_fulfilled(self):
        return self.accepted and self.finish <= self.due() + TIME_TOLERANCE_S

    def would_be_late(self, now):
        return now + self.estimate > self.due() + TIME_TOLERANCE_S


# --------------------------------------------------------- time-shared ----

class Task:
    """The part of one job on one processor."""

    def __init__(self, job):
        self.job = job
        self.due = job.due()
        self.kept_share = job.estimate / job.deadline
        self.est_left = job.estimate
        self.work_left = job.runtime
        self.rate = 0.0


def share(est_left, kept_share, due, now):
    if due - now <= 0.0:
        return 1.0
    if est_left <= 0.0:
        return kept_share
    return est_left / (due - now)


class Processor:
    """One processor: its tasks, and the instant of its last event."""

    def __init__(self, index):
        self.index = index
        self.tasks = []
        self.last_event = 0.0
        self.next_event = math.inf

    def est_left_at(self, task, now):
        return task.est_left - task.rate * (now - self.last_event)

    def event(self, now, new_task=None):
        """Progress to now, end what is done, add a task, renew the shares."""
        elapsed = now - self.last_event
        for task in self.tasks:
            task.est_left -= task.rate * elapsed
            task.work_left -= task.rate * elapsed
        self.last_event = now

        staying = []
        for task in self.tasks:
            if task.work_left <= WORK_TOLERANCE_S:
                end_part(task.job, now)
            else:
                staying.append(task)
        self.tasks = staying
        if new_task is not None:
            self.tasks.append(new_task)

        shares = [share(t.est_left, t.kept_share, t.due, now)
                  for t in self.tasks]
        total = sum(shares)
        self.next_event = math.inf
        for task, its_share in zip(self.tasks, shares):
            task.rate = its_share / total
            self.next_event = min(self.next_event,
                                  now + task.work_left / task.rate)

    def run_until(self, now):
        """All events up to now, that instant included."""
        while self.next_event <= now:
            self.event(self.next_event)

    def share_sum(self, job, now):
        """S_j(now, new)"""
        return job.estimate / job.deadline + sum(
            share(self.est_left_at(t, now), t.kept_share, t.due, now)
            for t in self.tasks)

    def has_late_task(self, now):
        return any(t.due - now <= 0.0 for t in self.tasks)

    def sigma(self, job, now, overrun_share):
        """The risk of deadline delay if the new job came to this processor."""
        entries = []
        for task in self.tasks:
            entries.append((self.est_left_at(task, now), task.kept_share,
                            task.due))
        entries.append((job.estimate, job.estimate / job.deadline, job.due()))
        finish = project(entries, now, overrun_share)

        delays = []
        for (_, _, due), end in zip(entries, finish):
            remaining = due - now
            delay = max(0.0, end - due)
            delays.append((delay + remaining) / remaining)
        mean = sum(delays) / len(delays)
        return math.sqrt(sum((d - mean) ** 2 for d in delays) / len(delays))


def project(entries, now, overrun_share):
    """Finish of each (est_left, kept share, due) if nothing else comes."""
    finish = [None] * len(entries)
    work = []
    overran = []
    for est_left, _, _ in entries:
        overran.append(est_left <= 0.0)
        work.append(est_left if est_left > 0.0 else OVERRUN_WORK_S)

    left = list(range(len(entries)))
    while left:
        shares = []
        for i in left:
            _, kept_share, due = entries[i]
            est_left = work[i]
            if overran[i] and overrun_share == "kept":
                est_left = 0.0
            shares.append(share(est_left, kept_share, due, now))
        total = sum(shares)
        rates = [s / total for s in shares]
        step = min(work[i] / rate for i, rate in zip(left, rates))
        now += step
        for i, rate in zip(left, rates):
            work[i] -= rate * step
        for i in left:
            if work[i] <= WORK_TOLERANCE_S:
                finish[i] = now
        left = [i for i in left if finish[i] is None]
    return finish


def end_part(job, now):
    job.parts_running -= 1
    job.finish = now if job.finish is None else max(job.finish, now)


def llround(x):
    """Round half away from zero, as C does (x is never negative here)."""
    whole = math.floor(x)
    return int(whole) + (1 if x - whole >= 0.5 else 0)


def choose_libra(processors, job, now, options):
    suitable = []
    for processor in processors:
        total = processor.share_sum(job, now)
        if total <= 1.0 + SHARE_TOLERANCE:
            suitable.append((-llround(total * 1e9), processor.index))
    suitable.sort()
    return [processors[index] for _, index in suitable[:job.procs]]


def risk_free(processor, job, now, options):
    if options.risk_rule == "text" and not processor.tasks:
        return True
    if processor.has_late_task(now):
        return False
    if options.risk_rule == "text" and \
            processor.share_sum(job, now) <= 1.0 + SHARE_TOLERANCE:
        return True
    return processor.sigma(job, now, options.overrun_share) <= SIGMA_TOLERANCE


def choose_librarisk(processors, job, now, options):
    chosen = []
    for processor in processors:
        if len(chosen) == job.procs:
            break
        if risk_free(processor, job, now, options):
            chosen.append(processor)
    return chosen


def simulate_shared(jobs, nprocs, policy, options):
    """Processors do not influence each other between arrivals, so each one
    runs through its own events up to the next arrival."""
    processors = [Processor(index) for index in range(nprocs)]
    choose = choose_libra if policy == "libra" else choose_librarisk
    for job in jobs:
        if job.deadline is None or job.deadline <= 0.0:
            raise OracleError("job %s: %s needs a deadline above zero" %
                              (job.name, policy))
    for job in jobs:
        now = job.submit
        if job.procs > nprocs:
            job.reason = "size"
            continue
        for processor in processors:
            processor.run_until(now)
        chosen = choose(processors, job, now, options)
        if len(chosen) < job.procs:
            job.reason = "share" if policy == "libra" else "risk"
            continue
        job.accepted = True
        job.start = now
        job.parts_running = job.procs
        for processor in chosen:
            processor.event(now, Task(job))
    for processor in processors:
        while processor.tasks:
            processor.event(processor.next_event)


# -------------------------------------------------------- space-shared ----

class Machine:
    """Processors that a job holds from its start to its end."""

    def __init__(self, nprocs):
        self.free = nprocs
        self.running = []               # jobs
        self.finishes = []              # heap of (finish, order, job)

    def start(self, job, now):
        job.accepted = True
        job.start = now
        job.finish = now + job.runtime
        self.free -= job.procs
        self.running.append(job)
        heapq.heappush(self.finishes, (job.finish, id(job), job))

    def end_jobs(self, now):
        while self.finishes and self.finishes[0][0] <= now:
            job = heapq.heappop(self.finishes)[2]
            self.free += job.procs
            self.running.remove(job)

    def reservation(self, head, now):
        """The head's expected start and the processors it then leaves."""
        ends = sorted((max(job.start + job.estimate, now), job.procs)
                      for job in self.running)
        free = self.free
        shadow = None
        for end, procs in ends:
            if shadow is not None and end > shadow:
                break
            free += procs
            if shadow is None and free >= head.procs:
                shadow = end
        return shadow, free - head.procs


def scheduling_pass(queue, machine, now, tests_deadlines, backfilling):
    """One pass; returns the queue that is left."""
    def start_or_reject(job):
        if tests_deadlines and job.would_be_late(now):
            job.reason = "late"
        else:
            machine.start(job, now)

    taken = 0
    while taken < len(queue) and queue[taken][-1].procs <= machine.free:
        start_or_reject(queue[taken][-1])
        taken += 1
    queue = queue[taken:]
    if backfilling is None or len(queue) < 2 or machine.free == 0:
        return queue

    shadow, extra = machine.reservation(queue[0][-1], now)
    waiting = [queue[0]]
    others = queue[1:]
    if backfilling == "shortest":
        others.sort(key=lambda entry: entry[-1].estimate)
    for entry in others:
        job = entry[-1]
        ends_in_time = now + job.estimate <= shadow
        if job.procs > machine.free:
            waiting.append(entry)
        elif ends_in_time:
            start_or_reject(job)
        elif backfilling != "strict" and job.procs <= extra:
            start_or_reject(job)
            extra -= job.procs
        else:
            waiting.append(entry)
    return sorted(waiting, key=lambda entry: entry[:2])


def simulate_queue(jobs, nprocs, policy):
    order, tests_deadlines, backfilling = QUEUED[policy]
    machine = Machine(nprocs)
    queue = []                          # (key, row, job), sorted
    row = 0
    while row < len(jobs) or machine.finishes:
        now = math.inf
        if row < len(jobs):
            now = jobs[row].submit
        if machine.finishes:
            now = min(now, machine.finishes[0][0])
        machine.end_jobs(now)
        while row < len(jobs) and jobs[row].submit <= now:
            job = jobs[row]
            if job.procs > nprocs:
                job.reason = "size"
            else:
                key = job.due() if order == "deadline" else 0
                bisect.insort(queue, (key, row, job))
            row += 1
        queue = scheduling_pass(queue, machine, now, tests_deadlines,
                                backfilling)
    if queue:
        raise OracleError("internal: %d jobs never started" % len(queue))


def simulate(jobs, nprocs, policy, options):
    if policy in SHARED:
        simulate_shared(jobs, nprocs, policy, options)
    else:
        simulate_queue(jobs, nprocs, policy)


# -------------------------------------------------------------- tables ----

def open_text(path):
    if path == "-":
        return sys.stdin
    if path.endswith(".gz"):
        return gzip.open(path, "rt", newline="")
    return open(path, newline="")


def read_number(row, column, where, positive=False):
    try:
        value = float(row[column])
    except (TypeError, ValueError):
        raise OracleError("%s: %s is %r, not a number" %
                          (where, column, row[column])) from None
    if not math.isfinite(value) or (positive and value <= 0.0):
        raise OracleError("%s: %s is %r" % (where, column, row[column]))
    return value


def read_table(path, needed, policy=None):
    """The jobs and, row by row, what the table says of them.  If the rows
    name their policy, those of other policies are passed over."""
    jobs = []
    rows = []
    with open_text(path) as stream:
        reader = csv.DictReader(stream)
        for column in needed:
            if column not in (reader.fieldnames or ()):
                raise OracleError("%s: no column %s" % (path, column))
        for row in reader:
            if policy and row.get("policy") not in (policy, "", None):
                continue
            where = "%s:%d" % (path, reader.line_num)
            deadline = None
            if row["deadline_s"] not in ("", None):
                deadline = read_number(row, "deadline_s", where)
            procs = read_number(row, "procs", where, positive=True)
            if procs != int(procs):
                raise OracleError("%s: procs is %r" % (where, row["procs"]))
            job = Job(row["job"], read_number(row, "submit_s", where),
                      int(procs),
                      read_number(row, "runtime_s", where, positive=True),
                      read_number(row, "estimate_s", where, positive=True),
                      deadline, row.get("high_urgency") or "")
            if jobs and job.submit < jobs[-1].submit:
                raise OracleError("%s: not in submit order" % where)
            jobs.append(job)
            rows.append(row)
    if not jobs:
        raise OracleError("%s: no row to simulate%s" %
                          (path, " under " + policy if policy else ""))
    return jobs, rows


def write_table(jobs, stream):
    def number(value):
        return "" if value is None else repr(value)

    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for job in jobs:
        writer.writerow([
            job.name, number(job.submit), job.procs, number(job.runtime),
            number(job.estimate), number(job.deadline), job.high_urgency,
            "accept" if job.accepted else "reject", job.reason,
            number(job.start), number(job.finish),
            "1" if job.is_fulfilled() else "0"])


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def summary(jobs, policy):
    accepted = sum(job.accepted for job in jobs)
    fulfilled = [job for job in jobs if job.is_fulfilled()]
    slowdown = sum((j.finish - j.submit) / j.runtime for j in fulfilled)
    return "%s: %d jobs, %d accepted, %d fulfilled (%.2f %%), " \
        "reliability %.2f %%, mean slowdown %.3f" % (
            policy, len(jobs), accepted, len(fulfilled),
            percent(len(fulfilled), len(jobs)),
            percent(len(fulfilled), accepted),
            slowdown / len(fulfilled) if fulfilled else 0.0)


# ---------------------------------------------------------- comparison ----

def same_time(a, b):
    difference = abs(a - b)
    return difference <= 1e-3 or difference <= 1e-9 * max(abs(a), abs(b))


def is_true(text):
    return text.strip().lower() in ("1", "true", "yes")


def compare(jobs, rows, path, show, out):
    """Prints the comparison; True if the table agrees."""
    same_verdicts = both = same_starts = same_finishes = same_fulfilled = 0
    first = []
    for number, (job, row) in enumerate(zip(jobs, rows), 1):
        where = "%s: row %d" % (path, number)
        if row["verdict"] not in ("accept", "reject"):
            raise OracleError("%s: verdict is %r" % (where, row["verdict"]))
        theirs = row["verdict"] == "accept"
        unlike = []
        if theirs == job.accepted:
            same_verdicts += 1
        else:
            unlike.append("verdict %s, oracle %s" % (
                row["verdict"], "accept" if job.accepted else
                "reject (%s)" % job.reason))
        if is_true(row["fulfilled"]) == job.is_fulfilled():
            same_fulfilled += 1
        else:
            unlike.append("fulfilled %s, oracle %d" %
                          (row["fulfilled"], job.is_fulfilled()))
        if theirs and job.accepted:
            both += 1
            start = read_number(row, "start_s", where)
            finish = read_number(row, "finish_s", where)
            if same_time(start, job.start):
                same_starts += 1
            else:
                unlike.append("start %r, oracle %r" % (start, job.start))
            if same_time(finish, job.finish):
                same_finishes += 1
            else:
                unlike.append("finish %r, oracle %r" % (finish, job.finish))
        if unlike:
            first.append("row %d, job %s at %r: %s" %
                         (number, job.name, job.submit,
                          "; ".join(unlike)))

    def line(what, same, of):
        out.write("%-16s %d of %d (%.4f %%)\n" %
                  (what, same, of, percent(same, of)))

    out.write("%-16s %d\n" % ("rows", len(jobs)))
    line("equal verdicts", same_verdicts, len(jobs))
    line("equal starts", same_starts, both)
    line("equal finishes", same_finishes, both)
    line("equal fulfilled", same_fulfilled, len(jobs))
    if first:
        out.write("first differences, %d in all:\n" % len(first))
    for text in first[:show]:
        out.write("  %s\n" % text)
    # Exact integers: 99.9 % and 99 % without rounding.
    return 1000 * same_verdicts >= 999 * len(jobs) and \
        100 * same_finishes >= 99 * both


# ----------------------------------------------------------------- SWF ----

def read_swf(path):
    """A normalised trace; whole seconds stay integers."""
    jobs = []
    with open_text(path) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip() or line.lstrip().startswith(";"):
                continue
            try:
                field = [int(text) for text in line.split()]
                name, submit, run, procs, estimate = (
                    field[0], field[1], field[3], field[4], field[8])
            except (ValueError, IndexError):
                raise OracleError("%s:%d: not a normalised record" %
                                  (path, number)) from None
            if run <= 0 or procs <= 0 or estimate < run or \
                    (jobs and submit < jobs[-1].submit):
                raise OracleError("%s:%d: not a normalised record" %
                                  (path, number))
            jobs.append(Job(str(name), submit, procs, run, estimate, None))
    return jobs


def report_swf(jobs, nprocs, out):
    done = [job for job in jobs if job.accepted]
    if not done:
        raise OracleError("no job of the trace fits %d processors" % nprocs)
    wait = sum(job.start - job.submit for job in done)
    slowdown = math.fsum(
        max(1.0, (job.start - job.submit + job.runtime) /
            max(10, job.runtime)) for job in done)
    makespan = max(job.finish for job in done) - done[0].submit
    work = sum(job.runtime * job.procs for job in done)
    out.write("jobs                   %d\n" % len(done))
    out.write("mean wait              %.4f s\n" % (wait / len(done)))
    out.write("mean bounded slowdown  %.6f\n" % (slowdown / len(done)))
    out.write("makespan               %d s\n" % makespan)
    out.write("utilisation            %.5f\n" % (work / (nprocs * makespan)))


# ---------------------------------------------------------------- main ----

def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Simulate the jobs of a per-job table a second time, "
        "independently, and compare.")
    parser.add_argument("table", nargs="?",
                        help="table of librasim run --jobs-out; - is stdin")
    parser.add_argument("--policy", required=True,
                        choices=SHARED + tuple(QUEUED))
    parser.add_argument("--procs", type=int, required=True, metavar="N")
    parser.add_argument("--swf", metavar="FILE",
                        help="read a normalised trace instead of a table")
    parser.add_argument("--simulate-only", action="store_true",
                        help="write the table computed here")
    parser.add_argument("--overrun-share", default="kept",
                        choices=("kept", "remaining"))
    parser.add_argument("--risk-rule", default="text",
                        choices=("text", "sigma"))
    parser.add_argument("--show", type=int, default=10, metavar="N",
                        help="differences to print (default 10)")
    options = parser.parse_args()
    if options.procs < 1:
        parser.error("--procs must be at least 1")
    if (options.table is None) == (options.swf is None):
        parser.error("give either a table or --swf FILE")
    if options.swf and options.policy not in ("fcfs", "easy"):
        parser.error("--swf goes with the policies fcfs and easy: "
                     "a trace has no deadlines")
    return options


def run(options):
    if options.swf:
        jobs = read_swf(options.swf)
        simulate(jobs, options.procs, options.policy, options)
        if options.simulate_only:
            write_table(jobs, sys.stdout)
        else:
            report_swf(jobs, options.procs, sys.stdout)
        return 0
    needed = INPUTS if options.simulate_only else INPUTS + RESULTS
    # A table made for comparison speaks of one policy; inputs serve any.
    jobs, rows = read_table(options.table, needed,
                            None if options.simulate_only else options.policy)
    simulate(jobs, options.procs, options.policy, options)
    if options.simulate_only:
        write_table(jobs, sys.stdout)
        sys.stderr.write(summary(jobs, options.policy) + "\n")
        return 0
    sys.stdout.write(summary(jobs, options.policy) + "\n")
    agree = compare(jobs, rows, options.table, options.show, sys.stdout)
    sys.stdout.write("agree\n" if agree else "DISAGREE\n")
    return 0 if agree else 1


def parse_table_arguments(parser):
    """What all that simulate the jobs of a table again are told."""
    parser.add_argument("table", help="table of librasim run --jobs-out")
    parser.add_argument("--procs", type=int, required=True, metavar="N")
    parser.add_argument("--show", type=int, default=10, metavar="N")
    options = parser.parse_args()
    if options.procs < 1:
        parser.error("--procs must be at least 1")
    return options


def add_settings(parser):
    parser.add_argument("--set", action="append", default=[],
                        metavar="NAME=VALUE")


def read_settings(options):
    """NAME=VALUE of each --set, yes and no as 1 and 0."""
    return {key: float({"yes": 1, "no": 0}.get(value, value))
            for key, value in (s.split("=") for s in options.set)}


def check_table(policy, simulate_again, nodes=None):
    """The command line of POLICY.py: the jobs of a table under it.

    nodes: the module of that name, of a policy that knows nodes."""
    parser = argparse.ArgumentParser(
        description="Simulate the jobs of a per-job table under %s a second "
        "time, independently, and compare." % policy)
    add_settings(parser)
    if nodes:
        nodes.add_options(parser)
    options = parse_table_arguments(parser)
    try:
        jobs, rows = read_table(options.table, INPUTS + RESULTS, policy)
        cluster = nodes.read_cluster(options) if nodes else None
        if cluster:
            simulate_again(jobs, options.procs, read_settings(options),
                           cluster)
        else:
            simulate_again(jobs, options.procs, read_settings(options))
        sys.stdout.write(summary(jobs, policy) + "\n")
        agree = compare(jobs, rows, options.table, options.show, sys.stdout)
        if cluster:
            agree &= nodes.compare(jobs, rows, options.show, sys.stdout)
    except (OracleError, OSError, UnicodeDecodeError) as error:
        sys.stderr.write("%s.py: %s\n" % (policy, error))
        return 1
    sys.stdout.write("agree\n" if agree else "DISAGREE\n")
    return 0 if agree else 1


def main():
    options = parse_arguments()
    try:
        return run(options)
    except (OracleError, OSError, UnicodeDecodeError, csv.Error) as error:
        sys.stderr.write("oracle.py: %s\n" % error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
