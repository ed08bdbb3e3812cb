"""JAX primitives of linear algebra: factors, inverses, eigenvectors, singular values."""

from __future__ import annotations

from eqvproof.programs.operations import MATRIX_FUNCTIONS
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import eigenvectors, factors, symmetric
from eqvproof.tracing.arrays.node_functions import triangle
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.jax.equations import Equation, Handler
from eqvproof.tracing.jax.reader import Reader, library_function, primitive, read_inner_jaxpr
from eqvproof.tracing.jax.values import Value


@primitive("cholesky")
def _cholesky_lower(r: Reader, e: Equation, x: Value) -> int:
    """Returns the lower Cholesky factor."""
    return factors.cholesky(r.builder, r.node(x))


@primitive("eigh")
def _eigh(r: Reader, e: Equation, x: Value) -> list[Value]:
    """Returns eigenvectors as columns, and the eigenvalues in ascending order."""
    p = e.params
    if not p.get("sort_eigenvalues", True) or p.get("subset_by_index") is not None:
        raise TraceError("eigenvalues in no order, or some of them", code="trace.operation")
    values, vectors = eigenvectors.eigh(r.builder, r.node(x), lower=bool(p["lower"]))
    return [Node(vectors), Node(values)]


def _matrix_function(fn: str) -> Handler:
    """Returns the handler of a function of `operations.matrix`.

    JAX's default tolerance of pinv counts as rounding.
    """
    return lambda r, e, x: r.builder.matrix(fn, r.node(x))


for _fn, _row in MATRIX_FUNCTIONS.items():
    if "jax" in _row.names:
        library_function(*_row.names["jax"].split())(_matrix_function(_fn))


@library_function("numpy/linalg.py", "matrix_power")
def _matrix_power(r: Reader, e: Equation, x: Value) -> int:
    """Returns the products that JAX makes; the power 0, JAX's constant, is undefined where x is."""
    node, found = r.node(x), r.node(read_inner_jaxpr(r, e, x)[0])
    if node in r.builder.behind(found):
        return found
    return r.builder.defined_where(node, found)


@primitive("triangular_solve")
def _triangular_solve(r: Reader, e: Equation, a: Value, right: Value) -> int:
    """Returns the inverse of a triangle, transposed if asked, times the right-hand side."""
    p, b = e.params, r.builder
    factor = triangle(b, r.node(a), lower=bool(p["lower"]), unit=bool(p["unit_diagonal"]))
    if p["transpose_a"]:
        factor = symmetric.turned(b, factor)
    inverse = b.inv(factor)
    other = r.node(right)
    if p["left_side"]:
        return b.matmul(inverse, other)
    return b.matmul(other, inverse)


@primitive("svd")
def _svd(r: Reader, e: Equation, x: Value) -> list[Value]:
    """Returns the singular values in descending order, and U and V^T where they are asked for."""
    p = e.params
    if p.get("subset_by_index") is not None:
        raise TraceError("some of the singular values by their places", code="trace.operation")
    b, matrix = r.builder, r.node(x)
    full, is_tall = bool(p["compute_uv"] and p["full_matrices"]), None
    if not full:  # if either side may be larger, both cases are read
        is_tall = r.is_at_least(*b.shape(matrix)[-2:])
    if not p["compute_uv"]:
        return [Node(symmetric.singular_values(b, matrix, assumed=is_tall))]
    u, values, vt = eigenvectors.svd(b, matrix, full=full, assumed=is_tall)
    return [Node(values), Node(u), Node(vt)]
