"""What is detected: ours beside `np.allclose`, over the corpus of wrong and right functions.

    python benchmarks/detection.py [--budget 5] [--out benchmarks/detection.md]

Two baselines, both common in tests of equivariance: one Gaussian input in float32 with np.allclose (rtol
1e-5, atol 1e-6) at sizes 3, 4, ..., and 100 Gaussian inputs in float64 with np.allclose (rtol and atol 1e-8)
at sizes from 2 to 6, with random elements of the group. A baseline that meets an exception or a value that is
not finite reports a failure.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.claims.groups import act, act_on_argument, is_trivial, parse_group, random_element
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import EqvproofError
from tests.corpus import right, wrong
from tests.corpus.case import Case

TRIALS = 100


def sizes_of(case: Case, rng: random.Random | None) -> dict[str, int]:
    """Sizes for a baseline: 3, 4, ... or random ones from 2 to 6; those that are given stay."""
    signature = parse_signature(case.signature)
    given = {**case.options.get("sizes", {}), **parse_group(case.under, signature).pins}
    sizes = {}
    for k, name in enumerate(signature.input_names):
        span = given.get(name, (2, 6))
        low, high = span if isinstance(span, tuple) else (span, span)
        sizes[name] = rng.randint(low, high) if rng is not None else max(low, min(high, 3 + k))
    return sizes


def passes(
    case: Case, sizes: dict[str, int], rng: random.Random, dtype: Any, rtol: float, atol: float
) -> bool:
    """One comparison of f(g x) with g f(x)."""
    signature = parse_signature(case.signature)
    noise = np.random.default_rng(rng.randrange(2**32))
    inputs = {
        a.name: noise.standard_normal(tuple(x.at(sizes) for x in a.axes)).astype(dtype)
        for a in signature.inputs
    }
    group = parse_group(case.under, signature)
    elements = [
        random_element(f, f.size(sizes), rng) for f in group.factors if not is_trivial(f, f.size(sizes))
    ]
    moved = dict(inputs)
    for element in elements:
        for a in signature.inputs:
            moved[a.name] = act_on_argument(element, moved[a.name], a, sizes).astype(dtype)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            at = np.asarray(case.function(*inputs.values()))
            left = np.asarray(case.function(*moved.values()))
            for element in elements:
                known = signature.output_sizes(at.shape, sizes)
                at = act(element, at.astype(np.float64), signature.output, known)
            return bool(np.allclose(left.astype(float), np.asarray(at, dtype=float), rtol=rtol, atol=atol))
    except (ArithmeticError, ValueError, IndexError, TypeError, EqvproofError):
        return False


def single(case: Case) -> bool:
    """One Gaussian input in float32."""
    return passes(case, sizes_of(case, None), random.Random(0), np.float32, 1e-5, 1e-6)


def hundred(case: Case) -> bool:
    """100 Gaussian inputs in float64."""
    rng = random.Random(1)
    return all(passes(case, sizes_of(case, rng), rng, np.float64, 1e-8, 1e-8) for _ in range(TRIALS))


def judge(case: Case, budget: float) -> tuple[str, str, float]:
    """Outcome, grade and seconds of ours."""
    start = time.perf_counter()
    verdict = ep.check(case.function, case.signature, case.under, budget=budget, **case.options)
    return str(verdict.outcome), str(verdict.grade), time.perf_counter() - start


def table(cases: list[Case], budget: float, *, are_wrong: bool) -> tuple[list[str], dict[str, int]]:
    """Lines of Markdown, and the sums over all kinds."""
    rows: dict[str, list[int]] = {}
    verdicts: Counter[str] = Counter()
    surprises = []
    exact = certain = 0
    times = []
    for number, case in enumerate(cases):
        outcome, grade, seconds = judge(case, budget)
        first, second = single(case), hundred(case)
        row = rows.setdefault(case.why, [0, 0, 0, 0])
        row[0] += 1
        row[1] += not first
        row[2] += not second
        row[3] += outcome == "FAILS"
        verdicts[f"{outcome} {grade}".strip()] += 1
        times.append(seconds)
        exact += case.is_exact
        certain += case.is_exact and grade in ("EXACT", "ENCLOSED")
        if (outcome == "FAILS") != are_wrong:
            surprises.append(f"{case.name}: {outcome} {grade}")
        print(f"{number + 1}/{len(cases)} {case.name}: {outcome} {grade} {seconds:.1f} s", file=sys.stderr)
    total = [sum(r[k] for r in rows.values()) for k in range(4)]
    lines = ["| kind | functions | allclose, once | allclose, 100 times | ours |", "|---|---|---|---|---|"]
    lines += [f"| {why} | {' | '.join(map(str, r))} |" for why, r in rows.items()]
    lines += [f"| **all** | {' | '.join(f'**{t}**' for t in total)} |", ""]
    lines += ["Ours: " + ", ".join(f"{count} {name}" for name, count in verdicts.most_common()) + "."]
    if are_wrong:
        lines += [f"Of {exact} that run on exact numbers {certain} are refuted EXACT or ENCLOSED."]
    times.sort()
    lines += [f"Seconds a verdict: median {times[len(times) // 2]:.2f}, greatest {times[-1]:.1f}."]
    lines += ["", "Not as it should be: " + ("; ".join(surprises) if surprises else "none") + "."]
    sums = {"functions": total[0], "once": total[1], "hundred": total[2], "ours": total[3]}
    return lines, sums


def main() -> None:
    """Run the corpus and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("detection.md"))
    options = parser.parse_args()
    bad, lost = table(wrong.CORPUS.cases, options.budget, are_wrong=True)
    good, alarms = table(right.CORPUS.cases, options.budget, are_wrong=False)
    text = [
        "# What is detected", "",
        "Written by `benchmarks/detection.py`"
        f" (Python {platform.python_version()}, NumPy {np.__version__}, {options.budget:g} s a verdict)."
        " The functions are in `tests/corpus`.",
        "*allclose, once*: one Gaussian input, float32, rtol 1e-5, atol 1e-6;"
        " *allclose, 100 times*: Gaussian inputs, float64, rtol and atol 1e-8.", "",
        "## Wrong functions: how many are reported to fail", "", *bad, "",
        f"Missed: {lost['functions'] - lost['once']} by one input, {lost['functions'] - lost['hundred']} by"
        f" a hundred, {lost['functions'] - lost['ours']} by ours.", "",
        "## Right functions: how many are reported to fail", "", *good, "",
        f"False alarms: {alarms['once']} by one input, {alarms['hundred']} by a hundred,"
        f" {alarms['ours']} by ours.",
        "",
    ]  # fmt: skip
    options.out.write_text("\n".join(text))


if __name__ == "__main__":
    main()
