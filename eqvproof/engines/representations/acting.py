"""The action of elements on axes whose representations are functions, and sizes of these axes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import numpy as np

from eqvproof.claims.groups import Element, Group
from eqvproof.claims.signature import Axis
from eqvproof.engines.claim import Claim
from eqvproof.engines.representations.matrices import Representation, times
from eqvproof.engines.scope import smallest_first
from eqvproof.engines.search.elements import Move
from eqvproof.engines.search.result import Array
from eqvproof.numbers import Inexact
from eqvproof.support.errors import ErrorCode, GroupError

#: Largest number of choices of sizes that are tried.
_MOST_SIZES = 40


class Acting:
    """The representations of a claim, after tests of the functions.

    Attributes: see `search.sides.Acts`.

    Raises:
        GroupError: rho is not a representation, or its size is not the given one.
    """

    def __init__(self, claim: Claim) -> None:
        self._maps: Sequence[Representation] = claim.reps
        self._group: Group = claim.group
        self._known: dict[tuple[str, Element, bool], Array] = {}
        self.is_exact, self.defect = True, 0.0
        self.order = self._sizes(claim)

    def turned(self, move: Move, array: Array, axes: Sequence[Axis]) -> Array:
        """Applies rho(g) to each axis that carries it.

        Raises:
            Inexact: rho(g) has no exact value.
        """
        for k, axis in enumerate(axes):
            for rep in self._maps:
                matrix = (
                    self._matrix(rep, move, exact=array.dtype == object)
                    if _carries(axis, rep)
                    else None
                )
                if matrix is not None:
                    _require_length(rep, matrix, array.shape[k])
                    array = np.moveaxis(times(matrix, np.moveaxis(array, k, 0)), 0, k)
        return array

    def _matrix(self, rep: Representation, move: Move, *, exact: bool) -> Array | None:
        """Returns rho(g), cached; None for the identity."""
        pairs = zip(move, self._group.factors, strict=False)  # no elements before the search
        element = next((e for e, f in pairs if f == rep.factor), None)
        if element is None or element.is_identity:
            return None
        key = rep.axis, element, exact
        if key not in self._known:
            matrix = (
                rep.floats(element) if not exact else rep.exact(element) if self.is_exact else None
            )
            if matrix is None:
                raise Inexact(f"the representation on the axis {rep.axis} is computed in floats")
            self._known[key] = matrix
        return self._known[key]

    def _sizes(self, claim: Claim) -> Sequence[dict[str, int]]:
        """Returns the sizes to try, smallest first: of inputs, factors, and axes with functions."""
        carried = {r.axis for r in self._maps}
        acting = {f.axis for f in claim.group.factors if isinstance(f.axis, str)}
        names = [
            n for n in dict.fromkeys((*claim.signature.input_names, *acting)) if n not in carried
        ]
        spans = {n: range(low, high + 1) for n in names for low, high in [claim.span(n)]}
        found = list[dict[str, int]]()
        refused: GroupError | None = None
        known: dict[tuple[str, int], int] = {}
        for sizes in smallest_first(spans):
            try:
                for rep in self._maps:
                    size = rep.factor.size(sizes)
                    if (rep.axis, size) not in known:
                        known[rep.axis, size] = self._examined(claim, rep, size)
                    sizes[rep.axis] = known[rep.axis, size]
            except GroupError as error:
                refused = error
                if error.code == ErrorCode.NO_HOMOMORPHISM:
                    raise
                continue
            found.append(sizes)
        if not found and refused is not None:
            raise refused
        return list(islice(found, _MOST_SIZES))

    def _examined(self, claim: Claim, rep: Representation, size: int) -> int:
        """Tests rho at one size of its factor and returns the size of its axis."""
        here = rep.size(size)
        low, high = claim.span(rep.axis, here)
        if not low <= here <= high:
            raise GroupError(
                f"the representation on the axis {rep.axis} has the size {here}",
                given=f"{rep.axis} = {low if low == high else (low, high)}",
                expected=f"{rep.axis} = {here}",
                code="reps.size",
                hint="leave the size out of sizes=",
            )
        is_exact, defect = rep.examine(size, random.Random(f"{claim.seed}|{rep.axis}|{size}"))
        self.is_exact, self.defect = self.is_exact and is_exact, max(self.defect, defect)
        return here


def _carries(axis: Axis, rep: Representation) -> bool:
    """Checks whether an axis carries a representation and is acted on."""
    return len(axis.terms) == 1 and axis.terms[0].name == rep.axis and axis.terms[0].mark != "!"


def _require_length(rep: Representation, matrix: Array, length: int) -> None:
    if len(matrix) != length:
        raise GroupError(
            f"the representation on the axis {rep.axis} has the size {len(matrix)}",
            given=f"an array with {length} entries along {rep.axis}",
            expected=f"{rep.axis} = {len(matrix)}",
            code="reps.size",
            hint="compare the matrix with the array",
        )
