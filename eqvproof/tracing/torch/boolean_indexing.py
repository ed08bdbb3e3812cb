"""Entries selected by a mask in torch: ``x[mask]``, ``edge_index[:, mask]``, ``mask.nonzero()``.

    y = x[mask]      sum_k y_k = sum_i mask_i x_i      len(y) = sum_i mask_i
    f(y) = f(x)[mask]      sum_k sum_l f(y_k, y_l) = sum_i sum_j mask_i mask_j f(x_i, x_j)

The number of entries is no size of the signature: it has a name of its own while the target is
read, and may be 0. At the end all entries take the place of the selected ones, and those that are
not selected do not count: every sum over them gets the mask as one more factor, as does every
choice by their one-hot vectors; a maximum or a product is taken of the selected entries alone; and
their number is the sum of the mask. Operations that would order or show them are refused.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import eqvproof.programs.operations as ops
from eqvproof.claims.size import COUNTED
from eqvproof.programs import Builder, Size
from eqvproof.programs.comparisons import is_view
from eqvproof.programs.last_axis import with_last_axis
from eqvproof.programs.operations import Operation, shared
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.context import current_context
from eqvproof.tracing.arrays.masks import top
from eqvproof.tracing.arrays.node_functions import counted
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.torch.aten import TABLE


@dataclasses.dataclass(frozen=True, slots=True)
class SelectedEntries(Operation):
    """The entries of a value along one axis that a mask of this axis selects.

    ``args`` are the value and the mask. No finished Program holds such a node.
    """

    op: ClassVar[str] = "selected entries"
    rule: ClassVar[str] = "selected entries"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = False
    along = shared.no_common_axes
    infer = shared.never_asked
    typed = shared.never_asked
    character = shared.never_asked
    translated = shared.never_asked
    sums = shared.never_asked
    evaluate = shared.never_asked
    bound = shared.never_asked
    evaluate_with_conditions = shared.never_asked
    conditions = shared.never_asked
    count_conditions = shared.never_asked
    interval = shared.hull_of_sources
    is_whole = shared.whole_as_sources
    is_nonzero = shared.nonzero_as_sources
    stays_defined = shared.may_be_undefined
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None
    formula = shared.never_asked
    code = shared.never_asked

    @property
    def sources(self) -> tuple[int, ...]:
        """Returns the value alone."""
        return self.args[:1]


@with_last_axis.register
def _selected(op: SelectedEntries, b: Builder, args: Sequence[int], size: Size) -> int:
    return b.node(SelectedEntries((args[0], op.args[1]), (*op.shape, size)))


@dataclasses.dataclass(frozen=True, slots=True)
class WrittenEntries(Operation):
    """Selected entries back at their places.

    ``args`` are these entries, the mask, and the value elsewhere. No finished Program holds such a
    node.
    """

    op: ClassVar[str] = "written entries"
    rule: ClassVar[str] = "written entries"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = False
    sources = ()
    along = shared.no_common_axes
    infer = shared.never_asked
    typed = shared.never_asked
    character = shared.never_asked
    translated = shared.never_asked
    sums = shared.never_asked
    evaluate = shared.never_asked
    bound = shared.never_asked
    evaluate_with_conditions = shared.never_asked
    conditions = shared.never_asked
    count_conditions = shared.never_asked
    interval = shared.any_number
    is_whole = shared.may_be_fractional
    is_nonzero = shared.may_be_zero
    stays_defined = shared.may_be_undefined
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None
    formula = shared.never_asked
    code = shared.never_asked


@dataclasses.dataclass(frozen=True, slots=True)
class MaskSelection:
    """A mask, and the name of the number of entries that it selects.

    Attributes:
        name: the name that stands for the number of selected entries.
        whole: the size of the axis from which they were selected.
        mask: the node of the mask, of one axis.
        copies: how often each entry occurs, at equivalent places of the mask.
    """

    name: str
    whole: Size
    mask: int
    copies: int


class MaskSelections:
    """Records the masks of one trace, and replaces selected entries by all entries with weights."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.selections: dict[int, MaskSelection] = {}
        self._names: set[str] = set()
        self._needed: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self.selections)

    def places(self, mask: int) -> int:
        """Returns the positions where a mask is true, as selected rows of indices of all positions.

        Raises:
            TraceError: axes of different sizes.
        """
        b, shape = self.builder, self.builder.shape(mask)
        if len(set(shape)) != 1:
            raise TraceError(
                "the places of a mask whose axes differ in size", code=ErrorCode.TRACE_INDEX
            )
        counts = [counted(b, shape, k) for k in range(len(shape))]
        whole = math.prod(shape, start=Size.of(1))
        flat = b.reshape(mask, [whole])
        return b.concat([self.take(b.reshape(c, [whole, 1]), [flat]) for c in counts], 1)

    def take(self, x: int, indices: Sequence[int | None], copies: int = 1) -> int:
        """Returns the entries of x that a mask over neighbouring axes selects, in one axis.

        Raises:
            TraceError: several masks.
        """
        b, shape = self.builder, self.builder.shape(x)
        axis = next(k for k, i in enumerate(indices) if i is not None)
        mask = indices[axis]
        if mask is None or any(i is not None for i in indices[axis + 1 :]):
            raise _selection_error("several masks for one value")
        rank = len(b.shape(mask))
        whole = b.prod_sizes(x, range(axis, axis + rank))
        flat = b.reshape(x, [*shape[:axis], whole, *shape[axis + rank :]])
        if b.scalar_value(mask) == 1:
            return flat
        return self._select(flat, axis, b.reshape(mask, [whole]), copies)

    def _select(self, x: int, axis: int, mask: int, copies: int) -> int:
        b, shape = self.builder, self.builder.shape(x)
        name = f"{COUNTED}{len(self.selections)}"
        choice = self.selections.setdefault(mask, MaskSelection(name, shape[axis], mask, copies))
        self._names.add(choice.name)
        sizes = (*shape[:axis], Size.of(choice.name), *shape[axis + 1 :])
        return b.node(SelectedEntries((x, mask), sizes))

    def has_selected_axis(self, x: object) -> bool:
        """Checks whether a value has an axis of selected entries."""
        return isinstance(x, Node) and bool(self._selected_axes(int(x)))

    def distances(self, _: Builder, x: int, p: float = 2.0) -> int:
        """Returns the distances of pairs of rows, as those to all other rows, each twice."""
        b = self.builder
        gaps = b.sub(b.expand(int(x), 1), b.expand(int(x), 0))
        apart = b.map("not", [b.eye(b.shape(x)[0])])
        return self.take(TABLE["linalg_vector_norm"](b, Node(gaps), p, [-1]), [apart], 2)

    def put(
        self, _: Builder, x: int, indices: Sequence[int | None], values: int, *more: object
    ) -> int:
        """Writes selected entries back to the places from which they were selected.

        Raises:
            TraceError: they are written to other places.
        """
        b, mask = self.builder, indices[0]
        if len(indices) != 1 or any(more) or mask is None:
            raise _selection_error("entries that a mask chose are written elsewhere")
        shape, rank = b.shape(x), len(b.shape(mask))
        flat = b.reshape(mask, [b.prod_sizes(x, range(rank))])
        choice = self.selections.get(flat)
        given = b.shape(values)
        if choice is None or choice.copies > 1 or given != (Size.of(choice.name), *shape[rank:]):
            raise _selection_error("entries that a mask chose are written elsewhere")
        whole = b.reshape(x, [choice.whole, *shape[rank:]])
        return b.reshape(b.node(WrittenEntries((int(values), flat, whole), b.shape(whole))), shape)

    def with_masks_as_weights(self, drafts: Drafts) -> Drafts:
        """Returns the drafts with all entries in place of the selected ones.

        Raises:
            TraceError: an operation counts, orders or shows them.
        """
        needed = self._needed = self._needed_nodes(drafts.output)
        for node in needed:
            self._require_separable(node)
        if self._selected_axes(drafts.output):
            raise _selection_error("the result holds entries that a mask chose")
        new, number, places = Builder(), dict[int, int](), dict[int, tuple[tuple[str, int], ...]]()
        # a mask may select from the entries that an earlier mask selected
        sizes = dict[str, Size]()
        for c in self.selections.values():
            sizes[c.name] = c.whole.substitute(sizes)
        for name, shape in self.builder._inputs:
            new.input(name, shape)
        for node in sorted(needed):  # the node of a mask precedes those of its entries
            op: Any = self.builder.nodes[node]
            if isinstance(op, SelectedEntries):
                number[node] = number[op.args[0]]
                continue
            if isinstance(op, WrittenEntries):
                values, mask, rest = (number[a] for a in op.args)
                number[node] = new.select(_broadcast_mask(new, mask, values, 0), values, rest)
                continue
            if op.as_size is not None and op.as_size.names & self._names:
                number[node] = self._size_node(new, op.as_size, number)
                continue
            changes: dict[str, Any] = {
                f.name: getattr(op, f.name).substitute(sizes)
                for f in dataclasses.fields(op)
                if isinstance(getattr(op, f.name), Size)
            }
            shape = tuple(s.substitute(sizes) for s in op.shape)
            args = tuple(number[a] for a in op.args)
            if op.as_product is not None:
                args, changes["inputs"] = self._masked_factors(new, op, args, number)
            elif isinstance(op, ops.Reduce) and self._reduces_selected(op):
                number[node] = self._reduce_selected(new, op, args[0], number)
                continue
            elif isinstance(op, ops.Reduce) or op.choice:
                args = (self._masked_one_hots(new, op.args[0], args[0], number), *args[1:])
            number[node] = new.node(dataclasses.replace(op, args=args, shape=shape, **changes))
            if node in drafts.places:
                places[number[node]] = drafts.places[node]
        return dataclasses.replace(drafts, builder=new, places=places, output=number[drafts.output])

    def _size_node(self, new: Builder, size: Size, number: dict[int, int]) -> int:
        """Returns the node of a size; a number of selected entries is the sum of their mask."""
        total = []
        for names, coefficient in size.terms:
            known = Size.of(coefficient)
            found = []
            for name in names:
                if name in self._names:
                    found.append(new.sum(self._weight(new, Size.of(name), number), [0]))
                else:
                    known = known * name
            product = new.size(known)
            for factor in found:
                product = new.mul(product, factor)
            total.append(product)
        return new.add(total)

    def _reduces_selected(self, op: ops.Reduce) -> bool:
        """Checks whether a reduction runs over selected entries and others could decide it."""
        (x,) = op.args
        over = {*op.axes} & {*self._selected_axes(x)}
        return bool(over) and not self._is_decided_by_selected(x, op)

    def _reduce_selected(self, new: Builder, op: ops.Reduce, x: int, number: dict[int, int]) -> int:
        """Returns the largest or smallest of the selected entries, or their product."""
        (old,), mask, context = op.args, None, current_context()
        shape = new.shape(x)
        for k in self._selected_axes(old):
            if k in op.axes:
                more = _broadcast_mask(
                    new, self._mask(new, self.builder.shape(old)[k], number), x, k
                )
                if mask is not None:
                    more = new.map("and", [mask, more])
                mask = more
        if mask is None:
            raise _selection_error("a reduction over the entries that a mask chose")
        if op.fn == "prod":
            return new.reduce("prod", new.select(mask, x, new.const(1)), op.axes)
        if context is not None:
            context.may_raise = True  # if the mask selects no entry
        if not new.is_total(x):
            x = new.select(mask, x, new.broadcast_to(new.const(0), shape))
        if op.fn == "max":
            return top(new, x, mask, op.axes)
        return new.neg(top(new, new.neg(x), mask, op.axes))

    def _mask(self, new: Builder, size: Size, number: dict[int, int]) -> int:
        """Returns the mask of the selected entries for an axis of this size.

        Raises:
            TraceError: parts of other entries and of chosen ones are joined in more than one order.
        """
        choice = next((c for c in self.selections.values() if Size.of(c.name) == size), None)
        if choice is not None:
            mask = number[choice.mask]
            if not choice.whole.names & self._names:
                return mask
            behind = self._mask(new, choice.whole, number)  # elsewhere the mask may be undefined
            return new.select(behind, mask, new.broadcast_to(new.const(0), new.shape(mask)))
        joined = {
            tuple(self.builder.shape(a)[axis] for a in self.builder.nodes[x].args)
            for x in self._needed
            if (axis := self.builder.nodes[x].joined_axis) is not None
            and self.builder.shape(x)[axis] == size
        }
        if len(joined) != 1:
            raise _selection_error(
                "entries that a mask chose and others are in an order that is not known"
            )
        parts = []
        for part in joined.pop():
            if part.names & self._names:
                parts.append(self._mask(new, part, number))
            else:
                parts.append(new.broadcast_to(new.const(1), [part]))
        return new.concat(parts, 0)

    def _weight(self, new: Builder, size: Size, number: dict[int, int]) -> int:
        """Returns the mask, where entries that occur k times have the weight 1 / k."""
        mask, copies = self._mask(new, size, number), self._copies(size)
        if copies == 1:
            return mask
        return new.mul(new.const(Fraction(1, copies)), mask)

    def _copies(self, size: Size) -> int:
        """Returns how often each entry of an axis occurs."""
        choices = (c for c in self.selections.values() if c.name in size.names)
        found = {c.name: c.copies * self._copies(c.whole) for c in choices}
        if size in map(Size.of, found):
            return found[str(size)]
        if any(copies > 1 for copies in found.values()):
            raise _selection_error("distances that a mask chose are joined with others")
        return 1

    def _masked_factors(
        self, new: Builder, op: Any, args: tuple[int, ...], number: dict[int, int]
    ) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """Returns the factors of a product, with the masks of summed axes as further factors."""
        rows = list(op.inputs)
        summed = {
            row[k]: self.builder.shape(a)[k]
            for a, row in zip(op.args, rows, strict=True)
            for k in self._selected_axes(a)
            if row[k] not in op.output
        }
        masks = {label: self._mask(new, size, number) for label, size in summed.items()}
        weights = [self._weight(new, size, number) for size in summed.values()]
        found = list(args)
        for k, (a, row) in enumerate(zip(args, rows, strict=True)):
            if new.is_total(a):
                continue
            for label in masks:
                if label in row:  # 0 at entries not selected, even undefined ones
                    wide = _broadcast_mask(new, masks[label], a, row.index(label))
                    found[k] = new.select(wide, found[k], new.const(0))
        return (*found, *weights), (*rows, *((label,) for label in masks))

    def _masked_one_hots(self, new: Builder, old: int, node: int, number: dict[int, int]) -> int:
        """Returns one-hot vectors that are 0 at entries not selected; other nodes as they are."""
        labels = [*range(len(new.shape(node)))]
        if not self._is_one_hot(old):
            return node
        places = self._selected_axes(old)
        masks = [self._mask(new, self.builder.shape(old)[k], number) for k in places]
        if masks:
            return new.einsum([node, *masks], [labels, *([k] for k in places)], labels)
        return node

    def _selected_axes(self, node: int) -> list[int]:
        """Returns the axes of a node that hold selected entries."""
        return [k for k, s in enumerate(self.builder.shape(node)) if s.names & self._names]

    def _needed_nodes(self, output: int) -> set[int]:
        """Returns the nodes behind a result, and the masks whose sums are numbers in it."""
        needed, masks = self.builder.behind(output), set[int]()
        while True:
            counted = [s for x in needed if (s := self.builder.nodes[x].as_size) is not None]
            names = {name for s in counted for name in s.names}
            more = {c.mask for c in self.selections.values() if c.name in names} - masks
            if not more:
                return needed
            masks |= more
            needed |= {x for mask in more for x in self.builder.behind(mask)}

    def _require_separable(self, node: int) -> None:
        """Refuses operations that do not treat selected entries separately, or reduce them."""
        b, op = self.builder, self.builder.nodes[node]
        mine = self._selected_axes(node)
        behind = [(k, a, axis) for k, a in enumerate(op.args) for axis in self._selected_axes(a)]
        if isinstance(op, SelectedEntries) or op.as_product is not None:
            return
        if isinstance(op, WrittenEntries):
            if any(axis or k for k, _, axis in behind):
                raise _selection_error("entries that a mask chose are written to others")
            return
        if mine and not behind and not (op.is_identity and self._is_unrepeated(op.shape[0])):
            raise _selection_error(
                "the number or the order of the entries that a mask chose is used"
            )
        if behind and isinstance(op, ops.Indicator) and len(op.shape) - 1 in mine:
            raise _selection_error("places among the entries that a mask chose are used")
        for k, a, axis in behind:
            kept = op.along(k, b.shape(a))[axis]
            alone = kept is not None and op.shape[kept] == b.shape(a)[axis]
            if not (
                alone or axis == op.joined_axis or (isinstance(op, ops.Reduce) and axis in op.axes)
            ):
                raise _selection_error(
                    f"{type(op).__name__.lower()} of the entries that a mask chose"
                )

    def _is_unrepeated(self, size: Size) -> bool:
        """Checks whether an axis is that of one mask, in which each entry occurs once."""
        return (
            size in [Size.of(c.name) for c in self.selections.values()] and self._copies(size) == 1
        )

    def _is_one_hot(self, node: int) -> bool:
        """Checks whether a node holds only zeros and ones: rearranged one-hot vectors."""
        op = self.builder.nodes[node]
        if isinstance(op, SelectedEntries):
            return self._is_one_hot(op.args[0])
        if isinstance(op, ops.Indicator):
            return True
        if op.constant is not None:
            return set(op.constant.flat) <= {0, 1}
        if op.as_product is not None:
            kept = all(set(labels) <= set(op.as_product.output) for labels in op.as_product.inputs)
            moved = is_view(self.builder, node) or kept
            return moved and all(self._is_one_hot(a) for a in op.args)
        if op.as_reading is not None or op.joined_axis is not None:
            return all(self._is_one_hot(a) for a in op.args)
        return False

    def _is_decided_by_selected(self, node: int, op: ops.Reduce) -> bool:
        """Checks whether no entry that is not selected can decide a maximum or minimum.

        This holds for one-hot vectors; for a choice by them between values and a bound on all
        entries; or for such a bound that is used in no other way.
        """
        inner = self.builder.nodes[self._without_views(op.args[0])]
        if self._is_one_hot(op.args[0]):
            return op.fn == "max"
        if inner.choice:
            bound = self.builder.nodes[self._without_views(inner.choice[2])]
            if (
                self._is_one_hot(inner.choice[0])
                and isinstance(bound, ops.Reduce)
                and {op.fn, bound.fn} == {"max", "min"}
                and self._without_views(bound.args[0]) == self._without_views(inner.choice[1])
            ):
                return True
        return self.builder.is_total(op.args[0]) and self._is_bound_only(node)

    def _without_views(self, node: int) -> int:
        """Returns the node whose entries a node rearranges or repeats."""
        op = self.builder.nodes[node]
        while is_view(self.builder, node):
            node = op.args[0]
            op = self.builder.nodes[node]
        return node

    def _is_bound_only(self, node: int) -> bool:
        """Checks whether a node is used only as the other value in choices by one-hot vectors."""
        b, found = self.builder, False
        for user in sorted(self._needed):
            op = b.nodes[user]
            if node not in op.args:
                continue
            if is_view(b, user):
                if not self._is_bound_only(user):
                    return False
            elif not op.choice or node in op.args[:2] or not self._is_one_hot(op.args[0]):
                return False
            found = True
        return found


def _broadcast_mask(b: Builder, mask: int, x: int, axis: int) -> int:
    """Returns a mask of one axis of a value, broadcast to all of its entries."""
    shape = b.shape(x)
    return b.einsum(
        [mask], [[axis]], range(len(shape)), {k: s for k, s in enumerate(shape) if k != axis}
    )


def _selection_error(message: str) -> TraceError:
    return TraceError(
        message, hint="give entries that do not count the weight 0", code=ErrorCode.TRACE_INDEX
    )
