"""Laws of normal forms, and values that are none of each other."""

from __future__ import annotations

from functools import partial
from typing import Any

from eqvproof.kernel.functions import EVEN, ODD
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

INPUTS = {
    "x": "n", "y": "n", "z": "n", "u": "m", "s": "", "t": "", "A": "nn", "B": "nn", "X": "nm",
    "T": "nnn", "G": "kmm", "V": "3", "H": "kmm", "F": "nnnn", "exp": "n",
}  # fmt: skip
x, y, z, u, s, t, A, B, X, T, G, V, H, F, CALLED_EXP = (var(name, shape) for name, shape in INPUTS.items())
M_LESS = [[-1, []], [1, ["m"]]]
TWO_N, N_LESS, N_ONE = [[2, ["n"]]], [[-1, []], [1, ["n"]]], [[1, []], [1, ["n"]]]
ONE, TWO = num("1"), num("2")
Law = tuple[Value, Value]


def n(value: Value) -> Value:
    """A number along the axis n."""
    return ein("->a", value, a="n") if value.shape == "" else value


exp, recip, log, sqrt = (partial(fn, name) for name in ("exp", "recip", "log", "sqrt"))
inv = partial(mat, "inv")


def turned(v: Value) -> Value:
    return ein("ab->ba", v)


AXES_7 = "abcdefg"
SEVEN = [var(f"v{k}", "n") for k in range(7)]
INPUTS |= {f"v{k}": "n" for k in range(7)}


def of_all(order: Any) -> Value:
    """tanh of a sum of seven values along seven axes, each times another number."""
    parts = [
        ein(f",{AXES_7[k]}->{AXES_7}", num(str(k + 1)), SEVEN[k], **dict.fromkeys(AXES_7, "n")) for k in order
    ]
    return fn("tanh", Value("add", tuple(parts), "n" * 7))


