"""Installed libraries are traced as they are, but for what shows that they are no functions."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep

LIBRARY = """
import random, time
from random import random as draw
from time import monotonic
import numpy as np

START, _calls, TABLE, ROWS = time.time(), 0, {"n": 0}, []

def double(x): return 2 * x
def clock(x): return x if time.time() < START + 1e9 else np.cumsum(x)
def clock_by_name(x): return x if monotonic() > 0 else np.cumsum(x)
def clock_inside(x): return clock_by_name(x)
def draws(x): return x if draw() < 2 else np.cumsum(x)
def counts(x):
    global _calls
    _calls += 1
    return x if _calls < 10**6 else np.cumsum(x)
def counts_in_a_table(x):
    TABLE["n"] += 1
    return x if TABLE["n"] < 10**6 else np.cumsum(x)
def counts_in_a_list(x):
    ROWS.append(1)
    return x if len(ROWS) < 10**6 else np.cumsum(x)

class OfClass:
    n = 0
    def __call__(self, x):
        OfClass.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

class ByType(OfClass):
    def __call__(self, x):
        self.__class__.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

class Counter:
    def __init__(self): self.n = 0
    def __call__(self, x):
        self.n += 1
        return x if self.n < 10**6 else np.cumsum(x)

counter, of_class, by_type = Counter(), OfClass(), ByType()
def held(x): return counter(x)
"""
METADATA = "Metadata-Version: 2.1\nName: {0}\nVersion: 1.0\nRequires-Dist: numpy\n"
NAME = "eqvproof_installed_example"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A package that is installed as pip does it, and requires NumPy."""
    site = tmp_path_factory.mktemp("env") / "site-packages"
    (site / NAME).mkdir(parents=True)
    (site / NAME / "__init__.py").write_text(LIBRARY)
    info = site / f"{NAME}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA.format(NAME))
    (info / "RECORD").write_text(f"{NAME}/__init__.py,,\n")
    sys.path.insert(0, str(site))
    yield importlib.import_module(NAME)
    sys.path.remove(str(site))
    del sys.modules[NAME]


def test_a_function_is_proved(library: ModuleType) -> None:
    verdict = ep.prove(library.double, "x: n -> n", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


IMPURE = (
    "clock clock_by_name clock_inside draws counts counts_in_a_table counts_in_a_list of_class by_type"
    " counter held"
)


@pytest.mark.parametrize("name", IMPURE.split())
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_is_no_function_of_its_arguments_is_not_proved(
    library: ModuleType, name: str, wrapped: bool
) -> None:
    f = getattr(library, name)

    def through(x: Any) -> Any:
        return np.negative(f(x))

    assert ep.prove(through if wrapped else f, "x: n -> n", "S(n)").outcome == "UNDECIDED"
