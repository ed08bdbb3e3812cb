"""What is true of a claim about a function, by calling it on floats: own elements, own action, own sizes.

Shares nothing with the package. Points and elements are rational numbers, so that what floats say can be
judged again in exact numbers (`benchmarks.fuzz.exactly`).
"""

from __future__ import annotations

import math
import random
import re
import resource
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

#: The terms of one axis: a name (or a number) and a mark, "" or "!" or "^" or "*".
Block = tuple[tuple[str, str], ...]
Sizes = Mapping[str, int]
FAMILIES = ("S", "A", "C", "D", "O", "SO", "Signs", "T", "E", "SE", "Scale", "GL")
SMALL = ({"n": 1, "d": 2, "k": 1}, {"n": 2, "d": 2, "k": 2}, {"n": 2, "d": 1, "k": 2})
LARGE = ({"n": 3, "d": 3, "k": 3}, {"n": 5, "d": 3, "k": 2}, {"n": 8, "d": 5, "k": 3})
LENGTHS = (1, 2, 3, 5, 8)
#: A call may ask for so many bytes, and give so many numbers.
MEMORY, MOST_NUMBERS = 10**9, 10**7
#: A difference of the two sides, relative to them, that rounding seldom makes.
FAR = 1e-6


@dataclass(frozen=True, slots=True)
class Spec:
    """One argument: its name, its axes, and "" or "bool" or the axis that its entries index."""

    name: str
    axes: tuple[Block, ...]
    kind: str = ""

    @staticmethod
    def parse(text: str) -> tuple[Spec, ...]:
        """From a signature's left side."""
        found = []
        for part in text.split(","):
            head, _, axes = part.partition(":")
            match = re.fullmatch(r"\s*(\w+)(?:\[(\w+)\])?\s*", head)
            if match is None:
                raise ValueError(text)
            blocks = tuple(_block(a) for a in axes.replace("()", "").split())
            found.append(Spec(match[1], blocks, match[2] or ""))
        return tuple(found)

    def __str__(self) -> str:
        return f"{self.name}{f'[{self.kind}]' if self.kind else ''}: {_written(self.axes)}"


def _block(text: str) -> Block:
    name = text.rstrip("!^*")
    return ((name, text[len(name) :]),)


def _written(axes: Sequence[Block]) -> str:
    return " ".join("+".join(n + m for n, m in block) for block in axes) or "()"


def length(block: Block, sizes: Sizes) -> int:
    """The length of an axis; -1 where it is not known."""
    known = [int(n) if n.isdigit() else sizes.get(n, -1) for n, _ in block]
    return -1 if -1 in known else sum(known)


