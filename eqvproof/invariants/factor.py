"""The first fundamental theorem at work: f(X) = X g(X^T X), with g found from f."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.errors import DomainError, ShapeError
from eqvproof.invariants.calling import require_shape
from eqvproof.invariants.gram_function import as_matrix, minimal
from eqvproof.invariants.layout import Layout, read_layout, widths_of_grams
from eqvproof.invariants.reproduction import Reproduction, check_factor
from eqvproof.witnesses.householder import Householder

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class GramFactor:
    """The function g with f(X) = X g(X^T X); with several families of vectors, one g for each.

    ``factor(X.T @ X)`` is g there (n x m). For two arguments X, Z, ``factor(X.T @ X, Z.T @ X, Z.T @ Z)`` is
    the pair (g1, g2) with f(X, Z) = X g1 + Z g2. Where the vectors are rows, f(X) = g(X X^T) X.

    Attributes:
        f: the function.
        layout: how its arguments are families of vectors.
        check: whether g reproduces f; where it does not, calling g is refused.
    """

    f: Callable[..., Any]
    layout: Layout
    check: Reproduction

    @property
    def holds(self) -> bool:
        """Whether f commuted with all reflections tried and g reproduced f."""
        return self.check.holds

    @property
    def reflection(self) -> Householder | None:
        """For a function that is not equivariant, a reflection H with f(H X) != H f(X)."""
        return self.check.reflection

    def __call__(self, *grams: Any, d: int | None = None) -> Any:
        """g of a Gram matrix, or (g1, g2) of X^T X, Z^T X, Z^T Z.

        Args:
            grams: exact numbers or floats.
            d: the dimension of the vectors. Where neither this nor ``sizes=`` fixes it, f is taken to be one
                formula for all d, and a d is chosen in which the Gram matrix has a root.

        Exactness: exact where f is and a rational root of the Gram matrix is found; else float64.

        Raises:
            DomainError: not a Gram matrix of vectors in R^d; or f is not equivariant.
            ShapeError: blocks that do not fit together.
        """
        if not self.check.holds:
            raise DomainError(
                "there is no g: " + str(self.check),
                given="an f that is not equivariant",
                expected="f(Q X) = Q f(X)",
                hint="look at .check",
            )
        joint, widths = self._joint(grams)
        return self._pieces(minimal(self.f, self.layout, joint, widths, d).C, widths)

    def g(self, gram: Any, *, d: int | None = None) -> Any:
        """g of the Gram matrix of X, for one argument."""
        return self(gram, d=d)

    def g1(self, *grams: Any, d: int | None = None) -> Any:
        """The coefficients of X in f(X, Z) = X g1 + Z g2, from X^T X, Z^T X, Z^T Z."""
        return self(*grams, d=d)[0]

    def g2(self, *grams: Any, d: int | None = None) -> Any:
        """The coefficients of Z in f(X, Z) = X g1 + Z g2, from X^T X, Z^T X, Z^T Z."""
        return self(*grams, d=d)[1]

    def _joint(self, grams: Sequence[Any]) -> tuple[Array, list[int]]:
        count = len(self.layout.blocks)
        if len(grams) != count * (count + 1) // 2:
            raise ShapeError(
                "another number of Gram matrices than the signature needs",
                given=str(len(grams)),
                expected="X^T X" if count == 1 else "X^T X, Z^T X, Z^T Z: the lower triangle, row by row",
                hint="give one matrix for each pair of inputs",
            )
        arrays = [as_matrix(g) for g in grams]
        index = {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(count) for j in range(i + 1))}
        widths = widths_of_grams(self.layout, [arrays[index[i, i]] for i in range(count)])
        rows = []
        for i, j in product(range(count), repeat=2):
            part = arrays[index[i, j]] if i >= j else arrays[index[j, i]].T
            require_shape(part, (widths[i], widths[j]), "a block of inner products")
            rows.append(part)
        return np.block([rows[i * count : (i + 1) * count] for i in range(count)]), widths

    def _pieces(self, found: Array | None, widths: Sequence[int]) -> Any:
        if found is None:
            raise DomainError(
                "f is not equivariant: its value lies outside the span of the vectors",
                given="a value with a part orthogonal to all vectors",
                expected="f(X) = X C",
                hint="ask check for a counterexample",
            )
        ends = np.cumsum([0, *widths]).tolist()
        pieces = [found[a:b] for a, b in pairwise(ends)]
        if self.layout.output.axes == 1:
            pieces = [p[:, 0] for p in pieces]
        elif self.layout.output.place == 1:
            pieces = [p.T for p in pieces]
        return pieces[0] if len(pieces) == 1 else tuple(pieces)

    def __str__(self) -> str:
        return str(self.check)


def factor_through_gram(
    f: Callable[..., Any],
    signature: str,
    *,
    sizes: Mapping[str, int] | None = None,
    axis: str | None = None,
    trials: int = 10,
    seed: int = 0,
) -> GramFactor:
    """The function g with ``f(X) = X g(X^T X)``, of Gram matrices alone; or a reflection that rules it out.

    g of a Gram matrix G is computed from any root X of G (X^T X = G), as the coefficients of least norm of
    f(X) in X: for an equivariant f the choice does not matter, since two roots differ by an orthogonal
    matrix.

    Args:
        f: a function of families of vectors, with a family of vectors as its value.
        signature: such as "X: d n -> d n", or with knowledge "X: d n, Z: d k -> d n".
        sizes: axis names with fixed sizes.
        axis: the name of the axis of coordinates; d by default.
        trials: at how many sizes the factorisation is checked.
        seed: of the inputs drawn for the check.

    Returns:
        A `GramFactor`: callable; ``.holds``, ``.check``, and ``.reflection`` for f that are not equivariant.

    Exactness: exact where f takes exact numbers to rationals and a rational root is found; else to rounding.

    Source: Weyl (1939), "The classical groups", Theorem 2.9.A.

    >>> g = factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
    >>> print(g([[2, 1], [1, 2]]))
    [[Fraction(2, 1) Fraction(1, 1)]
     [Fraction(1, 1) Fraction(2, 1)]]
    """
    layout = read_layout(signature, sizes, axis)
    return GramFactor(f, layout, check_factor(f, layout, trials, seed))
