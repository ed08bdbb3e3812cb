"""The rules of the kernel against exact evaluation, and against those of the package, on random instances."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups.families.permutations import PERMUTATIONS
from eqvproof.claims.groups.kinds import Kind
from eqvproof.kernel import claims, lines, report, rules
from eqvproof.kernel.acts import act_size as act_size
from eqvproof.kernel.acts import normal, proper
from eqvproof.kernel.powers import NONE
from eqvproof.kernel.rules.base import Setting
from eqvproof.kernel.rules.base import Type as TheirType
from eqvproof.kernel.shapes import check_shapes
from eqvproof.kernel.sizes import Size
from eqvproof.programs import Size as TheirSize
from eqvproof.programs import operations as ops
from eqvproof.programs.program import node_to_json
from eqvproof.programs.rules import Stuck, Type
from eqvproof.programs.rules.acts import act_to_json, canonical, fix, std
from tests import readings
from tests.kernel.corpus import factor
from tests.kernel.encoding import decoded
from tests.programs.rules.harness import AXES, KINDS, MAKERS, Instance, each_kind
from tests.sampling import examples

LOWS = {"a": 1, "k": 1}


def setting(instance: Instance, family: str = "") -> Setting:
    """The operation of an instance as a kernel's program, its arguments as inputs."""
    report.allow_work(10**6)
    inputs = [
        {"name": f"x{i}", "shape": [s.to_json() for s in shape]} for i, shape in enumerate(instance.shapes)
    ]
    nodes: list[Any] = [{"op": "input", "args": [], **i} for i in inputs]
    used = sorted(set(instance.op.args))
    kept = [nodes[i] for i in used]
    kept.append({**node_to_json(instance.op)[0], "args": [used.index(a) for a in instance.op.args]})
    program = decoded({"inputs": inputs, "nodes": kept, "output": len(kept) - 1})
    check_shapes(program, LOWS)
    what = claims.Factor(family or instance.family, "a")
    labels = frozenset(used.index(i) for i in instance.labels if i in used)
    return Setting(program, what, Size.of("a"), LOWS, rules.zeros(program), labels=labels)


def to_kernel(type_: Type, shape: tuple[Size, ...], s: Setting) -> TheirType | None:
    """A type as the kernel reads it; None when it does not fit the shape."""
    read = lines.acts([act_to_json(a) for a in type_], "$", {})
    if not all(isinstance(a, str) or proper(a, s.standard, LOWS) for a in read):
        return None
    acts = tuple(a if isinstance(a, str) else normal(a) for a in read)
    fits = len(acts) == len(shape) and all(
        isinstance(a, str) or act_size(a) == n for a, n in zip(acts, shape, strict=True)
    )
    return acts if fits else None


def follows(index: int, premises: list[TheirType], stated: TheirType, s: Setting) -> bool:
    """Whether the kernel derives the type, all powers of the character 0."""
    return rules.derivable(index, [(p, NONE) for p in premises], (stated, NONE), s)


def derives(instance: Instance, stated: Type, s: Setting) -> bool:
    """Whether the kernel derives a type of the operation."""
    index = s.program.output
    node = s.program.nodes[index]
    shapes = [tuple(s.program.nodes[a].shape) for a in node.args]
    premises = [to_kernel(instance.types[a], n, s) for a, n in zip(instance.op.args, shapes, strict=True)]
    wanted = to_kernel(stated, node.shape, s)
    if wanted is None or any(p is None for p in premises):
        return False
    return follows(index, [p for p in premises if p is not None], wanted, s)


def candidates(instance: Instance, size: TheirSize) -> list[Any]:
    """Acts of that size."""
    a, k = TheirSize.of("a"), TheirSize.of("k")
    acts = [act for act, n in AXES if n == size and act is not None]
    acts += [
        act
        for t, shape in zip(instance.types, instance.shapes, strict=True)
        for act, n in zip(t, shape, strict=True)
        if n == size and act is not None
    ]
    acts += [canonical([[(a, True)], [(k, False)]]), canonical([[(k, False)], [(a, True)]])] * (size == a + k)
    acts += [canonical([[(a, True)], [(a, True)], [(a, True)]])] * (size == a * 3)
    acts += [canonical([[(a, True), (a, True)]]), canonical([[(a, False), (a, True)]])] * (size == a * a)
    return [None, fix(size), *([std(a)] if size == a else []), *acts]


@each_kind
@pytest.mark.parametrize("name", MAKERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(120), deadline=None)
def test_no_derivable_type_is_wrong(name: str, kind: Kind, seed: int) -> None:
    rng = random.Random(seed)
    instance = Instance(rng, MAKERS[name], kind)
    s = setting(instance)
    for _ in range(6):
        stated = tuple(rng.choice(candidates(instance, n)) for n in instance.op.shape)
        if derives(instance, stated, s):
            assert instance.violation(lambda *_, t=stated: [t]) == ""


@each_kind
@pytest.mark.parametrize("name", MAKERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(120), deadline=None)
def test_the_kernel_follows_the_rules_of_the_package(name: str, kind: Kind, seed: int) -> None:
    instance = Instance(random.Random(seed), MAKERS[name], kind)
    s = setting(instance)
    try:
        results = instance.op.infer(instance.types, instance.context())
    except Stuck:
        return
    for result in results:
        assert derives(instance, result, s), (instance.op, instance.types, result)


