"""Values that are multiplied by chi(g) too: the determinant of the standard matrix of g.

A node with parity 1 satisfies ``v(g x) = chi(g) (A_1(g) (x) ... (x) A_k(g)) v(x)``. chi is 1 for SO and A,
where no parity is stated; else it is 1 or -1 and the same at all entries. So it comes out of products, linear
operations, inverses and odd functions; even functions, the test for 0 and equality of two such values lose
it; ``det(chi A M B^T) = chi^n det(A) det(B) det(M)``. Everything else needs parity 0 of its arguments.

For GL chi^w may stand there with any integer w, the parity: it comes out of products and linear operations,
turns into chi^-w in 1/v and in inverses, and is lost in tests for 0 and for equality of two with one w.

Constants. C has the stated type when each generator g of the group gives ``g C = chi(g)^parity C``, since the
elements with that property are a group. For SO, which is connected, it is enough that C is killed by the
derivatives along the turns of the planes (k, k + 1), whose brackets span the Lie algebra; O is SO with one
reflection. For GL ``g C = det(g)^-w C`` is an identity of rational functions of g, which holds when it does
near the identity: when ``E_kl C = -w [k = l] C`` (dual axes by ``-E_lk``), for neighbours k, l, which
generate gl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from . import rules
from .acts import DUAL, Act, dual, fixed, is_fixed, normal, size_of
from .claims import Factor
from .decode import Node
from .evaluate import eliminate
from .interval import Arithmetic
from .report import spend
from .rules import EVEN, ODD, Setting, Type
from .sizes import ONE, ZERO, Size

#: A type, and the parity.
Signed = tuple[Type, int]
SPECIAL = ("SO", "A")


def is_special(factor: Factor) -> bool:
    """Whether chi is 1: all elements, or all generators, have determinant 1."""
    if not factor.generators:
        return factor.family in SPECIAL
    if factor.kind == "perm":
        return all(sign == 1 for _, _, sign in _generators(factor, len(factor.generators[0])))
    spend(3 * sum(len(g) ** 3 for g in factor.generators))
    return all(eliminate([list(row) for row in g], Arithmetic(64))[0] == 1 for g in factor.generators)


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
    values: list[Fraction] = node.at["values"]
    spend(len(values) * len(moved) * (1 + size))
    strides = [1] * len(node.shape)
    for i in range(len(strides) - 1, 0, -1):
        strides[i - 1] = strides[i] * (node.shape[i].constant or 1)
    if s.kind == "lin":
        weight = (
            odd if not is_special(s.factor) else sum(1 if stated[i] == ways[1] else -1 for i in moved) // size
        )
        how = [(strides[i], 1 if stated[i] == ways[0] else -1) for i in moved]
        return all(
            _slope(values, j, how, size, (k, m)) == (-weight * values[j] if k == m else 0)
            for k in range(size) for m in range(max(0, k - 1), min(size, k + 2)) for j in range(len(values))
        )  # fmt: skip
    if s.factor.family == "GenO":
        spend(len(s.factor.generators) * len(values) * len(moved) * size)
        return all(_is_kept(g, values, [strides[i] for i in moved], odd) for g in s.factor.generators)
    if s.kind == "orth":
        for k in range(size - 1):
            if any(_derivative(values, j, [strides[i] for i in moved], size, k) for j in range(len(values))):
                return False
    for order, signs, chi in _generators(s.factor, size):
        times = chi if odd else 1
        for j in range(len(values)):
            at, sign = j, times
            for i in moved:
                place = j // strides[i] % size
                at += (order[place] - place) * strides[i]
                sign *= signs[place]
            if values[j] != sign * values[at]:
                return False
    return True


def _is_kept(
    g: Sequence[Sequence[Fraction]], values: Sequence[Fraction], strides: Sequence[int], odd: int
) -> bool:
    """C = det(g)^odd g C, where g is applied along the axes with these strides."""
    size, moved = len(g), list(values)
    for stride in strides:
        mixed = []
        for j in range(len(moved)):
            at = j // stride % size
            entries = (x * moved[j + (k - at) * stride] for k, x in enumerate(g[at]))
            mixed.append(sum(entries, Fraction(0)))
        moved = mixed
    determinant = eliminate([list(row) for row in g], Arithmetic(64))[0]
    return list(values) == ([-v for v in moved] if odd and determinant == -1 else moved)


def _slope(
    values: Sequence[Fraction], j: int, how: Sequence[tuple[int, int]], size: int, entry: tuple[int, int]
) -> Fraction:
    """Entry j of the sum over the moved axes of E_km (way 1), or of -E_mk (way -1), applied to that axis."""
    total = Fraction(0)
    for stride, way in how:
        to, source = entry if way == 1 else entry[::-1]
        if j // stride % size == to:
            total += way * values[j + (source - to) * stride]
    return total


def _derivative(values: Sequence[Fraction], j: int, strides: Sequence[int], size: int, k: int) -> Fraction:
    """Entry j of the sum over the moved axes of (E_k,k+1 - E_k+1,k) applied to that axis."""
    total = Fraction(0)
    for stride in strides:
        place = j // stride % size
        if place == k:
            total += values[j + stride]
        elif place == k + 1:
            total -= values[j - stride]
    return total


def _generators(factor: Factor, size: int) -> Iterator[tuple[list[int], list[int], int]]:
    """Generators (g x)[i] = signs[i] x[order[i]] with their determinants; for O those beside SO."""
    still, plus, family = list(range(size)), [1] * size, factor.family
    flips = size if family == "Signs" else 1 if family == "O" else 0
    for i in range(flips):
        yield still, [-1 if j == i else 1 for j in still], -1
    orders: list[list[int]] = []
    if family == "S" and size > 1:
        orders = [[1, 0, *still[2:]], [*still[1:], 0]]
    elif family == "A":
        for k in range(2, size):
            order = list(still)
            order[0], order[1], order[k] = 1, k, 0
            orders.append(order)
    elif family in ("C", "D"):
        orders = [[*still[1:], 0]] + ([still[::-1]] if family == "D" else [])
    elif family == "GenS":
        orders = [list(g) for g in factor.generators]
    for order in orders:
        inversions = sum(order[i] > order[j] for i in still for j in still[i + 1 :])
        yield order, plus, -1 if inversions % 2 else 1
