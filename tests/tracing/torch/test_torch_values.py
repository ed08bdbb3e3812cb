"""Torch targets that ask about values and sizes: each way is read, and a raise is no value."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
distributions = torch.distributions
nn = torch.nn


def positive(x: Any) -> Any:
    if (x <= 0).any():
        raise ValueError("positive numbers are expected")
    return x.log().sum()


def first_is_positive(x: Any) -> Any:
    if x[0] <= 0:
        raise ValueError("the first number must be positive")
    return x.exp().sum()


def normal(x: Any, mean: Any) -> Any:
    return distributions.Normal(mean, 1.0).log_prob(x).sum()


def at_zero(x: Any) -> Any:
    return distributions.Normal(0.0, 1.0).log_prob(x).sum()


def by_sum(x: Any) -> Any:
    return x if x.sum() > 0 else -2 * x


def by_first(x: Any) -> Any:
    return x if x[0] > 0 else -2 * x


def by_two(x: Any) -> Any:
    return x * 2 if x.sum() > 0 and x.prod() > 0 else x


def near_zero(x: Any) -> Any:
    return 0 * x if torch.allclose(x, torch.zeros_like(x), atol=1.0) else x


def near_to_first(x: Any) -> Any:
    return 0 * x if torch.allclose(x[0], torch.zeros_like(x[0]), atol=1.0) else x


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (positive, "x: n -> ()", "S(n)"),
        (near_zero, "x: n -> n", "S(n)"),
        (by_sum, "x: n -> n", "S(n)"),
        (by_two, "x: n -> n", "S(n)"),
        (normal, "x: n d, mean: d -> ()", "T(d)"),
    ],
)
def test_each_way_is_read(function: Any, signature: str, under: str) -> None:
    assert_proved(function, signature, under, backend="torch")


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (by_first, "x: n -> n", "S(n)"),
        (near_to_first, "x: n -> n", "S(n)"),
        (first_is_positive, "x: n -> ()", "S(n)"),
        (at_zero, "x: n d -> ()", "T(d)"),
    ],
)
def test_ways_that_a_group_mixes_are_refuted(function: Any, signature: str, under: str) -> None:
    assert_refuted(function, signature, under, backend="torch")


def test_numbers_that_are_none_are_not_close() -> None:
    """Where logarithms are none, the function is the identity all the same."""
    at_nan = lambda x: x if torch.allclose(x.log(), x.log(), equal_nan=True) else 2 * x  # noqa: E731
    verdict = ep.check(at_nan, "x: n -> n", "S(n)", backend="torch", budget=30)
    assert verdict.grade == "TESTED" and "something else than its graph" in verdict.reason, verdict


def test_the_dtype_of_a_module_is_found_behind_closures() -> None:
    layer = nn.Linear(3, 3).eval()

    def wrapped(inner: Any) -> Any:
        return lambda x: inner["layer"](x)

    assert_proved(
        (lambda f: lambda x: f(x))(wrapped({"layer": layer})), "x: n 3 -> n 3", "S(n)", backend="torch"
    )


def three_and_more(x: Any) -> Any:
    if x.shape[0] > 2:
        return x - x.mean(0)
    return x + torch.arange(x.shape[0], dtype=x.dtype)[:, None]


def one_is_last(x: Any) -> Any:
    return x if x.shape[0] > 1 else 0 * x


def test_a_branch_on_a_size_outside_the_given_ones_says_nothing() -> None:
    verdict = assert_proved(three_and_more, "x: n 2 -> n 2", "S(n)", sizes={"n": (3, 9)}, backend="torch")
    assert verdict.sizes == ({"n": [3, 9]},)


def test_a_branch_on_a_size_is_seen_at_all_sizes() -> None:
    verdict = assert_refuted(three_and_more, "x: n 2 -> n 2", "S(n)", backend="torch")
    assert verdict.counterexample is not None and verdict.counterexample.sizes["n"] == 2


def test_a_branch_on_a_size_splits_the_claim() -> None:
    verdict = ep.check(one_is_last, "x: n 2 -> n 2", "S(n)", backend="torch")
    assert (verdict.outcome, verdict.grade, verdict.scope) == ("HOLDS", "PROVED", "for all n >= 2")
    assert ep.verify(verdict.certificate).accepted


def _smooth(function: Any) -> Any:
    """0 at every x where the function is x tanh(log(1 + exp x)), and nowhere beyond a bend of it."""
    return lambda x: torch.atanh(function(x) / x) - torch.atanh(function(-x) / -x) - x


def test_mish_has_no_bend_and_softplus_has_one() -> None:
    """Torch decomposes mish by softplus, which is x itself beyond 20; its kernels do not compute it so."""
    signature, mish = "x: d -> d!", torch.nn.functional.mish
    verdict = ep.check(_smooth(mish), signature, "Signs(d)", backend="torch", budget=20)
    assert verdict.grade not in ("EXACT", "ENCLOSED"), str(verdict)

    def by_softplus(x: Any) -> Any:
        return x * torch.tanh(torch.nn.functional.softplus(x))

    assert_refuted(_smooth(by_softplus), signature, "Signs(d)", backend="torch", grades=("ENCLOSED",))


def students(x: Any) -> Any:
    return torch.distributions.StudentT(3.0).log_prob(x).sum(-1)


def dirichlet(a: Any) -> Any:
    return torch.distributions.Dirichlet(a, validate_args=False).entropy()


def triangular(A: Any, y: Any) -> Any:
    factor = torch.linalg.cholesky(A @ A.T + torch.eye(len(A)))
    return torch.linalg.solve_triangular(factor, y, upper=False).square().sum()


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (students, "x: n d -> n", "S(d) x S(n)"),
        (dirichlet, "a: n c -> n", "S(c)"),
        (triangular, "A: 2 d, y: 2 k -> ()", "O(d) x O(k)"),
    ],
)
def test_gamma_functions_and_triangles_are_read(function: Any, signature: str, under: str) -> None:
    assert_proved(function, signature, under)


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (students, "x: n d -> n", "O(d)"),
        (lambda x: torch.lgamma(x + 4), "x: n -> n", "Signs(n)"),
        (lambda A, y: torch.linalg.solve_triangular(A, y, upper=True), "A: n n, y: n k -> n k", "S(n)"),
    ],
)
def test_near_misses_of_gamma_functions_and_triangles(function: Any, signature: str, under: str) -> None:
    assert_refuted(function, signature, under)


def scored(x: Any) -> Any:
    """1 where the sum is next to 0, as metrics have it: by a mask of no axis."""
    total = x.sum()
    made, far = torch.ones_like(total), total.abs() > 1e-4
    made[far] = 1 - (x * x).sum()[far] / total[far]
    return made


def test_masks_without_axes_write_one_number_or_none() -> None:
    verdict = ep.prove(scored, "x: n -> ()", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert_refuted(lambda x: scored(x) * x[0], "x: n -> ()", "S(n)", backend="torch", budget=60)


def with_a_factor(x: Any) -> Any:
    """An identity matrix of any size has a Cholesky factor; the code of the function says so as 0."""
    return x * (1 + torch.linalg.cholesky_ex(torch.eye(x.shape[0], dtype=x.dtype))[1])


def test_an_identity_matrix_has_a_factor() -> None:
    verdict = ep.prove(with_a_factor, "x: n -> n", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def gaussian(*rows: list[float], dtype: Any = None) -> Any:
    def density(x: Any) -> Any:
        kind = dtype or x.dtype
        return distributions.MultivariateNormal(
            torch.zeros(2, dtype=kind), torch.tensor(rows, dtype=kind)
        ).log_prob(x)

    return density


def test_a_covariance_that_is_plainly_one_passes_its_validation() -> None:
    """Its factor is there; a density in float32 is compared as such."""
    f = gaussian([2.0, 1.0], [1.0, 2.0], dtype=torch.float32)
    verdict = ep.prove(f, "x: n 2 -> n", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.prove(f, "x: n 2 -> n", "O(2)", backend="torch").outcome == "UNDECIDED"


def test_a_covariance_that_may_be_none_has_no_density() -> None:
    """Its least eigenvalue is next to 0."""
    f = gaussian([1.0, 1.0], [1.0, 1.0 + 1e-9])
    assert ep.prove(f, "x: n 2 -> n", "S(n)", backend="torch").outcome == "UNDECIDED"


def test_a_mask_that_writes_infinite_numbers() -> None:
    """What is written is no 0, wherever the mask holds; scores written as -inf before a softmax are read."""

    def far(x: torch.Tensor) -> torch.Tensor:
        return x * x * x + 2 * x == 31.7  # at one irrational point, which no replay meets

    def infinite(x: torch.Tensor) -> torch.Tensor:
        t = x.clone()
        t[far(x)] = torch.inf
        return t

    def zero(x: torch.Tensor) -> torch.Tensor:
        t = x.clone()
        t[far(x)] = 0.0
        return t

    def kept(x: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        t = x.clone()
        t[~k] = -torch.inf
        return t.softmax(0)

    assert ep.identical(infinite, zero, "x: n -> n", backend="torch", budget=20).grade in ("TESTED", "")
    assert_proved(kept, "x: n, k[bool]: n -> n", "S(n)", backend="torch")

    def pole(x: torch.Tensor) -> torch.Tensor:
        return torch.where(x == 0, torch.inf, x)

    poles = ep.identical(pole, lambda x: x + 0, "x: n -> n", backend="torch")
    assert poles.fails and "FAILS" in str(poles)  # of which no entry has a size


def centred_in_half(x: Any) -> Any:
    """Computed in float64, and kept in float16 on the way."""
    return (x - x.mean(1, keepdim=True)).half().double()


def test_a_short_type_on_the_way_is_the_measure_of_roundings() -> None:
    found = ep.check(centred_in_half, "x: d n -> d! n", "T(d)", backend="torch", budget=30)
    assert found.grade == "PROVED", found
    found = ep.check(
        lambda x: centred_in_half(x) + x[:1], "x: d n -> d! n", "T(d)", backend="torch", budget=30
    )
    assert found.fails and found.grade >= "ENCLOSED"
