"""How many points float64 power sums give back, and whether the stated bound is true: 10^4 trials and more.

    python benchmarks/power_sums.py [--out benchmarks/power_sums.md] [--trials 1000]

Uniform points of [-1, 1]^d, their power sums rounded once, decoded with the bound that `PowerSums` states. A
trial is wrong when no numbering of the true points puts each within the bound stated for it.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.support.errors import DomainError

LINE = [(n, 1) for n in (2, 6, 8, 10, 12, 16, 20, 24, 32)]
CASES = [*LINE, (6, 2), (10, 2), (16, 2), (20, 2), (4, 3), (8, 3), (12, 3)]


def trial(n: int, d: int, rng: np.random.Generator, *, repeated: bool) -> tuple[float | None, float, bool]:
    """The bound (None: refused), the true error, and whether the bound is false."""
    x = rng.uniform(-1, 1, (n, d))
    if repeated:
        x[n // 2] = x[0]
    sums = ep.deepsets.PowerSums(n, d)
    try:
        found = sums.decode(sums.encode(x))
    except DomainError as error:
        if error.code != "domain.precision":
            raise
        return None, 0.0, False
    distance = np.abs(x[:, None] - found.points[None]).max(axis=-1)
    outside = distance > found.bounds[None]
    pairs = linear_sum_assignment(outside)
    closest = linear_sum_assignment(distance)
    return found.bound, float(distance[closest].max()), bool(outside[pairs].any())


def line(n: int, d: int, trials: int) -> str:
    """One line of the table; in every tenth trial two points are equal."""
    rng = np.random.default_rng(100 * n + d)
    results = [trial(n, d, rng, repeated=k % 10 == 9 and n > 1) for k in range(trials)]
    bounds = [bound for bound, _, _ in results if bound is not None]
    errors = [error for bound, error, _ in results if bound is not None]
    wrong = sum(false for _, _, false in results)
    sums = ep.deepsets.PowerSums(n, d)
    shown = f"{np.median(bounds):.1e} | {max(errors):.1e}" if bounds else "- | -"
    return (
        f"| {n} | {d} | {sums.latent_dimension} | {sums.lower_bound} | {trials} | "
        f"{100 * len(bounds) / trials:.1f} % | {shown} | {wrong} |"
    )


def main() -> None:
    """Runs and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(Path(__file__).with_suffix(".md")))
    parser.add_argument("--trials", type=int, default=1000)
    options = parser.parse_args()
    lines = [
        "# Points from float64 power sums",
        "",
        f"Written by `benchmarks/power_sums.py` (eqvproof {ep.__version__}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}). Uniform points of [-1, 1]^d, two of them "
        "equal in every tenth trial; what is not decoded is refused (a bound above 1e-6). Wrong: a point "
        "outside the bound stated for it.",
        "",
        "| n | d | features | lower bound | trials | decoded | median bound | largest error | wrong |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for n, d in CASES:
        lines.append(line(n, d, options.trials))
        print(lines[-1], flush=True)
    Path(options.out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
