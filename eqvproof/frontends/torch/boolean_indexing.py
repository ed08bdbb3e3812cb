"""Entries chosen by a mask: ``edge_index[:, mask]``, ``mask.nonzero()``, whose size the inputs decide.

How many entries there are is no size of the signature. In their place stand all entries, and whatever is at
those that are not chosen counts for nothing: every sum over them goes with the mask as one more factor, every
choice by their one-hot vectors with the mask as well. Everything else that would count, order or show them is
refused.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import eqvproof.operations as ops
from eqvproof.arrays import positions
from eqvproof.arrays.traced_program import Drafts
from eqvproof.errors import TraceError
from eqvproof.frontends.torch.picked import pick
from eqvproof.frontends.torch.values import Node, Picked
from eqvproof.program import Builder, Size
from eqvproof.program.comparisons import is_view


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """What stands for one array of chosen entries.

    Attributes:
        name: the size of the chosen entries.
        whole: the size of the axis that they were chosen from.
        mask: the node of the mask.
        inputs: name of a stand-in -> the node that it stands for.
    """

    name: str
    whole: Size
    mask: int
    inputs: dict[str, int]


class Chosen:
    """The choices of one trace."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.choices: list[Choice] = []
        self._hots: set[int] = set()
        self._names: set[str] = set()
        self._alive: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self.choices)

    def places(self, mask: int) -> Node | Picked:
        """The positions where a mask is true: of all, a row of indices each, those that it chooses.

        Raises:
            TraceError: axes of different sizes.
        """
        b, shape = self.builder, self.builder.shape(mask)
        if len(set(shape)) != 1:
            raise TraceError("the places of a mask whose axes differ in size", code="trace.index")
        labels, size = range(len(shape)), shape[0]
        counts = [b.einsum([b.iota(size)], [[k]], labels, dict.fromkeys(labels, size)) for k in labels]
        whole = math.prod(shape, start=Size.of(1))
        rows = b.concat([b.reshape(c, [whole, 1]) for c in counts], 1)
        return self.take(rows, [b.reshape(mask, [whole])])

    def take(self, x: int, indices: list[int | None]) -> Node | Picked:
        """The entries of x that a mask (for one axis; None: all of an axis) chooses; see `picked`.

        Raises:
            TraceError: another kind of mask.
        """
        b = self.builder
        size = positions.range_of(b, x)
        axes = [k for k, i in enumerate(indices) if i is not None]
        mask = indices[axes[0]]
        if size is None or len(axes) != 1 or mask is None or len(b.shape(mask)) != 1:
            return pick(b, x, indices)
        axis, number = axes[0], len(self.choices)
        shape = list(b.shape(x))
        whole = shape[axis]
        name = f"chosen{number}"
        shape[axis] = Size.of(name)
        hot = positions.one_hot(b, x, size)
        entries, vectors = b.input(f"{name}.entries", shape), b.input(f"{name}.vectors", [*shape, size])
        b.ranges[entries] = size
        b.hots[entries, size] = vectors
        self._hots.add(vectors)
        self._names.add(name)
        self.choices.append(Choice(name, whole, mask, {f"{name}.entries": x, f"{name}.vectors": hot}))
        return Node(entries)

    def resolved(self, drafts: Drafts) -> Drafts:
        """The values with all entries in place of the chosen ones.

        Raises:
            TraceError: something counts, orders or shows them.
        """
        needed = self._alive = self._needed(drafts.output)
        for node in needed:
            self._require_harmless(node)
        if self._places(drafts.output):
            raise _refusal("the result holds entries that a mask chose")
        new, number, places = Builder(), dict[int, int](), dict[int, tuple[tuple[str, int], ...]]()
        sizes = dict[str, Size]()
        for c in self.choices:  # of entries that were chosen before, some may be chosen
            sizes[c.name] = c.whole.substitute(sizes)
        stand_ins = {n: x for c in self.choices for n, x in c.inputs.items()}
        for name, shape in self.builder._inputs:
            if name not in stand_ins:
                new.input(name, shape)
        for node in sorted(needed):  # what a stand-in stands for was made before it
            op: Any = self.builder.nodes[node]
            if op.given in stand_ins:
                number[node] = number[stand_ins[op.given]]
                continue
            changes: dict[str, Any] = {
                f.name: getattr(op, f.name).substitute(sizes)
                for f in dataclasses.fields(op)
                if isinstance(getattr(op, f.name), Size)
            }
            shape = tuple(s.substitute(sizes) for s in op.shape)
            args = tuple(number[a] for a in op.args)
            if op.as_product is not None:
                args, changes["inputs"] = self._with_masks(new, op, args, number)
            elif isinstance(op, ops.Reduce) or op.choice:
                args = (self._masked(new, op.args[0], args[0], number), *args[1:])
            number[node] = new.node(dataclasses.replace(op, args=args, shape=shape, **changes))
            if node in drafts.places:
                places[number[node]] = drafts.places[node]
        return dataclasses.replace(drafts, builder=new, places=places, output=number[drafts.output])

    def _mask(self, new: Builder, size: Size, number: dict[int, int]) -> int:
        """Which of the entries that an axis of this size stands for are chosen.

        Raises:
            TraceError: parts of other entries and of chosen ones are joined in more than one order.
        """
        choice = next((c for c in self.choices if Size.of(c.name) == size), None)
        if choice is not None:
            mask = number[choice.mask]
            if not choice.whole.names & self._names:
                return mask
            behind = self._mask(new, choice.whole, number)  # elsewhere the mask may be undefined
            return new.select(behind, mask, new.broadcast_to(new.const(0), new.shape(mask)))
        joined = {
            tuple(self.builder.shape(a)[axis] for a in self.builder.nodes[x].args)
            for x in self._alive
            if (axis := self.builder.nodes[x].joined) is not None and self.builder.shape(x)[axis] == size
        }
        if len(joined) != 1:
            raise _refusal("entries that a mask chose and others are in an order that is not known")
        parts = [
            self._mask(new, s, number) if s.names & self._names else new.broadcast_to(new.const(1), [s])
            for s in joined.pop()
        ]
        return new.concat(parts, 0)

    def _with_masks(
        self, new: Builder, op: Any, args: tuple[int, ...], number: dict[int, int]
    ) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """The factors of a product, and with each label of chosen entries that is summed their mask."""
        rows = list(op.inputs)
        summed = {
            row[k]: self.builder.shape(a)[k]
            for a, row in zip(op.args, rows, strict=True)
            for k in self._places(a)
            if row[k] not in op.output
        }
        masks = {label: self._mask(new, size, number) for label, size in summed.items()}
        found = list(args)
        for k, (a, row) in enumerate(zip(args, rows, strict=True)):
            for label in masks if not new.is_total(a) else ():
                if label in row:  # 0 where it is not chosen, even if it is undefined there
                    wide = new.einsum([masks[label]], [[0]], [0])
                    for place, _ in enumerate(row):
                        wide = wide if place == row.index(label) else new.expand(wide, place)
                    found[k] = new.select(
                        new.broadcast_to(wide, new.shape(a)),
                        found[k],
                        new.broadcast_to(new.const(0), new.shape(a)),
                    )
        return (*found, *masks.values()), (*rows, *((label,) for label in masks))

    def _masked(self, new: Builder, old: int, node: int, number: dict[int, int]) -> int:
        """One-hot vectors, 0 at entries that are not chosen; other nodes as they are."""
        labels = [*range(len(new.shape(node)))]
        places = self._places(old) if self._is_vectors(old) else []
        masks = [self._mask(new, self.builder.shape(old)[k], number) for k in places]
        return new.einsum([node, *masks], [labels, *([k] for k in places)], labels) if masks else node

    def _places(self, node: int) -> list[int]:
        """The axes of a node that hold chosen entries."""
        return [k for k, s in enumerate(self.builder.shape(node)) if s.names & self._names]

    def _needed(self, output: int) -> set[int]:
        """The nodes behind a result, those behind stand-ins included."""
        stand_ins = {n: x for c in self.choices for n, x in c.inputs.items()}
        needed: set[int] = set()
        stack = [output]
        while stack:
            node = stack.pop()
            if node not in needed:
                needed.add(node)
                op = self.builder.nodes[node]
                stack.extend(op.args)
                if op.given in stand_ins:
                    stack.append(stand_ins[op.given])
                stack.extend(c.mask for c in self.choices if op.given in c.inputs)
        return needed

    def _require_harmless(self, node: int) -> None:
        """Refuse what neither treats every chosen entry by itself, nor sums them."""
        b, op = self.builder, self.builder.nodes[node]
        counted = op.as_size is not None and op.as_size.names & self._names
        if not op.args and op.given is None and (self._places(node) or counted):
            raise _refusal("the number of entries that a mask chose is used")
        reading = op.as_reading
        if op.as_product is not None or not any(self._places(a) for a in op.args):
            return
        if isinstance(op, ops.Reduce):
            if set(op.axes) & set(self._places(op.args[0])) and not self._is_decided_by_chosen(node, op):
                raise _refusal("a reduction over the entries that a mask chose")
        elif reading is not None:
            if {*reading.moved(b.shape(op.args[0]))} & {*self._places(op.args[0])}:
                raise _refusal("some of the entries that a mask chose are picked")
        elif op.keeps_order:
            before = b.shape(op.args[0])
            if [op.shape[k] for k in self._places(node)] != [before[k] for k in self._places(op.args[0])]:
                raise _refusal("the entries that a mask chose are reshaped")
        elif not (op.joined is not None or op.choice or op.terms or op.function or op.unit_axes):
            raise _refusal(f"{type(op).__name__.lower()} of the entries that a mask chose")

    def _is_vectors(self, node: int) -> bool:
        """Whether a node holds zeros and ones: one-hot vectors, moved about, multiplied with each other."""
        op = self.builder.nodes[node]
        if node in self._hots or isinstance(op, ops.Indicator):
            return True
        if op.constant is not None:
            return set(op.constant.flat) <= {0, 1}
        if op.as_product is not None:
            kept = all(set(labels) <= set(op.as_product.output) for labels in op.as_product.inputs)
            moved = is_view(self.builder, node) or kept
            return moved and all(self._is_vectors(a) for a in op.args)
        if op.as_reading is not None or op.joined is not None:
            return all(self._is_vectors(a) for a in op.args)
        return False

    def _is_decided_by_chosen(self, node: int, op: ops.Reduce) -> bool:
        """Whether a maximum or minimum is not decided by an entry that was not chosen.

        It is of one-hot vectors; or of what they let pass, and a bound on all entries elsewhere; or it is
        such a bound, and nothing else.
        """
        inner = self.builder.nodes[self._plain(op.args[0])]
        if self._is_vectors(op.args[0]):
            return op.fn == "max"
        if inner.choice:
            bound = self.builder.nodes[self._plain(inner.choice[2])]
            if (
                self._is_vectors(inner.choice[0])
                and isinstance(bound, ops.Reduce)
                and {op.fn, bound.fn} == {"max", "min"}
                and self._plain(bound.args[0]) == self._plain(inner.choice[1])
            ):
                return True
        return self.builder.is_total(op.args[0]) and self._is_bound_only(node)

    def _plain(self, node: int) -> int:
        """What a node moves about or repeats."""
        op = self.builder.nodes[node]
        while is_view(self.builder, node):
            node = op.args[0]
            op = self.builder.nodes[node]
        return node

    def _is_bound_only(self, node: int) -> bool:
        """Whether a node is used as what stands, in a choice by one-hot vectors, where they are zero."""
        b, found = self.builder, False
        for user in sorted(self._alive):
            op = b.nodes[user]
            if node not in op.args:
                continue
            if is_view(b, user):
                if not self._is_bound_only(user):
                    return False
            elif not op.choice or node in op.args[:2] or not self._is_vectors(op.args[0]):
                return False
            found = True
        return found


def _refusal(message: str) -> TraceError:
    return TraceError(message, hint="give entries that do not count the weight 0", code="trace.index")
