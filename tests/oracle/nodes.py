# SPDX-License-Identifier: GPL-2.0-or-later
"""nodes.py - nodes, what jobs ask of them, and where a job finds room.

For the programs beside it.  Written from the text of the rule in
docs/beyond.md: who has what on a node, and when, is a list of stretches of
time; what is free is counted anew from it.
"""

import csv
import math
import re

import oracle


class Request:
    """What a job asks of its nodes besides processors."""

    def __init__(self, task=1, per_task=(), most_nodes=0):
        self.task = task                # processors that stay together
        self.per_task = list(per_task)  # of each other resource
        self.most_nodes = most_nodes    # 0: any number


class Cluster:
    """The nodes; each is a list: processors, then other resources."""

    def __init__(self, spec, nprocs):
        groups = [re.fullmatch(r"(\d+)(?:x(\d+))?((?::\w+=\d+)*)", group)
                  for group in spec.split(",")]
        named = [dict(part.split("=") for part in group[3].split(":")[1:])
                 for group in groups]
        self.names = [name for name in ("mem", "gpu")
                      if any(name in of for of in named)]
        self.nodes = []
        for group, of in zip(groups, named):
            cores = int(group[2] or nprocs // int(group[1]))
            node = [cores] + [int(of.get(name, 0)) *
                              (1024 if name == "mem" else 1)
                              for name in self.names]
            self.nodes += [node] * int(group[1])
        self.are_ones = all(node[0] == 1 and node == self.nodes[0]
                            for node in self.nodes)
        self.requests = {}
        self.made = {}

    def read_trace(self, path):
        with oracle.open_text(path) as stream:
            for line in stream:
                field = line.split()
                if field and not field[0].startswith(";"):
                    self.requests[field[0]] = {"mem": float(field[9])}

    def read_side(self, path):
        with oracle.open_text(path) as stream:
            for row in csv.DictReader(stream):
                request = self.requests[row["job"]]
                request["gpu"] = int(row.get("gpus") or 0)
                request["nodes"] = int(row.get("nodes") or 0)

    def request(self, job):
        if job.name not in self.made:
            self.made[job.name] = self.make_request(job)
        return self.made[job.name]

    def make_request(self, job):
        asks = self.requests.get(job.name, {})
        gpus = asks.get("gpu", 0) if "gpu" in self.names else 0
        tasks = math.gcd(job.procs, gpus) if gpus else job.procs
        task = job.procs // tasks
        amounts = {"gpu": gpus // tasks,
                   "mem": math.ceil(max(0, asks.get("mem", 0)) * task)}
        return Request(task, [amounts[name] for name in self.names],
                       asks.get("nodes", 0))

    def is_plain(self, job):
        """Any processors do, or any nodes: where a job asks for nothing else,
        and where nodes have one processor each, are alike, and it fits each."""
        asks = self.request(job)
        if asks.most_nodes or any(asks.per_task):
            return self.are_ones and asks.task == 1 and \
                not asks.most_nodes and all(
                    n <= has for n, has in zip(asks.per_task,
                                               self.nodes[0][1:]))
        return True


class Line:
    """Who has what on each node, from now on."""

    def __init__(self, cluster, now):
        self.cluster = cluster
        self.now = now
        self.stretches = [[] for _ in cluster.nodes]
        self.counted = [None] * len(cluster.nodes)

    def add(self, spans, start, end):
        for node, amounts in (spans or {}).items():
            if max(start, self.now) < end:
                self.stretches[node].append((max(start, self.now), end,
                                             amounts))
                self.counted[node] = None

    def steps(self, node):
        """Instants, and what is free from each until the next; no two
        neighbours are the same."""
        if self.counted[node] is None:
            edges = sorted({t for s, e, _ in self.stretches[node]
                            for t in (s, e)} | {self.now})
            steps = []
            for at in edges:
                free = list(self.cluster.nodes[node])
                for start, end, amounts in self.stretches[node]:
                    if start <= at < end:
                        free = [a - b for a, b in zip(free, amounts)]
                if not steps or steps[-1][1] != free:
                    steps.append((at, free))
            self.counted[node] = steps
        return self.counted[node]

    def least(self, node, start, end):
        """The least that it has from start to end, and since when it has had
        what it has at start."""
        steps = self.steps(node)
        i = max(k for k, step in enumerate(steps) if step[0] <= start)
        least = steps[i][1]
        for at, free in steps[i + 1:]:
            if at >= end:
                break
            least = [min(pair) for pair in zip(least, free)]
        return least, steps[i][0]

    def is_short(self):
        return any(min(free) < 0 for node in range(len(self.stretches))
                   for _, free in self.steps(node))

    def place(self, nprocs, request, start, end):
        """Spans for a job: {node: amounts}, or None."""
        fits = []
        for node, has in enumerate(self.cluster.nodes):
            free, since = self.least(node, start, end)
            if free[0] <= 0 or min(free) < 0:
                continue
            tasks = free[0] // request.task
            for left, n in zip(free[1:], request.per_task):
                tasks = min(tasks, left // n) if n else tasks
            if tasks == 0:
                continue
            unused = sum(n == 0 and of > 0
                         for n, of in zip(request.per_task, has[1:]))
            usable = tasks * request.task
            # Few resources that lie idle; one node for all, the fullest;
            # else the one with most room; the one free for the least time.
            if usable >= nprocs:
                order = (unused, 0, free[0])
            else:
                order = (unused, 1, -usable)
            fits.append((order, -since, node, usable))
        return self.take(nprocs, request, sorted(fits)) or \
            self.take(nprocs, request,
                      sorted(fits, key=lambda fit: (-fit[3], fit)))

    @staticmethod
    def take(nprocs, request, fits):
        spans = {}
        for _, _, node, usable in fits:
            if nprocs == 0 or (request.most_nodes and
                               len(spans) == request.most_nodes):
                break
            give = min(usable, nprocs)
            nprocs -= give
            tasks = give // request.task
            spans[node] = [give] + [n * tasks for n in request.per_task]
        return spans if nprocs == 0 else None


def text(spans):
    """As in the column nodes: 0-3:16 7:4."""
    parts = []
    for node in sorted(spans):
        n = spans[node][0]
        if parts and parts[-1][1] == node - 1 and parts[-1][2] == n:
            parts[-1][1] = node
        else:
            parts.append([node, node, n])
    return " ".join("%s:%d" % (a if a == b else "%d-%d" % (a, b), n)
                    for a, b, n in parts)


def add_options(parser):
    parser.add_argument("--nodes", metavar="SPEC")
    parser.add_argument("--trace", metavar="FILE",
                        help="the log, for memory (with --nodes)")
    parser.add_argument("--side", metavar="FILE",
                        help="its side table, for GPUs and nodes")


def read_cluster(options):
    if not options.nodes:
        return None
    cluster = Cluster(options.nodes, options.procs)
    if options.trace:
        cluster.read_trace(options.trace)
    if options.side:
        cluster.read_side(options.side)
    return cluster


def compare(jobs, rows, show, out):
    """Are all jobs that started on the same nodes?"""
    unlike = [(job, row["nodes"]) for job, row in zip(jobs, rows)
              if job.accepted and text(job.nodes) != row["nodes"]]
    started = sum(job.accepted for job in jobs)
    out.write("%-16s %d of %d\n" % ("equal nodes", started - len(unlike),
                                    started))
    for job, theirs in unlike[:show]:
        out.write("  job %s: %s, oracle %s\n" %
                  (job.name, theirs, text(job.nodes)))
    return not unlike
