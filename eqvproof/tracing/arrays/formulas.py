"""Elementwise functions, by their names in NumPy, math, SciPy, torch, JAX and SymPy.

Each is an operation of a Program, or a composition of such operations on nodes (log1p, hypot,
expit, ...).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from eqvproof.programs import Builder

HALF = Fraction(1, 2)


def power_of(b: Builder, x: int, *, base: int) -> int:
    """Computes base to the power x as exp(x log(base))."""
    return b.map("exp", [b.mul(x, b.map("log", [b.const(base)]))])


def log_base(b: Builder, x: int, *, base: int | float) -> int:
    """Computes log(x) / log(base), exactly where that is an integer."""
    value, root = b.scalar_value(x), Fraction(base)
    if value is not None and value > 0 and not b.shape(x):
        power, count = Fraction(1), 0
        while power < max(value, 1 / value):
            power, count = power * root, count + 1
        if power == max(value, 1 / value):
            return b.const(count if value >= 1 else -count)
    return b.div(b.map("log", [x]), b.map("log", [b.const(base)]))


def log1p(b: Builder, x: int) -> int:
    """Computes log(1 + x)."""
    return b.map("log", [b.add([b.const(1), x])])


def expm1(b: Builder, x: int) -> int:
    """Computes exp(x) - 1."""
    return b.sub(b.map("exp", [x]), b.const(1))


def expit(b: Builder, x: int) -> int:
    """Computes 1 / (1 + exp(-x))."""
    return b.map("recip", [b.add([b.const(1), b.map("exp", [b.neg(x)])])])


def logit(b: Builder, x: int) -> int:
    """Computes log(x / (1 - x))."""
    return b.map("log", [b.div(x, b.sub(b.const(1), x))])


def rsqrt(b: Builder, x: int) -> int:
    """Computes 1 / sqrt(x)."""
    return b.map("recip", [b.map("sqrt", [x])])


def erfc(b: Builder, x: int) -> int:
    """Computes 1 - erf(x)."""
    return b.sub(b.const(1), b.map("erf", [x]))


def ndtr(b: Builder, x: int) -> int:
    """Computes the normal distribution function, (1 + erf(x / sqrt 2)) / 2."""
    scaled = b.div(x, b.map("sqrt", [b.const(2)]))
    return b.mul(b.const(HALF), b.add([b.const(1), b.map("erf", [scaled])]))


def arccosh(b: Builder, x: int) -> int:
    """Computes log(x + sqrt(x^2 - 1)), undefined below 1."""
    return b.map("log", [b.add([x, b.map("sqrt", [b.sub(b.power(x, 2), b.const(1))])])])


def arctanh(b: Builder, x: int) -> int:
    """Computes (log(1 + x) - log(1 - x)) / 2."""
    return b.mul(b.const(HALF), b.sub(log1p(b, x), b.map("log", [b.sub(b.const(1), x)])))


def hypot(b: Builder, x: int, y: int) -> int:
    """Computes sqrt(x^2 + y^2)."""
    return b.map("sqrt", [b.add([b.power(x, 2), b.power(y, 2)])])


def logaddexp(b: Builder, x: int, y: int) -> int:
    """Computes log(exp(x) + exp(y)) = max(x, y) + log(1 + exp(-|x - y|))."""
    gap = b.neg(b.map("abs", [b.sub(x, y)]))
    return b.add([b.map("maximum", [x, y]), log1p(b, b.map("exp", [gap]))])


def logaddexp2(b: Builder, x: int, y: int) -> int:
    """Computes log2(2^x + 2^y)."""
    return log_base(b, b.add([power_of(b, x, base=2), power_of(b, y, base=2)]), base=2)


def xlogy(b: Builder, x: int, y: int) -> int:
    """Computes x log(y), and 0 where x is 0."""
    product = b.mul(x, b.map("log", [y]))
    return b.select(b.map("eq", [x, b.const(0)]), b.defined_where(y, b.const(0)), product)


def entr(b: Builder, x: int) -> int:
    """Computes -x log(x), and 0 at 0."""
    return b.neg(xlogy(b, x, x))


def xlog1py(b: Builder, x: int, y: int) -> int:
    """Computes x log(1 + y), and 0 where x is 0."""
    return xlogy(b, x, b.add([b.const(1), y]))


def log_expit(b: Builder, x: int) -> int:
    """Computes -log(1 + exp(-x))."""
    return b.neg(log1p(b, b.map("exp", [b.neg(x)])))


def gamma(b: Builder, x: int) -> int:
    """Computes the gamma function: exp(lgamma(x)) for x > 0, by reflection for x <= 0.

    There it is pi / sin(pi x) divided by gamma(1 - x).
    """
    mirrored = b.map("exp", [b.map("lgamma", [b.sub(b.const(1), x)])])
    left = b.div(b.pi(), b.mul(b.map("sin", [b.mul(b.pi(), x)]), mirrored))
    size = b.map("lgamma", [x])
    return b.defined_where(size, b.select(b.map("gt", [x, b.const(0)]), b.map("exp", [size]), left))


def copysign(b: Builder, x: int, y: int) -> int:
    """Computes |x| with the sign of y, where 0 counts as positive."""
    size = b.map("abs", [x])
    return b.select(b.map("lt", [y, b.const(0)]), b.neg(size), size)


def heaviside(b: Builder, x: int, half: int) -> int:
    """Computes 0 below 0, `half` at 0, 1 above."""
    zero = b.const(0)
    return b.select(b.map("eq", [x, zero]), half, b.map("gt", [x, zero]))


def trunc(b: Builder, x: int) -> int:
    """Computes sign(x) floor(|x|)."""
    return b.mul(b.map("sign", [x]), b.map("floor", [b.map("abs", [x])]))


def logical_xor(b: Builder, x: int, y: int) -> int:
    """Computes 1 where exactly one of x and y is nonzero, else 0."""
    return b.map("ne", [b.map("ne", [v, b.const(0)]) for v in (x, y)])


def deg2rad(b: Builder, x: int) -> int:
    """Computes x pi / 180."""
    return b.mul(b.mul(b.const(Fraction(1, 180)), b.pi()), x)


def rad2deg(b: Builder, x: int) -> int:
    """Computes x 180 / pi."""
    return b.div(b.mul(b.const(180), x), b.pi())


exp2, exp10 = partial(power_of, base=2), partial(power_of, base=10)
log2, log10 = partial(log_base, base=2), partial(log_base, base=10)
Formula = Callable[..., int]
#: Name in a library -> the operation of a Program.
MAPS: dict[str, str] = {
    name: fn for fn, names in {
        **{fn: fn for fn in "exp log sqrt cbrt sin cos tan sinh cosh tanh erf sign floor".split()},
        "abs": "abs absolute fabs Abs", "arcsin": "arcsin asin", "arccos": "arccos acos",
        "arctan": "arctan atan", "arcsinh": "arcsinh asinh", "arctan2": "arctan2 atan2",
        "lgamma": "lgamma gammaln", "digamma": "digamma psi", "ceil": "ceil ceiling",
        "rint": "rint",
    }.items() for name in names.split()
}  # fmt: skip
_COMPOSED: dict[str, Formula] = {
    "expit sigmoid logistic": expit, "rsqrt": rsqrt, "log1p": log1p, "expm1": expm1, "erfc": erfc,
    "logit": logit, "ndtr": ndtr, "entr": entr, "xlogy": xlogy, "xlog1py": xlog1py, "log2": log2,
    "log10": log10, "exp2": exp2, "exp10": exp10, "hypot": hypot, "arccosh acosh": arccosh,
    "arctanh atanh": arctanh, "copysign": copysign, "heaviside": heaviside, "logaddexp": logaddexp,
    "logaddexp2": logaddexp2, "deg2rad radians": deg2rad, "rad2deg degrees": rad2deg,
    "log_expit": log_expit, "gamma": gamma,
}  # fmt: skip
#: Name in a library -> the composition of operations.
COMPOSED: dict[str, Formula] = {name: f for names, f in _COMPOSED.items() for name in names.split()}


def mapped(fn: str) -> Formula:
    """Returns an operation of a Program as a formula."""
    return lambda b, *xs: b.map(fn, xs)


def composed(formula: Formula) -> Formula:
    """Returns a composition of operations as a formula that a library computes in its own way."""
    return lambda b, *xs: b.library_value(formula(b, *xs))


#: Name in a library -> the formula on nodes.
NAMED: dict[str, Formula] = {name: mapped(fn) for name, fn in MAPS.items()}
NAMED |= {name: composed(formula) for name, formula in COMPOSED.items()}
