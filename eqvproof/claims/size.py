"""Sizes of axes: polynomials in axis names with integer coefficients.

``Size.of("n") + 1`` is the size n + 1; two sizes are equal when they are equal for every value of
the names, which for polynomials over the positive integers means equal coefficients.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType

from eqvproof.support.context_values import held_during

Monomial = tuple[str, ...]
#: Prefix of names of numbers that the inputs decide; they may be 0, and no axis name has it.
COUNTED = "#"
#: Least sizes in force, by name; names that are absent are >= 1.
_LEAST: ContextVar[Mapping[str, int]] = ContextVar("least sizes", default=MappingProxyType({}))
#: Greatest sizes in force, by name; names that are absent have no greatest size.
_MOST: ContextVar[Mapping[str, int]] = ContextVar("greatest sizes", default=MappingProxyType({}))
#: Largest least size tried in the search for the sizes at which a property holds.
LARGEST_LEAST = 4096


def spoken_from(least: Mapping[str, int]) -> AbstractContextManager[object]:
    """Assumes within the block that sizes are at least these; other names stay >= 1."""
    return held_during(_LEAST, {**_LEAST.get(), **least})


def spoken_up_to(most: Mapping[str, int]) -> AbstractContextManager[object]:
    """Assumes within the block that sizes are at most these; see `Size.is_at_least`."""
    return held_during(_MOST, {**_MOST.get(), **most})


def smallest(name: str) -> int:
    """Returns the least number that a name may stand for."""
    if name.startswith(COUNTED):
        return 0
    return 1


def least_sizes(names: Iterable[str]) -> dict[str, int]:
    """Returns the least sizes in force for these names."""
    return {name: _LEAST.get().get(name, 1) for name in names}


def settled_from(
    names: Iterable[str], is_settled: Callable[[], bool]
) -> dict[str, tuple[int, int | None]]:
    """Finds the least size of the one name from which on a property holds.

    Returns {name: (size, None)}, or {} if there are several names, or no such size is found.
    """
    (name, *others) = dict.fromkeys(names) or ("",)
    if not name or others:
        return {}

    def settled(least: int) -> bool:
        with spoken_from({name: least}):
            return is_settled()

    least = first_of(settled, _LEAST.get().get(name, 1))
    if least is None:
        return {}
    return {name: (least, None)}


def first_of(holds: Callable[[int], bool], after: int, last: int = LARGEST_LEAST) -> int | None:
    """Returns the least k with after < k <= last for which `holds(k)`; None where there is none.

    What holds for one k must hold for all that are larger.
    """
    wrong, step = after, 1
    while wrong < last and not holds(min(wrong + step, last)):
        wrong, step = min(wrong + step, last), 2 * step
    if wrong >= last:
        return None
    right = min(wrong + step, last)
    while right - wrong > 1:
        middle = (wrong + right) // 2
        if holds(middle):
            wrong, right = (wrong, middle)
        else:
            wrong, right = (middle, right)
    return right


@dataclass(frozen=True, slots=True)
class Size:
    """A polynomial in axis names, canonical at construction.

    Attributes:
        terms: pairs (names, coefficient), sorted by names; names sorted, repeated for powers; no
            zeros.
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(value: Size | int | str) -> Size:
        """Converts an int, a name or a Size to a Size."""
        if isinstance(value, Size):
            return value
        if isinstance(value, str):
            return Size((((value,), 1),))
        if value:
            return Size((((), int(value)),))
        return Size(())

    @staticmethod
    def _from(pairs: Iterable[tuple[Monomial, int]]) -> Size:
        total: dict[Monomial, int] = {}
        for names, coefficient in pairs:
            total[names] = total.get(names, 0) + coefficient
        return Size(tuple(sorted((k, v) for k, v in total.items() if v)))

    def __add__(self, other: Size | int | str) -> Size:
        return Size._from((*self.terms, *Size.of(other).terms))

    __radd__ = __add__

    def __neg__(self) -> Size:
        return Size(tuple((names, -c) for names, c in self.terms))

    def __sub__(self, other: Size | int | str) -> Size:
        return self + (-Size.of(other))

    def __rsub__(self, other: Size | int | str) -> Size:
        return Size.of(other) - self

    def __mul__(self, other: Size | int | str) -> Size:
        right = Size.of(other)
        return Size._from(
            (tuple(sorted(a + b)), c * e) for a, c in self.terms for b, e in right.terms
        )

    __rmul__ = __mul__

    def divide(self, other: Size | int | str) -> Size | None:
        """Returns the exact quotient by a size, a polynomial with integers, or None.

        Proof: monomials are ordered by their exponents of the names in turn, and the first of a
        product is the product of the first ones: so the first term of a quotient is known, and what
        is left is smaller.
        """
        right, rest, quotient = Size.of(other), self, Size.of(0)
        if not right.terms:
            return None
        order = sorted(self.names | right.names)
        names, coefficient = right._first(order)
        while rest.terms:
            left, number = rest._first(order)
            kept = Counter(left)
            kept.subtract(names)
            if min(kept.values(), default=0) < 0 or number % coefficient:
                return None
            term = Size._from([(tuple(sorted(kept.elements())), number // coefficient)])
            quotient, rest = quotient + term, rest - term * right
        return quotient

    def _first(self, order: Sequence[str]) -> tuple[Monomial, int]:
        """Returns the term with the greatest exponents of the names in turn."""
        return max(self.terms, key=lambda term: [term[0].count(name) for name in order])

    @property
    def names(self) -> frozenset[str]:
        """Returns the axis names that occur."""
        return frozenset(name for names, _ in self.terms for name in names)

    @property
    def constant(self) -> int | None:
        """Returns the integer that this size is, or None when it depends on a name."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    def value(self, sizes: Mapping[str, int]) -> int:
        """Evaluates the size at given values of the names (KeyError if one is missing)."""
        total = 0
        for names, coefficient in self.terms:
            product = coefficient
            for name in names:
                product *= sizes[name]
            total += product
        return total

    def substitute(self, sizes: Mapping[str, Size | int]) -> Size:
        """Replaces some names by sizes."""
        result = Size(())
        for names, coefficient in self.terms:
            product = Size.of(coefficient)
            for name in names:
                product = product * Size.of(sizes.get(name, name))
            result = result + product
        return result

    def is_at_least(self, bound: int, *, is_capped: bool = False) -> bool:
        """Returns True only if the size is >= bound for all values of its names in force (>= 1).

        Proof: with name = least + t, t >= 0, a polynomial in the t whose coefficients beyond the
        constant are all non-negative is least at t = 0. The same holds with name = greatest - t.

        Args:
            bound: the number.
            is_capped: whether the greatest sizes in force may be used. A Program must be in range
                beyond these, too: so that is for choices between Programs, and not for their
                content.
        """
        least: Mapping[str, int] = _LEAST.get()
        most: Mapping[str, int] = {}
        if is_capped:
            most = _MOST.get()
        gap = self - bound
        shifts = {m: Size.of(m) + least.get(m, smallest(m)) for m in self.names}
        if all(c >= 0 for _, c in gap.substitute(shifts).terms):
            return True
        falling = {
            names[0] for names, c in gap.terms if len(names) == 1 and c < 0 and names[0] in most
        }
        falls = {m: most[m] - Size.of(m) for m in falling}
        return bool(falls) and all(c >= 0 for _, c in gap.substitute({**shifts, **falls}).terms)

    def to_json(self) -> int | str | list[list[object]]:
        """Returns the canonical JSON form (an int, a name, or a list of [coefficient, names])."""
        if self.constant is not None:
            return self.constant
        if len(self.terms) == 1 and len(self.terms[0][0]) == 1 and self.terms[0][1] == 1:
            return self.terms[0][0][0]
        return [[c, list(names)] for names, c in self.terms]

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for names, c in sorted(self.terms, key=lambda t: (not t[0], len(t[0]) == 0, t)):
            body = " ".join(names)
            sign = "-" if c < 0 else "+"
            if not names:
                part = str(abs(c))
            elif abs(c) == 1:
                part = body
            else:
                part = f"{abs(c)} {body}"
            if text:
                text += f" {sign} {part}"
            else:
                text = sign.removeprefix("+") + part
        return text

    def __repr__(self) -> str:
        return f"Size({self})"