MAY_BE_0 = ein("a->", exp(part(x, 0, 1, N_LESS))) + ein("a,a->", x, x)
#: Both sides are defined at the same points.
SAME: dict[str, Law] = {
    # functions, entry by entry
    **{f"{f} is odd": (fn(f, -x), -fn(f, x)) for f in sorted(ODD)},
    **{f"{f} of a difference is odd": (fn(f, x - y), -fn(f, y - x)) for f in sorted(ODD)},
    **{f"{f} is even": (fn(f, -x), fn(f, x)) for f in sorted(EVEN)},
    **{f"{f} of a difference is even": (fn(f, x - y), fn(f, y - x)) for f in sorted(EVEN)},
    **{
        f"{f} is symmetric": (fn(f, x, y), fn(f, y, x))
        for f in ("maximum", "minimum", "eq", "ne", "and", "or")
    },
    "gt is lt": (fn("gt", x, y), fn("lt", y, x)),
    "ge is le": (fn("ge", x, y), fn("le", y, x)),
    "1/(2xy)": (recip((x * y).times("2")), (recip(y) * recip(x)).times("1/2")),
    "1/(nx)": (recip(ein(",a->a", size("n"), x)), ein(",a->a", recip(size("n")), recip(x))),
    "1/exp": (recip(exp(x)), exp(-x)),
    "1/sqrt 2": (recip(sqrt(TWO)), sqrt(TWO).times("1/2")),
    "1/sqrt n": (recip(sqrt(size("n"))), sqrt(size("n")) * recip(size("n"))),
    "1/sqrt 2 of x": (
        recip(ein(",a->a", sqrt(TWO), x)), ein(",a->a", sqrt(TWO), recip(x)).times("1/2")
    ),
    "1/pi": (recip(fn("pi") * s), recip(s) * recip(fn("pi"))),
    "1/(2x+2y)": (recip((x + y).times("2")), recip(x + y).times("1/2")),
    "1/(-x-y)": (recip(-x - y), -recip(x + y)),
    "1/(2x-3y)": (recip(x.times("2") - y.times("3")), recip(x.times("-4") + y.times("6")).times("-2")),
    "1/(nx+ny)": (
        recip(ein(",a->a", size("n"), x + y)), ein(",a->a", recip(size("n")), recip(x + y))
    ),
    "1/(exp x + exp y)": (recip(exp(x) + exp(y)), exp(-x) * recip(n(ONE) + exp(y - x))),
    "exp of a sum": (exp(x + y), exp(y) * exp(x)),
    "exp of a sum of axes": (
        exp(ein("a->ab", x, b="m") + ein("b->ab", u, a="n")), ein("a,b->ab", exp(x), exp(u))
    ),
    "exp of axes in another order": (
        ein("ab,ba->ab", exp(A), exp(B)), exp(A + turned(B))
    ),
    "exp x exp -x": (exp(x) * exp(-x), n(ONE)),
    "exp on a diagonal": (ein("aa,a->a", exp(A), exp(x)), exp(ein("aa->a", A) + x)),
    "log of exp": (log(exp(x)), x),
    "log of 2 exp": (log(exp(x).times("2")), x + n(log(TWO))),
    "log of exp times y": (log(exp(x) * y), x + log(y)),
    "log of y over exp": (log(y * exp(-x)), log(y) - x),
    "log of an inverse": (log(recip(x)), -log(x)),
    "log of y over 1 + |z|": (log(y * recip(n(ONE) + fn("abs", z))), log(y) - log(n(ONE) + fn("abs", z))),
    "log of y over two": (
        log(y * recip(n(ONE) + fn("abs", z)) * recip(n(ONE) + fn("abs", x))),
        log(y) - log(n(ONE) + fn("abs", z)) - log(n(ONE) + fn("abs", x)),
    ),
    "log of 1 over 1 + x.x": (
        log(s * recip(ONE + ein("a,a->", x, x))), log(s) - log(ONE + ein("a,a->", x, x))
    ),
    "log of y over 1 + sqrt": (
        log(y * recip(n(ONE) + sqrt(z))), log(y) - log(n(ONE) + sqrt(z))
    ),
    "log of y over 1 + 1/exp": (
        log(y * recip(n(ONE) + recip(exp(z) + n(ONE)))), log(y) - log(n(ONE) + recip(exp(z) + n(ONE)))
    ),
    "log of y over a sum of exp": (
        log(s * recip(ein("a->", exp(x)))), log(s) - log(ein("a->", exp(x)))
    ),
    "sqrt of 4x": (sqrt(x.times("4")), sqrt(x).times("2")),
    "sqrt of 8x": (sqrt(x.times("8")), sqrt(x.times("2")).times("2")),
    "sqrt of x/9": (sqrt(x.times("1/9")), sqrt(x).times("1/3")),
    "sqrt of x/2": (sqrt(x.times("1/2")), sqrt(x.times("2")).times("1/2")),
    "sqrt of n^2 x": (sqrt(ein(",,a->a", size("n"), size("n"), x)), ein(",a->a", size("n"), sqrt(x))),
    "sqrt of n^3 x": (
        sqrt(ein(",,,a->a", size("n"), size("n"), size("n"), x)),
        ein(",a->a", size("n"), sqrt(ein(",a->a", size("n"), x))),
    ),
    "sqrt of 4": (sqrt(num("4")), TWO),
    "sqrt of 8": (sqrt(num("8")), sqrt(TWO).times("2")),
    "sqrt of n^2": (sqrt(size("n") * size("n")), size("n")),
    "sqrt of an inverse": (sqrt(recip(x)), recip(sqrt(x))),
    "sqrt of 4/x": (sqrt(recip(x).times("4")), recip(sqrt(x)).times("2")),
    "sqrt of exp, squared": (sqrt(exp(x)) * sqrt(exp(x)), exp(x)),
    "1/sqrt of exp + 1, squared": (
        recip(sqrt(exp(x) + n(ONE))) * recip(sqrt(exp(x) + n(ONE))), recip(exp(x) + n(ONE))
    ),
    "sqrt of abs, squared": (sqrt(fn("abs", x)) * sqrt(fn("abs", x)), fn("abs", x)),
    "sqrt of a sum of squares, squared": (
        sqrt(ein("a,a->", x, x)) * sqrt(ein("b,b->", x, x)), ein("a,a->", x, x)
    ),
    # sums of products
    "commuted": (x * y, y * x),
    "distributed": ((x + y) * z, z * y + z * x),
    "squared": ((x + y) * (x + y), x * x + (x * y).times("2") + y * y),
    "cancelled": (x + y - x, y),
    "renamed": (ein("ab,bc->ac", A, B), ein("fa,ef->ea", B, A)),
    "a trace of three": (ein("ab,bc,ca->", A, B, A), ein("bc,ca,ab->", A, B, A)),
    "a trace turned": (ein("ab,ba->", A, B), ein("ba,ab->", turned(B), turned(A))),
    "associated": (
        ein("ab,b->a", A, ein("ab,b->a", B, x)), ein("ab,b->a", ein("ab,bc->ac", A, B), x)
    ),
    "a sum of two labels": (ein("ab,cd->", A, B), ein("ab->", A) * ein("ba->", B)),
    "a sum of 1": (ein("a->", n(ONE)), size("n")),
    "a sum along another axis": (ein("a->b", x, b="m"), ein(",->b", ein("a->", x), ONE, b="m")),
    "a sum over m of x": (ein("a,b->a", x, ein("->a", ONE, a="m")), ein(",a->a", size("m"), x)),
    "a cycle of tensors": (ein("abc,bcd,def,efa->", T, T, T, T), ein("def,efa,abc,bcd->", T, T, T, T)),
    "an identity": (ein("ab,b->a", eye("n"), x), x),
    "an identity turned": (ein("ba,b->a", eye("n"), x), x),
    "the trace of an identity": (ein("aa->", eye("n")), size("n")),
    "an identity between": (ein("ab,bc,cd->ad", A, eye("n"), B), ein("ab,bd->ad", A, B)),
    "an entry of a kept identity": (
        ein("ab,a->ab", part(eye("n"), 1, 0, "1"), x), ein("ab,b->ab", part(eye("n"), 1, 0, "1"),
            part(x, 0, 0, "1"))
    ),
    "the last column of a kept identity": (
        ein("ab,a->ab", part(eye("n"), 1, N_LESS, "1"), x),
        ein("ab,b->ab", part(eye("n"), 1, N_LESS, "1"), part(x, 0, N_LESS, "1")),
    ),
    "two identities": (ein("ab,bc->ac", eye("n"), eye("n")), eye("n")),
    "a kept identity": (ein("ab,a->ab", eye("n"), x), ein("ab,b->ab", eye("n"), x)),
    "an identity times a matrix": (ein("ab,ab->ab", eye("n"), A), ein("ab,aa->ab", eye("n"), A)),
    "an entry of an identity": (part(part(eye("3"), 0, 0, 1), 1, 2, 1), num("0", shape="11")),
    "an entry 1 of an identity": (part(part(eye("3"), 0, 2, 1), 1, 2, 1), num("1", shape="11")),
    # reading
    "a shift by nothing": (roll(x, 0, 0), x),
    "a shift and back": (roll(roll(x, 0, 1), 0, -1), x),
    "two shifts": (roll(roll(x, 0, 1), 0, 2), roll(x, 0, 3)),
    "a shift of three by four": (roll(V, 0, 4), roll(V, 0, 1)),
    "twice reversed": (flip(flip(x, 0), 0), x),
    "a part of a part": (part(part(V, 0, 1, 2), 0, 1, 1), part(V, 0, 2, 1)),
    "each second": (part(part(cat(0, 6, V, V), 0, 1, 3, 2), 0, 1, 2), part(cat(0, 6, V, V), 0, 3, 2, 2)),
    "entries of a part of a function": (part(exp(V), 0, 1, 2), exp(part(V, 0, 1, 2))),
    "a part of a product": (part(V * V, 0, 0, 2), part(V, 0, 0, 2) * part(V, 0, 0, 2)),
    "a part of joined": (part(cat(0, TWO_N, x, y), 0, 0, "n"), x),
    "the end of joined": (part(cat(0, TWO_N, x, y), 0, "n", "n"), y),
    "a reversed part of joined": (
        read(cat(0, TWO_N, x, y), "n", ([[-1, []], [2, ["n"]]], [-1], False)), flip(y, 0)
    ),
    "a sum of joined": (ein("a->", cat(0, TWO_N, x, y)), ein("a->", x) + ein("a->", y)),
    "a product of joined": (
        ein("a,a->", cat(0, TWO_N, x, y), cat(0, TWO_N, y, z)), ein("a,a->", x, y) + ein("a,a->", y, z)
    ),
    "joined rows times a vector": (
        ein("ab,b->a", cat(1, TWO_N, A, B), cat(0, TWO_N, x, y)), ein("ab,b->a", A, x) + ein("ab,b->a", B, y)
    ),
    "joined first axes": (part(cat(0, TWO_N, X, X), 0, "n", "n"), X),
    "joined, turned": (ein("ab->ba", cat(0, TWO_N, A, B)), cat(1, TWO_N, turned(A), turned(B))),
    "joined with nothing": (cat(0, "n", x, num(shape="0")), x),
    "a root of what is not negative": (sqrt(MAY_BE_0) - sqrt(MAY_BE_0), num("0")),
    "a product of what may be empty": (
        red("prod", part(x, 0, 1, N_LESS), 0) - red("prod", part(x, 0, 1, N_LESS), 0), num("0")
    ),
    "a sum of nothing joined": (ein("a->", cat(0, 0, num(shape="0"), num(shape="0"))), num("0")),
    "a determinant less itself": (mat("det", A) - mat("det", A), num("0")),
    "a maximum less itself": (red("max", x, 0) - red("max", x, 0), num("0")),
    "joined alone": (cat(0, "n", x), x),
    "joined on a diagonal": (
        ein("aab->ab", cat(2, TWO_N, T, T)), cat(1, TWO_N, ein("aab->ab", T), ein("aab->ab", T))
    ),
    "sorted along the first axis": (srt(X, 0), ein("ab->ba", srt(ein("ab->ba", X), 1))),
    "sorted, what does not vary": (srt(ein("a->ab", x, b="m"), 1), ein("a->ab", x, b="m")),
    "sorted on a diagonal": (ein("aab->ab", srt(T, 2)), srt(ein("aab->ab", T), 1)),
    "reshaped, what is multiplied": (
        ein(",a->a", s, resh(A, [[[1, ["n", "n"]]]])), resh(ein(",ab->ab", s, A), [[[1, ["n", "n"]]]])
    ),
    "reshaped sums": (resh(A + B, [[[1, ["n", "n"]]]]), resh(A, [[[1, ["n", "n"]]]]) + resh(B,
        [[[1, ["n", "n"]]]])),
    "an axis of 1 before": (resh(x, "1n"), ein("a->ba", x, b="1")),
    "one-hot vectors": (
        Value("indicator", (x,), "nn", (("offset", None),)),
        fn("eq", ein("a->ab", x, b="n"), ein("b->ab", iota("n"), a="n")),
    ),
    "an axis of 1 put in": (resh(X, "n1m"), ein("ab->acb", X, c="1")),
    "an axis of 1 taken out": (resh(part(X, 0, 0, "1"), "m"), ein("ab->b", part(X, 0, 0, "1"))),
    # maxima, determinants and inverses
    "a maximum along axes in turn": (red("max", A, 0, 1), red("max", turned(A), 0, 1)),
    "a maximum of what does not vary": (red("max", ein("a->ab", x, b="m"), 1), x),
    "a maximum, partly of what does not vary": (red("max", ein("a->ab", x, b="m"), 0, 1), red("max", x, 0)),
    "a maximum on a diagonal": (
        red("max", ein("aabc->abc", F), 1, 2), ein("aa->a", red("max", F, 2, 3))
    ),
    "a product along axes in turn": (red("prod", A, 0, 1), red("prod", turned(A), 0, 1)),
    "a maximum along four axes": (red("max", F, 0, 1, 2, 3), red("max", ein("abcd->dbca", F), 0, 1, 2, 3)),
    "a minimum of a turned matrix": (red("min", turned(A), 0), red("min", A, 1)),
    "a maximum of the first axis": (red("max", X, 0), red("max", ein("ab->ba", X), 1)),
    "the determinant of a transpose": (mat("det", turned(A)), mat("det", A)),
    "the inverse of a transpose": (inv(turned(A)), turned(inv(A))),
    "determinants on a diagonal": (
        mat("det", ein("aabc->abc", F)), ein("aa->a", mat("det", F))
    ),
    "inverses on a diagonal": (inv(ein("aabc->abc", F)), ein("aabc->abc", inv(F))),
    "the inverse of A + A^T": (inv(A + turned(A)), turned(inv(A + turned(A)))),
    "determinants one by one": (mat("det", ein("abc->acb", G)), mat("det", G)),
    "a function of axes in another order": (fn("tanh", turned(A)), turned(fn("tanh", A))),
    "a function on a diagonal": (ein("aa->a", fn("tanh", A + B)),
        fn("tanh", ein("aa->a", A) + ein("aa->a", B))),
    "a function of two on a diagonal": (
        ein("aa->a", fn("lt", A, B)), fn("lt", ein("aa->a", A), ein("aa->a", B))
    ),
    "a function of a row": (
        part(fn("tanh", ein("ab,b->ab", X, u)), 0, 0, "1"), fn("tanh", part(ein("ab,b->ab", X, u), 0, 0, "1"))
    ),
    "a function of seven axes": (of_all(range(7)), of_all([3, 1, 6, 0, 2, 5, 4])),
    "a choice on a diagonal": (ein("aa->a", where(A, B, turned(B))),
        where(*(ein("aa->a", v) for v in (A, B, B)))),
    # numbers
    "a product of numbers": (
        ein("ab,b->a", num("1", "2", "3", "4", shape="22"), num("1", "-1", shape="2")),
            num("-1", "-1", shape="2")
    ),
    "numbers turned": (
        turned(num("1", "2", "3", "4", "5", "6", shape="23")), num("1", "4", "2", "5", "3", "6", shape="32")
    ),
    "numbers times 2": (num("1", "2", shape="2").times("2"), num("2", "4", shape="2")),
    "numbers on a diagonal": (ein("aa->a", num("1", "2", "3", "4", shape="22")), num("1", "4", shape="2")),
    "a part of numbers": (part(num("1", "2", "5", shape="3"), 0, 1, 2), num("2", "5", shape="2")),
    "an identity of numbers": (num("2", "0", "0", "2", shape="22"), ein(",ab->ab", TWO, eye("2"))),
    "numbers times an array": (
        ein("ab,b->a", num("1", "2", "0", "0", "1", "1", shape="23"), V),
        ein("ab,b->a", num("2", "4", "0", "0", "2", "2", shape="23"), V).times("1/2"),
    ),
    "one number everywhere": (num("2", "2", "2", shape="3"), ein("->a", TWO, a="3")),
    "a triangle on its diagonal": (ein("aa->a", tri("n", "n", 0)), n(ONE)),
    "a triangle above": (ein("aa->a", tri("n", "n", -1)), n(num("0"))),
    "a counter of a part": (part(iota("3"), 0, 1, 2), iota("2") + ein("->a", ONE, a="2")),
    "a counter of each second": (part(iota("4"), 0, 1, 2, 2), iota("2").times("2") + ein("->a", ONE, a="2")),
    "a size": (ein("a->", ein("->a", size("m"), a="n")), size("m") * size("n")),
    "sizes": (size([[1, []], [2, ["m", "n"]]]), ONE + (size("m") * size("n")).times("2")),
    "what is unknown": (ein("ab->ba", unknown("g", "nm", x, u)), ein("ab->ba", unknown("g", "nm", x, u))),
    "inv(A + B) A": (
        ein("ab,bc->ac", inv(A + B), A), eye("n") - ein("ab,bc->ac", inv(A + B), B)
    ),
    "A inv(A + B)": (
        ein("ab,bc->ac", A, inv(A + B)), eye("n") - ein("ab,bc->ac", B, inv(A + B))
    ),
    "inv(A + I) A": (ein("ab,bc->ac", inv(A + eye("n")), A), eye("n") - inv(A + eye("n"))),
    "(xs + 1)/s": ((x * n(s) + n(ONE)) * recip(n(s)), x + recip(n(s))),
    "a sum over two axes and 0 times it": (
        ein("ab->", sqrt(A)) + ein("ab->", sqrt(A)) * num("0"), ein("ab->", sqrt(A))
    ),
    "the root of a large number, squared": (sqrt(num("1000003")) * sqrt(num("1000003")), num("1000003")),
    "inv((n + 1) A) B": (
        ein("ab,bc->ac", inv(ein(",ab->ab", size(N_ONE), A)), B),
        ein("ab,bc->ac", inv(ein("ab,->ab", A, size("n")) + A), B),
    ),
    "sum (x + z)/(x + z) 1/(x + z)": (
        ein("a,a,a->", x + z, recip(x + z), recip(x + z)), ein("a->", recip(x + z))
    ),
}  # fmt: skip
MAY_BE = ein("a->", exp(part(x, 0, 1, N_LESS)))
#: The second side may be defined at more points.
MORE: dict[str, Law] = {
    "1/(1/x)": (recip(recip(x)), x),
    "x/x": (x * recip(x), n(ONE)),
    "(x + y)/(x + y)": ((x + y) * recip(x + y), n(ONE)),
    "2x/(x + y)": (x.times("2") * recip(x + y), n(TWO) - y.times("2") * recip(x + y)),
    "xy/(xy)": (x * y * z * recip(x * y), z),
    "sqrt x sqrt x": (sqrt(x) * sqrt(x), x),
    "1/sqrt x 1/sqrt x": (recip(sqrt(x)) * recip(sqrt(x)), recip(x)),
    "inv(A) A": (ein("ab,bc->ac", inv(A), A), eye("n")),
    "A inv(A)": (ein("ab,bc->ac", A, inv(A)), eye("n")),
    "inv(A) A x": (ein("ab,bc,c->a", inv(A), A, x), x),
    "inv(2A) A": (ein("ab,bc->ac", inv(ein(",ab->ab", TWO, A)), A), ein(",ab->ab", num("1/2"), eye("n"))),
    "inv(A + B) (A + B)": (ein("ab,bc->ac", inv(A + B), A + B), eye("n")),
    "inv of a batch": (ein("abc,acd->abd", inv(G), G), ein("a,bd->abd", ein("->a", ONE, a="k"), eye("m"))),
    "A inv(A) of a batch": (
        ein("abc,acd->abd", G, inv(G)), ein("a,bd->abd", ein("->a", ONE, a="k"), eye("m"))
    ),
    "inv(G + H) G of a batch": (
        ein("abc,acd->abd", inv(G + H), G),
        ein("a,bd->abd", ein("->a", ONE, a="k"), eye("m")) - ein("abc,acd->abd", inv(G + H), H),
    ),
    "G inv(G + H) of a batch": (
        ein("abc,acd->abd", G, inv(G + H)),
        ein("a,bd->abd", ein("->a", ONE, a="k"), eye("m")) - ein("abc,acd->abd", H, inv(G + H)),
    ),
    "1/sum of what may be empty": (recip(MAY_BE) - recip(MAY_BE), num("0")),
    "1/x.x": (recip(ein("a,a->", x, x)) - recip(ein("a,a->", x, x)), num("0")),
    "1/(x.x + |y|)": (
        recip(ein("b,b->a", x, x, a="n") + fn("abs", y)) - recip(ein("b,b->a", x, x, a="n") + fn("abs", y)),
        n(num("0")),
    ),
    "a root of -exp": (sqrt(-exp(x)) - sqrt(-exp(x)), n(num("0"))),
    "a root of x.y": (sqrt(ein("a,a->", x, y)) - sqrt(ein("a,a->", x, y)), num("0")),
    "a factor of a sum that may be empty": (
        ein(",a->", log(s), part(x, 0, 1, N_LESS)), log(s) * ein("a->", part(x, 0, 1, N_LESS))
    ),
    "a maximum of what may be empty": (
        red("max", part(x, 0, 1, N_LESS), 0) - red("max", part(x, 0, 1, N_LESS), 0), num("0")
    ),
    "inv of a product": (ein("ab,bc,cd->ad", inv(ein("ab,bc->ac", A, B)), A, B), eye("n")),
    "the trace of inv(A) A": (ein("ab,ba->", inv(A), A), size("n")),
    "inv(A) A reversed": (ein("ab,bc->ac", flip(inv(A), 1), flip(A, 0)), eye("n")),
    "inv(A) A shifted": (ein("ab,bc->ac", roll(inv(A), 1, 1), roll(A, 0, 1)), eye("n")),
    "0 times": (log(x) - log(x), n(num("0"))),
    "0 times a root": (n(num("0")) * sqrt(x), n(num("0"))),
    "a root times 0": (sqrt(x) * n(num("0")), n(num("0"))),
    "(exp x + y)/(exp x + y)": ((exp(x) + y) * recip(exp(x) + y), n(ONE)),
}  # fmt: skip
#: The weights are positive where there is one.
SAME |= {
    "shares": (ein("a,->", exp(x), recip(ein("a->", exp(x)))), ONE),
    "shares of rows": (ein("ab,a->a", exp(X), recip(ein("ab->a", exp(X)))), n(ONE)),
    "(1 + exp x)/(1 + exp x)": ((n(ONE) + exp(x)) * recip(n(ONE) + exp(x)), n(ONE)),
}
SIN, COS = partial(fn, "sin"), partial(fn, "cos")
TO_M, TO_N = partial(ein, "a->ab", b="m"), partial(ein, "b->ab", a="n")
#: With products of sines and cosines written as sums.
ANGLES: dict[str, Law] = {
    "the sine of a sum": (
        SIN(TO_M(x) + TO_N(u)), ein("a,b->ab", SIN(x), COS(u)) + ein("a,b->ab", COS(x), SIN(u))
    ),
    "the cosine of a sum": (
        COS(TO_M(x) + TO_N(u)), ein("a,b->ab", COS(x), COS(u)) - ein("a,b->ab", SIN(x), SIN(u))
    ),
    "the cosine of a difference": (COS(x - y), COS(x) * COS(y) + SIN(x) * SIN(y)),
    "the sine of twice": (SIN(x.times("2")), (SIN(x) * COS(x)).times("2")),
}
#: None of these is any other, nor a side of a law.
OTHERS: dict[str, Value] = {
    "log of a sum": log(x + y), "log x": log(x), "log of 2x": log(x.times("2")), "log of xy": log(x * y),
    "log of -x": log(-x), "log of exp + exp": log(exp(x) + exp(y)), "log of y/(x+z)": log(y * recip(x + z)),
    "log of y/x": log(y * recip(x)), "log of y/(x^3)": log(y * recip(x * x * x)),
    "log of y/(1 + z)": log(y * recip(n(ONE) + z)), "log of y/(z^2 - 1)": log(y * recip(z * z - n(ONE))),
    "log y - log x": log(y) - log(x), "log 1/x^2": log(recip(x) * recip(x)),
        "log 2/x": log(recip(x).times("2")),
    "- 2 log x": log(x).times("-2"), "log 2 - log x": n(log(TWO)) - log(x),
    "sqrt of a sum": sqrt(x + y), "sqrt x": sqrt(x), "sqrt of 4x + y": sqrt(x.times("4") + y),
    "sqrt of -x": sqrt(-x), "sqrt of -4x": sqrt(x.times("-4")), "sqrt of 2x": sqrt(x.times("2")),
    "sqrt of nx": sqrt(ein(",a->a", size("n"), x)), "sqrt of (n+1)x": sqrt(ein(",a->a", size(N_ONE), x)),
    "sqrt of y/x": sqrt(y * recip(x)), "sqrt of x^2": sqrt(x * x), "sqrt of -1": sqrt(num("-1")),
    "sqrt of y sqrt x": sqrt(y) * sqrt(x), "sqrt of xy": sqrt(x * y), "sqrt of sqrt": sqrt(sqrt(x)),
    "x": x, "y": y, "xy": x * y, "x^2": x * x, "2x": x.times("2"), "-x": -x, "x/2": x.times("1/2"),
    "1/x": recip(x), "1/y": recip(y), "1/(x+y)": recip(x + y), "1/x + 1/y": recip(x) + recip(y),
    "1/(2x+y)": recip(x.times("2") + y), "1/(x-y)": recip(x - y), "1/(x+2y)": recip(x + y.times("2")),
    "y/x": y * recip(x), "x/y": x * recip(y), "x/(x+y)": x * recip(x + y), "y/(x+y)": y * recip(x + y),
    "x/(2x+y)": x * recip(x.times("2") + y), "y/(x+y)^2": y * recip(x + y) * recip(x + y),
    "exp": exp(x), "exp -": exp(-x), "exp of 2x": exp(x.times("2")), "exp of xy": exp(x * y),
        "exp^2 y": exp(x) * exp(x) * y,
    "1/(exp x + exp y)": recip(exp(x) + exp(y)), "1/(exp x + 1)": recip(exp(x) + n(ONE)),
    "1/(exp -x + 1)": recip(exp(-x) + n(ONE)), "exp x/(1 + exp y)": exp(x) * recip(n(ONE) + exp(y)),
    **{f"{f} of x": fn(f, x) for f in sorted(ODD | EVEN)}, **{f"- {f} of x": -fn(f, x)
        for f in sorted(ODD | EVEN)},
    **{f"{f} of x - y": fn(f, x - y) for f in sorted(ODD | EVEN)},
    **{f"{f} of {k}": fn(f, *v) for f in ("lt", "le", "gt", "ge", "arctan2", "pow", "mod", "maximum",
        "minimum", "eq", "ne", "and", "or")
       for k, v in {"x, y": (x, y), "y, x": (y, x), "x, z": (x, z)}.items()},
    "a choice": where(x, y, z), "another": where(x, z, y), "a third": where(y, x, z),
    "floor": fn("floor", x), "ceil": fn("ceil", x), "floor of -x": fn("floor", -x), "- ceil": -fn("ceil", x),
    **{f"{k}, {w}": v for k, p in {"A": A, "tanh": fn("tanh", A), "exp": exp(A), "eq": fn("eq", A, B),
        "lt": fn("lt", A, B),
       "choice": where(A, B, A), "inv": inv(A), "sorted": srt(A, 1), "sorted first": srt(A, 0),
       "A + A^T": A + turned(A), "A B": ein("ab,bc->ac", A, B), "B A": ein("ab,bc->ac", B, A),
       "A A^T": ein("ab,cb->ac", A, A), "A^T A": ein("ba,bc->ac", A, A), "tri": tri("n", "n", 0),
           "tri 1": tri("n", "n", 1),
       "x along rows": ein("a->ab", x, b="n"), "outer": ein("a,b->ab", x, y),
           "tanh outer": fn("tanh", ein("a->ab", x, b="n") + ein("b->ab", y, a="n")),
       "unknown": unknown("g", "nn", A), "unknown of the transpose": unknown("g", "nn", turned(A)),
           "unknown of B": unknown("g", "nn", B),
       "unknown h": unknown("h", "nn", A), "diagonal": ein("ab,aa->ab", eye("n"), A)}.items()
       for w, v in {"rows": p, "columns": turned(p), "reversed": flip(p, 0), "shifted": roll(p, 1, 1),
           "back": roll(p, 1, -1)}.items()},
    **{f"{f} of {k}, {w}": red(f, v, *w) for f in ("max", "min", "prod")
       for k, v in {"A": A, "A^T": turned(A), "tri": tri("n", "n", 0), "X": X}.items()
           for w in ((0,), (1,), (0, 1))},
    **{f"F, {w}": red("max", F, *w) for w in ((0, 1), (1, 2), (2, 3), (0, 3), (1, 3), (0, 2))},
    **{f"F diagonal, {w}": ein(f"{w}->ab", F) for w in ("aabc", "abac", "abbc", "abca")},
    **{f"max of F diagonal, {w}": red("max", ein(f"{w}->abc", F), 1, 2)
        for w in ("aabc", "abac", "abbc", "abcc")},
    **{f"det of F diagonal, {w}": mat("det", ein(f"{w}->abc", F)) for w in ("aabc", "abac", "abbc", "abcc")},
    **{f"inv of F diagonal, {w}": inv(ein(f"{w}->abc", F)) for w in ("aabc", "aacb", "abac", "abbc", "abcc")},
    **{f"sorted T, {w}": srt(ein(f"{w}->abc", T), 2) for w in ("abc", "acb", "bac", "bca", "cab", "cba")},
    **{f"det, {k}": mat("det", v) for k, v in {"A": A, "B": B, "A + B": A + B, "G": G,
        "sorted": srt(A, 1)}.items()},
    **{f"joined {k}": v for k, v in {"xy": cat(0, TWO_N, x, y), "yx": cat(0, TWO_N, y, x),
        "xx": cat(0, TWO_N, x, x)}.items()},
    **{f"part {k} of joined": part(cat(0, TWO_N, x, y), 0, k, N_LESS) for k in (0, 1, 2)},
    **{f"part n + {k} of joined": part(cat(0, TWO_N, x, y), 0, k, N_LESS) for k in ("n", N_ONE)},
    **{f"product of joined {a} {b}": ein("a,a->", cat(0, TWO_N, *a), cat(0, TWO_N, *b))
        for a in ((x, y), (y, x)) for b in ((x, z), (z, x))},
    "entries i + j": read(cat(0, TWO_N, x, x), "nn", (0, [1, 1], False)),
        "the first entry": ein("a->ba", part(x, 0, 0, "1"), b="n"),
    "x at -i": read(x, "n", (0, [-1], True)), "x at n + i": read(x, "n", ("n", [1], True)),
    "an entry of reshaped": part(resh(X, "mn"), 0, 0, "1"), "another of reshaped": part(resh(X, "mn"), 0,
        M_LESS, "1"),
    "x at the place 0": read(x, "", (0, [], False)), "shifts by j": read(x, "nn", (0, [1, 1], True)),
        "shifts by -j": read(x, "nn", (0, [1, -1], True)),
    "rows joined": cat(0, TWO_N, A, B), "columns joined": cat(1, TWO_N, A, B),
        "columns joined, turned": turned(cat(1, TWO_N, A, B)),
    **{f"part {k} of V": part(V, 0, k, 1) for k in range(3)},
        **{f"parts {k} of V": part(V, 0, k, 2) for k in range(2)},
    **{f"V shifted by {k}": roll(V, 0, k) for k in range(3)}, "V reversed": flip(V, 0),
    **{f"x shifted by {k}": roll(x, 0, k) for k in (-2, -1, 1, 2)}, "x reversed": flip(x, 0),
        "x reversed, shifted": roll(flip(x, 0), 0, 1),
    **{f"traces {w}": ein(f"{w}->", A, B, A) for w in ("ab,bc,ca", "ab,cb,ca", "ba,bc,ca", "ab,ab,cc",
        "aa,bb,cc", "ab,ba,cc")},
    **{f"cycles {w}": ein(f"{w}->", T, T) for w in ("abc,abc", "abc,acb", "abc,bac", "abc,bca", "aab,cbc",
        "aab,ccb", "aab,bcc", "abb,acc", "aba,bcc")},
    "inv(A) B": ein("ab,bc->ac", inv(A), B), "inv(A) A^T": ein("ab,cb->ac", inv(A), A),
        "inv(A)^T A": ein("ba,bc->ac", inv(A), A),
    "inv(A) A, reversed once": ein("ab,bc->ac", flip(inv(A), 1), A),
        "inv(A) A, shifted once": ein("ab,bc->ac", roll(inv(A), 1, 1), A),
    **{
        f"inv(T) T along {rows}": ein(f"{rows}->{out}", inv(T), T)
        for rows, out in (("aba,aac", "bc"), ("aab,aca", "bc"), ("aba,aab", "b"), ("aba,aab", ""),
            ("abc,abc", ""))
    },
    "inv(A) A, shifted apart": ein("ab,bc->ac", roll(inv(A), 1, 1), roll(A, 0, -1)),
    "inv(A B) A B, reversed between": ein("ab,bc,cd->ad", inv(ein("ab,bc->ac", A, B)), A, flip(B, 0)),
    "inv(A B) A B, shifted between": ein("ab,bc,cd->ad", inv(ein("ab,bc->ac", A, B)), A, roll(B, 0, 1)),
    "inv(A) A, entrywise": ein("ab,ab->ab", inv(A), A), "I": eye("n"),
        "I/2": ein(",ab->ab", num("1/2"), eye("n")), "2I": ein(",ab->ab", TWO, eye("n")),
    "part of I times part of x": ein("ab,a->b", part(eye("n"), 0, 0, N_LESS), part(x, 0, 0, N_LESS)),
    "the end of I times part of x": ein("ab,a->b", part(eye("n"), 0, 1, N_LESS), part(x, 0, 0, N_LESS)),
    "the end of I times the end of x": ein("ab,a->b", part(eye("n"), 0, 1, N_LESS), part(x, 0, 1, N_LESS)),
    "columns of I times the end of x": ein("ab,b->a", part(eye("n"), 1, 1, N_LESS), part(x, 0, 1, N_LESS)),
    "a kept part of I": ein("ab,a->ab", part(eye("n"), 0, 0, N_LESS), part(x, 0, 0, N_LESS)),
    "the other": ein("ab,b->ab", part(eye("n"), 0, 0, N_LESS), x),
    "the last entry in the first row of I": part(part(eye("n"), 0, 0, "1"), 1, N_LESS, "1"),
    "the first of x": part(x, 0, 0, "1"), "the last of x": part(x, 0, N_LESS, "1"),
    "1 over -2": recip(sqrt(num("-2"))), "the root of -2 over -2": sqrt(num("-2")).times("-1/2"),
    "x over 0": ein(",a->a", recip(num("0")), x),
    "parts of inv(A) and A": ein("ab,bc->ac", part(inv(A), 1, 0, N_LESS), part(A, 0, 0, N_LESS)),
    "parts of A and inv(A)": ein("ab,bc->ac", part(A, 1, 0, N_LESS), part(inv(A), 0, 0, N_LESS)),
    "expm": Value("matrix_function", (A,), "nn", (("fn", "expm"),)),
    "log of an input called exp": log(CALLED_EXP), "1 over it": recip(CALLED_EXP),
    "log of its inverse": log(recip(CALLED_EXP) * recip(x)),
    "I reversed, the trace": ein("aa,a->", flip(eye("n"), 1), x),
        "I reversed, a diagonal": ein("aa,a->a", flip(eye("n"), 1), x),
    "I x": ein("ab,a->ab", eye("n"), x), "I reversed": flip(eye("n"), 0), "n": size("n"), "m": size("m"),
        "1": ONE, "2": TWO, "0": num("0"),
    "n^2": size("n") * size("n"), "n m": size("n") * size("m"), "n + 1": size(N_ONE),
        "1/n": recip(size("n")), "sqrt 2": sqrt(TWO), "1/sqrt 2": recip(sqrt(TWO)),
    "sqrt n": sqrt(size("n")), "1/sqrt n": recip(sqrt(size("n"))), "pi": fn("pi"), "1/pi": recip(fn("pi")),
    "sum": ein("a->", x), "sum of squares": ein("a,a->", x, x), "square of the sum": ein("a,b->", x, x),
    "iota": iota("n"), "1 + iota": iota("n") + n(ONE), "2 iota": iota("n").times("2"),
        "iota reversed": flip(iota("n"), 0),
    **{f"numbers {v}": num(*v, shape="22") for v in (("1", "2", "3", "4"), ("1", "3", "2", "4"),
        ("2", "4", "6", "8"), ("1", "2", "2", "1"), ("1", "0", "0", "2"))},
    **{f"numbers {v} in a row": num(*v, shape="3") for v in (("1", "2", "3"), ("3", "2", "1"),
        ("2", "4", "6"), ("1", "1", "2"))},
    **{f"V times numbers {v}": ein("ab,b->a", num(*v, shape="33"), V) for v in (
        ("1", "2", "0", "0", "1", "0", "3", "0", "1"), ("1", "0", "3", "2", "1", "0", "0", "0", "1"),
            ("2", "2", "0", "0", "1", "0", "3", "0", "1"))},
    **{f"reshaped {k}": resh(v, [[[1, ["n", "n"]]]]) for k, v in {"A": A, "A^T": turned(A), "A + B": A + B,
        "2A": A.times("2"), "tanh A": fn("tanh", A)}.items()},
}  # fmt: skip
