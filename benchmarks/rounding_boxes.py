"""Bounds over boxes beside what FPTaylor's method gives, for the scalar formulas of its published benchmarks.

    python benchmarks/rounding_boxes.py [--out benchmarks/rounding_boxes.md]

FPTaylor's bound is, but for a rest of second order, the maximum over the box of ``sum_i |s_i| r_i``: s_i is
the derivative of the result by the rounding of operation i (those of inputs among them), and r_i half a unit
in the last place. Its optimiser bounds this maximum from above; here it is sampled, so that FPTaylor cannot
print less: what is within 3 times this figure is within 3 times its bound. Constants are left out here.
Functions are rounded correctly on both sides.

Formulas and boxes: A. Solovyev et al., Rigorous Estimation of Floating-Point Round-off Errors with Symbolic
Taylor Expansions, ACM TOPLAS 41, 2018, and the files `benchmarks/toplas` of FPTaylor.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep

HALF_PI, PI = 1.57079632679, 3.14159265
Box = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Case:
    """A formula on a box."""

    name: str
    box: Box
    f: Callable[..., Any]


def doppler(u: Any, v: Any, T: Any) -> Any:
    """The formula of this name."""
    t = 331.4 + 0.6 * T
    return (-t * v) / ((t + u) * (t + u))


def jet(x: Any, y: Any) -> Any:
    """The formula of this name."""
    d = x * x + 1.0
    s = ((3.0 * x * x + 2.0 * y) - x) / d
    r = ((3.0 * x * x - 2.0 * y) - x) / d
    inner = (2.0 * x * s * (s - 3.0) + x * x * (4.0 * s - 6.0)) * d + 3.0 * x * x * s + x * x * x + x
    return x + (inner + 3.0 * r)


def kepler0(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """The formula of this name."""
    return b * e + c * f - b * c - e * f + a * (-a + b + c - d + e + f)


def kepler1(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The formula of this name."""
    return (
        a * d * (-a + b + c - d) + b * (a - b + c + d) + c * (a + b - c + d) - b * c * d - a * c - a * b - d
    )


