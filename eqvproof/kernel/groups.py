"""The families of groups, one record each, with all that the kernel knows about a family.

An element g acts on an axis by its standard matrix. "O(p,q)" and "SO(p,q)", for numbers p and q,
are families of one size each. `kind` says what these matrices are:

    perm    permutations, (g x)[i] = x[p[i]]        lin     invertible matrices
    orth    orthogonal matrices                     shift   translations, x + t
    sign    diagonal, with entries 1 and -1         scale   positive multiples
                                                    rigid   motions, Q x + t
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """The kernel's record of a family of groups.

    Attributes:
        kind: the kind of group elements, as above.
        subgroups: the families whose groups on an axis are subgroups of the group of this family
            there.
        special: whether the determinant of every element is 1.
        moves: the elements that generate the group, and `algebra` its Lie algebra, as `generators`
            names them.
        integral: whether the entries of its matrices, or of its vectors, are integers.
        parts: the families whose groups generate this one.
        cyclic: whether the elements are the shifts of a cycle.
        listed: whether the group is given by generators listed in the claim.
        form: where the group is that of all g with g^T B g = B (of determinant 1, where it is
            special), B: "minkowski", diag(1, -1, ..., -1); (p, q), with p times 1 and q times -1,
            at the size p + q; "symplectic", [[0, I], [-I, 0]], at even sizes. At other sizes it is
            the identity alone. For kind "orth": of all that are orthogonal besides, the unitary
            matrices X + iY as [[X, -Y], [Y, X]].
        reals: how many real coordinates an entry of the axis has: 2 where it is complex, and g acts
            on all real parts along the axis, then all imaginary parts; 2 of Sp2, which acts on axes
            written 2d.
        unit: whether det(X + iY) = 1.
        irreps: whether on an axis of size 3 it has all rotations, so that irreps of O(3) are those
            of the group.
    """

    kind: str
    subgroups: tuple[str, ...] = ()
    special: bool = False
    moves: str = "none"
    algebra: str = ""
    integral: bool = False
    parts: tuple[str, ...] = ()
    cyclic: bool = False
    listed: bool = False
    form: str | tuple[int, int] = ""
    reals: int = 1
    unit: bool = False
    irreps: bool = False


class _Families(dict[str, Family]):
    """The families by name, including names such as "O(1,3)"."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and INDEFINITE.fullmatch(name) is not None
        )

    def __missing__(self, name: str) -> Family:
        found = INDEFINITE.fullmatch(name)
        if found is None:
            raise KeyError(name)
        inner = (name,) if found[1] else (name, "S" + name)
        return Family("lin", inner, special=bool(found[1]), form=(int(found[2]), int(found[3])))


#: Numbers of signs + and of signs -; both are positive, as the family is O otherwise.
INDEFINITE = re.compile(r"(S?)O\(([1-9][0-9]?),([1-9][0-9]?)\)")
_ORTHOGONAL = ("O", "SO", "S", "A", "C", "D", "Signs", "GenS", "GenO")
FAMILIES: dict[str, Family] = _Families(
    {
        "O": Family("orth", _ORTHOGONAL, moves="reflection", algebra="planes", irreps=True),
        "SO": Family("orth", ("SO", "A"), special=True, algebra="planes", irreps=True),
        "S": Family("perm", ("S", "A", "C", "D", "GenS"), moves="swaps"),
        "A": Family("perm", ("A",), special=True, moves="cycles"),
        "C": Family("perm", ("C",), cyclic=True, moves="turns"),
        "D": Family("perm", ("D", "C"), moves="polygon"),
        "Signs": Family("sign", ("Signs",), moves="reflections"),
        "B": Family(
            "orth", ("S", "A", "C", "D", "Signs", "GenS"), integral=True, parts=("S", "Signs")
        ),
        "T": Family("shift"),
        "Z": Family("shift", integral=True),
        "E": Family("rigid", _ORTHOGONAL, parts=("T", "O"), irreps=True),
        "SE": Family("rigid", ("SO", "A"), parts=("T", "SO"), special=True, irreps=True),
        "Scale": Family("scale"),
        "GL": Family(
            "lin",
            ("GL", "SL", "GenGL", "Lorentz", "Sp", *_ORTHOGONAL),
            moves="reflection",
            algebra="matrices",
        ),
        "SL": Family("lin", ("SL", "Sp"), special=True, algebra="shears"),
        "Lorentz": Family("lin", ("Lorentz",), form="minkowski"),
        "U": Family("orth", ("U", "SU"), special=True, form="symplectic", reals=2),
        "SU": Family("orth", ("SU",), special=True, form="symplectic", reals=2, unit=True),
        "Sp": Family("lin", ("Sp",), special=True, form="symplectic"),
        "Sp2": Family("lin", ("Sp2",), special=True, form="symplectic", reals=2),
        "GenS": Family("perm", listed=True),
        "GenO": Family("orth", listed=True),
        "GenGL": Family("lin", listed=True, algebra="matrices"),
    }
)
