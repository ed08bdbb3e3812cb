"""Evaluation against plain loops, group elements, and work limits."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups.families.permutations import PERMUTATIONS
from eqvproof.kernel import elements, report, symmetric
from eqvproof.kernel.claims import Factor, Term
from eqvproof.kernel.functions import SERIES
from eqvproof.kernel.interval import F0, F1, Arithmetic, Ball, hi, lo
from eqvproof.kernel.report import Rejected, Undecided
from eqvproof.kernel.tensors import Tensor
from eqvproof.programs import operations as ops
from eqvproof.programs.program import node_to_json
from tests.kernel.encoding import evaluated
from tests.programs.rules import reference
from tests.programs.rules.harness import MAKERS, Instance
from tests.sampling import examples

EXACT = Arithmetic(64)


#: The reference has other functions in the place of these: see `test_eigenvalues_of_two_rows`, `test_series`,
#: `test_cholesky_factors`.
VALUED = [name for name in MAKERS if name not in ("eigvals", "spectral", "series", "cholesky")]


def value_of(instance: Instance, values: dict[str, Tensor]) -> Tensor:
    """The value of the operation at the instance's sizes."""
    used = sorted(set(instance.op.args))
    inputs = [{"name": f"x{i}", "shape": [s.to_json() for s in instance.shapes[i]]} for i in used]
    nodes: list[Any] = [{"op": "input", "args": [], **i} for i in inputs]
    nodes.append({**node_to_json(instance.op)[0], "args": [used.index(a) for a in instance.op.args]})
    program = {"inputs": inputs, "nodes": nodes, "output": len(used)}
    return evaluated(program, values, EXACT, instance.sizes)


def given_values(instance: Instance) -> dict[str, Tensor]:
    """The argument values, some undefined."""
    return {
        f"x{i}": Tensor(v.shape, [v[k] for k in np.ndindex(v.shape)]) for i, v in enumerate(instance.values)
    }


@pytest.mark.parametrize("name", VALUED)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(250), deadline=None)
def test_operations_against_plain_loops(name: str, seed: int) -> None:
    report.allow_work(10**7)
    instance = Instance(random.Random(seed), MAKERS[name], PERMUTATIONS)
    if isinstance(instance.op, ops.Map) and instance.op.fn != "recip":
        return
    expected = reference.evaluate(instance.op, [instance.values[a] for a in instance.op.args], instance.sizes)
    found = value_of(instance, given_values(instance))
    assert found.shape == expected.shape
    assert found.values == [expected[i] for i in np.ndindex(expected.shape)]


@pytest.mark.parametrize("name", VALUED)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(100), deadline=None)
def test_enclosures_hold_the_exact_values(name: str, seed: int) -> None:
    report.allow_work(10**7)
    rng = random.Random(seed)
    instance = Instance(rng, MAKERS[name], PERMUTATIONS)
    values = given_values(instance)
    blurred = {
        k: Tensor(
            t.shape,
            [
                v if v is None or rng.random() < 0.5 else Ball(v - Fraction(1, 99), v + Fraction(1, 97))
                for v in t.values
            ],
        )
        for k, t in values.items()
    }
    try:
        outer = value_of(instance, blurred)
        inner = value_of(instance, values)
    except Undecided:
        return
    for x, y in zip(outer.values, inner.values, strict=True):
        assert (x is None) == (y is None)
        assert x is None or (lo(x) <= hi(y) and lo(y) <= hi(x))
        assert isinstance(y, Ball) or x is None or lo(x) <= y <= hi(x)


@given(st.lists(st.fractions(-4, 4, max_denominator=9), min_size=4, max_size=4), st.booleans())
@settings(max_examples=examples(100), deadline=None)
def test_eigenvalues_of_two_rows(entries: list[Fraction], blurred: bool) -> None:
    """They sum to the trace, multiply to the determinant, and t^2 of the matrix is its square."""
    p, q, t, r = entries
    off = (q + t) / 2
    radius = Fraction(int(blurred), 10**9)
    matrix: list[list[Any]] = [[Ball(x - radius, x + radius) if blurred else x for x in row]
                               for row in ([p, q], [t, r])]  # fmt: skip
    low, high = symmetric.symmetric_eigenvalues(matrix, EXACT)
    assert low is not None and high is not None
    assert lo(low) <= hi(high)
    total, product = EXACT.add(low, high), EXACT.mul(low, high)
    assert lo(total) <= p + r <= hi(total)
    assert lo(product) <= p * r - off * off <= hi(product)
    squares = [EXACT.power(low, 2), EXACT.power(high, 2)]
    try:
        found = symmetric.spectral(matrix, squares, EXACT)
    except Undecided:
        assert blurred
        return
    wanted = [p * p + off * off, (p + r) * off, (p + r) * off, r * r + off * off]
    assert all(x is not None and lo(x) <= y <= hi(x) for x, y in zip(found, wanted, strict=True))


