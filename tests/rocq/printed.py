"""Reads a program as an exported file has it, and evaluates it on numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np

Entry = Callable[[list[int]], float]
TOKEN = re.compile(r"\[::|[\[\];(),]|\w+")
FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp, "tanh": math.tanh, "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "recip": lambda x: 1 / x if x else math.nan, "abs": abs, "maximum": max, "minimum": min,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "not": lambda a: a == 0,
    "max": lambda *xs: max(xs), "min": lambda *xs: min(xs), "prod": lambda *xs: math.prod(xs),
}  # fmt: skip
#: Functions of arrays.
ARRAYS: dict[str, Callable[..., Any]] = {
    "sqrt": lambda x: np.sqrt(x) if x >= 0 else np.nan, "cbrt": np.cbrt,
    "inv": np.linalg.inv, "det": np.linalg.det, "spread": lambda x, G: x[:, None] - 2 * G + G.T,
}  # fmt: skip


def parsed(text: str) -> Any:
    """A list as a list, a pair as a tuple, an operation or a place as a tuple that begins with its name."""
    tokens = TOKEN.findall(text)

    def value() -> Any:
        token = tokens.pop(0)
        if token == "[::":
            items = []
            while tokens[0] != "]":
                items.append(applied())
                if tokens[0] == ";":
                    tokens.pop(0)
            tokens.pop(0)
            return items
        if token == "(":
            items = [applied()]
            while tokens.pop(0) == ",":
                items.append(applied())
            return items[0] if len(items) == 1 else tuple(items)
        return int(token) if token.isdecimal() else token

    def applied() -> Any:
        head, rest = value(), []
        while tokens and tokens[0] not in ("]", ";", ")", ","):
            rest.append(value())
        return (head, *rest) if rest else head

    return applied()


class Printed:
    """The program of an exported file, at given sizes and with given leaves."""

    def __init__(
        self, text: str, sizes: Mapping[str, int], leaves: list[Entry], tables: Mapping[int, Any]
    ) -> None:
        self.leaves, self.tables = leaves, tables
        self.lines = parsed(_definition(text, "prog : program"))
        self.shapes = parsed(_definition(text, "shapes : seq shape"))
        self.names = dict(enumerate(re.findall(r"\(\* Function \d+: (.*) \*\)", text)))
        variables = [sizes[name] for name in re.findall(r"\(\* Variable \d+: (.*) \*\)", text)]
        extents = re.findall(r"Definition (z\d+) : extent := (.*?)\.\n", text, re.S)
        self.sizes = {
            name: sum(math.prod(variables[v] for v in row) for row in parsed(rows)) for name, rows in extents
        }

    def run(self, inputs: list[Entry]) -> Entry:
        """The last line."""
        found: list[Entry] = []
        for line, shape in zip(self.lines, self.shapes, strict=True):
            entry = self.computed(line if isinstance(line, tuple) else (line,), inputs, found)
            found.append(self.inside(shape, entry))
        return found[-1]

    def inside(self, shape: list[str], entry: Entry) -> Entry:
        """The entries of an array, of which none outside of its shape is read."""

        def read(ix: list[int]) -> float:
            if len(ix) != len(shape) or not all(i < self.sizes[z] for i, z in zip(ix, shape, strict=True)):
                raise IndexError(f"{ix} of {[self.sizes[z] for z in shape]}")
            return entry(ix)

        return read

    def at(self, place: Any, labels: Mapping[int, int]) -> int:
        """A place."""
        kind, *rest = place
        if kind in ("Lab", "Num", "Size"):
            return {"Lab": labels.get, "Num": int, "Size": self.sizes.get}[kind](rest[0])  # type: ignore[operator]
        a, b = (self.at(p, labels) for p in rest)
        return {
            "Plus": a + b, "Minus": max(a - b, 0), "Times": a * b, "Over": a // b if b else 0,
            "Modulo": a % b if b else a,
        }[kind]  # fmt: skip

    def computed(self, line: Any, inputs: list[Entry], lines: list[Entry]) -> Entry:
        """The entries of a line, by the definition of `compute` in Programs.v."""
        match line:
            case "Input", k:
                return inputs[k]
            case "Scalar", (sign, k):
                return lambda ix: float(k if sign == "Posz" else -k - 1)
            case "Leaf", k:
                return self.leaves[k]
            case "Delta", z:
                return lambda ix: float(ix[0] == ix[1] < self.sizes[z])
            case "Contract", rows, summed, out:
                return lambda ix: self.contracted(rows, summed, dict(zip(out, ix, strict=True)), lines)
            case "Add", args:
                return lambda ix: sum(lines[a](ix) for a in args)
            case "Map", h, args:
                return lambda ix: self.call(h, [lines[a](ix) for a in args])
            case "Choose", c, places, a, b:
                return lambda ix: lines[a if lines[c]([ix[p] for p in places]) else b](ix)
            case "Fold", h, a, p, z:
                return lambda ix: self.call(h, self.along(lines[a], p, ix, z))
            case "Sort", _, a, p, z:
                return lambda ix: sorted(self.along(lines[a], p, [*ix[:p], *ix[p + 1 :]], z))[ix[p]]
            case "Join", rows, p:
                return lambda ix: self.joined(rows, p, ix, lines)
            case "Whole", h, r, args:
                return lambda ix: self.whole(h, args, ix[:r], lines)[tuple(ix[r:])]
            case "View", view, a, p, z, w:
                return lambda ix: self.viewed(lines[a], view, p, (self.sizes[z], self.sizes[w]), ix)
        raise AssertionError(line)

    def viewed(self, entry: Entry, view: str, p: int, sizes: tuple[int, int], ix: list[int]) -> float:
        """An entry of an axis, or of two, seen as others; 0 outside."""
        z, w = sizes
        own, count = {"Cut": ((w,), 1), "Split": (sizes, 2), "Merge": ((z * w,), 1)}[view]
        here = ix[p : p + count]
        if any(i >= n for i, n in zip(here, own, strict=True)):
            return 0.0
        match view:
            case "Cut":
                read = [z + here[0]]
            case "Split":
                read = [here[0] * w + here[1]]
            case _:
                read = [*divmod(here[0], w)]
        return entry([*ix[:p], *read, *ix[p + count :]])

    def contracted(self, rows: Any, summed: Any, labels: dict[int, int], lines: list[Entry]) -> float:
        """A sum of products."""
        ranges = [range(self.sizes[z]) for _, z in summed]
        total = 0.0
        for values in product(*ranges):
            at = {**labels, **dict(zip((label for label, _ in summed), values, strict=True))}
            total += math.prod(lines[a]([self.at(p, at) for p in places]) for a, places in rows)
        return total

    def along(self, entry: Entry, p: int, ix: list[int], z: str) -> list[float]:
        """The entries along an axis."""
        return [entry([*ix[:p], k, *ix[p:]]) for k in range(self.sizes[z])]

    def joined(self, rows: Any, p: int, ix: list[int], lines: list[Entry]) -> float:
        """An entry of what is joined."""
        place = ix[p]
        for a, z in rows:
            if place < self.sizes[z]:
                return lines[a]([*ix[:p], place, *ix[p + 1 :]])
            place -= self.sizes[z]
        return 0.0

    def whole(self, number: int, args: Any, ix: list[int], lines: list[Entry]) -> Any:
        """A function of arrays; one without arguments is an array."""
        if not args:
            return np.asarray(self.tables[number])
        given = []
        for a, sizes in args:
            shape = [self.sizes[z] for z in sizes]
            given.append(np.reshape([lines[a]([*ix, *jx]) for jx in np.ndindex(*shape)], shape))
        return np.asarray(ARRAYS[self.names[number].partition(",")[0]](*given))

    def call(self, number: int, values: list[float]) -> float:
        """A function, by its number."""
        return float(FUNCTIONS[self.names[number]](*values))


def _definition(text: str, head: str) -> str:
    found = re.search(rf"Definition {head} := (.*?)\.\n", text, re.S)
    assert found, head
    return found[1]
