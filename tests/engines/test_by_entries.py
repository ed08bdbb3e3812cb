"""Functions of libraries of which a proof knows that they go entry by entry, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.support.errors import EqvproofError, TraceError
from eqvproof.tracing.arrays import by_entries
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved
from tests.kernel.corpus import edited

special = pytest.importorskip("scipy.special", reason="SciPy is not installed")

RIGHT = {
    "entry by entry": (lambda x: special.j0(x), "x: n -> n", "S(n)"),
    "with a number": (lambda x: special.kv(1.5, x**2 + 1), "x: n d -> n d", "S(n) x S(d)"),
    "of three": (lambda x: special.betainc(1.5, x**2 + 1, 0.5).sum(0), "x: n d -> d", "S(n)"),
    "summed": (lambda x: special.i1(x).sum(), "x: n d -> ()", "S(n) x A(d)"),
    "of lengths": (
        lambda x: special.jv(2, (x**2).sum(-1))[:, None] * x, "x: n d -> n d", "O(d) x S(n)",
    ),
    "around a circle": (lambda x: special.y0(np.roll(x, 1)), "x: n -> n", "C(n)"),
}  # fmt: skip
WRONG = {
    "rotated entries": (lambda x: special.j0(x), "x: n d -> n d", "O(d)"),
    "at places": (lambda x: special.j0(x) * np.arange(len(x)), "x: n -> n", "S(n)"),
    "weighted by places": (lambda x: special.jv(np.arange(len(x)), x), "x: n -> n", "S(n)"),
    "multiples": (lambda x: special.i0(x) + x, "x: n -> n", "Scale(n)"),
    "even under signs": (lambda x: special.j0(x), "x: n -> n", "Signs(n)"),
}
#: Certificates of a proof under S(n), altered: other groups, a function of all entries, other shapes.
ALTERED: dict[str, list[tuple[list[Any], Any]]] = {
    "signs": [(["claim", "group", 0, "family"], "Signs"), (["evidence", "factors", 0, "family"], "Signs")],
    "rotations": [(["claim", "group", 0, "family"], "O"), (["evidence", "factors", 0, "family"], "O")],
    "of all entries": [(["forms", "functions", 0, "symmetry"], None)],
    "of whole arrays": [(["forms", "kinds", 1], [0, "Whole", 0, 0, [[0, ["n"]]]])],
    "of all entries, as a whole": [
        (["forms", "functions", 0, "symmetry"], None),
        (["forms", "kinds", 1], [0, "Whole", 0, 0, [[0, ["n"]]]]),
    ],
    "no such word": [(["forms", "functions", 0, "symmetry"], "entry")],
    "no arguments": [(["forms", "kinds", 1], [0, "Map", 0, []]), (["forms", "lines", 1], [1])],
    "of a scalar": [
        (["forms", "shapes"], [["n"], []]),
        (["forms", "kinds", 1, 0], 1),
        (["claim", "output"], []),
        (["evidence", "factors", 0, "types"], [[[[["Std", "n"]]], 0], [[], 0]]),
        (["evidence", "factors", 0, "lines"], [0, 1]),
    ],
    "of another axis": [(["forms", "shapes"], [["n"], ["n", "n"]]), (["forms", "kinds", 1, 0], 1)],
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    verdict = assert_proved(*RIGHT[name])
    rests_on = " ".join(ep.verify(verdict.certificate).rests_on)
    assert "is a function of the entries of its arguments at each place alone" in rests_on


@pytest.mark.parametrize("name", WRONG)
def test_refuted_by_its_values_alone(name: str) -> None:
    function, signature, under = WRONG[name]
    assert ep.prove(function, signature, under).outcome == "UNDECIDED"
    verdict = ep.check(function, signature, under)
    assert verdict.fails and verdict.grade == "OBSERVED", str(verdict)


@pytest.mark.parametrize("name", ALTERED)
def test_altered_certificates_are_refused(name: str) -> None:
    certificate: Any = assert_proved(*RIGHT["entry by entry"]).certificate
    assert certificate["forms"]["functions"][0]["symmetry"] == ENTRIES
    assert ep.verify(edited(certificate)).accepted
    try:
        assert not ep.verify(edited(certificate, *ALTERED[name])).accepted
    except EqvproofError as error:  # what cannot be read
        assert error.code.startswith("certificate")


def test_equal_names_are_equal_functions() -> None:
    same = ep.identical(
        lambda x: special.j0(x).sum(), lambda x: special.j0(x[::-1] * 1.0)[::-1].sum(), "x: n -> ()"
    )
    assert not same.fails
    assert ep.identical(lambda x: special.j0(x), lambda x: special.j1(x), "x: n -> n").fails


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.where(np.isnan(x), 0.0, x),  # defined where its argument is not
        lambda x: np.copysign(1.0, x),  # tells -0.0 from 0.0
        np.isfinite,  # no number
        lambda x: x[:1],  # not entry by entry
    ],
)
def test_no_functions_of_real_numbers(function: Any) -> None:
    b = Builder()
    with pytest.raises(TraceError):
        by_entries.applied(b, f"a.{id(function)}", function, [b.input("x", ["n"])])


def test_functions_of_users_are_not_taken_at_their_word() -> None:
    """A universal function that Python code makes may read the time, or count its calls."""
    counts = iter(range(10**6))
    counted = np.frompyfunc(lambda x: x + next(counts), 1, 1)
    assert by_entries.handler_of(counted) is None
    assert ep.prove(lambda x: counted(x).astype(float), "x: n -> n", "S(n)").outcome == "UNDECIDED"


def test_they_have_no_exact_values() -> None:
    program = trace_all_sizes(lambda x: special.j0(x), parse_signature("x: n -> n")).program
    with pytest.raises(EqvproofError, match="no exact values"):
        evaluate_exact(program, {"x": np.array([1, 2])})


def test_operations_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    options: dict[str, Any] = {"backend": "torch", "budget": 60}
    assert_proved(lambda x: torch.special.i0(x).sum(0), "x: n d -> d", "S(n)", **options)
    assert_proved(lambda x: torch.polygamma(1, x**2 + 1), "x: n d -> n d", "S(n) x S(d)", **options)
    for function, under in (
        (lambda x: torch.special.i0(x), "O(n)"),
        (lambda x: torch.polygamma(1, x**2 + 1) * torch.arange(1.0, len(x) + 1, dtype=x.dtype), "S(n)"),
    ):
        assert ep.prove(function, "x: n -> n", under, **options).outcome == "UNDECIDED"
        assert ep.check(function, "x: n -> n", under, **options).fails
    assert_proved(lambda x: torch.nan_to_num(1 / x), "x: n -> n", "S(n)", **options)


@pytest.mark.parametrize("name", ["gcd", "lcm", "bitwise_left_shift"])
def test_operations_on_integers_are_no_functions_of_real_numbers(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    operation = getattr(torch, name)
    verdict = ep.prove(
        lambda i: operation(i, i + 1).sum().double(), "i[7]: n -> ()", "S(n)", backend="torch", budget=60
    )
    assert verdict.outcome == "UNDECIDED" and "is not traced" in verdict.reason