@given(
    st.lists(st.fractions(-3, 3, max_denominator=4), min_size=9, max_size=9), st.integers(1, 3),
    st.fractions(-1, 2, max_denominator=3), st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(100), deadline=None)
def test_cholesky_factors(numbers: list[Fraction], n: int, more: Fraction, blurred: bool) -> None:
    """L is lower triangular with positive diagonal, and L L^T has the lower half of M, whose other half is
    not read; there is none where a leading minor is not positive."""
    report.allow_work(10**7)
    rows = [numbers[3 * i : 3 * i + n] for i in range(n)]
    gram = [[sum(map(mul, x, y)) + (more if x is y else 0) for y in rows] for x in rows]
    given_ = [[x if j <= i else numbers[i] for j, x in enumerate(row)] for i, row in enumerate(gram)]
    radius = Fraction(int(blurred), 10**12)
    matrix = [Ball(x - radius, x + radius) if blurred else x for row in given_ for x in row]
    try:
        found = value([node("matrix_function", [n, n], [0], fn="cholesky")], M=Tensor((n, n), matrix)).values
    except Undecided:
        assert blurred
        return
    minors = [reference.determinant(np.array(gram, object)[:k, :k]) for k in range(1, n + 1)]
    assert all(x is None for x in found) == any(x is None for x in found) == (min(minors) <= 0)
    if found[0] is None:
        return
    factor = [found[i * n : i * n + n] for i in range(n)]
    for i, j in np.ndindex(n, n):
        assert (factor[i][j] == 0 if j > i else i != j or lo(factor[i][i]) > 0)
        square = EXACT.sum([EXACT.mul(x, y) for x, y in zip(factor[i], factor[j], strict=True)])
        assert lo(square) <= gram[i][j] <= hi(square)


@given(seed=st.integers(0, 10**9), fn=st.sampled_from(sorted(SERIES)))
def test_series(seed: int, fn: str) -> None:
    """Enclosures of what mpmath finds, exact where a power of the matrix is 0."""
    report.allow_work(10**7)
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    m = [[Fraction(rng.randint(-9, 9), rng.choice([1, 2, 4])) for _ in range(n)] for _ in range(n)]
    nilpotent = rng.random() < 0.3
    if nilpotent:
        m = [[x if j > i else F0 for j, x in enumerate(row)] for i, row in enumerate(m)]
    entries = Tensor((n, n), [x for row in m for x in row])
    found = value([node("matrix_function", [n, n], [0], fn=fn)], M=entries).values
    with mpmath.workdps(40):
        a = mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in m])
        grown, shrunk = (mpmath.expm(s * a) for s in (1, -1))
        turned = mpmath.expm(mpmath.mpc(0, 1) * a)
        wanted = {
            "expm": grown, "coshm": (grown + shrunk) / 2, "sinhm": (grown - shrunk) / 2,
            "cosm": turned.apply(mpmath.re), "sinm": turned.apply(mpmath.im),
        }[fn]  # fmt: skip
        slip = Fraction(1, 10**25)
        for x, y in zip(found, wanted, strict=True):
            assert lo(x) - slip <= Fraction(*mpmath.libmp.to_rational(y._mpf_)) <= hi(x) + slip
    if nilpotent:
        assert all(isinstance(x, Fraction) for x in found)


@pytest.mark.parametrize(("low", "high"), [(0, 6), (-6, 0), (-1, 6), (-6, 1)])
@pytest.mark.parametrize("fn", sorted(SERIES))
def test_series_of_what_is_not_known_exactly(fn: str, low: int, high: int) -> None:
    """The enclosure of an interval holds the values at its ends, and at 0: the larger says how far to go."""
    report.allow_work(10**7)
    rough = Arithmetic(2)
    entry = rough.enclose(Fraction(low), Fraction(high))
    (found,) = value([node("matrix_function", [1, 1], [0], fn=fn)], rough, M=Tensor((1, 1), [entry])).values
    function = {"expm": "exp", "coshm": "cosh", "sinhm": "sinh", "cosm": "cos", "sinm": "sin"}[fn]
    for x in (low, 0, high):
        y = getattr(mpmath, function)(x)
        assert mpmath.mpf(lo(found).numerator) / lo(found).denominator <= y, x
        assert y <= mpmath.mpf(hi(found).numerator) / hi(found).denominator, x


