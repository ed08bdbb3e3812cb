"""Whether bounds of rounding hold: random Programs and layers, in four dtypes, sums in random orders.

    python benchmarks/rounding_holds.py [--programs 10000] [--first 0] [--state state.json] [--out FILE]

Random Programs over all operations are held against their real values, known to 200 bits, at inputs of five
kinds in turn: small with ties, of 24 bits, that nearly cancel, tiny and large. Layers of the
gallery, at sizes up to 512, are held against their values in the long double of the machine (64 bits), of
which the same bound says how far they are off; functions of matrices at n = 8 alone, as long doubles have no
LAPACK. Probable bounds are held against the same results. bfloat16 is float32 with every result rounded to 8
bits. With ``--state`` a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
from collections import Counter
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.rounding import layers, sizes_of
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.operations.matrix import Matrix
from eqvproof.rounding.formats import UNIT
from eqvproof.rounding.tracing import trace_with_roundings
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import make_inputs
from tests.gallery.layer import Layer
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import DTYPES, beyond, bounds, computed, real

Array = np.ndarray[Any, Any]
#: Sizes of the axis n and of the others.
SIZES = ((8, 4), (64, 16), (512, 16))
#: Arrays of more entries are left out.
LARGEST = 3e5
#: Probable bounds are held against results up to this n.
MOST_PROBABLE = 64
#: What the long double rounds, beside float64; its matrix functions are those of float64.
LONG = float(np.finfo(np.longdouble).eps) / 2 / UNIT


def hard(inputs: dict[str, Array], seed: int) -> dict[str, Array]:
    """Inputs of the kind of this seed, as rationals."""
    if seed % 5 == 0:
        return inputs
    rng = np.random.default_rng(seed)
    scale = {1: 1.0, 2: 2.0**-20, 3: 2.0 ** -int(rng.integers(20, 140)), 4: 2.0 ** int(rng.integers(5, 60))}

    def drawn(array: Array) -> Array:
        middle = np.array(array, dtype=float) if seed % 5 == 2 else 0.0
        values = middle + scale[seed % 5] * rng.normal(size=array.shape).astype(np.float32).astype(float)
        found = np.empty(array.shape, dtype=object)
        found.ravel()[:] = [Fraction(v) for v in values.ravel().tolist()]
        return found

    return {name: drawn(array) for name, array in inputs.items()}


def program(seed: int) -> Counter[str]:
    """One random Program: how many entries are within their bounds, and how many are not."""
    found: Counter[str] = Counter(programs=1)
    target, chance = random_program(seed), random.Random(seed)
    sizes = {"n": chance.randint(1, 5), "d": chance.randint(1, 4)}
    inputs = hard(random_inputs(seed, sizes), seed)
    inputs = {n: inputs[n] for n, _ in target.inputs}
    try:
        exact = real(target, inputs, sizes)
    except (EqvproofError, OverflowError):
        return found + Counter({"not evaluated": 1})
    for dtype in DTYPES:
        bound = bounds(target, inputs, sizes, dtype)
        if bound is None:
            return found + Counter({"not read": 1})
        result = computed(target, inputs, sizes, dtype, seed)
        found["entries"] += result.size
        found["no bound"] += int(np.count_nonzero(np.isfinite(exact[0]) & ~np.isfinite(bound)))
        found["beyond"] += int(np.count_nonzero(beyond(result, exact, bound)))
        likely = bounds(target, inputs, sizes, dtype, "probable")
        found["beyond, probable"] += int(
            likely is not None and np.count_nonzero(beyond(result, exact, likely))
        )
    return found


def layer(case: Layer, n: int, d: int) -> Counter[str]:
    """One layer at one size."""
    found: Counter[str] = Counter()
    parsed, sizes = parse_signature(case.signature), sizes_of(case, d, n)
    reading = trace_with_roundings(case.function, case.signature, sizes)
    target = reading.trace.program
    is_spectral = any(isinstance(node, Matrix) for node in target.nodes)
    if max(prod(node.lengths(sizes)) for node in target.nodes) > LARGEST or (is_spectral and n > SIZES[0][0]):
        return found
    given = make_inputs(parsed, sizes, "normal", np.random.default_rng(0))
    inputs = {x: a.astype(np.float32).astype(float) if a.dtype.kind == "f" else a for x, a in given.items()}
    near = bounds(target, inputs, sizes, "float64")
    if near is None:
        return found
    wide = {name: np.asarray(a, dtype=np.longdouble) for name, a in inputs.items()}
    with np.errstate(all="ignore"):
        middle = np.asarray(evaluate_program(target, FloatSystem(np, np.longdouble), wide, sizes))
    exact = np.where(np.isfinite(near), middle, np.nan), np.where(np.isfinite(near), near * LONG, 0.0)
    for dtype in DTYPES:
        bound = bounds(target, inputs, sizes, dtype)
        if bound is None:
            return found
        likely = bounds(target, inputs, sizes, dtype, "probable") if n <= MOST_PROBABLE else None
        for seed in range(2):
            result = computed(target, inputs, sizes, dtype, seed)
            found["entries"] += result.size
            found["no bound"] += int(np.count_nonzero(~np.isfinite(bound)))
            found["beyond"] += int(np.count_nonzero(beyond(result, exact, bound)))
            if likely is not None:
                found["beyond, probable"] += int(np.count_nonzero(beyond(result, exact, likely)))
    return found + Counter({"layers": 1})


def tables(programs: int, first: int, state: Path | None) -> str:
    """Both tables."""
    known = json.loads(state.read_text()) if state is not None and state.exists() else {}
    random_ones = Counter[str](known.get("programs", {}))
    rows = {n: Counter[str](known.get("layers", {}).get(str(n), {})) for n, _ in SIZES}

    def keep() -> None:
        if state is not None:
            state.write_text(json.dumps({"programs": random_ones, "layers": rows}))

    for seed in range(random_ones["programs"], programs):
        random_ones.update(program(first + seed))
        if seed % 100 == 99:
            keep()
    for n, d in SIZES:
        for _, case in list(layers())[rows[n]["seen"] :]:
            try:
                rows[n].update(layer(case, n, d))
            except (EqvproofError, ValueError, np.linalg.LinAlgError):
                rows[n]["not read"] += 1
            rows[n]["seen"] += 1
            keep()
    head = "entries | without a bound | beyond their bound | beyond their probable bound |"
    kinds = ("entries", "no bound", "beyond", "beyond, probable")
    lines = [
        "# Bounds of rounding, held against results", "",
        f"`python benchmarks/rounding_holds.py --programs {programs} --first {first}`,",
        f"Python {platform.python_version()},",
        f"NumPy {np.__version__}, {platform.machine()}. Dtypes: {', '.join(DTYPES)}.", "",
        f"| random Programs | not evaluated or not read | {head}", "|---|---|---|---|---|---|",
        f"| {random_ones['programs']} | {random_ones['not evaluated'] + random_ones['not read']} "
        + "".join(f"| {random_ones[k]} " for k in kinds) + "|", "",
        f"| n | layers of the gallery | {head}", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for n, row in rows.items():
        counts = "".join(f"| {row[k]} " for k in ("layers", *kinds))
        lines.append(f"| {n} {counts}|")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    text = tables(given.programs, given.first, given.state)
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
