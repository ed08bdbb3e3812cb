"""Programs evaluated a second time: loops over Fractions and 120-digit numbers, None = undefined.

Shares nothing with the package but the node classes and the draw of opaque values.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from eqvproof.programs import Program
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate.opaque import draw_rationals

mpmath.mp.dps = 120
CLOSE = Fraction(1, 10**80)
Number = Any  # Fraction | mpmath.mpf | None


class Unclear(Exception):
    """A decision between numbers that are the same to 80 digits and not rational."""


def real(x: Number) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def order(x: Number, y: Number) -> int:
    """-1, 0, 1 as x <, =, > y."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return (x > y) - (x < y)
    difference = real(x) - real(y)
    if abs(difference) < mpmath.mpf(10) ** -80 * (1 + abs(real(x))):
        raise Unclear
    return 1 if difference > 0 else -1


def product(values: Sequence[Number]) -> Number:
    result: Number = Fraction(1)
    for v in values:
        if v is None or result is None:
            return None
        both = isinstance(v, Fraction) and isinstance(result, Fraction)
        if (isinstance(v, Fraction) and v == 0) or (isinstance(result, Fraction) and result == 0):
            result = Fraction(0)
        else:
            result = result * v if both else real(result) * real(v)
    return result


def total(values: Sequence[Number]) -> Number:
    result: Number = Fraction(0)
    for v in values:
        if v is None or result is None:
            return None
        result = (
            result + v if isinstance(v, Fraction) and isinstance(result, Fraction) else real(result) + real(v)
        )
    return result


