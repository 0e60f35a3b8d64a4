#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""normalize.py - bring an SWF trace into the form the reference numbers use.

Simulators differ first of all in what they read out of a trace.  The
reference numbers of easy and fcfs hold for this form, made in this order,
every value a whole number (fields are numbered from 1):

 1. comments and blank lines go; processors = field 5, or field 8 if that is
    not above zero;
 2. a record goes if run time (field 4) <= 0, processors <= 0, or processors
    > P;
 3. estimate = field 9, or the run time if that is not above zero; then run
    time = min(run time, estimate);
 4. stable sort by submit (field 2), numbers from 1, the first submit becomes
    1; fields 5 and 8 := processors, wait := -1, status := 1.

P is --procs, or MaxProcs of the header, or MaxNodes.  What was dropped or
cut is counted on standard error.  Exit status: 0 done, 1 failed, 2 usage.
"""

import argparse
import gzip
import re
import sys

SUBMIT, WAIT, RUN, ALLOCATED, REQUESTED, ESTIMATE, STATUS = \
    1, 2, 3, 4, 7, 8, 10
FIELDS = 18


class TraceError(Exception):
    pass


def open_text(path):
    if path == "-":
        return sys.stdin
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="latin-1")
    return open(path, encoding="latin-1")


def read_trace(path):
    """Header values by name, and the records as lists of 18 integers."""
    header = {}
    records = []
    with open_text(path) as stream:
        for number, line in enumerate(stream, 1):
            text = line.strip()
            if text.startswith(";"):
                match = re.match(r";\s*(Max\w+):\s*(\d+)", text)
                if match:
                    header[match.group(1)] = int(match.group(2))
                continue
            if not text:
                continue
            try:
                record = [int(float(value)) for value in text.split()]
            except (ValueError, OverflowError):
                raise TraceError("%s:%d: not a record" %
                                 (path, number)) from None
            if len(record) != FIELDS:
                raise TraceError("%s:%d: %d fields, not %d" %
                                 (path, number, len(record), FIELDS))
            records.append(record)
    return header, records


def normalize(records, nprocs):
    """The records that stay, and how many runs were cut to the estimate."""
    kept = []
    cut = 0
    for source in records:
        record = list(source)
        procs = record[ALLOCATED]
        if procs <= 0:
            procs = record[REQUESTED]
        if record[RUN] <= 0 or procs <= 0 or procs > nprocs:
            continue
        if record[ESTIMATE] <= 0:
            record[ESTIMATE] = record[RUN]
        if record[RUN] > record[ESTIMATE]:
            record[RUN] = record[ESTIMATE]
            cut += 1
        record[ALLOCATED] = record[REQUESTED] = procs
        record[WAIT] = -1
        record[STATUS] = 1
        kept.append(record)
    kept.sort(key=lambda record: record[SUBMIT])
    if kept:
        shift = kept[0][SUBMIT] - 1
        for number, record in enumerate(kept, 1):
            record[0] = number
            record[SUBMIT] -= shift
    return kept, cut


def write_trace(records, nprocs, stream):
    stream.write("; Version: 2.2\n; MaxJobs: %d\n; MaxRecords: %d\n"
                 "; MaxProcs: %d\n; Note: normalised\n" %
                 (len(records), len(records), nprocs))
    for record in records:
        stream.write(" ".join(str(value) for value in record) + "\n")


def main():
    parser = argparse.ArgumentParser(
        description="Normalise an SWF trace for the reference numbers.")
    parser.add_argument("trace", help=".swf, .swf.gz or - for stdin")
    parser.add_argument("--procs", type=int, metavar="P")
    parser.add_argument("-o", "--output", default="-", metavar="FILE")
    options = parser.parse_args()
    if options.procs is not None and options.procs < 1:
        parser.error("--procs must be at least 1")
    try:
        header, records = read_trace(options.trace)
        nprocs = options.procs or header.get("MaxProcs") or \
            header.get("MaxNodes")
        if nprocs is None:
            raise TraceError("%s: the header names neither MaxProcs nor "
                             "MaxNodes; give --procs" % options.trace)
        kept, cut = normalize(records, nprocs)
        if options.output == "-":
            write_trace(kept, nprocs, sys.stdout)
        else:
            with open(options.output, "w", encoding="ascii") as stream:
                write_trace(kept, nprocs, stream)
    except (TraceError, OSError, EOFError) as error:
        sys.stderr.write("normalize.py: %s\n" % error)
        return 1
    sys.stderr.write("%d of %d records kept, %d run times cut to the "
                     "estimate, %d processors\n" %
                     (len(kept), len(records), cut, nprocs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
