"""Library functions that a Program calls by name; see `programs.evaluate.library_functions`."""

from __future__ import annotations

from eqvproof.programs import Builder
from eqvproof.programs.evaluate.library_functions import CHOLESKY
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.symmetric import turned


def cholesky(b: Builder, x: int, *, upper: bool = False) -> int:
    """Returns the triangular Cholesky factors of matrices (..., n, n).

    Raises:
        TraceError: the matrices are not square.
    """
    shape = b.shape(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise TraceError("a Cholesky factor of matrices that are not square")
    if upper:  # entries below the diagonal are not read
        return turned(b, b.opaque(CHOLESKY, [turned(b, x)], shape))
    return b.opaque(CHOLESKY, [x], shape)
