"""Functions that ask an array for its namespace: of the Array API itself, and through array_api_compat."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.api import verify


def softmax(x: Any) -> Any:
    xp = x.__array_namespace__()
    e = xp.exp(x - xp.max(x, axis=0, keepdims=True))
    return e / xp.sum(e, axis=0, keepdims=True)


def compat() -> Any:
    return pytest.importorskip("array_api_compat", reason="array_api_compat is not installed")


def test_the_namespace_of_a_traced_array_is_traced() -> None:
    verdict = ep.check(softmax, "X: n c -> n c", under="S(n) x S(c)", budget=30)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted
    assert ep.check(softmax, "X: n c -> n c", under="Signs(c)", budget=30).fails


def test_namespaces_of_array_api_compat_are_traced() -> None:
    library = compat()

    def gram(x: Any) -> Any:
        xp = library.array_namespace(x)
        return xp.matmul(xp.permute_dims(x, (1, 0)), x) / xp.asarray(2.0)

    verdict = ep.check(gram, "X: d n -> n n", under="O(d) x S(n)", budget=30)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted, str(verdict)
    assert ep.check(gram, "X: d n -> n n", under="Scale(d)", budget=30).fails


def test_a_function_of_scipy_is_known_to_the_first_trace() -> None:
    """In a process of its own: a trace before it would have entered SciPy's functions already."""
    code = (
        "import eqvproof as ep; from scipy.special import softmax;"
        "v = ep.check(lambda x: x @ softmax(x.T @ x, axis=0), 'X: d n -> d n', 'O(d) x S(n)');"
        "print(v.grade, ep.verify(v.certificate).accepted)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["PROVED", "True"], done.stderr
