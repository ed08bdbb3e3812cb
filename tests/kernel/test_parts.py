"""Sizes, shapes and how data are read, one by one; near misses beside what is right."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.kernel import (
    claims,
    constant_atoms,
    elements,
    generators,
    indices,
    membership,
    orbits,
    report,
    rewriting,
    space,
)
from eqvproof.kernel import text as reading
from eqvproof.kernel.exact import three_digits
from eqvproof.kernel.groups import FAMILIES
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.normal_forms import Forms, Head, Labels, Piece
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import Size, is_nonnegative
from eqvproof.kernel.tensors import Tensor
from eqvproof.support.errors import ExportError
from tests import readings
from tests.kernel.encoding import at_all_sizes

report.allow_work(10**6)
N, K, TWO = Size.of("n"), Size.of("k"), Size.of(2)
NK = N + K
LOWS = {"n": 1, "k": 1}


def at(size: Size, **values: int) -> int:
    """The integer that a size is."""
    total = 0
    for names, c in size.terms:
        for name in names:
            c *= values[name]
        total += c
    return total


sizes = st.builds(
    lambda pairs: Size.collect([(tuple(sorted(names)), c) for names, c in pairs]),
    st.lists(st.tuples(st.lists(st.sampled_from("nk"), max_size=3), st.integers(-4, 4)), max_size=4),
)


@given(sizes, sizes, st.integers(1, 4), st.integers(1, 4))
def test_arithmetic_of_sizes(a: Size, b: Size, n: int, k: int) -> None:
    report.allow_work(10**6)
    assert at(a + b, n=n, k=k) == at(a, n=n, k=k) + at(b, n=n, k=k)
    assert at(a - b, n=n, k=k) == at(a, n=n, k=k) - at(b, n=n, k=k)
    assert at(a * b, n=n, k=k) == at(a, n=n, k=k) * at(b, n=n, k=k)
    assert at(a.substitute({"n": b}), n=n, k=k) == at(a, n=at(b, n=n, k=k), k=k)
    quotient = a.divide(b)
    assert quotient is None or quotient * b == a
    assert (a * b).divide(b) is not None or len(b.terms) != 1
    if is_nonnegative(a, {"n": n, "k": k}):
        assert all(at(a, n=p, k=q) >= 0 for p in range(n, n + 4) for q in range(k, k + 4))
    assert (a == b) == all(at(a, n=p, k=q) == at(b, n=p, k=q) for p in range(1, 8) for q in range(1, 8))
    constant = a.constant
    assert constant is None or a == Size.of(constant)
    assert (constant is None) == bool(a.names)


def test_division_and_order_of_sizes() -> None:
    assert (N * TWO).divide(N) == TWO and (N * TWO).divide(TWO) == N
    assert N.divide(TWO) is None and NK.divide(N) is None and NK.divide(NK) == Size.of(1)
    assert (NK * NK).divide(NK) is None and Size.of(0).divide(N) == Size.of(0)
    assert Size.of(0).divide(Size.of(0)) is None
    assert is_nonnegative(N - Size.of(2), {"n": 2}) and not is_nonnegative(N - Size.of(2), {"n": 1})
    assert is_nonnegative(N * K - Size.of(1), {"n": 1, "k": 1}) and not is_nonnegative(
        N - K, {"n": 1, "k": 1}
    )
    assert not is_nonnegative(N, {}) and not is_nonnegative(K - K + N, {"k": 1})
    assert str(N * K - N + TWO) == "k n - n + 2" and str(Size.of(0)) == "0" and str(Size.of(0) - N) == "- n"




# -- shapes ----------------------------------------------------------------------------------------------


def shape_of(
    op: str, args: list[list[Any]], shape: list[Any], lows: dict[str, int] | None = None, **more: Any
) -> bool:
    """Whether an operation on inputs of these shapes has that shape."""
    inputs = [{"name": f"x{i}", "shape": s} for i, s in enumerate(args)]
    op, more = readings.written(op, args[0] if args else [], **more)
    nodes: list[Any] = [{"op": "input", "args": [], **i} for i in inputs]
    nodes.append({"op": op, "args": list(range(len(args))), "shape": shape, **more})
    program = {"inputs": inputs, "nodes": nodes, "output": len(args)}
    try:
        at_all_sizes(program, LOWS if lows is None else lows)
    except (Rejected, ExportError):
        return False
    return True


RIGHT: list[tuple[str, list[list[Any]], list[Any], dict[str, Any]]] = [
    ("const", [], [2], {"values": ["1", "2"]}),
    ("const", [], [], {"values": ["1"]}),
    ("const", [], [0, 3], {"values": []}),
    ("size", [], [], {"size": "n"}),
    ("indicator", [], ["n", "n"], {}),
    ("indicator", [["k"]], ["k", "n"], {}),
    ("indicator", [[]], [3], {}),
    ("indicator", [], ["n", "k"], {"offset": 0}),
    ("iota", [], ["n"], {}),
    ("einsum", [["n", "k"], ["k"]], ["n", 5], {"inputs": [[0, 1], [1]], "output": [0, 2]}),
    ("add", [["n"], ["n"]], ["n"], {}),
    ("map", [], [], {"fn": "pi"}),
    ("map", [["n"]], ["n"], {"fn": "exp"}),
    ("map", [["n"], ["n"]], ["n"], {"fn": "pow"}),
    ("select", [["n"]] * 3, ["n"], {}),
    ("reduce", [["n", "k"]], ["k"], {"fn": "max", "axes": [0]}),
    ("reduce", [["n", "k"]], [], {"fn": "max", "axes": [0, 1]}),
    ("concat", [["n", 2], ["k", 2]], [[[1, ["k"]], [1, ["n"]]], 2], {"axis": 0}),
    ("slice", [["n"]], [1], {"axis": 0, "start": 0, "step": 1}),
    ("slice", [["n"]], [[[-1, []], [1, ["n"]]]], {"axis": 0, "start": 1, "step": 1}),
    ("slice", [[5]], [3], {"axis": 0, "start": 0, "step": 2}),
    ("slice", [[[[2, ["n"]]]]], ["n"], {"axis": 0, "start": 1, "step": 2}),
    ("slice", [[5]], [0], {"axis": 0, "start": 9, "step": 1}),
    ("flip", [["n", "k"]], ["n", "k"], {"axis": 1}),
    ("roll", [["n"]], ["n"], {"axis": 0, "shift": -3}),
    ("read", [[5]], [3, 3], {"places": [[2, [1, -1], False]]}),
    ("read", [["n"]], ["k", 2], {"places": [[7, [1, -2], True]]}),
    ("read", [["n"]], [], {"places": [[0, [], False]]}),
    ("reshape", [["n", "k"]], [[[1, ["k", "n"]]]], {}),
    ("sort", [["n"]], ["n"], {"axis": 0}),
    ("inv", [["k", "n", "n"]], ["k", "n", "n"], {}),
    ("det", [["k", "n", "n"]], ["k"], {}),
    ("opaque", [["n"]], ["k", 3], {"name": "g", "symmetry": None}),
]
WRONG: list[tuple[str, list[list[Any]], list[Any], dict[str, Any]]] = [
    ("size", [], [], {"size": "q"}),
    ("indicator", [], ["n", "k"], {}),
    ("indicator", [], ["n"], {}),
    ("indicator", [], ["n"] * 3, {}),
    ("indicator", [], ["n"], {"offset": 0}),
    ("indicator", [], [], {}),
    ("indicator", [], ["n"] * 3, {"offset": 1}),
    ("indicator", [["n"]], ["n", "n"], {"offset": 0}),
    ("indicator", [["n"]], ["n"], {}),
    ("indicator", [["n"]], ["n", "k", "k"], {}),
    ("indicator", [["n"]], ["k", "n"], {}),
    ("indicator", [[]], [], {}),
    ("iota", [], [], {}),
    ("iota", [], [[[-1, []], [-1, ["n"]]]], {}),
    ("iota", [], ["q"], {}),
    ("map", [], ["n"], {"fn": "pi"}),
    ("einsum", [["n", "k"], ["n"]], ["n"], {"inputs": [[0, 1], [1]], "output": [0]}),
    ("einsum", [["n"]], ["n", "n"], {"inputs": [[0]], "output": [0, 0]}),
    ("einsum", [["n"]], ["k"], {"inputs": [[0]], "output": [0]}),
    ("einsum", [["n"]], ["n"], {"inputs": [[0, 1]], "output": [0]}),
    ("einsum", [["n"]], ["n"], {"inputs": [[0], [0]], "output": [0]}),
    ("einsum", [["n"]], ["n", "k"], {"inputs": [[0]], "output": [0]}),
    ("einsum", [["n", "k"]], ["n"], {"inputs": [[0, 0]], "output": [0]}),
    ("add", [["n"], ["k"]], ["n"], {}),
    ("add", [["n"], ["n"]], ["k"], {}),
    ("add", [["n"], []], ["n"], {}),
    ("map", [["n"]], ["k"], {"fn": "exp"}),
    ("map", [["n"], ["k"]], ["n"], {"fn": "pow"}),
    ("select", [["n"], ["n"], ["k"]], ["n"], {}),
    ("reduce", [["n", "k"]], ["n"], {"fn": "max", "axes": [0]}),
    ("reduce", [["n", "k"]], [], {"fn": "max", "axes": [1, 0]}),
    ("reduce", [["n", "k"]], ["k"], {"fn": "max", "axes": [0, 0]}),
    ("reduce", [["n"]], ["n"], {"fn": "max", "axes": [1]}),
    ("reduce", [["n"]], [], {"fn": "max", "axes": []}),
    ("concat", [["n", 2], ["k", 3]], [[[1, ["k"]], [1, ["n"]]], 2], {"axis": 0}),
    ("concat", [["n"], ["k"]], ["n"], {"axis": 0}),
    ("concat", [["n"], ["k"]], [[[1, ["k"]], [1, ["n"]]]], {"axis": 1}),
    ("concat", [["n", 2], ["k"]], [[[1, ["k"]], [1, ["n"]]], 2], {"axis": 0}),
    ("slice", [["n"]], [2], {"axis": 0, "start": 0, "step": 1}),
    ("slice", [["n"]], [1], {"axis": 0, "start": 1, "step": 1}),
    ("slice", [["n"]], [1], {"axis": 0, "start": [[-1, []], [1, ["k"]]], "step": 1}),
    ("slice", [[5]], [4], {"axis": 0, "start": 0, "step": 2}),
    ("slice", [[5]], [1], {"axis": 0, "start": -1, "step": 1}),
    ("read", [["n"]], [1], {"places": [[0, [1], False], [0, [1], False]]}),
    ("read", [["n"]], [1, 1], {"places": [[0, [1], False]]}),
    ("read", [["n", "n"]], ["n"], {"places": [[0, [1], False]]}),
    ("read", [[4]], [3, 3], {"places": [[0, [1, 1], False]]}),
    ("read", [[5]], [3, 3], {"places": [[1, [1, -1], False]]}),
    ("read", [["n"]], ["k", 2], {"places": [[0, [1, 1], False]]}),
    ("read", [[[[-1, []], [1, ["n"]]]]], ["k"], {"places": [[0, [1], True]]}),
    ("read", [["n"]], ["n"], {"places": [["q", [1], True]]}),
    ("slice", [["n", "k"]], [1, "n"], {"axis": 0, "start": 0, "step": 1}),
    ("slice", [["n"]], [1], {"axis": 0, "start": "q", "step": 1}),
    ("slice", [["n", "k"]], [1], {"axis": 0, "start": 0, "step": 1}),
    ("flip", [["n"]], ["k"], {"axis": 0}),
    ("reshape", [["n", "k"]], [[[1, ["k"]], [1, ["n"]]]], {}),
    ("sort", [["n"]], ["n"], {"axis": 1}),
    ("sort", [["n", "k"]], ["k", "n"], {"axis": 0}),
    ("inv", [["n", "k"]], ["n", "k"], {}),
    ("inv", [["n"]], ["n"], {}),
    ("inv", [["n", "n"]], ["k", "k"], {}),
    ("det", [["n", "k"]], [], {}),
    ("det", [["n"]], [], {}),
    ("det", [["n", "n"]], ["n"], {}),
]


@pytest.mark.parametrize(("op", "args", "shape", "more"), RIGHT, ids=str)
def test_shapes_that_follow(op: str, args: Any, shape: Any, more: Any) -> None:
    assert shape_of(op, args, shape, **more)


@pytest.mark.parametrize(("op", "args", "shape", "more"), WRONG, ids=str)
def test_shapes_that_do_not_follow(op: str, args: Any, shape: Any, more: Any) -> None:
    assert not shape_of(op, args, shape, **more)


def test_ranges_of_sizes_count() -> None:
    take = {"axis": 0, "start": 1, "step": 1}
    assert not shape_of("slice", [["n"]], [1], **take) and shape_of(
        "slice", [["n"]], [1], {"n": 2, "k": 1}, **take
    )
    less = [[-2, []], [1, ["n"]]]
    assert not shape_of("iota", [], [less]) and shape_of("iota", [], [less], {"n": 2})


# -- the decoder -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "good"),
    [
        (0, True),
        (5, True),
        ("n", True),
        ([[2, ["n"]]], True),
        ([[-1, []], [1, ["n"]]], True),
        ([[1, ["k", "n"]]], True),
        ([[1, ["k"]], [1, ["k", "n"]], [1, ["n"]]], True),
        ([[1, ["n", "n"]]], True),
        (True, False),
        (1.0, False),
        (None, False),
        ("", False),
        ("1n", False),
        ("n ", False),
        ([], False),
        ([[1, ["n"]]], False),
        ([[4, []]], False),
        ([[0, ["n"]]], False),
        ([[1, ["n", "k"]]], False),
        ([[1, ["n"]], [1, ["k"]]], False),
        ([[1, ["n"]], [1, ["n"]]], False),
        ([[True, ["n"]]], False),
        ([[2, "n"]], False),
        ([[2, ["n"], 0]], False),
        ([2, ["n"]], False),
        ({"n": 1}, False),
        (10**15 + 1, False),
    ],
)
def test_sizes_in_canonical_form_only(value: Any, good: bool) -> None:
    if good:
        reading.read_size(value, "$", {})
    else:
        with pytest.raises(Rejected):
            reading.read_size(value, "$", {})


def test_pinned_names_are_put_in() -> None:
    assert reading.read_size([[2, ["d", "n"]]], "$", {"d": 3}) == Size.of(6) * N
    assert reading.read_size("d", "$", {"d": 3}) == Size.of(3) == reading.read_size(3, "$", {"d": 3})


@pytest.mark.parametrize("text", ["0", "1", "-1", "1/2", "-3/7", "1" * 4000, "1/" + "3" * 4000])
def test_rationals(text: str) -> None:
    assert str(reading.read_rational(text, "$").numerator) == text.split("/")[0]


def test_depth_is_counted_exactly() -> None:
    def nested(depth: int) -> bytes:
        return b'{"format":"eqvproof-certificate","x":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"

    with pytest.raises(Rejected, match="version"):
        reading.parse(nested(reading.MOST_DEPTH))
    with pytest.raises(report.Unreadable, match="deep"):
        reading.parse(nested(reading.MOST_DEPTH + 1))


def test_output_names_take_the_size_found() -> None:
    axes = claims.axes([[[1, "m", ""]], [[1, "n", ""], [2, "m", ""]]], "$")
    bound = {"n": N}
    claims.bind_output(axes, [K, N + K * TWO], bound)
    assert bound == {"n": N, "m": K}
    bound = {"n": N}
    claims.bind_output(axes[::-1], [N + K * TWO, K], bound)
    assert bound == {"n": N, "m": K}
    twice, bound = claims.axes([[[2, "m", ""]], [[1, "m", ""]]], "$"), {}
    claims.bind_output(twice, [K * TWO, K], bound)
    assert bound == {"m": K}
    for shape in ([K, N + K], [K], [K, N, K]):
        with pytest.raises(Rejected):
            claims.bind_output(axes, shape, {"n": N})
    for wrong in ([[[2, "m", ""]]], [[[1, "m", ""], [1, None, ""]]]):
        with pytest.raises(Rejected):
            claims.bind_output(claims.axes(wrong, "$"), [TWO], {})


def test_factors_act_as_documented() -> None:
    term, factor = claims.Term, claims.Factor
    table = {
        (factor("O", "d"), term(1, "d", "")): True,
        (factor("O", "d"), term(2, "d", "^")): True,
        (factor("O", "d"), term(1, "d", "!")): False,
        (factor("O", "d"), term(1, "n", "")): False,
        (factor("O", "d"), term(3, None, "")): False,
        (factor("O", 3), term(3, None, "")): True,
        (factor("O", 3), term(3, None, "!")): False,
        (factor("O", 3), term(3, "d", "")): False,
        (factor("O", 3), term(6, None, "")): False,
    }
    assert all(f.acts_on(t) is acts_ for (f, t), acts_ in table.items())


def test_all_pairs_of_marks_and_families_are_known() -> None:
    kinds = {"perm", "orth", "sign", "shift", "rigid", "scale", "lin"}
    assert {family.kind for family in FAMILIES.values()} == kinds
    for mark, family in itertools.product(("", "!", "^", "*"), FAMILIES):
        reals = FAMILIES[family].reals
        axes = claims.axes([[[reals, "n", mark]]], "$")
        groups: list[Any] = [{"family": family, "axis": "n"}]
        if FAMILIES[family].listed:
            groups[0]["generators"] = [[0, 1]] if family == "GenS" else [[["1"]]]
        if mark == "!":
            with pytest.raises(Rejected):
                claims.group(groups, "$", list(axes))
        else:
            assert claims.group(groups, "$", list(axes))[0].kind == FAMILIES[family].kind


ELEMENTS: list[tuple[str, Any, str, list[Any]]] = [
    ("Signs", (), "signs", [[2, 1], [-2, 1], [0, 1], [1], [1, 1, 1], [True, 1], ["1", "1"], None, {}]),
    ("S", (), "permutation", [[0, 0], [1, 2], [-1, 0], [0], [0, 1, 2], [False, 1], None, "01"]),
    ("T", (), "vector", [["1"], ["1", "1", "1"], ["1", "x"], [1, 1], None]),
    ("Scale", (), "factor", ["0", "-1", 1, None, "1/0", ["1"]]),
    ("O", (), "matrix", [[["1", "0"], ["0", "2"]], [["1", "0"]], [["1"], ["0"]], [["1", "0"]] * 2, None]),
    ("SO", (), "matrix", [[["0", "1"], ["1", "0"]], [["1", "0"], ["0", "-1"]]]),
    ("GL", (), "matrix", [[["1", "1"], ["1", "1"]], [["0", "0"], ["0", "0"]], [["1", "0"]]]),
    ("GenS", ((1, 0),), "word", [[0], [2], [-2], [True], None, ["1"], [1.0], [1] * 65]),
]  # fmt: skip
GOOD: dict[str, Any] = {
    "Signs": [1, -1], "S": [1, 0], "T": ["1", "-1/2"], "Scale": "1/2", "O": [["0", "1"], ["1", "0"]],
    "SO": [["0", "-1"], ["1", "0"]], "GL": [["1", "1"], ["0", "2"]], "GenS": [1, -1],
}  # fmt: skip


@pytest.mark.parametrize(("family", "generators", "key", "wrong"), ELEMENTS, ids=lambda v: str(v)[:12])
def test_only_elements_of_the_group(family: str, generators: Any, key: str, wrong: list[Any]) -> None:
    factor, arithmetic = claims.Factor(family, "n", generators), Arithmetic(64)
    right = {"family": family, "axis": "n", key: GOOD[family]}
    elements.element(right, "$", factor, 2, arithmetic)
    others: list[Any] = [{**right, key: value} for value in wrong]
    others += [
        {**right, "axis": "m"},
        {**right, "family": "A"},
        {**right, "more": 1},
        {"axis": "n"},
        [],
        None,
    ]
    for other in others:
        with pytest.raises(Rejected):
            elements.element(other, "$", factor, 2, arithmetic)


@pytest.mark.parametrize(
    ("family", "generator", "good"),
    [
        ("GenS", (1, 2, 0), True),
        ("GenS", (0, 0, 1), False),
        ("GenO", ((0, -1), (1, 0)), True),
        ("GenO", ((1, 1), (0, 1)), False),
        ("GenO", ((2, 0), (0, 2)), False),
        ("GenO", ((1,), (0,)), False),
        ("GenGL", ((1, 1), (0, 1)), True),
        ("GenGL", ((0, 2), (3, 0)), True),
        ("GenGL", ((1, 2), (2, 4)), False),
        ("GenGL", ((0, 0), (0, 0)), False),
        ("GenGL", ((0, 1, 2), (3, 4, 5), (6, 7, 8)), False),
        ("GenGL", ((1, 0), (0, 1), (1, 1)), False),
    ],
)
def test_generators_belong_to_the_group(family: str, generator: tuple[Any, ...], good: bool) -> None:
    if family != "GenS":
        generator = tuple(tuple(map(Fraction, row)) for row in generator)
    factor = claims.Factor(family, "n", (generator,))
    if good:
        membership.check_generators(factor, "$")
    else:
        with pytest.raises(Rejected):
            membership.check_generators(factor, "$")


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.integers(-3, 3), min_size=n * n, max_size=n * n)))
def test_determinants_are_those_of_leibniz(entries: list[int]) -> None:
    report.allow_work(10**6)
    n = round(len(entries) ** 0.5)
    rows = [[Fraction(v) for v in entries[i * n : (i + 1) * n]] for i in range(n)]
    wanted = Fraction(0)
    for p in itertools.permutations(range(n)):
        sign = (-1) ** sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n))
        wanted += sign * prod(rows[i][p[i]] for i in range(n))
    assert membership.rational_determinant(rows) == wanted


def test_permutations_of_a_group_are_told_from_others() -> None:
    """All 24 orders of four, against what the groups are."""
    shifts = [tuple((i + k) % 4 for i in range(4)) for k in range(4)]
    turned = {*shifts, *(s[::-1] for s in shifts)}
    for order in itertools.permutations(range(4)):
        even = sum(order[i] > order[j] for i in range(4) for j in range(i + 1, 4)) % 2 == 0
        inside = {"S": True, "A": even, "C": order in shifts, "D": order in turned}
        for family, good in inside.items():
            value = {"family": family, "axis": "n", "permutation": list(order)}
            try:
                elements.element(value, "$", claims.Factor(family, "n"), 4, Arithmetic(64))
            except Rejected:
                assert not good, (family, order)
            else:
                assert good, (family, order)


@given(st.fractions(0, 10**9, max_denominator=10**12), st.booleans())
def test_numbers_in_statements_are_rounded_to_the_safe_side(number: Fraction, up: bool) -> None:
    shown = Fraction(three_digits(number, up=up))
    assert (shown >= number if up else shown <= number) and abs(shown - number) <= number / 100
    assert three_digits(Fraction(1, 10**400), up=True) == "1e-400"


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ("0", True), ("-7/3", True), ("1/2", True), ("-0", False), ("2/4", False), ("3/1", False),
        ("1/0", False), ("1/-2", False), ("+1", False), ("01", False), (" 1", False), ("1 ", False),
        ("", False), (1, False),
        ("1" + "0" * 3999, True), ("1" + "0" * 4000, False), ("-1" + "0" * 3999, True),
        ("1/1" + "0" * 3999, True), ("1/1" + "0" * 4000, False), ("1/1" + "0" * 8000, False),
    ],
    ids=lambda v: str(v)[:12],
)  # fmt: skip
def test_rationals_are_written_in_one_way(value: Any, good: bool) -> None:
    """At most 4000 digits, each of numerator and denominator."""
    if good:
        assert reading.read_rational(value, "$") == Fraction(value)
    else:
        with pytest.raises(Rejected):
            reading.read_rational(value, "$")


def axes(text: str) -> list[tuple[claims.Term, ...]]:
    """Axes of one part each, ^ for directions."""
    return [(claims.Term(1, part.strip("^"), "^" if "^" in part else ""),) for part in text.split()]


@pytest.mark.parametrize(
    ("family", "shape", "text", "good"),
    [
        ("T", (2,), "d", True), ("T", (3, 2), "n d", True), ("T", (2, 2), "d d", False),
        ("T", (2, 2), "d d^", True), ("SE", (2,), "d", True), ("SE", (2, 2), "d d^", False),
        ("SE", (2, 2), "d^ d", False), ("SE", (2, 2), "d^ d^", True), ("SE", (2, 2), "d d", False),
    ],
)  # fmt: skip
def test_points_lie_along_one_axis(family: str, shape: tuple[int, ...], text: str, good: bool) -> None:
    """Along the axes of a matrix of points a translation adds to nothing that one could say."""
    factor, sizes = claims.Factor(family, "d"), {"d": 2, "n": 3}
    vector = [Fraction(5), Fraction(-7)]
    still = [[(i, Fraction(1))] for i in range(2)] if family == "SE" else []
    value = Tensor(shape, [Fraction(k) for k in range(prod(shape))])
    motion = elements.Motion(still, vector)
    if not good:
        with pytest.raises(Rejected):
            elements.act_on_tensor(factor, motion, value, axes(text), sizes, Arithmetic(64))
        return
    found = elements.act_on_tensor(factor, motion, value, axes(text), sizes, Arithmetic(64))
    places = itertools.product(*map(range, shape))
    point = next((k for k, part in enumerate(text.split()) if part == "d"), None)
    assert found.values == [
        v + (0 if point is None else vector[at[point]]) for v, at in zip(value.values, places, strict=True)
    ]


@pytest.mark.parametrize(("axis", "good"), [(1, True), (True, False), ("1", False), (2, False), (1.0, False)])
def test_an_element_names_its_axis(axis: Any, good: bool) -> None:
    value = {"family": "Signs", "axis": axis, "signs": [-1]}
    factor = claims.Factor("Signs", 1)
    if good:
        assert elements.element(value, "$", factor, 1, Arithmetic(64)).rows == [[(0, Fraction(-1))]]
    else:
        with pytest.raises(Rejected):
            elements.element(value, "$", factor, 1, Arithmetic(64))


def test_an_index_that_is_rolled_by_a_size_stands_nowhere() -> None:
    """Two, and the place after it on a cycle: 3, or 0."""
    two = indices.through(indices.FIRST, (indices.affine(Size.of(2), 1),))
    assert indices.position(two) == TWO and indices.line(two) == (TWO, 0)
    rolled = indices.through(two, (("roll", N.terms, 1),))
    assert indices.position(rolled) is None and indices.line(rolled) is None
    for k in range(-4, 5):
        cycle = (indices.rolled(Size.of(3), k),)
        assert indices.position(indices.through(two, cycle)) == Size.of((2 - k) % 3)
    moving = indices.through((4, ()), (indices.affine(N, 2), indices.affine(K, 3)))
    assert indices.position(moving) is None and indices.line(moving) == (K + N * Size.of(3), 6)


def test_the_value_of_an_index() -> None:
    """start + k times the label; the label itself, over its own size, is a form of its own."""
    forms, labels = Forms(LOWS), Labels([N])
    head = Head("counter", None, (), (N,), 0, ((0,),), total=True)

    def value(*steps: Any, label: int = 0) -> Any:
        return constant_atoms.counter(forms, labels, head, indices.through((label, ()), steps))

    assert value() is None and value(indices.rolled(K, 1)) is None
    moved = value(indices.affine(K, 3))
    assert [piece.coefficient for piece in moved] == [indices.of_size(K), indices.coefficient_of(3)]
    assert [len(piece.factors) for piece in moved] == [0, 1]
    for start in (TWO, K, Size.of(0)):
        fixed = value(indices.affine(start, 1), label=indices.FIXED)
        assert [(piece.coefficient, piece.factors) for piece in fixed] == [(indices.of_size(start), ())]


def test_entries_outside_an_array_are_not_known() -> None:
    two = Size.of(2)
    head = Head("array", tuple(map(Fraction, (5, 6, 7, 8))), (), (two, two), 0, ((0, 1),), total=True)

    def entry(*row: Any, at: int) -> Fraction | None:
        return constant_atoms._entry_at(head, row, {0: at})

    moved = indices.through((0, ()), (indices.affine(Size.of(1), 1),))
    assert [entry((0, ()), (0, ()), at=k) for k in (0, 1, 2, -1)] == [5, 8, None, None]
    assert [entry((0, ()), moved, at=k) for k in (-1, 0, 1)] == [None, 6, None]
    assert entry((0, ()), indices.through((0, ()), (indices.rolled(N, 1),)), at=0) is None


def test_what_is_looked_at_has_its_limits() -> None:
    report.allow_work(10**7)
    term: Any = ("f", *[("x",)] * 299)
    assert rewriting._term_size(term) == 300
    with pytest.raises(Rejected, match="too large"):
        rewriting._term_size(("f", *[("x",)] * 300))
    forms, piece = Forms(LOWS), Piece(indices.ONCE, ())
    assert len(forms.product([piece] * 63, [piece] * 63)) == 63 * 63
    with pytest.raises(Rejected, match="too many terms"):
        forms.product([piece] * 64, [piece] * 64)
    assert space.mark([999_999, None, "1o"], "$") == "1o"
    with pytest.raises(Rejected):
        space.mark([3_000_000, None, "1o"], "$")


@pytest.mark.parametrize(("family", "count"), [("Lorentz", 6), ("Sp", 10)])
def test_algebras_have_as_many_elements_as_dimensions(family: str, count: int) -> None:
    assert len(generators.algebra(FAMILIES[family], 4) or ()) == count


def test_the_form_of_orthogonal_matrices_is_the_identity() -> None:
    assert orbits._form_of_group(FAMILIES["O"], 3) == ([0, 1, 2], [1, 1, 1])
