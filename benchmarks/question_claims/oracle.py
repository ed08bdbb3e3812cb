"""Labels of claims, by calling the functions on float64: own signatures, own group elements, own points."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any
from zlib import crc32

import numpy as np

from benchmarks.question_claims.claim import Claim, Function

#: A relative difference above FAR is a violation, one below NEAR is rounding.
FAR, NEAR, TRIALS = 1e-6, 1e-9, 12
PERMUTATIONS = ("S", "A", "C", "D")
#: The families inside those of claims of which nothing nearby may hold.
INSIDE = {
    "E": ("SE", "O", "SO", "T", "Z", "B", "Signs", "S", "A", "D", "C"),
    "O": ("SO", "B", "Signs", "S", "A", "D", "C"),
    "S": ("A", "D", "C"),
    "C": (),
}


@dataclass(frozen=True, slots=True)
class Array:
    """An argument or a result: its name, its kind, and its axes with their marks."""

    name: str
    kind: str
    axes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of a group: family, what it acts on, and the axis that has an element for each entry."""

    family: str
    on: tuple[str, ...]
    each: str = ""


def arrays(text: str) -> list[Array]:
    """Reads one side of a signature."""
    found = []
    for part in text.split(","):
        head, _, tail = part.rpartition(":")
        kind = re.search(r"\[(\w+)\]", head)
        axes = re.findall(r"(\w+)([!^*]?)", tail)
        found.append(Array(re.sub(r"\[.*", "", head).strip(), kind[1] if kind else "", tuple(axes)))
    return found


def parse(signature: str) -> tuple[list[Array], list[Array]]:
    """Returns the arguments and the results."""
    left, right = signature.split("->")
    return arrays(left), arrays(right)


def factors(under: str) -> list[Factor]:
    """Returns the factors of a product, or a point group, which acts on 3."""
    found = []
    for part in re.split(r" x (?=[A-Z])", under):
        match = re.fullmatch(r"(\w+?)(?:\(([\w, ]*)\))?(?: each (\w+))?", part.strip())
        if match is None:
            raise ValueError(under)
        on = re.findall(r"\w+", match[2] or "3")
        found.append(Factor(match[1], tuple(on), match[3] or ""))
    return found


# ------------------------------------------------------------------------------------------------- elements
def perm(*order: int) -> np.ndarray:
    """The matrix of a permutation."""
    return np.eye(len(order))[list(order)]


def point_group(symbol: str) -> list[np.ndarray]:
    """Generators: the main axis is (1, 1, 1) with rotations of order 3 or 6, but for cubic ones; else z."""
    cycle, swap, quarter = perm(1, 2, 0), perm(1, 0, 2), np.diag([1.0, -1, 1]) @ perm(1, 0, 2)
    flat = np.eye(3) - 2 / 3
    return {
        "C3": [cycle], "C3v": [cycle, swap], "D6h": [-flat @ cycle, flat, -swap, -np.eye(3)],
        "C4v": [quarter, np.diag([-1.0, 1, 1])],
        "D4h": [quarter, np.diag([1.0, -1, -1]), np.diag([1.0, 1, -1])],
        "Td": [cycle, swap, np.diag([-1.0, -1, 1])],
        "Oh": [cycle, quarter, -np.eye(3)],
    }[symbol]  # fmt: skip


def element(factor: Factor, sizes: Mapping[str, int], rng: np.random.Generator) -> Any:
    """Draws an element: an order, a pair of matrix and shift, a number, turns of an image, or a sign."""
    family = factor.family
    if family == "Flip":
        return -1.0
    if len(factor.on) == 2:
        return int(rng.integers(4)), family == "D4" and rng.random() < 0.5
    on = factor.on[0]
    n = int(on) if on.isdigit() else sizes[on]
    if family in PERMUTATIONS:
        return order(family, n, rng)
    if family == "Scale":
        return float(np.exp(rng.normal()))
    if family in ("T", "Z"):
        whole = rng.integers(-3, 4, n).astype(float)
        return np.eye(n), whole if family == "Z" else rng.normal(size=n)
    shift = rng.normal(size=n) if family in ("E", "SE") else np.zeros(n)
    return matrix(family, n, rng), shift


