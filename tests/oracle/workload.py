#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""workload.py - a seeded trace of round numbers, where instants coincide.

Submissions, run times and most estimates are multiples of ten seconds, so that
finishes fall on arrivals and on each other, some but for rounding; some jobs
ask for the whole machine, some for more.  What is rare in a log is common here.

Estimates below the run time are no round numbers.  A share jumps where a task
reaches its estimate (what is left of it / time left goes to zero, estimate /
deadline does not), so if that happens at another event but for rounding, two
sound programs may differ.
"""

import argparse
import random
import sys


def records(draw, njobs, nprocs, nusers):
    submit = 0
    for number in range(1, njobs + 1):
        submit += draw.choice((0, 0, 0, 10, 10, 20))
        run = draw.choice((10, 10, 20, 20, 30, 40))
        factor = draw.choice((1, 1, 2, 4, None))
        estimate = run * factor if factor else \
            round(run * draw.uniform(0.3, 0.9), 4)
        procs = draw.choice((1, 1, 1, 2, 2, 4, nprocs, nprocs, nprocs + 1))
        user = draw.randint(1, nusers) if nusers else -1
        yield (number, submit, -1, run, procs, -1, -1, procs, estimate, -1,
               1, user) + (-1,) * 6


def main():
    parser = argparse.ArgumentParser(
        description="Write a trace of round numbers.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--jobs", type=int, default=800, metavar="N")
    parser.add_argument("--procs", type=int, default=8, metavar="N")
    parser.add_argument("--users", type=int, default=0, metavar="N")
    options = parser.parse_args()
    sys.stdout.write("; Note: round numbers, seed %d\n; MaxProcs: %d\n" %
                     (options.seed, options.procs))
    for record in records(random.Random(options.seed), options.jobs,
                          options.procs, options.users):
        sys.stdout.write(" ".join(map(str, record)) + "\n")


if __name__ == "__main__":
    main()
