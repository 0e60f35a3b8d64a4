# SPDX-License-Identifier: GPL-2.0-or-later
"""judge.py - what a campaign's decision log and job records prove.

The log is walked by itself, without a line of the engine: which tickets hold
which processors, and whether what was accepted could be done by any schedule
at all.  The records are what scontrol shows.  The journal is what the campaign
did, and when.
"""
import datetime
import json

ENDED_BADLY = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY", "TIMEOUT",
               "DEADLINE")
ALIVE = ("PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING",
         "REQUEUED", "STOPPED", "RESV_DEL_HOLD", "REQUEUE_HOLD")


class Ticket:
    """A job as the log has it."""

    def __init__(self, line):
        self.job = line.get("id", 0)
        self.state = "offered"
        # Jobs without a promise have no deadline: plans go round them.
        self.ordinary = line["deadline_s"] is None
        self.deadline = float(line["deadline_s"] or "inf")
        self.late = line.get("late_s", 0) > 0
        self.told_to_start = None
        self.delayed = False    # it lost time by no fault of admission's
        # A policy may cap an estimate beyond the deadline.
        self.left = min(float(line["estimate_s"] or "inf"),
                        self.deadline - line["now_s"])
        self.since = None
        ranges = line.get("placement") or [
            r[:2] for r in line.get("parts", [])]
        self.procs = [p for first, n in ranges
                      for p in range(first, first + n)]
        self.asked = line["nprocs"]


    def lost_time(self, now):
        """A job that was restored, or could not start when its turn had come
        (its node did not answer), may miss its deadline whatever comes, and
        does not bar others then.  By shares it does."""
        return self.delayed or self.state == "committed" and \
            self.told_to_start is not None and now - self.told_to_start > 1.5


