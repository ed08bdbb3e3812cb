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

from collections.abc import Callable, Sequence

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.node import Weight
from eqvproof.programs.operations import Operation
from eqvproof.tracing.arrays.pole_masks import (
    WITH_SIGN,
    Poles,
    but,
    either,
    is_nowhere,
    meet,
    negated,
)

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


def _along(wide: Callable[[int, Sequence[int]], int], row: Sequence[int]) -> Callable[[int], int]:
    return lambda mask: wide(mask, row)


class PoleFinder:
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
        if x in b.lost:
            return Poles(b.lost[x], b.lost[x], b.const(0))
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
                found.append(WITH_SIGN[sign](self.b, there, k.negative))
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