@dataclass(frozen=True, slots=True)
class Claim:
    """f(g x) = g f(x).

    Attributes:
        inputs: the arguments.
        output: the axes of the result.
        factors: families and axes of the group.
        sizes: what `check` is told of the sizes.
        constants: what it is told of stored numbers.
    """

    inputs: tuple[Spec, ...]
    output: tuple[Block, ...]
    factors: tuple[tuple[str, str], ...]
    sizes: Mapping[str, Any] | None = None
    constants: str = "rounded"

    @property
    def signature(self) -> str:
        """As users write it."""
        return f"{', '.join(map(str, self.inputs))} -> {_written(self.output)}"

    @property
    def under(self) -> str:
        """As users write it."""
        return "" if self.is_identity else " x ".join(f"{family}({axis})" for family, axis in self.factors)

    @property
    def is_identity(self) -> bool:
        """Whether it is claimed that two functions are equal."""
        return self.factors[:1] == (("=", ""),)

    @property
    def acts_on_output(self) -> list[bool]:
        """For each block of the output whether a factor acts on it."""
        axes = {a for _, a in self.factors}
        return [n in axes and m != "!" for block in self.output for n, m in block]

    def beside(self, other: Claim) -> bool:
        """Whether two claims differ in the group's kind, or in what it does to the output."""
        return [a for _, a in self.factors] == [a for _, a in other.factors] and (
            self.output == other.output or self.factors == other.factors
        )

    def candidates(self, r: random.Random, families: Sequence[str] = FAMILIES) -> Iterator[Claim]:
        """Groups on the axes of the inputs, and the ways in which the output may be acted on."""
        names = sorted({n for a in self.inputs for b in a.axes for n, m in b if m != "!" and (n != "2")})
        factors = [(f, a) for a in names for f in families if self.allowed(f, a)]
        r.shuffle(factors)
        chosen = factors[:6]
        for group in [(f,) for f in chosen] + [
            tuple(r.sample(chosen, 2)) for _ in range(2) if len(chosen) > 1
        ]:
            axes = {a for _, a in group}
            if len(axes) < len(group):
                continue
            linear = any(f in ("E", "SE", "T") for f, _ in group)
            marks = ["", "!", "^"] if linear else ["", "!", "*"] if group[0][0] == "GL" else ["", "!"]
            places = [(i, j) for i, b in enumerate(self.output) for j, (n, _) in enumerate(b) if n in axes]
            for choice in r.sample(all_of := list(product(marks, repeat=len(places))), min(6, len(all_of))):
                output = [list(b) for b in self.output]
                for (i, j), mark in zip(places, choice, strict=True):
                    output[i][j] = (output[i][j][0], mark)
                yield replace(self, output=tuple(tuple(b) for b in output), factors=group)

    def allowed(self, family: str, axis: str) -> bool:
        """Whether the group acts on these inputs, with one reading."""
        if axis.isdigit() and any(n == "n" for a in self.inputs for b in a.axes for n, _ in b):
            return family not in ("S", "A", "C", "D")
        if axis.isdigit() and any(n == "d" for a in self.inputs for b in a.axes for n, _ in b):
            return False  # O(3) would have two readings
        for a in self.inputs:
            blocks = [m for b in a.axes for n, m in b if n == axis and m != "!"]
            if a.kind and (family not in "SACD") and (blocks or a.kind == axis):
                return False
            if family in ("T", "E", "SE") and blocks.count("") > 1:
                return False
        return True

    def with_sizes(self, fixed: Sizes | None, r: random.Random) -> Claim:
        """The claim, at some sizes only now and then."""
        names = sorted({n for a in self.inputs for b in a.axes for n, _ in b if not n.isdigit()})
        if fixed is not None:
            return replace(self, sizes={n: fixed[n] for n in names})
        if r.random() < 0.2:
            return replace(
                self, sizes={n: r.choice((1, 2, 3, (1, 3), (2, 2), 3)) for n in names if r.random() < 0.8}
            )
        return self


# ----------------------------------------------------------------------------------------- points, elements
def sample(a: Spec, sizes: Sizes, rng: np.random.Generator, how: str = "random") -> Any:
    """One argument: entries are multiples of 1/64."""
    shape = tuple(length(b, sizes) for b in a.axes)
    if a.kind == "bool":
        return rng.random(shape) < 0.5
    if a.kind:
        return rng.integers(0, sizes[a.kind], shape)
    match how:
        case "ties":
            return rng.integers(-2, 3, shape).astype(float)
        case "zeros":
            return np.zeros(shape)
        case "columns":
            return np.broadcast_to(rng.integers(-3, 4, shape[-1:] or ()), shape).astype(float).copy()
        case "count":
            return np.arange(1.0, 1.0 + np.prod(shape, dtype=int)).reshape(shape)
        case "positive":
            return np.rint(64 * rng.random(shape) + 1) / 64
        case "large":
            return np.rint(rng.normal(size=shape) * 20)
    return np.rint(rng.normal(size=shape) * 96) / 64


KINDS = ("random", "ties", "random", "columns", "positive", "count", "zeros", "large")
Element = tuple[str, Any, Any]


