"""Single steps of proofs, many of each rule: what is derived is true, what the package derives is derived.

A step says that a value moves as stated where its arguments do, each also multiplied by a power of the
determinant of g. Exact evaluation at g x and at x says whether that is so.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest

from eqvproof.kernel import rules
from eqvproof.kernel.powers import NONE
from eqvproof.kernel.rules.base import Setting
from eqvproof.kernel.sizes import ONE, Size
from eqvproof.rules import Kind, Stuck, Type
from tests.kernel.test_rules import candidates, setting, to_kernel
from tests.rules.harness import MAKERS, Instance
from tests.rules.reference import determinant, equal, evaluate

COUNT = 14


def derives(instance: Instance, stated: Type, powers: list[int], power: int, s: Setting) -> bool:
    """Whether the kernel derives a type and power of the operation."""
    node = s.program.nodes[s.program.output]
    shapes = [s.program.nodes[a].shape for a in node.args]
    types = [to_kernel(instance.types[a], n, s) for a, n in zip(instance.op.args, shapes, strict=True)]
    wanted = to_kernel(stated, node.shape, s)
    if wanted is None:
        return False
    premises = []
    for a, t in zip(instance.op.args, types, strict=True):
        if t is None:
            return False
        premises.append((t, (Size.of(powers[a]), ONE)))
    conclusion = (wanted, (Size.of(power), ONE) if power else NONE)
    return rules.derivable(s.program.output, premises, conclusion, s)


def is_true(instance: Instance, stated: Type, powers: list[int], power: int) -> bool:
    """Whether the value at g x is what the type and the power say."""
    chi = determinant(instance.rho)
    plain = evaluate(instance.op, [instance.values[a] for a in instance.op.args], instance.sizes)
    moved = []
    for i, (value, type_) in enumerate(zip(instance.values, instance.types, strict=True)):
        found = instance.move(value, type_)
        moved.append(instance.relabelled(found) if i in instance.labels else times(found, chi ** powers[i]))
    at = evaluate(instance.op, [moved[a] for a in instance.op.args], instance.sizes)
    if not equal(at, times(instance.move(plain, stated), chi**power)):
        return False
    first = [np.repeat(np.take(plain, [0], axis=k), plain.shape[k], axis=k) for k in range(plain.ndim)]
    return all(equal(f, plain) for f, act in zip(first, stated, strict=True) if act is None)


def times(value: object, factor: Fraction) -> object:
    """All defined entries multiplied."""
    found = np.asarray(value, dtype=object).copy()
    for index in np.ndindex(found.shape):
        found[index] = None if found[index] is None else found[index] * factor
    return found


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("kind", list(Kind), ids=lambda k: k.value)
def test_steps_are_true(name: str, kind: Kind) -> None:
    for seed in range(COUNT):
        rng = random.Random(f"{name} {kind} {seed}")
        instance = Instance(rng, MAKERS[name], kind)
        s = setting(instance)
        free = [seed % 2 == 1 and i not in instance.labels for i in range(len(instance.types))]
        powers = [rng.choice([0, 0, 1]) if may else 0 for may in free]
        stated = list(product(*(candidates(instance, n) for n in instance.op.shape)))
        rng.shuffle(stated)
        wanted = []
        if not any(powers):
            try:
                wanted = instance.op.infer(instance.types, instance.context())
            except Stuck:
                wanted = []
        for type_ in wanted:
            assert derives(instance, type_, powers, 0, s), (instance.op, instance.types, type_)
        for type_ in [*islice(stated, 8), *wanted]:
            for power in (0, 1) if any(powers) else (0,):
                if derives(instance, type_, powers, power, s):
                    said = (instance.op, instance.types, powers, type_, power)
                    assert is_true(instance, type_, powers, power), said
