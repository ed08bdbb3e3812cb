"""PyTorch functions and modules as Programs, through ``torch.export`` with dynamic sizes.

Parameters and buffers are constants, with the values that they have. Training-mode randomness, layers that
update running statistics, branches on values and operations without a real meaning are refused by name.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from eqvproof.errors import EqvproofError, TraceError
from eqvproof.frontends.drafts import Drafts
from eqvproof.frontends.frames import DEEPEST, owner_of_file
from eqvproof.frontends.torch import layers, masked, picking, rewrites, special, views
from eqvproof.frontends.torch.aten import TABLE, Node, lift
from eqvproof.program import Builder, Program, Size
from eqvproof.signature import Signature

#: Sizes of the example inputs; different primes, so that equal sizes are equal names.
PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31)


def export_program(
    target: Callable[..., Any], signature: Signature, pins: Mapping[str, int]
) -> tuple[Program, dict[int, str]]:
    """The Program of a torch target for all sizes, and the user's line for each node.

    Raises:
        TraceError: the target cannot be exported, or uses an operation that has no entry in the table.
    """
    import torch

    names = [n for n in signature.input_names if n not in pins]
    if len(names) > len(PRIMES):
        raise TraceError("too many axis names for one trace", given=str(len(names)))
    example = {**dict(zip(names, PRIMES, strict=False)), **pins}
    module = target if isinstance(target, torch.nn.Module) else _Wrapped.of(target)
    dtype = floating_type(module)
    known: dict[str, Any] = {}
    args, dynamic = [], []
    for argument in signature.inputs:
        kinds = {"bool": torch.bool, "index": torch.int64}
        value = 0.5 if argument.kind == "real" else 0
        shape = [axis.at(example) for axis in argument.axes]
        args.append(torch.full(shape, value, dtype=kinds.get(argument.kind, dtype)))
        free = {i: axis for i, axis in enumerate(argument.axes) if set(axis.names) - set(pins)}
        # A named Dim makes torch.export refuse every branch that depends on the size.
        dynamic.append(
            {
                i: known.setdefault(str(axis.size), torch.export.Dim(f"axis{len(known)}"))
                for i, axis in free.items()
            }
        )
    exported = _export(module, tuple(args), tuple(dynamic))
    _refuse_updates(exported)
    reader = _Reader(exported, signature, pins)
    found = reader.program()
    _refuse_guards(exported, reader.symbols)
    return found


class _Wrapped:
    """A function as a module (made when torch is there)."""

    @staticmethod
    def of(function: Callable[..., Any]) -> Any:
        import torch

        class Function(torch.nn.Module):
            def forward(self, *args: Any) -> Any:
                return function(*args)

        return Function()


def floating_type(target: Any) -> Any:
    """The floating type of a module's parameters and buffers; float64 where there are none.

    Of a function: that of the modules and tensors that it names.
    """
    import torch

    for held in (target, *_named(target)):
        values = (*held.parameters(), *held.buffers()) if isinstance(held, torch.nn.Module) else (held,)
        for value in values:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                return value.dtype
    return torch.float64


def _named(target: Any) -> list[Any]:
    """What a function holds in its closure, and the globals that its code names."""
    code = getattr(target, "__code__", None)
    if code is None:
        return []
    found = [c.cell_contents for c in getattr(target, "__closure__", None) or () if _is_filled(c)]
    return found + [target.__globals__[n] for n in code.co_names if n in target.__globals__]


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _export(module: Any, args: tuple[Any, ...], dynamic: tuple[Any, ...]) -> Any:
    import torch

    quiet = logging.getLogger("torch")
    level = quiet.level
    try:
        quiet.setLevel(logging.CRITICAL)
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()), torch.no_grad():
            warnings.simplefilter("ignore")
            shapes = (
                {"args": dynamic} if isinstance(module, torch.nn.Module) and _is_variadic(module) else dynamic
            )
            with rewrites.mode():
                exported = torch.export.export(module, args, dynamic_shapes=shapes, strict=False)
            table: Any = torch.export.default_decompositions()
            for whole in (torch.ops.aten.linalg_cross.default, torch.ops.aten.linalg_det.default):
                table.pop(whole, None)  # said in one operation, not in indices and factors
            return exported.run_decompositions(table)
    except Exception as error:
        text = str(error).strip().splitlines()
        raise TraceError(
            "torch.export could not read the target for all sizes",
            given=f"{type(error).__name__}: {text[0] if text else ''}",
            hint="branches on values or sizes, and operations without a fixed shape, cannot be traced",
            code="trace.torch",
        ) from error
    finally:
        quiet.setLevel(level)


def _is_variadic(module: Any) -> bool:
    import inspect

    kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
    return inspect.Parameter.VAR_POSITIONAL in kinds


def _refuse_updates(exported: Any) -> None:
    changed = list(exported.graph_signature.buffers_to_mutate.values())
    changed += list(getattr(exported.graph_signature, "user_inputs_to_mutate", {}).values())
    if changed:
        raise TraceError(
            f"the target updates {changed[0]} when it is called",
            given=", ".join(changed),
            expected="a function without state",
            hint="call module.eval() first",
            code="trace.state",
        )


def _refuse_guards(exported: Any, symbols: Mapping[str, Size]) -> None:
    """Conditions on the sizes under which the graph was made: only equality of equal axes may be left."""
    for node in exported.graph.nodes:
        fake = getattr(node.meta.get("val"), "fake_mode", None)
        if fake is not None and fake.shape_env is not None:
            guards = [str(g.expr) for g in fake.shape_env.guards if not _is_harmless(g.expr, symbols)]
            if guards:
                raise TraceError(
                    "the target branches on its sizes",
                    given=", ".join(guards),
                    expected="one path for all sizes",
                    code="trace.size",
                )
            return


def _is_harmless(expression: Any, symbols: Mapping[str, Size]) -> bool:
    """A condition that holds at every size."""
    return _is_same_axis(expression, symbols) or _is_true(expression)


def _is_true(expression: Any) -> bool:
    """What SymPy sees to be true of positive integers, torch's own functions read as arithmetic."""
    import sympy

    def plain(e: Any) -> Any:
        args = [plain(a) for a in e.args]
        match type(e).__name__:
            case "FloatTrueDiv" | "IntTrueDiv":
                return args[0] / args[1]
            case "FloatPow" | "PowByNatural":
                return args[0] ** args[1]
            case "ToFloat":
                return args[0]
            case "Float":
                return sympy.nsimplify(e)
        if e.is_Symbol:
            return sympy.Symbol(e.name, positive=True, integer=True)
        return e.func(*args) if args else e

    return bool(plain(expression) == sympy.true)