@lru_cache(maxsize=4096)
def element(family: str, size: int, seed: int) -> Element:
    """An element of a family, in rational numbers: a permutation, or a matrix and a vector, or a number."""
    r = random.Random(f"{family} {size} {seed}")
    if size > 8 and family not in ("S", "A", "C", "D", "Scale"):
        _, few, some = element(family, 4, seed)
        q = _identity(size)
        for i, row in enumerate(few):
            q[i][:4] = row
        return "matrix", q, [*some, *(Fraction(0),) * (size - 4)] if some else None
    if family in ("S", "A", "C", "D"):
        p = list(range(size))
        if family in ("C", "D"):
            by = r.randrange(size)
            p = [(i + by) % size for i in p]
            return "perm", tuple(p[::-1] if family == "D" and r.random() < 0.5 else p), None
        r.shuffle(p)
        if seed == 0 and size > 2:
            p = [1, 2, 0, *range(3, size)] if family == "A" else [1, 0, *range(2, size)]
        odd = sum(p[i] > p[j] for i in range(size) for j in range(i + 1, size)) % 2
        if family == "A" and odd:
            p[0], p[1] = p[1], p[0]
        return "perm", tuple(p), None
    if family == "Scale":
        return "scale", r.choice((Fraction(2), Fraction(3), Fraction(1, 2), Fraction(7, 5))), None
    if family == "Signs":
        q = _identity(size)
        for i in range(size):
            q[i][i] = Fraction(r.choice((-1, -1, 1)))
    elif family == "GL":
        q = [[Fraction(r.randint(-2, 2)) for _ in range(size)] for _ in range(size)]
        if _inverse(q) is None:
            q = [[Fraction(int(i == j) + int(j == i + 1)) * 2 for j in range(size)] for i in range(size)]
    elif family == "T":
        q = _identity(size)
    else:
        q, count = _identity(size), r.choice((2, 4) if family in ("SO", "SE") else (1, 2, 3))
        for _ in range(count if size > 1 or family in ("O", "E") else 0):
            u = [r.randint(-2, 2) for _ in range(size)]
            u = u if any(u) else [1] * size
            norm = sum(x * x for x in u)
            mirror = [
                [Fraction(i == j) - Fraction(2 * a * b, norm) for j, b in enumerate(u)]
                for i, a in enumerate(u)
            ]
            q = [
                [
                    sum((x * y for x, y in zip(row, c, strict=True)), Fraction())
                    for c in zip(*mirror, strict=True)
                ]
                for row in q
            ]
    t = [Fraction(r.randint(-6, 6), 2) for _ in range(size)] if family in ("T", "E", "SE") else None
    return "matrix", q, t


def _identity(size: int) -> list[list[Fraction]]:
    return [[Fraction(i == j) for j in range(size)] for i in range(size)]


