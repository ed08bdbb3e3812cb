"""Search for algebraic points at which only one of two functions divides by 0.

Rational points of this kind are found by the search, and refute a claim of equality. ``x**2 - 2``
is 0 at no rational number: along a line, on which one entry t varies, denominators are polynomials
in t, and each of their irreducible factors has its own roots. A factor of degree 2 or more that has
a real root and divides denominators of one function alone names such a point. No certificate holds
an algebraic number: a note names the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq, fmpz_poly

from eqvproof.numbers.scalar import to_fraction
from eqvproof.programs import Program
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.operations import FUNCTIONS, Operation
from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.engines.claim import Claim
    from eqvproof.numbers.tensor import Array

#: Largest degree in t of a denominator that is inspected, and number of additional points that
#: confirm the degree.
DEGREE, MORE = 8, 3
#: Functions that are undefined at some real numbers, other than division.
_OTHERS = frozenset(name for name, f in FUNCTIONS.items() if f.partial and name != "recip")
#: Values of the entries that do not vary.
_HELD = (Fraction(1), Fraction(0), Fraction(3, 2))
#: Largest number of entries of all inputs together.
_MOST_ENTRIES = 60

#: Integer coefficients of a polynomial, the constant first.
Polynomial = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of inputs: one entry varies, or all entries of one input together.

    Attributes:
        held: the values of the other entries.
        name: the input that varies.
        entry: its entry that varies; None if all of its entries vary together.
    """

    held: Mapping[str, Array]
    name: str
    entry: tuple[int, ...] | None

    def at(self, t: Fraction) -> dict[str, Array]:
        """Returns the inputs at a point of the line."""
        found = {name: value.copy() for name, value in self.held.items()}
        found[self.name][... if self.entry is None else self.entry] = t
        return found

    def __str__(self) -> str:
        if self.entry is None:
            return f"all entries of {self.name}"
        place = ", ".join(str(k + 1) for k in self.entry)
        if place:
            return f"{self.name}[{place}]"
        return self.name


def one_sided_poles(claim: Claim, programs: Sequence[Program]) -> tuple[str, ...]:
    """Returns a note that names a point at which only one of two functions divides by 0, if any.

    Exactness: exact; the root is printed with 12 digits.
    """
    if len(programs) != 2 or any(node.opaque_name for p in programs for node in p.nodes):
        return ()
    sizes = {**{n: low for n, (low, _) in claim.search_sizes().items()}, **claim.pins}
    for line in _lines(programs[0], sizes):
        try:
            sides = [_factors(p, line, sizes) for p in programs]
        except (EqvproofError, ArithmeticError):
            continue
        for k, program in ((0, programs[1]), (1, programs[0])):
            here, other = sides[k], sides[1 - k]
            if here is None or other is None or any(n.function in _OTHERS for n in program.nodes):
                continue
            for factor in sorted(here - other, key=lambda f: (len(f), f)):
                root = _real_root(factor)
                if len(factor) > 2 and root is not None:
                    return (_told(line, factor, root, k, sizes),)
    return ()


def _told(line: Line, factor: Polynomial, root: float, which: int, sizes: Mapping[str, int]) -> str:
    if which == 0:
        first, second = ("first", "second")
    else:
        first, second = ("second", "first")
    others = {str(v) for value in line.held.values() for v in value.ravel().tolist()}
    if line.entry is not None:
        moving = 1
    else:
        moving = line.held[line.name].size
    is_whole = moving == sum(v.size for v in line.held.values())
    if is_whole:
        held = ""
    else:
        held = f" all other entries are {', '.join(sorted(others))},"
    at = "".join(f" {n} = {s}," for n, s in sizes.items())
    return (
        f"at {line} = {root:.12g}, a root of {_text(factor)},{held}{at} the {first} function"
        f" divides by 0,"
        f" and the {second} does not"
    )


def _text(factor: Polynomial) -> str:
    """Writes a polynomial in t as text."""
    parts = []
    for power, c in reversed([*enumerate(factor)]):
        if c:
            body = "t" if power == 1 else f"t^{power}"
            if not power:
                shown = str(abs(c))
            elif abs(c) == 1:
                shown = body
            else:
                shown = f"{abs(c)} {body}"
            parts.append(("- " if c < 0 else "+ ") + shown)
    return " ".join(parts).removeprefix("+ ")


