"""Codes, power sums, sketches and decompositions as n grows: seconds, what comes back, and where they end.

python benchmarks/embeddings.py [--out benchmarks/embeddings.md] [--limit 5]

Each row runs in a process of its own, which is ended at the limit; what is larger is left out then.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import sympy  # noqa: F401  before processes are forked: not in the times

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from benchmarks.ratios import table, write


def code(n: int) -> str:
    """n words of up to 12 bits, each up to twice."""
    draw = random.Random(n)
    multiset = [draw.randrange(n) for _ in range(n)]
    embedding = ep.deepsets.CountableCode(range(n), max(Counter(multiset).values()))
    return right(Counter(embedding.decode(embedding.encode(multiset))) == Counter(multiset))


def exact_powers(n: int) -> str:
    """n rationals of small height."""
    draw = random.Random(n)
    points = sorted(Fraction(draw.randint(-9, 9), draw.randint(1, 3)) for _ in range(n))
    sums = ep.deepsets.PowerSums(n)
    return right([x for (x,) in sums.decode(sums.encode(points))] == points)


def float_powers(n: int) -> str:
    """n uniform numbers."""
    x = np.random.default_rng(n).uniform(-1, 1, n)
    sums = ep.deepsets.PowerSums(n)
    try:
        found = sums.decode(sums.encode(x))
    except ep.EqvproofError as error:
        return f"refused ({error.code})"
    return (
        f"within {found.bound:.1g}"
        if (abs(found.points[:, 0] - np.sort(x)) <= found.bounds).all()
        else "WRONG"
    )


def sketch(n: int) -> str:
    """n normal numbers."""
    x = np.random.default_rng(n).standard_normal(n)
    embedding = ep.deepsets.Sketch(n)
    return right(np.array_equal(np.sort(embedding.decode(embedding.encode(x)).elements()), np.sort(x)))


def symmetric(n: int) -> str:
    """The sum of the products of pairs, and a sum of exponentials, by what symbols show."""
    found = ep.deepsets.decompose(lambda x: (sum(x) ** 2 - sum(v * v for v in x)) / 2, n=n)
    return str(found.agreement)


def decoded(n: int) -> str:
    """The maximum of n numbers, through their power sums."""
    return str(ep.deepsets.decompose(lambda x: np.max(x), n=n, trials=2).agreement)


def right(same: Any) -> str:
    """What came back."""
    return "exactly" if same else "WRONG"


JOBS: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "CountableCode of n words": (code, (10**3, 10**4, 10**5, 10**6)),
    "PowerSums of n rationals": (exact_powers, (10, 30, 100, 300, 1000)),
    "PowerSums of n floats": (float_powers, (4, 8, 16, 32, 1000)),
    "Sketch of n floats": (sketch, (10**3, 10**5, 10**6)),
    "decompose, by symbols": (symmetric, (4, 16, 64, 256, 1000)),
    "decompose, by decoding": (decoded, (2, 4, 8, 16, 32)),
}


def timed(name: str, n: int, answers: Any) -> None:
    """In a process of its own."""
    job, sizes = JOBS[name]
    job(sizes[0])
    start = time.perf_counter()
    found = job(n)
    answers.put((time.perf_counter() - start, found))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--limit", type=float, default=5.0)
    a = parser.parse_args()
    context, rows = multiprocessing.get_context("fork"), []
    for name, (_, sizes) in JOBS.items():
        for n in sizes:
            answers = context.Queue()
            process = context.Process(target=timed, args=(name, n, answers))
            process.start()
            process.join(a.limit)
            if process.is_alive() or answers.empty():
                process.kill()
                rows.append((name, n, f"more than {a.limit:g}", "-"))
                break
            rows.append((name, n, *answers.get()))
    write(a.out, "Embeddings as n grows", [table(("what", "n", "s", "comes back"), rows)])


if __name__ == "__main__":
    main()