def _floor(x: Number) -> Fraction:
    if isinstance(x, Fraction):
        return Fraction(x.numerator // x.denominator)
    if abs(x - mpmath.nint(x)) < mpmath.mpf(10) ** -80:
        raise Unclear
    return Fraction(int(mpmath.floor(x)))


def _rint(x: Number) -> Fraction:
    return Fraction(round(x)) if isinstance(x, Fraction) else _floor(x + mpmath.mpf("0.5"))


def _recip(x: Number) -> Number:
    if order(x, Fraction(0)) == 0:
        return None
    return 1 / x


def _root(x: Number, k: int) -> Number:
    if isinstance(x, Fraction):
        p, q = (int(mpmath.nint(mpmath.root(n, k))) for n in (x.numerator, x.denominator))
        if p**k == x.numerator and q**k == x.denominator:
            return Fraction(p, q)
    return mpmath.root(real(x), k)


def _cbrt(x: Number) -> Number:
    return _root(x, 3) if order(x, Fraction(0)) >= 0 else -_root(-x, 3)


def _pow(x: Number, y: Number) -> Number:
    sign = order(x, Fraction(0))
    if isinstance(y, Fraction) and y.denominator == 1:
        if sign == 0:
            return None if y < 0 else Fraction(int(y == 0))
        if isinstance(x, Fraction) and abs(y) < 10**4:
            return x ** int(y)
        return real(x) ** int(y)
    if sign < 0:
        if not isinstance(y, Fraction) and abs(y - mpmath.nint(y)) < mpmath.mpf(10) ** -80:
            raise Unclear
        return None
    if sign == 0:
        return None if order(y, Fraction(0)) < 0 else Fraction(0)
    return Fraction(1) if x == 1 else real(x) ** real(y)


def _mod(x: Number, y: Number) -> Number:
    if order(y, Fraction(0)) == 0:
        return None
    quotient = x / y if isinstance(x, Fraction) and isinstance(y, Fraction) else real(x) / real(y)
    return total([x, product([Fraction(-1), y, _floor(quotient)])])


def _arctan2(y: Number, x: Number) -> Number:
    if order(y, Fraction(0)) == 0 and order(x, Fraction(0)) >= 0:
        return Fraction(0)
    return mpmath.atan2(real(y), real(x))


def _at(point: int, value: int, function: Any, inside: Any = lambda x: True) -> Any:
    def evaluate(x: Number) -> Number:
        if isinstance(x, Fraction) and x == point:
            return Fraction(value)
        return function(real(x)) if inside(x) else None

    return evaluate


def _off_poles(function: Any) -> Any:
    """A function with poles at 0, -1, -2, ..., and log gamma 0 at 1 and 2."""

    def evaluate(x: Number) -> Number | None:
        if order(x, Fraction(0)) <= 0 and order(x, _floor(x)) == 0:
            return None
        zero = function is not mpmath.digamma and any(order(x, Fraction(k)) == 0 for k in (1, 2))
        return Fraction(0) if zero else function(real(x))

    return evaluate


def _truth(test: Any) -> Any:
    return lambda *args: Fraction(int(test(*args)))


def _nonzero(x: Number) -> bool:
    return order(x, Fraction(0)) != 0


ONE = Fraction(1)
MAPS: dict[str, Any] = {
    "pi": lambda: +mpmath.pi,
    "recip": _recip,
    "exp": _at(0, 1, mpmath.exp), "log": _at(1, 0, mpmath.log, lambda x: order(x, Fraction(0)) > 0),
    "sqrt": lambda x: None if order(x, Fraction(0)) < 0 else _root(x, 2),
    "cbrt": _cbrt, "abs": abs, "sign": lambda x: Fraction(order(x, Fraction(0))),
    "sin": _at(0, 0, mpmath.sin), "cos": _at(0, 1, mpmath.cos), "tan": _at(0, 0, mpmath.tan),
    "sinh": _at(0, 0, mpmath.sinh), "cosh": _at(0, 1, mpmath.cosh), "tanh": _at(0, 0, mpmath.tanh),
    "arcsin": _at(0, 0, mpmath.asin, lambda x: order(abs(x), ONE) <= 0),
    "arccos": _at(1, 0, mpmath.acos, lambda x: order(abs(x), ONE) <= 0),
    "arctan": _at(0, 0, mpmath.atan), "arcsinh": _at(0, 0, mpmath.asinh), "erf": _at(0, 0, mpmath.erf),
    "lgamma": _off_poles(lambda x: mpmath.log(abs(mpmath.gamma(x)))), "digamma": _off_poles(mpmath.digamma),
    "floor": _floor, "ceil": lambda x: -_floor(-x), "rint": _rint,
    "not": _truth(lambda x: not _nonzero(x)),
    "maximum": lambda x, y: x if order(x, y) >= 0 else y,
    "minimum": lambda x, y: x if order(x, y) <= 0 else y,
    "arctan2": _arctan2, "pow": _pow, "mod": _mod,
    "lt": _truth(lambda x, y: order(x, y) < 0), "le": _truth(lambda x, y: order(x, y) <= 0),
    "gt": _truth(lambda x, y: order(x, y) > 0), "ge": _truth(lambda x, y: order(x, y) >= 0),
    "eq": _truth(lambda x, y: order(x, y) == 0), "ne": _truth(lambda x, y: order(x, y) != 0),
    "and": _truth(lambda x, y: _nonzero(x) and _nonzero(y)),
    "or": _truth(lambda x, y: _nonzero(x) or _nonzero(y)),
}  # fmt: skip


def tensor(shape: Sequence[int], entry: Any) -> np.ndarray:
    array = np.empty(tuple(shape), dtype=object)
    for index in np.ndindex(*shape):
        array[index] = entry(*index)
    return array


def determinant(m: list[list[Number]]) -> Number:
    """Row by row: for each set of columns, the sum over the ways in which the rows so far take one each."""
    if any(x is None for row in m for x in row):
        return None
    sums: dict[frozenset[int], Number] = {frozenset(): Fraction(1)}
    for row in m:
        terms: dict[frozenset[int], list[Number]] = {}
        for used, value in sums.items():
            for j in set(range(len(row))) - used:
                sign = Fraction((-1) ** sum(k > j for k in used))
                terms.setdefault(used | {j}, []).append(product([sign, row[j], value]))
        sums = {used: total(found) for used, found in terms.items()}
    (result,) = sums.values()
    return result


def inverse(m: list[list[Number]]) -> list[list[Number]]:
    """By cofactors."""
    n = len(m)
    if any(x is None for row in m for x in row):
        return [[None] * n for _ in range(n)]
    det = determinant(m)
    factor = _recip(det)
    out = []
    for i in range(n):
        row = []
        for j in range(n):
            minor = [[m[a][b] for b in range(n) if b != i] for a in range(n) if a != j]
            row.append(product([Fraction((-1) ** (i + j)), determinant(minor), factor]))
        out.append(row)
    return out


def evaluate(program: Program, inputs: Mapping[str, np.ndarray], sizes: Mapping[str, int]) -> np.ndarray:
    """The value of the output; raises Unclear where 120 digits do not decide."""
    values: list[np.ndarray] = []
    for node in program.nodes:
        shape = tuple(s.value(sizes) for s in node.shape)
        values.append(_node(node, shape, [values[a] for a in node.args], inputs, sizes))
    return values[program.output]


def _node(node: Any, shape: Any, args: list[np.ndarray], inputs: Any, sizes: Any) -> np.ndarray:
    match node:
        case ops.Input():
            return inputs[node.name]
        case ops.Const():
            flat = iter(node.values)
            return tensor(shape, lambda *i: next(flat))
        case ops.SizeOf():
            return tensor((), lambda: Fraction(node.size.value(sizes)))
        case ops.Indicator(args=(_,)):
            equal = MAPS["eq"]
            return tensor(shape, lambda *i: _strict(equal, [args[0][i[:-1]], Fraction(i[-1])]))
        case ops.Indicator(offset=None):
            return tensor(shape, lambda i, j: Fraction(int(i == j)))
        case ops.Indicator():
            return tensor(shape, lambda i, j: Fraction(int(j <= i + (node.offset or 0))))
        case ops.Form(signs=True):
            return tensor(shape, lambda i, j: Fraction(int(i == j) * (1 if i == 0 else -1)))
        case ops.Iota():
            return tensor(shape, Fraction)
        case ops.Einsum():
            return _einsum(node, shape, args)
        case ops.Add():
            return tensor(shape, lambda *i: total([a[i] for a in args]))
        case ops.Map():
            return tensor(shape, lambda *i: _strict(MAPS[node.fn], [a[i] for a in args]))
        case ops.Select():
            return tensor(shape, lambda *i: _select(*(a[i] for a in args)))
        case ops.Reduce():
            return tensor(shape, lambda *i: _reduce(node, i, args[0]))
        case ops.Concat():
            return np.concatenate(args, axis=node.axis)
        case ops.Read():
            return _read(node, shape, args[0], sizes)
        case ops.Reshape():
            return args[0].reshape(shape)
        case ops.Sort():
            return np.apply_along_axis(_sorted, node.axis, args[0]) if args[0].size else args[0]
        case ops.Matrix(fn="eigvals"):
            found = [x for i in np.ndindex(shape[:-1]) for x in _eigenvalues(args[0][i])]
            flat = iter(found)
            return tensor(shape, lambda *i: next(flat))
        case ops.Matrix(fn="spectral"):
            sums = [x for i in np.ndindex(shape[:-2]) for x in _spectral(args[0][i], args[1][i])]
            entries = iter(sums)
            return tensor(shape, lambda *i: next(entries))
        case ops.Matrix(fn="pinv"):
            lines = iter([x for i in np.ndindex(shape[:-2]) for x in _pseudo_inverse(args[0][i])])
            return tensor(shape, lambda *i: next(lines))
        case ops.Matrix(fn="cholesky"):
            lower = iter([x for i in np.ndindex(shape[:-2]) for x in _cholesky(args[0][i])])
            return tensor(shape, lambda *i: next(lower))
        case ops.Matrix(fn=fn) if fn in SERIES:
            values = iter([x for i in np.ndindex(shape[:-2]) for x in _series(fn, args[0][i])])
            return tensor(shape, lambda *i: next(values))
        case ops.Matrix(fn="inv"):
            stack = args[0].reshape(-1, *shape[-2:])
            parts = [x for m in stack for row in inverse(m.tolist()) for x in row]
            flat = iter(parts)
            return tensor(shape, lambda *i: next(flat))
        case ops.Matrix(fn="det"):
            return tensor(shape, lambda *i: determinant(args[0][i].tolist()))
        case ops.Opaque():
            entries = [x for a in args for x in (*map(Fraction, a.shape), *a.ravel())]
            if any(x is None for x in entries):
                return tensor(shape, lambda *i: None)
            if not all(isinstance(x, Fraction) for x in entries):
                raise Unclear
            flat = iter(draw_rationals(node.name, entries, int(np.prod(shape)), 0))
            return tensor(shape, lambda *i: next(flat))
    raise TypeError(node)


SERIES = {"expm": mpmath.expm, "cosm": mpmath.cosm, "sinm": mpmath.sinm}
SERIES |= {
    "coshm": lambda m: (mpmath.expm(m) + mpmath.expm(-m)) / 2,
    "sinhm": lambda m: (mpmath.expm(m) - mpmath.expm(-m)) / 2,
}


def _cholesky(m: np.ndarray) -> list[Number]:
    """Row by row (Cholesky, Banachiewicz), in numbers of 120 digits."""
    nothing: list[Number] = [None] * m.size
    if any(x is None for x in m.ravel()):
        return nothing
    found = [[Fraction(0) for _ in row] for row in m]
    for i in range(len(m)):
        for j in range(i + 1):
            left = m[i, j]
            for k in range(j):
                left = total([left, product([Fraction(-1), found[i][k], found[j][k]])])
            if i == j and order(left, Fraction(0)) <= 0:
                return nothing
            over = left if i == j else found[j][j]
            found[i][j] = mpmath.sqrt(real(left)) if i == j else real(left) / real(over)
    return [x for row in found for x in row]


def _series(fn: str, m: np.ndarray) -> list[Number]:
    if any(x is None for x in m.ravel()):
        return [None] * m.size
    if not all(isinstance(x, Fraction) for x in m.ravel()):
        raise Unclear
    found = SERIES[fn](mpmath.matrix([[real(x) for x in row] for row in m]))
    return [mpmath.re(x) for x in found]


def _eigenvalues(m: np.ndarray) -> list[Number]:
    if any(x is None for x in m.ravel()):
        return [None] * len(m)
    if not all(isinstance(x, Fraction) for x in m.ravel()):
        raise Unclear
    half = mpmath.matrix(len(m), len(m))
    for i, j in np.ndindex(m.shape):
        half[i, j] = (real(m[i, j]) + real(m[j, i])) / 2
    return [half[0, 0]] if len(m) == 1 else sorted(mpmath.eigsy(half, eigvals_only=True))


def _spectral(m: np.ndarray, w: np.ndarray) -> list[Number]:
    """V diag(w) V^T, row-major; equal eigenvalues have equal w here."""
    n = len(m)
    if any(x is None for x in (*m.ravel(), *w.ravel())):
        return [None] * (n * n)
    if not all(isinstance(x, Fraction) for x in m.ravel()):
        raise Unclear
    half = mpmath.matrix(n, n)
    for i, j in np.ndindex(m.shape):
        half[i, j] = (real(m[i, j]) + real(m[j, i])) / 2
    v = mpmath.eigsy(half)[1] if n > 1 else mpmath.matrix([[1]])
    return [sum(v[i, k] * real(w[k]) * v[j, k] for k in range(n)) for i in range(n) for j in range(n)]


def _pseudo_inverse(m: np.ndarray) -> list[Number]:
    """From the coefficients of the characteristic polynomial of G = M^T M, by Decell (1965).

    With det(t - G) = sum_j c_j t^(n-j) and r the last j with c_j not 0,
    ``M^+ = -1/c_r (G^(r-1) + c_1 G^(r-2) + ... + c_(r-1)) M^T``.
    """
    rows, n = m.shape
    if any(x is None for x in m.ravel()):
        return [None] * (rows * n)
    if not all(isinstance(x, Fraction) for x in m.ravel()):
        raise Unclear
    turned = m.T
    columns = [list(m[:, i]) for i in range(n)]
    sums = [sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0)) for u in columns for v in columns]
    gram = np.array(sums, dtype=object).reshape(n, n)
    unit = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
    power, best = unit, np.zeros((n, rows), dtype=int) * Fraction(0)
    for j in range(1, n + 1):  # Faddeev and LeVerrier
        product = gram.dot(power)
        c = -sum(np.diagonal(product), Fraction(0)) / j
        if c:
            best = power.dot(turned) * (-1 / c)
        power = product + c * unit
    return list(best.ravel())