class Walk:
    """The decision log, read as it grows."""

    def __init__(self, path):
        self.path = path
        self.at = self.number = 0
        self.findings = []
        self.blind = True   # nothing is known before the first "engine"
        self.gaps = self.runs = self.accepts = self.restores = 0
        self.checked = self.beside_delayed = 0
        self.policy = None
        self.plans = False
        self.now = 0
        self.tickets = {}
        self.up = []

    def finding(self, text):
        self.findings.append("line %d of the decision log: %s" %
                             (self.number, text))

    def read(self):
        with open(self.path, "rb") as f:
            f.seek(self.at)
            data = f.read()
        end = data.rfind(b"\n") + 1
        self.at += end
        for raw in data[:end].splitlines():
            self.number += 1
            try:
                line = json.loads(raw)
            except ValueError:
                self.finding("it is damaged: %r" % raw[:80])
                continue
            self.take(line)

    def take(self, line):
        call = line.get("call", "action")
        self.now = line.get("now_s", self.now)
        if call == "gap":
            self.gaps += 1
            self.blind = True
        elif call == "engine" and "continues" not in line:
            self.begin(line)
        elif not self.blind:
            take = getattr(self, "on_" + call, None)
            if take and line.get("rc", 0) == 0:
                take(line)

    def begin(self, line):
        self.blind = False
        self.runs += 1
        self.policy = line["policy"]
        self.plans = self.policy.startswith("planned")
        self.max_jobs = line.get("max_jobs", 0)
        self.tickets = {}
        # Behind name and processors may be what else a node has.
        self.nodes = [node[:2] for node in line["nodes"]]
        self.node_of = [i for i, (_, n) in enumerate(self.nodes)
                        for _ in range(n)]
        self.core_of = [c for _, n in self.nodes for c in range(n)]
        self.up = [True] * len(self.nodes)

    def core(self, proc):
        return "%s:%d" % (self.nodes[self.node_of[proc]][0],
                          self.core_of[proc])

    def on_offer(self, line):
        if line.get("answer") != "accept":
            return
        self.accepts += 1
        t = Ticket(line)
        procs = t.procs
        if self.plans:
            self.tickets[line["ticket"]] = t
            return self.check_area(t, line["now_s"])
        if len(set(procs)) != len(procs) or len(procs) != t.asked:
            self.finding("%d processors were asked for, %d promised" %
                         (t.asked, len(set(procs))))
        if any(p >= len(self.node_of) for p in procs):
            return self.finding("a processor that is not there")
        if not all(self.up[self.node_of[p]] for p in procs):
            self.finding("promised on a node that is not up")
        if self.policy == "libra" and \
                line.get("share", 0) + line.get("beside", 0) > 1 + 1e-6:
            self.finding("shares of %.9f on one processor" %
                         (line["share"] + line["beside"]))
        self.tickets[line["ticket"]] = t
        self.check_demand(t, line["now_s"])

    def check_demand(self, new, now):
        """Could any schedule at all keep what is promised with the new job?

        By a deadline D, a processor does at most D - now.  What is left of a
        job is at least its estimate less the time since it began, and of
        several together, less the time since the first of them began.
        """
        if new.late:
            return
        for p in new.procs:
            here = [t for t in self.tickets.values()
                    if p in t.procs and t.deadline > now]
            if self.max_jobs and len(here) > self.max_jobs:
                self.finding("%d jobs on one processor" % len(here))
            if any(t.late for t in here):
                continue    # beside a bet nothing is certain
            for limit in {t.deadline for t in here}:
                if limit < new.deadline:
                    continue
                due = [t for t in here if t.deadline <= limit]
                begun = [t.since for t in due if t.since is not None]
                alone = sum(max(0, t.left - (now - t.since
                                             if t.since is not None else 0))
                            for t in due)
                jointly = sum(t.left for t in due) - \
                    (now - min(begun) if begun else 0)
                self.checked += 1
                if max(alone, jointly) <= (limit - now) * (1 + 1e-6) + 1e-6:
                    continue
                if self.policy != "libra" and \
                        any(t.lost_time(now) for t in due):
                    self.beside_delayed += 1
                else:
                    self.finding(
                        "over-promised: %.3f s of work for %s in %.3f s" %
                        (max(alone, jointly), self.core(p), limit - now))

    def check_area(self, new, now):
        """Of plans: could the machine do what is due by each deadline, if it
        did nothing else and wasted nothing?"""
        if new.late:
            return
        due = [t for t in self.tickets.values()
               if not t.ordinary and not t.late and t.deadline > now]
        for limit in {t.deadline for t in due}:
            if limit < new.deadline:
                continue
            work = sum(t.asked * max(0, t.left - (now - t.since if t.since
                                                  is not None else 0))
                       for t in due if t.deadline <= limit)
            self.checked += 1
            if work <= len(self.node_of) * (limit - now) * (1 + 1e-6) + 1e-6:
                continue
            if any(t.lost_time(now) for t in due if t.deadline <= limit):
                self.beside_delayed += 1
            else:
                self.finding("over-promised: %.3f s of work in %.3f s of %d "
                             "processors" % (work, limit - now,
                                             len(self.node_of)))

    def on_restore_waiting(self, line):
        self.restores += 1
        t = Ticket(line)
        t.state, t.delayed = "committed", True
        self.tickets[line["ticket"]] = t

    def on_plan_ordinary(self, line):
        if line.get("answer") == "accept":
            self.tickets[line["ticket"]] = Ticket(line)

    def on_restore(self, line):
        self.restores += 1
        t = Ticket(line)
        t.left = min([part[2] for part in line["parts"]] + [t.left])
        t.state = "started" if line["running"] else "committed"
        t.delayed = True
        if line["running"]:
            t.since = line["now_s"]
        self.tickets[line["ticket"]] = t

    def on_commit(self, line):
        t = self.tickets.get(line["ticket"])
        if not t or t.state != "offered":
            return self.finding("job %d is promised what nobody offered" %
                                line["id"])
        t.state, t.job = "committed", line["id"]

    def on_started(self, line):
        t = self.tickets[line["ticket"]]
        t.delayed = t.lost_time(line["now_s"])
        t.state, t.since = "started", line["now_s"]

    def on_departed(self, line):
        self.tickets.pop(line["ticket"], None)

    on_withdraw = on_departed

    def on_modify(self, line):
        t = self.tickets[line["ticket"]]
        if line.get("answer") == "accept":
            t.deadline = float(line["deadline_s"])
            t.left = min(line["estimate_s"], t.deadline - line["now_s"])
            t.late = line.get("late_s", 0) > 0
            t.delayed = True    # what it has done counts, and is not known

    def on_reestimate(self, line):
        # Over its estimate by now: no bound is known any more.
        self.tickets[line["ticket"]].left = 0

    def on_node(self, line):
        self.up[line["node"]] = line["state"] == "up"

    def on_action(self, line):
        if line.get("action") == "reject":
            self.tickets.pop(line["ticket"], None)
        elif line.get("action") == "start":
            self.tickets[line["ticket"]].told_to_start = self.now

    def on_schedule(self, line):
        pass

    def held(self):
        """Job id -> the cores of each of its promises."""
        jobs = {}
        for t in self.tickets.values():
            if t.state != "offered" and not t.ordinary:
                jobs.setdefault(t.job, []).append(
                    sorted(self.core(p) for p in t.procs))
        return jobs


def cores(text):
    """'n1:0-2,n2:0' as a sorted list of cores."""
    found = []
    for part in filter(None, text.split(",")):
        node, _, span = part.partition(":")
        first, _, last = span.partition("-")
        for core in range(int(first), int(last or first) + 1):
            found.append("%s:%d" % (node, core))
    return sorted(found)


