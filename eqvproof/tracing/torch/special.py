"""ATen operations composed of elementwise operations, and linear algebra."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.operations import MATRIX_FUNCTIONS
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import (
    constants,
    eigenvectors,
    factors,
    formulas,
    poles,
    symmetric,
)
from eqvproof.tracing.arrays import (
    node_functions as arrays,
)
from eqvproof.tracing.arrays.poles import UNKNOWN, UNKNOWN_HINT, undefined
from eqvproof.tracing.torch.aten import TABLE, Handler, lift, op


@op("fmod")
def _fmod(b: Builder, x: object, y: object) -> int:
    left, right = lift(b, x), lift(b, y)
    return b.sub(left, b.mul(right, formulas.trunc(b, b.div(left, right))))


@op("ldexp")
def _ldexp(b: Builder, x: object, y: object) -> int:
    return b.mul(lift(b, x), formulas.exp2(b, lift(b, y)))


def _question(ask: Callable[[Builder, int], int | None]) -> Handler:
    """Returns the handler of a question for where a value is infinite or NaN."""

    def handler(b: Builder, x: int) -> int:
        known = ask(b, int(x))
        if known is None:
            raise TraceError(UNKNOWN, hint=UNKNOWN_HINT, code="trace.value")
        return known

    return handler


op("isinf")(_question(poles.infinite))
op("isnan")(_question(poles.invalid))
op("isposinf")(_question(lambda b, x: poles.infinite(b, x, 1)))
op("isneginf")(_question(lambda b, x: poles.infinite(b, x, -1)))


def _undefined_results(b: Builder, count: int) -> tuple[int, ...]:
    """Returns undefined results."""
    return (undefined(b),) * count


@op("_linalg_slogdet")
def _slogdet(b: Builder, x: int) -> tuple[int, ...]:
    det = b.det(int(x))
    return b.map("sign", [det]), b.map("log", [b.map("abs", [det])]), *_undefined_results(b, 2)


def _matrix_function(fn: str) -> Handler:
    return lambda b, x: b.matrix(fn, int(x))


for _fn, _row in MATRIX_FUNCTIONS.items():
    if "torch" in _row.names:
        op(_row.names["torch"])(_matrix_function(_fn))


TABLE |= {
    "_linalg_det": lambda b, x: (b.det(int(x)), *_undefined_results(b, 2)),
    "linalg_inv_ex": lambda b, x: (b.inv(int(x)), *_undefined_results(b, 1)),
}


#: A matrix counts as positive definite where its least eigenvalue exceeds this fraction of the
#: largest.
CLEAR = 1e-6


@op("linalg_cholesky_ex")
def _cholesky_ex(b: Builder, x: int, *, upper: object = False) -> tuple[int, ...]:
    """Returns the Cholesky factor, and 0 if a constant matrix clearly has one.

    For other matrices the second result is undefined.
    """
    found = factors.cholesky(b, int(x), upper=bool(upper))
    if int(x) == b.eye(b.shape(x)[-1]):
        return found, b.const(0)
    if len(b.shape(x)) == 2:
        known = constants.floats_of(b, int(x))
    else:
        known = None
    if known is None:
        return found, undefined(b)
    if upper:
        known = known.T
    values = np.linalg.eigvalsh(known)
    if values[0] > CLEAR * values[-1]:
        return found, b.const(0)
    return found, undefined(b)


@op("_linalg_solve_ex")
def _solve(b: Builder, a: int, right: int, *, left: object = True) -> tuple[int, ...]:
    inverse = b.inv(int(a))
    vector = len(b.shape(right)) == 1 or b.shape(right) == b.shape(a)[:-1]
    if not left:
        found = b.matmul(int(right), inverse)
    elif vector and len(b.shape(right)) > 1:
        found = b.squeeze(b.matmul(inverse, b.expand(int(right), len(b.shape(right)))), -1)
    else:
        found = b.matmul(inverse, int(right))
    return found, *_undefined_results(b, 3)


@op("linalg_solve_triangular")
def _solve_triangular(
    b: Builder,
    a: int,
    right: int,
    *,
    upper: object,
    left: object = True,
    unitriangular: object = False,
) -> int:
    factor = arrays.triangle(b, int(a), lower=not upper, unit=bool(unitriangular))
    if left:
        return b.matmul(b.inv(factor), int(right))
    return b.matmul(int(right), b.inv(factor))


@op("cholesky_solve", "cholesky_inverse")
def _cholesky_solve(b: Builder, *args: object, **options: object) -> int:
    """Solves two triangular systems."""
    given = [a for a in args if not isinstance(a, bool)]
    upper = bool(options.get("upper", args[-1] if isinstance(args[-1], bool) else False))
    factor = arrays.triangle(b, int(given[-1]), lower=not upper)  # type: ignore[call-overload]
    inverse, turned = b.inv(factor), b.inv(symmetric.turned(b, factor))
    if upper:
        first, second = (turned, inverse)
    else:
        first, second = (inverse, turned)
    if len(given) == 1:
        return b.matmul(second, first)
    return b.matmul(second, b.matmul(first, int(given[0])))  # type: ignore[call-overload]


@op("linalg_pinv")
def _pinv(
    b: Builder, x: int, *, atol: object = None, rtol: object = None, hermitian: object = False
) -> int:
    if atol is not None or rtol is not None or hermitian:
        raise TraceError("a pseudo-inverse with a tolerance of its own")
    return b.pinv(int(x))


@op("_linalg_svd")
def _svd(
    b: Builder,
    x: int,
    full: object = False,  # noqa: FBT002
    compute_uv: object = True,  # noqa: FBT002
    **_: object,
) -> tuple[int, ...]:
    """Returns U, the singular values in descending order, and V^T.

    The vectors are undefined where they are not asked for.
    """
    if not compute_uv:
        return undefined(b), symmetric.singular_values(b, int(x)), undefined(b)
    return eigenvectors.svd(b, int(x), full=bool(full))


@op("_linalg_eigh")
def _eigh(b: Builder, x: int, uplo: str = "L", *_: object) -> tuple[int, int]:
    return eigenvectors.eigh(b, int(x), lower=uplo == "L")
