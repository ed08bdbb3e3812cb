"""The table of operations and questions: every entry is given where the operation is, none is inherited."""

from __future__ import annotations

from dataclasses import dataclass, fields

import pytest

from eqvproof.programs.node import Node, Product, Reading
from eqvproof.programs.operations import OPERATIONS, Operation, Sort, shared
from eqvproof.tracing.torch.boolean_indexing import SelectedEntries, WrittenEntries

QUESTIONS = sorted(Operation.__abstractmethods__)
#: Attributes with a value for one operation; for all others, the value says "another operation".
NAMES = {
    "input_name": "input", "constant": "const", "as_size": "size", "is_counting": "iota",
    "is_identity": "indicator", "triangle": "indicator", "unit_axes": "indicator",
    "as_product": "einsum", "single_factor": "einsum", "terms": "add",
    "function": "map",
    "choice": "select", "extreme": "reduce", "joined_axis": "concat", "as_reading": "read",
    "keeps_order": "reshape", "matrix_function": "matrix_function", "opaque_name": "opaque",
}  # fmt: skip
#: Operations that Programs hold, and those that stand in for others while a function is traced.
RECORDS = [*OPERATIONS.values(), SelectedEntries, WrittenEntries]


def missing(record: type[Operation]) -> list[str]:
    """The questions that a class leaves to the classes it is derived from."""
    own = vars(record)
    forgotten = {q for q in QUESTIONS if q not in own or getattr(own[q], "__isabstractmethod__", False)}
    return sorted(forgotten | ({"op", "rule"} - own.keys()))


def test_every_operation_answers_every_question() -> None:
    assert {record.op: found for record in RECORDS if (found := missing(record))} == {}


def test_the_classes_of_all_operations_answer_nothing() -> None:
    bases = {base for record in RECORDS for base in record.__mro__[1:] if issubclass(base, Node)}
    given = {name for base in bases - {Product, Reading} for name in vars(base) if not name.startswith("_")}
    data = {field.name for field in fields(Operation)}
    assert given - data - {"lengths"} == {*QUESTIONS, *NAMES}
    assert not {*QUESTIONS} & (vars(Product).keys() | vars(Reading).keys())


def test_a_question_left_out_is_found() -> None:
    for question in QUESTIONS:
        answers = {name: vars(Sort)[name] for name in QUESTIONS if name != question}
        forgetful = type("Forgetful", (Operation,), {"op": "forgetful", "rule": "none", **answers})
        assert missing(forgetful) == [question]
        with pytest.raises(TypeError, match=question):
            forgetful((), ())


def test_a_name_belongs_to_one_operation() -> None:
    for name, op in NAMES.items():
        assert [record.op for record in RECORDS if name in vars(record)] == [op], name
    for name in NAMES:
        assert not getattr(Sort((0,), (), 0), name), name


@dataclass(frozen=True, slots=True)
class Unfinished(Sort):
    """An operation that says of one question that nobody asks it."""

    op = "unfinished"
    sums = shared.never_asked


def test_a_question_that_nobody_should_ask_is_refused_aloud() -> None:
    with pytest.raises(TypeError, match="a question that Unfinished does not answer"):
        Unfinished((0,), (), 0).sums(None)  # type: ignore[arg-type]