def _is_same_axis(expression: Any, symbols: Mapping[str, Size]) -> bool:
    """Equality of two sizes that the signature makes equal.

    The example sizes of different axes differ, so an equality of two size symbols comes from an axis name
    that stands in two places; a symbol that was merged away is no longer known.
    """
    sides = getattr(expression, "args", ())
    if type(expression).__name__ not in ("Eq", "Equality") or not all(side.is_Symbol for side in sides):
        return False
    known = {symbols[str(side)] for side in sides if str(side) in symbols}
    return len(known) <= 1


class _Reader:
    """Reads an exported graph node by node."""

    def __init__(self, exported: Any, signature: Signature, pins: Mapping[str, int]) -> None:
        self.exported, self.signature, self.pins = exported, signature, pins
        self.builder = Builder()
        self.values: dict[Any, Any] = {}
        self.symbols: dict[str, Size] = {}
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}

    def program(self) -> tuple[Program, dict[int, str]]:
        """The Program, and lines by node."""
        graph = self.exported.graph_module.graph
        inputs = dict(self.exported.graph_signature.inputs_to_parameters)
        inputs.update(self.exported.graph_signature.inputs_to_buffers)
        inputs.update(getattr(self.exported.graph_signature, "inputs_to_lifted_tensor_constants", {}))
        state = {**dict(self.exported.state_dict), **dict(self.exported.constants)}
        arguments = iter(self.signature.inputs)
        tokens = set(self.exported.graph_signature.input_tokens)
        result: Any = None
        for node in graph.nodes:
            if node.op == "placeholder":
                if node.name in inputs:
                    self.values[node] = masked.constant(self.builder, state[inputs[node.name]])
                elif node.name not in tokens:
                    self.values[node] = self._input(next(arguments), node)
            elif node.op == "output":
                result = node.args[0]
            else:
                before = len(self.builder.nodes)
                self.values[node] = self._call(node)
                where = user_lines(node.meta.get("stack_trace"))
                if where:
                    self.places.update(dict.fromkeys(range(before, len(self.builder.nodes)), where))
        made = set(self.exported.graph_signature.user_outputs)
        result = [r for r in result if getattr(r, "name", None) in made]
        if len(result) != 1:
            raise TraceError("a target that does not return one tensor", expected="one tensor")
        output = self.values.get(result[0])
        if not isinstance(output, Node):
            raise TraceError("a target that returns something else than a tensor")
        if isinstance(output, masked.Masked):
            raise TraceError("a target that returns entries -inf")
        program = self.builder.program(int(output))
        return program, Drafts(self.builder, self.places, int(output)).lines(int(output))

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
        if argument.indexes is not None:
            self.builder.ranges[made] = Size.of(argument.indexes).substitute(dict(self.pins))
        return Node(made)

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
        options = {k: self._argument(v) for k, v in node.kwargs.items() if k not in SKIPPED}
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
            if name == "floordiv":
                quotient = sizes[0].divide(sizes[1])
                if quotient is not None:
                    return quotient
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


def user_lines(trace: Any) -> tuple[tuple[str, int], ...]:
    """(file, line) of the user's code in the text of a stack, innermost first."""
    found = []
    for file, line in reversed(re.findall(r'File "([^"]+)", line (\d+)', trace or "")):
        inside_torch = f"{os.sep}torch{os.sep}" in file and f"{os.sep}site-packages{os.sep}" in file
        if owner_of_file(file) == "user" and not inside_torch and (file, int(line)) not in found:
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
    if target != torch.int64 or source.is_complex:
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
