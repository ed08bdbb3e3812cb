"""Functions as people write them, of one array X of shape (2, 3), to be called with exact numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sp

Target = Callable[[Any], Any]
EXACT: dict[str, Target] = {}
REFUSED: dict[str, Target] = {}


def exact(function: Target) -> Target:
    EXACT[function.__name__] = function
    return function


def refused(function: Target) -> Target:
    REFUSED[function.__name__] = function
    return function


def softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


EXACT.update(
    softmax=softmax,
    softmax_columns=lambda X: softmax(X, 0),
    softmax_scipy=lambda X: sp.softmax(X, axis=0),
    attention=lambda X: softmax(X @ X.T / np.sqrt(X.shape[1])) @ X,
    distances=lambda X: np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1)),
    distances_by_norm=lambda X: np.linalg.norm(X[:, None] - X[None], axis=-1),
    norm=lambda X: X / np.linalg.norm(X),
    norm_1=lambda X: np.linalg.norm(X, 1, axis=0) + np.linalg.norm(X, np.inf, axis=0),
    norm_3=lambda X: np.linalg.norm(X[0], 3),
    norm_frobenius=lambda X: (
        np.linalg.norm(X, "fro", keepdims=True) * np.linalg.norm(X, axis=1, keepdims=True)
    ),
    expit=lambda X: sp.expit(X),
    gelu=lambda X: X * 0.5 * (1 + sp.erf(X / np.sqrt(2))),
    gelu_tanh=lambda X: 0.5 * X * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3))),
    xlogy=lambda X: sp.xlogy(np.abs(X), np.abs(X)) + sp.entr(np.abs(X)),
    gamma=lambda X: sp.gamma(np.abs(X) + 1) + sp.gammaln(np.abs(X) + 2),
    cumsum=lambda X: np.cumsum(X, axis=0) + X.cumsum(1),
    cumprod=lambda X: np.cumprod(X, axis=1),
    running_maximum=lambda X: np.maximum.accumulate(X, axis=1),
    sort=lambda X: np.sort(X, axis=0),
    argsort_rows=lambda X: X[np.argsort(X[:, 0])],
    take_along_axis=lambda X: np.take_along_axis(X, np.argsort(X, axis=0), axis=0),
    partition=lambda X: np.partition(X, 1, axis=0)[:1],
    clip=lambda X: np.clip(X, -1, 1) + X.clip(0, 2) + np.clip(X, None, 1) + np.clip(X, a_min=0, a_max=None),
    relu=lambda X: np.maximum(X, 0),
    exp_of_relu=lambda X: np.exp(np.maximum(X, 0)),
    relu_by_mask=lambda X: X * (X > 0),
    relu_by_where=lambda X: np.log1p(np.where(X > 0, X, 0)),
    leaky_relu=lambda X: np.where(X > 0, X, 0.01 * X),
    outer=lambda X: np.outer(X[0], X[1]),
    kron=lambda X: np.kron(X, X),
    trace=lambda X: np.trace(X @ X.T) + (X @ X.T).trace(),
    einsum=lambda X: np.einsum("ij,kj,k->i", X, X, X[:, 0]),
    einsum_ellipsis=lambda X: np.einsum("...i,...i", X, X),
    einsum_lists=lambda X: np.einsum(X, [0, 1], X, [2, 1], [0, 2]),
    einsum_diagonal=lambda X: np.einsum("ii->i", X @ X.T) + np.einsum("ii", X @ X.T),
    tensordot=lambda X: np.tensordot(X, X, axes=([1], [1])) + np.inner(X, X),
    dot=lambda X: X.dot(X.T) + np.dot(X[0], X[1]) + np.vdot(X, X) + np.dot(2, X[0, 0]),
    matmul_stack=lambda X: np.stack([X, 2 * X]) @ X.T,
    statistics=lambda X: np.stack([np.mean(X, 0), np.var(X, 0), np.std(X, 0), np.ptp(X, 0)]),
    methods=lambda X: X.mean() + X.std(axis=1, ddof=1) + X.var() + X.prod(1) + X.min() + X.max(0).sum(),
    median=lambda X: np.median(X, axis=0) + np.median(X),
    quantile=lambda X: np.quantile(X, 0.5, axis=0),
    average=lambda X: np.average(X, axis=0, weights=[1, 2]),
    arg_max=lambda X: X[np.arange(len(X)), X.argmax(1)] + X.argmin(),
    one_hot_of_arg_max=lambda X: np.eye(X.shape[1])[np.argmax(X, axis=1)] * X,
    concatenate=lambda X: np.concatenate([X, np.ones((1, X.shape[1]))]),
    stacking=lambda X: np.hstack([X, X]) + np.column_stack([X, X]) + np.block([[X, X]]),
    pad=lambda X: np.pad(X, 1),
    roll_and_flip=lambda X: np.roll(X, 1, axis=0) - np.flip(X, 0) + X[::-1] + np.roll(X, 2),
    triangles=lambda X: np.diag(X[:, 0]) + np.triu(X @ X.T) + np.tril(X @ X.T, -1),
    convolve=lambda X: np.convolve(X[0], X[1]),
    cross=lambda X: np.cross(X[0], X[1]),
    repeat=lambda X: np.repeat(X, 2, axis=0) + np.tile(X, (2, 1)),
    inverse=lambda X: np.linalg.inv(X @ X.T + np.eye(len(X))),
    solve=lambda X: np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T),
    solve_vector=lambda X: np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X[0]),
    determinant=lambda X: np.linalg.det(X @ X.T),
    slogdet=lambda X: np.linalg.slogdet(X @ X.T)[1],
    pseudo_inverse=lambda X: np.linalg.pinv(X) @ X,
    matrix_power=lambda X: np.linalg.matrix_power(X @ X.T, 3) + np.linalg.matrix_power(X @ X.T, -2),
    cholesky=lambda X: np.linalg.cholesky(X @ X.T + np.eye(len(X))),
    rank=lambda X: np.linalg.matrix_rank(X) * X,
    where_log=lambda X: np.where(X > 0, np.log(np.abs(X)), 0),
    where_log_undefined=lambda X: np.where(X > 0, np.log(X), 0),
    unique=lambda X: np.unique(X),
    vectorize=lambda X: np.vectorize(lambda x: x * x + 1)(X),
    apply_along_axis=lambda X: np.apply_along_axis(lambda r: r / r.sum(), 1, X),
    scalar_from_sum=lambda X: np.sqrt((X * X).sum()) * X,
    as_floats=lambda X: X.astype(float) * np.float64(0.5) + X.astype(np.float32),
    polynomial_features=lambda X: np.prod(X, axis=1) + np.power(X, 3).sum(1) + np.vander(X[0])[0, 0],
    polyval=lambda X: np.polyval([1, 2, 3], X),
    rounding=lambda X: np.round(X * 0.3) + np.floor(X) + np.ceil(X / 2) + X % 2 + X // 2 + np.trunc(X),
    round_digits=lambda X: np.round(X / 3, 2),
    min_max_scale=lambda X: (X - X.min(0)) / (X.max(0) - X.min(0)),
    log_sum_exp=lambda X: np.logaddexp(X[0], X[1]) + np.logaddexp.reduce(X, axis=0),
    log_sum_exp_by_hand=lambda X: np.log(np.exp(X - X.max()).sum()) + X.max(),
    rows_by_comprehension=lambda X: np.array([x.sum() for x in X]),
    stacked_comprehension=lambda X: np.stack([np.tanh(x) for x in X]),
    python_max=lambda X: np.exp(np.array([max(x) for x in X])),
    sum_of_generator=lambda X: sum(np.outer(x, x) for x in X),
    count=lambda X: (X > 0).sum(0) * X + np.count_nonzero(X),
    any_all=lambda X: X if (X > -100).all() and np.any(X > 0) else -X,
    meshgrid=lambda X: np.hypot(*np.meshgrid(X[0], X[1])) + np.arctan2(*np.meshgrid(X[0], X[1])),
    differences=lambda X: np.diff(X, axis=0) + np.trapezoid(X[0]),
    linspace=lambda X: np.linspace(X[0, 0], X[0, 1], 3),
    nan_functions=lambda X: np.nansum(X, 0) + np.nanmax(X, 0) + np.nanmean(X, 0),
    is_close=lambda X: np.where(np.isclose(X, 0), 1, 1 / X),
    signed_root=lambda X: np.sign(X) * np.sqrt(np.abs(X)) + np.cbrt(X),
    select=lambda X: np.select([X > 1, X < 0], [X, X**2], 0),
    piecewise=lambda X: np.piecewise(X, [X < 0, X >= 0], [lambda x: -x, lambda x: x]),
    trigonometry=lambda X: np.sin(X) + np.cos(X) * np.tan(X) + np.arctan(X) + np.sinc(X) + np.deg2rad(X),
    hyperbolic=lambda X: (
        np.sinh(X) / np.cosh(X) + np.arcsinh(X) + np.arccosh(np.abs(X) + 2) + np.arctanh(X / 5)
    ),
    exponentials=lambda X: np.exp2(X) + np.expm1(X) + np.log2(np.abs(X)) + np.log10(X * X) + 2.0**X,
    search=lambda X: X[0, np.searchsorted(np.sort(X[0]), X[1]) % 3],
    swap=lambda X: np.swapaxes(X, 0, 1) + np.moveaxis(X, 0, 1) + np.transpose(X) + X.T,
    broadcast=lambda X: np.broadcast_to(X[0], (2, 3)) + X[:, None, :].squeeze(1) + np.expand_dims(X, 0)[0],
    histogram_of_counts=lambda X: np.bincount(np.argmax(X, axis=1), minlength=3),
    no_nan=lambda X: X if not np.isnan(X).any() and np.all(np.isfinite(X)) else 0 * X,
    nan_to_num=lambda X: np.nan_to_num(X),
    plain_array=lambda X: np.exp(np.asarray(X)) / np.exp(np.asarray(X)).sum(),
    math_floor=lambda X: math.floor(X[0, 1]) + math.ceil(X[0, 1]) + round(X[0, 1]) + int(X[0, 1]),
    divmod=lambda X: np.divmod(X, 2)[1] + divmod(X[0, 0], 2)[0],
    negative_power=lambda X: X**-2 + np.abs(X) ** 0.5 + np.float_power(np.abs(X), 1.5),
    reciprocal=lambda X: np.reciprocal(X) + np.true_divide(1, X) + np.square(X),
    ravel=lambda X: X.ravel() @ X.flatten() + X.reshape(-1).sum() + X.T.reshape(2, 3),
    masked_mean=lambda X: np.sum(X, where=X > 0) / np.sum(X > 0),
    initial=lambda X: np.max(X, axis=0, initial=0) + np.sum(X, initial=1),
)


@exact
def layer_norm(X: Any) -> Any:
    mean = X.mean(-1, keepdims=True)
    return (X - mean) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)


@exact
def causal_attention(X: Any) -> Any:
    scores = np.where(np.tril(np.ones((len(X), len(X)), bool)), X @ X.T, -np.inf)
    return softmax(scores) @ X


@exact
def masked_by_fill(X: Any) -> Any:
    scores = X @ X.T
    scores[0, 1] = -np.inf
    return softmax(scores)


@exact
def loop_into_zeros_like(X: Any) -> Any:
    out = np.zeros_like(X)
    for i in range(len(X)):
        out[i] = X[i] * 2
    return np.exp(out)


@exact
def loop_into_empty_like(X: Any) -> Any:
    out = np.empty_like(X)
    out[:] = X
    return out + np.full_like(X, 0.5)


@exact
def loop_into_zeros_of_dtype(X: Any) -> Any:
    out = np.zeros(X.shape, dtype=X.dtype)
    for i, j in np.ndindex(X.shape):
        out[i, j] = X[i, j] ** 2
    return out


@exact
def accumulate_number(X: Any) -> Any:
    total = 0.0
    for row in X:
        total += row @ row
    return total


@exact
def accumulate_array(X: Any) -> Any:
    total = np.zeros(X.shape[1])
    for row in X:
        total = total + row
    return total


@exact
def gram_schmidt(X: Any) -> Any:
    basis: list[Any] = []
    for x in X:
        for q in basis:
            x = x - (q @ x) * q
        basis.append(x / np.linalg.norm(x))
    return np.array(basis)


@exact
def graph_convolution(X: Any) -> Any:
    A = (X @ X.T > 0).astype(float)
    D = np.diag(A.sum(1) ** -0.5)
    return D @ A @ D @ X


@exact
def scatter_add(X: Any) -> Any:
    out = np.zeros_like(X)
    np.add.at(out, [0, 0, 1], X[[1, 0, 1]])
    return out


@exact
def in_place(X: Any) -> Any:
    X = X.copy()
    X += 1
    X *= 2
    X /= 3
    X **= 2
    X[X > 1] = 0
    return X


@exact
def sort_in_place(X: Any) -> Any:
    X = X.copy()
    X.sort(axis=1)
    return X


@exact
def largest_by_loop(X: Any) -> Any:
    best = -np.inf
    for x in X.ravel():
        if x > best:
            best = x
    return best


@exact
def power_iteration(X: Any) -> Any:
    v = np.ones(X.shape[1])
    for _ in range(3):
        v = X.T @ (X @ v)
        v = v / np.sqrt(v @ v)
    return v


REFUSED.update(
    python_float=lambda X: float(X.sum()) * X,
    math_sqrt=lambda X: math.sqrt((X * X).sum()) * X,
    asarray_float=lambda X: np.asarray(X, dtype=float),
    eigenvalues=lambda X: np.linalg.eigh(X.T @ X)[0],
    singular_values=lambda X: np.linalg.svd(X)[1],
    qr=lambda X: np.linalg.qr(X)[0],
    fft=lambda X: np.fft.fft(X, axis=0).real,
    interp=lambda X: np.interp(X[0], [0, 1], [0, 1]),
    least_squares=lambda X: np.linalg.lstsq(X, X[:, 0], rcond=None)[0],
    gradient=lambda X: np.gradient(X[0]),
    special_function=lambda X: sp.digamma(X),
    into_floats=lambda X: np.add(X, 1, out=np.zeros(X.shape)),
    to_integers=lambda X: np.sum(X, dtype=int),
    scatter_into_floats=lambda X: np.add.at(np.zeros(X.shape), [0], X[:1]),
)


@refused
def loop_into_zeros(X: Any) -> Any:
    out = np.zeros(X.shape)
    for i in range(len(X)):
        out[i] = X[i] * 2
    return out


@refused
def accumulate_in_place(X: Any) -> Any:
    total = np.zeros(X.shape[1])
    for row in X:
        total += row
    return total


@refused
def swallowed(X: Any) -> Any:
    try:
        return np.linalg.svd(X)[1]
    except Exception:
        return X


#: What raises something else than `Inexact` on exact numbers; the caller must fall back all the same.
UNSUPPORTED: dict[str, tuple[type[Exception], Target]] = {
    "plain_array_and_int_mixed": (TypeError, lambda X: np.exp(np.maximum(np.asarray(X), 0))),
    "finfo": (ValueError, lambda X: X + np.finfo(X.dtype).eps),
    "logsumexp_scipy": (TypeError, lambda X: sp.logsumexp(X, axis=0)),
    "log_softmax_scipy": (TypeError, lambda X: sp.log_softmax(X, axis=0)),
}