def _strict(function: Any, args: list[Number]) -> Number:
    return None if any(x is None for x in args) else function(*args)


def _select(c: Number, a: Number, b: Number) -> Number:
    return None if c is None else a if _nonzero(c) else b


def _sorted(line: np.ndarray) -> np.ndarray:
    out = np.empty(len(line), dtype=object)
    if not any(x is None for x in line):
        out[:] = sorted(line.tolist(), key=real)
    return out


def _reduce(node: ops.Reduce, index: tuple[int, ...], array: np.ndarray) -> Number:
    position = iter(index)
    where = tuple(slice(None) if k in node.axes else next(position) for k in range(array.ndim))
    entries = array[where].ravel().tolist()
    if node.fn == "prod":
        return product(entries)
    if not entries or any(x is None for x in entries):
        return None
    return max(entries, key=real) if node.fn == "max" else min(entries, key=real)


def _einsum(node: ops.Einsum, shape: Any, args: list[np.ndarray]) -> np.ndarray:
    lengths = {
        k: s for a, row in zip(args, node.inputs, strict=True) for k, s in zip(row, a.shape, strict=True)
    }
    summed = [k for k in lengths if k not in node.output]

    def entry(*index: int) -> Number:
        at = dict(zip(node.output, index, strict=True))
        terms = []
        for choice in itertools.product(*(range(lengths[k]) for k in summed)):
            at.update(zip(summed, choice, strict=True))
            terms.append(
                product([a[tuple(at[k] for k in row)] for a, row in zip(args, node.inputs, strict=True)])
            )
        return total(terms)

    return tensor(shape, entry)


def _read(op: ops.Read, shape: tuple[int, ...], x: Any, sizes: Mapping[str, int]) -> Any:
    """Entry by entry, from the definition."""
    found = np.empty(shape, dtype=object)
    for i in np.ndindex(*shape):
        left, where = list(i), []
        for place, length in zip(op.places, x.shape, strict=True):
            k = place.start.value(sizes) + sum(step * left.pop(0) for step in place.steps)
            where.append(k % length if place.cyclic else k)
            if not 0 <= where[-1] < length:
                raise IndexError(where)
        found[i] = x[tuple(where)]
    return found
