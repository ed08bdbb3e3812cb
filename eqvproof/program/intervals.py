"""Intervals that hold the values of nodes at all sizes, by interval arithmetic from the leaves on.

Sizes run from 1 up to a limit for each name. Intervals grow with the limits: what holds for some limits holds
for all smaller ones. No axis has more than `LARGEST` entries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.program import ops
from eqvproof.program.size import Size

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder
    from eqvproof.program.program import Program

#: The greatest size that verdicts speak of.
LARGEST = 10**9
#: Numbers beyond are infinite.
HUGE = 2**900
INF = math.inf

#: An int or a Fraction, or an infinite float.
Number = Any
Interval = tuple[Number, Number]
EVERYTHING: Interval = (-INF, INF)
UNIT: Interval = (0, 1)

#: Maps whose values lie between fixed numbers.
RANGES: dict[str, Interval] = {
    **dict.fromkeys("not lt le gt ge eq ne and or".split(), UNIT),
    **dict.fromkeys("sin cos tanh erf".split(), (-1, 1)),
    **dict.fromkeys("arcsin arctan".split(), (-2, 2)),
    "pi": (3, 4), "arccos": (0, 4), "arctan2": (-4, 4), "exp": (0, INF), "cosh": (1, INF), "sqrt": (0, INF),
}  # fmt: skip
#: Maps that keep whole numbers whole.
WHOLE = frozenset("abs maximum minimum mod".split())
#: Maps whose values are whole.
ROUNDED = frozenset("sign floor ceil rint not lt le gt ge eq ne and or".split())
#: Operations whose entries are those of their first argument.
MOVES = (ops.Read, ops.Reshape, ops.Sort)


class Intervals:
    """The intervals of the nodes of a builder, or of a Program, remembered.

    Args:
        b: the builder or Program.
        limits: the greatest sizes, by name; `LARGEST` where none is given.
        inputs: where the entries of inputs lie, by name.
    """

    def __init__(
        self, b: Builder | Program, limits: Mapping[str, int] | None = None,
        *, inputs: Mapping[str, Interval] | None = None,
    ) -> None:  # fmt: skip
        self._b = b
        self._ranges: Mapping[int, Size] = getattr(b, "ranges", {})
        self._bounds: Mapping[int, tuple[int, int]] = getattr(b, "bounds", {})
        self._limits = limits or {}
        self._inputs = inputs or {}
        self._known: dict[int, Interval] = {}
        self._whole: dict[int, bool] = {}

    def of(self, x: int) -> Interval:
        """An interval that holds every defined entry of a node."""
        stack = [x]
        while stack:
            node = stack[-1]
            missing = [a for a in self._b.nodes[node].args if a not in self._known]
            if missing:
                stack += missing
                continue
            stack.pop()
            if node not in self._known:
                self._known[node] = self._narrowed(node, self._found(node))
        return self._known[x]

    def _narrowed(self, x: int, found: Interval) -> Interval:
        """With what a frontend knows of the node."""
        low, high = found
        size = self._ranges.get(x)
        if size is not None:
            low, high = max(low, 0), min(high, max(self.length(size)[1] - 1, 0))
        if x in self._bounds:
            low, high = max(low, self._bounds[x][0]), min(high, self._bounds[x][1])
        if self.is_whole(x):
            low, high = _rounded(low, up=True), _rounded(high, up=False)
        return low, high

    def _found(self, x: int) -> Interval:
        op = self._b.nodes[x]
        args = [self._known[a] for a in op.args]
        match op:
            case ops.Input():
                return self._inputs.get(op.name, EVERYTHING)
            case ops.Const():
                return op.bounds()
            case ops.SizeOf():
                return self.size(op.size)
            case ops.Iota():
                return 0, max(self.length(op.shape[0])[1] - 1, 0)
            case ops.Indicator():
                return UNIT
            case ops.Einsum():
                return self._einsum(op, args)
            case ops.Add():
                return _capped(sum(a[0] for a in args), sum(a[1] for a in args))
            case ops.Map():
                return self._map(op, args)
            case ops.Select():
                low, high = args[0]
                return args[1] if low > 0 or high < 0 else args[2] if low == high == 0 else _hull(args[1:])
            case ops.Concat():
                return _hull(args)
            case ops.Reduce():
                return self._product(op, args[0]) if op.fn == "prod" else args[0]
        return args[0] if isinstance(op, MOVES) else EVERYTHING

    def size(self, size: Size) -> tuple[int, int]:
        """The least and the greatest value of a polynomial in sizes, term by term."""
        low = high = 0
        for names, coefficient in size.terms:
            most = coefficient * math.prod(self._limits.get(n, LARGEST) for n in names)
            low, high = low + min(coefficient, most), high + max(coefficient, most)
        return low, high

    def length(self, size: Size) -> tuple[int, int]:
        """The least and the greatest length of an axis."""
        low, high = self.size(size)
        return max(min(low, LARGEST), 0), max(min(high, LARGEST), 0)

    def is_whole(self, x: int) -> bool:
        """Whether every entry is known to be a whole number."""
        if x not in self._whole:
            op, b = self._b.nodes[x], self._b
            match op:
                case ops.Const():
                    known = bool(np.all(op.array() % 1 == 0))
                case ops.SizeOf() | ops.Iota() | ops.Indicator():
                    known = True
                case ops.Map():
                    whole = op.fn in WHOLE and all(map(self.is_whole, op.args))
                    known = op.fn in ROUNDED or whole
                case ops.Select():
                    known = all(map(self.is_whole, op.args[1:]))
                case ops.Einsum() | ops.Add() | ops.Concat() | ops.Reduce():
                    known = all(map(self.is_whole, op.args))
                case _:
                    known = isinstance(op, MOVES) and self.is_whole(op.args[0])
            given = (self._ranges, self._bounds, getattr(b, "integers", ()))
            self._whole[x] = known or any(x in known_by for known_by in given)
        return self._whole[x]

    def _einsum(self, op: ops.Einsum, args: Sequence[Interval]) -> Interval:
        """The product of the factors, as often as there are terms."""
        low: Number = 1
        high: Number = 1
        factors = list(zip(op.args, op.inputs, strict=True))
        for k, factor in enumerate(factors):
            if factor not in factors[:k]:
                low, high = _times((low, high), _power(args[k], factors.count(factor)))
        sizes: dict[int, Size] = {}
        for a, row in factors:
            sizes.update(zip(row, self._b.nodes[a].shape, strict=True))
        summed = set(sizes) - set(op.output) - self._determined(op)
        spans = [self.length(sizes[k]) for k in summed]
        return _repeated((low, high), math.prod(s[0] for s in spans), math.prod(s[1] for s in spans))

    def _determined(self, op: ops.Einsum) -> set[int]:
        """Summed labels with one term at most for each choice of the others, as one-hot vectors have it."""
        found: dict[int, set[int]] = {}
        for a, row in zip(op.args, op.inputs, strict=True):
            node = self._b.nodes[a]
            both = ops.is_identity(node)
            hots = getattr(self._b, "hots", {})
            if not both and not (isinstance(node, ops.Indicator) and node.args) and a not in hots.values():
                continue
            for place in (len(row) - 1, 0) if both else (len(row) - 1,):
                label = row[place]
                others = {k for i, k in enumerate(row) if i != place}
                others |= {k for o in others for k in found.get(o, ())}
                if label not in op.output and label not in found and label not in others:
                    found[label] = others
                    break
        return set(found)

    def _product(self, op: ops.Reduce, x: Interval) -> Interval:
        shape = self._b.nodes[op.args[0]].shape
        count = math.prod(self.length(shape[i])[1] for i in op.axes)
        most = max(abs(x[0]), abs(x[1]), 1)
        most = most if most == 1 else _raised(most, count)
        return (0, most) if x[0] >= 0 else (-most, most)

    def _map(self, op: ops.Map, args: Sequence[Interval]) -> Interval:
        if op.fn in RANGES:
            return RANGES[op.fn]
        if not args:
            return EVERYTHING
        (low, high), second = args[0], args[-1]
        match op.fn:
            case "floor" | "ceil" | "rint":
                return _rounded(low, up=False), _rounded(high, up=True)
            case "sign":
                return (-1 if low < 0 else 0), (1 if high > 0 else 0)
            case "abs":
                return (max(low, -high, 0), max(-low, high))
            case "maximum":
                return max(low, second[0]), max(high, second[1])
            case "minimum":
                return min(low, second[0]), min(high, second[1])
            case "recip" if low > 0 or high < 0:
                return _inverse(high), _inverse(low)
            case "recip" | "cbrt" | "sinh" | "arcsinh" if low >= 0 or high <= 0:
                return (0, INF) if low >= 0 else (-INF, 0)
            case "mod" if second[0] > 0:
                most = second[1] - 1 if all(map(self.is_whole, op.args)) else second[1]
                return (0, min(high, most)) if low >= 0 else (0, most)
            case "pow" if low >= 1 and second[0] >= 0:
                return 1, _raised(high, second[1])
            case "pow" if second[0] == second[1] and self.is_whole(op.args[1]) and 0 <= second[0] <= 64:
                return _power((low, high), int(second[0]))
        return EVERYTHING


def _rounded(value: Number, *, up: bool) -> Number:
    if isinstance(value, float):
        return value
    return math.ceil(value) if up else math.floor(value)


def _capped(low: Number, high: Number) -> Interval:
    return (-INF if low < -HUGE else low), (INF if high > HUGE else high)


def _hull(parts: Sequence[Interval]) -> Interval:
    return min(p[0] for p in parts), max(p[1] for p in parts)


def _inverse(value: Number) -> Number:
    return 0 if isinstance(value, float) else Fraction(1) / value


def _product_of(a: Number, b: Number) -> Number:
    if not a or not b:
        return 0
    if isinstance(a, float) or isinstance(b, float):
        return INF if (a > 0) == (b > 0) else -INF
    return a * b


def _times(x: Interval, y: Interval) -> Interval:
    ends = [_product_of(a, b) for a in x for b in y]
    return _capped(min(ends), max(ends))


def _power(x: Interval, exponent: int) -> Interval:
    found: Interval = (1, 1)
    for _ in range(exponent):
        found = _times(found, x)
    return (max(found[0], 0), found[1]) if exponent % 2 == 0 else found


def _repeated(x: Interval, least: int, most: int) -> Interval:
    """A sum of so many numbers of an interval."""
    ends = [_product_of(v, count) for v in x for count in (least, most)]
    return _capped(min(ends), max(ends))


def _raised(base: Number, exponent: Number) -> Number:
    """A number >= 1 to a power >= 0, or more."""
    if base == 1 or not exponent:
        return 1
    whole = _rounded(exponent, up=True)
    if isinstance(base, float) or isinstance(whole, float) or math.log2(base) * whole > 900:
        return INF
    return base ** int(whole)
