"""Arguments that are parts of structures, merged axes, sizes as arguments."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support.errors import EqvproofError, OptionError
from eqvproof.tracing.models import with_leaf
from tests.judged import assert_proved, assert_refuted

Cloud = collections.namedtuple("Cloud", "pos weight")


@dataclasses.dataclass(frozen=True)
class Points:
    pos: Any
    weight: Any


class Held:
    def __init__(self, pos: Any, weight: Any) -> None:
        self.pos, self.weight = pos, weight


POS, WEIGHT = np.zeros((3, 2)), np.ones(3)
HOLDERS = [
    {"pos": POS, "weight": WEIGHT},
    Cloud(POS, WEIGHT),
    Points(POS, WEIGHT),
    Held(POS, WEIGHT),
    [POS, WEIGHT],
]


def _parts(data: Any) -> Any:
    if isinstance(data, list):
        return data
    return (data["pos"], data["weight"]) if isinstance(data, dict) else (data.pos, data.weight)


@pytest.mark.parametrize("data", HOLDERS, ids=lambda d: type(d).__name__)
def test_leaves_of_structures(data: Any) -> None:
    def centre(data: Any) -> Any:
        pos, weight = _parts(data)
        return (pos * weight[:, None]).sum(0)

    def not_quite(data: Any) -> Any:
        pos, weight = _parts(data)
        return (pos + weight[:, None]).sum(0)

    first, second = ("0", "1") if isinstance(data, list) else ("pos", "weight")
    signature = f"data.{first}: n d, data.{second}: n -> d"
    assert_proved(centre, signature, "O(d) x S(n)", example={"data": data})
    found = assert_refuted(not_quite, signature, "O(d) x S(n)", grades=("EXACT",), example={"data": data})
    assert found.counterexample is not None
    assert set(found.counterexample.inputs) == {f"data.{first}", f"data.{second}"}
    assert np.array_equal(_parts(data)[0], POS) and _parts(data)[0] is POS


def test_what_is_not_named_stays_as_in_the_example() -> None:
    def f(x: Any, data: Any, scale: Any = 1) -> Any:
        return x * data["weight"][0] * scale + data["pos"]["inner"]

    example = {"data": {"weight": WEIGHT * 3, "pos": {"inner": POS}}, "scale": 5}
    verdict = assert_proved(f, "x: n d, data.pos.inner: n d -> n d", "O(d) x S(n)", example=example)
    assert ep.identical(
        f, lambda x, data, scale: 15 * x + data["pos"]["inner"], verdict.signature, example=example
    ).grade == "PROVED"  # fmt: skip


def test_places_that_are_not_there() -> None:
    for signature, example in [
        ("data.x: n -> n", None),
        ("data.x: n -> n", {"data": {"y": 1}}),
        ("data.2: n -> n", {"data": [1, 2]}),
        ("data.x.y: n -> n", {"data": {"x": 1.0}}),
    ]:
        with pytest.raises(OptionError):
            ep.check(lambda data: data, signature, "S(n)", example=example)
    with pytest.raises(EqvproofError):
        ep.check(lambda data: data, "data.x: n -> n", "S(n)", example=[1])  # type: ignore[arg-type]


def test_a_leaf_that_is_computed_is_refused_and_nothing_is_written() -> None:
    class Computed:
        total = property(lambda self: 3)

    with pytest.raises(OptionError, match="computed"):
        with_leaf(Computed(), ["total"], 4)
    inner = {"a": 1}
    held = Held(inner, None)
    assert with_leaf(held, ["pos", "a"], 2).pos == {"a": 2}
    assert held.pos is inner and inner == {"a": 1}


def test_merged_axes_of_inputs_and_outputs() -> None:
    assert_proved(lambda x: x * 2, "x: (n 3) -> (n 3)", "O(3) x S(n)")
    assert_refuted(lambda x: x[::-1] * 2, "x: (n 3) -> (n 3)", "O(3)", grades=("EXACT",))

    def heads(x: Any) -> Any:
        return x.sum(0)

    assert_proved(heads, "x: n (h c) -> (h c)", "S(n) x S(h) x S(c)")
    assert_refuted(lambda x: x.cumsum(0), "x: (h c) -> (h c)", "S(h)", sizes={"h": (1, 2), "c": (1, 2)})
    columns = "x: (n 3) -> (3 n)"  # the order of the axes is that of the rows
    assert_proved(lambda x: x.reshape(-1, 3).T.reshape(-1), columns, "S(n)")
    assert_refuted(lambda x: x * 1, columns, "S(n)", grades=("EXACT",))


def test_a_size_is_an_argument() -> None:
    def pooled(x: Any, batch: Any, b: Any) -> Any:
        return np.zeros((b, x.shape[1])) + (np.arange(b)[:, None] == batch[None]) @ x

    signature = "x: n c, batch[b]: n, sizes b -> b c"
    verdict = ep.check(pooled, signature, "S(n) x S(b)", budget=20)
    assert verdict.holds and (verdict.certificate is None or ep.verify(verdict.certificate).accepted)
    assert_proved(lambda x, b: np.zeros((b, 2)) + x.sum(), "x: n, sizes b -> b 2", "S(n) x S(b)")
    assert_refuted(lambda x, b: x * b + np.arange(b).sum() * x[0], "x: n, sizes b -> n", "S(n)")


def test_strategies_give_what_the_function_takes() -> None:
    from hypothesis import given, settings

    @settings(max_examples=10, deadline=None)
    @given(ep.strategies.arrays("data.x: (n 3) c, sizes b -> b", exact=False))
    def check(arguments: Any) -> None:
        x, b = arguments
        assert x.ndim == 2 and x.shape[0] % 3 == 0 and isinstance(b, int)

    check()
