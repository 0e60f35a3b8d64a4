# SPDX-License-Identifier: GPL-2.0-or-later
"""score.py - results on disk, known equivalents, and the report."""
import collections
import json
import math
import os

KILLED = ("killed", "timed out")


def key(m):
    """What names a mutant as long as its file stays the same."""
    return "%s %d-%d %s" % (m.path, m.start, m.end, m.text)


class Results:
    """One line for each mutant that was tried; the last one counts."""

    def __init__(self, path):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path) as f:
                for line in f:
                    row = json.loads(line)
                    self.rows[row["key"]] = row

    def find(self, m, digest, tests):
        """The result of a mutant, if it still holds: what was killed was,
        what survived may meet other tests."""
        row = self.rows.get(key(m))
        if not row or row["file"] != digest:
            return None
        if row["what"] == "survived" and row["tests"] != tests:
            return None
        return row

    def note(self, m, digest, tests, result):
        row = {"key": key(m), "file": digest, "tests": tests,
               "what": result.what, "by": result.by}
        self.rows[row["key"]] = row
        with open(self.path, "a") as f:
            f.write(json.dumps(row) + "\n")
        return row


def read_equivalents(path):
    """File, line's text, mutation and reason, with tabs between.  Result: the
    first three -> the reason."""
    known = {}
    if not os.path.exists(path):
        return known
    with open(path) as f:
        for n, line in enumerate(f, 1):
            if line.startswith("#") or not line.strip():
                continue
            parts = [p.strip() for p in line.rstrip("\n").split("\t") if p]
            if len(parts) != 4 or not parts[3]:
                raise ValueError("%s:%d: four columns with tabs between: "
                                 "file, line's text, mutation, reason" %
                                 (path, n))
            known[tuple(parts[:3])] = parts[3]
    return known


def change(m):
    """The mutation in words; the nth of its like on the line."""
    many = "" if m.nth == 1 else " (%d)" % m.nth
    return "%s -> %s%s" % (m.old, m.new, many)


def known_as(m):
    return m.path, m.source, change(m)


def unmet(path, found, known):
    """Equivalents of a file that are no mutants of it (any more)."""
    return sorted(k for k in known
                  if k[0] == path and k not in set(map(known_as, found)))


def interval(good, n):
    """Wilson's, 95 %, in percent."""
    if n == 0:
        return 0.0, 100.0
    z, p = 1.96, good / n
    mid = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / \
        (1 + z * z / n)
    return 100 * max(0, mid - half), 100 * min(1, mid + half)


class Tally:
    def __init__(self, mutants=0):
        self.mutants = mutants
        self.count = collections.Counter()

    @property
    def tried(self):
        return sum(self.count.values())

    @property
    def good(self):
        return self.count["killed"] + self.count["timed out"]

    @property
    def base(self):
        return self.good + self.count["survived"]

    def cells(self):
        c = self.count
        score = 100 * self.good / self.base if self.base else float("nan")
        low, high = interval(self.good, self.base)
        if self.tried == self.mutants:
            low = high = score
        return [self.mutants, self.tried, c["does not compile"],
                c["equivalent"], c["killed"], c["timed out"], c["survived"],
                "%.1f %%" % score,
                "" if low == high else "%.0f..%.0f" % (low, high)]


HEADINGS = ["file", "mutants", "tried", "does not compile", "equivalent",
            "killed", "timed out", "survived", "score", "95 %"]


def stratified(tallies):
    """The score of several files of which samples were tried, weighed by
    their mutants.  Result: score, half of the 95 % interval, in percent."""
    total = mean = var = 0
    for t in tallies:
        if t.base == 0:
            continue
        weight = t.mutants * t.base / t.tried
        p = t.good / t.base
        rest = 1 - t.tried / t.mutants
        total += weight
        mean += weight * p
        var += weight * weight * rest * p * (1 - p) / max(1, t.base - 1)
    if total == 0:
        return float("nan"), 0.0
    return 100 * mean / total, 196 * math.sqrt(var) / total


def report(tallies, survivors, killers, out):
    rows = [HEADINGS] + [[path] + t.cells() for path, t in tallies.items()]
    whole = Tally(sum(t.mutants for t in tallies.values()))
    for t in tallies.values():
        whole.count += t.count
    rows.append(["all"] + whole.cells()[:-2] +
                ["%.1f %%" % stratified(tallies.values())[0],
                 "+-%.1f" % stratified(tallies.values())[1]])
    for row in rows:
        out.write("| " + " | ".join(str(c) for c in row) + " |\n")
        if row is HEADINGS:
            out.write("|" + " --- |" * len(row) + "\n")
    out.write("\nkilled by: " + ", ".join(
        "%s %d" % k for k in killers.most_common(12)) + "\n")
    if survivors:
        out.write("\nsurvived:\n")
    for m, why in survivors:
        out.write("%s:%d: %s%s\n\t%s\n" % (
            m.path, m.line, change(m), ", " + why if why else "", m.source))
