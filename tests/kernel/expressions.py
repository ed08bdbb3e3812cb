"""Small arrays as expressions, from which programs of certificates are made, equal parts once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests import readings
from tests.kernel.corpus import JSON

#: Axes: a letter is a size of that name, a digit a number.
SIZES = "nmk"


def sized(text: Any) -> list[Any]:
    """The sizes of "n3" as certificates write them."""
    return [int(c) if isinstance(c, str) and c.isdigit() else c for c in text]


@dataclass(frozen=True)
class Value:
    """An operation on values, with its shape."""

    op: str
    args: tuple[Value, ...]
    shape: Any
    at: tuple[tuple[str, Any], ...] = ()

    def __add__(self, other: Value) -> Value:
        return Value("add", (self, other), self.shape)

    def __mul__(self, other: Value) -> Value:
        return ein(f"{_row(self)},{_row(other)}->{_row(self)}", self, other)

    def __neg__(self) -> Value:
        return self.times("-1")

    def __sub__(self, other: Value) -> Value:
        return self + -other

    def times(self, number: str) -> Value:
        """The value times a number."""
        return ein(f",{_row(self)}->{_row(self)}", num(number), self)


def _row(x: Value) -> str:
    return "abcdef"[: len(x.shape)]


def var(name: str, shape: str) -> Value:
    """An input."""
    return Value("input", (), shape, (("name", name),))


def num(*values: str, shape: str = "") -> Value:
    """A constant."""
    return Value("const", (), shape, (("values", values),))


def size(name: Any) -> Value:
    """A size as a number."""
    return Value("size", (), "", (("size", name),))


def eye(n: str) -> Value:
    """The identity matrix."""
    return Value("indicator", (), n * 2, (("offset", None),))


def tri(rows: str, columns: str, offset: int = 0) -> Value:
    """Ones up to a diagonal."""
    return Value("indicator", (), rows + columns, (("offset", offset),))


def iota(n: str) -> Value:
    """0, 1, 2, ..."""
    return Value("iota", (), n)


def fn(name: str, *args: Value) -> Value:
    """A function, entry by entry."""
    return Value("map", args, args[0].shape if args else "", (("fn", name),))


def where(*args: Value) -> Value:
    """A choice."""
    return Value("select", args, args[1].shape)


def ein(text: str, *args: Value, **sizes: Any) -> Value:
    """A sum of products; `sizes`: those of labels that stand nowhere before the arrow."""
    left, output = text.split("->")
    rows = left.split(",")
    known = dict(sizes)
    for row, x in zip(rows, args, strict=True):
        known |= dict(zip(row, x.shape, strict=True))
    inputs = [[ord(c) - 97 for c in row] for row in rows]
    shape = _joined(known[c] for c in output)
    return Value(
        "einsum", args, shape, (("inputs", inputs), ("output", [ord(c) - 97 for c in output]))
    )


def _joined(shape: Any) -> Any:
    found = list(shape)
    return "".join(found) if all(isinstance(s, str) for s in found) else tuple(found)


def red(name: str, x: Value, *axes: int) -> Value:
    """max, min or prod along axes."""
    kept = _joined(s for k, s in enumerate(x.shape) if k not in axes)
    return Value("reduce", (x,), kept, (("fn", name), ("axes", list(axes))))


def cat(axis: int, length: Any, *args: Value) -> Value:
    """Values one after another, of that length in all."""
    shape = _joined(length if k == axis else s for k, s in enumerate(args[0].shape))
    return Value("concat", args, shape, (("axis", axis),))


def srt(x: Value, axis: int) -> Value:
    """Ascending along an axis."""
    return Value("sort", (x,), x.shape, (("axis", axis),))


def mat(name: str, x: Value) -> Value:
    """inv or det."""
    turned = _joined((*x.shape[:-2], x.shape[-1], x.shape[-2]))
    return Value("matrix_function", (x,), x.shape[:-2] if name == "det" else turned, (("fn", name),))


def read(x: Value, shape: Any, *places: Any) -> Value:
    """Entries at (start, [steps], cyclic); None for an axis as it is."""
    listed = [[0, [1], False] if p is None else list(p) for p in places]
    return Value("read", (x,), shape, (("places", listed),))


def part(x: Value, axis: int, start: Any, count: Any, step: int = 1) -> Value:
    """count entries from start on."""
    places = [(start, [step], False) if k == axis else None for k in range(len(x.shape))]
    return read(x, _joined(count if k == axis else s for k, s in enumerate(x.shape)), *places)


def flip(x: Value, axis: int) -> Value:
    """An axis reversed."""
    last = (readings.size(sized([x.shape[axis]])[0]) - 1).to_json()
    return read(x, x.shape, *((last, [-1], False) if k == axis else None for k in range(len(x.shape))))


def roll(x: Value, axis: int, shift: int) -> Value:
    """An axis shifted, the last entries come first."""
    return read(x, x.shape, *((-shift, [1], True) if k == axis else None for k in range(len(x.shape))))


def resh(x: Value, shape: Any) -> Value:
    """The same entries along other axes."""
    return Value("reshape", (x,), shape)


def unknown(name: str, shape: str, *args: Value) -> Value:
    """A function of which nothing is known."""
    return Value("opaque", args, shape, (("name", name), ("symmetry", None)))


def program(x: Value, inputs: dict[str, str]) -> JSON:
    """The program of a value."""
    nodes: list[JSON] = []
    known: dict[str, int] = {}

    def place(v: Value) -> int:
        at = {k: list(w) if isinstance(w, tuple) else w for k, w in v.at}
        node = {"op": v.op, "args": [place(a) for a in v.args], "shape": sized(v.shape), **at}
        number = known.setdefault(repr(node), len(nodes))
        nodes.extend([node] if number == len(nodes) else [])
        return number

    place(x)
    listed = [{"name": k, "shape": sized(v)} for k, v in inputs.items()]
    return {"inputs": listed, "nodes": nodes, "output": len(nodes) - 1}
