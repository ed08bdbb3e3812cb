"""Reader that translates the recorded operations of a torch target to a Program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import torch
from torch.utils._pytree import tree_leaves

from eqvproof.claims.signature import Signature
from eqvproof.claims.size import spoken_up_to
from eqvproof.programs import Builder, Size, new_builder
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError
from eqvproof.tracing.arrays import formulas, machine, positions
from eqvproof.tracing.arrays.context import current_context
from eqvproof.tracing.arrays.machine import require_stored
from eqvproof.tracing.arrays.masks import finite, number_flags
from eqvproof.tracing.arrays.object_state import paths_kept_apart
from eqvproof.tracing.arrays.pairs import is_pair
from eqvproof.tracing.arrays.paths import Path, chosen, every_path
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.traced_program import Drafts, input_node
from eqvproof.tracing.arrays.values import is_complex, is_traced
from eqvproof.tracing.framework_arrays import (
    Node,
    as_array,
    as_complex,
    as_value,
    is_array,
    reader_context,
)
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.torch import (
    indexing,
    layers,
    normalisation,
    pointwise,
    special,
    special_values,
    views,
)
from eqvproof.tracing.torch.aten import TABLE, Handler, UnreadArgument, lift
from eqvproof.tracing.torch.boolean_indexing import MaskSelections
from eqvproof.tracing.torch.capture import Capture, Kind, Ref, Step, capture_target
from eqvproof.tracing.torch.conditions import read_condition
from eqvproof.tracing.torch.constants import read_constant
from eqvproof.tracing.torch.parameters import name_of
from eqvproof.tracing.torch.sizes import (
    Expression,
    holds_at_every_size,
    read_number,
    spans_where_all_hold,
)

#: The arguments of an operation as its handler takes them.
Values: TypeAlias = list[Any]


class Reader:
    """Runs a target, and translates the steps of the run."""

    def __init__(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int],
        dtype: torch.dtype, spans: Spans = NO_SPANS, *, limited: bool = False,
        originals: Mapping[int, torch.Tensor] | None = None, gradients: bool = False,
    ) -> None:  # fmt: skip
        self.target, self.signature, self.pins, self.dtype = target, signature, pins, dtype
        self.spans, self.originals, self.gradients = spans, originals or {}, gradients
        self.capture: Capture
        self.builder = new_builder(limited=limited)
        self.context = reader_context(self.builder)
        self.values: dict[int, Any] = {}
        self.symbols: dict[str, Size] = {}
        self.floats: set[torch.dtype] = set()
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}
        self.selections = MaskSelections(self.builder)

    def read(self) -> Drafts:
        """Returns the drafts of the Program: nodes, lines by node, and the result.

        Where the target branches on values each path is read; on a path where it raises it has no
        value.
        """
        b = self.builder
        with spoken_up_to({n: high for n, (_, high) in self.spans.items() if high is not None}):
            with paths_kept_apart() as start_anew:
                output = chosen(b, list(every_path(self._read_path, start_anew)))
        limits = machine.limits(b, [n for n in self.signature.input_names if n not in self.pins])
        drafts = Drafts(b, self.places, output, limits, b.modular)
        if self.selections:
            return self.selections.with_masks_as_weights(drafts)
        return drafts

    def _read_path(self, path: Path) -> tuple[int | None, None]:
        """Reads one path through the target: its result, or None where it raises."""
        self.capture = capture = capture_target(
            self.target, self.signature, self.pins, self.dtype, path.script, self.spans,
            gradients=self.gradients,
        )  # fmt: skip
        self.symbols = {symbol: Size.of(name) for symbol, name in capture.names.items()}
        self.values = {}
        self._read_steps()
        self.floats |= {k.dtype for k in capture.kinds if k.dtype.is_floating_point}
        self.builder.bits = min(self.builder.bits, self._shortest())
        context, raises = current_context(), capture.output < 0
        if context is not None and context.end_way is not None:
            context.end_way(raises=raises)
            context.may_raise |= raises
        path.asked += [
            (self._question_node(question), answer) for question, answer in capture.asked
        ]
        if raises:
            return None, None
        return self._result(), None

    def _question_node(self, question: Expression | int) -> int:
        """Returns the node of a truth value that was asked for."""
        if isinstance(question, int):
            return self._only_entry(question)
        return read_condition(self.builder, question, self._known_numbers())

    def _only_entry(self, number: int) -> int:
        return self.builder.reshape(int(self.values[number]), [])

    def _read_steps(self) -> None:
        """Translates the steps on which the result and the questions depend."""
        capture = self.capture
        self._refuse_conditions()
        used = capture.used()
        for number, tensor in capture.constants.items():
            if number not in used:
                continue
            if tensor.layout != torch.strided:
                raise TraceError(
                    f"the result depends on {name_of(tensor, self.target)}, a tensor of the layout"
                    f" {tensor.layout}",
                    expected="dense tensors",
                    hint="hold its to_dense() instead",
                    code="trace.operation",
                )
            if tensor.untyped_storage().data_ptr() in capture.changed:
                raise TraceError(
                    f"the result depends on {name_of(tensor, self.target)}, which each call"
                    f" changes",
                    expected="a function without state",
                    hint="call module.eval() first",
                    code=ErrorCode.TRACE_STATE,
                )
            given = self.originals.get(id(tensor), tensor)
            self.values[number] = read_constant(self.context, given)
        for argument, number in zip(self.signature.inputs, capture.inputs, strict=True):
            self.values[number] = Node(input_node(self.builder, argument, self.pins))
        for step in capture.steps:
            if used.intersection(step.made):
                require_time()
                before = len(self.builder.nodes)
                made = self._evaluate_step(step)
                for place, value in zip(step.made, (made,) if step.single else made, strict=False):
                    if place in used:
                        self.values[place] = self._as_stored(value, place, step)
                self.places.update(
                    dict.fromkeys(range(before, len(self.builder.nodes)), step.places)
                )

    def _result(self) -> int:
        output = self.values[self.capture.output]
        if is_traced(output):
            lost = undefined(self.builder)
            return self.builder.select(number_flags(output), finite(output)._eqvproof.node, lost)
        if is_complex(output):
            raise TraceError("a target that returns complex numbers")
        return int(output)

    def _shortest(self) -> int:
        """Returns the bits of the shortest floats that the target casts to, at most 64.

        Types that are not shorter than the target's own do not count.
        """
        return min(
            (8 * t.itemsize for t in self.floats if t.itemsize < self.dtype.itemsize), default=64
        )

    def _refuse_conditions(self) -> None:
        """Refuses a target with conditions on sizes that do not hold at every size."""
        spans = {s: self.spans.get(name, (1, None)) for s, name in self.capture.names.items()}
        found = [g.expr for g in self.capture.env.guards if not holds_at_every_size(g.expr, spans)]
        names = {
            s: self.symbols[str(s)] for e in found for s in e.free_symbols if str(s) in self.symbols
        }
        for e in found:
            if (
                type(e).__name__ in ("Eq", "Equality")
                and e.args[0] in names
                and e.args[1].is_Integer
            ):
                raise TraceError(
                    f"the target fixes the size of axis {names[e.args[0]]}",
                    given=f"{e.args[1]} wherever the size is {names[e.args[0]]}",
                    hint=f"give sizes={{'{names[e.args[0]]}': {e.args[1]}}}",
                    code=ErrorCode.TRACE_SIZE,
                )
        if found:
            spans = {
                self.capture.names[s]: span
                for s, span in spans_where_all_hold(found, spans).items()
            }
            given = (e.subs({s: str(n) for s, n in names.items()}) for e in found)
            raise TraceError(
                "the target branches on its sizes", given=", ".join(map(str, given)),
                expected="one path for all sizes", code=ErrorCode.TRACE_SIZE, spans=spans,
            )  # fmt: skip

    def _as_stored(self, made: object, number: int, step: Step) -> object:
        """Returns a result as its type stores it, and records the sizes that the inputs decide."""
        kind, b = self.capture.kinds[number], self.builder
        if kind.dtype.is_complex:
            made = as_complex(as_array(self.context, made))
        elif is_pair(made):
            raise TraceError("complex numbers are made real ones", given=str(kind.dtype))
        if not isinstance(made, Node):
            if is_traced(made):
                self._record_sizes(kind, finite(made)._eqvproof.shape)
            return made
        if made == undefined(b):
            made = Node(b.broadcast_to(made, [self._argument(s) for s in kind.shape]))
            b.integers.add(made)  # as all of the entries that are defined are
            return made
        if len(b.shape(made)) != len(kind.shape):
            raise TraceError(
                f"a result of {step.target} whose shape is not read", code="trace.operation"
            )
        self._record_sizes(kind, b.shape(made))
        return Node(self._in_machine_type(int(made), kind, step))

    def _record_sizes(self, kind: Kind, shape: Sequence[Size]) -> None:
        for size, known in zip(kind.shape, shape, strict=True):
            symbol = getattr(getattr(size, "node", None), "expr", None)
            if symbol is not None and symbol.is_Symbol:
                self.symbols.setdefault(str(symbol), known)

    def _in_machine_type(self, x: int, kind: Kind, step: Step) -> int:
        """Returns numbers as a type stores them: integers of its width, and booleans as 0 or 1.

        A sum of booleans is stored as whether it is nonzero.

        Raises:
            TraceError: integers made of numbers that may not be whole; how they are rounded is not
                known.
        """
        b, dtype = self.builder, kind.dtype
        if dtype == torch.bool:
            if dtype not in {
                *self._argument_types(step),
                step.kwargs.get("dtype"),
            }:  # of a comparison
                b.bounds.setdefault(x, (0, 1))
            if machine.fits(b, x, "bool"):
                return x
            return b.map("ne", [x, b.const(0)])
        if dtype.is_floating_point or dtype.is_complex:
            return x
        if not positions.is_integer(b, x):
            raise TraceError(
                f"integers that {step.target} makes of numbers", given=str(step.target)
            )
        rounds = step.name == "_to_copy" and self._converted(step).is_floating_point
        return require_stored(b, x, str(dtype).removeprefix("torch."), wraps=not rounds)

    def _kind(self, ref: Ref) -> Kind:
        kind: Kind = self.capture.kinds[ref.number]
        return kind

    def _converted(self, step: Step) -> torch.dtype:
        """Returns the type of a converted value: of a tensor, or of a number in its place."""
        (value, *_) = step.args
        if isinstance(value, Ref):
            return self._kind(value).dtype
        return {bool: torch.bool, float: torch.float64}.get(type(value), torch.int64)

    def _argument_types(self, step: Step) -> set[torch.dtype]:
        """Returns the types of the tensors that an operation takes."""
        leaves = tree_leaves((step.args, dict(step.kwargs)))
        return {self._kind(a).dtype for a in leaves if isinstance(a, Ref)}

    def _is_mask(self, step: Step) -> bool:
        """Checks whether an index holds booleans, on which the shape of the result depends."""
        return any(self._kind(i).dtype == torch.bool for i in step.args[1] if i is not None)

    def _evaluate_step(self, step: Step) -> Any:
        made = {self.capture.kinds[n].dtype for n in step.made if n is not None}
        kinds = made | self._argument_types(step)
        whole = torch.bool not in made and not any(
            t.is_floating_point or t.is_complex for t in kinds
        )
        args, name = (
            self._promote_integers(step, [self._argument(a, whole=whole) for a in step.args]),
            step.name,
        )
        kept = {k: v for k, v in step.kwargs.items() if k not in SKIPPED}
        options = {k: self._argument(v, whole=whole) for k, v in kept.items()}
        if name != "_to_copy" and options.get("dtype") is not None and is_array(args[0]):
            given = {"dtype": options["dtype"]}  # entries are converted before they are summed
            args[0] = self._call_handler(
                step, self._handler(step, "_to_copy", args[:1], given), args[:1], given
            )
        if name != "_to_copy":
            options.pop("dtype", None)
        picks = name in ("index", "index_put", "_unsafe_index_put") and self._is_mask(step)
        if picks and name == "index":
            return self._call_handler(step, self._select_by_mask, args, options)
        if picks and self.selections.has_selected_axis(args[2]):
            return self._call_handler(step, self.selections.put, args, options)
        if picks:
            name, args = "where", _where_arguments(self.builder, args)
        return self._call_handler(step, self._handler(step, name, args, options), args, options)

    def _promote_integers(self, step: Step, args: Values) -> Values:
        """Converts integer operands of an elementwise operation to their common type.

        A number in the code, and a tensor without axes beside one that has some, take the type of
        the other.
        """
        start = int(step.name == "where")
        pair = step.args[start : start + 2]
        tensors = [isinstance(a, Ref) for a in pair]
        if torch.Tag.pointwise not in step.target.tags or len(pair) < 2 or not any(tensors):
            return args
        if not all(t or type(a) in (int, torch.SymInt) for a, t in zip(pair, tensors, strict=True)):
            return args
        common = torch.result_type(*map(self._example_of_type, pair))
        if common == torch.bool or common.is_floating_point or common.is_complex:
            return args
        b, name = self.builder, str(common).removeprefix("torch.")
        for place, value in enumerate(args[start : start + 2], start):
            if type(value) is int:
                low = torch.iinfo(common).min
                args[place] = (value - low) % 2 ** torch.iinfo(common).bits + low
            elif isinstance(value, (Node, Size)):
                args[place] = Node(require_stored(b, lift(b, value), name))
        return args

    def _example_of_type(self, value: object) -> Any:
        """Returns a tensor of the same type and number of axes; a number for a number."""
        if not isinstance(value, Ref):
            return 1
        return torch.empty((1,) * len(self._kind(value).shape), dtype=self._kind(value).dtype)

    def _handler(
        self, step: Step, name: str, args: Values, options: Mapping[str, object]
    ) -> Handler:
        """Returns the handler of an operation with these arguments."""
        given = [*args, *options.values()]
        kinds = [self.capture.kinds[n] for n in step.made if n is not None]
        own: dict[str, Handler] = {
            "_to_copy": partial(self._cast, step),
            "nonzero": lambda b, x: self.selections.places(b.map("ne", [int(x), b.const(0)])),
            "_pdist_forward": self.selections.distances,
        }  # fmt: skip
        known, told = own.get(name) or TABLE.get(name), ""
        if special_values.has_complex(given) or any(k.dtype.is_complex for k in kinds):
            known, told = special_values.handler_of(self.context, name), COMPLEX
        elif name in LOGIC and kinds[0].dtype != torch.bool and not self._are_booleans(name, given):
            raise TraceError("an operation on the bits of integers", given=str(step.target))
        elif special_values.has_infinite_arguments(name, given):
            known, told = special_values.handler_of(self.context, name), INFINITE
        else:
            known = known or pointwise.handler_of(step.target, args, options)
        if known is None:
            code = "trace.operation"
            if told == INFINITE:
                code = "trace.nonfinite"
            raise TraceError(
                f"the torch operation {step.target}{told} is not read",
                given=str(step.target),
                hint=HINTS.get(told, ""),
                code=code,
            )
        return known

    def _are_booleans(self, name: str, given: Sequence[object]) -> bool:
        """Checks whether operands of a bitwise operation are known to be 0 or 1 at every entry."""
        values = [lift(self.builder, x) for x in given if type(x) in (int, Node)]
        return name != "bitwise_not" and all(machine.fits(self.builder, x, "bool") for x in values)

    def _select_by_mask(self, b: Builder, x: int, indices: Sequence[int | None]) -> object:
        """Returns the entries that a mask selects."""
        return self.selections.take(x, indices)

    def _call_handler(
        self,
        step: Step,
        handler: Callable[..., object],
        args: Values,
        options: Mapping[str, object],
    ) -> Any:
        """Calls a handler; returns the value of an operation, or one value for each result."""
        try:
            made = handler(self.builder, *args, **options)
        except TypeError as error:
            raise TraceError(
                f"the torch operation {step.target} is used in a way that is not read",
                given=str(error),
            ) from error
        except EqvproofError as error:
            if isinstance(error, TraceError) and not isinstance(error, UnreadArgument):
                raise
            raise TraceError(
                f"in {step.target}: {error.message}",
                given=error.given,
                hint=error.hint,
                code=error.code,
                spans=error.spans,
            ) from error
        if isinstance(made, (tuple, list)):
            return tuple(map(as_value, made))
        return as_value(made)

    def _argument(self, value: object, *, whole: bool = False) -> Any:
        """Returns the value of an argument; truncates a float that goes into integers."""
        if isinstance(value, tuple):
            return [self._argument(v, whole=whole) for v in value]
        if whole and isinstance(value, float) and math.isfinite(value):
            return int(value)
        if isinstance(value, torch.SymBool):
            return self._decide_condition(value.node.expr)
        if isinstance(value, (torch.SymInt, torch.SymFloat)):
            found = read_number(self.builder, value.node.expr, self._known_numbers())
            if isinstance(found, Node):
                if isinstance(value, torch.SymInt):
                    raise TraceError("a size that the inputs decide", code=ErrorCode.TRACE_SIZE)
                return found
            if found.constant is None:
                return found
            return found.constant
        if isinstance(value, Ref):
            return self.values[value.number]
        return value

    def _known_numbers(self) -> dict[str, Size | Node]:
        """Returns the values of torch's symbols: sizes, and entries of tensors that were read."""
        numbers = self.capture.numbers.items()
        return {
            **self.symbols,
            **{s: Node(self._only_entry(n)) for s, n in numbers if n in self.values},
        }

    def _decide_condition(self, condition: Expression) -> bool:
        """Decides a condition on sizes that holds at all sizes or at none; refuses others."""
        spans = {s: self.spans.get(name, (1, None)) for s, name in self.capture.names.items()}
        if holds_at_every_size(condition, spans):
            return True
        if holds_at_every_size(~condition, spans):
            return False
        raise TraceError(
            "a truth value that the sizes decide", given=str(condition), code=ErrorCode.TRACE_SIZE
        )

    def _cast(
        self, step: Step, b: Builder, value: object, *, dtype: torch.dtype | None = None
    ) -> int:
        """Converts types: truncates floats to integers, and compares with 0 for booleans."""
        source, x = self._converted(step), lift(b, value)
        target = dtype or source
        if target == torch.bool:
            if source == torch.bool:
                return x
            return b.map("ne", [x, b.const(0)])
        if target.is_floating_point or source == torch.bool or source == target:
            return x
        if source.is_complex:
            raise TraceError(
                "a conversion to a type that does not hold real numbers", given=str(target)
            )
        if not source.is_floating_point:
            return x
        return formulas.trunc(b, x)


