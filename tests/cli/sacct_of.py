#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A log in the Standard Workload Format as Slurm's accounting would have it,
and the comparison of what `librasim import` makes of that with the log.

    sacct_of.py export STYLE <log.swf >sacct.txt
    sacct_of.py compare log.swf imported.swf

STYLE 0 to 2 differ in delimiter, order of columns, form of times and durations.
What sacct cannot say is named in expected(): all else must come back.
"""
import gzip
import random
import sys

BASE = 1000000000
STATES = {1: "COMPLETED", 0: "FAILED", 5: "CANCELLED by 1000"}


def records(path):
    opener = gzip.open if path.endswith(".gz") else open
    with (sys.stdin if path == "-" else opener(path, "rt")) as lines:
        for line in lines:
            if line.strip() and not line.lstrip().startswith(";"):
                yield [int(float(x)) for x in line.split()[:18]]


def duration(s):
    days, s = divmod(s, 86400)
    text = "%02d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60)
    return "%d-%s" % (days, text) if days else text


def instant(s, style):
    if style != 1:
        return str(s)
    import datetime
    return datetime.datetime.fromtimestamp(
        s, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def row(r, style):
    number, submit, wait, run, alloc, _, _, req, limit = r[:9]
    start = BASE + submit + max(wait, 0)
    ran = run >= 0
    return {
        "JobIDRaw": number,
        "JobID": "%d_%d" % (number // 10, number % 10) if number % 7 == 0
                 else number,
        "JobName": "a|b" if style == 0 and number % 11 == 0 else "job",
        "Submit": instant(BASE + submit, style),
        "Eligible": instant(BASE + submit, style),
        "Start": instant(start, style) if ran else "Unknown",
        "End": instant(start + max(run, 0), style),
        "ElapsedRaw" if style != 2 else "Elapsed":
            (max(run, 0) if style != 2 else duration(max(run, 0))),
        "Timelimit": duration(limit) if limit > 0 else "UNLIMITED",
        "State": STATES.get(r[10], "UNHEARD_OF"),
        "AllocCPUS": max(alloc, 0) if ran else 0,
        "ReqCPUS": max(req, 0),
        "UID": r[11] if r[11] >= 0 else "",
        "User": "u%d" % r[11] if r[11] >= 0 else "",
        "Account": "g%d" % r[12] if r[12] >= 0 else "",
        "QOS": "q%d" % r[14] if r[14] >= 0 else "",
        "Partition": "p%d" % r[15] if r[15] >= 0 else "",
        "NodeList": "n[1-%d]" % number,
    }


def export(style):
    delimiter = "|\x1f;"[style]
    columns = None
    for r in records("-"):
        values = row(r, style)
        if columns is None:
            columns = list(values)
            random.Random(style).shuffle(columns)
            print(delimiter.join(columns))
        print(delimiter.join(str(values[c]) for c in columns))


def expected(r):
    """What can come back of a record; None if it never ran."""
    number, submit, wait, run, alloc, _, _, req, limit = r[:9]
    if run < 0 or (alloc <= 0 and req <= 0):
        return None
    if r[10] == 5 and run == 0 and alloc <= 0:
        return None
    return (submit, number, max(wait, 0), run, alloc if alloc > 0 else req,
            req if req > 0 else -1,
            limit if limit > 0 else run if run > 0 else -1,
            r[10] if r[10] in STATES else -1, r[11] if r[11] >= 0 else -1)


def compare(before, after):
    want = sorted((e, r) for r in records(before)
                  for e in [expected(r)] if e)
    got = sorted(((r[1], r[0], r[2], r[3], r[4], r[7], r[8], r[10], r[11]), r)
                 for r in records(after))
    first = want[0][0][0]
    names = [{}, {}, {}]
    if len(want) != len(got):
        sys.exit("%d records instead of %d" % (len(got), len(want)))
    for (w, old), (g, new) in zip(want, got):
        if (w[0] - first,) + w[1:] != g:
            sys.exit("job %d: %s instead of %s" % (w[1], g, w))
        # Accounts, QOS and partitions have other numbers, but one for one.
        for i, field in enumerate((12, 14, 15)):
            if names[i].setdefault(max(old[field], -1), new[field]) != \
                    new[field]:
                sys.exit("job %d: field %d" % (w[1], field + 1))
    for i in range(3):
        if len(set(names[i].values())) != len(names[i]):
            sys.exit("two names have one number")
    print("%d records are the same" % len(got))


if sys.argv[1] == "export":
    export(int(sys.argv[2]))
else:
    compare(sys.argv[2], sys.argv[3])
