"""Pairs of families of vectors of classical groups: carried into each other, nearly so, on null cones."""

from __future__ import annotations

import copy
import random
from fractions import Fraction as F
from typing import Any

import numpy as np
import sympy
from flint import fmpq, fmpq_mat

from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.matrices import to_flint
from eqvproof.invariants.witnesses.orbit_exact import exact_orbit
from eqvproof.invariants.witnesses.orbit_space import Space, space
from eqvproof.invariants.witnesses.rational import identity_matrix, select_columns
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import OrbitMismatch

FAMILIES = (
    "O", "SO", "Lorentz", "O(1,1)", "O(2,2)", "O(1,3)", "SO(1,1)", "SO(2,2)", "SO(2,3)",
    "Sp", "U", "SU", "GL", "SL",
)  # fmt: skip
#: The group without the condition on the determinant.
WITHOUT_S = {"SO": "O", "SU": "U", "SL": "GL"}
#: What `seal` adds.
SEALED = ("digest", "format", "version")


def draw(name: str, rng: random.Random) -> tuple[Space, fmpq_mat, fmpq_mat]:
    """A group of the family, and two families of vectors."""
    family = EVERY_FAMILY[name]
    half = rng.randint(1, 3)
    size = family.size or (2 * half if family.reals > 1 or name == "Sp" else rng.randint(1, 5))
    n = rng.randint(0, size + 1)
    r = rng.randint(0, min(n, size))
    x = _matrix(size, n, rng) if rng.random() < 0.5 else _matrix(size, r, rng, 1) * _matrix(r, n, rng, 1)
    null = _null_vectors(name, size)
    if null is not None and rng.random() < 0.4:
        x = null * _matrix(null.ncols(), n, rng, 1)
    whole = WITHOUT_S.get(name, name.removeprefix("S") if "," in name else name)
    y = to_flint(EVERY_FAMILY[rng.choice((name, whole))].sample(size, rng)) * x
    change = rng.randrange(6)
    if change == 0:
        y = _matrix(size, n, rng, 1)
    elif change == 1 and n:
        y = y * fmpq_mat(n, n, [int(i == j and i > 0) for i in range(n) for j in range(n)])
    elif change == 2 and n and size:
        y[rng.randrange(size), rng.randrange(n)] += fmpq(1, 1000)
    elif change == 3:
        y = select_columns(x, [*range(n)][::-1])
    return space(name, size), x, y


def _matrix(rows: int, width: int, rng: random.Random, reach: int = 3) -> fmpq_mat:
    entries = [fmpq(rng.randint(-reach, reach), rng.choice((1, 1, 2))) for _ in range(rows * width)]
    return fmpq_mat(rows, width, entries)


