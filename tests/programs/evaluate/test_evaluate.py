"""Exact and float evaluation against plain Python, each other, and themselves at more bits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest import mock

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.numbers import UNDECIDED_ENTRY, UNDEFINED, Real, exact_array, table, to_floats
from eqvproof.programs import Builder, Program
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float, floats
from eqvproof.programs.operations import FUNCTIONS, MATRIX_FUNCTIONS, OPERATIONS, shared
from eqvproof.programs.operations.stored import LEAST_STORED
from eqvproof.support.errors import EqvproofError, ShapeError
from tests.programs.evaluate import reference
from tests.programs.evaluate.programs import operations_used, random_inputs, random_program
from tests.sampling import examples

SEEDS = st.integers(0, 2**40)
DIMENSIONS = st.fixed_dictionaries({"n": st.integers(1, 3), "d": st.integers(1, 3)})


def test_every_operation_and_function_is_evaluated() -> None:
    for name, record in OPERATIONS.items():
        assert name == record.op and (record.evaluate is shared.never_asked) == (name == "input")
    assert FUNCTIONS.keys() == reference.MAPS.keys()
    assert all((row.exact or name) in table.FUNCTIONS or name == "pi" for name, row in FUNCTIONS.items())


def _encloses(got: Any, expected: Any) -> bool:
    if expected is None or got is UNDEFINED:
        return expected is None and got is UNDEFINED
    if not isinstance(expected, Fraction) and abs(expected) > mpmath.mpf(10) ** 60:
        return True  # a pole that 120 digits missed, or more digits than can be written down
    if got is UNDECIDED_ENTRY:
        return False
    if isinstance(expected, Fraction):
        return bool(got.is_rational and got == expected) or (not got.is_rational and _inside(got, expected))
    return _inside(got, Fraction(int(mpmath.nint(expected * mpmath.mpf(10) ** 100)), 10**100))


def _inside(got: Real, expected: Fraction) -> bool:
    low, high = got.bounds()
    slack = reference.CLOSE * (1 + abs(expected))
    return low - slack <= expected <= high + slack and high - low <= Fraction(1, 2**30) * (1 + abs(expected))


@given(seed=SEEDS, sizes=DIMENSIONS)
@settings(max_examples=examples(600))
def test_exact_evaluation_is_that_of_plain_python(seed: int, sizes: dict[str, int]) -> None:
    program, inputs = random_program(seed), random_inputs(seed, sizes)
    try:
        expected = reference.evaluate(program, inputs, sizes)
    except (reference.Unclear, OverflowError):
        return
    result = evaluate_exact(program, inputs, sizes)
    assert result.shape == expected.shape
    for got, want in zip(result.flat, expected.flat, strict=True):
        assert _encloses(got, want), (got, want)


@given(seed=SEEDS, sizes=DIMENSIONS)
@settings(max_examples=examples(300))
def test_rational_programs_are_evaluated_exactly(seed: int, sizes: dict[str, int]) -> None:
    program, inputs = random_program(seed, rational=True), random_inputs(seed, sizes)
    expected = reference.evaluate(program, inputs, sizes)
    result = evaluate_exact(program, inputs, sizes, precision=2, max_precision=2)
    assert [None if x is UNDEFINED else x.to_fraction() for x in result.flat] == expected.ravel().tolist()


@given(seed=SEEDS, sizes=DIMENSIONS)
@settings(max_examples=examples(200))
def test_more_bits_refine(seed: int, sizes: dict[str, int]) -> None:
    program, inputs = random_program(seed), random_inputs(seed, sizes)
    low, high = (evaluate_exact(program, inputs, sizes, precision=p, max_precision=p) for p in (64, 256))
    for coarse, fine in zip(low.flat, high.flat, strict=True):
        if coarse is UNDECIDED_ENTRY:
            continue
        if coarse is UNDEFINED or fine is UNDEFINED:
            assert coarse is fine
        elif fine is not UNDECIDED_ENTRY:
            (a, b), (c, d) = coarse.bounds(), fine.bounds()
            assert a <= d and c <= b, "enclosures of one number meet"
            assert d - c <= b - a


@given(seed=SEEDS, sizes=DIMENSIONS)
@settings(max_examples=examples(300))
def test_floats_agree_with_exact(seed: int, sizes: dict[str, int]) -> None:
    """Wherever floats are well-conditioned: checked by evaluating at two float precisions."""
    program, inputs = random_program(seed), random_inputs(seed, sizes)
    exact = evaluate_exact(program, inputs, sizes)
    double = evaluate_float(program, inputs, sizes)
    long = evaluate_float(program, inputs, sizes, dtype=np.longdouble)
    assert double.dtype == np.float64 and long.dtype == np.longdouble
    for got, x, y in zip(exact.flat, double.flat, long.flat, strict=True):
        if not np.isfinite(x) or abs(x - y) > 1e-11 * max(1, abs(x)) or type(got) is not Real:
            continue
        if abs(got.to_float()) < 1e300 and _smooth(program):
            assert abs(got.to_float() - x) <= 1e-6 * max(1, abs(x))


JUMPS = {
    f"map:{f}"
    for f in "sign floor ceil rint mod lt le gt ge eq ne and or not arctan2 pow recip log sqrt".split()
}


def _smooth(program: Program) -> bool:
    computed = any(isinstance(n, ops.Indicator) and n.args for n in program.nodes)  # one-hot vectors jump
    return not computed and not operations_used(program) & (JUMPS | {"select", "matrix:inv", "opaque"})


@given(seed=SEEDS, sizes=DIMENSIONS)
@settings(max_examples=examples(300))
def test_undefined_is_nan(seed: int, sizes: dict[str, int]) -> None:
    """Rational Programs of small numbers, where floats make no rounding error in what they decide."""
    program, inputs = random_program(seed, rational=True), random_inputs(seed, sizes)
    if operations_used(program) & {"matrix_function", "opaque", "map:recip", "map:mod"}:
        return
    exact, floats = evaluate_exact(program, inputs, sizes), evaluate_float(program, inputs, sizes)
    assert [x is UNDEFINED for x in exact.flat] == [math.isnan(x) for x in floats.flat]
    np.testing.assert_allclose(floats, to_floats(exact), rtol=1e-9, atol=1e-9)


def test_random_programs_cover_everything() -> None:
    """Positive control of the tests above."""
    seen: Counter[str] = Counter()
    values = {*OPERATIONS} - {"eigenvectors"}  # of which proofs alone speak
    wanted = values | {f"map:{name}" for name in FUNCTIONS}
    wanted |= {f"matrix:{name}" for name in MATRIX_FUNCTIONS}
    for seed in range(5000):
        seen.update(operations_used(random_program(seed)))
        if seed % 100 == 99 and min(seen[name] for name in wanted) >= 5:
            break
    assert {name for name in wanted if seen[name] < 5} == set()


def test_random_programs_meet_undefined_entries_and_balls() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(400):
        sizes = {"n": 2, "d": 3}
        for x in evaluate_exact(
            random_program(seed), random_inputs(seed, sizes), sizes, max_precision=128
        ).flat:
            kinds[str(x) if type(x) is not Real else "rational" if x.is_rational else "ball"] += 1
        if kinds["UNDEFINED"] > 50 and kinds["ball"] > 100 and kinds["rational"] > 100:
            break
    assert kinds["UNDEFINED"] > 50 and kinds["ball"] > 100 and kinds["rational"] > 100


def _single(fn: str, *values: Any) -> Any:
    b = Builder()
    args = [b.input(f"x{i}", ["n"]) for i in range(len(values))]
    program = b.program(b.map(fn, args))
    inputs = {f"x{i}": np.array([v], dtype=object) for i, v in enumerate(values)}
    return evaluate_exact(program, inputs)[0], float(evaluate_float(program, inputs)[0])


F = Fraction


@pytest.mark.parametrize(
    ("fn", "args", "value"),
    [("recip", [0], None), ("recip", [F(1, 4)], 4), ("log", [0], None), ("log", [-1], None), ("log", [1], 0),
     ("sqrt", [-1], None), ("sqrt", [F(9, 4)], F(3, 2)), ("sqrt", [0], 0), ("cbrt", [-27], -3),
     ("arcsin", [F(3, 2)], None), ("arccos", [-2], None), ("arccos", [1], 0), ("pow", [-8, F(1, 3)], None),
     ("pow", [0, -1], None), ("pow", [0, 0], 1), ("pow", [-2, 3], -8), ("pow", [0, F(1, 2)], 0),
     ("pow", [F(1, 2), -2], 4), ("mod", [5, 0], None), ("mod", [-7, 3], 2), ("mod", [7, -3], -2),
     ("mod", [F(7, 2), 2], F(3, 2)), ("rint", [F(5, 2)], 2), ("rint", [F(-3, 2)], -2), 
     ("rint", [F(-1, 2)], 0), ("rint", [F(7, 2)], 4), ("floor", [F(-1, 2)], -1), ("ceil", [F(-1, 2)], 0),
     ("sign", [0], 0), ("sign", [-3], -1),
     ("arctan2", [0, 0], 0), ("arctan2", [0, 5], 0), ("not", [0], 1), ("not", [-2], 0), ("and", [2, -1], 1),
     ("and", [0, 5], 0), ("or", [0, 0], 0), ("or", [0, -1], 1), ("lt", [1, 1], 0), ("le", [1, 1], 1),
     ("gt", [2, 1], 1), ("ge", [1, 2], 0), ("eq", [F(1, 2), F(1, 2)], 1), ("ne", [1, 2], 1),
     ("maximum", [-1, 2], 2), ("minimum", [-1, 2], -1),
     ("abs", [-3], 3), ("exp", [0], 1), ("erf", [0], 0)],
)  # fmt: skip
def test_values_and_domains(fn: str, args: list[Any], value: Any) -> None:
    exact, floating = _single(fn, *args)
    if value is None:
        assert exact is UNDEFINED and math.isnan(floating)
    else:
        # elementary functions of floats are faithful: at most the next float, not always the nearest
        assert exact.to_fraction() == value and abs(floating - float(value)) <= math.ulp(float(value))


@pytest.mark.parametrize("fn", [fn for fn, row in FUNCTIONS.items() if row.arity])
def test_maps_are_strict(fn: str) -> None:
    """An undefined argument gives an undefined value, whatever IEEE says of pow(1, nan), nan < 1."""
    arity = FUNCTIONS[fn].arity
    for place in range(arity):
        b = Builder()
        bad = b.map("recip", [b.input("z", [])])
        good = b.input("o", [])
        program = b.program(b.map(fn, [bad if i == place else good for i in range(arity)]))
        for value in (0, 1):
            inputs = {"z": np.array(0), "o": np.array(value)}
            assert evaluate_exact(program, inputs)[()] is UNDEFINED
            assert math.isnan(evaluate_float(program, inputs))


def test_select_ignores_what_it_does_not_choose() -> None:
    b = Builder()
    x = b.input("x", ["n"])
    one = b.broadcast_to(b.const(1), ["n"])
    program = b.program(b.select(b.map("gt", [x, b.mul(one, b.const(0))]), b.map("log", [x]), one))
    inputs = {"x": np.array([1, 0, -5])}
    assert evaluate_exact(program, inputs).tolist() == [0, 1, 1]
    assert evaluate_float(program, inputs).tolist() == [0, 1, 1]
    undefined = b.program(b.select(b.map("recip", [x]), one, one))
    assert evaluate_exact(undefined, inputs).tolist()[1] is UNDEFINED
    assert math.isnan(evaluate_float(undefined, inputs)[1])


def test_empty_axes() -> None:
    b = Builder()
    x = b.input("x", ["n", "d"])
    inputs = {"x": np.zeros((0, 2))}
    for fn, value in (("max", None), ("min", None), ("prod", 1)):
        program = b.program(b.reduce(fn, x, [0]))
        exact, floating = evaluate_exact(program, inputs), evaluate_float(program, inputs)
        assert [x is UNDEFINED if value is None else x == value for x in exact] == [True, True]
        assert [math.isnan(x) if value is None else x == value for x in floating] == [True, True]
    assert evaluate_exact(b.program(b.sum(x, [0])), inputs).tolist() == [0, 0]


def test_singular_matrices_are_undefined_one_by_one() -> None:
    b = Builder()
    program = b.program(b.inv(b.input("x", ["n", 2, 2])))
    inputs = {"x": np.array([[[1, 1], [1, 1]], [[2, 0], [0, 4]]])}
    exact, floating = evaluate_exact(program, inputs), evaluate_float(program, inputs)
    assert exact[0, 0, 0] is UNDEFINED and exact[1, 1, 1] == F(1, 4)
    assert np.isnan(floating[0]).all() and floating[1, 1, 1] == 0.25


def test_precision_is_raised_until_a_comparison_is_decided() -> None:
    """exp(1e-50) > 1 needs more than 166 bits."""
    b = Builder()
    x = b.input("x", [])
    program = b.program(b.map("gt", [b.map("exp", [x]), b.const(1)]))
    inputs = {"x": np.array(F(1, 10**50), dtype=object)}
    assert evaluate_exact(program, inputs, max_precision=128)[()] is UNDECIDED_ENTRY
    assert evaluate_exact(program, inputs)[()] == 1


def test_precision_is_raised_after_cancellation() -> None:
    b = Builder()
    x = b.input("x", [])
    e = b.map("exp", [x])
    program = b.program(b.sub(b.map("cosh", [x]), b.div(e, b.const(2))))
    low, high = evaluate_exact(program, {"x": np.array(150)})[()].bounds()
    assert 0 < high and high - low < Fraction(1, 2**30)
    low, high = evaluate_exact(program, {"x": np.array(150)}, max_precision=128)[()].bounds()
    assert high - low > 1


def test_undecided_at_the_cap() -> None:
    b = Builder()
    x = b.input("x", [])
    e = b.map("exp", [x])
    twice = b.map("exp", [b.mul(x, b.const(2))])
    program = b.program(b.map("sign", [b.sub(b.mul(e, e), twice)]))
    assert evaluate_exact(program, {"x": np.array(1)})[()] is UNDECIDED_ENTRY


def test_a_narrow_choice_needs_no_decision() -> None:
    """where(z > 0, z, 0) with a z that is 0 but known as a ball only: both choices are near 0."""
    b = Builder()
    x = b.input("x", [])
    e = b.map("exp", [x])
    z = b.sub(b.mul(e, e), b.map("exp", [b.mul(x, b.const(2))]))
    program = b.program(b.select(b.map("gt", [z, b.const(0)]), z, b.const(0)))
    low, high = evaluate_exact(program, {"x": np.array(1)})[()].bounds()
    assert low <= 0 <= high and high - low < F(1, 2**30)


def test_opaque() -> None:
    b = Builder()
    program = b.program(b.opaque("f", [b.input("x", ["n"])], ["n"]))
    x = np.array([1, 2])
    first = evaluate_exact(program, {"x": x})
    assert first.tolist() == evaluate_exact(program, {"x": x}).tolist()
    assert first.tolist() != evaluate_exact(program, {"x": x[::-1]}).tolist()
    assert first.tolist() != evaluate_exact(program, {"x": x}, seed=1).tolist()
    assert to_floats(first).tolist() == evaluate_float(program, {"x": x}).tolist()
    doubled = evaluate_exact(program, {"x": x}, opaque={"f": lambda v: 2 * v})
    assert doubled.tolist() == [2, 4]
    assert evaluate_float(program, {"x": x}, opaque={"f": lambda v: 2 * v}).tolist() == [2, 4]


def test_opaque_with_symmetry_needs_a_function() -> None:
    b = Builder()
    program = b.program(b.opaque("f", [b.input("x", ["n"])], ["n"], {"group": []}))
    for evaluate in (evaluate_exact, evaluate_float):
        with pytest.raises(EqvproofError, match="assumed symmetry"):
            evaluate(program, {"x": np.array([1])})
        assert evaluate(program, {"x": np.array([1])}, opaque={"f": lambda v: v})[0] == 1


@pytest.mark.parametrize(
    ("inputs", "sizes"),
    [({}, {}), ({"x": np.ones((2, 2)), "y": np.ones(3)}, {}), ({"x": np.ones(2), "y": np.ones(2)}, {}),
     ({"x": np.ones((2, 2)), "y": np.ones(2)}, {"n": 3})],
)  # fmt: skip
def test_inputs_that_do_not_fit(inputs: Any, sizes: Any) -> None:
    b = Builder()
    program = b.program(b.matmul(b.input("x", ["n", "d"]), b.input("y", ["d"])))
    for evaluate in (evaluate_exact, evaluate_float):
        with pytest.raises(ShapeError):
            evaluate(program, inputs, sizes)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_float_dtypes(dtype: Any) -> None:
    for seed in range(60):
        sizes = {"n": 2, "d": 2}
        result = evaluate_float(random_program(seed), random_inputs(seed, sizes), sizes, dtype=dtype)
        assert result.dtype == dtype


@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)), dtype=st.sampled_from([np.float32, np.float16]),
    seed=SEEDS,
)  # fmt: skip
def test_narrow_constants_are_not_rounded_sooner(shape: tuple[int, int], dtype: Any, seed: int) -> None:
    """Large constants stay as they are stored where all that is made of them is wide."""
    rng = np.random.default_rng(seed)
    matrix = np.concatenate([rng.normal(size=shape), np.ones((LEAST_STORED, shape[1]))]).astype(dtype)
    rows, columns = matrix.shape
    x, y = rng.normal(size=(3, columns)), rng.normal(size=(rows, 3))
    whole = matrix.astype(float)

    def evaluated(make: Callable[[Builder, int, int, int], int]) -> Any:
        b = Builder()
        given = b.input("x", (3, columns)), b.input("y", (rows, 3))
        program = b.program(make(b, b.const(matrix), *given))
        with mock.patch.multiple(floats, _LARGE=LEAST_STORED, _PART=20):
            return evaluate_float(program, {"x": x, "y": y})

    def close(got: Any, expected: Any) -> bool:
        return got.dtype == np.float64 and np.allclose(got, expected, rtol=1e-13, atol=1e-13)

    def of(*factors: str, to: str) -> Callable[[Builder, int, int, int], int]:
        def make(b: Builder, c: int, x: int, y: int) -> int:
            nodes = {"jk": c, "Jk": c, "ik": x, "jl": y}
            labels = [["jJkil".index(letter) for letter in f] for f in factors]
            return b.einsum([nodes[f] for f in factors], labels, ["jJkil".index(letter) for letter in to])

        return make

    assert close(evaluated(of("ik", "jk", to="ij")), x @ whole.T)
    assert close(evaluated(of("jk", "ik", to="ji")), whole @ x.T)
    assert close(evaluated(of("jk", "jl", to="kl")), whole.T @ y)
    assert close(evaluated(of("ik", "jk", "jl", to="il")), x @ whole.T @ y)
    assert close(evaluated(of("ik", "jk", to="ijk")), x[:, None] * whole)
    assert close(evaluated(of("jk", "ik", to="i")), x @ whole.sum(0))
    assert close(evaluated(of("jk", "Jk", to="jJ")), whole @ whole.T)
    assert close(evaluated(of("jk", to="k")), whole.sum(0))
    assert close(evaluated(lambda b, c, x, y: c), whole)
    assert close(evaluated(lambda b, c, x, y: b.map("exp", [c])), np.exp(whole))
    twice = evaluated(lambda b, c, x, y: b.add([of("ik", "jk", to="ij")(b, c, x, y), b.sum(c)]))
    assert close(twice, x @ whole.T + whole.sum())


def test_array_api() -> None:
    """The float evaluation keeps to the Array API standard."""
    strict = pytest.importorskip("array_api_strict")
    for seed in range(300):
        sizes = {"n": 2, "d": 3}
        program, inputs = random_program(seed), random_inputs(seed, sizes)
        if "map:cbrt" in operations_used(program):
            continue
        ours = evaluate_float(program, inputs, sizes, xp=strict)
        np.testing.assert_allclose(
            np.asarray(ours), evaluate_float(program, inputs, sizes), rtol=1e-6, atol=1e-9
        )


def test_inputs_of_any_kind_are_exact() -> None:
    b = Builder()
    program = b.program(b.mul(b.input("x", ["n"]), b.const(3)))
    for x in ([0.1, 2], np.array([0.1, 2]), exact_array([0.1, 2]), [Fraction(0.1), 2]):
        result = evaluate_exact(program, {"x": np.array(x, dtype=object) if isinstance(x, list) else x})
        assert result.tolist() == [3 * Fraction(0.1), 6]


@pytest.mark.gpu
def test_cupy_agrees_with_numpy() -> None:
    import cupy

    for seed in range(300):
        sizes = {"n": 2, "d": 3}
        program, inputs = random_program(seed), random_inputs(seed, sizes)
        if operations_used(program) & (JUMPS | {"matrix:inv", "select", "opaque"}):
            continue
        ours = evaluate_float(program, inputs, sizes, xp=cupy)
        expected = evaluate_float(program, inputs, sizes)
        finite = np.isfinite(expected)
        assert (np.isnan(ours.get()) == np.isnan(expected)).all()
        np.testing.assert_allclose(ours.get()[finite], expected[finite], rtol=1e-6, atol=1e-9)
