"""Parts of axes on which irreps of O(3) act, as kinds of parts in rocq/Checker.v.

The irrep of degree l and parity (-1)^l is `Irr l`: in the theorem any orthogonal matrix of its
size. Of degree 0 it is the identity, of degree 1 the group's own matrix. The other irrep of that
degree is the determinant times that. Under SO(3) the determinant is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eqvproof.claims.size import Size

FIX, STD, DUAL = "Fix", "Std", "Dual"
#: The parts of an axis, one after another: the matrix that acts on each, as a kind of part in
#: rocq/Checker.v, and sizes. An axis on which nothing acts has no parts.
Act = tuple[tuple[str, Size], ...]
TURNED = f"Det {FIX}"
#: Kinds of parts no entries of which are mixed.
STILL = (FIX, TURNED)


def kind_of(irrep: str, *, special: bool) -> tuple[str, int]:
    """Returns the kind of part of an irrep such as "2e", and its size."""
    degree = int(irrep[:-1])
    kind = {0: FIX, 1: STD}.get(degree, f"Irr {degree}")
    if not special and (irrep[-1] == "o") != bool(degree % 2):
        kind = times_determinant(kind)
    return kind, 2 * degree + 1


def times_determinant(kind: str) -> str:
    """Returns the kind of the matrices of a kind times the determinant."""
    if kind.startswith("Det "):
        return kind.removeprefix("Det ").strip("()")
    if " " in kind:
        return f"Det ({kind})"
    return f"Det {kind}"


def merged(parts: Iterable[tuple[str, Size]]) -> Act:
    """Joins neighbouring parts of one kind that moves no entries.

    An axis on which nothing acts has no parts.
    """
    found: list[tuple[str, Size]] = []
    for kind, size in parts:
        if found and kind == found[-1][0] and kind in STILL:
            found[-1] = (kind, found[-1][1] + size)
        else:
            found.append((kind, size))
    if any(kind != FIX for kind, _ in found):
        return tuple(found)
    return ()


def normalised(acts: Iterable[Act]) -> tuple[tuple[Act, ...], int]:
    """Writes acts so that no axis begins with a part that the determinant multiplies.

    Returns them with the power of the determinant that then multiplies the value.
    """
    found, power = list[Act](), 0
    for act in acts:
        if act and act[0][0].startswith("Det "):
            act = merged((times_determinant(kind), size) for kind, size in act)
            power += 1
        found.append(act)
    return tuple(found), power % 2


def parts_of_irrep(irrep: str, size: int, *, special: bool) -> Iterator[tuple[str, Size]]:
    """Yields the parts of an axis, or a part of one, of that size that carries copies of an irrep."""
    kind, own = kind_of(irrep, special=special)
    if kind in STILL:
        yield kind, Size.of(size)
    else:
        yield from [(kind, Size.of(own))] * (size // own)
