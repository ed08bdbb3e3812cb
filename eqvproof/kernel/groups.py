"""The families of groups: one record each, with all that the kernel knows of a family by its name.

An element g acts on an axis by its standard matrix. "O(p,q)" and "SO(p,q)", for numbers p and q, are families
of one size each. `kind` says what these matrices are:

    perm    permutations, (g x)[i] = x[p[i]]        lin     invertible matrices
    orth    orthogonal matrices                     shift   translations, x + t
    sign    diagonal, with entries 1 and -1         scale   positive multiples
                                                    rigid   motions, Q x + t
"""

from __future__ import annotations

import re
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


def _minkowski(size: int) -> Monomial | None:
    """diag(1, -1, ..., -1)."""
    return [*range(size)], [1] + [-1] * (size - 1)


def _symplectic(size: int) -> Monomial | None:
    """[[0, I], [-I, 0]], at even sizes."""
    half = size // 2
    return None if size % 2 else ([*range(half, size), *range(half)], [1] * half + [-1] * half)


def _diagonal(p: int, q: int) -> Callable[[int], Monomial | None]:
    """diag(1, ..., 1, -1, ..., -1) with p times 1 and q times -1, at the size p + q."""
    return lambda size: ([*range(size)], [1] * p + [-1] * q) if size == p + q else None


#: A matrix, by its entries that are not 0: (row, column, entry).
Matrix = list[tuple[int, int, int]]


def _planes(size: int) -> list[Matrix]:
    """E[k, k+1] - E[k+1, k], whose brackets span so(size)."""
    return [[(k, k + 1, 1), (k + 1, k, -1)] for k in range(size - 1)]


def _shears(size: int) -> list[Matrix]:
    """E[k, k+1] and E[k+1, k], whose brackets span sl(size)."""
    return [[(i, j, 1)] for k in range(size - 1) for i, j in ((k, k + 1), (k + 1, k))]


@dataclass(frozen=True, slots=True)
class Family:
    """What the kernel knows of a family of groups.

    Attributes:
        kind: what the elements are, as above.
        subgroups: the families whose groups on an axis are subgroups of the group of this family there.
        special: whether the determinant of every element is 1.
        generators: elements that generate the group; where there is a Lie algebra, with its connected part.
        lie: matrices of its Lie algebra whose brackets span it.
        member: which permutations belong to it.
        integral: whether the entries of its matrices are integers.
        parts: the families whose groups generate this one.
        cyclic: whether the elements are the shifts of a cycle.
        listed: whether a claim lists generators, which make up the group.
        form: for each size the matrix B, symmetric or skew, with B B^T = I, for which the group is that of
            all g with g^T B g = B (of determinant 1, where it is special); the identity alone where there is
            none. For kind "orth": of all that are orthogonal besides, the unitary matrices X + iY as
            [[X, -Y], [Y, X]].
        reals: how many real coordinates an entry of the axis has: 2 where it is complex, and g acts on all
            real parts along the axis, then all imaginary parts.
        unit: whether det(X + iY) = 1.
        irreps: whether on an axis of size 3 it has all rotations, so that irreps of O(3) are those of the
        group.
    """

    kind: str
    subgroups: tuple[str, ...] = ()
    special: bool = False
    generators: Callable[[int], list[Monomial]] = _none
    lie: Callable[[int], list[Matrix]] | None = None
    member: Callable[[list[int]], bool] = _any
    integral: bool = False
    parts: tuple[str, ...] = ()
    cyclic: bool = False
    listed: bool = False
    form: Callable[[int], Monomial | None] | None = None
    reals: int = 1
    unit: bool = False
    irreps: bool = False

    def algebra(self, size: int) -> list[Matrix] | None:
        """Matrices whose brackets span the Lie algebra; None where it is not known.

        Of the g with g^T B g = B they are all A with ``A^T B + B A = 0``: B^-1 (E_km - t E_mk), B^T = t B.
        B has the entries signs[k] at (k, order[k]), and B^-1 = B^T.
        """
        if self.form is None:
            return self.lie and self.lie(size)
        form, found = self.form(size), []
        if form is None:
            return []
        (order, signs), turn = form, form[1][form[0][0]] * form[1][0]
        for k in range(size):
            for m in range(k + (turn == 1), size):
                found.append([(order[k], m, signs[k]), (order[m], k, -turn * signs[m])])
        return found

    def others(self, size: int) -> list[Monomial]:
        """Elements that generate the group; where there is a Lie algebra, with its connected part.

        Of a diagonal form: changes of sign of one coordinate, or of two; the symplectic group is connected.
        """
        form = self.form and self.form(size)
        if not form:
            return self.generators(size)
        still = [*range(size)]
        places = [{0, k} for k in still[1:]] if self.special else [{k} for k in still]
        return [(still, [-1 if i in p else 1 for i in still]) for p in places if form[0] == still]


class _Families(dict[str, Family]):
    """The families, and those that a name such as "O(1,3)" gives."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and INDEFINITE.fullmatch(name) is not None
        )

    def __missing__(self, name: str) -> Family:
        found = INDEFINITE.fullmatch(name)
        if found is None:
            raise KeyError(name)
        inner = (name,) if found[1] else (name, "S" + name)
        return Family("lin", inner, special=bool(found[1]), form=_diagonal(int(found[2]), int(found[3])))


#: One number of signs +, one of signs -; not all signs equal, which is the family O.
INDEFINITE = re.compile(r"(S?)O\(([1-9][0-9]?),([1-9][0-9]?)\)")
_ORTHOGONAL = ("O", "SO", "S", "A", "C", "D", "Signs", "GenS", "GenO")
FAMILIES: dict[str, Family] = _Families({
    "O": Family("orth", _ORTHOGONAL, generators=lambda size: _flips(size, 1), lie=_planes, irreps=True),
    "SO": Family("orth", ("SO", "A"), special=True, irreps=True, lie=_planes),
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
    "E": Family("rigid", _ORTHOGONAL, parts=("T", "O"), irreps=True),
    "SE": Family("rigid", ("SO", "A"), parts=("T", "SO"), special=True, irreps=True),
    "Scale": Family("scale"),
    "GL": Family(
        "lin", ("GL", "SL", "GenGL", "Lorentz", "Sp", *_ORTHOGONAL),
        generators=lambda size: _flips(size, 1), lie=lambda size: [*_shears(size), [(0, 0, 1)]],
    ),
    "SL": Family("lin", ("SL", "Sp"), special=True, lie=_shears),
    "Lorentz": Family("lin", ("Lorentz",), form=_minkowski),
    "U": Family("orth", ("U", "SU"), special=True, form=_symplectic, reals=2),
    "SU": Family("orth", ("SU",), special=True, form=_symplectic, reals=2, unit=True),
    "Sp": Family("lin", ("Sp",), special=True, form=_symplectic),
    "GenS": Family("perm", listed=True),
    "GenO": Family("orth", listed=True),
    "GenGL": Family("lin", listed=True),
})  # fmt: skip
