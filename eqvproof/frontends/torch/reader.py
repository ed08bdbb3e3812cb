"""An exported graph of torch read node by node."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from eqvproof.deadline import require_time
from eqvproof.errors import EqvproofError, TraceError
from eqvproof.frontends import machine
from eqvproof.frontends.drafts import Drafts
from eqvproof.frontends.frames import DEEPEST, owner_of_file
from eqvproof.frontends.machine import require_stored
from eqvproof.frontends.torch import layers, masked, picking, special, views, waves
from eqvproof.frontends.torch.aten import TABLE, Node, lift
from eqvproof.frontends.torch.chosen import Chosen
from eqvproof.program import Builder, Size
from eqvproof.signature import Signature


class Reader:
    """Reads an exported graph node by node."""

    def __init__(
        self, exported: Any, signature: Signature, pins: Mapping[str, int], *, limited: bool = False
    ) -> None:
        self.exported, self.signature, self.pins = exported, signature, pins
        self.builder = Builder(limited=limited)
        self.values: dict[Any, Any] = {}
        self.symbols: dict[str, Size] = {}
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}
        self.chosen = Chosen(self.builder)

    def read(self) -> Drafts:
        """The nodes of the builder, lines by node, and which is the result."""
        graph = self.exported.graph_module.graph
        inputs = dict(self.exported.graph_signature.inputs_to_parameters)
        inputs.update(self.exported.graph_signature.inputs_to_buffers)
        inputs.update(getattr(self.exported.graph_signature, "inputs_to_lifted_tensor_constants", {}))
        state = {**dict(self.exported.state_dict), **dict(self.exported.constants)}
        arguments = iter(self.signature.inputs)
        tokens = set(self.exported.graph_signature.input_tokens)
        changed = set(self.exported.graph_signature.buffers_to_mutate.values())
        used = _used(graph, set(self.exported.graph_signature.user_outputs))
        result: Any = None
        for node in graph.nodes:
            if node.op == "placeholder":
                if node.name in inputs and node not in used:
                    continue
                if inputs.get(node.name) in changed:
                    raise TraceError(
                        f"the result depends on {inputs[node.name]}, which each call changes",
                        expected="a function without state",
                        hint="call module.eval() first",
                        code="trace.state",
                    )
                if node.name in inputs:
                    self.values[node] = masked.constant(self.builder, state[inputs[node.name]])
                elif node.name not in tokens:
                    self.values[node] = self._input(next(arguments), node)
            elif node.op == "output":
                result = node.args[0]
            elif node in used:
                require_time()
                before = len(self.builder.nodes)
                self.values[node] = self._stored(node, self._call(node))
                self._note(node, before)
        made = set(self.exported.graph_signature.user_outputs)
        result = [r for r in result if getattr(r, "name", None) in made]
        if len(result) != 1:
            raise TraceError("a target that does not return one tensor", expected="one tensor")
        output = self.values.get(result[0])
        if not isinstance(output, Node):
            raise TraceError("a target that returns something else than a tensor")
        if isinstance(output, masked.Masked):
            raise TraceError("a target that returns entries -inf")
        if isinstance(output, waves.Waves):
            raise TraceError("a target that returns complex numbers")
        limits = machine.limits(self.builder, [n for n in self.signature.input_names if n not in self.pins])
        drafts = Drafts(self.builder, self.places, int(output), limits, self.builder.modular)
        return self.chosen.resolved(drafts) if self.chosen else drafts

    def _input(self, argument: Any, node: Any) -> Node:
        shape = []
        for axis, size in zip(argument.axes, node.meta["val"].shape, strict=True):
            value = axis.size.substitute(dict(self.pins))
            symbol = getattr(getattr(size, "node", None), "expr", None)
            if symbol is not None and symbol.is_Symbol:
                known = self.symbols.setdefault(str(symbol), value)
                if known != value:
                    raise TraceError("the target takes two axes for one", given=f"{known} and {value}")
            elif value.constant is None and axis.single is not None:
                raise TraceError(
                    f"the target fixes the size of axis {axis}",
                    given=f"{size} wherever the size is {axis}",
                    hint=f"give sizes={{'{axis}': {size}}}" if axis.single else "",
                    code="trace.size",
                )
            shape.append(value)
        made = self.builder.input(argument.name, shape)
        if argument.kind == "bool":
            self.builder.bounds[made] = 0, 1
        if argument.indexes is not None:
            self.builder.ranges[made] = Size.of(argument.indexes).substitute(dict(self.pins))
        return Node(made)

    def _note(self, node: Any, before: int) -> None:
        """The user's lines for the nodes that were made."""
        where = user_lines(node.meta.get("stack_trace"))
        if where:
            self.places.update(dict.fromkeys(range(before, len(self.builder.nodes)), where))

    def _stored(self, node: Any, made: Any) -> Any:
        """What the types of the results keep of integers."""
        value = node.meta.get("val")
        if isinstance(made, tuple) and isinstance(value, (tuple, list)):
            return tuple(self._integers(x, v, node) for x, v in zip(made, value, strict=False))
        return self._integers(made, value, node)

    def _integers(self, x: Any, value: Any, node: Any) -> Any:
        if type(x) is not Node or not _is_tensor(value):
            return x
        dtype = value.dtype
        if dtype.is_floating_point or dtype.is_complex or dtype == torch_bool():
            return x
        source = getattr(node.args[0], "meta", {}).get("val") if node.args else None
        rounds = _name(node.target) == "_to_copy" and source is not None and source.dtype.is_floating_point
        return Node(require_stored(self.builder, int(x), str(dtype).removeprefix("torch."), wraps=not rounds))

    def _is_mask(self, node: Any) -> bool:
        """Whether an index holds truth values: the shape of the result depends on them."""
        indices = [i for i in node.args[1] if i is not None]
        return any(str(i.meta["val"].dtype) == "torch.bool" for i in indices)

    def _complex(self, node: Any, name: str, args: list[Any], options: Mapping[str, Any]) -> Any:
        """An operation on complex tensors, or one that makes them of real ones."""
        given = waves.is_waves([*args, *options.values()])
        handler = waves.WAVES.get(name) if given else waves.MAKERS.get(name)
        if handler is None:
            raise TraceError(
                f"the torch operation {node.target} on complex tensors is not read",
                given=str(node.target), hint="take .abs(), .real or .imag first", code="trace.operation",
            )  # fmt: skip
        return self._made(node, handler, args, options)

    def _call(self, node: Any) -> Any:
        value = node.meta.get("val")
        name = _name(node.target)
        if name == "sym_size":
            return self.builder.shape(self.values[node.args[0]])[node.args[1]]
        if name in IGNORED:
            return None
        if name == "getitem":
            source = self.values[node.args[0]]
            return None if source is None else source[node.args[1]]
        if not _is_tensor(value):
            return self._scalar(node, name)
        args = [self._argument(a) for a in node.args]
        if name == "index" and self._is_mask(node):
            return Node(self.chosen.take(args[0], [None if i is None else int(i) for i in args[1]]))
        if name in ("index_put", "_unsafe_index_put") and self._is_mask(node):
            return Node(_overwritten(self.builder, args))
        options = {k: self._argument(v) for k, v in node.kwargs.items() if k not in SKIPPED}
        if waves.is_waves([*args, *options.values()]) or _is_complex(value):
            return self._complex(node, name, args, options)
        infinite = masked.is_masked([*args, *options.values()])
        handler = masked.MASKED.get(name) if infinite else TABLE.get(name)
        if name in LOGIC and value.dtype != torch_bool():
            raise TraceError("an operation on the bits of integers", given=str(node.target))
        if name == "_to_copy" and not infinite:
            return Node(_cast(self.builder, args[0], node, options))
        if handler is None and infinite:
            raise TraceError(
                f"the torch operation {node.target} meets entries -inf",
                hint="-inf is read in masks that end in exp or softmax",
                code="trace.nonfinite",
            )
        if handler is None:
            raise TraceError(
                f"the torch operation {node.target} is not read",
                given=str(node.target),
                code="trace.operation",
            )
        return self._made(node, handler, args, options)

    def _made(
        self, node: Any, handler: Callable[..., Any], args: list[Any], options: Mapping[str, Any]
    ) -> Any:
        """What a handler makes of an operation: a node, or one for each result."""
        try:
            made = handler(self.builder, *args, **options)
        except TypeError as error:
            raise TraceError(
                f"the torch operation {node.target} is used in a way that is not read", given=str(error)
            ) from error
        except TraceError:
            raise
        except EqvproofError as error:
            raise TraceError(f"in {node.target}: {error.message}", given=error.given) from error
        if isinstance(made, (tuple, list)):
            return tuple(Node(x) for x in made)
        return made if isinstance(made, Node) else Node(made)

    def _argument(self, value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return [self._argument(v) for v in value]
        try:
            return self.values[value] if value in self.values else value
        except TypeError:
            return value

    def _scalar(self, node: Any, name: str) -> Any:
        """Arithmetic on sizes, as it happens in shapes and scales."""
        args = [self._argument(a) for a in node.args]
        b = self.builder
        if all(isinstance(a, (int, Size)) and not isinstance(a, Node) for a in args):
            sizes = [Size.of(a) for a in args]
            if name == "add":
                return sizes[0] + sizes[1]
            if name == "sub":
                return sizes[0] - sizes[1]
            if name == "mul":
                return sizes[0] * sizes[1]
            if name == "pow" and (sizes[1].constant or -1) >= 0:
                return prod([sizes[0]] * int(args[1]), start=Size.of(1))
            if name == "floordiv":
                quotient = sizes[0].divide(sizes[1])
                if quotient is not None:
                    return quotient
            if name in ("ge", "gt", "le", "lt", "eq", "ne"):
                return _Condition(name)
        if name == "sym_float":
            return Node(b.size(args[0])) if isinstance(args[0], Size) else args[0]
        if name in ("sym_sqrt", "_sym_sqrt"):
            return Node(b.map("sqrt", [lift(b, args[0])]))
        handler = {
            "pow": TABLE["pow"],
            "truediv": TABLE["div"],
            "mul": TABLE["mul"],
            "add": TABLE["add"],
        }.get(name)
        if handler is None:
            raise TraceError(f"arithmetic on sizes that is not read: {node.target}", given=str(node.target))
        return Node(handler(b, *args))


def _used(graph: Any, outputs: set[str]) -> set[Any]:
    """The nodes that results depend on: not on running statistics, where a batch is normalised by its own."""
    used: set[Any] = set()
    waiting = [n for node in graph.nodes if node.op == "output" for n in node.all_input_nodes]
    waiting = [n for n in waiting if n.name in outputs]
    while waiting:
        node = waiting.pop()
        if node not in used:
            used.add(node)
            needed = node.all_input_nodes
            if _name(node.target) == "_native_batch_norm_legit_functional" and node.args[5] is True:
                needed = [a for k, a in enumerate(node.args) if k not in (3, 4) and a in needed]
            waiting += needed
    return used


def _overwritten(b: Builder, args: list[Any]) -> int:
    """``x[mask] = number`` for a mask over the first axes of x."""
    x, indices, value, *more = args
    mask = indices[0]
    if len(indices) != 1 or any(more) or any(s != Size.of(1) for s in b.shape(value)):
        raise TraceError(
            "a write at the places of a mask that is not of one number",
            hint="torch.where chooses between values", code="trace.index",
        )  # fmt: skip
    for _ in range(len(b.shape(x)) - len(b.shape(mask))):
        mask = b.expand(mask, len(b.shape(mask)))
    while b.shape(value):
        value = b.squeeze(value, 0)
    return b.select(b.broadcast_to(mask, b.shape(x)), b.broadcast_to(value, b.shape(x)), x)


@dataclass(frozen=True, slots=True)
class _Condition:
    """A comparison of sizes: torch asserts it, and nothing else can be done with it."""

    name: str


def user_lines(trace: Any) -> tuple[tuple[str, int], ...]:
    """(file, line) of the user's code in the text of a stack, innermost first."""
    found: list[tuple[str, int]] = []
    for file, line in reversed(re.findall(r'File "([^"]+)", line (\d+)', trace or "")):
        if owner_of_file(file) == "user" and (file, int(line)) not in found:
            found.append((file, int(line)))
    return tuple(found[:DEEPEST])


def _cast(b: Builder, x: Any, node: Any, options: Mapping[str, Any]) -> int:
    """A conversion: floats to integers cut off, anything to booleans asks whether it is 0."""
    import torch

    source, target = node.args[0].meta["val"].dtype, options.get("dtype") or node.args[0].meta["val"].dtype
    if target == torch.bool:
        return int(x) if source == torch.bool else b.map("ne", [int(x), b.const(0)])
    if target.is_floating_point or source == torch.bool or source == target:
        return int(x)
    if source.is_complex:
        raise TraceError("a conversion to a type that does not hold real numbers", given=str(target))
    return int(x) if not source.is_floating_point else int(TABLE["trunc"](b, x))


def torch_bool() -> Any:
    """torch.bool."""
    import torch

    return torch.bool


#: Logic on booleans, that works on the bits of integers.
LOGIC = frozenset({"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "__and__", "__or__", "__xor__"})
#: Checks and effects that have no value.
IGNORED = frozenset({
    "with_effects", "_assert_scalar", "_assert_async", "_assert_tensor_metadata", "_linalg_check_errors",
    "sym_constrain_range_for_size", "sym_constrain_range",
})  # fmt: skip
#: The modules that fill the table.
TABLES = (layers, picking, special, views)
#: Options that say nothing about real numbers.
SKIPPED = frozenset({"layout", "device", "pin_memory", "memory_format", "implicit"})


def _name(target: Any) -> str:
    packet = getattr(target, "_overloadpacket", None)
    if packet is not None:
        return str(packet.__name__)
    return str(getattr(target, "__name__", target))


def _is_tensor(value: Any) -> bool:
    first = value[0] if isinstance(value, (tuple, list)) and value else value
    return hasattr(first, "shape") and hasattr(first, "dtype")


def _is_complex(value: Any) -> bool:
    """Whether a value, or one of several, is an array of complex numbers."""
    if isinstance(value, (tuple, list)):
        return any(_is_complex(v) for v in value)
    return value is not None and bool(value.dtype.is_complex)