def test_eigenvalues_that_are_equal_undefined_or_many() -> None:
    half, three = Fraction(1, 2), [[Fraction(int(i == j)) for i in range(3)] for j in range(3)]
    unit: list[list[Any]] = [[F1, F0], [F0, F1]]
    assert symmetric.spectral(unit, [F0, F1], EXACT) == [half, F0, F0, half]
    assert symmetric.spectral(unit, [None, F1], EXACT) == [None] * 4
    assert symmetric.symmetric_eigenvalues([[F1, None], [F0, F1]], EXACT) == [None, None]
    assert symmetric.symmetric_eigenvalues([[half]], EXACT) == [half]
    assert symmetric.spectral([[F1]], [half], EXACT) == [half]
    with pytest.raises(Rejected, match="more than two rows"):
        symmetric.symmetric_eigenvalues([[*row] for row in three], EXACT)


def node(op: str, shape: list[Any], args: list[int], **at: Any) -> dict[str, Any]:
    return {"op": op, "shape": shape, "args": args, **at}


def value(nodes: list[dict[str, Any]], a: Arithmetic = EXACT, /, **inputs: Tensor) -> Tensor:
    """The value of the last node."""
    shapes = [{"name": k, "shape": list(t.shape)} for k, t in inputs.items()]
    start = [node("input", s["shape"], [], name=s["name"]) for s in shapes]
    program = {"inputs": shapes, "nodes": [*start, *nodes], "output": len(start) + len(nodes) - 1}
    return evaluated(program, inputs, a)


def column(*values: Any) -> Tensor:
    return Tensor(
        (len(values),), [None if v is None else v if isinstance(v, Ball) else Fraction(v) for v in values]
    )


def test_a_sum_over_nothing_is_zero_even_of_undefined_terms() -> None:
    x, e = column(None, 1), column()
    found = value([node("einsum", [2], [0, 1], inputs=[[0], [1]], output=[0])], x=x, e=e)
    assert found.values == [0, 0]
    assert value([node("reduce", [], [0], fn="prod", axes=[0])], e=e).values == [1]
    assert value([node("reduce", [], [0], fn="max", axes=[0])], e=e).values == [None]


def test_select_looks_at_the_chosen_entry_only() -> None:
    c, a, b = column(1, 0, None, 0), column(5, None, 5, 5), column(None, 7, 7, None)
    assert value([node("select", [4], [0, 1, 2])], c=c, a=a, b=b).values == [5, 7, None, None]
    with pytest.raises(Undecided):
        value([node("select", [1], [0, 1, 1])], c=column(Ball(Fraction(-1), Fraction(1))), a=column(1))


def test_singular_and_nearly_singular_matrices() -> None:
    def matrix(*v: Any) -> Tensor:
        return Tensor((2, 2), [x if isinstance(x, Ball) or x is None else Fraction(x) for x in v])

    inv, det = [node("matrix_function", [2, 2], [0], fn="inv")], [node("matrix_function", [], [0], fn="det")]
    assert value(inv, m=matrix(1, 2, 2, 4)).values == [None] * 4
    assert value(det, m=matrix(1, 2, 2, 4)).values == [0]
    assert value(inv, m=matrix(0, 1, 2, 0)).values == [0, Fraction(1, 2), 1, 0]
    assert value(det, m=matrix(0, 1, 2, 0)).values == [-2]
    assert value(det, m=matrix(0, None, 2, 0)).values == [None]
    with pytest.raises(Undecided):
        value(inv, m=matrix(1, 2, 2, Ball(Fraction(3), Fraction(5))))


def test_long_products_are_contracted_pairwise() -> None:
    n = 12
    m = Tensor((n, n), [Fraction(i % 3) for i in range(n * n)])
    rows = [[k, k + 1] for k in range(8)]
    found = value([node("einsum", [n, n], [0] * 8, inputs=rows, output=[0, 8])], m=m)
    a = np.array([int(v) for v in m.values], dtype=object).reshape(n, n)
    assert found.values == [Fraction(v) for v in np.linalg.matrix_power(a, 8).ravel().tolist()]


# -- elements --------------------------------------------------------------------------------------------


def read(factor: Factor, size: int, **data: Any) -> elements.Rows:
    return elements.element({"family": factor.family, "axis": factor.axis, **data}, "$", factor, size, EXACT)


