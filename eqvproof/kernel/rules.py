"""The rules of inference: when a node has a stated type, given types of its arguments.

A type gives an act to each axis. v has type (A_1, ..., A_k) when, for all group elements g and inputs x,

    v(g x) = (A_1(g) (x) ... (x) A_k(g)) v(x),

and v is constant along each axis with UNI. (H) The same holds of where v is undefined, and along an acted
factor of an orthogonal act, v is undefined everywhere or nowhere (so the sum that Q forms is defined or not
as a whole). The proof of each rule is the docstring of its function; all of them keep (H), because undefined
entries arise entrywise along axes on which nothing is mixed, or for whole sums, fibres and matrices.

For permutations ("perm") an act permutes the entries; for O and SO ("orth") it is an orthogonal matrix, for
sign flips ("sign") diagonal with entries 1, -1, its own inverse; for GL ("lin") invertible. A rule says yes
only where it has a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .acts import UNI, Act, claimed, dual, fits, fixed, is_fixed, normal, split, unify
from .claims import Axis, Factor
from .decode import Node, Program
from .reading import readers
from .report import spend
from .sizes import ONE, ZERO, Size

Type = tuple[Act, ...]

ODD = frozenset("recip cbrt sign sin tan sinh tanh arcsin arctan arcsinh erf rint".split())
EVEN = frozenset("abs cos cosh not".split())


@dataclass(frozen=True, slots=True)
class Setting:
    """The factor of the group under which a proof is read.

    Attributes:
        program: the program.
        factor: the factor; `standard` is the size of its matrices.
        lows: the least size of each axis name.
        zeros: the nodes that are 0 in every entry.
        assumed: the symmetries of opaque functions that were used (filled by the rules).
        labels: the inputs whose entries g relabels; they have no type but through `_indicator`.
    """

    program: Program
    factor: Factor
    standard: Size
    lows: Mapping[str, int]
    zeros: frozenset[int]
    assumed: set[int] = field(default_factory=set)
    labels: frozenset[int] = frozenset()

    @property
    def kind(self) -> str:
        """perm, orth or sign."""
        return self.factor.kind


def derivable(index: int, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Whether node `index` has the stated type when its arguments have the types of the premises.

    A node that is 0 everywhere has every type: A 0 = 0. Otherwise the rule of the operation decides.
    """
    node = s.program.nodes[index]
    spend(20 + 3 * sum(map(len, premises)) + (1 + len(node.shape)) * len(node.at.get("values", ())))
    if node.op != "indicator" and not s.labels.isdisjoint(node.args):
        return False
    if index in s.zeros:
        return len(stated) == len(node.shape)
    return len(stated) == len(node.shape) and RULES[node.op](index, node, premises, stated, s)


def zeros(program: Program) -> frozenset[int]:
    """Nodes that are 0 at every entry, always defined: products, sums and rearrangements of constants."""
    total: set[int] = set()
    zero: set[int] = set()
    for i, node in enumerate(program.nodes):
        args = set(node.args)
        if node.op == "const" and not any(node.at["values"]):
            zero.add(i)
        elif (node.op == "einsum" and args & zero and args <= total) or (
            node.op in ("add", "concat", "reshape", "read") and args <= zero
        ):
            zero.add(i)
        if i in zero or (node.op in ("const", "size", "iota", "indicator") and args <= total):
            total.add(i)
    return frozenset(zero)


def _all_fit(derived: Sequence[Act | None], stated: Type, kind: str) -> bool:
    return all(d is not None and fits(d, t, kind) for d, t in zip(derived, stated, strict=True))


