"""Functions of libraries that a Program names, and does not spell out.

To a proof each is any function of its arguments, or of their entries at each place: what is proved
of all functions is true of this one. What fails for some function need not fail for it, so that
nothing but a proof rests on a Program that names one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.numbers.linalg import cholesky as exact_cholesky
from eqvproof.numbers.undefined import UNDECIDED_ENTRY
from eqvproof.programs import AS_REAL, OF_FINITE, Program

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


#: The mean, and the sum of squared deviations from it, that a library finds by updates: with their
#: roundings alone do they differ from the first argument.
MEAN, SQUARES = "mean by updates", "squared deviations by updates"
#: Which of two equal entries an algorithm that sorts puts first, by its name: not known, and no
#: matter to sides that do not ask. A proof holds whatever it says, and so does a point at which
#: nothing rests on it.
TIES = "order_of_equals."


def unknown(like: Any, *_: Any) -> Any:
    """An array of entries of which nothing is known: of exact numbers undecided ones, of floats NaN."""
    given = np.asarray(like)
    return np.full(given.shape, UNDECIDED_ENTRY if given.dtype == object else np.nan, given.dtype)


def as_they_stand(_: Any, equal: Any, mine: Any, other: Any, *__: Any) -> Any:
    """The order of a stable sort, of floats: the entry that stands first comes first."""
    return (np.asarray(equal) != 0) & (np.asarray(other) < np.asarray(mine))


#: Functions of rows; their steps are the first argument.
SOFTMAX, NORMALISED = "softmax of rows", "normalised rows"
LIBRARY: Mapping[str, Callable[..., Any]] = {
    CHOLESKY: cholesky,
    **dict.fromkeys(
        (MEAN, SQUARES, SOFTMAX, NORMALISED, AS_REAL, OF_FINITE), lambda value, *_: value
    ),
}
#: Functions that go entry by entry, over floats, by the names that Programs read in this process
#: give them.
BY_ENTRIES: dict[str, Callable[..., Any]] = {}


def is_order(name: str) -> bool:
    """Whether a name is that of the order which a sort gives equal entries."""
    return name.startswith(TIES)


def library_function(name: str) -> Callable[..., Any] | None:
    """The function of that name; None for those of a user."""
    return unknown if is_order(name) else LIBRARY.get(name) or BY_ENTRIES.get(name)


def rests_on_ties(program: Program) -> bool:
    """Whether a Program names the order that a sort gives equal entries."""
    return any(is_order(n.name) for n in program.opaques)


def takes_eigenvectors(program: Program) -> bool:
    """Whether a Program holds eigenvectors, which have no value where eigenvalues are equal."""
    return any(node.is_up_to_signs for node in program.nodes)


def rests_on_ties_alone(program: Program) -> bool:
    """Whether a Program names no other function."""
    return all(is_order(n.name) for n in program.opaques)


def library_functions(program: Program) -> tuple[str, ...]:
    """The functions of libraries that a Program names, but the orders of equal entries; eigenvectors, too."""
    names = dict.fromkeys(n.name for n in program.opaques if n.is_by_entries or n.name in LIBRARY)
    names |= dict.fromkeys(f"the sign of {n.rule}" for n in program.nodes if n.is_up_to_signs)
    return tuple(name for name in names if not is_order(name))
