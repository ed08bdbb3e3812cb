"""The printed program computes what the Python function computes, and a slip in it is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from docs import make_rocq
from eqvproof.engines.elaborate.forms import WRITERS, translated
from eqvproof.engines.elaborate.source import read_source
from eqvproof.programs.program import parse_numbers
from eqvproof.rocq import rocq_text
from eqvproof.rocq.read_forms import read_forms
from tests.rocq.printed import ARRAYS, Printed
from tests.with_program import proof_with_program

W = np.array([[1.0, 0.5], [0.25, -2.0]])
SIZES = {"n": 4, "d": 3, "k": 2}


def norms(X: Any) -> Any:
    return X / np.sqrt((X * X).sum(axis=1, keepdims=True))


def attention(X: Any) -> Any:
    weights = np.exp(X.T @ X - (X.T @ X).max(axis=0))
    return X @ (weights / weights.sum(axis=0))


def shifts(x: Any) -> Any:
    return sum(y[0] ** 2 * y[1] + y[2] for y in (np.roll(x, s) for s in range(4)))


def by_kind(z: Any, X: Any) -> Any:
    return (np.take(np.array([1.0, 0.5, -2.0]), z)[:, None] * X).sum(axis=0)


def volumes(A: Any) -> Any:
    return np.linalg.inv(np.eye(A.shape[2]) + A @ A.swapaxes(1, 2)) + np.linalg.det(A)[:, None, None]


def clipped(X: Any) -> Any:
    return np.where(X > 0.25, np.minimum(X, 1), np.where(X <= -0.5, np.maximum(X, -1), X * X))


spread = ep.opaque("spread", "x: n, G: n n -> n n", example=ARRAYS["spread"])


def ranks(X: Any, axis: int) -> Any:
    return np.argsort(np.argsort(X, axis=axis, kind="stable"), axis=axis, kind="stable")


#: (function, signature, group): together they have every operation that is printed.
CASES: tuple[tuple[Callable[..., Any], str, str], ...] = (
    (attention, "X: d n -> d n", "O(d) x S(n)"),
    (norms, "X: n d -> n d", "S(n) x O(d)"),
    (norms, "X: n d -> n d!", "Scale(d)"),
    (lambda X: X / np.cbrt((X * X * X).sum(axis=1))[:, None], "X: n d -> n d!", "S(n) x Scale(d)"),
    (shifts, "x: 4 -> ()", "C(4)"),
    (clipped, "X: n 2 -> n 2", "S(n)"),
    (by_kind, "z[3]: n, X: n d -> d", "S(n)"),
    (lambda z, X: z[:, None] * X, "z[3]: n, X: n d -> n d", "S(n)"),
    (lambda z: np.eye(5)[z].sum(axis=0), "z[3]: n -> 5", "S(n)"),
    (lambda X: np.tanh(X @ W).sum(axis=0), "X: n 2 -> 2", "S(n)"),
    (lambda X: np.sort(X, axis=0), "X: n 2 -> n! 2", "S(n)"),
    (lambda X: np.sort(X, axis=1)[:, ::-1], "X: n 3 -> n 3", "S(n)"),
    (lambda X: X.max(axis=0), "X: n 2 -> 2", "S(n)"), (lambda X: X.max(axis=1), "X: n 3 -> n", "S(n)"),
    (lambda X: X.prod(axis=0) - np.abs(X).min(axis=0), "X: n 2 -> 2", "S(n)"),
    (lambda x: np.roll(x, 1) - 2 * np.roll(x, -2), "x: n -> n", "C(n)"),
    (lambda X: np.roll(X, 2, axis=1), "X: n 5 -> n 5", "S(n)"),
    (lambda X: X[:, 1::2] + X[:, :0:-2], "X: n 5 -> n 2", "S(n)"),
    (lambda X: np.concatenate([X[:, 2:], X[:, :1], X], axis=1), "X: n 3 -> n 5", "S(n)"),
    (lambda X: X.reshape(X.shape[0], 3, 2).sum(axis=1), "X: n 6 -> n 2", "S(n)"),
    (lambda X: X.reshape(X.shape[0], 6), "X: n 2 3 -> n 6", "S(n)"),
    (lambda X: X.reshape(X.shape[0], 3, 2), "X: n 2 3 -> n 3 2", "S(n)"),
    (lambda X: np.tanh(X.reshape(-1, 2) @ W).reshape(X.shape), "X: k n 2 -> k n 2", "S(n)"),
    (lambda X: np.tanh(X.reshape(-1)).reshape(X.shape), "X: n k 3 -> n k 3", "S(n) x S(k)"),
    (lambda x: x[1:4] * x[:1] + x[4:], "x: <1x0e+2x1o> -> <1x1o>", "O(3)"),
    (lambda x: (W @ x.reshape(2, 3)).reshape(6), "x: <2x1o> -> <2x1o>", "O(3)"),
    (lambda X: np.concatenate([X, X], axis=1), "X: n d -> n m", "S(n)"),
    (lambda X: X @ np.tril(np.ones((3, 3))), "X: n 3 -> n 3", "S(n)"),
    (lambda X: X + X.mean(axis=0), "X: n 2 -> n 2", "S(n)"),
    (lambda X: np.eye(X.shape[0]) + X @ X.T, "X: n d -> n n", "S(n) x O(d)"),
    (lambda x: np.tanh(x) * np.abs(x), "x: n -> n", "Signs(n)"),
    (lambda X: X * np.arange(3), "X: n 3 -> n 3", "S(n)"),
    (volumes, "A: k n n -> k n n", "S(n)"),
    (lambda X: X @ spread((X * X).sum(axis=0), X.T @ X), "X: d n -> d n", "O(d)"),
    (lambda X: ranks(X, axis=1), "X: n 3 -> n 3", "S(n)"),
    (lambda x: x @ ep.groups.form("Lorentz", x.shape[-1]) @ x.T, "x: n d -> n n", "Lorentz(d)"),
    (lambda x: np.cross(x, np.roll(x, 1)), "x: 3 -> 3", "A(3)"),
)  # fmt: skip


def entry(array: np.ndarray) -> Callable[[list[int]], float]:
    return lambda ix: float(array[tuple(ix)])


def leaf(held: Any, shape: list[int]) -> Callable[[list[int]], float]:
    """The entries of an array that does not depend on the arguments, as a certificate holds it."""
    match held:
        case "counter",:
            return lambda ix: float(ix[0])
        case "triangle", offset:
            return lambda ix: float(ix[1] <= ix[0] + offset)
        case "function", "pi":
            return lambda ix: np.pi
    kind, text = held
    assert kind == "numbers"
    return entry(np.reshape([float(v) for v in parse_numbers(text)], shape))


def table(held: Any, shape: list[int]) -> np.ndarray:
    """An array of constants, or the matrix of a form."""
    kind, value = held
    if kind == "numbers":
        return np.reshape([float(v) for v in parse_numbers(value)], shape)
    if value:
        return np.diag([1, *[-1] * (shape[0] - 1)])
    return np.kron([[0, 1], [-1, 0]], np.eye(shape[0] // 2))


def compared(text: str, certificate: Any, function: Any, seed: int) -> bool:
    """Whether what is printed agrees with the function at a random argument, entry by entry."""
    rng = np.random.default_rng(seed)
    forms = read_forms(certificate)
    arrays, inputs = [], []
    for place, given in enumerate(forms.claimed.inputs):
        shape = [s.value(SIZES) for s in forms.claimed.given_shape(place)]
        if given.labels is not None:
            shape.pop()
        array = rng.integers(0, 3, shape) if given.labels is not None else rng.integers(-6, 7, shape) / 4
        arrays.append(array)
        inputs.append(entry(np.eye(3)[array] if given.labels is not None else array))
    pairs = [*zip(forms.lines, forms.shapes, strict=True)]
    leaves = [
        leaf(forms.leaves[line[1]], [s.value(SIZES) for s in shape])
        for line, shape in pairs
        if line[0] == "Leaf"
    ]
    tables = {
        line[1]: table(forms.functions[line[1]]["array"], [s.value(SIZES) for s in shape])
        for line, shape in pairs
        if line[0] == "Whole" and "array" in forms.functions[line[1]]
    }
    expected = np.asarray(function(*arrays), float)
    found = Printed(text, SIZES, leaves, tables).run(inputs)
    values = [found([*ix]) for ix in np.ndindex(*expected.shape)]
    return np.allclose(values, expected.ravel(), rtol=1e-9, atol=1e-12, equal_nan=True)


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    found = []
    for function, signature, group in CASES:
        verdict = ep.check(function, signature, group)
        assert verdict.grade == "PROVED", str(verdict)
        found.append(verdict.certificate)
    return found


def test_what_is_printed_is_the_function(certificates: list[Any]) -> None:
    """One test for all operations, so that a plain run tries each of them."""
    for case, certificate in zip(CASES, certificates, strict=True):
        text = rocq_text(certificate)
        assert all(compared(text, certificate, case[0], seed) for seed in range(3)), case[1:]


def test_every_operation_is_printed_somewhere() -> None:
    certificates = [proof_with_program(*case) for case in CASES]
    seen = {kind["op"] for c in certificates for kind in c["program"]["kinds"]}
    # stored numbers stand in every certificate; eigenvectors are further arguments, which no file has
    assert set(WRITERS) - {"parameter", "eigenvectors"} <= seen
    found = [translated(read_source(c)) for c in certificates]
    own = {(t.source.nodes[line.node].op, line.op[0]) for t in found for line in t.lines}
    assert {name for _, name in own} == make_rocq.constructors()
    assert all(name in make_rocq.OPERATIONS[op].split() or name in ("Add", "Contract") for op, name in own)


#: Plausible slips of a printer, of which each is seen somewhere.
SLIPS: tuple[tuple[str, str], ...] = (
    (r"\(Lab 1\); \(Lab 2\)\]", "(Lab 2); (Lab 1)]"), (r"Function (\d+): gt ", r"Function \1: ge "),
    (r"Function (\d+): le ", r"Function \1: lt "), (r"Function (\d+): minimum", r"Function \1: maximum"),
    (r"Function (\d+): min ", r"Function \1: max "), (r"Function (\d+): max ", r"Function \1: min "),
    (r"Choose (\d+ \[.*?\]) (\d+) (\d+)", r"Choose \1 \3 \2"), (r"\(Num 2\)", "(Num 1)"), (r"Times", "Plus"),
    (r"Whole (\d+ 0 \[::) (\(.*?\]\)); (\(.*?\]\))", r"Whole \1 \3; \2"), (r"Whole 0 1", "Whole 1 1"),
    (r"Scalar \(Negz 0\)", "Scalar (Posz 1)"),
    (r"Minus", "Plus"), (r"Over", "Modulo"), (r"Modulo", "Over"), (r"Fold (\d+) (\d+) 0", r"Fold \1 \2 1"),
    (r"Join \[:: (\(.*?\)); (\(.*?\));", r"Join [:: \2; \1;"), (r"Sort (\d+) (\d+) 0", r"Sort \1 \2 1"),
    (r"Add \[:: (\d+); (\d+)\]", r"Add [:: \1; \1]"), (r"\(Minus \(Size z\d+\) \(Num 1\)\)", "(Num 1)"),
)  # fmt: skip


def test_slips_are_seen(certificates: list[Any]) -> None:
    texts = [rocq_text(certificate) for certificate in certificates]
    assert not [slip for slip in SLIPS if not is_seen(slip, texts, certificates)]


def is_seen(slip: tuple[str, str], texts: list[str], certificates: list[Any]) -> bool:
    """Whether a program that is changed so computes something else than its function."""
    for text, case, certificate in zip(texts, CASES, certificates, strict=True):
        wrong = re.sub(*slip, text, count=1)
        try:
            if wrong != text and not all(compared(wrong, certificate, case[0], seed) for seed in range(6)):
                return True
        except (IndexError, KeyError):
            return True
    return False
