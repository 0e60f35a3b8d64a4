# SPDX-License-Identifier: GPL-2.0-or-later
"""Check JSON against a schema: schema.py SCHEMA FILE...

Knows the keywords that docs/run.schema.json uses and refuses others, so that
it cannot pass what it does not understand.  python3-jsonschema, where it is
installed, has to agree.  Prints what is wrong; the exit status is 1 if a file
does not fit, 2 if the schema is not understood.
"""

import json
import re
import sys

KNOWN = {
    "$schema", "title", "description", "unit", "type", "enum", "pattern",
    "minimum", "maximum", "minItems", "required", "properties",
    "additionalProperties", "items",
}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float))
    and not isinstance(v, bool),
}


def understood(schema):
    """Stop unless all keywords of a schema are known and it is described."""
    unknown = set(schema) - KNOWN
    if unknown:
        sys.exit("unknown keywords: %s" % ", ".join(sorted(unknown)))
    inner = list(schema.get("properties", {}).items())
    if "items" in schema:
        inner.append(("items", schema["items"]))
    if isinstance(schema.get("additionalProperties"), dict):
        understood(schema["additionalProperties"])
    for name, part in inner:
        if "type" not in part:
            sys.exit("%s has no type" % name)
        if name != "items" and not part.get("description"):
            sys.exit("%s has no description" % name)
        understood(part)


def wrong_scalar(value, schema):
    """What is wrong with a number or a text."""
    if "enum" in schema and value not in schema["enum"]:
        yield "is %r, not one of %s" % (value, schema["enum"])
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield "is %r, which does not match" % value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value):
            yield "is %r, below %r" % (value, schema["minimum"])
        if value > schema.get("maximum", value):
            yield "is %r, above %r" % (value, schema["maximum"])


def wrong(value, schema, where="it"):
    """What is wrong with a value."""
    types = schema["type"]
    if not isinstance(types, list):
        types = [types]
    if not any(TYPES[t](value) for t in types):
        yield "%s is %r, not %s" % (where, value, " or ".join(types))
        return
    for why in wrong_scalar(value, schema):
        yield "%s %s" % (where, why)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield "%s has too few elements" % where
        for i, element in enumerate(value):
            yield from wrong(element, schema["items"], "%s[%d]" % (where, i))
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield "%s has no %s" % (where, name)
        for name, member in value.items():
            inner = "%s.%s" % (where, name)
            if name in known:
                yield from wrong(member, known[name], inner)
            elif more is False:
                yield "%s is unknown" % inner
            elif more:
                yield from wrong(member, more, inner)


def library_says(value, schema):
    """Whether python3-jsonschema finds nothing; None if it is not there."""
    try:
        import jsonschema
    except ImportError:
        return None
    return not list(jsonschema.Draft7Validator(schema).iter_errors(value))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    understood(schema)
    bad = False
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as f:
            value = json.load(f)
        found = list(wrong(value, schema))
        for text in found:
            print("%s: %s" % (path, text))
        library = library_says(value, schema)
        if library is not None and library != (not found):
            print("%s: python3-jsonschema does not agree" % path)
            bad = True
        bad = bad or bool(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
