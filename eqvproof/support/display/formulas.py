"""Prose with formulas in plain characters, as HTML with MathML.

``for all X, f(Q X) = Q f(X)^T`` becomes words with two formulas between them. The notation is the
one that people type: ``x_i``, ``W_Q^T``, ``X^-1``, ``sqrt(d)``, ``sum_{j=1}^n``, ``[[0, I], [0,
0]]``, ``d x n``, Greek letters by name. What is not recognised stays text; nothing is lost and
nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

#: Greek letters by their names.
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho":
    "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "infinity":
    "∞",
}  # fmt: skip
LARGE = {"sum": "∑", "prod": "∏"}
SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    ":=": "≔",
    "=:": "≕",
    "->": "→",
    "..": "…",
    "...": "…",
    "-": "−",
}
SPACE = "\u2003"
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
_TOKEN = re.compile(
    r"\s+|\d+(?:\.\d+)*|[A-Za-z]-bar\b|[A-Za-z]+(?:-[A-Za-z]+)+|[A-Za-z]+|\.\.\.|\.\.|<=|>=|!=|:=|=:|->|.",
    re.S,
)


def formula_html(text: str) -> str:
    """Returns the text as HTML: words escaped, formulas as ``<math>``."""
    tokens = _TOKEN.findall(text)
    pieces: list[str] = []
    run: list[str] = []

    def close() -> None:
        while run and run[-1].isspace():
            run.pop()
        if run:
            pieces.append(_piece(run))
            run.clear()

    i = 0
    while i < len(tokens):
        token = tokens[i]
        end = None
        if token in OPENING:
            end = _closing(tokens, i)
        script = bool(run) and run[-1] in {"_", "^"}
        if end is not None and (script or not any(_is_word(tokens, k) for k in range(i, end))):
            run.extend(tokens[i : end + 1])
            i = end + 1
            continue
        if token.isspace():
            (run or pieces).append(token)
        elif (
            _is_word(tokens, i)
            or _is_punctuation(tokens, i)
            or token in OPENING
            or token in CLOSING
        ):
            space = bool(run) and run[-1].isspace()
            close()
            if space:
                pieces.append(" ")
            pieces.append(escape(token))
        else:
            run.append(token)
        i += 1
    close()
    return "".join(pieces)


def _piece(run: Sequence[str]) -> str:
    """Returns a run of tokens as a formula, or as text where it holds nothing but a number."""
    text = "".join(run)
    if not re.search(r"[A-Za-z=<>+^_|]", text):
        return escape(text)
    tokens = [t for t in _as_times(run) if not t.isspace()]
    return f"<math>{_Formula(tokens).row()}</math>"


def _as_times(run: Sequence[str]) -> list[str]:
    """Replaces the x of ``d x n`` by a multiplication sign."""
    result = list(run)
    for i in range(2, len(run) - 2):
        sides = (run[i - 2], run[i + 2])
        if run[i] == "x" and run[i - 1].isspace() and run[i + 1].isspace():
            sized = all(s.isdigit() or (len(s) == 1 and s.isalpha() and s.islower()) for s in sides)
            before = _token(run, i - 3)
            if sized and (before.isspace() or before in "({[,_"):
                result[i] = "×"
                if i + 3 < len(run) and run[i + 3].isspace():
                    result[i + 2] += SPACE
    return result


def _token(tokens: Sequence[str], i: int) -> str:
    """Returns a token; a blank before the first and after the last."""
    if 0 <= i < len(tokens):
        return tokens[i]
    return " "


def _closing(tokens: Sequence[str], start: int) -> int | None:
    expected = []
    for i in range(start, len(tokens)):
        if tokens[i] in OPENING:
            expected.append(OPENING[tokens[i]])
        elif tokens[i] in CLOSING:
            if not expected or expected.pop() != tokens[i]:
                return None
            if not expected:
                return i
    return None


def _is_word(tokens: Sequence[str], i: int) -> bool:
    """Checks whether a token is prose: the article a, or a word that is no name in a formula."""
    token = tokens[i]
    if token[:1] == '"':
        return True
    if not token[0].isalpha() or token.endswith("-bar"):
        return False
    after = _token(tokens, i + 1)
    if len(token) == 1:
        following = next((t for t in tokens[i + 1 :] if not t.isspace()), "")
        earlier = next((t for t in reversed(tokens[:i]) if not t.isspace()), "")
        before_word = following.isalpha() and (
            len(following) > 1 or (earlier.isalpha() and len(earlier) > 1)
        )
        return token == "a" and after.isspace() and before_word
    before = _token(tokens, i - 1)
    if token in LARGE:
        following = next((t for t in tokens[i + 1 :] if not t.isspace()), "")
        named = following.isalpha() and len(following) > 1 and following not in GREEK
        return after.isspace() and (named or following.isdigit())
    return not (
        token in GREEK or token == "sqrt" or after in {"(", "_", "^", "'"} or before in {"_", "^"}
    )


def _is_punctuation(tokens: Sequence[str], i: int) -> bool:
    after = _token(tokens, i + 1)
    return tokens[i] in {",", ";", ":", ".", "?", "!"} and after.isspace()


class _Formula:
    """A recursive descent parser of the tokens of one formula, which shows any input."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens, self.at = list(tokens), 0

    def row(self, end: str | None = None) -> str:
        """Returns the elements up to a closing bracket, or to the end."""
        parts = []
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            parts.append(self._element())
        return "".join(parts)

    def _next(self) -> str:
        self.at += 1
        if self.at <= len(self.tokens):
            return self.tokens[self.at - 1]
        return ""

    def _peek(self) -> str:
        if self.at < len(self.tokens):
            return self.tokens[self.at]
        return ""

    def _element(self) -> str:
        large = self._peek() in LARGE
        base, lower, upper = self._atom(), "", ""
        while self._peek() in {"_", "^", "'"}:
            sign = self._next()
            if sign == "'":
                upper += "<mo>′</mo>"
            elif sign == "^" and not _starts_script(self._peek()):
                base = f"<mover>{base}<mo>^</mo></mover>"
            elif sign == "_":
                lower += self._script()
            else:
                upper += self._script()
        if large:
            names = ("munder", "mover", "munderover")
        else:
            names = ("msub", "msup", "msubsup")
        low, up = (f"<mrow>{part}</mrow>" if part else "" for part in (lower, upper))
        if low and up:
            return f"<{names[2]}>{base}{low}{up}</{names[2]}>"
        if low:
            return f"<{names[0]}>{base}{low}</{names[0]}>"
        if up:
            return f"<{names[1]}>{base}{up}</{names[1]}>"
        return base

    def _script(self) -> str:
        token = self._peek()
        if token == "{":
            self._next()
            inner = self.row("}")
            self._next()
            return inner
        if token == "-":
            self._next()
            return "<mo>−</mo>" + self._atom()
        if token.isalpha() and len(token) == 2 and token not in GREEK:
            self._next()
            return "".join(f"<mi>{escape(c)}</mi>" for c in token)
        return self._atom()

    def _atom(self) -> str:
        token = self._next()
        if token == "[" and self._peek() == "[":
            return self._matrix()
        if token in OPENING:
            end = OPENING[token]
            inner = self.row(end)
            self._next()
            return f"<mrow>{_operator(token)}{inner}{_operator(end)}</mrow>"
        if token == "sqrt" and self._peek() == "(":
            self._next()
            inner = self.row(")")
            self._next()
            return f"<msqrt>{inner}</msqrt>"
        return _symbol(token)

    def _matrix(self) -> str:
        rows = []
        while self._peek() == "[":
            self._next()
            cells = [self._cell()]
            while self._peek() == ",":
                self._next()
                cells.append(self._cell())
            self._next()
            rows.append("<mtr>" + "".join(f"<mtd>{c}</mtd>" for c in cells) + "</mtr>")
            if self._peek() == ",":
                self._next()
        self._next()
        return f"<mrow><mo>[</mo><mtable>{''.join(rows)}</mtable><mo>]</mo></mrow>"

    def _cell(self) -> str:
        parts = []
        while self._peek() not in {",", "]", ""}:
            parts.append(self._element())
        return "".join(parts)


def _starts_script(token: str) -> bool:
    return token[:1].isalnum() or token in {"{", "(", "-", "*", "+"}


def _symbol(token: str) -> str:
    if token.endswith(SPACE):
        return _symbol(token.removesuffix(SPACE)) + '<mspace width="0.3em"/>'
    if token in LARGE:
        return f"<mo>{LARGE[token]}</mo>"
    if token in GREEK:
        return f"<mi>{GREEK[token]}</mi>"
    if token.endswith("-bar"):
        return f"<mover><mi>{escape(token[0])}</mi><mo>¯</mo></mover>"
    if token == "o":
        return "<mo>∘</mo>"
    if token[:1].isalpha():
        plain = ' mathvariant="normal"' if len(token) > 1 else ""
        return f"<mi{plain}>{escape(token)}</mi>"
    if token[:1].isdigit():
        return f"<mn>{token}</mn>"
    return _operator(token)


def _operator(token: str) -> str:
    if token:
        return f'<mo stretchy="false">{escape(SIGNS.get(token, token))}</mo>'
    return ""
