"""Functions of libraries that a Program names without their definition.

In a proof each is any function of its arguments, or of their entries at each place: a proof for all
functions holds for this one. A failure for some function need not be one for this function, so a
Program that names one can be proved, and not refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.numbers.undefined import UNDECIDED_ENTRY
from eqvproof.programs import AS_REAL, OF_FINITE, Program

#: Mean and sum of squared deviations that a library computes by updates: they differ from the first
#: argument by their roundings alone.
MEAN, SQUARES = "mean by updates", "squared deviations by updates"
#: Prefix of the names of orders: which of two equal entries a sorting algorithm puts first. It is
#: not known. A proof holds for every order, and so does a counterexample at a point at which
#: nothing depends on it.
TIES = "order_of_equals."


def unknown(like: Any, *_: Any) -> Any:
    """Returns an array of unknown entries: undecided exact numbers, or NaN for floats."""
    given = np.asarray(like)
    if given.dtype == object:
        return np.full(given.shape, UNDECIDED_ENTRY, object)
    return np.full(given.shape, np.nan, given.dtype)


def stable_order(_: Any, equal: Any, mine: Any, other: Any, *__: Any) -> Any:
    """Returns the order of a stable sort of floats: the entry that stands first comes first."""
    return (np.asarray(equal) != 0) & (np.asarray(other) < np.asarray(mine))


#: Functions of rows; their steps are the first argument.
SOFTMAX, NORMALISED = "softmax of rows", "normalised rows"
LIBRARY: Mapping[str, Callable[..., Any]] = {
    **dict.fromkeys(
        (MEAN, SQUARES, SOFTMAX, NORMALISED, AS_REAL, OF_FINITE), lambda value, *_: value
    ),
}
#: Functions applied entry by entry to floats, by the names that Programs traced in this process
#: give them.
BY_ENTRIES: dict[str, Callable[..., Any]] = {}


def is_order(name: str) -> bool:
    """Checks whether a name is that of the order which a sort gives equal entries."""
    return name.startswith(TIES)


def library_function(name: str) -> Callable[..., Any] | None:
    """Returns the function of that name; None for those of a user."""
    if is_order(name):
        return unknown
    return LIBRARY.get(name) or BY_ENTRIES.get(name)


def rests_on_ties(program: Program) -> bool:
    """Checks whether a Program names the order that a sort gives equal entries."""
    return any(is_order(n.name) for n in program.opaques)


def takes_eigenvectors(program: Program) -> bool:
    """Checks whether a Program holds eigenvectors; equal eigenvalues make these undefined."""
    return any(node.is_up_to_signs for node in program.nodes)


def are_singular_vectors(program: Program, node: int) -> bool:
    """Checks whether eigenvectors are those of -A^T A, which stand for singular vectors of A."""
    product = program.nodes[program.nodes[node].args[0]].as_product
    if product is None:
        return False
    scalars = [program.nodes[a].constant for a, row in product.factors if not row]
    others = [a for a, row in product.factors if row]
    return (
        len(scalars) == 1
        and scalars[0] is not None
        and bool(scalars[0] == -1)
        and len({*others}) == 1
    )


def rests_on_ties_alone(program: Program) -> bool:
    """Checks whether all functions that a Program names are orders of equal entries."""
    return all(is_order(n.name) for n in program.opaques)


def library_functions(program: Program) -> tuple[str, ...]:
    """Lists the library functions that a Program names, without orders of equal entries.

    Eigenvectors are listed by their sign.
    """
    names = dict.fromkeys(n.name for n in program.opaques if n.is_by_entries or n.name in LIBRARY)
    names |= dict.fromkeys(f"the sign of {n.rule}" for n in program.nodes if n.is_up_to_signs)
    return tuple(name for name in names if not is_order(name))
