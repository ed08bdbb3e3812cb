"""Integers of a machine type: what is proved of them holds at the sizes at which they no longer fit, too.

Every target is run in floats, by its own library, at many sizes, and compared with the Program that is read
from it: exactly where it is read for all sizes, and up to the limits where it is read for limited ones. Where
the target leaves its type is found by that run alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.api import verify
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.numbers import Real
from eqvproof.programs import Builder, Size
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.intervals import LARGEST, Intervals
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.machine import limits, stored
from eqvproof.tracing.trace import Trace

SIGNATURE = parse_signature("x: n -> n")
SIZES = (1, 2, 3, 5, 11, 12, 13, 19, 20, 31, 33, 40, 43, 44, 63, 64, 65, 74, 75, 100, 110, 127, 128, 129, 130,
         181, 182, 216, 255, 256, 257, 300)  # fmt: skip
Target = Callable[..., Any]


def traced(f: Target, *, limited: bool, backend: str | None = None) -> Trace | None:
    """The Program; None where the target is refused."""
    try:
        return trace_all_sizes(adapt(f, backend, SIGNATURE), SIGNATURE, {}, limited=limited)
    except TraceError:
        return None


def values(trace: Trace, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The Program in exact arithmetic, rounded at the end."""
    point = np.array([Fraction(int(v)) for v in x], dtype=object)
    found = np.asarray(evaluate_exact(trace.program, {"x": point}, {"n": len(x)}), dtype=object)
    flat = [v.to_float() if isinstance(v, Real) else np.nan for v in found.ravel()]
    return np.array(flat, dtype=float).reshape(found.shape)


def first_difference(f: Target, trace: Trace, sizes: Sequence[int] = SIZES) -> int:
    """The first of the sizes at which the target, run in floats, and its Program differ."""
    rng = np.random.default_rng(0)
    for n in sizes:
        if any(prod(s.value({"n": n}) for s in node.shape) > 20_000 for node in trace.program.nodes):
            continue
        x = rng.permutation(n).astype(float) - n // 2
        with np.errstate(all="ignore"):
            try:
                expected = np.asarray(f(x), dtype=float)
            except (OverflowError, ValueError):  # a Python integer that does not fit
                return n
        if not np.allclose(expected, values(trace, x), rtol=1e-6, equal_nan=True):
            return n
    return LARGEST


def ones(x: Any, dtype: Any) -> Any:
    return np.ones(x.shape[0], dtype)


def count(x: Any, dtype: Any) -> Any:
    return np.arange(x.shape[0], dtype=dtype)


def added(x: Any) -> Any:
    total = np.zeros(x.shape[0], np.int8)
    total += ones(x, np.int8) * 100
    total += 100
    return x * total


def written(x: Any) -> Any:
    a = np.zeros(x.shape[0], np.int8)
    a[...] = np.arange(x.shape[0])
    return x * a


def written_at(x: Any) -> Any:
    t = np.zeros(3, np.int8)
    np.add.at(t, np.zeros(x.shape[0], int), 1)
    return x * t[0]


