"""Values of a function of vectors, computed from their invariants alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eqvproof.invariants.calling import Array, as_inexact, call, is_exact, require_shape
from eqvproof.invariants.classical import Setting
from eqvproof.invariants.coefficients import OUTSIDE, nearest
from eqvproof.invariants.layout import Layout
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import any_array, read_matrices, to_array
from eqvproof.support.errors import DomainError, ShapeError

#: Largest difference of given float inner products from those of a root, relative to the largest.
ROUNDING = 1e-6


def as_matrix(value: Any) -> Array:
    """Reads a matrix as an array of Fractions (or SymPy numbers) or of floats."""
    (matrix,) = read_matrices(G=value)
    if isinstance(matrix, FieldMatrix):
        return to_array(matrix)
    return matrix.values


def as_array(value: Any) -> Array:
    """Reads an array with any number of axes as an array of Fractions or floats."""
    array = any_array(value, "an argument")
    flat = array.reshape(1, -1)
    return as_matrix(flat).reshape(array.shape)


def evaluate(f: Callable[..., Any], layout: Layout, columns: Array, widths: Sequence[int]) -> Array:
    """Evaluates f at arguments given as the columns of one matrix.

    Returns the value as columns if the group acts on it, and unchanged if it is invariant.
    """
    value = call(f, layout.split(columns, widths))
    if value.ndim != len(layout.signature.output):
        raise ShapeError(
            "the number of axes of the value does not fit the signature",
            given=f"shape {value.shape}",
            expected=layout.signature.text,
            hint="compare the shape that f returns with the signature",
        )
    if layout.output is None:
        return value
    found = layout.output.to_columns(value)
    require_shape(found, (columns.shape[0], None), "the value")
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RootValue:
    """The value of f at some vectors with given invariants.

    Attributes:
        columns: the vectors.
        value: the value of f there, as columns if the group acts on it.
        found: the coefficients of least norm of the value, one row for each covariant vector, or
            the value of an invariant f; None if the value is not a combination of the covariant
            vectors.
        is_only: whether no other coefficients give the value.
    """

    columns: Array
    value: Array
    found: Array | None
    is_only: bool

    @property
    def is_exact(self) -> bool:
        """True if both the vectors and the value of f are exact."""
        return is_exact(self.columns) and is_exact(self.value)


def evaluate_at_root(
    f: Callable[..., Any],
    layout: Layout,
    given: Sequence[Array],
    widths: Sequence[int],
    d: int | None,
) -> RootValue:
    """Evaluates f at some vectors with given invariants.

    Raises:
        DomainError: there are no such vectors.
    """
    if d is None:
        d = layout.dimension
    settings = [
        Setting(layout, size, tuple(widths)) for size in _dimensions(layout, d, sum(widths))
    ]
    if all(map(is_exact, given)) and not layout.is_complex:
        for setting in settings:
            columns = setting.root(given)
            if columns is not None:
                _require_consistent(setting, columns, given)
                return evaluate_at_columns(f, setting, columns)
    floats = [as_inexact(g) for g in given]
    columns = settings[0].root(floats)
    if columns is None:
        raise DomainError(
            "no vectors with these invariants were found",
            given="invariants in floats",
            expected="invariants of vectors",
            hint="give exact numbers",
        )
    _require_consistent(settings[0], columns, floats)
    return evaluate_at_columns(f, settings[0], columns)


def _dimensions(layout: Layout, known: int | None, width: int) -> Iterator[int]:
    """Yields dimensions in which vectors with given invariants may exist."""
    family = layout.factor.record
    if known is None:
        known = family.size
    if known:
        yield known
        return
    for d in range(max(1, width), max(1, width) + 4):
        if not family.keeps_form or family.form(d * family.reals) is not None:
            yield d


def _require_consistent(setting: Setting, columns: Array, given: Sequence[Array]) -> None:
    """Checks that vectors have the given invariants.

    For floats only the inner products are compared.
    """
    products = len(list(setting.pairs()))
    for k, (mine, theirs) in enumerate(zip(setting.invariants(columns), given, strict=True)):
        exact = is_exact(mine) and is_exact(theirs)
        if not exact and k >= products:
            continue
        if exact:
            slack = 0
        else:
            slack = ROUNDING * np.max(np.abs(theirs), initial=0.0)
        if mine.shape != theirs.shape or not (abs(mine - theirs) <= slack).all():
            raise DomainError(
                "no family of vectors has these invariants",
                given=str(theirs.tolist())[:200],
                expected=f"with the others, {str(mine.tolist())[:200]}",
                hint="compute the invariants from vectors, with .invariants",
            )


def evaluate_at_columns(f: Callable[..., Any], setting: Setting, columns: Array) -> RootValue:
    """Evaluates f at vectors and computes the coefficients of its value there."""
    layout = setting.layout
    value = evaluate(f, layout, columns, setting.widths)
    if layout.output is None:
        return RootValue(columns, value, value, is_only=True)
    basis = setting.covariants(columns)
    target = setting.raise_duals(value, np.full(value.shape[1], layout.output.is_dual))
    if not (is_exact(basis) and is_exact(target)):
        basis, target = map(as_inexact, (basis, target))
    found, rank = _combination(basis, target)
    return RootValue(columns, value, found, rank == basis.shape[1])


def _combination(basis: Array, target: Array) -> tuple[Array | None, int]:
    """Returns the C of least norm with ``basis C = target``, or None, and the rank of the basis."""
    if is_exact(basis):
        found, fits, rank = nearest(basis, target)
    else:
        found, _, width, _ = np.linalg.lstsq(basis, target, rcond=max(basis.shape) * 1e-15)
        outside, rank = np.linalg.norm(target - basis @ found, axis=0), int(width)
        fits = bool((outside <= OUTSIDE * np.linalg.norm(target, axis=0)).all())
    if fits:
        return found, rank
    return None, rank


def predict_value(setting: Setting, columns: Array, at: RootValue) -> Array | None:
    """Predicts f at vectors from its coefficients at other vectors with the same invariants."""
    output = setting.layout.output
    if output is None or at.found is None:
        return at.found
    basis, found = setting.covariants(columns), at.found
    if not (is_exact(basis) and is_exact(found)):
        basis, found = as_inexact(basis), as_inexact(found)
    raised = basis @ found
    return setting.lower_duals(raised, np.full(raised.shape[1], output.is_dual))


def with_sizes(layout: Layout, sizes: Any) -> Layout:
    """Returns the layout with additional fixed sizes."""
    return replace(layout, fixed={**layout.fixed, **(sizes or {})})
