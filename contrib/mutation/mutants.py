# SPDX-License-Identifier: GPL-2.0-or-later
"""mutants.py - the places of a C file where one thing can be made wrong.

A lexer and rules for single tokens; no parser.  The rules trust the layout
that clang-format gives: an operator of two operands stands between blanks, a
pointer's star does not.
"""
import collections
import re

# what: a short word for the rule; old, new: what is printed; start, end, text:
# the characters start..end of the file become text.
Mutant = collections.namedtuple(
    "Mutant", "path line what old new start end text nth source")

LEX = re.compile(r"""
    (?P<skip>/\*.*?\*/ | //[^\n]* | ^[ \t]*\#(?:\\\n|[^\n])* | \s+)
  | (?P<string>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
      [uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\.\.\.|.)
""", re.X | re.M | re.S)

OPERATORS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "%=": ["*="],
    "|=": ["&="], "&=": ["|="], "<<=": [">>="], ">>=": ["<<="],
}
STEPS = {"++": "--", "--": "++"}
WORDS = {"true": "false", "false": "true", "fmin": "fmax", "fmax": "fmin",
         "floor": "ceil", "ceil": "floor"}
# What they hold is for people who debug, or for the compiler.
UNTOUCHED = {"assert", "static_assert", "_Static_assert", "__attribute__",
             "sizeof", "typedef"}
KEYWORDS = {"return", "case", "else", "if", "while", "for", "switch", "do",
            "goto", "break", "continue", "default", "struct", "union", "enum",
            "static", "const", "int", "unsigned", "double", "char", "bool",
            "void", "long", "float", "extern", "inline"}

Token = collections.namedtuple("Token", "kind text start end")


def tokens(source):
    return [Token(m.lastgroup, m.group(), m.start(), m.end())
            for m in LEX.finditer(source) if m.lastgroup != "skip"]


def matching(toks, i):
    """The index of the parenthesis or bracket that closes that at i."""
    depth = 0
    for j in range(i, len(toks)):
        if toks[j].kind == "op" and toks[j].text in "([{":
            depth += 1
        elif toks[j].kind == "op" and toks[j].text in ")]}":
            depth -= 1
            if depth == 0:
                return j
    return len(toks) - 1


def another_number(text):
    """0 and 1 change places; others become one more."""
    digits = text.rstrip("uUlLfF") if not text.lower().startswith("0x") \
        else text.rstrip("uUlL")
    suffix = text[len(digits):]
    if re.fullmatch(r"[01](\.0*)?", digits):
        return "10"[int(digits[0])] + digits[1:] + suffix
    if digits.lower().startswith("0x"):
        return hex(int(digits, 16) + 1) + suffix
    if re.fullmatch(r"\d+", digits):
        return str(int(digits, 8 if digits[0] == "0" else 10) + 1) + suffix
    return repr(float(digits) + 1) + suffix


