#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Do the counts of librasim report agree with those of librasim replay?

reconcile.py FOLDER REPLAY.json: of whole logs, from the first line of a run on,
without ordinary jobs.
"""
import csv
import json
import sys

folder, replay = sys.argv[1:]
with open(folder + "/report.json", encoding="utf-8") as f:
    report = json.load(f)
with open(replay, encoding="utf-8") as f:
    calls = json.load(f)["calls"]
with open(folder + "/promises.csv", encoding="utf-8") as f:
    rows = [r for r in csv.DictReader(f) if r["source"] in ("log", "both")]

failed = False


def same(what, got, want):
    global failed
    if got != want:
        failed = True
    print(f"{what}: {got}, replay has {want}")


for name, n in report["sources"]["calls"].items():
    same("calls of " + name, n, calls[name])
replaced = report["sources"]["replaced"]
everything = report["groups"][0]
same("promises", everything["given"] + everything["bets"] + replaced, calls["commit"])
same("jobs in the list", len(rows) + replaced, calls["commit"])
# The log has a run time of each job that it saw the end of.
ends = [r for r in rows if r["ran_s"] and r["source"] == "log"]
same("ends", len(ends), calls["departed"])
groups = report["groups"]
for by in {g["by"] for g in groups} - {"all"}:
    for key in ("given", "kept", "late", "lost", "end_not_seen"):
        n = sum(g[key] for g in groups if g["by"] == by)
        if by == "partition" or everything[key] == 0:
            same(f"{key} by {by}", n, everything[key])
sys.exit(failed)
