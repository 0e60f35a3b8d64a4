# SPDX-License-Identifier: GPL-2.0-or-later
"""bench.py - compiles one changed file, links, and runs tests with limits."""
import collections
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import mutants
import project as pj

# A test is given this many times the processor time that it needs, and more.
TIMES, MORE_S = 6, 0.4
# One that neither runs nor ends is given up after so many looks.
LOOK_S, LOOKS = 5, 6
SCRIPT_S = 600

Result = collections.namedtuple("Result", "what by")


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Bench:
    """A work folder: tree (the copy), bin (tests), VARIANT (objects)."""

    def __init__(self, project, work):
        self.p, self.work = project, os.path.abspath(work)
        self.tree = os.path.join(self.work, "tree")
        self.cpu_s = {}		# of each test, as it is
        self.slow = {}		# those that were left out for it
        self.good = {}		# variant -> tests that pass in it
        self.seen = {}		# path -> line -> tests
        self.kills = collections.Counter()
        self.runs = collections.Counter()
        self.reference = {}

    def at(self, *names):
        return os.path.join(self.work, *names)

    # Building

    def compile(self, variant, path, obj, over=None, folder=None):
        """A file of the tree, or of another folder.  Result: does it compile?
        """
        source = os.path.join(folder or self.tree, path)
        cmd = self.p.cc + (["-I", over] if over else []) + \
            ["-I", self.tree] + self.p.flags + self.p.apart.get(path, []) + \
            pj.VARIANTS[variant] + \
            ["-fPIC", "-fno-semantic-interposition", "-w", "-MMD",
             "-c", "-o", obj, source]
        return subprocess.run(cmd, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              cwd=self.tree).returncode == 0

    def obj(self, variant, path):
        return self.at(variant, path.replace("/", "@")[:-2] + ".o")

    def in_library(self):
        return [s for s in self.p.sources
                if s.endswith(".c") and s not in self.p.apart]

    def objects(self, variant, paths, changed):
        return [changed.get(s) or self.obj(variant, s) for s in paths]

    def link(self, variant, changed, folder):
        """The library of all objects, some of which were changed."""
        objs = self.objects(variant, self.in_library(), changed)
        os.makedirs(folder, exist_ok=True)
        pj.call(self.p.cc + self.p.linker + ["-shared"] +
                pj.VARIANTS[variant] +
                ["-Wl,-Bsymbolic-functions", "-o",
                 os.path.join(folder, pj.LIB)] + objs + ["-lm", "-lpthread"])

    def link_program(self, variant, program, changed, out):
        """With the library, or with objects, some of which were changed."""
        own = ["-L", self.at(variant, "lib"), "-lmutate"]
        if program.wrapped:
            own = self.objects(variant, program.apart or self.in_library(),
                               changed)
        # Linking is not compiling: -O and warnings have no place here.
        pj.call(self.p.cc + self.p.linker + pj.VARIANTS[variant] +
                ["-o", out] + program.objects + own + program.libs +
                ["-lm", "-lpthread"])

    def build(self, variant, only=None):
        """The library and its tests; only: just these programs, anew."""
        os.makedirs(self.at(variant, "bin"), exist_ok=True)
        code = [s for s in self.p.sources if s.endswith(".c")]
        for s in code if only is None else []:
            if not self.compile(variant, s, self.obj(variant, s)):
                raise pj.Failed("%s does not compile" % s)
        if only is None:
            self.link(variant, {}, self.at(variant, "lib"))
        for p in self.p.programs if only is None else only:
            self.link_program(variant, p, {}, self.program(variant, p))

    def program(self, variant, p):
        return self.at(variant, "bin", p.script or p.name.replace("/", "@"))

    # Running

    def run(self, variant, p, lib, limit_s=None, exe=None):
        """Run a test.  Result: "passed", "failed" or "timeout", seconds."""
        bin_folder = os.path.dirname(self.program(variant, p))
        env = {k: v for k, v in os.environ.items() if k != "LIBRA_TRACES"}
        env.update(srcdir=self.tree, builddir=bin_folder, LC_ALL="C",
                   LD_LIBRARY_PATH=lib, TEST_TRACES="",
                   UBSAN_OPTIONS="halt_on_error=1")
        cmd = ["sh", os.path.join(self.tree, p.name)] if p.script \
            else [exe or self.program(variant, p)]

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
            if variant != "checked":
                resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
            if limit_s:
                whole = int(limit_s) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
                signal.setitimer(signal.ITIMER_PROF, limit_s)

        folder = self.at("cwd")
        os.makedirs(folder, exist_ok=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = subprocess.Popen(cmd, cwd=folder, env=env,
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL,
                                 start_new_session=True, preexec_fn=limits)
        hung = self.wait(child, bool(p.script))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - \
            before.ru_stime
        if hung or child.returncode in (-signal.SIGPROF, -signal.SIGXCPU):
            return "timeout", took
        return "failed" if child.returncode else "passed", took

    def wait(self, child, is_script):
        """Wait for a child.  Result: did it hang?"""
        idle, last, since = 0, None, time.monotonic()
        while True:
            try:
                child.wait(timeout=LOOK_S)
                return False
            except subprocess.TimeoutExpired:
                with open("/proc/%d/stat" % child.pid) as f:
                    field = f.read().rsplit(")", 1)[1].split()
                now = field[11:13]
                asleep = field[0] == "S" and now == last
                idle, last = idle + 1 if asleep else 0, now
                if is_script and time.monotonic() - since < SCRIPT_S:
                    continue
                if idle >= LOOKS or is_script:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
                    return True

    def measure(self, variant, programs, slow_s):
        """Run each test as it is; leave those out that fail or are slow."""
        good = self.good.setdefault(variant, [])
        for p in programs:
            what, s = self.run(variant, p, self.at(variant, "lib"))
            if what != "passed":
                pj.complain("%s, %s: %s before any mutation; left out" %
                            (p.name, variant, what))
            elif s > slow_s:
                pj.complain("%s, %s: takes %.1f s; left out" %
                            (p.name, variant, s))
                self.slow[p.name] = s
            else:
                good.append(p.name)
                if variant == "plain":
                    self.cpu_s[p.name] = s

    def see_lines(self, programs):
        """Which test runs which line?  With gcc's gcov alone."""
        folder = self.at("lines")
        for p in programs:
            for f in os.listdir(folder):
                if f.endswith(".gcda"):
                    os.unlink(os.path.join(folder, f))
            self.run("lines", p, self.at("lines", "lib"))
            data = [f for f in sorted(os.listdir(folder))
                    if f.endswith(".gcda")]
            if not data:
                continue
            out = subprocess.run(["gcov", "--json-format", "--stdout"] + data,
                                 cwd=folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL).stdout
            for text in out.splitlines():
                for f in json.loads(text)["files"]:
                    self.note_lines(p.name, f)

    def note_lines(self, test, f):
        path = os.path.relpath(os.path.join(self.tree, f["file"]), self.tree)
        if path not in self.p.sources:
            return
        lines = self.seen.setdefault(path, {})
        for one in f["lines"]:
            tests = lines.setdefault(one["line_number"], set())
            if one["count"]:
                tests.add(test)

    # What was measured is kept with the digests of what it was measured of.

    def digests(self):
        h = hashlib.sha256(repr((self.p.cc, self.p.flags)).encode())
        for s in self.p.sources:
            h.update(read(os.path.join(self.tree, s)))
        return h.hexdigest(), {
            p.name: hashlib.sha256(b"".join(map(read, p.objects)) + (read(
                os.path.join(self.tree, p.name)) if p.script else b"")
            ).hexdigest() for p in self.p.programs}

    def save(self):
        sources, programs = self.digests()
        with open(self.at("state"), "w") as f:
            json.dump({
                "sources": sources, "programs": programs,
                "cpu_s": self.cpu_s, "good": self.good, "slow": self.slow,
                "seen": {path: {n: sorted(t) for n, t in lines.items()}
                         for path, lines in self.seen.items()}}, f)

    def load(self, slow_s):
        """Result: programs that are new since save(), None if all is."""
        if not os.path.exists(self.at("state")):
            return None
        with open(self.at("state")) as f:
            old = json.load(f)
        sources, programs = self.digests()
        if old["sources"] != sources:
            return None
        took = dict(old["cpu_s"], **old["slow"])
        self.slow = {n: s for n, s in took.items() if s > slow_s}
        same = {n for n, d in programs.items()
                if old["programs"].get(n) == d and
                (n in self.slow or n not in old["slow"])}
        self.cpu_s = {n: s for n, s in old["cpu_s"].items()
                      if n in same and n not in self.slow}
        self.good = {v: [n for n in names if n in same]
                     for v, names in old["good"].items()}
        self.seen = {path: {int(n): set(t) & same for n, t in lines.items()}
                     for path, lines in old["seen"].items()}
        return [p for p in self.p.programs if p.name not in same]

    def tests_of(self, m):
        """Tests that run the line of a mutant, the best first."""
        names = list(self.cpu_s)
        if self.seen:
            names = self.tests_of_lines(m)
        rate = {n: (self.kills[m.path, n] + 1) /
                (self.runs[m.path, n] + 2) / (self.cpu_s[n] + 0.01)
                for n in names}
        return [self.p[n] for n in sorted(names, key=lambda n: -rate[n])]

    def tests_of_lines(self, m):
        lines = self.seen.get(m.path)
        if lines is None:	# tables alone
            return list(self.cpu_s)
        if m.line in lines:
            near = {m.line}
        else:
            before = [n for n in lines if n < m.line]
            after = [n for n in lines if n > m.line]
            near = {max(before)} if before else set()
            near |= {min(after)} if after else set()
        # A table outside of functions is not code: whoever runs the file.
        found = set().union(*(lines[n] for n in near)) if near else set()
        if m.line not in lines:
            found |= set().union(*lines.values()) if lines else set()
        return [n for n in self.cpu_s if n in found]

    # One mutant

    def users(self, variant, path):
        """The sources to compile when a file changes."""
        if path.endswith(".c"):
            return [path]
        found = []
        for s in self.p.sources:
            if s.endswith(".c"):
                with open(self.obj(variant, s)[:-2] + ".d") as f:
                    if re.search(r"(^|[\s/])%s(\s|$)" % re.escape(path),
                                 f.read()):
                        found.append(s)
        return found

    def changed(self, variant, path, text):
        """Objects with a file's other text.  Result: None if one does not
        compile; else source -> object, and their digest."""
        over = self.at("over")
        shutil.rmtree(over, ignore_errors=True)
        os.makedirs(os.path.dirname(os.path.join(over, path)))
        with open(os.path.join(over, path), "w") as f:
            f.write(text)
        objs, digest = {}, hashlib.sha256()
        for s in self.users(variant, path):
            objs[s] = os.path.join(over, s.replace("/", "@")[:-2] + ".o")
            if not self.compile(variant, s, objs[s], over,
                                over if s == path else None):
                return None, None
            with open(objs[s], "rb") as f:
                digest.update(f.read())
        return objs, digest.hexdigest()

    def try_variant(self, variant, m, source, seen):
        if variant == "plain" and (m.path, source) not in self.reference:
            self.reference[m.path, source] = \
                self.changed(variant, m.path, source)[1]
        objs, digest = self.changed(variant, m.path,
                                    mutants.applied(source, m))
        if objs is None:
            return Result("does not compile", "")
        if variant == "plain":
            if digest == self.reference[m.path, source]:
                return Result("equivalent", "the compiler")
            if digest in seen:
                return seen[digest]
        lib = self.at(variant, "lib")
        if set(objs) - set(self.p.apart):
            lib = self.at("over", "lib")
            self.link(variant, objs, lib)
        result = Result("survived", "")
        tests = [p for p in self.tests_of(m) if p.name in self.good[variant]]
        if not tests:
            result = Result("survived", "no test runs the line")
        for p in tests:
            exe = None
            if p.wrapped:
                exe = self.at("over", "wrapped")
                self.link_program(variant, p, objs, exe)
            what = self.run(variant, p, lib, TIMES * self.cpu_s[p.name] *
                            (4 if variant == "checked" else 1) + MORE_S,
                            exe)[0]
            self.runs[m.path, p.name] += 1
            if what != "passed":
                self.kills[m.path, p.name] += 1
                result = Result("killed" if what == "failed" else
                                "timed out", p.name +
                                (" (checked)" if variant == "checked"
                                 else ""))
                break
        if variant == "plain":
            seen[digest] = result
        return result

    def judge(self, m, source, seen, checked):
        """What becomes of a mutant?  seen: results by object, for twins."""
        result = self.try_variant("plain", m, source, seen)
        if result.what == "survived" and checked and \
                "no test" not in result.by:
            again = self.try_variant("checked", m, source, seen)
            if again.what in ("killed", "timed out"):
                return again
        return result
