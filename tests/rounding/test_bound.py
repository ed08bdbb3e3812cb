"""Bounds of rounding hold: for random Programs, layers as people write them, and modules as they run."""

from __future__ import annotations

import copy
import importlib.util
from fractions import Fraction

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.rounding import boxes
from eqvproof.rounding.bound import bound_traced
from eqvproof.rounding.result import BoundedResult
from eqvproof.rounding.tracing import trace_with_roundings
from eqvproof.support.errors import EqvproofError, OptionError, ShapeError
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import DTYPES, beyond, bounds, computed, real

rng = np.random.default_rng(0)
SINGLE = {"float32": np.float32, "float64": np.float64}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_stay_within_their_bounds(seed: int, dtype: str) -> None:
    program, sizes = random_program(seed), {"n": 1 + seed % 4, "d": 1 + seed % 3}
    inputs = {n: random_inputs(seed, sizes)[n] for n, _ in program.inputs}
    bound = bounds(program, inputs, sizes, dtype)
    if bound is not None:
        result = computed(program, inputs, sizes, dtype, seed)
        assert not beyond(result, real(program, inputs, sizes), bound).any()


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(X):
    return X @ softmax(X.T @ X, axis=0)


def far_and_back(X):
    return (X + 1e8) - 1e8


def distances(X):
    return np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(-1))


def spread(X):
    return X.var(axis=0) / (1 + X.std(axis=0))


def solved(X):
    return np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T @ X)


def whitened(X):
    Y = X - X.mean(axis=0)
    L, V = np.linalg.eigh(Y.T @ Y / len(X))
    return Y @ V @ np.diag(1 / np.sqrt(L + 0.5 * (X * X).mean())) @ V.T


def heated(X):
    W = X @ X.T
    L, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    return V @ (np.exp(-L / (1 + np.abs(L).max()))[:, None] * (V.T @ X))


def fitted(X):
    return np.linalg.pinv(X) @ X[:, :1]


CASES = {
    "whitened": (whitened, "X: n d -> n d"),
    "heated": (heated, "X: n d -> n d"),
    "fitted": (fitted, "X: n d -> d 1"),
    "attention": (attention, "X: d n -> d n"),
    "far and back": (far_and_back, "X: n d -> n d"),
    "distances": (distances, "X: n d -> n n"),
    "spread": (spread, "X: n d -> d"),
    "solved": (solved, "X: n d -> d d"),
}


@pytest.mark.parametrize("dtype", SINGLE)
@pytest.mark.parametrize("name", CASES)
def test_functions_stay_within_their_bounds(name: str, dtype: str) -> None:
    f, signature = CASES[name]
    for scale in (1.0, 1e-3, 30.0):
        X = (rng.normal(size=(5, 4)) * scale).astype(SINGLE[dtype])
        found = ep.rounding_bound(f, signature, X, dtype=dtype)
        reading = trace_with_roundings(f, signature, {})
        names = [n for n, _ in reading.trace.program.inputs]
        exact = real(reading.trace.program, {names[0]: X.astype(np.float64)}, {})
        assert not beyond(f(X).astype(np.float64), exact, found.bound).any()


def test_a_constant_added_and_taken_away_is_not_forgotten() -> None:
    X = np.float32([[0.1, 0.2]])
    lost = np.abs(far_and_back(X).astype(float) - X)
    found = ep.rounding_bound(far_and_back, "X: n d -> n d", X)
    assert lost.max() > 0.09
    assert (found.bound >= lost).all()
    assert found.worst < 30


def test_branches_that_rounding_can_turn_are_reported_and_bounded() -> None:
    def f(x):
        s = x * np.float64(0.1)
        return np.where(s > 0.3, 5.0, -5.0)

    found = ep.rounding_bound(f, "x: n -> n", np.array([3.0, 4.0]))
    assert [flip.entries for flip in found.flips] == [1]
    assert "test_bound.py" in found.flips[0].line
    assert found.bound[0] >= 10
    assert found.bound[1] == 0
    assert "may flip" in str(found)