def kepler2(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """The formula of this name."""
    first = a * d * (-a + b + c - d + e + f) + b * e * (a - b + c + d - e + f)
    return first + c * f * (a + b - c + d + e - f) - b * c * d - a * c * e - a * b * f - d * e * f


def turbine1(v: Any, w: Any, r: Any) -> Any:
    """The formula of this name."""
    return 3.0 + 2.0 / (r * r) - 0.125 * (3.0 - 2.0 * v) * (w * w * r * r) / (1.0 - v) - 4.5


def turbine2(v: Any, w: Any, r: Any) -> Any:
    """The formula of this name."""
    return 6.0 * v - 0.5 * v * (w * w * r * r) / (1.0 - v) - 2.5


def turbine3(v: Any, w: Any, r: Any) -> Any:
    """The formula of this name."""
    return 3.0 - 2.0 / (r * r) - 0.125 * (1.0 + 2.0 * v) * (w * w * r * r) / (1.0 - v) - 0.5


def carbon(v: Any) -> Any:
    """The formula of this name."""
    return (3.5e7 + 0.401 * (1000.0 / v) * (1000.0 / v)) * (
        v - 1000.0 * 42.7e-6
    ) - 1.3806503e-23 * 1000.0 * 300.0


def body2(x: Any, y: Any, z: Any) -> Any:
    """The formula of this name."""
    return 2.0 * x * y * z + 3.0 * z * z - y * x * y * z + 3.0 * z * z - y


def himmelblau(x: Any, y: Any) -> Any:
    """The formula of this name."""
    a, b = x * x + y - 11.0, x + y * y - 7.0
    return a * a + b * b


SPAN, BODY, BLADE = (4.0, 6.36), (-15.0, 15.0), {"v": (-4.5, -0.3), "w": (0.4, 0.9), "r": (3.8, 7.8)}
CASES = (
    Case("t_div_t1", {"t": (0, 999)}, lambda t: t / (t + 1.0)),
    Case("sine", {"x": (-HALF_PI, HALF_PI)},
         lambda x: x - x * x * x / 6.0 + x * x * x * x * x / 120.0 - x * x * x * x * x * x * x / 5040.0),
    Case("sqroot", {"y": (0, 1)},
         lambda y: 1.0 + 0.5 * y - 0.125 * y * y + 0.0625 * y * y * y - 0.0390625 * y * y * y * y),
    Case("sineOrder3", {"z": (-2, 2)}, lambda z: 0.954929658551372 * z - 0.12900613773279798 * (z * z * z)),
    Case("carbonGas", {"v": (0.1, 0.5)}, carbon),
    Case("verhulst", {"x": (0.1, 0.3)}, lambda x: (4.0 * x) / (1.0 + x / 1.11)),
    Case("predatorPrey", {"x": (0.1, 0.3)}, lambda x: (4.0 * x * x) / (1.0 + (x / 1.11) * (x / 1.11))),
    Case("rigidBody1", dict.fromkeys("xyz", BODY), lambda x, y, z: -(x * y) - 2.0 * y * z - x - z),
    Case("rigidBody2", dict.fromkeys("xyz", BODY), body2),
    Case("doppler1", {"u": (-100, 100), "v": (20, 20000), "T": (-30, 50)}, doppler),
    Case("doppler2", {"u": (-125, 125), "v": (15, 25000), "T": (-40, 60)}, doppler),
    Case("doppler3", {"u": (-30, 120), "v": (320, 20300), "T": (-50, 30)}, doppler),
    Case("turbine1", BLADE, turbine1),
    Case("turbine2", BLADE, turbine2),
    Case("turbine3", BLADE, turbine3),
    Case("jetEngine", {"x": (-5, 5), "y": (-20, 5)}, jet),
    Case("kepler0", dict.fromkeys("abcdef", SPAN), kepler0),
    Case("kepler1", dict.fromkeys("abcd", SPAN), kepler1),
    Case("kepler2", dict.fromkeys("abcdef", SPAN), kepler2),
    Case("himmilbeau", dict.fromkeys("xy", (-5.0, 5.0)), himmelblau),
    Case("logexp", {"x": (-8, 8)}, lambda x: np.log(1.0 + np.exp(x))),
    Case("sphere", {"x": (-10, 10), "r": (0, 10), "a": (-HALF_PI, HALF_PI), "b": (-PI, PI)},
         lambda x, r, a, b: x + r * np.sin(a) * np.cos(b)),
)  # fmt: skip
#: Derivatives of the functions of these formulas.
SLOPES = {np.log: lambda x: 1 / x, np.exp: np.exp, np.sin: np.cos, np.cos: lambda x: -np.sin(x)}


class Sensed(np.lib.mixins.NDArrayOperatorsMixin):
    """Numbers at samples, and for each rounding that went in its derivative times half a last place."""

    def __init__(self, value: Any, terms: dict[int, Any], *, rounds: bool = True) -> None:
        self.value, self.terms = value, dict(terms)
        if rounds:
            with np.errstate(divide="ignore"):
                place = np.floor(np.log2(np.abs(value))) - 53
            self.terms[id(self.terms)] = np.where(value == 0, 0.0, 2.0**place)
            KEPT.append(self.terms)

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **_: Any) -> Sensed:
        values = [a.value if isinstance(a, Sensed) else a for a in args]
        value = ufunc(*values)
        if ufunc in SLOPES:
            slopes = [SLOPES[ufunc](values[0])]
        elif ufunc is np.negative:
            slopes = [-1.0]
        elif ufunc in (np.add, np.subtract):
            slopes = [1.0, 1.0 if ufunc is np.add else -1.0]
        elif ufunc is np.multiply:
            slopes = [values[1], values[0]]
        else:
            slopes = [1 / values[1], -value / values[1]]
        terms: dict[int, Any] = {}
        for a, slope in zip(args, slopes, strict=True):
            for key, term in a.terms.items() if isinstance(a, Sensed) else ():
                terms[key] = terms.get(key, 0.0) + slope * term
        scales = ufunc is np.multiply and any(np.ndim(v) == 0 and np.frexp(v)[0] == 0.5 for v in values)
        return Sensed(value, terms, rounds=not (scales or ufunc is np.negative))


#: So that no two of them have one id.
KEPT: list[Any] = []


def sampled(case: Case, samples: int = 200_000) -> float:
    """The largest sum of the first order at random points, corners and midpoints of a box."""
    rng = np.random.default_rng(0)
    ends = np.array(list(case.box.values()), dtype=float)
    steps = rng.random((samples, len(ends)))
    steps[: samples // 2] = np.rint(2 * steps[: samples // 2]) / 2
    points = ends[:, 0] + steps * (ends[:, 1] - ends[:, 0])
    KEPT.clear()
    with np.errstate(all="ignore"):
        found = case.f(*(Sensed(points[:, i], {}) for i in range(len(ends))))
        return float(np.nanmax(sum(np.abs(t) for t in found.terms.values())))


def ours(case: Case) -> tuple[float, float]:
    """Our bound, and the seconds that it took."""
    start = time.perf_counter()
    signature = ", ".join(f"{n}: ()" for n in case.box) + " -> ()"
    found = ep.rounding_bound(case.f, signature, dtype="float64", box=case.box, ulps=0.5)
    return found.worst, time.perf_counter() - start


def report() -> str:
    """The table."""
    rows, within = [], 0
    for case in CASES:
        least, (bound, seconds) = sampled(case), ours(case)
        within += bound <= 3 * least
        rows.append(f"| {case.name} | {least:.2e} | {bound:.2e} | {bound / least:.2f} | {seconds:.1f} |")
        print(rows[-1], file=sys.stderr)
    lines = [
        "# Bounds over boxes", "",
        f"`python benchmarks/rounding_boxes.py`, Python {platform.python_version()}, NumPy {np.__version__},",
        f"{platform.machine()}. What the columns are stands in the script.", "",
        "| formula | FPTaylor's method, at least | ours | times | seconds |", "|---|---|---|---|---|", *rows,
        "",
        f"{within} of {len(rows)} are within 3 times.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    text = report()
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
