"""Bounds of rounding: whether they hold, how sharp they are, what they cost, and what they find.

    python benchmarks/rounding.py [--draws 1000] [--seconds 2]

It writes all of `benchmarks/rounding.md`.

- **Sharpness**: layers of the gallery in float32 with their weights in float32, whose arrays have no more
  than n^2 entries and which round at all; the least of bound / error over all entries and draws. What is off
  is measured from float64, of which the same bound, 2^-29 times as large, says how far it is off. Stacks of
  attention and norm. Where NumPy makes doubles of a layer, its Program is evaluated in float32, sums in
  random orders.
- **Time**: a bound beside one evaluation in float64, of inputs that are numbers of float32; processor time,
  medians of the ratio in turn. It is another in every process: evaluations take 2.6 ms in some, 5 in others.
- **Detection**: right functions of the corpus and right layers of the gallery, wrong functions and near
  misses, in float32: the bound as tolerance beside three usual ones, on the same inputs. What cannot be read
  has no bound, and is left out.

Whether bounds hold is what `rounding_holds.py` asks; boxes are in `rounding_boxes.py`.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import detection
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.interface.testing.floats import GRID, STYLES
from eqvproof.rounding.bound import bound_traced
from eqvproof.rounding.deviations import exact_elements, group_elements
from eqvproof.rounding.sides import compare_at_point
from eqvproof.rounding.tracing import trace_with_roundings
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import make_inputs
from tests.corpus import right, wrong
from tests.gallery.layer import Layer, misstep
from tests.gallery.test_gallery import FAMILIES, GALLERIES
from tests.rounding.judge import computed

MODELS = ("certain", "probable")
SHAPES = ((64, 16), (512, 64))
TOLERANCES = {"allclose": (1e-5, 1e-8), "1e-4": (1e-4, 1e-4), "1e-6": (1e-6, 1e-6)}


def single(value: Any, module: str) -> Any:
    """Weights in float32: arrays, and what lists and objects of a module hold."""
    if isinstance(value, (np.ndarray, np.float64)):
        return value.astype(np.float32) if value.dtype == np.float64 else value
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(single(v, module) for v in value)
    if isinstance(value, dict):
        return {k: single(v, module) for k, v in value.items()}
    if type(value).__module__ == module:
        for name, held in list(vars(value).items()):
            setattr(value, name, single(held, module))
    return value


def layers() -> Iterator[tuple[str, Layer]]:
    """The layers of the gallery in NumPy, their weights in float32."""
    for family in FAMILIES:
        module = sys.modules[f"tests.gallery.{family}"]
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                setattr(module, name, single(value, module.__name__))
        for layer in GALLERIES[family].layers.values():
            single(layer.function, module.__name__)
            yield family, layer


def sizes_of(layer: Layer, d: int, n: int) -> dict[str, int]:
    """Sizes for a layer: n for the axis n, d for others, those that it fixes left."""
    parsed = parse_signature(layer.signature)
    sizes = {name: n if name == "n" else d for name in parsed.input_names}
    for name, size in layer.options.get("sizes", {}).items():
        sizes[name] = size if isinstance(size, int) else min(size[1], sizes.get(name, d))
    return {**sizes, **parsed.pins}


def apart(layer: Layer) -> dict[str, int]:
    """Small sizes, not two the same where the layer leaves it open: axes that are mixed up show."""
    free, given = iter((4, 3, 5, 7)), layer.options.get("sizes", {})
    sizes = {name: size or next(free) for name, size in sizes_of(layer, 0, 6).items()}
    return {n: s if isinstance(given.get(n, s), int) else min(given[n][1], s) for n, s in sizes.items()}


def sharpness(
    f: Callable[..., Any], signature: str, sizes: dict[str, int], draws: int, seconds: float
) -> tuple[float, float, int] | None:
    """The least of bound / error over entries and draws, certain and probable, and the draws of the latter.

    The probable bound is made at the draws that are worst beside the certain one first, for so many seconds.
    None where nothing is rounded.
    """
    parsed = parse_signature(signature)
    reading = trace_with_roundings(f, parsed, sizes)

    def part(seed: int, model: str) -> float:
        """The largest of error / bound."""
        inputs = make_inputs(parsed, sizes, "normal", np.random.default_rng(seed))
        given = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        plain = {n: a.astype(np.float64) if a.dtype.kind == "f" else a for n, a in given.items()}
        found = bound_traced(reading, plain, sizes, "float32", model)
        with np.errstate(all="ignore"):
            result = np.asarray(f(*[a.copy() for a in given.values()]))
            if result.dtype != np.float32:  # NumPy made doubles of it: its Program, in float32
                result = computed(reading.trace.program, plain, sizes, "float32", seed)
            parts = np.abs(result - found.value) / found.bound
        return float(np.max(parts, initial=0.0, where=np.isfinite(found.bound) & np.isfinite(parts)))

    certain = [part(seed, "certain") for seed in range(draws)]
    worst, done, start = 0.0, 0, time.process_time()
    for seed in sorted(range(draws), key=certain.__getitem__, reverse=True):
        worst, done = max(worst, part(seed, "probable")), done + 1
        if time.process_time() > start + seconds:
            break
    ratios = [1 / x if x else np.inf for x in (max(certain), worst)]
    return (ratios[0], ratios[1], done) if worst else None


def gallery(n: int, d: int, draws: int, seconds: float) -> str:
    """The row of the gallery at one size."""
    found: list[tuple[float, float, int]] = []
    for _, layer in layers():
        sizes = sizes_of(layer, d, n)
        try:
            program = trace_with_roundings(layer.function, layer.signature, sizes).trace.program
            if max(prod(node.lengths(sizes)) for node in program.nodes) > n * n:
                continue
            one = sharpness(layer.function, layer.signature, sizes, draws, seconds)
        except (EqvproofError, ValueError, MemoryError, np.linalg.LinAlgError):
            continue
        found += [] if one is None else [one]
    return row(f"{len(found)} of the gallery, n = {n}, d = {d}", draws, found)


def row(what: str, draws: int, found: list[tuple[float, float, int]]) -> str:
    """A row of the table of sharpness."""
    certain, probable, done = zip(*found, strict=True)
    return (
        f"| {what} | {draws} | {median(certain):.0f} | {min(certain):.1f} "
        f"| {median(done):.0f} | {median(probable):.0f} | {min(probable):.1f} |"
    )


def softmax(x: Any) -> Any:
    """Over the last axis."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def stack(depth: int) -> Callable[[Any], Any]:
    """Blocks of attention and norm."""

    def forward(X: Any) -> Any:
        for _ in range(depth):
            X = X + softmax(X @ X.T / np.float32(16)) @ X
            X = X / np.sqrt((X * X).mean(axis=-1, keepdims=True) + np.float32(1e-5))
        return X

    return forward


