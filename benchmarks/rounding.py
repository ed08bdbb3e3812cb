"""Bounds of rounding: whether they hold, how sharp they are, what they cost, and what they find.

    python benchmarks/rounding.py [--programs 10000] [--draws 1000] [--out benchmarks/rounding.md]

- **Sharpness**: layers of the gallery in float32 with their weights in float32; the least of bound / error
  over all entries and draws. Stacks of attention and norm.
- **Time**: a bound beside one evaluation in float64.
- **Detection**: right layers of the gallery, and their near misses, in float32: the bound as tolerance beside
  three usual ones, on the same inputs.
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
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eqvproof.errors import EqvproofError
from eqvproof.frontends.samples import make_inputs
from eqvproof.groups import parse_group
from eqvproof.rounding.bound import bound_of
from eqvproof.rounding.compared import chosen, exact_elements
from eqvproof.rounding.reading import read
from eqvproof.rounding.sides import deviate
from eqvproof.signature import parse_signature
from eqvproof.testing.floats import GRID, STYLES
from tests.gallery.layer import Layer, misstep
from tests.gallery.test_gallery import FAMILIES, GALLERIES

MODELS = ("certain", "probable")
TOLERANCES = {"allclose": (1e-5, 1e-8), "1e-4": (1e-4, 1e-4), "1e-6": (1e-6, 1e-6)}


def single(module: ModuleType) -> None:
    """The weights of a module of the gallery, in float32."""
    for name, value in list(vars(module).items()):
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            setattr(module, name, value.astype(np.float32))


def layers() -> Iterator[tuple[str, Layer]]:
    """The layers of the gallery in NumPy, their weights in float32."""
    for family in FAMILIES:
        single(sys.modules[f"tests.gallery.{family}"])
        for layer in GALLERIES[family].layers.values():
            yield family, layer


def sizes_of(layer: Layer, d: int, n: int) -> dict[str, int]:
    """Sizes for a layer: n for the axis n, d for others, those that it fixes left."""
    parsed = parse_signature(layer.signature)
    sizes = {name: n if name == "n" else d for name in parsed.input_names}
    for name, size in layer.options.get("sizes", {}).items():
        sizes[name] = size if isinstance(size, int) else min(size[1], sizes.get(name, d))
    return {**sizes, **parsed.pins}


def sharpness(
    f: Callable[..., Any], signature: str, sizes: dict[str, int], draws: int, model: str
) -> float | None:
    """The least of bound / error over draws and entries; None where no bound is finite."""
    parsed, rng = parse_signature(signature), np.random.default_rng(0)
    reading = read(f, parsed, sizes)
    worst = 0.0
    known = False
    for _ in range(draws):
        inputs = make_inputs(parsed, sizes, "normal", rng)
        given = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        plain = {n: a.astype(np.float64) if a.dtype.kind == "f" else a for n, a in given.items()}
        found = bound_of(reading, plain, sizes, "float32", model)
        with np.errstate(all="ignore"):
            result = np.asarray(f(*[a.copy() for a in given.values()]))
        if result.dtype != np.float32:
            return None  # NumPy made doubles of it
        with np.errstate(all="ignore"):
            part = np.abs(result - found.value) / found.bound
        held = np.isfinite(found.bound) & np.isfinite(part)
        known = known or bool(held.any())
        worst = max(worst, float(np.max(part[held], initial=0.0)))
    return 1 / worst if known and worst else None


def attempted(layer: Layer, sizes: dict[str, int], draws: int, model: str) -> float | None:
    """The sharpness of a layer, None where it cannot be had."""
    try:
        return sharpness(layer.function, layer.signature, sizes, draws, model)
    except (EqvproofError, ValueError, MemoryError, np.linalg.LinAlgError):
        return None


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
    """The least time of some runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - start)
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


