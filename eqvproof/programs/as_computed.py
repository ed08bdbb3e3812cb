"""Builds Programs that keep every rounding of a function: nothing is folded over the reals.

Over the reals ``x + c - c`` is x, and a proof may say so. In floats it is not: bounds of rounding
need every sum and every product as the function computes them. A `Builder` made inside of
`as_computed` keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from fractions import Fraction

import eqvproof.programs.operations as ops
from eqvproof.claims.size import Size
from eqvproof.programs.builder import Builder, require_arity
from eqvproof.programs.fold import check_labels
from eqvproof.support.context_values import held_during
from eqvproof.support.errors import ShapeError, TraceError

_keeps: ContextVar[bool] = ContextVar("eqvproof_as_computed", default=False)
#: The opaque function that maps a computed value to itself, taken as the real number.
AS_REAL = "as computed"
#: The opaque function that returns its first argument if the second, as computed, is finite.
OF_FINITE = "for finite numbers"
#: Whole numbers up to this one are exact in every floating format.
SMALL = 256


def as_computed() -> AbstractContextManager[bool]:
    """Makes Programs traced inside the block keep every rounding of the function."""
    return held_during(_keeps, True)  # noqa: FBT003


def keeps_roundings() -> bool:
    """Returns True if Programs traced here keep every rounding."""
    return _keeps.get()


def new_builder(*, limited: bool = False) -> Builder:
    """Returns the builder for a function traced here."""
    if _keeps.get():
        return AsComputed(limited=limited)
    return Builder(limited=limited)


class AsComputed(Builder):
    """A builder without algebra: products, sums and functions of constants stay what they are."""

    def einsum(
        self,
        args: Sequence[int],
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        sizes: Mapping[int, Size] | None = None,
    ) -> int:
        """Builds the sum of products exactly as requested; only scalar factors 1 are dropped."""
        known = dict(sizes or {})
        rows = [(a, tuple(row)) for a, row in zip(args, inputs, strict=True)]
        check_labels(self, list(args), [row for _, row in rows], tuple(output), known)
        kept = [(a, row) for a, row in rows if row or self.scalar_value(a) != 1]
        rows = kept or rows[:1]
        if not rows:
            raise ShapeError(
                "a product of nothing",
                given="no factors",
                expected="one at least",
                hint="leave the product out",
            )
        if not output and all(not row for _, row in rows):
            whole = self._small_integers([a for a, _ in rows])
            if whole is not None:
                return self.const(_rational_product(whole))
        if len(rows) == 1 and rows[0][1] == tuple(output):
            return rows[0][0]
        number: dict[int, int] = {}
        for label in [label for _, row in rows for label in row] + list(output):
            number.setdefault(label, len(number))
        shape = tuple(known[label] for label in output)
        labels = tuple(tuple(number[k] for k in row) for _, row in rows)
        return self.node(
            ops.Einsum(tuple(a for a, _ in rows), shape, labels, tuple(number[k] for k in output))
        )

    def add(self, args: Sequence[int]) -> int:
        """Builds the sum of exactly these values."""
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        if not shape:
            whole = self._small_integers(args)
            if whole is not None:
                return self.const(sum(whole))
        wide = tuple(self.broadcast_to(a, shape) for a in args)
        if len(wide) == 1:
            return wide[0]
        return self.node(ops.Add(wide, shape))

    def map(self, fn: str, args: Sequence[int]) -> int:
        """Builds the function's node, for constants too."""
        require_arity(fn, args)
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        return self.node(ops.Map(tuple(self.broadcast_to(a, shape) for a in args), shape, fn))

    def power(self, x: int, exponent: Fraction | int) -> int:
        """Builds a power, as a library function unless it is x^-1, x^0, x, x^2 or sqrt(x).

        A library need not compute it by multiplication.
        """
        found = super().power(x, exponent)
        is_own = exponent in (-1, 0, 1, 2, Fraction(1, 2)) or self.nodes[found].function == "pow"
        if is_own:
            return found
        return self.library_value(found)

    def alternative_rounding(self, x: int, other: Callable[[], int]) -> int:
        """Builds the maximum of two formulas of one value, so that error bounds cover both.

        Whichever way the value is computed, its error is within one of theirs.
        """
        return self.map("maximum", [x, other()])

    def valid_if_finite(self, x: int, flag: int) -> int:
        """Builds the flag as a function of x too: it has another value if x overflows in floats."""
        return self.opaque(OF_FINITE, [self.broadcast_to(flag, self.shape(x)), x], self.shape(x))

    def sum_in_parts(self, args: Sequence[int], parts: int) -> int:
        """Builds the sum with each argument split into 2 or 4 equal parts.

        It has (parts len(args) - 1) roundings, of all magnitudes.
        """
        part = self.const(Fraction(1, parts))
        return self.add([p for a in args for p in [self.mul(part, a)] * parts])

    def computed_by_updates(self, what: str, x: int, rows: int, axes: Sequence[int]) -> int:
        """Builds x with the errors of updates: see `rounding.updates`."""
        return self.opaque(what, [x, self._join_axes(rows, axes)[0]], self.shape(x))

    def function_of_rows(
        self, what: str, steps: Callable[[int, Sequence[int]], int], x: int, axes: Sequence[int],
        more: Sequence[int] = (),
    ) -> int:  # fmt: skip
        """Builds a function of rows as an opaque function with its steps: see `rounding.rows`."""
        rows, order = self._join_axes(x, axes)
        shape = self.shape(rows)
        own = steps(self.opaque(AS_REAL, [rows], shape), [len(shape) - 1])
        found = self.opaque(what, [own, rows, *more], shape)
        turned = self.reshape(found, [self.shape(x)[k] for k in order])
        return self.transpose(turned, [order.index(k) for k in range(len(order))])

    def _join_axes(self, x: int, axes: Sequence[int]) -> tuple[int, list[int]]:
        """Joins these axes into one, the last; returns also the order of the old axes."""
        kept = [k for k in range(len(self.shape(x))) if k not in axes]
        turned = self.transpose(x, [*kept, *axes])
        rows = self.reshape(turned, [*(self.shape(x)[k] for k in kept), self.prod_sizes(x, axes)])
        return rows, [*kept, *axes]

    def accept_other_formula(self, what: str) -> None:
        """Refuses the computation. Raises: TraceError."""
        raise TraceError(
            f"the roundings of {what} are not known",
            given=what,
            expected="sums, products and functions",
            hint="write it as a product with a matrix",
            code="rounding.other",
        )

    def library_value(self, x: int) -> int:
        """Builds x^1, which stands for a library's function with errors within its ulps.

        The library may compute it by another formula.
        """
        return self.map("pow", [x, self.const(1)])

    def _small_integers(self, args: Sequence[int]) -> list[Fraction] | None:
        """Returns the values as small whole numbers, or None if one is not."""
        values = [self.scalar_value(a) for a in args]
        known = [v for v in values if v is not None and v.denominator == 1 and abs(v) <= SMALL]
        if len(known) == len(values):
            return known
        return None


def _rational_product(values: Sequence[Fraction]) -> Fraction:
    result = Fraction(1)
    for value in values:
        result *= value
    return result
