"""Elements in words: "swap positions 1 and 2 along n", "reflect coordinate 1" (counting from 1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from eqvproof.groups.element import Element, inverse
from eqvproof.groups.matrices import Matrix, householder_matrix

_SHOWN = 4


def words(element: Element) -> str:
    """The element in words, counting from 1."""
    if element.is_identity:
        return "leave everything in place"
    kind = element.factor.kind
    if kind == "perm":
        return _permutation(element)
    if kind == "sign":
        return _signs(element.data)
    if kind == "scale":
        return f"multiply by {element.data[0]}"
    if kind in ("shift", "rigid"):
        return _affine(element)
    if kind == "lin":
        return _invertible(element.matrix())
    return _orthogonal(element.matrix())


def _affine(element: Element) -> str:
    """The rotation, where there is one, and the translation, where there is one."""
    parts = []
    rotation = Element("O", element.axis, element.matrix())
    if not rotation.is_identity:
        parts.append(_orthogonal(rotation.matrix()))
    if any(element.vector):
        parts.append("translate by (" + ", ".join(str(v) for v in element.vector) + ")")
    return ", then ".join(parts)


def _list(places: Sequence[int]) -> str:
    shown = [str(p + 1) for p in places]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def _permutation(element: Element) -> str:
    along = f" along {element.axis}" if isinstance(element.axis, str) else ""
    data: tuple[int, ...] = element.data
    size = len(data)
    cycles = _cycles(element)
    if len(cycles) == 1 and len(cycles[0]) == 2:
        return f"swap positions {_list(sorted(cycles[0]))}{along}"
    by = -data[0] % size
    if all(p == (i - by) % size for i, p in enumerate(data)):
        return f"shift all positions{along} cyclically by {by if by <= size // 2 else by - size}"
    if data == tuple(reversed(range(size))):
        return f"reverse the order{along}"
    if all(len(c) == 2 for c in cycles):
        return "swap positions " + ", and ".join(_list(sorted(c)) for c in cycles) + along
    moves = ", and ".join(" -> ".join(str(i + 1) for i in (*c, c[0])) for c in cycles)
    return f"move positions {moves}{along}"


def _cycles(element: Element) -> list[list[int]]:
    """The cycles of length 2 and more of where entries move, each from its least place on."""
    moves: tuple[int, ...] = inverse(element).data
    seen: set[int] = set()
    found = []
    for start in range(len(moves)):
        cycle, at = [], start
        while at not in seen:
            seen.add(at)
            cycle.append(at)
            at = moves[at]
        if len(cycle) > 1:
            found.append(cycle)
    return found


def _signs(signs: tuple[int, ...]) -> str:
    places = [i for i, s in enumerate(signs) if s == -1]
    if len(places) == len(signs) > 1:
        return "flip the sign of every coordinate"
    return f"flip the sign of coordinate{'s' if len(places) > 1 else ''} {_list(places)}"


def _orthogonal(q: Matrix) -> str:
    size = len(q)
    if all(q[i][j] == 0 for i in range(size) for j in range(size) if i != j):
        places = [i for i in range(size) if q[i][i] == -1]
        if len(places) == size > 1:
            return "turn every vector into its negative"
        return f"reflect coordinate{'s' if len(places) > 1 else ''} {_list(places)}"
    moved = [i for i in range(size) if q[i] != tuple(Fraction(int(i == j)) for j in range(size))]
    if len(moved) == 2:
        return _in_a_plane(q, *moved)
    u = _mirror(q)
    if u is not None:
        return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
    if all(v in (0, 1) for row in q for v in row):
        p = tuple(row.index(Fraction(1)) for row in q)
        moves = _cycles(Element("S", "", p))
        return "move coordinates " + ", and ".join(" -> ".join(str(i + 1) for i in (*c, c[0])) for c in moves)
    if size > _SHOWN:
        return f"apply an orthogonal {size} x {size} matrix"
    rows = ", ".join("[" + ", ".join(map(str, row)) + "]" for row in q)
    return f"apply the orthogonal matrix [{rows}]"


def _invertible(g: Matrix) -> str:
    size = len(g)
    off = [(i, j) for i in range(size) for j in range(size) if i != j and g[i][j] != 0]
    scaled = [i for i in range(size) if g[i][i] != 1]
    if not off and len({g[i][i] for i in scaled}) == 1:
        which = (
            "every vector"
            if len(scaled) == size > 1
            else f"coordinate{'s' * (len(scaled) > 1)} {_list(scaled)}"
        )
        return f"multiply {which} by {g[scaled[0]][scaled[0]]}"
    if len(off) == 1 and not scaled and g[off[0][0]][off[0][1]] == 1:
        return f"add coordinate {off[0][1] + 1} to coordinate {off[0][0] + 1}"
    if size > _SHOWN:
        return f"apply an invertible {size} x {size} matrix"
    return "apply the matrix [" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in g) + "]"


def _in_a_plane(q: Matrix, i: int, j: int) -> str:
    cosine, sine = q[i][i], q[j][i]
    if q[i][j] == sine:
        if sine == 1:
            return f"swap coordinates {_list((i, j))}"
        u = _mirror(q) or ()
        return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
    if cosine == 0:
        return f"quarter turn in the plane {i + 1}-{j + 1}" + (" backwards" if sine == -1 else "")
    return f"rotate the plane {i + 1}-{j + 1} by the angle with cosine {cosine} and sine {sine}"


def _mirror(q: Matrix) -> tuple[int, ...] | None:
    """The primitive integer vector u with ``q = I - 2 u u^T / |u|^2``, or None."""
    size = len(q)
    for j in range(size):
        column = [Fraction(int(i == j)) - q[i][j] for i in range(size)]
        if any(column):
            scale = lcm(*(v.denominator for v in column))
            whole = [int(v * scale) for v in column]
            divisor = gcd(*whole)
            first = next(v for v in whole if v)
            u = tuple(v // divisor * (1 if first > 0 else -1) for v in whole)
            return u if householder_matrix(u) == q else None
    return None
