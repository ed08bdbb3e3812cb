"""Slices, flips, shifts and rolls: entries of a value read at other places along its axes.

    v : (..., fixed or uniform, ...)        v : (..., B_1 + ... + B_m, ...), the part is B_j + ... + B_k
    ----------------------------------      ------------------------------------------------------------
    read there : the same, on each axis     v[part] : (..., B_j + ... + B_k, ...)

    C(n)   v : (..., rho, ...), or fixed there;  a_1, ..., a_k each 0 or 1
           sum_l s_l a_l = 1 where v is moved, = 0 where it is fixed
           -----------------------------------------------------------------------------
           v read at (c + sum_l s_l i_l) mod n : rho along the axes i_l with a_l = 1, else fixed

Proof. Entries are moved about, so other axes keep their acts, which mix lines of v and so those of
what is read. Nothing moves along a fixed axis; a uniform value is the same wherever it is read. A
part that consists of whole blocks of a direct sum, and of some of the copies B of a block ``I_m (x)
B`` (of a fixed one, of some entries), is moved by those alone. Under C(n), reading at the indices
i_l + a_l t, taken modulo n (which is their size), reads v at t sum_l s_l a_l places further on,
modulo n: that is v shifted by t, or v as it was. QED
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.size import Size
from eqvproof.numbers.bound import Bound
from eqvproof.programs.node import Reading
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import LETTERS, Lengths, Operation, Shape, Sizes, axis_text
from eqvproof.programs.operations.numpy_code import NotRenderable, Text, fixed_shape
from eqvproof.programs.places import WHOLE, Place, indices, is_whole
from eqvproof.programs.rules.acts import (
    UNI,
    Act,
    Block,
    Stuck,
    Type,
    block_size,
    canonical,
    copies_of,
    fix,
    is_fixed,
    of_copies,
    std,
)
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals
from eqvproof.programs.rules.translations import Move, renumber_axis, require_other_axis

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem

#: Most axes by which one axis is read for which all acts are tried.
MOST_AXES = 4


@dataclass(frozen=True, slots=True)
class Read(Reading, Operation):
    """Entries at other places: a part of an axis, an axis reversed or shifted, or all its shifts.

    The axes of the argument are read one by one, the first by the first axes of the result, and so
    on.
    """

    op: ClassVar[str] = "read"
    rule: ClassVar[str] = "entries at other places"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    typed = shared.acts_and_exponents
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    interval = shared.hull_of_sources
    is_whole = shared.whole_as_sources
    is_nonzero = shared.nonzero_as_sources
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    varying_axes = shared.varies_as_arguments
    label = None

    @property
    def as_reading(self) -> Read:
        return self

    @property
    def sources(self) -> tuple[int, ...]:
        return self.args

    # -- how groups act
    # --------------------------------------------------------------------------------
    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        moved = self.changed_axes(shape)
        return [None if a in moved else axes.start for a, axes in enumerate(self.axes())]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        (arg,) = args
        sizes = context.shape(self.args[0])
        ways = [
            _axis(act, place, [self.shape[k] for k in axes], size, context)
            for act, place, axes, size in zip(arg, self.places, self.axes(), sizes, strict=True)
        ]
        return [tuple(act for part in parts for act in part) for parts in product(*ways)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return exponents[0]

    def translated(self, args: list[Move], context: Context) -> Move:
        found = require_other_axis(
            args[0], self.changed_axes(context.shape(self.args[0])), "reordered"
        )
        return renumber_axis(found, found.axis - self.axes()[found.axis].start)

    def sums(self, known: Known) -> Totals:
        found, moved = known.found[self.args[0]], self.changed_axes(known.nodes[self.args[0]].shape)
        still = {axes.start: a for a, axes in enumerate(self.axes()) if a not in moved}
        return {k: found[a] for k, a in [(None, None), *still.items()] if a in found}

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        array, shape = args[0], self.lengths(sizes)
        for axis, (place, axes) in enumerate(zip(self.places, self.axes(), strict=True)):
            counts, size = [shape[k] for k in axes], args[0].shape[axis]
            if place != WHOLE or counts != [size]:
                array = system.take(
                    array, axis, indices(place, counts, size, place.start.value(sizes))
                )
        return system.reshape(array, shape)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return args[0]

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        return where.read_conditions(self, args[0], value)

    def differing_axes(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        rows, along = self.axes(), axes(self.args[0])
        return frozenset(i for k in along for i in rows[k])

    # -- text
    # ------------------------------------------------------------------------------------------
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        """Describes a read of one axis by one other in words; writes others as a formula."""
        (shape,), (arg,) = shapes, args
        moved = self.changed_axes(shape)
        place = self.places[moved[0]]
        start, along = place.start, f"along {axis_text(shape, moved[0])}"
        if len(moved) == 1 and len(place.steps) == 1:
            if place.cyclic and place.steps == (1,):
                return f"{name} = {arg} shifted by {-start} {along}"
            if place == Place(shape[moved[0]] - 1, (-1,)):
                return f"{name} = {arg} reversed {along}"
            if not place.cyclic and place.steps[0] > 0:
                if place.steps[0] > 1:
                    every = f", every {place.steps[0]}th entry"
                else:
                    every = ""
                return f"{name} = part of {arg} {along} from entry {start}{every}"
        entries = []
        for p, axes, size in zip(self.places, self.axes(), shape, strict=True):
            terms = [
                LETTERS[k] if s == 1 else f"{s} {LETTERS[k]}"
                for s, k in zip(p.steps, axes, strict=True)
            ]
            if p.start.terms:
                terms.insert(0, str(p.start))
            text = " + ".join(terms).replace("+ -1 ", "- ")
            if p.cyclic:
                text = f"({text}) mod {size}"
            entries.append(text)
        return f"{name}[{', '.join(LETTERS[: len(self.shape)])}] = {arg}[{', '.join(entries)}]"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        text, shape = args[0], fixed_shape(self.shape)
        for axis, (place, axes) in enumerate(zip(self.places, self.axes(), strict=True)):
            counts, size, start = [shape[k] for k in axes], shapes[0][axis], place.start.constant
            if start is None:
                raise NotRenderable("a place that is not known")
            at = indices(place, counts, size, start)
            if len(counts) == 1 and at == range(size):
                continue
            if len(counts) > 1:
                text = Text(
                    f"np.take({text.code}, np.reshape({at}, {tuple(counts)}), axis={axes.start})"
                )
            elif place.cyclic and place.steps == (1,) and counts == [size]:
                shift = -start if 2 * start <= size else size - start
                text = Text(f"np.roll({text.code}, {shift}, {axes.start})")
            elif isinstance(at, range):
                part = _slice_text(at, size, from_end=axis in args[0].counted_from_end)
                text = text.with_slice(axes.start, part, rank=len(shape))
            else:
                text = Text(f"np.take({text.code}, {list(at)}, axis={axes.start})")
        return text


def _slice_text(at: range, size: int, *, from_end: bool = False) -> str:
    """Writes the slice that reads a range of an axis of that size."""
    if len(at) < 2:
        first = at.start if at else 0
        stop = first + len(at)
        if not from_end:
            return f"{first}:{stop}"
        return f"{first - size}:{stop - size or ''}"
    start_text, stop_text, step_text = str(at.start), str(at[-1] + 1), ""
    if from_end:
        start_text = str(at.start - size)
    if at.start == (0 if at.step > 0 else size - 1):
        start_text = ""
    if at.step < 0:
        stop_text = str(at[-1] - 1)
    if not 0 <= at[-1] + at.step < size:
        stop_text = ""
    if at.step != 1:
        step_text = f":{at.step}"
    return f"{start_text}:{stop_text}{step_text}"


def _axis(act: Act, place: Place, counts: list[Size], size: Size, context: Context) -> list[Type]:
    """Infers the acts of the axes by which one axis is read. Raises: Stuck."""
    if len(counts) == 1 and is_whole(place, counts[0], size):
        return [(act,)]
    if act is UNI:
        return [(UNI,) * len(counts)]
    shifts = place.cyclic and EVERY_FAMILY[context.family].shifts and size == context.size
    if shifts and len(counts) <= MOST_AXES:
        moved = 0 if is_fixed(act) else 1
        if is_fixed(act) or act == std(size):
            return [
                tuple(std(s) if a else fix(s) for a, s in zip(chosen, counts, strict=True))
                for chosen in product((0, 1), repeat=len(counts))
                if sum(a * step for a, step in zip(chosen, place.steps, strict=True)) == moved
                and all(s == size for a, s in zip(chosen, counts, strict=True) if a)
            ] or _refuse()
    if is_fixed(act):
        return [tuple(map(fix, counts))]
    if place.cyclic or place.steps != (1,):
        return _refuse()
    return [(_part_of_act(place.start, counts[0], act),)]


def _refuse() -> list[Type]:
    raise Stuck("entries are read at other places of an axis that the group moves")


def _part_of_act(start: Size, count: Size, act: Act) -> Act:
    position, end = Size.of(0), start + count
    taken: list[Block] = []
    for block in act or ():
        last = position + block_size(block)
        if (start - last).is_at_least(0) or (position - end).is_at_least(0):
            position = last
            continue
        low = _larger(start, position)
        high = last - _larger(last - end, Size.of(0))
        copies, rest = copies_of(block)
        if (low, high) != (position, last):
            before, many = (s.divide(block_size(rest)) for s in (low - position, high - low))
            if before is None or many is None or not many.is_at_least(0):
                raise Stuck("particular entries are picked from an axis that the group moves")
            copies = many
        taken.append(of_copies(copies, rest))
        position = last
    if taken:
        return canonical(taken)
    return fix(count)


def _larger(a: Size, b: Size) -> Size:
    """Returns the larger of two sizes if it is that at all sizes. Raises: Stuck."""
    if (a - b).is_at_least(0):
        return a
    if (b - a).is_at_least(0):
        return b
    raise Stuck(
        "entries are picked from an axis that the group moves, at places that depend on the sizes"
    )
