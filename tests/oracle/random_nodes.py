#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""random_nodes.py - random workloads on random nodes, simulated twice.

    tests/oracle/random_nodes.py ./librasim --seeds 1000

Each seed draws a machine, jobs that ask for memory, GPUs and few nodes, with
estimates that are exceeded, and parameters.  librasim and planned.py must agree
on each job: verdict, start, end, and its nodes.  Prints the seeds that differ,
and how often the rule had to do more than take a hole; exit status 1 if any
seed differs.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

import nodes
import oracle
import planned


def draw_machine(draw):
    groups, nprocs = [], 0
    memory, gpus = draw.random() < 0.6, draw.random() < 0.4
    for _ in range(draw.choice((1, 1, 2, 3))):
        count = draw.randint(1, 5)
        cores = draw.choice((1, 1, 2, 3, 4, 8))
        text = "%dx%d" % (count, cores)
        if memory:
            text += ":mem=%d" % draw.randint(2, 4 * cores)
        if gpus and draw.random() < 0.7:
            text += ":gpu=%d" % draw.randint(1, 4)
        groups.append(text)
        nprocs += count * cores
    return ",".join(groups), nprocs


def draw_jobs(draw, nprocs, trace, side):
    submit = 0
    whole = draw.random() < 0.25        # nobody asks for more
    overruns = draw.choice((0, 0.1, 0.2, 0.5))
    trace.write("; MaxProcs: %d\n" % nprocs)
    side.write("job,nodes,gpus\n")
    for number in range(1, draw.choice((20, 40, 70, 130)) + 1):
        submit += draw.choice((0, 0, 0, 10, 10, 30))
        run = draw.choice((10, 20, 30, 50, 100))
        request = run * draw.choice((1, 1, 2, 4))
        if draw.random() < overruns:
            request = round(run * draw.uniform(0.3, 0.9), 4)
        procs = min(nprocs, draw.choice((1, 1, 2, 2, 3, 4, 6, nprocs)))
        memory = draw.choice((-1, 500, 1000, 2000)) if not whole else -1
        gpus = draw.choice((0, 0, 0, 1, 2)) if not whole else 0
        most = draw.choice((0, 0, 1, 2, 3)) if not whole else 0
        trace.write("%d %d -1 %d %d -1 -1 %d %s %d 1 1 -1 -1 -1 -1 -1 -1\n" %
                    (number, submit, run, procs, procs, request, memory))
        side.write("%d,%d,%d\n" % (number, most, gpus))


def draw_settings(draw):
    settings = {"machine_reserve": draw.choice((0, 0, 1))}
    for name, values in (("hold_back", (0, 20, 40)), ("hard_starts", (0, 1)),
                         ("replan", (0, 1)), ("pull_forward", (0, 1)),
                         ("pull_hold_back", (0, 20, 40))):
        if draw.random() < 0.4:
            settings[name] = draw.choice(values)
    if draw.random() < 0.2:             # broken promises that hold again
        settings.update(machine_reserve=0, hard_starts=1, replan=1)
    return settings


class Counting(planned.NodeMachine):
    """Counts what happens beside the plain case."""

    counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def keep_starts(self, plans):
        kept = super().keep_starts(plans)
        self.count("all on other nodes: %s" % ("done" if kept else "no"))
        return kept

    def find(self, job, line, plans, bound, held=0):
        self.count("hole by hole")
        return super().find(job, line, plans, bound, held)

    def repair(self):
        self.count("repairs")
        super().repair()

    def rest(self, plans, starts):
        self.count("repairs that break promises")
        return super().rest(plans, starts)

    def mend(self):
        self.count("promises mended")
        super().mend()


def differs(librasim, seed, folder, show):
    """Is a job of the workload of a seed simulated otherwise?"""
    draw = random.Random(seed)
    name = {part: os.path.join(folder, part)
            for part in ("trace.swf", "side.csv", "jobs.csv")}
    spec, nprocs = draw_machine(draw)
    with open(name["trace.swf"], "w") as trace, \
            open(name["side.csv"], "w") as side:
        draw_jobs(draw, nprocs, trace, side)
    settings = draw_settings(draw)
    command = [librasim, "run", "--policy", "planned", "--nodes", spec,
               "--side", name["side.csv"], "--jobs-out", name["jobs.csv"],
               "--seed", str(seed), "--arrival-delay",
               draw.choice(("1", "0.5", "0.2")), "--deadline-model",
               draw.choice(("run", "estimate")), name["trace.swf"]]
    for key, value in settings.items():
        command += ["--set", "%s=%d" % (key, value)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        if "no job is left" in done.stderr:
            return False
        sys.exit(done.stderr)
    jobs, rows = oracle.read_table(name["jobs.csv"],
                                   oracle.INPUTS + oracle.RESULTS, "planned")
    cluster = nodes.Cluster(spec, nprocs)
    cluster.read_trace(name["trace.swf"])
    cluster.read_side(name["side.csv"])
    planned.simulate(jobs, nprocs, settings, cluster)
    with open(os.devnull, "w") as devnull:
        out = sys.stdout if show else devnull
        same = oracle.compare(jobs, rows, "seed %d" % seed, 5, out) and all(
            (row["verdict"] == "accept") == job.accepted
            for job, row in zip(jobs, rows))
        same &= nodes.compare(jobs, rows, 5, out)
    if show:
        print(" ".join(command))
    return not same


def main():
    parser = argparse.ArgumentParser(description="Simulate random workloads "
                                     "on nodes twice, and compare.")
    parser.add_argument("librasim")
    parser.add_argument("--seeds", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, metavar="N",
                        help="this one alone, and what differs")
    options = parser.parse_args()
    planned.NodeMachine = Counting
    seeds = [options.seed] if options.seed else range(1, options.seeds + 1)
    with tempfile.TemporaryDirectory() as folder:
        bad = [seed for seed in seeds
               if differs(options.librasim, seed, folder, options.seed)]
    for what, n in sorted(Counting.counts.items()):
        print("%-32s %d" % (what, n))
    print("%d of %d workloads differ%s" %
          (len(bad), len(seeds), ": seeds %s" % bad[:20] if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
