"""Rewrites the values that a loop keeps from entry to entry, so that their order does not show.

A loop over the entries of an array keeps the greatest value so far, a count or a sum: by a call
(`best = max(best, v)`) or by a branch (`if v > best: best = v`, `if v > 0: count += 1`). Where its
branches are joined, these are choices within choices; here they become

    max(max(x, y), z)                         the maximum over an axis that joins x, y and z
    p > q ? max(S, p) : max(S, q)             max(S, p, q), for any values S
    c ? u + v : u + w                         u + (c ? v : w), for numbers

Proof. A maximum is that of a set. If p > q, then max(S, p) = max(S, p, q), and otherwise
max(S, q) = max(S, p, q). The common term u is undefined on one side where it is on the other; of v
and w only the one that is taken matters, as before. All three hold where values are undefined: p
and q are, in the second, where their comparison is. QED
"""

from __future__ import annotations

from collections import Counter

from eqvproof.claims.size import Size
from eqvproof.programs import operations as ops
from eqvproof.programs.node_table import NodeTable

ONE = Size.of(1)
#: Function of two values -> the same over an axis.
_OVER_AXIS = {"maximum": "max", "minimum": "min"}
#: Comparison of a and b -> the function that is a where it holds, and b where it does not.
_TAKEN = {"gt": "maximum", "ge": "maximum", "lt": "minimum", "le": "minimum"}
_OTHER = {"maximum": "minimum", "minimum": "maximum"}


def join_extremes(b: NodeTable, fn: str, args: tuple[int, ...]) -> int | None:
    """Returns the maximum (minimum) of values, some of them maxima, over one axis, or None.

    Returns None where none of the values is one, and for arrays whose sizes are not numbers.
    """
    if fn not in _OVER_AXIS or any(s.constant is None for s in b.shape(args[0])):
        return None
    parts = [part for x in args for part in _values(b, fn, x)]
    if len(parts) <= len(args):
        return None
    return _extreme(b, fn, list(dict.fromkeys(parts)))


def choose_extreme(b: NodeTable, c: int, x: int, y: int) -> int | None:
    """Returns the extreme that a comparison of two of its values chooses, or None.

    Args:
        b: the nodes.
        c: the comparison.
        x: the value where it holds.
        y: the value where it does not.
    """
    comparison = b.nodes[c]
    fn = _TAKEN.get(comparison.function or "")
    if fn is None or not b.shape(c) == b.shape(x) == b.shape(y):
        return None
    p, q = comparison.args
    for name, one, two in ((fn, p, q), (_OTHER[fn], q, p)):
        first, second = _values(b, name, x), _values(b, name, y)
        together = {*first, *second}
        is_one = {*first, two} == together == {*second, one} and one in first and two in second
        if is_one and (x, y) == (one, two):
            return b.map(name, [one, two])
        if is_one and all(s.constant is not None for s in b.shape(x)):
            return _extreme(b, name, list(dict.fromkeys((*first, *second))))
    return None


def choose_terms(b: NodeTable, c: int, x: int, y: int) -> int | None:
    """Returns a choice between numbers with common terms as a sum with a choice, or None."""
    if x == y or b.shape(x) or b.shape(y) or b.shape(c):
        return None
    first, second = _terms(b, x), _terms(b, y)
    common = first & second
    if not common:
        return None
    rest = [b.add([*(terms - common).elements(), b.const(0)]) for terms in (first, second)]
    return b.add([*common.elements(), b.select(c, *rest)])


def _values(b: NodeTable, fn: str, x: int) -> list[int]:
    """Returns the values of which x is the maximum (minimum); x alone if it is none."""
    op = b.nodes[x]
    if op.function == fn:
        return list(op.args)
    axis = len(b.shape(x))
    count = None
    if isinstance(op, ops.Reduce) and (op.fn, op.axes) == (_OVER_AXIS[fn], (axis,)):
        count = b.shape(op.args[0])[axis].constant
    if count is None:
        return [x]
    return [b.reshape(b.slice(op.args[0], axis, i, 1), b.shape(x)) for i in range(count)]


def _extreme(b: NodeTable, fn: str, values: list[int]) -> int:
    shape = b.shape(values[0])
    columns = [b.reshape(x, (*shape, ONE)) for x in values]
    return b.reduce(_OVER_AXIS[fn], b.concat(columns, len(shape)), [len(shape)])


def _terms(b: NodeTable, x: int) -> Counter[int]:
    """Returns the terms of a sum, or x itself."""
    op = b.nodes[x]
    if op.op == "add":
        return Counter(op.args)
    return Counter([x])
