"""Elements of groups as exact data.

An element g acts on a vector x of its axis: by ``Q x`` for a matrix Q, by ``(g x)[i] = x[p[i]]`` for a
permutation p, by ``(g x)[i] = s[i] x[i]`` for signs s, by ``x + t`` for a translation (points only), by
``Q x + t`` for a rigid motion (``Q x`` on directions), by ``c x`` for a positive multiple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from eqvproof.errors import GroupError
from eqvproof.groups.model import GENERATED, Factor

Matrix = tuple[tuple[Fraction, ...], ...]
Vector = tuple[Fraction, ...]
Data = Matrix | tuple[int, ...] | Vector | tuple[Matrix, Vector]

_KEYS = {
    "orth": "matrix", "perm": "permutation", "sign": "signs", "shift": "vector", "rigid": "matrix",
    "scale": "factor", "lin": "matrix",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a factor, checked at construction.

    **Exactness**: exact; membership is decided over the rationals.

    Attributes:
        family: the family of the factor.
        axis: the axis on which it acts.
        data: O, SO, GL: rows of Fractions; S, A, C, D: p with ``(g x)[i] = x[p[i]]``, 0-based; Signs: 1, -1;
            T: a vector of Fractions; E, SE: (rows, vector); Scale: (a positive Fraction,).

    Of a group that is given by generators, `word` says which product of them it is: k stands for the k-th, -k
    for its inverse, counted from 1.

    Raises:
        GroupError: the data are not an element of the group.
    """

    family: str
    axis: str | int
    data: Data
    word: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        reason = _why_not(self)
        if reason:
            raise GroupError(
                f"not an element of {self.factor}: {reason}", given=repr(self.data), code="group.element"
            )

    @property
    def factor(self) -> Factor:
        """The factor of the group to which it belongs."""
        return Factor(self.family, self.axis)

    @property
    def size(self) -> int:
        """The size of the axis on which it acts (0 for a multiple, which acts at every size)."""
        if self.factor.kind == "scale":
            return 0
        return len(self.data[1]) if self.factor.kind == "rigid" else len(self.data)  # type: ignore[arg-type]

    @property
    def vector(self) -> Vector:
        """The translation part: t of T, E, SE; zeros otherwise."""
        if self.factor.kind == "rigid":
            return self.data[1]  # type: ignore[return-value]
        return self.data if self.factor.kind == "shift" else (Fraction(0),) * self.size  # type: ignore[return-value]

    @property
    def is_identity(self) -> bool:
        """Whether it is the identity."""
        return self.data == identity(self.factor, self.size).data

    @property
    def multiple(self) -> Fraction:
        """The factor c of Scale; 1 otherwise."""
        return Fraction(str(self.data[0])) if self.factor.kind == "scale" else Fraction(1)

    def matrix(self) -> Matrix:
        """The standard matrix M with ``g x = M x``."""
        if self.factor.kind in ("orth", "lin"):
            return self.data  # type: ignore[return-value]
        if self.factor.kind == "rigid":
            return self.data[0]  # type: ignore[return-value]
        if self.factor.kind == "shift":
            return identity(Factor("O", self.axis), self.size).matrix()
        entries: Sequence[int] = self.data  # type: ignore[assignment]
        zero, one = Fraction(0), Fraction(1)
        if self.factor.kind == "perm":
            return tuple(tuple(one if j == p else zero for j in range(self.size)) for p in entries)
        return tuple(
            tuple(Fraction(s) if i == j else zero for j in range(self.size)) for i, s in enumerate(entries)
        )

    def to_json(self) -> dict[str, object]:
        """The JSON form: ``{"matrix": [["0", "1"], ..]}``, ``{"permutation": [..]}``, ``{"signs": [..]}``."""
        if self.factor.kind in ("orth", "lin"):
            return {"matrix": [[str(v) for v in row] for row in self.matrix()]}
        if self.factor.kind == "rigid":
            rows = [[str(v) for v in row] for row in self.matrix()]
            return {"matrix": rows, "vector": [str(v) for v in self.vector]}
        if self.factor.kind == "shift":
            return {"vector": [str(v) for v in self.vector]}
        if self.factor.kind == "scale":
            return {"factor": str(self.data[0])}
        return {_KEYS[self.factor.kind]: list(self.data)}

    def to_evidence(self) -> dict[str, object]:
        """The JSON form of a counterexample's element: family, axis, and the data or the word."""
        if self.family in GENERATED:
            return {"family": self.family, "axis": self.axis, "word": list(self.word)}
        return {"family": self.family, "axis": self.axis, **self.to_json()}

    @staticmethod
    def from_json(factor: Factor, data: Mapping[str, object]) -> Element:
        """The element that a JSON form stands for.

        Raises:
            GroupError: it stands for none.
        """
        if factor.kind in ("shift", "rigid", "scale"):
            return _affine_from_json(factor, data)
        key = _KEYS.get(factor.kind, "")
        value = data.get(key)
        if not isinstance(value, list):
            raise GroupError(f"an element of {factor} is a JSON object with the key {key!r}", given=str(data))
        if key != "matrix":
            return Element(factor.family, factor.axis, tuple(value))
        rows = [row if isinstance(row, list) else [] for row in value]
        try:
            return Element(factor.family, factor.axis, tuple(tuple(Fraction(v) for v in r) for r in rows))
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise GroupError("a matrix holds rationals written as text", given=str(data)) from error


