"""Softmax and normalised rows: what derivatives say of errors is true, and layers stay within bounds."""

from __future__ import annotations

import copy
import importlib.util

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs.evaluate.library_functions import NORMALISED, SOFTMAX
from eqvproof.rounding import rows as rows_module
from eqvproof.rounding.bound import bound_traced
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.tracing import trace_with_roundings

rng = np.random.default_rng(7)
EPS = 1e-5


def exact(what, x):
    x = np.asarray(x, dtype=np.longdouble)
    if what == SOFTMAX:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)
    c = x - x.mean(axis=-1, keepdims=True)
    return c / np.sqrt((c * c).mean(axis=-1, keepdims=True) + np.longdouble(EPS))


def around(what, v):
    return rows_of(what, v, *([EPS] if what == NORMALISED else []))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # where an entry may be any, the rest is no number
@pytest.mark.parametrize("what", [SOFTMAX, NORMALISED])
@pytest.mark.parametrize("size", [1e-6, 1e-3, 0.05, 0.5, 5.0])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_functions_of_rows_move_no_further_than_their_derivative_says(what, size, n) -> None:
    """Around points that are not where float64 evaluates; errors of one sign, of both, of single entries."""
    for spread in (0.1, 1.0, 20.0):
        v = spread * rng.normal(size=(30, n))
        x = v + 0.3 * size * rng.uniform(-1, 1, size=v.shape)
        E = size * rng.random(v.shape) * (rng.random(v.shape) < 0.7)
        e = E * rng.choice([-1.0, 1.0], size=v.shape) * rng.choice([1.0, 0.3], size=v.shape)
        e[:10] = np.abs(e[:10])
        e[10:15] = E[10:15] * np.sign(np.asarray(around(what, v).value[10:15]))
        R = 0.3 * size + E
        f = around(what, v)
        moved = exact(what, x + e) - exact(what, x)
        assert np.all(np.abs(moved) <= f.bound_of_change(E, R, 0.0) + 1e-15)
        off = np.abs(moved - f.times(e))
        rest = f.rest(E, R)
        assert np.all((off <= rest + 1e-15) | ~np.isfinite(rest))


@pytest.mark.parametrize("what", [SOFTMAX, NORMALISED])
def test_the_bound_is_attained_to_first_order(what, monkeypatch) -> None:
    """Errors with the signs of one row of the derivative; what is not made as a matrix is never sharper."""
    v = rng.normal(size=(1, 9))
    f, E = around(what, v), 1e-7 * rng.random((1, 9))
    J = np.stack([f.times(row)[0] for row in np.eye(9)], axis=1)
    moved = exact(what, v + E * np.sign(J[4])) - exact(what, v)
    assert 0.999 * f.bound(E)[0, 4] < abs(moved[0, 4]) <= f.bound_of_change(E, E, 0.0)[0, 4] + 1e-16
    dense = f.bound(E)
    monkeypatch.setattr(rows_module, "DENSE", 0)
    assert np.all(f.bound(E) >= dense)


@pytest.mark.parametrize("what", [SOFTMAX, NORMALISED])
def test_deviations_that_are_kept_are_those_of_all_numbers_times_the_form(what) -> None:
    v, f = rng.normal(size=(1, 12)), np.abs(rng.normal(size=(1, 12)))
    rows = around(what, v)
    J = np.stack([rows.times(row)[0] for row in np.eye(12)], axis=1)
    for c in rng.normal(size=(50, 12)):
        most = sum(np.linalg.norm(c * part[0]) for part in rows.deviation(f))
        assert np.linalg.norm((c @ J) * f[0]) <= most * (1 + 1e-12)


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("large", [4, 2**15])
@pytest.mark.parametrize("model", ["certain", "probable"])
def test_an_encoder_as_people_write_it_has_a_sharp_bound(model: str, large: int, monkeypatch) -> None:
    """Errors go through attention and two layer norms: step by step 0.015 was certain, 4e-4 probable."""
    import torch

    from eqvproof.rounding import draws

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval()
    reading = trace_with_roundings(layer, "X: 1 10 32 -> 1 10 32", {}, "torch", "float32")
    monkeypatch.setattr(draws, "LARGE", large)
    for seed in range(3):
        x = torch.randn((1, 10, 32), generator=torch.Generator().manual_seed(seed))
        found = bound_traced(reading, {"X": x.double().numpy()}, {}, "float32", model)
        with torch.no_grad():
            gap = (layer(x).double() - copy.deepcopy(layer).double()(x.double())).abs().numpy()
        assert np.all(gap <= found.bound)
        if large > 4:
            assert found.worst < (5e-3 if model == "certain" else 5e-5)


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("scale", [1.0, 40.0, 300.0])
def test_rows_of_torch_stay_within_their_bounds(dtype: str, scale: float) -> None:
    """Softmax of what was rounded before, down to where it vanishes; along the first axis, too."""
    import torch

    torch.manual_seed(1)
    kind = getattr(torch, dtype)
    linear = torch.nn.Linear(6, 6).to(kind)
    functions = [
        torch.nn.Softmax(-1),
        torch.nn.Softmax(0),
        torch.nn.LayerNorm(6).to(kind),
        torch.nn.LogSoftmax(-1),
    ]
    for last in functions:
        layer = torch.nn.Sequential(linear, last).eval()
        x = (scale * torch.randn(5, 6)).to(kind)
        with torch.no_grad():
            result = layer(x).double().numpy()
            real = copy.deepcopy(layer).double()(x.double()).numpy()
        for model in ("certain", "probable"):
            found = ep.rounding_bound(layer, "X: 5 6 -> 5 6", x.double().numpy(), dtype=dtype, model=model)
            assert np.all(np.abs(result - real) <= found.bound + 1e-14 * np.abs(real))
            assert np.max(found.bound) < np.inf or isinstance(last, (torch.nn.LogSoftmax, torch.nn.LayerNorm))
