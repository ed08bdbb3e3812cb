"""A Program at given sizes as readable NumPy code."""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eqvproof.engines.search.einsum_text import einsum_text
from eqvproof.program import Program, ops, substituted
from eqvproof.program.reading import indices

#: Expressions that are used once and are no longer than this are written in place.
_INLINE = 56


@dataclass(frozen=True, slots=True)
class Text:
    """An expression.

    Attributes:
        code: the expression.
        is_atom: whether it needs no parentheses where it is an operand.
        condition: for an expression that is 1 or 0, the condition for 1.
        narrow: for one that is broadcast, what NumPy broadcasts by itself to the same shape.
    """

    code: str
    is_atom: bool = True
    condition: str = ""
    narrow: str = ""

    @property
    def atom(self) -> str:
        """The expression as an operand."""
        return self.code if self.is_atom else f"({self.code})"


class NotRenderable(Exception):
    """The Program has an operation that NumPy code does not show."""


def function_code(program: Program, sizes: Mapping[str, int], name: str = "f") -> list[str]:
    """The lines of ``def f(X, ...):``.

    Raises:
        NotRenderable: the Program holds an uninterpreted function, or an operation unknown here.
    """
    fixed = substituted(program, sizes)
    uses: dict[int, int] = {}
    for node in fixed.nodes:
        for a in node.args:
            uses[a] = uses.get(a, 0) + 1
    texts: dict[int, Text] = {}
    lines = [f"def {name}({', '.join(variable(n) for n, _ in fixed.inputs)}):"]
    count = 0
    for i, node in enumerate(fixed.nodes[: fixed.output + 1]):
        text = _text(node, [texts[a] for a in node.args], [_shape(fixed.nodes[a]) for a in node.args], fixed)
        short = len(text.code) <= _INLINE and (
            uses.get(i, 0) <= 1 or text.code.isidentifier() or _is_number(text)
        )
        if i == fixed.output:
            lines.append(f"    return {text.code}")
        elif short:
            texts[i] = text
        else:
            count += 1
            lines.append(f"    t{count} = {text.code}")
            texts[i] = Text(f"t{count}")
    return lines


def variable(name: str) -> str:
    """An argument's name as a Python variable that clashes with nothing in a snippet."""
    taken = {"np", "math", "f", "h", "left", "right", "at", "moved"}
    return name + "_" if keyword.iskeyword(name) or name in taken else name


def number(value: Fraction) -> str:
    """A rational as Python code for a float."""
    if value.denominator == 1:
        whole = int(value)
        return f"{whole}.0" if abs(whole) < 10**16 else repr(float(whole))
    try:
        rounded = float(value)
    except OverflowError as error:
        raise NotRenderable("a constant beyond floats") from error
    if Fraction(rounded) == value or value.denominator > 10**6:
        return repr(rounded)
    return f"{value.numerator} / {value.denominator}"


def nested(values: Sequence[str], shape: Sequence[int]) -> str:
    """Row-major entries as nested lists."""
    if not shape:
        return values[0]
    step = len(values) // shape[0] if shape[0] else 0
    return (
        "[" + ", ".join(nested(values[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])) + "]"
    )


def _is_number(text: Text) -> bool:
    return text.code.replace(".", "").replace("-", "").isdigit()


def _shape(node: ops.Op) -> tuple[int, ...]:
    found = [s.constant for s in node.shape]
    if any(s is None for s in found):
        raise NotRenderable("a size is not known")
    return tuple(s or 0 for s in found)


def _text(node: ops.Op, args: list[Text], shapes: list[tuple[int, ...]], program: Program) -> Text:
    writer = _WRITERS.get(type(node))
    if writer is None:
        raise NotRenderable(type(node).__name__)
    return writer(node, args, shapes)


# ---------------------------------------------------------------------------------------------- operations
Shapes = list[tuple[int, ...]]


def _input(node: ops.Input, args: list[Text], shapes: Shapes) -> Text:
    return Text(variable(node.name))


def _const(node: ops.Const, args: list[Text], shapes: Shapes) -> Text:
    entries = [number(v) for v in node.values]
    shape = _shape(node)
    if not shape:
        return Text(entries[0], not entries[0].startswith("-") and " " not in entries[0])
    if len(set(entries)) == 1:
        return Text(f"np.full({shape}, {entries[0]})")
    return Text(f"np.array({nested(entries, shape)})" + (f".reshape{shape}" if math.prod(shape) == 0 else ""))


def _size(node: ops.SizeOf, args: list[Text], shapes: Shapes) -> Text:
    return Text(f"{node.size.constant}.0")


def _iota(node: ops.Iota, args: list[Text], shapes: Shapes) -> Text:
    return Text(f"np.arange({_shape(node)[0]}.0)")


def _indicator(node: ops.Indicator, args: list[Text], shapes: Shapes) -> Text:
    *batch, columns = _shape(node)
    if args:
        condition = f"{args[0].atom}[..., None] == np.arange({columns})"
        return Text(f"np.where({condition}, 1.0, 0.0)", condition=condition)
    if node.offset is None:
        return Text(f"np.eye({columns})")
    return Text(f"np.tri({batch[0]}, {columns}, {node.offset})")


def _einsum(node: ops.Einsum, args: list[Text], shapes: Shapes) -> Text:
    factors = [(a.code, a.atom) for a in args]
    code, is_atom = einsum_text(factors, node.inputs, node.output, _shape(node))
    head, tail = "np.broadcast_to(", f", {_shape(node)})"
    whole = code.startswith(head) and code.endswith(tail) and code.count(head) == 1
    return Text(code, is_atom, narrow=code.removeprefix(head).removesuffix(tail) if whole else "")


