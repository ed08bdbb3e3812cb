"""Functions are compared with certificates in forms that hold readings, tables or eigenvectors."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.agreement import agree
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.interface.cli.program_difference import program_difference
from tests.engines.elaborate.test_agreement import taken

NEXT_TO_ONE = np.diag([1, 1, 1 + 2.0**-52])
TWO_NEXT_TO_ONE = np.diag([1, 1, 1 + 2.0**-51])


def mixed(x: Any, y: Any) -> Any:
    return 0.1 * x + 0.9 * y


def exchanged(x: Any, y: Any) -> Any:
    return 0.9 * x + 0.1 * y


def near(x: Any, y: Any) -> Any:
    return 0.1 * x + 0.9000000000000001 * y


def table(x: Any) -> Any:
    return x @ NEXT_TO_ONE


def other_table(x: Any) -> Any:
    return x @ TWO_NEXT_TO_ONE


def no_table(x: Any) -> Any:
    return x @ np.eye(3)


def coordinates(X: Any) -> Any:
    return np.abs(X @ np.linalg.eigh(X.T @ X)[1])


def reversed_coordinates(X: Any) -> Any:
    return np.abs(X @ np.linalg.eigh(X.T @ X)[1][:, ::-1])


def of_another_matrix(X: Any) -> Any:
    return np.abs(X @ np.linalg.eigh(2 * X.T @ X)[1])


CASES = {
    "readings of numbers": (mixed, (exchanged, near), "x: n d, y: n d -> n d", "T(d)"),
    "readings of tables": (table, (other_table, no_table), "x: n 3 -> n 3", "O(3)"),
    "eigenvectors": (coordinates, (reversed_coordinates, of_another_matrix), "X: n d -> n d!", "O(d)"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_function_is_that_of_its_certificate_alone(name: str) -> None:
    function, others, signature, under = CASES[name]
    verdict = ep.check(function, signature, under, generic=True)
    assert verdict.grade == "PROVED" and "forms" in (verdict.certificate or {})
    data = json.dumps(verdict.certificate).encode()
    assert program_difference(data, f"{__name__}:{function.__name__}") == ""
    for other in others:
        found = program_difference(data, f"{__name__}:{other.__name__}")
        assert "is not the Program of the certificate" in found, other


def test_other_eigenvectors_are_seen() -> None:
    """Of another line, from another column, or as another argument."""
    program, certificate = taken((coordinates, "X: n d -> n d!", "S(n)"))
    forms, _ = elaborate(certificate)
    assert agree(program, forms)
    ((node, matrix, start),) = forms.eigenvectors
    line = forms.lines[forms.held[node].line or 0]
    for changed in ((node, matrix - 1, start), (node, matrix, start + Size.of(1))):
        forms.eigenvectors[0] = changed
        assert not agree(program, forms), changed
    forms.eigenvectors[0] = (node, matrix, start)
    forms.lines[forms.held[node].line or 0] = replace(line, op=("Input", line.op[1] + 1))
    assert not agree(program, forms)