def _where_arguments(b: Builder, args: Values) -> Values:
    """Returns the arguments of where for ``x[mask] = number``, with a mask over first axes."""
    x, indices, value, *more = args
    mask = indices[0]
    one = Size.of(1)
    shape, given = special_values.shape_of(b, x), special_values.shape_of(b, value)
    if len(indices) != 1 or any(more) or len(given) > 1 or any(s != one for s in given):
        raise TraceError(
            "a write at the places of a mask that is not of one number",
            hint="torch.where chooses between values", code=ErrorCode.TRACE_INDEX,
        )  # fmt: skip
    for _ in range(len(shape) - len(b.shape(mask))):
        mask = b.expand(mask, len(b.shape(mask)))
    return [Node(b.broadcast_to(mask, shape)), value, x]


#: The end of the message about an operation that is not read, and the hints.
COMPLEX, INFINITE = " on complex tensors", " on infinite entries"
HINTS = {
    COMPLEX: "take .abs(), .real or .imag first",
    INFINITE: "-inf is read in masks that end in exp or softmax, +inf in masks that end in a"
    " minimum",
}
#: Logic on booleans, which acts on the bits of integers.
LOGIC = frozenset(
    {"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "__and__", "__or__", "__xor__"}
)
#: The modules whose import fills the table.
TABLES = (layers, normalisation, indexing, special, views)
#: Options that do not affect real numbers.
SKIPPED = frozenset({
    "layout", "device", "pin_memory", "memory_format", "implicit", "non_blocking", "sparse_grad",
    "check_errors", "driver", "out_int32",
})  # fmt: skip
