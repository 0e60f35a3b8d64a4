#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does an imported log agree with what slurmctld told its job completion log?

    import_agrees.py FOLDER BEGAN SUSPENDED LOST REQUEUED...

FOLDER has log.swf and log.csv (of librasim import), runs.txt (of
jobcomp/filetxt) and marks (job, second: written by each run as it began).
"""
import csv
import re
import sys
import time

SLACK_S = 60  # from a job's start to its mark, on a machine under load


def seconds(text):
    try:
        return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")))
    except ValueError:
        return None


def runs_of_slurmctld(path):
    """(job, start): submit, end, processors, state of each run."""
    runs = {}
    for line in open(path):
        f = dict(re.findall(r"(\w+)=(\S*)", line))
        start = seconds(f["StartTime"])
        if start is None or f["NodeCnt"] == "0" or f["NodeList"] == "(null)":
            continue
        runs[int(f["JobId"]), start] = (
            seconds(f["SubmitTime"]), seconds(f["EndTime"]), int(f["ProcCnt"]),
            f["JobState"])
    return runs


def rows_of_sacct(folder):
    lines = [line.rstrip("\n").split("\x1f")
             for line in open(folder + "/jobs.txt")]
    return [dict(zip(lines[0], f)) for f in lines[1:]]


def runs_of_import(folder):
    records, begin = [], None
    # Of JobID (12_3, 12+1) the number that slurmctld has.
    ids = {f["JobID"]: int(f["JobIDRaw"]) for f in rows_of_sacct(folder)}
    for line in open(folder + "/log.swf"):
        found = re.match(r"; *UnixStartTime: *(\d+)", line)
        if found:
            begin = int(found.group(1))
        if not line.startswith(";"):
            records.append([float(x) for x in line.split()])
    runs = {}
    rows = list(csv.DictReader(open(folder + "/log.csv")))
    assert len(rows) == len(records), "%d rows, %d records" % (
        len(rows), len(records))
    for row, r in zip(rows, records):
        assert int(row["job"]) == r[0], row
        start = begin + r[1] + r[2]
        runs[ids[row["job_id"]], start] = (
            begin + r[1], r[3], int(r[4]), row)
    return runs


def main():
    folder, began = sys.argv[1], int(sys.argv[2])
    suspended, lost = int(sys.argv[3]), int(sys.argv[4])
    requeued = [int(x) for x in sys.argv[5:]]
    want = runs_of_slurmctld(folder + "/runs.txt")
    got = runs_of_import(folder)
    bad = []
    # slurmdbd has no start of a run whose node was lost before it learnt of it:
    # no reader of sacct can know of that run.
    unknown = {(int(f["JobIDRaw"]), int(f["Submit"]))
               for f in rows_of_sacct(folder)
               if f["State"] in ("NODE_FAIL", "REQUEUED")
               and not f["Start"].isdigit()}
    missed = [key for key in want if (key[0], want[key][0]) in unknown]
    for key in missed:
        del want[key]
    for key in want.keys() - got.keys():
        bad.append("import lacks job %s, started %d" % key)
    for key in got.keys() - want.keys():
        bad.append("import has job %s, started %d" % key)
    for key in want.keys() & got.keys():
        submit, end, procs, state = want[key]
        at, run, size, row = got[key]
        away = float(row["suspended_s"] or 0)
        if at != submit:
            bad.append("job %s: submitted %d, import says %d" % (
                key[0], submit, at))
        if run != end - key[1] - away:
            bad.append("job %s: ran %d s, suspended %d, import says %d" % (
                key[0], end - key[1], away, run))
        if size != procs:
            bad.append("job %s: %d processors, import says %d" % (
                key[0], procs, size))
        # A run that ends by a requeue leaves a job that waits.
        if row["state"] != state.replace("PENDING", "REQUEUED"):
            bad.append("job %s: %s, import says %s" % (
                key[0], state, row["state"]))
        if (away > 0) != (key[0] == suspended):
            bad.append("job %s: suspended for %d s" % (key[0], away))
        if key[0] == lost and row["state"] != "NODE_FAIL":
            bad.append("the lost job is %s" % row["state"])
    for job in requeued:
        if sum(key[0] == job for key in got) != 2:
            bad.append("requeued job %d has not two runs" % job)
    # Each run left a mark, soon after it began; a run that was over before its
    # script had begun may have none.
    marks = {}
    for line in open(folder + "/marks"):
        job, at = line.split()
        marks.setdefault(int(job), []).append(int(at))
    unmarked = 0
    for job, start in got:
        if not any(start - 1 <= at <= start + SLACK_S
                   for at in marks.get(job, [])):
            unmarked += 1
    print("%d runs, %d jobs, %d without a mark; of %d slurmdbd has no start" %
          (len(got), len({k[0] for k in got}), unmarked, len(missed)))
    if unmarked > len(got) // 20:
        bad.append("%d runs have no mark" % unmarked)
    if not min(start for job, start in got) >= began:
        bad.append("a run before all were submitted")
    if len(missed) > 5:
        bad.append("slurmdbd has no start of %d runs" % len(missed))
    if len({k[0] for k in got}) < 185:
        bad.append("only %d jobs" % len({k[0] for k in got}))
    print("\n".join(sorted(bad)[:40]))
    sys.exit(bool(bad))


main()
