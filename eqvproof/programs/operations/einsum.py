"""Einsums: products of values, summed over labels.

    each label: its acts over all arguments, uniform ones left out, are
      none                                             kept: uniform         summed: gone
      all equal to A, all A(g) permutations (PERM)     kept: A               summed: gone
      all fixed                                        kept: fixed           summed: gone
      one A, not fixed                 (ORTH)          kept: A
      A and A                          (ORTH)                                summed: gone
      one A, not fixed                 (LIN)           kept: A
      A and its dual                   (LIN)                                 summed: gone
      p times A and else fixed         (SIGN)          kept: A^p             summed, p even: gone
    -------------------------------------------------------------------------------------------
    einsum : the acts of the kept labels

Proof. Moving the inputs replaces the entry of argument a at labels (l_1, ..., l_r) by
``sum_m A_1[l_1, m_1] ... A_r[l_r, m_r] a[m_1, ..., m_r]``. Every label is treated alone, since the
acts on different labels are different factors of the product. A label along which an argument is
uniform may be dropped from that argument: its entry does not depend on it. What remains for one
label l: *no occurrence*: the summand does not depend on l; kept, the result is uniform; summed, it
is multiplied by the size. *Permutations*: A(g)[l, m] = [m = p(l)] with one p for all arguments, so
every occurrence of l becomes p(l): kept, that is A(g) acting on the result; summed, the sum runs
over p(l) instead of l, the same set. *Fixed*: nothing happens. *One orthogonal occurrence, kept*:
the matrix A(g) comes out of the product. *Two, summed*: ``sum_l A[l, m] A[l, m'] = [m = m']``;
under LIN with ``A^-T`` for the second. *Signs*: A(g)[l, m] = s_l [l = m], so p occurrences
multiply the summand at l by s_l^p, which is s_l or 1. A label that stands in an argument's row
twice counts twice. Undefined entries: for PERM and SIGN entries move as a whole or stay; for ORTH a
value is undefined along whole lines of an axis that rho mixes (see
`eqvproof.programs.operations.map`), so both sides are undefined together. QED
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.groups.kinds import Kind
from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import Interval, Number, interval_power, interval_product, repeated
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.node import Product, label_sizes
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import LETTERS, Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.const import zero_types, zero_types_with_exponents
from eqvproof.programs.operations.numpy_code import Text, fixed_shape
from eqvproof.programs.rules import sums
from eqvproof.programs.rules.acts import (
    UNI,
    Act,
    Stuck,
    Type,
    act_size,
    fix,
    inverse_transpose,
    is_fixed,
)
from eqvproof.programs.rules.characters import Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.translations import Move, Multiplied, normalise_weights, reduced_shift
from eqvproof.programs.signs import Signs
from eqvproof.support.lazy import LaterModule

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem
    from eqvproof.programs.operations.einsum_text import einsum_text
else:  # a proof writes no code
    einsum_text = LaterModule("eqvproof.programs.operations.einsum_text").function("einsum_text")


@dataclass(frozen=True, slots=True)
class Einsum(Product, Operation):
    """The sum over all labels that are not in ``output`` of the product of the arguments.

    A label repeated in one input takes a diagonal; an output label that is in no input is a
    broadcast.
    """

    op: ClassVar[str] = "einsum"
    rule: ClassVar[str] = "product and sum"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    varying_axes = shared.varies_as_arguments
    label = None

    @property
    def as_product(self) -> Einsum:
        return self

    @property
    def single_factor(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        if len(self.args) == 1:
            return (self.args[0], self.inputs[0], self.output)
        return None

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        return [
            self.output.index(label) if label in self.output else None for label in self.inputs[k]
        ]

    # -- how groups act
    # --------------------------------------------------------------------------------
    def _is_zero(self, context: Context) -> bool:
        """Checks whether it is a product of constants, one of them 0."""
        return all(map(context.is_constant, self.args)) and any(map(context.is_zero, self.args))

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        if self._is_zero(context):
            return zero_types(self.shape, context)
        acts: dict[int, list[Act]] = {}
        for row, types in zip(self.inputs, args, strict=True):
            for label, act in zip(row, types, strict=True):
                acts.setdefault(label, []).append(act)
        for label in acts:
            if label not in self.output:
                label_act(acts[label], context.kind, kept=False)
        result: list[Act] = []
        for label, size in zip(self.output, self.shape, strict=True):
            act = label_act(acts.get(label, []), context.kind, kept=True)
            result.append(fix(size) if is_fixed(act) and act is not UNI else act)
        return [tuple(result)]

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        if self._is_zero(context):
            return zero_types_with_exponents(self.shape, context)
        return shared.acts_and_exponents(self, args, context)

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.product(exponents)

    def translated(self, args: list[Move], context: Context) -> Move:
        moving = [(k, a) for k, a in enumerate(args) if a is not None]
        if len(moving) != 1:
            raise Multiplied("a product of coordinates that are translated")
        ((place, move),) = moving
        factors = self.factors
        sizes = label_sizes(factors, context.nodes)
        _, row = factors.pop(place)
        label, start = row[move.axis], 1 + max((*sizes, *self.output))
        if row.count(label) != 1 or label not in self.output:
            raise Stuck("coordinates that are translated are summed over")
        moved = [(x, tuple(row[k] if k >= 0 else start - k for k in r)) for x, r in move.weights]
        sizes = label_sizes(moved, context.nodes) | sizes
        summed = {k: s for k, s in sizes.items() if k not in self.output}
        found = sums.reduce_product([*moved, *factors], summed, context.nodes, context.totals)
        if found is None:
            raise Stuck("a sum of points that is empty at some size")
        number, left = found
        if any(label in r for _, r in left):
            raise Stuck("coordinates that are translated are weighted one by one")
        num, den = sums.ratio_product(number, (move.num, move.den))
        return reduced_shift(
            self.output.index(label), num, den, normalise_weights(left, self.output)
        )

    def sums(self, known: sums.Known) -> sums.Totals:
        found: sums.Totals = {}
        sizes = self.labels(known.nodes)
        gone = sizes.keys() - set(self.output)
        for k in (None, *range(len(self.shape))):
            over = gone if k is None else gone | {self.output[k]}
            total = sums.reduce_product(
                self.factors, {a: sizes[a] for a in over}, known.nodes, known.found
            )
            if total is not None and not total[1]:
                found[k] = total[0]
        return found

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        lengths = dict(zip(self.output, self.lengths(sizes), strict=True))
        for array, labels in zip(args, self.inputs, strict=True):
            lengths.update(zip(labels, array.shape, strict=True))
        return system.contract(args, self.inputs, self.output, lengths)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        """Bounds the result; a factor's denominator counts once for each of its summed entries."""
        lengths: dict[int, int] = {}
        result = Bound()
        for x, labels, own in zip(args, self.inputs, shapes, strict=True):
            mine = {k: s for k, s in zip(labels, own, strict=True) if k not in self.output}
            lengths.update(mine)
            copies = max(math.prod(mine.values()), 1)
            more = copies - 1
            top, bits = x.top + more * x.bottom, x.top_bits + more * x.bottom_bits
            result = result.times(
                Bound(top, bits, copies * x.bottom, copies * x.bottom_bits, x.common_bits)
            )
        return result.longer(math.prod(lengths.values()))

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        rows = zip(args, self.inputs, strict=True)
        return where.conjunction([where.of_factor(a, row, self.output) for a, row in rows])

    # -- where values lie
    # ------------------------------------------------------------------------------
    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        """Returns the interval of the product, times the number of terms."""
        low: Number = 1
        high: Number = 1
        for factor, count in Counter(self.factors).items():
            low, high = interval_product(
                (low, high), interval_power(args[self.factors.index(factor)], count)
            )
        sizes = self.labels(known.nodes)
        spans = [
            known.length(sizes[k])
            for k in sizes.keys() - set(self.output) - self._one_term_labels(known)
        ]
        return repeated((low, high), math.prod(s[0] for s in spans), math.prod(s[1] for s in spans))

    def _one_term_labels(self, known: Intervals) -> set[int]:
        """Returns summed labels with at most one nonzero term for each choice of the others.

        One-hot vectors have such labels.
        """
        found: dict[int, set[int]] = {}
        for a, row in self.factors:
            for place in known.unit_axes(a):
                label = row[place]
                others = {k for i, k in enumerate(row) if i != place % len(row)}
                others |= {k for o in others for k in found.get(o, ())}
                if label not in self.output and label not in found and label not in others:
                    found[label] = others
                    break
        return set(found)

    def is_whole(self, known: Intervals) -> bool:
        return all(map(known.is_whole, self.args))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        summed = [s for k, s in self.labels(known.nodes).items() if k not in self.output]
        alike = not summed or span[0] >= 0 or span[1] <= 0
        return (
            alike
            and all(s.is_at_least(1) for s in summed)
            and all(map(known.is_nonzero, self.args))
        )

    def differing_axes(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        labels = {k for a, row in self.factors for i, k in enumerate(row) if i in axes(a)}
        return frozenset(i for i, k in enumerate(self.output) if k in labels)

    # -- text
    # ------------------------------------------------------------------------------------------
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        letters: dict[int, str] = {}
        for label in (*self.output, *(label for row in self.inputs for label in row)):
            letters.setdefault(label, LETTERS[len(letters) % len(LETTERS)])

        def index(row: Sequence[int]) -> str:
            if row:
                return "[" + ", ".join(letters[k] for k in row) + "]"
            return ""

        gone = ", ".join(letters[k] for k in letters if k not in self.output)
        product = " ".join(f"{arg}{index(row)}" for arg, row in zip(args, self.inputs, strict=True))
        if gone:
            product = f"sum_{{{gone}}} {product}"
        return f"{name}{index(self.output)} = {product}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        shape = fixed_shape(self.shape)
        factors, inputs = self._with_entries_picked(args)
        if len(factors) == 1 and inputs[0] == self.output and len(set(self.output)) == len(shape):
            return replace(factors[0], single_axes=frozenset())
        code, is_atom = einsum_text(factors, inputs, self.output, shape)
        head, tail = "np.broadcast_to(", f", {shape})"
        narrow = ""
        if code.startswith(head) and code.endswith(tail) and code.count(head) == 1:
            narrow = code.removeprefix(head).removesuffix(tail)
        return Text(code, is_atom, narrow=narrow)

    def _with_entries_picked(
        self, args: Sequence[Text]
    ) -> tuple[list[Text], list[tuple[int, ...]]]:
        """Picks the only entry of axes that are summed over; returns the factors and their labels."""
        rows = list(zip(args, self.inputs, strict=True))
        wide = {k for a, row in rows for i, k in enumerate(row) if i not in a.single_axes}
        kept = wide.union(self.output)
        factors = [
            a.pick([i for i, k in enumerate(row) if k not in kept], len(row)) for a, row in rows
        ]
        return factors, [tuple(k for k in row if k in kept) for row in self.inputs]


def label_act(acts: list[Act], kind: Kind, *, kept: bool) -> Act:
    """Infers the act of one label, by the table of the module docstring.

    Raises:
        Stuck: when the label fits no row.
    """
    firm = [a for a in acts if a is not None]
    if not firm:
        return UNI
    moved = [a for a in firm if not is_fixed(a)]
    if not moved:
        return firm[0]
    first = moved[0]
    if kind.has_dual:
        return _linear_label_act(moved, len(firm), kept=kept)
    if any(a != first for a in moved):
        raise Stuck("two different actions meet in one index")
    if kind.flips_signs:
        if len(moved) % 2 == 0:
            return fix(act_size(first))
        if kept:
            return first
        raise Stuck("a sum over an axis whose entries change sign")
    if len(moved) != len(firm):
        raise Stuck("an axis that the group moves meets one that it leaves fixed")
    if kind.permutes:
        return first
    if kept and len(moved) == 1:
        return first
    if not kept and len(moved) == 2:
        return UNI
    if kept:
        raise Stuck("vectors that the group rotates are multiplied entry by entry")
    if len(moved) == 1:
        raise Stuck("a sum over the entries of vectors that the group rotates")
    raise Stuck("a sum over a product of three or more vectors that the group rotates")


def _linear_label_act(moved: Sequence[Act], firm: int, *, kept: bool) -> Act:
    """Infers the act of one label, by the rows of the table for LIN."""
    if len(moved) != firm:
        raise Stuck("an axis that the group moves meets one that it leaves fixed")
    if kept and firm == 1:
        return moved[0]
    if not kept and firm == 2 and moved[1] == inverse_transpose(moved[0]):
        return UNI
    if kept:
        raise Stuck("vectors that the group mixes are multiplied entry by entry")
    raise Stuck("a sum over a moved axis that is not that of one vector with one dual vector")
