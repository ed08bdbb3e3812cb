"""Acts: the representations by which a group element g acts along one axis of a value.

An act is a representation by matrices: a direct sum of blocks, each a tensor product (row-major) of
factors, each either the standard matrix of g or an identity matrix; in normal form. For GL a factor
may also be DUAL, the inverse transpose of the standard matrix. For the other groups these matrices
are orthogonal; they are permutation matrices for permutation groups, and diagonal with entries 1,
-1 for sign flips.

Normal form: blocks ``I_m (x) R`` as pairs (m, R), R a sequence of factors that is empty or begins
with an acted one; neighbours of equal R are joined (``I_m (x) R + I_k (x) R = I_(m+k) (x) R``),
neighbouring identity factors multiplied, identities of size 1 dropped. Equal normal forms are equal
representations.

For O and SO on an axis of size 3 a factor may also be an irrep, (degree, twisted), as `space` says.

UNI says more than that: the value is constant along the axis, undefined entries included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .claims import Axis, Factor
from .loading import part
from .report import Rejected
from .sizes import ONE, ZERO, Size, is_nonnegative


class Irrep(NamedTuple):
    """An irrep of O(3): its degree l, and whether its parity is not (-1)^l."""

    degree: int
    twisted: bool = False


Acted = int | Irrep
Rest = tuple[tuple[Size, Acted], ...]
Blocks = tuple[tuple[Size, Rest], ...]
Act = str | Blocks
UNI = "uni"
DUAL = 2


def fixed(size: Size) -> Blocks:
    """Returns the identity act of that size, under which g does not act."""
    return normal([[(size, False)]])


def normal(blocks: Iterable[Iterable[tuple[Size, Acted]]]) -> Blocks:
    """Returns the normal form of a direct sum of tensor products."""
    result: list[tuple[Size, Rest]] = []
    for block in blocks:
        multiplicity, rest = ONE, list[tuple[Size, Acted]]()
        for size, acted in block:
            if acted or (rest and rest[-1][1] and size != ONE):
                rest.append((size, acted))
            elif rest and not acted and size != ONE:
                rest[-1] = (rest[-1][0] * size, False)
            elif not rest:
                multiplicity = multiplicity * size
        result.append((multiplicity, tuple(rest)))
    return merge_blocks(result)


def merge_blocks(blocks: Iterable[tuple[Size, Rest]]) -> Blocks:
    """Blocks in normal form, with equal neighbours joined and empty ones dropped."""
    result: list[tuple[Size, Rest]] = []
    for multiplicity, rest in blocks:
        if result and result[-1][1] == rest:
            multiplicity = result.pop()[0] + multiplicity
        if multiplicity != ZERO:
            result.append((multiplicity, rest))
    return tuple(result)


def size_of(rest: Rest) -> Size:
    """Returns the size of a tensor product of factors."""
    total = ONE
    for size, _ in rest:
        total = total * size
    return total


def act_size(blocks: Blocks) -> Size:
    """Returns the size of the axis on which a direct sum of blocks acts."""
    total = ZERO
    for multiplicity, rest in blocks:
        total = total + multiplicity * size_of(rest)
    return total


def is_fixed(act: Act) -> bool:
    """Checks whether g does not act along the axis, which may or may not be constant."""
    return isinstance(act, str) or all(not rest for _, rest in act)


def fits(derived: Act | None, stated: Act, kind: str) -> bool:
    """Checks whether the act `derived` equals, or is UNI and implies, the act `stated`.

    None, for no derived act, gives False.

    UNI implies every fixed act, and every act by permutations, which leave a constant axis as it
    is.
    """
    return derived == stated or (derived == UNI and (kind == "perm" or is_fixed(stated)))


def unify(acts: Iterable[Act], kind: str) -> Act | None:
    """Returns the one act to which all given acts can be weakened.

    The result is UNI when all of them are UNI, and None when there is no such act.
    """
    given = list(acts)
    found = next((act for act in given if act != UNI), UNI)
    if all(fits(act, found, kind) for act in given):
        return found
    return None


def split_act(blocks: Blocks, front: Size, lows: Mapping[str, int]) -> tuple[Blocks, Blocks] | None:
    """Splits blocks as a direct sum of a part of size `front` and the rest, at all sizes.

    Returns None where no such split is found.
    """
    taken: list[tuple[Size, Rest]] = []
    for i, (multiplicity, rest) in enumerate(blocks):
        if front == ZERO:
            return merge_blocks(taken), blocks[i:]
        copies = front.divide(size_of(rest))
        if copies is not None and is_nonnegative(copies, lows):
            left = multiplicity - copies
            if is_nonnegative(left, lows):
                begin = merge_blocks([*taken, (copies, rest)])
                return begin, merge_blocks([(left, rest), *blocks[i + 1 :]])
        front = front - multiplicity * size_of(rest)
        taken.append((multiplicity, rest))
    if front == ZERO:
        return (merge_blocks(taken), ())
    return None


def claimed(
    axis: Axis, total: Size, factor: Factor, standard: Size, pins: Mapping[str, Size]
) -> Blocks:
    """Returns the act that a claim gives to an axis.

    It is block diagonal, with the standard matrix on each acted copy.
    """
    blocks: list[list[tuple[Size, Acted]]] = []
    for term in axis:
        size_ = term.size.substitute(pins)
        if term.irrep and factor.about.irreps:
            blocks.append(part("space").copies(term, special=factor.about.special))
        elif factor.acts_on(term):
            copies = Size.of(1 if term.name is None else term.coefficient // factor.about.reals)
            blocks.append([(copies, False), (standard, DUAL if factor.is_dual(term) else True)])
        else:
            blocks.append([(size_, False)])
    result = normal(blocks)
    if act_size(result) != total:
        raise Rejected(f"an axis of size {total}, claimed to be of size {act_size(result)}")
    return result


def dual(act: Act) -> Act:
    """Returns the inverse transpose of the act, of a representation of GL."""
    if isinstance(act, str):
        return act
    other: dict[Acted, Acted] = {False: False, True: DUAL, DUAL: True}
    return tuple((m, tuple((size, other[acted]) for size, acted in rest)) for m, rest in act)


def has_dual(act: Act) -> bool:
    """Checks whether a factor of the act is the inverse transpose of the standard matrix."""
    return not isinstance(act, str) and any(acted == DUAL for _, rest in act for _, acted in rest)


def proper(
    blocks: Iterable[Iterable[tuple[Size, Acted]]], standard: Size, lows: Mapping[str, int]
) -> bool:
    """Checks whether acted factors have the size of the group's axis or of their irrep.

    Sizes of the other factors must not be negative.
    """
    for length, acted in (factor for block in blocks for factor in block):
        wanted = standard
        if isinstance(acted, Irrep):
            wanted = Size.of(2 * acted.degree + 1)
        if (acted and length != wanted) or not (acted or is_nonnegative(length, lows)):
            return False
    return True


def has_irreps(act: Act) -> bool:
    """Checks whether a factor of the act is an irrep."""
    return not isinstance(act, str) and any(
        isinstance(acted, Irrep) for _, rest in act for _, acted in rest
    )