def test_an_input_that_was_rounded_is_still_equal_to_itself() -> None:
    def directions(X):
        diff = X[:, None] - X[None]
        return diff / (np.sqrt((diff * diff).sum(axis=-1, keepdims=True)) + 1e-9)

    def later(X):
        return (X[:, None] > X[None]) * 1.0

    for model in ("certain", "probable"):
        X = np.array([[0.1, 0.7], [0.3, -0.2], [1.1, 0.9]])
        found = ep.rounding_bound(directions, "X: n d -> n n d", X, dtype="float32", model=model)
        assert found.worst < 1e-5
        assert (found.bound[[0, 1, 2], [0, 1, 2]] == 0).all()
        found = ep.rounding_bound(later, "X: n d -> n n d", X, dtype="float32", model=model)
        assert found.worst == 0
        assert not found.flips
        twice = ep.rounding_bound(directions, "X: n d -> n n d", X[[0, 0]], dtype="float32", model=model)
        assert twice.worst >= 1  # equal numbers at two places may be rounded from others


def test_what_is_exact_has_the_bound_0() -> None:
    found = ep.rounding_bound(lambda X: np.maximum(X.T[::-1], 0) * -2, "X: n d -> d n", np.ones((2, 3)))
    assert (found.bound == 0).all()
    assert not found.flips


def test_inputs_that_the_dtype_does_not_hold_are_rounded() -> None:
    found = ep.rounding_bound(lambda x: x, "x: n -> n", np.array([0.1, 0.5]), dtype="float32")
    assert found.bound[0] >= abs(float(np.float32(0.1)) - 0.1) > 0
    assert found.bound[1] == 0


def peak(x, y):
    return x / (y * y + 0.01) - (x + y) * (x - y)


def near_pole(x, y):
    return (x * x - y * y) / (x + y)


@pytest.mark.parametrize(("f", "box"), [(peak, (-3, 2)), (near_pole, {"x": (0.1, 900), "y": (0, 5)})])
def test_the_parts_of_a_box_cover_it(f, box, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = ep.rounding_bound(f, "x: (), y: () -> ()", box=box, dtype="float32").worst
    chance = np.random.default_rng(1)
    ends = [box["x"], box["y"]] if isinstance(box, dict) else [box, box]
    corners = [(x, y) for x in ends[0] for y in ends[1]]
    points = [tuple(chance.uniform(*e) for e in ends) for _ in range(16)]
    for x, y in map(np.float32, [*corners, *points]):
        there = float(f(x.astype(np.longdouble), y.astype(np.longdouble)))
        assert abs(float(f(x, y)) - there) <= cut
        assert ep.rounding_bound(f, "x: (), y: () -> ()", x, y).worst <= cut
    monkeypatch.setattr(boxes, "FEW", 0)
    assert cut < 0.1 * ep.rounding_bound(f, "x: (), y: () -> ()", box=box, dtype="float32").worst


def test_every_point_of_a_box_lies_in_a_part() -> None:
    """The bound of a part is the largest value of a function on it: the whole box has its largest value."""

    def at(middles, spreads):
        low, high = (float(middles["x"][0] + s * spreads["x"][0]) for s in (-1, 1))
        top = 1.0 if low <= 1 / 3 <= high else max(0.0, 1 - min(abs(low - 1 / 3), abs(high - 1 / 3)))
        return BoundedResult(np.zeros(1), np.array([top]), 0.0, ())

    found = boxes.bound_over_box(at, {"x": np.array([0.5])}, {"x": np.array([0.5])})
    assert found.bound == [1.0]


def test_a_box_holds_all_its_points() -> None:
    box = ep.rounding_bound(attention, "X: d n -> d n", sizes={"d": 2, "n": 3}, box=(-1, 1))
    reading = trace_with_roundings(attention, "X: d n -> d n", {})
    for _ in range(50):
        X = rng.uniform(-1, 1, size=(2, 3)).astype(np.float32).astype(float)
        at = bound_traced(reading, {"X": X}, {"d": 2, "n": 3}, "float32")
        exact = real(reading.trace.program, {"X": X}, {})
        assert not beyond(attention(X.astype(np.float32)).astype(float), exact, box.bound).any()
        assert (at.bound <= box.bound).all()


def test_coarser_dtypes_have_larger_bounds() -> None:
    X = np.round(rng.normal(size=(3, 4)) * 8) / 8
    worst = [
        ep.rounding_bound(attention, "X: d n -> d n", X, dtype=d).worst
        for d in ("float64", "float32", "tf32", "float16", "bfloat16")
    ]
    assert worst == sorted(worst)
    assert worst[0] < 1e-12 < worst[1] < 1e-3


def test_the_answer_says_what_it_rests_on() -> None:
    found = ep.rounding_bound(attention, "X: d n -> d n", np.eye(3), dtype="bfloat16")
    assert any("4 ulps" in a for a in found.assumptions)
    assert any("two passes" in a for a in found.assumptions)
    assert "assumed" in str(found)


@pytest.mark.parametrize("f", [np.sin, np.tanh, np.arctan, lambda x: np.arctan2(x, x)])
def test_what_may_overflow_before_a_bounded_function_has_no_bound(f) -> None:
    """sin(inf) is no number, and inf - inf is none either."""
    x = np.array([1e30, 1.0])
    found = ep.rounding_bound(lambda x: f(x * x), "x: n -> n", x, dtype="float32")
    assert np.isinf(found.bound[0])
    assert found.bound[1] < 1e-5


@pytest.mark.parametrize("scale", [1e-18, 1e-25, 1.0, 1e12])
def test_determinants_of_tiny_and_large_matrices(scale: float) -> None:
    """Products of pivots may be lost below the least number, and NumPy adds their logarithms."""
    for dtype, kind in (("float32", np.float32), ("float64", np.float64)):
        A = (scale * rng.normal(size=(40, 2, 2))).astype(np.float32).astype(kind)
        found = ep.rounding_bound(np.linalg.det, "A: n 2 2 -> n", A, dtype=dtype)
        wide = A.astype(np.longdouble)
        exact = wide[:, 0, 0] * wide[:, 1, 1] - wide[:, 0, 1] * wide[:, 1, 0]
        assert np.all(np.abs(np.linalg.det(A).astype(np.longdouble) - exact) <= found.bound)


@pytest.mark.parametrize("model", ["certain", "probable"])
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e6])
def test_cholesky_factors(scale: float, model: str) -> None:
    X = rng.normal(size=(9, 5)).astype(np.float32)
    A = (scale * (X.T @ X + np.eye(5))).astype(np.float32)
    found = ep.rounding_bound(np.linalg.cholesky, "A: d d -> d d", A, model=model)
    error = np.abs(np.linalg.cholesky(A) - np.linalg.cholesky(A.astype(float)))
    assert np.all(error <= found.bound)
    assert found.worst < 1e-2 * scale**0.5
    assert np.all(found.bound[np.triu_indices(5, 1)] == 0)
    assert np.isinf(ep.rounding_bound(np.linalg.cholesky, "A: d d -> d d", A - A, model=model).worst)


