"""What a torch target did, read operation by operation as a Program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import torch

from eqvproof.arrays import machine, positions
from eqvproof.arrays.context import current_context
from eqvproof.arrays.machine import require_stored
from eqvproof.arrays.masks import finite
from eqvproof.arrays.paths import Path, every_path, joined
from eqvproof.arrays.traced_program import Drafts, input_node
from eqvproof.arrays.values import is_traced
from eqvproof.deadline import require_time
from eqvproof.errors import EqvproofError, TraceError
from eqvproof.frontends.infinite import flags_of, over
from eqvproof.frontends.samples import NO_SPANS, Spans
from eqvproof.frontends.torch import (
    complex_tensors,
    indexing,
    layers,
    masked,
    picked,
    pointwise,
    special,
    views,
)
from eqvproof.frontends.torch.aten import TABLE, Node
from eqvproof.frontends.torch.boolean_indexing import Chosen
from eqvproof.frontends.torch.capture import Capture, Kind, Ref, Step, captured
from eqvproof.frontends.torch.held import name_of
from eqvproof.frontends.torch.sizes import holding, is_harmless, read_number
from eqvproof.program import Builder, Size, new_builder
from eqvproof.signature import Signature

_T = TypeVar("_T")


class Reader:
    """Runs a target, and reads the steps of the run."""

    def __init__(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int],
        dtype: torch.dtype, spans: Spans = NO_SPANS, *, limited: bool = False,
        originals: Mapping[int, torch.Tensor] | None = None, known: masked.Known | None = None,
    ) -> None:  # fmt: skip
        self.target, self.signature, self.pins, self.dtype = target, signature, pins, dtype
        self.spans, self.originals = spans, originals or {}
        self.known: masked.Known = {} if known is None else known
        self.capture: Capture
        self.builder = new_builder(limited=limited)
        self.traced = over(self.builder)
        self.values: dict[int, Any] = {}
        self.symbols: dict[str, Size] = {}
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}
        self.chosen = Chosen(self.builder)

    def read(self) -> Drafts:
        """The nodes of the builder, lines by node, and which is the result.

        Where the target branches on values each way is read; where it raises it has no value.
        """
        b = self.builder
        taken = list(every_path(self._way))
        first = next((t.result for t in taken if t.result is not None), None)
        if first is None:
            raise TraceError("the target raises an exception for every input", code="trace.raises")
        lost = b.broadcast_to(positions.undefined(b), b.shape(first))
        output = joined(b, taken, [lost if t.result is None else t.result for t in taken])
        limits = machine.limits(b, [n for n in self.signature.input_names if n not in self.pins])
        drafts = Drafts(b, self.places, output, limits, b.modular)
        return self.chosen.resolved(drafts) if self.chosen else drafts

    def _way(self, path: Path) -> tuple[int | None, None]:
        """One way through the target: its result, None where it raises, and what it asked."""
        self.capture = capture = captured(
            self.target, self.signature, self.pins, self.dtype, path.script, self.spans
        )
        self.symbols = {symbol: Size.of(name) for symbol, name in capture.names.items()}
        self.values = {}
        self._read_steps()
        self.builder.bits = min(self.builder.bits, self._shortest())
        context, raises = current_context(), capture.output < 0
        if context is not None and context.end_way is not None:
            context.end_way(raises=raises)
            context.may_raise |= raises
        path.asked += [(self._single(number), answer) for number, answer in capture.asked]
        return (None if raises else self._result()), None

    def _single(self, number: int) -> int:
        return self.builder.reshape(int(self.values[number]), [])

    def _read_steps(self) -> None:
        """All that the result and the questions depend on."""
        capture = self.capture
        self._refuse_conditions()
        used = capture.used()
        for number, tensor in capture.constants.items():
            if number in used and tensor.untyped_storage().data_ptr() in capture.changed:
                raise TraceError(
                    f"the result depends on {name_of(tensor, self.target)}, which each call changes",
                    expected="a function without state",
                    hint="call module.eval() first",
                    code="trace.state",
                )
            if number in used:
                given = self.originals.get(id(tensor), tensor)
                self.values[number] = masked.constant(self.traced, given, self.known)
        for argument, number in zip(self.signature.inputs, capture.inputs, strict=True):
            self.values[number] = Node(input_node(self.builder, argument, self.pins))
        for step in capture.steps:
            if used.intersection(step.made):
                require_time()
                before = len(self.builder.nodes)
                made = self._call(step)
                for place, value in zip(step.made, (made,) if step.single else made, strict=False):
                    if place is not None:
                        self.values[place] = self._stored(value, place, step)
                self.places.update(dict.fromkeys(range(before, len(self.builder.nodes)), step.places))

    def _result(self) -> int:
        output = self.values[self.capture.output]
        if is_traced(output):
            lost = positions.undefined(self.builder)
            return self.builder.select(flags_of(output), finite(output)._eqvproof.node, lost)
        if complex_tensors.holds_waves(output):
            raise TraceError("a target that returns complex numbers")
        if picked.is_picked(output):
            raise TraceError("a target that returns entries chosen by a mask, whose number is no size")
        return int(output)

    def _shortest(self) -> int:
        """Bits of the shortest floats that the target casts to, 64 where none are shorter than its own."""
        types = {k.dtype for k in self.capture.kinds if k.dtype.is_floating_point}
        return min((8 * t.itemsize for t in types if t.itemsize < self.dtype.itemsize), default=64)

    def _refuse_conditions(self) -> None:
        """What the sizes had to be, that they need not be at every size."""
        spans = {s: self.spans.get(name, (1, None)) for s, name in self.capture.names.items()}
        found = [g.expr for g in self.capture.env.guards if not is_harmless(g.expr, spans)]
        names = {s: self.symbols[str(s)] for e in found for s in e.free_symbols if str(s) in self.symbols}
        for e in found:
            if type(e).__name__ in ("Eq", "Equality") and e.args[0] in names and e.args[1].is_Integer:
                raise TraceError(
                    f"the target fixes the size of axis {names[e.args[0]]}",
                    given=f"{e.args[1]} wherever the size is {names[e.args[0]]}",
                    hint=f"give sizes={{'{names[e.args[0]]}': {e.args[1]}}}",
                    code="trace.size",
                )
        if found:
            spans = {self.capture.names[s]: span for s, span in holding(found, spans).items()}
            given = (e.subs({s: str(n) for s, n in names.items()}) for e in found)
            raise TraceError(
                "the target branches on its sizes", given=", ".join(map(str, given)),
                expected="one path for all sizes", code="trace.size", spans=spans,
            )  # fmt: skip

    def _stored(self, made: object, number: int, step: Step) -> object:
        """What the type of a result keeps of integers; its shape tells the sizes that the inputs decide."""
        kind = self.capture.kinds[number]
        if is_traced(made) or (isinstance(made, Node) and not isinstance(made, picked.Picked)):
            for size, known in zip(kind.shape, masked.shape_of(self.builder, made), strict=False):
                symbol = getattr(getattr(size, "node", None), "expr", None)
                if symbol is not None and symbol.is_Symbol:
                    self.symbols.setdefault(str(symbol), known)
        return self._integers(made, kind, step)

    def _integers(self, x: object, kind: Kind, step: Step) -> object:
        dtype = kind.dtype
        if type(x) is not Node or dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
            return x
        rounds = step.name == "_to_copy" and self._kind(step.args[0]).dtype.is_floating_point
        return Node(require_stored(self.builder, int(x), str(dtype).removeprefix("torch."), wraps=not rounds))

    def _kind(self, ref: Any) -> Kind:
        kind: Kind = self.capture.kinds[ref.number]
        return kind

    def _is_mask(self, step: Step) -> bool:
        """Whether an index holds truth values: the shape of the result depends on them."""
        return any(self._kind(i).dtype == torch.bool for i in step.args[1] if i is not None)

    def _complex(self, step: Step, args: list[Any], options: Mapping[str, object]) -> object:
        """An operation on complex tensors, or one that makes them of real ones."""
        given = complex_tensors.holds_waves([*args, *options.values()])
        handler = complex_tensors.handler_of(self.traced, step.name, given=given)
        if handler is None:
            raise TraceError(
                f"the torch operation {step.target} on complex tensors is not read",
                given=str(step.target), hint="take .abs(), .real or .imag first", code="trace.operation",
            )  # fmt: skip
        return self._made(step, handler, args, options)

    def _call(self, step: Step) -> Any:
        name = step.name
        args = [self._argument(a) for a in step.args]
        options = {k: self._argument(v) for k, v in step.kwargs.items() if k not in SKIPPED}
        given, kinds = [*args, *options.values()], [self.capture.kinds[n] for n in step.made if n is not None]
        infinite = masked.meets(name, given)
        if picked.is_picked(given):
            return self._made(step, picked.handler_of(name), _require_finite(step, args, given), options)
        if name in ("index_put", "_unsafe_index_put") and self._is_mask(step):
            chosen = _overwritten(self.builder, args)
            where = masked.handler_of(self.traced, "where") if masked.is_infinite(given) else None
            return self._made(step, where or TABLE["where"], chosen, {})
        if name == "index" and self._is_mask(step):
            args = _require_finite(step, args, given)
            return self.chosen.take(args[0], [None if i is None else int(i) for i in args[1]])
        if name == "nonzero":
            return self.chosen.places(int(_require_finite(step, args[0], given)))
        if complex_tensors.holds_waves(given) or any(k.dtype.is_complex for k in kinds):
            return self._complex(step, _require_finite(step, args, given), options)
        handler = masked.handler_of(self.traced, name) if infinite else TABLE.get(name)
        if name in LOGIC and kinds[0].dtype != torch.bool:
            raise TraceError("an operation on the bits of integers", given=str(step.target))
        if name == "_to_copy" and not infinite:
            return Node(self._cast(args[0], step, options))
        if handler is None and infinite:
            raise _infinite(step)
        handler = handler or pointwise.handler_of(step.target, args, options)
        if handler is None:
            raise TraceError(
                f"the torch operation {step.target} is not read",
                given=str(step.target),
                code="trace.operation",
            )
        return self._made(step, handler, args, options)

    def _made(
        self, step: Step, handler: Callable[..., object], args: list[object], options: Mapping[str, object]
    ) -> object:
        """What a handler makes of an operation: a node, or one for each result."""
        try:
            made = handler(self.builder, *args, **options)
        except TypeError as error:
            raise TraceError(
                f"the torch operation {step.target} is used in a way that is not read", given=str(error)
            ) from error
        except TraceError:
            raise
        except EqvproofError as error:
            raise TraceError(f"in {step.target}: {error.message}", given=error.given) from error
        if isinstance(made, (tuple, list)):
            return tuple(Node(x) if type(x) is int else x for x in made)
        return Node(made) if type(made) is int else made

    def _argument(self, value: object) -> Any:
        if isinstance(value, tuple):
            return [self._argument(v) for v in value]
        if isinstance(value, torch.SymBool):
            return self._truth(value.node.expr)
        if isinstance(value, (torch.SymInt, torch.SymFloat)):
            numbers = self.capture.numbers.items()
            entries = {s: Node(self._single(n)) for s, n in numbers if n in self.values}
            found = read_number(self.builder, value.node.expr, {**self.symbols, **entries})
            constant = found.constant if isinstance(found, Size) else None
            if isinstance(found, Node) and isinstance(value, torch.SymInt):
                raise TraceError("a size that the inputs decide", code="trace.size")
            return found if constant is None else constant
        return self.values[value.number] if isinstance(value, Ref) else value

    def _truth(self, condition: Any) -> bool:
        """Whether sizes are as a condition says, where that is so at all sizes or at none."""
        spans = {s: self.spans.get(name, (1, None)) for s, name in self.capture.names.items()}
        for answer in (True, False):
            if is_harmless(condition if answer else ~condition, spans):
                return answer
        raise TraceError("a truth value that the sizes decide", given=str(condition), code="trace.size")

    def _cast(self, x: int, step: Step, options: Mapping[str, Any]) -> int:
        """A conversion: floats to integers cut off, anything to booleans asks whether it is 0."""
        b, source = self.builder, self._kind(step.args[0]).dtype
        target = options.get("dtype") or source
        if target == torch.bool:
            return int(x) if source == torch.bool else b.map("ne", [int(x), b.const(0)])
        if target.is_floating_point or source == torch.bool or source == target:
            return int(x)
        if source.is_complex:
            raise TraceError("a conversion to a type that does not hold real numbers", given=str(target))
        return int(x) if not source.is_floating_point else int(TABLE["trunc"](b, x))


def _infinite(step: Step) -> TraceError:
    return TraceError(
        f"the torch operation {step.target} meets infinite entries",
        hint="-inf is read in masks that end in exp or softmax, +inf in masks that end in a minimum",
        code="trace.nonfinite",
    )


def _require_finite(step: Step, taken: _T, given: list[object]) -> _T:
    """What is taken where no argument has infinite entries. Raises: TraceError."""
    if masked.is_infinite(given):
        raise _infinite(step)
    return taken


def _overwritten(b: Builder, args: list[Any]) -> list[Any]:
    """``x[mask] = number`` for a mask over the first axes of x, as the arguments of where."""
    x, indices, value, *more = args
    mask = indices[0]
    one = Size.of(1)
    shape, given = masked.shape_of(b, x), masked.shape_of(b, value)
    if len(indices) != 1 or any(more) or len(given) > 1 or any(s != one for s in given):
        raise TraceError(
            "a write at the places of a mask that is not of one number",
            hint="torch.where chooses between values", code="trace.index",
        )  # fmt: skip
    for _ in range(len(shape) - len(b.shape(mask))):
        mask = b.expand(mask, len(b.shape(mask)))
    return [Node(b.broadcast_to(mask, shape)), value, x]


#: Logic on booleans, that works on the bits of integers.
LOGIC = frozenset({"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "__and__", "__or__", "__xor__"})
#: The modules that fill the table.
TABLES = (layers, indexing, special, views)
#: Options that say nothing about real numbers.
SKIPPED = frozenset({"layout", "device", "pin_memory", "memory_format", "implicit"})
