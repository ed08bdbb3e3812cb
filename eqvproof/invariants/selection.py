"""Search for Gram matrices of lower rank at which no g with f(X) = X g(X^T X) is continuous.

If X has independent columns, g(X^T X) is determined: the coefficients of f(X) in X. Along X(t) =
X_0 + t X_1, with independent columns for small t > 0 and dependent ones at t = 0, these either stay
bounded or blow up; and along two such families from the same X_0 they may tend to different limits.
In both cases no g is continuous at X_0^T X_0, even if f is continuous: f(x) = x / sqrt|x| is, and
its g(x^T x) = 1 / sqrt|x| is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.invariants.calling import Array
from eqvproof.invariants.coefficients import solve
from eqvproof.invariants.gram_function import evaluate
from eqvproof.invariants.layout import Layout, argument_widths, read_layout
from eqvproof.support.errors import DomainError

#: The t at which coefficients are computed: 2^-4, 2^-6, ..., 2^-20.
STEPS = tuple(Fraction(1, 2**k) for k in range(4, 22, 2))
#: Smallest e for which growth |C| ~ t^-e counts as blowing up.
LEAST_EXPONENT = 0.05
#: Smallest difference of two limits, relative to their size, that counts as a jump.
LEAST_JUMP = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Singularity:
    """A place at which every g with f(X) = X g(X^T X) is discontinuous.

    Attributes:
        kind: "blows up" or "jumps".
        start: X_0, d x n.
        directions: X_1; for a jump, the two that give different limits.
        exponent: for a blow-up, e with |g| ~ t^-e.
        limits: for a jump, the coefficients near the two limits.
    """

    kind: str
    start: Array
    directions: tuple[Array, ...]
    exponent: float = 0.0
    limits: tuple[Array, ...] = ()

    def __str__(self) -> str:
        start = self.start.astype(str).tolist()
        ways = " and along ".join(str(d.astype(str).tolist()) for d in self.directions)
        if self.kind == "blows up":
            growth = f"t^-{self.exponent:.3g}"
            return f"g blows up like {growth} at X_0 + t X_1, X_0 = {start}, along {ways}"
        return f"g jumps at X_0 = {start}: its limits along {ways} differ"


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The places found at which no continuous choice of g exists.

    Attributes:
        singularities: the places found; an empty result does not prove that a continuous g exists.
        families: the number of families of inputs that were followed.
    """

    singularities: tuple[Singularity, ...]
    families: int

    @property
    def found_none(self) -> bool:
        """True if no family of inputs ruled out a continuous g."""
        return not self.singularities

    def __str__(self) -> str:
        if self.found_none:
            return f"no blow-up and no jump along {self.families} families; this proves nothing"
        return "; ".join(map(str, self.singularities))


def continuous_selection(
    f: Callable[..., Any],
    signature: str = "X: d n -> d n",
    *,
    sizes: Mapping[str, int] | None = None,
    axis: str | None = None,
) -> Selection:
    """Searches for places where every g with ``f(X) = X g(X^T X)`` must blow up or jump.

    The families of inputs along which g is followed are exact.

    Args:
        f: an equivariant function of families of vectors.
        signature: its signature.
        sizes: axis names with fixed sizes; by default d = 3 and one or two vectors in each family.
        axis: the name of the axis of coordinates; d by default.

    Exactness: the inputs are exact, and g is exact wherever f is; that a limit differs or does not
        exist is concluded from finitely many t: it is evidence, not proof.

    Raises:
        DomainError: f is not equivariant (its value leaves the span).

    >>> print(continuous_selection(lambda x: x / ((x**2).sum() ** 0.25), "x: d -> d"))
    g blows up like t^-0.5 at X_0 + t X_1, X_0 = [['0'], ['0'], ['0']], along [['1'], ['0'], ['0']]
    """
    layout = read_layout(signature, sizes, axis)
    d = str(layout.factor.axis)
    found: list[Singularity] = []
    families = 0
    for columns in (1, 2):
        names = layout.signature.input_names
        at = {**dict.fromkeys(names, columns), d: 3, **layout.fixed}
        widths = argument_widths(layout, at)
        if sum(widths) > at[d]:
            continue
        for start, directions in _families(at[d], sum(widths)):
            families += len(directions)
            found.extend(_follow(f, layout, widths, start, directions))
        if all(b.axes == 1 for b in layout.blocks) or set(names) <= {d, *layout.fixed}:
            break
    return Selection(tuple(found), families)


def _families(d: int, n: int) -> list[tuple[Array, list[Array]]]:
    """Returns pairs (X_0, several X_1): X_0 + t X_1 has independent columns for small t > 0."""
    unit = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(d)], dtype=object)
    zero = unit * 0
    if n == 1:
        return [(zero, [unit])]
    sheared, stretched, equal, single = unit.copy(), unit.copy(), zero.copy(), zero.copy()
    sheared[0, 1] += 1
    stretched[1, 1] += 2
    equal[0, :] += 1
    single[0, 0] += 1
    apart, opposite = zero.copy(), zero.copy()
    for k in range(1, n):
        apart[k, k] += 1
        opposite[k, k] += 1
        opposite[k, 0] -= 1
    bent = apart.copy()
    bent[0, 1] += 1
    return [
        (zero, [unit, sheared, stretched]),
        (equal, [apart, opposite, bent]),
        (single, [apart, bent]),
    ]


def _follow(
    f: Callable[..., Any],
    layout: Layout,
    widths: Sequence[int],
    start: Array,
    directions: list[Array],
) -> list[Singularity]:
    limits: list[tuple[Array, Array]] = []
    for direction in directions:
        track = [_coefficients_at(f, layout, widths, start + t * direction) for t in STEPS]
        lengths = [float(np.linalg.norm(c)) for c in track]
        growth = [
            np.log2(b / a) / 2 for a, b in zip(lengths[-4:-1], lengths[-3:], strict=True) if a > 0
        ]
        if growth and min(growth) > LEAST_EXPONENT:
            return [Singularity("blows up", start, (direction,), float(np.mean(growth)))]
        size = max(lengths[-1], 1e-9)
        if float(np.linalg.norm(track[-1] - track[-2])) < LEAST_JUMP * size / 4:
            limits.append((direction, track[-1]))
    for direction, limit in limits[1:]:
        first, other = limits[0]
        gap = float(np.linalg.norm(limit - other))
        if gap > LEAST_JUMP * max(float(np.linalg.norm(other)), float(np.linalg.norm(limit))):
            return [Singularity("jumps", start, (first, direction), limits=(other, limit))]
    return []


def _coefficients_at(
    f: Callable[..., Any], layout: Layout, widths: Sequence[int], columns: Array
) -> Array:
    found = solve(columns, evaluate(f, layout, columns, widths))
    if found.C is None:
        raise DomainError(
            str(found),
            given="f(X) outside the span of the columns of X",
            expected="f(X) = X C",
            hint="use check to find a counterexample",
        )
    return np.array(found.C.tolist(), dtype=np.float64)
