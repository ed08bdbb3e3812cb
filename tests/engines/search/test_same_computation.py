"""Exact arithmetic speaks for a function only where it is known to be the same computation: a Program.

Functions that take another way on anything but the float arrays that they are called with, in every manner of
telling; what they do elsewhere is not held against them, and what they do on floats is found.
"""

from __future__ import annotations

import copy
import json
import math
import operator
import pickle
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.engines.search.asking import as_float, ask

pytestmark = pytest.mark.whole_search  # a wrong refutation may be a late one

SIGNATURE, UNDER = "x: d -> d", "Signs(d)"


def tried(claim_sides: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """Whether something can be done with an array."""

    def answer(x: Any) -> bool:
        try:
            claim_sides(x)
        except Exception:
            return False
        return True

    return answer


#: What is true of arrays of floats as they come, and not of arrays of other numbers.
TELLING: dict[str, Callable[[Any], Any]] = {
    "packing": tried(lambda x: struct.pack("d", x[0])),
    "hexadecimal": tried(lambda x: x.tolist()[0].hex()),
    "json": tried(lambda x: json.dumps(x.tolist())),
    "mantissa": tried(lambda x: math.frexp(x[0])),
    "memory": tried(lambda x: memoryview(x)),
    "interface": lambda x: x.__array_interface__["typestr"] == "<f8",
    "name of the class": lambda x: type(x).__name__ == "ndarray",
    "bases": lambda x: len(type(x).__mro__) == 2,
    "class of an entry": lambda x: x[0].__class__ is np.float64,
    "has no object": lambda x: not x.dtype.hasobject,
    "subtype": lambda x: np.issubdtype(x.dtype, np.floating),
    "result type": lambda x: np.result_type(x) == np.float64,
    "text": lambda x: "Real" not in repr(x),
    "format": lambda x: f"{x[0] * 0 + 0.5:.1f}" == "0.5",
    "pickle": lambda x: len(pickle.dumps(x)) < 10**5 and b"Real" not in pickle.dumps(x),
    "size in memory": lambda x: sys.getsizeof(x[0]) == sys.getsizeof(np.float64(0)),
    "attribute": lambda x: getattr(x[0], "is_rational", None) is None,
    "getter": lambda x: operator.attrgetter("dtype.kind")(x) == "f",
    "copy": lambda x: type(copy.copy(x)) is np.ndarray,
    "bytes": lambda x: len(x.tobytes()) == 8 * len(x) and x.tobytes() == np.array(x, float).tobytes(),
    "directory": lambda x: "to_fraction" not in dir(x[0]),
    "set of methods": lambda x: not hasattr(x[0], "to_fraction"),
    "equality of types": lambda x: {type(v) for v in x} <= {np.float64},
}
#: Uses of the answer: a branch, or arithmetic on one way, by much or by less than any tolerance.
USES: dict[str, Callable[[Any, bool], Any]] = {
    "branch": lambda x, usual: x if usual else np.abs(x),
    "a little": lambda x, usual: x + np.abs(x) * 1e-9 * (1 - float(usual)),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", TELLING)
def test_what_is_done_on_other_arrays_is_not_held_against_it(name: str, use: str) -> None:
    usual = TELLING[name]
    assert usual(np.array([1.0, -2.0])), "the function is odd on arrays of floats"
    result = ask(lambda x: USES[use](x, bool(usual(x))), SIGNATURE, UNDER, sizes={"d": (1, 2)}, max_points=40)
    assert result.found is None
    assert not result.nondeterministic


#: True of float64 alone: where floats of other lengths say otherwise, a difference may be rounding.
FLOAT64 = (
    "hexadecimal", "json", "interface", "class of an entry", "result type", "size in memory", "bytes",
    "equality of types",
)  # fmt: skip


@pytest.mark.parametrize("name", [n for n in TELLING if n not in FLOAT64])
def test_what_is_done_on_floats_is_found(name: str) -> None:
    usual = TELLING[name]
    found = ask(
        lambda x: np.abs(x) if usual(x) else x, SIGNATURE, UNDER, sizes={"d": (1, 2)}, max_points=200
    ).found
    assert found is not None and found.sizes == {"d": 1}


@pytest.mark.parametrize("how", ["trace", "calls"])
def test_exact_counterexamples_hold_their_program(how: str) -> None:
    """Control: a branch on a size leaves exact arithmetic; the kernel computes both sides itself."""

    def f(x: Any) -> Any:
        return x if len(x) < 3 else x * np.arange(len(x))

    def g(x: Any) -> Any:
        return f(np.array([as_float(v) for v in x])) if how == "calls" else f(x)

    verdict = ep.check(g, "x: n -> n", "S(n)", budget=30)
    assert verdict.fails and dict(verdict.counterexample.sizes) == {"n": 3}
    assert verdict.grade == ("EXACT" if how == "trace" else "OBSERVED")
    if how == "trace":
        assert verdict.certificate["kind"] == "counterexample" and verdict.certificate["forms"]
        assert ep.verify(verdict.certificate).accepted
    else:
        assert verdict.certificate is None


#: Wrong functions that no trace holds for all sizes, as people write them: loops, lengths, Python's numbers.
AT_SIZES: dict[str, tuple[Callable[..., Any], str, str]] = {
    "loop": (lambda x: sum(k * v for k, v in enumerate(x)), "x: n -> ()", "S(n)"),
    "pairs": (lambda x: sum(x[i] * x[j] ** 2 for i in range(len(x)) for j in range(i)), "x: n -> ()", "S(n)"),
    "rows": (lambda X: np.stack([r / (1 + k) for k, r in enumerate(X)]), "X: n d -> n d", "S(n)"),
    "half": (lambda x: x[: len(x) // 2].sum(), "x: n -> ()", "S(n)"),
    "last": (lambda x: x - x[len(x) - 1] * 2, "x: n -> n", "S(n)"),
    "comparing": (lambda x: x[0] if x[0] > x[len(x) - 1] else x.sum(), "x: n -> ()", "S(n)"),
    "even lengths": (lambda X: X if len(X) % 2 else np.abs(X), "X: d n -> d n", "O(d)"),
    "walsh": (lambda x: x @ np.array([(-1.0) ** k for k in range(len(x))]), "x: n -> ()", "S(n)"),
    "square": (lambda X: X * np.eye(*X.shape) if X.shape[0] == X.shape[1] else X, "X: d n -> d n", "O(d)"),
    "irrational": (lambda x: np.sqrt(2 + len(x) // 2) * np.abs(x), "x: d -> d", "O(d)"),
}


@pytest.mark.parametrize("name", AT_SIZES)
def test_programs_at_single_sizes_refute_exactly(name: str) -> None:
    function, signature, under = AT_SIZES[name]
    verdict = ep.check(function, signature, under, budget=10)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert verdict.certificate["kind"] == "counterexample"
    assert ep.verify(verdict.certificate).accepted
