"""Kinds of elements: what they are as data, how they multiply, how certificates write them.

An element g acts on a vector x of its axis: by ``Q x`` for a matrix Q, by ``(g x)[i] = x[p[i]]`` for a
permutation p, by ``(g x)[i] = s[i] x[i]`` for signs s, by ``x + t`` for a translation (points only), by
``Q x + t`` for a rigid motion (``Q x`` on directions), by ``c x`` for a positive multiple.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eqvproof.groups.matrices import Vector, diagonal, inverse_of, of_permutation, product_of, times, unit


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of being an element.

    Attributes:
        identity: the identity at a size.
        compose: ``g h``, which acts as g after h.
        inverse: ``g^-1``.
        size: of the axis on which it acts; 0 where it acts at every size.
        matrix: its linear part.
        vector: its translation.
        write: as JSON data.
        read: from JSON data; raises KeyError, TypeError, ValueError or ZeroDivisionError where it is none.
        keys: what the JSON data hold.
    """

    identity: Callable[[int], Any]
    compose: Callable[[Any, Any], Any]
    inverse: Callable[[Any], Any]
    size: Callable[[Any], int]
    matrix: Callable[[Any], Any]
    vector: Callable[[Any], Vector]
    write: Callable[[Any], dict[str, object]]
    read: Callable[[Mapping[str, Any]], Any]
    keys: str


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _rows(value: Any) -> Any:
    return tuple(tuple(Fraction(v) for v in _listed(row)) for row in _listed(value))


def _vector(value: Any) -> Vector:
    return tuple(Fraction(str(v)) for v in _listed(value))


def _write_rows(rows: Any) -> list[list[str]]:
    return [[str(v) for v in row] for row in rows]


def _zeros(size: int) -> Vector:
    return (Fraction(0),) * size


def _moved(g: Any, h: Any) -> Any:
    return tuple(a + b for a, b in zip(times(g[0], h[1]), g[1], strict=True))


def _inverse_permutation(p: Any) -> tuple[int, ...]:
    back = [0] * len(p)
    for i, k in enumerate(p):
        back[k] = i
    return tuple(back)


def _inverse_motion(g: Any) -> Any:
    rows = tuple(zip(*g[0], strict=True))
    return rows, tuple(-v for v in times(rows, g[1]))


_MATRIX = Kind(
    identity=unit, compose=product_of, inverse=inverse_of, size=len, matrix=lambda g: g,
    vector=lambda g: _zeros(len(g)), write=lambda g: {"matrix": _write_rows(g)},
    read=lambda data: _rows(data["matrix"]), keys="'matrix'",
)  # fmt: skip

KINDS: dict[str, Kind] = {
    "orth": _MATRIX,
    "lin": _MATRIX,
    "perm": Kind(
        identity=lambda n: tuple(range(n)), compose=lambda g, h: tuple(h[k] for k in g),
        inverse=_inverse_permutation, size=len, matrix=of_permutation, vector=lambda g: _zeros(len(g)),
        write=lambda g: {"permutation": list(g)}, read=lambda data: tuple(_listed(data["permutation"])),
        keys="'permutation'",
    ),
    "sign": Kind(
        identity=lambda n: (1,) * n, compose=lambda g, h: tuple(a * b for a, b in zip(g, h, strict=True)),
        inverse=lambda g: g, size=len, matrix=diagonal, vector=lambda g: _zeros(len(g)),
        write=lambda g: {"signs": list(g)}, read=lambda data: tuple(_listed(data["signs"])), keys="'signs'",
    ),
    "shift": Kind(
        identity=_zeros, compose=lambda g, h: tuple(a + b for a, b in zip(g, h, strict=True)),
        inverse=lambda g: tuple(-v for v in g), size=len, matrix=lambda g: unit(len(g)), vector=lambda g: g,
        write=lambda g: {"vector": [str(v) for v in g]}, read=lambda data: _vector(data["vector"]),
        keys="'vector'",
    ),
    "rigid": Kind(
        identity=lambda n: (unit(n), _zeros(n)), compose=lambda g, h: (product_of(g[0], h[0]), _moved(g, h)),
        inverse=_inverse_motion, size=lambda g: len(g[1]), matrix=lambda g: g[0], vector=lambda g: g[1],
        write=lambda g: {"matrix": _write_rows(g[0]), "vector": [str(v) for v in g[1]]},
        read=lambda data: (_rows(data["matrix"]), _vector(data["vector"])), keys="'matrix' and 'vector'",
    ),
    "scale": Kind(
        identity=lambda n: (Fraction(1),), compose=lambda g, h: (g[0] * h[0],), inverse=lambda g: (1 / g[0],),
        size=lambda g: 0, matrix=lambda g: (), vector=lambda g: (), write=lambda g: {"factor": str(g[0])},
        read=lambda data: (Fraction(str(data["factor"])),), keys="'factor'",
    ),
}  # fmt: skip