def test_a_choice_by_what_may_be_no_number_has_no_bound() -> None:
    x = np.array([1e-30, 1.0], dtype=np.float32)
    found = ep.rounding_bound(lambda x: np.where(np.log(x * x * x) != 0, x, 2 * x), "x: n -> n", x)
    assert np.isinf(found.bound[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", ["certain", "probable"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_comparison_of_what_may_be_no_number_has_no_bound(dtype: str, model: str) -> None:
    """Found by random Programs: no number is not above 0.1, and its error was none."""

    def by_quotient(x):
        return np.where(np.exp(x) / np.exp(x + 1.0) > 0.1, 1.0, 0.0)

    def by_sum(x):
        total = np.einsum("i,i,i->", x, x, x)
        return np.where(total + np.zeros(2) < 1e300, 1.0, 0.0)

    x = np.array([1000.0, 1.0])
    assert by_quotient(x)[0] == 0.0  # over the reals it is 1
    found = ep.rounding_bound(by_quotient, "x: n -> n", x, dtype=dtype, model=model)
    assert np.array_equal(found.bound, [np.inf, 0.0])
    assert len(found.flips) == 1
    found = ep.rounding_bound(by_sum, "x: n -> 2", x * 1e17, dtype="float32", model=model)
    assert np.isinf(found.bound).all()


def test_remainders_of_whole_numbers_that_are_large_are_rounded() -> None:
    """Found with torch: what is left of them may be no number of float32, though x and y are whole."""
    x, y = np.array([2.0**30, 7.0, 3e18]), np.array([-(2.0**64), 4.0, -5e18])
    x, y = x.astype(np.float32), y.astype(np.float32)
    found = ep.rounding_bound(np.remainder, "x: n, y: n -> n", x, y)
    exact = np.array([int(a) % int(b) for a, b in zip(x.tolist(), y.tolist(), strict=True)], dtype=object)
    errors = [abs(int(c) - e) for c, e in zip(np.remainder(x, y).tolist(), exact, strict=True)]
    assert errors[0] == 2**30
    assert all(e <= b for e, b in zip(errors, found.bound.tolist(), strict=True))


def test_inputs_may_be_given_by_name() -> None:
    x, y = np.arange(3.0) / 7, np.ones(3)
    by_name = ep.rounding_bound(np.add, "x: n, y: n -> n", y=y, x=x)
    assert np.array_equal(by_name.bound, ep.rounding_bound(np.add, "x: n, y: n -> n", x, y).bound)
    wrong = [((x, y), {"dtpe": "float32"}), ((x,), {"y": y}), ((), {"x": x, "z": y})]
    for arrays, keywords in wrong:
        with pytest.raises(OptionError, match="by name"):
            ep.rounding_bound(np.add, "x: n, y: n -> n", *arrays, **keywords)
    with pytest.raises(ShapeError, match="expected: x, y"):
        ep.rounding_bound(np.add, "x: n, y: n -> n", x=x)


def test_fourier_transforms_are_refused() -> None:
    def f(x):
        return np.fft.irfft(np.fft.rfft(x), n=x.shape[0])

    with pytest.raises(EqvproofError, match="Fourier"):
        ep.rounding_bound(f, "x: n -> n", np.ones(4))


def test_whole_numbers_are_not_rounded() -> None:
    X = np.arange(6.0).reshape(2, 3)
    assert ep.rounding_bound(lambda X: X @ X.T - 3, "X: n d -> n n", X).worst == 0
    assert ep.rounding_bound(lambda X: X @ X.T - 3, "X: n d -> n n", X * 1000, dtype="float32").worst > 0


def test_functions_that_are_not_read_have_no_bound() -> None:
    def f(X):
        return np.fft.fft(X).real

    with pytest.raises(EqvproofError, match="roundings of Fourier transforms are not known"):
        ep.rounding_bound(f, "X: 2 n -> 2 n", np.ones((2, 3)))


@pytest.mark.parametrize(
    ("error", "options", "arrays"),
    [
        (OptionError, {"dtype": "float8"}, [np.ones((2, 2))]),
        (OptionError, {"model": "hopeful"}, [np.ones((2, 2))]),
        (OptionError, {"box": (-1, 1)}, []),
        (OptionError, {"box": (1, -1), "sizes": {"n": 1, "d": 1}}, []),
        (OptionError, {"box": "wide", "sizes": {"n": 1, "d": 1}}, []),
        (OptionError, {"box": (0, 10**400), "sizes": {"n": 1, "d": 1}}, []),
        (OptionError, {"box": (np.zeros(2), np.ones(2)), "sizes": {"n": 3, "d": 3}}, []),
        (OptionError, {"box": (0, 1), "sizes": {"n": 10**9, "d": 10**9}}, []),
        (ShapeError, {}, []),
        (ShapeError, {}, [np.ones(3)]),
    ],
)
def test_bad_input(error, options, arrays) -> None:
    with pytest.raises(error):
        ep.rounding_bound(lambda X: X, "X: n d -> n d", *arrays, **options)


def test_the_program_is_the_same_over_the_reals() -> None:
    """What keeps its roundings has the value of what is folded."""
    from eqvproof.claims.signature import parse_signature
    from eqvproof.engines.targets import trace_all_sizes

    X = np.round(rng.normal(size=(3, 4)) * 8) / 8
    for f, signature in (case for name, case in CASES.items() if name != "far and back"):
        kept = evaluate_exact(trace_with_roundings(f, signature, {}).trace.program, {"X": X})
        folded = evaluate_exact(trace_all_sizes(f, parse_signature(signature), {}).program, {"X": X})
        for a, b in zip(np.ravel(kept), np.ravel(folded), strict=True):
            assert abs(float(a.bounds()[0]) - float(b.bounds()[0])) < 1e-12


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize("offset", [0, 20])
def test_modules_stay_within_their_bounds(dtype: str, offset: float) -> None:
    import torch

    torch.manual_seed(0)
    layers = [
        torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 4)),
        torch.nn.Sequential(torch.nn.LayerNorm(4), torch.nn.SiLU()),
        torch.nn.Sequential(torch.nn.LogSoftmax(-1), torch.nn.ELU()),
        torch.nn.Softmax(-1),
    ]
    for layer in layers:
        module = layer.to(getattr(torch, dtype)).eval()
        reading = trace_with_roundings(module, "X: n 4 -> n 4", {}, "torch")
        x = (torch.randn(6, 4) + offset).to(getattr(torch, dtype))
        X = x.double().numpy()
        found = bound_traced(reading, {"X": X}, {"n": 6}, dtype)
        with torch.no_grad():
            result = module(x).double().numpy()
        assert not beyond(result, real(reading.trace.program, {"X": X}, {"n": 6}), found.bound).any()


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("own", ["float32", "float64"])
def test_a_module_is_bounded_as_it_runs_in_the_dtype_asked_for(own: str, dtype: str) -> None:
    """An eps that is that of the dtype (RMSNorm), and weights that float32 does not hold."""
    import torch

    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(4, 4, dtype=torch.float64), torch.nn.RMSNorm(4))
    module = module.to(getattr(torch, own)).eval()
    X = torch.randn(6, 4).float() * 1e-4
    reading = trace_with_roundings(module, "X: n 4 -> n 4", {}, dtype=dtype)
    found = bound_traced(reading, {"X": X.double().numpy()}, {"n": 6}, dtype)
    with torch.no_grad():
        for layer in module:
            layer.eps = torch.finfo(getattr(torch, dtype)).eps
        exact = copy.deepcopy(module).double()(X.double()).numpy()
        result = copy.deepcopy(module).to(getattr(torch, dtype))(X.to(getattr(torch, dtype))).double().numpy()
    assert np.max(np.abs(found.value - exact)) < 1e-12
    assert np.all(np.abs(result - exact) <= found.bound + 1e-14)
    assert found.worst < (1e-4 if dtype == "float32" else 1e-12)
    assert next(module.parameters()).dtype == getattr(torch, own)


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_distances_by_products_of_matrices() -> None:
    """torch.cdist takes another way from 26 points on, which loses digits of near points."""
    import torch

    def distances(x):
        return torch.cdist(x, x)

    reading = trace_with_roundings(distances, "X: n 3 -> n n", {}, "torch")
    X = (torch.randn(40, 3) * 1e-3 + 10).float()
    plain = X.double().numpy()
    found = bound_traced(reading, {"X": plain}, {"n": 40}, "float32")
    exact = real(reading.trace.program, {"X": plain}, {"n": 40})
    assert not beyond(distances(X).double().numpy(), exact, found.bound).any()


