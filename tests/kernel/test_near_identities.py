"""False identities and differences that a kernel with one check less would accept; beside them true ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from eqvproof.kernel import series
from tests.kernel.corpus import JSON, Graph, claim, reseal, seal, tensor
from tests.kernel.encoding import check_certificate

Builder = Callable[[], JSON]


def identity(signature: str, f: Graph, g: Graph, same: bool = False) -> JSON:
    evidence = {"way": {"cells": 0, "angles": False}, "same_domain": same}
    what = claim(signature, kind="identity")
    return seal("identity", claim=what, program=f.program(), other=g.program(), evidence=evidence)


# -- a label that is matched with a summed one stands nowhere else (match.py) ------------------------------
def weights(rows: list[Any], output: list[int], *, summed: bool = True, exp: bool = True) -> Graph:
    """A contraction of e = exp(a) or a, 1 / sum_j e_ij or 1 / sum_ij e_ij, and of b where it has labels."""
    g = Graph(a=["n", "n"], b=["n"])
    e = g.node("input", [], ["n", "n"], name="a")
    e = g.node("map", [e], ["n", "n"], fn="exp") if exp else e
    kept = [] if summed else [0]
    s = g.node("einsum", [e], ["n"] * len(kept), inputs=[[0, 1]], output=kept)
    args = [e, g.node("map", [s], ["n"] * len(kept), fn="recip")]
    if len(rows) == 3:
        args.append(g.node("input", [], ["n"], name="b"))
    g.node("einsum", args, ["n"] * len(output), inputs=rows, output=output)
    return g


def matrices(rows: list[Any], output: list[int], name: str = "A") -> Graph:
    """A contraction of inv(A), A, and of b where it has labels."""
    g = Graph(A=["n", "n"], B=["n", "n"], b=["n"])
    a = g.node("input", [], ["n", "n"], name=name)
    args = [g.node("inv", [a], ["n", "n"]), a]
    if len(rows) == 3:
        args.append(g.node("input", [], ["n"], name="b"))
    g.node("einsum", args, ["n"] * len(output), inputs=rows, output=output)
    return g


def products(rows: list[Any]) -> Graph:
    """A contraction of inv(A B), A and B to a matrix."""
    g = Graph(A=["n", "n"], B=["n", "n"], b=["n"])
    a, b = (g.node("input", [], ["n", "n"], name=name) for name in "AB")
    c = g.node("einsum", [a, b], ["n", "n"], inputs=[[0, 1], [1, 2]], output=[0, 2])
    g.node("einsum", [g.node("inv", [c], ["n", "n"]), a, b], ["n", "n"], inputs=rows, output=[0, 9])
    return g


def plain(output: list[int], first: str, what: str) -> Graph:
    """1, n, sum_j b_j, or I sum_j b_j, everywhere."""
    g = Graph(**{name: ["n", "n"] for name in first}, b=["n"])
    rows: list[list[int]] = [[]]
    if what == "I":
        args, rows = [g.node("indicator", [], ["n", "n"])], [output]
    elif what == "1":
        args = [g.node("const", [], [], values=["1"])]
    elif what == "n":
        args = [g.node("size", [], [], size="n")]
    else:
        args, rows = [g.node("input", [], ["n"], name="b")], [[7]]
        if what == "I b":
            args, rows = [*args, g.node("indicator", [], ["n", "n"])], [[7], output]
    g.node("einsum", args, ["n"] * len(output), inputs=rows, output=output)
    return g


def part_of_all(first: int) -> Graph:
    """The sum of the first of three positive numbers over the sum of all."""
    g = Graph(a=[3])
    e = g.node("map", [g.node("input", [], [3], name="a")], [3], fn="exp")
    r = g.node("map", [g.node("einsum", [e], [], inputs=[[0]], output=[])], [], fn="recip")
    some = g.node("slice", [e], [first], axis=0, start=0, step=1)
    g.node("einsum", [some, r], [], inputs=[[0], []], output=[])
    return g


def one() -> Graph:
    """1, whatever three numbers are."""
    g = Graph(a=[3])
    zero = g.node("const", [], [], values=["0"])
    a = g.node("input", [], [3], name="a")
    none = g.node("einsum", [zero, a], [], inputs=[[], [0]], output=[])
    g.node("add", [none, g.node("const", [], [], values=["1"])], [])
    return g


WEIGHED, MATRICES = "a: n n, b: n -> ", "A: n n, B: n n, b: n -> "
LABELS: dict[str, Builder] = {
    "weights of two of three": lambda: identity("a: 3 -> ()", part_of_all(2), one()),
    "weights that b shares": lambda: identity(
        WEIGHED + "()", weights([[0, 1], [], [1]], []), plain([], "a", "b")
    ),
    "weights of rows that b shares": lambda: identity(
        WEIGHED + "n", weights([[0, 1], [0], [1]], [0], summed=False), plain([0], "a", "b")
    ),
    "weights on the diagonal": lambda: identity(
        WEIGHED + "()", weights([[0, 0], [0]], [], summed=False), plain([], "a", "1")
    ),
    "weights on the diagonal, n of them": lambda: identity(
        WEIGHED + "()", weights([[0, 0], [0]], [], summed=False), plain([], "a", "n")
    ),
    "weights on the diagonal of all": lambda: identity(
        WEIGHED + "()", weights([[0, 0], []], []), plain([], "a", "1")
    ),
    **{
        f"entries on the diagonal, {'all' if rows[1] == [] else 'rows'}, against {one}": (
            lambda rows=rows, one=one: identity(
                WEIGHED + "()", weights(rows, [], summed=rows[1] == [], exp=False), plain([], "a", one)
            )
        )
        for rows in ([[0, 0], [0]], [[0, 0], []])
        for one in ("1", "n")
    },
    **{
        f"{rows} of one matrix and of another": (
            lambda rows=rows, out=out: identity(
                MATRICES + " ".join("n" * len(out)), matrices(rows, out), matrices(rows, out, "B")
            )
        )
        for rows, out in (
            ([[0, 1], [1, 1]], [0]),
            ([[1, 1], [1, 0]], [0]),
            ([[1, 0], [1, 1]], [0]),
            ([[1, 1], [0, 1]], [0]),
            ([[0, 1], [1, 0], [0]], [1]),
            ([[0, 1], [1, 2]], [0, 1, 2]),
            ([[0, 1], [2, 1]], [0, 2]),
        )
    },
    **{
        f"an inverse of a product, {rows}": (
            lambda rows=rows: identity(MATRICES + "n n", products(rows), plain([0, 9], "AB", "I"))
        )
        for rows in (
            [[0, 1], [1, 1], [1, 9]],
            [[0, 1], [1, 2], [1, 9]],
            [[1, 9], [0, 1], [1, 1]],
            [[0, 1], [2, 1], [2, 9]],
        )
    },
    "weights that are kept": lambda: identity(
        WEIGHED + "n", weights([[0, 1], [0]], [1], summed=False), plain([0], "a", "1")
    ),
    "an inverse with b between": lambda: identity(
        MATRICES + "n n", matrices([[0, 1], [1, 2], [1]], [0, 2]), plain([0, 2], "AB", "I b")
    ),
    "an inverse against a diagonal": lambda: identity(
        MATRICES + "n", matrices([[0, 1], [1, 1]], [0]), plain([0], "AB", "1")
    ),
    "the diagonal of an inverse": lambda: identity(
        MATRICES + "n", matrices([[1, 1], [1, 0]], [0]), plain([0], "AB", "1")
    ),
    "a diagonal before an inverse": lambda: identity(
        MATRICES + "n", matrices([[1, 0], [1, 1]], [0]), plain([0], "AB", "1")
    ),
}
TRUE_LABELS: dict[str, Builder] = {
    "weights of three of three": lambda: identity("a: 3 -> ()", part_of_all(3), one()),
    "weights": lambda: identity(WEIGHED + "()", weights([[0, 1], []], []), plain([], "a", "1")),
    "weights of rows": lambda: identity(
        WEIGHED + "n", weights([[0, 1], [0]], [0], summed=False), plain([0], "a", "1")
    ),
    "an inverse of a product": lambda: identity(
        MATRICES + "n n", products([[0, 1], [1, 2], [2, 9]]), plain([0, 9], "AB", "I")
    ),
    "the trace of I": lambda: identity(MATRICES + "()", matrices([[0, 1], [1, 0]], []), plain([], "AB", "n")),
    "the trace of I with b between": lambda: identity(
        MATRICES + "()", matrices([[0, 1], [1, 0], [1]], []), plain([], "AB", "b")
    ),
}


# -- what is undefined stays undefined (rewrite.py, equations.py) -------------------------------------------
def partial(fn: str, g: Graph, x: int, shape: list[Any]) -> int:
    """A function that is not defined everywhere."""
    if fn in ("pow", "mod"):
        return g.node("map", [x, x], shape, fn=fn)
    return g.node("map", [x], shape, fn=fn)


def picked(fn: str, way: str, same: bool) -> Builder:
    """Entries of fn(x) that an identity matrix picks, against fn(x), 0, or fn(x) along the other axis."""

    def build() -> JSON:
        f, g = Graph(x=["n"]), Graph(x=["n"])
        vf, vg = (partial(fn, h, h.node("input", [], ["n"], name="x"), ["n"]) for h in (f, g))
        eye = f.node("indicator", [], ["n", "n"])
        if way == "summed":
            f.node("einsum", [eye, vf], ["n"], inputs=[[0, 1], [1]], output=[0])
            g.node("einsum", [vg], ["n"], inputs=[[0]], output=[0])
            return identity("x: n -> n", f, g, same)
        other = g.node("indicator", [], ["n", "n"])
        f.node("einsum", [eye, vf], ["n", "n"], inputs=[[0, 1], [1]], output=[0, 1])
        g.node("einsum", [other, vg], ["n", "n"], inputs=[[0, 1], [0]], output=[0, 1])
        return identity("x: n -> n n", f, g, same)

    return build


def off_diagonal(fn: str, same: bool) -> Builder:
    """fn(x) times an entry of the identity that is 0, against 0."""

    def build() -> JSON:
        f, g = Graph(x=["n"]), Graph(x=["n"])
        v = partial(fn, f, f.node("input", [], ["n"], name="x"), ["n"])
        eye = f.node("indicator", [], ["n", "n"])
        all_ = f.node("einsum", [eye, v], ["n", "n", "n"], inputs=[[0, 1], [2]], output=[0, 1, 2])
        row = f.node("slice", [all_], [1, "n", "n"], axis=0, start=0, step=1)
        entry = f.node("slice", [row], [1, 1, "n"], axis=1, start=1, step=1)
        f.node("einsum", [entry], ["n"], inputs=[[0, 1, 2]], output=[2])
        zero = g.node("const", [], [], values=["0"])
        g.node("einsum", [zero], ["n"], inputs=[[]], output=[0])
        data = identity("x: n -> n", f, g, same)
        data["claim"]["scope"]["n"] = [2, 9]
        return reseal(data)

    return build


def reshaped(same: bool, *functions: str) -> Builder:
    """A product of functions of x and y in another shape, times 0, against 0."""

    def build() -> JSON:
        f, g = Graph(x=["n", "m"], y=["n", "m"]), Graph(x=["n", "m"], y=["n", "m"])
        args = [f.node("input", [], ["n", "m"], name=name) for name in "xy"[: len(functions)]]
        args = [
            f.node("map", [a], ["n", "m"], fn=fn) if fn else a for a, fn in zip(args, functions, strict=True)
        ]
        v = f.node("einsum", args, ["n", "m"], inputs=[[0, 1]] * len(args), output=[0, 1])
        v = f.node("reshape", [v], [[[1, ["m", "n"]]]])
        zero = f.node("const", [], [], values=["0"])
        f.node("einsum", [zero, v], [[[1, ["m", "n"]]]], inputs=[[], [0]], output=[0])
        zero = g.node("const", [], [], values=["0"])
        g.node("einsum", [zero], [[[1, ["m", "n"]]]], inputs=[[]], output=[0])
        return identity("x: n m, y: n m -> k", f, g, same)

    return build


def chosen(same: bool, always: bool) -> Builder:
    """s/s beside 1/s, where that is taken always, or only for s that is not 0, against 1 in place of s/s."""

    def build() -> JSON:
        f, g = Graph(s=[]), Graph(s=[])
        for h in (f, g):
            s, zero = h.node("input", [], [], name="s"), h.node("const", [], [], values=["0"])
            inverse = h.node("map", [s], [], fn="recip")
            value = inverse
            if not always:
                is_other = h.node("map", [s, zero], [], fn="ne")
                value = h.node("select", [is_other, inverse, zero], [])
            if h is f:
                one = h.node("einsum", [s, inverse], [], inputs=[[], []], output=[])
            else:
                one = h.node("const", [], [], values=["1"])
            if always:  # all nodes are used
                value = h.node("add", [value, zero], [])
            h.node("add", [one, value], [])
        return identity("s: () -> ()", f, g, same)

    return build


PARTIAL = ("recip", "log", "sqrt", "arcsin", "tan", "pow", "mod")
DOMAINS: dict[str, Builder] = {
    **{f"{fn} {way} with I": picked(fn, way, True) for fn in PARTIAL for way in ("summed", "kept")},
    **{f"{fn} times an entry 0 of I": off_diagonal(fn, True) for fn in PARTIAL},
    "log reshaped, times 0": reshaped(True, "", "log"),
    "log beside exp reshaped, times 0": reshaped(True, "log", "exp"),
    "s/s beside 1/s that is not always taken": chosen(True, False),
}
TRUE_DOMAINS: dict[str, Builder] = {
    **{
        f"{fn} {way} with I, where defined": picked(fn, way, False)
        for fn in PARTIAL
        for way in ("summed", "kept")
    },
    **{f"{fn} {way} with I": picked(fn, way, True) for fn in ("exp", "tanh") for way in ("summed", "kept")},
    **{f"{fn} times an entry 0 of I, where defined": off_diagonal(fn, False) for fn in PARTIAL},
    "log reshaped, times 0, where defined": reshaped(False, "", "log"),
    "exp reshaped, times 0": reshaped(True, "", "exp"),
    "s/s beside 1/s that is not always taken, where defined": chosen(False, False),
    "s/s beside 1/s": chosen(True, True),
}


def quotient(top: str, bottom: str, same: bool) -> Builder:
    """log(q / r) against log(q) - log(r), for q and r of these functions of x and y."""

    def entry(g: Graph, name: str, fn: str) -> int:
        if fn == "-1":
            return g.node("const", [], [], values=["-1"])
        x = g.node("input", [], [], name=name)
        if fn == "negative":
            c = g.node("const", [], [], values=["-1"])
            return g.node("einsum", [c, x], [], inputs=[[], []], output=[])
        if fn == "product":
            return g.node("einsum", [x, x, x], [], inputs=[[], [], []], output=[])
        return x if fn == "itself" else g.node("map", [x], [], fn=fn)

    def build() -> JSON:
        f, g = Graph(x=[], y=[]), Graph(x=[], y=[])
        q, r = entry(f, "x", top), entry(f, "y", bottom)
        below = f.node("map", [r], [], fn="recip")
        whole = f.node("einsum", [q, below], [], inputs=[[], []], output=[])
        f.node("map", [whole], [], fn="log")
        q, r = (
            g.node("map", [entry(g, "x", top)], [], fn="log"),
            g.node("map", [entry(g, "y", bottom)], [], fn="log"),
        )
        c = g.node("const", [], [], values=["-1"])
        minus = g.node("einsum", [c, r], [], inputs=[[], []], output=[])
        g.node("add", [q, minus], [])
        return identity("x: (), y: () -> ()", f, g, same)

    return build


LOGARITHMS: dict[str, Builder] = {
    f"log of {top} over {bottom}": quotient(top, bottom, True)
    for top, bottom in (
        ("itself", "itself"), ("itself", "tanh"), ("sin", "itself"), ("negative", "negative"),
        ("itself", "product"), ("product", "itself"), ("sin", "sin"), ("tanh", "arctan"),
        ("itself", "negative"),
        ("negative", "itself"), ("-1", "itself"), ("-1", "negative"),
    )
}  # fmt: skip
TRUE_LOGARITHMS = {
    "log of something over exp": quotient("itself", "exp", True),
    "log of exp over exp": quotient("exp", "exp", True),
}


# -- roots and maxima, entry by entry (equations.py, atoms.py) ---------------------------------------------
Expression = str | tuple[Any, ...]


def computed(g: Graph, e: Expression) -> int:
    """The node of an argument; of ("max", x) over all entries; of a product; of a function of entries."""
    if isinstance(e, str):
        return g.node("input", [], ["n"], name=e)
    op, *rest = e
    args = [computed(g, x) for x in rest]
    if op == "max":
        return g.node("reduce", args, [], fn="max", axes=[0])
    if op == "*":
        return g.node("einsum", args, ["n"], inputs=[[0]] * len(args), output=[0])
    return g.node("map", args, ["n"], fn=op)


def equal(left: Expression, right: Expression) -> Builder:
    """Whether two functions of a and b are one."""

    def build() -> JSON:
        graphs = [Graph(a=["n"], b=["n"]) for _ in range(2)]
        for g, e in zip(graphs, (left, right), strict=True):
            computed(g, e)
        return identity(f"a: n, b: n -> {'()' if left[0] == 'max' else 'n'}", *graphs)

    return build


PRODUCT, QUOTIENT = ("*", "a", "b"), ("*", ("recip", "a"), "b")
ENTRIES: dict[str, Builder] = {
    "a root of a quotient without its numerator": equal(("sqrt", QUOTIENT), ("recip", ("sqrt", "a"))),
    "a root of a quotient without its denominator": equal(("sqrt", QUOTIENT), ("sqrt", "b")),
    "a root of a square": equal(("sqrt", ("*", "a", "a")), "a"),
    "exp of a product": equal(("exp", PRODUCT), ("*", ("exp", "a"), ("exp", "b"))),
    "the reciprocal of a product": equal(("recip", PRODUCT), ("recip", "a")),
    "maxima of two": equal(("max", "a"), ("max", "b")),
    "a maximum of absolute values": equal(("max", ("abs", "a")), ("max", "a")),
}
TRUE_ENTRIES: dict[str, Builder] = {
    "a root of an inverse": equal(("sqrt", ("recip", "a")), ("recip", ("sqrt", "a"))),
    "the reciprocal of a product, factor by factor": equal(
        ("recip", PRODUCT), ("*", ("recip", "b"), ("recip", "a"))
    ),
    "the maximum of a product": equal(("max", PRODUCT), ("max", ("*", "b", "a"))),
}


# -- the remainder of a series (series.py) -----------------------------------------------------------------
def cosine_against_its_taylor_polynomial(bits: int) -> JSON:
    """max(cos x, 1 - x^2/2 + x^4/24 - x^6/720) is cos x; x = 2^-m, where the first terms are exact."""
    x = Fraction(1, 1 << bits)
    terms = [Fraction(1), -(x**2) / 2, x**4 / 24, -(x**6) / 720]
    least = sum(terms, Fraction(0))
    f, g = Graph(x=[]), Graph(x=[])
    a, b = (h.node("map", [h.node("input", [], [], name="x")], [], fn="cos") for h in (f, g))
    c = f.node("const", [], [], values=[str(least)])
    f.node("map", [a, c], [], fn="maximum")
    g.node("einsum", [b], [], inputs=[[]], output=[])
    gap = x**4 / 1000
    evidence = {
        "sizes": {}, "inputs": {"x": tensor([], x)}, "arithmetic": "ball", "precision": 2, "entry": [],
        "left": {"lo": str(least), "hi": str(least + gap)},
        "right": {"lo": "1/2", "hi": str(least - gap)},
    }  # fmt: skip
    return seal(
        "difference", claim=claim("x: () -> ()", kind="identity"), program=f.program(), other=g.program(),
        evidence=evidence,
    )  # fmt: skip


# -- places that go round, or that are one place (normal.py, indices.py) -----------------------------------
def read(g: Graph, x: int, *places: Any, shape: list[int]) -> int:
    return g.node("read", [x], shape, places=[*places])


AS_IT_IS = [0, [1], False]


def gone_round(times: int) -> Graph:
    """The first two entries, repeated."""
    g = Graph(x=[4])
    x = g.node("input", [], [4], name="x")
    read(g, read(g, x, AS_IT_IS, shape=[2]), [0, [1], True], shape=[2 * times])
    return g


def first(count: int) -> Graph:
    g = Graph(x=[4])
    read(g, g.node("input", [], [4], name="x"), AS_IT_IS, shape=[count])
    return g


def inverse_times(*place: Any, within: int = 4) -> Graph:
    """sum_c inv(p)[r, e(c)] p[e(c), k], for c < 4 and a place e in the first so many."""
    g = Graph(p=[4, 4])
    p = g.node("input", [], [4, 4], name="p")
    q = read(g, g.node("inv", [p], [4, 4]), AS_IT_IS, AS_IT_IS, shape=[4, within])
    q = read(g, q, AS_IT_IS, list(place), shape=[4, 4])
    p = read(g, read(g, p, AS_IT_IS, AS_IT_IS, shape=[within, 4]), list(place), AS_IT_IS, shape=[4, 4])
    g.node("einsum", [q, p], [4, 4], inputs=[[0, 1], [1, 2]], output=[0, 2])
    return g


VECTOR, MATRIX = "x: 4 -> {}", "p: 4 4 -> 4 4"
INVERSE = inverse_times(0, [1], False)
PLACES: dict[str, Builder] = {
    "two entries, twice": lambda: identity(VECTOR.format(4), gone_round(2), first(4)),
    "one column, four times": lambda: identity(MATRIX, inverse_times(1, [0], False), INVERSE),
    "two columns, twice": lambda: identity(MATRIX, inverse_times(0, [1], True, within=2), INVERSE),
    "two columns, twice, moved": lambda: identity(MATRIX, inverse_times(1, [1], True, within=2), INVERSE),
}
TRUE_PLACES: dict[str, Builder] = {
    "two entries, once": lambda: identity(VECTOR.format(2), gone_round(1), first(2)),
    "columns reversed": lambda: identity(MATRIX, inverse_times(3, [-1], False), INVERSE),
    "columns moved round": lambda: identity(MATRIX, inverse_times(1, [1], True), INVERSE),
}

FALSE: dict[str, Builder] = {
    **PLACES, **LABELS, **DOMAINS, **LOGARITHMS, **ENTRIES,
    **{
        f"cos 2^-{m} is not itself": (lambda m=m: cosine_against_its_taylor_polynomial(m))
        for m in range(20, 60)
    },
}  # fmt: skip
TRUE: dict[str, Builder] = {**TRUE_PLACES, **TRUE_LABELS, **TRUE_DOMAINS, **TRUE_LOGARITHMS, **TRUE_ENTRIES}


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    report = check_certificate(FALSE[name]())
    assert not report.accepted
    assert "internal error" not in report.reason and "$.program" not in report.reason, report.reason


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    report = check_certificate(TRUE[name]())
    assert report.accepted, report.reason


@pytest.mark.parametrize("bits", [2, 5, 12, 21, 40, 41, 69])
def test_enclosures_hold_where_terms_are_exact(bits: int) -> None:
    """Between Taylor polynomials, for x = 2^-m and 3 2^-m: after exact terms only the remainder is left."""
    for x in (Fraction(k, 1 << m) for m in range(3, 120) for k in (1, 3)):
        cosine = [1 - x**2 / 2 + x**4 / 24 - x**6 / 720, 1 - x**2 / 2 + x**4 / 24]
        sine = [x - x**3 / 6 + x**5 / 120 - x**7 / 5040, x - x**3 / 6 + x**5 / 120]
        tangent = [x - x**3 / 3 + x**5 / 5 - x**7 / 7, x - x**3 / 3 + x**5 / 5]
        for least, most, (low, high) in (
            (*cosine, series.cosine(x, 0, bits)),
            (*sine, series.cosine(x, 1, bits)),
            (*tangent, series.arctan(x, bits)),
            (1 + x + x**2 / 2, 1 + x + x**2, series.exp(x, bits)),
            (x - x**2 / 2, x - x**2 / 2 + x**3 / 3, series.log(1 + x, bits)),
        ):
            assert low <= high and low <= most and high >= least
