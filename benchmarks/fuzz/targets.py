"""Random Python functions of arrays, as people write them, as source text: one part of each is odd.

Closures, helpers, branches on shapes and on values, loops, exceptions, writes into arrays and arguments,
state, casts, defaults, objects that are called. Some of them are no functions at all; what is said of those
must be right too.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Shape = tuple[str, ...]
SIGNATURES: tuple[tuple[str, dict[str, Shape]], ...] = (
    ("x: n", {"x": ("n",)}),
    ("X: d n", {"X": ("d", "n")}),
    ("X: n d", {"X": ("n", "d")}),
    ("X: d n, Z: d k", {"X": ("d", "n"), "Z": ("d", "k")}),
    ("A: n n, x: n", {"A": ("n", "n"), "x": ("n",)}),
    ("x: d, y: d", {"x": ("d",), "y": ("d",)}),
)
PLAIN = (
    "np.tanh({v})", "np.abs({v})", "np.maximum({v}, 0)", "2 * {v}", "{v} ** 2", "{v} - 1", "{v} ** 3 - {v}",
    "np.where({v} > 0, {v}, -{v} / 2)", "np.sign({v})", "{v} / (1 + {v} ** 2)", "np.exp(-({v} ** 2))",
    "-{v}", "{v} * 0.5 + 0.25", "np.floor({v})", "np.sqrt({v} ** 2 + 1)", "({v} > 1) * {v}",
)  # fmt: skip
ODD = (
    "first entry", "shape branch", "value branch", "try", "write", "write argument", "state", "cast", "loop",
    "helper", "closure", "default", "object", "cumulative", "reverse", "arange", "isinstance", "partial",
    "comprehension", "swallow", "global", "sorted by", "roll", "mask", "late shape", "float of", "none",
    "none", "none", "none",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A function as text.

    Attributes:
        text: Python code that binds ``f``.
        signature: its typing.
        names: the axis names of the inputs.
        odd: what is odd about it.
    """

    text: str
    signature: str
    names: tuple[str, ...]
    odd: str

    def function(self, number: int) -> Callable[..., Any]:
        """A new function from the text, with state of its own."""
        name = f"<fuzz {number}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        names: dict[str, Any] = {"np": np, "__name__": "fuzzed"}
        exec(compile(self.text, name, "exec"), names)
        found: Callable[..., Any] = names["f"]
        return found


