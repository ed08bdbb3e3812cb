"""Entries chosen by a mask: ``edge_index[:, mask]``, whose size the inputs decide.

How many entries there are is no size of the signature. In their place stand all entries, those that are not
chosen with one-hot vectors that are zero: looked up they give zero, and what is sent to their place reaches
none. That is the same as leaving them out for as long as every sum over them goes with their one-hot vectors;
everything else that would count, order or show them is refused.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import eqvproof.operations as ops
from eqvproof.errors import TraceError
from eqvproof.frontends import positions
from eqvproof.frontends.traced_program import Drafts
from eqvproof.program import Builder, Size
from eqvproof.program.comparisons import is_view
from eqvproof.rules.sums import Weight


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """What stands for one array of chosen entries.

    Attributes:
        name: the size of the chosen entries.
        whole: the size of the axis that they were chosen from.
        inputs: name of a stand-in -> the node that it stands for.
    """

    name: str
    whole: Size
    inputs: dict[str, int]


class Chosen:
    """The choices of one trace."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.choices: list[Choice] = []
        self._hots: set[int] = set()
        self._alive: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self.choices)

    def take(self, x: int, indices: list[int | None]) -> int:
        """The positions of x that a mask (for one axis; None: all of an axis) chooses.

        Raises:
            TraceError: entries that are no positions, or another kind of mask.
        """
        b = self.builder
        size = positions.range_of(b, x)
        axes = [k for k, i in enumerate(indices) if i is not None]
        mask = indices[axes[0]]
        if size is None or len(axes) != 1 or mask is None or len(b.shape(mask)) != 1:
            raise TraceError(
                "entries chosen by a mask, so that their number depends on the inputs",
                hint="give the others the weight 0", code="trace.index",
            )  # fmt: skip
        axis, number = axes[0], len(self.choices)
        shape = list(b.shape(x))
        whole = shape[axis]
        name = f"chosen{number}"
        shape[axis] = Size.of(name)
        hot = positions.one_hot(b, x, size)
        rank = len(shape)
        alive = b.einsum([hot, mask], [range(rank + 1), [axis]], range(rank + 1))
        entries, vectors = b.input(f"{name}.entries", shape), b.input(f"{name}.vectors", [*shape, size])
        b.ranges[entries] = size
        b.hots[entries, size] = vectors
        self._hots.add(vectors)
        self.choices.append(Choice(name, whole, {f"{name}.entries": x, f"{name}.vectors": alive}))
        return entries

    def resolved(self, drafts: Drafts) -> Drafts:
        """The values with all entries in place of the chosen ones.

        Raises:
            TraceError: something counts, orders or shows them.
        """
        needed = self._alive = self._needed(drafts.output)
        names = {c.name for c in self.choices}
        for node in needed:
            self._require_harmless(node, names)
        if any(s.names & names for s in self.builder.shape(drafts.output)):
            raise _refusal("the result holds entries that a mask chose")
        new, number, places = Builder(), dict[int, int](), dict[int, tuple[tuple[str, int], ...]]()
        sizes = {c.name: c.whole for c in self.choices}
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
            number[node] = new.node(dataclasses.replace(op, args=args, shape=shape, **changes))
            if node in drafts.places:
                places[number[node]] = drafts.places[node]
        return dataclasses.replace(drafts, builder=new, places=places, output=number[drafts.output])

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
        return needed

    def _require_harmless(self, node: int, names: set[str]) -> None:
        """Refuse what does not treat every chosen entry by itself, or sums without their one-hot vectors."""
        b, op = self.builder, self.builder.nodes[node]

        def involved(x: int) -> list[int]:
            return [k for k, s in enumerate(b.shape(x)) if s.names & names]

        shown = [k for k, s in enumerate(op.shape) if s.names & names]
        behind = any(involved(a) for a in op.args)
        counted = op.as_size is not None and op.as_size.names & names
        if not op.args and op.given is None and (shown or counted):
            raise _refusal("the number of entries that a mask chose is used")
        if not behind:
            return
        product, reading = op.as_product, op.as_reading
        if product is not None:
            factors, output = product.factors, product.output
            for arg, labels in factors:
                for k in involved(arg):
                    if labels[k] not in output and not self._goes_with_vectors(factors, labels[k]):
                        raise _refusal("a sum over the entries that a mask chose")
        elif isinstance(op, ops.Reduce):
            if set(op.axes) & set(involved(op.args[0])) and not self._is_masked(node, op):
                raise _refusal("a reduction over the entries that a mask chose")
        elif reading is not None:
            if {*reading.moved(b.shape(op.args[0]))} & {*involved(op.args[0])}:
                raise _refusal("some of the entries that a mask chose are picked")
        elif isinstance(op, ops.Reshape):
            if [s for s in op.shape if s.names & names] != [
                s for s in b.shape(op.args[0]) if s.names & names
            ]:
                raise _refusal("the entries that a mask chose are reshaped")
        elif not (op.joined is not None or op.choice or op.terms or op.function or op.unit_axes):
            raise _refusal(f"{type(op).__name__.lower()} of the entries that a mask chose")

    def _goes_with_vectors(self, factors: list[Weight], label: int) -> bool:
        """Whether a product is zero at the entries that were not chosen, along a label."""
        vectors = [arg for arg, labels in factors if label in labels and self._is_zero_outside(arg)]
        others = [arg for arg, _ in factors if arg not in vectors]
        return bool(vectors) and all(self.builder.is_total(a) for a in others)

    def _is_zero_outside(self, node: int) -> bool:
        """Whether a node is zero at the entries that were not chosen."""
        op = self.builder.nodes[node]
        if node in self._hots:
            return True
        if op.as_product is not None:
            found = [a for a in op.args if self._is_zero_outside(a)]
            return bool(found) and all(self.builder.is_total(a) for a in op.args if a not in found)
        if op.as_reading is not None:
            return self._is_zero_outside(op.args[0])
        if op.joined is not None:
            return all(self._is_zero_outside(a) or not self._is_chosen(a) for a in op.args)
        if op.choice:
            return self.builder.scalar_value(op.choice[2]) == 0 and self._is_mask(op.choice[0])
        return False

    def _is_mask(self, node: int) -> bool:
        """Whether a node is zeros and ones, and zero at the entries that were not chosen."""
        return self._is_vectors(node) and self._is_zero_outside(node)

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

    def _is_chosen(self, node: int) -> bool:
        names = {c.name for c in self.choices}
        return any(s.names & names for s in self.builder.shape(node))

    def _is_masked(self, node: int, op: ops.Reduce) -> bool:
        """Whether a maximum or minimum is not decided by an entry that was not chosen.

        It is of one-hot vectors; or of what they let pass, and a bound on all entries elsewhere; or it is
        such a bound, and nothing else.
        """
        inner = self.builder.nodes[self._plain(op.args[0])]
        if op.fn == "max" and self._is_mask(op.args[0]):
            return True
        if inner.choice:
            bound = self.builder.nodes[self._plain(inner.choice[2])]
            if (
                self._is_mask(inner.choice[0])
                and isinstance(bound, ops.Reduce)
                and {op.fn, bound.fn} == {"max", "min"}
                and self._plain(bound.args[0]) == self._plain(inner.choice[1])
            ):
                return True
        return self._is_bound_only(node)

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
            elif not op.choice or node in op.args[:2] or not self._is_mask(op.args[0]):
                return False
            found = True
        return found


def _refusal(message: str) -> TraceError:
    return TraceError(message, hint="give entries that do not count the weight 0", code="trace.index")
