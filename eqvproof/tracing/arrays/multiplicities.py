"""Checks whether numbers w_k assigned to the eigenvalues of a matrix are equal where these are.

    w(p t) = p w(t) for all vectors t and permutations p
    ----------------------------------------------------
    t_j = t_k implies w_j = w_k

Proof. For the p that swaps j and k, t_j = t_k gives p t = t, hence w = w(t) = w(p t) = p w, that is
w_j = w_k. QED

The rules of inference decide it: w has the type of a permuted axis when the eigenvalues t have, for
the symmetric group. The eigenvalues may also count as fixed, for t = sort(t), and sort(p t) =
sort(t): the greatest of them is the last one. For several matrices at once the places t[b, .] of
each matrix are to be permuted alone, so w[b, .] must not depend on the eigenvalues of others.
"""

from __future__ import annotations

from itertools import islice, product

from eqvproof.claims.groups.families.permutations import S
from eqvproof.programs import Builder, Size
from eqvproof.programs.rules import Context, Stuck, Type
from eqvproof.programs.rules.acts import is_fixed, std

#: Largest number of combinations of argument types.
MOST_COMBINATIONS = 64
REASON = "eigenvectors are weighted by numbers that need not be equal where eigenvalues are"


def why_not_function(b: Builder, w: int, values: int) -> str:
    """Returns why w[..., k] may differ for equal eigenvalues; "" when it does not.

    Args:
        b: the nodes.
        w: its last axis is that of the eigenvalues, the first ones are the axes of the matrices.
        values: the eigenvalues, an `Eigvals` node.
    """
    needed = _behind(b, w, values)
    last = b.shape(values)[-1]
    types = _types(b, needed, values, last)
    if not any(t[-1] in (None, std(last)) and all(map(is_fixed, t[:-1])) for t in types.get(w, [])):
        return REASON
    count = len(b.shape(values)) - 1
    if count and not _are_separate(b, needed, values, count):
        return (
            "eigenvectors are weighted by numbers that depend on the eigenvalues of other matrices"
        )
    return ""


def _behind(b: Builder, w: int, values: int) -> list[int]:
    """Returns the nodes from which w is computed, with the eigenvalues as given."""
    found, stack = set[int](), [w]
    while stack:
        x = stack.pop()
        if x not in found:
            found.add(x)
            stack += b.nodes[x].args if x != values else ()
    return sorted(found)


def _types(b: Builder, needed: list[int], values: int, last: Size) -> dict[int, list[Type]]:
    """Returns the types of the nodes under permutations of the eigenvalues."""
    context = Context(S.letter, "", last, b.nodes)
    types: dict[int, list[Type]] = {}
    moving = {values}
    for x in needed:
        op = b.nodes[x]
        plain = context.fixed(op.shape)
        if x == values:
            types[x] = [(*plain[:-1], std(last)), plain]
            continue
        if op.input_name is not None:
            types[x] = [plain]
            continue
        if not moving.isdisjoint(op.args):
            moving.add(x)
        found: dict[Type, None] = {}
        distinct = list(dict.fromkeys(op.args))
        for choice in islice(product(*(types[a] for a in distinct)), MOST_COMBINATIONS):
            chosen = dict(zip(distinct, choice, strict=True))
            try:
                made = op.infer([chosen[a] for a in op.args], context)
            except Stuck:
                continue
            found.update(dict.fromkeys(made))
        types[x] = list(found) or ([] if x in moving else [plain])
    return types


def _are_separate(b: Builder, needed: list[int], values: int, count: int) -> bool:
    """Checks whether each matrix depends on its own eigenvalues only.

    This holds if every operation keeps the first axes in place.
    """
    moving = {values}
    for x in needed:
        op = b.nodes[x]
        if x == values or moving.isdisjoint(op.args):
            continue
        moving.add(x)
        kept = (op.along(k, b.shape(a))[:count] for k, a in enumerate(op.args) if a in moving)
        if any(list(axes) != list(range(count)) for axes in kept):
            return False
    return True


__all__ = ["Builder", "why_not_function"]
