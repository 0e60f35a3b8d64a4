#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""test_oracle.py - the oracle itself against examples worked by hand."""

import argparse
import io
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import market     # noqa: E402
import normalize  # noqa: E402
import oracle     # noqa: E402

OPTIONS = argparse.Namespace(overrun_share="kept", risk_rule="text")


def job(submit, procs, runtime, estimate, deadline, name="j"):
    return oracle.Job(name, submit, procs, runtime, estimate, deadline)


def outcome(policy, nprocs, *jobs):
    """(start, finish) of each job, None if rejected."""
    oracle.simulate(list(jobs), nprocs, policy, OPTIONS)
    return [(j.start, j.finish) if j.accepted else None for j in jobs]


class Projection(unittest.TestCase):
    def test_two_jobs_on_an_overfull_processor(self):
        # Shares s1 = 0.8 (80 s by 100), s2 = 0.9 (135 s by 150).  The first
        # runs at 0.8 / 1.7 and ends at 80 * 1.7 / 0.8 = 170; no time is
        # lost, so the second ends when all work is done: 80 + 135 = 215.
        # Deadline delays: s1 + s2 = 1.7, s2 + s1 * 100 / 150 = 1.4333.
        first, second = oracle.project(
            [(80.0, 0.8, 100.0), (135.0, 0.9, 150.0)], 0.0, "kept")
        self.assertAlmostEqual(first, 170.0, 9)
        self.assertAlmostEqual(second, 215.0, 9)

        processor = oracle.Processor(0)
        processor.event(0.0, oracle.Task(job(0.0, 1, 80.0, 80.0, 100.0)))
        sigma = processor.sigma(job(0.0, 1, 135.0, 135.0, 150.0), 0.0,
                                "kept")
        self.assertAlmostEqual(sigma, (1.7 - (0.9 + 80.0 / 150.0)) / 2, 9)

    def test_overrun_task_keeps_its_share_or_not(self):
        # 1 s of work at share 0.25, beside 30 s by 100 (0.3), ends after
        # 0.55 / 0.25 = 2.2 s; with a share of 1 / 10 after 0.4 / 0.1 = 4 s.
        entries = [(-5.0, 0.25, 10.0), (30.0, 0.3, 100.0)]
        self.assertAlmostEqual(
            oracle.project(entries, 0.0, "kept")[0], 2.2, 9)
        self.assertAlmostEqual(
            oracle.project(entries, 0.0, "remaining")[0], 4.0, 9)

    def test_short_deadline_left_makes_a_risk_below_full_share(self):
        # The kept share 0.05 beside 0.5 ends 1 s of work after 11 s, 1 s
        # behind the deadline, although the shares sum to 0.55: here the
        # sum of shares does not imply sigma = 0.
        processor = oracle.Processor(0)
        task = oracle.Task(job(0.0, 1, 9.0, 5.0, 100.0))
        task.est_left, task.rate, task.due = -1.0, 0.0, 10.0
        processor.tasks.append(task)
        new = job(0.0, 1, 50.0, 50.0, 100.0)
        self.assertLess(processor.share_sum(new, 0.0), 1.0)
        self.assertAlmostEqual(processor.sigma(new, 0.0, "kept"), 0.05, 9)


