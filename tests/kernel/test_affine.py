"""Points that are translated, arrays that are multiplied: what is derived is what evaluation says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from eqvproof.kernel import claims, report, totals
from eqvproof.kernel.affine_types import STILL, Shift, Type, claimed, multiplied, translated
from eqvproof.kernel.powers import ANY
from eqvproof.kernel.rules.base import Setting
from eqvproof.kernel.shapes import check_shapes
from eqvproof.kernel.sizes import ONE, Size
from tests.kernel.corpus import JSON
from tests.kernel.encoding import decoded
from tests.kernel.expressions import (
    Value,
    cat,
    ein,
    eye,
    flip,
    fn,
    iota,
    mat,
    num,
    part,
    program,
    read,
    red,
    resh,
    roll,
    size,
    srt,
    tri,
    unknown,
    var,
    where,
)
from tests.kernel.oracle import evaluate

#: Of x, y and p the last axes are points; the others are still. All but c are multiplied.
INPUTS = {"x": "nd", "y": "nd", "p": "d", "w": "n", "v": "n", "A": "nn", "B": "nm", "c": "nd", "s": "",
    "X": "nnd", "Q": "mdnn",
}  # fmt: skip
x, y, p, w, v, A, B, c, s, X, Q = (var(name, shape) for name, shape in INPUTS.items())
POINTS = {"x": 1, "y": 1, "p": 0}
TWO_N, N_LESS = [[2, ["n"]]], [[-1, []], [1, ["n"]]]
LOWS = {"n": 2, "m": 1, "d": 1}
SIZES = [{"n": 3, "m": 2, "d": 2}, {"n": 2, "m": 3, "d": 3}]


def exp(value: Value) -> Value:
    return fn("exp", value)


def recip(value: Value) -> Value:
    return fn("recip", value)


def point(sizes: dict[str, int], seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {k: np.abs(rng.normal(size=[sizes[a] for a in shape])) + 0.1 for k, shape in INPUTS.items()}


def derived(value: Value, kind: str) -> Type | None:
    """The type of a value, node by node; None where none is derived."""
    report.allow_work(10**7)
    graph = decoded(program(value, INPUTS))
    check_shapes(graph, LOWS)
    factor = claims.Factor({"shift": "T", "scale": "Scale"}[kind], "d")
    setting = Setting(graph, factor, ONE, LOWS, facts=totals.known_sums(graph, {}, LOWS))
    types: list[Type] = []
    try:
        for node in graph.nodes:
            if node.op == "input":
                name = node.at["name"]
                if kind == "scale":
                    types.append((Size.of(0 if name == "c" else 1), ONE))
                else:
                    types.append(Shift(POINTS[name], ONE, ONE) if name in POINTS else STILL)
                continue
            step = translated if kind == "shift" else multiplied
            types.append(step(node, [types[a] for a in node.args], setting))
    except report.Rejected:
        return None
    return types[-1]


def number(ratio: tuple[Size, Size], sizes: dict[str, int]) -> float:
    """A ratio at sizes."""
    above, below = (sum(k * np.prod([sizes[a] for a in names]) for names, k in part.terms) for part in ratio)
    return float(above / below)


def weights(type_: Shift, graph: JSON, at: dict[str, Any], sizes: dict[str, int], rank: int) -> Any:
    """The product of the weights, summed over their own labels."""
    if not type_.weights:
        return 1.0
    found = [evaluate({**graph, "output": k}, at, sizes) for k, _ in type_.weights]
    rows = ["".join("abcdefghij"[label] for label in row) for _, row in type_.weights]
    free = "".join(sorted({c for row in rows for c in row} & set("abcdefghij"[:rank])))
    value = np.einsum(f"{','.join(rows)}->{free}", *found)
    return value.reshape([value.shape[free.index(c)] if c in free else 1 for c in "abcdefghij"[:rank]])


def is_moved(value: Value, type_: Type) -> bool:
    """Whether adding t to the points adds to the value what the type says."""
    graph = program(value, INPUTS)
    for seed, sizes in enumerate(SIZES):
        at = point(sizes, seed)
        t = np.random.default_rng(seed + 9).normal(size=sizes["d"])
        there = {k: a + t if k in POINTS else a for k, a in at.items()}
        plain, found = evaluate(graph, at, sizes), evaluate(graph, there, sizes)
        added: Any = 0.0
        if isinstance(type_, Shift):
            shape = [sizes["d"] if k == type_.axis else 1 for k in range(plain.ndim)]
            both = [weights(type_, graph, where_, sizes, plain.ndim) for where_ in (at, there)]
            if not np.allclose(*both):
                return False
            added = number((type_.num, type_.den), sizes) * t.reshape(shape) * both[0]
        if not np.allclose(found, plain + added, equal_nan=True):
            return False
    return True


def is_multiplied(value: Value, type_: Type) -> bool:
    """Whether multiplying by 64 multiplies the value by 64 to its degree."""
    graph = program(value, INPUTS)
    for seed, sizes in enumerate(SIZES):
        at = point(sizes, seed)
        plain = evaluate(graph, at, sizes)
        found = evaluate(graph, {k: a if k == "c" else 64 * a for k, a in at.items()}, sizes)
        power = 1.0 if isinstance(type_, (str, Shift)) else 64 ** number(type_, sizes)
        if not np.allclose(found, plain * power, equal_nan=True):
            return False
    return type_ != ANY or not np.any(plain)


def shares(value: Value, rows: str, kept: str) -> Value:
    """1 / sum."""
    return recip(ein(f"{rows}->{kept}", value))


EACH_ROW = (exp(A), shares(exp(A), "ab", "a"))
MOVED: dict[str, Value] = {
    "the points": x, "a point": p, "a sum": x + y, "a difference": x - y,
        "half and half": x.times("1/2") + y.times("1/2"),
    "still beside": x + c, "three": Value("add", (x, y, c, -x), "nd"), "minus": -x,
    "turned": ein("ab->ba", x), "repeated": ein("b->ab", p, a="n") + x,
        "relative": x - ein("b->ab", p, a="n"),
    "the sum of points": ein("ab->b", x), "the mean": ein("ab,->b", x, recip(size("n"))),
    "less the mean": x - ein("b->ab", ein("ab,->b", x, recip(size("n"))), a="n"),
    "softmax of numbers": ein("a,,ab->b", exp(w), shares(exp(w), "a", ""), x),
    "softmax, reciprocals first": ein(",a,ab->b", shares(exp(w), "a", ""), exp(w), x),
    "attention": ein("ab,a,bc->ac", *EACH_ROW, x), "attention turned": ein("ba,b,ac->bc", *EACH_ROW, x),
    "attention of a repeated sum": ein("ab,ac,bd->acd", exp(A),
        recip(ein("a->ac", ein("ab->a", exp(A)), c="m")), x),
    "weights used later": ein("b,->b", ein("a,ab->b", w, x), shares(w, "a", "")),
    "weights that cancel": ein("ab,bc->ac", A, x) - ein("ab,bc->ac", A, y),
    "weights that cancel, in another order": ein("ae,ab,ec->abc", A, A, x) - ein("ab,ae,ec->abc", A, A, y),
    "weights of two sums that cancel": ein("ab,bc,cd->ad", A, A, x) - ein("bc,ab,cd->ad", A, A, y),
    "a sum of weighted ones": ein("ab,bc->ac", A, x) + ein("ab,bc->ac", A, y).times("-1"),
    "an identity": ein("ab,bc->ac", eye("n"), x), "columns of an identity": ein("ba,bc->ac", eye("n"), x),
    "a constant": ein("a,ba->b", num("1", shape="1"), ein("b->ba", p, a="1")),
    "numbers that sum to one": ein("a,ab->b", num("1/4", "3/4", shape="2"), part(x, 0, 0, 2)),
    "numbers that sum to 2": ein("a,ab->b", num("1/2", "3/2", shape="2"), part(x, 0, 0, 2)),
    "numbers that sum to zero": ein("a,ab->b", num("-1", "1", shape="2"), part(x, 0, 0, 2)),
    "rows of numbers": ein("ca,ab->cb", num("1/4", "3/4", "1", "0", shape="22"), part(x, 0, 0, 2)),
    "an average of sums": ein("a,ab->b", num("1/2", "1/2", shape="2"), part(x, 0, 0, 2) + part(y, 0, 0, 2)),
    "a maximum": red("max", x, 0), "a minimum of two": red("min", cat(0, TWO_N, x, y), 0),
        "sorted": srt(x, 0),
    "joined": cat(0, TWO_N, x, y), "reversed": flip(x, 0), "shifted": roll(x, 0, 1),
        "a part": part(x, 0, 1, N_LESS),
    "all shifts": read(ein("ab->ba", x), "dnn", None, (0, [1, 1], True)), "chosen": where(c, x, y),
        "chosen points": where(ein("a->ab", w, b="d"), x, y),
    "rows in one axis": resh(ein("ab->acb", x, c="m"), ([[1, ["m", "n"]]], "d")),
    "an axis of one before points": resh(ein("ab->cba", x, c="m"), "m1dn"),
    "an axis of one": resh(x, "n1d"), "flattened": resh(ein("ab,c->abc", x, num("1", shape="1")), "nd"),
    "a distance": ein("ab,ab->a", x - y, x - y), "a function of differences": exp(x - y),
        "unknown of still": unknown("g", "n", w),
    "a product with still": ein("ab,c->cab", x, num("1", "1", shape="2")), "what is still": w * w,
    "pairs": ein("ab->acb", x, c="n") - ein("cb->acb", x, a="n"),
        "means of pairs": ein("acb,->ab", ein("ab->acb", x, c="m"), recip(size("m"))),
    "weighted means of pairs": ein("ac,a,acb->ab", exp(A), shares(exp(A), "ac", "a"),
        ein("cb->acb", x, a="n")),
    "n times": ein(",ab->ab", size("n"), x), "n times less the sum": ein(",ab->ab", size("n"),
        ein("b->ab", p, a="n")) - ein("cb->ab", ein("b->cb", p, c="n"), a="n"),
}  # fmt: skip
#: No type, or one with weights; some are true of no translation.
UNMOVED: dict[str, Value] = {
    "a square": x * x, "an outer product": ein("a,b->ab", p, p), "a function": fn("tanh", x),
        "weights": ein("ab,bc->ac", A, x),
        "a maximum along points": red("max", x, 1), "a product": red("prod", x, 0),
    "sorted along points": srt(x, 1), "joined along points": cat(1, [[2, ["d"]]], x, y),
        "a part of points": part(x, 1, 0, "1"), "reversed points": flip(x, 1),
    "joined with still": cat(0, TWO_N, x, c), "joined with twice": cat(0, TWO_N, x, x + y),
        "chosen or still": where(c, x, c), "chosen by points": where(x, c, c),
    "chosen by points, points": where(x, x, y), "of columns": ein("ab,b,ac->bc", exp(A),
        shares(exp(A), "ab", "a"), x), "of another axis": ein("ab,b,bc->ac", *EACH_ROW, x),
    "of all": ein("ab,,bc->ac", exp(A), shares(exp(A), "ab", ""), x),
        "of a triangle": ein("ab,bc->ac", tri("n", "n", 0), x), "a diagonal": ein("aa,ab->ab", A, x),
    "different weights": ein("ab,bc->ac", A, x) - ein("ba,bc->ac", A, y),
        "weights on other axes": ein("a,b->ab", w, p) - ein("a,b->ab", v, p),
    "weights and none": ein("ab,bc->ac", A, x) - y, "the trace": ein("aab->b", ein("ab,ac->abc", A, x)),
        "points along two": ein("ab,cb->ac", x, c),
    "points summed": ein("ab->a", x), "points on a diagonal": ein("aa->a", ein("a,b->ab", p, p)),
        "numbers that vary": ein("ca,ab->cb", num("1/4", "3/4", "1", "1", shape="22"), part(x, 0, 0, 2)),
    "turned and added": ein("ab,bc->ac", A, x) + ein("b->ab", p, a="n"),
        "flattened points": resh(x, [[[1, ["d", "n"]]]]),
    "an inverse": recip(x), "unknown": unknown("g", "nd", x), "maximum of two": fn("maximum", x, y),
        "iota": ein("a,ab->b", iota("n"), x), "weights, maximum": red("max", ein("a,b->ab", w, p), 0),
    "weights, sorted": srt(ein("a,b->ab", w, p), 0), "weights, sorted, divided": ein("b,->b",
        ein("ab->b", srt(ein("a,b->ab", w, p), 0)), shares(w, "a", "")),
    "weights, reversed, divided": ein("b,->b", ein("a,ab->b", v, flip(ein("a,b->ab", w, p), 0)),
        recip(ein("a,a->", w, v))),
    "weights, joined": ein("b,->b", ein("ab->b", cat(0, TWO_N, ein("a,b->ab", w, p), ein("a,b->ab", w, p))),
        shares(w, "a", "")),
}  # fmt: skip
DEGREES: dict[str, Value] = {
    "itself": x, "constant": c, "product": x * y, "with a constant": x * c, "square root": fn("sqrt", x),
        "cube root": fn("cbrt", x), "absolute": fn("abs", x),
    "inverse": recip(x), "quotient": x * recip(y), "sum": x + y,
        "zeros beside": x + ein("->ab", num("0"), a="n", b="d"),
    "maximum": fn("maximum", x, y), "minimum": fn("minimum", x, y), "remainder": fn("mod", x, y),
        "sign": fn("sign", x), "order": fn("lt", x, y), "order, other": fn("ge", x, y),
    "angle": fn("arctan2", x, y), "equal": fn("eq", x, y), "and": fn("and", x, c), "or": fn("or", x, y),
        "not": fn("not", x), "less than zero": fn("lt", x, ein("->ab", num("0"), a="n", b="d")),
    "maximum of all": red("max", x, 0, 1), "product of columns": red("prod", part(x, 0, 0, 2), 0),
        "product of none": red("prod", num(shape="0"), 0), "product of n": red("prod", w, 0),
    "sorted": srt(x, 1), "joined": cat(0, TWO_N, x, y), "chosen": where(x, x, y),
        "chosen by constants": where(c, x, y), "part": part(x, 0, 1, N_LESS),
        "reshaped": resh(x, [[[1, ["d", "n"]]]]),
    "determinant": mat("det", A), "determinants of batches": mat("det", Q), "matrix inverse": mat("inv", A),
        "square of a square root": fn("sqrt", x) * fn("sqrt", x),
        "normalised": x * ein("a->ab", recip(fn("sqrt", ein("ab,ab->a", x, x))), b="d"),
    "third power": fn("pow", x, ein("->ab", num("3"), a="n", b="d")),
        "power -1/2": fn("pow", x, ein("->ab", num("-1/2"), a="n", b="d")),
        "power of sizes": fn("pow", s, recip(size("n"))),
    "zero power": fn("pow", s, num("0")), "function of ratios": exp(x * recip(y)), "size": size("n"),
        "zero": num("0"), "unknown of constants": unknown("g", "n", c),
    "eigenvalues": Value("matrix_function", (A,), "n", (("fn", "eigvals"),)),
    "spectral": Value("matrix_function", (A, w), "nn", (("fn", "spectral"),)),
        "pinv": Value("matrix_function", (B,), "mn", (("fn", "pinv"),)),
        "spectral of constants": Value("matrix_function", (A, ein("ab->a", c)), "nn", (("fn", "spectral"),)),
}  # fmt: skip
UNEVEN: dict[str, Value] = {
    "x + 1": x + c, "exp": exp(x), "maximum with constants": fn("maximum", x, c),
        "order against constants": fn("lt", x, c), "equal to constants": fn("eq", x, c),
        "remainder by constants": fn("mod", x, c),
    "power of itself": fn("pow", x, y), "power of varying": fn("pow", x, c),
        "joined with constants": cat(0, TWO_N, x, c), "chosen or constants": where(c, x, c),
        "series": Value("matrix_function", (A,), "nn", (("fn", "expm"),)),
        "angle against constants": fn("arctan2", x, c),
    "unknown": unknown("g", "n", x), "floor": fn("floor", x), "log": fn("log", x), "tanh": fn("tanh", x),
        "position": Value("indicator", (w,), "nn", (("offset", None),)), "squares added": x + x * x,
    "cos": fn("cos", x), "rint": fn("rint", x), "arctan": fn("arctan", x),
        "x + x c + 1": Value("add", (x, x * c, c), "nd"),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVED)
def test_moved(name: str) -> None:
    found = derived(MOVED[name], "shift")
    assert found is not None and not (isinstance(found, Shift) and found.weights), found
    assert is_moved(MOVED[name], found), found


@pytest.mark.parametrize("name", UNMOVED)
def test_not_moved(name: str) -> None:
    found = derived(UNMOVED[name], "shift")
    assert found is None or (isinstance(found, Shift) and bool(found.weights)), found
    assert found is None or is_moved(UNMOVED[name], found), found


@pytest.mark.parametrize("name", DEGREES)
def test_degrees(name: str) -> None:
    found = derived(DEGREES[name], "scale")
    assert found is not None and is_multiplied(DEGREES[name], found), found


@pytest.mark.parametrize("name", UNEVEN)
def test_no_degree(name: str) -> None:
    assert derived(UNEVEN[name], "scale") is None


def contractions(rng: random.Random) -> Iterator[Value]:
    """Sums of products of points and still weights, at random labels; then divided by a sum of weights."""
    ones = [exp(A), recip(ein("ab->a", exp(A))), recip(ein("ab->b", exp(A))), eye("n"), w,
        recip(ein("a->", w)), recip(size("n")), A]
    for _ in range(150):
        factors = [rng.choice([x, x, p]), *(rng.choice(ones) for _ in range(rng.choice([1, 2, 2])))]
        rows = ["".join(rng.choice("ab" if size_ == "n" else "d") for size_ in f.shape) for f in factors]
        output = "".join(k for k in "abd" if rng.random() < (0.4 if k < "d" else 0.9) and k in "".join(rows))
        value = ein(f"{','.join(rows)}->{output}", *factors)
        if rng.random() < 0.3 and output:
            other = rng.choice(ones[5:7])
            value = ein(f"{output},->{output[rng.randrange(2):]}", value, other)
        yield value - value.times("1/2") if rng.random() < 0.1 else value


@pytest.mark.parametrize("seed", range(3))
def test_what_is_derived_of_contractions_is_true(seed: int) -> None:
    seen = known = 0
    for value in contractions(random.Random(seed)):
        found = derived(value, "shift")
        if found is not None:
            seen += not (isinstance(found, Shift) and found.weights)
            assert is_moved(value, found), (value, found)
        degree = derived(value, "scale")
        assert degree is None or is_multiplied(value, degree), value
        known += degree is not None
    assert seen > 4 and known > 10


def test_of_an_axis_with_several_parts_a_translated_one_is_no_translation() -> None:
    """Not of the whole axis; and by no means does it stand still."""
    factor, d, one = claims.Factor("T", "d"), claims.Term(1, "d", ""), claims.Term(1, None, "")
    assert claimed([(d,)], factor) == Shift(0, ONE, ONE) and claimed([(one,)], factor) == STILL
    for axes in ([(d, one)], [(one, d)], [(d,), (d,)], [(claims.Term(2, "d", ""),)]):
        with pytest.raises(report.Rejected):
            claimed(axes, factor)
