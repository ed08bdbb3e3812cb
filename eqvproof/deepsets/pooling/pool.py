"""Computes `pool(phi, X) = sum_k phi(x_k)`, the invariant half of Deep Sets, at large n.

The result is the exact sum of the machine numbers phi(x_k), rounded once to nearest: it cannot
depend on the order of the rows, on chunks, threads or workers. phi is evaluated by the same rounded
operations everywhere (`Formula`).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import DTypeLike

from eqvproof.deepsets.arguments import library_name, require_one_backend
from eqvproof.deepsets.distribution import map_parts, require_executor
from eqvproof.deepsets.phi.conversion import read_formula
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.pooling.host import add_sums, round_sums, rules, threads_to_use
from eqvproof.deepsets.pooling.partial import pool_stream
from eqvproof.deepsets.pooling.parts import (
    part_sums,
    part_terms,
    parts_of_arrays,
    parts_of_dask,
    parts_on_device,
)
from eqvproof.deepsets.pooling.row_calls import call_by_rows, column_features
from eqvproof.deepsets.pooling.rows import read_rows, working_dtype
from eqvproof.deepsets.pooling.segments import (
    Segments,
    read_segments,
    segment_sums,
    sum_chunk_terms,
)
from eqvproof.deepsets.pooling.weights import multiply_by_weight, read_weights
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.support.errors import BackendError, DomainError, TraceError
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from eqvproof.deepsets.argument_types import (
        Features,
        HostArray,
        OtherArray,
        Sum,
        Sums,
        Workers,
    )
    from eqvproof.deepsets.power_sums import PowerSums


@overload
def pool(
    phi: Sequence[Any] | PowerSums,
    X: HostArray,
    *,
    weights: HostArray | OtherArray | None = ...,
    offsets: HostArray | OtherArray | None = ...,
    ids: HostArray | OtherArray | None = ...,
    segments: int | None = ...,
    symbols: Sequence[Any] | None = ...,
    reproducible: bool = ...,
    dtype: DTypeLike | None = ...,
    threads: int | None = ...,
    device: Literal["cpu", "cuda"] | None = ...,
    executor: Workers | None = ...,
) -> Sums: ...
@overload
def pool(
    phi: Features,
    X: HostArray,
    *,
    weights: HostArray | OtherArray | None = ...,
    offsets: HostArray | OtherArray | None = ...,
    ids: HostArray | OtherArray | None = ...,
    segments: int | None = ...,
    symbols: Sequence[Any] | None = ...,
    reproducible: bool = ...,
    dtype: DTypeLike | None = ...,
    threads: int | None = ...,
    device: Literal["cpu", "cuda"] | None = ...,
    executor: Workers | None = ...,
) -> Sums | Sum: ...
@overload
def pool(
    phi: Features,
    X: OtherArray,
    *,
    weights: HostArray | OtherArray | None = ...,
    offsets: HostArray | OtherArray | None = ...,
    ids: HostArray | OtherArray | None = ...,
    segments: int | None = ...,
    symbols: Sequence[Any] | None = ...,
    reproducible: bool = ...,
    dtype: DTypeLike | None = ...,
    threads: int | None = ...,
    device: Literal["cpu", "cuda"] | None = ...,
    executor: Workers | None = ...,
) -> Any: ...
@overload
def pool(
    phi: Features,
    X: Iterator[HostArray | OtherArray],
    *,
    weights: Iterator[HostArray | OtherArray] | None = ...,
    symbols: Sequence[Any] | None = ...,
    dtype: DTypeLike | None = ...,
) -> Sums | Sum: ...
@shortens_tracebacks
def pool(
    phi: Features,
    X: HostArray | OtherArray | Iterator[HostArray | OtherArray],
    *,
    weights: HostArray | OtherArray | Iterator[HostArray | OtherArray] | None = None,
    offsets: HostArray | OtherArray | None = None,
    ids: HostArray | OtherArray | None = None,
    segments: int | None = None,
    symbols: Sequence[Any] | None = None,
    reproducible: bool = True,
    dtype: DTypeLike | None = None,
    threads: int | None = None,
    device: Literal["cpu", "cuda"] | None = None,
    executor: Workers | None = None,
) -> Any:
    """Sums `w_k phi(x_k)` over the rows of X, or over the rows of each segment.

    Args:
        phi: a SymPy expression (a number), a tuple or matrix of them (a vector), a list of tuples
            of exponents (monomials), a `PowerSums`, or a function of one row x (d,) that returns a
            number or a vector.
        X: rows, (n, d), or (n,) for d = 1; float64, float32, float16, bfloat16, or integers. A
            NumPy, CuPy or Dask array, an array of another array API namespace, or an iterator of
            such arrays, the chunks of a stream, which is read once.
        weights: (n,). Integers count rows: the result has the same bits as if row k occurred w_k
            times. Real weights are rounded to the dtype of phi; the terms are the products
            `w_k phi(x_k)`, rounded once. Of a stream, an iterator of the weights of each chunk.
        offsets: (s + 1,), for a batch of sets: set i has the rows offsets[i] to offsets[i + 1].
        ids: (n,), the segment of each row. Weights and ids of a Dask array are Dask arrays.
        segments: with ids, the number of segments.
        symbols: the symbol of each column, if the names of the symbols do not determine it.
        reproducible: with False, the result may depend on the order of the rows, and is computed
            faster.
        dtype: float32 or float64, in which phi is evaluated and the result is returned. The default
            is that of X, or float32 for 16-bit rows.
        threads: number of threads; the default is all cores of this process.
        device: "cuda" streams a NumPy array to the GPU, in chunks that fit its memory.
        executor: a Dask client, or an executor of `concurrent.futures`, whose workers sum parts of
            X.

    Returns:
        (m,), or a scalar for a scalar phi; (s, m) or (s,) with segments. The empty set gives 0. It
        is an array of NumPy, or of CuPy or another array API namespace if X is one of theirs.

    Exactness: the exact sum of the terms, correctly rounded. It is NaN if a term is NaN or both
        infinities occur; infinite if the sum is beyond the largest number, but not if only a
        partial sum is; -0.0 only if every term is -0.0. Arithmetic, sqrt, exp, log, tanh, sinh,
        cosh and comparisons give the same terms on every machine; sin, cos, tan and their inverses
        are those of NumPy, or of CUDA. A function phi that cannot be written as a formula is called
        row by row, and the values that it returns are summed.

    Raises:
        ShapeError: rows are ragged; weights, offsets or ids do not fit.
        DomainError: X holds complex numbers or integers beyond 2^53; symbols do not fit.
        BackendError: the arrays are of different backends, or a backend is not installed.

    Cost: one pass over the rows; a second for features whose rounding the first did not determine.

    Source: M. Zaheer et al., Deep Sets (2017), Theorem 2. Summation: see
        `eqvproof.deepsets.sums.exact`.

    Examples:
        >>> from sympy.abc import x
        >>> import numpy as np
        >>> print(pool((x, x**2), np.array([1e16, 1.0, -1e16])))
        [1.e+00 2.e+32]
    """
    if isinstance(X, Iterator):
        others = {"offsets": offsets, "ids": ids, "segments": segments, "device": device}
        _require_absent({**others, "executor": executor})
        return pool_stream(phi, X, weights, symbols, dtype)
    kind = host_kind = library_name(X)
    if kind == "dask":
        host_kind = "numpy"
    require_one_backend(kind, "X", weights=weights, ids=ids)
    require_one_backend(host_kind, "X", offsets=offsets)
    if device not in (None, "cpu", "cuda"):
        raise BackendError(
            "there is no such device",
            given=f"device={device!r}",
            expected='"cpu" or "cuda"',
            hint="omit device=: X determines it",
        )
    require_executor(executor)
    cut: Segments | None = None
    real = kind == "cupy" and getattr(getattr(weights, "dtype", None), "kind", "") == "f"
    on_device = kind == "cupy" or (device == "cuda" and kind != "dask")
    on_device = on_device and offsets is ids is None and (weights is None or real)
    if kind == "dask":
        parts = parts_of_dask(X, weights, offsets, ids, segments)
    elif on_device:
        parts, executor = parts_on_device(X, weights), None
    else:  # sets and integer weights of a GPU are summed on the host, with the same bits
        X, weights, offsets, ids = map(_to_host, (X, weights, offsets, ids))
        rows = read_rows(X)
        cut = read_segments(len(rows), offsets, ids, segments)
        weight = None
        if weights is not None:
            weight = read_weights(weights, len(rows))
        parts = parts_of_arrays(rows, weight, cut, apart=executor is not None)
    try:
        formula = read_formula(phi, parts.like.shape[1], symbols)
    except TraceError:
        if kind == "dask" or on_device or not callable(phi):
            raise
        rows, scalar = call_by_rows(phi, rows)
        formula = column_features(rows.shape[1], scalar=scalar)
        parts = parts_of_arrays(rows, weight, cut, apart=executor is not None)
    working, result = working_dtype(parts.like, dtype, needs_float64=formula.needs_float64)
    wanted = formula
    if parts.weights == "f":
        wanted = multiply_by_weight(formula)
    exactly = reproducible or (bool(parts.weights) and not on_device)
    order = rules(working, reproducible=exactly)
    if on_device:
        order, count = order[-2:], 0
    elif executor is not None or kind == "dask":
        count = 1
    else:
        count = threads_to_use(threads)

    def sums(*some: tuple[Any, ...]) -> np.ndarray:
        def by(these: Formula, rule: str) -> list[ExactSum]:
            summed = functools.partial(part_sums, these, rule, working, count)
            (total,) = map_parts(summed, some, executor, add_sums)
            return list(total)

        return round_sums(wanted, result, order, by)

    if not parts.sets:
        total = sums(*parts.parts)
    elif cut is not None and executor is None:
        total = segment_sums(
            formula, rows, cut, weight, working, result, lambda r, w: sums((r, w, None))
        )
    else:
        terms = map_parts(functools.partial(part_terms, formula, working), parts.parts, executor)
        total = sum_chunk_terms(terms, parts.count, formula.features, result)
    if formula.scalar:
        total = total[..., 0]
    if kind in ("numpy", "builtins", "dask"):
        return total
    return _to_namespace(X, total, kind)


def _require_absent(options: dict[str, Any]) -> None:
    """Checks that options which a stream does not take are left out. Raises: DomainError."""
    for name, value in options.items():
        if value is not None:
            raise DomainError(
                f"{name}= is not taken with a stream of chunks",
                given=f"an iterator, and {name}=",
                expected="phi, an iterator of chunks, weights=, symbols= and dtype=",
                hint="PartialPool sums the chunks of one set, one worker or one device",
            )


def _to_host(array: Any) -> Any:
    """Copies a CuPy array to the host; other values are returned unchanged."""
    if library_name(array) == "cupy":
        return array.get()
    return array


def _to_namespace(X: Any, value: np.ndarray, kind: str) -> Any:
    """Converts a result to an array of the namespace of X, if it has one."""
    if kind == "cupy":
        return importlib.import_module(kind).asarray(value)
    namespace = getattr(X, "__array_namespace__", None)
    if namespace is None:
        return value
    return namespace().asarray(value)
