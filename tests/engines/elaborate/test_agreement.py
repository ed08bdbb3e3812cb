"""A Program and the forms written of it have equal values; a slip in a line is seen."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.size import Size
from eqvproof.engines import certify
from eqvproof.engines.elaborate.agreement import _Comparison, agree
from eqvproof.engines.elaborate.program import has_forms
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.engines.elaborate.translation import Line, Translation
from tests.rocq.test_printed import CASES
from tests.rocq.test_views import VIEWS

JSON = dict[str, Any]
Op = tuple[Any, ...]


def taken(case: Any, **options: Any) -> tuple[Any, JSON]:
    """The Program of a proof, and the proof by types of its nodes."""
    found = list[tuple[Any, JSON]]()
    real: Any = certify._certify_in_forms

    def kept(by_nodes: JSON, program: Any, readings: Any) -> Any:
        found.append((program, by_nodes))
        return real(by_nodes, program, readings)

    in_this_process = patch("eqvproof.engines.guards._may_leave", lambda _: False)
    with patch("eqvproof.engines.certify._certify_in_forms", kept), in_this_process:
        verdict = ep.check(*case, **options)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    return found[0]


@pytest.fixture(scope="module")
def proofs() -> list[tuple[Any, JSON]]:
    return [taken(case) for case in (*CASES, *VIEWS)]


def test_programs_agree_with_their_forms(proofs: list[tuple[Any, JSON]]) -> None:
    for program, certificate in proofs:
        assert agree(program, elaborate(certificate)[0]), certificate["claim"]


def test_views_are_written_of_the_program_alone() -> None:
    """A traced function is compared with a certificate by its forms, without a proof."""
    whole, part = "X: k n -> k n", "x: <2x1o+1x0e> -> <1x1o>"
    found = [
        [taken((f, signature, group)) for f in functions]
        for functions, signature, group in (
            ((lambda X: np.tanh(X.reshape(-1)).reshape(X.shape), lambda X: np.tanh(X)), whole, "S(n)"),
            ((lambda x: x[:3] * x[6:], lambda x: x[3:6] * x[6:]), part, "O(3)"),
        )
    ]
    for pair in found:
        for (_, one), (_, other) in itertools.product(pair, pair):
            assert has_forms(one["program"], {"kind": "proof", **elaborate(other)[1]}) is (one is other)


def other_labels(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] == "Contract":
        for k, (argument, places) in enumerate(op[1]):
            labels = [p for p in places if p[0] == "Lab"]
            if len(labels) > 1 and labels[0] != labels[-1] and labels[0][1] in op[3]:
                yield op[0], [*op[1][:k], (argument, places[::-1]), *op[1][k + 1 :]], *op[2:]


def fewer_terms(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] == "Add" and len(op[1]) > 1:
        yield "Add", op[1][1:]
    if op[0] == "Contract" and len(op[1]) > 1:
        yield op[0], op[1][:-1], *op[2:]


def branches_exchanged(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] == "Choose":
        yield op[0], op[1], op[2], op[4], op[3]


def other_numbers(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] == "Scalar":
        yield "Scalar", op[1] + 1


def other_functions(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] in ("Map", "Fold", "Whole"):
        for number, name in enumerate(forms.functions):
            if number != op[1] and isinstance(name, str) and isinstance(forms.functions[op[1]], str):
                yield op[0], number, *op[2:]


def parts_exchanged(op: Op, forms: Translation) -> Iterator[Op]:
    if op[0] == "Join" and op[1] != op[1][::-1]:
        yield "Join", op[1][::-1], op[2]


def parts_moved(op: Op, forms: Translation) -> Iterator[Op]:
    """A part of an axis that begins one entry later or earlier."""
    if op[:2] == ("View", "Cut"):
        *before, start, size = op
        start += Size.of(1 if start == Size(()) else -1)
        yield *before, start, size


SLIPS: tuple[Callable[[Op, Translation], Iterator[Op]], ...] = (
    other_labels, fewer_terms, branches_exchanged, other_numbers, other_functions, parts_exchanged,
    parts_moved,
)  # fmt: skip


def is_symmetric(forms: Translation, argument: int) -> bool:
    """Whether a value is read with its axes exchanged without a difference."""
    return forms.lines[argument].op[0] == "Delta"


def test_a_slip_in_a_line_is_seen(proofs: list[tuple[Any, JSON]]) -> None:
    tried = dict.fromkeys((slip.__name__ for slip in SLIPS), 0)
    for program, certificate in proofs:
        for slip in SLIPS:
            given = elaborate(certificate)[0]
            for number, line in enumerate(given.lines):
                for op in slip(line.op, given):
                    forms = replace(given, lines=[*given.lines])
                    forms.lines[number] = replace(line, op=op)
                    tried[slip.__name__] += 1
                    assert not is_same(program, certificate, forms, line, op), (slip.__name__, line.op, op)
    assert min(tried.values()) > 0, tried


def is_same(program: Any, certificate: JSON, forms: Translation, line: Line, op: Op) -> bool:
    """Whether an altered line is seen to be none; those that read a symmetric value alike are left out."""
    if op[0] == "Contract" and [a for a, _ in op[1]] == [a for a, _ in line.op[1]]:
        changed = [a for (a, p), (_, q) in zip(op[1], line.op[1], strict=True) if p != q]
        if all(is_symmetric(forms, argument) for argument in changed):
            return False
    try:
        return agree(program, forms)
    except (ValueError, IndexError, KeyError, TypeError):
        return False  # it has no value


def test_arrays_of_several_shapes() -> None:
    """One operation, on values of other shapes, is compared for each."""
    program, certificate = taken((lambda X, Y: X @ X.T + Y @ Y.T, "X: n d, Y: n k -> n n", "S(n)"))
    forms = elaborate(certificate)[0]
    assert agree(program, forms)


def test_equal_lines_are_compared_once() -> None:
    """Maxima over two axes are two lines, of which one uses the other, wherever they stand."""
    def f(X: Any) -> Any:
        return X.max(axis=(1, 2)) + (2 * X).max(axis=(1, 2)) + (X * X).max(axis=(1, 2))

    program, certificate = taken((f, "X: n d k -> n", "S(n)"))
    forms = elaborate(certificate)[0]
    maxima = {k for k, node in enumerate(program.nodes) if node.op == "reduce"}
    tried, real = list[int](), _Comparison._agrees_at

    def counted(self: Any, i: int, start: int, end: int) -> bool:
        tried.append(i)
        return real(self, i, start, end)

    with patch.object(_Comparison, "_agrees_at", counted):
        assert agree(program, forms)
    assert len(maxima) == 3 and len(maxima.intersection(tried)) == 1
