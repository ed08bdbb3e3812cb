"""Underflow: abrupt, where nothing else is said, and gradual."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

FUNCTIONS = {
    "product": lambda x: x * x[::-1],
    "scaled": lambda x: x * 2.0**-20,
    "thirds": lambda x: x / 3,
    "sum": lambda x: x + x[::-1] * 0.75,
    "dot": lambda x: (x * x[::-1]).sum() * np.ones_like(x),
    "exp": lambda x: np.exp(-96 - abs(x)),
    "root": lambda x: np.sqrt(abs(x)) * 1e-25,
}


def real(f, x):
    return f(x.astype(np.longdouble)) if x.dtype == np.float64 else f(x.astype(np.float64))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("underflow", ["abrupt", "gradual"])
def test_bounds_hold_where_numbers_underflow(name: str, underflow: str) -> None:
    f, rng = FUNCTIONS[name], np.random.default_rng(0)
    for k in range(14):
        scale = rng.choice([1e-38, 1e-30, 1e-22, 1e-19, 3e-20, 1.0])
        x = (rng.normal(size=8) * scale).astype(np.float32)
        for kind in (np.float32, np.float16):
            given = (
                x.astype(kind)
                if kind == np.float32
                else rng.normal(size=8).astype(kind) / kind(2 ** (k % 14))
            )
            with np.errstate(all="ignore"):
                computed = np.asarray(f(given)).astype(np.float64)
            found = ep.rounding_bound(f, "x: n -> n", given, underflow=underflow)
            assert (np.abs(computed - real(f, given)) <= found.bound).all(), (name, k, kind)


def test_gradual_underflow_is_sharper_near_0() -> None:
    x = np.array([3e-20, 1e-19], dtype=np.float32)
    abrupt = ep.rounding_bound(lambda x: x * x / 3, "x: n -> n", x)
    gradual = ep.rounding_bound(lambda x: x * x / 3, "x: n -> n", x, underflow="gradual")
    assert abrupt.worst > 1e-38 > 1e-43 > gradual.worst > 0
    assert any("may be lost" in text for text in abrupt.assumptions)
    assert any("gradual" in text for text in gradual.assumptions)


def test_products_with_powers_of_2_lose_bits_below_the_least_normal_number() -> None:
    x = np.array([(1 + 2**-10) * 2.0**-10], dtype=np.float16)

    def f(x):
        return x * np.float16(2.0**-10)

    error = abs(float(f(x)[0]) - float(x[0]) * 2.0**-10)
    assert 0 < error <= ep.rounding_bound(f, "x: n -> n", x).bound[0]


@pytest.mark.parametrize(
    ("underflow", "dtype"), [("none", "float32"), ("gradual", "tf32"), (True, "float64")]
)
def test_other_ways_are_refused(underflow: object, dtype: str) -> None:
    with pytest.raises(ep.EqvproofError, match="underflow"):
        ep.rounding_bound(lambda x: x / 3, "x: n -> n", np.ones(2), underflow=underflow, dtype=dtype)