def test_elements_act_as_documented() -> None:
    x = column(10, 20, 30)
    axes = [(Term(1, "n", ""),)]
    p = read(Factor("S", "n"), 3, permutation=[1, 2, 0])
    assert elements.act_on_tensor(Factor("S", "n"), p, x, axes, {"n": 3}, EXACT).values == [20, 30, 10]
    s = read(Factor("Signs", "n"), 3, signs=[1, -1, 1])
    assert elements.act_on_tensor(Factor("Signs", "n"), s, x, axes, {"n": 3}, EXACT).values == [10, -20, 30]
    held = [(Term(1, "n", "!"),)]
    assert elements.act_on_tensor(Factor("S", "n"), p, x, held, {"n": 3}, EXACT).values == x.values
    q = read(Factor("O", "d"), 2, matrix=[["0", "1"], ["1", "0"]])
    mixed = (Term(1, None, ""), Term(2, "d", ""), Term(1, "d", "!"))
    y = column(1, 2, 3, 4, 5, 6, None)
    swapped = elements.act_on_tensor(Factor("O", "d"), q, y, [mixed], {"d": 2}, EXACT)
    assert swapped.values == [1, 3, 2, 5, 4, 6, None]
    literal = (Term(2, None, ""), Term(3, None, ""))
    two = read(Factor("O", 2), 2, matrix=[["0", "1"], ["-1", "0"]])
    turned = elements.act_on_tensor(Factor("O", 2), two, column(1, 2, 3, 4, 5), [literal], {}, EXACT)
    assert turned.values == [
        2,
        -1,
        3,
        4,
        5,
    ]


@pytest.mark.parametrize("place", range(4))
def test_an_element_for_one_entry_of_an_axis_moves_that_entry_alone(place: int) -> None:
    """As NumPy does it, the axis b at each place beside axes of other lengths."""
    names, sizes = list("ndk"), {"n": 3, "d": 2, "k": 4, "b": 3}
    names.insert(place, "b")
    values = np.arange(72).reshape([sizes[n] for n in names])
    x = Tensor(values.shape, values.ravel().tolist())
    axes = [(Term(1, n, ""),) for n in names]
    factor = Factor("S", "n", each="b")
    for at in range(3):
        motion = replace(read(Factor("S", "n"), 3, permutation=[1, 2, 0]), at=at)
        found = elements.act_on_tensor(factor, motion, x, axes, sizes, EXACT)
        expected = np.moveaxis(values.copy(), place, 0)
        expected[at] = np.roll(expected[at], -1, axis=0)
        assert found.values == np.moveaxis(expected, 0, place).ravel().tolist()


def test_a_zero_coefficient_hides_an_undefined_entry_and_others_spread_it() -> None:
    axes = [(Term(1, "d", ""),)]
    swap = read(Factor("O", "d"), 2, matrix=[["0", "1"], ["1", "0"]])
    turn = read(Factor("O", "d"), 2, matrix=[["3/5", "4/5"], ["-4/5", "3/5"]])
    for g, expected in ((swap, [1, None]), (turn, [None, None])):
        moved = elements.act_on_tensor(Factor("O", "d"), g, column(None, 1), axes, {"d": 2}, EXACT)
        assert moved.values == expected


@pytest.mark.parametrize(
    ("family", "data"),
    [
        ("O", {"matrix": [["1", "0"], ["0", "2"]]}),
        ("O", {"matrix": [["1", "0"]]}),
        ("O", {"matrix": [["1"], ["0"]]}),
        ("O", {"matrix": [["1", "1"], ["0", "1"]]}),
        ("SO", {"matrix": [["0", "1"], ["1", "0"]]}),
        ("O", {"permutation": [0, 1]}),
        ("O", {"matrix": [["3/5", "4/5"], ["4/5", "3/5"]]}),
        ("O", {"matrix": [[1, 0], [0, 1]]}),
        ("S", {"permutation": [0, 0]}),
        ("S", {"permutation": [0, 2]}),
        ("S", {"permutation": [1, 0, 2]}),
        ("S", {"permutation": [True, False]}),
        ("A", {"permutation": [1, 0]}),
        ("Signs", {"signs": [1, 0]}),
        ("Signs", {"signs": [1, 3]}),
        ("Signs", {"signs": [1]}),
        ("S", {"permutation": [0, 1], "signs": [1, 1]}),
        ("S", {}),
        ("SO", {"matrix": [["-1", "0"], ["0", "1"]]}),
    ],
)
def test_what_is_not_in_the_group_is_refused(family: str, data: Any) -> None:
    with pytest.raises(Rejected):
        read(Factor(family, "d"), 2, **data)


@given(n=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_permutation_groups(n: int, seed: int) -> None:
    report.allow_work(10**6)
    p = list(range(n))
    random.Random(seed).shuffle(p)
    even = round(float(np.linalg.det(np.eye(n)[p]))) == 1
    shift = any(p == [(i + k) % n for i in range(n)] for k in range(n))
    for family, good in (("S", True), ("A", even), ("C", shift)):
        try:
            read(Factor(family, "n"), n, permutation=p)
        except Rejected:
            assert not good
        else:
            assert good


def test_work_is_limited() -> None:
    report.allow_work(0)
    report.spend(report.BASE_WORK)
    with pytest.raises(Rejected):
        report.spend(1)
