"""Fixed patterns of inputs in which entries, rows, norms, distances or eigenvalues are equal.

In turn each argument takes such a pattern, while all others hold different numbers, which show
which of equal entries was chosen. No random number is used: equal questions lead to equal points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from eqvproof.engines.search.result import Inputs

if TYPE_CHECKING:
    from eqvproof.engines.search.inputs import Points

Index = tuple[int, ...]
Pattern = Callable[[Index, Index], int]


def _row_of(index: Index) -> int:
    if index:
        return index[0]
    return 0


def _column_of(index: Index) -> int:
    if index:
        return index[-1]
    return 0


def _flat_position(index: Index, shape: Index) -> int:
    position = 0
    for i, n in zip(index, shape, strict=True):
        position = position * n + i
    return position


def _ring_adjacency(index: Index, shape: Index) -> int:
    i, j, n = _row_of(index), _column_of(index), max(shape, default=1)
    return int((i - j) % n in (1, n - 1))


#: Functions from an index and a shape to an entry; comments say what is equal.
PATTERNS: tuple[Pattern, ...] = (
    lambda i, s: 0,  # everything
    lambda i, s: 1,
    lambda i, s: _row_of(i) // 2,  # pairs of rows
    lambda i, s: (_row_of(i) + 1) // 2,
    lambda i, s: _column_of(i) // 2,  # pairs of columns
    lambda i, s: int(_row_of(i) > 0),  # all rows but the first
    lambda i, s: int(_row_of(i) < prod(s[:1]) - 1),  # all rows but the last
    lambda i, s: _row_of(i),  # distances of rows, which are equally spaced
    lambda i, s: _column_of(i),
    lambda i, s: 2 * _row_of(i) - prod(s[:1]) + 1,  # moduli of rows i and n - 1 - i
    lambda i, s: 2 * _column_of(i) - prod(s[-1:]) + 1,
    lambda i, s: (1, -1)[_flat_position(i, s) % 2],  # moduli of all entries
    lambda i, s: (1, -1)[_row_of(i) % 2],
    lambda i, s: (
        (_row_of(i) + _column_of(i)) % max(prod(s[-1:]), 1) + 1
    ),  # norms of rows, which are permuted
    lambda i, s: (1, -1)[_row_of(i) % 2] * (_column_of(i) + 1),  # norms of rows, which are negated
    lambda i, s: (0, 1, 1, -1, -1)[_row_of(i) % 5],  # distances from the first row
    lambda i, s: (0, 1, 1, -1)[(_row_of(i) + _column_of(i)) % 4],
    lambda i, s: (1, 0, -1, 0)[(_row_of(i) + _column_of(i)) % 4],  # distances in a square
    lambda i, s: (_row_of(i) ** 2 + _column_of(i)) % 3 - 1,
    lambda i, s: (3 * _row_of(i) + 5 * _column_of(i)) % 4 - 1,
    lambda i, s: int(
        _row_of(i) % max(prod(s[-1:]), 1) == _column_of(i)
    ),  # norms and distances of unit vectors
    lambda i, s: int(_row_of(i) != _column_of(i)),  # eigenvalues of the complete graph
    _ring_adjacency,  # eigenvalues of a ring
    lambda i, s: int(_row_of(i) == _column_of(i)) * (1 + int(_row_of(i) > 1)),  # two eigenvalues
    lambda i, s: int(abs(_row_of(i) - _column_of(i)) == 1),  # eigenvalues of a path, in pairs
    lambda i, s: int(_row_of(i) // 2 == _column_of(i) // 2),  # eigenvalues of equal blocks
    lambda i, s: (
        int(_row_of(i) == 0 or _column_of(i) == 0) - int(_row_of(i) == _column_of(i) == 0)
    ),  # of a star
)


def half_patterns(points: Points) -> Iterator[Inputs]:
    """Yields the points of the patterns with halves, each of which may be rounded up or down.

    Half of a pattern is in one argument after another, and in all at once.
    """
    return _patterns(points, lambda value: Fraction(value, 2))


def equal_patterns(points: Points) -> Iterator[Inputs]:
    """Yields the points: one pattern after another, in each argument and in all at once."""
    return _patterns(points, Fraction)


def _patterns(points: Points, of: Callable[[int], Fraction]) -> Iterator[Inputs]:
    real = [a for a in points.signature.inputs if a.kind == "real"]
    for pattern in PATTERNS:
        for chosen in real:
            yield points.fill(
                lambda a, i, k, p=pattern, c=chosen: (  # type: ignore[misc]
                    of(p(i, points.shape(a.name))) if a is c else k + 2
                )
            )
        if len(real) > 1:
            yield points.fill(
                lambda a, i, k, p=pattern: of(p(i, points.shape(a.name)))  # type: ignore[misc]
            )
