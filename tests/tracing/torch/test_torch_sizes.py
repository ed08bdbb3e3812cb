"""Conditions on sizes: boxes in which they hold; and branches on numbers that depend on no input."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise, product
from typing import Any

import pytest
import sympy

import eqvproof as ep
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.numpy.patching import tracing
from eqvproof.tracing.torch.sizes import holds_at_every_size, spans_where_all_hold
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
ConstantSource = pytest.importorskip("torch._dynamo.source").ConstantSource
symbolic_shapes = pytest.importorskip("torch.fx.experimental.symbolic_shapes")
DimDynamic, ShapeEnv = symbolic_shapes.DimDynamic, symbolic_shapes.ShapeEnv

a, b, c = sympy.symbols("a b c", positive=True, integer=True)
CONDITIONS = [
    a * b >= 8, a * b < 60, 3 * a * b * c < 100, sympy.Ne(a, 2), a < 5, a >= 4, sympy.Ne(sympy.Mod(a, 4), 0),
    a * b > a + 5, sympy.Ne(a * b, 7),
]  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_holds_in_its_box(condition: Any) -> None:
    box = spans_where_all_hold([condition], {})
    names = sorted(condition.free_symbols, key=str)
    assert sorted(box) == [str(n) for n in names]
    spans = [range(box[str(n)][0], (box[str(n)][1] or 12) + 1) for n in names]
    assert all(condition.subs(dict(zip(names, at, strict=True))) == sympy.true for at in product(*spans))


def test_an_order_of_two_sizes_has_no_box() -> None:
    assert spans_where_all_hold([a > b], {}) == {}
    assert not holds_at_every_size(a * b < 60, {"a": (1, 8), "b": (1, 8)})
    assert holds_at_every_size(a * b < 60, {"a": (1, 7), "b": (1, 8)})


@pytest.mark.parametrize("seed", range(24))
def test_what_is_said_of_quotients_of_sizes_holds(seed: int) -> None:
    rng = random.Random(seed)
    under, k = rng.randint(1, 3) * a + rng.randint(0, 2) * b, rng.choice([2, a - 3])
    sign = rng.choice([1, -1])
    over = k * under + rng.choice([0, under - 1, under, -1, a - 2])
    relation = [sympy.Eq, sympy.Ne, sympy.Ge, sympy.Lt][seed % 4]
    condition = relation(sign * sympy.floor(over / under), sign * (k + rng.choice([0, 0, 1, -1])))
    box = {str(n): (1, 6) for n in condition.free_symbols}
    places = ({a: x, b: y} for x, y in product(range(1, 7), repeat=2))
    everywhere = all(condition.subs(place) == sympy.true for place in places)
    assert holds_at_every_size(condition, box) is everywhere
    assert holds_at_every_size(condition) is everywhere


def test_roots_of_negative_numbers_hold_nowhere() -> None:
    assert not holds_at_every_size(sympy.Ge(sympy.sqrt(b - a - 9) + b, 0), {"a": (1, 4), "b": (1, 4)})
    assert not holds_at_every_size(1 / (a - 2) + b > 0, {"a": (1, 4), "b": (1, 4)})


def heads_on_the_batch(x: Any) -> Any:
    """Two heads, stacked on an axis of any size, and parted again."""
    y = torch.cat(x.split(2, 2), 0)
    y = torch.softmax(y @ y.transpose(1, 2), 2) @ y
    return torch.cat(y.split(x.size(0), 0), 2)


def test_parts_of_an_axis_of_any_size_are_counted() -> None:
    verdict = ep.check(heads_on_the_batch, "x: b n 4 -> b n 4", "S(b) x S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    wrong = ep.check(lambda x: heads_on_the_batch(x)[:1] + x, "x: b n 4 -> b n 4", "S(b)", backend="torch")
    assert wrong.fails and wrong.grade in ("EXACT", "ENCLOSED"), str(wrong)


def fast_where_small(x: Any) -> Any:
    return x - x.mean(0) if x.shape[0] * x.shape[1] < 4096 else x.cumsum(0)


def test_a_product_of_sizes_that_decides_limits_the_proof() -> None:
    sizes = {"n": (1, 4), "d": 2}
    verdict = ep.check(fast_where_small, "x: n d -> n d", "S(n)", backend="torch", sizes=sizes)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    wide = {"n": 80, "d": 80}
    assert ep.prove(fast_where_small, "x: n d -> n d", "S(n)", backend="torch", sizes=wide).outcome != "HOLDS"


def steps(x: Any) -> Any:
    """A branch on numbers that depend on nothing, as solvers of differential equations ask them."""
    times = torch.linspace(0, 1, 4, dtype=x.dtype)
    if not (times[1:] > times[:-1]).all():
        raise ValueError("times ascend")
    for start, end in pairwise(times):
        x = x - (end - start) * x / (1 + (x * x).sum(-1, keepdim=True)) if end > start else x.cumsum(0)
    return x


def test_branches_on_known_numbers_are_answered() -> None:
    verdict = ep.prove(steps, "x: n d -> n d", "S(n) x O(d)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(steps, "x: n d -> n d", "T(d)", backend="torch").grade == "EXACT"


def test_known_integers_are_taken_apart_and_joined() -> None:
    """Windows that overlap, joined in the layout that torch gives them."""

    def windows(x: Any) -> Any:
        return x + torch.arange(8).reshape(1, 4, 2).unfold(1, 3, 1).movedim(-1, 2).flatten(2, 3).sum()

    assert ep.prove(windows, "x: n -> n", "S(n)", backend="torch").grade == "PROVED"


def test_pickled_sizes_are_none_of_the_target() -> None:
    """As keys of what is remembered; no number may follow from them."""

    def salted(x: Any) -> Any:
        return x if len(pickle.dumps(x.shape[0])) < 1000 else x.cumsum(0)

    assert ep.prove(salted, "x: n -> n", "S(n)", backend="torch").outcome == "UNDECIDED"
    with tracing(TraceContext(ANSWERS, is_foreign=True), []), pytest.raises(TraceError):
        pickle.dumps(torch.SymInt(sympy_node()))


def sympy_node() -> Any:
    """A size of torch."""
    env = ShapeEnv()
    return env.create_unspecified_symint_and_symbol(5, ConstantSource("n"), DimDynamic.DYNAMIC).node


@pytest.mark.parametrize("places", ["nd,md,me->ne", "md,me,ne->nd"])
def test_the_order_of_a_product_of_three_fixes_no_size(places: str) -> None:
    """Where opt_einsum is installed, torch asks it for an order, by the sizes."""
    claim = (lambda x: torch.einsum(places, x, x, x), "x: n d -> n d")
    verdict = ep.check(*claim, "S(n) x O(d)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, verdict
    assert ep.check(*claim, "T(d)", backend="torch").fails


def test_no_size_is_beyond_infinity() -> None:
    nearest = lambda x, most=torch.inf: x / min(most, x.shape[0])  # noqa: E731
    verdict = ep.check(nearest, "x: n d -> n d", "S(n)", backend="torch")
    assert (verdict.grade, verdict.scope) == ("PROVED", "for all n, d"), verdict


def covariance(x: Any) -> Any:
    n = x.shape[0]
    return (1.0 / (n - 1)) * (x.t() @ x - (1.0 / n) * torch.outer(x.sum(0), x.sum(0)))


def divided_twice(x: Any) -> Any:
    return (1.0 / (x.shape[0] - 1)) * x / (x.shape[1] - 1)


def divided_sums(x: Any) -> Any:
    return (1.0 / (x.shape[0] - 1)) * x.cumsum(0)


def raises_once(x: Any) -> Any:
    if x.shape[0] == 1:
        raise ZeroDivisionError
    return 2 * x


def other_at_one(x: Any) -> Any:
    if x.shape[0] == 1:
        return 0 * x + torch.arange(x.shape[1])
    return (1.0 / (x.shape[0] - 1)) * x


def test_numbers_of_sizes_that_divide_by_zero() -> None:
    """Where the Program is undefined, the function may raise ZeroDivisionError; nowhere else."""
    assert_proved(covariance, "x: n d -> d^ d^", "E(d) x S(n)", backend="torch")
    assert_proved(divided_twice, "x: n d -> n d", "O(d) x S(n)", backend="torch")
    assert_refuted(divided_sums, "x: n d -> n d", "S(n)", backend="torch")
    for target in (raises_once, other_at_one):
        assert ep.prove(target, "x: n d -> n d", "O(d)", backend="torch").outcome == "UNDECIDED"


@pytest.mark.parametrize("greatest", [3, 16, 40])
def test_sizes_below_a_greatest_one_are_found(greatest: int) -> None:
    """As torch asks of a slice: up to the length of an array, and not the length itself."""
    a = sympy.Symbol("a", integer=True, positive=True)
    box = spans_where_all_hold([a <= greatest, sympy.Ne(a, greatest)], {})
    assert box == {"a": (1, greatest - 1)}
    assert all(k <= greatest and k != greatest for k in range(1, box["a"][1] + 1))
