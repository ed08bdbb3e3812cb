"""The vertices of the regular polytopes in dimensions 3 and 4, as columns of exact numbers."""

from itertools import permutations, product

import numpy as np
import sympy as sp

SIZES = {
    "tetrahedron": 4, "cube": 8, "octahedron": 6, "icosahedron": 12, "dodecahedron": 20,
    "5-cell": 5, "16-cell": 8, "tesseract": 16, "24-cell": 24, "600-cell": 120, "120-cell": 600,
}  # fmt: skip


def _signs(v):
    return {tuple(s * x for s, x in zip(signs, v, strict=True)) for signs in product([1, -1], repeat=len(v))}


def _even(v):
    for p in permutations(range(len(v))):
        if sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p))) % 2 == 0:
            yield tuple(v[i] for i in p)


def _all(v):
    return set(permutations(v))


def _spread(*families):
    return {w for family in families for v in family for w in _signs(v)}


def vertices(name):
    """d x n."""
    phi = (1 + sp.sqrt(5)) / 2
    small, root = sp.expand(phi - 1), sp.sqrt(5)
    big, tiny = sp.expand(phi**2), sp.expand((phi - 1) ** 2)
    found = {
        "tetrahedron": lambda: {(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)},
        "cube": lambda: _signs((1, 1, 1)),
        "octahedron": lambda: _spread(_all((1, 0, 0))),
        "icosahedron": lambda: _spread(_even((0, 1, phi))),
        "dodecahedron": lambda: _spread([(1, 1, 1)], _even((0, small, phi))),
        "5-cell": lambda: {
            (1, 1, 1, -1 / root), (1, -1, -1, -1 / root), (-1, 1, -1, -1 / root), (-1, -1, 1, -1 / root),
            (0, 0, 0, 4 / root),
        },
        "16-cell": lambda: _spread(_all((1, 0, 0, 0))),
        "tesseract": lambda: _signs((1, 1, 1, 1)),
        "24-cell": lambda: _spread(_all((1, 1, 0, 0))),
        "600-cell": lambda: _spread([(1, 1, 1, 1)], _all((2, 0, 0, 0)), _even((phi, 1, small, 0))),
        "120-cell": lambda: _spread(
            _all((0, 0, 2, 2)),
            *(_all(v) for v in ((root, 1, 1, 1), (tiny, phi, phi, phi), (big, small, small, small))),
            *(_even(v) for v in ((0, tiny, 1, big), (0, small, phi, root), (small, 1, phi, 2))),
        ),
    }[name]()  # fmt: skip
    points = sorted({tuple(map(sp.expand, v)) for v in found}, key=lambda v: [float(x) for x in v])
    if len(points) != SIZES[name]:
        raise ValueError(name)
    return np.array(points, dtype=object).T
