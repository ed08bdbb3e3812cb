"""Permutations as tuples p of 0..n-1, which move the entry at p[i] to i."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Permutation = tuple[int, ...]


def inverse_of(p: Sequence[int]) -> Permutation:
    """Returns p^-1."""
    back = [0] * len(p)
    for i, k in enumerate(p):
        back[k] = i
    return tuple(back)


def cycles_of(p: Sequence[int]) -> list[list[int]]:
    """Returns the cycles of length 2 and more of the moves, each from its least place on."""
    moves = inverse_of(p)
    seen: set[int] = set()
    found = []
    for start in range(len(moves)):
        places, at = [], start
        while at not in seen:
            seen.add(at)
            places.append(at)
            at = moves[at]
        if len(places) > 1:
            found.append(places)
    return found


def permutation_sign(permutation: Sequence[int]) -> int:
    """Returns the sign of a permutation of 0..n-1: 1 when it is even, -1 when odd."""
    if sum(len(c) - 1 for c in cycles_of(permutation)) % 2:
        return -1
    return 1


def cycle(size: int, places: Sequence[int]) -> Permutation:
    """Returns the permutation that moves the entry at places[0] to places[1], and so on."""
    p = list(range(size))
    for k, place in enumerate(places):
        p[places[(k + 1) % len(places)]] = place
    return tuple(p)


def shift(size: int, by: int) -> Permutation:
    """Returns the permutation that moves the entry at i to i + by (mod size), as np.roll does."""
    return tuple((i - by) % size for i in range(size))


def short_shifts(size: int) -> Iterator[int]:
    """Yields 1, -1, 2, -2, ...: shifts of a cycle, short ones first."""
    for by in range(1, size // 2 + 1):
        yield by
        yield -by


def list_places(places: Sequence[int]) -> str:
    """Lists places in words: "0, 1 and 3"."""
    shown = [str(p) for p in places]
    if len(shown) == 1:
        return shown[0]
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def cycles_text(cycles: Sequence[Sequence[int]]) -> str:
    """Writes cycles in words: "0 -> 2 -> 0, and 1 -> 3 -> 1"."""
    return ", and ".join(" -> ".join(str(i) for i in (*c, c[0])) for c in cycles)
