"""Names, sizes, numbers and types in the words of Rocq."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction

from eqvproof.size import Size

KEYWORDS = frozenset(
    "as at by cofix do done else end exists exists2 fix for forall fun have if in is let match of pose Prop "
    "return Set SProp suff then Type under using where with without".split()
)
#: What stands for something else in every file.
TAKEN = frozenset(
    "R Q S I O S_n act entry ratio natural sorted ascending largest smallest determinant_of inverse "
    "eigenvalues spectral through pseudo_inverse undoing polynomial_of nth orthogonal matrix Num f claim "
    "moved roots pi odd_perm row_perm col_perm "
    "act_same eq_trans erefl ord0 nat poly claim_in_matrices equivariant equivariant_in_matrices "
    "is_lt is_le is_gt is_ge is_eq is_ne is_and is_or is_not true false".split()
)


WIDTH = 118


class Names:
    """Words that are used up, each given out once."""

    def __init__(self) -> None:
        self._used: set[str] = set(KEYWORDS | TAKEN)

    def fresh(self, wanted: str) -> str:
        """The word, or the word with a tail that makes it new."""
        word = re.sub(r"\W", "_", wanted, flags=re.A)
        if re.match(r"[\d_]", word) or re.fullmatch(r"[vijkpq]\d+", word):
            word = f"x_{word}"
        while word in self._used or f"{word}'" in self._used:
            word += "_"
        self._used |= {word, f"{word}'"}
        return word


def number(value: Fraction) -> str:
    """A rational as an element of the field."""
    if value == 0:
        return "0"
    p, q = abs(value.numerator), value.denominator
    size = "1" if p == q == 1 else f"natural {p}" if q == 1 else f"ratio {p} {q}"
    return f"- {size}" if value < 0 else size


def closed(text: str) -> str:
    """An expression that can stand as an argument."""
    return text if re.fullmatch(r"[\w.']+", text) or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return i == len(text) - 1 and text.startswith("(")
    return False


def wrapped(text: str) -> str:
    """The text with long lines broken at spaces, which mean nothing to Rocq."""
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(
            line, WIDTH, subsequent_indent=indent + "  ", break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines)


def vector(values: Sequence[str]) -> str:
    """A list."""
    return f"[:: {'; '.join(values)}]" if values else "[::]"


class Sizes:
    """Sizes as natural numbers, with the names that axes have in the file."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def nat(self, size: Size) -> str:
        """A size as an expression that can stand as an argument, in nat."""
        plus = [self._term(names, c) for names, c in _ordered(size) if c > 0]
        minus = [self._term(names, -c) for names, c in _ordered(size) if c < 0]
        text = " + ".join(plus) or "0"
        if minus:
            text = f"{text} - ({' + '.join(minus)})" if len(minus) > 1 else f"{text} - {minus[0]}"
        return text if re.fullmatch(r"\w+", text) else f"({text})"

    def scalar(self, size: Size) -> str:
        """A size as an element of the ring."""
        if size.constant is not None:
            return number(Fraction(size.constant))
        parts = []
        for names, c in _ordered(size):
            factors = [f"{self._names[n]}%:R" for n in names]
            if not names or c != 1:
                factors.insert(0, closed(number(Fraction(c))))
            parts.append(" * ".join(factors))
        return " + ".join(parts)

    def ordinal(self, size: Size) -> str:
        """The type of the indices of an axis."""
        return f"'I_{self.nat(size)}"

    def type(self, shape: Iterable[Size], entries: str = "R") -> str:
        """The type of values of a shape."""
        return " -> ".join([*(self.ordinal(s) for s in shape), entries])

    def _term(self, names: tuple[str, ...], coefficient: int) -> str:
        words = [self._names[n] for n in names]
        return " * ".join([str(coefficient), *words] if coefficient != 1 or not words else words)


def _ordered(size: Size) -> list[tuple[tuple[str, ...], int]]:
    return sorted(size.terms, key=lambda term: (not term[0], term))
