"""All shifts of an axis: M[i, j] = x[(i + sign j) mod s].

    x : (..., fixed)                x : (..., uniform)
    -------------------------       -----------------------------
    M : (..., fixed, fixed)         M : (..., uniform, uniform)

    C(n)  x : (..., rho)         C(n)  x : (..., rho), sign = 1      C(n)  x : (..., fixed), s = n, sign = -1
          -------------------          -------------------------           ----------------------------------
          M : (..., rho, fixed)        M : (..., fixed, rho)               M : (..., rho, rho)

where in the last two j runs over n places too.

Proof. Entries are moved about, and the other axes keep their acts, which mix lines of x and so those of M.
A shift by c makes of x[(i + sign j) mod n] the entry x[(i + c + sign j) mod n], which is M[i + c, j], and for
sign = 1 also M[i, j + c]. Without a shift of x, M[i + c, j + c] = x[(i + c - j - c) mod n] = M[i, j]: the
circulant matrices commute with the shifts. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import UNI, Act, Stuck, Type, fix, is_fixed, std
from eqvproof.rules.context import Context


def infer(op: ops.Circulant, args: list[Type], context: Context) -> list[Type]:
    """The types of all shifts of a value."""
    (arg,) = args
    *rest, act = arg
    size, count = op.shape[-2:]
    cyclic = context.family == "C" and size == context.size
    whole = count == size
    found: list[tuple[Act, Act]] = []
    if act is UNI:
        found.append((UNI, UNI))
    elif is_fixed(act):
        found.append((fix(size), fix(count)))
        if cyclic and whole and op.sign == -1:
            found.append((std(size), std(size)))
    elif cyclic and act == std(size):
        found.append((std(size), fix(count)))
        if whole and op.sign == 1:
            found.append((fix(size), std(size)))
    else:
        raise Stuck("shifts of an axis that the group moves otherwise than by shifts")
    return [(*rest, rows, columns) for rows, columns in found]
