"""Values that are multiplied by chi(g) too: the determinant of the standard matrix of g.

A node with parity 1 satisfies ``v(g x) = chi(g) (A_1(g) (x) ... (x) A_k(g)) v(x)``. chi is 1 for SO and A,
where no parity is stated; else it is 1 or -1 and the same at all entries. So it comes out of products, linear
operations, inverses and odd functions; even functions, the test for 0 and equality of two such values lose
it; ``det(chi A M B^T) = chi^n det(A) det(B) det(M)``. Everything else needs parity 0 of its arguments.

For GL chi^w may stand there with any integer w, the parity: it comes out of products and linear operations,
turns into chi^-w in 1/v and in inverses, and is lost in tests for 0 and for equality of two with one w.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import rules
from .acts import DUAL, Act, dual, fixed, is_fixed, normal, size_of
from .claims import Factor
from .decode import Node
from .loading import part
from .rules import EVEN, ODD, Setting, Type
from .sizes import ONE, ZERO, Size

#: A type, and the parity.
Signed = tuple[Type, int]


def is_special(factor: Factor) -> bool:
    """Whether chi is 1: all elements, or all generators, have determinant 1."""
    if factor.generators:
        return bool(part("membership").has_determinants_one(factor))
    return factor.about.special


def derivable(index: int, premises: Sequence[Signed], conclusion: Signed, s: Setting) -> bool:
    """Whether node `index` has the stated type and parity when its arguments have theirs."""
    node = s.program.nodes[index]
    stated, odd = conclusion
    if odd and is_special(s.factor):
        return False
    types, odds = [t for t, _ in premises], [o for _, o in premises]
    if index in s.zeros:
        return rules.derivable(index, types, stated, s)
    if node.op == "const" and len(stated) == len(node.shape) and _invariant(index, node, conclusion, s):
        return True
    if node.op == "matrix" and node.at["fn"] == "det":
        return _det(index, node, premises[0], conclusion, s)
    found = _weight(node, odds) if s.kind == "lin" else _parity(node, odds, s)
    return found == odd and rules.derivable(index, types, stated, s)


def _weight(node: Node, weights: Sequence[int]) -> int | None:
    """The power of chi of a node, for GL; None where it has none."""
    if not any(weights):
        return 0
    fn = node.at.get("fn", "")
    match node.op:
        case "einsum":
            return sum(weights)
        case "read" | "reshape":
            return weights[0]
        case "add" | "concat":
            return weights[0] if len(set(weights)) == 1 else None
        case "select":
            return weights[1] if weights[1] == weights[2] else None
        case "matrix" if fn == "inv":
            return -weights[0]
        case "map" if fn == "recip":
            return -weights[0]
        case "map" if fn in ("not", "and", "or") or (fn in ("eq", "ne") and len(set(weights)) == 1):
            return 0
        case _:
            return None


def _parity(node: Node, odds: Sequence[int], s: Setting) -> int | None:
    """The parity of a node; None where it has none."""
    if not any(odds):
        return 0
    fn = node.at.get("fn", "")
    match node.op:
        case "einsum":
            return sum(odds) % 2
        case "read" | "reshape":
            return odds[0]
        case "matrix" if fn == "inv":
            return odds[0]
        case "add" | "concat":
            return odds[0] if len(set(odds)) == 1 else None
        case "select":
            return odds[1] if odds[1] == odds[2] else None
        case "map" if fn in ODD:
            return 1
        case "map" if fn in EVEN or fn in ("and", "or") or (fn in ("eq", "ne") and all(odds)):
            return 0
        case "reduce" if fn == "prod":
            count = ONE
            for axis in node.at["axes"]:
                count = count * s.program.nodes[node.args[0]].shape[axis]
            return is_odd(count)
        case _:
            return None


def is_odd(size: Size) -> bool | None:
    """Whether a size is odd at all values of its names (True), at none (False); None where not seen."""
    count: dict[frozenset[str], int] = {}
    for names, coefficient in size.terms:
        key = frozenset(names)
        count[key] = (count.get(key, 0) + coefficient) % 2
    if any(names for names, c in count.items() if c):
        return None
    return count.get(frozenset(), 0) == 1


def _exponent(act: Act) -> Size:
    """det of the act = chi to this power: det(A (x) B) = det(A)^dim B det(B)^dim A."""
    total = ZERO
    for multiplicity, rest in () if isinstance(act, str) else act:
        dimension = multiplicity * size_of(rest)
        for size, acted in rest:
            if acted:
                quotient = dimension.divide(size)
                power = quotient if quotient is not None else ONE
                total = total - power if acted == DUAL else total + power
    return total


def _det(index: int, node: Node, premise: Signed, conclusion: Signed, s: Setting) -> bool:
    """det(chi^e A M B^T) = chi^(e n) det(A) det(B) det(M); batch axes as for every function of matrices."""
    (*batch, rows, columns), flag = premise
    stated, odd = conclusion
    count = ZERO
    linear = s.kind == "lin"
    if (linear or rows != columns) and not (is_fixed(rows) and is_fixed(columns)):
        if any(not isinstance(a, str) and any(not _divides(r) for r in a) for a in (rows, columns)):
            return False
        count = _exponent(rows) + _exponent(columns)
    count = count + s.program.nodes[node.args[0]].shape[-1] * Size.of(flag)
    parity = 0 if is_special(s.factor) else count.constant if linear else is_odd(count)
    plain = (*batch, rows, dual(rows) if linear else rows)
    return parity == odd and rules.derivable(index, [plain], stated, s)


def _divides(block: tuple[Size, tuple[tuple[Size, int], ...]]) -> bool:
    dimension = block[0] * size_of(block[1])
    return all(dimension.divide(size) is not None for size, acted in block[1] if acted)


def _invariant(index: int, node: Node, conclusion: Signed, s: Setting) -> bool:
    """A constant that every generator of the group takes to chi^parity times itself."""
    stated, odd = conclusion
    size = s.standard.constant
    moved = [i for i, act in enumerate(stated) if not is_fixed(act)]
    ways = [normal([[(s.standard, acted)]]) for acted in ((True, DUAL) if s.kind == "lin" else (True,))]
    if size is None or any(stated[i] not in ways for i in moved):
        return False
    if not moved or any(n.constant is None for n in node.shape):
        return False
    still = tuple(fixed(n) if i in moved else stated[i] for i, n in enumerate(node.shape))
    if not rules.derivable(index, [], still, s):
        return False
    strides = [1] * len(node.shape)
    for i in range(len(strides) - 1, 0, -1):
        strides[i - 1] = strides[i] * (node.shape[i].constant or 1)
    invariants = part("invariants")
    how = tuple(strides[i] for i in moved), tuple(1 if stated[i] == ways[0] else -1 for i in moved)
    c = invariants.Constant(node.at["values"], size, *how)
    return bool(invariants.is_kept(c, s.factor, odd, special=is_special(s.factor)))