class File:
    def __init__(self, path, source):
        self.path, self.source = path, source
        self.toks = tokens(source)
        self.out = []
        self.untouched = self.find_untouched()
        self.inside = self.find_inside()

    def find_untouched(self):
        """Indices of tokens inside of what no rule may touch."""
        held = set()
        for i, t in enumerate(self.toks[:-1]):
            if t.text in UNTOUCHED and self.toks[i + 1].text == "(":
                held.update(range(i, matching(self.toks, i + 1) + 1))
        return held

    def find_inside(self):
        """Indices of tokens in parentheses: no statement begins there."""
        inside, depth = set(), 0
        for i, t in enumerate(self.toks):
            depth += {"(": 1, ")": -1}.get(t.text, 0)
            if depth > 0:
                inside.add(i)
        return inside

    def text_at(self, i):
        return self.toks[i].text if 0 <= i < len(self.toks) else ""

    def blank(self, at):
        return self.source[at:at + 1].isspace()

    def add(self, what, first, last, new, old=None):
        """Tokens first..last become new."""
        start, end = self.toks[first].start, self.toks[last].end
        old = old or " ".join(self.source[start:end].split())
        self.out.append((what, start, end, new, old))

    def operator(self, i):
        t = self.toks[i]
        if t.text in STEPS:
            self.add("step", i, i, STEPS[t.text])
        elif t.text in OPERATORS and self.blank(t.end) and \
                self.blank(t.start - 1):
            for new in OPERATORS[t.text]:
                self.add("operator", i, i, new)
        elif t.text == "!":
            self.add("not", i, i, "", "!")
        elif t.text == "-" and not self.blank(t.end):
            self.add("sign", i, i, "", "-")

    def condition(self, i):
        """An if, or a while: its condition is always, or never, met."""
        if self.text_at(i + 1) != "(":
            return
        close = matching(self.toks, i + 1)
        for new in ("1", "0") if self.toks[i].text == "if" else ("0",):
            self.add("condition", i + 2, close - 1, new)

    def statement(self, i):
        """A statement that is a call or an assignment goes away."""
        j = i
        while self.text_at(j) == "*":
            j += 1
        if self.text_at(j) == "(" and self.text_at(j + 1) == "void":
            j += 3
        if j >= len(self.toks) or self.toks[j].kind != "word" or \
                self.toks[j].text in KEYWORDS:
            return
        j += 1
        while self.text_at(j) in ("->", ".", "[", "("):
            call = self.text_at(j) == "("
            j = matching(self.toks, j) + 1 if self.text_at(j) in "[(" else j + 2
            if call and self.text_at(j) == ";":
                if self.toks[i].text not in ("va_start", "va_end"):
                    self.add("call", i, j - 1, "")
                return
        if not re.fullmatch(r"([-+*/%&|^]|<<|>>)?=", self.text_at(j)):
            return
        while self.text_at(j) not in (";", ""):
            j = matching(self.toks, j) + 1 if self.text_at(j) in "([{" \
                else j + 1
        self.add("assignment", i, j - 1, "")

    def begins_statement(self, i):
        if i in self.inside:
            return False
        before = self.text_at(i - 1)
        if before in ("{", "}", ";", "else", "do"):
            return True
        if before != ")":
            return False
        depth = 0
        for j in range(i - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(self.toks[j].text, 0)
            if depth == 0:
                return self.text_at(j - 1) in ("if", "while", "for")
        return False

    def mutants(self):
        for i, t in enumerate(self.toks):
            if i in self.untouched:
                continue
            if t.kind == "op":
                self.operator(i)
            elif t.kind == "number":
                # -1 and -2 are the same to who asks for less than none.
                if not (t.text == "1" and self.text_at(i - 1) == "-" and
                        not self.blank(t.start - 2)):
                    self.add("constant", i, i, another_number(t.text))
            elif t.text in WORDS:
                self.add("word", i, i, WORDS[t.text])
            elif t.text in ("if", "while"):
                self.condition(i)
            if t.kind in ("word", "op") and self.begins_statement(i):
                self.statement(i)
        return self.named()

    def named(self):
        """Mutants with what tells them apart on their line."""
        seen = collections.Counter()
        lines = self.source.split("\n")
        out = []
        for what, start, end, new, old in sorted(self.out,
                                                 key=lambda m: m[1:3]):
            line = self.source.count("\n", 0, start) + 1
            shown = new or "nothing"
            key = (line, what, old, shown)
            seen[key] += 1
            out.append(Mutant(self.path, line, what, old, shown, start, end,
                              new, seen[key],
                              " ".join(lines[line - 1].split())))
        return out


def of_file(path, source):
    """All mutants of a file, in its order."""
    return File(path, source).mutants()


def applied(source, m):
    """The file with a mutant in it; all lines keep their numbers."""
    lost = source.count("\n", m.start, m.end)
    return source[:m.start] + m.text + "\n" * lost + source[m.end:]
