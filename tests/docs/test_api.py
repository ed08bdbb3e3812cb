"""The API page lists functions with types and examples that print what they say."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.rst"
#: Calls whose examples stand in a guide, because they need a test suite, a screen or a file.
IN_GUIDES = re.compile(r"eqvproof\.(testing|strategies|plots|domains)\.|review$")


def listed() -> list[str]:
    return re.findall(r"^\.\. autofunction:: (\S+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def named(name: str) -> Any:
    found: Any = ep
    for part in name.removeprefix("eqvproof.").split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("name", [name for name in listed() if not IN_GUIDES.search(name)])
def test_an_example_of_each_call_prints_what_it_says(name: str) -> None:
    function = named(name)
    own = vars(sys.modules[function.__module__])
    names = {"np": np, "ep": ep, function.__name__: function, **own}
    (example,) = doctest.DocTestFinder(recurse=False).find(function, name, globs=names)
    assert example.examples
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=report.append)
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize("name", listed())
def test_each_call_has_types(name: str) -> None:
    shown = inspect.signature(named(name))
    assert shown.return_annotation is not inspect.Signature.empty
    assert [p.name for p in shown.parameters.values() if p.annotation is p.empty] == []
