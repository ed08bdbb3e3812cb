"""Where a function of `math` has no value, it raises; other errors are the function's own."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from eqvproof.tracing.observing.outside_domain import is_outside_domain

logarithm = math.log


def by_an_attribute(x: float) -> Any:
    return math.log(x)


def by_a_global_name(x: float) -> Any:
    return logarithm(x)


def by_a_local_name(x: float) -> Any:
    root = math.sqrt
    return [root(y) for y in [x]]


def by_an_import(x: float) -> Any:
    from math import gamma

    return gamma(x)


def of_complex_numbers(x: float) -> Any:
    return cmath.log(0 * x)


def entry_by_entry(x: float) -> Any:
    return np.vectorize(math.log)(np.array([x]))


def mapped(x: float) -> Any:
    return list(map(math.log, [x]))


NAMED = by_an_attribute, by_a_global_name, by_a_local_name, by_an_import, of_complex_numbers


@pytest.mark.parametrize("f", [*NAMED, entry_by_entry, mapped])
def test_functions_of_math_have_domains(f: Callable[[float], Any]) -> None:
    with pytest.raises(ValueError) as caught:
        f(-1.0)
    assert is_outside_domain(caught.value)


def raised_on_purpose(x: float) -> Any:
    if math.exp(x) < 1:
        raise ValueError("math domain error")


def of_a_text(x: float) -> Any:
    return int(f"{x} apples")


def of_shapes(x: float) -> Any:
    scale = math.exp(x)
    return np.zeros(3).reshape(2, 2) * scale


@pytest.mark.parametrize("f", [raised_on_purpose, of_a_text, of_shapes])
def test_other_errors_are_not_of_math(f: Callable[[float], Any]) -> None:
    with pytest.raises(ValueError) as caught:
        f(-1.0)
    assert not is_outside_domain(caught.value)
    assert not is_outside_domain(None)