def timed(f: Callable[[], Any], plain: Callable[[], Any], repeats: int = 15) -> tuple[float, float]:
    """The median of processor times of plain, and of those of f beside plain right before."""
    spent: list[list[float]] = [[], []]
    for _ in range(repeats + 1):
        for call, times, many in ((plain, spent[0], 10), (f, spent[1], 1)):
            start = time.process_time()
            for _ in range(many):
                call()
            times.append((time.process_time() - start) / many)
    ratios = [b / a for a, b in zip(*spent, strict=True)]
    return median(spent[0][1:]), median(ratios[1:])


def alarms(f: Callable[..., Any], signature: str, under: str, sizes: dict[str, int]) -> set[str]:
    """Which tolerances see a violation in twenty trials."""
    parsed, rng, chance = parse_signature(signature), np.random.default_rng(0), random.Random(0)
    group = parse_group(under, parsed)
    known = {**sizes, **group.pins}
    reading = trace_with_roundings(f, parsed, known)
    seen: set[str] = set()
    seen_styles: list[str] = []
    for style in (*STYLES, *STYLES):
        inputs = make_inputs(parsed, known, style, rng)
        few = len(seen_styles) >= len(STYLES)
        seen_styles.append(style)
        element = exact_elements(group, known, chance) if few else group_elements(group, known, None, chance)
        if few:
            inputs = {n: np.rint(a * GRID) / GRID if a.dtype.kind == "f" else a for n, a in inputs.items()}
        arrays = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        found = compare_at_point(reading, f, arrays, element, known, "float32")
        if found.is_violation:
            seen.add("bound")
        for name, (rtol, atol) in TOLERANCES.items():
            if not np.allclose(found.left, found.right, rtol=rtol, atol=atol, equal_nan=True):
                seen.add(name)
    return seen