def _null_vectors(name: str, size: int) -> fmpq_mat | None:
    """As many independent vectors as have all inner products 0; None for definite forms."""
    rows = EVERY_FAMILY[name].form(size) if EVERY_FAMILY[name].form else None
    if rows is None or EVERY_FAMILY[name].reals > 1:
        return None
    if rows[0][0] == 0:
        return select_columns(identity_matrix(size), range(size // 2))
    plus = [i for i in range(size) if rows[i][i] == 1]
    minus = [i for i in range(size) if rows[i][i] == -1]
    pairs = list(zip(plus, minus, strict=False))
    return fmpq_mat(size, len(pairs), [int(i in pair) for i in range(size) for pair in pairs])


def judged(place: Space, x: fmpq_mat, y: fmpq_mat) -> tuple[str, dict[str, Any]]:
    """What was found, "element" or what rules one out, and its certificate."""
    try:
        return "element", exact_orbit(place, "d", x, y).certificate
    except OrbitMismatch as error:
        return error.why, error.certificate or {}


def altered(certificate: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """The certificate with one part changed, so that what it says is false, sealed anew.

    A number of X, Y, the matrix, the pair or the relation; X put for Y; another family; columns reversed.
    None if no change makes it false.
    """
    for _ in range(60):
        parts = copy.deepcopy({k: v for k, v in certificate.items() if k not in SEALED})
        kind, change = parts.pop("kind"), rng.randrange(8)
        if change == 0:
            parts["Y"] = parts["X"]
        elif change == 1:
            parts["family"] = rng.choice(FAMILIES)
        elif change == 2:
            values, width = parts["Y"]["values"], parts["Y"]["shape"][1]
            parts["Y"]["values"] = [
                v for k in range(0, len(values), width or 1) for v in values[k : k + width][::-1]
            ]
        else:
            numbers = [parts[k]["values"] for k in "XY"] + [
                parts[k] for k in ("pair", "relation") if k in parts
            ]
            values = rng.choice([n for n in numbers + parts.get("matrix", []) if n])
            k = rng.randrange(len(values))
            whole = isinstance(values[k], int)
            values[k] = rng.randrange(len(values) * 3) if whole else str(F(values[k]) + rng.choice((1, -2)))
        wrong = seal(kind, **parts)
        if not is_true(wrong):
            return wrong
    return None


Matrix = np.ndarray[Any, Any]


def is_true(certificate: dict[str, Any]) -> bool:
    """Whether what a certificate says is true, from the definitions, in Fractions."""
    name, place = certificate["family"], EVERY_FAMILY[certificate["family"]]
    x, y = (_array(certificate[k]["values"]).reshape(certificate[k]["shape"]) for k in "XY")
    d = len(x)
    if (place.size and place.size != d) or (d % 2 and (place.reals > 1 or name == "Sp")):
        return False
    if "pair" not in certificate and "relation" not in certificate:
        g = _array(certificate["matrix"])
        if certificate["kind"] == "orbit-witness":
            return bool(_is_in(name, g) and (g.dot(x) == y).all())
        whole = WITHOUT_S.get(name, name.removeprefix("S") if "," in name else "")
        return bool(
            whole and _is_in(whole, g) and not _is_in(name, g) and (g.dot(x) == y).all()
        ) and not _has_room(name, x)
    if place.reals > 1:
        x, y = (np.concatenate([v, J(d).T.dot(v)], axis=1) for v in (x, y))
    if "relation" in certificate:
        c = _array(certificate["relation"])
        return c.shape == x.shape[1:] and bool(x.dot(c).any()) != bool(y.dot(c).any())
    (i, j), form = certificate["pair"], _form(name, d)
    inside = form is not None and 0 <= min(i, j) and max(i, j) < x.shape[1]
    return bool(inside and x[:, i].dot(form).dot(x[:, j]) != y[:, i].dot(form).dot(y[:, j]))


def _array(rows: Any) -> Matrix:
    """Text as Fractions."""
    return np.vectorize(F, otypes=[object])(rows) if np.size(rows) else np.zeros(np.shape(rows), dtype=object)


def J(d: int) -> Matrix:
    """[[0, I], [-I, 0]]."""
    return np.kron(np.array([[0, 1], [-1, 0]], dtype=object), np.eye(d // 2, dtype=int).astype(object))


def _form(name: str, d: int) -> Matrix | None:
    """The matrix that g^T B g = B is about."""
    if name in ("GL", "SL"):
        return None
    if name == "Sp":
        return J(d)
    signs = np.ones(d, dtype=int).astype(object)
    if "," in name:
        signs[int(name[name.index("(") + 1 : name.index(",")]) :] = -1
    elif name == "Lorentz":
        signs[1:] = -1
    return np.diag(signs)


def _is_in(name: str, g: Matrix) -> bool:
    """Whether a matrix is in the group."""
    d, form = len(g), _form(name, len(g))
    if form is not None and (g.T.dot(form).dot(g) != form).any():
        return False
    if name in ("U", "SU"):
        half = d // 2
        unit = name == "U" or _det(
            [
                [(a, b) for a, b in zip(*r, strict=True)]
                for r in zip(g[:half, :half], g[half:, :half], strict=True)
            ]
        ) == (1, 0)
        return bool(unit and (g.dot(J(d)) == J(d).dot(g)).all())
    det = _det([[(v, F(0)) for v in row] for row in g])[0]
    return det == 1 if name[0] == "S" and name != "Sp" else det != 0


def _det(rows: list[list[tuple[Any, Any]]]) -> tuple[Any, Any]:
    """The determinant of a matrix of complex numbers, by the first row."""
    if not rows:
        return F(1), F(0)
    total = [F(0), F(0)]
    for k, (a, b) in enumerate(rows[0]):
        if a or b:
            re, im = _det([row[:k] + row[k + 1 :] for row in rows[1:]])
            sign = -1 if k % 2 else 1
            total[0] += sign * (a * re - b * im)
            total[1] += sign * (a * im + b * re)
    return total[0], total[1]


def _has_room(name: str, x: Matrix) -> bool:
    """Whether a matrix of another determinant that is in the group but for that leaves X as it is.

    It moves only what is orthogonal to X. Is a vector there not null, a reflection (a phase) in it does so;
    are all null, they lie in the span of X. Without a form any other direction than those of X is stretched.
    """
    form = _form(name, len(x))
    if form is None:
        return sympy.Matrix(x).rank() < len(x)
    if name == "SU":
        x = np.concatenate([x, J(len(x)).T.dot(x)], axis=1)
    normal = (
        [np.array(v).ravel() for v in sympy.Matrix(x.T.dot(form)).nullspace()]
        if x.size
        else list(np.eye(len(x), dtype=int))
    )
    return any(a.dot(form).dot(b) != 0 for a in normal for b in normal)