#: Targets of NumPy, and the greatest size up to which all of their integers fit (None: all, or not known).
NUMPY: dict[str, tuple[Target, int | None]] = {
    "dot": (lambda x: x * (ones(x, np.int8) @ ones(x, np.int8)), 127),
    "einsum": (lambda x: x * np.einsum("i,i->", ones(x, np.int8), ones(x, np.int8)), 127),
    "sum in 8 bits": (lambda x: x * np.ones(x.shape[0], int).sum(dtype=np.int8), 127),
    "cumsum in 8 bits": (lambda x: x * np.cumsum(np.ones(x.shape[0], bool), dtype=np.int8), 127),
    "sum by Python": (lambda x: x * sum(ones(x, np.int8)), 127),
    "cumprod": (lambda x: x * np.cumprod(np.full(x.shape[0], 2)), 62),
    "prod": (lambda x: x * np.prod(np.full(x.shape[0], 3)), 39),
    "power": (lambda x: x * np.arange(x.shape[0]) ** 11, 53),
    "power of 2": (lambda x: x * 2 ** np.arange(x.shape[0]), 63),
    "power of a size": (lambda x: x * np.power(x.shape[0], 9), 127),
    "size of NumPy": (lambda x: x * (x.shape[0] * np.int64(1)) ** 9, 127),
    "cast of a size": (lambda x: x * np.asarray(x.shape[0]).astype(np.int8), 127),
    "size in a list": (lambda x: x * np.array([x.shape[0], 1], dtype=np.int8)[0], 127),
    "times a size": (lambda x: x * (np.int8(3) * x.shape[0]), 42),
    "size times": (lambda x: x * (x.shape[0] * np.int8(1)), 127),
    "16 bits": (lambda x: x * (ones(x, np.int16) * x.shape[0] * x.shape[0]), 181),
    "unsigned below 0": (lambda x: x * (count(x, np.uint8) - np.uint8(1)), None),
    "unsigned minus": (lambda x: x * -ones(x, np.uint8), None),
    "cast to unsigned": (lambda x: x * np.asarray(x.shape[0] - 3).astype(np.uint8), None),
    "joined": (lambda x: x * (np.tile(ones(x, np.int8), 2) @ np.tile(ones(x, np.int8), 2)), 63),
    "concatenated": (lambda x: x * np.sum(np.concatenate([ones(x, np.int8)] * 2), dtype=np.int8), 63),
    "repeated": (lambda x: x * np.repeat(ones(x, np.int8), 3).dot(np.ones(3 * x.shape[0], np.int8)), 42),
    "diagonal": (lambda x: x @ (np.diag(ones(x, np.int8)) * ones(x, np.int8).dot(ones(x, np.int8))), 127),
    "clipped": (lambda x: x * (np.clip(count(x, np.int8), 0, 50) * 3), 43),
    "quotients": (lambda x: x * np.divmod(count(x, np.int8) * 7, 5)[0], 19),
    "outer": (lambda x: x @ np.outer(count(x, np.int8), count(x, np.int8)), 12),
    "kron": (lambda x: x * np.kron(ones(x, np.int8), ones(x, np.int8)).dot(
        np.ones(x.shape[0] * x.shape[0], np.int8)), 11),
    "masks": (lambda x: x * (x > -999).astype(np.int8).sum(dtype=np.int8), 127),
    "signs": (lambda x: x * (np.sign(x).astype(np.int8) @ np.sign(x).astype(np.int8)), 127),
    "in place": (added, None),
    "written": (written, 128),
    "written at places": (written_at, 127),
    "by zero": (lambda x: x * (np.arange(x.shape[0]) // (np.arange(x.shape[0]) - 1)), None),
    "rest by zero": (lambda x: x * (np.arange(x.shape[0]) % (np.arange(x.shape[0]) - 1)), None),
    "short floats": (lambda x: x * np.full(x.shape[0], 0.1, np.float16), None),
    "shortened": (lambda x: x * np.full(3, 0.1).astype(np.float16)[0], None),
}  # fmt: skip

#: Targets whose integers fit at all sizes of which a verdict speaks.
FITS: dict[str, Target] = {
    "Python": lambda x: x * x.shape[0] ** 9,
    "positions": lambda x: x * (np.arange(x.shape[0]) - 1),
    "squares": lambda x: x * np.arange(x.shape[0]) ** 2,
    "sum in 64 bits": lambda x: x * ones(x, np.int8).sum(),
    "reduced": lambda x: x * np.add.reduce(ones(x, np.int8)),
    "trace": lambda x: x * np.trace(np.eye(x.shape[0], dtype=np.int8)),
    "count": lambda x: x * np.count_nonzero(ones(x, np.int8)),
    "mask": lambda x: x * (x > 0).sum(),
    "order": lambda x: x * np.argsort(x, kind="stable"),
    "looked up": lambda x: x[np.argsort(x, kind="stable")],
    "one-hot": lambda x: (np.arange(x.shape[0])[:, None] == np.arange(x.shape[0])).astype(np.int8) @ x,
    "counted": lambda x: x * np.cumsum(np.ones(x.shape[0], int)),
    "mean of short": lambda x: x * (ones(x, np.int8) * 100).mean(),
    "average of short": lambda x: x * np.average(ones(x, np.int8) * 100, weights=ones(x, np.int8) * 100),
}


@pytest.mark.parametrize("name", NUMPY)
def test_the_program_is_what_numpy_computes(name: str) -> None:
    f, _ = NUMPY[name]
    trace = traced(f, limited=False)
    assert trace is None or first_difference(f, trace) == LARGEST


@pytest.mark.parametrize("name", NUMPY)
def test_limits_end_before_numpy_differs(name: str) -> None:
    f, known = NUMPY[name]
    trace = traced(f, limited=True)
    if trace is None:
        assert known is None
        return
    assert trace.limits == ({} if known is None else {"n": known})
    assert first_difference(f, trace) > trace.limits.get("n", max(SIZES))


@pytest.mark.parametrize("name", FITS)
def test_what_fits_is_neither_wrapped_nor_limited(name: str) -> None:
    trace = traced(FITS[name], limited=False)
    assert trace is not None
    assert not trace.wraps
    assert first_difference(FITS[name], trace) == LARGEST


def mean_by(size: Callable[[Any], Any]) -> Target:
    """The mean, whose divisor is computed in a way of its own."""
    return lambda X: X.sum(axis=0) / size(X)


#: Divisors that are n as long as it fits, and the first size at which the mean is wrong.
DIVISORS: dict[str, tuple[Callable[[Any], Any], int]] = {
    "int8": (lambda X: np.ones(X.shape[0], np.int8) @ np.ones(X.shape[0], np.int8), 128),
    "uint8": (lambda X: np.ones(X.shape[0], np.uint8).dot(np.ones(X.shape[0], np.uint8)), 256),
    "cast": (lambda X: np.asarray(X.shape[0]).astype(np.int8), 128),
    "int64": (lambda X: np.asarray(X.shape[0]) ** 8 / np.asarray(X.shape[0]) ** 7.0, 235),
    "size": (lambda X: np.asarray(X.shape[0]), 0),
    "sum": (lambda X: np.ones(X.shape[0], np.int8).sum(), 0),
}


@pytest.mark.parametrize("name", DIVISORS)
def test_a_mean_is_proved_as_far_as_it_is_one_and_refuted_beyond(name: str) -> None:
    size, first = DIVISORS[name]
    f = mean_by(size)
    proof = ep.prove(f, "X: n d -> d", under="T(d)")
    assert proof.grade == "PROVED", str(proof)
    assert verify(proof.certificate).accepted
    assert proof.sizes[0]["n"] == ([1, first - 1] if first else "all")
    verdict = ep.check(f, "X: n d -> d", under="T(d)")
    assert verdict.fails == bool(first), str(verdict)
    if first:
        assert f"n from 1 to {first - 1}" in proof.scope
        assert verdict.counterexample is not None
        assert first <= verdict.counterexample.sizes["n"] <= first + 1  # n = 0 in 8 bits gives no mean
        assert verify(verdict.certificate).accepted
        assert (
            ep.prove(f, "X: n d -> d", under="T(d)", sizes={"n": (first, 2 * first)}).outcome == "UNDECIDED"
        )


def test_sizes_within_the_limits_are_not_refuted() -> None:
    f = mean_by(DIVISORS["int8"][0])
    verdict = ep.check(f, "X: n d -> d", under="T(d)", sizes={"n": (1, 100)})
    assert verdict.grade == "PROVED", str(verdict)


def test_a_pinned_size_beyond_is_refuted() -> None:
    f = mean_by(DIVISORS["int8"][0])
    assert ep.check(f, "X: n d -> d", under="T(d)", sizes={"n": 130}).fails
    assert ep.check(f, "X: n d -> d", under="T(d)", sizes={"n": 120}).grade == "PROVED"


def test_what_does_not_need_them_exact_is_proved_for_all_sizes() -> None:
    verdict = ep.check(lambda X: X * (np.ones(X.shape[0], np.int8) @ np.ones(X.shape[0], np.int8)),
                       "X: n d -> n d", under="O(d) x S(n)")  # fmt: skip
    assert verdict.grade == "PROVED", str(verdict)
    assert verdict.sizes[0] == {"n": "all", "d": "all"}


def test_an_identity_of_integers_and_floats_ends_where_they_part() -> None:
    f = lambda x: x * np.arange(x.shape[0]) ** 9  # noqa: E731
    g = lambda x: x * np.arange(x.shape[0]) ** 9.0  # noqa: E731
    assert not ep.identical(f, g, "x: n -> n").holds
    within = ep.identical(f, g, "x: n -> n", sizes={"n": (1, 100)})
    assert within.grade == "PROVED", str(within)
    assert within.sizes[0] == {"n": [1, 128]}


def test_floats_that_may_be_too_large_are_not_cast() -> None:
    for dtype in (np.int8, np.int64, np.uint8):
        assert traced(lambda x, t=dtype: np.floor(x).astype(t) * 1.0, limited=False) is None
        assert traced(lambda x, t=dtype: np.floor(x).astype(t) * 1.0, limited=True) is None


#: Targets of torch, given the library, and the greatest size up to which all of their integers fit.
TORCH: dict[str, tuple[Callable[[Any, Any], Any], int | None]] = {
    "ones": (lambda t, x: x * t.ones(x.shape[0], dtype=t.int8).sum(dtype=t.int8), 127),
    "32 bits": (lambda t, x: x * t.arange(x.shape[0], dtype=t.int32) ** 7, 22),
    "64 bits": (lambda t, x: x * t.arange(x.shape[0]) ** 9, 128),
    "cast": (lambda t, x: x * t.arange(x.shape[0]).to(t.int8), 128),
    "cumsum": (lambda t, x: x * t.ones(x.shape[0], dtype=t.int8).cumsum(0, dtype=t.int8), 127),
    "mask": (lambda t, x: x * (x > -999).to(t.int8).sum(dtype=t.int8), 127),
    "unsigned": (lambda t, x: x * (t.arange(x.shape[0], dtype=t.uint8) - 1), None),
    "doubled": (lambda t, x: x * (t.where(x > 0, *[t.full((x.shape[0],), 100, dtype=t.int8)] * 2) * 2), None),
    "mask in 64 bits": (lambda t, x: x * (x > -999).sum(), None),
}
#: Targets of JAX, whose integers have 32 bits unless its user asks for 64.
JAX: dict[str, tuple[Callable[[Any, Any], Any], int | None]] = {
    "dot": (lambda j, x: x * (j.ones(x.shape[0], j.int8) @ j.ones(x.shape[0], j.int8)), 127),
    "size": (lambda j, x: x * j.asarray(x.shape[0]) ** 4, 215),
    "positions": (lambda j, x: x * j.arange(x.shape[0]) ** 5, 74),
    "long": (lambda j, x: x * j.arange(x.shape[0]).astype(j.int64) ** 5, 74),
    "cast": (lambda j, x: x * j.arange(x.shape[0]).astype(j.int8), 128),
    "sum in 8 bits": (lambda j, x: x * j.ones(x.shape[0], j.int8).sum(dtype=j.int8), 127),
    "unsigned": (lambda j, x: x * (j.arange(x.shape[0], dtype=j.uint8) - 1), None),
    "sum": (lambda j, x: x * j.ones(x.shape[0], j.int8).sum(), None),
    "mask": (lambda j, x: x * (x > -999).sum(), None),
}


def judge_framework(
    f: Target, backend: str, known: int | None, run: Target, sizes: Sequence[int] = SIZES
) -> None:
    """Its Program is what the library computes where users `run` it; a limit ends before they differ."""
    whole = traced(f, limited=False, backend=backend)
    assert whole is None or first_difference(run, whole, sizes) == LARGEST
    part = traced(f, limited=True, backend=backend)
    if part is None:
        assert known is None
    else:
        assert part.limits == ({} if known is None else {"n": known})
        assert first_difference(run, part, sizes) > part.limits.get("n", max(SIZES))


@pytest.mark.parametrize("name", TORCH)
def test_the_program_is_what_torch_computes(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    target, known = TORCH[name]

    def f(x: Any) -> Any:
        return target(torch, x)

    judge_framework(f, "torch", known, lambda x: f(torch.tensor(x)).numpy())


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore:Explicitly requested dtype")
@pytest.mark.parametrize("name", JAX)
def test_the_program_is_what_jax_computes(name: str) -> None:
    pytest.importorskip("jax", reason="JAX is not installed")
    import jax.numpy as jnp

    target, known = JAX[name]

    def f(x: Any) -> Any:
        return target(jnp, x)

    # JAX compiles what it computes anew at each size.
    near = sorted({1, 2, 13, 129, 300, *(() if known is None else (known, known + 1))})
    judge_framework(f, "jax", known, lambda x: np.asarray(f(jnp.asarray(x))), near)


def test_intervals_hold_sums_products_and_positions() -> None:
    b = Builder()
    n = b.iota("n")
    hot = b.onehot(n, Size.of("k"))
    found = Intervals(b, {"n": 10, "k": 7})
    assert found.of(b.power(n, 3)) == (0, 729)
    assert found.of(b.einsum([n, n], [[0], [0]], [])) == (0, 810)
    assert found.of(b.einsum([hot, b.iota("k")], [[0, 1], [1]], [0])) == (0, 6)  # one term for each entry
    assert found.of(b.sum(hot, [0])) == (0, 10)
    assert found.of(b.sub(b.size("n"), b.const(3))) == (-2, 7)
    assert found.of(b.map("mod", [b.sub(n, b.const(50)), b.const(4)])) == (0, 3)


def test_what_is_wrapped_is_what_the_type_keeps() -> None:
    b = Builder()
    x = b.input("x", ["n"])
    b.integers.add(x)
    for dtype in (np.int8, np.uint8, np.int16, np.uint32, np.int64):
        node = stored(b, x, dtype)
        assert node is not None
        info = np.iinfo(dtype)
        for value in (info.min, info.max, info.max + 1, info.min - 1, 3 * int(info.max), 0, -1):
            point = {"x": np.array([Fraction(int(value))], dtype=object)}
            (kept,) = evaluate_exact(b.program(node), point, {"n": 1})
            bits = info.bits
            expected = (int(value) - int(info.min)) % 2**bits + int(info.min)
            assert kept == expected


def test_limits_of_two_sizes_leave_no_corner_out() -> None:
    b = Builder(limited=True)
    stored(b, b.size(Size.of("n") * Size.of("d")), np.int8)
    found = limits(b, ["n", "d", "k"])
    assert set(found) == {"n", "d"}
    assert found["n"] * found["d"] <= 127 < (found["n"] + 1) * found["d"]


def fill_diagonal(y: Any, x: Any) -> Any:
    y = np.zeros((len(x), len(x)), dtype=int)
    np.fill_diagonal(y, 2.5)
    return y.sum(0)


#: What is written into integers loses what is behind the point.
TRUNCATED: dict[str, Callable[..., Any]] = {
    "insert": lambda y, x: np.insert(y, 0, 2.5)[1:],
    "insert of a value": lambda y, x: np.insert(y, 0, x[0])[:-1],
    "positions along an axis": lambda y, x: np.put_along_axis(y, np.zeros(1, int), x[0], 0),
    "sums at places": lambda y, x: np.add.at(y, [0], x[0]),
    "a diagonal": fill_diagonal,
    "edges": lambda y, x: np.pad(y, (1, 0), constant_values=2.5)[:-1],
    "an entry": lambda y, x: y.__setitem__(0, x[0]),
}


@pytest.mark.parametrize("name", TRUNCATED)
def test_floats_written_into_integers_are_not_read(name: str) -> None:
    def f(x: Any) -> Any:
        y = np.zeros(x.shape, dtype=int)
        made = TRUNCATED[name](y, x)
        return 1.0 * (y if made is None else made)

    with pytest.raises(TraceError, match="floats written into an array of integers"):
        trace_all_sizes(f, parse_signature("x: n -> n"), {})


def test_a_power_of_integers_that_may_be_negative_is_not_read() -> None:
    def f(x: Any) -> Any:
        return x * 2 ** np.arange(-1, len(x) - 1)

    with pytest.raises(TraceError, match="negative integer power"):
        trace_all_sizes(f, parse_signature("x: n -> n"), {})
    trace_all_sizes(lambda x: x * 2.0 ** np.arange(-1, len(x) - 1), parse_signature("x: n -> n"), {})