def _elementwise(args: list[Text]) -> list[Text]:
    """The arguments of an elementwise operation, not broadcast where another one has the whole shape."""
    if all(a.narrow for a in args):
        return args
    return [Text(a.narrow, _is_simple(a.narrow)) if a.narrow else a for a in args]


def _is_simple(code: str) -> bool:
    return code.replace(".", "").replace("_", "").isalnum()


def _add(node: ops.Add, args: list[Text], shapes: Shapes) -> Text:
    parts = _elementwise(args)
    code = parts[0].code
    for text in parts[1:]:
        code += f" - {text.code[1:]}" if text.code.startswith("-") else f" + {text.code}"
    return Text(code, is_atom=False)


def _map(node: ops.Map, args: list[Text], shapes: Shapes) -> Text:
    args = _elementwise(args)
    if node.fn in _RELATIONS or node.fn in ("not", "and", "or"):
        condition = _condition(node.fn, args)
        return Text(f"np.where({condition}, 1.0, 0.0)", condition=condition)
    if node.fn == "recip":
        return Text(f"1 / {args[0].atom}", is_atom=False)
    if node.fn == "pow":
        return Text(f"{args[0].atom} ** {args[1].atom}", is_atom=False)
    if node.fn == "erf":
        return Text(f"np.vectorize(math.erf)({args[0].code})")
    if node.fn == "pi":
        return Text("np.pi")
    if node.fn not in _NUMPY:
        raise NotRenderable(node.fn)
    return Text(f"np.{_NUMPY[node.fn]}({', '.join(a.code for a in args)})")


def _condition(fn: str, args: list[Text]) -> str:
    if fn == "not":
        return f"{args[0].atom} == 0"
    if fn in ("and", "or"):
        return f"({args[0].atom} != 0) {'&' if fn == 'and' else '|'} ({args[1].atom} != 0)"
    return f"{args[0].atom} {_RELATIONS[fn]} {args[1].atom}"


def _select(node: ops.Select, args: list[Text], shapes: Shapes) -> Text:
    parts = _elementwise(args)
    condition = args[0].condition or f"{parts[0].atom} != 0"
    return Text(f"np.where({condition}, {parts[1].code}, {parts[2].code})")


def _reduce(node: ops.Reduce, args: list[Text], shapes: Shapes) -> Text:
    axes = node.axes[0] if len(node.axes) == 1 else node.axes
    return Text(f"np.{node.fn}({args[0].code}, axis={axes})")


def _concat(node: ops.Concat, args: list[Text], shapes: Shapes) -> Text:
    return Text(f"np.concatenate([{', '.join(a.code for a in args)}], axis={node.axis})")


def _read(node: ops.Read, args: list[Text], shapes: Shapes) -> Text:
    text = args[0]
    for axis, (place, axes) in enumerate(zip(node.places, node.axes(), strict=True)):
        counts, size, start = [_shape(node)[k] for k in axes], shapes[0][axis], place.start.constant
        if start is None:
            raise NotRenderable("a place that is not known")
        at = indices(place, counts, size, start)
        if len(counts) > 1:
            text = Text(f"np.take({text.code}, np.reshape({at}, {tuple(counts)}), axis={axes.start})")
        elif place.cyclic and place.steps == (1,) and counts == [size]:
            shift = -start if 2 * start <= size else size - start
            text = Text(f"np.roll({text.code}, {shift}, {axes.start})")
        elif at == range(size - 1, -1, -1):
            text = Text(f"np.flip({text.code}, {axes.start})")
        elif isinstance(at, range) and at.step > 0 and at != range(size):
            part = f"{at.start}:{at[-1] + 1 if at else at.start}" + (f":{at.step}" if at.step != 1 else "")
            text = Text(f"{text.atom}[{':, ' * axes.start}{part}]")
        elif at != range(size):
            text = Text(f"np.take({text.code}, {list(at)}, axis={axes.start})")
    return text


def _reshape(node: ops.Reshape, args: list[Text], shapes: Shapes) -> Text:
    return Text(f"np.reshape({args[0].code}, {_shape(node)})")


def _sort(node: ops.Sort, args: list[Text], shapes: Shapes) -> Text:
    return Text(f"np.sort({args[0].code}, {node.axis})")


def _matrix(node: ops.Matrix, args: list[Text], shapes: Shapes) -> Text:
    return Text(_MATRICES[node.fn].format(*(a.code for a in args)))


_SYMMETRIC = "({0} + np.swapaxes({0}, -1, -2)) / 2"
_MATRICES = {
    "inv": "np.linalg.inv({0})",
    "det": "np.linalg.det({0})",
    "pinv": "np.linalg.pinv({0})",
    "eigvals": f"np.linalg.eigvalsh({_SYMMETRIC})",
    "spectral": "(lambda v, w: (v * w[..., None, :]) @ np.swapaxes(v, -1, -2))"
    f"(np.linalg.eigh({_SYMMETRIC})[1], {{1}})",
}
_RELATIONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_NUMPY = {n: n for n in (
    "exp log sqrt cbrt abs sign sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh floor ceil rint"
    " maximum minimum arctan2 mod"
).split()}  # fmt: skip
_WRITERS: dict[type[Any], Callable[[Any, list[Text], Shapes], Text]] = {
    ops.Input: _input, ops.Const: _const, ops.SizeOf: _size, ops.Iota: _iota, ops.Indicator: _indicator,
    ops.Einsum: _einsum, ops.Add: _add, ops.Map: _map, ops.Select: _select, ops.Reduce: _reduce,
    ops.Concat: _concat, ops.Read: _read, ops.Reshape: _reshape,
    ops.Sort: _sort, ops.Matrix: _matrix,
}  # fmt: skip