def _inverse(q: Sequence[Sequence[Fraction]]) -> list[list[Fraction]] | None:
    size = len(q)
    rows = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(q)]
    for i in range(size):
        pivot = next((k for k in range(i, size) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(size):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[size:] for row in rows]


def act(g: Element, axis: str, array: Any, axes: Sequence[Block], sizes: Sizes) -> Any:
    """The array g x, of floats or of exact numbers; by g on each block of that axis."""
    kind, data, vector = g
    if kind == "scale":
        marks = [m for b in axes for n, m in b if n == axis and m != "!"]
        power = sum(-1 if m == "*" else 1 for m in marks)
        factor = Fraction(data) ** power
        return array * (factor if array.dtype == object else float(factor)) if power else array
    result, shifted = array, False
    for position, block in enumerate(axes):
        if not any(n == axis and m != "!" for n, m in block):
            continue
        parts, at = [], 0
        result = np.moveaxis(result, position, 0)
        for name, mark in block:
            size = int(name) if name.isdigit() else sizes[name]
            part = result[at : at + size]
            at += size
            if name == axis and mark != "!":
                if kind == "perm":
                    part = part[list(data)]
                else:
                    q = _transposed(_inverse(data)) if mark == "*" else data
                    part = _times(q, part) if part.size else part
                    if vector is not None and mark == "" and not shifted:
                        t = _numbers(vector, part)
                        part = part + t.reshape((-1,) + (1,) * (part.ndim - 1))
            parts.append(part)
        result = np.moveaxis(np.concatenate(parts), 0, position)
    return result


def _transposed(q: Any) -> Any:
    return [list(c) for c in zip(*q, strict=True)]


def _times(q: Any, part: Any) -> Any:
    """The matrix times an array; entries with a coefficient 0 do not enter, be they undefined."""
    numbers = q if part.dtype == object else [[float(x) for x in row] for row in q]
    return np.array([sum(x * part[j] for j, x in enumerate(row) if x) for row in numbers], dtype=part.dtype)


def _numbers(data: Any, like: Any) -> Any:
    return np.array(data, dtype=object) if like.dtype == object else np.array(data, dtype=float)


def moved(g: Element, axis: str, inputs: Sequence[Spec], arrays: Sequence[Any], sizes: Sizes) -> list[Any]:
    """The arguments g x; indices are relabelled."""
    found = []
    for a, array in zip(inputs, arrays, strict=True):
        result = act(g, axis, array, a.axes, sizes)
        if a.kind == axis and g[0] == "perm":
            result = np.argsort(g[1])[result]
        found.append(result)
    return found


# --------------------------------------------------------------------------------------------------- trials
@dataclass(frozen=True, slots=True)
class Violation:
    """Where two sides differ: sizes, arguments, and the elements with their axes."""

    sizes: Sizes
    arrays: tuple[Any, ...]
    moves: tuple[tuple[Element, str], ...]

    def moved(self, inputs: Sequence[Spec], arrays: Sequence[Any]) -> Sequence[Any]:
        """The arguments g x."""
        for g, axis in self.moves:
            arrays = moved(g, axis, inputs, arrays, self.sizes)
        return arrays

    def acted(self, value: Any, claim: Claim) -> Any:
        """The result g y."""
        known = {**self.sizes, **free(claim, value.shape, self.sizes)}
        for g, axis in self.moves:
            value = act(g, axis, value, claim.output, known)
        return value


@contextmanager
def little_memory() -> Iterator[None]:
    """No more than MEMORY beyond what the process has: at large sizes some functions ask for all there is."""
    if sys.platform != "linux":
        yield
        return
    limits = resource.getrlimit(resource.RLIMIT_AS)
    here = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (here + MEMORY, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


@dataclass(slots=True)
class Trials:
    """A function on floats, its values remembered."""

    source: Any
    seed: str
    _f: list[Callable[..., Any]] = field(default_factory=list)
    _points: dict[Any, Any] = field(default_factory=dict)
    _values: dict[Any, Any] = field(default_factory=dict)

    def call(self, arrays: Sequence[Any], *, twin: bool = False) -> Any:
        """f(x) as an array of floats, or of the other function; None where it gives none."""
        if not self._f:
            self._f = [
                self.source.function(),
                (self.source.other if self.source.twin else self.source).function(),
            ]
        given = [np.array(a) for a in arrays]
        if self.source.backend == "torch":
            import torch

            given = [torch.from_numpy(a) for a in given]
        try:
            with little_memory(), warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                answer = np.asarray(self._f[twin](*given))
            known = answer.dtype.kind in "fiub" and answer.size <= MOST_NUMBERS
            return answer.astype(float) if known else None
        except Exception:  # a MemoryError too: nothing is known of the function there
            return None

    def shape(self, sizes: Sizes) -> tuple[int, ...] | None:
        """The shape of the result."""
        at = self.call(self.point(sizes, 0))
        return None if at is None else at.shape

    def point(self, sizes: Sizes, number: int) -> tuple[Any, ...]:
        """One of the points."""
        key = (tuple(sorted(sizes.items())), number)
        if key not in self._points:
            rng = np.random.default_rng(crc32(repr(key).encode()))
            how = KINDS[number % len(KINDS)]
            self._points[key] = tuple(sample(a, sizes, rng, how) for a in self.source.inputs)
        return self._points[key]

    def sides(self, claim: Claim, sizes: Sizes, number: int, factor: tuple[str, str], seed: int) -> Any:
        """f(g x), g f(x) and where; None where the function gives nothing there."""
        family, axis = factor
        key = (tuple(sorted(sizes.items())), number)
        arrays = self.point(sizes, number)
        if key not in self._values:
            self._values[key] = self.call(arrays)
        at = self._values[key]
        if at is None:
            return None
        if claim.is_identity:
            right = self.call(arrays, twin=True)
            return None if right is None else (at, right, Violation(dict(sizes), arrays, ()))
        size = int(axis) if axis.isdigit() else sizes[axis]
        g = element(family, size, seed)
        there = (*key, factor, seed)
        if there not in self._values:
            self._values[there] = self.call(moved(g, axis, claim.inputs, arrays, sizes))
        left = self._values[there]
        if left is None:
            return None
        if len(at.shape) != len(claim.output) or any(
            length(b, sizes) not in (-1, s) for b, s in zip(claim.output, at.shape, strict=True)
        ):
            return None
        with np.errstate(all="ignore"):
            right = act(g, axis, at, claim.output, {**sizes, **free(claim, at.shape, sizes)})
        return left, right, Violation(dict(sizes), arrays, ((g, axis),))

    def violated(self, claim: Claim, *, small: bool) -> bool:
        """Whether a few trials see a violation."""
        fixed = self.source.sizes
        for sizes in (fixed,) if fixed else SMALL if small else LARGE:
            for number in (0, 1):
                for factor in claim.factors:
                    for seed in (0, 1):
                        found = self.sides(claim, sizes, number, factor, seed)
                        if found is not None and differ(found[0], found[1]):
                            return True
        return False

    def distance(self, claim: Claim) -> float:
        """The greatest relative difference of the sides in a few trials; infinite where one is undefined."""
        worst = 0.0
        every = [self.source.sizes] if self.source.sizes else LARGE[:2]
        for left, right, _ in self.pairs(claim, every, 1, 2):
            if left.shape != right.shape or not (np.isfinite(left).all() and np.isfinite(right).all()):
                return math.inf
            if left.size:
                worst = max(worst, float(np.abs(left - right).max() / (1 + np.abs(left).max())))
        return worst

    def violations(
        self, claim: Claim, every: Sequence[Sizes], points: int, seeds: int
    ) -> Iterator[Violation]:
        """The violations at some sizes; those that floats see."""
        for left, right, found in self.pairs(claim, every, points, seeds):
            if differ(left, right):
                yield found

    def pairs(self, claim: Claim, every: Sequence[Sizes], points: int, seeds: int) -> Iterator[Any]:
        """Both sides and where, at some sizes."""
        for sizes in every:
            for number in range(points):
                for factor in claim.factors:
                    for seed in range(seeds):
                        found = self.sides(claim, sizes, number, factor, seed)
                        if found is not None:
                            yield found


def free(claim: Claim, shape: Sequence[int], sizes: Sizes) -> dict[str, int]:
    """The sizes of axes that stand in the output only."""
    return {
        b[0][0]: s for b, s in zip(claim.output, shape, strict=True) if len(b) == 1 and b[0][0] not in sizes
    }


def differ(left: Any, right: Any) -> bool:
    """Whether two sides are far apart in some entry, or one of them is undefined there."""
    if left.shape != right.shape:
        return True
    known, too = np.isfinite(left), np.isfinite(right)
    if not np.array_equal(known, too):
        return True
    a, b = left[known], right[known]
    return bool(a.size) and bool(np.any(np.abs(a - b) > FAR * (1 + np.maximum(np.abs(a), np.abs(b)))))
