"""Factorisation of equivariant functions through invariants: f(X) = X g(X^T B X)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from eqvproof.claims.groups.element import Element
from eqvproof.invariants.calling import Array
from eqvproof.invariants.classical import Setting
from eqvproof.invariants.gram_function import as_array, evaluate_at_root, with_sizes
from eqvproof.invariants.layout import Layout, argument_widths, widths_of_grams
from eqvproof.invariants.reproduction import Reproduction, check_factor
from eqvproof.invariants.witnesses.input_matrices import any_array, require_real
from eqvproof.support.errors import DomainError, ShapeError


@dataclass(frozen=True, slots=True, eq=False)
class GramFactor:
    """The function g of invariants with f(X) = X g.

    If f takes several families of vectors, g returns one array of coefficients for each.

    ``factor(*factor.invariants(X))`` is g there (n x m); for an invariant f it is f(X). For two
    arguments X, Z and O(d) the invariants are X^T X, Z^T X, Z^T Z, and the result is the pair (g1,
    g2) with f(X, Z) = X g1 + Z g2. If the vectors are rows, f(X) = g(X X^T) X. For SO, SU and SL,
    brackets follow, and the last result holds the coefficients of the vectors c with
    ``<c, v> = det(x_1, ..., x_(d-1), v)``.

    Attributes:
        f: the function.
        layout: how its arguments are families of vectors.
        check: whether g reproduces f; if not, calling g raises an error.
    """

    f: Callable[..., Any]
    layout: Layout
    check: Reproduction

    @property
    def holds(self) -> bool:
        """Returns True if g reproduced f, and f is equivariant according to `check`."""
        return self.check.holds

    @property
    def element(self) -> Element | None:
        """The group element with which f does not commute; None if f was not refuted."""
        return self.check.element

    def invariants(self, *arguments: Any) -> tuple[Array, ...]:
        """Computes the inner products or pairings of arguments, block by block, and brackets.

        The blocks are the lower triangle, row by row, of the inner products of the arguments in the
        form of the group; under GL and SL the pairings of each argument of covectors with each of
        vectors. Brackets are the determinants of all choices of d vectors, in lexicographic order.

        Exactness: exact if the arguments are.
        """
        blocks = self.layout.blocks
        arrays = [_to_argument(a, self.layout) for a in arguments]
        if len(arrays) != len(blocks) or any(
            a.ndim != b.axes for a, b in zip(arrays, blocks, strict=False)
        ):
            raise ShapeError(
                "the arguments do not fit the signature",
                given=", ".join(f"shape {a.shape}" for a in arrays),
                expected=self.layout.signature.text,
                hint="give the arguments of the function",
            )
        columns = [b.to_columns(a) for b, a in zip(blocks, arrays, strict=True)]
        setting = Setting(self.layout, columns[0].shape[0], tuple(c.shape[1] for c in columns))
        return tuple(setting.invariants(self.layout.join(arrays)))

    def __call__(
        self, *given: Any, d: int | None = None, sizes: Mapping[str, int] | None = None
    ) -> Any:
        """Evaluates g at invariants given in the order of `invariants`.

        For O(d) and one argument that is X^T X; for two arguments, X^T X, Z^T X, Z^T Z.

        Args:
            given: exact numbers or floats.
            d: the dimension of the vectors. If neither this nor ``sizes=`` determines it, f is
                assumed to be one formula for all d, and a d is chosen in which there are vectors
                with these invariants.
            sizes: numbers of vectors, if the invariants do not determine them.

        Exactness: exact if f is and rational vectors with these invariants are found; else float64.

        Raises:
            DomainError: not the invariants of vectors in R^d; or f is not equivariant.
            ShapeError: blocks that do not fit together.
        """
        if not self.check.holds and not self.check.undecided:
            raise DomainError(
                "there is no g: " + str(self.check),
                given="an f that is not equivariant",
                expected="f(g X) = g f(X) for all g of the group",
                hint="see .check",
            )
        layout = with_sizes(self.layout, sizes)
        arrays = [_to_argument(g, layout) for g in given]
        widths = self._widths(layout, arrays, d)
        at = evaluate_at_root(self.f, layout, arrays, widths, d)
        if at.found is None:
            raise DomainError(
                "f is not equivariant: its value is not a combination of the vectors",
                given="a value with a part outside their span",
                expected="f(X) = X C",
                hint="use check to find a counterexample",
            )
        return self._split_results(at.found, widths)

    def g(self, gram: Any, *, d: int | None = None) -> Any:
        """Evaluates g at the Gram matrix of X, for a function of one argument."""
        return self(gram, d=d)

    def g1(self, *grams: Any, d: int | None = None) -> Any:
        """Computes the coefficients of X in f(X, Z) = X g1 + Z g2 from X^T X, Z^T X, Z^T Z."""
        return self(*grams, d=d)[0]

    def g2(self, *grams: Any, d: int | None = None) -> Any:
        """Computes the coefficients of Z in f(X, Z) = X g1 + Z g2 from X^T X, Z^T X, Z^T Z."""
        return self(*grams, d=d)[1]

    def _widths(self, layout: Layout, arrays: Sequence[Array], d: int | None) -> list[int]:
        """Returns the number of vectors of each argument, from shapes or from fixed sizes."""
        blocks = layout.blocks
        size = d or layout.dimension or layout.factor.record.size or 2
        setting = Setting(layout, size, (1,) * len(blocks))
        pairs = list(setting.pairs())
        brackets = len(setting.bracket_families)
        if len(arrays) != len(pairs) + brackets:
            expected = f"{len(pairs)} blocks of inner products or pairings"
            if brackets:
                expected += f" and {brackets} of brackets"
            raise ShapeError(
                "the number of invariants does not fit the signature",
                given=str(len(arrays)),
                expected=expected,
                hint="X^T X; or X^T X, Z^T X, Z^T Z, the lower triangle, row by row; or the result"
                " of .invariants",
            )
        if not layout.is_paired:
            widths = widths_of_grams(
                layout, [arrays[pairs.index((i, i))] for i in range(len(blocks))]
            )
        elif pairs:
            known = {
                i: arrays[k].shape[side]
                for k, pair in enumerate(pairs)
                for side, i in enumerate(pair)
            }
            widths = [known[i] for i in range(len(blocks))]
        elif brackets and len(blocks) == 1 and arrays[0].size:
            widths = [next(n for n in range(1, 99) if comb(n, setting.d) >= arrays[0].size)]
        else:
            widths = argument_widths(layout, _require_sizes(layout))
        for k, (i, j) in enumerate(pairs):
            if arrays[k].shape != (widths[i], widths[j]):
                raise ShapeError(
                    "a block of inner products has the wrong shape",
                    given=f"shape {arrays[k].shape}",
                    expected=f"{widths[i]} x {widths[j]}",
                    hint="give one matrix for each pair of inputs",
                )
        return widths

    def _split_results(self, found: Array, widths: Sequence[int]) -> Any:
        output = self.layout.output
        if output is None:
            return found
        blocks = self.layout.blocks
        paired = self.layout.is_paired
        used = [
            w
            for b, w in zip(blocks, widths, strict=True)
            if not paired or b.is_dual == output.is_dual
        ]
        ends = np.cumsum([0, *used]).tolist()
        pieces = [found[a:b] for a, b in pairwise(ends)]
        if len(found) > ends[-1]:
            pieces.append(found[ends[-1] :])
        if output.axes == 1:
            pieces = [p[:, 0] for p in pieces]
        elif output.place == 1:
            pieces = [p.T for p in pieces]
        if len(pieces) == 1:
            return pieces[0]
        return tuple(pieces)

    def __str__(self) -> str:
        return str(self.check)


def _to_argument(value: Any, layout: Layout) -> Array:
    """Reads an argument as Fractions or floats; for complex groups, as complex numbers."""
    array = any_array(value, "an argument")
    if layout.is_complex and array.dtype.kind in "iufc":
        return array.astype(complex)
    found = as_array(array)
    if not layout.is_complex:
        require_real(found, "an argument")
    return found


def _require_sizes(layout: Layout) -> Mapping[str, int]:
    missing = [
        n for n in layout.signature.input_names if n not in layout.fixed and n != layout.factor.axis
    ]
    if missing:
        raise ShapeError(
            "the invariants do not determine the number of vectors",
            given="no pairings, and brackets of one size at most",
            expected=f"sizes of {', '.join(missing)}",
            hint=f"pass sizes={{{missing[0]!r}: ...}}",
        )
    return layout.fixed


def sampled_factor(f: Callable[..., Any], layout: Layout, trials: int, seed: int) -> GramFactor:
    """Returns the function g with ``f(X) = X g(X^T X)``, checked at sampled inputs only.

    See `eqvproof.invariants.fundamental.factor_through_gram`.
    """
    return GramFactor(f, layout, check_factor(f, layout, trials, seed))