HARD = np.array([0, 1e-30, 1e-8, 1e-4, 0.5, 0.9999999, 1, 3, 19.9, 20.1, 60, 88.8, 1e5])


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "erf", "log1p", "tanh", "sigmoid", "reciprocal", "square"])
def test_functions_of_torch_stay_within_their_bounds(name: str, dtype: str) -> None:
    """MKL's square roots are not rounded correctly; erf of half formats is as float32 is beside 1."""
    import torch

    function = getattr(torch, name)

    def f(x):
        return function(x)

    x = torch.tensor(HARD[HARD < 100]).to(getattr(torch, dtype))
    inputs = {"X": x.double().numpy()}
    reading = trace_with_roundings(f, "X: n -> n", {"n": len(x)}, "torch", dtype)
    exact = real(reading.trace.program, inputs, {"n": len(x)})
    bound = bound_traced(reading, inputs, {"n": len(x)}, dtype).bound
    assert not beyond(f(x).double().numpy(), exact, bound).any()


@pytest.mark.parametrize("values", [[1e-30, 1e-30, 1e30, 1e30], [1e30, 1e30, 1e-30, 1e-30]])
def test_products_of_many_numbers_may_be_lost_on_the_way(values: list[float]) -> None:
    x = np.array(values, dtype=np.float32)
    found = ep.rounding_bound(lambda x: np.prod(x), "x: n -> ()", x)
    with np.errstate(all="ignore"):
        assert not np.abs(np.prod(x) - np.prod(x.astype(float))) > found.bound


