"""Masks of the entries that are infinite or NaN in floats: both are undefined in a Program.

    1 / t        infinite where t = 0; NaN where t is
    sqrt(t)      NaN where t < 0; +inf where t is
    log(t)       NaN where t < 0, -inf where t = 0; +inf where t is
    x y          NaN where a factor is, or where one is infinite and the other 0; else infinite
                 where a factor is
    x + y        NaN where a term is, or where terms are +inf and -inf; else infinite where a term is
    y where c    as the one that is chosen

and moves of entries, extremes and other functions. The masks are total but where a number comes of
an infinity, such as 1 / (1 / t) at 0: a Program is undefined there, and so is what is asked of this
number. For other values they are not known. Where a zero divides, the sign of the infinity is that
of the zero, which is known of squares, roots, absolute values, and sums with a term that has none
but +0.

A factor may vanish wherever the divisor does, as x in x / |x|: then no entry is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.node import Weight
from eqvproof.programs.operations import Operation
from eqvproof.programs.signs import NEGATED

#: The message where it is not known.
UNKNOWN = "whether a value is finite is asked where it may be undefined"
UNKNOWN_HINT = "test the divisor, or what is under the root, in its place"
#: Functions with a number at every number, whose values at both infinities are NaN.
_WAVES = frozenset(("sin", "cos"))
#: Odd functions with a number at every number, whose values at infinities are these infinities.
_UNBOUNDED = frozenset(("sinh", "arcsinh", "cbrt", "floor", "ceil", "rint"))
#: Functions with a number at every number and at infinities.
_LEVEL = frozenset(("sign", "tanh", "arctan", "erf"))
#: Functions with a number at every number, whose values at infinities may be numbers.
_TOTAL = frozenset((
    "exp", "sign", "cosh", "tanh", "arctan", "erf", "maximum", "minimum", "arctan2",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Poles:
    """Where a value is no number, by masks in its shape that are 0 or 1 everywhere.

    Attributes:
        absent: where it is infinite or NaN.
        invalid: where it is NaN; None if that is not known.
        negative: where it is -inf if it is infinite at all; None if that is not known.
    """

    absent: int
    invalid: int | None
    negative: int | None


def undefined(b: Builder) -> int:
    """Returns an undefined number."""
    return b.map("recip", [b.const(0)])


def not_a_number(b: Builder) -> int:
    """Returns the number NaN: it is undefined, and not infinite."""
    return b.map("sqrt", [b.const(-1)])


def poles(b: Builder, node: int) -> Poles | None:
    """Returns the masks of a value over the reals; None where they are not known."""
    return _Finder(b).of(node)


def finite(b: Builder, node: int) -> int | None:
    """Returns 1 where a value is a number, else 0; None where it is not known."""
    known = poles(b, node)
    if known is None:
        return None
    return b.valid_if_finite(node, negated(b, known.absent))


def invalid(b: Builder, node: int) -> int | None:
    """Returns 1 where a value is NaN, else 0; None where it is not known."""
    known = poles(b, node)
    if known is None or known.invalid is None:
        return None
    return b.valid_if_finite(node, known.invalid)


def infinite(b: Builder, node: int, sign: int = 0) -> int | None:
    """Returns 1 where a value is infinite, with this sign if it is not 0; None where not known."""
    found = _infinite(b, poles(b, node), sign)
    if found is None:
        return None
    return b.valid_if_finite(node, found)


def _infinite(b: Builder, known: Poles | None, sign: int) -> int | None:
    if known is None or known.invalid is None:
        return None
    found = but(b, known.absent, known.invalid)
    if not sign or is_nowhere(b, found):
        return found
    if known.negative is None:
        return None
    return _WITH_SIGN[sign](b, found, known.negative)


def beside_infinity(b: Builder, fn: str, node: int, high: bool) -> int:  # noqa: FBT001
    """Returns a comparison of a value with an infinity, undefined where it is not known.

    Comparisons of NaN are false, but for "not equal".
    """
    known = poles(b, node)
    sign = (-1, 1)[high]
    there = _infinite(b, known, sign)
    of_numbers = fn in {1: ("ne", "le", "lt"), -1: ("ne", "ge", "gt")}[sign]
    if known is None or known.invalid is None or there is None:
        found = b.defined_where(node, b.const(int(of_numbers)))
    elif fn == "ne":
        found = negated(b, there)
    elif not of_numbers and fn in ("lt", "gt"):
        found = b.broadcast_to(b.const(0), b.shape(node))
    elif not of_numbers:
        found = there
    else:
        found = negated(b, known.invalid)
        if fn in ("lt", "gt"):
            found = but(b, found, there)
    return b.valid_if_finite(node, found)


def beside_itself(b: Builder, fn: str, node: int) -> int:
    """Returns a comparison of a value with itself, undefined where it is not known."""
    nan = invalid(b, node)
    if nan is None:
        return b.defined_where(node, b.const(int(fn in ("eq", "le", "ge"))))
    if fn == "ne":
        return nan
    if fn in ("eq", "le", "ge"):
        return negated(b, nan)
    return b.broadcast_to(b.const(0), b.shape(node))


def replaced(b: Builder, node: int, nan: int, high: int, low: int) -> int | None:
    """Returns a value with numbers in place of NaN, +inf and -inf; None where it is not known."""
    known = poles(b, node)
    if known is None or known.invalid is None:
        return None
    absent = b.valid_if_finite(node, known.absent)
    if is_nowhere(b, but(b, known.absent, known.invalid)):
        return b.select(absent, nan, node)
    if high == low:
        number = high
    elif known.negative is None:
        return None
    else:
        number = b.select(known.negative, low, high)
    return b.select(absent, b.select(known.invalid, nan, number), node)


def negated(b: Builder, mask: int) -> int:
    """Returns the negation of a mask; a comparison with the other relation where it is one."""
    op = b.nodes[mask]
    known = b.scalar_value(mask)
    if known is not None:
        return b.broadcast_to(b.const(int(not known)), b.shape(mask))
    if op.function == "not" and b.intervals.of(op.args[0]) == (0, 1):
        return op.args[0]
    if op.function in ("eq", "ne") and all(map(b.is_total, op.args)):
        return b.map(NEGATED[op.function], op.args)
    view = op.single_factor
    if view is not None and set(view[1]) == set(view[2]) and len(view[1]) == len(view[2]):
        return b.einsum([negated(b, view[0])], [view[1]], view[2])
    if view is not None and set(view[1]) <= set(view[2]):
        sizes = dict(zip(view[2], op.shape, strict=True))
        return b.einsum([negated(b, view[0])], [view[1]], view[2], sizes)
    return b.map("not", [mask])


def is_nowhere(b: Builder, mask: int | None) -> bool:
    """Checks whether a mask is 0 at every entry."""
    return mask is not None and b.scalar_value(mask) == 0


def either(b: Builder, masks: Iterable[int]) -> int:
    """Returns 1 where one of the masks is 1."""
    found = b.const(0)
    for mask in dict.fromkeys(masks):
        if is_nowhere(b, found):
            found = b.broadcast_to(mask, b.broadcast_shapes([b.shape(found), b.shape(mask)]))
        elif not is_nowhere(b, mask) and mask != found:
            found = b.map("or", [found, mask])
    return found


def meet(b: Builder, first: int, second: int) -> int:
    """Returns 1 where both masks are 1."""
    shape = b.broadcast_shapes([b.shape(first), b.shape(second)])
    first, second = b.broadcast_to(first, shape), b.broadcast_to(second, shape)
    if first == second or b.scalar_value(second) == 1 or is_nowhere(b, first):
        return first
    if b.scalar_value(first) == 1 or is_nowhere(b, second):
        return second
    return b.map("and", [first, second])


def but(b: Builder, first: int, second: int) -> int:
    """Returns 1 where the first mask is 1 and the second is not."""
    shape = b.broadcast_shapes([b.shape(first), b.shape(second)])
    if b.broadcast_to(first, shape) == b.broadcast_to(second, shape):
        return b.broadcast_to(b.const(0), shape)
    return meet(b, first, negated(b, second))


def _along(wide: Callable[[int, Sequence[int]], int], row: Sequence[int]) -> Callable[[int], int]:
    return lambda mask: wide(mask, row)


#: Sign -> the mask of infinities of that sign, from those of infinities and of negative ones.
_WITH_SIGN = {-1: meet, 1: but}


class _Finder:
    """Finds the masks of the nodes of a builder."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.found: dict[int, Poles | None] = {}

    def of(self, x: int) -> Poles | None:
        """Returns the masks of a node; None where they are not known."""
        if x not in self.found:
            made, shape = self._of(x), self.b.shape(x)
            self.found[x] = made and self._shaped(made, lambda m: self.b.broadcast_to(m, shape))
        return self.found[x]

    def _of(self, x: int) -> Poles | None:
        b, op = self.b, self.b.nodes[x]
        if b.is_total(x) or self._is_positive(x):
            return self._none()
        if op.keeps_order and len(op.args) == 1:
            return self._moved(op.args, lambda m: b.reshape(m[0], op.shape))
        if op.as_reading is not None:
            places = op.as_reading.places
            return self._moved(op.args, lambda m: b.read(m[0], places, op.shape))
        if op.joined_axis is not None:
            axis = op.joined_axis
            return self._moved(op.args, lambda m: b.concat(m, axis))
        if op.choice:
            return self._of_choice(op)
        if op.terms:
            return self._of_sum(op.terms)
        if op.extreme is not None:
            return self._of_extreme(op)
        if op.as_product is not None:
            return self._of_product(x)
        return self._of_function(op)

    def _none(self) -> Poles:
        nothing = self.b.const(0)
        return Poles(nothing, nothing, nothing)

    def _shaped(self, known: Poles, change: Callable[[int], int]) -> Poles:
        return self._joined([known], lambda masks: change(masks[0]))

    def _moved(self, args: Sequence[int], move: Callable[[list[int]], int]) -> Poles | None:
        """Returns the masks of a node whose entries are entries of its arguments."""
        known = self._all(args)
        if known is None:
            return None
        return self._joined(known, move)

    def _joined(self, known: Sequence[Poles], move: Callable[[list[int]], int]) -> Poles:
        """Returns masks that are made of the masks of one kind each."""
        kinds = [[k.invalid for k in known], [k.negative for k in known]]
        made: list[int | None] = []
        for masks in kinds:
            given = [m for m in masks if m is not None]
            made.append(None)
            if len(given) == len(known):
                made[-1] = move(given)
        return Poles(move([k.absent for k in known]), *made)

    def _all(self, args: Sequence[int]) -> list[Poles] | None:
        known = [k for k in map(self.of, args) if k is not None]
        if len(known) < len(args):
            return None
        return known

    def _of_choice(self, op: Operation) -> Poles | None:
        condition, *branches = op.choice
        if not self.b.is_total(condition):
            return None
        return self._moved(branches, lambda m: self._chosen(condition, m))

    def _chosen(self, condition: int, masks: list[int]) -> int:
        first, second = masks
        if is_nowhere(self.b, second):
            return meet(self.b, first, self._truth(condition))
        if is_nowhere(self.b, first):
            return but(self.b, second, self._truth(condition))
        return self.b.select(condition, first, second)

    def _truth(self, condition: int) -> int:
        low, high = self.b.intervals.of(condition)
        if (low, high) == (0, 1):
            return condition
        return self.b.map("ne", [condition, self.b.const(0)])

    def _infinities(self, known: Poles) -> int | None:
        if known.invalid is None:
            return None
        return but(self.b, known.absent, known.invalid)

    def _of_sum(self, args: Sequence[int]) -> Poles | None:
        known = self._all(args)
        if known is None:
            return None
        b = self.b
        partial = [k for k in known if not is_nowhere(b, k.absent)]
        absent = either(b, [k.absent for k in partial])
        if len(partial) == 1:
            return Poles(absent, partial[0].invalid, partial[0].negative)
        high, low = (self._signed(partial, sign) for sign in (1, -1))
        invalid = [k.invalid for k in partial if k.invalid is not None]
        if high is None or low is None or len(invalid) < len(partial):
            return Poles(absent, None, None)
        return Poles(absent, either(b, [*invalid, meet(b, high, low)]), low)

    def _signed(self, known: Sequence[Poles], sign: int) -> int | None:
        """Returns where one of several values is infinite with a sign; None if not known."""
        found = []
        for k in known:
            there = self._infinities(k)
            if there is None or (k.negative is None and not is_nowhere(self.b, there)):
                return None
            if k.negative is not None:
                found.append(_WITH_SIGN[sign](self.b, there, k.negative))
        return either(self.b, found)

    def _any(self, mask: int, axes: Sequence[int]) -> int:
        return self.b.reduce("max", mask, axes)

    def _of_extreme(self, op: Operation) -> Poles | None:
        """Returns the masks of the largest or least entry along axes: NaN where an entry is."""
        if op.extreme is None:
            return None
        (source,), (fn, axes) = op.args, op.extreme
        known = self.of(source)
        if known is None or known.invalid is None:
            return None
        there = but(self.b, known.absent, known.invalid)
        nothing = self.b.const(0)
        if is_nowhere(self.b, there):
            invalid = self._any(known.invalid, axes)
            return Poles(invalid, invalid, nothing)
        sign = {"max": 1, "min": -1}[fn]
        beyond, short = self._signed([known], sign), self._signed([known], -sign)
        if beyond is None or short is None or not is_nowhere(self.b, short):
            return None
        negative = self.b.const(int(fn == "min"))
        return Poles(self._any(known.absent, axes), self._any(known.invalid, axes), negative)

    def _of_function(self, op: Operation) -> Poles | None:
        b, fn, nothing = self.b, op.function, self.b.const(0)
        known = self._all(op.args)
        if not fn or known is None:
            return None
        absent = either(b, [k.absent for k in known])
        infinities = [self._infinities(k) for k in known]
        has_infinities = not all(is_nowhere(b, there) for there in infinities)
        if fn in _TOTAL and not has_infinities:
            return Poles(absent, absent, nothing)
        if len(op.args) != 1:
            return None
        ((t,), (of_t,)) = op.args, known
        if fn in _WAVES:
            return Poles(absent, absent, nothing)
        if fn in _UNBOUNDED:
            return of_t
        if fn == "abs":
            return Poles(absent, of_t.invalid, nothing)
        if fn == "recip" and b.scalar_value(t) == 0:  # `undefined`: any of them
            return Poles(b.const(1), None, None)
        if fn in _LEVEL and of_t.invalid is not None:
            return Poles(of_t.invalid, of_t.invalid, nothing)
        if fn == "exp" and of_t.invalid is not None and of_t.negative is not None:
            lost = meet(b, absent, of_t.negative)
            return Poles(either(b, [of_t.invalid, but(b, absent, lost)]), of_t.invalid, nothing)
        if fn == "recip" and of_t.invalid is not None:
            zero = self._where("eq", t, of_t)
            return Poles(either(b, [of_t.invalid, zero]), of_t.invalid, self._negative_zero(t))
        if fn in ("arcsin", "arccos"):
            outside = either(b, [absent, self._where("gt", b.map("abs", [t]), of_t, 1)])
            return Poles(outside, outside, nothing)
        if fn not in ("sqrt", "log"):
            return None
        low = self._where("lt", t, of_t)
        if has_infinities:
            if of_t.invalid is None or of_t.negative is None:
                return None
            low = either(b, [low, meet(b, of_t.absent, of_t.negative)])
        elif of_t.invalid is None:
            return None
        invalid = either(b, [of_t.invalid, low])
        if fn == "sqrt":
            return Poles(either(b, [absent, low]), invalid, nothing)
        outside = either(b, [absent, self._where("le", t, of_t)])
        return Poles(outside, invalid, negated(b, absent))

    def _where(self, relation: str, t: int, known: Poles, bound: int = 0) -> int:
        """Returns 1 where a value is a number with a relation to a bound."""
        b, nothing = self.b, self.b.const(0)
        found = b.map(relation, [t, b.const(bound)])
        if is_nowhere(b, known.absent):
            return found
        op = b.nodes[t]
        if op.function == "recip" and not bound and b.is_total(op.args[0]):
            if relation == "eq":
                return nothing
            return b.map("lt", [op.args[0], nothing])
        return b.select(known.absent, nothing, found)

    def _negative_zero(self, t: int) -> int | None:
        """Returns 0 if floats compute every 0 of a value as +0; None if that is not known."""
        if self._has_no_negative_zero(t):
            return self.b.const(0)
        return None

    def _has_no_negative_zero(self, t: int, depth: int = 20) -> bool:
        op = self.b.nodes[t]
        if op.input_name is not None or op.constant is not None or op.as_size is not None:
            return True
        if op.function in ("abs", "exp"):
            return True
        if depth == 0:
            return False
        if op.function == "sqrt" or op.keeps_order:
            return self._has_no_negative_zero(op.args[0], depth - 1)
        if op.terms:
            return any(self._has_no_negative_zero(a, depth - 1) for a in op.terms)
        if op.as_product is None:
            return False
        factors = [w for w in op.as_product.factors if not self._is_positive(w[0])]
        if len(factors) % 2 == 0 and len(set(factors)) == 1:
            return True
        each = [self._has_no_negative_zero(a, depth - 1) for a, _ in factors]
        signed = [a for a, _ in factors if self.b.intervals.of(a)[0] < 0]
        return all(each) and (len(factors) == 1 or not signed)

    # -- products

    def _of_product(self, x: int) -> Poles | None:
        """Returns the masks of a sum of products, as it was asked for if it was once only."""
        b, product = self.b, self.b.nodes[x].as_product
        if product is None:
            return None
        asked = b.asked.get(x)
        if asked is None:
            factors, output = product.factors, product.output
        else:
            factors, output = asked
        sizes = {k: s for a, row in factors for k, s in zip(row, b.shape(a), strict=True)}
        sizes |= dict(zip(output, product.shape, strict=True))
        whole = (*output, *(k for k in sizes if k not in output))
        known = self._of_entrywise(
            factors, lambda a, row: b.einsum([a], [row], whole, {k: sizes[k] for k in whole})
        )
        if known is None:
            return None
        added = [k for k in whole[len(output) :] if sizes[k].constant != 1]
        full, shape = [sizes[k] for k in whole], [sizes[k] for k in (*output, *added)]
        known = self._shaped(known, lambda m: b.reshape(b.broadcast_to(m, full), shape))
        if not added:
            return known
        axes = range(len(output), len(shape))
        partial = [row for a, row in factors if not b.is_total(a)]
        is_one_sum = asked is not None or all(set(added) <= set(row) for row in partial)
        return self._summed(known, axes, is_one_sum=is_one_sum)

    def _summed(self, known: Poles, axes: Sequence[int], *, is_one_sum: bool) -> Poles:
        """Returns the masks of a sum along axes; it may be a product of sums if not `is_one_sum`."""
        b, there, invalid = self.b, self._infinities(known), known.invalid
        absent = self._any(known.absent, axes)
        if invalid is not None and is_nowhere(b, there):
            return Poles(absent, self._any(invalid, axes), b.const(0))
        high, low = (self._signed([known], sign) for sign in (1, -1))
        if invalid is None or high is None or low is None or not is_one_sum:
            return Poles(absent, None, None)
        shape = b.shape(known.absent)
        high, low = (self._any(b.broadcast_to(m, shape), axes) for m in (high, low))
        return Poles(absent, either(b, [self._any(invalid, axes), meet(b, high, low)]), low)

    def _of_entrywise(
        self, factors: Sequence[Weight], wide: Callable[[int, Sequence[int]], int]
    ) -> Poles | None:
        """Returns the masks of the products of entries, before they are added up."""
        b = self.b
        partial: dict[Weight, Poles] = {}
        for weight in factors:
            known = self.of(weight[0])
            if known is None:
                return None
            if not is_nowhere(b, known.absent):
                partial[weight] = self._shaped(known, _along(wide, weight[1]))
        absent = either(b, [k.absent for k in partial.values()])
        invalid: list[int | None] = [k.invalid for k in partial.values()]
        for weight, known in partial.items():
            there = self._infinities(known)
            if there is None:
                continue
            if is_nowhere(b, there):
                continue
            for other in dict.fromkeys(factors):
                if other == weight:
                    continue
                if self._vanishes(weight, other):
                    invalid.append(there)
                else:
                    zero = self._zero(other, partial.get(other), wide)
                    invalid.append(meet(b, there, zero))
        if None in invalid:
            return Poles(absent, None, None)
        masks = [m for m in invalid if m is not None]
        return Poles(absent, either(b, masks), self._sign(factors, partial, wide))

    def _zero(
        self, weight: Weight, known: Poles | None, wide: Callable[[int, Sequence[int]], int]
    ) -> int:
        """Returns 1 where a factor is the number 0."""
        b, (x, row) = self.b, weight
        value = b.scalar_value(x)
        if value is not None:
            return b.const(int(value == 0))
        if b.nodes[x].function in ("recip", "exp") or b.intervals.of(x)[0] > 0:
            return b.const(0)
        if known is None:
            return wide(b.map("eq", [x, b.const(0)]), row)
        return b.select(known.absent, b.const(0), wide(b.map("eq", [x, b.const(0)]), row))

    def _sign(
        self,
        factors: Sequence[Weight],
        partial: dict[Weight, Poles],
        wide: Callable[[int, Sequence[int]], int],
    ) -> int | None:
        """Returns 1 where the product is -inf if it is infinite; None if that is not known."""
        b, found = self.b, self.b.const(0)
        for weight in factors:
            x, row = weight
            if b.intervals.of(x)[0] >= 0 and (
                weight not in partial or b.nodes[x].function == "sqrt"
            ):
                continue
            value = b.scalar_value(x)
            if value is not None:
                below = b.const(int(value < 0))
            elif weight not in partial:
                below = wide(b.map("lt", [x, b.const(0)]), row)
            else:
                known = partial[weight]
                if known.negative is None:
                    return None
                # a quotient has the sign of the divisor, at whose zeros it is that of the zero
                op = b.nodes[x]
                t = x
                if op.function == "recip":
                    (t,) = op.args
                below = b.const(0)
                if b.intervals.of(t)[0] < 0:
                    below = wide(b.map("lt", [t, b.const(0)]), row)
                if not (b.is_total(t) and is_nowhere(b, known.negative)):
                    below = b.select(known.absent, known.negative, below)
            if is_nowhere(b, found):
                found = below
            elif not is_nowhere(b, below):
                found = b.map("ne", [found, below])
        return found

    def _vanishes(self, divisor: Weight, other: Weight) -> bool:
        """Checks whether a factor is 0 wherever the divisor under another one is.

        The divisor is a sum of squares, or of absolute values, of all entries of the factor along
        some axes, its root, or a positive multiple of one.
        """
        x, row = divisor
        at = list(row)
        op = self.b.nodes[x]
        if op.function != "recip":
            return False
        x = op.args[0]
        while True:
            op = self.b.nodes[x]
            if op.function in ("sqrt", "abs"):
                x = op.args[0]
                continue
            if other == (x, tuple(at)):
                return True
            product = op.as_product
            if product is None:
                return False
            place = dict(zip(product.output, at, strict=True))
            factors = [w for w in product.factors if not self._is_positive(w[0])]
            if len(set(factors)) != 1:
                return False
            source, inner = factors[0]
            is_view = all(k in place or self._is_one(source, inner, k) for k in inner)
            if len(factors) % 2 == 0 or self.b.intervals.of(source)[0] >= 0:
                names = [source]
                if self.b.nodes[source].function == "abs":
                    names.append(self.b.nodes[source].args[0])
                if (
                    other[0] in names
                    and len(other[1]) == len(inner)
                    and all(
                        k not in place or place[k] == o
                        for k, o in zip(inner, other[1], strict=True)
                    )
                ):
                    return len(set(inner)) == len(inner)
            if not is_view:
                return False
            x, at = source, [place.get(k, -1 - i) for i, k in enumerate(inner)]

    def _is_one(self, x: int, row: Sequence[int], label: int) -> bool:
        return self.b.shape(x)[list(row).index(label)].constant == 1

    def _is_positive(self, x: int) -> bool:
        op = self.b.nodes[x]
        if op.constant is not None:
            return bool(np.all(op.constant > 0))
        if op.as_size is not None:
            return op.as_size.is_at_least(1)
        if op.function == "log":
            return (self.b.scalar_value(op.args[0]) or 0) > 1
        return op.function == "recip" and self._is_positive(op.args[0])
