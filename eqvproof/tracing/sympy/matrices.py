"""Handlers of SymPy's matrix expressions."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.programs import Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.sympy.bind import Expression
from eqvproof.tracing.sympy.reader import Reader, reads
from eqvproof.tracing.sympy.scalars import exact_rational, require_real
from eqvproof.tracing.sympy.sums import matrix_as_vector
from eqvproof.tracing.sympy.values import (
    Range,
    Value,
    align_letters,
    as_rank,
    multiply_matrices,
    multiply_values,
    repeat_along_letters,
)


@reads("MatrixSymbol")
def _symbol(r: Reader, e: Expression) -> Value:
    b = r.builder
    argument = r.binding.argument(e.name, e)
    columns = r.binding.shape(e)[1]
    node = b.input(e.name, r.binding.argument_sizes(argument))
    if len(argument.axes) == 1:
        node = b.expand(node, 1 if columns == Size.of(1) else 0)
    return Value(node, (), 2)


@reads("Identity")
def _identity_matrix(r: Reader, e: Expression) -> Value:
    return Value(r.builder.eye(r.binding.size(e.shape[0])), (), 2)


@reads("ZeroMatrix", "OneMatrix")
def _constant_matrix(r: Reader, e: Expression) -> Value:
    b = r.builder
    value = int(type(e).__name__ == "OneMatrix")
    return Value(b.broadcast_to(b.const(value), [r.binding.size(s) for s in e.shape]), (), 2)


@reads("Transpose", "Adjoint")
def _transpose(r: Reader, e: Expression) -> Value:
    if type(e).__name__ in ("Adjoint", "adjoint"):
        require_real(e.args[0])
    x = as_rank(r.builder, r.read(e.args[0]), 2)
    count = len(x.letters)
    return Value(r.builder.transpose(x.node, [*range(count), count + 1, count]), x.letters, 2)


@reads("transpose", "adjoint")
def _transposed_scalar(r: Reader, e: Expression) -> Value:
    if type(e).__name__ == "adjoint":
        require_real(e.args[0])
    value = r.read(e.args[0])
    if value.rank:
        return _transpose(r, e)
    return value


@reads("MatMul")
def _matrix_product(r: Reader, e: Expression) -> Value:
    values = r.all(e.args)
    matrices = [v for v in values if v.rank == 2]
    found = matrices[0]
    for value in matrices[1:]:
        found = multiply_matrices(r.builder, found, value)
    return multiply_values(r.builder, [*(v for v in values if v.rank == 0), found])


@reads("MatPow")
def _matpow(r: Reader, e: Expression) -> Value:
    base, exponent = e.args
    if not exponent.is_Integer:
        raise TraceError(
            "a power of a matrix that is no integer", given=str(e), code="trace.operation"
        )
    value = r.read(base)
    count = abs(int(exponent))
    if count > 64:
        raise TraceError("a power of a matrix above 64", given=str(e), code="trace.operation")
    if not count:
        size = r.builder.shape(value.node)[-1]
        return Value(r.builder.defined_where(value.node, r.builder.eye(size)), value.letters, 2)
    found = value
    for _ in range(count - 1):
        found = multiply_matrices(r.builder, found, value)
    if exponent < 0:
        return _inverted(r, found)
    return found


def _inverted(r: Reader, value: Value) -> Value:
    return Value(r.builder.inv(value.node), value.letters, 2)


@reads("Inverse")
def _matrix_inverse(r: Reader, e: Expression) -> Value:
    return _inverted(r, r.read(e.args[0]))


@reads("Determinant")
def _matrix_determinant(r: Reader, e: Expression) -> Value:
    value = r.read(e.args[0])
    return Value(r.builder.det(value.node), value.letters)


def matrix_diagonal(r: Reader, value: Value, *, kept: bool) -> Value:
    """Returns the diagonal of a square matrix (kept), or its sum."""
    count = len(value.letters)
    labels = [*range(count), count, count]
    output = range(count + int(kept))
    return Value(r.builder.einsum([value.node], [labels], output), value.letters)


@reads("Trace")
def _trace(r: Reader, e: Expression) -> Value:
    return matrix_diagonal(r, r.read(e.args[0]), kept=False)


@reads("DiagonalOf")
def _diagonal_of(r: Reader, e: Expression) -> Value:
    found = matrix_diagonal(r, r.read(e.args[0]), kept=True)
    return Value(r.builder.expand(found.node, len(found.letters) + 1), found.letters, 2)


def on_diagonal(r: Reader, vector: int, count: int, letters: tuple[str, ...]) -> Value:
    """Builds diag(v)."""
    b = r.builder
    eye = b.eye(b.shape(vector)[-1])
    front = list(range(count))
    node = b.einsum(
        [vector, eye], [[*front, count], [count, count + 1]], [*front, count, count + 1]
    )
    return Value(node, letters, 2)


@reads("DiagonalMatrix")
def _diagonal_part(r: Reader, e: Expression) -> Value:
    found = matrix_diagonal(r, r.read(e.args[0]), kept=True)
    return on_diagonal(r, found.node, len(found.letters), found.letters)


@reads("DiagMatrix")
def _diag(r: Reader, e: Expression) -> Value:
    return on_diagonal(r, matrix_as_vector(r, r.read(e.args[0])), 0, ())


@reads("ElementwiseApplyFunction")
def _apply(r: Reader, e: Expression) -> Value:
    import sympy

    function, matrix = e.function, as_rank(r.builder, r.read(e.expr), 2)
    if not isinstance(function, sympy.Lambda):
        x = sympy.Dummy("x")
        function = sympy.Lambda(x, function(x))
    (variable,) = function.variables
    letters = (*matrix.letters, r.letter("row"), r.letter("column"))
    found = r.under({variable: Value(matrix.node, letters)}, function.expr)
    return as_matrix(r, found, letters, r.builder.shape(matrix.node))


def as_matrix(r: Reader, value: Value, letters: Sequence[str], sizes: Sequence[Size]) -> Value:
    """Converts a scalar that depends on letters to a matrix.

    Its rows and columns are the last two letters.
    """
    others = [x for x in value.letters if x not in letters]
    if others or value.rank:
        raise TraceError("a matrix whose entries are not numbers", code="trace.operation")
    spans = [Range(Size.of(0), s) for s in sizes]
    return Value(repeat_along_letters(r.builder, value, letters, spans), tuple(letters[:-2]), 2)


@reads("FunctionMatrix")
def _function_matrix(r: Reader, e: Expression) -> Value:
    rows, columns, function = e.args
    spans = [Range(Size.of(0), r.binding.size(s)) for s in (rows, columns)]
    letters = [r.letter(v) for v in function.variables]
    bound = dict(zip(function.variables, zip(letters, spans, strict=True), strict=True))
    outer = r.under(bound, function.expr)
    front = [x for x in outer.letters if x not in letters]
    node = align_letters(r.builder, outer, [*front, *letters])
    shape = [*r.builder.shape(node)[: len(front)], *(s.length for s in spans)]
    return Value(r.builder.broadcast_to(node, shape), tuple(front), 2)


@reads("MatrixSlice")
def _slice(r: Reader, e: Expression) -> Value:
    value = r.read(e.parent)
    node = value.node
    for axis, (start, stop, step) in enumerate((e.rowslice, e.colslice), start=len(value.letters)):
        first, last = r.binding.size(start), r.binding.size(stop)
        width = (last - first).constant
        if step != 1 and width is None:
            raise TraceError("a step along an axis whose size is not a number", given=str(e))
        if width is None:
            count = last - first
        else:
            count = Size.of(-(-width // int(step)))
        node = r.builder.slice(node, axis, first, count, int(step))
    return Value(node, value.letters, 2)


@reads("BlockMatrix")
def _blocks(r: Reader, e: Expression) -> Value:
    b = r.builder
    rows, columns = e.blockshape
    lines = []
    for i in range(rows):
        parts = [r.read(e.blocks[i, j]) for j in range(columns)]
        if any(p.letters for p in parts):
            raise TraceError("a block matrix under a sum", given=str(e), code="trace.operation")
        lines.append(b.concat([p.node for p in parts], 1))
    return Value(b.concat(lines, 0), (), 2)


@reads("BlockDiagMatrix")
def _block_diagonal(r: Reader, e: Expression) -> Value:
    from sympy import BlockMatrix

    return _blocks(r, BlockMatrix(e.blocks))


@reads("KroneckerProduct")
def _kronecker(r: Reader, e: Expression) -> Value:
    b = r.builder
    values = r.all(e.args)
    found = values[0]
    for value in values[1:]:
        if found.letters or value.letters:
            raise TraceError(
                "a Kronecker product under a sum", given=str(e), code="trace.operation"
            )
        (n, m), (p, q) = b.shape(found.node), b.shape(value.node)
        node = b.einsum([found.node, value.node], [[0, 2], [1, 3]], [0, 1, 2, 3])
        found = Value(b.reshape(node, [n * p, m * q]), (), 2)
    return found


@reads("PermutationMatrix")
def _permutation(r: Reader, e: Expression) -> Value:
    return r.read(e.as_explicit())


@reads("ImmutableDenseMatrix", "ImmutableSparseMatrix")
def _explicit(r: Reader, e: Expression) -> Value:
    b = r.builder
    rows, columns = e.shape
    if all(x.is_Rational or x.is_Float for x in e):
        return Value(
            b.const([[exact_rational(e[i, j]) for j in range(columns)] for i in range(rows)]), (), 2
        )
    lines = []
    for i in range(rows):
        parts = []
        for j in range(columns):
            value = r.read(e[i, j])
            if value.letters or value.rank:
                raise TraceError("a matrix with entries that are not numbers", given=str(e[i, j]))
            parts.append(b.expand(b.expand(value.node, 0), 0))
        lines.append(b.concat(parts, 1))
    return Value(b.concat(lines, 0), (), 2)
