"""Acts of one group factor on an axis, types of values, and when two axes are moved alike.

For one factor G of the claimed group, ``rho(g)`` is the matrix of g on the axes that it acts upon.
A value of shape (s_1, ..., s_r) has the *type* (A_1, ..., A_r) when for every g in G the
computation on the moved inputs yields the value on which every axis i is multiplied by ``A_i(g)``,
entry by entry, undefined entries included. An *act* A_i is

* ``UNI``: the value does not vary along the axis, and moving the inputs does not change that: axis
  i may be multiplied by the identity (and by any permutation matrix);
* a direct sum of blocks, a block being a tensor product (row-major) of factors (size, moved):
  ``rho(g)`` where moved, the identity of that size where not. Equal acts are written equally: a sum
  of m and of k neighbouring copies, ``I_m (x) B + I_k (x) B``, is ``I_(m+k) (x) B``.

Under O(3) and SO(3) a factor may also be moved by an irrep (`rules.irreps`), written `Irrep`; of
degree 1 and parity o it is rho(g) itself.

For kinds of elements that permute entries (S, A, C, D), flip signs (Signs) or rotate (O, SO) all
acts are orthogonal matrices. For those with a dual (GL) rho(g) is any invertible matrix, and a
factor may be moved by its *dual* ``rho(g)^-T`` instead, written `DUAL`; of an orthogonal matrix the
dual is itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.size import Size
from eqvproof.programs.rules.irreps import Irrep, irrep

Moved = int | Irrep  # False: not moved; True: by rho; DUAL: by its dual; or by an irrep
Factor = tuple[Size, Moved]
Block = tuple[Factor, ...]
Act = tuple[Block, ...] | None
Type = tuple[Act, ...]

UNI: Act = None
DUAL = 2
ONE = Size.of(1)


class Stuck(Exception):
    """No rule gives the value a type; the message says why."""


def fix(size: Size) -> Act:
    """Returns the act of an axis that is not acted upon."""
    return (((size, False),),)


def std(size: Size) -> Act:
    """Returns the act of an axis multiplied by rho(g)."""
    return (((size, True),),)


def dual(act: Act, kind: Kind) -> Act:
    """Returns the inverse transpose of the act: of an orthogonal matrix, the act itself."""
    if not kind.has_dual:
        return act
    return inverse_transpose(act)


def inverse_transpose(act: Act) -> Act:
    """Returns the inverse transpose of the act of a group of which it is another action."""
    if act is None:
        return UNI
    swap: dict[Moved, Moved] = {False: False, True: DUAL, DUAL: True}
    return tuple(tuple((size, swap[moved]) for size, moved in block) for block in act)


def is_fixed(act: Act) -> bool:
    """Checks whether the axis may be taken as not acted upon (fixed, or uniform)."""
    return act is None or (len(act) == 1 and len(act[0]) == 1 and not act[0][0][1])


def canonical(blocks: Iterable[Iterable[Factor]]) -> Act:
    """Returns the direct sum of blocks in canonical form: neighbouring copies are counted."""
    result: list[tuple[Size, Block]] = []
    for block in blocks:
        factors: list[Factor] = []
        for size, moved in block:
            if not moved and size == ONE:
                continue
            if factors and not moved and not factors[-1][1]:
                factors[-1] = (factors[-1][0] * size, False)
            else:
                factors.append((size, moved))
        copies, rest = copies_of(tuple(factors))
        if result and rest == result[-1][1]:
            copies = result.pop()[0] + copies
        result.append((copies, rest))
    return tuple(of_copies(*pair) for pair in result)


def copies_of(block: Block) -> tuple[Size, Block]:
    """Splits a block into ``I_m (x) B``: the number m of copies, and B.

    The first factor of B, if it has one, is moved.
    """
    if block and not block[0][1]:
        return (block[0][0], block[1:])
    return (ONE, block)


def of_copies(copies: Size, rest: Block) -> Block:
    """Returns the block of `copies` neighbouring copies of a block."""
    if rest and copies == ONE:
        return rest
    return ((copies, False), *rest)


def single_blocks(act: Act) -> tuple[Block, ...]:
    """Returns the blocks of an axis; a known number of copies of a moved one is listed singly."""
    result: list[Block] = []
    for block in act or ():
        copies, rest = copies_of(block)
        if rest and copies.constant is not None:
            result += [rest] * copies.constant
        else:
            result.append(block)
    return tuple(result)


def block_size(block: Block) -> Size:
    """Returns the size of a block."""
    size = Size.of(1)
    for s, _ in block:
        size = size * s
    return size


def act_size(act: Act) -> Size:
    """Returns the size of an axis that is not uniform."""
    return sum((block_size(block) for block in act or ()), Size.of(0))


def act_power(act: Act) -> Size:
    """Returns p such that the determinant of the act is ``chi^p``."""
    total = Size.of(0)
    for block in act or ():
        for k, (_, moved) in enumerate(block):
            if moved:
                others = Size.of(-1 if moved == DUAL else 1)
                # the determinant of -1, which is -1 where the parity is odd
                if isinstance(moved, Irrep):
                    others = Size.of((moved.degree + moved.twisted) % 2)
                for m, (size, _) in enumerate(block):
                    if m != k:
                        others = others * size
                total = total + others
    return total


def unify(acts: Sequence[Act], kind: Kind) -> Act:
    """Returns the act that all of these have, uniform ones weakened.

    A uniform axis may be taken as fixed; for permutations as anything, since a vector of equal
    entries is unchanged by every permutation.

    Raises:
        Stuck: when no single act serves.
    """
    firm = {a for a in acts if a is not None}
    if not firm:
        return UNI
    if len(firm) > 1:
        raise Stuck("axes that are acted upon in different ways meet")
    act = firm.pop()
    if None in acts and not kind.permutes and not is_fixed(act):
        raise Stuck(
            "a value that is constant along an axis is combined with one that the group mixes there"
        )
    return act


def unify_types(types: Sequence[Type], kind: Kind) -> Type:
    """Unifies types axis by axis, with `unify`."""
    return tuple(unify(column, kind) for column in zip(*types, strict=True))


def is_instance(derived: Act, claimed: Act, kind: Kind) -> bool:
    """Checks whether a value with the derived act also has the claimed one."""
    if derived == claimed:
        return True
    return derived is None and (kind.permutes or is_fixed(claimed))


def of_irrep(degree: int, parity: str, *, special: bool) -> tuple[Size, Moved]:
    """Returns the factor of an irrep.

    If the determinant is always 1 (`special`), its parity means nothing.
    """
    found = irrep(degree, parity)
    if special:
        found = Irrep(degree)
    return found.size, {Irrep(0): False, Irrep(1): True}.get(found, found)


def twist(act: Act) -> Act:
    """Returns the act times the determinant, under O(3)."""
    if act is None:
        return None
    return canonical(_twist_block(block, 1) for block in act)


def _twist_block(block: Block, by: int) -> Block:
    """Multiplies a block by a power of the determinant, collected in its first moved factor."""
    total, factors, first = by, list[Factor](), -1
    for size, moved in block:
        if isinstance(moved, Irrep) and moved.twisted:
            total += 1
            size, moved = of_irrep(moved.degree, "eo"[moved.degree % 2], special=True)
        if moved and first < 0:
            first = len(factors)
        factors.append((size, moved))
    if total % 2:
        if first >= 0:
            place, degree = (first, _degree(factors[first][1]))
        else:
            place, degree = (len(factors), 0)
        factors[place : place + 1] = [(Irrep(degree).size, Irrep(degree, twisted=True))]
    return tuple(factors)


def _degree(moved: Moved) -> int:
    if isinstance(moved, Irrep):
        return moved.degree
    return 1


def normalise_twists(acts: Type, odd: int) -> tuple[Type, int]:
    """Normalises a type and its exponent of the determinant.

    The first block of each axis becomes natural (not twisted).
    """
    found = []
    for act in acts:
        if act is not None and _has_twisted(act):
            act = canonical(_twist_block(b, 0) for b in act)
        if act is not None and _has_twisted(act[:1]):
            act, odd = twist(act), 1 - odd
        found.append(act)
    return tuple(found), odd


def _has_twisted(blocks: Iterable[Block]) -> bool:
    return any(isinstance(moved, Irrep) and moved.twisted for block in blocks for _, moved in block)


def is_spatial(act: Act) -> bool:
    """Checks whether every moved factor is an irrep of O(3) or a matrix of size 3."""
    moved = [(size, how) for block in act or () for size, how in block if how]
    return all(isinstance(how, Irrep) or size == Size.of(3) for size, how in moved)


def parts_of(act: Act) -> list[Act]:
    """Returns a moved act and its moved blocks, natural ones in place of twisted ones."""
    if act is None or is_fixed(act):
        return []
    if len(act) == 1:
        return [act]
    blocks = [normalise_twists(((block,),), 0)[0][0] for block in act]
    return [act, *(b for b in blocks if not is_fixed(b))]


def act_to_json(act: Act) -> object:
    """Returns the act in the JSON form of certificates."""
    if act is None:
        return "uni"
    return [
        [[size.to_json(), str(m) if isinstance(m, Irrep) else int(m)] for size, m in block]
        for block in act
    ]


def act_text(act: Act, symbol: str) -> str:
    """Writes the act in words, with ``symbol`` for the group's matrix."""
    if act is None:
        return "constant"
    if is_fixed(act):
        return "fixed"
    parts = []
    for block in act:
        parts.append("⊗".join(_factor_text(f, symbol) for f in block))
    return "⊕".join(parts)


def _factor_text(factor: Factor, symbol: str) -> str:
    size, moved = factor
    if isinstance(moved, Irrep):
        return f"D_{moved}"
    if not moved:
        return f"I_{size}"
    if moved != DUAL:
        return symbol
    return f"{symbol}^-T"
