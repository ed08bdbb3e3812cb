"""What is known of the values of nodes at all inputs and sizes: where they lie, and whether they are defined.

A node has an interval that holds every defined entry, and perhaps the fact that no entry is 0. So softmax,
layer norm or ``x / (1 + |x|^2)`` are seen to be defined everywhere without a number being computed. Answers
err on the side of "may": an interval may be too wide, and what is not seen to be total may be so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from eqvproof.program import ops
from eqvproof.program.size import Size

if TYPE_CHECKING:
    from eqvproof.program.builder import Builder
    from eqvproof.program.program import Program

T = TypeVar("T")
#: Of larger arrays of constants nothing is known.
MOST_VALUES = 4096
#: Operations whose entries are entries of their arguments, and are defined where these are.
MOVED = (
    ops.Concat, ops.Slice, ops.Flip, ops.Roll, ops.Reshape, ops.Sort, ops.Circulant,
)  # fmt: skip
#: Other operations that are defined wherever their arguments are.
STRICT = (
    ops.Input, ops.Const, ops.SizeOf, ops.Eye, ops.Tri, ops.Iota, ops.Einsum, ops.Add, ops.Select, ops.OneHot,
    ops.Det, ops.Eigvals, ops.Pinv, ops.Spectral,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from low to high (None: without end), 0 left out where ``nonzero``."""

    low: Fraction | None = None
    high: Fraction | None = None
    nonzero: bool = False

    @property
    def is_nonnegative(self) -> bool:
        """Whether no number is below 0."""
        return self.low is not None and self.low >= 0

    @property
    def has_no_zero(self) -> bool:
        """Whether 0 is left out."""
        above = self.low is not None and self.low > 0
        return self.nonzero or above or (self.high is not None and self.high < 0)

    @property
    def is_positive(self) -> bool:
        """Whether all numbers are above 0."""
        return self.is_nonnegative and self.has_no_zero

    @property
    def is_integer(self) -> bool:
        """Whether it is one number, an integer."""
        return self.low is not None and self.low == self.high and self.low.denominator == 1

    def within(self, low: int, high: int) -> bool:
        """Whether all numbers lie between the two."""
        return self.low is not None and self.high is not None and low <= self.low and self.high <= high

    def negative(self) -> Range:
        """-x."""
        low = None if self.high is None else -self.high
        return Range(low, None if self.low is None else -self.low, self.nonzero)

    def joined(self, other: Range) -> Range:
        """x or y."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Range(low, high, self.has_no_zero and other.has_no_zero)

    def plus(self, other: Range) -> Range:
        """x + y."""
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        above = self.is_nonnegative and other.is_nonnegative
        below = self.negative().is_nonnegative and other.negative().is_nonnegative
        return Range(low, high, (above or below) and (self.has_no_zero or other.has_no_zero))

    def times(self, other: Range) -> Range:
        """x y."""
        if self.negative().is_nonnegative and not self.is_nonnegative:
            return self.negative().times(other).negative()
        if other.negative().is_nonnegative and not other.is_nonnegative:
            return self.times(other.negative()).negative()
        nonzero = self.has_no_zero and other.has_no_zero
        ends = (self.low, self.high, other.low, other.high)
        if None not in ends:
            products = [a * b for a in ends[:2] for b in ends[2:] if a is not None and b is not None]
            return Range(min(products), max(products), nonzero)
        if self.low is not None and other.low is not None and self.low >= 0 and other.low >= 0:
            return Range(self.low * other.low, None, nonzero)
        return Range(None, None, nonzero)

    def squared(self) -> Range:
        """x^2."""
        return Range(Fraction(0), self.times(self).high, self.has_no_zero)


ANY = Range()
TRUTH = Range(Fraction(0), Fraction(1))
UNIT = Range(Fraction(-1), Fraction(1))


class Signs:
    """What is known of the nodes of a builder, or of a Program, remembered.

    Args:
        b: whose nodes they are.
        inputs: name -> where the entries of an input lie.
    """

    def __init__(self, b: Builder | Program, inputs: Mapping[str, Range] | None = None) -> None:
        self.b = b
        self.inputs = dict(inputs or {})
        self._ranges: dict[int, Range] = {}
        self._total: dict[int, bool] = {}

    def is_total(self, x: int) -> bool:
        """Whether every entry is defined at every input; False may mean unknown."""
        return self._settled(x, self._total, self._is_total)

    def range(self, x: int) -> Range:
        """Where the defined entries lie."""
        return self._settled(x, self._ranges, self._range)

    def _settled(self, x: int, known: dict[int, T], find: Callable[[int], T]) -> T:
        """A fact about a node, those about its arguments first: Programs are deeper than the stack."""
        pending = [] if x in known else [x]
        while pending:
            missing = [a for a in self.b.nodes[pending[-1]].args if a not in known]
            pending += missing
            if not missing:
                node = pending.pop()
                known[node] = find(node)
        return known[x]

    def keeps(self, x: int) -> bool:
        """Whether a node is defined wherever its arguments are."""
        op = self.b.nodes[x]
        if isinstance(op, (*MOVED, *STRICT)):
            return True
        if isinstance(op, ops.Reduce):
            shape = self.b.nodes[op.args[0]].shape
            return op.fn == "prod" or all(shape[a].is_at_least(1) for a in op.axes)
        if isinstance(op, ops.Map):
            return self._is_inside(op)
        return False

    def _is_total(self, x: int) -> bool:
        op = self.b.nodes[x]
        if isinstance(op, ops.Select):
            c = self.range(op.args[0])
            chosen = op.args[:2] if c.has_no_zero else op.args[::2] if c.low == c.high == 0 else op.args
            return all(self._total[a] for a in chosen)
        return all(self._total[a] for a in op.args) and self.keeps(x)

    def _is_inside(self, op: ops.Map) -> bool:
        """Whether the arguments of an elementwise function lie where it is defined."""
        found = [self.range(a) for a in op.args]
        match op.fn:
            case "recip" | "mod":
                return found[-1].has_no_zero
            case "log":
                return found[0].is_positive
            case "sqrt":
                return found[0].is_nonnegative
            case "arcsin" | "arccos":
                return found[0].within(-1, 1)
            case "pow":
                base, exponent = found
                if exponent.is_integer and (exponent.is_nonnegative or base.has_no_zero):
                    return True
                return base.is_positive or (base.is_nonnegative and exponent.is_nonnegative)
            case "tan":
                return False
        return True

    # -- ranges --------------------------------------------------------------------------------------

    def _range(self, x: int) -> Range:
        op = self.b.nodes[x]
        match op:
            case ops.Input():
                return self.inputs.get(op.name, ANY)
            case ops.Const():
                if not 0 < len(op.values) <= MOST_VALUES:
                    return ANY
                return Range(min(op.values), max(op.values), all(op.values))
            case ops.SizeOf():
                return _size(op.size)
            case ops.Eye() | ops.Tri() | ops.OneHot():
                return TRUTH
            case ops.Iota():
                return Range(Fraction(0))
            case ops.Einsum():
                return self._einsum(op)
            case ops.Map():
                return _map(op.fn, [self.range(a) for a in op.args])
            case ops.Reduce():
                return self._reduce(op)
            case ops.Add() | ops.Select() | ops.Concat() if op.args:
                found = [self.range(a) for a in op.args]
                if isinstance(op, ops.Select):
                    found = found[1:2] if found[0].has_no_zero else found[1:]
                result = found[0]
                for other in found[1:]:
                    result = result.plus(other) if isinstance(op, ops.Add) else result.joined(other)
                return result
            case _ if isinstance(op, MOVED):
                return self.range(op.args[0])
        return ANY

    def _einsum(self, op: ops.Einsum) -> Range:
        result = Range(Fraction(1), Fraction(1))
        for (a, _), count in Counter(zip(op.args, op.inputs, strict=True)).items():
            one = self.range(a)
            for _ in range(count // 2):
                result = result.times(one.squared())
            if count % 2:
                result = result.times(one)
        summed = {
            label: size
            for a, row in zip(op.args, op.inputs, strict=True)
            for label, size in zip(row, self.b.nodes[a].shape, strict=True)
            if label not in op.output
        }
        if not summed:
            return result
        some = all(size.is_at_least(1) for size in summed.values())
        one_sided = result.is_nonnegative or result.negative().is_nonnegative
        low = (result.low if some else Fraction(0)) if result.is_nonnegative else None
        high = (result.high if some else Fraction(0)) if result.negative().is_nonnegative else None
        return Range(low, high, some and one_sided and result.has_no_zero)

    def _reduce(self, op: ops.Reduce) -> Range:
        found = self.range(op.args[0])
        if op.fn != "prod":
            return found
        return Range(Fraction(0) if found.is_nonnegative else None, None, found.has_no_zero)


def _size(size: Size) -> Range:
    low = next((k for k in (1, 0) if size.is_at_least(k)), None)
    return Range(None if low is None else Fraction(low))


def _map(fn: str, found: Sequence[Range]) -> Range:
    """Where the values of an elementwise function lie."""
    x = found[0] if found else ANY
    if fn in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"):
        return TRUTH
    if fn in ("sin", "cos"):
        return UNIT
    if fn in ("sign", "tanh", "erf"):
        return Range(*_ends(x, UNIT), x.has_no_zero)
    match fn:
        case "pi":
            return Range(Fraction(3), Fraction(4))
        case "exp":
            return Range(Fraction(1) if x.is_nonnegative else Fraction(0), nonzero=True)
        case "cosh":
            return Range(Fraction(1))
        case "abs":
            ends = [abs(e) for e in (x.low, x.high) if e is not None]
            return Range(Fraction(0), max(ends) if len(ends) == 2 else None, x.has_no_zero)
        case "sqrt" | "arccos":
            return Range(Fraction(0), None, fn == "sqrt" and x.has_no_zero)
        case "recip" | "cbrt" | "sinh" | "arctan" | "arcsinh":
            return Range(*_ends(x, ANY), fn == "recip" or x.has_no_zero)
        case "maximum" | "minimum":
            return _larger(*found) if fn == "maximum" else _larger(*(y.negative() for y in found)).negative()
        case "pow":
            return Range(Fraction(0) if x.is_nonnegative else None, None, x.has_no_zero)
    return ANY


def _ends(x: Range, bounds: Range) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a function between bounds that has the sign of its argument."""
    zero = Fraction(0)
    return zero if x.is_nonnegative else bounds.low, zero if x.negative().is_nonnegative else bounds.high


def _larger(x: Range, y: Range) -> Range:
    lows = [e for e in (x.low, y.low) if e is not None]
    high = None if x.high is None or y.high is None else max(x.high, y.high)
    positive = x.is_positive or y.is_positive
    return Range(max(lows, default=None), high, positive or (x.has_no_zero and y.has_no_zero))


__all__ = ["ANY", "TRUTH", "UNIT", "Range", "Signs"]