def _lines(program: Program, sizes: Mapping[str, int]) -> Iterator[Line]:
    shapes = {name: tuple(s.value(sizes) for s in shape) for name, shape in program.inputs}
    if sum(int(np.prod(s)) for s in shapes.values()) > _MOST_ENTRIES:
        return
    for value in _HELD:
        held = {name: np.full(shape, value, dtype=object) for name, shape in shapes.items()}
        for name, shape in shapes.items():
            yield Line(held, name, (0,) * len(shape))
            if int(np.prod(shape)) > 1:
                yield Line(held, name, None)


def _factors(program: Program, line: Line, sizes: Mapping[str, int]) -> set[Polynomial] | None:
    """Returns the irreducible factors of all denominators along a line; None if it cannot tell.

    It cannot if a denominator is not a polynomial, or is 0 along the whole line.
    """
    points: list[Fraction] = []
    found: list[list[Fraction]] = []
    for t in _parameters():
        values = _denominators(program, line.at(t), sizes)
        if values is not None:
            points.append(t)
            found.append(values)
        if len(points) == DEGREE + 1 + MORE:
            break
    if len(points) < DEGREE + 1 + MORE:
        return None
    factors: set[Polynomial] = set()
    for column in zip(*found, strict=True):
        polynomial = _interpolated(points, column)
        if polynomial is None or not any(polynomial):
            return None
        scale = np.lcm.reduce([c.denominator for c in polynomial], dtype=object)
        whole = fmpz_poly([int(c * scale) for c in polynomial])
        factors |= {tuple(int(c) for c in factor.coeffs()) for factor, _ in whole.factor()[1]}
    return factors


def _parameters() -> Iterator[Fraction]:
    """Yields numbers that are rarely poles."""
    for k in range(3 * (DEGREE + MORE)):
        yield Fraction((-1) ** k * (7 * k + 3), 11)


def _denominators(
    program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int]
) -> list[Fraction] | None:
    """Returns the denominators in a Program at a point; None if one is irrational, or 0."""
    divisors = [node.args[0] for node in program.nodes if node.function == "recip"]
    kept: dict[int, Array] = {}

    def keep(_: Operation, __: Array) -> bool:
        return True

    from eqvproof.numbers.arrays import unwrap
    from eqvproof.programs.evaluate.exact_system import ExactSystem

    evaluate_program(
        program, ExactSystem(None, 0), {n: unwrap(v) for n, v in inputs.items()}, sizes, kept, keep
    )
    values: list[Fraction] = []
    for a in divisors:
        for entry in np.asarray(kept[a], dtype=object).ravel().tolist():
            value = to_fraction(entry) if isinstance(entry, fmpq) else None
            if not value:
                return None
            values.append(value)
    return values


def _interpolated(points: Sequence[Fraction], values: Sequence[Fraction]) -> list[Fraction] | None:
    """Returns the polynomial of degree at most DEGREE through all points; None if there is none.

    Newton's divided differences of more points vanish beyond the degree.
    """
    differences = list(values)
    for k in range(1, len(points)):
        for i in range(len(points) - 1, k - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - k])
    if any(differences[DEGREE + 1 :]):
        return None
    result: list[Fraction] = []
    for k in reversed(range(DEGREE + 1)):  # Horner
        moved = [Fraction(0), *result]
        for i, c in enumerate(result):
            moved[i] -= points[k] * c
        moved[0] += differences[k]
        result = moved
    return result


def _real_root(factor: Polynomial) -> float | None:
    """Returns a real root of an irreducible polynomial, confirmed by a sign change; or None."""
    roots = np.roots(np.array(factor[::-1], dtype=float))
    for root in sorted(roots.real.tolist(), key=lambda r: (r < 0, abs(r))):
        near = Fraction(root)
        width = max(Fraction(1, 10**9), abs(near) / 10**9)
        low, high = (_value(factor, x) for x in (near - width, near + width))
        if low * high < 0:
            return float(near)
    return None


def _value(polynomial: Polynomial, t: Fraction) -> Fraction:
    return sum((c * t**k for k, c in enumerate(polynomial)), Fraction(0))
