"""Checks types under O(3) and SO(3), whose axes may carry irreps, and powers of the determinant.

A factor of an act may be an irrep (degree, twisted): an orthogonal matrix of size 2l + 1, times the
determinant where twisted. Degree 1 that is not twisted is the standard matrix itself, degree 0 the
identity; these are written so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from .acts import UNI, Act, Acted, Blocks, Irrep, has_irreps, normal
from .claims import MARKS, Claim, Term
from .lines import Lines
from .powers import Power
from .program import Program, Shape
from .readings import words_of_tables
from .report import Rejected
from .rules.base import Setting, Type
from .sizes import ONE, Size
from .text import integer, one_of

#: Irreps of O(3) that are neither the identity nor the standard matrix.
IRREPS = ("0o", "1e", *(f"{degree}{parity}" for degree in range(2, 17) for parity in "eo"))
#: Largest number of axes that are written in another way than stated.
MOST_TWISTED = 2


# -- reading
# ---------------------------------------------------------------------------------------------


def mark(term: list[Any], path: str) -> str:
    """Reads the irrep that a part of literal size carries a whole number of times."""
    known: tuple[str, ...] = MARKS
    if term[1] is None:
        known = (*MARKS, "0e", "1o", *IRREPS)
    found = one_of(term[2], path, known)
    if integer(term[0], path, 1, 10**6) % (2 * int(found[:-1]) + 1):
        raise Rejected(f"{path}: no whole number of copies of {found}")
    return found


def require(claim: Claim) -> None:
    """Requires that irreps belong to exactly one factor of the group, one of motions in space."""
    moving = [f for f in claim.group if f.about.irreps]
    if len(moving) != 1 or claim.pins.get(str(moving[0].axis), moving[0].axis) != 3:
        raise Rejected("$.claim: irreps need one factor of motions in space")


def read_factor(value: str, path: str) -> Acted:
    """Reads a factor of an act in a line of a proof, such as "2e"."""
    return _irrep(one_of(value, path, IRREPS), special=False)[1]


def copies(term: Term, *, special: bool) -> list[tuple[Size, Acted]]:
    """Returns the act along a part of an axis that carries irreps."""
    degree, kind = _irrep(term.irrep, special=special)
    own = 2 * degree + 1
    return [(Size.of(term.coefficient // own), False), (Size.of(own), kind)]


def _irrep(text: str, *, special: bool) -> tuple[int, Acted]:
    """Returns the degree of an irrep such as "2e", and its factor in an act.

    For SO parity does not matter.
    """
    degree = int(text[:-1])
    is_twisted = not special and (text[-1] == "o") != bool(degree % 2)
    if is_twisted:
        return degree, Irrep(degree, twisted=True)
    return degree, _untwisted(Irrep(degree))


def _degree(kind: Acted) -> int:
    """Returns the degree of a factor: 0 where nothing acts, 1 for the standard matrix."""
    if isinstance(kind, Irrep):
        return kind.degree
    return int(kind)


def _untwisted(kind: Acted) -> Acted:
    """Returns the irrep of the same degree that is not twisted."""
    degree = _degree(kind)
    if degree < 2:
        return (False, True)[degree]
    return Irrep(degree)


# -- determinants
# ----------------------------------------------------------------------------------------


def twisted(act: Blocks) -> Blocks:
    """Multiplies an act by the determinant, on each block at its first acted factor."""
    return _times_determinant(act, 1)


def _times_determinant(act: Blocks, by: int) -> Blocks:
    """Multiplies an act by a power of the determinant, and normalises its twisted factors.

    At most one factor of a block is twisted, the first acted one.

    det^2 = 1, and a determinant may stand at any factor of a tensor product.
    """
    found: list[list[tuple[Size, Acted]]] = []
    for multiplicity, rest in act:
        power, factors = by, list[tuple[Size, Acted]]()
        for length, own in rest:
            if isinstance(own, Irrep) and own.twisted:
                own, power = _untwisted(own), power + 1
            factors.append((length, own))
        if power % 2:
            first = next((i for i, (_, acted) in enumerate(factors) if acted), len(factors))
            degree = _degree(next((acted for _, acted in factors if acted), False))
            factors[first : first + 1] = [(Size.of(2 * degree + 1), Irrep(degree, twisted=True))]
        found.append([(multiplicity, False), *factors])
    return normal(found)


def normalise_twists(acts: Iterable[Act]) -> tuple[tuple[Act, ...], int]:
    """Normalises a type, so that no axis begins with a twisted block.

    Returns it with the power of the determinant to add to it.
    """
    found, power = list[Act](), 0
    for act in acts:
        if not isinstance(act, str) and has_irreps(act):
            act = _times_determinant(act, 0)
            if any(isinstance(acted, Irrep) and acted.twisted for _, acted in act[0][1]):
                act, power = twisted(act), power + 1
        found.append(act)
    return tuple(found), power % 2


def ways_to_write(stated: Type, power: Power, s: Setting) -> Iterator[tuple[Type, Power]]:
    """Yields the type and power, in all ways in which they can be written.

    Under O(3), det A on one axis with a power of the determinant is A there with one power more.
    """
    yield stated, power
    if s.is_special() or isinstance(power, str):
        return
    axes = [k for k, act in enumerate(stated) if act != UNI]
    for count in range(1, MOST_TWISTED + 1):
        for chosen in combinations(axes, count):
            turned = tuple(
                twisted(act) if k in chosen and not isinstance(act, str) else act
                for k, act in enumerate(stated)
            )
            odd = (power[0].number + count) % 2
            yield turned, (Size.of(odd), ONE)


# -- tables of numbers
# -----------------------------------------------------------------------------------


def readings(proofs: Sequence[tuple[Lines, Mapping[int, Fraction]]], graph: Program) -> str:
    """Returns words for tables that are read as those next to them that the group keeps.

    Raises:
        Rejected: the values of such a table are used in the proof for another factor of the group.
    """
    read: dict[int, Fraction] = {}
    for i, (_, own) in enumerate(proofs):
        read |= own
        if not all(
            _leaves_free(lines, own, graph) for k, (lines, _) in enumerate(proofs) if k != i
        ):
            raise Rejected("the values of a table are used that another factor of the group reads")
    return words_of_tables(read)


def _leaves_free(proof: Lines, nodes: Mapping[int, Fraction], graph: Program) -> bool:
    """Checks whether a proof uses nothing about constants but their shape.

    No axis moves, and none is taken to be constant.
    """
    used = [
        (*proof.types[x.type], graph.nodes[x.node].shape) for x in proof.lines if x.node in nodes
    ]
    return all(odd == 0 and _is_still(value, shape) for value, odd, shape in used)


def _is_still(value: Any, shape: Shape) -> bool:
    """Checks whether a type moves no axis, and says of no axis that entries are equal along it."""
    pairs = zip(value, shape, strict=True)
    return all(
        size == ONE if act == "uni" else all(a == 0 for b in act for _, a in b)
        for act, size in pairs
    )
