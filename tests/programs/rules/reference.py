"""A second evaluation of single operations, for testing rules: plain loops over Fractions, None = undefined.

Elementwise functions are replaced by stand-ins of the same parity and the same kind of undefinedness: a rule
may use nothing else about them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.programs import Size
from eqvproof.programs import operations as ops
from eqvproof.programs.operations import FUNCTIONS
from eqvproof.programs.rules.acts import Act

Array = Any


def tensor(shape: Sequence[int], values: Sequence[Any]) -> Array:
    """An object array that never merges its entries."""
    array = np.empty(tuple(shape), dtype=object)
    for index, value in zip(np.ndindex(tuple(shape)), values, strict=True):
        array[index] = value
    return array


def act_matrix(act: Act, size: int, rho: Array, sizes: Mapping[str, int]) -> Array:
    """The matrix of an act, as nested block sums and Kronecker products; UNI counts as the identity."""
    if act is None:
        return eye(size)
    blocks = []
    for block in act:
        matrix = tensor((1, 1), [Fraction(1)])
        for factor, moved in block:
            matrix = kron(matrix, _moved(rho, moved) if moved else eye(factor.value(sizes)))
        blocks.append(matrix)
    total = sum(len(b) for b in blocks)
    result = tensor((total, total), [Fraction(0)] * total**2)
    at = 0
    for b in blocks:
        result[at : at + len(b), at : at + len(b)] = b
        at += len(b)
    return result


def _moved(rho: Array, moved: int) -> Array:
    return inverse(rho).T if moved == 2 else rho


def eye(size: int) -> Array:
    """The identity matrix over Fractions."""
    return tensor((size, size), [Fraction(int(i == j)) for i in range(size) for j in range(size)])


def kron(a: Array, b: Array) -> Array:
    """The Kronecker product."""
    n, m = len(a), len(b)
    return tensor(
        (n * m, n * m), [a[i // m, j // m] * b[i % m, j % m] for i in range(n * m) for j in range(n * m)]
    )


def apply_along(matrix: Array, value: Array, axis: int) -> Array:
    """The matrix applied to one axis; a zero coefficient hides an undefined entry, others spread it."""
    moved = np.moveaxis(value, axis, 0)
    out = np.empty_like(moved)
    for i in range(len(matrix)):
        for rest in np.ndindex(moved.shape[1:]):
            terms = [(matrix[i, j], moved[(j, *rest)]) for j in range(len(matrix)) if matrix[i, j] != 0]
            out[(i, *rest)] = (
                None if any(v is None for _, v in terms) else sum((c * v for c, v in terms), Fraction(0))
            )
    return np.moveaxis(out, 0, axis)


def equal(a: Array, b: Array) -> bool:
    """Equal shapes, entries and undefined places."""
    return a.shape == b.shape and all(
        (a[i] is None) == (b[i] is None) and (a[i] is None or a[i] == b[i]) for i in np.ndindex(a.shape)
    )


def stand_in(fn: str, args: Sequence[Fraction | None]) -> Fraction | None:
    """A function of the same parity; undefined at 1/2-ish places where the true one is partial."""
    if any(a is None for a in args):
        return None
    if not args:
        return Fraction(22, 7)
    x = args[0]
    assert x is not None
    parity = FUNCTIONS[fn].parity
    if len(args) == 2:
        y = args[1]
        assert y is not None
        if fn in ("eq", "ne", "and", "or"):  # rules know these for what they are
            known = {"eq": x == y, "ne": x != y, "and": x != 0 and y != 0, "or": x != 0 or y != 0}
            return Fraction(known[fn])
        return x * x + 3 * y + x * y * y
    if fn == "not":
        return Fraction(x == 0)
    if fn == "recip":
        return None if x == 0 else 1 / x
    if fn == "sqrt":  # of 0 and 1, which Programs compute, the true one
        return None if x < 0 else (x * x + x) / 2
    if fn == "log":
        return None if x < 0 else x * x + x + 1
    if parity == "odd":
        return x**3 + 2 * x
    if parity == "even":
        return abs(x) + x * x
    return x * x + x + 1


def evaluate(op: ops.Operation, args: Sequence[Array], sizes: Mapping[str, int]) -> Array:
    """The value of one operation."""
    shape = tuple(s.value(sizes) for s in op.shape)
    match op:
        case ops.Const():
            return tensor(shape, op.values)
        case ops.SizeOf():
            return tensor((), [Fraction(op.size.value(sizes))])
        case ops.Indicator(args=(_,)):
            places = [(x, j) for x in args[0].ravel() for j in range(shape[-1])]
            return tensor(shape, [None if x is None else Fraction(int(x == j)) for x, j in places])
        case ops.Indicator(offset=None):
            return eye(shape[0])
        case ops.Indicator():
            return tensor(shape, [Fraction(int(j <= i + (op.offset or 0))) for i, j in np.ndindex(shape)])
        case ops.Iota():
            return tensor(shape, [Fraction(i) for i in range(shape[0])])
        case ops.Einsum():
            return _einsum(op, args, shape)
        case ops.Add():
            return tensor(shape, [_sum([a[i] for a in args]) for i in np.ndindex(shape)])
        case ops.Map():
            return tensor(shape, [stand_in(op.fn, [a[i] for a in args]) for i in np.ndindex(shape)])
        case ops.Select():
            c, a, b = args
            picked = [None if c[i] is None else (a[i] if c[i] != 0 else b[i]) for i in np.ndindex(shape)]
            return tensor(shape, picked)
        case ops.Reduce():
            return _lines(args[0], op.axes, shape, lambda line: _reduce(op.fn, line))
        case ops.Concat():
            return np.concatenate(list(args), axis=op.axis)
        case ops.Read():
            return _read(op, shape, args[0], sizes)
        case ops.Reshape():
            return args[0].reshape(shape)
        case ops.Sort():
            return _sort(args[0], op.axis)
        case ops.Matrix(fn="eigvals"):
            return _matrices(args[0], shape, _invariants)
        case ops.Matrix(fn="spectral"):
            found = np.empty(shape, dtype=object)
            for i in np.ndindex(*shape[:-2]):
                found[i] = _polynomial(args[0][i], args[1][i])
            return found
        case ops.Matrix(fn=fn) if ops.MATRIX_FUNCTIONS[fn].series:
            return _matrices(args[0], shape, _series)
        case ops.Matrix(fn="cholesky"):
            return _matrices(args[0], shape, _triangle)
        case ops.Matrix(fn="pinv"):
            return _each_pseudo_inverse(args[0], shape)
        case ops.Matrix(fn="inv"):
            return _matrices(args[0], shape, inverse)
        case ops.Matrix(fn="det"):
            return _matrices(args[0], shape, determinant)
        case _:
            raise NotImplementedError(type(op).__name__)


def _einsum(op: ops.Einsum, args: Sequence[Array], shape: tuple[int, ...]) -> Array:
    sizes: dict[int, int] = dict(zip(op.output, shape, strict=True))
    for row, a in zip(op.inputs, args, strict=True):
        sizes.update(zip(row, a.shape, strict=True))
    labels = [*op.output, *sorted(set(sizes) - set(op.output))]
    out = tensor(shape, [Fraction(0)] * int(np.prod(shape, dtype=int)))
    for point in itertools.product(*(range(sizes[k]) for k in labels)):
        at = dict(zip(labels, point, strict=True))
        term: Fraction | None = Fraction(1)
        for row, a in zip(op.inputs, args, strict=True):
            entry = a[tuple(at[k] for k in row)]
            term = None if term is None or entry is None else term * entry
        index = point[: len(shape)]
        out[index] = None if term is None or out[index] is None else out[index] + term
    return out


def _sum(values: Sequence[Fraction | None]) -> Fraction | None:
    return None if any(v is None for v in values) else sum(values, Fraction(0))  # type: ignore[arg-type]


def _reduce(fn: str, line: Sequence[Any]) -> Any:
    if any(v is None for v in line):
        return None
    if fn == "prod":
        result = Fraction(1)
        for v in line:
            result *= v
        return result
    return max(line) if fn == "max" else min(line)


def _lines(a: Array, axes: tuple[int, ...], shape: tuple[int, ...], reduce: Any) -> Array:
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = np.transpose(a, kept + list(axes))
    return tensor(shape, [reduce(list(moved[i].ravel() if axes else [moved[i]])) for i in np.ndindex(shape)])


def _sort(a: Array, axis: int) -> Array:
    moved = np.moveaxis(a, axis, -1)
    out = np.empty_like(moved)
    for i in np.ndindex(moved.shape[:-1]):
        line = list(moved[i])
        fresh = [None] * len(line) if any(v is None for v in line) else sorted(line)
        for k, v in enumerate(fresh):
            out[(*i, k)] = v
    return np.moveaxis(out, -1, axis)


def _matrices(a: Array, shape: tuple[int, ...], fn: Any) -> Array:
    out = np.empty(shape, dtype=object)
    for i in np.ndindex(a.shape[:-2]):
        out[i] = fn(a[i])
    return out


def _invariants(m: Array) -> Array:
    """Traces of the powers of the symmetric part, in place of the eigenvalues, of which they are sums."""
    n = len(m)
    if any(m[i] is None for i in np.ndindex(m.shape)):
        return tensor((n,), [None] * n)
    s = m + m.T
    powers = [s]
    for _ in range(n - 1):
        powers.append(powers[-1].dot(s))
    return tensor((n,), [sum(np.diagonal(p)) for p in powers])


def _polynomial(m: Array, w: Array) -> Array:
    """sum_k (w_k + k tr S^(k+1)) S^k in place of a function of S: each is a polynomial, with such numbers."""
    n = len(m)
    if any(x is None for x in (*m.ravel(), *w.ravel())):
        return tensor((n, n), [None] * n * n)
    s, traces = m + m.T, _invariants(m)
    power = tensor((n, n), [Fraction(int(i == j)) for i in range(n) for j in range(n)])
    total = power * Fraction(0)
    for k in range(n):
        total = total + power * (w[k] + k * traces[k])
        power = power.dot(s)
    return total


def _series(m: Array) -> Array:
    """1 + M + M^2 + tr(M) M^3 in place of a power series: a polynomial that depends on all of M."""
    if any(x is None for x in m.ravel()):
        return tensor(m.shape, [None] * m.size)
    unit = tensor(m.shape, [Fraction(int(i == j)) for i, j in np.ndindex(m.shape)])
    square = m.dot(m)
    return unit + m + square + square.dot(m) * sum(np.diagonal(m))


def _triangle(m: Array) -> Array:
    """The triangle of elimination times its pivots, of the lower half of M: L without roots."""
    nothing, found = tensor(m.shape, [None] * m.size), tensor(m.shape, [Fraction(0)] * m.size)
    if any(x is None for x in m.ravel()):
        return nothing
    for j in range(len(m)):
        for i in range(j, len(m)):
            found[i, j] = m[i, j] - sum(found[i, k] * found[j, k] / found[k, k] for k in range(j))
        if found[j, j] <= 0:
            return nothing
    return found


def _each_pseudo_inverse(a: Array, shape: tuple[int, ...]) -> Array:
    """From the coefficients of the characteristic polynomials of M^T M."""
    out = np.empty(shape, dtype=object)
    for i in np.ndindex(*shape[:-2]):
        m = a[i]
        if any(x is None for x in m.ravel()):
            out[i] = None
            continue
        gram, best = m.T.dot(m), m.T * Fraction(0)
        unit = tensor(gram.shape, [Fraction(int(j == k)) for j in range(len(gram)) for k in range(len(gram))])
        power = unit
        for j in range(1, len(gram) + 1):
            product = gram.dot(power)
            c = -sum(np.diagonal(product)) / j
            best = power.dot(m.T) * (-1 / c) if c else best
            power = product + c * unit
        out[i] = best
    return out


def determinant(m: Array) -> Any:
    """The determinant, None where an entry is undefined."""
    n = len(m)
    if any(m[i] is None for i in np.ndindex(m.shape)):
        return None
    total = Fraction(0)
    for p in itertools.permutations(range(n)):
        sign = (-1) ** sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n))
        term = Fraction(sign)
        for i in range(n):
            term *= m[i, p[i]]
        total += term
    return total


def inverse(m: Array) -> Array:
    """The inverse, undefined where there is none."""
    n = len(m)
    det = determinant(m)
    if not det:
        return tensor((n, n), [None] * n * n)
    out = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(m, j, 0), i, 1)
            out[i, j] = (-1) ** (i + j) * (determinant(minor) if n > 1 else Fraction(1)) / det
    return out


def size_of(act_or_size: Size, sizes: Mapping[str, int]) -> int:
    """The number that a size is."""
    return act_or_size.value(sizes)


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