def _affine_from_json(factor: Factor, data: Mapping[str, object]) -> Element:
    """An element of T, E, SE or Scale."""
    try:
        if factor.kind == "scale":
            return Element(factor.family, factor.axis, (Fraction(str(data["factor"])),))
        vector = tuple(Fraction(str(v)) for v in list(data["vector"]))  # type: ignore[call-overload]
        if factor.kind == "shift":
            return Element(factor.family, factor.axis, vector)
        rows = tuple(tuple(Fraction(str(v)) for v in row) for row in list(data["matrix"]))  # type: ignore[call-overload]
        return Element(factor.family, factor.axis, (rows, vector))
    except (KeyError, ValueError, TypeError, ZeroDivisionError) as error:
        raise GroupError(f"this is no JSON form of an element of {factor}", given=str(dict(data))) from error


def _why_not(element: Element) -> str:
    """Why the data are no element of the group, or an empty text."""
    kind = element.factor.kind
    if kind == "none":
        return "elements of this family are not supported"
    if kind in ("shift", "rigid", "scale"):
        return _why_not_affine(element)
    data, size = element.data, len(element.data)
    if not isinstance(data, tuple) or size == 0:
        return "expected a tuple that is not empty"
    if isinstance(element.axis, int) and element.axis != size:
        return f"expected the size {element.axis}"
    if kind == "lin":
        return _why_not_square(data) or ("" if to_flint(data).det() != 0 else "the matrix is singular")  # type: ignore[arg-type]
    if kind == "orth":
        return _why_not_orthogonal(data, special=element.family == "SO")
    if any(type(v) is not int for v in data):
        return "expected integers"
    if kind == "sign":
        return "" if all(v in (1, -1) for v in data) else "signs are 1 or -1"
    if sorted(data) != list(range(size)):
        return f"expected a rearrangement of 0..{size - 1}"
    if element.family == "A" and permutation_sign(data) != 1:  # type: ignore[arg-type]
        return "the permutation is odd"
    if element.family == "D":
        turned = all(p == (data[0] + i) % size for i, p in enumerate(data))  # type: ignore[operator]
        mirrored = all(p == (data[0] - i) % size for i, p in enumerate(data))  # type: ignore[operator]
        return "" if turned or mirrored else "the permutation is no rotation or reflection of a cycle"
    if element.family == "C" and any(p != (i + data[0]) % size for i, p in enumerate(data)):  # type: ignore
        return "the permutation is not a cyclic shift"
    return ""


def _why_not_affine(element: Element) -> str:
    data: tuple[object, ...] = element.data
    if not isinstance(data, tuple) or not data:
        return "expected a tuple that is not empty"
    if element.factor.kind == "scale":
        good = len(data) == 1 and isinstance(data[0], Fraction) and data[0] > 0
        return "" if good else "expected one positive Fraction"
    vector = data
    if element.factor.kind == "rigid":
        if len(data) != 2 or not isinstance(data[0], tuple) or not isinstance(data[1], tuple):
            return "expected a matrix and a vector"
        reason = _why_not_orthogonal(data[0], special=element.family == "SE")
        if reason:
            return reason
        vector = data[1]
        if len(vector) != len(data[0]):
            return "the matrix and the vector have different sizes"
    if any(type(v) is not Fraction for v in vector):
        return "expected Fractions"
    if isinstance(element.axis, int) and element.axis != len(vector):
        return f"expected the size {element.axis}"
    return ""


def _why_not_square(data: tuple[object, ...]) -> str:
    for row in data:
        if not isinstance(row, tuple) or len(row) != len(data) or any(type(v) is not Fraction for v in row):
            return "expected a square matrix, as a tuple of rows of Fractions"
    return ""


def _why_not_orthogonal(data: tuple[object, ...], *, special: bool) -> str:
    size, reason = len(data), _why_not_square(data)
    if reason:
        return reason
    matrix = to_flint(data)  # type: ignore[arg-type]
    one = flint.fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    if matrix.transpose() * matrix != one:
        return "Q^T Q is not the identity"
    if special and matrix.det() != 1:
        return "the determinant is -1"
    return ""