def test_more_roundings_than_a_format_can_hold_have_no_bound() -> None:
    x = np.linspace(0.99, 1.01, 300)
    assert np.isinf(ep.rounding_bound(lambda x: np.prod(x), "x: n -> ()", x, dtype="bfloat16").worst)
    assert np.isfinite(ep.rounding_bound(lambda x: np.prod(x), "x: n -> ()", x, dtype="float16").worst)


def test_the_sign_of_zero_counts_on_the_cut_of_angles() -> None:
    def angle(y, x):
        return np.arctan2(y, x)

    y, x = np.array([0.0, 0.0, 1.0], dtype=np.float32), np.array([-1.0, 1.0, -1.0], dtype=np.float32)
    for model in ("certain", "probable"):
        bound = ep.rounding_bound(angle, "y: n, x: n -> n", y, x, model=model).bound
        assert (np.abs(angle(-y[:2], x[:2]) - angle(y[:2], x[:2])) <= bound[:2]).all()
        assert (bound[1:] < 1e-5).all()


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_functions_that_ask_for_the_dtype_are_read_in_it() -> None:
    import torch

    x = torch.randn(3, 8) * 1e-12
    for f in (
        lambda x: torch.nn.functional.rms_norm(x, (8,)),
        lambda x: x / (x.norm() + torch.finfo(x.dtype).eps),
    ):
        found = ep.rounding_bound(f, "x: n 8 -> n 8", x, backend="torch")
        assert (np.abs(f(x).double().numpy() - found.value) <= found.bound * (1 + 1e-6)).all()


