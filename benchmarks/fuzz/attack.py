"""Attacks on verdicts: exact evaluation at random and structured points, and a second evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from eqvproof.claims.groups import (
    Element,
    Group,
    act,
    act_on_argument,
    is_trivial,
    random_element,
    simple_elements,
)
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.compare_arrays import Relation, compare_exact
from eqvproof.engines.search.inputs import Points
from eqvproof.numbers import ExactSignal, Undefined
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact
from tests.programs.evaluate.reference import Unclear
from tests.programs.evaluate.reference import evaluate as evaluate_again

Inputs = Mapping[str, Any]
Evaluate = Callable[[Inputs, Mapping[str, int]], Any]


def points(signature: Signature, sizes: Mapping[str, int], rng: random.Random, count: int) -> list[Inputs]:
    """Structured points with small entries, and random ones."""
    made = Points(signature, sizes, (3, 5, 7))
    structured = made.structured(rng, 40)
    chosen = [rng.choice(structured) for _ in range(count // 2)]
    return [*chosen, *(made.random(rng) for _ in range(count - len(chosen) - 1)), made.generic(rng)]


def elements(group: Group, sizes: Mapping[str, int], rng: random.Random) -> list[Element]:
    """For each factor a simple element and a random one."""
    found = []
    for factor in group.factors:
        size = factor.size(sizes)
        if not is_trivial(factor, size):
            found += [
                rng.choice(list(islice(simple_elements(factor, size), 5))),
                random_element(factor, size, rng),
            ]
    return found


def moved(signature: Signature, element: Element, inputs: Inputs, sizes: Mapping[str, int]) -> dict[str, Any]:
    """g x."""
    return {a.name: act_on_argument(element, inputs[a.name], a, sizes) for a in signature.inputs}


def violation(
    evaluate: Evaluate, signature: Signature, group: Group, sizes: Mapping[str, int], rng: random.Random,
    count: int = 8,
) -> tuple[Element, Inputs] | None:  # fmt: skip
    """A point and an element at which f(g x) is not g f(x), by exact evaluation; None: none was found."""
    for inputs in points(signature, sizes, rng, count):
        for element in elements(group, sizes, rng):
            try:
                at = evaluate(inputs, sizes)
                left = evaluate(moved(signature, element, inputs, sizes), sizes)
                known = signature.output_sizes(at.shape, sizes)
                right = np.asarray(act(element, at, signature.output, known), dtype=object)
            except (ExactSignal, Unclear):
                continue
            if compare_exact(left, right, at).relation is Relation.DIFFERENT:
                return element, inputs
    return None


def difference(
    first: Evaluate, second: Evaluate, signature: Signature, sizes: Mapping[str, int], rng: random.Random,
    count: int = 12,
) -> Inputs | None:  # fmt: skip
    """A point at which two functions differ, by exact evaluation."""
    for inputs in points(signature, sizes, rng, count):
        try:
            left, right = first(inputs, sizes), second(inputs, sizes)
        except ExactSignal:
            continue
        if compare_exact(left, right, left).relation is Relation.DIFFERENT:
            return inputs
    return None


def of_program(program: Program) -> Evaluate:
    """A Program in exact arithmetic."""
    return lambda inputs, sizes: evaluate_exact(program, dict(inputs), dict(sizes))


def recomputed(
    program: Program, signature: Signature, element: Element, inputs: Inputs, sizes: Mapping[str, int]
) -> str:
    """Whether the sides differ by the second evaluation: "different", "equal", or "unclear"."""
    try:
        at = evaluate_again(program, inputs, sizes)
        left = evaluate_again(program, moved(signature, element, inputs, sizes), sizes)
    except (Unclear, OverflowError, ZeroDivisionError):
        return "unclear"
    known = signature.output_sizes(at.shape, sizes)
    defined = all(v is not None for v in at.flat)
    if not element.kind.permutes and not defined:
        return "unclear"
    right = np.asarray(act(element, at, signature.output, known), dtype=object)
    unclear = False
    for a, b in zip(left.flat, right.flat, strict=True):
        if (a is None) != (b is None):
            return "different"
        if a is None:
            continue
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            if a != b:
                return "different"
        elif abs(_mp(a) - _mp(b)) > 1e-40 * (1 + abs(_mp(a))):
            return "different"
        else:
            unclear = True
    return "unclear" if unclear else "equal"


def _mp(x: Any) -> Any:
    import mpmath

    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


__all__ = ["Undefined", "difference", "of_program", "recomputed", "violation"]