class Writer:
    """Writes one function, statement by statement, and knows the shape of every variable."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(f"target {seed}")
        self.head: list[str] = []
        self.lines: list[str] = []
        signature, inputs = self.r.choice(SIGNATURES)
        self.inputs = signature
        self.shapes: dict[str, Shape] = dict(inputs)
        self.arguments = list(inputs)
        self.count = 0

    def new(self, code: str, shape: Shape) -> str:
        """Bind a new variable."""
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {code}")
        self.shapes[name] = shape
        return name

    def pick(self, rank: int | None = None) -> str:
        """A recent variable."""
        found = [v for v, s in self.shapes.items() if rank is None or len(s) == rank]
        return self.r.choice(found[-4:]) if found else self.arguments[0]

    def step(self) -> None:
        """One more variable, by an operation that respects most symmetries."""
        r, v = self.r, self.pick()
        shape = self.shapes[v]
        kind = r.randrange(7)
        if kind == 0 or not shape:
            self.new(r.choice(PLAIN).format(v=v), shape)
        elif kind == 1:
            axis = r.randrange(len(shape))
            fn = r.choice(("sum", "mean", "max", "min"))
            self.new(f"{v}.{fn}(axis={axis})", shape[:axis] + shape[axis + 1 :])
        elif kind == 2:
            axis = r.randrange(len(shape))
            self.new(f"{v} - {v}.mean(axis={axis}, keepdims=True)", shape)
        elif kind == 3 and len(shape) == 2:
            gram = self.new(f"{v}.T @ {v}", (shape[1], shape[1]))
            other = f"{v} @ {gram}" if r.random() < 0.6 else f"{v} * np.trace({gram})"
            self.new(other, shape)
        elif kind == 4:
            same = [w for w, s in self.shapes.items() if s == shape]
            self.new(f"{v} {r.choice('+-*')} {r.choice(same)}", shape)
        elif kind == 5:
            self.new(f"{v} * ({v} ** 2).sum()", shape)
        else:
            others = [w for w, s in self.shapes.items() if len(s) == 2 and s[0] == shape[0]]
            if len(shape) == 2 and others:
                w = r.choice(others)
                self.new(f"{w} @ ({w}.T @ {v})", shape)
            else:
                self.new(r.choice(PLAIN).format(v=v), shape)

    def odd(self, kind: str) -> None:
        """The odd part."""
        r, v = self.r, self.pick()
        if not self.shapes[v]:
            v = self.arguments[0]
        shape = self.shapes[v]
        c = r.choice((2, 3, 4, 5, 7))
        add = self.lines.append
        match kind:
            case "first entry":
                self.new(f"{v} + {v}[:1]", shape)
            case "shape branch":
                w = self.new(f"{v} * 1", shape)
                test = r.choice((f"len({w}) > {c}", f"{w}.shape[-1] == {c}", f"{w}.size % 2"))
                self.lines += [f"if {test}:", f"    {w} = {w}[::-1] + {r.choice((0, 1))}"]
            case "late shape":
                w = self.new(f"{v} * 1", shape)
                self.lines += [
                    f"if {w}.shape[0] > {r.choice((6, 9, 13))}:",
                    f"    {w} = np.cumsum({w}, axis=0)",
                ]
            case "value branch":
                w = self.new(f"{v} * 1", shape)
                test = r.choice((f"({w} ** 2).sum() > {c * c}", f"{w}.max() > {c}", f"({w} == 0).any()"))
                self.lines += [
                    f"if {test}:",
                    f"    {w} = {r.choice((f'{w} * 2', f'np.cumsum({w}, axis=0)'))}",
                ]
            case "try":
                self.count += 1
                w = f"v{self.count}"
                self.lines += ["try:", f"    {w} = {v} / {v}.sum()", "except (ValueError, TypeError):",
                               f"    {w} = {v}[::-1]"]  # fmt: skip
                self.shapes[w] = shape
            case "swallow":
                self.count += 1
                w = f"v{self.count}"
                self.lines += [
                    "try:",
                    f"    {w} = {v} * float({v}.sum())",
                    "except Exception:",
                    f"    {w} = {v}",
                ]
                self.shapes[w] = shape
            case "write":
                w = self.new(f"{v}.copy()", shape)
                add(r.choice((f"{w}[0] = {w}[-1]", f"{w} += 1", f"{w}[...] = {w} * 2", f"{w}[{w} > 1] = 1")))
            case "write argument":
                a = self.arguments[0]
                add(r.choice((f"{a}[0] *= 2", f"{a} += 1", f"{a}[...] = {a}[::-1]")))
                self.new(f"{a} * 1", self.shapes[a])
            case "state":
                self.head.append("calls = []")
                add("calls.append(1)")
                self.new(f"{v} * (1 + (len(calls) > {r.choice((1, 30, 10**5))}))", shape)
            case "global":
                self.head.append("memory = {}")
                add(f"memory.setdefault('first', {v}.shape)")
                self.new(f"{v} * (1 + (memory['first'] != {v}.shape))", shape)
            case "cast":
                to = r.choice(("float", "np.float64", "np.float32"))
                self.new(r.choice((f"{v}.astype({to})", f"({v} > 0).astype({to}) * {v}",
                                   f"np.asarray({v}, dtype={to})")), shape)  # fmt: skip
            case "loop":
                total = self.new(f"0 * {v}[0]", shape[1:])
                weight = r.choice(("1", "1", "i"))
                self.lines += [f"for i in range({v}.shape[0]):", f"    {total} = {total} + {weight} * {v}[i]"]
            case "helper":
                body = r.choice(PLAIN).format(v="a")
                self.head += ["def helper(a, b=1):", f"    return {body} * b"]
                self.new(f"helper({v}, b={c})", shape)
            case "closure":
                self.head += ["def make(k):", "    scale = [k]", "    def inner(a):",
                              "        return a * scale[0]", "    return inner",
                              f"inner = make({c})"]  # fmt: skip
                self.new(f"inner({v})", shape)
            case "default":
                self.head += [
                    "def keeps(a, seen=[]):",
                    "    seen.append(1)",
                    "    return a * (1 if len(seen) < 40 else 2)",
                ]
                self.new(f"keeps({v})", shape)
            case "object":
                self.head += ["class Layer:", f"    weight = {c}", "    def __call__(self, a):",
                              "        return a * self.weight", "layer = Layer()"]  # fmt: skip
                self.new(f"layer({v})", shape)
            case "partial":
                self.head += ["import functools", f"power = functools.partial(np.multiply, {c})"]
                self.new(f"power({v})", shape)
            case "cumulative":
                self.new(f"np.cumsum({v}, axis=0)", shape)
            case "reverse":
                self.new(f"{v}[::-1]", shape)
            case "roll":
                self.new(f"np.roll({v}, 1, axis=0)", shape)
            case "arange":
                self.new(f"{v} * np.arange({v}.shape[-1])", shape)
            case "isinstance":
                self.count += 1
                w = f"v{self.count}"
                self.lines += [f"if type({v}) is np.ndarray and {v}.dtype == float:", f"    {w} = {v}",
                               "else:", f"    {w} = 2 * {v}"]  # fmt: skip
                self.shapes[w] = shape
            case "comprehension":
                self.new(f"np.array([{r.choice(PLAIN).format(v='row')} for row in {v}])", shape)
            case "sorted by":
                self.new(f"{v}[np.argsort({v}.reshape(len({v}), -1)[:, 0])]", shape)
            case "mask":
                self.new(f"np.where({v} == {v}.max(), {v}, 0)", shape)
            case "float of":
                self.new(f"{v} * math.tanh({v}.sum())", shape)
                self.head.append("import math")

    def write(self) -> Target:
        """The whole function."""
        kind = self.r.choice(ODD)
        at = self.r.randrange(3)
        for k in range(self.r.randint(1, 3)):
            if k == at:
                self.odd(kind)
            self.step()
        if at >= 1:
            self.odd(kind)
        last = next(reversed(self.shapes))
        shape = self.shapes[last]
        self.lines.append(f"return {last}")
        text = "\n".join(
            [*self.head, f"def f({', '.join(self.arguments)}):", *(f"    {x}" for x in self.lines)]
        )
        output = " ".join(a if self.r.random() < 0.85 else a + "!" for a in shape) or "()"
        names = tuple(dict.fromkeys(a for v in self.arguments for a in self.shapes[v]))
        return Target(text + "\n", f"{self.inputs} -> {output}", names, kind)
