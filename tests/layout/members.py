#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print each struct below the folders given that has more than 30 members.

Members of a struct or union without a name count as those of its owner.
"""
import pathlib
import re
import sys

MOST = 30
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRUCT = re.compile(r"^(?:static )?(?:const )?struct (\w+) \{\n(.*?)^\}",
                    re.S | re.M)
CALL = re.compile(r"\(\*(\w+)\)\s*\([^;]*\)")
PARENTHESES = re.compile(r"\([^()]*\)")
NAMED_PART = re.compile(r"\{[^{}]*\}(?=\s*\w)")


def members(body):
    """Count the declarators of a struct."""
    body = CALL.sub(r"\1", body)
    while NAMED_PART.search(body):
        body = NAMED_PART.sub("", body)
    return sum(1 + PARENTHESES.sub("", line).count(",")
               for line in re.split(r"[;{}]", body)
               if line.strip() and not re.fullmatch(
                   r"\s*(?:struct|union)\s*\w*\s*", line))


for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
        text = COMMENT.sub("", path.read_text())
        for match in STRUCT.finditer(text):
            count = members(match.group(2))
            if count > MOST:
                print(f"{path}: struct {match.group(1)} has {count} members:"
                      f" name its parts")
