"""Parses irreps of O(3) in the notation of e3nn, such as "2x1o+1x0e"."""

from __future__ import annotations

import re

from eqvproof.claims.signature.carets import caret_line
from eqvproof.support.errors import GroupError

#: Irreps of higher degrees are not read.
MOST_DEGREE = 16
_PART = re.compile(r"\s*(?:(\d+)\s*x\s*)?(\d+)\s*([eo])\s*(\+|$)")


def parse_irreps(text: str) -> tuple[tuple[int, int, str], ...]:
    """Triples (multiplicity, degree, parity "e" or "o") of an e3nn text.

    >>> parse_irreps("2x0e + 1o")
    ((2, 0, 'e'), (1, 1, 'o'))

    Raises:
        GroupError: the text is none of that kind, or a degree is above `MOST_DEGREE`.
    """
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(text) or not found:
        match = _PART.match(text, at)
        if match is None or (match[4] == "+" and match.end() == len(text)):
            raise GroupError(
                "no irreps in the notation of e3nn\n"
                + caret_line(text or " ", min(at, len(text)), at + 1),
                expected='for example "2x0e + 1o"',
                code="reps.syntax",
                hint="a number, x, a degree and a parity, e or o: 2x0e, 1o",
                given=repr(text),
            )
        if len(match[2]) > 2 or int(match[2]) > MOST_DEGREE:
            raise GroupError(
                f"irreps of degree {MOST_DEGREE + 1} and more are not read",
                expected=f"degrees up to {MOST_DEGREE}, or a function of the matrix in reps=",
                code="reps.unsupported",
                given=text,
                hint="give the matrices by a function of the group element",
            )
        found.append((int(match[1] or 1), int(match[2]), match[3]))
        at = match.end()
    return tuple(found)
