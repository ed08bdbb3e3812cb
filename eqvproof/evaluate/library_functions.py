"""Functions of libraries that a Program names, and does not spell out.

To a proof each is any function of its arguments, or of their entries at each place: what is proved of all
functions is true of this one. What fails for some function need not fail for it, so that nothing but a proof
rests on a Program that names one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.exact.linalg import cholesky as exact_cholesky
from eqvproof.program import AS_REAL, Program

CHOLESKY = "numpy.linalg.cholesky"
_cholesky = np.linalg.cholesky


def cholesky(matrices: Any) -> Any:
    """The lower triangular factors of positive definite matrices (..., n, n); undefined for others."""
    given = np.asarray(matrices)
    if given.dtype == object:
        return exact_cholesky(matrices)
    flat = np.asarray(given, dtype=np.float64).reshape(-1, *given.shape[-2:])
    found = np.full(flat.shape, np.nan)
    for k, matrix in enumerate(flat):
        try:
            found[k] = _cholesky(matrix)
        except np.linalg.LinAlgError:
            continue
    return found.reshape(given.shape)


#: The mean, and the sum of squared deviations from it, that a library finds by updates: with their roundings
#: alone do they differ from the first argument.
MEAN, SQUARES = "mean by updates", "squared deviations by updates"
#: Functions of rows; their steps are the first argument.
SOFTMAX, NORMALISED = "softmax of rows", "normalised rows"
LIBRARY: Mapping[str, Callable[..., Any]] = {
    CHOLESKY: cholesky,
    **dict.fromkeys((MEAN, SQUARES, SOFTMAX, NORMALISED, AS_REAL), lambda value, *_: value),
}
#: Functions that go entry by entry, over floats, by the names that Programs read in this process give them.
BY_ENTRIES: dict[str, Callable[..., Any]] = {}


def library_functions(program: Program) -> tuple[str, ...]:
    """The functions of libraries that a Program names."""
    return tuple(dict.fromkeys(n.name for n in program.opaques if n.is_by_entries or n.name in LIBRARY))
