"""Kinds of group elements: the format of their data, products, actions, and JSON form.

An element g acts on a vector x of its axis: by ``Q x`` for a matrix Q, by ``(g x)[i] = x[p[i]]``
for a permutation p, by ``(g x)[i] = s[i] x[i]`` for signs s, by ``x + t`` for a translation (points
only), by ``Q x + t`` for a rigid motion (``Q x`` on directions), by ``c x`` for a positive
multiple.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from eqvproof.claims.groups.matrices import Matrix, Vector, along, inverse_of, product_of, unit

Array = np.ndarray[Any, Any]
KindName = Literal["perm", "orth", "sign", "shift", "rigid", "scale", "lin"]


def _itself(data: Any) -> Any:
    return data


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of group element: the format of its data, and functions of these data.

    Attributes:
        name: "perm", "orth", "sign", "lin" for matrices, by their common property; else "shift",
            "rigid", "scale".
        identity: returns the identity at a size.
        compose: returns ``g h``, which acts as g after h.
        inverse: returns ``g^-1``.
        matrix: returns its linear part.
        write: returns its JSON data.
        words: describes an element other than the identity, counting from 1; takes its data and its
            axis.
        variable: the name of an element in snippets.
        size: returns the size of the axis on which it acts; 0 if it acts at every size.
        along: applies the linear part along the first axis of an array; None if that is the
            identity.
        vector: returns its translation; None if the kind has none.
        multiple: returns the factor by which it multiplies values; None if there is none.
        has_dual: whether it acts on dual axes by the inverse transpose.
        rounds: whether it computes with entries, which floats round; else it moves them, or changes
            signs.
        takes: describes the argument of functions in ``reps=``; empty if there are none.
        shown: returns the form of the element in a counterexample.
    """

    name: KindName
    identity: Callable[[int], Any]
    compose: Callable[[Any, Any], Any]
    inverse: Callable[[Any], Any]
    matrix: Callable[[Any], Matrix]
    write: Callable[[Any], dict[str, object]]
    words: Callable[[Any, str | int], str]
    variable: str
    size: Callable[[Any], int] = len
    along: Callable[[Any, Array], Array] | None = None
    vector: Callable[[Any], Vector] | None = None
    multiple: Callable[[Any], Fraction] | None = None
    has_dual: bool = False
    rounds: bool = True
    takes: str = ""
    shown: Callable[[Any], Any] = _itself


def matrices(
    name: KindName, words: Callable[[Any, str | int], str], variable: str, *, has_dual: bool
) -> Kind:
    """Elements that are rows of Fractions."""
    return Kind(
        name, identity=unit, compose=product_of, inverse=inverse_of, matrix=_itself,
        write=lambda g: {"matrix": write_rows(g)}, words=words, variable=variable,
        along=along, has_dual=has_dual, takes="a matrix Q", shown=objects,
    )  # fmt: skip


def objects(rows: Any) -> Array:
    """Numbers as an array of objects."""
    return np.array(rows, dtype=object)


def write_rows(rows: Any) -> list[list[str]]:
    """Writes a matrix as JSON."""
    return [[str(v) for v in row] for row in rows]


def zeros(size: int) -> Vector:
    """Returns the vector 0."""
    return (Fraction(0),) * size