class Record:
    """A job as scontrol -o -d shows it."""

    def __init__(self, line, hostnames):
        self.text = line
        self.field, self.word, runs_on = {}, {}, []
        nodes = None
        for token in line.split(" "):
            name, eq, value = token.partition("=")
            if not eq:
                continue
            if name[:1].islower():
                self.word[name] = value
            elif name == "Nodes":
                nodes = value
            elif name == "CPU_IDs" and nodes:
                for host in hostnames(nodes):
                    for span in value.split(","):
                        runs_on += cores(host + ":" + span)
            else:
                self.field.setdefault(name, value)
        self.runs_on = sorted(runs_on)
        self.id = int(self.field["JobId"])
        self.name = self.field.get("JobName", "")
        self.state = self.field["JobState"]
        self.reason = self.field.get("Reason", "")
        self.task = self.field.get("ArrayTaskId")
        self.ours = self.field.get("AdminComment", "").startswith("libra:1")
        self.lost = self.word.get("promise") == "lost"
        self.bet = "late" in self.word
        self.broken = self.word.get("broken", "")
        self.asked = self.word.get("offer", "0") != "0"
        self.on = [cores(one) for one in
                   self.word.get("on", "").split(";") if one]
        self.starts = [float(one) for one in
                       self.word.get("start", "").split(";") if one]
        self.deadline = float(self.word.get("deadline", "inf"))
        self.held = self.field.get("Priority") == "0"

    def tasks(self):
        """How many tasks of an array this record stands for."""
        if self.task is None or self.task.isdigit():
            return [int(self.task)] if self.task else [None]
        out = []
        for span in self.task.split("%")[0].split(","):
            span, _, step = span.partition(":")
            first, _, last = span.partition("-")
            out += range(int(first), int(last or first) + 1, int(step or 1))
        return out

    def alive(self):
        return self.state in ALIVE

    def brief(self):
        return " ".join("%s=%s" % (name, self.field.get(name)) for name in (
            "SubmitTime", "StartTime", "EndTime", "Restarts")) + " " + \
            self.text.partition("AdminComment=")[2].partition("  ")[0]

    def end_s(self):
        """When it ended.  scontrol keeps an end in its own future for
        itself."""
        form = "%Y-%m-%dT%H:%M:%S"
        parse = datetime.datetime.strptime
        if self.field["EndTime"] != "Unknown":
            return parse(self.field["EndTime"], form).timestamp()
        days, _, clock = self.field["RunTime"].rpartition("-")
        h, m, s = map(int, clock.split(":"))
        return parse(self.field["StartTime"], form).timestamp() + \
            int(days or 0) * 86400 + h * 3600 + m * 60 + s

    def begin_s(self):
        return datetime.datetime.strptime(
            self.field["StartTime"], "%Y-%m-%dT%H:%M:%S").timestamp()

    def holds(self):
        """The promises it tells.  One that has begun and waits was requeued:
        its promise ended with its run."""
        if self.state == "PENDING" and (self.word.get("left") or self.lost):
            return []
        # The last tasks of an array have not begun.
        return (self.on or self.starts)[-len(self.tasks()):]

    def when(self, now):
        """When it is on how many processors, as planned: a list of (from, to,
        processors).  What is over its estimate has an end that nobody knows.
        """
        procs, estimate = int(self.word["procs"]), float(self.word["estimate"])
        if self.state != "PENDING":
            return [(now, self.begin_s() + estimate, procs)]
        return [(max(now, start), max(now, start) + estimate, procs)
                for start in self.holds()]


SLACK_S = 2     # records are written a moment after plans change


def plans_fit(records, now, capacity):
    """Do all plans fit the machine, and end by their deadlines, but for those
    whose records say that they do not?  Result: what does not."""
    wrong, spans = [], []
    for r in records:
        if not r.alive() or not r.ours or r.lost or r.bet or r.held or \
                r.state == "COMPLETING":
            continue
        spans += r.when(now)
        if r.state == "PENDING":
            wrong += ["job %d: planned from %d for %s s, its deadline is %d" %
                      (r.id, start, r.word["estimate"], r.deadline)
                      for start in r.holds()
                      if start + float(r.word["estimate"]) >
                      r.deadline + SLACK_S]
    for at in {begin for begin, _, _ in spans}:
        used = sum(n for begin, end, n in spans
                   if begin <= at + SLACK_S and end - SLACK_S > at + SLACK_S)
        if used > capacity:
            wrong.append("%d processors are planned at %d, and there are %d" %
                         (used, at, capacity))
    return wrong
