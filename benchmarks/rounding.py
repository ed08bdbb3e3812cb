"""Bounds of rounding: whether they hold, how sharp they are, what they cost, and what they find.

    python benchmarks/rounding.py [--draws 1000] [--seconds 60]

It writes all of `benchmarks/rounding.md`.

- **Sharpness**: layers of the gallery in float32 with their weights in float32; the least of bound / error
  over all entries and draws, as many draws as the seconds allow. Stacks of attention and norm. Where NumPy
  makes doubles of a layer, its Program is evaluated in float32, sums in random orders.
- **Time**: a bound beside one evaluation in float64, of inputs that are numbers of float32; processor time.
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
from eqvproof.errors import EqvproofError
from eqvproof.frontends.samples import make_inputs
from eqvproof.groups import parse_group
from eqvproof.rounding.bound import bound_of
from eqvproof.rounding.compared import chosen, exact_elements
from eqvproof.rounding.reading import read
from eqvproof.rounding.sides import deviate
from eqvproof.signature import parse_signature
from eqvproof.testing.floats import GRID, STYLES
from tests.corpus import right, wrong
from tests.gallery.layer import Layer, misstep
from tests.gallery.test_gallery import FAMILIES, GALLERIES
from tests.rounding.judge import computed

MODELS = ("certain", "probable")
#: The largest array of a layer that is looked at.
LARGEST = 3e5
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
    f: Callable[..., Any], signature: str, sizes: dict[str, int], draws: int, model: str, seconds: float
) -> tuple[float, int] | None:
    """The least of bound / error over entries and draws, and their number; None where no bound is finite."""
    parsed, rng = parse_signature(signature), np.random.default_rng(0)
    reading = read(f, parsed, sizes)
    worst, start = 0.0, time.perf_counter()
    done = 0
    while done < draws and (done == 0 or time.perf_counter() < start + seconds):
        inputs = make_inputs(parsed, sizes, "normal", rng)
        given = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        plain = {n: a.astype(np.float64) if a.dtype.kind == "f" else a for n, a in given.items()}
        found = bound_of(reading, plain, sizes, "float32", model)
        with np.errstate(all="ignore"):
            result = np.asarray(f(*[a.copy() for a in given.values()]))
        if result.dtype != np.float32:  # NumPy made doubles of it: its Program, in float32
            result = computed(reading.trace.program, plain, sizes, "float32", done)
        with np.errstate(all="ignore"):
            part = np.abs(result - found.value) / found.bound
        held = np.isfinite(found.bound) & np.isfinite(part)
        worst = max(worst, float(np.max(part[held], initial=0.0)))
        done += 1
    return (1 / worst, done) if worst else None


def gallery(n: int, d: int, draws: int, seconds: float) -> str:
    """The row of the gallery at one size."""
    ratios: dict[str, list[tuple[float, int]]] = {model: [] for model in MODELS}
    for _, layer in layers():
        sizes = sizes_of(layer, d, n)
        try:
            program = read(layer.function, layer.signature, sizes).trace.program
            if max(prod(node.lengths(sizes)) for node in program.nodes) > LARGEST:
                continue
            found = [
                sharpness(layer.function, layer.signature, sizes, draws, m, seconds / 100) for m in MODELS
            ]
        except (EqvproofError, ValueError, MemoryError, np.linalg.LinAlgError):
            continue
        for model, one in zip(MODELS, found, strict=True):
            ratios[model].extend(x for x in [one] if x is not None)
    c, p = ([ratio for ratio, _ in ratios[m]] for m in MODELS)
    many = median(done for _, done in ratios["probable"])
    what = f"| {len(p)} of the gallery, n = {n}, d = {d} | {many:.0f} "
    return f"{what}| {median(c):.0f} | {median(p):.0f} | {min(p):.1f} |"


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


def timed(f: Callable[[], Any], repeats: int = 5) -> float:
    """The least processor time of some runs, after one."""
    f()
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        f()
        best = min(best, time.process_time() - start)
    return best


def alarms(f: Callable[..., Any], signature: str, under: str, sizes: dict[str, int]) -> set[str]:
    """Which tolerances see a violation in twenty trials."""
    parsed, rng, chance = parse_signature(signature), np.random.default_rng(0), random.Random(0)
    group = parse_group(under, parsed)
    known = {**sizes, **group.pins}
    reading = read(f, parsed, known)
    seen: set[str] = set()
    seen_styles: list[str] = []
    for style in (*STYLES, *STYLES):
        inputs = make_inputs(parsed, known, style, rng)
        few = len(seen_styles) >= len(STYLES)
        seen_styles.append(style)
        element = exact_elements(group, known, chance) if few else chosen(group, known, None, chance)
        if few:
            inputs = {n: np.rint(a * GRID) / GRID if a.dtype.kind == "f" else a for n, a in inputs.items()}
        arrays = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        found = deviate(reading, f, arrays, element, known, "float32")
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
    yield "## Sharpness\n\nThe least of bound / error over all entries and draws, in float32.\n"
    yield "| layers | draws | median, certain | median, probable | least, probable |"
    yield "|---|---|---|---|---|"
    yield gallery(64, 16, draws, seconds)
    yield gallery(512, 16, draws, seconds)
    for depth, n, d in ((1, 64, 16), (2, 64, 16), (4, 64, 16), (1, 512, 64), (2, 512, 64), (4, 512, 64)):
        sizes = {"n": n, "d": d}
        both = [
            sharpness(stack(depth), "X: n d -> n d", sizes, draws, m, seconds) or (0.0, 0) for m in MODELS
        ]
        what = f"| attention and norm, depth {depth}, n = {n}, d = {d} | {both[1][1]} "
        yield f"{what}| {both[0][0]:.0f} | {both[1][0]:.0f} | {both[1][0]:.0f} |"
    yield "\n## Time\n"
    yield "| n, d | evaluation in float64, ms | certain, times as long | probable, times as long |"
    yield "|---|---|---|---|"
    for n, d in ((64, 16), (512, 64)):
        X = np.random.default_rng(0).normal(size=(n, d)).astype(np.float32).astype(np.float64)
        reading, sizes = read(stack(1), "X: n d -> n d", {}), {"n": n, "d": d}
        plain = timed(lambda X=X: stack(1)(X), 20)
        times = [
            timed(lambda X=X, m=m, s=sizes, r=reading: bound_of(r, {"X": X}, s, "float32", m)) / plain
            for m in MODELS
        ]
        yield f"| {n}, {d} | {1e3 * plain:.2f} | {times[0]:.0f} | {times[1]:.0f} |"
    yield "\n## Detection\n"
    yield from detected()


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    lines = []
    for line in report(given.draws, given.seconds):
        print(line, flush=True)
        lines.append(line)
    text = "\n".join(lines) + "\n"
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
