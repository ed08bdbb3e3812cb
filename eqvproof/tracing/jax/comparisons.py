"""Comparisons: of real numbers with infinities, of sizes, of ranges, and elementwise otherwise."""

from __future__ import annotations

import math

import numpy as np

from eqvproof.programs import Size, keeps_roundings
from eqvproof.programs.signs import EXCHANGED
from eqvproof.tracing.arrays import poles, positions
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax.equations import Equation, Handler
from eqvproof.tracing.jax.reader import Reader, primitive
from eqvproof.tracing.jax.values import Affine, Known, Value, add_affine, as_affine, compare_affine


def _comparison(fn: str) -> Handler:
    def handler(r: Reader, e: Equation, x: Value, y: Value) -> Value | int:
        b = r.builder
        known = _with_infinity(fn, x, y)
        number = x if isinstance(x, Node) else y
        if known is not None and isinstance(number, Node):
            if not b.is_total(int(number)) or keeps_roundings():
                shape = b.broadcast_shapes([r.shape(x), r.shape(y)])
                relation, bound = fn, y
                if number is y:
                    relation, bound = EXCHANGED[fn], x
                found = poles.beside_infinity(b, relation, int(number), _is_high(bound))
                return b.broadcast_to(found, shape)
        if isinstance(x, Node) and isinstance(y, Node) and x == y and not keeps_roundings():
            return poles.beside_itself(b, fn, int(x))
        if known is None:
            first, second = as_affine(x), as_affine(y)
            if first is not None and second is not None:
                known = compare_affine(fn, first, second)
                if known is None:
                    special = _of_ranges(r, fn, add_affine(first, second, -1))
                    if special is not None:
                        return special
        if (
            known is None
            and fn == "lt"
            and isinstance(x, Node)
            and positions.range_of(b, x) is not None
        ):
            zero = as_affine(y)  # positions are never negative
            if zero is not None and compare_affine("le", zero, Affine((), Size.of(0), ())):
                known = False
        if known is None and fn in ("eq", "ne") and any(isinstance(v, Node) for v in (x, y)):
            same = positions.equal(b, *r.nodes([x, y]))
            if same is not None:
                if fn == "eq":
                    return same
                return b.map("not", [same])
        if known is not None:
            shape = b.broadcast_shapes([r.shape(x), r.shape(y)])
            partial = [int(v) for v in (x, y) if isinstance(v, Node) and not b.is_total(v)]
            if not partial and all(s.constant is not None for s in shape):
                return Known(np.full([s.constant or 0 for s in shape], known))
            found = b.broadcast_to(b.const(int(known)), shape)
            return b.add([found, *(b.mul(b.const(0), v) for v in partial)])
        return b.map(fn, r.nodes([x, y]))

    return handler


def _is_high(value: Value) -> bool:
    return isinstance(value, Known) and bool(value.array.reshape(-1)[0] > 0)


def _with_infinity(fn: str, x: Value, y: Value) -> bool | None:
    """Decides a comparison of real numbers with an infinity; None for other arguments."""
    for value, other, flipped in ((x, y, True), (y, x, False)):
        if isinstance(value, Known) and value.array.dtype.kind == "f" and value.array.size:
            first = float(value.array.reshape(-1)[0])
            same = (value.array == first).all()
            if same and math.isinf(first) and not isinstance(other, Known):
                above = (first > 0) != flipped
                if fn in ("lt", "le"):
                    return above
                if fn in ("gt", "ge"):
                    return not above
                return fn == "ne"
    return None


def _of_ranges(r: Reader, fn: str, d: Affine) -> int | None:
    """Returns a comparison of two ranges as an identity matrix or a triangle; None for others."""
    b, offset = r.builder, d.low.constant
    if len(d.shape) != 2 or offset is None or d.steps not in ((1, -1), (-1, 1)):
        return None
    rows, columns = d.shape
    if fn in ("eq", "ne"):
        if offset or rows != columns:
            return None
        if fn == "eq":
            return b.eye(rows)
        return b.sub(b.const(1), b.eye(rows))
    if d.steps == (-1, 1):  # j - i + c  (fn)  0   is   i - j - c  (flipped)  0
        fn, offset = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}[fn], -offset
    triangle = b.tri(rows, columns, offset - (fn in ("gt", "le")))
    if fn in ("ge", "gt"):
        return triangle
    return b.sub(b.const(1), triangle)


for _fn in ("lt", "le", "gt", "ge", "eq", "ne"):
    primitive(_fn, f"{_fn}_to")(_comparison(_fn))
