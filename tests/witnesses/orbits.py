"""Pairs of families of vectors of classical groups: carried into each other, nearly so, on null cones."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from flint import fmpq, fmpq_mat

from eqvproof.errors import OrbitMismatch
from eqvproof.groups.families import EVERY_FAMILY
from eqvproof.groups.matrices import from_flint, to_flint
from eqvproof.witnesses.certificate import seal
from eqvproof.witnesses.orbit import Space, carry, space
from eqvproof.witnesses.rational import columns, identity

FAMILIES = (
    "O", "SO", "Lorentz", "O(1,1)", "O(2,2)", "O(1,3)", "SO(1,1)", "SO(2,2)", "SO(2,3)",
    "Sp", "U", "SU", "GL", "SL",
)  # fmt: skip


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
    whole = {"SO": "O", "SU": "U", "SL": "GL"}.get(name, name.removeprefix("S") if "," in name else name)
    y = to_flint(EVERY_FAMILY[rng.choice((name, whole))].sample(size, rng)) * x
    change = rng.randrange(6)
    if change == 0:
        y = _matrix(size, n, rng, 1)
    elif change == 1 and n:
        y = y * fmpq_mat(n, n, [int(i == j and i > 0) for i in range(n) for j in range(n)])
    elif change == 2 and n and size:
        y[rng.randrange(size), rng.randrange(n)] += fmpq(1, 1000)
    elif change == 3:
        y = columns(x, [*range(n)][::-1])
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
        return columns(identity(size), range(size // 2))
    plus = [i for i in range(size) if rows[i][i] == 1]
    minus = [i for i in range(size) if rows[i][i] == -1]
    pairs = list(zip(plus, minus, strict=False))
    return fmpq_mat(size, len(pairs), [int(i in pair) for i in range(size) for pair in pairs])


def judged(place: Space, x: fmpq_mat, y: fmpq_mat) -> tuple[str, dict[str, Any]]:
    """What was found, "element" or what rules one out, and its certificate."""
    try:
        return "element", carry(place, "d", x, y).certificate
    except OrbitMismatch as error:
        return error.why, error.certificate or {}


def altered(certificate: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """The certificate with one number changed, sealed anew."""
    for _ in range(4):
        changed = copy.deepcopy(
            {k: v for k, v in certificate.items() if k not in ("digest", "format", "version")}
        )
        numbers = [v["values"] for k, v in changed.items() if k in "XY"]
        numbers += [changed[k] for k in ("pair", "relation") if k in changed] + changed.get("matrix", [])
        numbers = [n for n in numbers if n]
        if not numbers:
            return
        values = rng.choice(numbers)
        k = rng.randrange(len(values))
        old = values[k]
        values[k] = (
            old + 1 if isinstance(old, int) else str(fmpq(*map(int, old.split("/"))) + rng.choice((1, -2)))
        )
        yield seal(changed.pop("kind"), **changed)


def is_true(certificate: dict[str, Any]) -> bool:
    """Whether what a certificate says is true, by another computation."""
    x, y = (
        fmpq_mat(*c["shape"], [fmpq(*map(int, v.split("/"))) for v in c["values"]])
        for c in (certificate["X"], certificate["Y"])
    )
    name = certificate["family"]
    place = space(name, x.nrows())
    if certificate["kind"] == "orbit-mismatch":
        return judged(place, x, y)[0] != "element"
    rows = certificate["matrix"]
    g = fmpq_mat(len(rows), len(rows), [fmpq(*map(int, v.split("/"))) for row in rows for v in row])
    return g * x == y and not EVERY_FAMILY[name].why_not(from_flint(g), len(rows))