def test_a_power_that_vanishes_is_not_0() -> None:
    """0.5^5000 is 0 in float64 and above 0: floor(-x^y) is 0 as computed, and -1; 0^y is 0."""
    at = np.array([0.5, 0.0]), np.array([5000.0, 2.0])
    powers = ep.rounding_bound(lambda x, y: x**y, "x: n, y: n -> n", *at, dtype="float64")
    assert powers.bound[0] > 0
    assert powers.bound[1] == 0
    below = ep.rounding_bound(lambda x, y: np.floor(-(x**y)), "x: n, y: n -> n", *at, dtype="float64")
    assert below.bound[0] >= 1


@pytest.mark.parametrize("dtype", SINGLE)
def test_an_exponential_that_vanishes_may_be_large_within_the_error_of_its_argument(dtype: str) -> None:
    """exp(x) is 0 in float64 at -800, but x is off by more than that."""

    def f(x):
        return np.exp((x - 1e21 if dtype == "float64" else x - 1e12) + (1e21 if dtype == "float64" else 1e12))

    x = np.array([-800.0, -1.0])
    found = ep.rounding_bound(f, "x: n -> n", x, dtype=dtype)
    assert (np.exp(x) <= found.bound).all()
    assert found.bound[0] > 1e-30


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is not installed")
@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_hyperbolic_functions_of_xla_stay_within_their_bounds(name: str) -> None:
    import jax.numpy as jnp

    f, X = getattr(jnp, name), np.array([0, 0.5, -1, 10, 25, -30, 60], dtype=np.float32)
    reading = trace_with_roundings(f, "x: n -> n", {}, "jax", "float32")
    inputs = {"x": X.astype(float)}
    bound = bound_traced(reading, inputs, {"n": len(X)}, "float32").bound
    exact = real(reading.trace.program, inputs, {"n": len(X)})
    assert not beyond(np.asarray(f(jnp.asarray(X))).astype(float), exact, bound).any()


EXACT_PRODUCTS = {
    "twice": lambda x: x * 2,
    "there and back": lambda x: (x * 4) / 4,
    "there and subtracted": lambda x: (x * 4) * 0.25 - x,
    "three factors": lambda x: np.einsum("i,j,k->ijk", x, np.array([2.0], x.dtype), np.array([0.5], x.dtype)),
    "a diagonal": lambda x: np.diag(np.array([2, 4, 8], x.dtype)) @ x,
    "the larger one": lambda x: np.maximum(-2 * x, 2 * x),
}


