"""Elementwise formulas: the numbers of NumPy and SciPy, undefined where these are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.special

import eqvproof as ep
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.arrays import formulas

LINE = np.linspace(-3, 3, 25)  # 0 and -1, 1 are among them
ONE: dict[str, Any] = {
    "exp2": np.exp2, "exp10": scipy.special.exp10, "expm1": np.expm1, "log1p": np.log1p, "log2": np.log2,
    "log10": np.log10, "expit": scipy.special.expit, "logit": scipy.special.logit, "rsqrt": lambda x: x**-0.5,
    "erfc": scipy.special.erfc, "ndtr": scipy.special.ndtr, "arccosh": np.arccosh, "arctanh": np.arctanh,
    "entr": scipy.special.entr, "gamma": scipy.special.gamma,
    "log_expit": scipy.special.log_expit, "deg2rad": np.deg2rad, "rad2deg": np.rad2deg, "trunc": np.trunc,
}  # fmt: skip
TWO: dict[str, Any] = {
    "hypot": np.hypot, "logaddexp": np.logaddexp, "logaddexp2": np.logaddexp2, "xlogy": scipy.special.xlogy,
    "xlog1py": scipy.special.xlog1py,
    "copysign": np.copysign, "heaviside": np.heaviside, "logical_xor": np.logical_xor,
}  # fmt: skip


def value(name: str, *arguments: Any) -> Any:
    b = Builder()
    nodes = [b.input(n, ["n"]) for n, _ in zip("xy", arguments, strict=False)]
    program = b.program(getattr(formulas, name)(b, *nodes))
    return evaluate_float(program, dict(zip("xy", arguments, strict=False)), {"n": len(arguments[0])})


def require_same(found: Any, expected: Any) -> None:
    """Equal where NumPy has a finite number; no number where it has none."""
    finite = np.isfinite(expected)
    np.testing.assert_allclose(found[finite], expected[finite], rtol=1e-12, atol=1e-12)
    assert not np.isfinite(found[~finite]).any()


@pytest.mark.parametrize("name", ONE)
def test_formulas_of_one_number(name: str) -> None:
    with np.errstate(all="ignore"):
        require_same(value(name, LINE), np.asarray(ONE[name](LINE), dtype=float))


@pytest.mark.parametrize("name", TWO)
def test_formulas_of_two_numbers(name: str) -> None:
    left, right = (a.ravel() for a in np.meshgrid(LINE, LINE))
    with np.errstate(all="ignore"):
        require_same(value(name, left, right), np.asarray(TWO[name](left, right), dtype=float))


def test_no_formula_is_left_out() -> None:
    own = {n for n, f in vars(formulas).items() if getattr(f, "__module__", "") == formulas.__name__}
    assert own - {"power_of", "log_base", "mapped", "composed"} <= {*ONE, *TWO}


@pytest.mark.parametrize(("base", "power"), [(2, 5), (2, -3), (10, 4), (10, 0)])
def test_logarithms_of_powers_are_integers(base: int, power: int) -> None:
    b = Builder()
    node = formulas.log_base(b, b.const(Fraction(base) ** power), base=base)
    assert b.scalar_value(node) == power


def test_an_even_power_of_a_modulus_is_that_of_the_number() -> None:
    """|x|^2 = x^2; of odd powers this is not so."""
    verdict = ep.prove(lambda X: np.sqrt((np.abs(X) ** 2).sum(0)), "X: d n -> n", "O(d) x S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(lambda X: (np.abs(X) ** 3).sum(0), "X: d n -> n", "O(d)").grade in ("EXACT", "ENCLOSED")