def order(family: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draws a permutation."""
    if family in ("C", "D"):
        p = np.roll(np.arange(n), rng.integers(n))
        return p[::-1].copy() if family == "D" and rng.random() < 0.5 else p
    p = rng.permutation(n)
    if family == "A" and np.linalg.det(np.eye(n)[p]) < 0:
        p[:2] = p[1::-1].copy()
    return p


def matrix(family: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draws a matrix."""
    signs = np.diag(rng.choice([-1.0, 1.0], n))
    if family in ("U", "SU"):
        u = np.linalg.qr(rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n)))[0]
        return u / np.linalg.det(u) ** (1 / n) if family == "SU" else u
    if family in ("GL", "SL"):
        g = rng.normal(size=(n, n))
        return g / np.cbrt(np.linalg.det(g)) if family == "SL" and n == 3 else g
    if family in ("Signs", "B"):
        return signs if family == "Signs" else signs[rng.permutation(n)]
    if family in ("O", "SO", "E", "SE"):
        q = np.linalg.qr(rng.normal(size=(n, n)))[0] @ signs
        if family.startswith("S") and np.linalg.det(q) < 0:
            q[:, 0] *= -1
        return q
    generators = point_group(family)
    return reduce(np.matmul, [generators[i] for i in rng.integers(len(generators), size=9)])


def act(x: np.ndarray, array: Array, factor: Factor, g: Any) -> np.ndarray:
    """Acts on every axis of the name; with `each`, by the element of the entry of that axis."""
    names = [name for name, _ in array.axes]
    if factor.family == "Flip":
        return g * x if array.name in factor.on else x
    if len(factor.on) == 2:
        places = tuple(names.index(name) for name in factor.on if name in names)
        if len(places) < 2:
            return x
        x = np.rot90(x, g[0], places)
        return np.flip(x, places[1]) if g[1] else x
    moved = [
        (i, mark)
        for i, (name, mark) in enumerate(array.axes)
        if name == factor.on[0] and mark != "!"
    ]
    each = [i for i, name in enumerate(names) if name == factor.each]
    for k, (place, mark) in enumerate(moved):
        is_point = len(moved) == 1 and mark != "^"
        if not factor.each:
            x = along(x, place, g, mark, is_point=is_point)
            continue
        at = each[k] if len(each) == len(moved) else each[0]
        parts = np.moveaxis(x, at, 0)
        inner = place - (place > at)
        parts = np.stack(
            [
                along(part, inner, h, mark, is_point=is_point)
                for part, h in zip(parts, g, strict=True)
            ]
        )
        x = np.moveaxis(parts, 0, at)
    return x


def along(x: np.ndarray, place: int, g: Any, mark: str, *, is_point: bool) -> np.ndarray:
    """Acts along one axis."""
    if isinstance(g, float):
        return g * x
    if isinstance(g, np.ndarray):
        return np.take(x, g, place)
    m, shift = g
    if mark == "*":
        m = np.linalg.inv(m).T
    x = np.moveaxis(np.tensordot(m, x, (1, place)), 0, place)
    return x + shift.reshape([-1 if i == place else 1 for i in range(x.ndim)]) if is_point else x


# --------------------------------------------------------------------------------------------------- points
def drawn_sizes(claim: Claim, signature: str, rng: np.random.Generator) -> dict[str, int]:
    """Draws sizes; the two of an image are equal."""
    given = claim.options.get("sizes", {})
    names = sorted(
        {name for side in parse(signature) for a in side for name, _ in a.axes if name.isalpha()}
    )
    sizes = {name: int(rng.integers(2, 5)) + (name in ("n", "h")) for name in names}
    sizes |= {
        k: v if isinstance(v, int) else int(rng.integers(v[0], v[1] + 1)) for k, v in given.items()
    }
    for factor in factors(claim.under) if claim.under else ():
        if len(factor.on) == 2 and factor.family != "Flip":
            sizes[factor.on[1]] = sizes[factor.on[0]]
    return sizes


