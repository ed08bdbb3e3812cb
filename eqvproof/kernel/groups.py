"""The families of groups: one record each, with all that the kernel knows of a family by its name.

An element g acts on an axis by its standard matrix. `kind` says what these matrices are:

    perm    permutations, (g x)[i] = x[p[i]]        lin     invertible matrices
    orth    orthogonal matrices                     shift   translations, x + t
    sign    diagonal, with entries 1 and -1         scale   positive multiples
                                                    rigid   motions, Q x + t
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: (g x)[i] = signs[i] x[order[i]].
Monomial = tuple[list[int], list[int]]


def _none(size: int) -> list[Monomial]:
    return []


def _moves(orders: list[list[int]]) -> list[Monomial]:
    return [(order, [1] * len(order)) for order in orders]


def _flips(size: int, count: int) -> list[Monomial]:
    still = list(range(size))
    return [(still, [-1 if j == i else 1 for j in still]) for i in range(count)]


def _turn(size: int) -> list[int]:
    return [*range(1, size), 0]


def _swap_and_turn(size: int) -> list[Monomial]:
    return _moves([[1, 0, *range(2, size)], _turn(size)] if size > 1 else [])


def _turn_three(size: int) -> list[Monomial]:
    """The cycles (0 1 k)."""
    return _moves([[1, k, *range(2, k), 0, *range(k + 1, size)] for k in range(2, size)])


def _any(p: list[int]) -> bool:
    return True


def is_even(p: list[int]) -> bool:
    """Whether a permutation has an even number of cycles of even length."""
    seen, odd = [False] * len(p), False
    for start in range(len(p)):
        length, at = 0, start
        while not seen[at]:
            seen[at], at, length = True, p[at], length + 1
        odd ^= length > 0 and length % 2 == 0
    return not odd


def _is_shift(p: list[int]) -> bool:
    return all(p[i] == (p[0] + i) % len(p) for i in range(len(p)))


def _is_reflection(p: list[int]) -> bool:
    return all(p[i] == (p[0] - i) % len(p) for i in range(len(p)))


@dataclass(frozen=True, slots=True)
class Family:
    """What the kernel knows of a family of groups.

    Attributes:
        kind: what the elements are, as above.
        subgroups: the families whose groups on an axis are subgroups of the group of this family there.
        special: whether the determinant of every element is 1.
        generators: elements that generate the group; for kind "orth" together with all rotations.
        member: which permutations belong to it.
        integral: whether the entries of its matrices are integers.
        parts: the families whose groups generate this one.
        cyclic: whether the elements are the shifts of a cycle.
        listed: whether a claim lists generators, which make up the group.
    """

    kind: str
    subgroups: tuple[str, ...] = ()
    special: bool = False
    generators: Callable[[int], list[Monomial]] = _none
    member: Callable[[list[int]], bool] = _any
    integral: bool = False
    parts: tuple[str, ...] = ()
    cyclic: bool = False
    listed: bool = False


_ORTHOGONAL = ("O", "SO", "S", "A", "C", "D", "Signs", "GenS", "GenO")
FAMILIES: dict[str, Family] = {
    "O": Family("orth", _ORTHOGONAL, generators=lambda size: _flips(size, 1)),
    "SO": Family("orth", ("SO", "A"), special=True),
    "S": Family("perm", ("S", "A", "C", "D", "GenS"), generators=_swap_and_turn),
    "A": Family("perm", ("A",), special=True, generators=_turn_three, member=is_even),
    "C": Family("perm", ("C",), cyclic=True, member=_is_shift, generators=lambda size: _moves([_turn(size)])),
    "D": Family(
        "perm", ("D", "C"), member=lambda p: _is_shift(p) or _is_reflection(p),
        generators=lambda size: _moves([_turn(size), [*range(size)][::-1]]),
    ),
    "Signs": Family("sign", ("Signs",), generators=lambda size: _flips(size, size)),
    "B": Family("orth", ("S", "A", "C", "D", "Signs", "GenS"), integral=True, parts=("S", "Signs")),
    "T": Family("shift"),
    "E": Family("rigid", _ORTHOGONAL, parts=("T", "O")),
    "SE": Family("rigid", ("SO", "A"), parts=("T", "SO"), special=True),
    "Scale": Family("scale"),
    "GL": Family("lin", ("GL", "SL", "GenGL", *_ORTHOGONAL)),
    "SL": Family("lin", ("SL",), special=True),
    "GenS": Family("perm", listed=True),
    "GenO": Family("orth", listed=True),
    "GenGL": Family("lin", listed=True),
}  # fmt: skip