@pytest.mark.parametrize("model", ["certain", "probable"])
@pytest.mark.parametrize("dtype", SINGLE)
@pytest.mark.parametrize("name", EXACT_PRODUCTS)
def test_products_that_nothing_rounds_may_overflow(name: str, dtype: str, model: str) -> None:
    """Multiples by powers of 2 are exact up to the largest number; beyond it there is no bound."""

    def f(x):
        return EXACT_PRODUCTS[name](x).ravel()

    most = float(np.finfo(dtype).max)
    at = np.array([most, -most / 2, 1.0])
    for x in (at, at / 16):
        bound = ep.rounding_bound(f, "x: 3 -> 3", x, dtype=dtype, model=model).bound
        with np.errstate(all="ignore"):
            result = f(x.astype(SINGLE[dtype])).astype(float)
        assert np.all(np.isfinite(result) | np.isinf(bound))
        assert np.isinf(bound).any() == (x is at)
        assert np.all(bound[np.isfinite(bound)] < 1e-30)


def cast(i):
    return i.float()


def halved_sum(i):
    return i.float().sum() / 2


@pytest.mark.parametrize("f", [cast, halved_sum])
@pytest.mark.parametrize("model", ["certain", "probable"])
def test_whole_numbers_that_no_float_holds_are_rounded_where_they_are_cast(f, model: str) -> None:
    torch = pytest.importorskip("torch")
    i = np.array([2**24 + 1, 2**24 + 3, 2**25 + 3])
    exact = i.sum() / 2 if f is halved_sum else i
    bound = ep.rounding_bound(
        f, "i: n -> n" if f is cast else "i: n -> ()", i, dtype="float32", model=model, backend="torch"
    ).bound
    error = np.abs(f(torch.as_tensor(i)).double().numpy() - exact)
    assert error.max() > 0
    assert (error <= bound).all()
    assert not ep.rounding_bound(cast, "i: n -> n", i // 4, dtype="float32", backend="torch").bound.any()


def test_whole_numbers_that_doubles_do_not_hold_are_rounded_too() -> None:
    i = np.array([2**53 + 1, 2**53])
    bound = ep.rounding_bound(lambda i: i.astype(np.float64), "i: n -> n", i, dtype="float64").bound
    assert bound[0] >= 1


@pytest.mark.parametrize("exponent", [-2, -3, -0.5, 3])
def test_powers_are_those_of_a_library_that_need_not_multiply(exponent: float) -> None:
    x = np.arange(1, 4000, dtype=np.float32)
    found = ep.rounding_bound(lambda x: x**exponent, "x: n -> n", x, dtype="float32")
    assert (np.abs((x**exponent).astype(float) - x.astype(float) ** exponent) <= found.bound).all()
    ulps = np.abs(found.value) * 2.0**-23
    assert (found.bound >= ulps).all()
    for own in (lambda x: x**2, lambda x: x**-1):
        assert not ep.rounding_bound(own, "x: n -> n", x[:2], dtype="float32").bound.any()


def brain(x):
    return x.bfloat16().to(x.dtype) * 1.5


def half(x):
    return x.half().to(x.dtype) * 1.5


@pytest.mark.parametrize(("f", "dtype"), [(brain, "float16"), (half, "bfloat16"), (brain, "float64")])
def test_casts_to_the_other_floats_of_16_bits_count(f, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    x = np.array([0.3, -1.7, 0.01, 7e4])
    found = ep.rounding_bound(f, "x: n -> n", x, dtype=dtype, backend="torch").bound
    result = f(torch.as_tensor(x).to(getattr(torch, dtype))).double().numpy()
    error = np.abs(result - 1.5 * x)
    assert error.max() > 0
    assert (error <= found).all()
    assert np.isfinite(found[:3]).all()


def test_casts_to_floats_of_8_bits_have_no_bound() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(OptionError, match="8 bits"):
        ep.rounding_bound(
            lambda x: x.to(torch.float8_e4m3fn).to(x.dtype), "x: n -> n", np.array([0.3]), dtype="float32"
        )


@pytest.mark.parametrize("third", [Fraction(1, 3), np.longdouble(1) / 3])
def test_inputs_that_doubles_do_not_hold_are_refused(third) -> None:
    with pytest.raises(ShapeError, match="float64"):
        ep.rounding_bound(lambda x: x * 2, "x: n -> n", np.array([third]), dtype="float64")
    halves = np.array([type(third)(1) / 2])
    assert not ep.rounding_bound(lambda x: x * 2, "x: n -> n", halves, dtype="float64").bound.any()


def test_what_is_no_number_has_no_bound() -> None:
    assert ep.rounding_bound(lambda x: x.max(), "x: n -> ()", np.zeros(0)).bound == np.inf