def detection() -> tuple[Counter[str], Counter[str], int, int, list[str]]:
    """False alarms on right layers, near misses that are missed, and how many there were of both."""
    false, missed, right, wrong, lines = Counter[str](), Counter[str](), 0, 0, list[str]()
    names = ["bound", *TOLERANCES]
    for family, layer in layers():
        sizes = sizes_of(layer, 4, 6)
        try:
            seen = alarms(layer.function, layer.signature, layer.under, sizes)
        except (EqvproofError, ValueError, np.linalg.LinAlgError):
            continue
        right += 1
        false.update(seen)
        if "bound" in seen:
            lines.append(f"false alarm: {layer.name}")
        for slip in layer.slips:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    function, _ = misstep(GALLERIES[family], layer, slip)
                    seen = alarms(function, layer.signature, slip.under or layer.under, sizes)
                except (EqvproofError, ValueError, np.linalg.LinAlgError):
                    continue
            wrong += 1
            missed.update(name for name in names if name not in seen)
            if "bound" not in seen:
                lines.append(f"missed: {layer.name} ({slip.what})")
    return false, missed, right, wrong, lines


def report(programs: int, draws: int) -> Iterator[str]:
    """The page."""
    yield "# Bounds of rounding\n"
    yield f"`python benchmarks/rounding.py --programs {programs} --draws {draws}`,"
    yield f"Python {platform.python_version()},"
    yield f"NumPy {np.__version__}, {platform.machine()}. What each table says stands in the script.\n"
    yield "## Sharpness\n\nThe least of bound / error over all entries and draws, in float32.\n"
    yield "| layers | draws | median, certain | median, probable | least, probable |"
    yield "|---|---|---|---|---|"
    ratios: dict[str, list[float]] = {"certain": [], "probable": []}
    few = max(draws // 10, 2)
    for _, layer in layers():
        sizes = sizes_of(layer, 16, 64)
        if np.prod([float(s) for s in sizes.values()]) <= 2e5:
            for model, found_by in ratios.items():
                found_by.extend(x for x in [attempted(layer, sizes, few, model)] if x is not None)
    c, p = ratios["certain"], ratios["probable"]
    what = f"| {len(c)} of the gallery, n = 64 | {few} "
    yield f"{what}| {median(c):.0f} | {median(p):.0f} | {min(p):.1f} |"
    for depth, n, d, most in ((1, 64, 16, draws), (2, 64, 16, draws), (4, 64, 16, draws), (1, 512, 64, 2)):
        sizes = {"n": n, "d": d}
        both = [sharpness(stack(depth), "X: n d -> n d", sizes, most, m) or 0.0 for m in MODELS]
        what = f"| attention and norm, depth {depth}, n = {n}, d = {d} | {most} "
        yield f"{what}| {both[0]:.0f} | {both[1]:.0f} | {both[1]:.0f} |"
    yield "\n## Time\n"
    yield "| n, d | evaluation in float64, ms | certain, times as long | probable, times as long |"
    yield "|---|---|---|---|"
    for n, d in ((64, 16), (512, 64)):
        X = np.random.default_rng(0).normal(size=(n, d))
        reading, sizes = read(stack(1), "X: n d -> n d", {}), {"n": n, "d": d}
        plain = timed(lambda X=X: stack(1)(X))
        times = [
            timed(lambda X=X, m=m, s=sizes, r=reading: bound_of(r, {"X": X}, s, "float32", m), 3) / plain
            for m in MODELS
        ]
        yield f"| {n}, {d} | {1e3 * plain:.2f} | {times[0]:.0f} | {times[1]:.0f} |"
    false, missed, right, wrong, lines = detection()
    yield "\n## Detection\n"
    yield f"| tolerance | false alarms on {right} right layers | of {wrong} near misses missed |"
    yield "|---|---|---|"
    for name in ("bound", *TOLERANCES):
        yield f"| {name} | {false[name]} | {missed[name]} |"
    yield ""
    yield from (f"- {line}" for line in lines)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    text = "\n".join(report(given.programs, given.draws)) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
