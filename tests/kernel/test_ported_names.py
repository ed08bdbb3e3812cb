"""The checkers in Python and those in Rocq, side by side: each definition has a function of the same name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from types import ModuleType

import pytest

from eqvproof.kernel import checker, entries, form_shapes, forms, motions
from eqvproof.rocq.compile import sources

#: Definitions of Rocq that Python does not need, with the reason.
WITHOUT_PORT: Mapping[str, Mapping[str, str]] = {
    "Programs": {
        **dict.fromkeys(
            ("env", "upd", "bind", "meaning", "value", "domain", "cell", "c0", "count_of", "at_", "over",
             "total", "every", "get", "ok", "body", "body_ok", "along", "joined", "grid", "sizes_of", "array",
             "call", "inner", "called", "compute", "defined", "run", "eval", "in_view", "viewed"),
            "a meaning of programs, which no checker computes",
        ),
        "extent": "the class Size", "op": "the union Form", "place": "the union Place",
        "program": "the type Program", "reads": "part of the class Labels",
        "labels": "part of the class Labels",
        **dict.fromkeys(("insert", "without", "put", "exchange"), "slices of tuples"),
        "view": "the tuple VIEWS", "product_size": "the product of sizes",
    },
    "Checker": {
        **dict.fromkeys(
            ("kind_code", "kind_decode", "kind_eqMixin"), "the equality of kinds"
        ),
        "kind": "the union Kind", "axis": "the type Axis", "rtype": "the type RType",
        "ty0": "the constant NOTHING",
        "family": "the tuple FAMILIES", "fact": "the class Fact", "standard": "a word for a proof",
        **dict.fromkeys(("same_part", "same_kind"), "part of same_parts"),
        "sort_size": "sizes are polynomials", "same_size": "the equality of sizes",
 "occurrences": "an attribute of the class Labels",
        "is_label": "isinstance", "act_along": "a function inside of contract",
        "check_from": "the loop of check", "check_lines": "the loop of check",
    },
    "Motions": {
        "law": "the type Law", "ratio": "the type Ratio", "one_ratio": "the constant ONCE",
        "motion": "the union Motion", "row": "the type Row", "unit_size": "the constant ONE",
        "args_of": "forms.arguments_of", "motions": "the loop of check_shifts",
    },
    "Shapes": {
        "shape": "the type Shape", "knowledge": "a dictionary", "variable": "part of expand",
        "free": "part of above", "product": "part of above",
        "distinct": "part of covers", "size_one": "the constant ONE", "times": "the product of sizes",
        "size_in": "a dictionary", "single": "part of contract_shape",
        "read_ok": "a function inside of contract_shape",
    },
    "Each": {
        "bound": "the type Bound", "mark": "the type Mark",
        "no_mark": "the constant NO_MARK", "reading": "the type Reading",
        **dict.fromkeys(("mark_of_readings", "first_some", "marks_of"), "a loop"),
        "changes_nothing": "a function inside of check_each",
        "moves_nothing": "a function inside of check_shifts_each",
    },
}  # fmt: skip
PORTS: Mapping[str, ModuleType] = {
    "Programs": forms, "Checker": checker, "Motions": motions, "Shapes": form_shapes,
    "Each": entries,
}  # fmt: skip
#: The sections of files that hold meanings and proofs.
PROOFS: Mapping[str, tuple[str, ...]] = {
    "Shapes": ("Sizes", "Indices", "Labels", "Lines"),
    "Each": ("What they mean", "Following the axis is sound"),
}  # fmt: skip
DEFINITION = re.compile(r"^\s*(?:Definition|Fixpoint|Inductive|Record) (\w+)", re.MULTILINE)


def defined(name: str) -> set[str]:
    """The names that a file of Rocq defines, without its sections of proofs."""
    text = (sources() / f"{name}.v").read_text()
    sections = re.split(r"^\(\*\* \* (.*) \*\)$", text, flags=re.MULTILINE)
    headed = zip(["", *sections[1::2]], sections[::2], strict=True)
    return {n for head, part in headed if head not in PROOFS.get(name, ()) for n in DEFINITION.findall(part)}


def ported(module: ModuleType) -> set[str]:
    """The names of the functions, classes and methods of a module."""
    found = set[str]()
    for name, value in vars(module).items():
        if getattr(value, "__module__", "") == module.__name__:
            found.add(name)
            if inspect.isclass(value):
                found.update(n for n, v in vars(value).items() if inspect.isfunction(v) or hasattr(v, "func"))
    return found


@pytest.mark.parametrize("name", PORTS)
def test_every_definition_has_a_function_of_its_name(name: str) -> None:
    missing = defined(name) - ported(PORTS[name]) - WITHOUT_PORT[name].keys()
    assert not missing


@pytest.mark.parametrize("name", PORTS)
def test_the_table_names_nothing_else(name: str) -> None:
    assert WITHOUT_PORT[name].keys() <= defined(name)
    assert not WITHOUT_PORT[name].keys() & ported(PORTS[name])