class TimeShared(unittest.TestCase):
    def test_spare_time_is_handed_out_by_shares(self):
        # 0.2 and 0.6 on one processor: rates 1/4 and 3/4.  The first needs
        # only 10 s of its 20 and ends at 40; the second has had 30 s then
        # and runs the other 30 alone.
        got = outcome("libra", 1, job(0.0, 1, 10.0, 20.0, 100.0),
                      job(0.0, 1, 60.0, 60.0, 100.0))
        self.assertEqual([40.0, 70.0], [round(f, 6) for _, f in got])

    def test_libra_fills_the_fullest_processor(self):
        # 0.6 on 0; 0.5 does not fit beside it and goes to 1; 0.4 fits both
        # and goes to 0, where the sum is largest.
        a, b, c = (job(0.0, 1, 60.0, 60.0, 100.0),
                   job(0.0, 1, 50.0, 50.0, 100.0),
                   job(0.0, 1, 40.0, 40.0, 100.0))
        got = outcome("libra", 2, a, b, c)
        self.assertEqual([100.0, 50.0, 100.0], [round(f) for _, f in got])

    def test_over_estimate_alone_is_accepted_by_librarisk_only(self):
        self.assertEqual([None], outcome(
            "libra", 1, job(0.0, 1, 10.0, 200.0, 40.0)))
        self.assertEqual([(0.0, 10.0)], outcome(
            "librarisk", 1, job(0.0, 1, 10.0, 200.0, 40.0)))

    def test_late_task_bars_the_processor_for_librarisk(self):
        # The first is late from 40 on and ends at 60.
        got = outcome("librarisk", 1, job(0.0, 1, 60.0, 30.0, 40.0),
                      job(45.0, 1, 1.0, 1.0, 1000.0),
                      job(60.0, 1, 1.0, 1.0, 1000.0))
        self.assertEqual([(0.0, 60.0), None, (60.0, 61.0)], got)


class SpaceShared(unittest.TestCase):
    def test_edf_head_blocks_and_is_rejected_only_when_it_could_start(self):
        got = outcome("edf", 2, job(0.0, 2, 50.0, 50.0, 100.0),
                      job(1.0, 2, 60.0, 60.0, 70.0),     # late at 50
                      job(2.0, 1, 5.0, 5.0, 500.0))
        self.assertEqual([(0.0, 50.0), None, (50.0, 55.0)], got)

    def test_easy_uses_extra_processors_and_strict_does_not(self):
        # 3 of 4 busy to 100; the head needs 3 and leaves 1 extra; a long
        # candidate of 1 starts at once under easy only.
        def jobs():
            return (job(0.0, 3, 100.0, 100.0, 9999.0),
                    job(1.0, 3, 10.0, 10.0, 9999.0),
                    job(2.0, 1, 500.0, 500.0, 9999.0))
        self.assertEqual([0.0, 100.0, 2.0],
                         [s for s, _ in outcome("easy", 4, *jobs())])
        self.assertEqual([0.0, 100.0, 100.0],
                         [s for s, _ in outcome("fcfs-bf", 4, *jobs())])
        self.assertEqual([0.0, 100.0, 100.0],
                         [s for s, _ in outcome("fcfs", 4, *jobs())])

    def test_finish_comes_before_arrival_at_one_instant(self):
        got = outcome("fcfs", 1, job(0.0, 1, 10.0, 10.0, None),
                      job(10.0, 1, 5.0, 5.0, None))
        self.assertEqual([(0.0, 10.0), (10.0, 15.0)], got)


class Command(unittest.TestCase):
    TABLE = ",".join(oracle.COLUMNS) + "\n" \
        "1,0,1,20,20,100,0,,,,,\n2,0,1,60,60,100,0,,,,,\n" \
        "3,5,1,50,50,60,1,,,,,\n"

    def run_oracle(self, text, *arguments):
        return subprocess.run(
            [sys.executable, os.path.join(HERE, "oracle.py"), "-",
             *arguments], input=text, capture_output=True, text=True,
            check=False)

    def test_own_table_agrees_and_a_changed_one_does_not(self):
        libra = ("--policy", "libra", "--procs", "1")
        table = self.run_oracle(self.TABLE, *libra, "--simulate-only").stdout
        rows = table.splitlines()
        self.assertIn("reject", rows[3])
        self.assertEqual(0, self.run_oracle(table, *libra).returncode)

        other = table.replace(rows[3], rows[3].replace("reject", "accept")
                              .replace(",,,0", ",5,50,1"))
        result = self.run_oracle(other, *libra)
        self.assertEqual(1, result.returncode)
        self.assertIn("row 3, job 3", result.stdout)

        finish = rows[1].split(",")[10]
        other = table.replace(rows[1], rows[1].replace(
            finish, repr(float(finish) + 0.002)))
        result = self.run_oracle(other, *libra)
        self.assertEqual(1, result.returncode)
        self.assertIn("equal finishes   1 of 2", result.stdout)

    def test_usage_and_input_errors(self):
        self.assertEqual(2, self.run_oracle(
            self.TABLE, "--policy", "none", "--procs", "1").returncode)
        self.assertEqual(2, self.run_oracle(
            self.TABLE, "--policy", "edf", "--procs", "0").returncode)
        result = self.run_oracle("job,submit_s\n1,2\n", "--policy", "edf",
                                 "--procs", "1", "--simulate-only")
        self.assertEqual(1, result.returncode)
        self.assertIn("no column procs", result.stderr)


