"""Single steps of proofs, many of each rule: what is derived is true, what the package derives is derived.

A step says that a value moves as stated where its arguments do, each also multiplied by a power of the
determinant of g. Exact evaluation at g x and at x says whether that is so.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, islice, product
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.groups.families.linear import LINEAR
from eqvproof.claims.groups.kinds import Kind
from eqvproof.kernel import lines, report, rules
from eqvproof.kernel.acts import DUAL, UNI, dual, fixed, normal
from eqvproof.kernel.claims import Factor, axes, bind
from eqvproof.kernel.powers import NONE
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.rules.base import Setting
from eqvproof.kernel.shapes import check_shapes
from eqvproof.kernel.sizes import ONE, Size
from eqvproof.programs.rules import Stuck, Type
from eqvproof.programs.rules.acts import act_to_json
from eqvproof.programs.rules.acts import dual as package_dual
from tests.kernel.encoding import decoded
from tests.kernel.expressions import (
    cat,
    ein,
    eye,
    fn,
    iota,
    num,
    part,
    program,
    resh,
    size,
    unknown,
    var,
)
from tests.kernel.test_rules import candidates, setting, to_kernel
from tests.programs.rules.harness import AXES, MAKERS, Instance, each_kind
from tests.programs.rules.reference import determinant, equal, evaluate

COUNT = 8


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


def ways(instance: Instance, length: Any) -> list[Any]:
    """Acts of that size; under GL their duals, too."""
    found = candidates(instance, length)
    return found + [package_dual(a, LINEAR) for a in found if a is not None and instance.kind.has_dual]


@pytest.mark.parametrize("name", MAKERS)
@each_kind
def test_steps_are_true(name: str, kind: Kind) -> None:
    for seed in range(COUNT):
        rng = random.Random(f"{name} {type(kind).__name__} {seed}")
        instance = Instance(rng, MAKERS[name], kind)
        s = setting(instance)
        free = [seed % 2 == 1 and i not in instance.labels for i in range(len(instance.types))]
        powers = [rng.choice([0, 0, 1]) if may else 0 for may in free]
        stated = list(product(*(ways(instance, n) for n in instance.op.shape)))
        rng.shuffle(stated)
        wanted = []
        if not any(powers):
            try:
                wanted = instance.op.infer(instance.types, instance.context())
            except Stuck:
                wanted = []
        for type_ in wanted:
            assert derives(instance, type_, powers, 0, s), (instance.op, instance.types, type_)
        for type_ in [*islice(stated, 16), *wanted]:
            for power in (0, 1):
                if derives(instance, type_, powers, power, s):
                    said = (instance.op, instance.types, powers, type_, power)
                    assert is_true(instance, type_, powers, power), said


def test_duals_are_those_of_the_package() -> None:
    """The inverse transpose, of each kind of act."""
    report.allow_work(10**6)
    for act, length in AXES:
        if act is not None:
            both: list[Any] = lines.acts([act_to_json(a) for a in (act, package_dual(act, LINEAR))], "$",
                {})
            kernel_act, other = map(normal, both)
            assert dual(kernel_act) == other and dual(other) == kernel_act, length
    assert dual(UNI) == UNI


def matrices(family: str, n: int, seed: int) -> list[Any]:
    """Elements of a group on an axis of n entries, as arrays."""
    rng, found = random.Random(seed), []
    for _ in range(6):
        m = np.array([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)])
        q = np.linalg.qr(m)[0]
        q = q * np.sign(np.linalg.det(q)) if family == "SO" and n % 2 else q
        if family == "SO" and np.linalg.det(q) < 0:
            q[0] = -q[0]
        order = rng.sample(range(n), n)
        if family == "C":
            order = [*range(1, n), 0]
        p = np.eye(n)[order]
        if family == "A" and np.linalg.det(p) < 0:
            p[[0, 1]] = p[[1, 0]]
        signs = np.diag([rng.choice([-1.0, 1.0]) for _ in range(n)])
        sl = m / np.abs(np.linalg.det(m)) ** (1 / n)
        if np.linalg.det(sl) < 0:
            sl[0] = -sl[0]
        boost = np.eye(n)
        boost[:2, :2] = [[5 / 4, 3 / 4], [3 / 4, 5 / 4]]
        turn = np.eye(n)
        turn[1:, 1:] = np.linalg.qr(m[1:, 1:])[0]
        found.append({
            "O": q, "SO": q, "S": p, "A": p, "C": p, "Signs": signs, "B": p @ signs, "GL": m, "SL": sl,
            "Lorentz": boost @ turn, "O(1,2)": boost @ turn,
        }[family])  # fmt: skip
    return found


def alone(op: str, shape: list[int], family: str, n: int, **at: Any) -> Setting:
    """A leaf, and the group that may act on it."""
    report.allow_work(10**6)
    program = decoded({"inputs": [], "nodes": [{"op": op, "args": [], "shape": shape, **at}], "output": 0})
    check_shapes(program, {})
    return Setting(program, Factor(family, n), Size.of(n), {}, rules.zeros(program))


def moved(values: Any, g: Any, ways: tuple[int, ...]) -> Any:
    """An array with g applied along the axes with 1, its inverse transpose along those with 2."""
    for axis, way in enumerate(ways):
        matrix = (np.eye(values.shape[axis]), g, np.linalg.inv(g).T)[way]
        values = np.moveaxis(np.tensordot(matrix, values, (1, axis)), 0, axis)
    return values


ALIKE = ("O", "SO", "S", "A", "C", "Signs", "GL", "SL", "Lorentz", "O(1,2)", "B")
LEVI = ["0 0 0 0 0 1 0 -1 0", "0 0 -1 0 0 0 1 0 0", "0 1 0 -1 0 0 0 0 0"]
CONSTANTS: dict[str, tuple[list[int], str]] = {
    "ones": ([3], "3*1"), "a vector": ([3], "1 2 3"), "one of three": ([3], "0 0 1"),
        "identity": ([3, 3], "1 3*0 1 3*0 1"),
    "all ones": ([3, 3], "9*1"), "a diagonal": ([3, 3], "1 3*0 2 3*0 3"),
        "signs": ([3, 3], "1 3*0 -1 3*0 -1"),
    "a shift": ([3, 3], "0 1 0 0 0 1 1 0 0"), "a symmetric shift": ([3, 3], "0 1 1 1 0 1 1 1 0"),
        "volume": ([3, 3, 3], " ".join(LEVI)),
    "identity, twice": ([3, 3, 2], "2*1 6*0 2*1 6*0 2*1"), "identity, and twice it": ([3, 3, 2],
        "1 2 6*0 1 2 6*0 1 2"),
    "anything beside ones": ([2, 3], "3*1 3*2"), "anything": ([2, 3], "1 2 3 3 2 1"),
        "zeros": ([3, 3], "9*0"),
}  # fmt: skip
#: Which of them are kept along all axes of 3 entries, up to the power of the determinant that is said.
KEPT = {
    ("ones", "S", 0), ("ones", "A", 0), ("ones", "C", 0), ("all ones", "S", 0), ("all ones", "A", 0),
        ("all ones", "C", 0),
    ("identity", "S", 0), ("identity", "A", 0), ("identity", "C", 0), ("identity", "O", 0),
        ("identity", "SO", 0), ("identity", "Signs", 0),
    ("a diagonal", "Signs", 0), ("a shift", "C", 0), ("a symmetric shift", "S", 0),
        ("volume", "SO", 0), ("volume", "O", 1),
    ("volume", "SL", 0), ("volume", "GL", -1), ("signs", "Lorentz", 0), ("signs", "O(1,2)", 0),
        ("identity, twice", "O", 0), ("volume", "A", 0), ("volume", "S", 1),
    ("identity, and twice it", "S", 0), ("anything beside ones", "S", 0), ("volume", "Signs", 1),
}  # fmt: skip


@pytest.mark.parametrize("family", ALIKE)
def test_constants_that_a_group_keeps(family: str) -> None:
    about, elements = Factor(family, 3).about, matrices(family, 3, 1)
    for name, (shape, text) in CONSTANTS.items():
        s = alone("const", shape, family, 3, values=text)
        values = np.array([float(v) for v in s.program.nodes[0].at["values"]]).reshape(shape)
        for ways in product(*((0, 1, 2) if n == 3 else (0,) for n in shape)):
            if 2 in ways and about.kind != "lin":
                continue
            acts = (normal([[(Size.of(n), (False, True, DUAL)[w])]]) for n,
                w in zip(shape, ways, strict=True))
            stated = list(acts)
            for power in (-1, 0, 1):
                kept = all(
                    np.allclose(np.linalg.det(g) ** power * moved(values, g, ways), values) for g in elements
                )
                said = rules.derivable(0, [], (tuple(stated), (Size.of(power), ONE)), s)
                assert not said or kept, (name, ways, power)
                if all(w == (n == 3) for n, w in zip(shape, ways, strict=True)) and (name, family,
                    power) in KEPT:
                    assert said, (name, power)
        if shape == [3, 3, 2] and family in ("O", "SO"):
            act: Any = normal([[(Size.of(3), True)]])
            assert rules.derivable(0, [], ((act, act, UNI), NONE), s) == (name == "identity, twice")
        for k in range(len(shape)):  # constant along an axis
            uni: Any = tuple(UNI if a == k else fixed(Size.of(n)) for a, n in enumerate(shape))
            wanted = np.allclose(values, np.take(values, [0], axis=k)) or not values.any()
            assert rules.derivable(0, [], (uni, NONE), s) == wanted, (name, k)


@pytest.mark.parametrize("family", [*ALIKE, "Sp", "U", "SU"])
@pytest.mark.parametrize("signs", [True, False])
def test_matrices_of_forms(family: str, signs: bool) -> None:
    """diag(1, -1, ...) is kept by the Lorentz group alone, [[0, I], [-I, 0]] by Sp, U and SU."""
    n = 2 if family in ("U", "SU") else 4
    s = alone("form", [4, 4], family, 4, signs=signs)
    about = Factor(family, n).about
    good = family == "Lorentz" if signs else family in ("Sp", "U", "SU")
    std, other, still = (normal([[(Size.of(4), way)]]) for way in (True, DUAL, False))
    for stated in product((std, other, still, UNI), repeat=2):
        if other in stated and about.kind != "lin":
            continue
        kept = stated == (still, still) or (good and stated in ((std, std), (other, other)))
        assert rules.derivable(0, [], (stated, NONE), s) == kept, stated
    if not signs:
        with pytest.raises(Rejected):
            alone("form", [3, 3], family, 3, signs=False)
    odd = [[1, []], [2, ["n"]]]
    node = {"op": "form", "args": [], "shape": [odd, odd], "signs": signs}
    graph = decoded({"inputs": [], "nodes": [node], "output": 0})
    if signs:
        check_shapes(graph, {"n": 1})
    else:
        with pytest.raises(Rejected):
            check_shapes(graph, {"n": 1})
    for wrong in (0, 1, None, "true"):
        with pytest.raises(Rejected):
            alone("form", [4, 4], family, 4, signs=wrong)
    for shape in ([4, 2], [4], [4, 4, 4]):
        with pytest.raises(Rejected):
            alone("form", shape, family, 4, signs=signs)


def test_what_is_zero() -> None:
    """A product of zeros is 0 where the other factors are defined everywhere; sums and parts of zeros are."""
    x = var("x", "n")
    zero, one = num("0"), num("1")
    zeros = ein("->a", zero, a="n")
    good = [
        zeros, ein("a,->a", zeros, one), zeros + zeros,
            part(cat(0, [[2, ["n"]]], zeros, zeros), 0, 0, "n"), resh(zeros, "n1"),
        ein("a,->a", zeros, size("n")), zeros * iota("n"), ein("ab,a->b", eye("n"), zeros),
            (zeros + zeros) * zeros,
    ]  # fmt: skip
    bad = [
        zeros + x, zeros * x, zeros * fn("recip", zeros), cat(0, [[2, ["n"]]], zeros, x), fn("exp", zeros),
            iota("n"),
        zeros + ein("->a", one, a="n"), fn("recip", zeros) * zeros, eye("n"), zeros * fn("log", x),
            zeros * unknown("g", "n"),
    ]  # fmt: skip
    for value, wanted in [(v, True) for v in good] + [(v, False) for v in bad]:
        graph = decoded(program(value, {"x": "n"}))
        assert (graph.output in rules.zeros(graph)) == wanted, value


@pytest.mark.parametrize("op", [op for op in rules.RULES if op not in ("input", "parameter")])
def test_numbers_of_arguments(op: str) -> None:
    """One less than the fewest, one more than the most, and for each function another number than its own."""
    rule = rules.RULES[op]
    some: dict[str, Any] = {
        "values": "1", "size": 1, "offset": None, "signs": True, "inputs": [], "output": [], "axes": [],
            "axis": 0,
        "places": [], "name": "g", "symmetry": None,
    }  # fmt: skip
    at = {k: some[k] for k in rule.attributes if k != "fn"}
    wanted = [(fn_, count) for fn_, count in (rule.functions or {"": rule.arguments[0]}).items()]
    for fn_, count in wanted if rule.functions else [("", k) for k in (rule.arguments[0], rule.arguments[1])]:
        if "fn" in rule.attributes:
            at["fn"] = fn_ or "max"
        for number in {count - 1, count, count + 1} - {-1}:
            good = number == count if rule.functions else rule.arguments[0] <= number <= rule.arguments[1]
            node = {"op": op, "args": [0] * number, "shape": [], **at}
            nodes = [{"op": "size", "args": [], "shape": [], "size": 1}] * (number > 0)
            data = {"inputs": [], "nodes": [*nodes, node], "output": len(nodes)}
            report.allow_work(10**6)
            if good:
                decoded(data)
                continue
            with pytest.raises(Rejected, match="number of arguments"):
                decoded(data)


@pytest.mark.parametrize("family", ["S", "O", "Signs", "GL"])
def test_functions_entry_by_entry_of_which_nothing_else_is_known(family: str) -> None:
    """They commute with permutations of the entries, the same for all arguments."""
    report.allow_work(10**6)
    x, y = var("x", "an"), var("y", "an")
    value = unknown("g", "an", x, y)
    data = program(value, {"x": "an", "y": "an"})
    data["nodes"][-1]["symmetry"] = "entries"
    graph = decoded(data)
    check_shapes(graph, {"a": 1, "n": 1})
    s = Setting(graph, Factor(family, "a"), Size.of("a"), {"a": 1, "n": 1})
    std, still, n = (normal([[(Size.of(k), way)]]) for k, way in (("a", True), ("a", False), ("n", False)))
    acts: tuple[Any, ...] = (std, still, UNI)
    for a, b, out in product(acts, repeat=3):
        said = rules.derivable(2, [((a, n), NONE), ((b, n), NONE)], ((out, n), NONE), s)
        unmoved = std not in (a, b) and out == still
        alike = {a, b} - {UNI} in (set(), {out}) or (UNI in (a, b) and {a, b} == {UNI, out})
        if family == "S" and not unmoved and not (a == b == UNI):
            assert said == (alike and out != UNI), (a, b, out)
        elif not (a == b == UNI):
            assert said == unmoved, (a, b, out)
    for args, shape in (([], ["a"]), ([0], ["n", "a"]), ([0], ["a"])):
        with pytest.raises(Rejected):
            node = {"op": "opaque", "args": args, "shape": shape, "name": "g", "symmetry": "entries"}
            wrong = decoded({**data, "nodes": [*data["nodes"][: len(args)], node], "output": len(args)})
            check_shapes(wrong, {"a": 1, "n": 1})


SHIFTS = [
    (0, [1]), (1, [1]), (0, [-1]), (0, [1, 1]), (2, [1, -1]), (0, [2, -1]), (0, [1, 0]), (0, [2]),
    (0, [1, 1, -1]),
]  # fmt: skip


@pytest.mark.parametrize(("start", "steps"), SHIFTS)
@pytest.mark.parametrize("family", ["C", "S"])
def test_places_that_go_round(start: int, steps: list[int], family: str) -> None:
    """Under shifts what is derived is what holds at size 7; under all permutations nothing is mixed."""
    report.allow_work(10**6)
    shape = ["n"] * len(steps)
    nodes = [
        {"op": "input", "args": [], "shape": ["n"], "name": "x"},
        {"op": "read", "args": [0], "shape": shape, "places": [[start, steps, True]]},
    ]
    graph = decoded({"inputs": [{"name": "x", "shape": ["n"]}], "nodes": nodes, "output": 1})
    check_shapes(graph, {"n": 1})
    s = Setting(graph, Factor(family, "n"), Size.of("n"), {"n": 1})
    std, still = (normal([[(Size.of("n"), way)]]) for way in (True, False))
    x = np.arange(7) ** 2
    grid = np.indices([7] * len(steps))
    at = (start + sum(k * g for k, g in zip(steps, grid, strict=True))) % 7
    for act in (std, still, UNI):
        given_ = np.roll(x, 1) if act == std else x
        for stated in product((std, still), repeat=len(steps)):
            along = [k for k, t in enumerate(stated) if t == std]
            moved_ = np.roll(x[at], 1, axis=along) if along else x[at]
            holds = act == UNI or np.array_equal(given_[at], moved_)
            said = rules.derivable(1, [((act,), NONE)], (stated, NONE), s)
            if act == UNI or (family == "C" and (act == std or along)):
                assert said == holds, (act, stated)
            elif act == still:
                assert said == (not along), stated
            else:
                assert not said, stated


def test_what_the_axes_of_an_assumed_symmetry_stand_for() -> None:
    """An axis that is one name, once, is its size; all others have the sizes that follow."""
    report.allow_work(10**6)
    d, n, three, four, six = (Size.of(v) for v in ("d", "n", 3, 4, 6))
    a, b, twice, both, literal = axes(
        [[[1, "a", ""]], [[1, "b", ""]], [[2, "a", ""]], [[1, "a", ""], [1, "b", ""]], [[3, None, ""]]], "$"
    )
    for rows, shapes, bound in (
        ([[a, b], [a]], [[d, n], [d]], {"a": d, "b": n}),
        ([[a, literal], [literal]], [[d, three], [three]], {"a": d}),
        ([[twice], [a]], [[six], [three]], {"a": three}),
        ([[both, a], [b]], [[d + n, d], [n]], {"a": d, "b": n}),
        ([[a], [a]], [[d], [n]], None), ([[twice]], [[six]], None), ([[twice], [a]], [[six], [four]], None),
        ([[both], [a]], [[d + n], [d]], None), ([[both], [a]], [[d + Size.of("b")], [d]], None),
            ([[literal]], [[four]], None), ([[a, b]], [[d]], None),
        ([[a]], [[d], [d]], None), ([[a, literal], [a]], [[d, three], [n]], None),
    ):  # fmt: skip
        found = dict[str, Size]()
        good = [*map(len, rows)] == [*map(len, shapes)] and bind([*chain(*rows)], [*chain(*shapes)], found)
        assert (found if good else None) == bound


def test_determinants_of_what_moves_on_both_sides() -> None:
    """det(g X h^T) = det(g) det(h) det(X) under GL."""
    report.allow_work(10**6)
    x = {"op": "input", "args": [], "shape": ["a", "a"], "name": "x"}
    det = {"op": "matrix_function", "args": [0], "shape": [], "fn": "det"}
    graph = decoded({"inputs": [{"name": "x", "shape": ["a", "a"]}], "nodes": [x, det], "output": 1})
    s = Setting(graph, Factor("GL", "a"), Size.of("a"), {"a": 1})
    std, other, still = (normal([[(Size.of("a"), way)]]) for way in (True, DUAL, False))
    weight = {std: 1, other: -1, still: 0}
    for rows, columns in product(weight, repeat=2):
        for power in range(-3, 4):
            conclusion = ((), (Size.of(power), ONE))
            said = rules.derivable(1, [((rows, columns), NONE)], conclusion, s)
            assert said == (power == weight[rows] + weight[columns])
