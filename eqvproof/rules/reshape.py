"""Axes joined and split.

    v : factors of all axes in row-major order = f_1, ..., f_m (fixed neighbours merged)
    ------------------------------------------------------------------------------------
    reshape v : the same factors, cut at the new axes; fixed ones may be cut anywhere

Proof. Row-major position in a product of axes is the mixed-radix number whose digits are the positions in
the factors. Reshaping changes only which digits are read as one axis, and the tensor product of matrices
acts on each digit alone. A digit on which nothing acts may be split into digits. An axis that is a direct
sum of several blocks has no such digits: it must stay an axis of its own. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.program.size import Size
from eqvproof.rules.acts import Act, Factor, Stuck, Type, canonical, fix
from eqvproof.rules.context import Context

ONE = Size.of(1)


def infer(op: ops.Reshape, args: list[Type], context: Context) -> list[Type]:
    """The type of a reshaped value."""
    (arg,) = args
    tokens: list[Factor | Act] = []
    for act, size in zip(arg, context.shape(op.args[0]), strict=True):
        plain = fix(size) if act is None else act
        if plain is not None and len(plain) == 1:
            tokens.extend(plain[0])
        else:
            tokens.append(plain)
    return [tuple(_take(tokens, size) for size in op.shape)] if _finish(tokens) else []


def _finish(tokens: list[Factor | Act]) -> bool:
    """Merge fixed neighbours and drop fixed factors of size 1, in place."""
    merged: list[Factor | Act] = []
    for token in tokens:
        if _is_fixed_factor(token):
            size = token[0]  # type: ignore[index]
            if size == ONE:
                continue
            if merged and _is_fixed_factor(merged[-1]):
                merged[-1] = (merged[-1][0] * size, False)  # type: ignore[index]
                continue
        merged.append(token)
    tokens[:] = merged
    return True


def _is_fixed_factor(token: Factor | Act) -> bool:
    return token is not None and len(token) == 2 and isinstance(token[0], Size) and token[1] is False


def _take(tokens: list[Factor | Act], size: Size) -> Act:
    """The act of the next new axis; consumes its factors."""
    if size == ONE:
        return fix(ONE)
    taken: list[Factor] = []
    rest = size
    while rest != ONE:
        if not tokens:
            raise Stuck("a reshape that cuts an axis that the group moves")
        token = tokens[0]
        if token is None or not isinstance(token[0], Size):
            if taken or _total(token) != rest:
                raise Stuck("a reshape of an axis that is a direct sum")
            return tokens.pop(0)  # type: ignore[return-value]
        factor, moved = token[0], bool(token[1])
        quotient = rest.divide(factor)
        if quotient is not None:
            taken.append((factor, moved))
            tokens.pop(0)
            rest = quotient
            continue
        left = None if moved else factor.divide(rest)
        if left is None:
            raise Stuck("a reshape that cuts an axis that the group moves")
        taken.append((rest, False))
        tokens[0] = (left, False)
        rest = ONE
    return canonical([taken])


def _total(act: object) -> Size:
    total = Size.of(0)
    if isinstance(act, tuple):
        for block in act:
            product = ONE
            for s, _ in block:
                product = product * s
            total = total + product
    return total