def shape(array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an argument."""
    return tuple(int(name) if name.isdigit() else sizes[name] for name, _ in array.axes)


def draw(
    claim: Claim, array: Array, sizes: Mapping[str, int], rng: np.random.Generator
) -> np.ndarray:
    """Draws an argument; masks keep something and leave something out, masses are positive."""
    wanted = shape(array, sizes)
    if array.kind == "bool":
        mask = rng.random(wanted) < 0.5
        mask.flat[0], mask.flat[-1] = True, False
        return rng.permuted(mask)
    if "box" in claim.options or claim.question == "violation":
        return rng.uniform(*claim.options.get("box", (-1, 1)), wanted)
    if array.name == "m" and claim.question == "identical":
        return rng.uniform(0.2, 2, wanted)
    x = rng.normal(size=wanted)
    return x + 1j * rng.normal(size=wanted) if array.kind == "complex" else x


def results(made: Any, count: int) -> list[np.ndarray]:
    """The results as arrays."""
    found = list(made) if count > 1 else [made]
    return [np.asarray(x.detach() if hasattr(x, "detach") else x) for x in found]


def difference(left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> float:
    """The greatest difference relative to 1 and the size of the right sides."""
    worst = 0.0
    for a, b in zip(left, right, strict=True):
        if a.shape != b.shape:
            return float("inf")
        gap = np.where(a == b, 0, np.abs(np.subtract(a, b, dtype=complex)))
        worst = max(worst, float(np.max(gap, initial=0) / (1 + np.max(np.abs(b), initial=0))))
    return worst


@contextlib.contextmanager
def doubles() -> Iterator[None]:
    """Whatever is built or computed is of float64."""
    import jax
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with jax.enable_x64(new_val=True), torch.no_grad(), np.errstate(all="ignore"):
            yield
    finally:
        torch.set_default_dtype(before)


def callable_of(claim: Claim, *, is_broken: bool = False) -> Function:
    """The function, of arrays of NumPy."""
    import torch

    f = claim.function
    if claim.question == "profile":
        torch.manual_seed(0)
        f = f(broken=is_broken)
    is_torch = isinstance(f, torch.nn.Module) or getattr(f, "__name__", "").startswith("torch")
    return (lambda *xs: f(*map(torch.tensor, xs))) if is_torch else f


# --------------------------------------------------------------------------------------------------- labels
def violation(
    f: Function, claim: Claim, signature: str, under: str, rng: np.random.Generator
) -> float:
    """The difference of both sides at one point, for one element."""
    inputs, outputs = parse(signature)
    sizes = drawn_sizes(claim, signature, rng)
    points = [draw(claim, a, sizes, rng) for a in inputs]
    return moved(f, inputs, outputs, points, elements(under, sizes, rng), difference)


def elements(
    under: str, sizes: Mapping[str, int], rng: np.random.Generator
) -> list[tuple[Factor, Any]]:
    """Draws an element of each factor, a list of them with `each`."""
    return [
        (
            p,
            [element(p, sizes, rng) for _ in range(sizes[p.each])]
            if p.each
            else element(p, sizes, rng),
        )
        for p in factors(under)
    ]


def moved(
    f: Function,
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    points: Sequence[np.ndarray],
    drawn: Sequence[tuple[Factor, Any]],
    compared: Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], float],
) -> float:
    """Compares f(g x) with g f(x)."""

    def every(values: Sequence[np.ndarray], typed: Sequence[Array]) -> list[np.ndarray]:
        return [
            reduce(lambda y, pair: act(y, a, *pair), drawn, x)
            for x, a in zip(values, typed, strict=True)
        ]

    left = results(f(*every(points, inputs)), len(outputs))
    return compared(left, every(results(f(*points), len(outputs)), outputs))


def greatest(claim: Claim, f: Function, signature: str, under: str) -> float:
    """The greatest difference of all trials."""
    rng = np.random.default_rng(crc32(claim.name.encode()))
    return max(violation(f, claim, signature, under, rng) for _ in range(TRIALS))


def dependence(claim: Claim) -> float:
    """How much the results change with what they must not depend on."""
    inputs, outputs = parse(claim.signature)
    rng = np.random.default_rng(crc32(claim.name.encode()))
    worst = 0.0
    for _ in range(TRIALS):
        sizes = drawn_sizes(claim, claim.signature, rng) | {"n": int(rng.integers(5, 9))}
        points = [draw(claim, a, sizes, rng) for a in inputs]
        others = [draw(claim, a, sizes, rng) for a in inputs]
        if claim.question == "independent":
            name, _, mask = claim.options["of"].strip("]").partition("[")
            names = [a.name for a in inputs]
            chosen: Any = slice(None)
            if mask:
                keep = points[names.index(mask.strip("~"))]
                chosen = ~keep if mask.startswith("~") else keep
            rows, entry = {names.index(name): chosen}, slice(None)
        else:
            before, after = claim.options.get("before", sizes["n"]), claim.options.get("after", 0)
            entry = int(rng.integers(sizes["n"]))
            distance = np.arange(sizes["n"]) - entry
            rows = {i: (distance > after) | (distance < -before) for i in range(len(inputs))}
        changed = [x.copy() for x in points]
        for i, chosen in rows.items():
            changed[i][chosen] = others[i][chosen]
        sides = (results(claim.function(*p), len(outputs)) for p in (changed, points))
        worst = max(worst, difference(*([np.atleast_1d(y)[entry] for y in side] for side in sides)))
    return worst


def unlike(claim: Claim) -> float:
    """How much two functions differ."""
    inputs, _ = parse(claim.signature)
    rng, worst = np.random.default_rng(crc32(claim.name.encode())), 0.0
    for _ in range(TRIALS):
        sizes = drawn_sizes(claim, claim.signature, rng)
        points = [draw(claim, a, sizes, rng) for a in inputs]
        if claim.against is None:
            raise ValueError(claim.name)
        sides = [results(f(*points), 1) for f in (claim.function, claim.against)]
        worst = max(worst, difference(*sides))
    return worst


def split(claim: Claim, place: str) -> tuple[str, str]:
    """The signature and the group of a nearest claim, written whole or as its group alone."""
    signature, bar, under = place.rpartition("|")
    return (signature.strip(), under.strip()) if bar else (claim.signature, place)


def holds(claim: Claim, place: str) -> bool:
    """Whether a claim nearby holds."""
    return greatest(claim, callable_of(claim), *split(claim, place)) < NEAR


def nearby(claim: Claim) -> list[str]:
    """The claims nearby that hold: other families of each factor, and the result marked."""
    left, _, right = claim.signature.partition("->")
    axes = {a for p in factors(claim.under) for a in p.on}
    marked = [
        f"{left}-> " + " ".join(word + mark if word in axes else word for word in right.split())
        for mark in "!^"
    ]
    groups = [
        claim.under,
        *(f"{inner}({p.on[0]})" for p in factors(claim.under) for inner in INSIDE[p.family]),
    ]
    places = [f"{s} | {g}" for g in groups for s in (claim.signature, *marked)]
    return [p for p in places if holds(claim, p)]


def label(claim: Claim) -> bool | None:
    """Returns whether the claim holds, None where the test does not tell.

    Of "nearest": whether a claim nearby holds; None also if the claim itself does not fail. Of "profile":
    None also if the model is not right without the layer that is broken on purpose.
    """
    with doubles():
        if claim.question in ("independent", "causal"):
            worst = dependence(claim)
        elif claim.question == "identical":
            worst = unlike(claim)
        elif claim.question == "nearest":
            if greatest(claim, claim.function, claim.signature, claim.under) < FAR:
                return None
            return holds(claim, claim.place) if claim.place else bool(nearby(claim))
        else:
            f = callable_of(claim, is_broken=not claim.holds)
            found = [greatest(claim, f, s, claim.under) for s in claim.typings]
            worst = max(found) if claim.holds else min(found)
            if claim.question == "profile" and not claim.holds:
                if greatest(claim, callable_of(claim), claim.signature, claim.under) > NEAR:
                    return None
    return True if worst < NEAR else False if worst > FAR else None


# ----------------------------------------------------------------------------------------------- violations
def norm(claim: Claim) -> Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], float]:
    """The violation as `eqvproof.violation` defines it."""

    def measure(left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> float:
        (a,), (b,) = left, right
        gap = float(np.linalg.norm(a - b))
        return gap / max(float(np.linalg.norm(a)), float(np.linalg.norm(b))) if relative else gap

    relative = claim.options.get("relative", True)
    return measure


def sampled(
    claim: Claim, point: Mapping[str, Any] | None = None, points: int = 200, each: int = 20
) -> float:
    """The greatest violation at random points of the box, improved; or at one point, for many elements."""
    inputs, outputs = parse(claim.signature)
    rng = np.random.default_rng(crc32(claim.name.encode()))
    low, high = claim.options.get("box", (-1, 1))
    with doubles():
        sizes = drawn_sizes(claim, claim.signature, rng)

        def at(xs: Sequence[np.ndarray], gs: Any) -> float:
            return moved(claim.function, inputs, outputs, xs, gs, norm(claim))

        if point is not None:
            xs = [np.asarray(point[a.name], float) for a in inputs]
            return max(at(xs, elements(claim.under, sizes, rng)) for _ in range(points * each))
        best, where = 0.0, None
        for _ in range(points):
            xs = [draw(claim, a, sizes, rng) for a in inputs]
            for _ in range(each):
                gs = elements(claim.under, sizes, rng)
                if (value := at(xs, gs)) > best:
                    best, where = value, (xs, gs)
        for step in np.repeat([0.3, 0.1, 0.03], 100) if where else ():
            xs, gs = where
            xs = [np.clip(x + step * rng.normal(size=x.shape), low, high) for x in xs]
            if (value := at(xs, gs)) > best:
                best, where = value, (xs, gs)
    return best