def permutation_sign(permutation: Sequence[int]) -> int:
    """The sign of a permutation of 0..n-1: 1 when it is even, -1 when odd."""
    seen = [False] * len(permutation)
    sign = 1
    for start in range(len(permutation)):
        length, at = 0, start
        while not seen[at]:
            seen[at] = True
            at = permutation[at]
            length += 1
        if length and length % 2 == 0:
            sign = -sign
    return sign


def to_flint(rows: Matrix) -> flint.fmpq_mat:
    """A matrix of Fractions as a FLINT matrix."""
    return flint.fmpq_mat(
        len(rows), len(rows[0]), [flint.fmpq(v.numerator, v.denominator) for row in rows for v in row]
    )


def from_flint(matrix: flint.fmpq_mat) -> Matrix:
    """A FLINT matrix as rows of Fractions."""
    return tuple(tuple(Fraction(int(v.p), int(v.q)) for v in row) for row in matrix.tolist())


def identity(factor: Factor, size: int) -> Element:
    """The identity of a factor at a size."""
    if factor.kind == "shift":
        return Element(factor.family, factor.axis, (Fraction(0),) * size)
    if factor.kind == "scale":
        return Element(factor.family, factor.axis, (Fraction(1),))
    if factor.kind == "rigid":
        rows = identity(Factor("SO", factor.axis), size).matrix()
        return Element(factor.family, factor.axis, (rows, (Fraction(0),) * size))
    if factor.kind in ("orth", "lin"):
        rows = tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))
        return Element(factor.family, factor.axis, rows)
    data = tuple(range(size)) if factor.kind == "perm" else (1,) * size
    return Element(factor.family, factor.axis, data)


def compose(g: Element, h: Element) -> Element:
    """The product g h, which acts as g after h: ``(g h) x = g (h x)``.

    For permutations ``(g (h x))[i] = (h x)[p_g[i]] = x[p_h[p_g[i]]]``.
    """
    if (g.family, g.axis, g.size) != (h.family, h.axis, h.size):
        raise GroupError("elements of different groups have no product", given=f"{g.factor}, {h.factor}")
    word = g.word + h.word
    if g.factor.kind in ("orth", "lin"):
        return Element(g.family, g.axis, from_flint(to_flint(g.matrix()) * to_flint(h.matrix())), word)
    if g.factor.kind == "scale":
        return Element(g.family, g.axis, (g.multiple * h.multiple,))
    if g.factor.kind in ("shift", "rigid"):
        moved = [sum((q * t for q, t in zip(row, h.vector, strict=True)), Fraction(0)) for row in g.matrix()]
        vector = tuple(a + b for a, b in zip(moved, g.vector, strict=True))
        if g.factor.kind == "shift":
            return Element(g.family, g.axis, vector)
        return Element(g.family, g.axis, (from_flint(to_flint(g.matrix()) * to_flint(h.matrix())), vector))
    left: tuple[int, ...] = g.data  # type: ignore[assignment]
    right: tuple[int, ...] = h.data  # type: ignore[assignment]
    if g.factor.kind == "perm":
        return Element(g.family, g.axis, tuple(right[p] for p in left), word)
    return Element(g.family, g.axis, tuple(a * b for a, b in zip(left, right, strict=True)))


def inverse(g: Element) -> Element:
    """The inverse of g."""
    word = tuple(-k for k in reversed(g.word))
    if g.factor.kind == "orth":
        return Element(g.family, g.axis, tuple(zip(*g.matrix(), strict=True)), word)
    if g.factor.kind == "lin":
        return Element(g.family, g.axis, from_flint(to_flint(g.matrix()).inv()), word)
    if g.factor.kind == "sign":
        return g
    if g.factor.kind == "scale":
        return Element(g.family, g.axis, (1 / g.multiple,))
    if g.factor.kind in ("shift", "rigid"):
        back_rows: Matrix = tuple(zip(*g.matrix(), strict=True))
        back_vector = tuple(
            -sum((q * t for q, t in zip(row, g.vector, strict=True)), Fraction(0)) for row in back_rows
        )
        return Element(
            g.family, g.axis, back_vector if g.factor.kind == "shift" else (back_rows, back_vector)
        )
    data: tuple[int, ...] = g.data  # type: ignore[assignment]
    back = [0] * g.size
    for i, p in enumerate(data):
        back[p] = i
    return Element(g.family, g.axis, tuple(back), word)


def contragredient(g: Element) -> Element:
    """The inverse transpose of g, by which GL acts on dual axes; of other groups, g itself."""
    if g.factor.kind != "lin":
        return g
    return Element(g.family, g.axis, from_flint(to_flint(g.matrix()).inv().transpose()))
