"""Snippets run in a process that has only NumPy, and print the difference that was found."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Group, parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search import (
    CalledSubject,
    FoundCounterexample,
    Limits,
    ProgramSubject,
    find_counterexample,
    find_difference,
)
from eqvproof.engines.search.render import function_code
from eqvproof.engines.search.snippet import snippet
from eqvproof.numbers import Real
from eqvproof.tracing.numpy.trace import trace_all_sizes

#: Runs snippets in a process where only NumPy and what it needs can be imported; prints their differences.
DRIVER = """
import io, json, sys, contextlib, warnings
import numpy as np
class Only:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("eqvproof", "flint", "sympy", "scipy"):
            raise ImportError(name)
sys.meta_path.insert(0, Only())
warnings.simplefilter("ignore")
answers = []
for code in json.load(sys.stdin):
    names, out = {}, io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "snippet", "exec"), names)
    difference = np.asarray(names["left"] - names["right"], dtype=float)
    answers.append({"printed": out.getvalue(), "difference": [repr(float(v)) for v in difference.ravel()]})
print(json.dumps(answers))
"""


def softmax(x: Any, axis: int = 0) -> Any:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


WRONG: dict[str, tuple[Any, str, str]] = {
    "relu": (lambda x: np.maximum(x, 0), "x: d -> d", "O(d)"),
    "cumsum": (np.cumsum, "x: n -> n", "S(n)"),
    "softmax": (lambda X: X * softmax(X), "X: d n -> d n", "O(d) x S(n)"),
    "layer norm": (
        lambda X: (X - X.mean(0)) / np.sqrt(((X - X.mean(0)) ** 2).mean(0) + 1), "X: d n -> d n", "O(d)"
    ),
    "logistic": (lambda x: 1 / (1 + np.exp(-x)), "x: d -> d", "Signs(d)"),
    "selection": (lambda x: np.where((x > 0) & (x < 3), x, -2 * x), "x: d -> d", "O(d)"),
    "comparisons": (lambda x: (x == x.max()) * x + (x != 1), "x: d -> d", "O(d)"),
    "minimum and product": (lambda X: X.min(0) * X.prod(0), "X: d n -> n", "O(d)"),
    "matrix powers": (lambda A: np.linalg.inv(A + np.triu(A)), "A: n n -> n n", "S(n)"),
    "determinant": (lambda X: np.linalg.det(X[:, ::-1]), "X: d d! -> ()", "O(d)"),
    "slices": (lambda x: x[::2] - x[1::2] + np.roll(x, 1)[::2], "x: 2m -> m", "C(m)"),
    "concatenate": (lambda X, Y: np.concatenate([Y, X], 1), "X: d n, Y: d k -> d n+k", "S(n)"),
    "outer products": (lambda x, y: np.sort(x)[:, None] * y[None, :], "x: n, y: k -> n k", "S(n)"),
    "third powers": (lambda x: np.floor(x / 2) ** 3, "x: d -> d", "O(d)"),
    "three axes": (lambda T: T * np.arange(T.shape[1])[:, None], "T: d n k -> d n k", "S(n)"),
    "three axes turned": (lambda T: np.abs(T), "T: n d k -> n d k", "O(d)"),
    "signs in the middle": (lambda T: np.exp(T), "T: n d k -> n d k", "Signs(d)"),
    "trace and diagonal": (
        lambda A: np.diagonal(A) * np.trace(A) + np.arange(A.shape[0]), "A: n n -> n", "S(n)"
    ),
    "undefined": (np.log, "x: d -> d", "O(d)"),
    "reshape": (lambda X: X.reshape(-1)[: X.shape[0]], "X: n d -> n", "S(n)"),
    "tiny": (lambda x: x + np.abs(x) * 1e-20, "x: d -> d", "O(d)"),
    "f as a name": (lambda f: np.abs(f), "f: d -> d", "O(d)"),
    "fixed scale": (lambda X: X * X[:1] / 3, "X: n d -> n d", "S(n)"),
}  # fmt: skip


def differences(codes: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", DRIVER],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def expected(found: FoundCounterexample) -> list[float]:
    pairs = zip(found.left.ravel(), found.right.ravel(), strict=True)
    return [float("nan") if a is None or b is None else as_float(a) - as_float(b) for a, b in pairs]


def as_float(value: Any) -> float:
    return value.to_float() if isinstance(value, Real) else float(value)


def compare(found: dict[str, tuple[FoundCounterexample, str]]) -> None:
    answers = differences([code for _, code in found.values()])
    for (name, (one, code)), answer in zip(found.items(), answers, strict=True):
        assert "difference =" in answer["printed"], name
        got = [float(v) for v in answer["difference"]]
        entry = int(np.ravel_multi_index(one.entry, one.left.shape)) if one.entry else 0
        want = expected(one)[entry]
        if np.isnan(want):
            assert np.isnan(got[entry]), (name, code)
        else:
            assert got[entry] != 0, (name, code)
            assert abs(got[entry] - want) <= 1e-3 * abs(want) or abs(want) < 1e-16, (name, code)


@pytest.mark.parametrize("how", ["program", "black box"])
def test_snippets_run_and_print_the_difference(how: str) -> None:
    found: dict[str, tuple[FoundCounterexample, str]] = {}
    for name, (function, text, under) in WRONG.items():
        signature = parse_signature(text)
        group = parse_group(under, signature)
        if how == "program":
            subject = ProgramSubject(trace_all_sizes(function, signature, dict(group.pins)).program)
        else:
            subject = CalledSubject(AtSizes(function, signature))
        one = find_counterexample(subject, signature, group, Limits(sizes=group.pins)).found
        assert one is not None, name
        found[name] = one, snippet(one, signature, group, subject)
    compare(found)


def test_snippets_of_differences() -> None:
    signature = parse_signature("X: n d -> d")
    subjects = [
        ProgramSubject(trace_all_sizes(f, signature, {}).program)
        for f in (lambda X: X.mean(0), lambda X: X.sum(0))
    ]
    one = find_difference(subjects[0], subjects[1], signature).found
    assert one is not None
    code = snippet(one, signature, Group(()), subjects[0], subjects[1])
    assert "def f(X)" in code and "def h(X)" in code
    compare({"mean": (one, code)})


def test_a_snippet_reads_like_numpy_code() -> None:
    signature = parse_signature("X: d n -> d n")
    group = parse_group("O(d)", signature)
    subject = ProgramSubject(trace_all_sizes(lambda X: np.maximum(X - X.mean(0), 0), signature, {}).program)
    found = find_counterexample(subject, signature, group).found
    assert found is not None
    assert snippet(found, signature, group, subject) == (
        "import numpy as np\n"
        "\n"
        "def f(X):\n"
        "    return np.maximum(X - np.sum(X, axis=0) / 2.0, 0.0)\n"
        "\n"
        "\n"
        "# d = 2, n = 1\n"
        "X = np.array([[1.0], [0.0]])\n"
        "\n"
        "# g: reflect coordinate 0\n"
        "q = np.array([[-1.0, 0.0], [0.0, 1.0]])\n"
        "left = f(q @ X)\n"
        "at = f(X)\n"
        "right = q @ at\n"
        'print("f(g x) =", left)\n'
        'print("g f(x) =", right)\n'
        'print("difference =", left - right)\n'
    )


#: What a function of X: 2p q+2 returns, and the axes of that.
PICKED = {
    "X[:, 0]": "2p", "X[0]": "q+2", "X[-1]": "q+2", "X[:, -1]": "2p", "X[:, -2:]": "2p 2",
    "X[:, 1:]": "2p q+1",
    "X[:, 2:]": "2p q", "X[:, :2]": "2p 2", "X[:2]": "2 q+2", "X[::2, 1]": "p", "X[1::2]": "p q+2",
    "X[:, ::-1]": "2p q+2", "X[::-1, ::-1]": "2p q+2", "X[0] + X[1]": "q+2", "X[0, 1]": "()",
    "X[1] * X[-1]": "q+2", "X[:, 0] @ X": "q+2", "np.exp(X[:, 1])": "2p", "X / np.sum(X, axis=0)": "2p q+2",
    "np.where(X > 0.0, X[0], X[-1])": "2p q+2", "np.sum(X[:2], axis=0)": "q+2", "X[0:1] + X[1:2]": "1 q+2",
    "X[1] / X[0]": "q+2", "-X[0] / X[1]": "q+2", "X[0] - X[1]": "q+2", "X[:, -2]": "2p",
}  # fmt: skip


@pytest.mark.parametrize(("written", "axes"), PICKED.items())
def test_entries_are_picked_in_the_code_as_the_user_wrote_it(written: str, axes: str) -> None:
    function = eval(f"lambda X: {written}", {"np": np})
    program = trace_all_sizes(function, parse_signature(f"X: 2p q+2 -> {axes}"), {}).program
    code = "\n".join(function_code(program, {"p": 2, "q": 3}))
    names: dict[str, Any] = {"np": np}
    exec(code, names)
    X = np.arange(1.0, 21.0).reshape(4, 5) - 7.5
    assert np.array_equal(names["f"](X), function(X))
    assert code == f"def f(X):\n    return {written}"


def test_code_of_differences_that_identical_finds() -> None:
    """Of two Programs, and of two functions that are only called."""
    pairs = {
        "programs": (lambda X: X.mean(axis=0), lambda X: X.sum(axis=0)),
        "black boxes": (lambda X: X[len(X) // 2], lambda X: X[0] * len(X)),
    }
    codes = []
    for name, (f, g) in pairs.items():
        verdict = ep.identical(f, g, "X: n d -> d")
        assert verdict.grade == "EXACT" and verdict.counterexample is not None, name
        if verdict.certificate is not None:
            assert ep.verify(verdict.certificate).accepted
        codes.append(verdict.counterexample.code())
    for answer in differences(codes):
        assert "f(x) =" in answer["printed"] and any(float(v) for v in answer["difference"])
