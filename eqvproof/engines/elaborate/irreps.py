"""Parts of axes on which irreps of O(3) act, as kinds of parts in rocq/Checker.v.

The irrep of degree l and parity (-1)^l is `Irr l`: in the theorem any orthogonal matrix of its
size. Of degree 0 it is the identity, of degree 1 the group's own matrix. The other irrep of that
degree is the determinant times that. Under SO(3) the determinant is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eqvproof.claims.size import Size
from eqvproof.support.errors import ExportError

FIX, STD, DUAL = "Fix", "Std", "Dual"


@dataclass(frozen=True, slots=True)
class Product:
    """The kind of parts that are two axes in one, row-major: `Prod` in rocq/Checker.v."""

    first: Kind
    first_size: Size
    second: Kind
    second_size: Size


Kind = str | Product
Part = tuple[Kind, Size]
#: The parts of an axis, one after another: the matrix that acts on each, as a kind of part in
#: rocq/Checker.v, and sizes. An axis on which nothing acts has no parts.
Act = tuple[Part, ...]
TURNED = f"Det {FIX}"
#: Kinds of parts no entries of which are mixed.
STILL = (FIX, TURNED)


def kind_of(irrep: str, *, special: bool) -> tuple[Kind, int]:
    """Returns the kind of part of an irrep such as "2e", and its size."""
    degree = int(irrep[:-1])
    kind: Kind = {0: FIX, 1: STD}.get(degree, f"Irr {degree}")
    if not special and (irrep[-1] == "o") != bool(degree % 2):
        kind = times_determinant(kind)
    return kind, 2 * degree + 1


def times_determinant(kind: Kind) -> Kind:
    """Returns the kind of the matrices of a kind times the determinant."""
    if isinstance(kind, Product):
        raise ExportError.of("a product of axes times the determinant", "such axes as they are")
    if kind.startswith("Det "):
        return kind.removeprefix("Det ").strip("()")
    if " " in kind:
        return f"Det ({kind})"
    return f"Det {kind}"


def is_turned(kind: Kind) -> bool:
    """Checks whether a kind is another one times the determinant."""
    return isinstance(kind, str) and kind.startswith("Det ")


def is_scalar(act: Act) -> bool:
    """Checks whether along an axis at most the determinant acts."""
    return all(kind == TURNED for kind, _ in act)


def paired(first: Part, second: Part) -> Part:
    """Returns the part that is two parts in one, as `pair_part` of rocq/Checker.v."""
    kind, size = first
    other, width = second
    if isinstance(kind, Product):
        inner = paired((kind.second, kind.second_size), second)
        return paired((kind.first, kind.first_size), inner)
    if kind == FIX and other == FIX:
        return FIX, size * width
    if kind == FIX and isinstance(other, Product) and other.first == FIX:
        joined = Product(FIX, size * other.first_size, other.second, other.second_size)
        return joined, size * width
    return Product(kind, size, other, width), size * width


def in_one(axes: Iterable[tuple[Act, Size]]) -> Act:
    """Returns the parts of several axes in one, row-major.

    Each is given with its size. Each of so many entries on which nothing acts gives the parts of
    the next axis.

    Raises:
        ExportError: an axis of several parts follows one whose size is no number.
    """
    found: list[Part] = [(FIX, Size.of(1))]
    for act, size in axes:
        parts = list(act) or [(FIX, size)]
        found = [p for part in found for p in _times(part, parts)]
    return merged(found)


def _times(part: Part, parts: list[Part]) -> list[Part]:
    kind, size = part
    first = parts[0][0]
    begins = first.first if isinstance(first, Product) else first
    if kind == FIX and size.constant is not None and (len(parts) > 1 or begins != FIX):
        return parts * size.constant
    if len(parts) > 1:
        raise ExportError.of("axes of several parts in one", "one part on each")
    return [paired(part, parts[0])]


def merged(parts: Iterable[Part]) -> Act:
    """Joins neighbouring parts of one kind that moves no entries.

    An axis on which nothing acts has no parts.
    """
    found: list[Part] = []
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
        if act and is_turned(act[0][0]):
            act = merged((times_determinant(kind), size) for kind, size in act)
            power += 1
        found.append(act)
    return tuple(found), power % 2


def parts_of_irrep(irrep: str, size: int, *, special: bool) -> Iterator[Part]:
    """Yields the parts of an axis, or a part of one, of that size that carries copies of an irrep."""
    kind, own = kind_of(irrep, special=special)
    if kind in STILL:
        yield kind, Size.of(size)
    else:
        yield from [(kind, Size.of(own))] * (size // own)
