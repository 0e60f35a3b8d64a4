#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""circles.py [FOLDER...] - print each circle of modules, a line for each.

A module is a .c file together with the header of the same name.  Module A calls
module B if A names a function that B alone defines: an external one, or an
inline one of its header.
"""
import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', re.S)
FUNCTION = re.compile(r'^([a-zA-Z_][\w \t*\n]*?)\b(\w+)\([^;{}]*\)\s*\n\{', re.M)
# Names that stand in a header but call nothing: prototypes and types.
NO_CALL = re.compile(r'^[a-zA-Z_][\w \t*\n]*?\b\w+(?=\([^;{}]*\)\s*;)'
                     r'|\b(?:struct|enum|union)\s+\w+', re.M)
WORD = re.compile(r'\b[A-Za-z_]\w+\b')


def read(folders):
    """Map each module to (functions that others can call, words)."""
    modules = {}
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in names:
                if not name.endswith(('.c', '.h')):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding='utf-8') as f:
                    text = COMMENT.sub(' ', f.read())
                functions, words = modules.setdefault(path[:-2],
                                                      (set(), set()))
                words.update(WORD.findall(NO_CALL.sub(' ', text)))
                functions.update(function for kind, function
                                 in FUNCTION.findall(text)
                                 if 'static' not in kind or path.endswith('.h'))
    return modules


def arrows(modules):
    """Map each module to the modules that it calls, with the names."""
    home = {}
    for module, (functions, _) in modules.items():
        for name in functions:
            home.setdefault(name, []).append(module)
    uses = {}
    for module, (_, words) in modules.items():
        for word in words & home.keys():
            if len(home[word]) == 1 and home[word][0] != module:
                uses.setdefault(module, {}).setdefault(home[word][0],
                                                       set()).add(word)
    return uses


def circles(uses):
    """Strongly connected modules, more than one each (Tarjan, by a stack)."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for root in sorted(uses):
        if root in index:
            continue
        work = [(root, iter(sorted(uses.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(sorted(uses.get(to, ())))))
                    break
                if to in on:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    ring = []
                    while not ring or ring[-1] != node:
                        ring.append(stack.pop())
                        on.discard(ring[-1])
                    if len(ring) > 1:
                        found.append(sorted(ring))
    return found


def main():
    uses = arrows(read(sys.argv[1:] or ['core', 'plugin', 'sim']))
    for ring in circles(uses):
        print(' '.join(ring))
        for a in ring:
            for b in ring:
                if b in uses.get(a, ()):
                    print(f'  {a} -> {b}: {", ".join(sorted(uses[a][b]))}')


main()
