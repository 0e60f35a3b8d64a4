# SPDX-License-Identifier: GPL-2.0-or-later
"""project.py - what is mutated and what tests it, asked of a build's make.

The core and the host become one shared object, which all test programs load:
after a mutation one file is compiled and one library linked, whatever the
number of tests.  Programs that wrap functions at link time are linked anew.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

# How the code under test is compiled: as shipped, counting the lines that
# run, and with what finds wrong accesses, leaks and undefined sums.
VARIANTS = {
    "plain": ["-O2"],
    "lines": ["-O0", "--coverage"],
    "checked": ["-O1", "-fno-omit-frame-pointer",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=undefined"],
}
LIB = "libmutate.so"


class Failed(Exception):
    pass


def call(cmd, **kw):
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL, universal_newlines=True, **kw)
    if p.returncode:
        raise Failed("%s\n%s" % (shlex.join(cmd)[:400], p.stdout[-2000:]))
    return p.stdout


class Program:
    """One test: a program, or a script that runs one.

    apart: the code under test, if the test stands in for all the rest; it is
    in no library then.
    """

    def __init__(self, name, objects=(), libs=(), script=None, apart=()):
        self.name, self.objects, self.libs = name, list(objects), list(libs)
        self.script, self.apart = script, list(apart)
        self.wrapped = bool(apart) or any("--wrap" in lib for lib in self.libs)


class Project:
    """Sources, flags and tests.

    top: where sources are read and copied from; sources: paths below it that
    may be mutated (.c) ; copied: folders and files that tests read; apart:
    the flags of sources that are in no library.
    """

    def __init__(self, top, cc, flags, sources, programs, apart=None):
        self.top, self.cc, self.flags = top, cc, flags
        self.apart = apart or {}
        self.sources, self.programs = sources, programs
        self.linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []

    def __getitem__(self, name):
        return next(p for p in self.programs if p.name == name)


def variables(build, names):
    """The values of variables of a build folder's Makefile."""
    text = "include Makefile\nmutate-none: ; @:\n" + "".join(
        "$(info @@%s=$(%s))\n" % (n, n) for n in names)
    p = subprocess.run(["make", "-s", "--no-print-directory", "-f", "-",
                        "mutate-none"], input=text, cwd=build,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       universal_newlines=True)
    found = dict(re.findall(r"^@@([^=\s]+)=(.*)$", p.stdout, re.M))
    if p.returncode or not found:
        raise Failed("make in %s: %s" % (build, p.stderr[-500:]))
    return found


def is_subject(obj, sources):
    folder, name = os.path.split(obj)
    stem = name.rsplit(".", 1)[0]
    return any("%s/%s.c" % (folder, s) in sources
               for s in (stem, stem.split("-", 1)[-1]))


def compile_flags(build, top, text):
    """What has a say in what is compiled, but for the sources' top."""
    flags = []
    for f in shlex.split(text):
        if f.startswith("-I") and os.path.abspath(
                os.path.join(build, f[2:])) == top:
            continue
        if f.startswith("-I"):
            f = "-I" + os.path.join(build, f[2:])
        if not re.match(r"-W|-fvisibility|-g|-O", f):
            flags.append(f)
    return flags


def from_build(build):
    """The project of a configured build folder."""
    v = variables(build, [
        "abs_top_srcdir", "CC", "DEFS", "AM_CPPFLAGS", "CPPFLAGS",
        "AM_CFLAGS", "core_libcore_la_SOURCES", "plugin_sources",
        "unit_programs", "host_tests", "select_tests", "librasim_OBJECTS",
        "librasim_LDADD"])
    top = v["abs_top_srcdir"]
    sources = v["core_libcore_la_SOURCES"].split()
    if v["host_tests"]:
        sources += v["plugin_sources"].split()
    names = v["unit_programs"].split() + v["host_tests"].split() + \
        v["select_tests"].split()
    if not names:
        raise Failed("%s: configured without unit tests" % build)
    plain = [re.sub(r"\W", "_", n) for n in names]
    w = variables(build, ["%s_%s" % (n, s) for n in plain
                          for s in ("OBJECTS", "LDADD", "LDFLAGS", "SOURCES",
                                    "CPPFLAGS")])
    code = {s for s in sources if s.endswith(".c")}
    if not v["host_tests"]:
        code |= {"plugin/base/conf.c", "plugin/engine/admin_comment.c"}
    programs, flags_of = [], {}
    for name, p in zip(names, plain):
        add = w["%s_LDADD" % p].split()
        apart = [] if name not in v["select_tests"].split() else [
            s for s in w["%s_SOURCES" % p].split()
            if s.endswith(".c") and not s.startswith("tests/")]
        for s in set(apart) - set(sources):
            code.add(s)
            flags_of[s] = compile_flags(build, top, w["%s_CPPFLAGS" % p])
        programs.append(Program(
            name,
            [o for o in w["%s_OBJECTS" % p].split()
             if not is_subject(o, code)],
            [a for a in w["%s_LDFLAGS" % p].split() + add
             if not a.endswith(".la")], apart=apart))
    if v.get("librasim_OBJECTS"):
        programs.append(Program(
            "tests/golden/golden.sh", v["librasim_OBJECTS"].split(),
            [a for a in v["librasim_LDADD"].split() if not a.endswith(".la")],
            script="librasim"))
    flags = compile_flags(build, top, " ".join(
        [v["DEFS"], v["AM_CPPFLAGS"], v["CPPFLAGS"], v["AM_CFLAGS"]]))
    needed = sorted({o for p in programs for o in p.objects} |
                    {a for p in programs for a in p.libs
                     if a.endswith(".a")})
    print("making %d objects of tests" % len(needed), flush=True)
    call(["make", "-s", "-C", build] + needed)
    for p in programs:
        p.objects = [os.path.join(build, o) for o in p.objects]
        p.libs = [os.path.join(build, a) if a.endswith(".a") else a
                  for a in p.libs]
    headers = [s for s in sources if s.endswith(".h")]
    return Project(top, v["CC"].split(), flags, sorted(code) + headers,
                   programs, flags_of)


def toy(folder):
    """A folder of *.c to mutate and test_*.c, one program each."""
    cc = shlex.split(os.environ.get("CC", "cc"))
    files = sorted(os.path.basename(f) for f in
                   glob.glob(os.path.join(folder, "*.[ch]")))
    tests = [f for f in files if f.startswith("test_")]
    programs = []
    for t in tests:
        obj = os.path.join(folder, t[:-2] + ".o")
        call(cc + ["-c", "-I", folder, "-o", obj, os.path.join(folder, t)])
        programs.append(Program(t[:-2], [obj]))
    if not tests:
        raise Failed("%s: no test_*.c" % folder)
    return Project(os.path.abspath(folder), cc, [],
                   [f for f in files if f not in tests], programs)


def copy_tree(top, to):
    """A copy that nobody edits while it is measured.  Build folders, whatever
    their names, may hold the copy itself."""
    def unwanted(folder, names):
        return [n for n in names if n.startswith("build") or n == ".git" or
                n == "autom4te.cache" or n.endswith((".o", ".lo")) or
                os.path.exists(os.path.join(folder, n, "config.status"))]
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(top, to, ignore=unwanted, symlinks=True)


def complain(text):
    print("mutate: " + text, file=sys.stderr, flush=True)
