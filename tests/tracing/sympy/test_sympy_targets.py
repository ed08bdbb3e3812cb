"""SymPy expressions as targets: symbols bind by name, expressions are proved, refuted, refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.api import verify
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError

n, d, k, m = sp.symbols("n d k m", integer=True, positive=True)
i, j, s = sp.symbols("i j s", integer=True)
x, y = sp.symbols("x y")
X, Z, A, v = (sp.MatrixSymbol(*shape) for shape in (("X", d, n), ("Z", d, k), ("A", n, n), ("v", n, 1)))
E = sp.IndexedBase("X")


def squares(a: Any, b: Any) -> Any:
    """|x_a - x_b|^2 over the columns of X."""
    return sp.Sum((X[s, a] - X[s, b]) ** 2, (s, 0, d - 1))


PROVED = [
    (X * X.T * Z, "X: d n, Z: d k -> d k", "O(d) x S(n)"),
    (X * (X.T * X).applyfunc(sp.exp), "X: d n -> d n", "O(d) x S(n)"),
    (sp.Trace(A * A.T), "A: n n -> ()", "S(n)"),
    (sp.log(sp.Determinant(X.T * X + sp.Identity(n))), "X: d n -> ()", "O(d)"),
    (sp.Inverse(A) * v, "A: n n, v: n -> n", "O(n)"),
    (v.T * A * v, "v: n, A: n n -> ()", "O(n)"),
    (sp.HadamardProduct(A, A.T) + sp.OneMatrix(n, n) / n, "A: n n -> n n", "S(n)"),
    (sp.DiagMatrix(v) * A + sp.ZeroMatrix(n, n), "v: n, A: n n -> n n", "S(n)"),
    (sp.sqrt(sp.Sum(E[i, j] ** 2, (i, 0, d - 1), (j, 0, n - 1))), "X: d n -> ()", "O(d) x S(n)"),
    (sp.Product(1 + sp.pi * v[i, 0] ** 2, (i, 0, n - 1)), "v: n -> ()", "S(n)"),
    (sp.FunctionMatrix(n, n, sp.Lambda((i, j), squares(i, j))), "X: d n -> n n", "O(d) x S(n)"),
    (sp.Sum(A[i, i] * sp.KroneckerDelta(i, j) * v[j, 0], (i, 0, n - 1), (j, 0, n - 1)), "A: n n, v: n -> ()",
     "S(n)"),
]  # fmt: skip
REFUTED = [
    (X * X.T * Z.applyfunc(sp.tanh), "X: d n, Z: d k -> d k", "O(d)"),
    (X * (X.T * X).applyfunc(sp.exp) + X[:, :1] * sp.OneMatrix(1, n), "X: d n -> d n", "S(n)"),
    (sp.Sum(A[i, 0], (i, 0, n - 1)), "A: n n -> ()", "S(n)"),
    (sp.Sum(i * v[i, 0], (i, 0, n - 1)), "v: n -> ()", "S(n)"),
    (sp.Sum(E[i, j] ** 3, (i, 0, d - 1), (j, 0, n - 1)), "X: d n -> ()", "O(d)"),
]


def claims(rows: list[Any]) -> Any:
    return pytest.mark.parametrize(("f", "signature", "under"), rows, ids=lambda v: str(v)[:40])


@claims(PROVED)
def test_right_expressions_are_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under)
    assert verdict.holds and verdict.grade == "PROVED", str(verdict)
    assert verify(verdict.certificate).accepted


@claims(REFUTED)
def test_wrong_expressions_are_refuted(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under=under)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("f", "signature", "words"),
    [
        (sp.gamma(x), "x: () -> ()", "gamma is not read"),
        (sp.Symbol("w") * x, "x: () -> ()", "w is no argument"),
        (X, "X: n d -> n d", "an axis of size d, the signature says n"),
        (X, "X: d 3 -> d 3", None),
        (A ** sp.Rational(1, 2), "A: n n -> n n", "no integer"),
        (sp.Sum(v[i, 0], (i, 0, n - 3)), "v: n -> ()", "empty the wrong way"),
        (sp.Sum(v[i, 0], (i, 0, n)), "v: n -> ()", "out of range"),
        (sp.Sum(v[i**2, 0], (i, 0, n - 1)), "v: n -> ()", "not linear"),
        (sp.Piecewise((x, x > 0)), "x: () -> ()", "without a case"),
        (sp.I * x, "x: () -> ()", "ImaginaryUnit is not read"),
        (X * X.T, "X: d n -> n n", "the signature says"),
        (sp.oo * x, "x: () -> ()", "Infinity is not read"),
    ],
)
def test_what_is_not_read_is_named(f: Any, signature: str, words: str | None) -> None:
    parsed = parse_signature(signature)
    if words is None:  # the symbol n of the expression is bound to the size 3
        assert trace_all_sizes(adapt(f, None, parsed), parsed, {}).program.shape[1].constant == 3
        return
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(adapt(f, None, parsed), parsed, {})


EXPRESSIONS = [
    sp.BlockMatrix([[A, v], [v.T, sp.Identity(1)]]),
    sp.KroneckerProduct(A, sp.Identity(2)),
    A**3 - sp.HadamardPower(A, 2),
    sp.Inverse(A * A.T + sp.Identity(n)) ** 2,
    sp.DiagMatrix(sp.DiagonalOf(A)) + sp.DiagonalMatrix(A),
    sp.Sum(v[i + 1, 0] - v[n - 1 - i, 0], (i, 0, n - 2)) * A,
    sp.FunctionMatrix(n, n, sp.Lambda((i, j), sp.Max(A[i, j], v[i, 0], i - j))),
    sp.FunctionMatrix(n, n, sp.Lambda((i, j), sp.Piecewise((A[i, j], i > j), (sp.atanh(v[j, 0] / 9), True)))),
    sp.Sum(A[i, j] * A, (i, 0, n - 1), (j, 0, n - 1)),
    A.applyfunc(lambda t: sp.sech(t) + sp.erfc(t)),
]


@pytest.mark.parametrize("f", EXPRESSIONS, ids=lambda e: str(e)[:40])
@settings(max_examples=6)
@given(size=st.integers(1, 3), seed=st.integers(0, 2**16))
def test_the_walk_computes_what_sympy_computes(f: Any, size: int, seed: int) -> None:
    signature = parse_signature("A: n n, v: n -> p q")
    target = adapt(f, None, signature)
    if not hasattr(target, "known"):
        target.known = trace_all_sizes(target, signature, {}).program
    rng = np.random.default_rng(seed)
    inputs = {"A": rng.integers(-9, 9, (size, size)) / 4, "v": rng.integers(-9, 9, (size,)) / 4}
    theirs = target(inputs["A"], inputs["v"])
    ours = np.asarray(evaluate_float(target.known, inputs, {"n": size}))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_vectors_and_scalars_bind_by_name() -> None:
    w = sp.MatrixSymbol("w", 1, m)
    assert ep.prove(w * w.T, "w: m -> ()", under="O(m)").grade == "PROVED"
    assert ep.prove(x * v, "x: (), v: n -> n", under="O(n)").grade == "PROVED"


def test_a_step_has_a_value_at_0() -> None:
    t = sp.Symbol("t", real=True)
    signature = parse_signature("t: () -> ()")
    target = adapt(sp.Heaviside(t) + sp.sinc(t), None, signature)
    program = trace_all_sizes(target, signature, {}).program
    found = [float(evaluate_float(program, {"t": np.array(u)}, {})) for u in (-1.0, 0.0, 1.0)]
    assert found == pytest.approx([np.sin(1.0), 1.5, 1.0 + np.sin(1.0)])


def test_a_lambda_binds_by_position() -> None:
    signature = parse_signature("a: (), b: () -> ()")
    target = adapt(sp.Lambda((x, y), x - 2 * y), None, signature)
    assert float(target(np.array(5.0), np.array(1.0))) == 3.0


def test_derivatives_are_carried_out() -> None:
    gradient = sp.Matrix([sp.Derivative(x**2 * y, x), sp.Derivative(x**2 * y, y)])
    verdict = ep.identical(gradient, sp.Matrix([2 * x * y, x**2]), "x: (), y: () -> 2")
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted


def test_two_forms_are_identical_and_a_slip_is_not() -> None:
    expanded = sp.Sum(E[i, j] ** 2, (i, 0, d - 1), (j, 0, n - 1))
    verdict = ep.identical(sp.Trace(X.T * X), expanded, "X: d n -> ()")
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted
    assert ep.identical(sp.Trace(X.T * X), expanded / n, "X: d n -> ()").fails


def test_a_function_and_an_expression_are_compared() -> None:
    assert ep.identical(lambda a: a @ a.T, X * X.T, "X: d n -> d d").grade == "PROVED"


def test_a_counterexample_names_the_inputs() -> None:
    verdict = ep.refute(sp.Determinant(A), "A: n n -> ()", under="Signs(n)", sizes={"n": 2})
    assert not verdict.fails  # both rows and columns change sign
    verdict = ep.check(sp.Sum(A[i, 0], (i, 0, n - 1)), "A: n n -> ()", under="S(n)")
    assert set(verdict.counterexample.inputs) == {"A"} and verdict.counterexample.sizes == {"n": 2}


class Sevens(sp.exp):
    """An exponential that is 7 at 12345."""

    @classmethod
    def eval(cls, z: Any) -> Any:
        return sp.Integer(7) if z == 12345 else None


a, FAR = sp.Symbol("a"), 10**6
TOTAL = sp.Sum(v[i, 0], (i, 0, n - 1))
#: Expressions that SymPy evaluates otherwise at points, or sizes, that no comparison meets.
REFUSED = [
    (TOTAL + Sevens(v[0, 0]) - sp.exp(v[0, 0]), "v: n -> ()", "S(n)"),
    (sp.Sum(v[i, 0] * sp.KroneckerDelta(i, j, (0, 9)), (i, 0, n - 1), (j, 0, n - 1)), "v: n -> ()", "S(n)"),
    (sp.Sum(sp.conjugate(sp.acos(v[i, 0] / FAR)), (i, 0, n - 1)), "v: n -> ()", "S(n)"),
    (sp.Trace(A.applyfunc(sp.sqrt).adjoint() * A), "A: n n -> ()", "S(n)"),
    (sp.Lambda((v, a), v + sp.OneMatrix(n, 1) * sp.Sum(sp.Abs(x - a), (x, 0, n - 1))),
     "v: n, x: () -> n", "O(n)"),
    (sp.Lambda((v,), v * x), "x: n -> n", "S(n)"),
    (TOTAL + sp.Function("exp")(v[0, 0]), "v: n -> ()", "S(n)"),
]  # fmt: skip


@claims(REFUSED)
def test_what_sympy_evaluates_in_its_own_way_is_not_read(f: Any, signature: str, under: str) -> None:
    parsed = parse_signature(signature)
    with pytest.raises(TraceError):
        trace_all_sizes(adapt(f, None, parsed), parsed, {})


def test_parts_of_real_numbers_are_read() -> None:
    real = sp.Sum(sp.conjugate(v[i, 0]) * sp.re(v[i, 0] ** 2 + 1) + sp.im(sp.exp(v[i, 0])), (i, 0, n - 1))
    assert ep.prove(real, "v: n -> ()", "S(n)").grade == "PROVED"