def cases() -> Iterator[tuple[str, bool, str, Callable[[], Any], str, str, dict[str, int]]]:
    """Corpus, whether it is right, its name, what makes it, and the claim."""
    for where, is_right in ((right.CORPUS, True), (wrong.CORPUS, False)):
        for case in where.cases:
            sizes = detection.sizes_of(case, None)
            yield "corpus", is_right, case.name, lambda c=case: c.function, case.signature, case.under, sizes
    for family, layer in layers():
        sizes = apart(layer)
        yield "gallery", True, layer.name, lambda c=layer: c.function, layer.signature, layer.under, sizes
        for slip in layer.slips:
            name, under = f"{layer.name} ({slip.what})", slip.under or layer.under

            def make(f: str = family, c: Layer = layer, s: Any = slip) -> Any:
                return misstep(GALLERIES[f], c, s)[0]

            yield "gallery", False, name, make, layer.signature, under, sizes


def detected() -> Iterator[str]:
    """The lines of the table of detection, and the wrong functions that the bound does not see."""
    names = ("bound", *TOLERANCES)
    seen_by = {(c, r): Counter[str]() for c in ("corpus", "gallery") for r in (True, False)}
    lines = []
    for where, is_right, name, make, signature, under, sizes in cases():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                seen = alarms(make(), signature, under, sizes)
            except (EqvproofError, ValueError, np.linalg.LinAlgError):
                continue
        seen_by[where, is_right].update([*seen, "functions"])
        if is_right and "bound" in seen:
            lines.append(f"- false alarm: {name}")
        if where == "gallery" and not is_right and "bound" not in seen:
            lines.append(f"- missed: {name}")
    yield "| tolerance | false alarms, corpus | gallery | missed, corpus | gallery |"
    yield "|---|---|---|---|---|"
    totals = [f"of {seen_by[c, r]['functions']}" for r in (True, False) for c in ("corpus", "gallery")]
    yield f"| | {' | '.join(totals)} |"
    for name in names:
        false = [seen_by[c, True][name] for c in ("corpus", "gallery")]
        missed = [
            found["functions"] - found[name] for c in ("corpus", "gallery") for found in [seen_by[c, False]]
        ]
        yield f"| {name} | {' | '.join(map(str, (*false, *missed)))} |"
    yield ""
    yield from lines


def report(draws: int, seconds: float) -> Iterator[str]:
    """The page."""
    yield "# Bounds of rounding\n"
    yield f"`python benchmarks/rounding.py --draws {draws} --seconds {seconds:g}`, Python"
    yield f"{platform.python_version()}, NumPy {np.__version__}, {platform.machine()}."
    yield "What each table says stands in the script.\n"
    yield "## Sharpness\n\nBound / worst seen: the least of bound / error over entries and draws, in float32."
    yield f"Probable bounds at as many draws as {seconds:g} s allow, worst beside the certain ones first.\n"
    yield "| layers | draws | median, certain | least | draws, probable | median, probable | least |"
    yield "|---|---|---|---|---|---|---|"
    for n, d in SHAPES:
        yield gallery(n, 16, draws if n == 64 else max(draws // 200, 1), seconds)
        for depth in (1, 2, 4):
            many = draws if n == 64 else max(draws // 50, 1)
            one = sharpness(stack(depth), "X: n d -> n d", {"n": n, "d": d}, many, 20 * seconds)
            yield row(f"attention and norm, depth {depth}, n = {n}, d = {d}", many, [one] if one else [])
    yield "\n## Time\n"
    yield "| n, d | evaluation in float64, ms | certain, times as long | probable, times as long |"
    yield "|---|---|---|---|"
    for n, d in SHAPES:
        X = np.random.default_rng(0).normal(size=(n, d)).astype(np.float32).astype(np.float64)
        reading, sizes = trace_with_roundings(stack(1), "X: n d -> n d", {}), {"n": n, "d": d}
        found = [
            timed(
                lambda X=X, m=m, s=sizes, r=reading: bound_traced(r, {"X": X}, s, "float32", m),
                lambda X=X: stack(1)(X),
            )
            for m in MODELS
        ]
        yield f"| {n}, {d} | {1e3 * found[0][0]:.2f} | {found[0][1]:.0f} | {found[1][1]:.0f} |"
    yield "\n## Detection\n"
    yield from detected()


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    lines = []
    for line in report(given.draws, given.seconds):
        print(line, flush=True)
        lines.append(line)
    text = "\n".join(lines) + "\n"
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