def _leaf(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """What does not depend on the input g does not act on: v(g x) = v(x)."""
    return all(act != UNI and is_fixed(act) for act in stated)


def _const(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Does not depend on the input. UNI where the listed values do not vary along the axis."""
    derived: list[Act] = []
    values, inner = node.at["values"], len(node.at["values"])
    for size in node.shape:
        length = size.constant or 1
        block, inner = inner, inner // length
        constant = all(
            values[i] == values[i - i % block + i % inner] for i in range(len(values) if block else 0)
        )
        derived.append(UNI if constant and values else fixed(size))
    return _all_fit(derived, stated, s.kind)


def _indicator(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """[i = j] = I = A I A^T for orthogonal A, I = A I (A^-T)^T for every other; [j <= i + k] as any constant.

    [x = j], j = 0, 1, ...: a function, entry by entry, as for map. perm: g, with (g v)[i] = v[p(i)], makes of
    the label j the i with p(i) = j, so that [g x = i] is [x = p(i)]: the new axis is permuted by g.
    """
    if not node.args:
        same = stated[0] == (dual(stated[1]) if s.kind == "lin" else stated[1]) != UNI
        return (same and node.at["offset"] is None) or _leaf(index, node, premises, stated, s)
    size, free = node.shape[-1], s.kind == "perm" or all(map(is_fixed, premises[0]))
    if node.args[0] in s.labels:
        last, free = normal([[(s.standard, True)]]), s.kind == "perm" and size == s.standard
    else:
        last = fixed(size)
    return free and _all_fit([*premises[0], last], stated, s.kind)


def _einsum(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Labels one at a time, the others held. An argument that is UNI at a label does not depend on it.

    No other occurrence: the result does not depend on a kept label; a sum over one multiplies by its size.
    perm: if g permutes all occurrences alike, it permutes the terms: a kept label is permuted so, a sum is
    the same. Fixed occurrences: nothing happens term by term. orth: one occurrence u with act A gives
    (A u) w = A (u w) where w does not depend on the label; a sum over two is (A u).(A w) = u.w.
    lin: the same, but a sum is over one act and its dual, (A u).(A^-T w) = u.w.
    sign: entry i is multiplied by a_i = 1 or -1 once for each of e acted occurrences, by a_i^e in all: by a_i
    for odd e, by 1 for even e.
    """
    output = node.at["output"]
    occurrences: dict[int, list[Act]] = {label: [] for label in output}
    for row, premise in zip(node.at["inputs"], premises, strict=True):
        for label, act in zip(row, premise, strict=True):
            occurrences.setdefault(label, []).extend([act] if act != UNI else [])
    for label, acts in occurrences.items():
        acted = [act for act in acts if not is_fixed(act)]
        common = acted[0] if acted else acts[0] if acts else UNI
        if s.kind == "sign":
            good = all(act == common for act in acted) and (label in output or len(acted) % 2 == 0)
            if acted and len(acted) % 2 == 0:
                common = fixed(node.shape[output.index(label)]) if label in output else UNI
        elif s.kind == "lin" and acted:
            pair = len(acts) == 2 and label not in output and acts[0] == dual(acts[1])
            good = pair or (len(acts) == 1 and label in output)
        elif s.kind == "perm" or not acted:
            good = all(act == common for act in acts)
        else:
            good = all(act == common for act in acts) and len(acts) == (1 if label in output else 2)
        if not good or (label in output and not fits(common, stated[output.index(label)], s.kind)):
            return False
    return True


def _add(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A u + A w = A (u + w), for equal acts along every axis."""
    return _all_fit([unify(acts, s.kind) for acts in zip(*premises, strict=True)], stated, s.kind)


def _map(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A function, entry by entry.

    perm: it commutes with a permutation of the entries, the same for all arguments. orth, sign: if no axis is
    acted on, equal arguments give equal values. sign: an odd function of one argument has f(-v) = -f(v),
    defined at both or neither: the type stays; an even one has f(-v) = f(v): nothing acts on the result.
    """
    columns = [unify(acts, s.kind) for acts in zip(*premises, strict=True)]
    if s.kind == "sign" and node.at["fn"] in EVEN:
        pairs = zip(columns, node.shape, strict=True)
        columns = [act if act is None or is_fixed(act) else fixed(size) for act, size in pairs]
    free = s.kind == "perm" or (s.kind == "sign" and node.at["fn"] in ODD)
    good = free or all(act is not None and is_fixed(act) for act in columns)
    return good and _all_fit(columns, stated, s.kind)


def _select(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A choice between u and w, entry by entry.

    perm: as for map. orth, sign: so too along an axis on which nothing acts; along an acted axis the
    condition does not depend on the entry, so the whole of A u or of A w is chosen.
    """
    columns: list[Act | None] = []
    for c, a, b in zip(*premises, strict=True):
        act = unify((a, b), s.kind)
        if s.kind == "perm" or (act is not None and is_fixed(act)):
            columns.append(unify((c, a, b), s.kind))
        else:
            columns.append(act if c == UNI else None)
    return _all_fit(columns, stated, s.kind)


def _reduce(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """max, min and product do not depend on the order of entries.

    perm: so reduced axes vanish, and kept axes are permuted as before. orth, sign: nothing may act anywhere.
    """
    kept = [act for i, act in enumerate(premises[0]) if i not in node.at["axes"]]
    return (s.kind == "perm" or all(map(is_fixed, premises[0]))) and _all_fit(kept, stated, s.kind)


def _concat(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Acts A and B on the parts of the axis are A (+) B on the whole; on other axes they agree, as in add."""
    axis = node.at["axis"]
    columns = [unify(acts, s.kind) for acts in zip(*premises, strict=True)]
    columns[axis] = rest = stated[axis]
    for argument, premise in zip(node.args, premises, strict=True):
        if isinstance(rest, str):
            return False
        parts = split(rest, s.program.nodes[argument].shape[axis], s.lows)
        if parts is None or not fits(premise[axis], parts[0], s.kind):
            return False
        rest = parts[1]
    return _all_fit(columns, stated, s.kind)


def _read(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Entries are moved about, axis after axis; acts on the axes that are read as they are mix whole lines.

    Entries that g does not act on stay what they are, wherever they are read. B acts on the middle part of
    A (+) B (+) C. Where g shifts x by c, and the indices i_l with a_l = 1 are shifted by c, the place
    ``start + sum_l step_l i_l`` modulo n is shifted by c sum_l step_l a_l, which is c where that sum is 1;
    where g leaves x alone, the sum must be 0.
    """
    shape = s.program.nodes[node.args[0]].shape
    return all(
        _read_by(premise, size, place, [(node.shape[k], stated[k]) for k in own], s)
        for premise, size, place, own in zip(
            premises[0], shape, node.at["places"], readers(node), strict=True
        )
    )


def _read_by(act: Act, size: Size, place: Any, stated: Sequence[tuple[Size, Act]], s: Setting) -> bool:
    """Whether the axes by which one axis is read have the stated acts."""
    start, steps, cyclic = place
    if place == (ZERO, (1,), False) and stated[0][0] == size:
        return fits(act, stated[0][1], s.kind)
    if isinstance(act, str) or is_fixed(act):
        derived = [UNI if isinstance(act, str) else fixed(count) for count, _ in stated]
        if all(fits(d, want, s.kind) for d, (_, want) in zip(derived, stated, strict=True)):
            return True
    if cyclic:
        moved = normal([[(s.standard, True)]])
        shifted = [want == moved and count == size for count, want in stated]
        still = [want == fixed(count) for count, want in stated]
        total = sum(step for step, chosen in zip(steps, shifted, strict=True) if chosen)
        good = (is_fixed(act) and total == 0) or (act == moved and total == 1)
        alone = all(a != b for a, b in zip(shifted, still, strict=True))
        return s.factor.about.cyclic and size == s.standard and alone and good
    if isinstance(act, str) or steps != (1,):
        return False
    front = split(act, start, s.lows)
    middle = split(front[1], stated[0][0], s.lows) if front else None
    return middle is not None and fits(middle[0], stated[0][1], s.kind)


def _sort(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A sorted fibre does not depend on the order of its entries.

    perm: other axes permute the fibres. orth, sign: nothing may act anywhere.
    """
    axis, columns = node.at["axis"], list(premises[0])
    if columns[axis] != UNI:
        columns[axis] = fixed(node.shape[axis])
    return (s.kind == "perm" or all(map(is_fixed, premises[0]))) and _all_fit(columns, stated, s.kind)


def _reshape(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """Row-major entries carry the tensor product of the acts of the axes.

    The same sequence of factors is the same product, however grouped into axes (I_m (x) I_n = I_mn).
    """
    before = _factors(premises[0], s.program.nodes[node.args[0]].shape)
    return all(act != UNI for act in stated) and before == _factors(stated, node.shape)


def _factors(acts: Sequence[Act], shape: Sequence[Size]) -> list[object]:
    """The factors in order, neighbouring identities multiplied; a direct sum counts as one factor."""
    result: list[object] = []
    identity = ONE
    for act, size in zip(acts, shape, strict=True):
        blocks = fixed(size) if isinstance(act, str) else act
        factors: list[object] = [blocks]
        if len(blocks) == 1:
            identity = identity * blocks[0][0]
            factors = list(blocks[0][1])
        for factor in factors:
            if isinstance(factor, tuple) and len(factor) == 2 and factor[1] is False:
                identity = identity * factor[0]
            else:
                result += [identity, factor]
                identity = ONE
    return [*result, identity]


#: function of matrices -> whether A and B must be orthogonal, whether B must be A^-T.
MATRICES: dict[str, tuple[bool, bool]] = {
    "inv": (False, False), "pinv": (True, False), "det": (False, True), "eigvals": (True, True),
    "spectral": (True, True),
}  # fmt: skip


def _matrix(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A M B^T for M, with A and B acting on rows and columns.

    inv: (A M B^T)^-1 = B^-T M^-1 A^-1. det: det(A M A^-1) = det(M). For orthogonal A and B: pinv: B M^+ A^T
    solves Penrose's equations for A M B^T, whose solution is unique, since A M M^+ A^T and B M^+ M B^T are
    symmetric, and inner factors A^T A, B^T B vanish; eigvals: S = (M + M^T)/2 and A S A^T have the same
    eigenvalues; spectral: sum_k w_k v_k v_k^T is a sum of projections P_t on the eigenspaces of S, each times
    the mean of the w_k at the places of t in the ascending order, which A S A^T keeps, with A P_t A^T.
    On other axes g permutes matrices, and their w alike, or does not act.
    """
    orthogonal, alike = MATRICES[node.at["fn"]]
    *batch, rows, columns = premises[0]
    *_, height, width = s.program.nodes[node.args[0]].shape
    a, b = (fixed(n) if act == UNI else act for act, n in ((rows, height), (columns, width)))
    if orthogonal and s.kind == "lin" and not (is_fixed(a) and is_fixed(b)):
        return False
    a, b, inverse = (dual(a), dual(b), b) if s.kind == "lin" else (a, b, b)
    if (alike and a != inverse) or not all(is_fixed(w[-1]) for w in premises[1:]):
        return False
    shared = [unify(acts, s.kind) for acts in zip(batch, *(w[:-1] for w in premises[1:]), strict=True)]
    free = s.kind == "perm" or all(act is not None and is_fixed(act) for act in shared)
    last = {"det": [], "eigvals": [fixed(width)]}.get(node.at["fn"], [b, a])
    return free and _all_fit([*shared, *last], stated, s.kind)


def _opaque(index: int, node: Node, premises: Sequence[Type], stated: Type, s: Setting) -> bool:
    """A function of arguments on which nothing acts takes the same value.

    With an assumed symmetry under a group that contains ours, arguments moved as assumed give a result moved
    as assumed.
    """
    if all(is_fixed(a) for premise in premises for a in premise) and _leaf(index, node, premises, stated, s):
        return True
    if node.at["symmetry"] is None:
        return False
    inputs, output, group = node.at["symmetry"]
    shapes = [*(s.program.nodes[a].shape for a in node.args), node.shape]
    types: list[Sequence[Act]] = [*premises, stated]
    bound = bind([*inputs, output], shapes)
    if bound is None or UNI in stated:
        return False
    for factor in group:
        size = Size.of(factor.axis) if isinstance(factor.axis, int) else bound.get(factor.axis)
        if s.factor.family not in factor.about.subgroups or size != s.standard:
            continue
        ours = Factor(s.factor.family, factor.axis)
        wanted = [
            [claimed(axis, length, ours, size, bound) for axis, length in zip(row, shape, strict=True)]
            for row, shape in zip([*inputs, output], shapes, strict=True)
        ]
        if all(_all_fit(acts, tuple(row), s.kind) for acts, row in zip(types, wanted, strict=True)):
            s.assumed.add(index)
            return True
    return False


def bind(rows: Sequence[Sequence[Axis]], shapes: Sequence[Sequence[Size]]) -> dict[str, Size] | None:
    """What axis names stand for: an axis that is one name binds it; then all axes must have their sizes."""
    if [len(row) for row in rows] != [len(shape) for shape in shapes]:
        return None
    pairs = [p for row, shape in zip(rows, shapes, strict=True) for p in zip(row, shape, strict=True)]
    bound: dict[str, Size] = {}
    for axis, size in pairs:
        if len(axis) == 1 and axis[0].coefficient == 1 and axis[0].name:
            bound.setdefault(axis[0].name, size)
    for axis, size in pairs:
        if any(term.name and term.name not in bound for term in axis):
            return None
        blocks = [[(term.size.substitute(bound), False)] for term in axis]
        if normal(blocks) != fixed(size):
            return None
    return bound


Rule = Callable[[int, Node, Sequence[Type], Type, Setting], bool]
RULES: dict[str, Rule] = {
    "const": _const, "parameter": _leaf, "size": _leaf, "iota": _leaf, "indicator": _indicator,
    "einsum": _einsum, "add": _add, "map": _map, "select": _select, "reduce": _reduce, "concat": _concat,
    "read": _read, "reshape": _reshape, "sort": _sort,
    "matrix": _matrix, "opaque": _opaque,
}  # fmt: skip

#: Operations whose rule reads nothing but the kinds of the node and of its arguments, and the types.
BY_KIND = frozenset(RULES) - {"const", "opaque", "indicator"}