class Normalize(unittest.TestCase):
    def test_records(self):
        rest = " -1 1" + " -1" * 7 + "\n"               # fields 10 to 18
        text = ("; MaxProcs: 8\n\n"
                "4 50 3 10 2 -1 -1 4 5" + rest +        # cut to 5 s
                "5 40 3 10 -1 -1 -1 4 -1" + rest +      # estimate := 10
                "6 30 3 0 1 -1 -1 1 9" + rest +         # never ran
                "7 60 3 10 9 -1 -1 9 9" + rest)         # too large
        with tempfile.NamedTemporaryFile("w", suffix=".swf") as stream:
            stream.write(text)
            stream.flush()
            header, records = normalize.read_trace(stream.name)
        kept, cut = normalize.normalize(records, header["MaxProcs"])
        self.assertEqual(1, cut)
        self.assertEqual([[1, 1, -1, 10, 4, -1, -1, 4, 10],
                          [2, 11, -1, 5, 2, -1, -1, 2, 5]],
                         [record[:9] for record in kept])
        out = io.StringIO()
        normalize.write_trace(kept, 8, out)
        self.assertIn("; MaxProcs: 8\n", out.getvalue())


class Market(unittest.TestCase):
    HOST = dict(market.DEFAULTS, cpus=2.0)

    def near(self, expected, values):
        for x, y in zip(expected, values):
            self.assertAlmostEqual(x, y, 12)

    def test_a_host_is_divided_by_bids(self):
        self.near([0.25, 0.5, 1.25], market.divide([1, 2, 5], self.HOST))

    def test_what_a_task_cannot_use_goes_to_others(self):
        # 1 CPU at the most: the third takes 1, the rest is divided 1 : 2.
        self.near([1 / 3, 2 / 3, 1],
                  market.divide([1, 2, 7], dict(self.HOST, most=1.0)))

    def test_strictly_it_is_lost(self):
        self.near([0.2, 0.4, 1], market.divide(
            [1, 2, 7], dict(self.HOST, most=1.0, strict=1.0)))

    def test_the_price_is_averaged_over_time(self):
        # 2 for 10 s, 5 for 5 s: mean 3, variance (2 x 1 + 4) / 3 = 2; k = 1
        # at a guarantee of 0.5, one-sided.
        history = market.History(1000.0)
        history.hold(7.0, 0.0)
        history.hold(2.0, 10.0)
        history.hold(5.0, 15.0)
        self.assertAlmostEqual(3 + 2 ** 0.5, history.bound(
            dict(market.DEFAULTS, guarantee=0.5)), 12)

    def test_the_window_moves_in_steps(self):
        # Steps of 1 s, the newest is the 70th: the first 6 s are out.
        history = market.History(64.0)
        history.hold(0.0, 0.0)
        history.hold(9.0, 6.0)
        history.hold(3.0, 69.5)
        self.assertAlmostEqual(3.0, history.bound(market.DEFAULTS), 12)

    def test_after_a_longer_time_it_begins_anew(self):
        history = market.History(64.0)
        history.hold(0.0, 0.0)
        history.hold(9.0, 0.5)
        history.hold(3.0, 100.5)
        self.assertEqual(36.5, history.begin)
        self.assertAlmostEqual(3.0, history.bound(market.DEFAULTS), 12)

    def test_lots_are_splitmix64(self):
        # The generator's published first outputs for the seed 1234567.
        lots = market.Lots(1234567)
        self.assertEqual(6457827717110365317 >> 11,
                         int(lots.draw() * 2 ** 53))
        self.assertEqual(3203168211198807973 >> 11,
                         int(lots.draw() * 2 ** 53))


if __name__ == "__main__":
    unittest.main()
