"""Rule of functions of the matrices in the last two axes: inverse, determinant, ..."""

from __future__ import annotations

from ..acts import DUAL, UNI, Act, Irrep, dual, fixed, is_fixed, size_of
from ..functions import MATRIX_FUNCTIONS, SERIES
from ..powers import Power, count, scale_power, summed
from ..program import Node, Shape
from ..sizes import ONE, ZERO, Size
from ..text import one_of
from .base import Lows, Rule, Step, power_zero, read_by
from .map import INVERSE

#: Functions whose rule needs orthogonal changes of basis, and functions whose rule needs B = A.
ORTHOGONAL, ALIKE = ("pinv", "eigvals", "spectral"), ("eigvals", "spectral", *SERIES)


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    fn, shape = node.at["fn"], shapes[0]
    if len(shape) < 2 or (fn != "pinv" and shape[-1] != shape[-2]):
        return False
    turned = (*shape[:-2], shape[-1], shape[-2])
    wanted = {"det": shape[:-2], "eigvals": shape[:-1]}.get(fn, turned)
    return node.shape == wanted and all(weights == shape[:-1] for weights in shapes[1:])


def _typed(step: Step) -> bool:
    """Checks the type of a function of A M B^T, with A acting on rows and B on columns.

    inv: (A M B^T)^-1 = B^-T M^-1 A^-1.

    det: det(A M B^T) = det(A) det(B) det(M), a power of chi (`_power`).

    pinv, for orthogonal A and B: B M^+ A^T solves Penrose's equations for A M B^T, whose solution
    is unique, since A M M^+ A^T and B M^+ M B^T are symmetric, and inner factors A^T A, B^T B
    vanish.

    eigvals, for orthogonal A and B: S = (M + M^T)/2 and A S A^T have the same eigenvalues.

    spectral, for orthogonal A and B: sum_k w_k v_k v_k^T is a sum of projections P_t on the
    eigenspaces of S, each times the mean of the w_k at the places of t in the ascending order,
    which A S A^T keeps, with A P_t A^T.

    A power series s: for A and its inverse on columns s(A M A^-1) = A s(M) A^-1.

    On other axes g permutes matrices, and their w alike, or does not act.
    """
    fn, weights = step.node.at["fn"], step.types[1:]
    *batch, rows, columns = step.types[0]
    *_, height, width = step.shape()
    a, b = (fixed(n) if act == UNI else act for act, n in ((rows, height), (columns, width)))
    if fn in ORTHOGONAL and step.kind == "lin" and not (is_fixed(a) and is_fixed(b)):
        return False
    if step.kind == "lin":
        a, b, inverse = (dual(a), dual(b), b)
    else:
        a, b, inverse = (a, b, b)
    if (fn in ALIKE and a != inverse) or not all(is_fixed(w[-1]) for w in weights):
        return False
    shared = step.unified([batch, *(w[:-1] for w in weights)])
    free = step.kind == "perm" or all(act is not None and is_fixed(act) for act in shared)
    last = {"det": [], "eigvals": [fixed(width)]}.get(fn, [b, a])
    return free and step.fits([*shared, *last])


def _power(step: Step) -> Power | None:
    """Returns the power of a function of c M, for c that is not 0.

    Inverses of c M are 1/c times those of M; for c > 0 its eigenvalues are c times those of M.

    With c > 0 the order of eigenvalues stays, and with it what stands for each.
    det(chi^e A M B^T) = chi^(e n) det(A) det(B) det(M).
    """
    fn, powers = step.node.at["fn"], step.powers
    if fn in ("inv", "pinv"):
        return scale_power(powers[0], INVERSE)
    if fn == "det":
        own = _determinants(step) if step.types else ZERO
        if own is None:
            return None
        return summed([(own, ONE), count(powers[0], step.shape()[-1])])
    if step.kind == "scale" and fn not in SERIES:
        return powers[-1]
    return power_zero(step)


def _determinants(step: Step) -> Size | None:
    """Returns the power of chi that is det(A) det(B), for A on rows and B on columns.

    Returns None where it is not found.
    """
    *_, rows, columns = step.types[0]
    if step.kind != "lin" and rows == columns:
        return ZERO  # det(A) det(A) = 1
    if step.setting.is_special():
        return ZERO
    first, second = _determinant_power(rows), _determinant_power(columns)
    if first is None or second is None:
        return None
    return first + second


def _determinant_power(act: Act) -> Size | None:
    """Returns the power of chi that is the determinant of an act; None where it is not found.

    det(A (x) B) = det(A)^dim B det(B)^dim A.
    """
    total = ZERO
    for multiplicity, rest in () if isinstance(act, str) else act:
        dimension = multiplicity * size_of(rest)
        for size, acted in rest:
            if acted:
                power = dimension.divide(size)
                if power is None:
                    return None
                if isinstance(acted, Irrep):  # the determinant of -1, which is its parity
                    power = power * Size.of((acted.degree + acted.twisted) % 2)
                total = total - power if acted == DUAL else total + power
    return total


def _along(node: Node, shape: Shape) -> list[int | None]:
    """Maps the batch axes to themselves, as matrices are taken one by one."""
    last = {"det": 0, "eigvals": 1}.get(node.at["fn"], 2)
    return [axis if axis < len(node.shape) - last else None for axis in range(len(shape))]


RULE = Rule(
    "matrix_function", _shape, _typed, _power, arguments=(1, 2), functions=MATRIX_FUNCTIONS,
    attributes={"fn": read_by(one_of, MATRIX_FUNCTIONS)}, along=_along,
)  # fmt: skip