def test_most_stated_types_are_refused_and_some_derived() -> None:
    """Positive control of the first test."""
    derived = refused = 0
    for seed in range(300):
        for kind in KINDS:
            for name in MAKERS:
                rng = random.Random(seed)
                instance = Instance(rng, MAKERS[name], kind)
                stated = tuple(rng.choice(candidates(instance, n)) for n in instance.op.shape)
                if derives(instance, stated, setting(instance)):
                    derived += 1
                else:
                    refused += 1
        if derived > 300 and refused > 300:
            return
    pytest.fail(f"{derived} derived, {refused} refused")


def test_a_roll_commutes_with_cyclic_shifts_only() -> None:
    a = TheirSize.of("a")

    def make(i: Instance) -> ops.Operation:
        return readings.roll((i.argument([(std(a), a)]),), (a,), 0, 1)

    instance = Instance(random.Random(1), make, PERMUTATIONS)
    assert derives(instance, (std(a),), setting(instance, "C"))
    assert not derives(instance, (std(a),), setting(instance, "S"))
    assert not derives(instance, (std(a),), setting(instance, "A"))


def _assuming(group: list[Any], inputs: list[Any], output: list[Any], family: str, where: Any = "d") -> Any:
    nodes = [
        {"op": "input", "args": [], "shape": ["d", "n"], "name": "x"},
        {
            "op": "opaque",
            "args": [0],
            "shape": ["d", "n"],
            "name": "g",
            "symmetry": {"inputs": inputs, "output": output, "group": group},
        },
    ]
    report.allow_work(10**6)
    program = decoded(
        {"inputs": [{"name": "x", "shape": ["d", "n"]}], "nodes": nodes, "output": 1}
    )
    return Setting(program, claims.Factor(family, where), Size.of(where), {"d": 1, "n": 1}, frozenset())


report.allow_work(10**6)
D, N = [[1, "d", ""]], [[1, "n", ""]]
DX = [[1, "d", "!"]]
ACTED, FREE = normal([[(Size.of("d"), True)]]), normal([[(Size.of("n"), False)]])
STILL = normal([[(Size.of("d"), False)]])


@pytest.mark.parametrize(
    ("assumed", "family", "good"),
    [("O", f, True) for f in ("O", "SO", "S", "A", "C", "Signs")]
    + [("SO", "SO", True), ("SO", "A", True), ("SO", "S", False), ("SO", "O", False), ("SO", "C", False)]
    + [("S", "A", True), ("S", "C", True), ("S", "O", False), ("S", "Signs", False), ("A", "C", False)]
    + [
        ("C", "A", False),
        ("Signs", "Signs", True),
        ("Signs", "S", False),
        ("A", "S", False),
        ("C", "C", True),
    ],
)
def test_an_assumed_symmetry_serves_subgroups_only(assumed: str, family: str, good: bool) -> None:
    s = _assuming([factor(f"{assumed}(d)")], [[D, N]], [D, N], family)
    assert follows(1, [(ACTED, FREE)], (ACTED, FREE), s) is good
    assert (1 in s.assumed) is good


def test_an_assumed_symmetry_is_used_as_declared() -> None:
    s = _assuming([factor("O(d)")], [[D, N]], [DX, N], "O")
    assert follows(1, [(ACTED, FREE)], (STILL, FREE), s)
    assert not follows(1, [(ACTED, FREE)], (ACTED, FREE), s)
    assert not follows(1, [(ACTED, FREE)], (STILL, "uni"), s)
    assert follows(1, [(STILL, FREE)], (STILL, FREE), s)
    assert not follows(1, [("uni", FREE)], (ACTED, FREE), s)
    other = _assuming([factor("O(n)")], [[D, N]], [D, N], "O")
    assert not follows(1, [(ACTED, FREE)], (ACTED, FREE), other)
    renamed = _assuming([factor("O(u)")], [[[[1, "u", ""]], D]], [[[1, "u", ""]], D], "O")
    assert follows(1, [(ACTED, FREE)], (ACTED, FREE), renamed)


def test_an_assumed_symmetry_must_fit_the_shapes() -> None:
    square = _assuming([factor("O(d)")], [[D, D]], [D, N], "O")
    assert not follows(1, [(ACTED, FREE)], (ACTED, FREE), square)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("square", [True, False])
def test_shifts_of_columns_commute_where_they_make_a_circulant(sign: int, square: bool) -> None:
    """x[i + j] shifted along i is x shifted along j as well; x[i - j], or fewer columns, are not."""
    a, k = TheirSize.of("a"), TheirSize.of("k")
    count = a if square else k

    def make(i: Instance) -> ops.Operation:
        return readings.circulant((i.argument([(std(a), a)]),), (a, count), sign)

    s = setting(instance := Instance(random.Random(1), make, PERMUTATIONS), "C")
    assert derives(instance, (std(a), fix(count)), s)
    if square:
        assert derives(instance, (fix(a), std(a)), s) is (sign == 1)
        assert not derives(instance, (std(a), std(a)), s)
