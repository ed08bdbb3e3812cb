"""The facts about functions that the checker may suppose, as `fact` of `rocq/Checker.v`.

A function of entries has a degree k where ``f(c x, ...) = c^k f(x, ...)``, defined alike on both
sides, for all numbers c that are powers of the group's character. Of each entry of the tables:

For c = -1 the degree is 0 of even functions, 1 of odd ones. |-x| = |x|, cos(-x) = cos(x) and
cosh(-x) = cosh(x), and [-x = 0] = [x = 0]. 1/(-x) = -1/x; sin, tan, sinh and tanh are odd by their
series or as quotients of an odd and an even function, and their inverses arcsin, arctan and arcsinh
with them; so is cbrt, the inverse of x^3; the sign is; erf is the integral from 0 of an even
function; rint(-x) = -rint(x), as it is the nearest integer and ties go to the even one. For c = 1
nothing is said.

For c not 0, [x = y], [x != y], [x and y], [x or y] and [x = 0] ask which of x, y and x - y are 0,
and those are the same of c x and c y; 1/(c x) = c^-1 (1/x).

For c > 0, moreover the sign of c x is that of x, and [c x < c y] = [x < y], also with <=, > and >=,
as multiples by c keep the order; so they keep which entry is the greatest, the least, the first in
ascending order: maximum, minimum, max, min and sort have degree 1, as |c x| = c |x|. The angle
arctan2(c y, c x) is that of the same ray. mod(c x, c y) = c x - c y floor(c x / (c y)) = c mod(x, y).
(c x)^r = c^r x^r for a constant exponent r, which of a square root is 1/2 and of a cube root 1/3.

Under translations, max, min and sort of x + t are t more, as the order is the same; a maximum of no
entries is undefined. ``recip x`` times x is 1.

Of a function of A M B^T, with A acting on rows and B on columns:

* inv: (A M B^T)^-1 = B^-T M^-1 A^-1; of c M it is 1/c times that of M.
* det: det(c A M B^T) = c^n det(A) det(B) det(M), where det(A (x) B) = det(A)^dim B det(B)^dim A.
* pinv, for orthogonal A and B: B M^+ A^T solves Penrose's equations for A M B^T, whose solution is
  unique, since A M M^+ A^T and B M^+ M B^T are symmetric, and inner factors A^T A, B^T B vanish; of
  c M, c not 0, it is 1/c times that of M.
* eigvals, for orthogonal A = B: S = (M + M^T)/2 and A S A^T have the same eigenvalues, in the same
  order those of c S for c > 0 are c times them.
* spectral, for orthogonal A = B: sum_k w_k v_k v_k^T is a sum of projections P_t on the eigenspaces
  of S, each times the mean of the w_k at the places of t in the ascending order, which A S A^T and
  c S keep, c > 0, with A P_t A^T.
* A power series s, for A and its inverse on columns: s(A M A^-1) = A s(M) A^-1.

Of opaque functions the certificate may assume a symmetry, which the report names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .checker import DUAL, STD, Fact, RType
from .claimed_types import checked_family
from .claims import Factor
from .form_functions import Array, Function, Opaque, Power, Shape, exponent_of
from .forms import Program, Whole
from .functions import EVEN, ODD, SERIES
from .loading import part
from .report import Rejected
from .sizes import Size

_TRUTH = dict.fromkeys("eq ne and or".split(), 0)
#: The degrees for c = 1 and -1.
SIGNS = {**_TRUTH, **dict.fromkeys(EVEN, 0), **dict.fromkeys(ODD, 1)}
#: The degrees for c > 0.
POSITIVE = {
    **_TRUTH, "not": 0, "recip": -1, **dict.fromkeys(("sign", "lt", "le", "gt", "ge", "arctan2"), 0),
    **dict.fromkeys("abs maximum minimum mod max min sort".split(), 1),
}  # fmt: skip
#: The degrees for all numbers c but 0.
UNITS = {**_TRUTH, "not": 0, "recip": -1}
#: The degrees by the family of groups; for all others the character is 1 or -1.
DEGREES = {"Scale": POSITIVE, "GL": UNITS, "SL": UNITS}
#: Under translations, the laws of `motions`: a reciprocal; or what is added to all entries along an
#: axis is added to the value.
SHIFT_LAWS = {"recip": True, "max": False, "min": False, "sort": False}
#: The laws of functions of matrices.
LAWS = {
    "inv": "Inverse",
    "pinv": "Pseudoinverse",
    "det": "Number",
    "eigvals": "List",
    "spectral": "Weighted",
    **dict.fromkeys(SERIES, "Conjugate"),
}


@dataclass(frozen=True, slots=True)
class Supposed:
    """Records the facts supposed of the functions of a program, under a factor of the group.

    Attributes:
        known: the facts, by number.
        assumed: the functions of which a symmetry is assumed.
        kept: of the arrays of numbers that the factor keeps a bound of the squared distance to the
            kept one, 0 where it is the array itself.
    """

    known: list[Fact | None]
    assumed: set[int]
    kept: dict[int, Fraction]


def facts_of(
    factor: Factor, size: Size, program: Program, shapes: Sequence[Shape],
    functions: Sequence[Function], types: Sequence[RType], readable: Collection[int] = (),
) -> Supposed:  # fmt: skip
    """Returns the facts about the functions of a program.

    Args:
        factor: the factor of the group.
        size: the size of its matrices.
        program: the lines.
        shapes: of the lines.
        functions: by number.
        types: the types of the lines; a power is supposed to take the type of its argument.
        readable: the arrays each use of which may stand for the nearby one that a group keeps.
    """
    degrees, assumed = DEGREES.get(checked_family(factor), SIGNS), set[int]()
    found, kept = list[Fact | None](), dict[int, Fraction]()
    for function in functions:
        if isinstance(function, Opaque | Array | Power):
            found.append(None)
        elif function in LAWS:
            found.append(Fact(LAWS[function]))
        elif function in degrees:
            found.append(Fact("Degree", degrees[function]))
        else:
            found.append(None)
    seen = dict[int, tuple[Shape, ...]]()
    for form, shape, stated in zip(program, shapes, types, strict=True):
        if not isinstance(form, Whole):
            continue
        number, function = form.function, functions[form.function]
        if isinstance(function, Array):
            if seen.setdefault(number, (shape,)) != (shape,):
                raise Rejected("$.forms: an array of several shapes")
            known = found[number]
            if not (any(stated[0]) or stated[1]) or (known is not None and known.result == stated):
                continue
            far = distance_to_kept(
                function, factor, size, shape, stated, exact=number not in readable
            )
            if far is not None:
                found[number] = Fact("Typed", 0, (), stated)
                kept[number] = max(far, kept.get(number, far))
        elif isinstance(function, Opaque) and function.symmetry is not None:
            its_shapes = *(sizes for _, sizes in form.arguments), shape[form.batch :]
            if seen.setdefault(number, its_shapes) != its_shapes:
                raise Rejected("$.forms: a function with a symmetry, on arrays of several shapes")
            found[number] = part("assumptions").assumed(function, factor, size, its_shapes)
            if found[number] is not None:
                assumed.add(number)
        elif (exponent := exponent_of(function)) is not None and factor.kind == "scale":
            given = (), types[form.arguments[0][0]][1]
            power = given[1] * exponent
            if number in seen:
                raise Rejected("$.forms: a root that is stated once and used twice")
            seen[number] = ()
            if power.denominator == 1:
                found[number] = Fact("Typed", 0, (given,), ((), int(power)))
    return Supposed(found, assumed, kept)


def distance_to_kept(
    array: Array, factor: Factor, size: Size, shape: Shape, stated: RType, *, exact: bool
) -> Fraction | None:
    """Returns a bound of the squared distance to an array that a factor of the group keeps.

    The factor acts on it as stated. It is None where it is not seen to keep one, and 0 where it
    keeps the array itself, as it must where `exact`. The matrix of a form has the size of the
    elements: a part of a larger one is another matrix. Where g^T B g = B for all g, g^-T B g^-1 =
    B; and g B g^T = B, as B^-1 is B or -B. No type of an orthogonal group has duals.
    """
    if array.form is None:
        lengths = [length.constant for length in shape]
        if None in lengths:
            return None
        found: Fraction | None = part("invariants").distance_to_kept(
            factor, size, array.numbers, lengths, stated, exact=exact
        )
        return found
    kinds = (STD, DUAL)[: 1 + (factor.kind == "lin")]
    moved = [((((kind, size),),) * 2, 0) for kind in kinds]
    kept = factor.about.form == ("minkowski" if array.form else "symplectic")
    if kept and shape == (size, size) and stated in moved:
        return Fraction(0)
    return None
